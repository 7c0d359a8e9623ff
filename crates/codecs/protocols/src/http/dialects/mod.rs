//! The forms that a call has in HTTP: plain, gRPC, grpc-web, Connect.
//!
//! | kind | content type | a message is | a call ends with |
//! | --- | --- | --- | --- |
//! | [`Kind::Plain`] | any other | the body | the body; a failure is a status of HTTP |
//! | [`Kind::Grpc`] | `application/grpc[+X]` | enveloped | trailers |
//! | [`Kind::GrpcWeb`] | `application/grpc-web[+X]` | enveloped | an envelope with flag 0x80 |
//! | [`Kind::GrpcWebText`] | `application/grpc-web-text[+X]` | enveloped, all of it in base64 | the same |
//! | [`Kind::Connect`] | `application/X` beside `connect-protocol-version` | the body | the body; a failure is JSON |
//! | [`Kind::ConnectGet`] | none: `GET` with `connect=v1` in its query | in the query | the same |
//! | [`Kind::ConnectStream`] | `application/connect+X` | enveloped | an envelope with flag 0x02 |
//! | [`Kind::WebSocket`] | none: a subprotocol of WebSocket | a message of WebSocket | the text `#end`, then a Close frame |
//!
//! | file | what it is |
//! | --- | --- |
//! | `envelope.rs` | five bytes before a message |
//! | `coding.rs` | names of compressions |
//! | `plain.rs` | HTTP itself |
//! | `grpc/` | head fields, `-bin` metadata, `grpc-status` and its companions |
//! | `grpc_web.rs` | base64, the last envelope, what browsers ask (CORS) |
//! | `connect/` | head fields, errors as JSON, messages in queries |
//!
//! Each dialect reads and writes single fields and bytes. `semantics/` decides the order of actions, and
//! which framing is used.

pub(crate) mod coding;
pub(crate) mod connect;
pub(crate) mod envelope;
pub(crate) mod grpc;
pub(crate) mod grpc_web;
pub(crate) mod plain;

use super::framing::{HeadBlock, Known};
use polywire_call::{Code, Native, Status};
use polywire_wire::{Compression, Compressions, Content, Dialect, Dumped, Head, Sender, Target};
use std::{ops::Range, time::Duration};

/// The form of a call in HTTP; see the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Kind {
    #[default]
    Plain,
    Grpc,
    GrpcWeb,
    GrpcWebText,
    Connect,
    ConnectGet,
    ConnectStream,
    WebSocket,
}

impl Kind {
    /// Whether messages have a prefix, so that a body can hold any number of them.
    #[inline]
    pub fn is_enveloped(self) -> bool {
        matches!(self, Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText | Kind::ConnectStream | Kind::WebSocket)
    }

    /// Whether the end of a call is sent in the way of gRPC instead of HTTP's own.
    pub fn is_grpc(self) -> bool {
        matches!(self, Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText)
    }

    /// What a request of this kind calls.
    pub fn target(self, head: &HeadBlock) -> Target<'_> {
        let path = head.text(head.path);
        if self == Kind::Plain {
            return Target::Path { verb: head.verb(), path };
        }
        let (service, method) = names(path);
        Target::Method { service: &path[service], method: &path[method..] }
    }

    #[inline]
    fn dialect(self) -> Dialect {
        match self {
            Kind::Plain => Dialect::Own,
            Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText => Dialect::Grpc,
            Kind::Connect | Kind::ConnectGet => Dialect::Connect,
            Kind::ConnectStream => Dialect::ConnectStream,
            Kind::WebSocket => Dialect::WebSocket,
        }
    }
}

/// The format of the messages after a head, and the format of the reply's messages.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Form {
    pub kind: Kind,
    pub content: Content,
    /// The compression of the body, or of each message that is marked as compressed.
    pub compression: Compression,
    /// The compressions that the peer reads.
    pub accepts: Compressions,
    /// Whether the content type names its codec (`application/grpc+proto`, not `application/grpc`); the
    /// reply's does as well.
    pub named: bool,
}

