//! Several servers of one program that are counted and shown as one: the listeners of a gateway.
//!
//! ```text
//!  server ─┐
//!  server ─┼─ count in ─► Group ◄─ reads ─ pages, at the port of another server
//!  server ─┘
//! ```
//!
//! They have one set of statistics, one budget of memory and one record of ended connections. What a server
//! decides by itself (limits, TLS, protocols, who may call) stays its own.

use crate::{
    certificates::Served,
    ends::Ends,
    facts::{Facts, HttpWay, LiveServer},
    ledger::Ledger,
    limits::{LimiterReport, OverloadReport},
    running::{Core, overload_of},
    sampling,
    stats::Stats,
    table::{Shared, SharedMethod},
};
use polywire_base::lock;
use polywire_call::ConfigError;
use polywire_engine::{
    ClosedConnections, ConnectionStats, Engine, Faults, Peer, clock, memory::Memory, transport::Transport,
};
use polywire_formats::json::Json;
use polywire_metrics::Registry;
use std::{
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Instant,
};

/// Servers that are counted together, see [`Server::group`](crate::Server::group), and shown together by the
/// pages of another one. Clones are the same group.
///
/// ```
/// # mod polywire { pub use polywire_server::*; }
/// use polywire::Group;
///
/// let group = Group::new();
/// // Server::new().group(&group).listen("127.0.0.1:8000").start()?
/// // Server::new().group(&group).listen("unix:/run/echo.sock").start()?
/// // Server::new().pages(Pages::default().of(&group)).listen("127.0.0.1:9900").start()?
/// # let _ = group;
/// ```
#[derive(Clone)]
pub struct Group(Arc<Together>);

/// What the servers of a group share.
pub(crate) struct Together {
    since: Instant,
    pub faults: Arc<Faults>,
    ends: Arc<Ends>,
    memory: OnceLock<Option<Arc<Memory>>>,
    stats: OnceLock<Arc<Stats>>,
    /// The first server that was built: what does not differ between them.
    first: OnceLock<First>,
    members: Mutex<Vec<Weak<Core>>>,
    is_sampled: AtomicBool,
}

struct First {
    shared: Arc<Shared>,
    facts: Facts,
    engine: Engine,
    json: (Json, Json),
}

impl Default for Group {
    fn default() -> Self {
        Group::new()
    }
}

impl Group {
    /// A group without servers.
    pub fn new() -> Group {
        Group(Arc::new(Together {
            since: clock::now(),
            faults: Arc::default(),
            ends: Arc::default(),
            memory: OnceLock::new(),
            stats: OnceLock::new(),
            first: OnceLock::new(),
            members: Mutex::default(),
            is_sampled: AtomicBool::new(false),
        }))
    }

    /// The facts of all of its servers together; `None`: none was built yet. They hold as long as the group.
    pub fn facts(&self) -> Option<Facts> {
        let live: Weak<dyn LiveServer> = Arc::downgrade(&(self.0.clone() as Arc<dyn LiveServer>));
        let first = self.0.first.get()?;
        Some(Facts { since: self.0.since, live, ..first.facts.clone() })
    }

    pub(crate) fn shared(&self) -> Arc<Together> {
        self.0.clone()
    }
}

impl Together {
    /// The statistics of all, made with the first server.
    ///
    /// # Errors
    /// This server has other methods: their figures would have no place.
    pub fn stats(&self, methods: &[SharedMethod], registry: Registry) -> Result<Arc<Stats>, ConfigError> {
        let stats = self.stats.get_or_init(|| Stats::new(methods, registry)).clone();
        let has_them = |first: &First| {
            let names = |methods: &[SharedMethod]| methods.iter().map(|one| *one.watched).collect::<Vec<_>>();
            names(&first.shared.methods) == names(methods)
        };
        if stats.methods.len() != methods.len() || !self.first.get().is_none_or(has_them) {
            let text = "group(..): servers of a group have the same methods";
            return Err(ConfigError::new("group", text));
        }
        Ok(stats)
    }

