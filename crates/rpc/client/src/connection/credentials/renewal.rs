//! Decides when a token is fetched, and what calls do meanwhile.

use super::{Held, fetch::Fetch};
use crate::connection::{
    backoff::Patience,
    error::deadline_exceeded,
    home::{Home, HomeId},
    waiting::{self, LOOK_AGAIN, Waiting, When},
};
use arc_swap::ArcSwapOption;
use polywire_base::lock;
use polywire_engine::clock;
use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// The pause after a fetch that failed.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The minimum time between the fetch that replaced a refused token and the next such fetch.
const LEAST_APART: Duration = Duration::from_secs(1);
/// The maximum number of times that time is doubled while servers refuse each new token.
const MOST_DOUBLINGS: u32 = 6;
/// The token of a source.
pub(crate) struct Renewal {
    name: String,
    fetch: Fetch,
    /// The token of the latest fetch that succeeded.
    token: ArcSwapOption<Held>,
    state: Mutex<State>,
    /// Notified when a fetch has ended.
    changes: watch::Sender<()>,
}

struct State {
    ahead: Duration,
    limit: Duration,
    /// A fetch is under way.
    fetching: bool,
    /// Tokens that were fetched.
    fetched: u64,
    /// No renewal begins before this time, nor does any fetch after one that failed.
    not_before: Option<Instant>,
    pause: Duration,
    /// The error of the last fetch, if it failed.
    error: Option<String>,
    /// Tokens, one after the other, that servers have refused.
    refused: u32,
}

/// The reason why there is no token.
#[derive(Debug)]
pub(crate) enum Missing {
    /// The call is to wait, see [`Renewal::wait`].
    Waits,
    /// The source has failed; the text names it.
    Failed(String),
}

