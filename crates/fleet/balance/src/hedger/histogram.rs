//! Recent latencies, counted by size.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Counts of latencies in microseconds, which decay with time. Below 16 µs each has its bucket; above, each
/// power of two is cut into 16:
///
/// ```text
///  µs      0 1 2 … 15 │ 16 17 … 31 │ 32-33 34-35 … 62-63 │ 64-67 …
///  bucket  0 1 2 … 15 │ 16 17 … 31 │ 32    33    … 47    │ 48    …
/// ```
#[derive(Debug)]
pub(super) struct Histogram(Box<[AtomicU64; BUCKETS]>);

/// The count of one latency, in fractions so that small counts can decay.
const ONE: u64 = 1024;
/// The part of a count that is lost per second.
const DECAY: u64 = 16;
/// The number of buckets per power of two.
const PARTS: u64 = 16;
/// The number of buckets, up to 2^32 µs, which is more than an hour; longer latencies are counted in the last
/// one.
const BUCKETS: usize = 29 * PARTS as usize;

impl Default for Histogram {
    fn default() -> Self {
        Histogram(Box::new(std::array::from_fn(|_| AtomicU64::new(0))))
    }
}

impl Histogram {
    #[inline]
    pub fn record(&self, latency: Duration) {
        self.0[bucket(latency)].fetch_add(ONE, Relaxed);
    }

    /// The number of latencies that count now, and the end of the bucket that holds their quantile `q` (0 to
    /// 1).
    pub fn quantile(&self, q: f64) -> (u64, Duration) {
        let counts: Vec<u64> = self.0.iter().map(|count| count.load(Relaxed)).collect();
        let sum: u64 = counts.iter().sum();
        let mut left = (sum as f64 * q) as u64;
        let holds = counts.iter().position(|count| {
            let here = *count > left;
            left = left.saturating_sub(*count);
            here
        });
        (sum / ONE, holds.map_or(Duration::ZERO, end))
    }

    /// Lets the counts decay by `seconds` seconds.
    pub fn decay(&self, seconds: u64) {
        // Whatever is left after so many seconds is less than a latency.
        let seconds = seconds.min(700) as i32;
        let kept = (1.0 - 1.0 / DECAY as f64).powi(seconds);
        for count in self.0.iter() {
            let old = count.load(Relaxed);
            if old > 0 {
                let lost = (old as f64 * (1.0 - kept)).ceil() as u64;
                count.fetch_sub(lost.min(old), Relaxed); // others may have added meanwhile
            }
        }
    }
}

fn bucket(latency: Duration) -> usize {
    let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX).min((1 << 32) - 1);
    if micros < PARTS {
        return micros as usize;
    }
    let power = u64::from(micros.ilog2()); // 4 to 31
    let part = micros >> (power - 4); // 16 to 31
    ((power - 4) * PARTS + part) as usize
}

/// The shortest latency that is longer than all of a bucket.
fn end(bucket: usize) -> Duration {
    let next = bucket as u64 + 1;
    let micros = if next < 2 * PARTS { next } else { (PARTS + next % PARTS) << (next / PARTS - 1) };
    Duration::from_micros(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_ends_within_a_sixteenth_of_what_it_holds_and_the_next_begins_there() {
        let mut random = fastrand::Rng::with_seed(8);
        let powers = (0..32).flat_map(|power| [(1_u64 << power) - 1, 1 << power, (1 << power) + 1]);
        let more: Vec<u64> = (0..10_000).map(|_| random.u64(..) >> random.u32(32..64)).collect();
        for micros in powers.chain(more) {
            let latency = Duration::from_micros(micros);
            let end = end(bucket(latency));
            assert!(end > latency && end <= latency + latency / 16 + Duration::from_micros(1), "{micros}");
            assert_eq!(bucket(end - Duration::from_micros(1)), bucket(latency), "{micros}");
        }
        assert_eq!(bucket(Duration::MAX), BUCKETS - 1);
        assert_eq!(bucket(end(BUCKETS - 2)), BUCKETS - 1);
    }

    #[test]
    fn quantiles_are_those_of_the_latencies() {
        let histogram = Histogram::default();
        assert_eq!(histogram.quantile(0.95), (0, Duration::ZERO));
        (1..=1000).for_each(|millis| histogram.record(Duration::from_millis(millis)));
        for percent in [0_u32, 1, 50, 95, 99] {
            let (calls, found) = histogram.quantile(f64::from(percent) / 100.0);
            assert_eq!(calls, 1000);
            let exact = Duration::from_millis(u64::from(percent) * 10 + 1);
            assert!(found >= exact && found <= exact + exact / 15, "{percent} %: {found:?}");
        }
    }

    #[test]
    fn counts_decay_to_nothing() {
        let histogram = Histogram::default();
        (0..1000).for_each(|_| histogram.record(Duration::from_millis(1)));
        histogram.decay(1);
        assert_eq!(histogram.quantile(0.5).0, 937);
        histogram.decay(10);
        assert!((480..500).contains(&histogram.quantile(0.5).0), "{}", histogram.quantile(0.5).0);
        (0..400).for_each(|_| histogram.decay(1));
        assert_eq!(histogram.quantile(0.5), (0, Duration::ZERO));
        histogram.record(Duration::from_millis(1));
        histogram.decay(u64::MAX);
        assert_eq!(histogram.quantile(0.5), (0, Duration::ZERO));
    }
}