    /// The budget of all, which is that of the first server.
    pub fn memory(&self, own: impl FnOnce() -> Option<Arc<Memory>>) -> Option<Arc<Memory>> {
        self.memory.get_or_init(own).clone()
    }

    /// Where ends of connections are recorded, beside what one server waits for.
    pub fn ends(&self) -> Ends {
        Ends { closed: self.ends.closed.clone(), ledger: self.ends.ledger.clone(), ..Ends::default() }
    }

    /// A server is built.
    pub fn join(&self, core: &Arc<Core>, facts: &Facts) {
        self.first.get_or_init(|| First {
            shared: core.shared.clone(),
            facts: facts.clone(),
            engine: core.engine.clone(),
            json: core.json(),
        });
        let mut members = lock(&self.members);
        members.retain(|member| member.strong_count() > 0);
        members.push(Arc::downgrade(core));
    }

    /// Begins to sample the variables, with the first server that serves. The threads are those of the
    /// engine, since that server may end before others.
    pub fn attend(self: &Arc<Self>, core: &Core, name: &str) {
        if self.is_sampled.swap(true, Relaxed) {
            return;
        }
        let stats = &core.shared.stats;
        stats.expose(name, &core.shared.methods, &self.faults);
        let group = Arc::downgrade(self);
        let open = move || {
            let members = group.upgrade().map_or_else(Vec::new, |group| group.all());
            members.iter().map(|member| member.open.load(Relaxed)).sum()
        };
        stats.expose_connections(name, open);
        sampling::begin(stats, &core.engine, core.engine.work());
    }

    fn all(&self) -> Vec<Arc<Core>> {
        lock(&self.members).iter().filter_map(Weak::upgrade).collect()
    }

    fn first(&self) -> &First {
        self.first.get().expect("facts exist only with it")
    }
}

impl LiveServer for Together {
    fn methods(&self) -> &[SharedMethod] {
        &self.first().shared.methods
    }
    fn connections(&self) -> Vec<Arc<ConnectionStats>> {
        self.all().iter().flat_map(|member| member.connections()).collect()
    }
    fn listeners(&self) -> Vec<Peer> {
        self.all().iter().flat_map(|member| member.listeners()).collect()
    }
    /// Limits are those of the first server, the rest is of all.
    fn overload(&self) -> OverloadReport {
        let mut reports = self.all().into_iter().map(|member| member.overload());
        let mut all = reports.next().unwrap_or_else(|| overload_of(&self.first().shared));
        for report in reports {
            add(&mut all.server, &report.server);
            let methods = all.methods.iter_mut().zip(&report.methods);
            methods.for_each(|(all, one)| add(&mut all.concurrency, &one.concurrency));
            all.connections.current += report.connections.current;
            all.connections.refused += report.connections.refused;
        }
        all
    }
    fn faults(&self) -> &Faults {
        &self.faults
    }
    fn closed(&self) -> &ClosedConnections {
        &self.ends.closed
    }
    fn ledger(&self) -> &Ledger {
        &self.ends.ledger
    }
    fn protocols(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for name in self.all().iter().flat_map(|member| member.protocols()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
    fn certificates(&self) -> Option<Served> {
        let mut served = self.all().into_iter().filter_map(|member| member.certificates());
        let first = served.next()?;
        Some(served.fold(first, |mut all, one| {
            all.certificates.extend(one.certificates);
            all.broken = all.broken.or(one.broken);
            all.loaded = all.loaded.max(one.loaded);
            all
        }))
    }
    fn engine(&self) -> &Engine {
        &self.first().engine
    }
    fn serve(self: Arc<Self>, transport: Box<dyn Transport>) {
        if let Some(member) = self.all().into_iter().next() {
            member.serve(transport);
        }
    }
    fn is_pages_address(&self, _: &Peer) -> Option<bool> {
        None
    }
    fn http_ways(&self) -> Vec<HttpWay<'_>> {
        self.first().shared.http_ways()
    }
    fn json(&self) -> (Json, Json) {
        self.first().json
    }
}

fn add(all: &mut LimiterReport, one: &LimiterReport) {
    all.current += one.current;
    all.highest = all.highest.max(one.highest);
    all.refused += one.refused;
}
