//! HTTP/1.0 and HTTP/1.1, server and client.
//!
//! | file | what it is |
//! | --- | --- |
//! | `sniff.rs` | whether first bytes are HTTP |
//! | `semantics/` | requests and replies as calls; knows no framing |
//! | `framing.rs` | what semantics ask of a framing, and what passes between the two |
//! | `h1/` | the framing of HTTP/1: heads, bodies, order, keep-alive |
//! | `content.rs`, `status.rs`, `fields.rs` | content types, status codes, fields: tables both ways |
//!
//! Source: docs/wire/http.md; RFC 9110, RFC 9112.
//!
//! # At a server
//!
//! A request arrives as `Event::Open` with `Target::Path { verb, path }` (no query; the path of an absolute target) and
//! `Head::raw`, the head as it came, which [`PROTOCOL`]`.fields` visits: `:method`, `:path` with the query, then the
//! fields in order. Routing is the server's. `Head::content` is JSON where the content type is absent or says so, RAW
//! where it is none of ours.
//!
//! `finish` answers 200 or what `Native::Http` names, failures by brpc's table, with [`ERROR_CODE_FIELD`] and the
//! message as text. A reply body on a failure stands (`Outcome::reply`). `Outcome::trailers` become fields of the
//! reply. A streamed answer is chunked, or ends with the connection in HTTP/1.0; failing after its head, it breaks off.
//!
//! Up to `Limits::exchanges` pipelined requests are handed out at once; replies leave in order.
//!
//! # At a client
//!
//! `open` sends `POST /service/method`, or the path in `method` if `service` is empty and it begins with `/`; the
//! metadata field `:method` names another verb. The rest of the metadata become fields; `host`, `user-agent`,
//! `authorization` and `content-type` replace ours. A reply other than 2xx fails the call, see `status.rs`; its body
//! stays readable in `Outcome::body`. `Outcome::trailers` holds the reply's fields, without those that speak of its
//! frame.
//!
//! # Deadlines
//!
//! HTTP has no field for them that our peers share. We send and read [`TIMEOUT_FIELD`]: the remaining time in whole
//! milliseconds, one to ten digits.
//!
//! # Left out on purpose
//!
//! `Date` (a machine has no calendar), `Upgrade`, CONNECT, TRACE, content codings other than gzip. Trailers of requests
//! are checked and dropped.

mod content;
mod fields;
mod framing;
mod h1;
pub mod h2;
mod semantics;
mod sniff;
mod status;
#[cfg(test)]
mod tests;

use framing::Framing;
use h1::H1;
use polywire_wire::{Connections, Machine, Protocol, Role, Setup};
use semantics::Semantics;

/// Remaining time of a call in milliseconds, from client to server.
pub const TIMEOUT_FIELD: &str = "x-polywire-timeout-ms";
/// brpc's error number of a failed call, decimal, from server to client.
pub const ERROR_CODE_FIELD: &str = "x-bd-error-code";

/// HTTP/1.0 and HTTP/1.1.
pub static PROTOCOL: Protocol = Protocol {
    name: "http",
    sniff: sniff::sniff,
    framed: false,
    streams: true,
    connections: &[Connections::Pooled, Connections::Short],
    content: content::by_parameter,
    machine: Some(machine),
    fields: H1::fields,
};

fn machine(role: Role, setup: &Setup<'_>) -> Box<dyn Machine> {
    Box::new(Semantics::new(H1::new(role, setup), role, setup))
}