impl Form {
    /// Reads the dialect of a request from its head.
    ///
    /// # Errors
    /// 415: the codec is not supported.
    #[inline]
    pub fn of_request(head: &HeadBlock) -> Result<Form, Status> {
        let content_type = head.known(Known::ContentType);
        if let Some(rest) = content_type.and_then(|value| strip_ignoring_case(value, b"application/")) {
            if let Some(rest) = strip_ignoring_case(rest, b"grpc") {
                if cfg!(not(feature = "grpc")) {
                    return Err(unsupported("gRPC is left out of this build"));
                }
                return grpc::form(head, rest);
            }
            if let Some(rest) = strip_ignoring_case(rest, b"connect+") {
                return connect::stream_form(head, rest);
            }
        }
        if head.verb() == "GET" && connect::is_get(head) {
            return connect::get_form(head);
        }
        if head.known(Known::ConnectVersion).is_some() {
            return connect::unary_form(head, content_type.unwrap_or(b""));
        }
        Ok(plain::form(head))
    }

    /// A request's head as the contract shows it. Its fields are read through the protocol's `fields`.
    #[inline]
    pub fn head<'h>(&self, block: &'h HeadBlock, timeout: Option<Duration>, sender: Sender) -> Head<'h> {
        self.head_to(self.kind.target(block), block, timeout, sender)
    }

    /// The same with this target.
    #[inline]
    pub fn head_to<'h>(
        &self,
        target: Target<'h>,
        block: &'h HeadBlock,
        timeout: Option<Duration>,
        sender: Sender,
    ) -> Head<'h> {
        Head {
            target,
            timeout,
            attachment: 0,
            content: self.content,
            // Enveloped: each message states itself whether it is compressed.
            compression: if self.kind.is_enveloped() { Compression::NONE } else { self.compression },
            accepts: self.accepts,
            sender,
            dialect: self.kind.dialect(),
            raw: &block.raw,
            ids: block.ids,
        }
    }

    /// The time limit of a request.
    ///
    /// # Errors
    /// The field is not a valid time. The failure has the form of the dialect.
    #[inline]
    pub fn timeout(&self, head: &HeadBlock) -> Result<Option<Duration>, Status> {
        let (field, parse): (_, fn(&[u8]) -> Option<Duration>) = match self.kind {
            Kind::Plain | Kind::WebSocket => (Known::Timeout, plain::timeout),
            Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText => (Known::GrpcTimeout, grpc::timeout::parse),
            Kind::Connect | Kind::ConnectGet | Kind::ConnectStream => {
                (Known::ConnectTimeout, connect::timeout)
            }
        };
        match head.known(field) {
            None => Ok(None),
            Some(_) if head.is_repeated(field) => Err(self.no_time()),
            Some(value) => parse(value).map(Some).ok_or_else(|| self.no_time()),
        }
    }

    #[cold]
    fn no_time(&self) -> Status {
        match self.kind {
            Kind::Plain | Kind::WebSocket => plain::no_time(),
            Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText => Status::internal("grpc-timeout is not a time"),
            Kind::Connect | Kind::ConnectGet | Kind::ConnectStream => {
                Status::invalid_argument("connect-timeout-ms is not a number of milliseconds")
            }
        }
    }

    /// The reason for refusing a request before its method is looked up, in the form of the dialect.
    #[inline]
    pub fn refusal(&self, head: &HeadBlock) -> Option<Status> {
        if matches!(self.kind, Kind::Connect | Kind::ConnectStream) && connect::is_other_version(head) {
            return Some(connect::other_version());
        }
        if self.kind == Kind::Plain || self.compression != Compression::UNKNOWN {
            return None; // a plain body may go to who reads it as it is
        }
        let text = format!("compression not supported: send one of {}", coding::READ);
        Some(Status::unimplemented(text))
    }

    /// Client: whether a reply of the same dialect has messages in a codec that was not requested.
    pub fn is_other_codec(&self, content_type: &[u8]) -> bool {
        let other = match self.content {
            Content::PROTO_JSON => Content::PROTOBUF,
            _ => Content::PROTO_JSON,
        };
        Form { content: other, named: true, ..*self }
            .content_type()
            .eq_ignore_ascii_case(essence(content_type))
    }

    /// Content type of a reply in this form; not for plain HTTP.
    #[inline]
    pub fn content_type(&self) -> &'static [u8] {
        match self.kind {
            Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText => grpc::content_type(self),
            Kind::Connect | Kind::ConnectGet | Kind::ConnectStream | Kind::WebSocket | Kind::Plain => {
                connect::content_type(self)
            }
        }
    }
}

