//! The distribution of durations: a log-linear histogram.
//!
//! The problem: percentiles of durations that many threads record, over any window, cheap to record and to
//! combine. Samples (as brpc keeps them) need randomness and locks, and are imprecise for rare slow calls. A
//! histogram only adds; its precision depends on its buckets. Equal widths waste memory or precision, powers
//! of two have an error of up to a half. So every power of two is divided into 32 equal parts, which limits
//! the relative error and leaves an index that costs one bit scan.
//!
//! ```text
//!   value in ns   0 .. 63   one bucket each                       exact
//!                64 .. 127  32 buckets of 2
//!               128 .. 255  32 buckets of 4                       at most 1/32 wide
//!                ...
//!              2^41 .. 2^42 32 buckets of 2^36 (73 minutes; longer ones are counted in the last)
//! ```
//!
//! Error: a percentile is the middle of its bucket, at most 1/64 = 1.6 % from a value that was recorded
//! there. Maximum, sum and count are exact.

use std::{
    array,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// Buckets per power of two; a power of two itself.
const PARTS: usize = 32;
const PART_BITS: u32 = PARTS.trailing_zeros();
/// Values of this many bits or more share the last bucket.
const TOP_BITS: u32 = 42;
const GROUPS: usize = (TOP_BITS - PART_BITS) as usize + 1;
pub(crate) const BUCKETS: usize = GROUPS * PARTS;

#[inline]
fn bucket_of(nanos: u64) -> usize {
    let nanos = nanos.min((1 << TOP_BITS) - 1);
    if nanos < PARTS as u64 {
        return nanos as usize;
    }
    let shift = u64::BITS - 1 - nanos.leading_zeros() - PART_BITS;
    // The leading bit of the shifted value is 1 and adds one to the group.
    shift as usize * PARTS + (nanos >> shift) as usize
}

/// First value of a bucket, and the number of values in it.
fn range_of(bucket: usize) -> (u64, u64) {
    if bucket < PARTS {
        return (bucket as u64, 1);
    }
    let shift = bucket / PARTS - 1;
    (((bucket % PARTS + PARTS) as u64) << shift, 1 << shift)
}

/// Counts of all buckets.
pub(crate) fn empty() -> Box<[u64; BUCKETS]> {
    // Via a vector: a boxed array would be built on the stack first.
    vec![0; BUCKETS].into_boxed_slice().try_into().expect("as many as the array has")
}

/// The durations that one owner, or all threads without a cell, have recorded.
pub(crate) struct Histogram {
    /// Groups of buckets, allocated when first used: the durations of one method fall into few groups of 256
    /// bytes.
    groups: [OnceLock<Box<[AtomicU64; PARTS]>>; GROUPS],
    sum: AtomicU64,
    /// Largest duration since the last [`Histogram::take_max`].
    max: AtomicU64,
}

impl Histogram {
    pub fn new() -> Self {
        Histogram {
            groups: array::from_fn(|_| OnceLock::new()),
            sum: AtomicU64::new(0),
            max: AtomicU64::new(0),
        }
    }

    #[inline]
    fn count(&self, bucket: usize) -> &AtomicU64 {
        let group =
            self.groups[bucket / PARTS].get_or_init(|| Box::new(array::from_fn(|_| AtomicU64::new(0))));
        &group[bucket % PARTS]
    }

    /// Records a duration, for the only writer.
    #[inline]
    pub fn record_alone(&self, nanos: u64) {
        let add = |cell: &AtomicU64, n: u64| cell.store(cell.load(Relaxed).wrapping_add(n), Relaxed);
        add(self.count(bucket_of(nanos)), 1);
        add(&self.sum, nanos);
        if nanos > self.max.load(Relaxed) {
            // If a reader takes the maximum in between, this one counts for its next second.
            self.max.store(nanos, Relaxed);
        }
    }

    /// Records a duration; any thread may call it.
    pub fn record_shared(&self, nanos: u64) {
        self.count(bucket_of(nanos)).fetch_add(1, Relaxed);
        self.sum.fetch_add(nanos, Relaxed);
        self.max.fetch_max(nanos, Relaxed);
    }

    /// Adds the contents of `other`; any thread may call it.
    pub fn absorb(&self, other: &Histogram) {
        for (bucket, n) in other.counts() {
            self.count(bucket).fetch_add(n, Relaxed);
        }
        self.sum.fetch_add(other.sum.load(Relaxed), Relaxed);
        self.max.fetch_max(other.max.load(Relaxed), Relaxed);
    }

    /// Adds the contents to a running total of several histograms.
    pub fn add_to(&self, counts: &mut [u64; BUCKETS], sum: &mut u64) {
        self.counts().for_each(|(bucket, n)| counts[bucket] += n);
        *sum = sum.wrapping_add(self.sum.load(Relaxed));
    }

    pub fn max(&self) -> u64 {
        self.max.load(Relaxed)
    }

    /// Takes the maximum and resets it. One reader at a time.
    pub fn take_max(&self) -> u64 {
        self.max.swap(0, Relaxed)
    }

    fn counts(&self) -> impl Iterator<Item = (usize, u64)> {
        let made = self.groups.iter().enumerate().filter_map(|(g, group)| Some((g, group.get()?)));
        made.flat_map(|(g, group)| {
            group.iter().enumerate().map(move |(i, n)| (g * PARTS + i, n.load(Relaxed)))
        })
        .filter(|&(_, n)| n > 0)
    }
}

/// A distribution of durations, as a snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// Pairs of bucket and count, ascending by bucket, without empty ones.
    counts: Vec<(u16, u64)>,
    count: u64,
    sum_nanos: u64,
    max_nanos: u64,
    elapsed: Duration,
}

