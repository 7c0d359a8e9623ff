//! gRPC: the fields of its heads and trailers.
//!
//! ```text
//!  server  HEADERS(200, content-type, [grpc-encoding], metadata)  envelope…  HEADERS(grpc-status, [grpc-message], metadata)
//!  or      HEADERS(200, content-type, grpc-status, [grpc-message], metadata)          "trailers-only": failed at once
//! ```
//!
//! Source: docs/wire/grpc.md section 2; grpc/grpc doc/PROTOCOL-HTTP2.md.
//!
//! | file | what it is |
//! | --- | --- |
//! | `timeout.rs` | `grpc-timeout` |
//! | `status.rs` | `grpc-status`, `grpc-message`, `grpc-status-details-bin`: both ways |
//! | `fields.rs` | fields of the application: `-bin`, reserved names |

pub(crate) mod fields;
pub(crate) mod status;
pub(crate) mod timeout;

use super::{Form, Kind, coding, essence, strip_ignoring_case, unsupported};
use crate::http::framing::{HeadBlock, Known};
use polywire_call::Status;
use polywire_wire::Content;

pub(crate) const TIMEOUT: &str = "grpc-timeout";
pub(crate) const ENCODING: &str = "grpc-encoding";
pub(crate) const ACCEPT_ENCODING: &str = "grpc-accept-encoding";

/// The user agent of this implementation, in the form that gRPC asks for.
pub(crate) const USER_AGENT: &[u8] = concat!("grpc-rust-polywire/", env!("CARGO_PKG_VERSION")).as_bytes();

/// `rest`: the part of the content type after `application/grpc`.
pub(super) fn form(head: &HeadBlock, rest: &[u8]) -> Result<Form, Status> {
    let (kind, suffix) = kind(rest).ok_or_else(|| unsupported("application/grpc, then what?"))?;
    let content = match suffix {
        b"" => Content::PROTOBUF,
        name => {
            codec(name).ok_or_else(|| unsupported("send application/grpc, +proto, +json or +flatbuffers"))?
        }
    };
    Ok(Form {
        kind,
        content,
        compression: coding::named(head.known(Known::GrpcEncoding)),
        accepts: coding::listed(head.known(Known::GrpcAcceptEncoding)),
        named: !suffix.is_empty(),
    })
}

/// The dialect of a call and the name of its codec, by what follows `application/grpc`.
fn kind(rest: &[u8]) -> Option<(Kind, &[u8])> {
    let rest = essence(rest);
    let (kind, rest) = if let Some(rest) = strip_ignoring_case(rest, b"-web-text") {
        (Kind::GrpcWebText, rest)
    } else if let Some(rest) = strip_ignoring_case(rest, b"-web") {
        (Kind::GrpcWeb, rest)
    } else {
        (Kind::Grpc, rest)
    };
    match rest {
        [] => Some((kind, b"")),
        [b'+', codec @ ..] => Some((kind, codec)),
        _ => None,
    }
}

/// The codec after the `+`: one of Connect's, or the one that `flatbuffers` for Go registers.
fn codec(name: &[u8]) -> Option<Content> {
    match super::codec(name) {
        None if name.eq_ignore_ascii_case(b"flatbuffers") => Some(Content::FLATBUFFERS),
        known => known,
    }
}

/// Fields of a reply's head that describe its messages and are not the application's.
pub(crate) fn is_head_field(name: &str) -> bool {
    const FIELDS: [&str; 5] = [
        ENCODING,
        ACCEPT_ENCODING,
        super::connect::STREAM_ENCODING,
        super::connect::STREAM_ACCEPT_ENCODING,
        "date",
    ];
    FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name))
}

/// Client: whether a reply has the content type of this call.
pub(crate) fn is_reply(form: &Form, content_type: &[u8]) -> bool {
    let Some(rest) = strip_ignoring_case(content_type, b"application/grpc") else { return false };
    let Some((kind, suffix)) = kind(rest) else { return false };
    let content = if suffix.is_empty() { Some(Content::PROTOBUF) } else { codec(suffix) };
    kind == form.kind && (content == Some(form.content) || suffix.is_empty())
}

#[inline]
pub(super) fn content_type(form: &Form) -> &'static [u8] {
    match (form.kind, form.content, form.named) {
        (Kind::GrpcWeb, Content::PROTO_JSON, _) => b"application/grpc-web+json",
        (Kind::GrpcWeb, Content::FLATBUFFERS, _) => b"application/grpc-web+flatbuffers",
        (Kind::GrpcWeb, _, true) => b"application/grpc-web+proto",
        (Kind::GrpcWeb, _, false) => b"application/grpc-web",
        (Kind::GrpcWebText, Content::PROTO_JSON, _) => b"application/grpc-web-text+json",
        (Kind::GrpcWebText, Content::FLATBUFFERS, _) => b"application/grpc-web-text+flatbuffers",
        (Kind::GrpcWebText, _, true) => b"application/grpc-web-text+proto",
        (Kind::GrpcWebText, _, false) => b"application/grpc-web-text",
        (_, Content::PROTO_JSON, _) => b"application/grpc+json",
        (_, Content::FLATBUFFERS, _) => b"application/grpc+flatbuffers",
        (_, _, true) => b"application/grpc+proto",
        (_, _, false) => b"application/grpc",
    }
}
