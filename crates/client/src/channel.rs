//! A logical line to one address, shared by any number of callers on any threads.

#[cfg(feature = "__tls")]
use crate::tls::TlsConnect;
use crate::{
    call::{Call, Raw, Target, earlier},
    connector::Connector,
    dispatch::Dispatch,
    home::{Home, HomeId},
    link::{self, Link},
    plain::{self, Plain},
    stream::StreamCall,
    streaming::StreamingCall,
};
use polywire_base::IoBuf;
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{
    Caller, Config, Draft, Fault, Faults, Request, Sink, Source, Transport, transport::Broken,
};
use polywire_wire::{Connections, Content, Limits, Outcome, Protocol, Registry};
use std::{
    cell::RefCell,
    fmt, io,
    marker::PhantomData,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, AtomicUsize, Ordering::*},
    },
    time::{Duration, Instant},
};

/// Which protocols a channel can speak; the facade's `Channel` knows all that are built in.
pub trait Protocols: Send + Sync + 'static {
    fn registry() -> Registry;
}

/// Knows none: for channels that are given a registry.
pub struct NoProtocols;
impl Protocols for NoProtocols {
    fn registry() -> Registry {
        Registry::new(&[])
    }
}

/// A logical line to one address. Clones share connections; calls may come from any thread.
pub struct Channel<P = NoProtocols> {
    pub(crate) shared: Arc<Shared>,
    protocols: PhantomData<fn() -> P>,
}

impl<P> Clone for Channel<P> {
    fn clone(&self) -> Self {
        Channel { shared: self.shared.clone(), protocols: PhantomData }
    }
}

/// Why a channel could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChannelError {
    /// An option is wrong; the text names it.
    Config(String),
    /// [`Channel::connect`] found nobody.
    Connect(Status),
}
impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelError::Config(what) => f.write_str(what),
            ChannelError::Connect(status) => status.fmt(f),
        }
    }
}
impl std::error::Error for ChannelError {}

/// What a channel is made of. Everything but the address has a default.
#[must_use]
pub struct Builder<P = NoProtocols> {
    address: String,
    protocol: String,
    registry: Registry,
    options: Options,
    limits: Limits,
    connector: Connector,
    #[cfg(feature = "__tls")]
    tls: Option<TlsConnect>,
    protocols: PhantomData<fn() -> P>,
}

pub(crate) struct Options {
    pub timeout: Option<Duration>,
    pub connect_timeout: Duration,
    pub retries: u32,
    pub connections: usize,
    pub kind: Option<Connections>,
    pub credential: Vec<u8>,
    pub content: Option<Content>,
    /// Idle connections a pool keeps.
    pub pool: usize,
    /// Shards and runtimes that have connections of their own.
    pub homes: usize,
    pub unsent: usize,
    pub write_stall: Duration,
}

impl<P: Protocols> Channel<P> {
    /// A channel to `host:port`, `[v6]:port` or `unix:path`, which connects when first used.
    pub fn builder(address: impl Into<String>) -> Builder<P> {
        Builder {
            address: address.into(),
            protocol: "baidu_std".into(),
            registry: P::registry(),
            options: Options {
                timeout: Some(Duration::from_secs(1)),
                connect_timeout: Duration::from_millis(200),
                retries: 3,
                connections: 1,
                kind: None,
                credential: Vec::new(),
                content: None,
                pool: 100,
                homes: 64,
                unsent: 64 << 20,
                write_stall: Duration::from_secs(30),
            },
            limits: Limits::default(),
            connector: Connector::default(),
            #[cfg(feature = "__tls")]
            tls: None,
            protocols: PhantomData,
        }
    }

    /// A channel with all defaults, connected once to see that somebody is there.
    ///
    /// # Errors
    /// A bad address, or nobody there.
    pub async fn connect(address: impl Into<String>) -> Result<Self, ChannelError> {
        let channel = Self::builder(address).build()?;
        channel.probe().await?;
        Ok(channel)
    }
}

impl<P> Builder<P> {
    /// The wire protocol, by its name in the registry; a parameter may follow a colon (`http:proto`). Default
    /// `baidu_std`.
    pub fn protocol(mut self, name: impl Into<String>) -> Self {
        self.protocol = name.into();
        self
    }