impl Distribution {
    pub(crate) fn new(counts: &[u64; BUCKETS], sum_nanos: u64, max_nanos: u64, elapsed: Duration) -> Self {
        let counts: Vec<_> =
            counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(b, &n)| (b as u16, n)).collect();
        let count = counts.iter().map(|(_, n)| n).sum();
        Distribution { counts, count, sum_nanos, max_nanos, elapsed }
    }

    /// All values since the start: the maximum is the last value of the highest bucket.
    pub(crate) fn of_total(counts: &[u64; BUCKETS], sum: u64) -> Self {
        let highest = counts.iter().rposition(|n| *n > 0).map(range_of);
        Distribution::new(counts, sum, highest.map_or(0, |(low, width)| low + width - 1), Duration::ZERO)
    }

    /// Adds the counts to a running total.
    pub(crate) fn add_to(&self, counts: &mut [u64; BUCKETS]) {
        self.counts.iter().for_each(|&(bucket, n)| counts[bucket as usize] += n);
    }

    pub(crate) fn sum_nanos(&self) -> u64 {
        self.sum_nanos
    }

    pub(crate) fn max_nanos(&self) -> u64 {
        self.max_nanos
    }

    /// Number of durations.
    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn sum(&self) -> Duration {
        Duration::from_nanos(self.sum_nanos)
    }

    /// Mean duration. Zero if there are none.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.sum_nanos.checked_div(self.count).unwrap_or(0))
    }

    /// Largest duration, exact. Zero if there are none.
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.max_nanos)
    }

    /// Time over which they were recorded; zero if it was not measured.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Durations per second of that time.
    pub fn per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.count as f64 / seconds } else { 0.0 }
    }

    /// The duration that this share of all durations does not exceed: `percentile(0.99)`. Zero if there are
    /// none; the maximum for 1 and more. The error is at most 1.6 %, and the result never exceeds the
    /// maximum.
    pub fn percentile(&self, ratio: f64) -> Duration {
        let rank = ((ratio * self.count as f64).ceil() as u64).max(1);
        if rank >= self.count {
            return self.max();
        }
        let mut seen = 0;
        for &(bucket, n) in &self.counts {
            seen += n;
            if seen >= rank {
                let (low, width) = range_of(bucket as usize);
                return Duration::from_nanos((low + width / 2).min(self.max_nanos));
            }
        }
        self.max()
    }

    /// Number of durations that did not exceed `limit`. Those in the bucket that contains the limit are
    /// counted if the middle of the bucket does not exceed it.
    pub fn at_most(&self, limit: Duration) -> u64 {
        let limit = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        let within = |bucket: u16| {
            let (low, width) = range_of(bucket as usize);
            low + width / 2 <= limit
        };
        self.counts.iter().take_while(|(bucket, _)| within(*bucket)).map(|(_, n)| n).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn distribution(values: &[u64]) -> Distribution {
        let histogram = Histogram::new();
        values.iter().for_each(|&v| histogram.record_alone(v));
        let (mut counts, mut sum) = ([0; BUCKETS], 0);
        histogram.add_to(&mut counts, &mut sum);
        Distribution::new(&counts, sum, histogram.max(), Duration::from_secs(1))
    }

    #[test]
    fn buckets_follow_each_other_without_a_gap() {
        let mut next = 0;
        for bucket in 0..BUCKETS {
            let (low, width) = range_of(bucket);
            assert_eq!(low, next);
            assert_eq!((bucket_of(low), bucket_of(low + width - 1)), (bucket, bucket));
            next = low + width;
        }
        assert_eq!(next, 1 << TOP_BITS);
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    }

    proptest! {
        #[test]
        fn percentiles_are_near_the_sorted_list(
            values in prop::collection::vec((0..41u32).prop_flat_map(|bits| 0..1u64 << bits), 1..300),
            ratio in 0.0..1.0f64,
        ) {
            let seen = distribution(&values);
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let rank = ((ratio * values.len() as f64).ceil() as usize).max(1);
            let (exact, found) = (sorted[rank - 1] as f64, seen.percentile(ratio).as_nanos() as f64);
            prop_assert!((found - exact).abs() <= exact / 32.0, "{found} for {exact}");
            prop_assert_eq!(seen.count(), values.len() as u64);
            prop_assert_eq!(seen.sum_nanos, values.iter().sum::<u64>());
            prop_assert_eq!(seen.max_nanos, *sorted.last().expect("one at least"));
            prop_assert_eq!(seen.percentile(1.0), seen.max());
        }
    }

    #[test]
    fn nothing_recorded_is_zero_everywhere() {
        let none = Distribution::default();
        assert_eq!((none.percentile(0.99), none.mean(), none.max()), Default::default());
        assert_eq!((none.per_second(), none.at_most(Duration::MAX)), (0.0, 0));
    }

    #[test]
    fn counts_up_to_a_limit_are_cumulative() {
        let seen = distribution(&[1_000, 2_000, 3_000, 50_000_000_000_000]);
        assert_eq!(seen.at_most(Duration::from_nanos(10)), 0);
        assert_eq!(
            seen.at_most(Duration::from_micros(2)),
            1 + u64::from(range_of(bucket_of(2_000)).1 / 2 + 1984 <= 2_000)
        );
        assert_eq!(seen.at_most(Duration::from_micros(10)), 3);
        assert_eq!(seen.at_most(Duration::MAX), 4);
        assert_eq!(seen.max(), Duration::from_nanos(50_000_000_000_000), "exact also beyond the last bucket");
    }

    #[test]
    fn a_method_uses_memory_for_the_durations_it_has() {
        let histogram = Histogram::new();
        (100_000..200_000).step_by(500).for_each(|v| histogram.record_alone(v));
        assert_eq!(histogram.groups.iter().filter(|g| g.get().is_some()).count(), 2);
    }
}
