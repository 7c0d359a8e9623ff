//! A logical line to one address, shared by any number of callers on any threads.

use crate::{
    call::{Call, Raw, Target},
    home::{Home, HomeId},
    link::{self, Link},
    plain::Plain,
};
use polywire_base::IoBuf;
use polywire_call::{Origin, Status};
use polywire_engine::{Config, Line, Request};
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
            },
            limits: Limits::default(),
            protocols: PhantomData,
        }
    }

    /// A channel with all defaults, connected once to see that somebody is there.
    ///
    /// # Errors
    /// A bad address, or nobody there.
    pub async fn connect(address: impl Into<String>) -> Result<Self, ChannelError> {
        let channel = Self::builder(address).build()?;
        let address = channel.shared.address.clone();
        let limit = channel.shared.options.connect_timeout;
        let probe = tokio::time::timeout(limit, polywire_engine::transport::connect(&address)).await;
        match probe {
            Ok(Ok(_)) => Ok(channel),
            Ok(Err(error)) => Err(ChannelError::Connect(
                Status::unavailable(format!("cannot connect to {address}: {error}"))
                    .with_origin(Origin::Transport),
            )),
            Err(_) => Err(ChannelError::Connect(
                Status::unavailable(format!("no connection to {address} within {limit:?}"))
                    .with_origin(Origin::Transport),
            )),
        }
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
    pub fn build(self) -> Result<Channel<P>, ChannelError> {
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
        let valid = address.starts_with("unix:")
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
        let mut config = Config::new(self.registry);
        config.limits = self.limits;
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
            config: Arc::new(config),
            homes: Mutex::default(),
            plain: Mutex::default(),
            backoff: Mutex::default(),
            links: AtomicUsize::new(0),
        });
        Ok(Channel { shared, protocols: PhantomData })
    }
}

impl<P> Channel<P> {
    /// A call with raw bytes both ways, for proxies and tools.
    pub fn call(&self, target: Target, body: impl Into<IoBuf>) -> Call<Raw> {
        Call::new(self.shared.clone(), target, Ok(body.into()))
    }

    /// A call whose body was encoded in [`Channel::content`]; what stubs are made of.
    pub fn typed<R>(&self, target: Target, body: Result<IoBuf, Status>) -> Call<R> {
        Call::new(self.shared.clone(), target, body)
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
    pub config: Arc<Config>,
    homes: Mutex<Vec<PerHome>>,
    /// Connections that plain threads drive: the shared one first; pooled ones while they are idle.
    plain: Mutex<Vec<Arc<Plain>>>,
    backoff: Mutex<Backoff>,
    links: AtomicUsize,
}

/// A home's connections.
struct PerHome {
    id: HomeId,
    /// Single: taken in turn. Fixed length.
    links: Vec<Arc<Link>>,
    /// Pooled: idle ones, the last returned first.
    idle: Vec<Arc<Link>>,
}

/// Pause between attempts to connect: 10 ms after the first failure, doubled up to 1 s.
#[derive(Default)]
struct Backoff {
    pause: Duration,
    until: Option<Instant>,
    last: String,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A connection for one call, and what happens to it afterwards.
pub(crate) struct Lease {
    pub link: Arc<Link>,
    home: HomeId,
}

impl Shared {
    /// Posts a call to the connection for the calling thread; a lease if the connection is this call's alone.
    #[inline]
    pub fn post(self: &Arc<Self>, request: Request) -> Result<(Arc<Line>, Option<Lease>), Status> {
        if self.kind != Connections::Single {
            let lease = self.lease_alone()?;
            return Ok((lease.link.post(request), Some(lease)));
        }
        let id = HomeId::current();
        NEAR.with_borrow_mut(|near| {
            if let Some(entry) = near.iter_mut().find(|near| near.channel == self.id && near.home == id) {
                entry.next = if entry.next + 1 >= entry.links.len() { 0 } else { entry.next + 1 };
                let link = &entry.links[entry.next];
                if link.is_alive() {
                    return Ok((link.post(request), None));
                }
            }
            Ok((self.find_link(id, near)?.post(request), None))
        })
    }

