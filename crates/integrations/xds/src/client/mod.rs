//! Runs the client of one target: opens streams, resolves names, keeps time.

mod stream;
#[cfg(test)]
mod tests;

use crate::{Bootstrap, bootstrap::percent_encoded, core::Core, csds, table};
use polywire_call::ConfigError;
use polywire_naming::{SourceError, Watching};
use polywire_routing::{RouteTable, Router, RouterScheme, TableUpdates};
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};
use stream::{Event, Open, Stream};
use tokio::{
    sync::mpsc,
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};

/// `xds:///NAME` and `xds://AUTHORITY/NAME`, by the bootstrap of the environment, which is read once.
pub const SCHEME: RouterScheme = RouterScheme {
    name: "xds",
    open: |rest| {
        static BOOTSTRAP: OnceLock<Bootstrap> = OnceLock::new();
        let bootstrap = match BOOTSTRAP.get() {
            Some(bootstrap) => bootstrap,
            None => {
                let read = Bootstrap::from_env()?;
                BOOTSTRAP.get_or_init(|| read)
            }
        };
        Ok(Box::new(Xds::open(bootstrap.clone(), rest)?))
    },
};

/// Lines of log about refusals, for each target.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
/// The names of LOGICAL_DNS clusters are resolved so often, and after a failure.
const RESOLVE_EVERY: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(5)];
const RESOLVE_WITHIN: Duration = Duration::from_secs(5);

/// The routes of a target by the resources of control planes.
///
/// ```no_run
/// use polywire_xds::{Bootstrap, Xds};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bootstrap = Bootstrap::parse(
///     r#"{"xds_servers": [{"server_uri": "10.0.0.1:18000", "channel_creds": [{"type": "insecure"}]}],
///         "node": {"id": "shop-1"}}"#,
/// )?;
/// let routes = Xds::open(bootstrap, "/carts")?; // as xds:///carts
/// # let _ = routes;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Xds {
    bootstrap: Arc<Bootstrap>,
    listener: String,
    domain: String,
    name: String,
    dial: Open,
}

impl Xds {
    /// `rest`: the text after `xds://`: `/NAME`, or `AUTHORITY/NAME`.
    ///
    /// # Errors
    /// The text has another form, or the authority is not in the bootstrap.
    pub fn open(bootstrap: Bootstrap, rest: &str) -> Result<Xds, ConfigError> {
        let name = format!("xds://{rest}");
        let wrong = |why: &str| ConfigError::new("address", format!("{name:?}: {why}")).with_value(&name);
        let (authority, path) =
            rest.split_once('/').ok_or_else(|| wrong("write xds:///NAME: the name follows a third slash"))?;
        if path.is_empty() {
            return Err(wrong("the name is missing"));
        }
        let listener = bootstrap.listener(authority, path)?;
        let domain = percent_encoded(path);
        Ok(Xds { bootstrap: Arc::new(bootstrap), listener, domain, name, dial: Open::default() })
    }

    async fn run(&self, updates: &TableUpdates) -> Result<(), SourceError> {
        let core = Core::new(self.bootstrap.clone(), self.listener.clone(), self.domain.clone());
        let (sender, events) = mpsc::channel(1);
        let run = Run {
            xds: self,
            core,
            began: Instant::now(),
            tasks: JoinSet::new(),
            streams: BTreeMap::new(),
            names: BTreeMap::new(),
            sender,
            sources: table::Sources::new(),
            has_table: false,
            logged: None,
            asked: csds::joined(),
        };
        run.run(events, updates).await
    }
}

impl Router for Xds {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a TableUpdates) -> Watching<'a> {
        Box::pin(self.run(updates))
    }
}

/// All that runs for a target.
struct Run<'x> {
    xds: &'x Xds,
    core: Core,
    began: Instant,
    /// The tasks of streams and name look-ups; dropping them ends the tasks.
    tasks: JoinSet<()>,
    /// The streams by the number of the control plane.
    streams: BTreeMap<usize, Stream>,
    names: BTreeMap<String, tokio::task::AbortHandle>,
    sender: mpsc::Sender<Event>,
    sources: table::Sources,
    has_table: bool,
    logged: Option<Instant>,
    /// Requests for a report, from [`csds`].
    asked: mpsc::Receiver<csds::Asked>,
}

