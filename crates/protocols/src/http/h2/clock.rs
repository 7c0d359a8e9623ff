//! The timers of a connection.

use std::time::{Duration, Instant};

/// The purposes of timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum Timer {
    /// SETTINGS are not acknowledged: `Patience::settings`.
    Settings,
    /// Nothing has come for `Keepalive::every`.
    Keepalive,
    /// A PING is not answered: `Keepalive::within`.
    Pong,
    /// The client has had its time to hear of the first GOAWAY.
    Drain,
    /// A look at replies that do not move: `Patience::stall`.
    Stall,
    /// The connection is older than `Keepalive::max_age`.
    Age,
    /// It is older by `Keepalive::max_age_grace` still.
    Grace,
    /// It has been idle for `Keepalive::max_idle`.
    Idle,
    /// Slots that were not used lately are given back.
    Spare,
}

impl Timer {
    pub const ALL: [Timer; 9] = [
        Timer::Settings,
        Timer::Keepalive,
        Timer::Pong,
        Timer::Drain,
        Timer::Stall,
        Timer::Age,
        Timer::Grace,
        Timer::Idle,
        Timer::Spare,
    ];
}

/// One deadline for each purpose. A timer that others push back all the time (`Keepalive`, `Idle`) is left as it is and
/// looks at the time when it rings.
#[derive(Default)]
pub(super) struct Clock {
    at: [Option<Instant>; Timer::ALL.len()],
    soonest: Option<Instant>,
}

impl Clock {
    pub fn set(&mut self, timer: Timer, at: Option<Instant>) {
        self.at[timer as usize] = at;
        self.soonest = self.at.iter().flatten().min().copied();
    }

    pub fn is_set(&self, timer: Timer) -> bool {
        self.at[timer as usize].is_some()
    }

    #[inline]
    pub fn soonest(&self) -> Option<Instant> {
        self.soonest
    }

    /// Nothing was read for so long: what the peer has to say or to take in time may be there and unread.
    #[cold]
    pub fn skip(&mut self, time: Duration) {
        for timer in [Timer::Settings, Timer::Pong, Timer::Drain, Timer::Stall] {
            self.set(timer, self.at[timer as usize].map(|at| at + time));
        }
    }

    /// A timer that is due; it is off then.
    pub fn ring(&mut self, now: Instant) -> Option<Timer> {
        let due = |timer: &Timer| self.at[*timer as usize].is_some_and(|at| at <= now);
        let timer = Timer::ALL.into_iter().find(due)?;
        self.set(timer, None);
        Some(timer)
    }
}
