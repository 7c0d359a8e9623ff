//! The limit that follows from latency: brpc's `auto`.

use std::time::Duration;

/// A measured limit: the product of the lowest latency and the highest rate that were seen lately (Little's
/// law), and some more calls to find out whether the rate can still grow. It falls when latency grows and the
/// rate does not.
///
/// The constants are those of Apache brpc's limiter of the same name. Differences, all of them off in
/// [`Auto::BRPC`]: the least limit is four calls for each worker thread, since brpc's own refuses a tenth of
/// the calls at 70 % of capacity, and as many quick calls as can be done in 250 ms, up to 32, since few
/// workers would refuse short bursts; a limit that is less than half used stays as it is, since otherwise a
/// quiet time would lower it and the calls after it be refused; and slow handlers get longer windows.
///
/// If calls of one method differ much, it takes a change in their cost for overload. It should see all calls
/// of a method, and each method should have its own: [`Bounds::method_concurrency`].
///
/// [`Bounds::method_concurrency`]: crate::Bounds::method_concurrency
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Auto {
    /// The limit at first. Default 40.
    pub initial: u32,
    /// The least limit, for each worker thread. Default 4; brpc has 1.
    pub least_per_worker: u32,
    /// The time for which quick calls may wait for each other at the minimum limit, up to 32 calls. Default
    /// 250 ms; brpc: zero.
    pub burst: Duration,
    /// A window of measurement closes after this time, if it has [`Auto::min_samples`]. Default 1 s.
    pub window: Duration,
    /// Least number of samples of a window. Default 100.
    pub min_samples: u32,
    /// The number of samples that closes a window. Default 200.
    pub max_samples: u32,
    /// Least time between two samples: calls in between are counted and not timed. Default 0.1 ms.
    pub sampling_interval: Duration,
    /// The interval, half of which is random, after which the lowest latency is measured again at a lowered
    /// limit. Default 50 s.
    pub remeasure_every: Duration,
    /// The limit during a new measurement, as a share of the product of latency and rate. Default 0.9.
    pub remeasure_ratio: f64,
    /// The weight of a lower latency in the average of lowest latencies, from 0 to 1. Default 0.1.
    pub smoothing: f64,
    /// The maximum addition to the limit, as a share. Default 0.3.
    pub max_explore: f64,
    /// The minimum addition to the limit, as a share. Default 0.06.
    pub min_explore: f64,
    /// The amount by which that share changes after a window. Default 0.02.
    pub explore_step: f64,
    /// The tolerated fluctuation of latency, as a factor of [`Auto::min_explore`]. Default 1.
    pub fluctuation: f64,
    /// The weight with which the time of failed calls is added to the latency of successful ones. Default 1;
    /// 0: failed calls do not count.
    pub failure_weight: f64,
    /// The share of failed calls up to which failures are ignored. Default 0.
    pub failure_threshold: f64,
    /// Whether the limit stays unchanged while less than half of it is used, and slow handlers get longer
    /// windows. Default yes; brpc: no.
    pub patient: bool,
}

impl Auto {
    /// The values of Apache brpc.
    pub const BRPC: Auto =
        Auto { least_per_worker: 1, burst: Duration::ZERO, patient: false, ..Auto::DEFAULT };

    const DEFAULT: Auto = Auto {
        initial: 40,
        least_per_worker: 4,
        burst: Duration::from_millis(250),
        window: Duration::from_secs(1),
        min_samples: 100,
        max_samples: 200,
        sampling_interval: Duration::from_micros(100),
        remeasure_every: Duration::from_secs(50),
        remeasure_ratio: 0.9,
        smoothing: 0.1,
        max_explore: 0.3,
        min_explore: 0.06,
        explore_step: 0.02,
        fluctuation: 1.0,
        failure_weight: 1.0,
        failure_threshold: 0.0,
        patient: true,
    };
}

impl Default for Auto {
    fn default() -> Self {
        Auto::DEFAULT
    }
}

