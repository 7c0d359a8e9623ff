//! The server while it is configured; `running.rs` has the running server.

#[cfg(feature = "__tls")]
use crate::tls::ServerTls;
#[cfg(feature = "tower")]
use crate::tower;
use crate::{
    Bounds, Lifecycle, Recording, Running,
    about::{About, AboutService},
    auth::{AnyAuthenticator, Authenticator, Guard},
    checks,
    common::Common,
    door::{Door, Takes},
    error::ServerError,
    facts::{Facts, LiveServer},
    handover::Taken,
    health::Health,
    limits::Limiter,
    metric_files::ServerFiles,
    middleware::{self, Middleware},
    pages::{MadePages, ServerPages},
    running::Core,
    servable::Servable,
    service::Service,
    stop_signal, systemd,
    table::{self, Defaults, Shared, Table},
};
use polywire_call::{ConfigError, Status};
use polywire_dump::{Recorder, SpanFiles};
use polywire_engine::{
    Authenticate, Config, Engine, Peer, Timeouts,
    backlog::Backlog,
    clock,
    transport::{self, Listener},
};
use polywire_flags::FlagError;
use polywire_formats::json::Json;
use polywire_hub::Reception;
use polywire_metrics::{Name, Variable};
#[cfg(feature = "tower")]
use polywire_wire::HttpVersion;
use polywire_wire::{Claim, Extensions, Limits, Origins, Protocol, Protocols, Registry, Upgrades};
use std::{
    any::Any,
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicU64, AtomicUsize},
    },
};

/// What a server contains before anything is added to it. The facade's `Server` has all built-in protocols
/// and gRPC's standard services.
pub trait Preset: Protocols {
    /// The options of its pages; `()`: it has none.
    type Pages: ServerPages + Default;

    /// Built-in services of such a server. A service of the application with the same name replaces them.
    fn services(_about: &About) -> Vec<Service> {
        Vec::new()
    }
}

/// A server that is being configured: services and the addresses on which they will be reached.
#[must_use]
pub struct Server<P> {
    protocols: PhantomData<fn() -> P>,
    registry: Registry,
    services: Vec<Service>,
    middleware: Vec<Arc<dyn Middleware>>,
    addresses: Vec<String>,
    #[cfg(feature = "__tls")]
    tls: Option<ServerTls>,
    engine: Option<Engine>,
    limits: Limits,
    timeouts: Timeouts,
    bounds: Bounds,
    authenticator: Option<Arc<dyn AnyAuthenticator>>,
    origins: Origins,
    guards: Vec<(&'static str, Guard)>,
    /// The first wrong option, which keeps the server from starting.
    wrong: Option<ConfigError>,
    enabled: Option<Vec<String>>,
    pages: Box<dyn ServerPages>,
    /// Whether it has pages, and built-in services.
    shows_pages: bool,
    metrics: polywire_metrics::Registry,
    health: Health,
    extensions: Extensions,
    receptions: Vec<Arc<dyn Reception>>,
    recording: Recording,
    lifecycle: Lifecycle,
    /// `None`: brpc's, and protobuf's own for requests by rules.
    json: Option<Json>,
}

impl<P: Preset> Default for Server<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Preset> Server<P> {
    /// A server without services or listeners.
    pub fn new() -> Self {
        Server {
            protocols: PhantomData,
            registry: P::registry(),
            services: Vec::new(),
            middleware: Vec::new(),
            addresses: Vec::new(),
            #[cfg(feature = "__tls")]
            tls: None,
            engine: None,
            limits: Limits::default(),
            timeouts: Timeouts::default(),
            bounds: Bounds::default(),
            authenticator: None,
            origins: Origins::default(),
            guards: Vec::new(),
            wrong: None,
            enabled: None,
            pages: Box::new(P::Pages::default()),
            shows_pages: true,
            metrics: polywire_metrics::Registry::new(),
            health: Health::default(),
            extensions: Extensions::default(),
            receptions: Vec::new(),
            recording: Recording::default(),
            lifecycle: Lifecycle::default(),
            json: None,
        }
    }

    /// What `application/json` means over HTTP and baidu_std. Default: [`Json::DEFAULT`], brpc's mapping with
    /// values checked. [`Json::LENIENT`] accepts and omits what does not fit, as brpc does;
    /// [`Json::CANONICAL`] and [`Json::STRICT`] are protobuf's own mapping. `application/proto-json`, the
    /// JSON of gRPC and Connect, and that of ZeroMQ's calls are always canonical.
    pub fn json(mut self, json: Json) -> Self {
        self.json = Some(json);
        self
    }

