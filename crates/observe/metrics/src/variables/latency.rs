//! Latency and number of calls.

use crate::{
    sampler::Sampled,
    storage::{
        cells::lock,
        histogram::{BUCKETS, Distribution, Histogram},
        history::clamped,
    },
    variables::{
        Reading, Variable,
        exemplar::{Exemplar, Exemplars},
    },
};
use std::{
    cell::Cell,
    collections::VecDeque,
    marker::PhantomData,
    sync::{Arc, Mutex, Weak},
    time::{Duration, Instant, SystemTime},
};

/// Records durations, and reports their number, rate, mean, maximum and percentiles over a window and since
/// the start. Cloning shares it.
///
/// Memory: about 0.7 KB per owner, and 256 bytes for each power of two in which it has seen durations; per
/// second of the window 16 bytes for each bucket in use.
///
/// ```
/// # use polywire_metrics::{LatencyRecorder, Sampler};
/// # use std::time::{Duration, Instant};
/// let (echo, sampler, start) = (LatencyRecorder::new(), Sampler::new(), Instant::now());
/// sampler.watch(&echo);
/// sampler.tick(start);
/// let mine = echo.local(); // one per shard
/// (1..=100).for_each(|n| mine.record(Duration::from_micros(n)));
/// sampler.tick(start + Duration::from_secs(1));
/// let window = echo.window();
/// assert_eq!((window.count(), window.per_second(), window.max()), (100, 100.0, Duration::from_micros(100)));
/// assert!(window.percentile(0.5).abs_diff(Duration::from_micros(50)) < Duration::from_micros(1));
/// ```
#[derive(Clone)]
pub struct LatencyRecorder(Arc<Inner>);

struct Inner {
    /// Durations recorded without a local recorder, and those of dropped local recorders.
    shared: Histogram,
    /// Histograms of local recorders. Locked to read, to add and to remove them; never to write.
    owned: Mutex<Vec<Arc<Histogram>>>,
    history: Mutex<History>,
    exemplars: Mutex<Exemplars>,
    window: usize,
}

#[derive(Default)]
struct History {
    /// All counts and the sum at the newest sample; `None` before the first.
    before: Option<(Instant, Box<[u64; BUCKETS]>, u64)>,
    /// The durations of each of the last seconds, newest last.
    seconds: VecDeque<Distribution>,
    /// Largest duration that was sampled since the start.
    max_nanos: u64,
    /// Samples after which the window or the total may differ from what they were before.
    changes: u64,
}

impl LatencyRecorder {
    /// A recorder with a window of ten seconds.
    pub fn new() -> Self {
        LatencyRecorder::with_window(10)
    }

    /// A recorder with a window of `seconds`, 1 to 3600.
    pub fn with_window(seconds: u32) -> Self {
        LatencyRecorder(Arc::new(Inner {
            shared: Histogram::new(),
            owned: Mutex::default(),
            history: Mutex::default(),
            exemplars: Mutex::default(),
            window: clamped(seconds),
        }))
    }

    /// A histogram with one owner, who records without locking or sharing.
    pub fn local(&self) -> LocalLatency {
        let histogram = Arc::new(Histogram::new());
        lock(&self.0.owned).push(histogram.clone());
        LocalLatency { histogram, of: self.0.clone(), one_owner: PhantomData }
    }

    /// Records a duration; any thread may call it. For rare events; a shard uses a
    /// [`LatencyRecorder::local`].
    pub fn record(&self, duration: Duration) {
        self.0.shared.record_shared(nanos(duration));
    }

    /// Keeps this as an example of the durations that were recorded, in place of the older one of its bucket: OpenMetrics shows it
    /// beside the bucket's count, and Prometheus leads from there to the trace. It is not counted. Takes a lock: for calls that are
    /// sampled. Left out if the names and values of its labels have more than 128 characters.
    ///
    /// ```
    /// # use polywire_metrics::LatencyRecorder;
    /// # use std::time::{Duration, SystemTime};
    /// let (echo, took) = (LatencyRecorder::new(), Duration::from_millis(3));
    /// echo.record(took);
    /// echo.keep_exemplar(took, SystemTime::now(), [("trace_id", "4bf92f3577b34da6a3ce929d0e0e4736")]);
    /// ```
    pub fn keep_exemplar<K: Into<String>, V: Into<String>>(
        &self,
        duration: Duration,
        at: SystemTime,
        labels: impl IntoIterator<Item = (K, V)>,
    ) {
        let labels = labels.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        lock(&self.0.exemplars).keep(Exemplar { labels, duration, at });
    }

