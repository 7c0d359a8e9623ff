//! The timers of a connection.

use std::time::{Duration, Instant};

/// The purposes of timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum Timer {
    /// SETTINGS must be acknowledged: `Patience::settings`.
    Settings,
    /// Sends a PING after `Keepalive::every` without a frame.
    Keepalive,
    /// A PING must be answered: `Keepalive::within`.
    Pong,
    /// Ends the time that clients have to receive the first GOAWAY.
    Drain,
    /// Checks for replies that make no progress: `Patience::stall`.
    Stall,
    /// Ends connections at the age `Keepalive::max_age`.
    Age,
    /// Closes them `Keepalive::max_age_grace` later.
    Grace,
    /// Ends connections that are idle for `Keepalive::max_idle`.
    Idle,
    /// Frees slots that were not used lately.
    Spare,
    /// Ends streams whose requests go on behind their replies: [`LINGER`](super::close::LINGER).
    Linger,
}

impl Timer {
    pub const ALL: [Timer; 10] = [
        Timer::Settings,
        Timer::Keepalive,
        Timer::Pong,
        Timer::Drain,
        Timer::Stall,
        Timer::Age,
        Timer::Grace,
        Timer::Idle,
        Timer::Spare,
        Timer::Linger,
    ];
}

/// One deadline for each purpose. A timer that is postponed often (`Keepalive`, `Idle`) is not moved each
/// time; when it fires, it checks whether its deadline has passed.
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

    /// Nothing was read for this time, so frames that the peer had to send by a deadline may have arrived
    /// without being read.
    #[cold]
    pub fn skip(&mut self, time: Duration) {
        for timer in [Timer::Settings, Timer::Pong, Timer::Drain, Timer::Stall, Timer::Linger] {
            self.set(timer, self.at[timer as usize].map(|at| at + time));
        }
    }

    /// Takes a timer that is due, and stops it.
    pub fn ring(&mut self, now: Instant) -> Option<Timer> {
        let due = |timer: &Timer| self.at[*timer as usize].is_some_and(|at| at <= now);
        let timer = Timer::ALL.into_iter().find(due)?;
        self.set(timer, None);
        Some(timer)
    }
}
