//! The server while it is configured; `running.rs` has the running server.

#[cfg(feature = "__tls")]
use crate::tls::Tls;
#[cfg(feature = "tower")]
use crate::tower;
use crate::{
    AccessLog, Running,
    auth::{AnyAuthenticator, Authenticator, Guard},
    checks,
    context::Context,
    door::{Door, Takes},
    handover::Taken,
    health::Health,
    limits::{Concurrency, Limiter},
    metric_files::ServerFiles,
    middleware::{self, Middleware},
    pages::{self, Access, Facts, Logins, Methods, Page, PagesAuth, ServerFacts},
    running::{BeforeReady, Core},
    servable::Servable,
    service::Service,
    standard::{About, AboutService},
    stop_signal, systemd,
    table::{self, Defaults, Shared, Table},
};
use polywire_call::{ConfigError, Status};
use polywire_dump::{DumpOptions, Recorder, SpanFileOptions, SpanFiles};
use polywire_engine::{
    Authenticate, Config, Engine, Peer, Timeouts,
    backlog::{Backlog, Shedding},
    clock,
    memory::{Memory, usual_budget},
    transport::{self, Listener, Share},
};
use polywire_flags::{FlagError, Flags};
use polywire_formats::json::Json;
use polywire_hub::Reception;
use polywire_metrics::{MetricFileOptions, Name, Variable};
use polywire_naming::Registration;
use polywire_trace::Tracer;
#[cfg(feature = "tower")]
use polywire_wire::HttpVersion;
use polywire_wire::{Claim, Extensions, Limits, Origins, Protocol, Protocols, Registry, Upgrades};
use std::{
    any::Any,
    fmt,
    future::Future,
    io,
    marker::PhantomData,
    path::PathBuf,
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicU64, AtomicUsize},
    },
    time::Duration,
};

