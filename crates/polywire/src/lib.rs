//! One port, every wire protocol: an RPC framework.
//!
//! A service is written once, as a trait made from its `.proto` file. A [`Server`] answers it over baidu_std,
//! gRPC, HTTP with JSON, Connect and all other protocols that are built in, on one port: the first bytes of a
//! connection tell which it speaks. A [`Channel`] calls servers over any of them, with one generated client.
//!
//! # A server
//!
//! `build.rs` contains `polywire_build::compile("proto/echo.proto")`, and the program:
//!
//! ```no_run
//! # mod echo { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/build/tests/golden_protobuf/example.rs")); }
//! # use echo::{EchoRequest, EchoResponse, EchoService, EchoClient};
//! use polywire::{Context, Reply, Server, Status};
//!
//! # const _: &str = stringify! {
//! polywire::include!("echo");
//! use echo::{EchoRequest, EchoResponse, EchoService};
//! # };
//!
//! struct Echo;
//!
//! impl EchoService for Echo {
//!     async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
//!         if request.message.is_empty() {
//!             return Err(Status::invalid_argument("an empty message"));
//!         }
//!         Ok(EchoResponse { message: request.message }.into())
//!     }
//! }
//!
//! #[tokio::main]
//! async fn main() -> polywire::Result<()> {
//!     Server::new().service(Echo.into_service()).listen("127.0.0.1:8000").run().await
//! }
//! ```
//!
//! # A client
//!
//! ```no_run
//! # mod echo { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/build/tests/golden_protobuf/example.rs")); }
//! # use echo::{EchoRequest, EchoResponse, EchoService, EchoClient};
//! use polywire::{Channel, protocol};
//! use std::time::Duration;
//!
//! # async fn client() -> polywire::Result<()> {
//! let channel = Channel::builder("127.0.0.1:8000").protocol(protocol::GRPC).build()?;
//! let echo = EchoClient::new(channel); // or EchoClient::connect("grpc://127.0.0.1:8000").await?
//! let reply = echo.echo(EchoRequest { message: "hi".into() }).timeout(Duration::from_millis(200)).await?;
//! println!("{}", reply.message);
//! # Ok(())
//! # }
//! ```
//!
//! Without a runtime `.blocking()` stands in place of `.await`.
//!
//! # Map
//!
//! | for | here | page |
//! | --- | --- | --- |
//! | servers | [`Server`], [`Service`], [`Method`], [`Context`], [`Running`], [`Health`] | [server][docs-server] |
//! | clients | [`Channel`], [`ChannelBuilder`], [`Call`] | [client][docs-client] |
//! | answers and failures | [`Reply`], [`Status`], [`Code`], [`Metadata`], details of errors in [`rpc`] | [errors][docs-errors] |
//! | streams | [`Streaming`], [`stream()`], [`Outgoing`], [`Upload`], [`Duplex`] | [streams][docs-streams] |
//! | messages | [`MessageField`], [`EnumValue`], [`Map`], [`View`], [`wkt`] | [fields][docs-fields] |
//! | generated code | [`include!`], the crate [`polywire-build`](https://docs.rs/polywire-build) | [code][docs-codegen] |
//! | what runs around calls, or before them | [`Middleware`], [`Interceptor`]; [`Admission`] | [middleware][docs-middleware] |
//! | who may call | [`Authenticator`], [`Caller`], [`Identity`] | [authentication][docs-authentication] |
//! | TLS | `ServerTls`, `ClientTls`, [`Security`] | [TLS][docs-tls] |
//! | threads | [`Engine`], [`Inline`] | [threads][docs-threading] |
//! | tests | [`TestContext`], `testkit` | [testing][docs-testing] |
//! | Redis, memcached, MongoDB, ZeroMQ, rest_rpc, Thrift, nshead, esp | `redis`, `memcache`, `mongo`, `zmq`, `rest_rpc`, `thrift`, `nshead`, `esp` | [Redis][docs-redis], [memcached][docs-memcached], [MongoDB][docs-mongo], [ZeroMQ][docs-zeromq], [rest_rpc][docs-rest_rpc], [Thrift][docs-thrift], [nshead][docs-nshead], [esp][docs-esp] |
//! | WebSocket | `websocket` | [WebSocket][docs-websocket] |
//! | raw HTTP, other routers | [`handler`], `tower` | [HTTP][docs-http], [tower][docs-tower] |
//! | a protocol of your own | [`wire`] | [own protocol][docs-own] |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `http` (default) | HTTP/1.1 and HTTP/2: JSON, Connect, the pages of a server |
//! | `console` (default) | these pages in HTML for browsers; turns on `http` |
//! | `grpc` (default) | gRPC and gRPC-Web, with its services for health and reflection; turns on `http` |
//! | `channelz` | gRPC's service for debugging; turns on `grpc` |
//! | `load` | reports of a server's load, for clients that choose servers by it; turns on `grpc` |
//! | `redis` | Redis: a client, and services that answer commands |
//! | `redis-store` | a key-value store in memory for such services; turns on `redis` |
//! | `memcache` | a client of memcached |
//! | `mongo` | MongoDB's wire protocol for servers |
//! | `esp` | a client of esp |
//! | `zeromq`, `curve` | ZeroMQ, and its encryption |
//! | `rest_rpc` | rest_rpc |
//! | `thrift` | Thrift |
//! | `websocket` | WebSocket: sockets of handlers, calls of services over it, clients; turns on `http` |
//! | `hulu_pbrpc`, `sofa_pbrpc` | the protocols of these names |
//! | `nshead` | nshead, nova_pbrpc, public_pbrpc |
//! | `mcpack` | nshead_mcpack and ubrpc; turns on `nshead` |
//! | `flatbuffers` | FlatBuffers in place of protobuf, and fb_rpc |
//! | `gzip`, `snappy`, `zstd` | compression; zlib comes with gzip |
//! | `all-protocols` | all of the above |
//! | `consul`, `etcd`, `k8s`, `nacos`, `remotefile`, `zookeeper` | sets of servers from these registries, and registration: [registries][docs-registries] |
//! | `xds` | routes and servers from a control plane, as gRPC's clients have them: [xDS][docs-xds] |
//! | `otlp` | spans and metrics for OpenTelemetry collectors: docs/tracing.md, docs/metrics.md |
//! | `gateway` | calls of services that a server does not have, relayed to a channel: docs/proxies.md |
//! | `openapi` | what HTTP reaches as OpenAPI, `/openapi.json`: docs/openapi.md; turns on `console` |
//! | `authorization` | who may call which method, by gRPC's policy file: docs/authorization.md |
//! | `jwt` | callers by JSON Web Tokens with keys from a JWKS, and by lists of hashed tokens: docs/authentication.md; turns on `http` |
//! | `profile` | profiles of CPU time, flame graphs, `/pprof`: docs/profiling.md; turns on `http` |
//! | `patterns` | regular expressions in routes: docs/routing.md |
//! | `dns` | sets of servers from names in DNS: `dns://` |
//! | `full` | everything but `tls-aws-lc` and `testkit` |
//! | `tls` (default) | TLS for servers and channels, by rustls with ring |
//! | `tls-aws-lc` | the same with aws-lc-rs, which is used where both are there |
//! | `tower` | axum, tonic and other tower services as fallback of a server, and services in their routers |
//! | `chrono`, `jiff` | their types from and to [`wkt::Timestamp`] and [`wkt::Duration`] |
//! | `prost` | messages of prost through the same trait |
//! | `views` | messages that are read in place: [`View`], docs/views.md |
//! | `testkit` | `testkit::Net`: servers and channels of a test on a network in memory, in virtual time |
//!
//! baidu_std, with streaming_rpc, needs no feature. [Build times][docs-build-times] lists what each feature
//! costs.
//!
//! [docs-build-times]: https://github.com/polywire/polywire/blob/main/docs/build-times.md#features
//! [docs-registries]: https://github.com/polywire/polywire/blob/main/docs/registries.md
//! [docs-xds]: https://github.com/polywire/polywire/blob/main/docs/xds.md
//! [docs-server]: https://github.com/polywire/polywire/blob/main/docs/server.md
//! [docs-client]: https://github.com/polywire/polywire/blob/main/docs/client.md
//! [docs-errors]: https://github.com/polywire/polywire/blob/main/docs/errors.md
//! [docs-streams]: https://github.com/polywire/polywire/blob/main/docs/streams.md
//! [docs-fields]: https://github.com/polywire/polywire/blob/main/docs/fields.md
//! [docs-codegen]: https://github.com/polywire/polywire/blob/main/docs/codegen.md
//! [docs-middleware]: https://github.com/polywire/polywire/blob/main/docs/middleware.md
//! [docs-authentication]: https://github.com/polywire/polywire/blob/main/docs/authentication.md
//! [docs-tls]: https://github.com/polywire/polywire/blob/main/docs/tls.md
//! [docs-threading]: https://github.com/polywire/polywire/blob/main/docs/threading.md
//! [docs-testing]: https://github.com/polywire/polywire/blob/main/docs/testing.md
//! [docs-redis]: https://github.com/polywire/polywire/blob/main/docs/redis.md
//! [docs-memcached]: https://github.com/polywire/polywire/blob/main/docs/memcached.md
//! [docs-mongo]: https://github.com/polywire/polywire/blob/main/docs/mongo.md
//! [docs-zeromq]: https://github.com/polywire/polywire/blob/main/docs/zeromq.md
//! [docs-rest_rpc]: https://github.com/polywire/polywire/blob/main/docs/rest_rpc.md
//! [docs-thrift]: https://github.com/polywire/polywire/blob/main/docs/thrift.md
//! [docs-nshead]: https://github.com/polywire/polywire/blob/main/docs/nshead.md
//! [docs-esp]: https://github.com/polywire/polywire/blob/main/docs/esp.md
//! [docs-websocket]: https://github.com/polywire/polywire/blob/main/docs/websocket.md
//! [docs-http]: https://github.com/polywire/polywire/blob/main/docs/http.md
//! [docs-tower]: https://github.com/polywire/polywire/blob/main/docs/tower.md
//! [docs-own]: https://github.com/polywire/polywire/blob/main/docs/own-protocol.md

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[doc(hidden)]
#[cfg(feature = "flatbuffers")]
pub mod fb_rpc;
pub mod generated;
mod why;

