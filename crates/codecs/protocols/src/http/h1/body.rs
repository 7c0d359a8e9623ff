//! Bodies as they arrive: by length, in chunks, or until the connection ends.
//!
//! ```text
//!            +--> Length(n) ---------------------+
//!   head ----+--> Size --> Chunk(n) --> After    +--> end
//!            |     ^  | 0                 |      |
//!            |     |  +--> Trailers ------|------+
//!            |     +----------------------+      |
//!            +--> UntilClose --------------------+
//!            +--> Held --101--> UntilClose ------+   at a server
//! ```
//!
//! Source:     docs/wire/http.md sections 4 and 6; RFC 9112 6.3, 7.1
//! Invariants: a chunk's size line, line end and trailers leave the input whole.
//! Limits:     sixteen hex digits; extensions [`MAX_EXTENSIONS`] a message, counted with the line ends of
//!             size lines.
//! Not here:   flow control, and which call the bytes belong to (`mod.rs`).

use super::error::Fault;
use crate::http::fields::is_token_byte;
use polywire_base::IoBuf;

/// Most bytes of chunk extensions in one message.
pub(crate) const MAX_EXTENSIONS: usize = 16 << 10;
/// Longest size line: sixteen digits, extensions, line end.
const MAX_SIZE_LINE: usize = 16 + MAX_EXTENSIONS + 2;

/// The part of the current message that comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// A head, or the rest of one.
    Head,
    /// This many bytes of a body.
    Length(u64),
    /// Body until the peer closes.
    UntilClose,
    /// A chunk's size line.
    Size,
    /// This many bytes of a chunk.
    Chunk(u64),
    /// The line end after a chunk's data.
    After,
    /// Fields after the last chunk, up to the empty line.
    Trailers,
    /// Nothing until it is decided whether the next bytes belong to another protocol.
    Held,
    /// Nothing: no further message is read.
    Off,
}

impl Reading {
    /// Whether a body, or the rest of one, is still to come.
    pub fn is_in_body(self) -> bool {
        !matches!(self, Reading::Head | Reading::Off)
    }
}

/// Reads `chunk-size [chunk-ext] CR LF` from the input; `None` if the line is incomplete.
pub(crate) fn size_line(input: &mut IoBuf, extensions: &mut usize) -> Result<Option<u64>, Fault> {
    if let Some((size, line, extension)) = parse_size_line(input.front())? {
        return take(input, size, line, extension, extensions);
    }
    if input.front().len() == input.len() {
        return Ok(None);
    }
    let n = input.len().min(MAX_SIZE_LINE);
    match parse_size_line(input.peek(n).expect("asked for what is here"))? {
        Some((size, line, extension)) => take(input, size, line, extension, extensions),
        None => Ok(None),
    }
}

fn take(
    input: &mut IoBuf,
    size: u64,
    line: usize,
    extension: usize,
    extensions: &mut usize,
) -> Result<Option<u64>, Fault> {
    *extensions += extension;
    if *extensions > MAX_EXTENSIONS {
        return Err(Fault::Chunk);
    }
    input.advance(line);
    Ok(Some(size))
}

/// Returns the chunk's size, the bytes of the line, and how many of those are chunk extensions.
#[inline]
fn parse_size_line(buf: &[u8]) -> Result<Option<(u64, usize, usize)>, Fault> {
    let mut size = 0u64;
    let mut digits = 0;
    while let Some(digit) = buf.get(digits).and_then(|&b| (b as char).to_digit(16)) {
        if digits == 16 {
            return Err(Fault::Chunk);
        }
        size = size << 4 | u64::from(digit);
        digits += 1;
    }
    match buf[digits..] {
        [] | [b'\r'] if digits > 0 || buf.is_empty() => Ok(None),
        [b'\r', b'\n', ..] if digits > 0 => Ok(Some((size, digits + 2, 0))),
        [b';' | b' ' | b'\t', ..] if digits > 0 => {
            Ok(extension(&buf[digits..])?.map(|n| (size, digits + n, n)))
        }
        _ => Err(Fault::Chunk),
    }
}

/// Checks `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] ) CR LF` (RFC 9112 7.1.1).
/// Extensions are not used, but have to be well-formed.
#[cold]
fn extension(buf: &[u8]) -> Result<Option<usize>, Fault> {
    if buf.iter().find(|b| !matches!(b, b' ' | b'\t')).is_some_and(|&b| b != b';') {
        return Err(Fault::Chunk);
    }
    let stop = buf.iter().position(|&b| b < 0x20 && b != b'\t' || b == 0x7f);
    match stop.map(|n| (n, &buf[n..])) {
        Some((n, [b'\r', b'\n', ..])) if is_extension(&buf[..n]) => Ok(Some(n + 2)),
        Some((_, [b'\r', b'\n', ..])) => Err(Fault::Chunk),
        None | Some((_, [b'\r'])) if buf.len() < MAX_EXTENSIONS => Ok(None),
        _ => Err(Fault::Chunk),
    }
}

fn is_extension(mut rest: &[u8]) -> bool {
    let blank = |rest: &mut &[u8]| *rest = rest.trim_ascii_start();
    let token = |rest: &mut &[u8]| {
        let length = rest.iter().position(|&b| !is_token_byte(b)).unwrap_or(rest.len());
        *rest = &rest[length..];
        length > 0
    };
    blank(&mut rest);
    while let [b';', after @ ..] = rest {
        rest = after;
        blank(&mut rest);
        if !token(&mut rest) {
            return false;
        }
        blank(&mut rest);
        if let [b'=', after @ ..] = rest {
            rest = after;
            blank(&mut rest);
            let valued = if rest.first() == Some(&b'"') { quoted(&mut rest) } else { token(&mut rest) };
            if !valued {
                return false;
            }
            blank(&mut rest);
        }
    }
    rest.is_empty()
}

/// A quoted string. Its closing quote is one that does not follow a backslash. RFC 9110 5.6.4
fn quoted(rest: &mut &[u8]) -> bool {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'"' => {
                *rest = &rest[at + 1..];
                return true;
            }
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    false
}

/// Reads the line end after a chunk's data; false if it is incomplete.
pub(crate) fn line_end(input: &mut IoBuf) -> Result<bool, Fault> {
    let n = input.len().min(2);
    match input.peek(n).expect("asked for what is here") {
        b"\r\n" => {
            input.advance(2);
            Ok(true)
        }
        b"\r" | b"" => Ok(false),
        _ => Err(Fault::Chunk),
    }
}