/// Visits the fields of a request in the application's form: bytes if a name ends in `-bin`, except over
/// plain HTTP.
pub(crate) fn visit(
    fields: fn(&[u8], &mut dyn FnMut(&str, &[u8])),
    raw: &[u8],
    visit: &mut dyn FnMut(&str, &[u8]),
) {
    let mut plain = None;
    fields(raw, &mut |name, value| {
        let encoded = grpc::fields::is_binary(name) && !*plain.get_or_insert_with(|| is_plain(fields, raw));
        match encoded {
            true => grpc::fields::decoded(name, value, visit),
            false => visit(name, value),
        }
    });
}

/// How a request is recorded: `plain` if it is plain HTTP, otherwise in the form common to all protocols, to
/// be replayed over the dialect.
pub(crate) fn dumped(
    fields: fn(&[u8], &mut dyn FnMut(&str, &[u8])),
    head: &Head<'_>,
    plain: Dumped,
) -> Dumped {
    if matches!(head.target, Target::Path { .. }) {
        return plain;
    }
    let mut client = "connect";
    fields(head.raw, &mut |name, value| {
        if name.eq_ignore_ascii_case("content-type") {
            if strip_ignoring_case(value, b"application/grpc-web").is_some() {
                client = "grpc-web";
            } else if strip_ignoring_case(value, b"application/grpc").is_some() {
                client = "grpc";
            }
        }
    });
    Dumped::sent_by(client)
}

fn is_plain(fields: fn(&[u8], &mut dyn FnMut(&str, &[u8])), raw: &[u8]) -> bool {
    let mut plain = true;
    fields(raw, &mut |name, value| {
        let other = match name {
            ":path" => value.windows(10).any(|part| part == b"connect=v1"),
            _ if name.eq_ignore_ascii_case("content-type") => {
                strip_ignoring_case(value, b"application/grpc").is_some()
                    || strip_ignoring_case(value, b"application/connect+").is_some()
            }
            _ => name.eq_ignore_ascii_case("connect-protocol-version"),
        };
        plain &= !other;
    });
    plain
}

/// Where a path of the form `/package.Service/Method` has the name of the service, and from where on that of
/// the method.
pub(super) fn names(path: &str) -> (Range<usize>, usize) {
    let start = usize::from(path.starts_with('/'));
    match path.bytes().rposition(|byte| byte == b'/').filter(|&at| at >= start) {
        Some(slash) => (start..slash, slash + 1),
        None => (start..path.len(), path.len()),
    }
}

/// The codec after the `+` of a content type.
fn codec(name: &[u8]) -> Option<Content> {
    let name = essence(name);
    if name.eq_ignore_ascii_case(b"proto") {
        Some(Content::PROTOBUF)
    } else if name.eq_ignore_ascii_case(b"json") {
        Some(Content::PROTO_JSON)
    } else {
        None
    }
}

/// The value before its parameters.
fn essence(value: &[u8]) -> &[u8] {
    value.split(|&b| b == b';').next().unwrap_or(value).trim_ascii()
}

/// Status 415: the codec is not supported.
#[cold]
fn unsupported(what: &str) -> Status {
    Status::invalid_argument(format!("content type not supported: {what}")).with_native(Native::Http(415))
}

/// The part of these bytes after `prefix`, which is in lower case.
#[inline]
fn strip_ignoring_case<'v>(value: &'v [u8], prefix: &[u8]) -> Option<&'v [u8]> {
    let (front, rest) = value.split_at_checked(prefix.len())?;
    front.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// A code of gRPC by its number; `None` beyond 16.
fn code_of(number: u32) -> Option<Code> {
    Code::ALL.get(number as usize).copied()
}
