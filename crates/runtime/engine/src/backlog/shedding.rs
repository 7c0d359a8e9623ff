//! How calls are shed, as an operator sets it.

use super::cost::Cost;
use std::time::Duration;

/// How a server sheds calls that wait for a worker.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Shedding {
    /// A queue that was empty within this time is a burst: its calls may wait as long. Otherwise it stands.
    /// Default 100 ms.
    pub burst: Duration,
    /// Calls of a standing queue may wait for the longer of ten times their method's mean and its 99th
    /// percentile (of fewer than four workers 40 times the mean divided by their number, since the queue of
    /// few workers varies more), but at least this long. Default 500 ms: callers in turn are no overload, nor
    /// is a machine that is busy with something else for a moment.
    pub least_wait: Duration,
    /// The maximum wait, unless four times the mean is more. Default 1 s.
    pub most_wait: Duration,
    /// Whether the newest call of a standing queue is next. Default yes; no: the oldest.
    pub newest_first: bool,
}

impl Default for Shedding {
    fn default() -> Self {
        Shedding {
            burst: Duration::from_millis(100),
            least_wait: Duration::from_millis(500),
            most_wait: Duration::from_secs(1),
            newest_first: true,
        }
    }
}

polywire_base::setters! {
    Shedding {
        burst: Duration,
        least_wait: Duration,
        most_wait: Duration,
        newest_first: bool,
    }
}

/// The maximum for each time of [`Shedding`], so that calculations with it do not overflow.
const DAY: Duration = Duration::from_secs(86_400);

impl Shedding {
    /// The same settings, with no time longer than a day.
    pub(super) fn bounded(self) -> Shedding {
        Shedding {
            burst: self.burst.min(DAY),
            least_wait: self.least_wait.min(DAY),
            most_wait: self.most_wait.min(DAY),
            ..self
        }
    }

    /// How long a call of a method may wait while the queue stands.
    pub(super) fn patience(&self, cost: &Cost, workers: u32) -> Duration {
        let mean = cost.mean();
        if mean.is_zero() {
            return self.most_wait;
        }
        let most = self.most_wait.max(mean * 4);
        (mean * 10.max(40 / workers.max(1))).max(cost.p99()).clamp(self.least_wait.min(most), most)
    }
}