    /// Adds a service: one of generated code (`Echo.into_service()`), or what takes its place in one
    /// protocol: `redis::service(..)`, a `zmq::Port`, `rest_rpc::Functions`, `nshead::service(..)`, or a
    /// [`Servable`] of another crate. May be called several times.
    pub fn service(self, what: impl Servable) -> Self {
        what.add_to(self)
    }

    /// Adds a protocol that is not built in. Its detection sees the first bytes of a connection before the
    /// others do.
    ///
    /// The server does not start if it already has a protocol of this name.
    pub fn protocol(mut self, protocol: &'static Protocol) -> Self {
        if self.registry.find(protocol.name).is_some() {
            let name = protocol.name;
            self.wrong.get_or_insert_with(|| {
                let text = format!("protocol({name}): there is a protocol of this name already");
                ConfigError::new("protocol", text).with_value(name)
            });
        }
        self.registry = self.registry.with(protocol);
        self
    }

    pub(crate) fn with_service(mut self, service: Service) -> Self {
        self.services.push(service);
        self
    }

    /// Runs `middleware` around the handler of every call: an access log, request ids, authorization by
    /// method, spans. The one added first is the outermost. It runs for calls of all protocols and kinds that
    /// reach a method of the application, including its services bound to a protocol and the fallback. It
    /// does not run for built-in pages and services, or for requests that were refused earlier (unknown
    /// methods, limits, the authenticator).
    ///
    /// A middleware may refuse the call ([`Ended::from`](crate::Ended) a status, or `Err` of one), leave
    /// values for the handler ([`Context::set_extension`](crate::Context::set_extension)), and add fields to
    /// the reply ([`Context::reply_metadata`](crate::Context::reply_metadata),
    /// [`Ended::metadata`](crate::Ended::metadata)).
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.middleware.push(Arc::new(middleware));
        self
    }

    /// Passes every HTTP request that no service here answers to a `tower` service, such as an
    /// `axum::Router`. This includes gRPC, so that the routes of a `tonic` server can be served next to ours.
    /// The root path belongs to the router.
    #[cfg(feature = "tower")]
    pub fn fallback(self, mounted: impl tower::Mount) -> Self {
        self.service(tower::service(mounted))
    }

    /// Listens on `host:port`, `[v6]:port` (port 0: the kernel chooses) or `unix:path`. May be called several
    /// times. `systemd:NAME` takes the sockets of this name that systemd has bound and passed (`LISTEN_FDS`,
    /// `FileDescriptorName=`), `systemd:` all of them.
    pub fn listen(mut self, address: impl Into<String>) -> Self {
        self.addresses.push(address.into());
        self
    }

    /// Enables TLS, and refuses plain text except where [`ServerTls`] allows it. A client that negotiates a
    /// protocol by ALPN has to speak that protocol.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn tls(mut self, tls: ServerTls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// The engine to run on. Default: the process's default engine, one shard per core.
    pub fn engine(mut self, engine: &Engine) -> Self {
        self.engine = Some(engine.clone());
        self
    }

