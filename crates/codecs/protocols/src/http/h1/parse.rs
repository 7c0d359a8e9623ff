//! Heads: start line and fields, read line by line in one pass.
//!
//! ```text
//!   input:  | POST /S/M HTTP/1.1 CR LF | Host: x CR LF | Content-Le        <- not yet a line
//!            `------- complete lines: moved to HeadBlock::raw ------'
//! ```
//!
//! Source:     docs/wire/http.md sections 5 and 6; RFC 9112 2 to 6
//! Invariants: only whole lines leave the input, so reading resumes at any split; spans lie in
//!             `HeadBlock::raw`.
//! Limits:     start line [`MAX_START_LINE`], start line and fields [`MAX_HEAD`], fields [`MAX_FIELDS`].
//! Errors:     see [`Fault`].
//! Not here:   bodies (`body.rs`); what the fields mean to a call (semantics).
//!
//! This is not httparse, because that accepts a bare LF as a line end, folded lines in replies, and any
//! number of empty lines before a message. A check before it that refuses those would read every head twice.

use super::error::Fault;
use crate::http::{
    fields::{alphanumeric_and, is_host, is_token, is_token_byte},
    framing::{HeadBlock, Known, Span},
    websocket,
};
use polywire_wire::Role;

/// Longest start line with its line end, in bytes.
pub(crate) const MAX_START_LINE: usize = 8 << 10;
/// Most bytes of start line and fields together, and of trailers.
pub(crate) const MAX_HEAD: usize = 64 << 10;
/// Most fields of a head, and of trailers.
pub(crate) const MAX_FIELDS: u32 = 100;
/// An incomplete line of at least this many bytes is read again only when it may be complete. Otherwise a
/// peer that sends a long line byte by byte would cause one pass over it for each byte.
const SHORT_LINE: usize = 1 << 10;

/// How far the head has been read, and how its fields frame the message.
#[derive(Default, Clone, Copy, Debug)]
pub(crate) struct Scan {
    started: bool,
    fields: u32,
    /// Bytes of an unfinished long line that hold no control byte.
    clean: usize,
    /// 0 or 1: HTTP/1.0 or HTTP/1.1.
    pub minor: u8,
    hosts: u8,
    coding: Coding,
    length: Option<u64>,
    /// The token `close` of the field `connection`.
    pub close: bool,
    pub keep_alive: bool,
    /// The token `upgrade` of the field `connection`, and `websocket` of the field `upgrade`.
    upgrade: bool,
    websocket: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
enum Coding {
    #[default]
    None,
    Chunked,
    /// A coding that is not supported; the list has had no syntax error.
    Other,
}

/// How the fields delimit the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Framed {
    /// Neither length nor coding: a request has no body, and a reply ends with the connection.
    Unwritten,
    Length(u64),
    Chunked,
}

impl Scan {
    /// Reads the complete lines at the front of `buf` into `head`. Returns their length in bytes, and whether
    /// the last one was the empty line after the fields. Hot: once per message.
    #[inline]
    pub fn head(&mut self, role: Role, buf: &[u8], head: &mut HeadBlock) -> Result<(usize, bool), Fault> {
        let mut at = 0;
        if !self.started {
            let line = match role {
                Role::Server => request_line(buf, &mut self.minor, head)?,
                Role::Client => status_line(buf, &mut self.minor, head)?,
            };
            at = match line {
                Some(n) => n,
                None if buf.len() < MAX_START_LINE => return Ok((0, false)),
                None => return Err(Fault::LongStartLine),
            };
            self.started = true;
        }
        self.lines(buf, at, head, true)
    }

    /// Like [`Scan::head`], for trailers: the same syntax, but nothing is used for framing or routing.
    pub fn trailers(&mut self, buf: &[u8], head: &mut HeadBlock) -> Result<(usize, bool), Fault> {
        self.lines(buf, 0, head, false)
    }

    #[inline]
    fn lines(
        &mut self,
        buf: &[u8],
        mut at: usize,
        head: &mut HeadBlock,
        used: bool,
    ) -> Result<(usize, bool), Fault> {
        let base = head.raw.len();
        let done = loop {
            let line = &buf[at..];
            if let [b'\r', b'\n', ..] = line {
                at += 2;
                break true;
            }
            if self.clean > 0 && !self.may_have_ended(line) {
                break false;
            }
            let Some(field) = field_line(line)? else {
                self.clean = if line.len() > SHORT_LINE { line.len() } else { 0 };
                break false;
            };
            self.clean = 0;
            self.fields += 1;
            if self.fields > MAX_FIELDS || base + at + field.end > MAX_HEAD {
                return Err(Fault::LargeHead);
            }
            match field.known {
                Some(known) if used => {
                    let value = &line[field.value..field.value_end];
                    self.known(known, value)?;
                    head.note(known, Span::new(base + at + field.value, value.len()));
                }
                Some(_) => {}
                None => head.other(&line[..field.name]),
            }
            at += field.end;
        };
        let seen = if done { at } else { buf.len() };
        if base + seen > MAX_HEAD {
            return Err(Fault::LargeHead);
        }
        head.raw.extend_from_slice(&buf[..at]);
        Ok((at, done))
    }