    /// From the start of a call to its end, tries included. Default 1 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(timeout);
        self
    }

    /// Calls wait for as long as it takes.
    pub fn no_timeout(mut self) -> Self {
        self.options.timeout = None;
        self
    }

    /// Default 200 ms; a call's own deadline ends it earlier.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.options.connect_timeout = timeout;
        self
    }

    /// Further tries after connection-level failures and explicit refusals. Default 3, as brpc's `max_retry`. A call
    /// whose connection broke may have been executed: use 0 for what must not run twice.
    pub fn retries(mut self, most: u32) -> Self {
        self.options.retries = most.min(1000);
        self
    }

    /// How calls share connections. Default: the protocol's first choice.
    pub fn kind(mut self, kind: Connections) -> Self {
        self.options.kind = Some(kind);
        self
    }

    /// Connections per home that single-connection calls take in turn. Default 1.
    pub fn connections(mut self, connections: usize) -> Self {
        self.options.connections = connections.max(1);
        self
    }

    /// Shards and runtimes whose callers get connections of their own. Default 64. Callers elsewhere share those that are
    /// there; more homes mean fewer hand-overs between threads, and more connections for the server.
    pub fn max_homes(mut self, most: usize) -> Self {
        self.options.homes = most.max(1);
        self
    }

    /// Idle connections that a channel of kind [`Connections::Pooled`] keeps per home. Default 100, as brpc's
    /// `max_connection_pool_size`. 0 makes it behave as [`Connections::Short`].
    pub fn pool(mut self, most: usize) -> Self {
        self.options.pool = most;
        self
    }

    /// How byte streams are made, in place of TCP and Unix sockets: through a proxy, say, or to a server in the same
    /// process. `connect` is given the channel's address, runs where the connection will live, and is held to the connect
    /// timeout. Calls by [`Call::blocking`] then use a connection on a shard.
    pub fn connector<F, C, T>(mut self, connect: F) -> Self
    where
        F: Fn(&str) -> C + Send + Sync + 'static,
        C: Future<Output = io::Result<T>> + Send + 'static,
        T: Transport,
    {
        self.connector.custom(connect);
        self
    }

    /// Connections pass through TLS. The connect timeout holds for the handshake once more. Calls by [`Call::blocking`]
    /// then use a connection on a shard.
    #[cfg(feature = "__tls")]
    pub fn tls(mut self, tls: TlsConnect) -> Self {
        self.tls = Some(tls);
        self
    }

    /// What the first request of each connection carries to be let in.
    pub fn credential(mut self, credential: impl Into<Vec<u8>>) -> Self {
        self.options.credential = credential.into();
        self
    }

    /// Form of request bodies. Default: the protocol's own.
    pub fn content(mut self, content: Content) -> Self {
        self.options.content = Some(content);
        self
    }

    /// Bytes a connection may owe to its peer before further calls on it are refused with EOVERCROWDED. Default 64 MiB,
    /// brpc's `socket_max_unwritten_bytes`.
    pub fn max_unsent_bytes(mut self, bytes: usize) -> Self {
        self.options.unsent = bytes;
        self
    }

    /// How long a peer may take nothing of what it is owed before its connection is given up. Default 30 s.
    pub fn write_stall(mut self, limit: Duration) -> Self {
        self.options.write_stall = limit;
        self
    }

    /// Sizes and counts the peer is held to.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Protocols to choose from, in place of the ones built in.
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = registry;
        self
    }

    /// # Errors
    /// An option that is wrong, named in the text. No connection is made yet.
    #[cfg_attr(not(feature = "__tls"), allow(unused_mut))]
    pub fn build(mut self) -> Result<Channel<P>, ChannelError> {
        let wrong = |what: String| Err(ChannelError::Config(what));
        let Some(protocol) = self.registry.find(&self.protocol) else {
            let known: Vec<_> =
                self.registry.iter().filter(|p| p.machine.is_some()).map(|p| p.name).collect();
            return wrong(format!("unknown protocol {:?}; known are {}", self.protocol, known.join(", ")));
        };
        if protocol.machine.is_none() {
            return wrong(format!("protocol {} is recognised but not spoken yet", protocol.name));
        }
        let address = self.address;
        let valid = self.connector.is_custom()
            || address.starts_with("unix:")
            || address
                .rsplit_once(':')
                .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        if !valid {
            return wrong(format!("address {address:?} is not host:port or unix:path"));
        }
        let kind = self.options.kind.or(protocol.connections.first().copied()).unwrap_or(Connections::Single);
        if !protocol.connections.contains(&kind) {
            return wrong(format!("protocol {} does not allow {kind:?} connections", protocol.name));
        }
        let parameter = self.protocol.split_once(':').map_or("", |(_, parameter)| parameter);
        let Some(content) = (protocol.content)(parameter) else {
            return wrong(format!("protocol {} has no parameter {parameter:?}", protocol.name));
        };
        let content = self.options.content.unwrap_or(content);
        #[cfg(feature = "__tls")]
        if let Some(tls) = self.tls.take() {
            match tls.build(&address, (protocol.alpn)(parameter)) {
                Ok(secure) => self.connector.secure(secure),
                Err(what) => return wrong(format!("TLS: {what}")),
            }
        }
        let mut config = Config::new(self.registry);
        config.limits = self.limits;
        config.overfull = self.options.unsent;
        config.timeouts.write_stall = Some(self.options.write_stall);
        static IDS: AtomicU64 = AtomicU64::new(1);
        let shared = Arc::new(Shared {
            id: IDS.fetch_add(1, Relaxed),
            authority: address.clone(),
            address,
            parameter: parameter.to_owned(),
            protocol,
            kind,
            content,
            options: self.options,
            connector: self.connector,
            config: Arc::new(config),
            homes: Mutex::default(),
            plain: Mutex::default(),
            backoff: Mutex::default(),
            links: AtomicUsize::new(0),
            guest: AtomicUsize::new(0),
        });
        Ok(Channel { shared, protocols: PhantomData })
    }
}

