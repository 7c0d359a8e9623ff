//! Streams and started calls for plain threads: the same as for tasks, but the thread waits.
//!
//! The connection is driven by a shard of the default engine, so it makes progress while no thread waits.

use crate::{
    call::{
        reply::Answer,
        streaming::{call::StreamingCall, duplex::Duplex, opening::Shape, raw::Stream, upload::Upload},
        unary::Call,
    },
    connection::{blocking::park_until_by, home::Home},
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Origin, Reply, Status, brpc};
use polywire_engine::clock;
use polywire_streams::{Item, Outgoing, RawReceiver, RawSender, RawStream, Streaming};
use polywire_wire::{Outcome, Part};
use std::{
    future::{Future, IntoFuture},
    pin::pin,
    sync::Arc,
    time::Duration,
};
use tokio::runtime::Handle;

/// A stream, half of one, or a call that was started, whose methods wait on the calling thread. Dropping it
/// has the effect of dropping the stream itself: a call that has not ended is cancelled, and the peer is
/// notified.
///
/// ```no_run
/// # mod polywire { pub use {polywire_call::*, polywire_client::*}; }
/// use polywire::{Blocking, Raw, Status, Stream, StreamingCall};
///
/// fn first(call: StreamingCall<Stream>) -> Result<usize, Status> {
///     let mut stream: Blocking<Stream> = call.message("request").blocking()?;
///     match stream.recv() {
///         Some(part) => Ok(part?.bytes.len()),
///         None => Ok(0),
///     }
/// }
/// ```
#[must_use = "dropping it cancels the call"]
pub struct Blocking<S> {
    stream: S,
    waiting: Waiting,
}

/// How a blocking caller waits for a stream.
#[derive(Clone)]
struct Waiting {
    /// The home of connections and timers if the thread belongs to a runtime, which cannot drive them while
    /// the thread waits.
    home: Option<Arc<Home>>,
    limit: Option<Duration>,
    /// The text of the error when the time limit passes: the event that did not happen.
    late: &'static str,
}

/// The same text for a stream.
const SILENT: &str = "nothing happened on the stream";

impl Waiting {
    /// # Errors
    /// FAILED_PRECONDITION: it is a shard's thread.
    fn here(late: &'static str) -> Result<Self, Status> {
        refuse_shards()?;
        let home = Handle::try_current().is_ok().then(|| Arc::new(Home::default()));
        Ok(Waiting { home, limit: None, late })
    }

    /// `Err`: the limit is over, or this is a shard's thread.
    fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T, Status> {
        refuse_shards()?; // the stream may have come here from another thread
        let until = self.limit.and_then(|limit| clock::now().checked_add(limit));
        let mut work = pin!(work);
        let mut wait = || park_until_by(until, |cx| work.as_mut().poll(cx));
        let waited = match &self.home {
            None => wait(),
            Some(home) => home.within(wait),
        };
        waited.ok_or_else(|| {
            let text = format!("{} within {:?}", self.late, self.limit.unwrap_or_default());
            brpc::status(brpc::ERPCTIMEDOUT, text).with_origin(Origin::Local)
        })
    }
}

/// # Errors
/// FAILED_PRECONDITION: it is a shard's thread, which may have to drive the very connection.
fn refuse_shards() -> Result<(), Status> {
    match polywire_engine::current_shard_id() {
        None => Ok(()),
        Some(_) => Err(Status::failed_precondition(
            "blocking() on a shard's thread would stop every connection there: await the call, \
             or declare the method `blocking`",
        )),
    }
}

impl<S: Shape> StreamingCall<S> {
    /// Opens the call, and waits on the calling thread as awaiting it does: without a runtime.
    ///
    /// # Errors
    /// The errors of awaiting it; and FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn blocking(self) -> Result<Blocking<S>, Status> {
        let waiting = Waiting::here(SILENT)?;
        let stream = waiting.wait(self.into_future())??;
        Ok(Blocking { stream, waiting })
    }
}

