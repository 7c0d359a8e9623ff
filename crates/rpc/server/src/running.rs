//! A running server: its listeners, its connections, and its end.

#[cfg(feature = "__tls")]
use crate::tls;
use crate::{
    AccessLog,
    certificates::Served,
    dispatch::Dispatch,
    door::{Door, Takes},
    ends::{Ends, OpenConnection},
    error::ServerError,
    facts::{HttpWay, LiveServer},
    group::Together,
    handover::{HandOver, Member, Next, Place, reached},
    health::Health,
    ledger::Ledger,
    limits::{Concurrency, ConnectionsReport, Limiter, MethodLimits, OverloadReport},
    metric_files::ServerFiles,
    metrics::Metrics,
    pages::ShowsServer,
    registration,
    router::Router,
    sampling,
    table::{Shared, SharedMethod, Table},
};
use polywire_base::later;
use polywire_dump::Recorder;
use polywire_engine::{
    ClosedConnections, Config, Connection, ConnectionStats, Engine, Faults, Peer, Shard, Signal,
    backlog::Shedding,
    clock, spawn_blocking, spawn_on,
    transport::{Listener, Transport},
};
use polywire_formats::json::Json;
use polywire_metrics::process::{EventKind, event};
use polywire_naming::{Registered, Registration};
use polywire_wire::Protocol;
use std::{
    collections::{HashMap, HashSet},
    fmt, io,
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering::*},
    },
    time::{Duration, Instant},
};
use tokio::{runtime, task::JoinHandle};

/// The parts that make up a running server.
pub(crate) struct Core {
    pub engine: Engine,
    pub shared: Arc<Shared>,
    pub door: Door,
    /// One table for each shard.
    pub tables: Vec<Arc<Table>>,
    pub config: Arc<Config>,
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
    fn attend(&self, on: &runtime::Handle, name: &str) {
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
        if let Some(files) = &self.shared.span_files {
            self.shared.stats.expose_span_files(name, files);
        }
        if let Some(files) = &self.metric_files {
            files.begin(Arc::downgrade(&self.shared.stats));
        }
        #[cfg(feature = "__tls")]
        self.door.tls.iter().for_each(|live| drop(spawn_on(on, tls::watch(Arc::downgrade(live)))));
    }

