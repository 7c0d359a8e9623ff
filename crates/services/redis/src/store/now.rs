//! The time of a command.

use std::{
    cell::Cell,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Unix time for expiry: given, or read from the engine's clock when it is first needed. Most commands access
/// no key with an expiry and never need it. All parts of a command or transaction see the same time.
#[derive(Clone, Debug)]
pub struct Now {
    /// Milliseconds since 1970; 0: not read yet.
    unix_ms: Cell<u64>,
}

impl Now {
    /// The time of the engine's clock, read when it is first needed: the system's, or that of a test in
    /// virtual time.
    pub const fn system() -> Self {
        Now { unix_ms: Cell::new(0) }
    }

    /// A given time, in milliseconds since 1970.
    pub const fn at(unix_ms: u64) -> Self {
        Now { unix_ms: Cell::new(unix_ms) }
    }

    /// The time in milliseconds since 1970.
    #[inline]
    pub fn unix_ms(&self) -> u64 {
        if self.unix_ms.get() == 0 {
            self.unix_ms.set(Now::from(polywire_engine::clock::system_time()).unix_ms.get());
        }
        self.unix_ms.get()
    }
}

impl From<SystemTime> for Now {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Now::at(since.as_millis() as u64)
    }
}
