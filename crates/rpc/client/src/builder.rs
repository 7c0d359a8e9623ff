//! Makes a channel from its options. Each option has a default, and all are checked once.

#[cfg(feature = "__tls")]
use crate::connection::tls::{Secure, TlsConnect};
use crate::{
    address::Address,
    channel::{Channel, ChannelError, NoProtocols},
    cluster_tls::UseClusterTls,
    connection::credentials::Credentials,
    connection::{
        backoff::Backoff,
        byte_streams::ByteStreams,
        connector::Connector,
        server_options::ServerOptions,
        spec::{ConnectSpec, Observers},
    },
    health::HealthCheck,
    hedging::Hedge,
    interceptor::Interceptor,
    naming::NamingOptions,
    options::Options,
    pool::shared::SharedConnections,
    recipe::Recipe,
    retry_budget::Retries,
    retry_policy::RetryPolicy,
    servers::{Asked, FleetOptions, probes},
    service_config::ServiceConfig,
    subchannel_metrics::Subchannels,
    tries::TryInterceptor,
};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spill, Subset};
use polywire_call::ConfigError;
use polywire_engine::{Config, Transport};
use polywire_naming::{self as naming, Naming, Schemes};
use polywire_routing::{Router, RouterSchemes, Routing};
use polywire_trace::Tracer;
use polywire_wire::{Connections, Content, Limits, Longest, Protocol, Protocols, Registry};
use std::{future::Future, io, marker::PhantomData, sync::Arc, time::Duration};

/// A trait that no type implements, so that the compiler's error names the missing feature.
#[cfg(not(feature = "__tls"))]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`Builder::tls` of a channel needs the feature `tls` or `tls-aws-lc` of `polywire`",
    label = "enable one of these features in Cargo.toml"
)]
pub trait NeedsTls {}

/// The options of a new channel. All except the address have defaults.
#[must_use]
pub struct Builder<P = NoProtocols> {
    address: String,
    schemes: Schemes,
    routers: RouterSchemes,
    naming: NamingOptions,
    hedge: Option<Hedge>,
    retry_policy: Option<RetryPolicy>,
    retry_budget: Option<Retries>,
    /// `None`: the registry's default.
    protocol: Option<String>,
    registry: Registry,
    options: Options,
    service_config: Option<String>,
    interceptors: Vec<Arc<dyn Interceptor>>,
    try_interceptors: Vec<Arc<dyn TryInterceptor>>,
    tracer: Option<Tracer>,
    credentials: Option<Credentials>,
    connector: Connector,
    #[cfg(feature = "__tls")]
    tls: Option<TlsConnect>,
    protocols: PhantomData<fn() -> P>,
}

impl<P: Protocols + Naming + Routing> Channel<P> {
    /// A channel to `host:port`, `[v6]:port` or `unix:path`, which connects when first used. `http://host:port` is
    /// accepted, too, and `https://host:port` as TLS with its defaults; neither chooses the protocol.
    ///
    /// Or a channel to the servers of a name, by the url of a naming source such as `list://10.0.0.1:8000,10.0.0.2:8000`; or to
    /// those of several clusters, by the url of a router.
    pub fn builder(address: impl Into<String>) -> Builder<P> {
        Builder::new(address.into())
    }

    /// A channel with all defaults. Connects once to check that the server can be reached.
    ///
    /// # Errors
    /// The address is wrong, or the connection could not be made.
    pub async fn connect(address: impl Into<String>) -> Result<Self, ChannelError> {
        let channel = Self::builder(address).build()?;
        channel.probe().await?;
        Ok(channel)
    }
}

/// What [`Builder::protocol`] takes: the name of a protocol in the registry, or a protocol that is not in it.
pub struct ProtocolChoice(Which);

enum Which {
    Named(String),
    Own(&'static Protocol),
}

impl From<&str> for ProtocolChoice {
    fn from(name: &str) -> Self {
        ProtocolChoice(Which::Named(name.to_owned()))
    }
}
impl From<&String> for ProtocolChoice {
    fn from(name: &String) -> Self {
        ProtocolChoice(Which::Named(name.clone()))
    }
}
impl From<String> for ProtocolChoice {
    fn from(name: String) -> Self {
        ProtocolChoice(Which::Named(name))
    }
}
impl From<&'static Protocol> for ProtocolChoice {
    fn from(protocol: &'static Protocol) -> Self {
        ProtocolChoice(Which::Own(protocol))
    }
}

