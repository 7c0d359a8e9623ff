//! The server while it is configured; `running.rs` has the running server.

#[cfg(feature = "__tls")]
use crate::tls::ServerTls;
#[cfg(feature = "tower")]
use crate::tower;
use crate::{
    about::About,
    admission::Admission,
    auth::Authenticator,
    catch_all::{self, CatchAll},
    error::ServerError,
    group::Group,
    health::Health,
    middleware::Middleware,
    networks::Networks,
    options::{Bounds, Lifecycle, Recording},
    pages::ServerPages,
    running::Running,
    servable::Servable,
    service::Service,
    start::Options,
};
use polywire_call::{ConfigError, Status};
use polywire_engine::{Engine, Peer, Timeouts};
use polywire_formats::json::Json;
use polywire_hub::Reception;
use polywire_metrics::{Name, Variable};
#[cfg(feature = "tower")]
use polywire_wire::HttpVersion;
use polywire_wire::{Claim, Limits, Origins, Protocol, Protocols};
use std::{any::Any, marker::PhantomData, sync::Arc};

/// The protocols and services that a server contains from the beginning. The facade's `Server` has all
/// built-in protocols and gRPC's standard services.
pub trait Preset: Protocols {
    /// The options of its pages; `()`: it has none.
    type Pages: ServerPages + Default;

    /// The built-in services. A service of the application with the same name replaces the built-in one.
    fn services(_about: &About) -> Vec<Service> {
        Vec::new()
    }
}

/// A server that is being configured: services and the addresses on which they will be reached.
#[must_use]
pub struct Server<P> {
    protocols: PhantomData<fn() -> P>,
    options: Options,
}

impl<P: Preset> Default for Server<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Preset> Server<P> {
    /// A server without services or listeners.
    pub fn new() -> Self {
        let pages = Box::new(P::Pages::default());
        Server { protocols: PhantomData, options: Options::new(P::protocol_set(), pages) }
    }

    /// The JSON mapping of `application/json` over HTTP and baidu_std. Default: [`Json::DEFAULT`], brpc's
    /// mapping with values checked. [`Json::LENIENT`] accepts and omits values that do not fit, as brpc does;
    /// [`Json::CANONICAL`] and [`Json::STRICT`] are protobuf's own mapping. `application/proto-json`, the
    /// JSON of gRPC and Connect, and that of ZeroMQ's calls are always canonical.
    pub fn json(mut self, json: Json) -> Self {
        self.options.json = Some(json);
        self
    }

    /// Adds a service: one of generated code (`Echo.into_service()`), or the equivalent of one protocol:
    /// `redis::service(..)`, a `zmq::Port`, `rest_rpc::Functions`, `nshead::service(..)`, or a [`Servable`]
    /// of another crate. May be called several times.
    pub fn service(self, what: impl Servable) -> Self {
        what.add_to(self)
    }

    /// Adds a protocol that is not built in. Its detection sees the first bytes of a connection before the
    /// others do.
    ///
    /// The server does not start if it already has a protocol of this name.
    pub fn protocol(mut self, protocol: &'static Protocol) -> Self {
        if self.options.protocols.find(protocol.name).is_some() {
            let name = protocol.name;
            self.options.wrong.get_or_insert_with(|| {
                let text = format!("protocol({name}): there is a protocol of this name already");
                ConfigError::new("protocol", text).with_value(name)
            });
        }
        self.options.protocols = self.options.protocols.with(protocol);
        self
    }

    pub(crate) fn with_service(mut self, service: Service) -> Self {
        self.options.services.push(service);
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
        self.options.middleware.push(Arc::new(middleware));
        self
    }

    /// Answers calls of services and methods that the server does not have, over every protocol that names
    /// them: gRPC, Connect, baidu_std and others; by plain HTTP paths only if it [says
    /// so](CatchAll::by_path), and never by numbers of methods. Own services, built-in ones and pages come
    /// before it, a `fallback` after it. Limits, middleware, the authenticator and statistics apply as for
    /// any method; the pages show its calls as `catch_all/unary`, `catch_all/safe` (those that
    /// only read), `catch_all/streaming` and `catch_all/replies`.
    ///
    /// A call with names other than those of protobuf (letters, digits and `_`, and dots in services) is
    /// refused. The server does not start with two of them.
    pub fn catch_all(mut self, what: impl CatchAll) -> Self {
        let what: Arc<dyn CatchAll> = Arc::new(what);
        let service = catch_all::service(&what);
        self.options.catch_all = Some(what);
        self.with_service(service)
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
        self.options.addresses.push(address.into());
        self
    }

