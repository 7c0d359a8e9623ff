//! The figures of a run.

use super::bed::{BEGINS, ENDS, Ended};
use std::time::Duration;

/// The calls of a run, in the time before its fault and in that of its fault.
pub struct Figures {
    pub before: Calls,
    pub during: Calls,
    /// From the beginning of the fault to the last trouble in its time: a call that failed, or took more than
    /// three times the longest one before it.
    pub trouble: Duration,
}

/// Calls that began in a time.
pub struct Calls {
    pub all: usize,
    pub failed: usize,
    /// How long the good ones took, in order.
    took: Vec<Duration>,
}

impl Figures {
    pub fn of(run: &[Ended]) -> Figures {
        // The first second is for connecting.
        let before = Calls::of(run, Duration::from_secs(1), BEGINS);
        let longest = 3 * before.took.last().copied().unwrap_or_default();
        let troubled = run.iter().filter(|call| (BEGINS..ENDS).contains(&call.at));
        let troubled = troubled.filter(|call| !call.good || call.took > longest);
        let last = troubled.map(|call| call.at + call.took).max();
        Figures {
            trouble: last.map_or(Duration::ZERO, |last| last - BEGINS),
            during: Calls::of(run, BEGINS, ENDS),
            before,
        }
    }
}

impl Calls {
    fn of(run: &[Ended], from: Duration, to: Duration) -> Calls {
        let calls: Vec<_> = run.iter().filter(|call| (from..to).contains(&call.at)).collect();
        let mut took: Vec<_> = calls.iter().filter(|call| call.good).map(|call| call.took).collect();
        took.sort();
        Calls { all: calls.len(), failed: calls.len() - took.len(), took }
    }

    /// Percentage of good calls.
    #[allow(dead_code)] // by the tests, which share this file with the example
    pub fn success(&self) -> f64 {
        100.0 * self.took.len() as f64 / self.all.max(1) as f64
    }

    /// What this share of the good calls took at most.
    pub fn at(&self, share: f64) -> Duration {
        let rank = (share * self.took.len() as f64).ceil() as usize;
        self.took.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}
