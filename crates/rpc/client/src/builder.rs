//! Makes a channel from its options. Each option has a default, and all are checked once.

#[cfg(feature = "__tls")]
use crate::connection::tls::{ClientTls, Secure};
use crate::{
    Fleet, Pooling, Resilience,
    address::Address,
    channel::{Channel, ChannelError, NoProtocols},
    connection::{
        backoff::Backoff,
        byte_streams::ByteStreams,
        connector::Connector,
        credentials::Credentials,
        server_options::ServerOptions,
        spec::{ConnectSpec, Observers},
    },
    core::Defaults,
    interceptor::Interceptor,
    options::{Place, no_zeros},
    recipe::Recipe,
    servers::{Asked, FleetOptions, pick::probes},
    service_config::ServiceConfig,
    subchannel_metrics::Subchannels,
    tries::TryInterceptor,
};
use polywire_call::ConfigError;
use polywire_engine::{Config, Transport, memory::Memory};
use polywire_naming::{Naming, Schemes, Source};
use polywire_routing::{Router, RouterSchemes, Routing};
use polywire_trace::Tracer;
use polywire_wire::{Connections, Content, Limits, Longest, Protocol, ProtocolSet, Protocols};
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
    options: Options,
    protocols: PhantomData<fn() -> P>,
}

impl<P: Protocols + Naming + Routing> Channel<P> {
    /// A channel to `host:port`, `[v6]:port` or `unix:path`, which connects when first used. The scheme of an
    /// address names the protocol, as in `grpc://host:port`, except for `http://host:port` and
    /// `https://host:port`: these mean without and with TLS, for every protocol.
    ///
    /// Or a channel to the servers of a name, by the url of a naming source such as
    /// `list://10.0.0.1:8000,10.0.0.2:8000`; or to those of several clusters, by the url of a router.
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

/// Schemes of addresses that select TLS or plain text, and no protocol.
const WEB: [&str; 2] = ["http://", "https://"];

/// What [`Builder::protocol`] takes: a protocol, such as `polywire::protocol::GRPC`, or the name of one in
/// the protocol set.
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
        let options = Options::new(address, P::schemes(), P::routers(), P::protocol_set());
        Builder { options, protocols: PhantomData }
    }
}

impl<P> Builder<P> {
    /// The wire protocol: a constant, such as `protocol::GRPC`, or `&PROTOCOL` of one of your own; or, for
    /// configuration, its name in the set, which a parameter may follow after a colon (`http:proto`).
    /// Default: the one that the address names, and otherwise [`ProtocolSet::default_protocol`], which is
    /// `baidu_std` for the built-in protocols.
    pub fn protocol(mut self, protocol: impl Into<ProtocolChoice>) -> Self {
        match protocol.into().0 {
            Which::Named(name) => self.options.protocol = Some(name),
            Which::Own(protocol) => {
                let is_known = self.options.protocols.iter().any(|known| std::ptr::eq(known, protocol));
                if !is_known {
                    self.options.protocols = self.options.protocols.with(protocol);
                }
                self.options.protocol = Some(protocol.name.to_owned());
            }
        }
        self
    }

