//! Finding where a reply ends: every type of RESP3, nested, resumable at every byte.
//!
//! ```text
//!  *2 CRLF            open = [2]
//!    $1 CRLF k CRLF   open = [1]
//!    *1 CRLF          open = [1, 1]
//!      :7 CRLF        open = []      the reply is whole
//! ```
//!
//! Source:     docs/wire/redis.md, sections 1 and 3
//! Invariants: `pos` bytes of the front have been parsed and are not read again.
//! Limits:     levels and items as in `parse.rs`; strings of at most 512 MiB, so that the machine can skip
//!             what it does not keep; lines of at most 64 MiB.

use super::{
    cursor::{Across, Flat, Number, Source, WINDOW, integer, number},
    parse::{MAX_BYTES, MAX_DEPTH, MAX_ITEMS, check_line},
    request::MAX_BULK,
};
use polywire_base::IoBuf;
use polywire_wire::WireError;

/// The result of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The reply ends this many bytes after the front of the input.
    Whole(usize),
    /// The reply is incomplete, and has at least this many bytes from the front of the input.
    Least(usize),
}

/// The state of the scan of one reply.
#[derive(Debug, Default)]
pub(super) struct ReplyScan {
    /// Number of scanned bytes, from the front of the input.
    pos: usize,
    /// Items still to come on each open level, the innermost last.
    open: Vec<u64>,
    /// Length of the string at `pos` with its CRLF; 0 until its header has arrived.
    tail: usize,
    /// Number of bytes from `pos` that are known to contain no line end.
    known: usize,
    /// Number of items announced so far, on all levels.
    items: u64,
    /// First byte of the reply; 0 until it has arrived.
    kind: u8,
}

impl ReplyScan {
    /// Continues the scan. Hot: once per reply.
    #[inline]
    pub(super) fn scan(&mut self, input: &IoBuf) -> Result<Found, WireError> {
        match input.as_slice() {
            Some(bytes) => self.walk(&mut Flat(&bytes[self.pos..])),
            None => self.scan_across(input),
        }
    }

    fn scan_across(&mut self, input: &IoBuf) -> Result<Found, WireError> {
        let front = input.front();
        if self.pos < front.len() {
            let known = self.known;
            // The scanned bytes may reach beyond this segment.
            if known == 0
                && let whole @ Found::Whole(_) = self.walk(&mut Flat(&front[self.pos..]))?
            {
                return Ok(whole);
            }
        }
        self.walk(&mut Across::new(input, self.pos))
    }

    #[inline]
    fn walk(&mut self, source: &mut impl Source) -> Result<Found, WireError> {
        loop {
            if self.tail == 0 {
                let window = source.window();
                let Some((&kind, digits)) = window.split_first() else {
                    return Ok(Found::Least(self.least()));
                };
                if self.kind == 0 {
                    self.kind = kind;
                }
                match kind {
                    b'$' | b'!' | b'=' | b'*' | b'~' | b'>' | b'%' | b'|' | b':' => {
                        let read = if kind == b':' { integer } else { number };
                        let (value, taken) = match read(digits) {
                            Number::Is(value, taken) => (value, 1 + taken),
                            Number::Short => {
                                return Ok(Found::Least(self.least().max(self.pos + source.left() + 1)));
                            }
                            Number::Bad => return Err(WireError::Malformed("a number in a reply")),
                        };
                        source.skip(taken);
                        self.pos += taken;
                        match kind {
                            b':' => {}
                            b'$' | b'!' | b'=' => match value {
                                -1 if kind == b'$' => {}
                                0..=MAX_BULK => {
                                    self.tail = value as usize + 2;
                                    continue;
                                }
                                _ => return Err(WireError::TooLarge),
                            },
                            _ => {
                                if self.enter(kind, value)? {
                                    continue;
                                }
                            }
                        }
                    }
                    b'+' | b'-' | b'_' | b'#' | b',' | b'(' => {
                        if let Some(least) = self.line(kind, source)? {
                            return Ok(Found::Least(least));
                        }
                    }
                    _ => return Err(WireError::Malformed("unknown type of reply")),
                }
            } else {
                if source.left() < self.tail {
                    return Ok(Found::Least(self.least()));
                }
                source.skip(self.tail - 2);
                if !source.window().starts_with(b"\r\n") {
                    return Err(WireError::Malformed("no CRLF after a string"));
                }
                source.skip(2);
                self.pos += self.tail;
                self.tail = 0;
            }
            if self.item_ended() {
                return Ok(Found::Whole(self.pos));
            }
        }
    }

