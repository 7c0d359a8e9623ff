//! A stream each way.

use crate::{
    call::streaming::opening::{Opening, Shape, on_end},
    interceptor::Watch,
};
use polywire_call::{Metadata, Status};
use polywire_streams::{Item, Outgoing, Stream, Streaming};
use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// Both halves of an open call. Opening it does not wait, because many servers answer only after the first
/// message. Failures to connect are reported by `send` and `next`.
#[must_use = "dropping it cancels the call"]
pub struct Duplex<I, O> {
    /// This field is dropped before the other half, so that a dropped call is cancelled and does not seem to
    /// end in order.
    incoming: Streaming<O>,
    outgoing: Outgoing<I>,
}

impl<I: Item, O: Item> Shape for Duplex<I, O> {
    const STREAMED: bool = true;

    async fn open(mut opening: Opening) -> Result<Self, Status> {
        let ((source, sink), lease) = opening.post().await?;
        Ok(Duplex {
            outgoing: Outgoing::new(sink, opening.form),
            incoming: Streaming::new(source, opening.form).on_end(on_end(lease)),
        })
    }

    fn watched(self, watch: Box<Watch>) -> Self {
        Duplex { incoming: self.incoming.watched(watch), ..self }
    }
}

impl<I: Item, O: Item> Duplex<I, O> {
    /// Sends a message; waits while there is no room, for example for a slow peer. A peer may itself wait for
    /// its own messages to be read: read in another task, see [`Duplex::split`], unless the two sides take
    /// turns.
    ///
    /// # Errors
    /// The status of the call, if it has ended; CANCELLED if it ended successfully. FAILED_PRECONDITION after
    /// [`Duplex::finish`].
    pub async fn send(&mut self, message: I) -> Result<(), Status> {
        let sent = self.outgoing.send(message).await;
        sent.map_err(|error| self.incoming.status().filter(|status| !status.is_ok()).unwrap_or(error))
    }

    /// Ends our half; the peer's may continue.
    pub fn finish(&mut self) {
        self.outgoing.finish();
    }

    /// The next message of the peer; `None` at its end. A call that fails returns its status once, after the
    /// messages that came before.
    pub async fn next(&mut self) -> Option<Result<O, Status>> {
        self.incoming.next().await
    }

    /// Waits for the head of the answer. A peer may send it with its first message, and no earlier.
    ///
    /// # Errors
    /// The call ended without one.
    pub async fn opened(&mut self) -> Result<&Metadata, Status> {
        self.incoming.opened().await
    }

    /// See [`Streaming::metadata`].
    pub fn metadata(&self) -> &Metadata {
        self.incoming.metadata()
    }

    /// See [`Streaming::trailers`].
    pub fn trailers(&self) -> &Metadata {
        self.incoming.trailers()
    }

    /// The two halves, for two tasks. Dropping the first ends that half in order; dropping the second cancels
    /// the call.
    pub fn split(self) -> (Outgoing<I>, Streaming<O>) {
        (self.outgoing, self.incoming)
    }
}

impl<I, O: Item> Stream for Duplex<I, O> {
    type Item = Result<O, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.incoming).poll_next(cx)
    }
}