impl<P: Protocols + Naming + Routing> Builder<P> {
    fn new(address: String) -> Self {
        Builder {
            address,
            schemes: P::schemes(),
            routers: P::routers(),
            naming: NamingOptions::default(),
            hedge: None,
            retry_policy: None,
            retry_budget: None,
            protocol: None,
            registry: P::registry(),
            options: Options::default(),
            service_config: None,
            interceptors: Vec::new(),
            try_interceptors: Vec::new(),
            tracer: None,
            credentials: None,
            connector: Connector::default(),
            #[cfg(feature = "__tls")]
            tls: None,
            protocols: PhantomData,
        }
    }
}

impl<P> Builder<P> {
    /// The wire protocol, by its name in the registry; a parameter may follow a colon (`http:proto`). A protocol that
    /// is not in the registry is passed as `&PROTOCOL`. Default: [`Registry::default_protocol`], which is `baidu_std`
    /// for the registry of built-in protocols.
    pub fn protocol(mut self, protocol: impl Into<ProtocolChoice>) -> Self {
        match protocol.into().0 {
            Which::Named(name) => self.protocol = Some(name),
            Which::Own(protocol) => {
                self.registry = self.registry.with(protocol);
                self.protocol = Some(protocol.name.to_owned());
            }
        }
        self
    }

    /// The time limit of a call, including all its tries. Default 1 s.
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

    /// The number of further tries after connection-level failures and explicit refusals. Default 3, as brpc's
    /// `max_retry`. A call whose connection broke may have been executed: use 0 for calls that must not be executed
    /// twice.
    pub fn retries(mut self, most: u32) -> Self {
        self.options.retries = most.min(1000);
        self
    }

    /// Whether calls wait, up to their deadlines, while no server can be reached. Default false: after a failure to
    /// connect, calls fail at once with UNAVAILABLE and the reason, until the next attempt to connect (10 ms after
    /// the first failure, doubled up to 1 s). A call can override this
    /// ([`Call::wait_for_ready`](crate::Call::wait_for_ready)), and so can a service config for its methods.
    pub fn wait_for_ready(mut self, wait: bool) -> Self {
        self.options.wait_for_ready = wait;
        self
    }

    /// Whether stubs call a method with a `google.api.http` rule by that rule, over plain HTTP with JSON. Default
    /// true. False: they call `/package.Service/Method`, for servers that do not support rules (brpc).
    pub fn http_rules(mut self, used: bool) -> Self {
        self.options.http_rules = used;
        self
    }

    /// How calls share connections. Default: the protocol's first choice.
    pub fn kind(mut self, kind: Connections) -> Self {
        self.options.kind = Some(kind);
        self
    }

    /// Connections per home that single-connection calls take in turn. Default 1.
    pub fn connections(mut self, connections: usize) -> Self {
        self.options.connections = connections;
        self
    }

    /// HTTP/2: the greatest number of connections per home, including those that are added when the others are full:
    /// the server allows no more calls on them, or reads more slowly than bytes are queued. Default 8. More
    /// connections take more memory at both ends; with fewer, calls wait for a free place, as they do in any case (up
    /// to their deadline) when all are full.
    pub fn max_connections(mut self, most: usize) -> Self {
        self.options.max_connections = most;
        self
    }

    /// Connections beyond [`Builder::connections`] are closed after this time without a call: at least a millisecond,
    /// at most a year. Default 30 s.
    pub fn close_spare_after(mut self, idle: Duration) -> Self {
        self.options.spare = idle.clamp(Duration::from_millis(1), Duration::from_secs(365 * 24 * 60 * 60));
        self
    }

    /// Connections without a call for this time are closed, at the latest after twice this time; the next call makes
    /// a new one. This includes idle connections of kind [`Connections::Pooled`], but not those that threads of
    /// [`Call::blocking`](crate::Call::blocking) drive, because these are not polled between calls. Default: never,
    /// since the first call after a pause would wait for a connection. If this time is shorter than the idle limits
    /// of servers and middleboxes, no call meets a connection that is just being closed.
    pub fn close_idle_after(mut self, idle: Duration) -> Self {
        self.options.idle = Some(idle);
        self
    }

    /// Connections are replaced at this age, plus or minus a tenth: calls go to a new connection, and the old one
    /// ends with its last call or stream. Behind a load balancer, or with a name that has several addresses, this
    /// spreads connections again after servers were added or restarted. Default: never. The first call after the
    /// replacement waits for the new connection.
    pub fn max_connection_age(mut self, age: Duration) -> Self {
        self.options.max_age = Some(age);
        self
    }