    /// How much it takes on at once: calls, connections, memory. Default [`Bounds::default`]. A second one
    /// takes the place of the first, as with all groups of options.
    pub fn bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// Limits of sizes and counts that apply to every peer.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Time limits of connections.
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Sets the authenticator, which has to let a caller in before anything is dispatched: `|caller: Caller|
    /// async move { .. }`, or a type that implements [`Authenticator`].
    pub fn authenticate(mut self, authenticator: impl Authenticator) -> Self {
        self.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Peers of this protocol need the consent of `verify` as well, which is asked before the authenticator,
    /// and also if there is not an authenticator. For protocols that come with a decision of their own, such
    /// as ZeroMQ's port. It must not block.
    ///
    /// It decides about the peer and its credential, not about a request: [`Claim::head`] is `None`, and its
    /// consent holds for all requests with the same credential on the connection. It is asked for all
    /// requests, including those that need no credential (`/health`, methods that are open to all).
    ///
    /// HTTP has two names, `http` and `h2`: guard both. `baidu_std` includes streaming_rpc. The server does
    /// not start if it has no protocol of this name, or does not answer it.
    pub fn guard(
        mut self,
        protocol: &'static str,
        verify: impl Fn(&Claim<'_>, &Peer) -> Result<(), Status> + Send + Sync + 'static,
    ) -> Self {
        self.guards.push((protocol, Box::new(verify)));
        self
    }

    /// Origins whose pages may call over HTTP (grpc-web, Connect, JSON), and the names under which HTTP
    /// requests reach the server. Default: any name, and only pages that this server itself served.
    ///
    /// ```
    /// use polywire_wire::Origins;
    ///
    /// let origins = Origins::default().allow("https://app.example.com").host("tool.corp");
    /// // Server::new().origins(origins)
    /// # let _ = origins;
    /// ```
    pub fn origins(mut self, origins: Origins) -> Self {
        self.origins = origins;
        self
    }

    /// Answers only these protocols, by name. `grpc` allows HTTP/2, `grpc-web` and `connect` allow both
    /// versions of HTTP, each as a whole, because the first bytes do not distinguish them from other calls
    /// there. Default: all protocols of the registry.
    ///
    /// The server does not start if the list is empty, or has a name under which it would answer no client.
    pub fn protocols<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.enabled = Some(names.into_iter().map(str::to_owned).collect());
        self
    }

    /// The server's health, which can be set from anywhere.
    pub fn health(&self) -> Health {
        self.health.clone()
    }

    /// Its pages, and who sees them. `None` serves only the services that were added: no pages (`/health`,
    /// `/status` and the like), and no gRPC health, reflection and channelz.
    pub fn pages(mut self, pages: impl Into<Option<P::Pages>>) -> Self {
        let pages = pages.into();
        self.shows_pages = pages.is_some();
        self.pages = Box::new(pages.unwrap_or_default());
        self
    }

    /// What it writes down of itself and its calls: access logs, spans, metrics, requests. Default: nothing.
    pub fn recording(mut self, recording: Recording) -> Self {
        self.recording = recording;
        self
    }

    /// How it begins, follows a process before it, and ends. Default [`Lifecycle::default`].
    pub fn lifecycle(mut self, lifecycle: Lifecycle) -> Self {
        self.lifecycle = lifecycle;
        self
    }

    /// Exposes a variable of the application on the server's pages `/vars` and `/metrics`. A variable that
    /// has a window is sampled with the server's own, once a second.
    ///
    /// The server does not start if the name is taken.
    pub fn expose(mut self, name: impl Into<Name>, variable: impl Variable + 'static) -> Self {
        let name = name.into();
        if let Err(why) = self.metrics.expose(name.clone(), variable) {
            self.wrong.get_or_insert_with(|| {
                ConfigError::new("expose", why.to_string()).with_value(name.to_string())
            });
        }
        self
    }

    /// Sets the settings of one protocol, of a type that the protocol defines. Each type can be set once. For
    /// [`Servable`]s.
    pub fn extension<T: Any + Send + Sync>(mut self, settings: Arc<T>) -> Self {
        if self.extensions.get::<T>().is_some() {
            let what = std::any::type_name::<T>();
            self.wrong.get_or_insert_with(|| {
                let text = format!("{what} is there twice: a protocol has its settings once");
                ConfigError::new("extension", text).with_value(what)
            });
        }
        self.extensions.insert(settings);
        self
    }

    /// Adds a reception, which assigns connections to sockets that span connections (ZeroMQ's sockets,
    /// subscribers of rest_rpc). May be called several times; the first reception that accepts the peer
    /// decides. Peers that no reception accepts may call methods.
    pub fn reception(mut self, reception: Arc<dyn Reception>) -> Self {
        self.receptions.push(reception);
        self
    }

    /// Starts the server. Returns once all listeners accept connections. It is not `async`: it needs no
    /// runtime, and there is nothing to await. The server runs until [`Running`] is stopped or dropped.
    ///
    /// # Errors
    /// An option or service that is wrong, or an address that cannot be bound; the text names it.
    pub fn start(self) -> Result<Running, ServerError> {
        self.retyped().started(P::services)
    }

    /// Starts on a listener that was bound elsewhere.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn serve(self, listener: std::net::TcpListener) -> Result<Running, ServerError> {
        self.retyped().serving(listener, P::services)
    }

    /// Starts without a listener, for streams that are passed to [`Running::serve_stream`].
    ///
    /// # Errors
    /// As [`Server::start`]. Also if an address to listen on was set.
    pub fn start_without_listener(self) -> Result<Running, ServerError> {
        self.retyped().without_listener(P::services)
    }

