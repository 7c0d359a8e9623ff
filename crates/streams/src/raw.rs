//! Streams of bytes that live inside a call and go on after it: brpc's streams.

use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_exchange::{Sink, Source};
use polywire_wire::Part;

/// Messages of bytes both ways: of a stream that a call offered and its server took
/// (`Call::with_stream`, `Context::accept_stream`). It outlives the call, and ends when either side drops its sending half.
///
/// An idle peer is noticed by a timeout around [`RawStream::next`]; nothing is sent for it.
#[must_use = "a stream that is dropped is closed"]
pub struct RawStream {
    sender: RawSender,
    receiver: RawReceiver,
}

/// The sending half of a [`RawStream`]. Dropping it closes the stream, behind what was sent.
#[must_use = "a stream whose sending half is dropped is closed"]
pub struct RawSender {
    sink: Sink,
}

/// The receiving half of a [`RawStream`]. When it is dropped, what comes is thrown away; the stream goes on.
#[must_use = "messages that nobody receives are thrown away"]
pub struct RawReceiver {
    source: Source,
}

impl RawStream {
    pub fn new((source, sink): (Source, Sink)) -> Self {
        RawStream { sender: RawSender { sink }, receiver: RawReceiver { source } }
    }

    /// See [`RawSender::send`].
    ///
    /// # Errors
    /// As there.
    pub async fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.sender.send(message).await
    }

    /// See [`RawReceiver::next`].
    pub async fn next(&mut self) -> Option<Result<IoBuf, Status>> {
        self.receiver.next().await
    }

    /// Two halves, for two tasks.
    pub fn split(self) -> (RawSender, RawReceiver) {
        (self.sender, self.receiver)
    }
}

impl RawSender {
    /// Sends a message, when there is room: a slow peer makes this wait. At a server nothing leaves before the reply of the
    /// call.
    ///
    /// # Errors
    /// CANCELLED when the stream is over: the receiving half says how it ended. EBADF if the peer takes no messages.
    ///
    /// # Cancel safety
    /// A dropped future has either queued the message or lost it.
    pub async fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.sink.send(Part::message(message.into())).await
    }
}

impl RawReceiver {
    /// The next message; `None` at the end. A stream that does not end well says so once, behind what came.
    ///
    /// # Cancel safety
    /// A dropped future has taken nothing.
    pub async fn next(&mut self) -> Option<Result<IoBuf, Status>> {
        Some(self.source.next().await?.map(|part| part.bytes))
    }
}
