//! Decoded heads and trailers, as records in the memory of their slot.
//!
//! ```text
//!  0             2              4
//!  +-------------+--------------+--------+---------+
//!  | name n: u16 | value v: u16 | name   | value   |  little-endian, one after the other
//!  +-------------+--------------+--------+---------+
//! ```
//!
//! Pseudo fields are records too; `:authority` is kept as `host`, so that a handler reads one name whatever
//! the version, unless it is the path of a Unix socket: then there is no host. A
//! record without a name holds the status line of a failed reply, for messages.
//!
//! Source:  docs/wire/grpc.md section 1 ("Header rules"); RFC 9113 8.2, 8.3, 10.5.1
//! Limits:  `Limits::head` bytes as SETTINGS_MAX_HEADER_LIST_SIZE counts them (10.5.1), [`FIELDS`] fields.
//!          Further fields are decoded, because the tables must stay in step, and discarded.

use super::{field::Field, hpack::ENTRY_BYTES};
use crate::http::{
    framing::{HeadBlock, Known, Span},
    status,
};
use polywire_wire::Role;

/// Most fields of one head, as in HTTP/1.
pub(super) const FIELDS: u32 = 100;
/// Longest head that spans can point into.
pub(super) const MOST: u32 = 48 << 10;
const LENGTHS: usize = 4;

/// The reason why a block is not a valid head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bad {
    /// RFC 9113 8.1.1: "malformed": PROTOCOL_ERROR of the stream.
    Malformed(&'static str),
    /// Longer than `Limits::head`, or more than [`FIELDS`].
    TooLarge,
}

/// A head while its block is decoded.
pub(super) struct Reading<'h> {
    head: &'h mut HeadBlock,
    at: Progress,
}

/// How far a head has been read.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    /// Number of bytes that may still come.
    left: usize,
    fields: u32,
    bad: Option<Bad>,
    /// Whether a regular field has been read; no pseudo field may follow.
    regular: bool,
    /// One bit for each pseudo field that has been read, see [`pseudo`].
    pseudo: u8,
    host: Option<Span>,
}

mod pseudo {
    pub const METHOD: u8 = 1;
    pub const PATH: u8 = 2;
    pub const SCHEME: u8 = 4;
    pub const AUTHORITY: u8 = 8;
    pub const STATUS: u8 = 16;
    pub const PROTOCOL: u8 = 32;
}

impl<'h> Reading<'h> {
    /// `most` is `Limits::head`.
    pub fn new(head: &'h mut HeadBlock, most: u32) -> Self {
        head.clear();
        head.set_verb(Span::default(), b"");
        (head.target, head.path) = Default::default();
        (head.status, head.title) = Default::default();
        let left = most.min(MOST) as usize;
        let at = Progress { left, fields: 0, bad: None, regular: false, pseudo: 0, host: None };
        Reading { head, at }
    }

    /// Continues after fields that were read before.
    #[inline]
    pub fn resume(head: &'h mut HeadBlock, read: &HeadBlock, at: Progress) -> Self {
        head.copy_from(read);
        Reading { head, at }
    }

    /// The head as far as it has been read.
    pub fn so_far(&self) -> (&HeadBlock, Progress) {
        (self.head, self.at)
    }

    /// Takes the next field of the block.
    #[inline]
    pub fn field(&mut self, name: &[u8], value: &[u8], field: Field) {
        let size = name.len() + value.len() + ENTRY_BYTES;
        if size > self.at.left || self.at.fields == FIELDS {
            self.at.left = 0;
            self.mark_bad(Bad::TooLarge);
        }
        if self.at.bad.is_some() {
            return self.after_bad(name, value, field);
        }
        self.at.left -= size;
        self.at.fields += 1;
        match field {
            Field::Method => {
                let place = self.pseudo(pseudo::METHOD, name, value);
                self.head.set_verb(place, value);
            }
            Field::Path => self.path(name, value),
            Field::Scheme => _ = self.pseudo(pseudo::SCHEME, name, value),
            Field::Authority => {
                let span = self.pseudo(pseudo::AUTHORITY, b"host", value);
                self.head.note(Known::Host, span);
                self.at.host = Some(span);
            }
            Field::SocketPath => self.mark_pseudo(pseudo::AUTHORITY),
            Field::Protocol => {
                self.pseudo(pseudo::PROTOCOL, name, value);
                self.head.upgrade = value.eq_ignore_ascii_case(b"websocket");
            }
            Field::Status(code) => {
                self.pseudo(pseudo::STATUS, name, value);
                self.head.status = code;
            }
            Field::Malformed => self.mark_bad(Bad::Malformed("field with a bad name or value")),
            Field::Host => self.host(value),
            Field::ContentLength => self.content_length(name, value),
            Field::Known(known) => {
                if known != Known::GrpcTimeout {
                    self.head.like = 0;
                }
                let span = self.regular(name, value);
                self.head.note(known, span);
            }
            Field::Other => {
                self.regular(name, value);
                self.head.other(name);
                self.head.like = 0;
            }
        }
    }