    /// Starts and runs until SIGTERM or Ctrl-C, or until another process has [taken
    /// over](Lifecycle::hand_over), then drains. Tells systemd of all that ([`systemd`]).
    ///
    /// # Errors
    /// As [`Server::start`], as `main` returns them.
    pub async fn run(self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.retyped().running(P::services).await?)
    }

    /// Whether its authenticator accepts later requests of a connection on which a credential was shown
    /// before.
    #[cfg(feature = "tower")]
    pub(crate) fn remembers(&self) -> bool {
        self.authenticator.as_ref().is_some_and(|authenticator| authenticator.remembers())
    }

    /// Whether a guard decides about peers of this protocol.
    #[cfg(feature = "tower")]
    pub(crate) fn has_guard_of(&self, protocol: &str) -> bool {
        self.guards.iter().any(|(guarded, _)| *guarded == protocol)
    }

    /// Names of the protocols that are HTTP of this version.
    #[cfg(feature = "tower")]
    pub(crate) fn protocols_over(&self, version: HttpVersion) -> Vec<&'static str> {
        let own = self.registry.iter().filter(|protocol| protocol.detected_as.is_empty());
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

    /// The same options. What follows is compiled here and not in the program that chooses the protocols.
    fn retyped(self) -> Server<()> {
        macro_rules! retyped {
            ($($(#[$tls:meta])? $option:ident)*) => {{
                let Server { $($(#[$tls])? $option,)* protocols: _ } = self;
                Server { $($(#[$tls])? $option,)* protocols: PhantomData }
            }};
        }
        retyped! {
            registry services middleware addresses #[cfg(feature = "__tls")] tls engine limits timeouts bounds
            authenticator origins guards wrong enabled pages shows_pages metrics health extensions receptions recording lifecycle json
        }
    }
}

/// [`Preset::services`].
type Standard = fn(&About) -> Vec<Service>;

impl Server<()> {
    fn started(mut self, standard: Standard) -> Result<Running, ServerError> {
        if self.addresses.is_empty() {
            return Err(ConfigError::new("listen", "no address: say .listen(\"host:port\")").into());
        }
        let addresses = self.all_addresses();
        addresses.iter().try_for_each(|(address, _)| checks::address(address))?;
        self.origins.hosts.extend(addresses.iter().filter_map(|(address, _)| host_of(address)));
        let mut taken = match &self.lifecycle.hand_over {
            Some(path) => Taken::from_process_at(path)?,
            None => Taken::nothing(),
        };
        let mut listeners = Vec::new();
        for (address, takes) in addresses {
            if let Some(name) = address.strip_prefix(checks::SYSTEMD) {
                let passed = transport::from_systemd(name)?.into_iter();
                listeners.extend(passed.map(|listener| (address.clone(), listener, takes)));
                continue;
            }
            let listener = match taken.listener(&address)? {
                Some(listener) => listener,
                None => transport::bind_shared(&address, BACKLOG, self.lifecycle.share)?,
            };
            listeners.push((address, listener, takes));
        }
        let next = self.lifecycle.hand_over.take().map(|path| (path, taken));
        let (registrations, before_ready) = self.lifecycle.steps();
        Running::accept(self.core(standard)?, listeners, registrations, next, before_ready)
    }

    /// All addresses to listen on, and what each takes.
    fn all_addresses(&self) -> Vec<(String, Takes)> {
        let mut all = Vec::new();
        let mut add = |addresses: &[String], takes| {
            all.extend(addresses.iter().map(|address| (address.clone(), takes)));
        };
        add(&self.addresses, Takes::Default);
        #[cfg(feature = "__tls")]
        self.tls.iter().for_each(|tls| add(&tls.plain_on, Takes::Plain));
        add(self.pages.addresses(), Takes::Pages);
        all
    }

    fn serving(
        mut self,
        listener: std::net::TcpListener,
        standard: Standard,
    ) -> Result<Running, ServerError> {
        let others = self.all_addresses().into_iter().find(|(_, takes)| *takes != Takes::Default);
        if let Some((address, takes)) = others {
            // Otherwise what is for it alone would be at the one listener, for whoever reaches that.
            let option = if takes == Takes::Pages { "pages.on" } else { "tls.plain_on" };
            let text = format!("{option}({address:?}): serve(..) has one listener; say .listen(..).start()");
            return Err(ConfigError::new(option, text).with_value(address).into());
        }
        listener.set_nonblocking(true)?;
        let listeners = vec![(String::new(), Listener::Tcp(listener), Takes::Default)];
        let (registrations, before_ready) = self.lifecycle.steps();
        Running::accept(self.core(standard)?, listeners, registrations, None, before_ready)
    }

    fn without_listener(mut self, standard: Standard) -> Result<Running, ServerError> {
        match self.all_addresses().first() {
            Some((address, _)) => {
                let text = format!("listen({address:?}): such a server has no port of its own");
                Err(ConfigError::new("listen", text).with_value(address).into())
            }
            None => {
                let (registrations, before_ready) = self.lifecycle.steps();
                Running::without_listener(self.core(standard)?, registrations, before_ready)
            }
        }
    }

    /// [`Server::run`], behind a pointer, which keeps it out of the program that awaits it.
    #[inline(never)]
    fn running(self, standard: Standard) -> Pin<Box<dyn Future<Output = Result<(), ServerError>> + Send>> {
        Box::pin(self.until_stopped(standard))
    }

    async fn until_stopped(self, standard: Standard) -> Result<(), ServerError> {
        let stopping = stop_signal()?;
        let running = self.started(standard)?;
        systemd::ready();
        tokio::select! {
            () = stopping => systemd::stopping(),
            () = running.handed_over() => systemd::handed_over(),
        }
        running.stop().await;
        Ok(())
    }

    fn core(mut self, standard: Standard) -> Result<Arc<Core>, ServerError> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong.into());
        }
        for reception in &self.receptions {
            reception.check()?;
        }
        let named: Vec<_> = self.services.iter().map(|service| service.name).collect();
        self.bounds.check()?;
        self.services.iter().try_for_each(Service::check)?;
        let Recording { access_logs, tracer, span_files, metric_files, dump, grpc_metrics } = self.recording;
        for log in &access_logs {
            self.middleware.insert(0, Arc::new(log.clone())); // around all others
        }
        let facts = Arc::new(OnceLock::new());
        let mut services = middleware::around(self.services, self.middleware);
        self.health.begin(named.iter().copied());
        let about = About {
            health: self.health.clone(),
            services: services.iter().map(AboutService::of).collect(),
            open_reflection: self.pages.open_reflection(),
            facts: facts.clone(),
        };
        let MadePages { services: pages, flags, shows } = self.pages.made(&about, self.shows_pages)?;
        services.extend(pages);
        if self.shows_pages {
            let standard = standard(&about).into_iter();
            services.extend(standard.map(Service::into_standard));
        }
        let engine = self.engine.unwrap_or_else(|| Engine::default_engine().clone());
        // Workers beyond the processors do not make more.
        let pool = engine.work().metrics().num_workers() as u32;
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get() as u32).min(pool);
        let workers = engine.work().metrics().num_workers().max(engine.shards().len()) as u32;
        let defaults = Defaults {
            max_message: self.limits.max_message,
            inline_budget: self.bounds.inline_budget,
            max_concurrency: self.bounds.method_concurrency,
            workers,
        };
        let methods = table::methods(services, defaults).map_err(of_services)?;
        let mut bound = methods.bound_protocols();
        if let Some(nowhere) = bound.find(|name| self.registry.find(name).is_none()) {
            let why = self.registry.left_out(nowhere);
            let text = why
                .unwrap_or_else(|| format!("a service is bound to {nowhere}, which is not a known protocol"));
            return Err(ConfigError::new("service", text).with_value(nowhere).into());
        }
        drop(bound);
        let lacking = checks::lacking(&self.registry, methods.bound_protocols());
        let named = self.enabled.as_ref().map(|names| checks::protocols(names, &self.registry, &lacking));
        let enabled = named.transpose()?;
        let guarded = self.guards.iter().map(|(name, _)| *name);
        checks::guards(guarded, &self.registry, &lacking, enabled.as_deref())?;
        checks::limits(&self.limits)?;
        checks::timeouts(&self.timeouts)?;
        let origins = Arc::new(std::mem::take(&mut self.origins));
        let common = Common {
            paths: table::paths(&methods).map_err(of_services)?,
            origins: origins.clone(),
            json: self.json.unwrap_or_default(),
            rule_json: self.json.unwrap_or(Json::CANONICAL),
            memory: self.bounds.budget(),
            inflated: self.limits.inflated,
            ..Common::default()
        };
        let mut shared = Shared::new(methods, common, self.metrics, self.bounds.inline_budget);
        if grpc_metrics {
            shared.stats.show_grpc();
        }
        shared.authentication.limit = self.timeouts.authentication;
        let metric_files = metric_files.map(ServerFiles::new).transpose();
        let metric_files = metric_files.map_err(|why| {
            ConfigError::new("recording.metric_files", format!("recording.metric_files(..): {why}"))
        })?;
        let tracer = tracer.unwrap_or_else(|| shared.tracer.clone());
        let span_files = span_files.map(SpanFiles::start).transpose()?;
        if let Some(files) = &span_files
            && !tracer.set_sink(files.clone())
        {
            return Err(ConfigError::new(
                "recording.span_files",
                "recording.span_files(..): the tracer has four sinks",
            )
            .into());
        }
        let shared = Arc::new(Shared {
            limiter: Limiter::new(self.bounds.concurrency, workers, clock::now()),
            backlog: Backlog::new(self.bounds.shedding, processors, clock::now()),
            authenticator: self.authenticator,
            guards: self.guards,
            receptions: self.receptions,
            tracer,
            span_files,
            access_logs,
            dump: dump.map(Recorder::start).transpose()?.map(Arc::new),
            ..shared
        });
        let tables = engine.shards().iter().map(|_| Table::new(&shared)).collect();
        let mut config = Config::new(self.registry);
        config.limits = self.limits;
        config.timeouts = self.timeouts;
        config.memory = shared.memory.clone();
        config.faults = shared.faults.clone();
        config.authenticate = match &shared.authenticator {
            Some(_) => Authenticate::All,
            None => Authenticate::Over(shared.guards.iter().map(|(name, _)| *name).collect()),
        };
        self.extensions.insert(origins);
        if shared.methods.iter().any(|method| method.route.upgrades) {
            self.extensions.insert(Arc::new(Upgrades));
        }
        config.extensions = self.extensions;
        config.allowed = Box::new(move |protocol| {
            !lacking.contains(&protocol.name)
                && enabled.as_ref().is_none_or(|names| names.contains(&protocol.name))
        });
        #[cfg(feature = "__tls")]
        let door = Door::new(self.tls, &config)?;
        #[cfg(not(feature = "__tls"))]
        let door = Door::default();
        let core = Arc::new(Core {
            engine,
            door,
            shared,
            tables,
            config: Arc::new(config),
            most_connections: Arc::new(AtomicUsize::new(self.bounds.connections.unwrap_or(usize::MAX))),
            open: Arc::default(),
            turned_away: Arc::default(),
            reserved: Mutex::default(),
            drain: Arc::new(AtomicU64::new(
                u64::try_from(self.lifecycle.drain.as_micros()).unwrap_or(u64::MAX),
            )),
            health: self.health.clone(),
            addresses: OnceLock::new(),
            pages_addresses: OnceLock::new(),
            connections: Mutex::new(Vec::new()),
            ends: Arc::default(),
            arriving: Arc::default(),
            metric_files,
            shows,
        });
        if let Some(flags) = &flags {
            let wrong = |error: FlagError| ConfigError::new("flags", format!("flags(..): {error}"));
            core.register_flags(flags).map_err(wrong)?;
        }
        let live: Weak<dyn LiveServer> = Arc::downgrade(&(core.clone() as Arc<dyn LiveServer>));
        let known = Facts {
            since: clock::now(),
            stats: core.shared.stats.clone(),
            tracer: core.shared.tracer.clone(),
            limiter: core.shared.limiter.clone(),
            health: self.health,
            has_authenticator: core.shared.authenticator.is_some(),
            faults: core.shared.faults.clone(),
            memory: core.shared.memory.clone(),
            turned_away: core.turned_away.clone(),
            live,
        };
        if let Some(shows) = &core.shows {
            shows.clone().built(&known);
        }
        let _ = facts.set(known); // nobody else does
        Ok(core)
    }
}

/// Connections that the system keeps until they are accepted.
const BACKLOG: u32 = 1024;

/// Services that do not go together, or a pattern of theirs that is none.
fn of_services(text: String) -> ConfigError {
    ConfigError::new("service", text)
}

/// The host part of an address to listen on.
fn host_of(address: &str) -> Option<String> {
    let (host, _port) = address.rsplit_once(':')?;
    (!address.starts_with("unix:")).then(|| host.to_owned())
}
