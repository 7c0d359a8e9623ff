//! Chooses the calls that are recorded: at most a number per second in all, as brpc's collector does, and
//! chosen evenly from all calls.
//!
//! ```text
//!  call ─► lane: passes most, without touching what others touch
//!            `─► one of `every` ─► sampler: so many per tenth of a second, then none
//! ```
//!
//! `every` follows the number of calls in the tenth of a second before. With few calls it is 1, and all are
//! recorded.

use crate::ids::mix;
use std::{
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

const SLICE: Duration = Duration::from_millis(100);
const SLICES_PER_SECOND: u32 = 10;
/// After this time a lane chooses a new interval: calls may have become few.
const LANE_LIFE: Duration = Duration::from_millis(200);
const MOST_EVERY: u32 = 1 << 24;

/// A bucket that lets `per_second` calls through per second, counted in tenths of a second.
pub(crate) struct Bucket {
    zero: Instant,
    per_slice: u32,
    /// The number of the slice, and the number of calls that have passed in it.
    slice: AtomicU64,
}

/// The answer of a [`Bucket`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taken {
    /// The call passes and is the first of its slice of a tenth of a second; the number counts the slices
    /// since the last call that passed.
    First(u32),
    Another,
    Full,
}

impl Bucket {
    pub fn new(per_second: u32, zero: Instant) -> Self {
        let per_slice = per_second.div_ceil(SLICES_PER_SECOND);
        Bucket { zero, per_slice, slice: AtomicU64::new(0) }
    }

    fn number(&self, now: Instant) -> u32 {
        // From 1, so that the first slice of all begins, too.
        1 + (now.saturating_duration_since(self.zero).as_millis() / SLICE.as_millis()) as u32
    }

    /// The number of slices since a call has passed.
    fn age(&self, now: Instant) -> u32 {
        self.number(now).saturating_sub((self.slice.load(Relaxed) >> 32) as u32)
    }

    /// A full bucket is only read.
    pub fn take(&self, now: Instant) -> Taken {
        let number = self.number(now);
        let mut current = self.slice.load(Relaxed);
        loop {
            let (slice, passed) = ((current >> 32) as u32, current as u32);
            let is_first = number > slice; // a caller whose time is older counts in the newest slice
            if self.per_slice == 0 || !is_first && passed >= self.per_slice {
                return Taken::Full;
            }
            let next = if is_first { u64::from(number) << 32 | 1 } else { current + 1 };
            match self.slice.compare_exchange_weak(current, next, Relaxed, Relaxed) {
                Ok(_) if is_first => return Taken::First(number - slice),
                Ok(_) => return Taken::Another,
                Err(other) => current = other,
            }
        }
    }
}

/// Samples calls evenly, at most a number of them per second.
pub(crate) struct Sampler {
    bucket: Bucket,
    /// One call in this many asks the bucket.
    every: AtomicU32,
    /// The number of calls that have asked in this slice.
    asked: AtomicU32,
}

/// The part of the choice that one connection or channel makes by itself.
#[derive(Default)]
pub struct Lane {
    /// The number of calls to pass over before the next one asks.
    skip: u32,
    random: u64,
    /// The time until which `skip` is valid.
    until: Option<Instant>,
}

impl Sampler {
    pub fn new(per_second: u32, zero: Instant) -> Self {
        Sampler { bucket: Bucket::new(per_second, zero), every: AtomicU32::new(1), asked: AtomicU32::new(0) }
    }

    /// Whether this call is recorded. `seed`: differs between lanes.
    #[inline]
    pub fn draw(&self, lane: &mut Lane, now: Instant, seed: impl FnOnce() -> u64) -> bool {
        if lane.skip > 0 && lane.until.is_some_and(|until| now < until) {
            lane.skip -= 1;
            return false;
        }
        self.ask(lane, now, seed)
    }

    #[cold]
    fn ask(&self, lane: &mut Lane, now: Instant, seed: impl FnOnce() -> u64) -> bool {
        if lane.random == 0 {
            lane.random = seed() | 1;
        }
        let every = self.every(now);
        let is_fresh = lane.until.is_none_or(|until| now >= until);
        lane.until = Some(now + LANE_LIFE);
        if is_fresh {
            // The calls of many short connections are as good as those of one.
            lane.skip = lane.below(every);
            if lane.skip > 0 {
                lane.skip -= 1;
                return false;
            }
        }
        lane.skip = lane.below(every.saturating_mul(2).saturating_sub(1)); // on average every - 1
        self.asked.fetch_add(1, Relaxed);
        match self.bucket.take(now) {
            Taken::Full => false,
            Taken::Another => true,
            Taken::First(slices) => {
                let calls =
                    u64::from(self.asked.swap(0, Relaxed)) * u64::from(every) / u64::from(slices.max(1));
                let next = calls.div_ceil(u64::from(self.bucket.per_slice)).clamp(1, MOST_EVERY.into());
                self.every.store(next as u32, Relaxed);
                true
            }
        }
    }