impl<P> Channel<P> {
    /// Connects once and lets go: whether anybody is there, and whom TLS takes for the right one.
    ///
    /// # Errors
    /// [`ChannelError::Connect`]: nobody is.
    pub async fn probe(&self) -> Result<(), ChannelError> {
        let Shared { connector, address, options, .. } = &*self.shared;
        match connector.connect(address, options.connect_timeout).await {
            Ok(mut transport) => {
                transport.shutdown();
                Ok(())
            }
            Err(error) => Err(ChannelError::Connect(link::of_connect(address, &error))),
        }
    }

    /// A call with raw bytes both ways, for proxies and tools.
    pub fn call(&self, target: Target, body: impl Into<IoBuf>) -> Call<Raw> {
        Call::new(self.shared.clone(), target, Ok(body.into()))
    }

    /// A streaming call with raw bytes both ways.
    pub fn stream(&self, target: Target) -> StreamCall {
        StreamCall::new(self.shared.clone(), target)
    }

    /// A call whose body was encoded in [`Channel::content`]; what stubs are made of.
    pub fn typed<R>(&self, target: Target, body: Result<IoBuf, Status>) -> Call<R> {
        Call::new(self.shared.clone(), target, body)
    }

    /// A streaming call; what stubs are made of. `request`, encoded in [`Channel::content`], is the only message of our half
    /// where there is but one.
    pub fn opening<S>(&self, target: Target, request: Option<Result<IoBuf, Status>>) -> StreamingCall<S> {
        StreamingCall::new(self.shared.clone(), target, request)
    }

    /// Form of request bodies on this channel.
    pub fn content(&self) -> Content {
        self.shared.content
    }

    pub fn address(&self) -> &str {
        &self.shared.address
    }

    /// Name of the protocol it speaks.
    pub fn protocol(&self) -> &'static str {
        self.shared.protocol.name
    }

    /// What went wrong with connections, by cause.
    pub fn faults(&self) -> &Arc<Faults> {
        &self.shared.config.faults
    }

    /// Connections made so far.
    pub fn connections_made(&self) -> usize {
        self.shared.links.load(Relaxed)
    }
}

/// What a channel and its calls share.
pub(crate) struct Shared {
    id: u64,
    pub address: String,
    pub authority: String,
    pub parameter: String,
    pub protocol: &'static Protocol,
    pub kind: Connections,
    pub content: Content,
    pub options: Options,
    pub connector: Connector,
    pub config: Arc<Config>,
    homes: Mutex<Vec<PerHome>>,
    /// Connections that plain threads drive: the shared one first; pooled ones while they are idle.
    plain: Mutex<Vec<Arc<Plain>>>,
    backoff: Mutex<Backoff>,
    links: AtomicUsize,
    /// Which home's connections the next home beyond the bound shares.
    guest: AtomicUsize,
}

/// A home's connections.
struct PerHome {
    id: HomeId,
    /// Single: taken in turn. Fixed length.
    links: Vec<Arc<Link>>,
    /// Pooled: idle ones, the last returned first.
    idle: Vec<Arc<Link>>,
}