    /// The content type determines the form of the answer, wherever it is.
    #[cold]
    fn after_bad(&mut self, name: &[u8], value: &[u8], field: Field) {
        const LONGEST: usize = 256;
        let is_type = field == Field::Known(Known::ContentType) && value.len() <= LONGEST;
        if is_type && self.head.known(Known::ContentType).is_none() {
            let span = record(&mut self.head.raw, name, value);
            self.head.note(Known::ContentType, span);
        }
    }

    fn regular(&mut self, name: &[u8], value: &[u8]) -> Span {
        self.at.regular = true;
        record(&mut self.head.raw, name, value)
    }

    /// 8.3: "All pseudo-header fields MUST appear in a field block before all regular field lines", "The same
    /// pseudo-header field name MUST NOT appear more than once".
    fn pseudo(&mut self, bit: u8, name: &[u8], value: &[u8]) -> Span {
        self.mark_pseudo(bit);
        record(&mut self.head.raw, name, value)
    }

    fn mark_pseudo(&mut self, bit: u8) {
        self.head.like = 0;
        if self.at.regular || self.at.pseudo & bit != 0 {
            self.mark_bad(Bad::Malformed("pseudo field after others, or twice"));
        }
        self.at.pseudo |= bit;
    }

    fn path(&mut self, name: &[u8], value: &[u8]) {
        let target = self.pseudo(pseudo::PATH, name, value);
        let path = value.iter().position(|b| matches!(b, b'?' | b'#')).unwrap_or(value.len());
        self.head.target = target;
        self.head.path = target.front(path);
    }

    /// 8.3.1: a request "containing a Host header field that identifies a different entity" than `:authority`
    /// is malformed.
    #[cold]
    fn host(&mut self, value: &[u8]) {
        self.head.like = 0;
        self.at.regular = true;
        match self.at.host {
            None if self.at.pseudo & pseudo::AUTHORITY == 0 => {
                let span = record(&mut self.head.raw, b"host", value);
                self.head.note(Known::Host, span);
                self.at.host = Some(span);
            }
            Some(first) if first.of(&self.head.raw).eq_ignore_ascii_case(value) => {}
            _ => self.mark_bad(Bad::Malformed("host differs from :authority")),
        }
    }

    fn content_length(&mut self, name: &[u8], value: &[u8]) {
        self.head.like = 0;
        self.regular(name, value);
        let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let length = std::str::from_utf8(value).ok().filter(|_| digits).and_then(|text| text.parse().ok());
        if length.is_none() || self.head.length.is_some() && self.head.length != length {
            self.mark_bad(Bad::Malformed("bad content-length"));
        }
        self.head.length = length;
    }

    #[cold]
    fn mark_bad(&mut self, bad: Bad) {
        self.at.bad.get_or_insert(bad);
    }

    /// Checks the head after its last field. `from`: who sent it.
    pub fn finish(mut self, from: Role) -> Result<(), Bad> {
        let complete = match from {
            Role::Client => self.is_request(),
            Role::Server => self.at.pseudo == pseudo::STATUS,
        };
        if !complete {
            self.mark_bad(Bad::Malformed("a pseudo field is missing or out of place"));
        }
        if from == Role::Server && self.at.bad.is_none() && !(200..300).contains(&self.head.status) {
            self.title();
        }
        self.at.bad.map_or(Ok(()), Err)
    }

    /// Checks the pseudo fields of a request: 8.3.1; for CONNECT, 8.5, and RFC 8441 4 if it has `:protocol`.
    fn is_request(&mut self) -> bool {
        const USUAL: u8 = pseudo::METHOD | pseudo::PATH | pseudo::SCHEME;
        let verb = self.head.verb();
        if self.at.pseudo & pseudo::PROTOCOL != 0 {
            let all = USUAL | pseudo::AUTHORITY | pseudo::PROTOCOL;
            let is_path = self.head.target.of(&self.head.raw).first() == Some(&b'/');
            let is_whole = self.at.pseudo == all && self.at.host.is_some();
            self.head.connects = verb == "CONNECT" && is_whole && is_path;
            return self.head.connects;
        }
        if verb == "CONNECT" {
            return self.at.pseudo == pseudo::METHOD | pseudo::AUTHORITY;
        }
        let target = self.head.target.of(&self.head.raw);
        self.at.pseudo & !pseudo::AUTHORITY == USUAL
            && (target.first() == Some(&b'/') || target == b"*" && verb == "OPTIONS")
    }

