//! A caller: one call at a time over its channel. It calls the method of a [`Caller`], or a recorded request.

use super::{
    recorder::{self, Next, PAUSE},
    streams::Kind,
};
use crate::request::Extras;
use polywire::{Call, Channel, Raw, Reply, Status, Target};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::mpsc;

/// The calls of a caller.
pub trait Calls: Send + 'static {
    /// The next call to its end: the bytes it sent, and the reply.
    fn one(&mut self, now: Instant) -> impl Future<Output = (usize, Result<Reply<Raw>, Status>)> + Send;

    /// The channel for replies that are written to a file.
    fn output(&self) -> Option<&mpsc::Sender<Reply<Raw>>> {
        None
    }
}

/// The state of a caller of one method. Requests are kept until the program ends, so that calls share them
/// without reference counting.
#[derive(Clone)]
pub struct Caller {
    pub channel: Channel,
    pub target: Target,
    /// Bodies, encoded, taken in turn. Not empty.
    pub requests: &'static [&'static [u8]],
    /// The key of each, see [`Subject::keys`](crate::request::Subject::keys).
    pub keys: &'static [u64],
    /// Index of the next body.
    pub next: usize,
    /// Metadata, attachment and compression of each request.
    pub extras: Option<Arc<Extras>>,
    pub timeout: Option<Duration>,
    /// Set if the method streams.
    pub kind: Option<Kind>,
    /// The channel for replies that are written to a file.
    pub output: Option<mpsc::Sender<Reply<Raw>>>,
}

impl Caller {
    /// The next request's body.
    #[inline]
    pub fn body(&mut self) -> &'static [u8] {
        let body = self.requests[self.next];
        self.next = if self.next + 1 == self.requests.len() { 0 } else { self.next + 1 };
        body
    }

    /// The next call, and its length in bytes. Hot path: once per call.
    #[inline]
    fn call(&mut self, now: Instant) -> (Call<Raw>, usize) {
        let key = self.keys.get(self.next);
        let body = self.body();
        let mut call = self.channel.call(self.target.clone(), body);
        if let Some(key) = key {
            call = call.key(*key);
        }
        if let Some(timeout) = self.timeout {
            call = call.deadline(Some(now + timeout));
        }
        let mut bytes = body.len();
        if let Some(extras) = &self.extras {
            bytes += extras.attachment.len();
            call = extras.add_to(call);
        }
        (call, bytes)
    }

    /// [`closed`] on a plain thread.
    pub fn blocking(mut self) {
        let mut start = Instant::now();
        let mut may = recorder::begin(start);
        while may {
            let (call, bytes) = self.call(start);
            let result = call.blocking();
            let end = Instant::now();
            let next = recorder::ended(start, end, bytes, &result);
            start = end;
            if let (Some(output), Ok(reply)) = (&self.output, result) {
                let _ = output.blocking_send(reply); // the writer reports its own failure
                start = Instant::now();
            }
            may = next == Next::Go;
            if next == Next::Pause {
                std::thread::sleep(PAUSE);
                start = Instant::now();
                may = recorder::begin(start);
            }
        }
        recorder::leave();
    }
}

impl Calls for Caller {
    #[inline]
    async fn one(&mut self, now: Instant) -> (usize, Result<Reply<Raw>, Status>) {
        match self.kind {
            None => {
                let (call, bytes) = self.call(now);
                (bytes, call.await)
            }
            Some(kind) => Box::pin(self.stream(kind, now)).await, // boxed: the common future stays small
        }
    }

    fn output(&self) -> Option<&mpsc::Sender<Reply<Raw>>> {
        self.output.as_ref()
    }
}

/// Makes calls as fast as replies arrive. The end of a call is the start of the next: one clock read per
/// call.
pub async fn closed(mut caller: impl Calls) {
    let mut start = Instant::now();
    let mut may = recorder::begin(start);
    while may {
        let (bytes, result) = caller.one(start).await;
        let end = Instant::now();
        let next = recorder::ended(start, end, bytes, &result);
        start = end;
        if let (Some(output), Ok(reply)) = (caller.output(), result) {
            let _ = output.send(reply).await; // the writer reports its own failure
            start = Instant::now();
        }
        may = next == Next::Go;
        if next == Next::Pause {
            tokio::time::sleep(PAUSE).await;
            start = Instant::now();
            may = recorder::begin(start);
        }
    }
    recorder::leave();
}

/// Makes calls when the schedule says so. Latency counts from the planned time, however late the call was
/// sent.
pub async fn open(mut caller: impl Calls) {
    let mut now = Instant::now();
    while let Some(planned) = recorder::planned(now).await {
        let (bytes, result) = caller.one(planned.now).await;
        now = Instant::now();
        let next = recorder::ended(planned.at, now, bytes, &result);
        if let (Some(output), Ok(reply)) = (caller.output(), result) {
            let _ = output.send(reply).await; // the writer reports its own failure
        }
        if next == Next::Pause {
            tokio::time::sleep(PAUSE).await;
        }
    }
    recorder::leave();
}
