//! The age at which a connection is replaced, see [`Pooling::age`](crate::Pooling::age).
//!
//! ```text
//!  made ── age, a tenth more or less ──► calls go to a new connection ── [`LINGER`] ──► ends with the calls and streams that it has
//! ```
//!
//! In between, a call may still be posted by a thread that chose the connection just before; it is served.

use crate::connection::handle::Handle;
use polywire_engine::clock;
use std::{
    future::Future,
    pin::Pin,
    task::Context,
    time::{Duration, Instant},
};
use tokio::time::Sleep;

/// The time between moving calls to another connection and allowing this one to end.
const LINGER: Duration = Duration::from_secs(1);

/// Longer ages are treated as this one, which can be added to an instant on every system.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// When a connection that is made now has to be replaced.
pub(crate) fn expires(age: Option<Duration>) -> Option<Instant> {
    clock::now().checked_add(age?.min(LONGEST).mul_f64(0.9 + 0.2 * fastrand::f64()))
}

/// The age of a connection while it is driven.
pub(crate) struct Aging {
    /// When the next step is due; `None`: never.
    at: Option<Instant>,
    /// Calls go to other connections.
    passes: bool,
    timer: Option<Pin<Box<Sleep>>>,
    /// The time without a call after which a connection is replaced, too.
    idle: Option<Duration>,
    idle_timer: Option<Pin<Box<Sleep>>>,
    /// Calls were under way when that was last looked at.
    was_busy: bool,
}

impl Aging {
    /// The aging of a connection that is made now.
    pub fn new(age: Option<Duration>, idle: Option<Duration>) -> Self {
        Aging { at: expires(age), passes: false, timer: None, idle, idle_timer: None, was_busy: false }
    }

    /// The same aging on another runtime, which has timers of its own.
    pub fn moved(self) -> Self {
        Aging { timer: None, idle_timer: None, ..self }
    }

    /// Does the steps that are due; the task is woken for the next one. `calls`: the number of calls under
    /// way.
    #[inline]
    pub fn poll(&mut self, handle: &Handle, calls: usize, cx: &mut Context<'_>) {
        if self.idle.is_some() {
            self.poll_idle(handle, calls, cx);
        }
        if self.at.is_some() {
            self.poll_timer(handle, cx);
        }
    }

    #[cold]
    fn poll_idle(&mut self, handle: &Handle, calls: usize, cx: &mut Context<'_>) {
        while let Some(idle) = self.idle {
            let timer = self.idle_timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(idle)));
            if timer.as_mut().poll(cx).is_pending() {
                return;
            }
            self.idle_timer = None;
            let is_busy = handle.take_used() || calls > 0;
            let was_busy = std::mem::replace(&mut self.was_busy, calls > 0);
            if !is_busy && !was_busy {
                handle.pass();
                (self.idle, self.passes, self.timer) = (None, true, None);
                self.at = clock::now().checked_add(LINGER);
            }
        }
    }

    #[cold]
    fn poll_timer(&mut self, handle: &Handle, cx: &mut Context<'_>) {
        while let Some(at) = self.at {
            let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at.into())));
            if timer.as_mut().poll(cx).is_pending() {
                return;
            }
            self.timer = None;
            self.at = if self.passes { None } else { clock::now().checked_add(LINGER) };
            if self.passes {
                handle.close()
            } else {
                handle.pass()
            }
            self.passes = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_differ_by_a_tenth_so_that_connections_do_not_end_together() {
        let age = Duration::from_secs(100);
        let begun = clock::now();
        let ages: Vec<_> = (0..1000).map(|_| expires(Some(age)).expect("it has one") - begun).collect();
        let (least, most) = (ages.iter().min().expect("many"), ages.iter().max().expect("many"));
        assert!(*least >= age.mul_f64(0.9) && *least < age.mul_f64(0.92), "{least:?}");
        assert!(*most <= age.mul_f64(1.11) && *most > age.mul_f64(1.08), "{most:?}");
        assert_eq!(expires(None), None);
        assert!(expires(Some(Duration::MAX)).is_some());
    }
}
