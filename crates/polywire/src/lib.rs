//! One port, every wire protocol.
//!
//! The facade: the paved path of all crates under one name. A service written once answers every protocol that is
//! built in; one [`Channel`] calls them all.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod generated;

#[doc(inline)]
pub use polywire_grpc_services as standard;
#[doc(inline)]
pub use polywire_nshead as nshead;
#[doc(inline)]
pub use polywire_redis as redis;
#[doc(inline)]
pub use polywire_rest_rpc as rest_rpc;
#[doc(inline)]
pub use polywire_zmq as zmq;

pub use polywire_base::IoBuf;
pub use polywire_call::{Code, Compression, Content, Metadata, Native, Origin, Parent, Reply, Status, brpc};
#[cfg(any(feature = "tls", feature = "tls-aws-lc"))]
pub use polywire_client::TlsConnect;
pub use polywire_client::{
    Call, CallEnd, CallFuture, CallStart, ChannelError, Duplex, Interceptor, Raw, StreamingCall, Target,
    Upload,
};
pub use polywire_engine::transport::Security;
pub use polywire_engine::{Engine, Peer, Priority, Timeouts, inline::Inline};
pub use polywire_formats::{EnumValue, Map, Message, MessageField, Payload, flatbuffers, rpc, wkt};
pub use polywire_protocols::Builtin;
pub use polywire_server::{
    Authenticator, Caller, Context, Ended, Handler, Health, HealthWatch, Identity, Json, Method, Middleware,
    Next, Preset, Running, Servable, ServerError, Service, Serving, Started, TestContext, stop_signal,
};
#[cfg(any(feature = "tls", feature = "tls-aws-lc"))]
pub use polywire_server::{ClientCertificates, Tls};
pub use polywire_streams::{Outgoing, RawReceiver, RawSender, RawStream, Stream, Streaming, stream};
pub use polywire_wire::{Connections, Keepalive, Limits, Protocols, Registry};

/// Services of the `tower` family at our port, and ours in their routers.
#[cfg(feature = "tower")]
pub mod tower {
    pub use polywire_server::tower::{Body, BoxError, Caller, ExportBody, Exported, Mount};
}

/// Servers and channels of a test on a network in memory, in virtual time: docs/testing.md.
#[cfg(feature = "testkit")]
pub mod testkit {
    pub use polywire_testnet::{Event, Link, NetStream, Served, What};

    /// Servers and channels on a network in memory; see [`polywire_testnet::Net`].
    pub type Net = polywire_testnet::Net<super::Builtin>;
    /// A program on the network that has channels; see [`polywire_testnet::Host`].
    pub type Host = polywire_testnet::Host<super::Builtin>;
}

/// What types of fields are made of, for code that is generic over them.
pub mod field {
    pub use polywire_formats::{FieldMessage, KeyHasher, MapState, Storage};
}

/// What a protocol of one's own is made of, see docs/own-protocol.md.
pub mod wire {
    pub use polywire_base::{IoBuf, Output};
    pub use polywire_wire::*;
}

/// What a [`Handler`] is given and what it answers, below generated code: raw HTTP bodies, proxies.
pub mod handler {
    pub use polywire_server::Call;
    pub use polywire_wire::Outcome;
}

/// What a [`Server`] has before anything is added to it: all built-in protocols, and gRPC's [standard] services.
pub struct Standard;
impl Protocols for Standard {
    fn registry() -> Registry {
        polywire_protocols::builtin()
    }
}
impl polywire_server::Preset for Standard {
    fn services(about: &polywire_server::About) -> Vec<Service> {
        standard::services(about)
    }
}

/// A logical line to one address; see [`polywire_client::Channel`].
pub type Channel = polywire_client::Channel<Builtin>;
/// Services on listeners, before they run; see [`polywire_server::Server`].
pub type Server = polywire_server::Server<Standard>;

/// A server before it is decided what it has by itself: what a [`Servable`] is added to.
pub type AnyServer<P> = polywire_server::Server<P>;

/// Starting a server or making a channel went wrong.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
/// What `main` returns.
pub type Result<T> = std::result::Result<T, Error>;