    /// Opens a level. False: it is empty, so the item has ended.
    fn enter(&mut self, kind: u8, count: i64) -> Result<bool, WireError> {
        let items = match (kind, u64::try_from(count)) {
            (b'*', Err(_)) if count == -1 => return Ok(false),
            (_, Err(_)) => return Err(WireError::Malformed("negative count")),
            (b'>', Ok(_)) if !self.open.is_empty() => {
                return Err(WireError::Malformed("push inside a reply"));
            }
            (b'*' | b'~' | b'>', Ok(count)) => count,
            // Attributes are followed by the value that they describe.
            (b'|', Ok(count)) => count.saturating_mul(2).saturating_add(1),
            (_, Ok(count)) => count.saturating_mul(2),
        };
        if self.open.len() == MAX_DEPTH {
            return Err(WireError::Malformed("reply nested too deep"));
        }
        self.items = self.items.saturating_add(items);
        if self.items > MAX_ITEMS {
            return Err(WireError::TooLarge);
        }
        if items > 0 {
            self.open.push(items);
        }
        Ok(items > 0)
    }

    /// Reads a line. `Some`: it is incomplete, and the reply has at least this many bytes.
    fn line(&mut self, kind: u8, source: &mut impl Source) -> Result<Option<usize>, WireError> {
        let Some(end) = source.line_end(self.known).filter(|end| end + 1 < source.left()) else {
            let left = source.left();
            if left > MAX_BYTES {
                return Err(WireError::TooLarge);
            }
            self.known = left.saturating_sub(1); // the last byte may be the CR
            return Ok(Some(self.least().max(self.pos + left + 1)));
        };
        if !matches!(kind, b'+' | b'-') {
            let window = source.window();
            match window.get(1..end) {
                Some(line) => check_line(kind, line).map_err(WireError::Malformed)?,
                None if kind == b'(' => {} // read again when it is turned into a value
                None => return Err(WireError::Malformed("a scalar of many digits")),
            }
        }
        source.skip(end);
        if !source.window().starts_with(b"\r\n") {
            return Err(WireError::Malformed("CR inside a line"));
        }
        source.skip(2);
        self.pos += end + 2;
        self.known = 0;
        Ok(None)
    }

    /// Counts an item that is complete. Returns whether the reply is complete, too.
    #[inline]
    fn item_ended(&mut self) -> bool {
        while let Some(left) = self.open.last_mut() {
            *left -= 1;
            if *left > 0 {
                return false;
            }
            self.open.pop();
        }
        true
    }

    /// The least length of the reply, by the bytes that have come.
    pub(super) fn least(&self) -> usize {
        let this = if self.tail == 0 { SHORTEST } else { self.tail };
        let others: u64 = self.open.iter().map(|left| left - 1).sum();
        self.pos + this + others as usize * SHORTEST
    }

    /// First byte of the reply, if it has arrived.
    pub(super) fn kind(&self) -> u8 {
        self.kind
    }

    /// Drops the bytes of an unwanted reply that have been scanned, and those of its current string.
    pub(super) fn discard(&mut self, input: &mut IoBuf) {
        input.advance(self.pos);
        self.pos = 0;
        let passed = self.tail.saturating_sub(2).min(input.len());
        input.advance(passed);
        self.tail -= passed;
    }