/// What a server contains before anything is added to it. The facade's `Server` has all built-in protocols
/// and gRPC's standard services.
pub trait Preset: Protocols {
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
    addresses: Vec<(String, Takes)>,
    #[cfg(feature = "__tls")]
    tls: Option<Tls>,
    #[cfg(feature = "__tls")]
    plain_beside_tls: bool,
    engine: Option<Engine>,
    limits: Limits,
    timeouts: Timeouts,
    shedding: Option<Shedding>,
    /// `None`: the usual one. `Some(None)`: none.
    max_memory: Option<Option<usize>>,
    max_connection_memory: usize,
    max_connections: usize,
    max_concurrency: Concurrency,
    method_max_concurrency: Concurrency,
    authenticator: Option<Arc<dyn AnyAuthenticator>>,
    origins: Origins,
    guards: Vec<(&'static str, Guard)>,
    /// The first wrong option, which keeps the server from starting.
    wrong: Option<ConfigError>,
    enabled: Option<Vec<String>>,
    version: Option<String>,
    pages: bool,
    open_pages: Vec<String>,
    pages_auth: Option<PagesAuth>,
    pages_token: Option<String>,
    own_pages: Vec<Page>,
    metrics: polywire_metrics::Registry,
    grpc_metrics: bool,
    tracer: Option<Tracer>,
    flags: Option<Flags>,
    health: Health,
    open_reflection: bool,
    extensions: Extensions,
    receptions: Vec<Arc<dyn Reception>>,
    registrations: Vec<Registration>,
    dump: Option<DumpOptions>,
    span_files: Option<SpanFileOptions>,
    metric_files: Option<MetricFileOptions>,
    drain: Duration,
    inline_budget: Duration,
    /// `None`: brpc's, and protobuf's own for requests by rules.
    json: Option<Json>,
    backlog: u32,
    share: Share,
    hand_over: Option<PathBuf>,
    before_ready: Vec<BeforeReady>,
    access_logs: Vec<AccessLog>,
}

/// Why a server did not start.
#[non_exhaustive]
pub enum ServerError {
    /// An option or a service is wrong; the error names it.
    Config(ConfigError),
    /// The system returned an error.
    Io(io::Error),
}
impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::Config(wrong) => wrong.fmt(f),
            ServerError::Io(error) => error.fmt(f),
        }
    }
}
/// As a `main` that returns it shows it.
impl fmt::Debug for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::Config(wrong) => fmt::Debug::fmt(wrong, f),
            ServerError::Io(error) => fmt::Display::fmt(error, f),
        }
    }
}
impl std::error::Error for ServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServerError::Config(wrong) => wrong.source(),
            ServerError::Io(error) => error.source(),
        }
    }
}
impl From<ConfigError> for ServerError {
    fn from(wrong: ConfigError) -> Self {
        ServerError::Config(wrong)
    }
}
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
            #[cfg(feature = "__tls")]
            plain_beside_tls: false,
            engine: None,
            limits: Limits::default(),
            timeouts: Timeouts::default(),
            shedding: Some(Shedding::default()),
            max_memory: None,
            max_connection_memory: usize::MAX,
            max_connections: usize::MAX,
            max_concurrency: Concurrency::Unlimited,
            method_max_concurrency: Concurrency::Unlimited,
            authenticator: None,
            origins: Origins::default(),
            guards: Vec::new(),
            wrong: None,
            enabled: None,
            version: None,
            pages: true,
            open_pages: Vec::new(),
            pages_auth: None,
            pages_token: None,
            own_pages: Vec::new(),
            metrics: polywire_metrics::Registry::new(),
            grpc_metrics: false,
            tracer: None,
            flags: None,
            health: Health::default(),
            open_reflection: false,
            extensions: Extensions::default(),
            receptions: Vec::new(),
            registrations: Vec::new(),
            dump: None,
            span_files: None,
            metric_files: None,
            drain: Duration::from_secs(10),
            inline_budget: table::INLINE_BUDGET,
            json: None,
            backlog: 1024,
            share: Share::Never,
            hand_over: None,
            before_ready: Vec::new(),
            access_logs: Vec::new(),
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
    /// A middleware may refuse the call ([`Ended::from`](crate::Ended) a status, or `Err` of one), leave values for
    /// the handler ([`Context::set_extension`](crate::Context::set_extension)), and add fields to the reply
    /// ([`Context::reply_metadata`](crate::Context::reply_metadata), [`Ended::metadata`](crate::Ended::metadata)).
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.middleware.push(Arc::new(middleware));
        self
    }

    /// Writes a line for each call of the application's methods, over all protocols, also for calls that their callers give up, and for
    /// requests that reach no method (404, 405). At
    /// SIGHUP, which no longer ends the process then, a log in a file is opened anew; a stop waits up to a second until it is
    /// written. See docs/logging.md.
    pub fn access_log(mut self, log: &AccessLog) -> Self {
        self.middleware.insert(0, Arc::new(log.clone())); // around all others
        self.access_logs.push(log.clone());
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
        self.addresses.push((address.into(), Takes::Default));
        self
    }

    /// As [`Server::listen`], but for plain text only, on a server that otherwise speaks TLS: for example for
    /// a health check on an address of its own. Clients of this address need no certificate.
    pub fn listen_plain(mut self, address: impl Into<String>) -> Self {
        self.addresses.push((address.into(), Takes::Plain));
        self
    }

    /// Takes the listening sockets over from the process that serves at `path` (a Unix socket that the server makes, in a folder
    /// that only its user can write to), and hands them to the next process that starts with the same path: neither refuses or
    /// loses a connection. Sockets are told apart by their addresses as `listen` has them; those that the process
    /// before has not are bound. [`Server::run`] stops when the next process has taken over; others wait for
    /// [`Running::handed_over`].
    pub fn hand_over(mut self, path: impl Into<PathBuf>) -> Self {
        self.hand_over = Some(path.into());
        self
    }

    /// Runs this at the start, once the addresses are bound, before the first connection is accepted and before the process that
    /// [hands its sockets over](Self::hand_over) is told to stop: what may fail at the start of the program belongs here, such as flags
    /// that are read from a file. Its error is that of [`Server::start`]. May be called several times.
    pub fn before_ready(mut self, step: impl FnOnce(&Running) -> io::Result<()> + Send + 'static) -> Self {
        self.before_ready.push(Box::new(step));
        self
    }

    /// Allows that several servers of the same user listen on one TCP port (`SO_REUSEPORT`), over which the kernel spreads
    /// connections. When one of them closes, connections that wait in its queue are reset, other than with
    /// [`Server::hand_over`].
    pub fn reuse_port(mut self) -> Self {
        self.share = Share::Port;
        self
    }

    /// Enables TLS, and refuses plain text except on the addresses of [`Server::listen_plain`]. A client that
    /// negotiates a protocol by ALPN has to speak that protocol.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Accepts plain text as well on the ports that speak TLS, for a time of migration. Credentials may then
    /// travel in clear, and an attacker on the path can read and change calls.
    ///
    /// It cannot be combined with required client certificates, since a peer without one could use plain
    /// text: [`Server::start`] refuses that.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn plain_beside_tls(mut self) -> Self {
        self.plain_beside_tls = true;
        self
    }

    /// The engine to run on. Default: the process's default engine, one shard per core.
    pub fn engine(mut self, engine: &Engine) -> Self {
        self.engine = Some(engine.clone());
        self
    }

    /// Maximum number of calls in flight over all methods: a number, or a limit that is measured
    /// ([`Auto`](crate::Auto), [`Timeout`](crate::Timeout)). Further ones are refused with ELIMIT, except those of pages and
    /// built-in services. Default 0: no limit. [`Running::set_max_concurrency`] changes it.
    pub fn max_concurrency(mut self, most: impl Into<Concurrency>) -> Self {
        self.max_concurrency = most.into();
        self
    }

    /// How calls are shed that wait for a worker of the pool, where handlers run that are not quick; `None`: all of them wait, for as long as it
    /// takes. Default [`Shedding::default`]. See docs/overload.md.
    pub fn shedding(mut self, shedding: impl Into<Option<Shedding>>) -> Self {
        self.shedding = shedding.into();
        self
    }

    /// Most bytes that all connections may hold together: received, assembled, of requests in flight, unsent. From 80 % on, the
    /// connections that hold most are not read, and from 90 % on calls are refused with ELIMIT. A connection that could not
    /// go on for 5 s because of this is closed. Default: half of what the control group or the machine grants, for each server of a
    /// process. `None`: no limit, and nothing is counted. See docs/overload.md.
    pub fn max_memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.max_memory = Some(bytes.into());
        self
    }

    /// Most bytes that one connection may hold before it is read no further. A message that is longer can then not be received.
    /// Default: no limit.
    pub fn max_connection_memory(mut self, bytes: usize) -> Self {
        self.max_connection_memory = bytes;
        self
    }

    /// Most connections that are open at once. Further ones are closed as soon as they are accepted, except for some from the same
    /// machine, so that an operator reaches the pages. Default: no limit.
    pub fn max_connections(mut self, most: usize) -> Self {
        self.max_connections = most;
        self
    }

    /// The limit of each method of the application that has none of its own ([`Method::max_concurrency`]). Default: no limit.
    ///
    /// [`Method::max_concurrency`]: crate::Method::max_concurrency
    pub fn method_max_concurrency(mut self, most: impl Into<Concurrency>) -> Self {
        self.method_max_concurrency = most.into();
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
    /// and also if there is not an authenticator. For protocols that come with a decision of their own, such as
    /// ZeroMQ's port. It must not block.
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

    /// Allows pages of this origin (`https://app.example.com`) to call over HTTP: grpc-web, Connect, JSON.
    /// May be called several times; `*` allows all origins. Default: only pages that this server itself
    /// served, since otherwise any page in a browser could call a server that the browser can reach.
    pub fn cross_origin(mut self, origin: &str) -> Self {
        self.origins.allowed.extend(origin.split(',').map(|one| one.trim().to_owned()));
        self
    }

    /// A host name of this server for HTTP (`tool.corp`, with or without a port); addresses and `localhost`
    /// need not be named. May be called several times. Once a name is set, HTTP requests under other names
    /// are refused.
    ///
    /// Default: any name is accepted, with three exceptions: a page in a browser that came over plain HTTP
    /// from the same name, browsers that reach a loopback address over plain HTTP, and pages that only answer
    /// their own machine. The reason is DNS rebinding: the owner of a name may point it to this server after
    /// the browser has loaded a page, whose calls would then look like same-origin calls. At other addresses,
    /// a GET of such a page cannot be told from others: a server that relies on being reachable only from
    /// trusted networks should set its names.
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.origins.hosts.push(name.into());
        self.origins.only_hosts = true;
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

    /// The text of `/version`. Default: the names of the services.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// The server's health, which can be set from anywhere.
    pub fn health(&self) -> Health {
        self.health.clone()
    }

    /// Shows the schemas of its services to every peer over gRPC reflection. Default: only to peers on the
    /// same machine.
    pub fn reflection(mut self) -> Self {
        self.open_reflection = true;
        self
    }

    /// Serves only the services that were added: no pages (`/health`, `/status` and the like), and no gRPC
    /// health, reflection and channelz.
    pub fn without_pages(mut self) -> Self {
        self.pages = false;
        self
    }

    /// Opens a page, for example `metrics`, to everybody, as `/health` always is: for a Prometheus on another machine. May be called
    /// several times. Every peer that reaches the port, a proxy too, can then read the page as `/metrics`, under any host name and
    /// without a credential; a [guard](Self::guard) of HTTP still applies.
    ///
    /// The server does not start if it has no such page, or if it is one that changes something (`rpcz`, an application's page with
    /// [`Page::change`]) or `token`.
    pub fn open_page(mut self, name: impl Into<String>) -> Self {
        self.open_pages.push(name.into());
        self
    }

    /// Listens on this address, too, and shows the server's pages there and nowhere else: on a network of operators, beside one of
    /// clients. Whoever reaches it reads the pages, from other machines as well; changes, and `/token`, are for peers of
    /// this machine. `/health` and pages of [`Server::open_page`] stay everywhere. Services are reached there as at every address.
    /// May be called several times.
    ///
    /// The server does not start if it has no pages ([`Server::without_pages`]), or if it is started by [`Server::serve`].
    pub fn pages_on(mut self, address: impl Into<String>) -> Self {
        self.addresses.push((address.into(), Takes::Pages));
        self
    }

    /// Decides for each request of a page what its caller may do, in place of the caller's address: by a credential, a
    /// certificate, an address. It is asked for peers of this machine and for those behind proxies, too, and it runs before
    /// the page on the work pool. Pages for everyone, such as `/health`, do not ask it.
    ///
    /// The host of the request still has to be an address or a name of the server ([`Server::host`]), pages of other
    /// origins still read nothing, and a change still needs the token.
    ///
    /// ```
    /// # use polywire_server::{Access, Context};
    /// fn operators(cx: &Context) -> Access {
    ///     match cx.metadata().get_str("authorization") {
    ///         Some("Bearer of-the-operators") => Access::Act,
    ///         _ if cx.peer().is_local() => Access::Read,
    ///         _ => Access::None,
    ///     }
    /// }
    /// ```
    pub fn pages_auth(mut self, decides: impl Fn(&Context) -> Access + Send + Sync + 'static) -> Self {
        self.pages_auth = Some(Arc::new(decides));
        self
    }

    /// The token of the pages: who shows it reads and changes, from wherever he asks, and who does not gets no page, from this
    /// machine neither. A script sends `authorization: Bearer TOKEN`. A browser is led to `/login`, where the token is typed in
    /// once; a session of twelve hours is then known by a cookie. With [`Server::pages_auth`], that function decides about those
    /// who do not show it. `/health` and pages of [`Server::open_page`] need none.
    ///
    /// Behind a proxy that browsers reach by a name, this is a name of the server ([`Server::host`]), and the proxy passes it on as
    /// `Host`. Take random characters, and read them from a file or the environment. The server does not start with fewer than 16.
    pub fn pages_token(mut self, token: impl Into<String>) -> Self {
        self.pages_token = Some(token.into());
        self
    }

    /// Adds a page of the application to those of the server, see [`Page`]. May be called several times.
    ///
    /// The server does not start if it has a page at this path.
    pub fn page(mut self, page: Page) -> Self {
        self.own_pages.push(page);
        self
    }

    /// Exposes a variable of the application on the server's pages `/vars` and `/metrics`. A variable that has a window is
    /// sampled with the server's own, once a second.
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

    /// Shows gRPC's own metrics as well (`grpc_server_call_duration_seconds` and others, as of gRPC's plugins for OpenTelemetry): of
    /// the server's calls by gRPC, and of the calls of the process's channels. See docs/metrics.md. Default: no; OpenTelemetry's own of
    /// all protocols are always shown, and a call by gRPC would have both.
    pub fn grpc_metrics(mut self) -> Self {
        self.grpc_metrics = true;
        self
    }

    /// Records calls with this tracer, which several servers and channels may share. Default: one of its own, which is off until
    /// the page `/rpcz` turns it on. [`polywire_engine::tracer`] makes one.
    pub fn tracer(mut self, tracer: &Tracer) -> Self {
        self.tracer = Some(tracer.clone());
        self
    }

    /// Gives operators this set of flags on the page `/flags`, where they see values and change them by POST. The server adds its
    /// own limits when it starts, as [`Running::register_flags`] does. Default: none, and the page says so.
    ///
    /// The server does not start if the set has the limits of another server, or another flag of such a name.
    pub fn flags(mut self, flags: &Flags) -> Self {
        self.flags = Some(flags.clone());
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

    /// Announces the server to a registry, such as Consul or etcd, from its start on; a stop withdraws it first. May be
    /// called several times. It is announced at the address of its first listener unless the registration has another.
    pub fn register(mut self, registration: Registration) -> Self {
        self.registrations.push(registration);
        self
    }

    /// Records some of its requests in files, in brpc's format, to be replayed by `polywire replay`: about 1000 a second,
    /// without credentials, see [`DumpOptions`]. Default: none.
    ///
    /// The server does not start if the folder cannot be made or read.
    pub fn dump(mut self, options: DumpOptions) -> Self {
        self.dump = Some(options);
        self
    }

    /// Writes the spans that its tracer keeps to files as well, a line of OTLP's JSON for each: see [`SpanFileOptions`]. Default: none.
    /// Nothing is written while the tracer is off.
    ///
    /// The server does not start if the folder cannot be made or read, or if its tracer has four sinks.
    pub fn span_files(mut self, options: SpanFileOptions) -> Self {
        self.span_files = Some(options);
        self
    }

    /// Writes the variables of the server and the process to files at intervals, as brpc's `-bvar_dump` does, and to one for
    /// Prometheus' node_exporter: see [`MetricFileOptions`]. Default: none.
    ///
    /// The server does not start if there is no such interval, or a tab is none. A file that cannot be written is told by the log.
    pub fn metric_files(mut self, options: MetricFileOptions) -> Self {
        self.metric_files = Some(options);
        self
    }

    /// How long a stop waits for calls in flight. Default 10 s.
    pub fn drain_limit(mut self, limit: Duration) -> Self {
        self.drain = limit;
        self
    }

    /// CPU time that one poll of a handler may take and still count as quick, see `polywire_engine::inline`.
    /// Default 100 µs.
    pub fn inline_budget(mut self, budget: Duration) -> Self {
        self.inline_budget = budget;
        self
    }

    /// Starts the server. Returns once all listeners accept connections. It is not `async`: it needs no runtime, and there is
    /// nothing to await. The server runs until [`Running`] is stopped or dropped.
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

    /// Starts and runs until SIGTERM or Ctrl-C, or until another process has [taken over](Self::hand_over), then drains. Tells
    /// systemd of all that ([`systemd`]).
    ///
    /// # Errors
    /// As [`Server::start`].
    pub async fn run(self) -> Result<(), ServerError> {
        self.retyped().running(P::services).await
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
            registry services middleware addresses #[cfg(feature = "__tls")] tls #[cfg(feature = "__tls")]
            plain_beside_tls engine limits timeouts shedding max_memory max_connection_memory max_connections
            max_concurrency method_max_concurrency authenticator origins guards wrong enabled version pages open_pages
            pages_auth pages_token own_pages metrics tracer flags health open_reflection extensions receptions
            registrations dump span_files metric_files drain inline_budget json backlog share hand_over before_ready
            access_logs grpc_metrics
        }
    }
}

