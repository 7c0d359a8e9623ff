//! HTTP, server and client, and the dialects of calls over it.
//!
//! | file | what it is |
//! | --- | --- |
//! | `sniff.rs` | whether first bytes are HTTP |
//! | `semantics/` | requests and replies as calls; knows no framing |
//! | `dialects/` | the forms of a call: plain, gRPC, grpc-web, Connect |
//! | `parameter.rs` | what may follow the colon in a client's protocol |
//! | `origin.rs`, `cors.rs` | pages in browsers: which may call; the fields that say so |
//! | `framing.rs` | what semantics ask of a framing, and what passes between the two |
//! | `h1/` | the framing of HTTP/1: heads, bodies, order, keep-alive |
//! | `h2/` | the framing of HTTP/2: streams, windows, HPACK |
//! | `websocket/` | WebSocket: frames, handshake, calls of services over it |
//! | `no_websocket.rs` | what stands in its place where the feature is off |
//! | `last_path.rs` | the path of the last request, and the names in it |
//! | `token_bucket.rs` | how often a peer may do what costs work |
//! | `content.rs`, `status.rs`, `fields.rs` | content types, status codes, fields: tables both ways |
//!
//! Source: docs/wire/http.md; RFC 9110, RFC 9112.
//!
//! # At a server
//!
//! A request arrives as `Event::Open` with `Target::Path { verb, path }` (no query; the path of an absolute
//! target) and `Head::raw`, the received head, which [`PROTOCOL`]`.fields` visits: `:method`, `:path` with
//! the query, then the fields in order. Routing is done by the server. `Head::content` is JSON if the content
//! type is absent or JSON, and RAW for other types.
//!
//! `finish` answers 200 or the status in `Native::Http`. A failure has its status from brpc's table,
//! [`ERROR_CODE_FIELD`], and the message as text. If a failure has a reply body (`Outcome::reply`), that is
//! sent instead of the message. `Outcome::trailers` become fields of the reply. A streamed answer is chunked,
//! or ends with the connection in HTTP/1.0. If it fails after its head, it is broken off.
//!
//! Up to `Limits::exchanges` pipelined requests are handled concurrently; their replies are sent in order.
//!
//! # At a client
//!
//! `open` sends `POST /service/method`, or the path in `method` if `service` is empty and `method` begins
//! with `/`; the metadata field `:method` names another verb. All other metadata become fields; `host`,
//! `user-agent`, `authorization` and `content-type` replace the default values. A reply other than 2xx fails
//! the call, see `status.rs`; its body stays readable in `Outcome::body`. `Outcome::trailers` holds the
//! reply's fields, without those that describe its frame.
//!
//! # Deadlines
//!
//! HTTP has no common field for deadlines. This implementation sends and reads [`TIMEOUT_FIELD`]: the
//! remaining time in whole milliseconds, one to ten digits.
//!
//! # Other forms of a call
//!
//! A server recognises gRPC, grpc-web and Connect by content type (`dialects/`). The target is then
//! `Target::Method`, and messages and failures have the form of that dialect. Clients select it by [`GRPC`],
//! [`GRPC_WEB`] or [`CONNECT`].
//!
//! # Left out on purpose
//!
//! `Date` (a machine has no calendar), `Upgrade` to anything but WebSocket, CONNECT, TRACE, content codings
//! other than gzip. Trailers of requests are checked and dropped.

mod content;
mod cors;
mod dialects;
mod fields;
mod framing;
mod h1;
pub mod h2;
mod last_path;
mod origin;
mod parameter;
mod semantics;
mod sniff;
mod status;
mod token_bucket;
#[cfg(feature = "websocket")]
pub mod websocket;
#[cfg(not(feature = "websocket"))]
#[path = "no_websocket.rs"]
mod websocket;

#[cfg(test)]
mod tests;

use dialects::Kind;
use parameter::Parameter;
use polywire_wire::{
    Carrier, Connections, CredentialPer, DumpForm, Dumped, HttpVersion, Machine, Protocol, Setup, Stopping,
    Streams,
};

/// Remaining time of a call in milliseconds, from client to server.
pub const TIMEOUT_FIELD: &str = "x-polywire-timeout-ms";
/// brpc's error number of a failed call, decimal, from server to client.
pub const ERROR_CODE_FIELD: &str = "x-bd-error-code";

