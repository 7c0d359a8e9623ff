//! The form of the meta commands: lines, some of them followed by a value.
//!
//! ```text
//! request   mg key flags* CRLF        also md, ma, me; mn alone; version; flush_all [seconds]
//!           ms key length flags* CRLF  value CRLF
//! reply     HD | EN | NS | EX | NF  flags* CRLF;  MN CRLF;  ME key ... CRLF
//!           VA length flags* CRLF  value CRLF
//!           ERROR | CLIENT_ERROR text | SERVER_ERROR text  CRLF      without flags
//! ```
//!
//! A flag is a letter with what follows it: `O7` is the opaque 7, which the reply repeats; `q` makes a
//! request quiet.
//!
//! Source: docs/wire/memcache_meta.md.

use super::{
    MAX_KEY,
    expected::{Expected, Request},
    form::{Form, Found, Reply},
    frame::MAX_BODY,
};
use bytes::BytesMut;
use polywire_base::IoBuf;
use polywire_wire::WireError;

/// Longest line of a reply in bytes, with its end.
pub const MAX_LINE: usize = 4 << 10;
/// Longest line of a request that memcached reads, with its end.
const MAX_REQUEST_LINE: usize = 2 << 10;

/// The kinds of replies, by their first word.
mod code {
    pub const DONE: u8 = b'H';
    pub const VALUE: u8 = b'V';
    pub const MISS: u8 = b'E';
    pub const NOT_STORED: u8 = b'N';
    pub const EXISTS: u8 = b'X';
    pub const NOT_FOUND: u8 = b'F';
    pub const FENCE: u8 = b'M';
    pub const DEBUG: u8 = b'm';
    pub const VERSION: u8 = b'v';
    pub const OK: u8 = b'O';
    pub const STORED: u8 = b'S';
    pub const ERROR: u8 = b'!';
}

/// The form of the meta commands.
#[derive(Clone, Copy)]
pub(super) struct Meta;

impl Form for Meta {
    #[inline]
    fn requests(&self, mut body: &[u8]) -> Result<Expected, &'static str> {
        let mut any_quiet = false;
        Expected::new(std::iter::from_fn(|| {
            if body.is_empty() {
                return None;
            }
            let request = request(&mut body);
            any_quiet |= request.is_ok_and(|request| request.quiet);
            // An error line does not say whose it is: only `mn` tells that no further one comes.
            let ends_otherwise = any_quiet && body.is_empty() && request.is_ok_and(|last| last.kind != b'n');
            Some(if ends_otherwise { Err("a call with quiet requests ends with mn") } else { request })
        }))
    }

    #[inline]
    fn reply(&self, input: &mut IoBuf, at: usize) -> Result<Found, WireError> {
        let length = input.len();
        let seen = length.min(at + MAX_LINE);
        let Some(bytes) = input.peek(seen).map(|bytes| &bytes[at..]) else {
            return Ok(Found::Least(at + 1));
        };
        let Some(line_end) = memchr::memchr(b'\n', bytes) else {
            if bytes.len() >= MAX_LINE {
                return Err(WireError::TooLarge);
            }
            return Ok(Found::Least(length + 1));
        };
        let line = bytes[..line_end].strip_suffix(b"\r").ok_or(WireError::Malformed("a line without CR"))?;
        let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
        let kind = kind(words.next().unwrap_or_default())?;
        let mut end = at + line_end + 1;
        if kind == code::VALUE {
            let value = words.next().and_then(number).ok_or(WireError::Malformed("VA without a length"))?;
            if value as usize > MAX_BODY {
                return Err(WireError::TooLarge);
            }
            end += value as usize + 2;
        }
        let opaque = match kind {
            code::DONE | code::VALUE | code::MISS | code::NOT_STORED | code::EXISTS | code::NOT_FOUND => {
                words.find_map(opaque)
            }
            _ => None,
        };
        let reply = Reply { end, kind, opaque, more: false };
        if length < end {
            return Ok(Found::Begun(reply));
        }
        if kind == code::VALUE && !input.peek(end).is_some_and(|bytes| bytes.ends_with(b"\r\n")) {
            return Err(WireError::Malformed("no CRLF after a value"));
        }
        Ok(Found::Whole(reply))
    }

    #[inline]
    fn fits(&self, request: &Request, reply: &Reply) -> bool {
        use code::*;
        match request.kind {
            b'g' => matches!(reply.kind, VALUE | DONE | MISS | ERROR),
            b's' => matches!(reply.kind, DONE | NOT_STORED | EXISTS | NOT_FOUND | ERROR),
            b'd' => matches!(reply.kind, DONE | NOT_FOUND | EXISTS | ERROR),
            b'a' => matches!(reply.kind, DONE | VALUE | NOT_FOUND | NOT_STORED | EXISTS | ERROR),
            b'e' => matches!(reply.kind, DEBUG | MISS | ERROR),
            b'n' => reply.kind == FENCE,
            b'v' => matches!(reply.kind, VERSION | ERROR),
            b'f' => matches!(reply.kind, OK | ERROR),
            _ => false,
        }
    }

    fn is_error(&self, reply: &Reply) -> bool {
        reply.kind == code::ERROR
    }

    /// "the first command is `set` with any key; its value is the user name, a space and the password".
    fn login(&self, user: &[u8], password: &[u8], out: &mut BytesMut) -> Result<(), ()> {
        let is_word = |text: &[u8]| text.iter().all(|byte| !byte.is_ascii_whitespace());
        if !is_word(user) || !is_word(password) {
            return Err(()); // a space divides its parts
        }
        let length = user.len() + 1 + password.len();
        out.extend_from_slice(format!("set auth 0 0 {length}\r\n").as_bytes());
        for part in [user, b" ", password, b"\r\n"] {
            out.extend_from_slice(part);
        }
        Ok(())
    }

    fn logged_in(&self, reply: &[u8]) -> Result<(), String> {
        match reply {
            b"STORED\r\n" => Ok(()),
            _ => {
                let text = reply[..reply.len().min(200)].trim_ascii();
                Err(String::from_utf8_lossy(text).into_owned())
            }
        }
    }
}