    /// Whether a byte that may end the line has arrived since the last look.
    #[cold]
    fn may_have_ended(&mut self, line: &[u8]) -> bool {
        let from = self.clean.min(line.len());
        let ended = line[from..].iter().any(|&b| (b < 0x20 && b != b'\t') || b == 0x7f);
        self.clean = line.len();
        ended
    }

    #[inline]
    fn known(&mut self, known: Known, value: &[u8]) -> Result<(), Fault> {
        match known {
            Known::Host => {
                self.hosts = self.hosts.saturating_add(1);
                if is_host(value) { Ok(()) } else { Err(Fault::Host) }
            }
            Known::ContentLength => {
                let length = decimal(value).ok_or(Fault::ContentLength)?;
                // Even equal ones: "duplicates refused" is what brpc does, and there is no reason to send
                // them.
                if self.length.replace(length).is_some() { Err(Fault::ContentLength) } else { Ok(()) }
            }
            Known::TransferEncoding => {
                self.coding = codings(self.coding, value)?;
                Ok(())
            }
            Known::Connection => {
                for token in value.split(|&b| b == b',').map(<[u8]>::trim_ascii) {
                    self.close |= token.eq_ignore_ascii_case(b"close");
                    self.keep_alive |= token.eq_ignore_ascii_case(b"keep-alive");
                    self.upgrade |= token.eq_ignore_ascii_case(b"upgrade");
                }
                Ok(())
            }
            Known::Upgrade => {
                self.websocket |= websocket::handshake::has_token(value, websocket::handshake::TOKEN);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Checks what requires the whole head, and returns how the body is framed.
    #[inline]
    pub fn framed(&self, role: Role) -> Result<Framed, Fault> {
        // RFC 9112 3.2: "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request
        // message that lacks a Host header field and to any request message that contains more than one".
        if role == Role::Server && (self.hosts > 1 || self.minor == 1 && self.hosts == 0) {
            return Err(Fault::Host);
        }
        match (self.coding, self.length) {
            (Coding::None, None) => Ok(Framed::Unwritten),
            (Coding::None, Some(length)) => Ok(Framed::Length(length)),
            (_, Some(_)) => Err(Fault::BothLengths),
            (_, None) if self.minor == 0 => Err(Fault::TransferEncoding),
            (Coding::Chunked, None) => Ok(Framed::Chunked),
            (Coding::Other, None) => Err(Fault::Coding),
        }
    }

    /// Whether the peer keeps the connection open after this message.
    pub fn keeps_alive(&self) -> bool {
        !self.close && (self.minor == 1 || self.keep_alive)
    }

    /// Whether a request asks for WebSocket. RFC 9110 7.8: "A server MUST ignore an Upgrade header field that
    /// is received in an HTTP/1.0 request".
    pub fn asks_for_websocket(&self) -> bool {
        self.upgrade && self.websocket && self.minor == 1
    }

    /// Whether a byte of the head has arrived.
    pub fn has_begun(&self) -> bool {
        self.started
    }
}

/// Positions within one field line.
struct FieldLine {
    /// End of the name.
    name: usize,
    known: Option<Known>,
    value: usize,
    value_end: usize,
    /// End of the line end.
    end: usize,
}

/// `name ":" OWS value OWS CR LF`; `None`: not yet whole.
#[inline]
fn field_line(line: &[u8]) -> Result<Option<FieldLine>, Fault> {
    // Known names are tokens; only other names have to be checked byte by byte.
    let at_once = first_colon(line).and_then(|colon| Some((colon, Known::find(&line[..colon])?)));
    let (name, known) = match at_once {
        Some((name, known)) => (name, Some(known)),
        None => {
            let Some(name) = line.iter().position(|&b| !is_token_byte(b)) else { return Ok(None) };
            if line[name] != b':' || name == 0 {
                return bad_name(line, name);
            }
            (name, Known::find(&line[..name]))
        }
    };
    let mut value = name + 1;
    while value < line.len() && matches!(line[value], b' ' | b'\t') {
        value += 1;
    }
    let Some(stop) = control(line, value) else { return Ok(None) };
    match line[stop..] {
        [b'\r', b'\n', ..] => {}
        [b'\r'] => return Ok(None),
        _ => return Err(Fault::Control),
    }
    let mut value_end = stop;
    while value_end > value && matches!(line[value_end - 1], b' ' | b'\t') {
        value_end -= 1;
    }
    Ok(Some(FieldLine { name, known, value, value_end, end: stop + 2 }))
}

/// Position of the first colon, if it is among the first 24 bytes (no known name is longer) and that many
/// bytes are here.
#[inline]
fn first_colon(line: &[u8]) -> Option<usize> {
    for at in [0, 8, 16] {
        let x = eight(line, at)?;
        let colons = zero_bytes(x ^ (u64::from(b':') * ONES));
        if colons != 0 {
            return Some(at + (colons.trailing_zeros() / 8) as usize);
        }
    }
    None
}

#[cold]
fn bad_name(line: &[u8], name: usize) -> Result<Option<FieldLine>, Fault> {
    match (line[name], name) {
        (b'\r', 0) if line.len() == 1 => Ok(None),
        (b' ' | b'\t', 0) => Err(Fault::Folded),
        (b'\r' | b'\n' | 0, _) => Err(Fault::Control),
        _ => Err(Fault::FieldName),
    }
}

/// Parses `method SP target SP HTTP-version CR LF`. Returns its length in bytes, or `None` if it is
/// incomplete.
#[inline]
fn request_line(buf: &[u8], minor: &mut u8, head: &mut HeadBlock) -> Result<Option<usize>, Fault> {
    let Some(verb) = buf.iter().position(|&b| !is_token_byte(b)) else { return Ok(None) };
    if buf[verb] != b' ' || verb == 0 {
        return Err(Fault::StartLine);
    }
    let from = verb + 1;
    let Some(path) = path_end(buf, from) else { return Ok(None) };
    let mut to = path;
    if matches!(buf[path], b'?' | b'#') {
        let Some(query) = buf[path..].iter().position(|b| !b.is_ascii_graphic()) else { return Ok(None) };
        to += query;
    }
    if buf[to] != b' ' || to == from {
        return Err(Fault::StartLine);
    }
    let Some(end) = version(&buf[to + 1..], minor)? else { return Ok(None) };
    let end = to + 1 + end;
    if end > MAX_START_LINE {
        return Err(Fault::LongStartLine);
    }
    head.set_verb(Span::new(0, verb), &buf[..verb]);
    head.target = Span::new(from, to - from);
    head.path = Span::new(from, path - from);
    Ok(Some(end))
}

/// Parses `HTTP/1.0` or `HTTP/1.1` and the line end. RFC 9110 2.5: a higher minor version is treated as the
/// highest one that is supported.
#[inline]
fn version(rest: &[u8], minor: &mut u8) -> Result<Option<usize>, Fault> {
    const LINE: usize = b"HTTP/1.1\r\n".len();
    match rest.get(..LINE) {
        Some(b"HTTP/1.1\r\n") => *minor = 1,
        Some(b"HTTP/1.0\r\n") => *minor = 0,
        Some([b'H', b'T', b'T', b'P', b'/', b'1', b'.', b'2'..=b'9', b'\r', b'\n']) => *minor = 1,
        Some([b'H', b'T', b'T', b'P', b'/', b'0'..=b'9', b'.', b'0'..=b'9', b'\r', b'\n']) => {
            return Err(Fault::Version);
        }
        Some(_) => return Err(Fault::StartLine),
        None if rest.contains(&b'\n') => return Err(Fault::StartLine),
        None => return Ok(None),
    }
    Ok(Some(LINE))
}

/// Parses `HTTP/1.x SP 3DIGIT [SP reason] CR LF`. The space before an empty reason may be missing, because
/// some servers omit it.
fn status_line(buf: &[u8], minor: &mut u8, head: &mut HeadBlock) -> Result<Option<usize>, Fault> {
    let Some(stop) = control(buf, 0) else { return Ok(None) };
    match buf[stop..] {
        [b'\r', b'\n', ..] => {}
        [b'\r'] => return Ok(None),
        _ => return Err(Fault::StatusLine),
    }
    let line = &buf[..stop];
    let digits = match line {
        [b'H', b'T', b'T', b'P', b'/', b'1', b'.', m @ (b'0' | b'1'), b' ', a, b, c] => [m, a, b, c],
        [b'H', b'T', b'T', b'P', b'/', b'1', b'.', m @ (b'0' | b'1'), b' ', a, b, c, b' ', ..] => {
            [m, a, b, c]
        }
        [b'H', b'T', b'T', b'P', b'/', ..] if !line.starts_with(b"HTTP/1.") => return Err(Fault::Version),
        _ => return Err(Fault::StatusLine),
    };
    if !digits.iter().all(|d| d.is_ascii_digit()) || *digits[1] == b'0' {
        return Err(Fault::StatusLine);
    }
    let [m, a, b, c] = digits.map(|d| u16::from(d - b'0'));
    *minor = m as u8;
    head.status = a * 100 + b * 10 + c;
    if stop + 2 > MAX_START_LINE {
        return Err(Fault::LongStartLine);
    }
    head.title = Span::new(0, stop);
    Ok(Some(stop + 2))
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Eight bytes as a number, the first one lowest; `None` if there are fewer.
#[inline]
fn eight(buf: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(buf.get(at..at + 8)?.try_into().expect("eight bytes")))
}

/// Sets the high bit of each byte that is 0. Bits above the first one that is set may be wrong.
#[inline]
fn zero_bytes(x: u64) -> u64 {
    x.wrapping_sub(ONES) & !x & HIGH
}

/// Sets the high bit of each byte below `bound`, which is at most 0x80. Bits above the first one that is set
/// may be wrong.
#[inline]
fn bytes_below(x: u64, bound: u8) -> u64 {
    x.wrapping_sub(u64::from(bound) * ONES) & !x & HIGH
}

/// Position of the first byte from `at` that a value may not contain: controls other than tab, and DEL. Reads
/// eight bytes at a time.
#[inline]
fn control(buf: &[u8], mut at: usize) -> Option<usize> {
    while let Some(x) = eight(buf, at) {
        let mut hits = bytes_below(x, 0x20) | zero_bytes(x ^ (0x7f * ONES));
        while hits != 0 {
            let place = at + (hits.trailing_zeros() / 8) as usize;
            if is_control(buf[place]) {
                return Some(place);
            }
            hits &= hits - 1;
        }
        at += 8;
    }
    buf[at..].iter().position(|&b| is_control(b)).map(|n| at + n)
}

/// Position of the first byte from `at` that is not in [`PATH`]. Reads eight bytes at a time.
#[inline]
fn path_end(buf: &[u8], mut at: usize) -> Option<usize> {
    while let Some(x) = eight(buf, at) {
        let marks = zero_bytes(x ^ (u64::from(b'?') * ONES)) | zero_bytes(x ^ (u64::from(b'#') * ONES));
        let hits = bytes_below(x, 0x21) | zero_bytes(x ^ (0x7f * ONES)) | (x & HIGH) | marks;
        if hits != 0 {
            break; // the place among them is found below
        }
        at += 8;
    }
    buf[at..].iter().position(|&b| !PATH[b as usize]).map(|n| at + n)
}

#[inline]
fn is_control(byte: u8) -> bool {
    byte < 0x20 && byte != b'\t' || byte == 0x7f
}

/// A number of digits only, without sign or overflow.
#[inline]
fn decimal(value: &[u8]) -> Option<u64> {
    if value.is_empty() {
        return None;
    }
    value.iter().try_fold(0u64, |n, &b| {
        let digit = b.is_ascii_digit().then(|| u64::from(b - b'0'))?;
        n.checked_mul(10)?.checked_add(digit)
    })
}

/// Adds a `transfer-encoding` value to the codings so far; several fields are one list.
fn codings(mut so_far: Coding, value: &[u8]) -> Result<Coding, Fault> {
    for coding in value.split(|&b| b == b',').map(<[u8]>::trim_ascii) {
        so_far = match so_far {
            // RFC 9112 6.1: chunked is applied once and last.
            Coding::Chunked => return Err(Fault::TransferEncoding),
            _ if !is_token(coding) => return Err(Fault::TransferEncoding),
            Coding::None if coding.eq_ignore_ascii_case(b"chunked") => Coding::Chunked,
            Coding::None | Coding::Other => Coding::Other,
        };
    }
    Ok(so_far)
}

/// Visible ASCII without `?` and `#`.
static PATH: [bool; 256] = alphanumeric_and(b"!\"$%&'()*+,-./:;<=>@[\\]^_`{|}~");

/// Visits the field lines of a block that [`Scan`] has read.
pub(crate) fn visit_lines(mut lines: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    while let Ok(Some(field)) = field_line(lines) {
        let name = std::str::from_utf8(&lines[..field.name]).unwrap_or("");
        visit(name, &lines[field.value..field.value_end]);
        lines = &lines[field.end..];
    }
}
