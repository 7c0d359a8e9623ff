//! Takes the samples from which windows are computed.

use crate::{
    caught::caught,
    storage::{cells::lock, history::Totals},
    variables::{Reading, Variable},
};
use std::{
    collections::HashSet,
    mem,
    sync::{Arc, Mutex, Weak},
    time::{Duration, Instant},
};

/// A variable with a window.
pub trait Sampled: Send + Sync {
    /// Takes a sample. Called about once per second, by one thread at a time.
    fn sample(&self, now: Instant);
    /// Declares that no samples were taken for `time` and no events occurred: existing samples count as
    /// younger by that time. Without this call the pause counts as time, which is right if there may have
    /// been events. A sample follows at once.
    fn skip(&self, _for: Duration) {}
}

/// Takes samples of its variables once per second of the caller's clock. It keeps no variable alive.
#[derive(Default)]
pub struct Sampler {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    watched: Vec<Weak<dyn Sampled>>,
    /// The addresses of the sampled variables, and of some that are gone.
    known: HashSet<usize>,
    /// When the next samples are due; `None` before the first tick.
    next: Option<Instant>,
}

impl Inner {
    fn add(&mut self, sampled: Weak<dyn Sampled>) {
        // By address: the same variable may have come by another type.
        if self.known.insert(address(&sampled)) {
            self.watched.push(sampled);
        }
    }
}

fn address(sampled: &Weak<dyn Sampled>) -> usize {
    sampled.as_ptr().cast::<()>().addr()
}

impl Sampler {
    /// Time between two samples.
    pub const PERIOD: Duration = Duration::from_secs(1);

    pub fn new() -> Self {
        Sampler::default()
    }

    /// Adds a variable; no effect if it has no window, or is watched already.
    pub fn watch(&self, variable: &dyn Variable) {
        if let Some(sampled) = variable.sampled() {
            lock(&self.inner).add(sampled);
        }
    }

    /// To be called about once per second, or more often; takes samples if a second has passed. A late call
    /// does not shift the later ones, and missed seconds are not made up for. Returns whether samples were
    /// taken.
    pub fn tick(&self, now: Instant) -> bool {
        let watched = {
            let mut inner = lock(&self.inner);
            let due = inner.next.unwrap_or(now);
            if now < due {
                return false;
            }
            let next = due + Self::PERIOD;
            inner.next = Some(if next > now { next } else { now + Self::PERIOD });
            mem::take(&mut inner.watched)
        };
        // Without the lock: taking a sample may run code of the application. If that panics, it has none for
        // this second, and the others have theirs.
        let (alive, gone): (Vec<_>, Vec<_>) = watched.into_iter().partition(|weak| {
            let sampled = weak.upgrade();
            let _ = caught(|| sampled.iter().for_each(|s| s.sample(now)));
            sampled.is_some()
        });
        let mut inner = lock(&self.inner);
        let added = mem::replace(&mut inner.watched, alive);
        inner.watched.extend(added);
        // Those that are gone keep their addresses from being used again until here.
        gone.iter().for_each(|sampled| {
            inner.known.remove(&address(sampled));
        });
        true
    }

    /// Declares that no samples were taken for `time` because there were no events: rates do not count that
    /// time.
    pub fn skip(&self, time: Duration) {
        let watched: Vec<_> = lock(&self.inner).watched.iter().filter_map(Weak::upgrade).collect();
        watched.iter().for_each(|sampled| sampled.skip(time));
    }
}

/// The increase per second of a total that is counted elsewhere: processor seconds, bytes read by the kernel.
#[derive(Clone)]
pub struct Rate(Arc<RateInner>);

struct RateInner {
    total: Box<dyn Fn() -> f64 + Send + Sync>,
    totals: Totals,
}

impl Rate {
    /// A rate with a window of ten seconds. `total` is called once per second.
    pub fn new(total: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Rate(Arc::new(RateInner { total: Box::new(total), totals: Totals::new(10) }))
    }

    pub fn per_second(&self) -> f64 {
        self.0.totals.increase().1
    }
}

impl Sampled for RateInner {
    fn sample(&self, now: Instant) {
        self.totals.push(now, (self.total)());
    }
}

impl Variable for Rate {
    fn read(&self) -> Reading {
        Reading::Real(self.per_second())
    }
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        let weak: Weak<RateInner> = Arc::downgrade(&self.0);
        Some(weak)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counter;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn ticks_sample_once_per_second_whatever_their_jitter() {
        let (sampler, counter, start) = (Sampler::new(), Counter::with_window(2), Instant::now());
        sampler.watch(&counter);
        sampler.tick(start);
        counter.add(10);
        sampler.tick(start + ms(400)); // too early
        assert_eq!(counter.window().0, 0);
        sampler.tick(start + ms(1010));
        assert_eq!(counter.window().0, 10);
        counter.add(10);
        sampler.tick(start + ms(2000)); // not shifted by the late one
        assert_eq!(counter.window(), (20, 10.0));
        sampler.tick(start + ms(9000)); // a pause
        sampler.tick(start + ms(9001));
        sampler.tick(start + ms(10_000));
        assert_eq!(counter.window().0, 0);
    }

    #[test]
    fn what_is_gone_is_watched_no_more() {
        let (sampler, start) = (Sampler::new(), Instant::now());
        sampler.watch(&Counter::new());
        sampler.tick(start);
        assert!(lock(&sampler.inner).watched.is_empty());
    }

    #[test]
    fn a_rate_is_the_increase_of_what_it_asks() {
        let total = Counter::new();
        let asked = total.clone();
        let (sampler, rate, start) =
            (Sampler::new(), Rate::new(move || asked.total() as f64 / 2.0), Instant::now());
        sampler.watch(&rate);
        for second in 0..4 {
            sampler.tick(start + ms(1000 * second));
            total.add(8);
        }
        assert_eq!(rate.per_second(), 4.0);
    }

    /// Like `process_cpu_usage` in a burst after an idle hour: the hour counts until there is a second
    /// without it.
    #[test]
    fn a_rate_shows_the_seconds_after_a_pause() {
        let total = Counter::new();
        let asked = total.clone();
        let (sampler, rate, start) =
            (Sampler::new(), Rate::new(move || asked.total() as f64), Instant::now());
        sampler.watch(&rate);
        for second in 0..=11 {
            sampler.tick(start + ms(1000 * second));
        }
        let (paused, resumed) = (start + ms(11_000), start + ms(11_000 + 3_600_000));
        total.add(360);
        sampler.skip(resumed - paused);
        sampler.tick(resumed);
        assert_eq!(rate.per_second(), 0.1, "what the pause has cost");
        for second in 1..=12 {
            total.add(1); // a whole core
            sampler.tick(resumed + ms(1000 * second));
            assert_eq!(rate.per_second(), 1.0, "{second} s after the pause");
        }
    }
}
