//! Reading replies into trees.
//!
//! Source:     docs/wire/redis.md, sections 1 and 3
//! Invariants: no memory is reserved by an announced count; strings are slices of the reply, not copies.
//! Limits:     [`MAX_DEPTH`] levels, [`MAX_BYTES`] for one string, and as much for the tree of all items
//!             together.

use super::{
    Value,
    cursor::{Number, integer, number},
    value::{Attributed, Verbatim},
};
use bytes::{Buf, Bytes};
use std::{error, fmt};

/// Most levels of nested arrays.
pub const MAX_DEPTH: usize = 128;
/// Most bytes of one string, and of the memory that the items of one reply take.
pub const MAX_BYTES: usize = 64 << 20;
/// Most items of one reply, on all levels together.
pub(super) const MAX_ITEMS: u64 = (MAX_BYTES / size_of::<Value>()) as u64;

/// The reason why bytes are not a valid reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseError {
    /// The bytes end before the value does.
    Truncated,
    /// The first byte is not a type, or the line is not valid for its type.
    Malformed(&'static str),
    /// The nesting exceeds [`MAX_DEPTH`].
    TooDeep,
    /// Longer than [`MAX_BYTES`], or more items than fit into that.
    TooLarge,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Truncated => f.write_str("the reply ends early"),
            ParseError::Malformed(what) => write!(f, "malformed reply: {what}"),
            ParseError::TooDeep => write!(f, "more than {MAX_DEPTH} levels in a reply"),
            ParseError::TooLarge => write!(f, "a reply takes more than {MAX_BYTES} bytes"),
        }
    }
}
impl error::Error for ParseError {}

impl Value {
    /// Takes one value off the front of `bytes`, sharing their memory.
    ///
    /// # Errors
    /// [`ParseError::Truncated`] if it is not here as a whole. After an error `bytes` stand somewhere inside
    /// the value.
    pub fn take(bytes: &mut Bytes) -> Result<Value, ParseError> {
        Parser { bytes, items: MAX_ITEMS }.value(MAX_DEPTH)
    }

    /// Reads exactly one value.
    ///
    /// # Errors
    /// The errors of [`Value::take`]; bytes after the value are an error too.
    pub fn parse(mut bytes: Bytes) -> Result<Value, ParseError> {
        let value = Value::take(&mut bytes)?;
        if bytes.is_empty() { Ok(value) } else { Err(ParseError::Malformed("bytes after the value")) }
    }

    /// Reads as many values as there are: the replies to a pipeline.
    ///
    /// # Errors
    /// The errors of [`Value::take`].
    pub fn parse_all(mut bytes: Bytes) -> Result<Vec<Value>, ParseError> {
        let mut values = Vec::new();
        while !bytes.is_empty() {
            values.push(Value::take(&mut bytes)?);
        }
        Ok(values)
    }
}