    /// The time limit of a call, including all its tries. Default 1 s. `None`: calls wait for as long as it
    /// takes.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.options.timeout = timeout.into();
        self
    }

    /// Default 200 ms; a call's own deadline ends it earlier.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.options.connect_timeout = timeout;
        self
    }

    /// Whether calls wait, up to their deadlines, while no server can be reached. Default false: after a
    /// failure to connect, calls fail at once with UNAVAILABLE and the reason, until the next attempt to
    /// connect (10 ms after the first failure, doubled up to 1 s). A call can override this
    /// ([`Call::wait_for_ready`](crate::Call::wait_for_ready)), and so can a service config for its methods.
    pub fn wait_for_ready(mut self, wait: bool) -> Self {
        self.options.wait_for_ready = wait;
        self
    }

    /// Whether stubs call a method with a `google.api.http` rule by that rule, over plain HTTP with JSON.
    /// Default true. False: they call `/package.Service/Method`, for servers that do not support rules
    /// (brpc).
    pub fn http_rules(mut self, used: bool) -> Self {
        self.options.http_rules = used;
        self
    }

    /// The connections: their number, how calls share them, and when they close. Default
    /// [`Pooling::default`]. A second call replaces the options of the first one, as with all groups of
    /// options.
    pub fn pooling(mut self, pooling: Pooling) -> Self {
        self.options.pooling = pooling;
        self
    }

    /// Sets only [`Pooling::kind`], for clients of one protocol that need it and leave the rest to their
    /// user.
    #[doc(hidden)]
    pub fn kind(mut self, kind: Connections) -> Self {
        self.options.pooling.kind = Some(kind);
        self
    }

    /// What happens when servers or calls fail: balancing, retries, hedging, ejection. Default
    /// [`Resilience::default`].
    pub fn resilience(mut self, resilience: Resilience) -> Self {
        self.options.resilience = resilience;
        self
    }

    /// Which of several servers are used, and what differs from server to server. Default [`Fleet::default`].
    pub fn fleet(mut self, fleet: Fleet) -> Self {
        self.options.fleet = fleet;
        self
    }

    /// How byte streams are made, in place of TCP and Unix sockets: for example through a proxy, or to a
    /// server in the same process. `connect` receives the channel's address, runs where the connection will
    /// be driven, and is subject to the connect timeout. Calls by [`Call::blocking`](crate::Call::blocking)
    /// then use a connection on a shard.
    pub fn connector<F, C, T>(mut self, connect: F) -> Self
    where
        F: Fn(&str) -> C + Send + Sync + 'static,
        C: Future<Output = io::Result<T>> + Send + 'static,
        T: Transport,
    {
        self.options.connector.custom(connect);
        self
    }

    /// Makes connections use TLS. The connect timeout applies to the handshake separately. Calls by
    /// [`Call::blocking`](crate::Call::blocking) then use a connection on a shard.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn tls(mut self, tls: ClientTls) -> Self {
        self.options.tls = Some(tls);
        self
    }

    /// Needs the feature `tls`.
    #[cfg(not(feature = "__tls"))]
    #[doc(hidden)]
    pub fn tls(self, _: impl NeedsTls) -> Self {
        self
    }

    /// The credential. The first request of each connection carries it; over HTTP every request does, in the
    /// field `authorization`. Calls over a protocol without a field for it fail. An empty value means no
    /// credential.
    pub fn credential(mut self, credential: impl Into<Vec<u8>>) -> Self {
        self.options.credential = Some(credential.into()).filter(|credential| !credential.is_empty());
        self
    }

    /// A credential that is fetched and renewed, in place of [`Builder::credential`]. Over HTTP and gRPC each
    /// try carries the newest token in the field `authorization`, unless the call sets that field; over other
    /// protocols the first request of each connection does. Calls wait for the first token up to their
    /// deadlines. If there is none, they fail with UNAVAILABLE and the error of the token's source.
    pub fn credentials(mut self, credentials: Credentials) -> Self {
        self.options.credentials = Some(credentials);
        self
    }

    /// The encoding of request bodies. Default: the protocol's own.
    pub fn content(mut self, content: Content) -> Self {
        self.options.content = Some(content);
        self
    }

    /// Sizes and counts the peer is held to.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// The budget of memory for replies: one from a few KiB on is charged as soon as its length is known, or
    /// for what has come of it, until it is handed to its call; one that does not fit ends its call with
    /// RESOURCE_EXHAUSTED. Default `None`: nothing is counted.
    ///
    /// With the budget of the server that relays the calls, its callers cannot have it receive more than it
    /// has room for: `Bounds::budget` of the server.
    pub fn memory(mut self, budget: impl Into<Option<Arc<Memory>>>) -> Self {
        self.options.memory = budget.into();
        self
    }

    /// gRPC's service config as JSON: timeouts, waiting, limits and retries by method, and throttling of
    /// retries. It is checked when the channel is built. A method's retry policy takes the place of
    /// [`Resilience::retries`], see docs/client.md.
    pub fn service_config(mut self, json: impl Into<String>) -> Self {
        self.options.service_config = Some(json.into());
        self
    }

    /// Runs `interceptor` before and after every call: it can add metadata, log, measure, or refuse the call.
    /// The interceptor that is added first runs first before a call, and last after it.
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.options.interceptors.push(Arc::new(interceptor));
        self
    }

    /// Runs `interceptor` before and after every try of every call, hedges included.
    pub fn try_interceptor(mut self, interceptor: impl TryInterceptor) -> Self {
        self.options.try_interceptors.push(Arc::new(interceptor));
        self
    }

    /// Records calls that belong to no other call ([`Call::within`](crate::Call::within)), while the tracer
    /// is on and if they are sampled. Calls within a recorded call are always recorded with it. Default:
    /// none.
    pub fn tracer(mut self, tracer: &Tracer) -> Self {
        self.options.tracer = Some(tracer.clone());
        self
    }

    /// The servers come from this source. The address is then only the channel's name in errors.
    pub fn servers(mut self, source: impl Source) -> Self {
        self.options.source = Some(Arc::new(source));
        self
    }

    /// This router chooses the servers of each call. The address is then only the channel's name in errors.
    /// Other options for several servers apply to each cluster that does not set its own; the default
    /// balancer of clusters is `rr`.
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
        self.options.router = Some(Arc::new(router));
        self
    }

    /// Kinds of naming sources, in place of the ones built in.
    pub fn schemes(mut self, schemes: Schemes) -> Self {
        self.options.schemes = schemes;
        self
    }

    /// Kinds of routers, in place of the ones built in.
    pub fn routers(mut self, routers: RouterSchemes) -> Self {
        self.options.routers = routers;
        self
    }

    /// The protocols to choose from, in place of the built-in ones.
    pub fn protocol_set(mut self, protocols: ProtocolSet) -> Self {
        self.options.protocols = protocols;
        self
    }

    /// # Errors
    /// An option is wrong; the text names it. No connection is made yet.
    pub fn build(self) -> Result<Channel<P>, ChannelError> {
        Ok(self.options.built()?.retyped())
    }

    /// The byte streams of such a channel, for code that implements a protocol itself: they are made with the
    /// address, [`Builder::connector`], [`Builder::tls`] and [`Builder::connect_timeout`]. Nothing is
    /// connected yet.
    ///
    /// # Errors
    /// One of these options is wrong.
    pub fn byte_streams(self) -> Result<ByteStreams, ChannelError> {
        self.options.byte_streams()
    }

    /// Checks the options.
    ///
    /// # Errors
    /// The errors of [`Builder::build`].
    pub(crate) fn recipe(self) -> Result<(Recipe, Option<FleetOptions>), ChannelError> {
        self.options.checked()
    }
}

