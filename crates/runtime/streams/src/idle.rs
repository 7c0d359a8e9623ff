//! The time limit for a silent stream.

use polywire_call::{Origin, Status, brpc};
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::{Instant, Sleep};

/// Sleeps by the timers of the calling thread, or others if it has none.
pub type SleepFor = fn(Duration) -> Sleep;

/// The time for which a stream was silent while its reader waited.
pub(crate) struct Idle {
    limit: Option<Duration>,
    sleep: SleepFor,
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether the timer runs: the reader has waited since the timer began.
    waits: bool,
}

impl Idle {
    pub fn never(sleep: SleepFor) -> Self {
        Idle { limit: None, sleep, timer: None, waits: false }
    }

    pub fn set(&mut self, limit: Option<Duration>) {
        (self.limit, self.timer, self.waits) = (limit, None, false);
    }

    /// Stops the timer: a message has arrived.
    #[inline]
    pub fn over(&mut self) {
        self.waits = false;
    }

    /// Called when no message has arrived. Ready when that has lasted for too long; the time then begins
    /// again with the next wait.
    #[inline]
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Status> {
        match self.limit {
            None => Poll::Pending,
            Some(limit) => self.poll_timer(limit, cx),
        }
    }

    fn poll_timer(&mut self, limit: Duration, cx: &mut Context<'_>) -> Poll<Status> {
        let sleep = self.sleep;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        if !self.waits {
            // A limit beyond what the clock can express is none.
            let Some(until) = Instant::now().checked_add(limit) else { return Poll::Pending };
            timer.as_mut().reset(until);
            self.waits = true;
        }
        ready!(timer.as_mut().poll(cx));
        self.waits = false;
        let text = format!("no message has come within {limit:?}");
        Poll::Ready(brpc::status(brpc::ERPCTIMEDOUT, text).with_origin(Origin::Local))
    }
}