impl<R: Answer> Call<R> {
    /// Like [`Call::with_stream`], but waits on the calling thread.
    ///
    /// # Errors
    /// The errors of that method; and FAILED_PRECONDITION on a shard's thread.
    pub fn blocking_with_stream(self) -> Result<(Reply<R>, Blocking<RawStream>), Status> {
        let waiting = Waiting::here(SILENT)?;
        let (reply, stream) = waiting.wait(self.with_stream())??;
        Ok((reply, Blocking { stream, waiting }))
    }
}

impl<S> Blocking<S> {
    /// A blocking wrapper round the value that `make` creates. `late`: the error text when a time limit
    /// passes.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait; `make` is not called.
    pub(in crate::call) fn here(late: &'static str, make: impl FnOnce() -> S) -> Result<Self, Status> {
        let waiting = Waiting::here(late)?;
        Ok(Blocking { stream: make(), waiting })
    }

    /// Waits for a future that the value makes.
    ///
    /// # Errors
    /// The limit is over, or this is a shard's thread.
    pub(in crate::call) fn wait_for<'s, F: Future>(
        &'s mut self,
        future: impl FnOnce(&'s mut S) -> F,
    ) -> Result<F::Output, Status> {
        let Blocking { stream, waiting } = self;
        waiting.wait(future(stream))
    }

    pub(in crate::call) fn inner(&self) -> &S {
        &self.stream
    }

    /// The time limit of each of its methods, which then fail with DEADLINE_EXCEEDED; the stream continues. A
    /// message whose sending failed this way may or may not be sent. Default: the time limit of the call.
    pub fn wait_at_most(mut self, limit: Duration) -> Self {
        self.waiting.limit = Some(limit);
        self
    }

    /// The stream, or the started call, for tasks.
    pub fn into_inner(self) -> S {
        self.stream
    }

    fn part<T>(waiting: &Waiting, stream: T) -> Blocking<T> {
        Blocking { stream, waiting: waiting.clone() }
    }
}

/// The item that arrived; `None` if nothing arrived in time.
fn flat<T>(waited: Result<Option<Result<T, Status>>, Status>) -> Option<Result<T, Status>> {
    waited.unwrap_or_else(|late| Some(Err(late)))
}

impl<O: Item> Blocking<Streaming<O>> {
    /// The next message; `None` at the end. A stream that fails returns its status once, after the messages
    /// that came before.
    pub fn recv(&mut self) -> Option<Result<O, Status>> {
        flat(self.waiting.wait(self.stream.next()))
    }

    /// See [`Streaming::metadata`].
    pub fn metadata(&self) -> &Metadata {
        self.stream.metadata()
    }

    /// See [`Streaming::trailers`].
    pub fn trailers(&self) -> &Metadata {
        self.stream.trailers()
    }
}

impl<O: Item> Iterator for Blocking<Streaming<O>> {
    type Item = Result<O, Status>;

    fn next(&mut self) -> Option<Self::Item> {
        self.recv()
    }
}

impl<I: Item, O: Answer> Blocking<Upload<I, O>> {
    /// Sends a message, when there is room.
    ///
    /// # Errors
    /// The errors of [`Upload::send`].
    pub fn send(&mut self, message: I) -> Result<(), Status> {
        self.waiting.wait(self.stream.send(message))?
    }

    /// Ends the sending half, and waits for the reply.
    ///
    /// # Errors
    /// How the call failed.
    pub fn finish(self) -> Result<Reply<O>, Status> {
        self.waiting.wait(self.stream.finish())?
    }
}

impl<I: Item, O: Item> Blocking<Duplex<I, O>> {
    /// Sends a message; waits while there is no room. A peer may itself wait for its own messages to be read:
    /// read in another thread, see [`Blocking::split`], unless the protocol of the two sides is to take
    /// turns.
    ///
    /// # Errors
    /// The errors of [`Duplex::send`].
    pub fn send(&mut self, message: I) -> Result<(), Status> {
        self.waiting.wait(self.stream.send(message))?
    }

