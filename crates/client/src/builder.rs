//! Makes a channel from its options: each has a default, and all are checked once.

#[cfg(feature = "__tls")]
use crate::connection::tls::TlsConnect;
use crate::{
    address::Address,
    channel::{Channel, ChannelError, NoProtocols},
    connection::{backoff::Backoff, connector::Connector, spec::ConnectSpec},
    hedging::Hedge,
    interceptor::Interceptor,
    naming::NamingOptions,
    options::Options,
    recipe::Recipe,
    retry_budget::Retries,
    servers::{FleetOptions, probes},
    service_config::ServiceConfig,
};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spill, Subset};
use polywire_call::ConfigError;
use polywire_engine::{Config, Transport};
use polywire_naming::{self as naming, Naming, Schemes};
use polywire_wire::{Connections, Content, Limits, Protocol, Protocols, Registry};
use std::{future::Future, io, marker::PhantomData, sync::Arc, time::Duration};

/// A trait that no type has, so that the compiler says which feature is missing.
#[cfg(not(feature = "__tls"))]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`Builder::tls` of a channel needs the feature `tls` or `tls-aws-lc` of `polywire`",
    label = "enable one of these features in Cargo.toml"
)]
pub trait NeedsTls {}

/// The options of a channel that is to be made. Everything but the address has a default.
#[must_use]
pub struct Builder<P = NoProtocols> {
    address: String,
    schemes: Schemes,
    naming: NamingOptions,
    hedge: Option<Hedge>,
    retry_budget: Option<Retries>,
    /// `None`: the registry's default.
    protocol: Option<String>,
    registry: Registry,
    options: Options,
    service_config: Option<String>,
    interceptors: Vec<Arc<dyn Interceptor>>,
    connector: Connector,
    #[cfg(feature = "__tls")]
    tls: Option<TlsConnect>,
    protocols: PhantomData<fn() -> P>,
}

impl<P: Protocols + Naming> Channel<P> {
    /// A channel to `host:port`, `[v6]:port` or `unix:path`, which connects when first used. `http://host:port` is
    /// understood, too, and `https://host:port` as TLS with its defaults; neither says which protocol is spoken there.
    ///
    /// Or a channel to the servers of a name, by the url of a naming source such as `list://10.0.0.1:8000,10.0.0.2:8000`.
    pub fn builder(address: impl Into<String>) -> Builder<P> {
        Builder::new(address.into())
    }