    /// The channel shares connections and naming watches with other channels that have the same value, if their
    /// settings do not differ; see [`SharedConnections`]. Default: the channel has its own. [`Channel::faults`] and
    /// [`Channel::connections_made`] then count for all of these channels.
    pub fn share(mut self, shared: &SharedConnections) -> Self {
        self.naming.shared = Some(shared.clone());
        self
    }

    /// Whether a connection whose callers run on a multi-thread runtime is driven by a thread of the default engine
    /// while many calls (16 or more) are under way on it. Default true: that doubles the rate of a hundred callers.
    /// False keeps everything on the runtime's own threads.
    pub fn dedicated_threads(mut self, allowed: bool) -> Self {
        self.options.dedicated_threads = allowed;
        self
    }

    /// The number of shards and runtimes whose callers get their own connections. Default 64. Callers elsewhere share
    /// existing connections. More homes mean fewer hand-overs between threads, and more connections for the server.
    pub fn max_homes(mut self, most: usize) -> Self {
        self.options.homes = most;
        self
    }

    /// Idle connections that a channel of kind [`Connections::Pooled`] keeps per home. Default 100, as brpc's
    /// `max_connection_pool_size`. 0 makes it behave as [`Connections::Short`].
    pub fn pool(mut self, most: usize) -> Self {
        self.options.pool = most;
        self
    }

    /// How byte streams are made, in place of TCP and Unix sockets: for example through a proxy, or to a server in
    /// the same process. `connect` receives the channel's address, runs where the connection will be driven, and is
    /// subject to the connect timeout. Calls by [`Call::blocking`](crate::Call::blocking)
    pub fn connector<F, C, T>(mut self, connect: F) -> Self
    where
        F: Fn(&str) -> C + Send + Sync + 'static,
        C: Future<Output = io::Result<T>> + Send + 'static,
        T: Transport,
    {
        self.connector.custom(connect);
        self
    }

    /// Connections use TLS. The handshake has the connect timeout as a limit of its own. Calls by
    /// [`Call::blocking`](crate::Call::blocking) then use a connection on a shard.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn tls(mut self, tls: TlsConnect) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Needs the feature `tls`.
    #[cfg(not(feature = "__tls"))]
    #[doc(hidden)]
    pub fn tls(self, _: impl NeedsTls) -> Self {
        self
    }

    /// The credential. The first request of each connection carries it; over HTTP every request does, in the field
    /// `authorization`. Calls over a protocol without a field for it fail. An empty value means no credential.
    pub fn credential(mut self, credential: impl Into<Vec<u8>>) -> Self {
        self.options.credential = Some(credential.into()).filter(|credential| !credential.is_empty());
        self
    }