struct Parser<'a> {
    bytes: &'a mut Bytes,
    /// Number of items that may still come.
    items: u64,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, ParseError> {
        let kind = *self.bytes.first().ok_or(ParseError::Truncated)?;
        Ok(match kind {
            b'+' => Value::Simple(self.line()?),
            b'-' => Value::Error(self.line()?),
            b':' => Value::Integer(self.number(integer)?),
            b'$' => match self.header()? {
                -1 => Value::Null,
                length => Value::Bulk(self.bulk(length)?),
            },
            b'*' => match self.header()? {
                -1 => Value::NullArray,
                count => Value::Array(self.values(count, depth)?),
            },
            b'~' => {
                let count = self.header()?;
                Value::Set(self.values(count, depth)?)
            }
            b'>' => {
                let count = self.header()?;
                Value::Push(self.values(count, depth)?)
            }
            b'%' => {
                let count = self.header()?;
                Value::Map(self.pairs(count, depth)?)
            }
            b'|' => {
                let count = self.header()?;
                let attributes = self.pairs(count, depth)?;
                let value = self.value(depth.checked_sub(1).ok_or(ParseError::TooDeep)?)?;
                Value::Attributed(Box::new(Attributed { attributes, value }))
            }
            b'!' => {
                let length = self.header()?;
                Value::BulkError(self.bulk(length)?)
            }
            b'=' => {
                let length = self.header()?;
                let mut text = self.bulk(length)?;
                let [a, b, c, b':', ..] = text[..] else {
                    return Err(ParseError::Malformed("verbatim string without its format"));
                };
                text.advance(4);
                Value::Verbatim(Box::new(Verbatim { format: [a, b, c], text }))
            }
            b'_' | b'#' | b',' | b'(' => {
                let line = self.line()?;
                check_line(kind, &line).map_err(ParseError::Malformed)?;
                match kind {
                    b'_' => Value::Null,
                    b'#' => Value::Boolean(line[..] == b"t"[..]),
                    b',' => Value::Double(double(&line).expect("checked above")),
                    _ => Value::BigNumber(line),
                }
            }
            _ => return Err(ParseError::Malformed("unknown type")),
        })
    }

    /// Reads a line, without its type byte and CRLF.
    fn line(&mut self) -> Result<Bytes, ParseError> {
        let end = memchr::memchr(b'\r', self.bytes).ok_or(ParseError::Truncated)?;
        match self.bytes.get(end + 1) {
            _ if end > MAX_BYTES => return Err(ParseError::TooLarge),
            None => return Err(ParseError::Truncated),
            Some(b'\n') => {}
            Some(_) => return Err(ParseError::Malformed("CR inside a line")),
        }
        let line = self.bytes.slice(1..end);
        self.bytes.advance(end + 2);
        Ok(line)
    }

    /// Reads the number after the type byte.
    fn header(&mut self) -> Result<i64, ParseError> {
        self.number(number)
    }

    fn number(&mut self, read: fn(&[u8]) -> Number) -> Result<i64, ParseError> {
        match read(&self.bytes[1..]) {
            Number::Is(value, taken) => {
                self.bytes.advance(1 + taken);
                Ok(value)
            }
            Number::Short => Err(ParseError::Truncated),
            Number::Bad => Err(ParseError::Malformed("not a valid number")),
        }
    }

    fn bulk(&mut self, length: i64) -> Result<Bytes, ParseError> {
        let length = usize::try_from(length).map_err(|_| ParseError::Malformed("negative length"))?;
        if length > MAX_BYTES {
            return Err(ParseError::TooLarge);
        }
        if self.bytes.len() < length + 2 {
            return Err(ParseError::Truncated);
        }
        let bulk = self.bytes.split_to(length);
        if !self.bytes.starts_with(b"\r\n") {
            return Err(ParseError::Malformed("no CRLF after a string"));
        }
        self.bytes.advance(2);
        Ok(bulk)
    }

    /// Counts `each` items for each of `count` items on a level below, before any of them is read.
    fn enter(&mut self, count: i64, each: u64, depth: usize) -> Result<(usize, usize), ParseError> {
        let count = u64::try_from(count).map_err(|_| ParseError::Malformed("negative count"))?;
        let items = count.checked_mul(each).filter(|n| *n <= self.items).ok_or(ParseError::TooLarge)?;
        self.items -= items;
        Ok((count as usize, depth.checked_sub(1).ok_or(ParseError::TooDeep)?))
    }

    fn values(&mut self, count: i64, depth: usize) -> Result<Vec<Value>, ParseError> {
        let (count, depth) = self.enter(count, 1, depth)?;
        let mut values = Vec::with_capacity(count.min(self.bytes.len() / SHORTEST));
        for _ in 0..count {
            values.push(self.value(depth)?);
        }
        Ok(values)
    }

    fn pairs(&mut self, count: i64, depth: usize) -> Result<Vec<(Value, Value)>, ParseError> {
        let (count, depth) = self.enter(count, 2, depth)?;
        let mut pairs = Vec::with_capacity(count.min(self.bytes.len() / (2 * SHORTEST)));
        for _ in 0..count {
            pairs.push((self.value(depth)?, self.value(depth)?));
        }
        Ok(pairs)
    }
}

/// `_ CR LF`: no value takes less.
const SHORTEST: usize = 3;

/// Checks that a line, without type byte and CRLF, is valid for its type.
pub(super) fn check_line(kind: u8, line: &[u8]) -> Result<(), &'static str> {
    match kind {
        b'_' if !line.is_empty() => Err("null with a value"),
        b'#' if !matches!(line, b"t" | b"f") => Err("boolean"),
        b',' if double(line).is_none() => Err("double"),
        b'(' if !is_big_number(line) => Err("big number"),
        _ => Ok(()),
    }
}

fn is_big_number(line: &[u8]) -> bool {
    let digits = match line {
        [b'-' | b'+', digits @ ..] => digits,
        digits => digits,
    };
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Rust parses every double of RESP3; that it also accepts `infinity` does no harm.
fn double(line: &[u8]) -> Option<f64> {
    std::str::from_utf8(line).ok()?.parse().ok()
}
