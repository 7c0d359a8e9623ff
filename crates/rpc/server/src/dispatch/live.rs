//! The calls of a connection that did not finish in their first turn.

use super::{Dispatch, entered::Entered};
use crate::{
    context::{Called, sooner},
    spans::Traced,
};
use polywire_base::{Timer, Wheel};
use polywire_exchange::Line;
use polywire_wire::{Credit, Exchange, Outcome};
use std::{sync::Arc, time::Instant};

/// A call or stream that did not finish in its first turn.
pub(super) struct Live {
    pub(super) exchange: Exchange,
    pub(super) machine: u8,
    pub(super) line: Arc<Line>,
    /// Counts the call out of the limiters when it is dropped.
    pub(super) entered: Entered,
    pub(super) timer: Timer,
    pub(super) deadline: Option<Instant>,
    pub(super) credit: Credit,
    /// Whether the head of a streamed reply has been sent.
    pub(super) answered: bool,
    /// The handler's outcome, which waits for parts that are still queued.
    pub(super) last: Option<Outcome>,
    /// Index of the method, for its statistics; `NO_METHOD` for an offered stream.
    pub(super) method: u32,
    /// By what system it has come, for the same.
    pub(super) system: &'static str,
    /// Bytes of the messages that have come and were sent.
    pub(super) received: u64,
    pub(super) sent: u64,
    pub(super) began: Instant,
    /// Whether this is an accepted stream: it outlives its call and ends with its sink.
    pub(super) stream: bool,
    /// Bytes of parts that its handler has not taken.
    pub(super) untaken: usize,
    pub(super) beside: Option<Box<Beside>>,
}

/// What few calls have.
pub(super) struct Beside {
    /// Where calls are recorded.
    pub traced: Option<Traced>,
    /// The names that were sent, of a call that a catch-all answers.
    pub called: Option<Arc<Called>>,
}

impl Beside {
    pub fn of(traced: Option<Traced>, called: Option<Arc<Called>>) -> Option<Box<Beside>> {
        (traced.is_some() || called.is_some()).then(|| Box::new(Beside { traced, called }))
    }
}

pub(super) const NO_METHOD: u32 = u32::MAX;
/// Places for calls that an idle connection keeps allocated.
const KEPT: usize = 64;

impl Live {
    pub fn new(exchange: Exchange, machine: u8, line: Arc<Line>, entered: Entered, began: Instant) -> Self {
        Live {
            exchange,
            machine,
            line,
            entered,
            timer: Timer::NONE,
            deadline: None,
            credit: Credit::OPEN,
            answered: true,
            last: None,
            method: NO_METHOD,
            system: "",
            received: 0,
            sent: 0,
            began,
            stream: false,
            untaken: 0,
            beside: None,
        }
    }

    #[inline]
    pub fn traced(&self) -> Option<&Traced> {
        self.beside.as_ref()?.traced.as_ref()
    }

    /// Bytes that are counted.
    #[inline]
    pub fn held(&self) -> usize {
        self.entered.bytes + self.entered.beside + self.untaken
    }
}

impl Dispatch {
    pub(super) fn insert(&mut self, live: Live) -> u32 {
        let (slot, line) = (live.exchange.slot, live.line.clone());
        if live.method != NO_METHOD {
            self.table.shared.stats.parked(live.method, live.system, 1);
        }
        self.held += live.held();
        let key = self.live.insert(live).index;
        line.place(key);
        if slot < Exchange::CONNECTION.slot {
            let slot = slot as usize;
            if self.by_slot.len() <= slot {
                self.by_slot.resize(slot + 1, u32::MAX);
            }
            self.by_slot[slot] = key;
        }
        key
    }

    pub(super) fn arm(&mut self, key: u32, deadline: Option<Instant>, now: Instant) {
        let Some(at) = deadline else { return };
        let wheel = self.wheel.get_or_insert_with(|| Box::new(Wheel::new(now)));
        let timer = wheel.arm(at, key);
        self.soonest = Some(self.soonest.map_or(at, |soonest| soonest.min(at)));
        if let Some(live) = self.live.at_mut(key) {
            (live.timer, live.deadline) = (timer, deadline);
        }
    }

    /// When a call that waits ends at the latest: at its caller's deadline, or when its method's time is up.
    pub(super) fn until(&self, method: u32, deadline: Option<Instant>, now: Instant) -> Option<Instant> {
        match self.table.shared.methods[method as usize].method.timeout {
            Some(most) => sooner(deadline, now, most),
            None => deadline,
        }
    }

    pub(super) fn find(&self, exchange: Exchange) -> Option<u32> {
        let key = *self.by_slot.get(exchange.slot as usize)?;
        (self.live.at(key)?.exchange == exchange).then_some(key)
    }

    pub(super) fn remove(&mut self, key: u32) -> Option<Live> {
        let live = self.live.remove_at(key)?;
        self.held -= live.held();
        if live.method != NO_METHOD {
            self.table.shared.stats.parked(live.method, live.system, -1);
        }
        if let Some(wheel) = &mut self.wheel {
            wheel.disarm(live.timer);
        }
        if self.live.is_empty() && self.live.entries() > KEPT {
            self.forget_peak();
        }
        Some(live)
    }

    /// Frees the tables after a peak: with nothing in flight, an idle connection does not keep them.
    #[cold]
    pub(super) fn forget_peak(&mut self) {
        self.live.shrink_to(0); // keeps the versions of its keys, by which calls have names that are never used again
        self.by_slot = Default::default();
        (self.wheel, self.soonest) = (None, None);
        self.lines.shrink_to(KEPT);
        self.fired.shrink_to(KEPT);
    }
}
