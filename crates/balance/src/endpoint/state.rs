//! Whether a server can be chosen.

use crate::Time;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Ready, or taken out of the choice until a time.
#[derive(Debug, Default)]
pub struct State {
    /// Nanoseconds; 0: ready.
    out_until: AtomicU64,
}

impl State {
    pub fn is_ready(&self, now: Time) -> bool {
        self.out_until.load(Relaxed) <= now.0
    }

    /// Takes the server out of the choice until `until`; [`Time::NEVER`]: until [`State::ready`] is called.
    pub fn take_out(&self, until: Time) {
        self.out_until.store(until.0.max(1), Relaxed);
    }

    /// The server can be chosen again.
    pub fn ready(&self) {
        self.out_until.store(0, Relaxed);
    }
}