/// The kind of a reply, by its first word.
#[inline]
fn kind(word: &[u8]) -> Result<u8, WireError> {
    Ok(match word {
        b"HD" => code::DONE,
        b"VA" => code::VALUE,
        b"EN" => code::MISS,
        b"NS" => code::NOT_STORED,
        b"EX" => code::EXISTS,
        b"NF" => code::NOT_FOUND,
        b"MN" => code::FENCE,
        b"ME" => code::DEBUG,
        b"VERSION" => code::VERSION,
        b"OK" => code::OK,
        b"STORED" => code::STORED,
        b"ERROR" | b"CLIENT_ERROR" | b"SERVER_ERROR" => code::ERROR,
        _ => return Err(WireError::BadMagic),
    })
}

/// A decimal number of at most ten digits.
#[inline]
fn number(word: &[u8]) -> Option<u32> {
    if word.is_empty() || word.len() > 10 {
        return None;
    }
    let mut number = 0_u64;
    for byte in word {
        number = number * 10 + u64::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
    }
    u32::try_from(number).ok()
}

/// The opaque value, if this flag is one. Values that are not numbers are ignored, and the order of replies
/// decides.
#[inline]
fn opaque(flag: &[u8]) -> Option<u32> {
    flag.strip_prefix(b"O").and_then(number)
}

/// Takes the next request off a body.
#[inline]
fn request(body: &mut &[u8]) -> Result<Request, &'static str> {
    const BROKEN: &str = "the body is not a sequence of whole requests";
    let seen = &body[..body.len().min(MAX_REQUEST_LINE)];
    let line_end = memchr::memchr(b'\n', seen).ok_or(BROKEN)?;
    let line = seen[..line_end].strip_suffix(b"\r").ok_or(BROKEN)?;
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let mut end = line_end + 1;
    let kind = match words.next() {
        Some([b'm', kind @ (b'g' | b's' | b'd' | b'a' | b'e')]) => {
            let key = words.next().ok_or("a command without a key")?;
            if key.len() > MAX_KEY {
                return Err("a key has 250 bytes at most");
            }
            if *kind == b's' {
                let length = words.next().and_then(number).ok_or("ms without a length")?;
                end += length as usize + 2;
            }
            *kind
        }
        Some(b"mn") => b'n',
        Some(b"version") => b'v',
        Some(b"flush_all") => b'f',
        _ => return Err("only mg, ms, md, ma, me, mn, version and flush_all can be sent"),
    };
    if body.len() < end || !body[..end].ends_with(b"\r\n") {
        return Err(BROKEN);
    }
    let (mut quiet, mut found) = (false, None);
    for flag in words {
        if kind == b'f' && flag == b"noreply" {
            return Err("flush_all without a reply cannot be counted");
        }
        quiet |= kind.is_ascii_lowercase() && !matches!(kind, b'n' | b'v' | b'f' | b'e') && flag == b"q";
        found = found.or_else(|| opaque(flag));
    }
    *body = &body[end..];
    Ok(Request { kind, quiet, opaque: found })
}