polywire_base::setters! {
    Auto {
        initial: u32,
        least_per_worker: u32,
        burst: Duration,
        window: Duration,
        min_samples: u32,
        max_samples: u32,
        sampling_interval: Duration,
        remeasure_every: Duration,
        remeasure_ratio: f64,
        smoothing: f64,
        max_explore: f64,
        min_explore: f64,
        explore_step: f64,
        fluctuation: f64,
        failure_weight: f64,
        failure_threshold: f64,
        patient: bool,
    }
}

/// See [`Auto::burst`].
const BURST: u32 = 32;

/// A call that has ended, as a limiter sees it.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    /// Time since the limiter began.
    pub at: Duration,
    /// The duration of the call, waiting included.
    pub took: Duration,
    pub ok: bool,
    /// Calls under way, this one included.
    pub in_flight: u32,
    /// Number of calls that have succeeded since the limiter began, sampled or not.
    pub succeeded: u64,
}

/// The measurements since a window was opened.
#[derive(Clone, Copy, Default)]
pub(super) struct Window {
    start: Duration,
    pub succeeded: u32,
    pub failed: u32,
    pub good_us: f64,
    pub failed_us: f64,
    /// [`Ended::succeeded`] when it was opened.
    before: u64,
    peak: u32,
}

/// The decision about a window after a sample.
pub(super) enum Turn {
    Wait,
    Drop,
    Close,
}

impl Window {
    pub fn new(at: Duration, before: u64) -> Window {
        Window { start: at, before, ..Window::default() }
    }

    pub fn add(&mut self, ended: &Ended, with_failures: bool) {
        let us = ended.took.as_secs_f64() * 1e6;
        self.peak = self.peak.max(ended.in_flight);
        if ended.ok {
            self.succeeded += 1;
            self.good_us += us;
        } else if with_failures {
            self.failed += 1;
            self.failed_us += us;
        }
    }

    /// Source: docs of brpc's limiter; `AddSample`. A patient one gives slow handlers ten windows, and takes
    ///         a tenth of the samples then.
    pub fn turn(&self, at: Duration, options: &Auto) -> Turn {
        let (count, age) = (self.succeeded + self.failed, at.saturating_sub(self.start));
        let few = options.patient && count >= options.min_samples / 10;
        // Slow calls that began together end together: a window that is not longer than they are would take
        // that for a high rate.
        let mean_us = (self.good_us + self.failed_us) / f64::from(count.max(1));
        let slow = options.patient && age.as_secs_f64() * 1e6 < 4.0 * mean_us;
        let long = options.window * if options.patient { 10 } else { 1 };
        if slow && age < long {
            Turn::Wait
        } else if count >= options.max_samples || (count >= options.min_samples && age >= options.window) {
            Turn::Close
        } else if age < long {
            Turn::Wait
        } else if few {
            Turn::Close
        } else {
            Turn::Drop
        }
    }

    /// Calls that succeeded each second.
    fn rate(&self, ended: &Ended) -> f64 {
        let seconds = ended.at.saturating_sub(self.start).as_secs_f64().max(1e-6);
        ended.succeeded.saturating_sub(self.before) as f64 / seconds
    }
}

/// The state of an automatic limit. Samples and time go in, the limit comes out; no clock is read.
pub(super) struct Gradient {
    options: Auto,
    workers: u32,
    limit: u32,
    /// Lowest latency, in microseconds.
    lowest_us: Option<f64>,
    /// Highest rate, in calls a second.
    highest_rate: f64,
    explore: f64,
    window: Option<Window>,
    remeasure_at: Duration,
    /// Until this time waiting calls drain, and nothing is measured.
    drains_until: Option<Duration>,
    random: u64,
}

