//! Heads and trailers as header blocks.
//!
//! Source: docs/wire/grpc.md section 1; RFC 9113 8.2, 8.3; RFC 7541 7.1

use super::{
    block_cache::WrittenBlocks,
    head,
    hpack::{Encoder, Indexing},
};
use crate::http::{
    ERROR_CODE_FIELD, TIMEOUT_FIELD,
    dialects::grpc,
    fields::is_ours,
    framing::{Own, Reply, Request},
};
use bytes::BytesMut;
use polywire_call::Metadata;
use polywire_wire::Date;

/// Entries of the static table (RFC 7541 appendix A).
mod index {
    pub const GET: usize = 2;
    pub const POST: usize = 3;
    pub const HTTP: usize = 6;
    pub const HTTPS: usize = 7;
    pub const STATUS: [(u16, usize); 7] =
        [(200, 8), (204, 9), (206, 10), (304, 11), (400, 12), (404, 13), (500, 14)];
}

const USER_AGENT: &[u8] = concat!("polywire/", env!("CARGO_PKG_VERSION")).as_bytes();

/// The fields that all heads on a connection share.
#[derive(Default)]
pub(super) struct Preamble {
    origin: Origin,
    written: WrittenBlocks,
}

/// Client: the authority, the credential and the scheme of requests.
#[derive(Default)]
struct Origin {
    authority: Box<[u8]>,
    /// `authorization`, empty if there is none.
    credential: Box<[u8]>,
    /// Whether the bytes pass through TLS.
    secure: bool,
    /// Memory in which the pieces of a path are joined.
    path: Vec<u8>,
}

impl Preamble {
    pub fn new(authority: &[u8], credential: &[u8], secure: bool) -> Self {
        let (authority, credential) = (authority.into(), credential.into());
        let origin = Origin { authority, credential, secure, path: Vec::new() };
        Preamble { origin, written: WrittenBlocks::default() }
    }
}

/// Writes a request's head. Hot at the client: once per call.
pub(super) fn request(encoder: &mut Encoder, out: &mut BytesMut, request: &Request<'_>, ours: &mut Preamble) {
    encoder.begin(out);
    let (own, timeout) = match request.own {
        [own @ .., (grpc::TIMEOUT, timeout)] => (own, Some(*timeout)),
        own => (own, None),
    };
    let Preamble { origin, written } = ours;
    let write =
        |encoder: &mut Encoder, out: &mut BytesMut| request_fields(encoder, out, request, own, origin);
    written.request(encoder, out, request, own, write);
    if let Some(timeout) = timeout {
        encoder.value(out, grpc::TIMEOUT.as_bytes(), timeout);
    }
}

/// Writes all fields of a request except its timeout.
fn request_fields(
    encoder: &mut Encoder,
    out: &mut BytesMut,
    request: &Request<'_>,
    own: Own<'_>,
    ours: &mut Origin,
) {
    match request.verb {
        _ if request.upgrade => {
            encoder.field(out, b":method", b"CONNECT", Indexing::Always);
            encoder.field(out, b":protocol", b"websocket", Indexing::Always);
        }
        "POST" => encoder.indexed(out, index::POST),
        "GET" => encoder.indexed(out, index::GET),
        verb => encoder.field(out, b":method", verb.as_bytes(), Indexing::Always),
    }
    encoder.indexed(out, if ours.secure { index::HTTPS } else { index::HTTP });
    ours.path.clear();
    request.path.iter().for_each(|piece| ours.path.extend_from_slice(piece.as_bytes()));
    put(encoder, out, b":path", &ours.path);
    let given = |name: &str| {
        let own = own.iter().any(|(own, _)| *own == name);
        own || !request.fields.is_empty() && request.fields.get(name).is_some()
    };
    let host = if request.fields.is_empty() { None } else { request.fields.get("host") };
    let authority = host.unwrap_or(&ours.authority);
    if !authority.is_empty() {
        put(encoder, out, b":authority", authority);
    }
    if let Some(content_type) = request.content_type {
        put(encoder, out, b"content-type", content_type);
    }
    if let Some(length) = request.length {
        number(encoder, out, b"content-length", length);
    }
    if let Some(encoding) = request.encoding {
        put(encoder, out, b"content-encoding", encoding);
    }
    if let Some(ms) = request.timeout_ms {
        number(encoder, out, TIMEOUT_FIELD.as_bytes(), ms);
    }
    put_own(encoder, out, own);
    if !given("user-agent") {
        put(encoder, out, b"user-agent", USER_AGENT);
    }
    if !ours.credential.is_empty() && !given("authorization") {
        put(encoder, out, b"authorization", &ours.credential);
    }
    if !request.fields.is_empty() {
        let written = |name: &str| {
            let timeout = request.timeout_ms.is_some() && name.eq_ignore_ascii_case(TIMEOUT_FIELD);
            timeout || name.eq_ignore_ascii_case("host")
        };
        more(request.fields, written, |name, value| put(encoder, out, name, value));
    }
}

/// Writes a reply's head. Hot at the server: once per call.
pub(super) fn reply(
    encoder: &mut Encoder,
    out: &mut BytesMut,
    reply: &Reply<'_>,
    date: Option<Date>,
    ours: &mut Preamble,
) {
    encoder.begin(out);
    ours.written.reply(encoder, out, reply, |encoder, out| reply_fields(encoder, out, reply));
    if let Some(date) = date.filter(|_| !reply.gives_date()) {
        ours.written.date(encoder, out, date);
    }
}

