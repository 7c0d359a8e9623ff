//! A limit of calls in flight, shared by all shards.

use super::{
    Concurrency, LimiterReport, Permit,
    auto::{Ended, Gradient},
    timeout::Average,
};
use polywire_engine::clock;
use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, Mutex, TryLockError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::*},
    },
    thread::available_parallelism,
    time::{Duration, Instant},
};

/// A limit, shared by all shards. A call above it is refused, never queued. It can be set while the server
/// runs.
///
/// Counting costs an atomic addition per call on a cache line that all shards share; without a limit nothing
/// is counted.
pub struct Limiter {
    /// Calls that may be under way; `NONE`: any number.
    most: AtomicU32,
    current: AtomicU32,
    highest: AtomicU32,
    /// Average latency above which calls are refused that wait no longer, in microseconds; 0: it does not
    /// matter.
    average_us: AtomicU64,
    refused: AtomicU64,
    /// Whether calls are sampled.
    samples: AtomicBool,
    /// When the next call is sampled, in microseconds after `began`.
    next_sample_us: AtomicU64,
    succeeded: AtomicU64,
    began: Instant,
    /// Threads that run handlers.
    workers: u32,
    state: Mutex<State>,
}

struct State {
    setting: Concurrency,
    law: Law,
}

enum Law {
    Fixed,
    Gradient(Box<Gradient>),
    Average(Average),
}

/// A call that has ended.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub now: Instant,
    pub took: Duration,
    pub ok: bool,
}

/// The value of a limit that bounds nothing.
const NONE: u32 = u32::MAX;

/// Clamps a limit to valid values: neither 0 nor [`NONE`].
fn bounded(most: u32) -> u32 {
    most.clamp(1, NONE - 1)
}

impl Limiter {
    /// A limiter of calls that are no method's alone, such as those of a route of a proxy. They ask it for a
    /// [permit](Limiter::try_acquire); the methods of a server have limiters of their own.
    ///
    /// ```
    /// use polywire_server::Limiter;
    ///
    /// let limiter = Limiter::new(1);
    /// let permit = limiter.try_acquire(None).expect("none is under way");
    /// assert!(limiter.try_acquire(None).is_none());
    /// drop(permit);
    /// assert!(limiter.try_acquire(None).is_some());
    /// ```
    pub fn new(setting: impl Into<Concurrency>) -> Arc<Limiter> {
        let workers = available_parallelism().map_or(1, |threads| threads.get() as u32);
        Limiter::of_workers(setting.into(), workers, clock::now())
    }

    /// A limiter for a server with `workers` threads that run handlers.
    pub(crate) fn of_workers(setting: Concurrency, workers: u32, now: Instant) -> Arc<Limiter> {
        let limiter = Limiter {
            most: AtomicU32::new(NONE),
            current: AtomicU32::new(0),
            highest: AtomicU32::new(0),
            average_us: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            samples: AtomicBool::new(false),
            next_sample_us: AtomicU64::new(0),
            succeeded: AtomicU64::new(0),
            began: now,
            workers,
            state: Mutex::new(State { setting: Concurrency::Unlimited, law: Law::Fixed }),
        };
        limiter.set(setting);
        Arc::new(limiter)
    }

    /// Replaces the limit. Calls under way stay; measurements for the previous setting are dropped.
    pub fn set(&self, setting: impl Into<Concurrency>) {
        let setting = setting.into();
        let mut state = polywire_base::lock(&self.state);
        let (most, law) = match setting {
            Concurrency::Unlimited => (NONE, Law::Fixed),
            Concurrency::Constant(most) => (bounded(most), Law::Fixed),
            Concurrency::Auto(options) => {
                let gradient = Gradient::new(options, self.workers, RandomState::new().hash_one(0));
                (bounded(gradient.limit()), Law::Gradient(Box::new(gradient)))
            }
            Concurrency::Timeout(options) => (bounded(options.most), Law::Average(Average::new())),
        };
        let average = if matches!(law, Law::Average(_)) { Average::INITIAL } else { Duration::ZERO };
        self.average_us.store(average.as_micros() as u64, Relaxed);
        self.samples.store(!matches!(law, Law::Fixed), Relaxed);
        *state = State { setting, law };
        self.most.store(most, Relaxed);
    }

    /// The limit as it was set by an option or a flag: a number, or how one is found.
    pub fn setting(&self) -> Concurrency {
        polywire_base::lock(&self.state).setting
    }

    /// Calls that may be under way now; `None`: any number.
    pub fn most(&self) -> Option<u32> {
        Some(self.most.load(Relaxed)).filter(|most| *most != NONE)
    }

    /// The number of calls under way. Calls that began while there was no limit are not counted.
    pub fn current(&self) -> u32 {
        self.current.load(Relaxed)
    }

    /// The limiter's decisions so far.
    pub fn report(&self) -> LimiterReport {
        let state = polywire_base::lock(&self.state);
        let latency = match &state.law {
            Law::Fixed => None,
            Law::Gradient(gradient) => gradient.lowest(),
            Law::Average(_) => Some(Duration::from_micros(self.average_us.load(Relaxed))),
        };
        LimiterReport {
            setting: state.setting,
            limit: self.most(),
            current: self.current(),
            highest: self.highest.load(Relaxed),
            refused: self.refused.load(Relaxed),
            latency,
        }
    }