impl PerHome {
    fn is_in_use(&self) -> bool {
        self.links.iter().chain(&self.idle).any(|link| link.is_alive())
    }
}

/// Pause between attempts to connect: 10 ms after the first failure, doubled up to 1 s.
#[derive(Default)]
struct Backoff {
    pause: Duration,
    until: Option<Instant>,
    last: String,
}

/// What a call does in the pause after a failed connect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Patience {
    /// Fails with the last error.
    None,
    /// Waits for the next attempt.
    Pause,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A call that offers streams: its caller, its lease, and our ends of the streams.
pub(crate) type Offering = (Caller, Option<Lease>, Vec<(Source, Sink)>);

/// A connection for one call, and what happens to it afterwards.
pub(crate) struct Lease {
    pub link: Arc<Link>,
    home: HomeId,
}

impl Shared {
    /// Posts a call to the connection for the calling thread; a lease if the connection is this call's alone.
    #[inline]
    pub fn post(
        self: &Arc<Self>,
        draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Lease>), Status> {
        self.post_from(HomeId::current(), draft, patience)
    }

    #[inline]
    fn post_from(
        self: &Arc<Self>,
        home: HomeId,
        draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Lease>), Status> {
        if self.kind != Connections::Single {
            return self.post_alone(home, draft, patience);
        }
        let posted = NEAR.with_borrow_mut(|near| {
            match near.iter_mut().find(|near| near.channel == self.id && near.home == home) {
                Some(near) => near.post(draft),
                None => Err(draft),
            }
        });
        match posted {
            Ok(caller) => Ok((caller, None)),
            Err(draft) => self.post_far(home, draft, patience),
        }
    }

    /// As [`Shared::post`] where this thread knows no live connection.
    #[cold]
    fn post_far(
        self: &Arc<Self>,
        home: HomeId,
        mut draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Lease>), Status> {
        for _ in 0..POST_TRIES {
            match self.find_link(home, patience)?.post(draft) {
                Ok(caller) => return Ok((caller, None)),
                Err(back) => draft = back, // it ended between the two
            }
        }
        Err(ended())
    }

    /// Opens a stream; never tried twice, since nobody knows what the peer made of a stream that broke.
    pub fn post_stream(
        self: &Arc<Self>,
        request: Request,
    ) -> Result<((Source, Sink), Option<Lease>), Status> {
        for _ in 0..POST_TRIES {
            let (link, lease) = self.find(HomeId::current(), Patience::None)?;
            if let Some(both) = link.post_stream(request.clone(), &self.config.limits) {
                return Ok((both, lease)); // else it ended between the two
            }
        }
        Err(ended())
    }

    /// Posts a call that offers streams.
    pub fn post_offering(self: &Arc<Self>, mut draft: Draft, streams: usize) -> Result<Offering, Status> {
        for _ in 0..POST_TRIES {
            let (link, lease) = self.find(HomeId::current(), Patience::None)?;
            let (offers, ends): (Vec<_>, _) = (0..streams).map(|_| link.offer(&self.config.limits)).unzip();
            draft.offers = offers.into();
            match link.post(draft) {
                Ok(caller) => return Ok((caller, lease, ends)),
                Err(back) => draft = back,
            }
        }
        Err(ended())
    }

    /// A live connection, and a lease of it if it is to be this caller's alone.
    fn find(
        self: &Arc<Self>,
        home: HomeId,
        patience: Patience,
    ) -> Result<(Arc<Link>, Option<Lease>), Status> {
        if self.kind == Connections::Single {
            return Ok((self.find_link(home, patience)?, None));
        }
        let lease = self.lease_alone(home, patience)?;
        Ok((lease.link.clone(), Some(lease)))
    }

    /// A live connection of this home, which the thread will remember.
    fn find_link(self: &Arc<Self>, id: HomeId, patience: Patience) -> Result<Arc<Link>, Status> {
        let (links, live) = {
            let mut homes = lock(&self.homes);
            homes.retain(|home| home.id == id || home.is_in_use());
            let known = homes.iter().position(|home| home.id == id);
            let at = match known {
                Some(at) => at,
                None if homes.len() >= self.options.homes => self.guest.fetch_add(1, Relaxed) % homes.len(),
                None => {
                    homes.push(PerHome { id, links: Vec::new(), idle: Vec::new() });
                    homes.len() - 1
                }
            };
            let entry = &mut homes[at];
            let mut live = None;
            for n in 0..self.options.connections {
                if let Some(link) = entry.links.get(n).filter(|link| link.is_alive()) {
                    live.get_or_insert_with(|| link.clone());
                    continue;
                }
                let link = self.connect(id, patience)?;
                live = Some(link.clone()); // a new one: it has no calls yet
                match entry.links.get_mut(n) {
                    Some(old) => *old = link,
                    None => entry.links.push(link),
                }
            }
            (entry.links.clone(), live.expect("at least one connection"))
        };
        remember(Near { channel: self.id, home: id, links, next: 0 });
        Ok(live)
    }

