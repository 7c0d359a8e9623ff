//! What a running server is made of, and the connections that it lets in.

#[cfg(feature = "__tls")]
use crate::tls;
use crate::{
    certificates::Served,
    dispatch::Dispatch,
    door::{Door, Takes},
    ends::{Ends, OpenConnection},
    facts::{HttpWay, LiveServer},
    group::Together,
    health::Health,
    ledger::Ledger,
    limits::{ConnectionsReport, MethodLimits, OverloadReport},
    metric_files::ServerFiles,
    networks::Networks,
    pages::ShowsServer,
    router::Router,
    sampling,
    table::{Shared, SharedMethod, Table},
};
#[cfg(feature = "__tls")]
use polywire_engine::spawn_on;
use polywire_engine::{
    ClosedConnections, Config, Connection, ConnectionStats, Engine, Fault, Faults, Peer, Shard, Signal,
    transport::Transport,
};
use polywire_formats::json::Json;
use polywire_metrics::process::{EventKind, event};
use polywire_wire::Protocol;
use std::{
    io,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering::*},
    },
};
use tokio::runtime;

/// The parts that make up a running server.
pub(crate) struct Core {
    pub engine: Engine,
    pub shared: Arc<Shared>,
    pub door: Door,
    /// One table for each shard.
    pub tables: Vec<Arc<Table>>,
    pub config: Arc<Config>,
    /// Whose peers may connect; `None`: everybody.
    pub networks: Option<Networks>,
    pub most_connections: Arc<AtomicUsize>,
    /// Connections that are open.
    pub open: Arc<AtomicUsize>,
    /// Connections beyond the limit, oldest first.
    pub reserved: Mutex<Vec<Weak<ConnectionStats>>>,
    /// Connections that were closed at once.
    pub turned_away: Arc<AtomicU64>,
    /// The drain limit in microseconds.
    pub drain: Arc<AtomicU64>,
    pub health: Health,
    /// Set once all listeners are bound.
    pub addresses: OnceLock<Vec<Peer>>,
    /// The addresses that serve only the pages.
    pub pages_addresses: OnceLock<Vec<Peer>>,
    pub connections: Mutex<Vec<Weak<ConnectionStats>>>,
    pub ends: Arc<Ends>,
    /// Connections that were accepted and are on their way to a shard.
    pub arriving: Arc<AtomicUsize>,
    /// Writes its variables to files.
    pub metric_files: Option<ServerFiles>,
    /// What shows the server's pages; `None` without them.
    pub shows: Option<Arc<dyn ShowsServer>>,
    pub has_pages: bool,
    /// The servers with which it is counted.
    pub group: Option<Arc<Together>>,
}

impl LiveServer for Core {
    fn methods(&self) -> &[SharedMethod] {
        &self.shared.methods
    }
    fn connections(&self) -> Vec<Arc<ConnectionStats>> {
        self.live_connections()
    }
    fn listeners(&self) -> Vec<Peer> {
        self.addresses.get().cloned().unwrap_or_default()
    }
    fn overload(&self) -> OverloadReport {
        Core::overload(self)
    }
    fn faults(&self) -> &Faults {
        &self.shared.faults
    }
    fn closed(&self) -> &ClosedConnections {
        &self.ends.closed
    }
    fn ledger(&self) -> &Ledger {
        &self.ends.ledger
    }
    fn protocols(&self) -> Vec<&'static str> {
        let is_seen = |protocol: &&Protocol| {
            protocol.machine.is_some() && protocol.detected_as.is_empty() && !protocol.client_only
        };
        let seen = self.config.protocols.iter().filter(is_seen);
        seen.filter(|protocol| (self.config.allowed)(protocol)).map(|protocol| protocol.name).collect()
    }
    fn certificates(&self) -> Option<Served> {
        #[cfg(feature = "__tls")]
        return self.door.tls.as_ref().map(|live| live.served());
        #[cfg(not(feature = "__tls"))]
        None
    }
    fn engine(&self) -> &Engine {
        &self.engine
    }
    fn serve(self: Arc<Self>, transport: Box<dyn Transport>) {
        // No TLS in memory.
        self.host(self.engine.least_busy(), move || Ok(transport), Takes::Plain);
    }
    fn http_ways(&self) -> Vec<HttpWay<'_>> {
        self.shared.http_ways()
    }
    fn json(&self) -> (Json, Json) {
        (self.shared.common.json, self.shared.common.rule_json)
    }
    fn is_pages_address(&self, local: &Peer) -> Option<bool> {
        let own = self.pages_addresses.get().filter(|own| !own.is_empty())?;
        Some(own.iter().any(|listener| is_at(listener, local)))
    }
}