impl Renewal {
    pub fn new(name: String, fetch: Fetch) -> Self {
        let state = State {
            ahead: Duration::from_secs(60),
            limit: Duration::from_secs(5),
            fetching: false,
            fetched: 0,
            not_before: None,
            pause: Duration::ZERO,
            error: None,
            refused: 0,
        };
        Renewal {
            name,
            fetch,
            token: ArcSwapOption::empty(),
            state: Mutex::new(state),
            changes: watch::Sender::new(()),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn set_ahead(&self, ahead: Duration) {
        lock(&self.state).ahead = ahead;
    }

    pub fn set_limit(&self, limit: Duration) {
        lock(&self.state).limit = limit;
    }

    /// A valid token. It is renewed in the background when its end is near. `home`: where tokens are fetched.
    ///
    /// # Errors
    /// There is no token now, and a fetch is under way; or the source has failed and is called again after a
    /// pause, which only calls with `wait_for_ready` wait for.
    pub fn token(self: &Arc<Self>, patience: Patience, home: fn() -> HomeId) -> Result<Arc<Held>, Missing> {
        let now = clock::now();
        match self.token.load_full() {
            Some(token) if !token.is_over(now) => {
                if token.wants_renewal(now) {
                    self.renew(now, home);
                }
                Ok(token)
            }
            _ => self.missing(now, patience, home),
        }
    }

    /// The newest token, which may have expired: for connections, whose calls have requested one before.
    pub fn newest(&self) -> Option<Arc<Held>> {
        self.token.load_full()
    }

    /// Whether there is a valid token.
    pub fn has_token(&self) -> bool {
        self.newest().is_some_and(|token| !token.is_over(clock::now()))
    }

    #[cold]
    fn missing(
        self: &Arc<Self>,
        now: Instant,
        patience: Patience,
        home: fn() -> HomeId,
    ) -> Result<Arc<Held>, Missing> {
        let state = lock(&self.state);
        if !state.fetching {
            match (&state.error, state.not_before) {
                (Some(error), Some(at)) if now < at => {
                    return Err(match patience {
                        Patience::Pause => Missing::Waits,
                        Patience::None => Missing::Failed(format!("no credential of {}: {error}", self.name)),
                    });
                }
                _ => self.begin(state, home),
            }
        }
        Err(Missing::Waits)
    }

    /// Fetches a new token while the old one holds.
    #[cold]
    fn renew(self: &Arc<Self>, now: Instant, home: fn() -> HomeId) {
        let state = lock(&self.state);
        if !state.fetching && state.not_before.is_none_or(|at| at <= now) {
            self.begin(state, home);
        }
    }

    /// Begins a fetch. `home`: where it runs.
    fn begin(self: &Arc<Self>, mut state: MutexGuard<'_, State>, home: fn() -> HomeId) {
        state.fetching = true;
        let limit = state.limit;
        // A runtime that is shutting down drops the task at once, which takes the lock.
        drop(state);
        let fetching = Fetching(self.clone());
        Home::of(home()).spawn(async move {
            let fetched = fetching.0.fetch.run(limit).await;
            let fetched = fetched.map(|token| {
                let ahead = lock(&fetching.0.state).ahead;
                move |number| Held::new(token, number, ahead, fastrand::f64())
            });
            fetching.end(fetched);
        });
    }

    /// A server has refused the token of this number: another one is fetched, once.
    #[cold]
    pub fn refused(self: &Arc<Self>, number: u64, home: fn() -> HomeId) {
        let Some(token) = self.token.load_full().filter(|token| token.number == number) else { return };
        if token.refuse() {
            let mut state = lock(&self.state);
            state.refused = state.refused.saturating_add(1);
            drop(state);
            self.renew(clock::now(), home);
        }
    }

    /// Ready with `None` when a call may be posted that had to wait for a token, or with a status when its
    /// deadline has passed. `None` instead of a future: there is a token.
    pub fn wait(self: &Arc<Self>, deadline: Option<Instant>, address: &Arc<str>) -> Option<Waiting> {
        let changes = self.changes.subscribe();
        if self.has_token() {
            return None;
        }
        let (renewal, address) = (self.clone(), address.clone());
        let late = move || deadline_exceeded(&address, &renewal.why_none());
        // The call fails, or asks for another fetch, when the pause after a failure is over; it is not known
        // here which of them.
        let soon = || When::At(clock::now() + LOOK_AGAIN);
        Some(waiting::wait(changes, deadline, soon, late))
    }

    /// The reason for a call whose deadline passed while it waited for a token.
    fn why_none(&self) -> String {
        match &lock(&self.state).error {
            Some(error) => format!("no credential of {}: {error}", self.name),
            None => format!("no credential of {} yet", self.name),
        }
    }
}

/// A fetch that is under way. If it is dropped with its runtime, it records that, so that the next call
/// begins another one.
struct Fetching(Arc<Renewal>);

impl Fetching {
    fn end(self, fetched: Result<impl FnOnce(u64) -> Held, String>) {
        let renewal = &self.0;
        let now = clock::now();
        let mut state = lock(&renewal.state);
        match fetched {
            Ok(token) => {
                if !renewal.newest().is_some_and(|token| token.is_refused()) {
                    state.refused = 0;
                }
                let doublings = state.refused.saturating_sub(1).min(MOST_DOUBLINGS);
                let apart = (state.refused > 0).then_some(LEAST_APART * (1 << doublings));
                state.not_before = apart.and_then(|apart| now.checked_add(apart));
                state.fetched += 1;
                (state.error, state.pause) = (None, Duration::ZERO);
                renewal.token.store(Some(Arc::new(token(state.fetched))));
            }
            Err(error) => {
                let source = &*renewal.name;
                tracing::warn!(source, error, "no credential: asked again after a pause");
                state.pause = (state.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
                let spread = 0.8 + 0.4 * fastrand::f64();
                state.not_before = now.checked_add(state.pause.mul_f64(spread));
                state.error = Some(error);
            }
        }
    }
}

impl Drop for Fetching {
    fn drop(&mut self) {
        lock(&self.0.state).fetching = false;
        self.0.changes.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::credentials::Token;
    use std::{sync::mpsc, thread};

    #[test]
    fn a_runtime_that_has_ended_fetches_nothing_and_holds_nobody_up() {
        let fetch = Fetch::new(|| async { Ok::<_, String>(Token::bearer("a")) });
        let renewal = Arc::new(Renewal::new("test".to_owned(), fetch));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let handle = runtime.handle().clone();
        drop(runtime);
        let (done, ended) = mpsc::channel();
        let asked = renewal.clone();
        thread::spawn(move || {
            let _inside = handle.enter();
            let missing = asked.token(Patience::Pause, HomeId::current).err();
            done.send(matches!(missing, Some(Missing::Waits))).unwrap();
        });
        let waits = ended.recv_timeout(Duration::from_secs(30));
        assert_eq!(waits, Ok(true), "the task was dropped while its lock was held");
        assert!(!lock(&renewal.state).fetching, "the next call begins another fetch");
    }
}
