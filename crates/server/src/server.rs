//! The server as it is put together; `running.rs` has what becomes of it.

#[cfg(feature = "__tls")]
use crate::tls::Tls;
#[cfg(feature = "tower")]
use crate::tower;
use crate::{
    Running,
    auth::{AnyAuthenticator, Authenticator, Guard},
    checks,
    door::{Door, Takes},
    health::Health,
    limit::Limiter,
    middleware::{self, Middleware},
    pages::{self, Facts, Methods, ServerFacts},
    running::Core,
    servable::Servable,
    service::Service,
    standard::{About, AboutService},
    stop_signal,
    table::{self, Defaults, Shared, Table},
};
use polywire_call::Status;
use polywire_engine::{
    Authenticate, Config, Engine, Peer, Timeouts, clock,
    transport::{self, Listener},
};
use polywire_formats::json::Json;
use polywire_hub::Reception;
#[cfg(feature = "tower")]
use polywire_wire::HttpVersion;
use polywire_wire::{Claim, Extensions, Limits, Origins, Protocol, Protocols, Registry};
use std::{
    any::Any,
    fmt, io,
    marker::PhantomData,
    sync::{Arc, Mutex, OnceLock, Weak},
    time::Duration,
};

/// What a server has before anything is added to it; the facade's `Server` has all built-in protocols and gRPC's standard
/// services.
pub trait Preset: Protocols {
    /// Services that such a server has of its own accord. One of the user's with the same name replaces them.
    fn services(_about: &About) -> Vec<Service> {
        Vec::new()
    }
}

