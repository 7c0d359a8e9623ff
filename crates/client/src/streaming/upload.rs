//! A stream out, one message back.

use super::{Opening, Shape, StreamingCall};
use crate::{call::Answer, lease::Lease};
use polywire_call::{Reply, Status};
use polywire_engine::Source;
use polywire_streams::{Item, Outgoing, Stream};
use std::{
    future::poll_fn,
    marker::PhantomData,
    pin::pin,
    task::{Context, Poll, ready},
};

/// An open call that takes messages until [`Upload::finish`] gets the reply. Opening it waits for nothing.
#[must_use = "a call that is dropped is given up"]
pub struct Upload<I, O> {
    outgoing: Outgoing<I>,
    source: Source,
    max_message: usize,
    lease: Option<Lease>,
    reply: PhantomData<fn() -> O>,
}

impl<I: Item, O: Answer> Shape for Upload<I, O> {
    const STREAMED: bool = false;

    async fn open(opening: Opening) -> Result<Self, Status> {
        let (source, sink, lease) = opening.post()?;
        let max_message = opening.form.max_message;
        Ok(Upload {
            outgoing: Outgoing::new(sink, opening.form),
            source,
            max_message,
            lease,
            reply: PhantomData,
        })
    }
}

impl<I: Item, O: Answer> Upload<I, O> {
    /// Sends a message, when there is room: a slow peer makes this wait.
    ///
    /// # Errors
    /// How the call ended, if it has. CANCELLED if it ended well: the server needs no more, and [`Upload::finish`] has its
    /// reply.
    pub async fn send(&mut self, message: I) -> Result<(), Status> {
        let sent = self.outgoing.send(message).await;
        sent.map_err(|error| self.source.end().filter(|status| !status.is_ok()).unwrap_or(error))
    }

    /// Nothing more is sent: waits for the reply.
    ///
    /// # Errors
    /// How the call failed.
    pub async fn finish(mut self) -> Result<Reply<O>, Status> {
        self.outgoing.finish();
        poll_fn(|cx| self.poll_end(cx)).await;
        let outcome = self.source.outcome().unwrap_or_default();
        if let Some(lease) = self.lease.take() {
            lease.give_back(&outcome.status);
        }
        O::read(outcome, self.max_message)
    }

    /// Ready when the server has answered.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        // Parts of an answer that is one message would be the peer's mistake; its end says how it went.
        while ready!(self.source.poll_next(cx)).is_some_and(|part| part.is_ok()) {}
        Poll::Ready(())
    }
}

impl<I: Item, O: Answer> StreamingCall<Upload<I, O>> {
    /// Sends a whole stream and waits for the reply. Ends early if the server answers before it has heard all.
    ///
    /// # Errors
    /// How the call failed.
    pub async fn send_all(self, messages: impl Stream<Item = I>) -> Result<Reply<O>, Status> {
        let mut upload = self.await?;
        let mut messages = pin!(messages);
        loop {
            let next = poll_fn(|cx| match messages.as_mut().poll_next(cx) {
                Poll::Pending => upload.poll_end(cx).map(|()| None),
                next => next,
            });
            let Some(message) = next.await else { break };
            if upload.outgoing.send(message).await.is_err() {
                break; // over: `finish` knows how
            }
        }
        upload.finish().await
    }
}
