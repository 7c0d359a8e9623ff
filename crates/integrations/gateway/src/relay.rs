//! What a server is given as its catch-all.

use crate::{
    failure::{self, Reason},
    hops, streams, unary,
};
use polywire_base::IoBuf;
use polywire_call::{Content, Status};
use polywire_client::{Channel, NoProtocols};
use polywire_formats::compression;
use polywire_server::{Call, CatchAll, Handler, Started};
use polywire_wire::{Compression, GRPC, Outcome};

/// Sends the calls that a server has no method for to a channel, and its answers back:
/// `Server::new().catch_all(Relay::to(channel))`.
///
/// Messages are passed on as they came. Caller and channel may speak different protocols as long as messages
/// are in protobuf in both.
pub struct Relay {
    channel: Channel,
    id: hops::Id,
}

impl Relay {
    /// A relay to the servers of this channel. Its options apply to each call: retries, balancer, time limit.
    pub fn to<P>(channel: Channel<P>) -> Relay {
        Relay { channel: channel.retyped(), id: hops::Id::new() }
    }
}

impl CatchAll for Relay {
    fn handler(&self) -> Box<dyn Handler> {
        Box::new(Relaying { channel: self.channel.clone(), id: self.id })
    }
}

/// The handler of one shard.
struct Relaying {
    channel: Channel<NoProtocols>,
    id: hops::Id,
}

impl Handler for Relaying {
    fn start(&self, call: Call) -> Started {
        let (channel, id) = (self.channel.clone(), self.id);
        Started::Future(Box::pin(
            async move { relay(call, &channel, id).await.unwrap_or_else(Outcome::from) },
        ))
    }
}

/// Answers one call. A caller that gives up drops this, and with it the call below.
async fn relay(mut call: Call, channel: &Channel, id: hops::Id) -> Result<Outcome, Status> {
    if call.content != Content::PROTOBUF {
        let text = format!("messages in {} are not relayed, only those in protobuf", call.content.name());
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if !channel.has_fields() {
        let text =
            format!("calls are not relayed over {}, whose requests have no fields", channel.protocol());
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    let hops = id.after(&call.cx)?;
    match call.stream.take() {
        None => unary::relay(call, channel, &hops).await,
        // The one system whose wire does not tell a call with one message from a stream: nor need the relay.
        Some(stream) if channel.system() == GRPC => streams::relay(&call, stream, channel, &hops).await,
        Some(stream) => unary::relay_only_message(call, stream, channel, &hops).await,
    }
}

/// A message of the server in a form that the caller reads: as it is, if the caller reads its compression.
///
/// # Errors
/// It is damaged, or longer than the limit of the method.
pub(crate) fn readable(
    call: &Call,
    compression: Compression,
    message: IoBuf,
) -> Result<(IoBuf, Compression), Status> {
    if call.cx.accepts().contains(compression) {
        return Ok((message, compression));
    }
    let plain = compression::decompress(compression, message, call.max_message as usize);
    Ok((plain.map_err(|error| failure::unreadable(error.reply()))?, Compression::NONE))
}