/// All options of a channel.
struct Options {
    address: String,
    schemes: Schemes,
    routers: RouterSchemes,
    /// A naming source that replaces the address's servers.
    source: Option<Arc<dyn Source>>,
    router: Option<Arc<dyn Router>>,
    pooling: Pooling,
    resilience: Resilience,
    fleet: Fleet,
    /// `None`: the set's default.
    protocol: Option<String>,
    protocols: ProtocolSet,
    timeout: Option<Duration>,
    connect_timeout: Duration,
    wait_for_ready: bool,
    http_rules: bool,
    content: Option<Content>,
    limits: Limits,
    memory: Option<Arc<Memory>>,
    /// The credential of each connection; never an empty text.
    credential: Option<Vec<u8>>,
    service_config: Option<String>,
    interceptors: Vec<Arc<dyn Interceptor>>,
    try_interceptors: Vec<Arc<dyn TryInterceptor>>,
    tracer: Option<Tracer>,
    credentials: Option<Credentials>,
    connector: Connector,
    #[cfg(feature = "__tls")]
    tls: Option<ClientTls>,
}

impl Options {
    fn new(address: String, schemes: Schemes, routers: RouterSchemes, protocols: ProtocolSet) -> Options {
        Options {
            address,
            schemes,
            routers,
            source: None,
            router: None,
            pooling: Pooling::default(),
            resilience: Resilience::default(),
            fleet: Fleet::default(),
            protocol: None,
            protocols,
            timeout: Some(Duration::from_secs(1)),
            connect_timeout: Duration::from_millis(200),
            wait_for_ready: false,
            http_rules: true,
            content: None,
            limits: Limits::default(),
            memory: None,
            credential: None,
            service_config: None,
            interceptors: Vec::new(),
            try_interceptors: Vec::new(),
            tracer: None,
            credentials: None,
            connector: Connector::default(),
            #[cfg(feature = "__tls")]
            tls: None,
        }
    }

