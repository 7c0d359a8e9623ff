//! Keys at a url, fetched again and again by one task.
//!
//! ```text
//!  start ─► fetching ──good──► waiting 10 min ──┐
//!              ▲  `────bad───► waiting 10 s ────┤ the pause is over, or a token has an unknown key
//!              `────────────────────────────────┘ and the last fetch began a minute ago
//! ```
//!
//! All callers that wait for a fetch wait for the same one. A fetch has 5 s, less than the authenticator.

use crate::{
    key_set::{KeySet, MOST_BYTES},
    keys::Current,
};
use polywire_base::{LineGate, lock};
use polywire_client::{Channel, Target};
use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::{Instant, sleep},
};

/// The time between two fetches; it varies by a tenth, so that servers do not ask at the same moment.
const EVERY: Duration = Duration::from_secs(600);
/// The time after one that has failed.
const AGAIN: Duration = Duration::from_secs(10);
/// The least time between the begin of a fetch and that of one for an unknown key.
const UNKNOWN_KEY: Duration = Duration::from_secs(60);
/// The same while there are no keys at all.
const NO_KEYS: Duration = Duration::from_secs(1);
/// The time limit of a fetch.
const TIMEOUT: Duration = Duration::from_secs(5);

type Fetching = Pin<Box<dyn Future<Output = Result<Vec<u8>, String>> + Send>>;

/// Keys that are fetched. The task that fetches them ends with this.
pub(crate) struct Fetched {
    shared: Arc<Shared>,
    task: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    get: Box<dyn Fn() -> Fetching + Send + Sync>,
    from: String,
    keys: Current,
    state: Mutex<State>,
    /// Wakes the task before its pause is over.
    wanted: Notify,
    /// The number of fetches that have ended, with what came of the last one.
    ended: watch::Sender<(u64, Result<(), String>)>,
}

#[derive(Default)]
struct State {
    /// Whether a fetch is under way, or asked for.
    is_fetching: bool,
    began: Option<Instant>,
    is_loaded: bool,
}

impl Fetched {
    pub fn new<P: 'static>(channel: Channel<P>, path: &str) -> Arc<Fetched> {
        let (from, path): (_, Arc<str>) = (format!("{}{path}", channel.address()), path.into());
        let get = move || {
            let (channel, path) = (channel.clone(), path.clone());
            Box::pin(async move { get(&channel, &path).await }) as Fetching
        };
        let shared = Arc::new(Shared {
            get: Box::new(get),
            from,
            keys: Current::from_pointee(KeySet::none()),
            state: Mutex::default(),
            wanted: Notify::new(),
            ended: watch::Sender::new((0, Ok(()))),
        });
        Arc::new(Fetched { shared, task: Mutex::default() })
    }

    pub fn current(&self) -> Arc<KeySet> {
        self.shared.keys.load_full()
    }

    /// Other keys than those of this version, which may be fetched for that.
    ///
    /// # Errors
    /// There are no keys, and why.
    pub async fn newer_than(&self, version: u64) -> Result<Option<Arc<KeySet>>, String> {
        let shared = &*self.shared;
        self.run();
        // From here on: a fetch that ends now is seen.
        let mut ended = shared.ended.subscribe();
        let is_coming = {
            let mut state = lock(&shared.state);
            if shared.keys.load().version == version && !state.is_fetching {
                let pause = if state.is_loaded { UNKNOWN_KEY } else { NO_KEYS };
                if state.began.is_none_or(|began| began.elapsed() >= pause) {
                    state.is_fetching = true;
                    shared.wanted.notify_one();
                }
            }
            shared.keys.load().version == version && state.is_fetching
        };
        if is_coming {
            let _ = ended.changed().await; // an error: nobody fetches any longer
        }
        let now = self.current();
        if now.version != version {
            return Ok(Some(now));
        }
        match (lock(&shared.state).is_loaded, &ended.borrow().1) {
            (true, _) => Ok(None),
            (false, Err(why)) => Err(why.clone()),
            (false, Ok(())) => Err("they were not fetched".to_owned()),
        }
    }

    /// Starts the task on the runtime of the caller, unless it runs: runtimes of engines may end before.
    fn run(&self) {
        let mut task = lock(&self.task);
        if task.as_ref().is_none_or(JoinHandle::is_finished) {
            lock(&self.shared.state).is_fetching = true;
            *task = Some(tokio::spawn(self.shared.clone().run()));
        }
    }
}

impl Drop for Fetched {
    fn drop(&mut self) {
        lock(&self.task).iter().for_each(JoinHandle::abort);
    }
}

impl Shared {
    async fn run(self: Arc<Self>) {
        let mut failed = None;
        loop {
            {
                let mut state = lock(&self.state);
                (state.is_fetching, state.began) = (true, Some(Instant::now()));
            }
            let fetched = (self.get)().await.and_then(|text| KeySet::parse(&text));
            let pause = if fetched.is_ok() { EVERY } else { AGAIN };
            let outcome = fetched.map(|set| self.take(set));
            self.tell(&outcome, &mut failed);
            {
                let mut state = lock(&self.state);
                state.is_fetching = false;
                state.is_loaded |= outcome.is_ok();
            }
            self.ended.send_modify(|ended| *ended = (ended.0 + 1, outcome));
            tokio::select! {
                () = sleep(pause.mul_f64(0.9 + 0.2 * fastrand::f64())) => {}
                () = self.wanted.notified() => {}
            }
        }
    }

    /// The same keys stay in use as they are, with all that was verified by them.
    fn take(&self, set: KeySet) {
        if !self.keys.load().has_same_keys(&set) {
            tracing::info!(from = self.from, keys = set.len(), "the keys of an issuer have changed");
            self.keys.store(Arc::new(set));
        }
    }

    /// Logs a failure, once until it changes.
    fn tell(&self, outcome: &Result<(), String>, failed: &mut Option<String>) {
        static GATE: LineGate = LineGate::new(10, 60);
        let why = outcome.as_ref().err();
        if why != failed.as_ref()
            && let (Some(why), Some(left_out)) = (why, GATE.pass())
        {
            let from = &self.from;
            tracing::warn!(
                from,
                why,
                left_out,
                "keys of an issuer cannot be fetched: the last good ones stay"
            );
        }
        *failed = why.cloned();
    }
}

/// The body of a reply of 200.
async fn get<P: 'static>(channel: &Channel<P>, path: &str) -> Result<Vec<u8>, String> {
    let call = channel.call(Target::named("", path), Vec::new()).metadata(":method", "GET").timeout(TIMEOUT);
    let reply = call.await.map_err(|status| status.to_string())?;
    let body = reply.into_parts().0.body;
    match body.len() > MOST_BYTES {
        true => Err(format!("longer than {MOST_BYTES} bytes")),
        false => Ok(body.to_vec()),
    }
}
