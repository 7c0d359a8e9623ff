//! Runs a source, and shows its newest set to its watchers; `shared.rs`: one source for all users of a url.

mod shared;

pub use shared::Watches;

use crate::{
    Server, Source, SourceError, Updates, WatchOptions,
    state::{Known, Set, State},
};
use polywire_base::{caught_future, lock};
use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};
use tokio::{
    sync::watch as channel,
    time::{Instant, sleep_until},
};

/// The work of watching a source: a future to be spawned, which ends when there are no watchers any more.
///
/// If it is dropped before, because its runtime ends, the set does not change until another user continues
/// the work with [`Watched::resume`].
pub type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The newest set of a source that is being watched. Clones watch the same source.
#[derive(Clone)]
pub struct Watched {
    known: channel::Receiver<Known>,
    state: Arc<State>,
    keep: Option<Arc<dyn Fn(&Server) -> bool + Send + Sync>>,
}

/// Watches a source with the default options: the sets that it reports, and the work that a task has to run.
pub fn watch(source: Box<dyn Source>) -> (Watched, Work) {
    watch_with(source, WatchOptions::default())
}

/// Watches a source, with options.
pub fn watch_with(source: Box<dyn Source>, options: WatchOptions) -> (Watched, Work) {
    let state = State::new(source, options);
    let watched = Watched::new(state.clone());
    let work = watched.resume().expect("a new state is not running");
    (watched, work)
}

impl Watched {
    pub(crate) fn new(state: Arc<State>) -> Self {
        Watched { known: state.known.subscribe(), state, keep: None }
    }

    /// The name of the source in messages.
    pub fn name(&self) -> &str {
        &self.state.name
    }

    /// The newest set; `None` before the first one.
    pub fn set(&self) -> Option<Set> {
        let set = self.known.borrow().set.clone()?;
        Some(self.kept(set))
    }

    /// The error of the source's last attempt; `None` if it has answered since.
    pub fn error(&self) -> Option<SourceError> {
        self.known.borrow().error.clone()
    }

    /// Waits until there is something new: a set, an error, or that the source [is not
    /// watched](Watched::is_running) any more. Each is shown once to each clone.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub async fn changed(&mut self) {
        // The sender is in the state, which this keeps.
        let _ = self.known.changed().await;
    }

    /// Waits for the first set.
    ///
    /// # Errors
    /// No set arrives within `limit`; the text names the source and its last error.
    pub async fn first(&mut self, limit: Duration) -> Result<Set, SourceError> {
        let wait = self.known.wait_for(|known| known.set.is_some());
        let set = match tokio::time::timeout(limit, wait).await {
            Ok(Ok(known)) => known.set.clone(),
            _ => None,
        };
        if let Some(set) = set {
            return Ok(self.kept(set));
        }
        let why = self.error().map_or_else(|| "no answer yet".to_owned(), |error| error.to_string());
        Err(SourceError::new(format!("{}: no servers within {limit:?}: {why}", self.name())))
    }

    /// Requests a new lookup, since none of the servers can be reached. Many users may call this often: the
    /// source looks up at most once per [`WatchOptions::want_interval`].
    ///
    /// Returns whether there is an update that this clone has not seen: a set, an error, or a set with
    /// servers that [`WatchOptions::set_interval`] holds back, for a tenth of that interval now.
    pub fn want(&self) -> bool {
        let is_held = self.state.want();
        is_held || self.known.has_changed().unwrap_or(false)
    }

    /// Marks the present state as seen by this clone: [`Watched::changed`] waits for the next change.
    pub fn mark_shown(&mut self) {
        self.known.mark_unchanged();
    }

    /// Whether the source is being watched. It is not once the runtime that ran its [`Work`] has ended.
    pub fn is_running(&self) -> bool {
        *lock(&self.state.running)
    }

    /// The work of a source that is no longer being watched, to be spawned by the caller; `None`: it is being
    /// watched.
    ///
    /// Several users may see that the work has ended; only one of them gets the new work.
    pub fn resume(&self) -> Option<Work> {
        let mut running = lock(&self.state.running);
        if *running {
            return None;
        }
        *running = true;
        let mut running = Running { state: self.state.clone(), has_ended: false };
        Some(Box::pin(async move {
            while !running.ends() {
                tokio::select! {
                    () = ask(&running.state) => {}
                    () = hand_on(&running.state) => {}
                    () = running.state.known.closed() => {}
                }
            }
        }))
    }

    /// Shows only the servers for which `keep` returns true; so do clones. Other watchers of the source still
    /// see all servers.
    ///
    /// ```
    /// # use polywire_naming::{Schemes, watch};
    /// let source = Schemes::builtin().open("list://10.0.0.1:80 main,10.0.0.2:80 canary")?;
    /// let (watched, work) = watch(source);
    /// let canaries = watched.filter(|server| server.tag == "canary");
    /// # drop((canaries, work));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn filter(mut self, keep: impl Fn(&Server) -> bool + Send + Sync + 'static) -> Self {
        let before = self.keep.take();
        self.keep =
            Some(Arc::new(move |server| before.as_ref().is_none_or(|before| before(server)) && keep(server)));
        self
    }

    fn kept(&self, set: Set) -> Set {
        match &self.keep {
            Some(keep) => set.iter().filter(|server| keep(server)).cloned().collect(),
            None => set,
        }
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched")
            .field("name", &self.name())
            .field("known", &*self.known.borrow())
            .finish_non_exhaustive()
    }
}

/// Runs a source until it reports that its set will never change; never returns.
async fn ask(state: &Arc<State>) {
    let updates = Updates(state.clone());
    loop {
        let not_before = lock(&state.attempts).not_before;
        if let Some(at) = not_before {
            sleep_until(at).await;
        }
        state.looks();
        let pause = lock(&state.attempts).begins();
        let (begun, reports) = (Instant::now(), state.reports());
        let Err(error) = watched(&*state.source, &updates).await else { break };
        state.failed(error);
        let did_well = state.reports() > reports && begun.elapsed() > pause;
        lock(&state.attempts).failed(pause, did_well);
    }
    std::future::pending().await
}

/// Watches a source, which may be an application's: its panic is an error, after which it is watched again.
async fn watched(source: &dyn Source, updates: &Updates) -> Result<(), SourceError> {
    let error = |text| SourceError::new(format!("it has panicked: {text}"));
    caught_future(|| source.watch(updates)).await.map_err(error)?
}

/// Delivers sets that were held back, at their time; never returns.
async fn hand_on(state: &State) {
    loop {
        let held = state.held.notified();
        match state.hand_on_held() {
            Some(due) => tokio::select! {
                () = sleep_until(due) => {}
                () = held => {}
            },
            None => held.await,
        }
    }
}

/// The state while its work runs; notes when the work is dropped.
struct Running {
    state: Arc<State>,
    has_ended: bool,
}

impl Running {
    /// Whether there are no watchers any more; then the work has ended.
    fn ends(&mut self) -> bool {
        let mut running = lock(&self.state.running);
        // Under the lock, so that a later watcher sees that there is no work, and gets it.
        self.has_ended = self.state.known.receiver_count() == 0;
        *running = !self.has_ended;
        self.has_ended
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended {
            *lock(&self.state.running) = false;
            self.state.known.send_modify(|_| {}); // those who watch learn of it
        }
    }
}

#[cfg(test)]
mod tests;
