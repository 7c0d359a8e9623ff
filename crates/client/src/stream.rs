//! Streaming calls with raw bytes, and streams offered inside calls.

use crate::{
    call::{Call, Target},
    channel::{Lease, Shared},
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Origin, Status};
use polywire_engine::{Request, Sink, Source};
use polywire_wire::{Answer, Outcome, Part};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A streaming call that has not been sent.
#[must_use = "a stream is opened by `open`"]
pub struct StreamCall {
    shared: Arc<Shared>,
    request: Request,
}

impl StreamCall {
    pub(crate) fn new(shared: Arc<Shared>, target: Target) -> Self {
        let mut request = Call::<()>::request(&shared, target, IoBuf::new());
        (request.finished, request.streamed) = (false, true);
        StreamCall { shared, request }
    }

    /// The only message of our half, for methods that answer one request by a stream.
    pub fn message(mut self, message: impl Into<IoBuf>) -> Self {
        self.request.body = message.into();
        self.request.finished = true;
        self
    }

    /// From the opening to the end of the stream. Default: no limit.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.request.deadline = Instant::now().checked_add(timeout);
        self
    }

    /// A field that travels with the opening.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        Metadata::append(&mut self.request.metadata, name, value);
        self
    }

    /// Opens the stream; its connection may still be under way. Streams are never tried twice.
    ///
    /// # Errors
    /// What prevents a connection.
    pub fn open(self) -> Result<Stream, Status> {
        let finished = self.request.finished;
        let ((source, sink), lease) = self.shared.post_stream(self.request)?;
        let lease = lease.map(|lease| (self.shared, lease));
        Ok(Stream { source, sink: (!finished).then_some(sink), lease })
    }
}

/// Both ends of an open stream. Dropping it before its end gives it up: the peer is told.
pub struct Stream {
    source: Source,
    /// `None` once our half is over.
    sink: Option<Sink>,
    /// A connection that is this stream's alone.
    lease: Option<(Arc<Shared>, Lease)>,
}

impl Stream {
    pub(crate) fn of((source, sink): (Source, Sink)) -> Self {
        Stream { source, sink: Some(sink), lease: None }
    }

    /// Sends one message, when there is room: a slow peer makes this wait.
    ///
    /// # Errors
    /// CANCELLED when the stream is over; FAILED_PRECONDITION after [`Stream::finish`].
    pub async fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        let part = Part { bytes: message.into(), end_of_message: true, ..Part::default() };
        match &mut self.sink {
            Some(sink) => sink.send(part).await,
            None => Err(Status::failed_precondition("our half of the stream is over")),
        }
    }

    /// Our half is over; the peer's may go on.
    pub fn finish(&mut self) {
        self.sink = None;
    }

    /// The next message or piece; `None` at the end. A stream that does not end well says so once, behind what came.
    pub async fn next(&mut self) -> Option<Result<Part, Status>> {
        self.source.next().await
    }

    /// Head of the answer, if it has come.
    pub fn answer(&mut self) -> Option<Answer> {
        self.source.answer()
    }

    /// The last words, trailers among them, once `next` has returned its last.
    pub fn outcome(&mut self) -> Option<Outcome> {
        let outcome = self.source.outcome()?;
        if let Some((shared, lease)) = self.lease.take() {
            let clean = outcome.status.is_ok() || outcome.status.origin() == Origin::Remote;
            shared.give_back(lease, clean);
        }
        Some(outcome)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.outcome(); // gives the connection back if it may be used again
        if let Some((shared, lease)) = self.lease.take() {
            shared.give_back(lease, false);
        }
    }
}