    /// A channel with all defaults, connected once to see that the server can be reached.
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
pub struct Speaks(Which);

enum Which {
    Named(String),
    Own(&'static Protocol),
}

impl From<&str> for Speaks {
    fn from(name: &str) -> Self {
        Speaks(Which::Named(name.to_owned()))
    }
}
impl From<&String> for Speaks {
    fn from(name: &String) -> Self {
        Speaks(Which::Named(name.clone()))
    }
}
impl From<String> for Speaks {
    fn from(name: String) -> Self {
        Speaks(Which::Named(name))
    }
}
impl From<&'static Protocol> for Speaks {
    fn from(protocol: &'static Protocol) -> Self {
        Speaks(Which::Own(protocol))
    }
}

impl<P: Protocols + Naming> Builder<P> {
    fn new(address: String) -> Self {
        Builder {
            address,
            schemes: P::schemes(),
            naming: NamingOptions::default(),
            hedge: None,
            retry_budget: None,
            protocol: None,
            registry: P::registry(),
            options: Options::default(),
            service_config: None,
            interceptors: Vec::new(),
            connector: Connector::default(),
            #[cfg(feature = "__tls")]
            tls: None,
            protocols: PhantomData,
        }
    }
}

impl<P> Builder<P> {
    /// The wire protocol, by its name in the registry; a parameter may follow a colon (`http:proto`). A protocol that is
    /// not in the registry is given itself: `&PROTOCOL`. Default: the
    /// registry's ([`Registry::default_protocol`]), which of the protocols built in is `baidu_std`.
    pub fn protocol(mut self, protocol: impl Into<Speaks>) -> Self {
        match protocol.into().0 {
            Which::Named(name) => self.protocol = Some(name),
            Which::Own(protocol) => {
                self.registry = self.registry.with(protocol);
                self.protocol = Some(protocol.name.to_owned());
            }
        }
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

    /// Calls wait, up to their deadlines, while nobody can be reached. Default false: once connecting has failed, calls
    /// fail at once with UNAVAILABLE and the reason, until it is time to try again (10 ms after the first failure,
    /// doubled up to 1 s). A call may say otherwise ([`Call::wait_for_ready`](crate::Call::wait_for_ready)), and a
    /// service config for its methods.
    pub fn wait_for_ready(mut self, wait: bool) -> Self {
        self.options.wait_for_ready = wait;
        self
    }

    /// Whether stubs call a method that has a rule of `google.api.http` by that rule, over plain HTTP with JSON. Default true.
    /// False: they call `/package.Service/Method`, for servers that know no rules (brpc).
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

    /// HTTP/2: connections per home, those included that are made by themselves when the others are full: the server
    /// allows no more calls on them, or takes less than it is owed. Default 8. More take more memory at both ends;
    /// fewer make calls wait for a vacancy, which they do anyway up to their deadline when all are full.
    pub fn max_connections(mut self, most: usize) -> Self {
        self.options.max_connections = most;
        self
    }

    /// Connections beyond [`Builder::connections`] end when no call has come to them for so long: a millisecond at
    /// least, a year at most. Default 30 s.
    pub fn close_spare_after(mut self, idle: Duration) -> Self {
        self.options.spare = idle.clamp(Duration::from_millis(1), Duration::from_secs(365 * 24 * 60 * 60));
        self
    }

    /// Whether a connection whose callers run on a multi-thread runtime is driven by a thread of the default engine
    /// while many calls (16 or more) are under way on it. Default true: that doubles the rate of a hundred callers.
    /// False keeps everything on the runtime's own threads.
    pub fn dedicated_threads(mut self, allowed: bool) -> Self {
        self.options.dedicated_threads = allowed;
        self
    }

    /// Shards and runtimes whose callers get connections of their own. Default 64. Callers elsewhere share those that
    /// are there; more homes mean fewer hand-overs between threads, and more connections for the server.
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

    /// How byte streams are made, in place of TCP and Unix sockets: through a proxy, say, or to a server in the same
    /// process. `connect` is given the channel's address, runs where the connection will live, and is held to the
    /// connect timeout. Calls by [`Call::blocking`](crate::Call::blocking) then use a connection on a shard.
    pub fn connector<F, C, T>(mut self, connect: F) -> Self
    where
        F: Fn(&str) -> C + Send + Sync + 'static,
        C: Future<Output = io::Result<T>> + Send + 'static,
        T: Transport,
    {
        self.connector.custom(connect);
        self
    }

    /// Connections pass through TLS. The connect timeout holds for the handshake once more. Calls by
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

    /// What the first request of each connection carries to be let in; over HTTP every request, in the field
    /// `authorization`. Calls over a protocol that has no field for it fail. An empty one is none.
    pub fn credential(mut self, credential: impl Into<Vec<u8>>) -> Self {
        self.options.credential = Some(credential.into()).filter(|credential| !credential.is_empty());
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
        self.options.max_unsent = bytes;
        self
    }

    /// How long a peer may take nothing of what it is owed before its connection is given up. Default 30 s.
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

    /// Bytes that each client stream keeps of what it has sent, 56 for a message included, where a service config has a
    /// retry policy for its method. Default 1 MiB; a stream that has sent more is not tried again.
    pub fn replay_bytes(mut self, bytes: usize) -> Self {
        self.options.replay_bytes = bytes;
        self
    }

    /// Runs `interceptor` before and after every call: further metadata, logs, times, refusals. What is added first
    /// runs first before a call, and last after it.
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.interceptors.push(Arc::new(interceptor));
        self
    }

    /// How the server of each call is chosen, by name and parameters: `p2c`, `rr`, `c_murmurhash:replicas=200`. Only for channels
    /// with several servers. Default `p2c`. [`polywire_balance::Spec`] lists them.
    pub fn balancer(mut self, spec: impl Into<String>) -> Self {
        self.naming.balancer = Some(spec.into());
        self
    }

    /// The servers come from this source, whatever the address is; it is what errors call the channel.
    pub fn servers(mut self, source: impl naming::Source) -> Self {
        self.naming.source = Some(Arc::new(source));
        self
    }

    /// Uses those servers only for which this is true. A set is filtered when it comes.
    pub fn filter(mut self, filter: impl Fn(&naming::Server) -> bool + Send + Sync + 'static) -> Self {
        self.naming.filter = Some(Arc::new(filter));
        self
    }

    /// Uses some of very many servers.
    pub fn subset(mut self, subset: Subset) -> Self {
        self.naming.subset = Some(subset);
        self
    }

    /// Servers that join a set get their full share of the calls only after a while. Default: at once.
    pub fn slow_start(mut self, slow_start: SlowStart) -> Self {
        self.naming.slow_start = Some(slow_start);
        self
    }

    /// Servers whose calls fail more than those of the others are taken out for a while. Default: none is.
    pub fn outlier_detection(mut self, outliers: Outliers) -> Self {
        self.naming.outliers = Some(outliers);
        self
    }