/// Who may call which method, by gRPC's policy file: docs/authorization.md.
#[cfg(feature = "authorization")]
#[doc(inline)]
pub use polywire_authorization as authorization;
#[cfg(feature = "esp")]
#[doc(inline)]
pub use polywire_esp as esp;
/// Calls of services that a server does not have, relayed to a channel: docs/proxies.md.
#[cfg(feature = "gateway")]
#[doc(inline)]
pub use polywire_gateway as gateway;
#[cfg(feature = "grpc")]
#[doc(inline)]
pub use polywire_grpc_services as standard;
/// Who calls, by JSON Web Tokens and by lists of hashed tokens: docs/authentication.md.
#[cfg(feature = "jwt")]
#[doc(inline)]
pub use polywire_jwt as jwt;
#[cfg(feature = "memcache")]
#[doc(inline)]
pub use polywire_memcache as memcache;
#[cfg(feature = "mongo")]
#[doc(inline)]
pub use polywire_mongo as mongo;
#[cfg(feature = "nshead")]
#[doc(inline)]
pub use polywire_nshead as nshead;
/// Spans for OpenTelemetry collectors: docs/tracing.md.
#[cfg(feature = "otlp")]
#[doc(inline)]
pub use polywire_otlp as otlp;
#[cfg(feature = "redis")]
#[doc(inline)]
pub use polywire_redis as redis;
/// Registries of servers, each with a feature of its own: docs/registries.md.
#[doc(inline)]
pub use polywire_registries as registries;
#[cfg(feature = "rest_rpc")]
#[doc(inline)]
pub use polywire_rest_rpc as rest_rpc;
#[cfg(feature = "thrift")]
#[doc(inline)]
pub use polywire_thrift as thrift;
#[cfg(feature = "websocket")]
#[doc(inline)]
pub use polywire_websocket as websocket;
/// Routes and servers from a control plane: docs/xds.md.
#[cfg(feature = "xds")]
#[doc(inline)]
pub use polywire_xds as xds;
#[cfg(feature = "zeromq")]
#[doc(inline)]
pub use polywire_zmq as zmq;

