//! The deadlines of a connection's calls.

use polywire_base::{Timer, Wheel};
use std::{
    mem::take,
    time::{Duration, Instant},
};

/// The deadlines of the calls, by slot.
#[derive(Default)]
pub(super) struct Deadlines {
    /// `None` until a call has a deadline.
    wheel: Option<Box<Wheel<u32>>>,
    /// No deadline passes before this.
    soonest: Option<Instant>,
    /// An empty list whose memory is reused.
    fired: Vec<u32>,
}

impl Deadlines {
    /// The call in this slot ends at `at`, which is `left` after `now`.
    #[inline]
    pub fn arm(&mut self, at: Instant, left: Duration, slot: u32, now: Instant) -> Timer {
        self.soonest = Some(self.soonest.map_or(at, |soonest| soonest.min(at)));
        self.wheel.get_or_insert_with(|| Box::new(Wheel::new(now))).arm_in(left, now, slot)
    }

    /// The call with this timer has ended.
    #[inline]
    pub fn disarm(&mut self, timer: Timer) {
        if let Some(wheel) = &mut self.wheel {
            wheel.disarm(timer);
        }
    }

    /// The slots of calls whose deadlines have passed. Their timers are not armed any more. The list goes
    /// back to [`Deadlines::put_back`].
    pub fn fire(&mut self, now: Instant) -> Vec<u32> {
        let mut fired = take(&mut self.fired);
        if let Some(wheel) = &mut self.wheel {
            wheel.advance(now, &mut fired);
            self.soonest = wheel.next();
        }
        fired
    }

    /// Takes back an emptied list, whose memory is reused.
    pub fn put_back(&mut self, mut fired: Vec<u32>) {
        fired.clear();
        self.fired = fired;
    }

    /// When to look again; no deadline passes earlier.
    #[inline]
    pub fn next(&self) -> Option<Instant> {
        self.soonest
    }
}