impl Run<'_> {
    async fn run(
        mut self,
        mut events: mpsc::Receiver<Event>,
        updates: &TableUpdates,
    ) -> Result<(), SourceError> {
        loop {
            let now = self.began.elapsed();
            self.core.tick(now);
            self.open(now);
            self.write(now);
            self.resolve();
            self.publish(updates)?;
            let until = self.core.deadline().map(|deadline| self.began + deadline);
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self.take(event),
                    None => return Err(SourceError::new("the client has ended")), // it keeps a sender itself
                },
                Some(asked) = self.asked.recv() => {
                    let began = SystemTime::now() - self.began.elapsed();
                    asked.answer(&self.core, &self.xds.name, began);
                }
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => {}
            }
        }
    }

    fn open(&mut self, now: Duration) {
        while let Some(plane) = self.core.opens(now) {
            let server = self.core.planes()[plane].server().clone();
            let stream = self.xds.dial.open(plane, &server, self.sender.clone(), &mut self.tasks);
            match stream {
                Ok(stream) => {
                    self.core.opened(plane, now);
                    self.streams.insert(plane, stream);
                }
                Err(why) => self.core.ended(plane, &why.to_string(), now, fastrand::f64()),
            }
        }
    }

    /// Hands the requests to the streams.
    fn write(&mut self, now: Duration) {
        let mut broken = Vec::new();
        for (plane, stream) in &self.streams {
            while let Some(request) = self.core.request(*plane, now) {
                if stream.send(request).is_err() {
                    broken.push(*plane);
                    break;
                }
            }
        }
        for plane in broken {
            self.streams.remove(&plane);
            self.core.ended(plane, "it does not read its requests", now, fastrand::f64());
        }
    }

    fn take(&mut self, event: Event) {
        let now = self.began.elapsed();
        match event {
            Event::Response { plane, stream, response } if self.is_current(plane, stream) => {
                if let Some(refused) = self.core.received(plane, response, now) {
                    self.log(&refused);
                }
            }
            Event::Ended { plane, stream, why } if self.is_current(plane, stream) => {
                self.streams.remove(&plane);
                self.core.ended(plane, &why, now, fastrand::f64());
                if let Some(error) = self.core.planes()[plane].error().map(str::to_owned) {
                    self.log(&error);
                }
            }
            Event::Response { .. } | Event::Ended { .. } => {} // of a stream that was given up
            Event::Addresses { name, found } => self.core.resolved(&name, found),
        }
    }

    fn is_current(&self, plane: usize, stream: u64) -> bool {
        self.streams.get(&plane).is_some_and(|current| current.id() == stream)
    }

    fn log(&mut self, what: &str) {
        if self.logged.is_none_or(|at| at.elapsed() >= LOG_INTERVAL) {
            self.logged = Some(Instant::now());
            tracing::warn!(target = self.xds.name, "xDS: {what}");
        }
    }

    /// Begins to resolve names that are needed, and stops resolving those that are not needed any more.
    fn resolve(&mut self) {
        let core = &self.core;
        self.names.retain(|name, task| {
            let needed = core.needs_host(name);
            if !needed {
                task.abort();
            }
            needed
        });
        for name in core.hosts().filter(|name| !self.names.contains_key(*name)).cloned().collect::<Vec<_>>() {
            let task = self.tasks.spawn(addresses(name.clone(), self.sender.clone()));
            self.names.insert(name, task);
        }
        // Those that have ended.
        while self.tasks.try_join_next().is_some() {}
    }

    fn publish(&mut self, updates: &TableUpdates) -> Result<(), SourceError> {
        let Some(news) = self.core.news() else { return Ok(()) };
        match news {
            Ok(snapshot) => match table::table(snapshot, &self.xds.name, &mut self.sources) {
                Ok(table) => {
                    self.has_table = true;
                    updates.table(table);
                }
                // More than a table may have: the one before stays.
                Err(error) => updates.failed(SourceError::new(error.to_string())),
            },
            // Calls that wait for their servers wait for the first table, too.
            Err(why) if !self.has_table => updates.failed(SourceError::new(why)),
            Err(why) => updates.table(RouteTable::failing(why)),
        }
        Ok(())
    }
}

/// Resolves a name at intervals.
async fn addresses(name: String, sender: mpsc::Sender<Event>) {
    loop {
        let found = match timeout(RESOLVE_WITHIN, tokio::net::lookup_host(&name)).await {
            Err(_) => Err(format!("no answer within {} s", RESOLVE_WITHIN.as_secs())),
            Ok(Err(error)) => Err(error.to_string()),
            Ok(Ok(found)) => {
                let mut found: Vec<SocketAddr> = found.take(1000).collect();
                found.sort_unstable();
                found.dedup();
                Ok(found)
            }
        };
        let pause = RESOLVE_EVERY[usize::from(found.is_err())];
        if sender.send(Event::Addresses { name: name.clone(), found }).await.is_err() {
            return;
        }
        sleep(pause.mul_f64(0.8 + 0.4 * fastrand::f64())).await;
    }
}