pub use polywire_base::IoBuf;
pub use polywire_call::{
    Code, Compression, ConfigError, Content, Metadata, Native, Origin, Parent, Reply, Status, brpc,
};
#[doc(inline)]
pub use polywire_client::Builder as ChannelBuilder;
/// [`Channel`] with the set of protocols as a type parameter.
#[doc(inline)]
pub use polywire_client::Channel as AnyChannel;
#[cfg(any(feature = "tls", feature = "tls-aws-lc"))]
pub use polywire_client::ClientTls;
pub use polywire_client::{
    Backoff, Blocking, Call, CallEnd, CallFuture, CallHandle, CallStart, ChannelError, Credentials, Duplex,
    FailedTry, Fleet, Handle, HealthCheck, Hedge, Interceptor, Pooling, Raw, Resilience, Retries,
    RetryDecision, RetryPolicy, ServerOptions, SharedConnections, StreamingCall, Target, Token, TryEnd,
    TryInterceptor, TryKind, TryStart, Upload, UseClusterTls,
};
pub use polywire_engine::transport::Security;
pub use polywire_engine::{Engine, Peer, Priority, Timeouts, inline::Inline};
/// Options of a running program, by name; see [`Running::register_flags`].
pub use polywire_flags as flags;
#[cfg(feature = "flatbuffers")]
pub use polywire_formats::flatbuffers;
pub use polywire_formats::rest::{HttpBody, HttpRule};
pub use polywire_formats::{EnumValue, Map, Message, MessageField, Payload, rpc, wkt};
#[cfg(feature = "views")]
pub use polywire_formats::{View, Viewed};
pub use polywire_pages::Pages;
#[doc(inline)]
pub use polywire_protocols::protocol;
/// [`Server`] without its built-in protocols and services, with the set of protocols as a type parameter; a
/// [`Servable`] is added to it.
#[doc(inline)]
pub use polywire_server::Server as AnyServer;
pub use polywire_server::{
    AccessLog, AccessLogBuilder, Admission, Arrival, Authenticator, Bounds, ByPath, Caller, CatchAll,
    Context, Directions, DumpOptions, DumpStats, Ended, Group, HandOver, Handler, Health, HealthWatch,
    Identity, Json, Lifecycle, LogFormat, Method, Metrics as ServerMetrics, Middleware, Networks, Next,
    Origins, Preset, Recorder as DumpRecorder, Recording, Registration, Running, Servable, ServerError,
    Service, Serving, Started, TestContext, stop_signal, systemd,
};
#[cfg(any(feature = "tls", feature = "tls-aws-lc"))]
pub use polywire_server::{ClientCertificates, ServerTls};
pub use polywire_streams::{Outgoing, RawReceiver, RawSender, RawStream, Stream, Streaming, stream};
pub use polywire_wire::{Connections, Keepalive, Limits, ProtocolSet, Protocols};