/// Whether a connection to `local` was accepted by this listener.
fn is_at(listener: &Peer, local: &Peer) -> bool {
    match (listener, local) {
        (Peer::Ip(listener), Peer::Ip(local)) => {
            let is_ip = listener.ip().to_canonical() == local.ip().to_canonical();
            listener.port() == local.port() && (listener.ip().is_unspecified() || is_ip)
        }
        (Peer::Unix(Some(listener)), Peer::Unix(Some(local))) => listener == local,
        _ => false,
    }
}

impl Core {
    /// Starts the sampling that runs once a second, and exposes the server's variables under this name.
    pub(super) fn attend(&self, on: &runtime::Handle, name: &str) {
        match &self.group {
            Some(group) => group.attend(self, name),
            None => {
                let open = self.open.clone();
                self.shared.stats.expose(name, &self.shared.methods, &self.shared.faults);
                self.shared.stats.expose_connections(name, move || open.load(Relaxed));
                sampling::begin(&self.shared.stats, &self.engine, on);
            }
        }
        self.shared.stats.expose_hubs(name, &self.shared.receptions);
        if let Some(dump) = &self.shared.dump {
            self.shared.stats.expose_dump(name, dump);
        }
        if !self.shared.access_logs.is_empty() {
            self.shared.stats.expose_access_logs(name, &self.shared.access_logs);
        }
        if let Some(files) = &self.shared.span_files {
            self.shared.stats.expose_span_files(name, files);
        }
        if let Some(files) = &self.metric_files {
            files.begin(Arc::downgrade(&self.shared.stats));
        }
        #[cfg(feature = "__tls")]
        self.door.tls.iter().for_each(|live| drop(spawn_on(on, tls::watch(Arc::downgrade(live)))));
    }

    pub(super) fn host(
        self: &Arc<Self>,
        shard: &Arc<Shard>,
        attach: impl FnOnce() -> io::Result<Box<dyn Transport>> + Send + 'static,
        takes: Takes,
    ) {
        let core = self.clone();
        let arriving = Arriving::one(&self.arriving);
        shard.host(move |shard| {
            let transport = attach()?;
            if core.networks.as_ref().is_some_and(|networks| !networks.let_in(transport.peer())) {
                core.shared.faults.add(Fault::ForeignNetwork);
                return Err(io::Error::other("its network may not connect"));
            }
            let transport = core.door.admit(transport, takes);
            let table = &core.tables[shard.index()];
            let (peer, local) = (transport.peer().clone(), transport.local().clone());
            let Some((place, is_reserved)) = core.place_for(&peer, &local) else {
                return Err(io::Error::other("there are as many connections as there may be"));
            };
            let mut dispatch = Dispatch::new(table, shard, peer, local, core.config.clone());
            dispatch.set_place(place);
            let router = Router::new(table.clone(), dispatch.connection());
            let callers = core.knows_callers().then(|| dispatch.connection().identities().clone());
            let connection = Connection::server(transport, core.config.clone(), dispatch, router);
            if let Some(callers) = callers {
                callers.set_connection(connection.connection_stats());
                connection.connection_stats().set_callers(callers);
            }
            core.keep(connection.connection_stats());
            if is_reserved {
                core.displace(connection.connection_stats());
            }
            drop(arriving);
            Ok(connection)
        });
    }

    /// Whether callers may have a name.
    fn knows_callers(&self) -> bool {
        #[cfg(feature = "__tls")]
        let has_tls = self.door.tls.is_some();
        #[cfg(not(feature = "__tls"))]
        let has_tls = false;
        has_tls || self.shared.authenticator.is_some()
    }