    /// Whether calls are counted. Hot path: the one branch of a call of a method without a limit.
    #[inline]
    pub(crate) fn counts(&self) -> bool {
        self.most.load(Relaxed) != NONE
    }

    /// Whether a call whose caller waits this long would be let in now. Only [`Limiter::enter`] decides.
    pub(crate) fn has_room(&self, timeout: Option<Duration>) -> bool {
        let current = self.current.load(Relaxed);
        let room = current < self.most.load(Relaxed) && (current == 0 || self.is_quick_enough(timeout));
        if !room {
            self.refused.fetch_add(1, Relaxed);
        }
        room
    }

    /// Whether calls are answered within this timeout.
    #[inline]
    fn is_quick_enough(&self, timeout: Option<Duration>) -> bool {
        let average = self.average_us.load(Relaxed);
        average == 0 || self.is_below(average, timeout)
    }

    #[cold]
    fn is_below(&self, average: u64, timeout: Option<Duration>) -> bool {
        let timeout = timeout.or_else(|| match self.setting() {
            Concurrency::Timeout(options) => Some(options.limit),
            _ => None,
        });
        timeout.is_none_or(|timeout| u128::from(average) < timeout.as_micros())
    }

    /// Lets a call in whose caller waits this long (`None`: without end), which is under way until its permit
    /// is dropped. `None`: it is to be refused.
    pub fn try_acquire(self: &Arc<Self>, timeout: Option<Duration>) -> Option<Permit> {
        self.enter(timeout).then(|| Permit::new(self.clone()))
    }

    /// Counts a call in, unless the limit is reached.
    #[must_use]
    pub(crate) fn enter(&self, timeout: Option<Duration>) -> bool {
        let (most, quick) = (self.most.load(Relaxed), self.is_quick_enough(timeout));
        // This is not an addition that is undone on refusal: under overload, calls about to be refused would
        // fill the limit and keep out others for which there is room.
        let entered =
            self.current.fetch_update(Relaxed, Relaxed, |n| (n < most && (n == 0 || quick)).then(|| n + 1));
        match entered {
            Ok(before) if before >= self.highest.load(Relaxed) => {
                self.highest.fetch_max(before + 1, Relaxed);
                true
            }
            Ok(_) => true,
            Err(_) => {
                self.refused.fetch_add(1, Relaxed);
                false
            }
        }
    }

    /// Counts a call out that was counted in.
    pub(crate) fn leave(&self) {
        self.current.fetch_sub(1, Relaxed);
    }

    /// How a call went that is about to leave, unless its caller has gone.
    pub(crate) fn ended(&self, sample: Sample) {
        if self.samples.load(Relaxed) {
            self.sample(sample, self.current.load(Relaxed));
        }
    }

    fn sample(&self, Sample { now, took, ok }: Sample, in_flight: u32) {
        let succeeded = self.succeeded.fetch_add(ok.into(), Relaxed) + u64::from(ok);
        let at = now.saturating_duration_since(self.began);
        let (us, next) = (at.as_micros() as u64, self.next_sample_us.load(Relaxed));
        if us < next {
            return;
        }
        // Of several threads one takes the sample; the others do not wait for it.
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            // A thread has panicked with it: what is measured is replaced by the next windows.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let interval = match &state.setting {
            Concurrency::Auto(options) => options.sampling_interval,
            _ => super::Auto::default().sampling_interval,
        };
        self.next_sample_us.store(us.saturating_add(interval.as_micros() as u64), Relaxed);
        let ended = Ended { at, took, ok, in_flight, succeeded };
        match &mut state.law {
            Law::Fixed => {}
            Law::Gradient(gradient) => {
                let most = gradient.sample(&ended).map(bounded);
                most.into_iter().for_each(|most| self.most.store(most, Relaxed));
            }
            Law::Average(average) => {
                let average = average.sample(&ended).into_iter();
                average.for_each(|average| self.average_us.store(average.as_micros().max(1) as u64, Relaxed));
            }
        }
    }
}

impl std::fmt::Debug for Limiter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.report().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Auto, Timeout};

    #[test]
    fn the_largest_number_is_a_limit() {
        let most = u32::MAX;
        let settings: [Concurrency; 3] =
            [most.into(), Auto::default().initial(most).into(), Timeout::ms(100).most(most).into()];
        for setting in settings {
            let limiter = Limiter::of_workers(setting, 2, Instant::now());
            assert!(limiter.counts() && limiter.most() == Some(NONE - 1), "{setting:?}");
        }
    }

    #[test]
    fn a_limit_is_measured_also_after_a_panic_with_its_lock() {
        let began = Instant::now();
        let limiter = Limiter::of_workers(Timeout::ms(100).into(), 2, began);
        let with_lock = limiter.clone();
        let panicked = std::thread::spawn(move || {
            let _state = with_lock.state.lock();
            panic!("on purpose");
        });
        assert!(panicked.join().is_err() && limiter.state.is_poisoned());
        for k in 0..1200 {
            let now = began + Duration::from_millis(k);
            assert!(limiter.enter(None));
            limiter.ended(Sample { now, took: Duration::from_millis(150), ok: true });
            limiter.leave();
        }
        assert_eq!(limiter.report().latency, Some(Duration::from_millis(150)));
    }
}