    /// Checks the form of an address for [`Server::listen`], as the start of a server does.
    ///
    /// # Errors
    /// The correct form.
    pub fn check_address(address: &str) -> Result<(), ConfigError> {
        crate::checks::address(address)
    }

    /// Enables TLS, and refuses plain text except where [`ServerTls`] allows it. A client that negotiates a
    /// protocol by ALPN has to speak that protocol.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn tls(mut self, tls: ServerTls) -> Self {
        self.options.tls = Some(tls);
        self
    }

    /// The engine to run on. Default: the process's default engine, one shard per core.
    pub fn engine(mut self, engine: &Engine) -> Self {
        self.options.engine = Some(engine.clone());
        self
    }

    /// Limits on calls, connections and memory. Default [`Bounds::default`]. A second call replaces the
    /// options of the first one, as with all groups of options.
    pub fn bounds(mut self, bounds: Bounds) -> Self {
        self.options.bounds = bounds;
        self
    }

    /// Limits of sizes and counts that apply to every peer.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Time limits of connections.
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.options.timeouts = timeouts;
        self
    }

    /// Sets the authenticator, which has to let a caller in before anything is dispatched: `|caller: Caller|
    /// async move { .. }`, or a type that implements [`Authenticator`].
    pub fn authenticate(mut self, authenticator: impl Authenticator) -> Self {
        self.options.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Asks `admission` about each call of a method of the application before its body is read, when the
    /// authenticator has let its caller in: limits of [rates](crate::Rates), for example. It must not block.
    /// The one added first is asked first. Calls of built-in pages and services are not asked about.
    pub fn admission(mut self, admission: impl Admission) -> Self {
        self.options.admissions.push(Arc::new(admission));
        self
    }

    /// Requires the consent of `verify` for peers of this protocol, in addition to the authenticator. It is
    /// called before the authenticator, and also without one. For protocols with a decision of their own,
    /// such as ZeroMQ's port. It must not block.
    ///
    /// The guard decides about the peer and its credential, not about a request: [`Claim::head`] is `None`,
    /// and its consent holds for all requests with the same credential on the connection. It is asked for all
    /// requests, including those that need no credential (`/health`, methods that are open to all).
    ///
    /// HTTP has two names, `http` and `h2`: guard both. `baidu_std` includes streaming_rpc. The server does
    /// not start if it has no protocol of this name, or does not answer it.
    pub fn guard(
        mut self,
        protocol: &'static str,
        verify: impl Fn(&Claim<'_>, &Peer) -> Result<(), Status> + Send + Sync + 'static,
    ) -> Self {
        self.options.guards.push((protocol, Box::new(verify)));
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
        self.options.origins = origins;
        self
    }

    /// Lets only peers of these networks connect, over TCP; the connection of another one is closed as soon
    /// as it is accepted, before a byte of it is read. Default: everybody.
    pub fn peers(mut self, networks: Networks) -> Self {
        self.options.networks = Some(networks);
        self
    }

    /// Answers only these protocols, by name. `grpc` allows HTTP/2, `grpc-web` and `connect` allow both
    /// versions of HTTP, each as a whole, because the first bytes do not distinguish them from other calls
    /// there. Default: all protocols of the set.
    ///
    /// The server does not start if the list is empty, or contains a name under which it would answer no
    /// client.
    pub fn protocols<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.options.enabled = Some(names.into_iter().map(str::to_owned).collect());
        self
    }

    /// The server's health, which can be set from anywhere.
    pub fn health(&self) -> Health {
        self.options.health.clone()
    }

    /// Its pages, and who sees them. `None` serves only the services that were added: no pages (`/health`,
    /// `/status` and the like), and no gRPC health, reflection and channelz.
    pub fn pages(mut self, pages: impl Into<Option<P::Pages>>) -> Self {
        let pages = pages.into();
        self.options.shows_pages = pages.is_some();
        self.options.pages = Box::new(pages.unwrap_or_default());
        self
    }

    /// The records that the server keeps: access logs, spans, metrics files, dumps of requests. Default:
    /// none.
    pub fn recording(mut self, recording: Recording) -> Self {
        self.options.recording = recording;
        self
    }

    /// How the server starts, takes over from a previous process, and stops. Default [`Lifecycle::default`].
    pub fn lifecycle(mut self, lifecycle: Lifecycle) -> Self {
        self.options.lifecycle = lifecycle;
        self
    }

    /// Exposes a variable of the application on the server's pages `/vars` and `/metrics`. A variable that
    /// has a window is sampled with the server's own, once a second.
    ///
    /// The server does not start if the name is taken.
    pub fn expose(mut self, name: impl Into<Name>, variable: impl Variable + 'static) -> Self {
        let name = name.into();
        if let Err(why) = self.options.metrics.expose(name.clone(), variable) {
            self.options.wrong.get_or_insert_with(|| {
                ConfigError::new("expose", why.to_string()).with_value(name.to_string())
            });
        }
        self
    }

    /// Sets the settings of one protocol, of a type that the protocol defines. Each type can be set once. For
    /// [`Servable`]s.
    pub fn extension<T: Any + Send + Sync>(mut self, settings: Arc<T>) -> Self {
        if self.options.extensions.get::<T>().is_some() {
            let what = std::any::type_name::<T>();
            self.options.wrong.get_or_insert_with(|| {
                let text = format!("{what} is there twice: a protocol has its settings once");
                ConfigError::new("extension", text).with_value(what)
            });
        }
        self.options.extensions.insert(settings);
        self
    }

    /// Adds a reception, which assigns connections to sockets that span connections (ZeroMQ's sockets,
    /// subscribers of rest_rpc). May be called several times; the first reception that accepts the peer
    /// decides. Peers that no reception accepts may call methods.
    pub fn reception(mut self, reception: Arc<dyn Reception>) -> Self {
        self.options.receptions.push(reception);
        self
    }

    /// Counts the server together with the others of this group: statistics, ended connections and the budget
    /// of memory, which is that of the first one. Pages of another server show them as one
    /// ([`Pages::of`](https://docs.rs/polywire/latest/polywire/struct.Pages.html#method.of)). Variables of
    /// [`Server::expose`] are those of the first one.
    ///
    /// The server does not start if the others have other methods.
    pub fn group(mut self, group: &Group) -> Self {
        self.options.group = Some(group.clone());
        self
    }

    /// Starts the server. Returns once all listeners accept connections. It is not `async`: it needs no
    /// runtime, and there is nothing to await. The server runs until [`Running`] is stopped or dropped.
    ///
    /// # Errors
    /// An option or service that is wrong, or an address that cannot be bound; the text names it.
    pub fn start(self) -> Result<Running, ServerError> {
        self.options.started(P::services)
    }

    /// Starts on a listener that was bound elsewhere.
    ///
    /// # Errors
    /// The errors of [`Server::start`].
    pub fn serve(self, listener: std::net::TcpListener) -> Result<Running, ServerError> {
        self.options.serving(listener, P::services)
    }

    /// Starts without a listener, for streams that are passed to [`Running::serve_stream`].
    ///
    /// # Errors
    /// The errors of [`Server::start`]. Also if an address to listen on was set.
    pub fn start_without_listener(self) -> Result<Running, ServerError> {
        self.options.without_listener(P::services)
    }

    /// Starts and runs until SIGTERM or Ctrl-C, or until another process has [taken
    /// over](Lifecycle::hand_over), then drains. Tells systemd of all that ([`systemd`](crate::systemd)).
    ///
    /// # Errors
    /// As [`Server::start`], as `main` returns them.
    pub async fn run(self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.options.running(P::services).await?)
    }

    /// Whether the server's authenticator accepts later requests of a connection on which a credential was
    /// shown before.
    #[cfg(feature = "tower")]
    pub(crate) fn remembers(&self) -> bool {
        self.options.authenticator.as_ref().is_some_and(|authenticator| authenticator.remembers())
    }

    /// Whether a guard decides about peers of this protocol.
    #[cfg(feature = "tower")]
    pub(crate) fn has_guard_of(&self, protocol: &str) -> bool {
        self.options.guards.iter().any(|(guarded, _)| *guarded == protocol)
    }

    /// Names of the protocols that are HTTP of this version.
    #[cfg(feature = "tower")]
    pub(crate) fn protocols_over(&self, version: HttpVersion) -> Vec<&'static str> {
        let own = self.options.protocols.iter().filter(|protocol| protocol.detected_as.is_empty());
        own.filter(|protocol| protocol.http == Some(version)).map(|protocol| protocol.name).collect()
    }

    /// Whether the server's ports speak TLS.
    #[cfg(feature = "tower")]
    pub(crate) fn speaks_tls(&self) -> bool {
        #[cfg(feature = "__tls")]
        return self.options.tls.is_some();
        #[cfg(not(feature = "__tls"))]
        false
    }
}
