//! Calls in flight, latencies and outcomes of the calls to one server.

use crate::Time;
use std::{
    sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Calls in flight, a moving average of latencies that rises at once and falls slowly, and how calls ended.
#[derive(Debug, Default)]
pub struct Load {
    in_flight: AtomicU32,
    /// The value of `in_flight` at the newest answer, minus the calls that have failed since.
    settled: AtomicI32,
    /// When a server that does not answer gets its next call, in nanoseconds. See `parts/stuck.rs`.
    next_trial: AtomicU64,
    latency: AtomicU64,
    /// Number of calls that ended since the previous [`Load::take_ended`].
    answered: AtomicU32,
    failed: AtomicU32,
}

/// The value of [`Load::latency`]: microseconds as `f32` in the high half, the time of the newest sample in
/// units of 2^20 ns (about a millisecond) in the low half, which wraps after 52 days. All zero: no sample
/// yet.
#[derive(Clone, Copy)]
struct Sample(u64);

/// How often a thread tries to store a latency while others store theirs, before it drops its own.
const ATTEMPTS: usize = 4;

impl Load {
    /// Number of calls that were picked and have not ended.
    pub fn in_flight(&self) -> u32 {
        self.in_flight.load(Relaxed)
    }

    /// The average as it stood at the newest sample; `None` before the first.
    pub fn latency(&self) -> Option<Duration> {
        let sample = Sample(self.latency.load(Relaxed));
        (sample.0 != 0).then(|| Duration::from_secs_f64(f64::from(sample.micros()) / 1e6))
    }

    /// The average in microseconds, as it has decayed since the newest sample with the time constant `tau`.
    pub(crate) fn decayed(&self, now: Time, tau: Duration) -> Option<f32> {
        let sample = Sample(self.latency.load(Relaxed));
        (sample.0 != 0).then(|| sample.micros() * decay(sample.age(now), tau))
    }

    pub(crate) fn begin(&self) {
        self.in_flight.fetch_add(1, Relaxed);
    }

    pub(crate) fn end(&self) {
        // Stays at zero if a call is reported as ended twice.
        let _ = self.in_flight.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1));
    }

    /// The server has answered a call, or one has failed.
    pub(crate) fn settle(&self, answered: bool) {
        if answered {
            self.settled.store(self.in_flight() as i32, Relaxed);
        } else {
            self.settled.fetch_sub(1, Relaxed);
        }
    }

    /// The number of calls that were picked since the server's newest answer and were not cancelled. Under
    /// concurrency it may be wrong by the number of calls that end at the same moment.
    #[inline]
    pub(crate) fn unanswered(&self) -> u32 {
        let since = (self.in_flight() as i32).wrapping_sub(self.settled.load(Relaxed));
        since.max(0) as u32
    }

    /// Whether a server that does not answer gets a call now; the next one after `pause`.
    pub(crate) fn is_trial_due(&self, now: Time, pause: Duration) -> bool {
        let next = self.next_trial.load(Relaxed);
        now.0 >= next && self.next_trial.compare_exchange(next, (now + pause).0, Relaxed, Relaxed).is_ok()
    }

    /// Counts a call that has ended: with the server's answer, or with a failure of the server.
    pub(crate) fn count(&self, answered: bool) {
        let counter = if answered { &self.answered } else { &self.failed };
        counter.fetch_add(1, Relaxed);
    }

    /// The numbers of answered and of failed calls since the previous call of this function.
    pub(crate) fn take_ended(&self) -> (u64, u64) {
        (self.answered.swap(0, Relaxed).into(), self.failed.swap(0, Relaxed).into())
    }

    /// Adds a latency to the average: a longer one at once, a shorter one by the age of the last sample.
    pub(crate) fn observe(&self, now: Time, latency: Duration, tau: Duration) {
        let new = latency.as_secs_f32() * 1e6;
        for _ in 0..ATTEMPTS {
            let old = self.latency.load(Relaxed);
            let sample = Sample(old);
            let micros = if old == 0 || new >= sample.micros() {
                new
            } else {
                let kept = decay(sample.age(now), tau);
                sample.micros() * kept + new * (1.0 - kept)
            };
            let next = Sample::new(micros, now);
            if self.latency.compare_exchange(old, next.0, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    }
}

impl Sample {
    fn new(micros: f32, now: Time) -> Self {
        Sample(u64::from(micros.max(f32::MIN_POSITIVE).to_bits()) << 32 | u64::from(ticks(now)))
    }

    fn micros(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    fn age(self, now: Time) -> Duration {
        let age = ticks(now).wrapping_sub(self.0 as u32);
        // A sample of another thread may be a little later than `now`.
        let age = if age > u32::MAX / 2 { 0 } else { age };
        Duration::from_nanos(u64::from(age) << 20)
    }
}

fn ticks(now: Time) -> u32 {
    (now.0 >> 20) as u32
}

fn decay(age: Duration, tau: Duration) -> f32 {
    if age.is_zero() { 1.0 } else { (-age.as_secs_f32() / tau.as_secs_f32()).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAU: Duration = Duration::from_secs(10);

    fn at(seconds: u64) -> Time {
        Time(seconds * 1_000_000_000)
    }

    #[track_caller]
    fn assert_near(found: Option<f32>, expected: f32) {
        let found = found.expect("a sample");
        assert!((found - expected).abs() <= expected * 0.001, "{found} is not {expected}");
    }

    #[test]
    fn the_average_rises_at_once_and_falls_with_time() {
        let load = Load::default();
        assert_eq!(load.latency(), None);
        load.observe(at(100), Duration::from_millis(1), TAU);
        assert_near(load.decayed(at(100), TAU), 1000.0);
        load.observe(at(100), Duration::from_millis(50), TAU);
        assert_near(load.decayed(at(100), TAU), 50_000.0);
        load.observe(at(110), Duration::from_millis(1), TAU);
        let kept = (-1.0_f32).exp();
        assert_near(load.decayed(at(110), TAU), 50_000.0 * kept + 1000.0 * (1.0 - kept));
        let average = load.latency().unwrap().as_secs_f32() * 1e6;
        assert_near(load.decayed(at(120), TAU), average * kept);
    }

    #[test]
    fn a_sample_of_a_clock_that_is_ahead_does_not_decay() {
        let load = Load::default();
        load.observe(at(100), Duration::from_millis(7), TAU);
        assert_near(load.decayed(at(99), TAU), 7000.0);
    }

    #[test]
    fn ends_without_a_begin_leave_no_calls_in_flight() {
        let load = Load::default();
        load.begin();
        load.end();
        load.end();
        assert_eq!(load.in_flight(), 0);
    }
}
