//! The pause between attempts to connect: 10 ms after the first failure, doubled up to 1 s.

use polywire_base::lock;
use polywire_call::{Origin, Status};
use polywire_engine::clock;
use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

const FIRST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_secs(1);

/// Whether a call waits or fails in the pause after a failure to connect, see
/// [`crate::Builder::wait_for_ready`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Patience {
    /// Fails with the last error.
    None,
    /// Waits for the next attempt.
    Pause,
}

/// The pause of one channel after its last failure to connect, shared by all its connections.
#[derive(Default)]
pub(crate) struct Backoff(Mutex<State>);

#[derive(Default)]
struct State {
    pause: Duration,
    until: Option<Instant>,
    /// When the last attempt failed; `None` if one has succeeded since.
    failed: Option<Instant>,
    /// The error of the last attempt to connect; empty if one has succeeded since.
    why: String,
}

impl Backoff {
    /// When the next attempt to connect may begin; `None`: now.
    ///
    /// # Errors
    /// UNAVAILABLE with the last failure to connect to `address`, for a caller that does not wait.
    pub fn pause(&self, patience: Patience, address: &str) -> Result<Option<Instant>, Status> {
        let state = lock(&self.0);
        let Some(until) = state.until.filter(|until| clock::now() < *until) else { return Ok(None) };
        match patience {
            Patience::Pause => Ok(Some(until)),
            Patience::None => {
                let text = format!("cannot connect to {address}: {} (not tried again yet)", state.why);
                Err(Status::unavailable(text).with_origin(Origin::Transport).unprocessed())
            }
        }
    }

    /// Whether the next attempt to connect is yet to be waited for.
    pub fn is_pausing(&self) -> bool {
        lock(&self.0).until.is_some_and(|until| clock::now() < until)
    }

    /// An attempt to connect has failed: the pause begins, twice as long as the one before.
    pub fn failed(&self, why: String) {
        let mut state = lock(&self.0);
        let now = clock::now();
        state.pause = (state.pause * 2).clamp(FIRST, LONGEST);
        state.until = Some(now + state.pause);
        state.failed = Some(now);
        state.why = why;
    }

    /// When the last attempt to connect failed; `None` if it succeeded.
    pub fn failed_at(&self) -> Option<Instant> {
        lock(&self.0).failed
    }

    /// The error of the last attempt to connect; `None` if it succeeded.
    pub fn why(&self) -> Option<String> {
        Some(lock(&self.0).why.clone()).filter(|why| !why.is_empty())
    }

    /// An attempt to connect has succeeded: there is no pause.
    pub fn succeeded(&self) {
        *lock(&self.0) = State::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_would_rather_wait_is_told_when() {
        let backoff = Backoff::default();
        assert_eq!(backoff.pause(Patience::None, "host:1"), Ok(None));
        assert_eq!(backoff.why(), None);
        backoff.failed("nobody there".into());
        assert!(backoff.pause(Patience::Pause, "host:1").expect("it waits").is_some());
        let status = backoff.pause(Patience::None, "host:1").expect_err("it does not wait");
        assert_eq!(status.message(), "cannot connect to host:1: nobody there (not tried again yet)");
        assert!(status.is_unprocessed(), "{status:?}");
        assert_eq!(backoff.why().as_deref(), Some("nobody there"));
        backoff.succeeded();
        assert_eq!(backoff.pause(Patience::None, "host:1"), Ok(None));
        assert_eq!(backoff.why(), None);
    }

    #[test]
    fn pauses_double_up_to_the_longest() {
        let backoff = Backoff::default();
        let pauses = (0..10).map(|_| {
            backoff.failed(String::new());
            lock(&backoff.0).pause
        });
        let pauses: Vec<_> = pauses.collect();
        assert_eq!((pauses[0], pauses[1], pauses[9]), (FIRST, FIRST * 2, LONGEST));
    }
}