    /// The durations of the whole window, second by second. Empty until two samples were taken.
    pub fn window(&self) -> Distribution {
        self.window_of(self.0.window as u32)
    }

    /// The durations of the last `seconds` of the window.
    pub fn window_of(&self, seconds: u32) -> Distribution {
        let history = lock(&self.0.history);
        let from = history.seconds.len().saturating_sub(seconds as usize);
        let (mut counts, mut sum, mut max, mut elapsed) = (empty(), 0u64, 0, Duration::ZERO);
        for second in history.seconds.range(from..) {
            second.add_to(&mut counts);
            sum = sum.wrapping_add(second.sum_nanos());
            max = max.max(second.max_nanos());
            elapsed += second.elapsed();
        }
        Distribution::new(&counts, sum, max, elapsed)
    }

    /// Whether the window has no durations. Cheaper than [`LatencyRecorder::window`].
    pub fn is_quiet(&self) -> bool {
        lock(&self.0.history).seconds.iter().all(|second| second.count() == 0)
    }

    /// All durations since the start. The time is not measured: `elapsed` is zero.
    pub fn total(&self) -> Distribution {
        let history = lock(&self.0.history);
        let (counts, sum, max) = self.0.read(Histogram::max);
        Distribution::new(&counts, sum, max.max(history.max_nanos), Duration::ZERO)
    }

    /// Number of durations since the start.
    pub fn count(&self) -> u64 {
        self.total().count()
    }
}

impl Default for LatencyRecorder {
    fn default() -> Self {
        LatencyRecorder::new()
    }
}

fn empty() -> Box<[u64; BUCKETS]> {
    // Via a vector: a boxed array would be built on the stack first.
    vec![0; BUCKETS].into_boxed_slice().try_into().expect("as many as the array has")
}

#[inline]
fn nanos(duration: Duration) -> u64 {
    // Not as_nanos, which has 128 bits. Saturates after half a millennium.
    duration.as_secs().saturating_mul(1_000_000_000).saturating_add(u64::from(duration.subsec_nanos()))
}

impl Inner {
    /// All counts, their sum, and the largest result of `max` over the histograms.
    fn read(&self, max: impl Fn(&Histogram) -> u64) -> (Box<[u64; BUCKETS]>, u64, u64) {
        let (mut counts, mut sum, mut largest) = (empty(), 0, 0);
        // Stays locked while `shared` is read, so that an owner who leaves meanwhile is counted once.
        let owned = lock(&self.owned);
        for histogram in owned.iter().map(|h| &**h).chain([&self.shared]) {
            histogram.add_to(&mut counts, &mut sum);
            largest = largest.max(max(histogram));
        }
        (counts, sum, largest)
    }
}

impl Sampled for Inner {
    fn sample(&self, now: Instant) {
        let mut history = lock(&self.history);
        let (counts, sum, max) = self.read(Histogram::take_max);
        history.max_nanos = history.max_nanos.max(max);
        if let Some((at, before, sum_before)) = history.before.take() {
            let mut came = counts.clone();
            came.iter_mut().zip(before.iter()).for_each(|(new, old)| *new = new.saturating_sub(*old));
            let elapsed = now.saturating_duration_since(at);
            let was_quiet = history.seconds.iter().all(|second| second.count() == 0);
            history.seconds.push_back(Distribution::new(&came, sum.wrapping_sub(sum_before), max, elapsed));
            if !was_quiet || history.seconds.back().is_some_and(|second| second.count() > 0) {
                history.changes += 1;
            }
            while history.seconds.len() > self.window {
                history.seconds.pop_front();
            }
        }
        history.before = Some((now, counts, sum));
    }
    fn skip(&self, time: Duration) {
        lock(&self.history).before.iter_mut().for_each(|(at, ..)| *at += time);
    }
}