/// The entry in a protocol set for HTTP/1.0 and HTTP/1.1.
pub static PROTOCOL: Protocol = Protocol {
    name: "http",
    also_called: &["http1", "http/1.1", "https", "rest", "json"],
    sniff: sniff::sniff,
    alpn: |_| h1::ALPN,
    http: Some(HttpVersion::One),
    stopping: Stopping::AnnouncesLast, // `Connection: close`
    credential: CredentialPer::Request,
    connections: Connections::EXCLUSIVE,
    content: content::by_parameter,
    streams: Streams::Bytes,
    machine: Some(|setup| h1::over(setup, Kind::Plain)),
    compressions: content::CODINGS,
    trace: Carrier::BOTH,
    fields: h1::fields,
    dumped: |head| dialects::dumped(h1::fields, head, Dumped::new(NUMBER, DumpForm::HttpText)),
    dump_number: Some(NUMBER),
    ..Protocol::DEFAULT
};

/// brpc's number of HTTP/1.1 in dump files, docs/wire/rpc_dump.md.
const NUMBER: u32 = 8;

/// Field with the number of earlier attempts of a call, from client to server (gRFC A6).
const ATTEMPTS: &str = "grpc-previous-rpc-attempts";

/// gRPC as a client; at a server, [`h2::PROTOCOL`] reads it.
pub static GRPC: Protocol = Protocol {
    name: "grpc",
    also_called: &["grpcs"],
    detected_as: &["h2"],
    alpn: |parameter| alpn(Kind::Grpc, parameter),
    http: Some(HttpVersion::Two),
    connections: Connections::ALL,
    peer_limits_calls: true,
    attempts_field: Some(ATTEMPTS),
    content: |parameter| Some(Parameter::of(Kind::Grpc, parameter)?.content),
    machine: Some(|setup| of_kind(setup, Kind::Grpc)),
    trace: Carrier::W3C,
    fields: h2::fields,
    ..CLIENT
};

/// grpc-web as a client; at a server, [`PROTOCOL`] reads it.
pub static GRPC_WEB: Protocol = Protocol {
    name: "grpc-web",
    also_called: &["grpc_web", "grpcweb"],
    system: polywire_wire::GRPC,
    detected_as: &["h2", "http"],
    alpn: |parameter| alpn(Kind::GrpcWeb, parameter),
    attempts_field: Some(ATTEMPTS),
    content: |parameter| Some(Parameter::of(Kind::GrpcWeb, parameter)?.content),
    machine: Some(|setup| of_kind(setup, Kind::GrpcWeb)),
    ..CLIENT
};

/// Connect as a client; at a server, [`PROTOCOL`] reads it.
pub static CONNECT: Protocol = Protocol {
    name: "connect",
    also_called: &["connectrpc", "connect-rpc"],
    system: polywire_wire::CONNECT,
    detected_as: &["h2", "http"],
    alpn: |parameter| alpn(Kind::Connect, parameter),
    content: |parameter| Some(Parameter::of(Kind::Connect, parameter)?.content),
    machine: Some(|setup| of_kind(setup, Kind::Connect)),
    ..CLIENT
};

/// A dialect of clients, which servers do not distinguish from HTTP by first bytes.
const CLIENT: Protocol = Protocol {
    compressions: dialects::coding::NAMED,
    http: Some(HttpVersion::One), // unless the parameter asks for HTTP/2
    credential: CredentialPer::Request,
    connections: Connections::EXCLUSIVE,
    streams: Streams::Messages,
    trace: Carrier::W3C,
    fields: h1::fields,
    ..Protocol::DEFAULT
};

/// The names that a client of this kind offers in ALPN.
fn alpn(kind: Kind, parameter: &str) -> &'static [&'static str] {
    match Parameter::of(kind, parameter).unwrap_or_else(|| Parameter::absent(kind)).h2 {
        true => h2::ALPN,
        false => h1::ALPN,
    }
}

fn of_kind(setup: &Setup<'_>, kind: Kind) -> Box<dyn Machine> {
    let parameter = match setup {
        Setup::Client(setup) => setup.parameter,
        Setup::Server(_) => "",
    };
    // An invalid parameter was refused when the channel was built.
    match Parameter::of(kind, parameter).unwrap_or_else(|| Parameter::absent(kind)) {
        Parameter { kind, h2: true, .. } => h2::over(setup, kind),
        Parameter { kind, h2: false, .. } => h1::over(setup, kind),
    }
}
