//! When a source that has failed is queried again.

use std::time::Duration;
use tokio::time::Instant;

/// The pause after the first failure of a source, and the maximum pause. Each is up to 20 % longer or shorter
/// at random, so that many clients that failed together do not try again together.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The attempts to watch a source. They outlive its [`Work`](crate::Work), so that restarting the work does
/// not avoid the pauses.
#[derive(Debug)]
pub struct Attempts {
    /// The next attempt is not made before this time; `None` before the first one.
    pub not_before: Option<Instant>,
    /// The pause after the next failure.
    next: Duration,
}

impl Default for Attempts {
    fn default() -> Self {
        Attempts { not_before: None, next: FIRST_PAUSE }
    }
}

impl Attempts {
    /// An attempt begins. Returns the pause that follows if it fails. The pause counts from now until
    /// [`Self::failed`] is called, because an attempt that ends by a panic does not call it.
    pub fn begins(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(LONGEST_PAUSE);
        self.pause(pause);
        pause
    }

    /// Records that the attempt has failed. `did_well`: it worked for longer than the pause, so the pauses
    /// start again from the shortest.
    pub fn failed(&mut self, pause: Duration, did_well: bool) {
        if did_well {
            self.next = FIRST_PAUSE;
            self.begins();
        } else {
            self.pause(pause);
        }
    }

    fn pause(&mut self, pause: Duration) {
        self.not_before = Some(Instant::now() + pause.mul_f64(0.8 + 0.4 * fastrand::f64()));
    }
}