    #[cfg_attr(not(feature = "__tls"), allow(unused_mut))]
    fn byte_streams(mut self) -> Result<ByteStreams, ChannelError> {
        self.address_names_protocol()?;
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
        Ok(ByteStreams::new(address, self.connector, self.connect_timeout))
    }

    /// Takes the protocol from an address such as `grpc://host:port`.
    ///
    /// # Errors
    /// [`Builder::protocol`] names another one; or the scheme is almost a name of one, or of one that this
    /// build does not have.
    fn address_names_protocol(&mut self) -> Result<(), ConfigError> {
        let Some((scheme, rest)) = self.address.split_once("://") else { return Ok(()) };
        let means_something_else = WEB.iter().any(|web| self.address.starts_with(web))
            || self.connector.is_custom()
            || self.source.is_some()
            || self.router.is_some()
            || self.schemes.knows(&self.address)
            || self.routers.knows(&self.address);
        if means_something_else {
            return Ok(());
        }
        let wrong = |text: String| Err(ConfigError::new("address", text).with_value(&self.address));
        let spoken = |name: &str| {
            self.protocols.find(name).filter(|protocol| protocol.machine.is_some() && !protocol.server_only)
        };
        if let Some(protocol) = spoken(scheme).filter(|protocol| protocol.name == scheme) {
            match &self.protocol {
                None => self.protocol = Some(protocol.name.to_owned()),
                Some(named) if spoken(named).is_some_and(|named| std::ptr::eq(named, protocol)) => {}
                Some(named) => {
                    let text = format!(
                        "address {:?} names the protocol {scheme}, and protocol({named:?})",
                        self.address
                    );
                    return wrong(text);
                }
            }
            self.address = rest.strip_suffix('/').unwrap_or(rest).to_owned();
            return Ok(());
        }
        if let Some(left_out) = self.protocols.left_out(scheme) {
            return wrong(format!("address {:?}: {left_out}", self.address));
        }
        match self.protocols.meant(scheme).and_then(spoken) {
            Some(meant) if !WEB.iter().any(|web| web.strip_suffix("://") == Some(meant.name)) => {
                let text = format!(
                    "address {:?} has an unknown scheme: did you mean {}://?",
                    self.address, meant.name
                );
                wrong(text)
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn built(self) -> Result<Channel, ChannelError> {
        let (recipe, fleet) = self.checked()?;
        Ok(Channel::new(recipe.core(fleet)))
    }

    #[cfg_attr(not(feature = "__tls"), allow(unused_mut))]
    fn checked(mut self) -> Result<(Recipe, Option<FleetOptions>), ChannelError> {
        let wrong =
            |option, value: &str, text: String| Err(ConfigError::new(option, text).with_value(value).into());
        self.address_names_protocol()?;
        let default = self.protocols.default_protocol().map(|protocol| protocol.name);
        let named = self.protocol.as_deref().or(default).unwrap_or_default();
        let Some(protocol) = self.protocols.find(named) else {
            let text = match named {
                "" => {
                    let spoken = self.protocols.iter().filter(|p| p.machine.is_some() && !p.server_only);
                    let known = spoken.map(|p| p.name).collect::<Vec<_>>().join(", ");
                    format!("no protocol: say .protocol(..); known are {known}")
                }
                _ => self.protocols.not_found(named),
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
        no_zeros(&[
            (
                self.timeout == Some(Duration::ZERO),
                "timeout is zero: None lets calls take as long as they do",
            ),
            (self.connect_timeout.is_zero(), "connect_timeout is zero"),
            (self.limits.max_message == 0, "limits: max_message is zero: no reply would be taken"),
        ])?;
        self.pooling.check()?;
        let Resilience {
            retries,
            retries_after_loss,
            retry_policy,
            retry_budget,
            replay_bytes,
            hedge,
            health_check,
            ..
        } = self.resilience.clone();
        if self.credentials.is_some() && self.credential.is_some() {
            let text = "credential and credentials are both set: a channel shows one of them";
            return wrong("credentials", "", text.to_owned());
        }
        let mut fleet = {
            let check = |address: &str| match self.connector.is_custom() {
                true => Ok(()), // it alone knows what its address means
                false => address_of(address, &self.schemes).map(drop),
            };
            let place = Place {
                address: &self.address,
                source: self.source,
                router: self.router,
                schemes: &self.schemes,
                routers: &self.routers,
                share: self.pooling.share.as_ref(),
            };
            place.options(self.fleet, &self.resilience, check)?
        };
        if let Some(fleet) = &fleet
            && fleet.balancer.asks_for_probes()
            && !probes::are_carried_by(protocol)
        {
            let text = format!(
                "balancer {} asks servers how loaded they are, which protocol {} does not carry: p2c does without",
                fleet.balancer_text, protocol.name
            );
            return wrong("resilience.balancer", &fleet.balancer_text, text);
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
        let kind = self.pooling.kind.or(protocol.connections.first().copied()).unwrap_or(Connections::Single);
        if !protocol.connections.contains(&kind) {
            let text = format!("protocol {} does not allow {kind:?} connections", protocol.name);
            return wrong("pooling.kind", &format!("{kind:?}"), text);
        }
        let parameter = named.split_once(':').map_or("", |(_, parameter)| parameter).to_owned();
        let Some(content) = (protocol.content)(&parameter) else {
            let text = format!("protocol {} has no parameter {parameter:?}", protocol.name);
            return wrong("protocol", named, text);
        };
        let content = self.content.unwrap_or(content);
        if let (Some(fleet), Some(check)) = (&mut fleet, health_check) {
            fleet.asked = Some(Arc::new(Asked::new(check, protocol, &self.protocols, content)?));
        }
        let service_config = match self.service_config.map(|json| ServiceConfig::parse(&json)).transpose() {
            Ok(config) => config.map(Arc::new),
            Err(what) => {
                return Err(ConfigError::new("service_config", format!("service config: {what}")).into());
            }
        };
        let mut config = Config::new(self.protocols);
        config.limits = self.limits;
        config.overfull = self.pooling.max_unsent;
        config.timeouts.write_stall = self.pooling.write_stall;
        if let Some(shared) = &self.pooling.share {
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
        let bounds = self.pooling.bounds(may_overflow(protocol, kind));
        let defaults = Defaults {
            timeout: self.timeout,
            retries,
            retries_after_loss,
            wait_for_ready: self.wait_for_ready,
            http_rules: self.http_rules,
            replay_bytes,
        };
        let subchannels = Subchannels::of(protocol, &address);
        let spec = ConnectSpec {
            address: address.into(),
            authority: None,
            protocol,
            parameter: parameter.into(),
            credential: self.credential.map(Arc::from),
            credentials: self.credentials,
            once: kind == Connections::Short,
            connector: Arc::new(self.connector),
            own: ServerOptions::default(),
            connect_timeout: self.connect_timeout,
            max_age: self.pooling.age,
            idle: self.pooling.idle,
            dedicated_threads: self.pooling.threads,
            config: Arc::new(config),
            memory: self.memory,
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
            hedge,
            retry_policy: retry_policy.map(Arc::new),
            retry_budget,
            interceptors: self.interceptors.into(),
            try_interceptors: self.try_interceptors.into(),
            tracer: self.tracer,
            shared: self.pooling.share,
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

/// Whether connections are added while others are full. Protocols whose peers state no limit are excluded:
/// they identify calls by their order, or by ids without a limit.
fn may_overflow(protocol: &Protocol, kind: Connections) -> bool {
    protocol.peer_limits_calls && kind == Connections::Single
}
