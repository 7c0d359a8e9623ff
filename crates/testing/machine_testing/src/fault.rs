//! Faults of a byte stream, as data.

use crate::Random;
use std::{ops::Range, time::Duration};

/// The faults of one direction of a stream; by default none. Random choices come from `seed`, so that a
/// failed run can be repeated.
///
/// ```
/// # use polywire_machine_testing::{Fate, FaultPlan};
/// let slow_and_torn = FaultPlan::new(7).pieces(3).stalls(4).after(100, Fate::Reset);
/// # let _ = slow_and_torn;
/// ```
#[derive(Clone, Debug)]
pub struct FaultPlan {
    pub(crate) seed: u64,
    pub(crate) pieces: usize,
    #[cfg_attr(not(feature = "net"), allow(dead_code))]
    pub(crate) stall_one_in: usize,
    pub(crate) delay: Range<Duration>,
    pub(crate) capacity: usize,
    pub(crate) fate: Option<(u64, Fate)>,
}

/// The way in which a direction ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Orderly: the reader sees the end of the stream, the writer a broken pipe.
    End,
    /// Both get an error, and bytes in transit are lost.
    Reset,
    /// The writer continues, nothing arrives, and neither side gets an error: a pulled cable.
    Silence,
    /// The writer's bytes are no longer accepted, and neither side gets an error: a peer that never reads.
    Stuck,
}

impl FaultPlan {
    pub fn new(seed: u64) -> Self {
        FaultPlan {
            seed,
            pieces: usize::MAX,
            stall_one_in: 0,
            delay: Duration::ZERO..Duration::ZERO,
            capacity: usize::MAX,
            fate: None,
        }
    }

    /// Bytes move in pieces of 1 to `most`: split reads, partial writes. Default: unchanged.
    pub fn pieces(self, most: usize) -> Self {
        FaultPlan { pieces: most.max(1), ..self }
    }

    /// Lets one in `n` attempts move nothing; it can be repeated at once. 0 (the default): none.
    pub fn stalls(self, one_in: usize) -> Self {
        FaultPlan { stall_one_in: one_in, ..self }
    }

    /// Delays each piece by a time in this range; order is kept. In virtual time for [`crate::Pipe`]; for a
    /// transport by its runtime's clock, which may be paused. Default zero.
    pub fn delay(self, delay: Range<Duration>) -> Self {
        FaultPlan { delay, ..self }
    }

    /// Bytes in transit before the writer must wait; only for [`crate::Pipe`]. Default: no limit.
    pub fn capacity(self, bytes: usize) -> Self {
        FaultPlan { capacity: bytes, ..self }
    }

    /// Ends the direction with this fate after `bytes` bytes.
    pub fn after(self, bytes: u64, fate: Fate) -> Self {
        FaultPlan { fate: Some((bytes, fate)), ..self }
    }
}

/// A plan that is being carried out.
#[derive(Debug)]
pub(crate) struct Faults {
    plan: FaultPlan,
    random: Random,
    /// Bytes that have passed.
    passed: u64,
}

impl Faults {
    pub fn new(plan: FaultPlan) -> Self {
        Faults { random: Random::new(plan.seed), plan, passed: 0 }
    }

    /// Whether this attempt moves no bytes.
    #[cfg_attr(not(feature = "net"), allow(dead_code))]
    pub fn stalls(&mut self) -> bool {
        self.plan.stall_one_in > 0 && self.random.one_in(self.plan.stall_one_in)
    }

    /// The fate, if its byte was reached.
    pub fn fate(&self) -> Option<Fate> {
        self.plan.fate.and_then(|(after, fate)| (self.passed >= after).then_some(fate))
    }

    /// The number of bytes in the next piece, at most `n`; at least one if `n` is not 0 and the fate was not
    /// reached.
    pub fn piece(&mut self, n: usize) -> usize {
        let before_fate = self.plan.fate.map_or(u64::MAX, |(after, _)| after.saturating_sub(self.passed));
        let n = n.min(usize::try_from(before_fate).unwrap_or(usize::MAX));
        if self.plan.pieces == usize::MAX || n == 0 {
            n
        } else {
            1 + self.random.below(n.min(self.plan.pieces))
        }
    }

    pub fn pass(&mut self, bytes: usize) {
        self.passed += bytes as u64;
    }

    #[cfg_attr(not(feature = "net"), allow(dead_code))]
    pub fn is_late(&self) -> bool {
        !self.plan.delay.end.is_zero()
    }

    pub fn delay(&mut self) -> Duration {
        let Range { start, end } = self.plan.delay;
        let span = end.saturating_sub(start).as_nanos() as usize;
        start + Duration::from_nanos(self.random.below(span) as u64)
    }

    pub fn capacity(&self) -> usize {
        self.plan.capacity
    }
}
