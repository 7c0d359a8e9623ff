//! A stream out, one message back.

use crate::{
    call::{
        reply::{self, Answer},
        streaming::{
            call::StreamingCall,
            opening::{Opening, Shape},
            replay::Replay,
        },
    },
    interceptor::Watch,
    servers::InFlightGuard,
};
use polywire_call::{Reply, Status};
use polywire_exchange::{Sink, Source};
use polywire_streams::{Form, Item, Stream};
use polywire_wire::{Outcome, Part};
use std::{
    future::poll_fn,
    marker::PhantomData,
    pin::pin,
    task::{Context, Poll, ready},
};

/// An open call that takes messages until [`Upload::finish`] gets the reply. Opening it does not wait.
///
/// Where a service config has a retry policy for the method, a call that fails is made again from its first
/// message, as long as all sent messages fit into
/// [`Resilience::replay_bytes`](crate::Resilience::replay_bytes).
#[must_use = "dropping it cancels the call"]
pub struct Upload<I, O> {
    /// This field is dropped before the other half, so that a dropped call is cancelled and does not seem to
    /// end in order.
    source: Source,
    /// The sending half; `None` once it has ended.
    sink: Option<Sink>,
    form: Form,
    lease: InFlightGuard,
    /// The outcome of the last attempt, if it has ended.
    ended: Option<Outcome>,
    /// The sent messages, as long as the call may be made again.
    replay: Option<Box<Replay>>,
    /// The interceptors' state, if the channel has any.
    watch: Option<Box<Watch>>,
    messages: PhantomData<fn(I) -> O>,
}

impl<I: Item, O: Answer> Shape for Upload<I, O> {
    const STREAMED: bool = false;

    async fn open(mut opening: Opening) -> Result<Self, Status> {
        let ((source, sink), lease) = opening.post().await?;
        Ok(Upload {
            watch: None,
            sink: Some(sink),
            source,
            form: opening.form,
            lease,
            ended: None,
            replay: Replay::new(opening),
            messages: PhantomData,
        })
    }

    fn watched(mut self, watch: Box<Watch>) -> Self {
        self.watch = Some(watch);
        self
    }
}

impl<I: Item, O: Answer> Upload<I, O> {
    /// Sends a message; waits while there is no room, for example for a slow peer.
    ///
    /// # Errors
    /// The status of the call, if it has ended. CANCELLED if it ended successfully: the server needs no more
    /// messages, and [`Upload::finish`] returns its reply.
    pub async fn send(&mut self, message: I) -> Result<(), Status> {
        let part = self.form.checked(message.to_part(&self.form)?)?;
        let sent = match &mut self.replay {
            None => send(&mut self.sink, part).await,
            Some(replay) => {
                replay.keep(part);
                self.repeat().await
            }
        };
        sent.map_err(|error| self.status().filter(|status| !status.is_ok()).unwrap_or(error))
    }

    /// Ends the sending half, and waits for the reply.
    ///
    /// # Errors
    /// How the call failed.
    pub async fn finish(mut self) -> Result<Reply<O>, Status> {
        loop {
            if self.repeat().await.is_ok() {
                self.sink = None;
            }
            poll_fn(|cx| self.poll_end(cx)).await;
            if !self.reopen().await {
                break;
            }
        }
        let outcome = self.ended.take().unwrap_or_default();
        self.lease.ended(&outcome);
        reply::read(outcome, self.form.longest, self.watch.take(), None)
    }

    /// Sends the kept messages that were not sent in this attempt, and in another attempt if this one ends.
    async fn repeat(&mut self) -> Result<(), Status> {
        loop {
            let Some(replay) = &mut self.replay else { return Ok(()) };
            let Some(part) = replay.next() else {
                if replay.is_over_bound() {
                    self.replay = None;
                }
                return Ok(());
            };
            match send(&mut self.sink, part).await {
                Ok(()) => replay.sent(),
                Err(over) if !self.reopen().await => return Err(over),
                Err(_) => {}
            }
        }
    }

    /// Makes the call again after it has ended, if that is allowed.
    async fn reopen(&mut self) -> bool {
        poll_fn(|cx| self.poll_end(cx)).await;
        let (Some(replay), Some(ended)) = (&mut self.replay, &mut self.ended) else { return false };
        self.lease.ended(ended);
        let Some(((source, sink), lease)) = replay.post_again(ended).await else {
            self.replay = None; // asked once
            return false;
        };
        (self.source, self.sink, self.lease) = (source, Some(sink), lease);
        self.ended = None;
        true
    }

    /// Ready when the server has answered.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        // Parts of an answer that is one message would be the peer's mistake; its end says how it went.
        while ready!(self.source.poll_next(cx)).is_some_and(|part| part.is_ok()) {}
        if let Some(outcome) = self.source.outcome() {
            self.ended = Some(outcome);
        }
        Poll::Ready(())
    }
}

impl<I, O> Upload<I, O> {
    /// The status with which the call ended, if it has ended.
    fn status(&self) -> Option<Status> {
        self.ended.as_ref().map(|outcome| outcome.status.clone()).or_else(|| self.source.end())
    }
}

impl<I, O> Drop for Upload<I, O> {
    fn drop(&mut self) {
        let asks = self.watch.is_some() || !self.lease.is_nothing();
        if let Some(status) = asks.then(|| self.status()).flatten() {
            self.lease.end(&status);
            if let Some(watch) = &mut self.watch {
                watch.end(&status, 0); // its sender was told
            }
        }
    }
}

async fn send(sink: &mut Option<Sink>, part: Part) -> Result<(), Status> {
    match sink {
        Some(sink) => sink.send(part).await,
        None => Err(Status::failed_precondition("this half of the stream was finished")),
    }
}

impl<I: Item, O: Answer> StreamingCall<Upload<I, O>> {
    /// Sends a whole stream and waits for the reply. Stops sending if the server answers earlier.
    ///
    /// # Errors
    /// How the call failed.
    pub async fn send_all(self, messages: impl Stream<Item = I>) -> Result<Reply<O>, Status> {
        let mut upload = self.await?;
        let mut messages = pin!(messages);
        loop {
            let next = poll_fn(|cx| match messages.as_mut().poll_next(cx) {
                Poll::Pending => upload.poll_end(cx).map(|()| Next::Ended),
                Poll::Ready(Some(message)) => Poll::Ready(Next::Message(message)),
                Poll::Ready(None) => Poll::Ready(Next::All),
            });
            let goes_on = match next.await {
                Next::Message(message) => upload.send(message).await.is_ok(),
                Next::Ended => upload.reopen().await && upload.repeat().await.is_ok(),
                Next::All => false,
            };
            if !goes_on {
                return upload.finish().await; // knows how it ended, if it has
            }
        }
    }
}

/// The event that comes first.
enum Next<I> {
    Message(I),
    /// The source has no further messages.
    All,
    /// The call is over.
    Ended,
}