/// Limits of a server: docs/overload.md.
pub mod overload {
    pub use polywire_server::{
        Auto, BacklogReport, Concurrency, ConnectionsReport, Limiter, LimiterReport, MemoryReport,
        MethodLimits, OverloadReport, Permit, Rank, RateBy, Rates, RatesReport, Shedding, Timeout,
    };
}

/// Variables of your own on a server's pages, see [`Server::expose`](AnyServer::expose).
pub mod metrics {
    pub use polywire_metrics::{
        AverageRecorder, Computed, Counter, Distribution, Durations, ExposeError, Family, Gauge, InWindow,
        Kind, Labelled, Labels, LatencyRecorder, LocalAverage, LocalCounter, LocalGauge, LocalLatency,
        LocalMaximum, LocalMinimum, Maximum, Metric, MetricFileOptions, MetricFiles, Minimum, Name, OTHER,
        Passive, PerSecond, Rate, Reading, Registry, Sampled, Scale, Series, Show, Status, Unit, Value,
        Variable, Window, process,
    };
}

/// Spans of calls, which the page `/rpcz` shows: docs/tracing.md.
pub mod trace {
    pub use polywire_engine::tracer;
    pub use polywire_server::{SpanFileOptions, SpanFileStats, SpanFiles};
    pub use polywire_trace::{
        Annotation, Class, End, Held, Kept, MOST_ANNOTATIONS, MOST_CALLS, Options, Phase, Query, Record,
        Side, Sink, Span, SpanId, TraceContext, TraceId, Tracer, TracerStats, Within, rpcz, tree,
    };
}

/// Pages of your own at a server's port, see [`Pages::page`].
pub mod console {
    pub use polywire_console::{
        Action, Column, Fact, Field, Finding, Flame, FlameBox, Link, Mark, Plot, Query, Row, Section, Table,
        Value, View, Whose,
    };
    pub use polywire_pages::{Access, Asked, Elsewhere, Form, Group, Page, Who};

    pub use crate::why::page as why;
}

/// Profiles of the process, also on the pages `/hotspots` and `/pprof`: docs/profiling.md.
#[cfg(feature = "profile")]
pub mod profile {
    pub use polywire_profile::{
        Function, INTERVAL, Kind, LONGEST, Location, Mapping, Node, Profile, Run, Sample, Sampled, Taken,
        current, heap, kept, mark, pprof, start,
    };
}