    /// Pooled and short.
    fn post_alone(
        self: &Arc<Self>,
        home: HomeId,
        mut draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Lease>), Status> {
        for _ in 0..POST_TRIES {
            let lease = self.lease_alone(home, patience)?;
            match lease.link.post(draft) {
                Ok(caller) => return Ok((caller, Some(lease))),
                Err(back) => draft = back, // it ended while it was idle
            }
        }
        Err(ended())
    }

    /// Pooled and short: a connection that no other call uses.
    fn lease_alone(self: &Arc<Self>, id: HomeId, patience: Patience) -> Result<Lease, Status> {
        if self.kind == Connections::Pooled {
            let mut homes = lock(&self.homes);
            homes.retain(|home| home.id == id || home.is_in_use());
            let entry = per_home(&mut homes, id);
            while let Some(link) = entry.idle.pop() {
                if link.is_alive() {
                    return Ok(Lease { link, home: id });
                }
            }
        }
        Ok(Lease { link: self.connect(id, patience)?, home: id })
    }

    /// The call is over. `clean`: a reply was received, so that no late one can be taken for the next call's.
    #[cold]
    pub fn give_back(&self, lease: Lease, clean: bool) {
        match self.kind {
            Connections::Single => {} // nothing was leased
            Connections::Short => lease.link.close(),
            Connections::Pooled => {
                let mut homes = lock(&self.homes);
                if clean && lease.link.is_alive() {
                    let entry = per_home(&mut homes, lease.home);
                    if entry.idle.len() < self.options.pool {
                        return entry.idle.push(lease.link);
                    }
                }
                lease.link.close();
            }
        }
    }

    /// One try of a call from a plain thread.
    pub fn call_plain(
        self: &Arc<Self>,
        mut draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Outcome), Status> {
        if !self.connector.is_bare() {
            return self.call_parked(draft, patience);
        }
        for _ in 0..POST_TRIES {
            let connection = self.plain(draft.deadline, patience)?;
            match connection.call(draft) {
                Ok((caller, outcome)) => {
                    self.keep_plain(connection, &outcome);
                    return Ok((caller, outcome));
                }
                Err(back) => draft = back, // it ended between the two
            }
        }
        Err(ended())
    }

    /// Pooled: an idle connection waits for the next call.
    fn keep_plain(&self, connection: Arc<Plain>, outcome: &Outcome) {
        let clean = outcome.status.is_ok() || outcome.status.origin() == Origin::Remote;
        if self.kind == Connections::Pooled && connection.is_alive() && clean {
            let mut idle = lock(&self.plain);
            if idle.len() < self.options.pool {
                idle.push(connection);
            }
        }
    }

    /// As [`Shared::call_plain`] where the connection must live on a shard or runtime: parks until the call has ended.
    fn call_parked(self: &Arc<Self>, draft: Draft, patience: Patience) -> Result<(Caller, Outcome), Status> {
        let (mut caller, lease) = self.post_from(HomeId::of_waiting(), draft, patience)?;
        let outcome = plain::park_until(|cx| caller.poll_reply(cx));
        if let Some(lease) = lease {
            let clean = outcome.status.is_ok() || outcome.status.origin() == Origin::Remote;
            self.give_back(lease, clean);
        }
        Ok((caller, outcome))
    }

    /// Single: the one that all share. Else one that is this call's alone.
    fn plain(&self, deadline: Option<Instant>, patience: Patience) -> Result<Arc<Plain>, Status> {
        self.wait_out(deadline, patience);
        let mut idle = lock(&self.plain);
        idle.retain(|plain| plain.is_alive());
        match self.kind {
            Connections::Single => {
                if idle.is_empty() {
                    // Connecting under the lock: whoever comes meanwhile waits for this very connection.
                    self.check_backoff()?;
                    idle.push(Plain::connect(self, deadline)?);
                }
                Ok(idle[0].clone())
            }
            Connections::Pooled | Connections::Short => {
                if let Some(connection) = idle.pop() {
                    return Ok(connection);
                }
                drop(idle);
                self.check_backoff()?;
                Plain::connect(self, deadline)
            }
        }
    }

