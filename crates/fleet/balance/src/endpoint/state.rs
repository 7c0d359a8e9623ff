//! Whether a server can be chosen, and why not.

use crate::Time;
use std::{
    fmt,
    sync::atomic::{
        AtomicU32, AtomicU64,
        Ordering::{AcqRel, Acquire, Relaxed},
    },
};

/// A server is ready unless there is a [`Reason`] against it, or it is isolated until a time in the future.
#[derive(Default)]
pub struct State {
    /// A bit per [`Reason`].
    reasons: AtomicU32,
    /// End of the isolation in nanoseconds.
    out_until: AtomicU64,
    /// When the server last became ready; 0 if it has been ready since its set was made.
    ready_since: AtomicU64,
    /// The time until which calls of its keys wait while it is being connected to, in nanoseconds; 0: they do
    /// not wait.
    awaited_until: AtomicU64,
}

/// The reason why a server must not be chosen, from [`State::hold`] to [`State::release`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// There is no connection to the server.
    Unconnected,
    /// The server has announced that it accepts no further calls.
    Draining,
    /// More of its calls failed than of the other servers' calls, see [`Outliers`](crate::Outliers).
    Ejected,
    /// The server's health checks fail.
    Unhealthy,
    /// The server is new or has come back, and no health check has ended yet.
    Unchecked,
    /// The server is new or has lost its connection, and is being connected to.
    Connecting,
}

impl Reason {
    const ALL: [Reason; 6] = [
        Reason::Unconnected,
        Reason::Draining,
        Reason::Ejected,
        Reason::Unhealthy,
        Reason::Unchecked,
        Reason::Connecting,
    ];

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl State {
    pub fn is_ready(&self, now: Time) -> bool {
        self.reasons.load(Relaxed) == 0 && self.out_until.load(Relaxed) <= now.0
    }

    /// Takes the server out of the choice until [`State::release`].
    pub fn hold(&self, reason: Reason) {
        self.reasons.fetch_or(reason.bit(), AcqRel);
    }

    /// Removes a reason. If it was the only one, the server can be chosen again. A server that was being
    /// connected to counts as ready since it joined, for its share of the calls.
    pub fn release(&self, reason: Reason, now: Time) {
        let before = self.reasons.fetch_and(!reason.bit(), AcqRel);
        if before == reason.bit() && reason != Reason::Connecting {
            self.ready_since.fetch_max(now.0.max(1), Relaxed); // an isolation may end later
        }
    }

    /// Takes the server out of the choice until `until`, unless it is out for longer.
    pub fn isolate(&self, until: Time) {
        self.out_until.fetch_max(until.0, AcqRel);
        self.ready_since.fetch_max(until.0, Relaxed);
    }

    /// The end of the isolation; `None` if the server is not isolated.
    pub fn isolated_until(&self, now: Time) -> Option<Time> {
        Some(Time(self.out_until.load(Relaxed))).filter(|until| *until > now)
    }

    /// Whether the server is being connected to, and can be chosen once that is done.
    pub fn is_connecting(&self) -> bool {
        self.reasons.load(Acquire) == Reason::Connecting.bit()
    }

    /// Marks that the server is being connected to and that no other server has its keys so far: under
    /// policies that hash, calls of its keys wait for it, at most until this time.
    pub fn await_until(&self, until: Time) {
        self.awaited_until.store(until.0, Relaxed);
    }

    /// The time until which calls of its keys wait for the server; `None`: they do not wait.
    pub fn awaited_until(&self, now: Time) -> Option<Time> {
        let until = Time(self.awaited_until.load(Relaxed));
        (until > now && self.is_connecting()).then_some(until)
    }

    pub fn holds(&self, reason: Reason) -> bool {
        self.reasons.load(Acquire) & reason.bit() != 0
    }

    /// The reasons against the server. Isolation is not among them.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> {
        let reasons = self.reasons.load(Acquire);
        Reason::ALL.into_iter().filter(move |reason| reasons & reason.bit() != 0)
    }

    /// When the server last became ready, or joined; `None` if it has been ready since its set was made.
    pub fn ready_since(&self) -> Option<Time> {
        Some(Time(self.ready_since.load(Relaxed))).filter(|since| since.0 > 0)
    }

    /// Notes that the server has joined a set that had other members before.
    pub fn joined(&self, now: Time) {
        self.ready_since.fetch_max(now.0.max(1), Relaxed);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("reasons", &self.reasons().collect::<Vec<_>>())
            .field("out_until", &self.out_until.load(Relaxed))
            .field("ready_since", &self.ready_since.load(Relaxed))
            .field("awaited_until", &self.awaited_until.load(Relaxed))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_ready_once_every_reason_is_over() {
        let (state, now) = (State::default(), Time(50));
        state.hold(Reason::Ejected);
        state.hold(Reason::Draining);
        state.hold(Reason::Draining);
        state.release(Reason::Draining, now);
        assert!(!state.is_ready(now));
        assert_eq!(state.reasons().collect::<Vec<_>>(), [Reason::Ejected]);
        assert_eq!(state.ready_since(), None);
        state.release(Reason::Ejected, now);
        assert!(state.is_ready(now));
        assert_eq!(state.ready_since(), Some(now));
        state.release(Reason::Ejected, Time(90));
        assert_eq!(state.ready_since(), Some(now), "it was ready before");
    }

    #[test]
    fn isolation_ends_by_itself_and_the_longer_one_counts() {
        let state = State::default();
        state.isolate(Time(50));
        state.isolate(Time(40));
        assert!(!state.is_ready(Time(49)) && state.is_ready(Time(50)));
        assert_eq!([49, 50].map(|now| state.isolated_until(Time(now))), [Some(Time(50)), None]);
        assert_eq!(state.ready_since(), Some(Time(50)));
        state.hold(Reason::Unhealthy);
        assert!(!state.is_ready(Time(50)));
    }

    #[test]
    fn slow_start_begins_when_the_last_cause_is_over() {
        let state = State::default();
        state.hold(Reason::Unhealthy);
        state.isolate(Time(100));
        state.release(Reason::Unhealthy, Time(50));
        assert!(!state.is_ready(Time(99)) && state.is_ready(Time(100)));
        assert_eq!(state.ready_since(), Some(Time(100)));
    }
}