    /// Prepares for the next reply, which begins `pos` bytes after the front of the input.
    #[inline]
    pub(super) fn restart(&mut self, pos: usize) {
        debug_assert!(self.open.is_empty());
        (self.pos, self.tail, self.known, self.items, self.kind) = (pos, 0, 0, 0, 0);
    }
}

/// `_ CR LF`: no item takes less.
const SHORTEST: usize = 3;

const _: () = assert!(WINDOW >= 26, "a double has up to 24 characters");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redis::Value;

    fn scan(bytes: &[u8]) -> Result<Found, WireError> {
        ReplyScan::default().scan(&IoBuf::copy_from_slice(bytes))
    }

    #[test]
    fn replies_end_where_they_say() {
        for reply in [
            &b"+OK\r\n"[..],
            b"-ERR x\r\n",
            b":-12\r\n",
            b":+12\r\n",
            b"$5\r\na\r\nbc\r\n",
            b"$-1\r\n",
            b"*-1\r\n",
            b"*0\r\n",
            b"*2\r\n$1\r\nk\r\n*1\r\n:7\r\n",
            b"_\r\n",
            b"#t\r\n",
            b",1.5\r\n",
            b",-inf\r\n",
            b"(3492890328409238509324850943850943825024385\r\n",
            b"!21\r\nSYNTAX invalid syntax\r\n",
            b"=15\r\ntxt:Some string\r\n",
            b"%2\r\n+a\r\n:1\r\n+b\r\n:2\r\n",
            b"~2\r\n:1\r\n:2\r\n",
            b">2\r\n+a\r\n:1\r\n",
            b"|1\r\n+ttl\r\n:3600\r\n*1\r\n:1\r\n",
        ] {
            let text = reply.escape_ascii();
            assert_eq!(scan(reply), Ok(Found::Whole(reply.len())), "{text}");
            assert_eq!(scan(&[reply, b"+next"].concat()), Ok(Found::Whole(reply.len())), "{text}");
            let value = Value::parse(reply.to_vec().into());
            assert!(value.is_ok(), "{text}");
            assert!(*reply != b":+12\r\n"[..] || value == Ok(Value::Integer(12)));
            for end in 0..reply.len() {
                let least = scan(&reply[..end]);
                assert!(
                    matches!(least, Ok(Found::Least(n)) if n > end && n <= reply.len()),
                    "{text} {end} {least:?}"
                );
            }
        }
    }

    #[test]
    fn a_broken_reply_is_found_out() {
        for broken in [
            &b"?\r\n"[..],
            b":12x\r\n",
            b":+-1\r\n",
            b":++1\r\n",
            b"*+1\r\n",
            b"$+1\r\n",
            b"$-2\r\n",
            b"$1\r\nabc",
            b"%-1\r\n",
            b"#x\r\n",
            b"_x\r\n",
            b",one\r\n",
            b"+a\rb\r\n",
            b"*1\r\n>0\r\n",
            b"$536870913\r\n",
            b"*1677722\r\n",
            b"*1\r\n*1677721\r\n",
            b"%9223372036854775807\r\n",
        ] {
            assert!(scan(broken).is_err(), "{}", broken.escape_ascii());
        }
    }

    #[test]
    fn levels_are_bounded() {
        let nested = |levels: usize| [&b"*1\r\n".repeat(levels)[..], b":1\r\n"].concat();
        assert_eq!(scan(&nested(MAX_DEPTH)), Ok(Found::Whole(4 * MAX_DEPTH + 4)));
        assert!(scan(&nested(MAX_DEPTH + 1)).is_err());
        assert!(Value::parse(nested(MAX_DEPTH).into()).is_ok());
        assert!(Value::parse(nested(MAX_DEPTH + 1).into()).is_err());
        assert!(scan(&b"*2\r\n:1\r\n".repeat(100_000)).is_err());
    }
}
