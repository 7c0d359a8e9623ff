//! Writing replies in the connection's version of RESP.
//!
//! | call | RESP2 | RESP3 |
//! | --- | --- | --- |
//! | [`null`](Writer::null), [`null_array`](Writer::null_array) | `$-1`, `*-1` | `_` |
//! | [`map`](Writer::map) of n pairs | `*2n` | `%n` |
//! | [`set`](Writer::set), [`push`](Writer::push) | `*n` | `~n`, `>n` |
//! | [`boolean`](Writer::boolean) | `:1`, `:0` | `#t`, `#f` |
//! | [`double`](Writer::double) | bulk | `,1.5` |
//! | [`big_number`](Writer::big_number), [`verbatim`](Writer::verbatim) | bulk | `(n`, `=n` |
//!
//! Source: docs/wire/redis.md, section 1.

use super::{ReplyBuf, Version, error::write_error};
use bytes::{BufMut, Bytes, BytesMut};
use polywire_base::IoBuf;

/// Appends replies to a buffer. After the head of an aggregate (`array(2)`), its items must be written.
///
/// A value that would exceed the limit is not written; then [`Writer::is_full`] returns true.
pub struct Writer<'a> {
    out: &'a mut BytesMut,
    /// Replies before `out`, which hold long values by reference. `None`: long values are copied.
    shared: Option<&'a mut IoBuf>,
    version: Version,
    /// Number of bytes that may still be written.
    room: usize,
    full: bool,
}

/// Most bytes that a bulk string has beside its content: `$`, 20 digits, two line ends.
const BULK_FRAME: usize = 25;

impl<'a> Writer<'a> {
    #[inline]
    pub fn new(out: &'a mut BytesMut, version: Version) -> Self {
        Writer { out, shared: None, version, room: usize::MAX, full: false }
    }

    /// Writes at most `limit` bytes, long values by reference.
    #[inline]
    pub fn limited(out: &'a mut ReplyBuf, version: Version, limit: usize) -> Self {
        Writer { out: &mut out.tail, shared: Some(&mut out.shared), version, room: limit, full: false }
    }

    /// Whether something was left out since the last [`Writer::rewind`], because it would have exceeded the
    /// limit.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Number of bytes that may still be written.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Whether a bulk string of this many bytes can be written.
    pub fn has_room(&self, bytes: usize) -> bool {
        bytes.saturating_add(BULK_FRAME) <= self.room
    }

    /// Subtracts this many bytes from the limit; returns whether that many were left.
    #[inline]
    fn spend(&mut self, bytes: usize) -> bool {
        match self.room.checked_sub(bytes) {
            Some(room) if !self.full => self.room = room,
            _ => self.full = true,
        }
        !self.full
    }

    #[inline]
    pub fn version(&self) -> Version {
        self.version
    }

