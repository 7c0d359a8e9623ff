//! The limit that follows from how long callers wait: brpc's `timeout`.

use super::{
    Auto,
    auto::{Ended, Turn, Window},
};
use std::time::Duration;

/// A limit that refuses calls while the average latency exceeds the time that their callers wait and more
/// than a number of calls are under way. For methods whose calls differ so much that [`Auto`] would take a
/// change among them for overload.
///
/// A caller's time is the deadline of its call; [`Timeout::limit`] is for calls without one. While no other
/// call is under way, a call is always admitted.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Timeout {
    /// The timeout that is assumed for callers that send none. Default 500 ms.
    pub limit: Duration,
    /// Calls at once. Default 100.
    pub most: u32,
}

impl Timeout {
    /// A limit for callers that wait `ms` milliseconds.
    pub const fn ms(ms: u64) -> Timeout {
        Timeout { limit: Duration::from_millis(ms), most: 100 }
    }

    /// A limit for callers that wait for `limit`.
    pub const fn new(limit: Duration) -> Timeout {
        Timeout { limit, most: 100 }
    }

    /// Sets `most`, see the field of that name.
    #[must_use]
    pub const fn most(mut self, most: u32) -> Self {
        self.most = most;
        self
    }
}

impl Default for Timeout {
    fn default() -> Self {
        Timeout::ms(500)
    }
}

/// The average latency. Samples and time go in, the average comes out; no clock is read.
pub(super) struct Average {
    average: Duration,
    window: Option<Window>,
}

impl Average {
    /// The latency that is assumed at first.
    pub const INITIAL: Duration = Duration::from_micros(500);

    pub fn new() -> Self {
        Average { average: Average::INITIAL, window: None }
    }

    /// A call has ended. Returns the average if this sample has changed it.
    pub fn sample(&mut self, ended: &Ended) -> Option<Duration> {
        let window = self.window.get_or_insert_with(|| Window::new(ended.at, ended.succeeded));
        window.add(ended, true);
        let Window { succeeded, failed_us, good_us, .. } = *window;
        match window.turn(ended.at, &Auto::default()) {
            Turn::Wait => return None,
            Turn::Drop => {
                self.window = None;
                return None;
            }
            Turn::Close => self.window = None,
        }
        self.average = match succeeded {
            // It has a bound, so that an end of all failures is noticed by the calls that are still let in.
            0 => (self.average * 2).min(Duration::from_secs(3600)),
            succeeded => Duration::from_micros(((failed_us + good_us) / f64::from(succeeded)).ceil() as u64),
        };
        Some(self.average)
    }
}