    #[cold]
    fn title(&mut self) {
        let code = self.head.status;
        let title = format!("HTTP/2 {code} {}", status::reason(code));
        self.head.title = record(&mut self.head.raw, b"", title.trim_end().as_bytes());
    }
}

/// Reads trailers: 8.1 "MUST NOT include pseudo-header fields".
pub(super) struct Trailers<'t> {
    raw: &'t mut Vec<u8>,
    left: usize,
    bad: Option<Bad>,
}

impl<'t> Trailers<'t> {
    pub fn new(raw: &'t mut Vec<u8>, most: u32) -> Self {
        raw.clear();
        Trailers { raw, left: most.min(MOST) as usize, bad: None }
    }

    #[inline]
    pub fn field(&mut self, name: &[u8], value: &[u8], field: Field) {
        let size = name.len() + value.len() + ENTRY_BYTES;
        if size > self.left {
            self.bad.get_or_insert(Bad::TooLarge);
        }
        if name.first() == Some(&b':') || field == Field::Malformed {
            self.bad.get_or_insert(Bad::Malformed("bad field in trailers"));
        }
        if self.bad.is_none() {
            self.left -= size;
            record(self.raw, name, value);
        }
    }

    pub fn finish(self) -> Result<(), Bad> {
        self.bad.map_or(Ok(()), Err)
    }
}

/// Appends a record and returns the position of its value. Both are shorter than 64 KiB, which the caller
/// ensures.
#[inline]
pub(super) fn record(raw: &mut Vec<u8>, name: &[u8], value: &[u8]) -> Span {
    raw.reserve(LENGTHS + name.len() + value.len());
    raw.extend_from_slice(&(name.len() as u16).to_le_bytes());
    raw.extend_from_slice(&(value.len() as u16).to_le_bytes());
    raw.extend_from_slice(name);
    let at = raw.len();
    raw.extend_from_slice(value);
    Span::new(at, value.len())
}

