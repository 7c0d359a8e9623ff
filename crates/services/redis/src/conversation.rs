//! A stream with exclusive use of its connection: the common part of sessions and subscribers.

use crate::{Value, target::TARGET};
use bytes::Bytes;
use polywire_call::{Code, Origin, Status};
use polywire_client::{Channel, Stream, sleep};
use polywire_wire::Connections;
use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
    time::Duration,
};

pub(crate) async fn conversation<P>(channel: &Channel<P>) -> Result<Stream, Status> {
    if channel.kind() == Connections::Single {
        return Err(Status::failed_precondition(
            "the calls of this channel share connections: give it the kind Pooled or Short",
        ));
    }
    channel.stream(TARGET).await
}

/// The next frame of a conversation.
pub(crate) async fn next(stream: &mut Stream) -> Result<Bytes, Status> {
    match stream.next().await {
        Some(Ok(part)) => Ok(part.bytes.into_bytes()),
        Some(Err(status)) => Err(status),
        None => Err(Status::unavailable("the connection has ended").with_origin(Origin::Transport)),
    }
}

/// The status when a master was replaced while the conversation runs. The old master would continue to
/// answer, but commands to it are lost, and it does not receive published messages.
pub(crate) fn left() -> Status {
    let text = "the server of this connection is one of the channel's no more";
    Status::unavailable(text).with_origin(Origin::Local).unprocessed()
}

pub(crate) fn parse(frame: Bytes) -> Result<Value, Status> {
    Value::parse(frame).map_err(|error| Status::new(Code::DataLoss, error.to_string()))
}

/// The output of a future, unless this time passes first.
pub(crate) async fn within<F: Future>(time: Duration, future: F) -> Option<F::Output> {
    let (mut future, mut over) = (pin!(future), pin!(sleep(time)));
    poll_fn(|cx| {
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(Some(output));
        }
        over.as_mut().poll(cx).map(|()| None)
    })
    .await
}