    /// Ends our half; the peer's may continue.
    pub fn finish(&mut self) {
        self.stream.finish();
    }

    /// The next message of the peer; `None` at its end.
    pub fn recv(&mut self) -> Option<Result<O, Status>> {
        flat(self.waiting.wait(self.stream.next()))
    }

    /// The two halves, for two threads. Dropping the first ends that half in order; dropping the second
    /// cancels the call.
    pub fn split(self) -> (Blocking<Outgoing<I>>, Blocking<Streaming<O>>) {
        let (outgoing, incoming) = self.stream.split();
        (Self::part(&self.waiting, outgoing), Self::part(&self.waiting, incoming))
    }
}

impl<I: Item> Blocking<Outgoing<I>> {
    /// Sends a message, when there is room.
    ///
    /// # Errors
    /// The errors of [`Outgoing::send`].
    pub fn send(&mut self, message: I) -> Result<(), Status> {
        self.waiting.wait(self.stream.send(message))?
    }
}

impl Blocking<Stream> {
    /// Sends one message, when there is room.
    ///
    /// # Errors
    /// The errors of [`Stream::send`].
    pub fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.waiting.wait(self.stream.send(message))?
    }

    /// Ends our half; the peer's may continue.
    pub fn finish(&mut self) {
        self.stream.finish();
    }

    /// The next message or piece; `None` at the end.
    pub fn recv(&mut self) -> Option<Result<Part, Status>> {
        flat(self.waiting.wait(self.stream.next()))
    }

    /// See [`Stream::outcome`].
    pub fn outcome(&mut self) -> Option<Outcome> {
        self.stream.outcome()
    }
}

impl Blocking<RawStream> {
    /// Sends a message, when there is room.
    ///
    /// # Errors
    /// The errors of [`RawStream::send`].
    pub fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.waiting.wait(self.stream.send(message))?
    }

    /// See [`RawSender::send_batch`].
    ///
    /// # Errors
    /// The errors of that method.
    pub fn send_batch(&mut self, messages: impl IntoIterator<Item = impl Into<IoBuf>>) -> Result<(), Status> {
        self.waiting.wait(self.stream.send_batch(messages))?
    }

    /// The next message; `None` at the end.
    pub fn recv(&mut self) -> Option<Result<IoBuf, Status>> {
        flat(self.waiting.wait(self.stream.next()))
    }

    /// See [`RawReceiver::next_batch`].
    pub fn recv_batch(&mut self, most: usize) -> Option<Result<Vec<IoBuf>, Status>> {
        flat(self.waiting.wait(self.stream.next_batch(most)))
    }

    /// The two halves, for two threads.
    pub fn split(self) -> (Blocking<RawSender>, Blocking<RawReceiver>) {
        let (sender, receiver) = self.stream.split();
        (Self::part(&self.waiting, sender), Self::part(&self.waiting, receiver))
    }
}

impl Blocking<RawSender> {
    /// Sends a message, when there is room.
    ///
    /// # Errors
    /// The errors of [`RawSender::send`].
    pub fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.waiting.wait(self.stream.send(message))?
    }

    /// See [`RawSender::send_batch`].
    ///
    /// # Errors
    /// The errors of that method.
    pub fn send_batch(&mut self, messages: impl IntoIterator<Item = impl Into<IoBuf>>) -> Result<(), Status> {
        self.waiting.wait(self.stream.send_batch(messages))?
    }
}

impl Blocking<RawReceiver> {
    /// The next message; `None` at the end.
    pub fn recv(&mut self) -> Option<Result<IoBuf, Status>> {
        flat(self.waiting.wait(self.stream.next()))
    }

    /// See [`RawReceiver::next_batch`].
    pub fn recv_batch(&mut self, most: usize) -> Option<Result<Vec<IoBuf>, Status>> {
        flat(self.waiting.wait(self.stream.next_batch(most)))
    }
}