    /// A server whose calls fail too often or take too long is left out for a while, judged by itself: brpc's circuit breaker.
    /// Default: none is.
    pub fn circuit_breaker(mut self, settings: BreakerSettings) -> Self {
        self.naming.breaker = Some(settings);
        self
    }

    /// The zone that this client stands in, as the naming source calls it. Calls go to servers of this zone while they can take
    /// them: with more than 28 % of them out, what is missing spills over to the servers of all other zones in proportion, and comes
    /// back with them. Default: zones do not matter.
    pub fn zone(mut self, own: impl Into<String>) -> Self {
        self.naming.zone = Some(own.into());
        self
    }

    /// How calls spill over from the zone of [`Builder::zone`] to others. Default: [`Spill::default`].
    pub fn spill(mut self, spill: Spill) -> Self {
        self.naming.spill = Some(spill);
        self
    }

    /// While less than this percentage of the servers is ready, calls go to those as well that outlier detection, a circuit breaker
    /// or a health check has taken out: so many have hardly failed each by itself. With a zone it holds for each zone, while the other
    /// zones cannot take its calls. Default: never; Envoy's is 50.
    pub fn panic_threshold(mut self, percent: u32) -> Self {
        self.naming.panic_threshold = Some(percent);
        self
    }

    /// A call that takes long is sent a second time, to another server if there are several, and the first answer counts. Default:
    /// never. A method may then be executed twice: [`Call::no_hedge`](crate::Call::no_hedge) is for calls that must not be.
    pub fn hedge(mut self, hedge: Hedge) -> Self {
        self.hedge = Some(hedge);
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

    /// Protocols to choose from, in place of the ones built in.
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = registry;
        self
    }

    /// # Errors
    /// An option that is wrong, named in the text. No connection is made yet.
    pub fn build(self) -> Result<Channel<P>, ChannelError> {
        let (recipe, fleet) = self.recipe()?;
        Ok(Channel::new(recipe.core(fleet)))
    }

    /// Checks the options.
    ///
    /// # Errors
    /// As [`Builder::build`].
    #[cfg_attr(not(feature = "__tls"), allow(unused_mut))]
    pub(crate) fn recipe(mut self) -> Result<(Recipe, Option<FleetOptions>), ChannelError> {
        let wrong =
            |option, value: &str, text: String| Err(ConfigError::new(option, text).with_value(value).into());
        let default = self.registry.default_protocol().map(|protocol| protocol.name);
        let named = self.protocol.as_deref().or(default).unwrap_or_default();
        let Some(protocol) = self.registry.find(named) else {
            let text = match named {
                "" => {
                    let spoken = self.registry.iter().filter(|p| p.machine.is_some());
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
        if let Some(zero) = self.options.zero() {
            return Err(zero.into());
        }
        let fleet = self.naming.fleet(&self.schemes, &self.address)?;
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
            let Address { plain, secure } = Address::parse(&self.address, &self.schemes)?;
            #[cfg(feature = "__tls")]
            if secure {
                self.tls.get_or_insert_default();
            }
            if cfg!(not(feature = "__tls")) && secure {
                let text = format!("address {:?} asks for TLS: turn on the feature `tls`", self.address);
                return wrong("address", &self.address, text);
            }
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
        #[cfg(feature = "__tls")]
        if let Some(tls) = self.tls.take() {
            match tls.build(fleet.is_none().then_some(&*address), (protocol.alpn)(&parameter)) {
                Ok(secure) => self.connector.secure(secure),
                Err(wrong) => return Err(wrong.within("TLS").into()),
            }
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
        let max_message = config.limits.max_message as usize;
        let (bounds, defaults) = (self.options.bounds(may_overflow(protocol, kind)), self.options.defaults());
        let spec = ConnectSpec {
            address: address.into(),
            protocol,
            parameter: parameter.into(),
            credential: self.options.credential.map(Arc::from),
            once: kind == Connections::Short,
            connector: Arc::new(self.connector),
            connect_timeout: self.options.connect_timeout,
            dedicated_threads: self.options.dedicated_threads,
            config: Arc::new(config),
            keepalive: Arc::default(),
            backoff: Backoff::default(),
            observer: None,
        };
        let recipe = Recipe {
            spec,
            kind,
            bounds,
            content,
            defaults,
            max_message,
            service_config,
            hedge: self.hedge,
            retry_budget: self.retry_budget,
            interceptors: self.interceptors.into(),
        };
        Ok((recipe, fleet))
    }
}

/// Whether connections are added while others are full. Where the peer says no limit, calls rely on their order on a
/// connection, or on ids without end.
fn may_overflow(protocol: &Protocol, kind: Connections) -> bool {
    protocol.peer_limits_calls && kind == Connections::Single
}
