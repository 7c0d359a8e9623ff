//! Finding where a command ends: arrays of bulk strings, resumable at every byte.
//!
//! ```text
//!  * 2 CR LF   $ 3 CR LF  G E T  CR LF   $ 1 CR LF  k  CR LF
//!  `--------'  `---------' `-----------'
//!   left = 2    header     tail = 3 + 2, left = 1
//! ```
//!
//! Source:     docs/wire/redis.md, section 2
//! Invariants: `pos` bytes of the front are understood and never looked at again; a command is cut only when whole.
//! Limits:     [`Bounds`]; nothing is reserved by an announced count or length.

use super::{
    cursor::{Across, Flat, Number, Source, number},
    error::Fault,
};
use polywire_base::IoBuf;
use std::ops::Range;

/// Arguments of one command, the name included.
pub(super) const MAX_ARGS: i64 = 1 << 20;
/// Bytes of one argument.
pub(super) const MAX_BULK: i64 = 512 << 20;
/// The same two for a peer that has not yet proven who it is.
pub(super) const MAX_ARGS_UNAUTHENTICATED: i64 = 10;
pub(super) const MAX_BULK_UNAUTHENTICATED: i64 = 16 << 10;

/// `$0 CR LF CR LF`: an argument takes at least this.
const SHORTEST_ARG: usize = 6;

/// What a peer may announce.
#[derive(Clone, Copy)]
pub(super) enum Bounds {
    Full,
    /// Until it has proven who it is.
    Unauthenticated,
}

impl Bounds {
    fn check_args(self, count: i64) -> Result<(), Fault> {
        match self {
            _ if count > MAX_ARGS => Err(Fault::MultibulkLength),
            Bounds::Unauthenticated if count > MAX_ARGS_UNAUTHENTICATED => {
                Err(Fault::UnauthenticatedMultibulk)
            }
            Bounds::Full | Bounds::Unauthenticated => Ok(()),
        }
    }

    fn check_bulk(self, length: i64) -> Result<(), Fault> {
        match self {
            _ if !(0..=MAX_BULK).contains(&length) => Err(Fault::BulkLength),
            Bounds::Unauthenticated if length > MAX_BULK_UNAUTHENTICATED => Err(Fault::UnauthenticatedBulk),
            Bounds::Full | Bounds::Unauthenticated => Ok(()),
        }
    }
}

/// What the scan found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A whole command in this many bytes.
    Command(usize),
    /// This many bytes that ask for nothing: `*0`, `*-1`.
    Nothing(usize),
    /// The front is no array: an inline command.
    Inline,
    /// The command takes at least this many bytes in all, and fewer are here.
    Least(usize),
}

/// Where the scan of the front stands.
#[derive(Default, Debug)]
pub(super) struct RequestScan {
    /// Number of bytes that have been read.
    pos: usize,
    /// Arguments still to come; 0 between commands.
    left: u32,
    /// Bytes of the argument at `pos` with its CRLF; 0 while its header is still to come.
    tail: usize,
    /// Where the name is, once its header has been read.
    name: Option<Range<usize>>,
}

impl RequestScan {
    /// Goes on with the scan. Hot: once per command.
    #[inline]
    pub(super) fn scan(&mut self, input: &IoBuf, bounds: Bounds) -> Result<Found, Fault> {
        match input.as_slice() {
            Some(bytes) => self.walk(&mut Flat(&bytes[self.pos..]), bounds),
            None => self.scan_across(input, bounds),
        }
    }

    /// The same over several segments. Looks at the first alone if the command ends there, as most do.
    fn scan_across(&mut self, input: &IoBuf, bounds: Bounds) -> Result<Found, Fault> {
        let front = input.front();
        if self.pos < front.len() {
            match self.walk(&mut Flat(&front[self.pos..]), bounds)? {
                Found::Least(_) => {}
                found => return Ok(found),
            }
        }
        self.walk(&mut Across::new(input, self.pos), bounds)
    }

    #[inline]
    fn walk(&mut self, source: &mut impl Source, bounds: Bounds) -> Result<Found, Fault> {
        if self.left == 0 {
            match source.window() {
                [] => return Ok(Found::Least(1)),
                [b'*', digits @ ..] => match number(digits) {
                    Number::Is(count, taken) => {
                        bounds.check_args(count)?;
                        self.pos += 1 + taken;
                        source.skip(1 + taken);
                        if count <= 0 {
                            return Ok(Found::Nothing(self.pos));
                        }
                        self.left = count as u32; // at most MAX_ARGS
                    }
                    Number::Short => return Ok(Found::Least(self.pos + source.left() + 1)),
                    Number::Bad => return Err(Fault::MultibulkLength),
                },
                _ => return Ok(Found::Inline),
            }
        }
        loop {
            if self.tail == 0 {
                match source.window() {
                    [] => return Ok(Found::Least(self.least())),
                    [b'$', digits @ ..] => match number(digits) {
                        Number::Is(length, taken) => {
                            bounds.check_bulk(length)?;
                            self.pos += 1 + taken;
                            source.skip(1 + taken);
                            let length = length as usize; // within 0..=MAX_BULK
                            self.tail = length + 2;
                            if self.name.is_none() {
                                self.name = Some(self.pos..self.pos + length);
                            }
                        }
                        Number::Short => {
                            return Ok(Found::Least(self.least().max(self.pos + source.left() + 1)));
                        }
                        Number::Bad => return Err(Fault::BulkLength),
                    },
                    [other, ..] => return Err(Fault::NotBulk(*other)),
                }
            }
            if source.left() < self.tail {
                return Ok(Found::Least(self.least()));
            }
            source.skip(self.tail - 2);
            if !source.window().starts_with(b"\r\n") {
                return Err(Fault::BulkEnd);
            }
            source.skip(2);
            self.pos += self.tail;
            self.tail = 0;
            self.left -= 1;
            if self.left == 0 {
                return Ok(Found::Command(self.pos));
            }
        }
    }