/// Channels with several servers: the sources of those servers, docs/naming.md.
pub mod naming {
    pub use polywire_naming::{
        Naming, Scheme, Schemes, Server, Set, Source, SourceError, Updates, WatchOptions, Watched, Watching,
        Work, source_every, source_fn, watch, watch_with,
    };
}

/// Channels with several clusters of servers: the choice of a cluster for each call, docs/routing.md.
pub mod routing {
    pub use polywire_naming::Watching;
    pub use polywire_routing::{
        Abort, AbortWith, Action, CertificateNames, Cluster, ClusterTls, Delay, DelayLength, DropShare,
        Fault, Fraction, HashOf, HashPolicy, HeaderMatch, HeaderTest, InFlight, Matcher, NameKind, NameMatch,
        NameTest, PathMatch, Pattern, RetryPolicy, Rewrite, Route, RouteTable, Router, RouterScheme,
        RouterSchemes, Routing, TableUpdates, Target, router_fn, watch_at_once,
    };
}

/// Channels that are made of channels: docs/combination.md.
pub mod combination {
    pub use polywire_client::{
        Branch, BranchReply, Mapper, Mapping, Merger, Merging, Parallel, Part, Partitioned, Selection,
        Selective,
    };
}

/// Channels with several servers: a balancer chooses one for each call. Balancers are built in, or your own
/// ([`Spec::own`](balance::Spec::own)).
pub mod balance {
    pub use polywire_balance::{
        BreakerSettings, End, Endpoint, Failed, FailurePercentage, HedgeSettings, Load, Members, NoEndpoint,
        Outcome, Outliers, Query, Report, SlowStart, Spec, Spill, State, Subset, SuccessRate, Time,
        policies::Policy,
    };
    pub use polywire_client::Balancer;
}

/// Services of the `tower` family at our port, and ours in their routers.
#[cfg(feature = "tower")]
pub mod tower {
    pub use polywire_server::tower::{
        Body, BoxError, Call, Caller, ExportBody, Exported, Mount, Rest, layered,
    };
}

/// Servers and channels of a test on a network in memory, in virtual time: docs/testing.md.
#[cfg(feature = "testkit")]
pub mod testkit {
    pub use polywire_testkit::{
        Event, EventKind, Link, NetStream, Served,
        conversation::{By, Conversation, Difference, Recorder, Replay, Sent},
    };

    /// Servers and channels on a network in memory; see [`polywire_testkit::Net`].
    pub type Net = polywire_testkit::Net<super::Standard>;
    /// A program on the network that has channels; see [`polywire_testkit::Host`].
    pub type Host = polywire_testkit::Host<super::Standard>;
}

/// The types and traits of message fields, for code that is generic over them.
pub mod field {
    pub use polywire_formats::{FieldEnum, FieldMessage, KeyHasher, MapState, Storage};
}

/// The parts of which you make your own protocol, see docs/own-protocol.md.
pub mod wire {
    pub use polywire_base::{IoBuf, Output};
    pub use polywire_wire::*;
}

/// The types of a [`Handler`]'s input and output, below generated code: raw HTTP bodies, proxies.
pub mod handler {
    pub use polywire_server::Call;
    pub use polywire_wire::Outcome;
}

/// The set that a [`Server`] and a [`Channel`] have by default: all built-in protocols, the built-in naming
/// sources and, with the feature `grpc`, the standard gRPC services: health, reflection and, with the feature
/// `channelz`, channelz.
pub struct Standard;
impl Protocols for Standard {
    fn protocol_set() -> ProtocolSet {
        polywire_protocols::builtin()
    }
}
impl polywire_naming::Naming for Standard {
    /// The naming schemes that need no feature, and the registries. A registry whose feature is off answers
    /// with an error that names the feature.
    fn schemes() -> polywire_naming::Schemes {
        polywire_naming::Schemes::builtin().with(polywire_registries::schemes())
    }
}
impl polywire_routing::Routing for Standard {
    /// The router xDS. Without the feature `xds`, its url is refused with an error that names the feature.
    fn routers() -> polywire_routing::RouterSchemes {
        #[cfg(feature = "xds")]
        let xds = polywire_xds::SCHEME;
        #[cfg(not(feature = "xds"))]
        let xds = polywire_routing::RouterScheme {
            name: "xds",
            open: |rest| {
                let text = "xds:// needs the feature `xds` of `polywire`";
                Err(ConfigError::new("address", text).with_value(format!("xds://{rest}")))
            },
        };
        polywire_routing::RouterSchemes::default().with([xds])
    }
}
impl polywire_server::Preset for Standard {
    type Pages = Pages;