    /// A place for a connection of this peer to this address, and whether it is a reserved one. Places are
    /// reserved for connections to the pages' own address, if there is one, and otherwise for peers on this
    /// machine.
    fn place_for(&self, peer: &Peer, local: &Peer) -> Option<(OpenConnection, bool)> {
        let (place, open) = OpenConnection::begin(&self.open);
        let most = self.most_connections.load(Relaxed);
        if open < most {
            return Some((place, false));
        }
        // Those that were displaced are not gone at once. Without pages there is nothing to reach.
        let is_room = self.has_pages && open < most.saturating_add(2 * RESERVED);
        if is_room && self.is_pages_address(local).unwrap_or_else(|| peer.is_local()) {
            return Some((place, true));
        }
        self.turn_away();
        None
    }

    #[cold]
    fn turn_away(&self) {
        self.turned_away.fetch_add(1, Relaxed);
        event(EventKind::Connections, "turned away: there are as many as there may be");
    }

    /// Puts a connection on a reserved place. If all are taken, it replaces the oldest reserved connection
    /// without a call under way, so that a client which keeps connections open, such as a proxy on this
    /// machine, does not lock an operator out.
    #[cold]
    fn displace(&self, newest: &Arc<ConnectionStats>) {
        let mut reserved = polywire_base::lock(&self.reserved);
        reserved.retain(|one| one.upgrade().is_some_and(|one| !one.is_over()));
        if reserved.len() >= RESERVED {
            let busy = |one: &Weak<ConnectionStats>| one.upgrade().is_some_and(|one| one.calls() > 0);
            let at = reserved.iter().position(|one| !busy(one)).unwrap_or(0);
            if let Some(displaced) = reserved.remove(at).upgrade() {
                displaced.tell(Signal::Close);
                self.turn_away();
            }
        }
        reserved.push(Arc::downgrade(newest));
    }

    fn keep(&self, connection_stats: &Arc<ConnectionStats>) {
        connection_stats.tell_end(self.ends.clone());
        let mut connections = polywire_base::lock(&self.connections);
        if connections.len() == connections.capacity() {
            connections.retain(|v| v.strong_count() > 0);
        }
        connections.push(Arc::downgrade(connection_stats));
        drop(connections);
        if self.shared.stopping.load(Acquire) {
            connection_stats.tell(Signal::Drain);
        }
    }

    /// The decisions of the limits so far.
    pub fn overload(&self) -> OverloadReport {
        let connections = ConnectionsReport {
            limit: Some(self.most_connections.load(Relaxed)).filter(|most| *most != usize::MAX),
            current: self.open.load(Relaxed),
            refused: self.turned_away.load(Relaxed),
        };
        OverloadReport { connections, ..overload_of(&self.shared) }
    }

    pub(super) fn live_connections(&self) -> Vec<Arc<ConnectionStats>> {
        let connections = polywire_base::lock(&self.connections);
        connections.iter().filter_map(Weak::upgrade).filter(|connection| !connection.is_over()).collect()
    }
}

/// The decisions of limits, without those about connections.
pub(crate) fn overload_of(shared: &Shared) -> OverloadReport {
    let methods = shared.methods.iter().filter(|method| !method.exempt);
    let limits = methods.map(|method| MethodLimits {
        service: method.service,
        method: method.method.name,
        concurrency: method.limiter.report(),
        memory: method.memory.as_ref().map(|memory| memory.report()),
    });
    OverloadReport {
        server: shared.limiter.report(),
        memory: shared.memory.as_ref().map(|memory| memory.report()),
        connections: ConnectionsReport { limit: None, current: 0, refused: 0 },
        backlog: shared.backlog.is_on().then(|| shared.backlog.report()),
        methods: limits.collect(),
    }
}

/// Connections that are let in beyond the limit, for pages.
const RESERVED: usize = 8;

/// Counts a connection until its shard has it.
struct Arriving(Arc<AtomicUsize>);

impl Arriving {
    fn one(all: &Arc<AtomicUsize>) -> Arriving {
        all.fetch_add(1, AcqRel);
        Arriving(all.clone())
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.0.fetch_sub(1, AcqRel); // pairs with the load in `drained`
    }
}