impl Gradient {
    /// `workers`: the number of threads that run handlers; `random`: a random number that keeps servers from
    /// measuring at the same time.
    pub fn new(options: Auto, workers: u32, random: u64) -> Self {
        let mut gradient = Gradient {
            options,
            workers,
            limit: options.initial,
            lowest_us: None,
            highest_rate: 0.0,
            explore: options.max_explore,
            window: None,
            remeasure_at: Duration::ZERO,
            drains_until: None,
            random: random | 1,
        };
        gradient.limit = gradient.limit.max(gradient.least());
        gradient.remeasure_at = gradient.next_measure(Duration::ZERO);
        gradient
    }

    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// The lowest limit that is chosen, in calls under way.
    fn least(&self) -> u32 {
        let share = self.options.least_per_worker.saturating_mul(self.workers).max(1);
        let burst = match self.lowest_us {
            Some(us) => self.options.burst.as_secs_f64() * 1e6 / us.max(1.0) * f64::from(self.workers),
            None => 0.0,
        };
        share.max((burst as u32).min(BURST))
    }

    /// The latency of calls that do not wait.
    pub fn lowest(&self) -> Option<Duration> {
        self.lowest_us.map(|us| Duration::from_secs_f64(us / 1e6))
    }

    fn next_measure(&mut self, at: Duration) -> Duration {
        // xorshift: it only has to differ among servers
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let half = self.options.remeasure_every / 2;
        at + half + half.mul_f64((self.random >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A call has ended. Returns the limit if this sample has changed it.
    pub fn sample(&mut self, ended: &Ended) -> Option<u32> {
        if let Some(until) = self.drains_until {
            if ended.at < until {
                return None;
            }
            (self.drains_until, self.lowest_us, self.window) = (None, None, None);
            self.remeasure_at = self.next_measure(ended.at);
        }
        let options = self.options;
        let window = self.window.get_or_insert_with(|| Window::new(ended.at, ended.succeeded));
        window.add(ended, options.failure_weight > 0.0);
        match window.turn(ended.at, &options) {
            Turn::Wait => return None,
            Turn::Drop => {
                self.window = None;
                return None;
            }
            Turn::Close => {}
        }
        let window = *window;
        self.window = Some(Window::new(ended.at, ended.succeeded));
        let before = self.limit;
        self.close(&window, ended);
        (self.limit != before).then_some(self.limit)
    }

    fn close(&mut self, window: &Window, ended: &Ended) {
        let Auto { min_explore, max_explore, explore_step, smoothing, .. } = self.options;
        if window.succeeded == 0 {
            self.limit = (self.limit / 2).max(self.least());
            return;
        }
        let average = ((self.punishment(window) + window.good_us) / f64::from(window.succeeded)).ceil();
        let rate = window.rate(ended);
        let lowest = match self.lowest_us {
            Some(lowest) if average < lowest => average * smoothing + lowest * (1.0 - smoothing),
            Some(lowest) => lowest,
            None => average,
        };
        self.lowest_us = Some(lowest);
        let slow = smoothing / 10.0;
        self.highest_rate = match rate >= self.highest_rate {
            true => rate,
            false => rate * slow + self.highest_rate * (1.0 - slow),
        };
        let product = lowest * self.highest_rate / 1e6;
        let next = if ended.at >= self.remeasure_at {
            self.drains_until = Some(ended.at + Duration::from_secs_f64(2.0 * average / 1e6));
            (product * self.options.remeasure_ratio).ceil()
        } else {
            let tolerated = lowest * (1.0 + min_explore * self.options.fluctuation);
            self.explore = if average <= tolerated || rate <= self.highest_rate / (1.0 + min_explore) {
                max_explore.min(self.explore + explore_step)
            } else {
                min_explore.max(self.explore - explore_step)
            };
            product * (1.0 + self.explore)
        };
        // Of a limit that is hardly used, nothing is known: the rate is what callers ask for.
        let unused = self.options.patient && window.peak < self.limit.div_ceil(2);
        if !unused {
            self.limit = (next as u32).max(self.least());
        }
    }

    /// The time that the failed calls of a window add to that of its successful ones.
    fn punishment(&self, window: &Window) -> f64 {
        let threshold = self.options.failure_threshold;
        let punishment = window.failed_us * self.options.failure_weight;
        if threshold <= 0.0 || threshold >= 1.0 {
            return punishment;
        }
        let failed = f64::from(window.failed) / f64::from(window.succeeded + window.failed);
        punishment * ((failed - threshold) / (1.0 - threshold)).max(0.0)
    }
}
