//! The time and the random number that decide whether a call is tried again.

use polywire_engine::clock;
use std::{
    hash::{BuildHasher, RandomState},
    time::Instant,
};

/// The time when an attempt ended, and a random number.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub now: Instant,
    /// From 0 up to 1. It spreads the pauses of calls that failed at the same time.
    pub random: f64,
}

impl Moment {
    /// The current time and a new random number.
    pub fn now() -> Self {
        Moment { now: clock::now(), random: random() }
    }
}

/// The keys of hash maps are random enough to spread retries.
fn random() -> f64 {
    (RandomState::new().hash_one(0) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_random_stays_in_its_bounds_and_differs() {
        let units: Vec<_> = (0..100).map(|_| random()).collect();
        assert!(units.iter().all(|unit| (0.0..1.0).contains(unit)));
        assert!(units.iter().any(|unit| *unit != units[0]));
    }
}
