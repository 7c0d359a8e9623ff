//! The Connect protocol: unary calls that any HTTP client can make, and streams in envelopes.
//!
//! ```text
//!  unary   POST /S/M, connect-protocol-version: 1, content-type: application/json      body
//!          200 body, fields named `trailer-x` for trailers   or   4xx, 5xx and {"code": …, "message": …}
//!  get     GET /S/M?connect=v1&encoding=json&message=…        the same
//!  stream  POST, content-type: application/connect+json       envelope… ; the last one: {"error": …, "metadata": …}
//! ```
//!
//! Source: connectrpc.com/docs/protocol.
//!
//! A unary request without `connect-protocol-version` is treated as plain HTTP, because brpc's JSON calls use
//! the same paths. Clients of this implementation send the field.
//!
//! | file | what it is |
//! | --- | --- |
//! | `get.rs` | a message in a query |
//! | `error.rs` | failures and ends of streams as JSON, codes and statuses of HTTP |

pub(crate) mod error;
pub(crate) mod get;

use super::{Form, Kind, codec, coding, essence, plain, strip_ignoring_case, unsupported};
use crate::http::framing::{HeadBlock, Known};
use polywire_call::Status;
use polywire_wire::Content;
use std::time::Duration;

pub(crate) const VERSION: (&str, &[u8]) = ("connect-protocol-version", b"1");
pub(crate) const TIMEOUT: &str = "connect-timeout-ms";
pub(crate) const STREAM_ENCODING: &str = "connect-content-encoding";
pub(crate) const STREAM_ACCEPT_ENCODING: &str = "connect-accept-encoding";
pub(crate) const ACCEPT_ENCODING: &str = "accept-encoding";
/// Prefix of the names of a unary reply's trailers.
pub(crate) const TRAILER: &str = "trailer-";

const CODECS: &str = "send proto or json";

/// `name`: the part of the content type after `application/connect+`.
pub(super) fn stream_form(head: &HeadBlock, name: &[u8]) -> Result<Form, Status> {
    Ok(Form {
        kind: Kind::ConnectStream,
        content: codec(name).ok_or_else(|| unsupported(CODECS))?,
        compression: coding::named(head.known(Known::ConnectEncoding)),
        accepts: coding::listed(head.known(Known::ConnectAcceptEncoding)),
        named: true,
    })
}

pub(super) fn unary_form(head: &HeadBlock, content_type: &[u8]) -> Result<Form, Status> {
    let name = strip_ignoring_case(content_type, b"application/").ok_or_else(|| unsupported(CODECS))?;
    Ok(Form {
        kind: Kind::Connect,
        content: codec(name).ok_or_else(|| unsupported(CODECS))?,
        compression: coding::named(head.known(Known::ContentEncoding)),
        accepts: coding::listed(head.known(Known::AcceptEncoding)),
        named: true,
    })
}

/// Whether a `POST` names another version of the protocol. Streams may leave it out.
#[inline]
pub(super) fn is_other_version(head: &HeadBlock) -> bool {
    head.known(Known::ConnectVersion).is_some_and(|version| version != VERSION.1)
}

#[cold]
pub(super) fn other_version() -> Status {
    Status::invalid_argument("connect-protocol-version is not 1, the only one there is")
}

/// Whether a `GET` is a call of Connect.
pub(super) fn is_get(head: &HeadBlock) -> bool {
    head.target.end() > head.path.end() && get::is_call(query(head))
}

pub(super) fn get_form(head: &HeadBlock) -> Result<Form, Status> {
    let query = query(head);
    let content = get::value(query, "encoding").and_then(|name| codec(&name));
    let compression = get::value(query, "compression");
    Ok(Form {
        kind: Kind::ConnectGet,
        content: content.ok_or_else(|| unsupported(CODECS))?,
        compression: coding::named(compression.as_deref()),
        accepts: coding::listed(head.known(Known::AcceptEncoding)),
        named: true,
    })
}

/// The part of the target after `?`.
pub(crate) fn query(head: &HeadBlock) -> &str {
    let target = head.text(head.target);
    target.split_once('?').map_or("", |(_, query)| query)
}

/// `connect-timeout-ms`: "ASCII-encoded positive integer with no more than 10 digits".
pub(super) fn timeout(value: &[u8]) -> Option<Duration> {
    plain::milliseconds(value)
}

#[inline]
pub(super) fn content_type(form: &Form) -> &'static [u8] {
    match (form.kind, form.content) {
        (Kind::ConnectStream, Content::PROTO_JSON) => b"application/connect+json",
        (Kind::ConnectStream, _) => b"application/connect+proto",
        (_, Content::PROTO_JSON) => b"application/json",
        (_, _) => b"application/proto",
    }
}

/// Client: whether a reply has the content type of this call.
pub(crate) fn is_reply(form: &Form, value: &[u8]) -> bool {
    essence(value).eq_ignore_ascii_case(content_type(form))
}