    fn host(
        self: &Arc<Self>,
        shard: &Arc<Shard>,
        attach: impl FnOnce() -> io::Result<Box<dyn Transport>> + Send + 'static,
        takes: Takes,
    ) {
        let core = self.clone();
        let arriving = Arriving::one(&self.arriving);
        shard.host(move |shard| {
            let transport = core.door.admit(attach()?, takes);
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

    /// Waits until all connections have ended, but not longer than `limit`. Returns the remaining ones. Only
    /// one task may wait at a time.
    async fn until_ended(&self, limit: Duration) -> Vec<Arc<ConnectionStats>> {
        let until = later(clock::now(), limit).into();
        let mut left = self.live_connections();
        while !left.is_empty() {
            if tokio::time::timeout_at(until, self.ends.notify.notified()).await.is_err() {
                return self.live_connections();
            }
            // Looks at each connection once, however many end one by one.
            while left.last().is_some_and(|connection| connection.is_over()) {
                left.pop();
            }
            if left.is_empty() {
                left = self.live_connections();
            }
        }
        left
    }

    /// Waits for connections that began to drain at `began`, up to the drain limit. Returns the remaining
    /// ones, and those that were closed earlier because their peers had fallen silent.
    async fn drained(&self, began: Instant) -> (Vec<Arc<ConnectionStats>>, Vec<AbortedConnection>) {
        let until = later(began, Duration::from_micros(self.drain.load(Relaxed)));
        let (mut silent, mut told, mut silence) = (Vec::new(), HashSet::new(), Silence::default());
        loop {
            let rest = until.saturating_duration_since(clock::now());
            let left = self.until_ended(rest.min(LOOK_EVERY)).await;
            let now = clock::now();
            if now >= until || (left.is_empty() && self.arriving.load(Acquire) == 0) {
                return (left, silent);
            }
            if left.is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let is_still =
                |c: &&Arc<ConnectionStats>| c.calls() == 0 && c.owed.load(Relaxed) == 0 && !c.lingers();
            for connection in left.iter().filter(is_still) {
                let has_spoken = connection.protocol().is_some() || connection.is_partial();
                let limit = if has_spoken { SILENCE } else { polywire_engine::NEW };
                // A connection that is accepted during the stop has its time, too.
                let since = if has_spoken { connection.last_active().max(began) } else { connection.since };
                if silence.has_lasted(connection.id, since, limit, now) && told.insert(connection.id) {
                    silent.extend(has_spoken.then(|| AbortedConnection::of(connection)));
                    connection.tell(Signal::Close);
                }
            }
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

    fn live_connections(&self) -> Vec<Arc<ConnectionStats>> {
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

/// A running server. Dropping it closes its listeners and connections, but does not wait until they are
/// closed; [`Running::stop`] drains the connections, and its ports are free when it returns.
pub struct Running {
    pub(crate) core: Arc<Core>,
    addresses: Vec<Peer>,
    accept: Option<runtime::Runtime>,
    /// The accepting tasks, one per listener, which own the listeners.
    accepting: Vec<JoinHandle<()>>,
    /// The registries to which the server is announced.
    registered: Vec<Registered>,
    /// How the listeners go to the next process.
    next: Option<Next>,
    /// Its part in that, as long as it accepts.
    member: Option<Member>,
}

/// A step of [`Lifecycle::before_ready`](crate::Lifecycle::before_ready).
pub(crate) type BeforeReady = Box<dyn FnOnce(&Running) -> io::Result<()> + Send>;

impl Running {
    /// Starts a server that accepts connections of these listeners.
    pub(crate) fn accept(
        core: Arc<Core>,
        listeners: Vec<(String, Listener, Takes)>,
        registrations: Vec<Registration>,
        (next, instead): (Option<Next>, Vec<Place>),
        before_ready: Vec<BeforeReady>,
    ) -> Result<Running, ServerError> {
        let (mut addresses, mut pages, mut handles) = (Vec::new(), Vec::new(), Vec::new());
        for (configured, listener, takes) in &listeners {
            let address = listener.local()?;
            if *takes == Takes::Pages {
                pages.push(address.clone());
            }
            addresses.push(address);
            if next.is_some() {
                handles.push((configured.clone(), listener.handle()?));
            }
        }
        let registrations = registration::addressed(registrations, addresses.first())?;
        // Accepting has a thread of its own, so that no handler on a shard delays it.
        let accept = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("polywire-accept")
            .enable_all()
            .build()?;
        let on = accept.handle().clone();
        // the core is new, so this is the first time
        let _ = (core.addresses.set(addresses.clone()), core.pages_addresses.set(pages));
        let member = next.as_ref().map(|next| next.hand_over.join(handles, &instead)).transpose()?;
        let accept = Some(accept);
        let (accepting, registered) = (Vec::new(), Vec::new());
        // If one of the next steps fails, its drop ends the runtime, which may not be dropped inside another.
        let mut running = Running { core, addresses, accept, accepting, registered, next, member };
        before_ready.into_iter().try_for_each(|step| step(&running))?;
        let alone = running.next.as_ref().filter(|next| next.is_alone).map(|next| next.hand_over.clone());
        let inside = on.enter();
        alone.iter().try_for_each(HandOver::begin)?;
        // The process before stops: nothing may fail from here on.
        if let Some(first) = running.addresses.first() {
            reopen_at_hangup(&running.core.shared.access_logs, &on);
            running.core.attend(&on, &prefix(first));
        }
        for ((_, listener, takes), address) in listeners.into_iter().zip(&running.addresses) {
            tracing::info!(%address, "listening");
            event(EventKind::Start, format!("listening at {address}"));
            let core = running.core.clone();
            let opened = running.next.as_ref().map(|next| next.hand_over.opened());
            running.accepting.push(spawn_on(&on, async move {
                if let Some(opened) = opened
                    && !opened.await
                {
                    return;
                }
                let host = core.clone();
                let result =
                    core.engine.accept(listener, move |shard, attach| host.host(shard, attach, takes)).await;
                if let Err(error) = result {
                    tracing::error!(%error, "a listener has ended: it accepts no further connections");
                }
            }));
        }
        running.registered = registration::announce(registrations, &on);
        alone.iter().for_each(HandOver::take_path);
        drop(inside);
        Ok(running)
    }

    /// Starts a server without listeners.
    pub(crate) fn without_listener(
        core: Arc<Core>,
        registrations: Vec<Registration>,
        before_ready: Vec<BeforeReady>,
    ) -> Result<Running, ServerError> {
        let registrations = registration::addressed(registrations, None)?;
        let mut running = Running {
            core,
            addresses: Vec::new(),
            accept: None,
            accepting: Vec::new(),
            registered: Vec::new(),
            next: None,
            member: None,
        };
        before_ready.into_iter().try_for_each(|step| step(&running))?;
        let shard = running.core.engine.least_busy();
        running.core.attend(shard.handle(), UNNUMBERED);
        running.registered = registration::announce(registrations, shard.handle());
        Ok(running)
    }

    /// The addresses on which the server listens, in the order of the `listen` calls, with the ports that the
    /// kernel chose.
    pub fn addresses(&self) -> &[Peer] {
        &self.addresses
    }

    /// Addresses and counters of the connections that are open now.
    pub fn connections(&self) -> Vec<Arc<ConnectionStats>> {
        self.core.connections()
    }

    /// Counters of the faults of connections, by cause.
    pub fn faults(&self) -> &Arc<Faults> {
        &self.core.shared.faults
    }

    /// The server's variables, for an exporter. Remains valid after the server has stopped.
    pub fn metrics(&self) -> Metrics {
        Metrics::new(self.core.shared.stats.clone())
    }

    /// The recorder of requests, if the server has one ([`Recording::dump`](crate::Recording::dump)).
    pub fn dump(&self) -> Option<&Arc<Recorder>> {
        self.core.shared.dump.as_ref()
    }

    /// The server's health, which can be set from anywhere.
    pub fn health(&self) -> &Health {
        &self.core.health
    }

    /// Replaces the server's limit of calls in flight.
    pub fn set_max_concurrency(&self, most: impl Into<Concurrency>) {
        self.core.shared.limiter.set(most);
    }

    /// Replaces the rules by which waiting calls are shed; `None`: all of them wait. See
    /// [`Bounds::shedding`](crate::Bounds::shedding).
    pub fn set_shedding(&self, shedding: impl Into<Option<Shedding>>) {
        self.core.shared.backlog.set(shedding);
    }

    /// Sets the maximum number of open connections; connections beyond a lower maximum stay open.
    pub fn set_max_connections(&self, most: usize) {
        self.core.most_connections.store(most, Relaxed);
    }

    /// The limit of calls in flight of a method, which can be changed; `None`: there is no such method.
    ///
    /// ```no_run
    /// # mod polywire { pub use polywire_server::*; }
    /// # fn change(running: polywire::Running) {
    /// if let Some(limiter) = running.method_limiter("shop.Orders", "Search") {
    ///     limiter.set("auto".parse::<polywire::Concurrency>().expect("a setting"));
    /// }
    /// # }
    /// ```
    pub fn method_limiter(&self, service: &str, method: &str) -> Option<Arc<Limiter>> {
        let mut methods = self.core.shared.methods.iter();
        let found = methods.find(|m| m.service == service && m.method.name() == method);
        found.map(|method| method.limiter.clone())
    }

    /// The decisions of the server's limits so far.
    pub fn overload(&self) -> OverloadReport {
        self.core.overload()
    }

    /// Checks the files of certificates and keys now, in addition to the check every second. True if they
    /// have changed; new connections then use the new contents.
    ///
    /// # Errors
    /// The fault in the files. The previous contents stay in use.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn reload_tls(&self) -> Result<bool, ServerError> {
        let live = self.core.door.tls.as_ref();
        live.map_or(Ok(false), |live| live.reload().map_err(|wrong| wrong.within("TLS").into()))
    }

    /// Serves a byte stream that was accepted elsewhere, or one in memory.
    pub fn serve_stream(&self, transport: impl Transport) {
        let transport: Box<dyn Transport> = Box::new(transport);
        self.core.host(self.core.engine.least_busy(), move || Ok(transport), Takes::Default);
    }

    /// Waits until another process has taken its listening sockets over
    /// ([`Lifecycle::hand_over`](crate::Lifecycle::hand_over)) and accepts connections. It is time to
    /// [stop](Running::stop) then.
    pub fn handed_over(&self) -> impl Future<Output = ()> + Send + use<> {
        let handed_over = self.next.as_ref().map(|next| next.hand_over.watch());
        async move {
            match handed_over {
                Some(handed_over) => reached(handed_over).await,
                None => std::future::pending().await,
            }
        }
    }

    /// What a server takes over that takes its place.
    pub(crate) fn place_of_listeners(&self) -> Option<Place> {
        self.member.as_ref().map(Member::place)
    }

    /// The registries to which the server is announced, with the state of each announcement.
    pub fn registrations(&self) -> &[Registered] {
        &self.registered
    }

    /// Stops the server: (1) it is withdrawn from the registries to which it is announced, while it still
    /// serves, (2) its health becomes `NotServing` for every service; these two steps are left out if another
    /// process has taken over, which is announced and serves there by now, (3) no new connection is accepted,
    /// (4) new requests are refused with ELOGOFF, over HTTP/2 by GOAWAY once that has reached the client, or
    /// served where the protocol has no refusal ([`Stopping`](polywire_wire::Stopping)), (5) every peer is
    /// notified in the way of its protocol, and its connection closes once its calls have ended, (6) after
    /// the drain limit, the remaining connections are closed; a connection without calls whose peer has sent
    /// a part of a request and then nothing for a second is closed at once. Returns the connections that were
    /// still busy then.
    pub async fn stop(self) -> Vec<AbortedConnection> {
        self.stopping().await
    }

    /// Behind a pointer, which keeps it out of the programs that await it.
    #[inline(never)]
    fn stopping(self) -> Pin<Box<dyn Future<Output = Vec<AbortedConnection>> + Send>> {
        Box::pin(self.stop_in_order())
    }

    async fn stop_in_order(mut self) -> Vec<AbortedConnection> {
        let registered = std::mem::take(&mut self.registered);
        let is_handed_over = self.next.as_ref().is_some_and(|next| next.hand_over.is_handed_over());
        if is_handed_over {
            self.core.health.end();
        } else {
            registration::withdraw(registered).await;
            self.core.health.stop();
        }
        self.accepting.iter().for_each(JoinHandle::abort);
        for accepting in std::mem::take(&mut self.accepting) {
            let _ = accepting.await; // its listener is closed then
        }
        self.member = None; // and no other descriptor of it is left
        if let Some(Next { hand_over, is_alone: true }) = &self.next {
            hand_over.end().await;
        }
        if let Some(accept) = self.accept.take() {
            accept.shutdown_background();
        }
        self.core.shared.begin_stop();
        let connections = self.core.connections();
        let began = clock::now();
        tracing::info!(
            connections = connections.len(),
            limit_ms = self.core.drain.load(Relaxed) / 1000,
            "stopping: calls in flight continue"
        );
        event(EventKind::Drain, format!("{} stops: {} connections", self.place(), connections.len()));
        connections.iter().for_each(|c| c.tell(Signal::Drain));
        drop(connections);
        let (left, mut list) = self.core.drained(began).await;
        // the state before they are closed
        list.extend(left.iter().map(|c| AbortedConnection::of(c)));
        tracing::info!(left = list.len(), "stopped");
        event(
            EventKind::Stop,
            format!("{} has stopped: {} connections were still busy", self.place(), list.len()),
        );
        left.iter().for_each(|c| c.tell(Signal::Close));
        drop(left);
        for log in &self.core.shared.access_logs {
            log.flushed(LOG_GRACE).await;
        }
        // The engine may end together with the server, and the connections need a moment to send their final
        // bytes.
        self.core.until_ended(CLOSE_GRACE).await;
        if let Some(dump) = self.core.shared.dump.clone() {
            let _ = spawn_blocking(move || dump.flush()).await; // it does not panic
        }
        if self.core.metric_files.is_some() {
            let core = self.core.clone();
            let finish = move || core.metric_files.iter().for_each(|files| files.finish(&core.shared.stats));
            let _ = spawn_blocking(finish).await; // it does not panic
        }
        if let Some(files) = self.core.shared.span_files.clone() {
            let flush = move || _ = files.flush();
            let _ = spawn_blocking(flush).await; // it does not panic
        }
        list
    }
}

impl Running {
    /// The server's addresses, for log events.
    fn place(&self) -> String {
        self.addresses
            .first()
            .map_or_else(|| "a server without listeners".to_owned(), |address| address.to_string())
    }
}

/// How often a stop checks for connections whose peers have fallen silent.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// A stop closes a connection without calls whose peer has been silent for this long in the middle of a
/// request or of a handshake.
const SILENCE: Duration = Duration::from_secs(1);

/// For each silent connection the beginning of its silence, and the number of checks since. On a machine so
/// busy that the checks are late, peers do not get to send either, so the elapsed time alone says nothing
/// about them.
#[derive(Default)]
struct Silence(HashMap<u64, (Instant, u32)>);

impl Silence {
    /// Whether the connection has been silent since `since` for `limit`, and through as many checks as fit in
    /// that time.
    fn has_lasted(&mut self, connection: u64, since: Instant, limit: Duration, now: Instant) -> bool {
        let (at, looks) = self.0.entry(connection).or_insert((since, 0));
        if *at != since {
            (*at, *looks) = (since, 0);
        }
        *looks += 1;
        now.saturating_duration_since(since) >= limit
            && *looks >= (limit.as_millis() / LOOK_EVERY.as_millis()) as u32
    }
}

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

/// Reopens the files of access logs at SIGHUP, which no longer ends the process then.
fn reopen_at_hangup(logs: &[AccessLog], on: &runtime::Handle) {
    use tokio::signal::unix::{SignalKind, signal};
    if logs.is_empty() {
        return;
    }
    let logs = logs.to_vec();
    let _inside = on.enter();
    match signal(SignalKind::hangup()) {
        Ok(mut hangup) => drop(spawn_on(on, async move {
            while hangup.recv().await.is_some() {
                logs.iter().for_each(AccessLog::reopen);
            }
        })),
        Err(error) => tracing::warn!(%error, "access logs are not opened anew at SIGHUP"),
    }
}

/// How long a stop waits for the access log to be written.
const LOG_GRACE: Duration = Duration::from_secs(1);
/// How long a stop waits for the connections that it closes.
const CLOSE_GRACE: Duration = Duration::from_millis(500);

/// A connection that was still busy at the drain limit, or whose peer had sent a part of a request and then
/// nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AbortedConnection {
    pub peer: Peer,
    /// `None`: no protocol was recognised yet.
    pub protocol: Option<&'static str>,
    /// Number of calls in flight.
    pub calls: u32,
    /// Number of bytes that the peer had not read.
    pub owed: u64,
    /// Whether a request had begun to arrive and was not complete.
    pub partial: bool,
}

impl AbortedConnection {
    fn of(connection_stats: &ConnectionStats) -> Self {
        AbortedConnection {
            peer: connection_stats.peer.clone(),
            protocol: connection_stats.protocol(),
            calls: connection_stats.calls(),
            owed: connection_stats.owed.load(Relaxed),
            partial: connection_stats.is_partial(),
        }
    }
}

impl fmt::Display for AbortedConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = self.protocol.unwrap_or("no protocol yet");
        write!(f, "{} ({protocol}): {} calls in flight, {} bytes unsent", self.peer, self.calls, self.owed)?;
        if self.partial { f.write_str(", part of a request has arrived") } else { Ok(()) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.core.health.stop();
        if let Some(accept) = self.accept.take() {
            accept.shutdown_background();
        }
        self.core.shared.begin_stop();
        self.core.connections().iter().for_each(|c| c.tell(Signal::Close));
    }
}

/// The prefix of a server's variables: brpc's `rpc_server_<port>`.
fn prefix(address: &Peer) -> String {
    match address {
        Peer::Ip(address) => format!("rpc_server_{}", address.port()),
        _ => UNNUMBERED.to_owned(), // it has no port
    }
}

const UNNUMBERED: &str = "rpc_server";

/// Resolves at SIGTERM or Ctrl-C. Signals are caught from the moment this returns.
///
/// # Errors
/// If the system cannot install the signal handler. Outside a tokio runtime it panics, as tokio does.
pub fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_what_was_looked_at_all_the_time() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let first = |looks: &[u64]| {
            let mut silence = Silence::default();
            looks.iter().copied().find(|&ms| silence.has_lasted(1, start, SILENCE, at(ms)))
        };
        assert_eq!(first(&[100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100]), Some(1000));
        assert_eq!(first(&[100, 3000, 3100]), None, "nobody had a processor for three seconds");
        let mut silence = Silence::default();
        let mut looks = (1..=30).map(|n| 100 * n);
        let spoke_at = |ms| if ms >= 500 { at(500) } else { start };
        assert_eq!(looks.find(|&ms| silence.has_lasted(1, spoke_at(ms), SILENCE, at(ms))), Some(1500));
    }
}
