//! Runs a source, and shows its newest set to those who watch it.

use crate::{Server, Source, SourceError, Updates};
use std::{fmt, future::Future, sync::Arc, time::Duration};
use tokio::{
    sync::{Notify, watch as channel},
    time::{Instant, sleep},
};

/// The pause after the first failure of a source, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The time between two lines of log about the same source.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The servers of a name at one time, each once, in the order of their addresses and tags.
pub type Set = Arc<[Server]>;

/// What is known of a name.
#[derive(Clone, Debug, Default)]
struct Known {
    /// `None`: no set has come yet.
    set: Option<Set>,
    /// Why the source failed the last time; `None` once it has answered.
    error: Option<SourceError>,
}

/// The newest set of a source that is being watched. Clones watch the same source.
#[derive(Clone)]
pub struct Watched {
    known: channel::Receiver<Known>,
    shared: Arc<Wanted>,
    name: Arc<str>,
}

/// A source's side of what [`Watched`] shows.
pub(crate) struct Shared {
    known: channel::Sender<Known>,
    wanted: Arc<Wanted>,
    name: Arc<str>,
    logged: std::sync::Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Wanted(Notify);

/// Watches a source. The future does the work: it is to be spawned, and ends when nobody watches any more.
pub fn watch(source: Box<dyn Source>) -> (Watched, impl Future<Output = ()> + Send + 'static) {
    let name: Arc<str> = source.name().into();
    let (sender, known) = channel::channel(Known::default());
    let wanted = Arc::new(Wanted::default());
    let shared = Arc::new(Shared {
        known: sender,
        wanted: wanted.clone(),
        name: name.clone(),
        logged: std::sync::Mutex::default(),
    });
    let work = async move {
        tokio::select! {
            () = run(&*source, &shared) => {}
            () = shared.known.closed() => return,
        }
        shared.known.closed().await; // the set will not change any more
    };
    (Watched { known, shared: wanted, name }, work)
}

/// Asks a source until it says that its set will never change.
async fn run(source: &dyn Source, shared: &Arc<Shared>) {
    let updates = Updates(shared.clone());
    let mut pause = FIRST_PAUSE;
    loop {
        let begun = Instant::now();
        let Err(error) = source.watch(&updates).await else { return };
        shared.failed(error);
        if begun.elapsed() > LONGEST_PAUSE {
            pause = FIRST_PAUSE; // it worked for a while
        }
        sleep(pause.mul_f64(0.8 + 0.4 * fastrand::f64())).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

impl Watched {
    /// What messages call the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The newest set; `None`: none has come yet.
    pub fn set(&self) -> Option<Set> {
        self.known.borrow().set.clone()
    }

    /// Why the source failed the last time; `None` if it has answered since.
    pub fn error(&self) -> Option<SourceError> {
        self.known.borrow().error.clone()
    }

    /// Waits until there is something new: a set, or an error. Each is shown once to each clone.
    pub async fn changed(&mut self) {
        if self.known.changed().await.is_err() {
            std::future::pending::<()>().await; // the work has ended: nothing will change
        }
    }

    /// Waits for the first set.
    ///
    /// # Errors
    /// There is none within `limit`; the text names the source, and what it said last.
    pub async fn first(&mut self, limit: Duration) -> Result<Set, SourceError> {
        let wait = self.known.wait_for(|known| known.set.is_some());
        if let Ok(Ok(known)) = tokio::time::timeout(limit, wait).await
            && let Some(set) = &known.set
        {
            return Ok(set.clone());
        }
        let why = self.error().map_or_else(|| "no answer yet".to_owned(), |error| error.to_string());
        Err(SourceError::new(format!("{}: no servers within {limit:?}: {why}", self.name)))
    }

    /// Asks the source to look again, since none of the servers can be reached.
    pub fn want(&self) {
        self.shared.0.notify_one();
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("name", &self.name).field("known", &*self.known.borrow()).finish()
    }
}

impl Shared {
    pub fn set(&self, mut servers: Vec<Server>) {
        servers.sort();
        servers.dedup_by(|a, b| (&a.address, &a.tag) == (&b.address, &b.tag));
        self.known.send_if_modified(|known| {
            let is_new = known.set.as_deref() != Some(&*servers);
            if is_new {
                tracing::info!(source = &*self.name, servers = servers.len(), "servers have changed");
                known.set = Some(servers.into());
            }
            known.error.take().is_some() || is_new
        });
    }

    fn failed(&self, error: SourceError) {
        self.warn(&error);
        self.known.send_modify(|known| known.error = Some(error));
    }

    pub fn warn(&self, what: &dyn fmt::Display) {
        let mut logged = polywire_base::lock(&self.logged);
        if logged.is_none_or(|at| at.elapsed() >= LOG_INTERVAL) {
            *logged = Some(Instant::now());
            tracing::warn!(source = &*self.name, "{what}");
        }
    }

    pub async fn wanted(&self) {
        self.wanted.0.notified().await;
    }
}