impl Variable for LatencyRecorder {
    fn read(&self) -> Reading {
        let exemplars = lock(&self.0.exemplars).all();
        Reading::Latency { window: Box::new(self.window()), total: Box::new(self.total()), exemplars }
    }
    fn changes(&self) -> Option<u64> {
        Some(lock(&self.0.history).changes)
    }
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        let weak: Weak<Inner> = Arc::downgrade(&self.0);
        Some(weak)
    }
}

/// One owner's part of a [`LatencyRecorder`]. It may move to another thread, but has one owner at a time.
pub struct LocalLatency {
    histogram: Arc<Histogram>,
    of: Arc<Inner>,
    /// Makes it `!Sync`.
    one_owner: PhantomData<Cell<()>>,
}

impl LocalLatency {
    /// Records a duration. Hot path: two or three loads and stores on the owner's cache lines.
    #[inline]
    pub fn record(&self, duration: Duration) {
        self.histogram.record_alone(nanos(duration));
    }
}

impl Drop for LocalLatency {
    fn drop(&mut self) {
        let mut owned = lock(&self.of.owned);
        owned.retain(|histogram| !Arc::ptr_eq(histogram, &self.histogram));
        self.of.shared.absorb(&self.histogram);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn us(n: u64) -> Duration {
        Duration::from_micros(n)
    }
    fn sample(recorder: &LatencyRecorder, at: Instant) {
        recorder.sampled().and_then(|s| s.upgrade()).expect("alive").sample(at);
    }

    #[test]
    fn a_window_forgets_what_is_past_and_the_total_does_not() {
        let (recorder, start) = (LatencyRecorder::with_window(2), Instant::now());
        let local = recorder.local();
        local.record(us(7)); // before the first sample: in no window
        sample(&recorder, start);
        for second in 1..=3u64 {
            (0..10).for_each(|_| local.record(us(100 * second)));
            sample(&recorder, start + Duration::from_secs(second));
        }
        let window = recorder.window();
        assert_eq!((window.count(), window.per_second(), window.max()), (20, 10.0, us(300)));
        assert!(!recorder.is_quiet());
        assert_eq!(window.sum(), us(5000));
        assert_eq!(recorder.window_of(1).max(), us(300));
        assert_eq!(recorder.window_of(1).count(), 10);
        sample(&recorder, start + Duration::from_secs(4));
        sample(&recorder, start + Duration::from_secs(5));
        assert_eq!((recorder.window().count(), recorder.window().max()), (0, Duration::ZERO));
        assert!(recorder.is_quiet());
        assert_eq!((recorder.count(), recorder.total().max()), (31, us(300)));
    }

    #[test]
    fn owners_and_others_add_up_also_after_they_left() {
        let recorder = LatencyRecorder::new();
        thread::scope(|scope| {
            for i in 0..4u64 {
                let recorder = &recorder;
                scope.spawn(move || {
                    let local = recorder.local();
                    for n in 0..5_000 {
                        if i == 0 { recorder.record(us(n)) } else { local.record(us(n)) }
                    }
                });
            }
            for _ in 0..50 {
                assert!(recorder.count() <= 20_000);
            }
        });
        let total = recorder.total();
        assert_eq!((total.count(), total.max()), (20_000, us(4_999)));
        assert_eq!(total.sum(), us(4 * (4_999 * 5_000 / 2)));
        assert!(lock(&recorder.0.owned).is_empty());
    }

    #[test]
    fn an_owner_who_leaves_is_not_counted_again_in_the_window() {
        let (recorder, start) = (LatencyRecorder::new(), Instant::now());
        let local = recorder.local();
        local.record(us(5));
        sample(&recorder, start);
        drop(local);
        sample(&recorder, start + Duration::from_secs(1));
        assert_eq!(
            (recorder.window().count(), recorder.window().max(), recorder.count()),
            (0, Duration::ZERO, 1)
        );
    }

    #[test]
    fn centuries_are_counted_and_overflow_nothing() {
        let recorder = LatencyRecorder::new();
        recorder.record(Duration::MAX);
        recorder.record(Duration::ZERO);
        assert_eq!((recorder.count(), recorder.total().percentile(0.5)), (2, Duration::ZERO));
    }
}