    /// A writer into the same buffer, in this version.
    pub(super) fn speaking(&mut self, version: Version) -> Writer<'_> {
        Writer {
            out: self.out,
            shared: self.shared.as_deref_mut(),
            version,
            room: self.room,
            full: self.full,
        }
    }

    /// Number of bytes in the buffer, written before this writer or by it.
    #[inline]
    pub fn position(&self) -> usize {
        self.out.len() + self.shared.as_ref().map_or(0, |shared| shared.len())
    }

    /// Removes everything after `position`.
    pub fn rewind(&mut self, position: usize) {
        self.room = self.room.saturating_add(self.position().saturating_sub(position));
        self.full = false;
        let shared = self.shared.as_ref().map_or(0, |shared| shared.len());
        if let Some(whole) = self.shared.as_mut().filter(|_| position < shared) {
            whole.truncate(position);
            self.out.clear();
        } else {
            self.out.truncate(position - shared);
        }
    }

    /// Appends bytes that are already in wire form and in the right version.
    #[inline]
    pub fn raw(&mut self, wire: &[u8]) {
        if self.spend(wire.len()) {
            self.out.extend_from_slice(wire);
        }
    }

    #[inline]
    pub fn ok(&mut self) {
        self.raw(b"+OK\r\n");
    }

    /// Writes a status line; control characters become blanks.
    pub fn simple(&mut self, text: &str) {
        if !self.spend(text.len() + 3) {
            return;
        }
        if text.bytes().any(|b| b.is_ascii_control()) {
            let at = self.out.len();
            write_error(self.out, text);
            self.out[at] = b'+';
            return;
        }
        self.out.reserve(text.len() + 3);
        self.out.put_u8(b'+');
        self.out.put_slice(text.as_bytes());
        self.out.put_slice(b"\r\n");
    }

    /// Writes an error line, which begins with its code (`ERR ...`, `WRONGTYPE ...`); control characters
    /// become blanks.
    #[cold]
    pub fn error(&mut self, text: &str) {
        if self.spend(text.len() + 3) {
            write_error(self.out, text);
        }
    }

    #[inline]
    pub fn integer(&mut self, value: i64) {
        self.header(b':', value);
    }

    #[inline]
    pub fn bulk(&mut self, bytes: &[u8]) {
        if !self.spend(bytes.len() + 2) {
            return;
        }
        self.out.reserve(bytes.len() + BULK_FRAME);
        self.header(b'$', bytes.len() as i64);
        self.out.put_slice(bytes);
        self.out.put_slice(b"\r\n");
    }

    /// Writes a bulk string by reference if that saves work: `share` returns the bytes as shared memory.
    #[inline]
    pub fn bulk_shared(&mut self, bytes: &[u8], share: impl FnOnce() -> Bytes) {
        match &mut self.shared {
            Some(_) if bytes.len() >= ReplyBuf::SHARE_FROM => self.bulk_by_reference(bytes.len(), share),
            _ => self.bulk(bytes),
        }
    }

    #[cold]
    fn bulk_by_reference(&mut self, len: usize, share: impl FnOnce() -> Bytes) {
        if !self.spend(len) {
            return;
        }
        self.header(b'$', len as i64);
        if let Some(shared) = &mut self.shared {
            shared.push(self.out.split().freeze());
            shared.push(share());
        }
        self.raw(b"\r\n");
    }

    /// Writes an integer as a bulk string, as the reply to GET.
    #[inline]
    pub fn bulk_integer(&mut self, value: i64) {
        self.bulk(itoa::Buffer::new().format(value).as_bytes());
    }

    #[inline]
    pub fn null(&mut self) {
        self.raw(if self.version == Version::Resp3 { b"_\r\n" } else { b"$-1\r\n" });
    }

    /// Writes null in place of an array: for EXEC that was prevented, or LPOP with a count of a missing list.
    #[inline]
    pub fn null_array(&mut self) {
        self.raw(if self.version == Version::Resp3 { b"_\r\n" } else { b"*-1\r\n" });
    }

    #[inline]
    pub fn array(&mut self, items: usize) {
        self.header(b'*', items as i64);
    }

    /// Begins a map; `pairs` times a key and a value must follow.
    pub fn map(&mut self, pairs: usize) {
        match self.version {
            Version::Resp2 => self.header(b'*', 2 * pairs as i64),
            Version::Resp3 => self.header(b'%', pairs as i64),
        }
    }

    pub fn set(&mut self, items: usize) {
        self.header(if self.version == Version::Resp3 { b'~' } else { b'*' }, items as i64);
    }

    /// Begins a push, which is sent between replies and is never a reply itself.
    pub fn push(&mut self, items: usize) {
        self.header(if self.version == Version::Resp3 { b'>' } else { b'*' }, items as i64);
    }

    pub fn boolean(&mut self, value: bool) {
        self.raw(match (self.version, value) {
            (Version::Resp2, true) => b":1\r\n",
            (Version::Resp2, false) => b":0\r\n",
            (Version::Resp3, true) => b"#t\r\n",
            (Version::Resp3, false) => b"#f\r\n",
        });
    }

    pub fn double(&mut self, value: f64) {
        let text = double_text(value);
        match self.version {
            Version::Resp2 => self.bulk(text.as_bytes()),
            Version::Resp3 => self.line(b',', text.as_bytes()),
        }
    }

    /// Writes an integer of any length: an optional `-` and digits.
    pub fn big_number(&mut self, digits: &[u8]) {
        match self.version {
            Version::Resp2 => self.bulk(digits),
            Version::Resp3 => self.line(b'(', digits),
        }
    }

    /// Writes a text with three letters for its format: `txt`, `mkd`.
    pub fn verbatim(&mut self, format: [u8; 3], text: &[u8]) {
        match self.version {
            Version::Resp2 => self.bulk(text),
            Version::Resp3 => {
                self.header(b'=', text.len() as i64 + 4);
                self.raw(&format);
                self.raw(b":");
                self.raw(text);
                self.raw(b"\r\n");
            }
        }
    }

    /// Writes an error of any bytes; in RESP2 an error line.
    pub fn bulk_error(&mut self, bytes: &[u8]) {
        match self.version {
            Version::Resp2 => self.error(&String::from_utf8_lossy(bytes)),
            Version::Resp3 => {
                self.header(b'!', bytes.len() as i64);
                self.raw(bytes);
                self.raw(b"\r\n");
            }
        }
    }

    /// RESP3 only: begins attributes; `pairs` times a key and a value must follow, then the value that they
    /// describe.
    pub(super) fn attributes(&mut self, pairs: usize) {
        self.header(b'|', pairs as i64);
    }

    fn line(&mut self, kind: u8, text: &[u8]) {
        self.raw(&[kind]);
        self.raw(text);
        self.raw(b"\r\n");
    }

    /// Writes a type byte, a number, CRLF. Hot: once per value.
    #[inline]
    fn header(&mut self, kind: u8, value: i64) {
        if let 0..=9 = value {
            return self.raw(&[kind, b'0' + value as u8, b'\r', b'\n']);
        }
        let mut line = [0u8; 24];
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(value).as_bytes(); // at most 20
        line[0] = kind;
        line[1..=digits.len()].copy_from_slice(digits);
        line[1 + digits.len()..3 + digits.len()].copy_from_slice(b"\r\n");
        self.raw(&line[..3 + digits.len()]);
    }
}