    #[cold]
    fn find_link(self: &Arc<Self>, id: HomeId, near: &mut Vec<Near>) -> Result<Arc<Link>, Status> {
        let home = Home::current();
        let mut homes = lock(&self.homes);
        let entry = per_home(&mut homes, id);
        while entry.links.len() < self.options.connections {
            entry.links.push(self.connect(&home)?);
        }
        let mut first = None;
        for link in &mut entry.links {
            if !link.is_alive() {
                *link = self.connect(&home)?;
                first.get_or_insert_with(|| link.clone());
            }
        }
        let links = entry.links.clone();
        drop(homes);
        let link = first.unwrap_or_else(|| links[0].clone());
        near.retain(|near| near.channel != self.id || near.home != id);
        if near.len() >= NEAR_CHANNELS {
            near.remove(0);
        }
        near.push(Near { channel: self.id, home: id, links, next: 0 });
        Ok(link)
    }

    /// Pooled and short: a connection that no other call uses.
    fn lease_alone(self: &Arc<Self>) -> Result<Lease, Status> {
        let id = HomeId::current();
        if self.kind == Connections::Pooled {
            let mut homes = lock(&self.homes);
            let entry = per_home(&mut homes, id);
            while let Some(link) = entry.idle.pop() {
                if link.is_alive() {
                    return Ok(Lease { link, home: id });
                }
            }
        }
        Ok(Lease { link: self.connect(&Home::current())?, home: id })
    }

    /// The call is over. `clean`: a reply was received, so that no late one can be taken for the next call's.
    #[cold]
    pub fn give_back(&self, lease: Lease, clean: bool) {
        match self.kind {
            Connections::Single => {} // nothing was leased
            Connections::Short => lease.link.close(),
            Connections::Pooled => {
                let mut homes = lock(&self.homes);
                let entry = per_home(&mut homes, lease.home);
                if clean && lease.link.is_alive() && entry.idle.len() < self.options.pool {
                    entry.idle.push(lease.link);
                } else {
                    lease.link.close();
                }
            }
        }
    }

    /// One try of a call from a plain thread.
    pub fn call_plain(&self, request: Request) -> Result<(Arc<Line>, Outcome), Status> {
        let connection = self.plain()?;
        let (line, outcome) = connection.call(request);
        if self.kind == Connections::Pooled && connection.is_alive() && outcome.status.is_ok() {
            let mut idle = lock(&self.plain);
            if idle.len() < self.options.pool {
                idle.push(connection);
            }
        }
        Ok((line, outcome))
    }

    /// Single: the one that all share. Else one that is this call's alone.
    fn plain(&self) -> Result<Arc<Plain>, Status> {
        let mut idle = lock(&self.plain);
        idle.retain(|plain| plain.is_alive());
        match self.kind {
            Connections::Single => {
                if idle.is_empty() {
                    // Connecting under the lock: whoever comes meanwhile waits for this very connection.
                    self.check_backoff()?;
                    idle.push(Plain::connect(self)?);
                }
                Ok(idle[0].clone())
            }
            Connections::Pooled | Connections::Short => {
                if let Some(connection) = idle.pop() {
                    return Ok(connection);
                }
                drop(idle);
                self.check_backoff()?;
                Plain::connect(self)
            }
        }
    }

    fn check_backoff(&self) -> Result<(), Status> {
        let backoff = lock(&self.backoff);
        if backoff.until.is_some_and(|until| Instant::now() < until) {
            let text = format!("{} (not tried again yet)", backoff.last);
            return Err(Status::unavailable(text).with_origin(Origin::Transport).unprocessed());
        }
        Ok(())
    }

    fn connect(self: &Arc<Self>, home: &Home) -> Result<Arc<Link>, Status> {
        self.check_backoff()?;
        self.links.fetch_add(1, Relaxed);
        let link = Link::new();
        home.spawn(link::run(self.clone(), link.clone()));
        Ok(link)
    }

    pub fn connect_failed(&self, error: &io::Error) {
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

/// Channels a thread remembers the connections of.
const NEAR_CHANNELS: usize = 64;

/// A thread's short way to a channel's connections.
struct Near {
    channel: u64,
    home: HomeId,
    links: Vec<Arc<Link>>,
    next: usize,
}

thread_local! {
    static NEAR: RefCell<Vec<Near>> = const { RefCell::new(Vec::new()) };
}
