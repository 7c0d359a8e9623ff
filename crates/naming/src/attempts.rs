//! When a source that has failed is asked again.

use std::time::Duration;
use tokio::time::Instant;

/// The pause after the first failure of a source, and the longest. Each is up to 20 % longer or shorter by chance, so that many
/// clients that failed together do not come back together.
pub(crate) const FIRST_PAUSE: Duration = Duration::from_millis(100);
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The attempts to watch a source. They outlive its [`crate::Work`], so that an end of that is no way around the pauses.
pub(crate) struct Attempts {
    /// No attempt before; `None`: there was none yet.
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
    /// An attempt begins. Returns the pause that will follow if it fails, which counts from now until it [fails](Self::failed):
    /// one that ends by a panic does not say so.
    pub fn begins(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(LONGEST_PAUSE);
        self.pause(pause);
        pause
    }

    /// The attempt has failed. `did_well`: it worked for longer than the pause, and the pauses begin anew.
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