    /// A credential that is fetched and renewed, in place of [`Builder::credential`]. Over HTTP and gRPC each try
    /// carries the newest token in the field `authorization`, unless the call sets that field; over other protocols
    /// the first request of each connection does. Calls wait for the first token up to their deadlines. If there is
    /// none, they fail with UNAVAILABLE and the error of the token's source.
    pub fn credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = Some(credentials);
        self
    }

    /// Form of request bodies. Default: the protocol's own.
    pub fn content(mut self, content: Content) -> Self {
        self.options.content = Some(content);
        self
    }

    /// The number of unsent bytes on a connection above which further calls on it are refused with EOVERCROWDED.
    /// Default 64 MiB, brpc's `socket_max_unwritten_bytes`.
    pub fn max_unsent_bytes(mut self, bytes: usize) -> Self {
        self.options.max_unsent = bytes;
        self
    }

    /// The time after which a connection is closed if bytes are unsent and its peer accepts none. Default 30 s.
    pub fn write_stall(mut self, limit: Duration) -> Self {
        self.options.write_stall = limit;
        self
    }

    /// Sizes and counts the peer is held to.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// gRPC's service config as JSON: timeouts, waiting, limits and retries by method, and throttling of retries. It is
    /// checked when the channel is built. A method's retry policy takes the place of [`Builder::retries`], see
    /// docs/client.md.
    pub fn service_config(mut self, json: impl Into<String>) -> Self {
        self.service_config = Some(json.into());
        self
    }

    /// The number of sent bytes that each client stream keeps for retries, including 56 for each message, if a
    /// service config has a retry policy for its method. Default 1 MiB. A stream that has sent more is not retried.
    pub fn replay_bytes(mut self, bytes: usize) -> Self {
        self.options.replay_bytes = bytes;
        self
    }

    /// Runs `interceptor` before and after every call: it can add metadata, log, measure, or refuse the call. The
    /// interceptor that is added first runs first before a call, and last after it.
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.interceptors.push(Arc::new(interceptor));
        self
    }

    /// Runs `interceptor` before and after every try of every call, hedges included.
    pub fn try_interceptor(mut self, interceptor: impl TryInterceptor) -> Self {
        self.try_interceptors.push(Arc::new(interceptor));
        self
    }

    /// Records calls that are made within no other call ([`Call::within`](crate::Call::within)), while the tracer is on and chance
    /// chooses them. Calls within a call that is recorded are recorded with it, whatever this says. Default: none.
    pub fn tracer(mut self, tracer: &Tracer) -> Self {
        self.tracer = Some(tracer.clone());
        self
    }

    /// The balancer that chooses the server of each call, by name and parameters: `p2c`, `rr`,
    /// `c_murmurhash:replicas=200`. Only for channels with several servers. Default `p2c`. [`Spec`](polywire_balance::Spec),
    /// which is `polywire::balance::Spec`, lists them.
    pub fn balancer(mut self, spec: impl Into<String>) -> Self {
        self.naming.balancer = Some(spec.into());
        self
    }

    /// The servers come from this source. The address is then only the channel's name in errors.
    pub fn servers(mut self, source: impl naming::Source) -> Self {
        self.naming.source = Some(Arc::new(source));
        self
    }

    /// This router chooses the servers of each call. The address is then only the channel's name in errors. Other
    /// options for several servers apply to each cluster that does not set its own; the default balancer of clusters
    /// is `rr`.
    ///
    /// ```
    /// # mod polywire { pub use polywire_client::*; pub use polywire_routing as routing; pub use polywire_naming as naming; }
    /// use polywire::{naming::Server, routing::{Cluster, PathMatch, Route, RouteTable, Target}};
    ///
    /// let split = [Target::new("stable").weight(99), Target::new("canary").weight(1)];
    /// let table = RouteTable::new(
    ///     [Route::new(PathMatch::any(), split)],
    ///     [
    ///         ("stable", Cluster::of([Server::new("10.0.0.1:8000"), Server::new("10.0.0.2:8000")])),
    ///         ("canary", Cluster::of([Server::new("10.0.0.9:8000")])),
    ///     ],
    /// )?;
    /// # fn example(builder: polywire::Builder, table: RouteTable) -> polywire::Builder {
    /// builder.router(table)
    /// # }
    /// # let _ = (example, table);
    /// # Ok::<(), polywire_call::ConfigError>(())
    /// ```
    pub fn router(mut self, router: impl Router) -> Self {
        self.naming.router = Some(Arc::new(router));
        self
    }

    /// Whether connections to the servers of clusters use the TLS settings of the router. For channels with a router.
    /// Default: yes, if the channel has no TLS of its own.
    pub fn cluster_tls(mut self, used: UseClusterTls) -> Self {
        self.naming.cluster_tls = Some(used);
        self
    }

    /// Whether [`Builder::credential`] and [`Builder::credentials`] are sent to servers of a router's clusters without TLS.
    /// Default false: the router chooses the servers, so a channel with a credential does not connect to a cluster without
    /// TLS. Channels without a router send theirs to the address or naming source that they were given, over TLS if they
    /// have it.
    pub fn credentials_without_tls(mut self, allowed: bool) -> Self {
        self.naming.credentials_without_tls = allowed;
        self
    }

    /// Uses only the servers for which this function returns true. It is applied to each set of servers when that
    /// arrives.
    pub fn filter(mut self, filter: impl Fn(&naming::Server) -> bool + Send + Sync + 'static) -> Self {
        self.naming.filter = Some(Arc::new(filter));
        self
    }

    /// The options of connections that differ by server: its name in TLS, its authority, its credential. The function
    /// receives the server's entry in the naming source, including metadata. When that entry changes, new connections
    /// are made. Default: no such options.
    ///
    /// Whoever can write to the naming source can then influence which servers the channel trusts. Therefore names
    /// are taken from metadata only if a function does so.
    ///
    /// ```
    /// # use polywire_client::{Channel, NoProtocols, ServerOptions};
    /// let builder = Channel::<NoProtocols>::builder("list://10.0.0.1:443,10.0.0.2:443").per_server(|server| {
    ///     match server.metadata.get("tls_name").filter(|name| name.ends_with(".echo.internal")) {
    ///         Some(name) => ServerOptions::default().server_name(name),
    ///         None => ServerOptions::default().server_name("echo.internal"),
    ///     }
    /// });
    /// # let _ = builder;
    /// ```
    pub fn per_server(
        mut self,
        options: impl Fn(&naming::Server) -> ServerOptions + Send + Sync + 'static,
    ) -> Self {
        self.naming.per_server = Some(Arc::new(options));
        self
    }

    /// Uses some of very many servers: of each priority that naming gives them.
    pub fn subset(mut self, subset: Subset) -> Self {
        self.naming.subset = Some(subset);
        self
    }

    /// Servers that join a set get their full share of calls only after this ramp-up time. Default: at once.
    pub fn slow_start(mut self, slow_start: SlowStart) -> Self {
        self.naming.slow_start = Some(slow_start);
        self
    }

    /// Outlier detection: servers whose calls fail more often than those of the others are ejected for a while.
    /// Default: off. [`Outliers::default`] has neither of the two algorithms and ejects nobody: give it one.
    pub fn outlier_detection(mut self, outliers: Outliers) -> Self {
        self.naming.outliers = Some(outliers);
        self
    }

    /// brpc's circuit breaker: a server whose calls fail too often or take too long is isolated for a while, without
    /// comparison to other servers. Default: off.
    pub fn circuit_breaker(mut self, settings: BreakerSettings) -> Self {
        self.naming.breaker = Some(settings);
        self
    }

    /// The zone of this client, by the naming source's name for it. Calls go to servers of this zone while these have
    /// the capacity: if more than 28 % of them are out, the missing share goes to the servers of all other zones in
    /// proportion, and returns with them. Default: zones are ignored.
    pub fn zone(mut self, own: impl Into<String>) -> Self {
        self.naming.zone = Some(own.into());
        self
    }

    /// How calls spill over from the zone of [`Builder::zone`] to others. Default: [`Spill::default`].
    pub fn spill(mut self, spill: Spill) -> Self {
        self.naming.spill = Some(spill);
        self
    }

    /// The panic threshold: while less than this percentage of the servers is ready, calls also go to those that
    /// outlier detection, a circuit breaker or a health check has taken out, because so many servers have hardly
    /// failed independently. With a zone it applies to each zone whose calls other zones cannot take. Default: never;
    /// Envoy's is 50.
    pub fn panic_threshold(mut self, percent: u32) -> Self {
        self.naming.panic_threshold = Some(percent);
        self
    }

    /// Health checks: each server is checked at intervals, and gets no calls while its checks fail. Default: no
    /// checks; the state of servers then comes from their connections and calls. For channels with several servers.
    pub fn health_check(mut self, check: HealthCheck) -> Self {
        self.naming.health_check = Some(check);
        self
    }

    /// Hedging: a call that takes long is sent a second time, to another server if there are several, and the first
    /// answer is used. Default: never. A method may then be executed twice; [`Call::no_hedge`](crate::Call::no_hedge)
    /// is for calls where that is not allowed.
    pub fn hedge(mut self, hedge: Hedge) -> Self {
        self.hedge = Some(hedge);
        self
    }

    /// Which failures are retried, by code or by a function, within [`Builder::retries`]. Default: tries that were
    /// lost with their connection, or refused before the server began. For methods with a retry policy in a service
    /// config, that policy is used instead.
    pub fn retry_policy(mut self, policy: RetryPolicy) -> Self {
        self.retry_policy = Some(policy);
        self
    }

    /// Bounds the retries of all calls of the channel together. Default: [`Retries::default`] for channels with several servers, no
    /// bound for others.
    pub fn retry_budget(mut self, retries: Retries) -> Self {
        self.retry_budget = Some(retries);
        self
    }

    /// Kinds of naming sources, in place of the ones built in.
    pub fn schemes(mut self, schemes: Schemes) -> Self {
        self.schemes = schemes;
        self
    }

    /// Kinds of routers, in place of the ones built in.
    pub fn routers(mut self, routers: RouterSchemes) -> Self {
        self.routers = routers;
        self
    }

    /// Protocols to choose from, in place of the ones built in.
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = registry;
        self
    }

    /// # Errors
    /// An option is wrong; the text names it. No connection is made yet.
    pub fn build(self) -> Result<Channel<P>, ChannelError> {
        Ok(self.retyped().built()?.retyped())
    }

    /// The byte streams of such a channel, for code that implements a protocol itself: they are made with the
    /// address, [`Builder::connector`], [`Builder::tls`] and [`Builder::connect_timeout`]. Nothing is connected yet.
    ///
    /// # Errors
    /// One of these options is wrong.
    #[cfg_attr(not(feature = "__tls"), allow(unused_mut))]
    pub fn byte_streams(mut self) -> Result<ByteStreams, ChannelError> {
        let address = if self.connector.is_custom() {
            self.address
        } else {
            let Address { plain, secure } = address_of(&self.address, &self.schemes)?;
            #[cfg(feature = "__tls")]
            if secure {
                self.tls.get_or_insert_default();
            }
            #[cfg(not(feature = "__tls"))]
            let _ = secure;
            plain
        };
        #[cfg(feature = "__tls")]
        if let Some(tls) = self.tls.take() {
            let secure = Secure::new(tls, Some(&address), &[], Arc::default());
            self.connector.secure(secure.map_err(|wrong| wrong.within("TLS"))?);
        }
        Ok(ByteStreams::new(address, self.connector, self.options.connect_timeout))
    }

    /// Checks the options.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub(crate) fn recipe(self) -> Result<(Recipe, Option<FleetOptions>), ChannelError> {
        self.retyped().checked()
    }

    /// The same options. What follows is compiled here and not in the program that chooses the protocols.
    fn retyped(self) -> Builder {
        macro_rules! retyped {
            ($($(#[$tls:meta])? $option:ident)*) => {{
                let Builder { $($(#[$tls])? $option,)* protocols: _ } = self;
                Builder { $($(#[$tls])? $option,)* protocols: PhantomData }
            }};
        }
        retyped! {
            address schemes routers naming hedge retry_policy retry_budget protocol registry options service_config interceptors
            try_interceptors tracer credentials connector #[cfg(feature = "__tls")] tls
        }
    }
}

impl Builder {
    #[inline(never)]
    fn built(self) -> Result<Channel, ChannelError> {
        let (recipe, fleet) = self.checked()?;
        Ok(Channel::new(recipe.core(fleet)))
    }

    #[cfg_attr(not(feature = "__tls"), allow(unused_mut))]
    fn checked(mut self) -> Result<(Recipe, Option<FleetOptions>), ChannelError> {
        let wrong =
            |option, value: &str, text: String| Err(ConfigError::new(option, text).with_value(value).into());
        let default = self.registry.default_protocol().map(|protocol| protocol.name);
        let named = self.protocol.as_deref().or(default).unwrap_or_default();
        let Some(protocol) = self.registry.find(named) else {
            let text = match named {
                "" => {
                    let spoken = self.registry.iter().filter(|p| p.machine.is_some() && !p.server_only);
                    let known = spoken.map(|p| p.name).collect::<Vec<_>>().join(", ");
                    format!("no protocol: say .protocol(..); known are {known}")
                }
                _ => self.registry.not_found(named),
            };
            return wrong("protocol", named, text);
        };
        if protocol.machine.is_none() {
            let text = format!("protocol {} is recognised but not spoken yet", protocol.name);
            return wrong("protocol", named, text);
        }
        if protocol.server_only {
            let text =
                format!("protocol {} is spoken by servers alone: there is no client for it", protocol.name);
            return wrong("protocol", named, text);
        }
        if let Some(zero) = self.options.zero() {
            return Err(zero.into());
        }
        let (check, shared) = (self.naming.health_check.clone(), self.naming.shared.clone());
        if self.credentials.is_some() && self.options.credential.is_some() {
            let text = "credential and credentials are both set: a channel shows one of them";
            return wrong("credentials", "", text.to_owned());
        }
        let mut fleet = {
            let check = |address: &str| match self.connector.is_custom() {
                true => Ok(()), // it alone knows what its address means
                false => address_of(address, &self.schemes).map(drop),
            };
            self.naming.fleet(&self.schemes, &self.routers, &self.address, check)?
        };
        if let Some(fleet) = &fleet
            && fleet.balancer.asks_for_probes()
            && !probes::are_carried_by(protocol)
        {
            let text = format!(
                "balancer {} asks servers how loaded they are, which protocol {} does not carry: p2c does without",
                fleet.balancer_text, protocol.name
            );
            return wrong("balancer", &fleet.balancer_text, text);
        }
        let address = if fleet.is_some() || self.connector.is_custom() {
            self.address // it alone knows what that means
        } else {
            let Address { plain, secure } = address_of(&self.address, &self.schemes)?;
            #[cfg(feature = "__tls")]
            if secure {
                self.tls.get_or_insert_default();
            }
            #[cfg(not(feature = "__tls"))]
            let _ = secure;
            plain
        };
        let kind = self.options.kind.or(protocol.connections.first().copied()).unwrap_or(Connections::Single);
        if !protocol.connections.contains(&kind) {
            let text = format!("protocol {} does not allow {kind:?} connections", protocol.name);
            return wrong("kind", &format!("{kind:?}"), text);
        }
        let parameter = named.split_once(':').map_or("", |(_, parameter)| parameter).to_owned();
        let Some(content) = (protocol.content)(&parameter) else {
            let text = format!("protocol {} has no parameter {parameter:?}", protocol.name);
            return wrong("protocol", named, text);
        };
        let content = self.options.content.unwrap_or(content);
        if let (Some(fleet), Some(check)) = (&mut fleet, check) {
            fleet.asked = Some(Arc::new(Asked::new(check, protocol, &self.registry, content)?));
        }
        let service_config = match self.service_config.map(|json| ServiceConfig::parse(&json)).transpose() {
            Ok(config) => config.map(Arc::new),
            Err(what) => {
                return Err(ConfigError::new("service_config", format!("service config: {what}")).into());
            }
        };
        let mut config = Config::new(self.registry);
        config.limits = self.options.limits;
        config.overfull = self.options.max_unsent;
        config.timeouts.write_stall = Some(self.options.write_stall);
        if let Some(shared) = &shared {
            config.faults = shared.faults().clone();
        }
        #[cfg(feature = "__tls")]
        if let Some(tls) = self.tls.take() {
            let only = fleet.is_none().then_some(&*address);
            match Secure::new(tls, only, (protocol.alpn)(&parameter), config.faults.clone()) {
                Ok(secure) => self.connector.secure(secure),
                Err(wrong) => return Err(wrong.within("TLS").into()),
            }
        }
        let longest = Longest::from(&config.limits);
        let (bounds, defaults) = (self.options.bounds(may_overflow(protocol, kind)), self.options.defaults());
        let subchannels = Subchannels::of(protocol, &address);
        let spec = ConnectSpec {
            address: address.into(),
            authority: None,
            protocol,
            parameter: parameter.into(),
            credential: self.options.credential.map(Arc::from),
            credentials: self.credentials,
            once: kind == Connections::Short,
            connector: Arc::new(self.connector),
            own: ServerOptions::default(),
            connect_timeout: self.options.connect_timeout,
            max_age: self.options.max_age,
            idle: self.options.idle,
            dedicated_threads: self.options.dedicated_threads,
            config: Arc::new(config),
            keepalive: Arc::default(),
            backoff: Backoff::default(),
            observers: Observers::default(),
            ledger: Arc::default(),
            subchannels,
        };
        let recipe = Recipe {
            spec,
            kind,
            bounds,
            content,
            defaults,
            longest,
            service_config,
            hedge: self.hedge,
            retry_policy: self.retry_policy.map(Arc::new),
            retry_budget: self.retry_budget,
            interceptors: self.interceptors.into(),
            try_interceptors: self.try_interceptors.into(),
            tracer: self.tracer,
            shared,
        };
        Ok((recipe, fleet))
    }
}

/// The address of a single server.
///
/// # Errors
/// The text is not an address, or it requires TLS, which this build does not have.
fn address_of(text: &str, schemes: &Schemes) -> Result<Address, ConfigError> {
    let address = Address::parse(text, schemes)?;
    if cfg!(not(feature = "__tls")) && address.secure {
        let why = format!("address {text:?} asks for TLS: turn on the feature `tls`");
        return Err(ConfigError::new("address", why).with_value(text));
    }
    Ok(address)
}

/// Whether connections are added while others are full. Protocols whose peers state no limit are excluded: they
/// identify calls by their order, or by ids without a limit.
fn may_overflow(protocol: &Protocol, kind: Connections) -> bool {
    protocol.peer_limits_calls && kind == Connections::Single
}