    /// The current interval: one call in this many asks. It falls while no call asks.
    fn every(&self, now: Instant) -> u32 {
        let quiet = self.bucket.age(now).saturating_sub(1).min(31);
        (self.every.load(Relaxed) >> quiet).max(1)
    }

    /// The part of the calls that is recorded, 1 for all.
    pub fn ratio(&self, now: Instant) -> f64 {
        1.0 / f64::from(self.every(now))
    }
}

impl Lane {
    fn below(&mut self, end: u32) -> u32 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u64::from(end) * (mix(self.random) >> 32)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records made in each second by calls at this rate, `lanes` taking turns.
    fn run(sampler: &Sampler, lanes: &mut [Lane], begin: Instant, per_second: u32, seconds: u32) -> Vec<u32> {
        let count = lanes.len();
        (0..seconds)
            .map(|second| {
                let at = |k: u32| {
                    begin + Duration::from_secs_f64(f64::from(second) + f64::from(k) / f64::from(per_second))
                };
                (0..per_second)
                    .filter(|&k| sampler.draw(&mut lanes[k as usize % count], at(k), || k.into()))
                    .count() as u32
            })
            .collect()
    }

    fn lanes(n: usize) -> Vec<Lane> {
        (0..n).map(|_| Lane::default()).collect()
    }

    #[test]
    fn few_calls_are_all_recorded() {
        let zero = Instant::now();
        let sampler = Sampler::new(1000, zero);
        assert_eq!(run(&sampler, &mut lanes(3), zero, 900, 3), [900; 3]);
        assert_eq!(sampler.ratio(zero + Duration::from_secs(3)), 1.0);
    }

    #[test]
    fn of_many_calls_about_a_thousand_a_second_are_recorded() {
        for count in [1, 1000] {
            let zero = Instant::now();
            let sampler = Sampler::new(1000, zero);
            let seconds = run(&sampler, &mut lanes(count), zero, 200_000, 4);
            assert!(seconds.iter().all(|n| *n <= 1000), "{seconds:?}");
            assert!(seconds[1..].iter().all(|n| *n > 700), "{seconds:?}");
            let ratio = sampler.ratio(zero + Duration::from_secs(4));
            assert!((0.003..0.008).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn connections_of_one_call_each_are_sampled_evenly() {
        let zero = Instant::now();
        let sampler = Sampler::new(1000, zero);
        let (mut recorded, mut late) = (0, 0);
        for k in 0..400_000_u64 {
            let at = zero + Duration::from_micros(5 * k);
            if sampler.draw(&mut Lane::default(), at, || mix(k)) {
                recorded += 1;
                late += u32::from(at.saturating_duration_since(zero).as_millis() % 100 >= 50);
            }
        }
        assert!((1200..=2000).contains(&recorded), "{recorded}");
        assert!(late * 4 > recorded, "not only those at the beginning of each slice: {late} of {recorded}");
    }

    #[test]
    fn after_a_rush_few_calls_are_all_recorded_again() {
        let zero = Instant::now();
        let sampler = Sampler::new(1000, zero);
        let mut lanes = lanes(10);
        run(&sampler, &mut lanes, zero, 500_000, 2);
        let after = run(&sampler, &mut lanes, zero + Duration::from_secs(2), 50, 4);
        assert_eq!(after[3], 50, "{after:?}");
    }

    #[test]
    fn a_bucket_is_full_until_the_next_slice() {
        let zero = Instant::now();
        let bucket = Bucket::new(30, zero);
        let at = |ms| zero + Duration::from_millis(ms);
        assert_eq!(bucket.take(at(0)), Taken::First(1));
        assert_eq!(
            [bucket.take(at(1)), bucket.take(at(99)), bucket.take(at(99))],
            [Taken::Another, Taken::Another, Taken::Full]
        );
        assert_eq!(bucket.take(at(250)), Taken::First(2));
        assert_eq!(bucket.take(at(90)), Taken::Another, "an older time");
        assert_eq!(Bucket::new(0, zero).take(at(0)), Taken::Full);
    }
}
