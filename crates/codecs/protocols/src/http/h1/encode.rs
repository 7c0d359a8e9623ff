//! Heads as text.
//!
//! Field names are written in the usual capitals (`Content-Length`), because the load tool `ab` finds them in
//! that case only.

use crate::http::{
    ERROR_CODE_FIELD, TIMEOUT_FIELD,
    fields::is_ours,
    framing::{Own, Reply, Request},
    status,
};
use bytes::BytesMut;
use polywire_call::Metadata;
use polywire_wire::Date;
use std::fmt::Write;

/// How the head states the length of a reply's body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyLength {
    /// No field: there is no body, or it lasts until the connection ends.
    Nothing,
    Length(u64),
    Chunked,
}

/// Writes a reply's head. `minor`: version of the request. Hot: once per request.
///
/// RFC 9110 6.6.1: "An origin server with a clock MUST generate a Date header field in all 2xx (Successful),
/// 3xx (Redirection), and 4xx (Client Error) responses". A `date` that the handler has set is kept.
#[inline]
pub(crate) fn reply(
    out: &mut BytesMut,
    reply: &Reply<'_>,
    minor: u8,
    said: BodyLength,
    connection: Connection,
    date: Option<Date>,
) {
    match status::line(reply.status) {
        Some(line) if minor == 1 => put(out, line.as_bytes()),
        _ => rare_status_line(out, reply.status, minor),
    }
    if let Some(content_type) = reply.content_type {
        field(out, b"Content-Type: ", content_type);
    }
    framed(out, said);
    if let Some(date) = date.filter(|_| !reply.gives_date()) {
        field(out, b"Date: ", date.as_bytes());
    }
    match connection {
        Connection::Unwritten => {}
        Connection::Close => put(out, b"Connection: close\r\n"),
        Connection::KeepAlive => put(out, b"Connection: keep-alive\r\n"),
    }
    if let Some(encoding) = reply.encoding {
        field(out, b"Content-Encoding: ", encoding);
    }
    if reply.error != 0 {
        put(out, ERROR_CODE_FIELD.as_bytes());
        field(out, b": ", itoa::Buffer::new().format(reply.error).as_bytes());
    }
    if let Some(allow) = reply.allow {
        field(out, b"Allow: ", allow.as_bytes());
    }
    own_fields(out, reply.own);
    if let Some(fields) = reply.fields {
        more(out, fields, |name| reply.error != 0 && name.eq_ignore_ascii_case(ERROR_CODE_FIELD));
    }
    put(out, b"\r\n");
}

/// The connection field of a reply's head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Connection {
    /// Nothing: the default of the HTTP version.
    Unwritten,
    Close,
    KeepAlive,
}

#[cold]
fn rare_status_line(out: &mut BytesMut, status: u16, minor: u8) {
    let reason = status::reason(status);
    write!(out, "HTTP/1.{minor} {status} {reason}\r\n").expect("memory grows");
}

/// The fields that all requests on a connection share.
#[derive(Default)]
pub(crate) struct Preamble {
    /// `host`, with the name as the user wrote it.
    host: Vec<u8>,
    /// `authorization`, if there is a credential.
    credential: Vec<u8>,
    /// Whether the connection ends after its only reply.
    close: bool,
    /// The whole head in wire form, for calls without fields of their own.
    common: Vec<u8>,
}

const USER_AGENT: &[u8] = concat!("User-Agent: polywire/", env!("CARGO_PKG_VERSION"), "\r\n").as_bytes();

/// RFC 9112 9.6: "A client that sends a \"close\" connection option MUST NOT send further requests on that
/// connection".
const CLOSE: &[u8] = b"Connection: close\r\n";

impl Preamble {
    /// Both must contain no control bytes.
    pub fn new(authority: &str, credential: &[u8], close: bool) -> Self {
        let host = [b"Host: ", authority.as_bytes(), b"\r\n"].concat();
        let credential = match credential {
            [] => Vec::new(),
            value => [b"Authorization: ", value, b"\r\n"].concat(),
        };
        let common = [&host[..], USER_AGENT, &credential, if close { CLOSE } else { b"" }].concat();
        Preamble { host, credential, close, common }
    }

    fn put(&self, out: &mut BytesMut, own: Own<'_>, fields: &Metadata) {
        if fields.is_empty() && own.is_empty() {
            return put(out, &self.common);
        }
        let unless_given = |out: &mut BytesMut, name, line: &[u8]| {
            if fields.get(name).is_none() && own.iter().all(|(own, _)| *own != name) {
                put(out, line);
            }
        };
        unless_given(out, "host", &self.host);
        unless_given(out, "user-agent", USER_AGENT);
        unless_given(out, "authorization", &self.credential);
        if self.close {
            put(out, CLOSE);
        }
    }
}

/// Writes a request's head. Hot at the client: once per call.
#[inline]
pub(crate) fn request(out: &mut BytesMut, request: &Request<'_>, preamble: &Preamble, said: BodyLength) {
    put(out, request.verb.as_bytes());
    put(out, b" ");
    request.path.iter().for_each(|piece| put(out, piece.as_bytes()));
    put(out, b" HTTP/1.1\r\n");
    preamble.put(out, request.own, request.fields);
    if request.upgrade {
        put(out, b"Connection: Upgrade\r\nUpgrade: websocket\r\n");
    }
    if let Some(content_type) = request.content_type {
        field(out, b"Content-Type: ", content_type);
    }
    framed(out, said);
    if let Some(encoding) = request.encoding {
        field(out, b"Content-Encoding: ", encoding);
    }
    if let Some(ms) = request.timeout_ms {
        put(out, TIMEOUT_FIELD.as_bytes());
        field(out, b": ", itoa::Buffer::new().format(ms).as_bytes());
    }
    own_fields(out, request.own);
    if !request.fields.is_empty() {
        more(out, request.fields, |name| {
            request.timeout_ms.is_some() && name.eq_ignore_ascii_case(TIMEOUT_FIELD)
        });
    }
    put(out, b"\r\n");
}

#[inline]
fn framed(out: &mut BytesMut, said: BodyLength) {
    match said {
        BodyLength::Nothing => {}
        BodyLength::Length(n) => field(out, b"Content-Length: ", itoa::Buffer::new().format(n).as_bytes()),
        BodyLength::Chunked => put(out, b"Transfer-Encoding: chunked\r\n"),
    }
}

/// Writes the fields after a body.
pub(crate) fn trailers(out: &mut BytesMut, own: Own<'_>, fields: Option<&Metadata>) {
    own_fields(out, own);
    if let Some(fields) = fields {
        more(out, fields, |_| false);
    }
}

fn own_fields(out: &mut BytesMut, own: Own<'_>) {
    for (name, value) in own {
        put(out, name.as_bytes());
        field(out, b": ", value);
    }
}

/// The application's own fields, without the fields that this side writes itself.
fn more(out: &mut BytesMut, fields: &Metadata, written: impl Fn(&str) -> bool) {
    for (name, value) in fields.iter().filter(|(name, _)| !is_ours(name) && !written(name)) {
        put(out, name.as_bytes());
        field(out, b": ", value);
    }
}

/// Writes `size CR LF`, in hexadecimal.
pub(crate) fn chunk_size(out: &mut BytesMut, size: usize) {
    write!(out, "{size:x}\r\n").expect("memory grows");
}

#[inline]
fn field(out: &mut BytesMut, name: &[u8], value: &[u8]) {
    put(out, name);
    put(out, value);
    put(out, b"\r\n");
}

#[inline]
fn put(out: &mut BytesMut, bytes: &[u8]) {
    out.extend_from_slice(bytes);
}