    /// Bytes that the command takes at least, by what is known of it.
    pub(super) fn least(&self) -> usize {
        let this = if self.tail == 0 { SHORTEST_ARG } else { self.tail };
        self.pos + this + (self.left as usize - 1) * SHORTEST_ARG
    }

    /// Where the name stands, if it is here as a whole.
    pub(super) fn name(&self, available: usize) -> Option<Range<usize>> {
        self.name.clone().filter(|name| name.end <= available)
    }

    /// Bytes of the argument that is arriving, if its length is known.
    pub(super) fn announced(&self) -> Option<usize> {
        self.tail.checked_sub(2)
    }

    /// Drops the part of an unwanted command that has been read, and what has come of its current argument.
    pub(super) fn discard(&mut self, input: &mut IoBuf) {
        input.advance(self.pos);
        self.pos = 0;
        let passed = self.tail.saturating_sub(2).min(input.len());
        input.advance(passed);
        self.tail -= passed;
    }

    /// The command has been taken off the input.
    #[inline]
    pub(super) fn restart(&mut self) {
        *self = RequestScan::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(bytes: &[u8], bounds: Bounds) -> Result<Found, Fault> {
        RequestScan::default().scan(&IoBuf::copy_from_slice(bytes), bounds)
    }

    #[test]
    fn a_command_ends_behind_its_last_argument() {
        assert_eq!(scan(b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1", Bounds::Full), Ok(Found::Command(20)));
        assert_eq!(scan(b"*0\r\n*1", Bounds::Full), Ok(Found::Nothing(4)));
        assert_eq!(scan(b"*-1\r\n", Bounds::Full), Ok(Found::Nothing(5)));
        assert_eq!(scan(b"PING", Bounds::Full), Ok(Found::Inline));
        assert_eq!(scan(b"", Bounds::Full), Ok(Found::Least(1)));
        assert_eq!(scan(b"*2\r\n", Bounds::Full), Ok(Found::Least(16)));
        assert_eq!(scan(b"*2\r\n$3\r\nG", Bounds::Full), Ok(Found::Least(19)));
        assert_eq!(scan(b"*1\r\n$100000", Bounds::Full), Ok(Found::Least(12)));
    }

    #[test]
    fn announced_sizes_are_bounded_and_reserve_nothing() {
        assert_eq!(scan(b"*1048577\r\n", Bounds::Full), Err(Fault::MultibulkLength));
        assert_eq!(scan(b"*1048576\r\n", Bounds::Full), Ok(Found::Least(10 + 6 * 1_048_576)));
        assert_eq!(scan(b"*1\r\n$536870913\r\n", Bounds::Full), Err(Fault::BulkLength));
        assert_eq!(scan(b"*1\r\n$536870912\r\n", Bounds::Full), Ok(Found::Least(16 + 536_870_912 + 2)));
        assert_eq!(scan(b"*11\r\n", Bounds::Unauthenticated), Err(Fault::UnauthenticatedMultibulk));
        assert_eq!(scan(b"*10\r\n", Bounds::Unauthenticated), Ok(Found::Least(65)));
        assert_eq!(scan(b"*1\r\n$16385\r\n", Bounds::Unauthenticated), Err(Fault::UnauthenticatedBulk));
        assert_eq!(scan(b"*1\r\n$16384\r\n", Bounds::Unauthenticated), Ok(Found::Least(12 + 16386)));
    }

    #[test]
    fn discarding_forgets_bytes_and_not_the_place() {
        let (mut scan, mut input) = (RequestScan::default(), IoBuf::new());
        let command = b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$10\r\n0123456789\r\nPING\r\n";
        let mut ended = false;
        for byte in command.iter().take(command.len() - 6) {
            assert!(!ended);
            input.push(vec![*byte].into());
            ended = matches!(scan.scan(&input, Bounds::Full), Ok(Found::Command(_)));
            scan.discard(&mut input);
            assert!(input.len() < 8);
        }
        assert!(ended && input.is_empty());
    }
}