    /// Plain threads: sleeps while no connection is tried, if the caller would rather wait, and not past its deadline.
    fn wait_out(&self, deadline: Option<Instant>, patience: Patience) {
        let until = lock(&self.backoff).until;
        let now = Instant::now();
        if let Some(until) = until.filter(|until| patience == Patience::Pause && *until > now) {
            let until = earlier(Some(until), deadline).unwrap_or(until);
            std::thread::sleep(until.saturating_duration_since(now));
        }
    }

    /// When the next connection may be tried, if not now.
    fn pause(&self) -> Option<Instant> {
        lock(&self.backoff).until.filter(|until| Instant::now() < *until)
    }

    fn check_backoff(&self) -> Result<(), Status> {
        let backoff = lock(&self.backoff);
        if backoff.until.is_some_and(|until| Instant::now() < until) {
            let text = format!("{} (not tried again yet)", backoff.last);
            return Err(Status::unavailable(text).with_origin(Origin::Transport).unprocessed());
        }
        Ok(())
    }

    /// A new connection. In the pause after a failure it is tried when that is over, if the caller would rather wait: its
    /// deadline runs meanwhile.
    fn connect(self: &Arc<Self>, home: HomeId, patience: Patience) -> Result<Arc<Link>, Status> {
        let pause = match patience {
            Patience::Pause => self.pause(),
            Patience::None => self.check_backoff().map(|()| None)?,
        };
        self.links.fetch_add(1, Relaxed);
        let dispatch = Dispatch::new(&self.config);
        let link = dispatch.link().clone();
        Home::of(home).spawn(link::run(self.clone(), dispatch, pause)); // a home that has ended drops it, and so ends its calls
        Ok(link)
    }

    pub fn connect_failed(&self, error: &io::Error) {
        let fault = Broken::fault_of(error);
        if fault != Fault::Reset {
            self.config.faults.add(fault);
        }
        let mut backoff = lock(&self.backoff);
        backoff.pause = (backoff.pause * 2).clamp(Duration::from_millis(10), Duration::from_secs(1));
        backoff.until = Some(Instant::now() + backoff.pause);
        backoff.last = format!("cannot connect to {}: {error}", self.address);
    }

    pub fn connect_succeeded(&self) {
        *lock(&self.backoff) = Backoff::default();
    }
}

fn per_home(homes: &mut Vec<PerHome>, id: HomeId) -> &mut PerHome {
    let at = homes.iter().position(|home| home.id == id).unwrap_or_else(|| {
        homes.push(PerHome { id, links: Vec::new(), idle: Vec::new() });
        homes.len() - 1
    });
    &mut homes[at]
}

impl Drop for Shared {
    fn drop(&mut self) {
        for home in lock(&self.homes).drain(..) {
            home.links.iter().chain(&home.idle).for_each(|link| link.close());
        }
    }
}

/// How often a call looks for another connection when the one it was posted to ended just then.
const POST_TRIES: usize = 3;

#[cold]
fn ended() -> Status {
    brpc::status(brpc::EEOF, "the connection ended").with_origin(Origin::Transport).unprocessed()
}

/// Channels a thread remembers the connections of.
const NEAR_CHANNELS: usize = 64;

/// A thread's short way to a channel's connections.
struct Near {
    channel: u64,
    home: HomeId,
    links: Vec<Arc<Link>>,
    next: usize,
}

impl Near {
    /// To the next connection in turn, if it is alive.
    #[inline]
    fn post(&mut self, draft: Draft) -> Result<Caller, Draft> {
        self.next = if self.next + 1 >= self.links.len() { 0 } else { self.next + 1 };
        let link = &self.links[self.next];
        if link.is_alive() { link.post(draft) } else { Err(draft) }
    }
}

thread_local! {
    static NEAR: RefCell<Vec<Near>> = const { RefCell::new(Vec::new()) };
}

fn remember(new: Near) {
    let mut old = Vec::new(); // dropped outside of the borrow: the last owner of a connection's calls drops their wakers
    NEAR.with_borrow_mut(|near| {
        old.extend(near.extract_if(.., |near| near.channel == new.channel && near.home == new.home));
        if near.len() >= NEAR_CHANNELS {
            old.push(near.remove(0));
        }
        near.push(new);
    });
}
