//! Latency and number of calls.

use crate::{
    sampler::Sampled,
    storage::{
        cells::lock,
        histogram::{BUCKETS, Distribution, Histogram, empty},
        history::clamped,
    },
    variables::{
        Reading, Variable,
        durations::{Durations, LocalLatency},
    },
};
use std::{
    collections::VecDeque,
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
    own: Durations,
    /// Durations that are also recorded separately, and are counted here as well.
    parts: Mutex<Vec<Durations>>,
    history: Mutex<History>,
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
    /// The number of samples after which the window or the total may have changed.
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
            own: Durations::new(),
            parts: Mutex::default(),
            history: Mutex::default(),
            window: clamped(seconds),
        }))
    }

    /// A histogram with one owner, who records without locking or sharing.
    pub fn local(&self) -> LocalLatency {
        self.0.own.local()
    }

    /// Adds durations that are recorded separately and count here as well, such as those of one protocol.
    /// Each call adds another part, which stays.
    ///
    /// ```
    /// # use polywire_metrics::LatencyRecorder;
    /// # use std::time::Duration;
    /// let all = LatencyRecorder::new();
    /// let by_grpc = all.part();
    /// by_grpc.record(Duration::from_millis(3));
    /// all.record(Duration::from_millis(1));
    /// assert_eq!((by_grpc.total().count(), all.count()), (1, 2));
    /// ```
    pub fn part(&self) -> Durations {
        let part = Durations::new();
        lock(&self.0.parts).push(part.clone());
        part
    }

    /// Records a duration; any thread may call it. For rare events; a shard uses a
    /// [`LatencyRecorder::local`].
    pub fn record(&self, duration: Duration) {
        self.0.own.record(duration);
    }

    /// Keeps this exemplar of the recorded durations, in place of the older one of its bucket: OpenMetrics
    /// shows it beside the bucket's count, and Prometheus leads from there to the trace. It is not counted.
    /// Takes a lock: for sampled calls. Left out if the names and values of its labels have more than 128
    /// characters.
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
        self.0.own.keep_exemplar(duration, at, labels);
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

impl Inner {
    /// All counts, their sum, and the largest result of `max` over the histograms.
    fn read(&self, max: impl Fn(&Histogram) -> u64) -> (Box<[u64; BUCKETS]>, u64, u64) {
        let (mut counts, mut sum, mut largest) = (empty(), 0, 0);
        for part in lock(&self.parts).iter().chain([&self.own]) {
            part.each(|histogram| {
                histogram.add_to(&mut counts, &mut sum);
                largest = largest.max(max(histogram));
            });
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
            // As counters have it: what was before a pause is too old, so that both have the same window.
            let longest = Duration::from_secs(self.window as u64 + 1);
            let mut elapsed: Duration = history.seconds.iter().map(Distribution::elapsed).sum();
            while history.seconds.len() > self.window || history.seconds.len() > 1 && elapsed > longest {
                let oldest = history.seconds.pop_front();
                elapsed -= oldest.map_or(Duration::ZERO, |oldest| oldest.elapsed());
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
        let exemplars = self.0.own.exemplars();
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
    fn after_a_pause_rates_are_those_of_counters() {
        let (recorder, counter) = (LatencyRecorder::new(), crate::Counter::new());
        let start = Instant::now();
        let both = |at: u64, calls: u64| {
            (0..calls).for_each(|_| recorder.record(us(1)));
            counter.add(calls);
            let now = start + Duration::from_secs(at);
            sample(&recorder, now);
            counter.sampled().and_then(|sampled| sampled.upgrade()).expect("alive").sample(now);
            (recorder.window().per_second(), counter.rate())
        };
        assert_eq!([both(0, 5), both(1, 10), both(2, 20)], [(0.0, 0.0), (10.0, 10.0), (15.0, 15.0)]);
        // Nobody has looked for a minute.
        assert_eq!(both(62, 60), (1.0, 1.0));
        assert_eq!([both(63, 30), both(64, 30)], [(30.0, 30.0); 2]);
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
        assert_eq!(recorder.0.own.owners(), 0);
    }

    #[test]
    fn a_part_is_counted_in_the_whole_and_in_its_window() {
        let (recorder, start) = (LatencyRecorder::new(), Instant::now());
        let (grpc, http) = (recorder.part(), recorder.part());
        let local = grpc.local();
        sample(&recorder, start);
        local.record(us(5));
        http.record(us(9));
        recorder.record(us(1));
        sample(&recorder, start + Duration::from_secs(1));
        drop(local);
        let window = recorder.window();
        assert_eq!((window.count(), window.max(), window.sum()), (3, us(9), us(15)));
        assert_eq!((grpc.total().count(), http.total().sum(), recorder.count()), (1, us(9), 3));
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