/// Visits, in order, the records that have a name.
pub(super) fn visit(mut raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    while let Some(([a, b, c, d], rest)) = raw.split_first_chunk::<LENGTHS>() {
        let (name, value) = (u16::from_le_bytes([*a, *b]) as usize, u16::from_le_bytes([*c, *d]) as usize);
        let Some((field, rest)) = rest.split_at_checked(name + value) else { return };
        let (name, value) = field.split_at(name);
        if !name.is_empty() {
            visit(std::str::from_utf8(name).unwrap_or(""), value);
        }
        raw = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::judge;
    use super::*;

    fn read(from: Role, fields: &[(&str, &str)], most: u32) -> (HeadBlock, Result<(), Bad>) {
        let mut head = HeadBlock::default();
        let mut reading = Reading::new(&mut head, most);
        for (name, value) in fields {
            let (name, value) = (name.as_bytes(), value.as_bytes());
            reading.field(name, value, judge(name, value));
        }
        let result = reading.finish(from);
        (head, result)
    }

    fn visited(raw: &[u8]) -> Vec<(String, String)> {
        let mut seen = Vec::new();
        visit(raw, &mut |name, value| seen.push((name.into(), String::from_utf8_lossy(value).into_owned())));
        seen
    }

    const POST: [(&str, &str); 4] =
        [(":method", "POST"), (":scheme", "http"), (":path", "/S/M?q"), (":authority", "h:1")];

    #[test]
    fn fields_that_may_be_ids_are_noted() {
        for (name, ids) in
            [("traceparent", true), ("x-bd-trace-id", true), ("log-id", true), ("user-agent", false)]
        {
            let (head, result) = read(Role::Client, &[&POST[..], &[(name, "1")]].concat(), 999);
            assert_eq!((result, head.ids), (Ok(()), ids), "{name}");
        }
    }

    #[test]
    fn a_request_has_its_places() {
        let (head, result) =
            read(Role::Client, &[&POST[..], &[("x", "y"), ("content-length", "7")]].concat(), 999);
        assert_eq!(result, Ok(()));
        assert_eq!((head.verb(), head.text(head.target), head.text(head.path)), ("POST", "/S/M?q", "/S/M"));
        assert_eq!((head.length, head.extra), (Some(7), 1));
        let fields = visited(&head.raw);
        assert_eq!(
            fields[2..5],
            [(":path", "/S/M?q"), ("host", "h:1"), ("x", "y")].map(|(a, b)| (a.into(), b.into()))
        );
    }

    #[test]
    fn a_failed_reply_has_a_title_that_is_no_field() {
        let (head, result) = read(Role::Server, &[(":status", "404"), ("x", "y")], 999);
        assert_eq!((result, head.status, head.text(head.title)), (Ok(()), 404, "HTTP/2 404 Not Found"));
        assert_eq!(visited(&head.raw).len(), 2);
        assert_eq!(read(Role::Server, &[(":status", "299")], 999).0.title, Span::default());
    }

    #[test]
    fn requests_against_the_rules_are_malformed() {
        let without = |name: &str| POST.into_iter().filter(|(n, _)| *n != name).collect::<Vec<_>>();
        let with = |more: &[(&'static str, &'static str)]| [&POST[..], more].concat();
        let socket_path = |more: &[(&'static str, &'static str)]| {
            [&POST[..3], &[(":authority", "/run/x.sock")], more].concat()
        };
        for fields in [
            without(":method"),
            without(":scheme"),
            without(":path"),
            with(&[("x", "y"), (":scheme", "http")]),
            with(&[(":path", "/")]),
            with(&[(":status", "200")]),
            with(&[("host", "other")]),
            with(&[("content-length", "1"), ("content-length", "2")]),
            with(&[("content-length", "+1")]),
            with(&[("content-length", "99999999999999999999")]),
            with(&[("content-length", "")]),
            with(&[("connection", "close")]),
            vec![(":method", "GET"), (":scheme", "http"), (":path", "x")],
            vec![(":method", "GET"), (":scheme", "http"), (":path", "*")],
            vec![(":method", "CONNECT"), (":scheme", "http"), (":path", "/"), (":authority", "h")],
            socket_path(&[("host", "h")]),
            socket_path(&[(":authority", "h")]),
            vec![],
        ] {
            let (_, result) = read(Role::Client, &fields, 9999);
            assert!(matches!(result, Err(Bad::Malformed(_))), "{fields:?}: {result:?}");
        }
        for fields in [
            with(&[("host", "H:1"), ("content-length", "1"), ("content-length", "1")]),
            without(":authority"),
            vec![(":method", "OPTIONS"), (":scheme", "http"), (":path", "*")],
            vec![(":method", "CONNECT"), (":authority", "h:1")],
            socket_path(&[]),
        ] {
            assert_eq!(read(Role::Client, &fields, 9999).1, Ok(()), "{fields:?}");
        }
        let (head, _) = read(Role::Client, &socket_path(&[]), 9999);
        assert!(
            head.known(Known::Host).is_none() && visited(&head.raw).iter().all(|(name, _)| name != "host")
        );
    }

    #[test]
    fn the_limit_counts_as_the_rfc_does_and_one_more_is_too_much() {
        let size: u32 = POST.iter().map(|(n, v)| (n.len() + v.len() + 32) as u32).sum();
        assert_eq!(read(Role::Client, &POST, size).1, Ok(()));
        assert_eq!(read(Role::Client, &POST, size - 1).1, Err(Bad::TooLarge));
        let many = |n| [&POST[..], &vec![("x", ""); n - POST.len()]].concat();
        assert_eq!(read(Role::Client, &many(100), MOST).1, Ok(()));
        assert_eq!(read(Role::Client, &many(101), MOST).1, Err(Bad::TooLarge));
    }

    #[test]
    fn trailers_have_no_pseudo_fields_and_an_end() {
        let read = |fields: &[(&str, &str)], most| {
            let mut raw = b"old".to_vec();
            let mut trailers = Trailers::new(&mut raw, most);
            for (name, value) in fields {
                let (name, value) = (name.as_bytes(), value.as_bytes());
                trailers.field(name, value, judge(name, value));
            }
            let result = trailers.finish();
            (visited(&raw), result)
        };
        let status = [("grpc-status", "0")];
        assert_eq!(read(&status, 44), (vec![("grpc-status".into(), "0".into())], Ok(())));
        assert_eq!(read(&status, 43).1, Err(Bad::TooLarge));
        for bad in [(":status", "200"), (":method", "GET"), ("A", "b"), ("connection", "close")] {
            assert!(matches!(read(&[bad], 999).1, Err(Bad::Malformed(_))), "{bad:?}");
        }
    }
}