/// A double as redis writes it: `1.5`, `3`, `1e+20` as `1e20`, `inf`, `-inf`, `nan`.
pub fn double_text(value: f64) -> String {
    match value {
        _ if value.is_nan() => "nan".into(),
        f64::INFINITY => "inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        0.0 => if value.is_sign_negative() { "-0" } else { "0" }.into(),
        _ if (1e-5..1e17).contains(&value.abs()) => value.to_string(),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(version: Version, write: impl FnOnce(&mut Writer<'_>)) -> String {
        let mut out = BytesMut::new();
        write(&mut Writer::new(&mut out, version));
        String::from_utf8(out.to_vec()).expect("text")
    }

    #[test]
    fn each_type_has_its_form_in_both_versions() {
        type Case = (fn(&mut Writer<'_>), &'static str, &'static str);
        let cases: &[Case] = &[
            (|w| w.ok(), "+OK\r\n", "+OK\r\n"),
            (|w| w.simple("a\r\nb"), "+a  b\r\n", "+a  b\r\n"),
            (|w| w.error("ERR x"), "-ERR x\r\n", "-ERR x\r\n"),
            (|w| w.integer(-12), ":-12\r\n", ":-12\r\n"),
            (|w| w.integer(i64::MIN), ":-9223372036854775808\r\n", ":-9223372036854775808\r\n"),
            (|w| w.bulk(b"hello"), "$5\r\nhello\r\n", "$5\r\nhello\r\n"),
            (|w| w.bulk(b""), "$0\r\n\r\n", "$0\r\n\r\n"),
            (|w| w.bulk_integer(42), "$2\r\n42\r\n", "$2\r\n42\r\n"),
            (|w| w.null(), "$-1\r\n", "_\r\n"),
            (|w| w.null_array(), "*-1\r\n", "_\r\n"),
            (|w| w.array(12), "*12\r\n", "*12\r\n"),
            (|w| w.map(2), "*4\r\n", "%2\r\n"),
            (|w| w.set(2), "*2\r\n", "~2\r\n"),
            (|w| w.push(3), "*3\r\n", ">3\r\n"),
            (|w| w.boolean(true), ":1\r\n", "#t\r\n"),
            (|w| w.boolean(false), ":0\r\n", "#f\r\n"),
            (|w| w.double(1.5), "$3\r\n1.5\r\n", ",1.5\r\n"),
            (
                |w| w.big_number(b"12345678901234567890"),
                "$20\r\n12345678901234567890\r\n",
                "(12345678901234567890\r\n",
            ),
            (|w| w.verbatim(*b"txt", b"Some string"), "$11\r\nSome string\r\n", "=15\r\ntxt:Some string\r\n"),
            (|w| w.bulk_error(b"SYNTAX a\nb"), "-SYNTAX a b\r\n", "!10\r\nSYNTAX a\nb\r\n"),
        ];
        for (write, resp2, resp3) in cases {
            assert_eq!(written(Version::Resp2, write), *resp2);
            assert_eq!(written(Version::Resp3, write), *resp3);
        }
    }

    #[test]
    fn long_values_are_shared_and_short_ones_copied() {
        let mut out = ReplyBuf::default();
        let (long, short) = (Bytes::from(vec![b'x'; ReplyBuf::SHARE_FROM]), Bytes::from_static(b"y"));
        let mut writer = Writer::limited(&mut out, Version::Resp2, usize::MAX);
        writer.array(3);
        for value in [&long, &short, &long] {
            writer.bulk_shared(value, || value.clone());
        }
        let (x, reply) = ("x".repeat(long.len()), out.take());
        assert_eq!(reply.to_vec(), format!("*3\r\n$4096\r\n{x}\r\n$1\r\ny\r\n$4096\r\n{x}\r\n").as_bytes());
        assert_eq!(reply.segments().filter(|segment| segment.as_ptr() == long.as_ptr()).count(), 2);
        assert!(out.is_empty());
    }

    #[test]
    fn nothing_is_written_beyond_the_limit() {
        let long = Bytes::from(vec![b'x'; ReplyBuf::SHARE_FROM]);
        for limit in [0, 5, 40, 4130, 8300] {
            let mut out = ReplyBuf::default();
            let mut writer = Writer::limited(&mut out, Version::Resp3, limit);
            writer.ok();
            let begin = writer.position();
            for _ in 0..10 {
                writer.bulk(b"0123456789");
                writer.bulk_shared(&long, || long.clone());
                writer.simple("a line");
                writer.map(100);
                writer.verbatim(*b"txt", b"text");
                writer.error("ERR of some length");
                writer.double(0.1);
            }
            assert!(writer.is_full() && writer.position() <= limit, "{limit}");
            // What is taken back can be written again.
            if limit >= 40 {
                writer.rewind(begin);
                assert!(!writer.is_full() && !writer.has_room(limit));
                writer.error("ERR it is too long");
                assert_eq!(out.take().to_vec(), b"+OK\r\n-ERR it is too long\r\n");
            }
        }
    }

    #[test]
    fn doubles_are_short_and_read_back_exactly() {
        let texts =
            [(1.5, "1.5"), (3.0, "3"), (-0.1, "-0.1"), (1e300, "1e300"), (1e-7, "1e-7"), (-0.0, "-0")];
        for (value, text) in texts {
            assert_eq!(double_text(value), text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
        assert_eq!(double_text(f64::INFINITY), "inf");
        assert_eq!(double_text(f64::NEG_INFINITY), "-inf");
        assert_eq!(double_text(f64::NAN), "nan");
    }
}