fn reply_fields(encoder: &mut Encoder, out: &mut BytesMut, reply: &Reply<'_>) {
    status(encoder, out, reply.status);
    if let Some(content_type) = reply.content_type {
        put(encoder, out, b"content-type", content_type);
    }
    if let Some(length) = reply.length {
        number(encoder, out, b"content-length", length);
    }
    if let Some(encoding) = reply.encoding {
        put(encoder, out, b"content-encoding", encoding);
    }
    if reply.error != 0 {
        let text = itoa::Buffer::new().format(reply.error).to_owned();
        put(encoder, out, ERROR_CODE_FIELD.as_bytes(), text.as_bytes());
    }
    if let Some(allow) = reply.allow {
        put(encoder, out, b"allow", allow.as_bytes());
    }
    put_own(encoder, out, reply.own);
    if let Some(fields) = reply.fields {
        let written = |name: &str| reply.error != 0 && name.eq_ignore_ascii_case(ERROR_CODE_FIELD);
        more(fields, written, |name, value| put(encoder, out, name, value));
    }
}

/// Writes the head of `100 Continue`.
pub(super) fn interim(encoder: &mut Encoder, out: &mut BytesMut) {
    encoder.begin(out);
    status(encoder, out, 100);
}

/// Writes the fields after a body.
pub(super) fn trailers(
    encoder: &mut Encoder,
    out: &mut BytesMut,
    own: Own<'_>,
    fields: Option<&Metadata>,
    ours: &mut Preamble,
) {
    encoder.begin(out);
    ours.written.ending(encoder, out, own, |encoder, out| put_own(encoder, out, own));
    if let Some(fields) = fields {
        more(fields, |_| false, |name, value| put(encoder, out, name, value));
    }
}

/// Stores trailers until the body has been sent; they are encoded then, see [`kept_trailers`].
pub(super) fn keep_trailers(ours: Own<'_>, fields: Option<&Metadata>) -> Vec<u8> {
    let mut raw = Vec::new();
    let mut keep = |name: &[u8], value: &[u8]| _ = head::record(&mut raw, name, value);
    let fits = |name: &str, value: &[u8]| name.len() + value.len() <= head::MOST as usize;
    ours.iter()
        .filter(|(name, value)| fits(name, value))
        .for_each(|(name, value)| keep(name.as_bytes(), value));
    if let Some(fields) = fields {
        more(fields, |_| false, keep);
    }
    raw
}

pub(super) fn kept_trailers(encoder: &mut Encoder, out: &mut BytesMut, raw: &[u8]) {
    encoder.begin(out);
    head::visit(raw, &mut |name, value| put(encoder, out, name.as_bytes(), value));
}

fn status(encoder: &mut Encoder, out: &mut BytesMut, code: u16) {
    match index::STATUS.iter().find(|(c, _)| *c == code) {
        Some((_, index)) => encoder.indexed(out, *index),
        None => number(encoder, out, b":status", code.into()),
    }
}

fn put_own(encoder: &mut Encoder, out: &mut BytesMut, own: Own<'_>) {
    own.iter().for_each(|(name, value)| put(encoder, out, name.as_bytes(), value));
}

/// The application's own fields, without the fields that this side writes itself; names in lower case (RFC
/// 9113 8.2).
fn more(fields: &Metadata, written: impl Fn(&str) -> bool, mut put: impl FnMut(&[u8], &[u8])) {
    for (name, value) in fields.iter() {
        if is_ours(name) || written(name) || name.len() + value.len() > head::MOST as usize {
            continue;
        }
        if name.bytes().any(|b| b.is_ascii_uppercase()) {
            put(name.to_ascii_lowercase().as_bytes(), value.trim_ascii());
        } else {
            put(name.as_bytes(), value.trim_ascii());
        }
    }
}

fn number(encoder: &mut Encoder, out: &mut BytesMut, name: &[u8], value: u64) {
    put(encoder, out, name, itoa::Buffer::new().format(value).as_bytes());
}

#[inline]
fn put(encoder: &mut Encoder, out: &mut BytesMut, name: &[u8], value: &[u8]) {
    encoder.field(out, name, value, indexing_of(name, value));
}

/// How a field is indexed, by its name.
#[inline]
pub(super) fn indexing_of(name: &[u8], value: &[u8]) -> Indexing {
    match name {
        // RFC 7541 7.1.3
        b"authorization" | b"proxy-authorization" | b"cookie" | b"set-cookie" => Indexing::Secret,
        b":path" if value.contains(&b'?') => Indexing::Twice,
        b":path"
        | b":authority"
        | b":method"
        | b":status"
        | b"content-type"
        | b"user-agent"
        | b"te"
        | b"accept"
        | b"date"
        | b"grpc-encoding"
        | b"grpc-accept-encoding" => Indexing::Always,
        b"grpc-status" if value == b"0" => Indexing::Always,
        b"grpc-status" | b"grpc-timeout" | b"content-length" => Indexing::Name,
        _ if name == TIMEOUT_FIELD.as_bytes() || name == ERROR_CODE_FIELD.as_bytes() => Indexing::Name,
        _ => Indexing::Twice,
    }
}
