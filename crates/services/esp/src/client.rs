//! The client.

use crate::{Error, Frame};
use polywire_base::IoBuf;
use polywire_call::{Reply, Status, brpc};
use polywire_client::{Answer, Channel, Target};
use polywire_wire::{Longest, Outcome};

/// Sends frames over a channel with the protocol `esp`. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
}

/// The target of all calls: the head contains everything else.
const TARGET: Target = Target::fixed("", "");

impl Client {
    pub fn new<P>(channel: Channel<P>) -> Self {
        Client { channel: channel.retyped() }
    }

    /// Sends a frame and waits for its reply.
    ///
    /// # Errors
    /// The call failed; or its server has answered with a `msg` that is not 0, and the error has that frame
    /// ([`Error::reply`]).
    pub async fn call(&self, frame: &Frame) -> Result<Frame, Error> {
        match self.channel.typed::<Whole>(TARGET, Ok(frame.to_bytes())).await {
            Ok(reply) => Frame::from_bytes(reply.into_message().0)
                .ok_or_else(|| brpc::status(brpc::ERESPONSE, "the reply has no head").into()),
            Err(status) => Err(Error::new(status)),
        }
    }
}

/// A whole reply. If the call failed, the reply is put into the details of the status, from which [`Error`]
/// takes it.
struct Whole(IoBuf);

impl Answer for Whole {
    fn read(outcome: Outcome, _: Longest) -> Result<Reply<Self>, Status> {
        if outcome.status.is_ok() {
            return Ok(Reply::new(Whole(outcome.body)));
        }
        let frame = outcome.body.to_vec();
        let status = outcome.into_status();
        Err(if frame.is_empty() { status } else { status.with_details(frame) })
    }
}