    #[cfg(feature = "grpc")]
    fn services(about: &polywire_server::About) -> Vec<Service> {
        standard::services(about)
    }
    #[cfg(not(feature = "grpc"))]
    fn services(_: &polywire_server::About) -> Vec<Service> {
        Vec::new()
    }
}

/// Calls to an address, or to the servers of a name, by any protocol. Clones are cheap and share connections;
/// calls may come from any thread.
///
/// ```
/// # mod echo { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/build/tests/golden_protobuf/example.rs")); }
/// # use echo::{EchoRequest, EchoResponse, EchoService, EchoClient};
/// # use polywire::{Context, Reply, Server, Status};
/// # struct Echo;
/// # impl EchoService for Echo {
/// #     async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
/// #         Ok(EchoResponse { message: request.message }.into())
/// #     }
/// # }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// # let running = Server::new().service(Echo.into_service()).listen("127.0.0.1:0").start()?;
/// # let address = running.addresses()[0].to_string();
/// use polywire::Channel;
/// use std::time::Duration;
///
/// let channel = Channel::builder(address).protocol("grpc").timeout(Duration::from_secs(5)).build()?;
/// let echo = EchoClient::new(channel);
/// let reply = echo.echo(EchoRequest { message: "hi".into() }).await?;
/// assert_eq!(reply.message, "hi");
/// # running.stop().await;
/// # polywire::Result::Ok(())
/// # })?;
/// # polywire::Result::Ok(())
/// ```
///
/// It is [`AnyChannel`] with the protocols that are built in, and has its methods:
///
/// | | |
/// | --- | --- |
/// | made by | [`connect`](AnyChannel::connect) with all defaults, [`builder`](AnyChannel::builder) with the options of [`ChannelBuilder`] |
/// | calls | of generated clients (`EchoClient::new(channel)`); without one [`call`](AnyChannel::call), [`stream`](AnyChannel::stream) |
/// | asked | [`probe`](AnyChannel::probe), [`address`](AnyChannel::address), [`protocol`](AnyChannel::protocol), [`faults`](AnyChannel::faults) |
pub type Channel = AnyChannel<Standard>;

/// Services on listeners, before they run.
///
/// ```
/// # mod echo { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/build/tests/golden_protobuf/example.rs")); }
/// # use echo::{EchoRequest, EchoResponse, EchoService, EchoClient};
/// use polywire::{Context, Reply, Server, Status};
///
/// struct Echo;
///
/// impl EchoService for Echo {
///     async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
///         Ok(EchoResponse { message: request.message }.into())
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let running = Server::new()
///     .service(Echo.into_service().method("Echo", |echo| echo.max_concurrency(1000)))
///     .listen("127.0.0.1:0")
///     .start()?;
/// println!("listening on {}", running.addresses()[0]);
/// running.stop().await;
/// # polywire::Result::Ok(())
/// # })?;
/// # polywire::Result::Ok(())
/// ```
///
/// It is [`AnyServer`] with the protocols that are built in and gRPC's standard services, and has its
/// methods:
///
/// | | |
/// | --- | --- |
/// | what it serves | [`service`](AnyServer::service), [`protocol`](AnyServer::protocol), [`protocols`](AnyServer::protocols), [`json`](AnyServer::json), `fallback` |
/// | where | [`listen`](AnyServer::listen), `tls` |
/// | who may call | [`authenticate`](AnyServer::authenticate), [`guard`](AnyServer::guard), [`origins`](AnyServer::origins) |
/// | around calls | [`middleware`](AnyServer::middleware) |
/// | how much | [`bounds`](AnyServer::bounds) over all, [`limits`](AnyServer::limits) of each peer, [`timeouts`](AnyServer::timeouts) of each connection |
/// | what operators see | [`pages`](AnyServer::pages), [`recording`](AnyServer::recording), [`expose`](AnyServer::expose) |
/// | begin and end | [`lifecycle`](AnyServer::lifecycle), [`health`](AnyServer::health) |
/// | threads | [`engine`](AnyServer::engine) |
/// | started by | [`run`](AnyServer::run) until a signal, [`start`](AnyServer::start), [`serve`](AnyServer::serve) on a listener of yours, [`start_without_listener`](AnyServer::start_without_listener) without a port |
pub type Server = AnyServer<Standard>;

/// Starting a server or making a channel went wrong.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
/// The result type for `main`: its error is any error of this crate.
pub type Result<T> = std::result::Result<T, Error>;