/// Services on listeners, before they run.
#[must_use]
pub struct Server<P> {
    protocols: PhantomData<fn() -> P>,
    registry: Registry,
    services: Vec<Service>,
    middleware: Vec<Arc<dyn Middleware>>,
    addresses: Vec<(String, Takes)>,
    #[cfg(feature = "__tls")]
    tls: Option<Tls>,
    #[cfg(feature = "__tls")]
    plain_beside_tls: bool,
    engine: Option<Engine>,
    limits: Limits,
    timeouts: Timeouts,
    max_concurrency: u32,
    authenticator: Option<Arc<dyn AnyAuthenticator>>,
    origins: Origins,
    guards: Vec<(&'static str, Guard)>,
    /// What was said that keeps it from starting.
    wrong: Option<String>,
    enabled: Option<Vec<String>>,
    version: Option<String>,
    pages: bool,
    open_pages: Vec<String>,
    health: Health,
    open_reflection: bool,
    extensions: Extensions,
    receptions: Vec<Arc<dyn Reception>>,
    drain: Duration,
    inline_budget: Duration,
    json: Json,
    backlog: u32,
}

/// Why a server did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerError {
    /// An option or a service is wrong; the text names it.
    Config(String),
    /// The system refused.
    Io(io::Error),
}
impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::Config(what) => f.write_str(what),
            ServerError::Io(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for ServerError {}
impl From<io::Error> for ServerError {
    fn from(error: io::Error) -> Self {
        ServerError::Io(error)
    }
}

impl<P: Preset> Default for Server<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Preset> Server<P> {
    /// A server without services that listens nowhere.
    pub fn new() -> Self {
        Server {
            protocols: PhantomData,
            registry: P::registry(),
            services: Vec::new(),
            middleware: Vec::new(),
            addresses: Vec::new(),
            #[cfg(feature = "__tls")]
            tls: None,
            #[cfg(feature = "__tls")]
            plain_beside_tls: false,
            engine: None,
            limits: Limits::default(),
            timeouts: Timeouts::default(),
            max_concurrency: 0,
            authenticator: None,
            origins: Origins::default(),
            guards: Vec::new(),
            wrong: None,
            enabled: None,
            version: None,
            pages: true,
            open_pages: Vec::new(),
            health: Health::default(),
            open_reflection: false,
            extensions: Extensions::default(),
            receptions: Vec::new(),
            drain: Duration::from_secs(10),
            inline_budget: table::INLINE_BUDGET,
            json: Json::DEFAULT,
            backlog: 1024,
        }
    }

    /// What `application/json` means over HTTP and baidu_std. Default: [`Json::DEFAULT`], brpc's mapping with values checked;
    /// [`Json::LENIENT`] takes and leaves out what does not fit as brpc does, [`Json::CANONICAL`] and [`Json::STRICT`] are
    /// protobuf's own mapping. `application/proto-json`, gRPC's and Connect's JSON and that of ZeroMQ's calls are canonical
    /// always.
    pub fn json(mut self, json: Json) -> Self {
        self.json = json;
        self
    }

    /// Adds what the server is to serve: a service of generated code (`Echo.into_service()`), or what one protocol has in
    /// place of services: `redis::service(..)`, a `zmq::Port`, `rest_rpc::Functions`, `nshead::service(..)`, or a
    /// [`Servable`] of another crate. May be said several times.
    pub fn service(self, what: impl Servable) -> Self {
        what.add_to(self)
    }

    /// Answers this protocol as well, which is not built in. It is asked about the first bytes of a connection before the
    /// others.
    ///
    /// The server does not start if it has a protocol of this name already.
    pub fn protocol(mut self, protocol: &'static Protocol) -> Self {
        if self.registry.find(protocol.name).is_some() {
            let name = protocol.name;
            self.wrong
                .get_or_insert_with(|| format!("protocol({name}): there is a protocol of this name already"));
        }
        self.registry = self.registry.with(protocol);
        self
    }

    pub(crate) fn with_service(mut self, service: Service) -> Self {
        self.services.push(service);
        self
    }

    /// Runs `middleware` around the handler of every call: a log of calls, request ids, authorization by method, spans. What is
    /// added first is the outermost. It sees the calls of all protocols and kinds that reach a method of the application's own,
    /// its services beside RPC and the fallback among them; not the built-in pages and services, and no request that was refused
    /// before (unknown methods, limits, the authenticator).
    ///
    /// A middleware may refuse ([`Ended::from`] a status, or `Err` of one), leave values for the handler
    /// ([`Context::set_extension`]), and add fields to the reply ([`Context::reply_metadata`], [`Ended::metadata`]).
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.middleware.push(Arc::new(middleware));
        self
    }

    /// Hands every request over HTTP that no service here answers to a service of the `tower` family, an `axum::Router` say;
    /// gRPC too, so that a `tonic` server's routes can go on beside ours. The root path is the router's.
    #[cfg(feature = "tower")]
    pub fn fallback(self, mounted: impl tower::Mount) -> Self {
        self.service(tower::service(mounted))
    }

    /// Listens on `host:port`, `[v6]:port` (port 0: the kernel chooses) or `unix:path`. May be said several times.
    pub fn listen(mut self, address: impl Into<String>) -> Self {
        self.addresses.push((address.into(), Takes::Default));
        self
    }

    /// As [`Server::listen`], for plain text only where the server speaks TLS: for a health check on an address of its own,
    /// say. What reaches it needs no client certificate.
    pub fn listen_plain(mut self, address: impl Into<String>) -> Self {
        self.addresses.push((address.into(), Takes::Plain));
        self
    }

    /// Speaks TLS, and refuses plain text except where [`Server::listen_plain`] listens. A client that agrees on a protocol
    /// by ALPN is held to it.
    #[cfg(feature = "__tls")]
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Answers plain text as well, on the ports that speak TLS: while clients are moved from one to the other. Credentials
    /// may then travel in clear, and whoever is on the path can read and change calls.
    ///
    /// Not together with client certificates that are required: a peer without one would come by plain text, so
    /// [`Server::start`] refuses it.
    #[cfg(feature = "__tls")]
    pub fn plain_beside_tls(mut self) -> Self {
        self.plain_beside_tls = true;
        self
    }

    /// The engine to run on. Default: the process's default engine, one shard per core.
    pub fn engine(mut self, engine: &Engine) -> Self {
        self.engine = Some(engine.clone());
        self
    }

    /// Calls under way at once, over all methods; more are refused with ELIMIT. Default 0: no bound.
    pub fn max_concurrency(mut self, most: u32) -> Self {
        self.max_concurrency = most;
        self
    }

    /// Sizes and counts a peer is held to.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Time limits of connections.
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Nothing is dispatched before this let the caller in: `|caller: Caller| async move { .. }`, or a type that implements
    /// [`Authenticator`].
    pub fn authenticate(mut self, authenticator: impl Authenticator) -> Self {
        self.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Peers of this protocol need the consent of `verify` as well, which is asked before the authenticator, and also where
    /// there is none. For protocols that come with a decision of their own, as ZeroMQ's port does; it must not block.
    ///
    /// It decides about the peer and its credential, not about a request: [`Claim::head`] is `None`, and its consent holds for
    /// whatever comes with the same credential on the connection. It is asked about all requests, those that need no credential
    /// (`/health`, methods that are open to all) included.
    ///
    /// HTTP has two names, `http` and `h2`: guard both. `baidu_std` includes streaming_rpc. The server does not start with the
    /// name of a protocol that it does not know by that name, or does not answer.
    pub fn guard(
        mut self,
        protocol: &'static str,
        verify: impl Fn(&Claim<'_>, &Peer) -> Result<(), Status> + Send + Sync + 'static,
    ) -> Self {
        self.guards.push((protocol, Box::new(verify)));
        self
    }

    /// Pages of this origin (`https://app.example.com`) may call over HTTP: grpc-web, Connect, JSON. May be said several
    /// times; `*` lets pages of all origins in. Default: only pages that this server itself served, since else any page
    /// that a browser shows could call a server the browser can reach.
    pub fn cross_origin(mut self, origin: &str) -> Self {
        self.origins.allowed.extend(origin.split(',').map(|one| one.trim().to_owned()));
        self
    }

    /// A name under which this server is reached over HTTP (`tool.corp`, with or without a port); addresses and `localhost`
    /// need not be named. May be said several times. Once it is said, HTTP requests under other names are refused.
    ///
    /// Default: any name, except for a page in a browser that came over plain HTTP from the same name, for browsers that reach
    /// a loopback address over plain HTTP, and for pages that answer their own machine only: whoever owns a name may point it
    /// to this server behind the browser's back, and what his page calls would look like calls of the server's own. At other
    /// addresses a GET of such a page cannot be told from others: a server there that relies on who can reach it says its names.
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.origins.hosts.push(name.into());
        self.origins.only_hosts = true;
        self
    }

    /// Answers only these protocols, by name. `grpc` allows HTTP/2, `grpc-web` and `connect` both versions of HTTP, each as a
    /// whole: no first bytes tell them from other calls there. Default: all that the registry has.
    ///
    /// The server does not start with a name that it would answer to nobody, or with none.
    pub fn protocols<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.enabled = Some(names.into_iter().map(str::to_owned).collect());
        self
    }

    /// What `/version` says. Default: the names of the services.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Its health, to be set from anywhere.
    pub fn health(&self) -> Health {
        self.health.clone()
    }

    /// Shows the schemas of its services to everybody who asks by gRPC reflection. Default: to peers on the same machine.
    pub fn reflection(mut self) -> Self {
        self.open_reflection = true;
        self
    }

    /// Nothing but the services that were added: no pages (`/health`, `/status` and the like), and no gRPC health,
    /// reflection and channelz.
    pub fn without_pages(mut self) -> Self {
        self.pages = false;
        self
    }

    /// Shows a page, `metrics` say, without asking for a credential, as `/health` always is: to a Prometheus that has none. May be
    /// said several times. Whoever reaches the port then reads it; a [guard](Self::guard) of HTTP is asked all the same.
    ///
    /// The server does not start if it has no such page.
    pub fn open_page(mut self, name: impl Into<String>) -> Self {
        self.open_pages.push(name.into());
        self
    }

    /// Settings of one protocol, as that protocol defines them; of each type once. For [`Servable`]s.
    pub fn extension<T: Any + Send + Sync>(mut self, settings: Arc<T>) -> Self {
        if self.extensions.get::<T>().is_some() {
            let what = std::any::type_name::<T>();
            self.wrong
                .get_or_insert_with(|| format!("{what} is there twice: a protocol has its settings once"));
        }
        self.extensions.insert(settings);
        self
    }

    /// Who gives seats to peers of sockets that span connections (ZeroMQ's, subscribers of rest_rpc). May be said several
    /// times; the first whose peer it is decides. Peers that are nobody's may call methods.
    pub fn reception(mut self, reception: Arc<dyn Reception>) -> Self {
        self.receptions.push(reception);
        self
    }

    /// How long a stop waits for calls under way. Default 10 s.
    pub fn drain_limit(mut self, limit: Duration) -> Self {
        self.drain = limit;
        self
    }

    /// CPU time of a poll that still counts as quick, see `polywire_engine::inline`. Default 100 µs.
    pub fn inline_budget(mut self, budget: Duration) -> Self {
        self.inline_budget = budget;
        self
    }

    /// Starts, and returns once all listeners accept.
    ///
    /// # Errors
    /// An option or service that is wrong, or an address that cannot be had, named in the text.
    pub fn start(mut self) -> Result<Running, ServerError> {
        let addresses = std::mem::take(&mut self.addresses);
        self.origins.hosts.extend(addresses.iter().filter_map(|(address, _)| host_of(address)));
        if addresses.is_empty() {
            return Err(ServerError::Config("no address: say .listen(\"host:port\")".into()));
        }
        let mut listeners = Vec::new();
        for (address, takes) in &addresses {
            listeners.push((transport::bind(address, self.backlog)?, *takes));
        }
        Running::accept(self.core()?, listeners)
    }

    /// Starts on a listener that was bound elsewhere.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn serve(self, listener: std::net::TcpListener) -> Result<Running, ServerError> {
        listener.set_nonblocking(true)?;
        Running::accept(self.core()?, vec![(Listener::Tcp(listener), Takes::Default)])
    }

    /// Starts without a port, for streams that [`Running::serve_stream`] is given.
    ///
    /// # Errors
    /// As [`Server::start`]; also if it was told to listen.
    pub fn start_unheard(self) -> Result<Running, ServerError> {
        match self.addresses.first() {
            Some((address, _)) => {
                Err(ServerError::Config(format!("listen({address:?}): such a server has no port of its own")))
            }
            None => Ok(Running::unheard(self.core()?)),
        }
    }

    /// Starts and runs until SIGTERM or Ctrl-C, then drains.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub async fn run(self) -> Result<(), ServerError> {
        let stopping = stop_signal()?;
        let running = self.start()?;
        stopping.await;
        running.stop().await;
        Ok(())
    }

    /// Whether its authenticator lets in who showed a credential on the same connection before.
    #[cfg(feature = "tower")]
    pub(crate) fn remembers(&self) -> bool {
        self.authenticator.as_ref().is_some_and(|authenticator| authenticator.remembers())
    }

    /// Whether peers of this protocol need the consent of a guard.
    #[cfg(feature = "tower")]
    pub(crate) fn has_guard_of(&self, protocol: &str) -> bool {
        self.guards.iter().any(|(guarded, _)| *guarded == protocol)
    }

    /// Names of the protocols that are HTTP of this version, as connections have them.
    #[cfg(feature = "tower")]
    pub(crate) fn protocols_over(&self, version: HttpVersion) -> Vec<&'static str> {
        let own = self.registry.iter().filter(|protocol| protocol.heard_as.is_empty());
        own.filter(|protocol| protocol.http == Some(version)).map(|protocol| protocol.name).collect()
    }

    /// Whether its ports speak TLS.
    #[cfg(feature = "tower")]
    pub(crate) fn speaks_tls(&self) -> bool {
        #[cfg(feature = "__tls")]
        return self.tls.is_some();
        #[cfg(not(feature = "__tls"))]
        false
    }

    fn core(mut self) -> Result<Arc<Core>, ServerError> {
        if let Some(wrong) = self.wrong.take() {
            return Err(ServerError::Config(wrong));
        }
        for reception in &self.receptions {
            reception.check().map_err(ServerError::Config)?;
        }
        let named: Vec<_> = self.services.iter().map(|service| service.name).collect();
        let version = self.version.unwrap_or_else(|| named.join("+"));
        let facts = Arc::new(Facts::default());
        let mut services = middleware::around(self.services, self.middleware);
        self.health.begin(named.iter().copied());
        if let (false, Some(name)) = (self.pages, self.open_pages.first()) {
            return Err(ServerError::Config(format!("open_page({name:?}): this server has no pages")));
        }
        if self.pages {
            let about = About {
                health: self.health.clone(),
                services: services.iter().map(AboutService::of).collect(),
                open_reflection: self.open_reflection,
                facts: facts.clone(),
            };
            services.extend(pages::services(&facts, &self.open_pages).map_err(ServerError::Config)?);
            let standard = P::services(&about).into_iter();
            services.extend(standard.map(Service::into_standard));
        }
        let defaults = Defaults { max_message: self.limits.max_message, inline_budget: self.inline_budget };
        let methods = table::methods(services, defaults).map_err(ServerError::Config)?;
        let mut bound = methods.bound_protocols();
        if let Some(nowhere) = bound.find(|name| self.registry.find(name).is_none()) {
            return Err(ServerError::Config(format!(
                "a service is bound to {nowhere}, which is no protocol"
            )));
        }
        drop(bound);
        let lacking = checks::lacking(&self.registry, methods.bound_protocols());
        let named = self.enabled.as_ref().map(|names| checks::protocols(names, &self.registry, &lacking));
        let enabled = named.transpose().map_err(ServerError::Config)?;
        let guarded = self.guards.iter().map(|(name, _)| *name);
        checks::guards(guarded, &self.registry, &lacking, enabled.as_deref()).map_err(ServerError::Config)?;
        checks::limits(&self.limits).map_err(ServerError::Config)?;
        checks::timeouts(&self.timeouts).map_err(ServerError::Config)?;
        let engine = self.engine.unwrap_or_else(|| Engine::default_engine().clone());
        let mut shared = Shared::new(methods, self.inline_budget).map_err(ServerError::Config)?;
        shared.authentication.limit = self.timeouts.authentication;
        let origins = Arc::new(std::mem::take(&mut self.origins));
        let shared = Arc::new(Shared {
            origins: origins.clone(),
            limiter: Limiter::new(self.max_concurrency),
            authenticator: self.authenticator,
            guards: self.guards,
            json: self.json,
            receptions: self.receptions,
            ..shared
        });
        let tables = engine.shards().iter().map(|_| Table::new(&shared)).collect();
        let mut config = Config::new(self.registry);
        config.limits = self.limits;
        config.timeouts = self.timeouts;
        config.faults = shared.faults.clone();
        config.authenticate = match &shared.authenticator {
            Some(_) => Authenticate::Everybody,
            None => Authenticate::Over(shared.guards.iter().map(|(name, _)| *name).collect()),
        };
        self.extensions.insert(origins);
        config.extensions = self.extensions;
        config.allowed = Box::new(move |protocol| {
            !lacking.contains(&protocol.name)
                && enabled.as_ref().is_none_or(|names| names.contains(&protocol.name))
        });
        #[cfg(feature = "__tls")]
        let door = Door::new(self.tls, self.plain_beside_tls, &config).map_err(ServerError::Config)?;
        #[cfg(not(feature = "__tls"))]
        let door = Door::default();
        let core = Arc::new(Core {
            engine,
            door,
            shared,
            tables,
            config: Arc::new(config),
            drain: self.drain,
            health: self.health.clone(),
            addresses: OnceLock::new(),
            connections: Mutex::new(Vec::new()),
        });
        let methods: Weak<dyn Methods> = Arc::downgrade(&(core.clone() as Arc<dyn Methods>));
        facts.set(ServerFacts {
            version,
            stats: core.shared.stats.clone(),
            methods,
            since: clock::now(),
            max_concurrency: self.max_concurrency,
            health: self.health,
        });
        Ok(core)
    }
}

/// The host of an address to listen on.
fn host_of(address: &str) -> Option<String> {
    let (host, _port) = address.rsplit_once(':')?;
    (!address.starts_with("unix:")).then(|| host.to_owned())
}