/// [`Preset::services`].
type Standard = fn(&About) -> Vec<Service>;

impl Server<()> {
    fn started(mut self, standard: Standard) -> Result<Running, ServerError> {
        let (addresses, registrations) =
            (std::mem::take(&mut self.addresses), std::mem::take(&mut self.registrations));
        self.origins.hosts.extend(addresses.iter().filter_map(|(address, _)| host_of(address)));
        if addresses.is_empty() {
            return Err(ConfigError::new("listen", "no address: say .listen(\"host:port\")").into());
        }
        addresses.iter().try_for_each(|(address, _)| checks::address(address))?;
        checks::pages_on(&addresses, self.pages)?;
        let mut taken = match &self.hand_over {
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
                None => transport::bind_shared(&address, self.backlog, self.share)?,
            };
            listeners.push((address, listener, takes));
        }
        let next = self.hand_over.take().map(|path| (path, taken));
        let before_ready = std::mem::take(&mut self.before_ready);
        Running::accept(self.core(standard)?, listeners, registrations, next, before_ready)
    }

    fn serving(
        mut self,
        listener: std::net::TcpListener,
        standard: Standard,
    ) -> Result<Running, ServerError> {
        if let Some((address, _)) = self.addresses.iter().find(|(_, takes)| *takes == Takes::Pages) {
            // Otherwise they would be at the one listener, for whoever reaches it.
            let text = format!("pages_on({address:?}): serve(..) has one listener; say .listen(..).start()");
            return Err(ConfigError::new("pages_on", text).with_value(address).into());
        }
        listener.set_nonblocking(true)?;
        let registrations = std::mem::take(&mut self.registrations);
        let listeners = vec![(String::new(), Listener::Tcp(listener), Takes::Default)];
        let before_ready = std::mem::take(&mut self.before_ready);
        Running::accept(self.core(standard)?, listeners, registrations, None, before_ready)
    }

    fn without_listener(mut self, standard: Standard) -> Result<Running, ServerError> {
        match self.addresses.first() {
            Some((address, _)) => {
                let text = format!("listen({address:?}): such a server has no port of its own");
                Err(ConfigError::new("listen", text).with_value(address).into())
            }
            None => {
                let registrations = std::mem::take(&mut self.registrations);
                let before_ready = std::mem::take(&mut self.before_ready);
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
        let version = self.version.unwrap_or_else(|| named.join("+"));
        let facts = Arc::new(Facts::default());
        let mut services = middleware::around(self.services, self.middleware);
        self.health.begin(named.iter().copied());
        #[cfg(feature = "console")]
        let schemas = pages::Schemas::new(services.iter().map(AboutService::of).collect());
        checks::pages_token(self.pages_token.as_deref(), self.pages)?;
        if let (false, Some(name)) = (self.pages, self.open_pages.first()) {
            let text = format!("open_page({name:?}): this server has no pages");
            return Err(ConfigError::new("open_page", text).with_value(name).into());
        }
        if self.pages {
            let about = About {
                health: self.health.clone(),
                services: services.iter().map(AboutService::of).collect(),
                open_reflection: self.open_reflection,
                facts: facts.clone(),
            };
            let login = self.pages_token.is_some();
            services.extend(pages::services(&facts, &self.open_pages, self.own_pages, login)?);
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
            inline_budget: self.inline_budget,
            max_concurrency: self.method_max_concurrency,
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
        let max_memory = self.max_memory.unwrap_or_else(usual_budget);
        let limited = max_memory.is_some() || self.max_connection_memory != usize::MAX;
        let memory = || Arc::new(Memory::new(max_memory.unwrap_or(usize::MAX), self.max_connection_memory));
        let memory = limited.then(memory);
        let mut shared = Shared::new(methods, self.metrics, self.inline_budget).map_err(of_services)?;
        if self.grpc_metrics {
            shared.stats.show_grpc();
        }
        shared.authentication.limit = self.timeouts.authentication;
        let origins = Arc::new(std::mem::take(&mut self.origins));
        let metric_files = self.metric_files.map(ServerFiles::new).transpose();
        let metric_files = metric_files
            .map_err(|why| ConfigError::new("metric_files", format!("metric_files(..): {why}")))?;
        let tracer = self.tracer.unwrap_or_else(|| shared.tracer.clone());
        let span_files = self.span_files.map(SpanFiles::start).transpose()?;
        if let Some(files) = &span_files
            && !tracer.set_sink(files.clone())
        {
            return Err(ConfigError::new("span_files", "span_files(..): the tracer has four sinks").into());
        }
        let shared = Arc::new(Shared {
            origins: origins.clone(),
            limiter: Limiter::new(self.max_concurrency, workers, clock::now()),
            memory,
            inflated: self.limits.inflated,
            backlog: Backlog::new(self.shedding, processors, clock::now()),
            authenticator: self.authenticator,
            guards: self.guards,
            json: self.json.unwrap_or_default(),
            rule_json: self.json.unwrap_or(Json::CANONICAL),
            receptions: self.receptions,
            tracer,
            span_files,
            access_logs: self.access_logs,
            dump: self.dump.map(Recorder::start).transpose()?.map(Arc::new),
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
        let door = Door::new(self.tls, self.plain_beside_tls, &config)?;
        #[cfg(not(feature = "__tls"))]
        let door = Door::default();
        let core = Arc::new(Core {
            engine,
            door,
            shared,
            tables,
            config: Arc::new(config),
            most_connections: Arc::new(AtomicUsize::new(self.max_connections)),
            open: Arc::default(),
            turned_away: Arc::default(),
            reserved: Mutex::default(),
            drain: Arc::new(AtomicU64::new(u64::try_from(self.drain.as_micros()).unwrap_or(u64::MAX))),
            health: self.health.clone(),
            addresses: OnceLock::new(),
            pages_addresses: OnceLock::new(),
            connections: Mutex::new(Vec::new()),
            ends: Arc::default(),
            arriving: Arc::default(),
            metric_files,
            facts: facts.clone(),
        });
        if let Some(flags) = &self.flags {
            let wrong = |error: FlagError| ConfigError::new("flags", format!("flags(..): {error}"));
            core.register_flags(flags).map_err(wrong)?;
        }
        let methods: Weak<dyn Methods> = Arc::downgrade(&(core.clone() as Arc<dyn Methods>));
        let boot = pages::boot();
        facts.set(ServerFacts {
            version,
            stats: core.shared.stats.clone(),
            tracer: core.shared.tracer.clone(),
            methods,
            since: clock::now(),
            limiter: core.shared.limiter.clone(),
            flags: self.flags,
            health: self.health,
            secrets: Default::default(),
            askers: Default::default(),
            senders: Default::default(),
            watch: facts.watch.clone(),
            #[cfg(feature = "console")]
            schemas,
            pages_auth: self.pages_auth,
            logins: self.pages_token.map(|token| Logins::new(token, boot)),
            has_authenticator: core.shared.authenticator.is_some(),
            boot,
        });
        Ok(core)
    }
}

/// Services that do not go together, or a pattern of theirs that is none.
fn of_services(text: String) -> ConfigError {
    ConfigError::new("service", text)
}

/// The host part of an address to listen on.
fn host_of(address: &str) -> Option<String> {
    let (host, _port) = address.rsplit_once(':')?;
    (!address.starts_with("unix:")).then(|| host.to_owned())
}
