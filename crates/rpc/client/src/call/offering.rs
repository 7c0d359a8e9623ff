//! A call that offers streams: they are opened inside the call and continue after it (streaming_rpc).

use crate::{
    call::{
        attempt::Attempt,
        decision,
        future::InFlight,
        reply::{self, Answer},
        unary::{Call, Ready},
    },
    connection::home::sleep,
    pool::{DraftAs, Offering},
    servers::{PostError, Undelivered},
};
use polywire_call::{Reply, Status, brpc};
use polywire_streams::RawStream;
use polywire_wire::Streams;
use std::future::poll_fn;

impl<R: Answer> Call<R> {
    /// Sends the call with an offer of a stream inside it, which continues after the call (streaming_rpc). It
    /// is never retried.
    ///
    /// # Errors
    /// The errors of awaiting the call; also EREQUEST if the server did not accept the stream, and
    /// UNIMPLEMENTED if the protocol has no such streams.
    pub async fn with_stream(self) -> Result<(Reply<R>, RawStream), Status> {
        let (reply, mut streams) = self.with_streams(1).await?;
        match streams.pop() {
            Some(stream) => Ok((reply, stream)),
            None => Err(brpc::status(brpc::EREQUEST, "The server didn't accept the stream")),
        }
    }

    /// Like [`Call::with_stream`], with several streams: the server accepts all of them, in their order, or
    /// none.
    ///
    /// # Errors
    /// The errors of that method.
    pub async fn with_streams(self, streams: usize) -> Result<(Reply<R>, Vec<RawStream>), Status> {
        if self.protocol().streams == Streams::None {
            let text = format!("{} carries no streams", self.protocol().name);
            return Err(Status::unimplemented(text));
        }
        let Ready { core, draft, mut retry, mut search, mut watch, rule, .. } = self.complete_as(None, Ok)?;
        let mut offering = DraftAs { draft, form: Offering { streams } };
        let most = core.longest;
        let posted = loop {
            match core.servers.post(offering, retry.patience(), &mut search) {
                Ok(posted) => break Ok(posted),
                Err(Undelivered { request: back, why: PostError { decision: Some(decision), .. } }) => {
                    offering = back;
                    if let Some(delay) = decision::follow(*decision, &core, &mut offering, &mut retry) {
                        sleep(delay).await;
                    }
                }
                Err(Undelivered { request: back, why }) if why.waits => {
                    offering = back;
                    if let Some(over) = core.servers.ready(offering.deadline, &search).await {
                        break Err(over);
                    }
                }
                Err(Undelivered { why, .. }) => break Err(why.status),
            }
        };
        if let (Some(watch), Err(failed)) = (&mut watch, &posted) {
            watch.end(failed, 0);
        }
        let ((caller, ends), lease) = posted?;
        let mut call = InFlight::once(core, Attempt::from((caller, lease)), retry);
        let outcome = poll_fn(|cx| call.poll(cx)).await;
        let accepted = outcome.accept;
        let reply = reply::read(outcome, most, watch, rule)?;
        let streams = match accepted {
            true => ends.into_iter().map(|both| RawStream::new(both, polywire_engine::sleep)).collect(),
            false => Vec::new(),
        };
        Ok((reply, streams))
    }
}
