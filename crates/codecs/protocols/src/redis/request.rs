//! Finding where a command ends: arrays of bulk strings, resumable at every byte.
//!
//! ```text
//!  * 2 CR LF   $ 3 CR LF  G E T  CR LF   $ 1 CR LF  k  CR LF
//!  `--------'  `---------' `-----------'
//!   left = 2    header     tail = 3 + 2, left = 1
//! ```
//!
//! Source:     docs/wire/redis.md, section 2
//! Invariants: `pos` bytes of the front have been parsed and are not read again; a command is cut off only
//!             when it is complete.
//! Limits:     [`Bounds`]; no memory is reserved by an announced count or length.

use super::{
    cursor::{Across, Flat, Number, Source, number},
    error::Fault,
};
use polywire_base::IoBuf;
use std::ops::Range;

/// Most arguments of one command, including the name.
pub(super) const MAX_ARGS: i64 = 1 << 20;
/// Most bytes of one argument.
pub(super) const MAX_BULK: i64 = 512 << 20;
/// The maximum number of arguments for an unauthenticated peer.
pub(super) const MAX_ARGS_UNAUTHENTICATED: i64 = 10;
pub(super) const MAX_BULK_UNAUTHENTICATED: i64 = 16 << 10;

/// `$0 CR LF CR LF`: an argument takes at least this.
const SHORTEST_ARG: usize = 6;

/// The lengths that a peer may announce.
#[derive(Clone, Copy)]
pub(super) enum Bounds {
    Full,
    /// Before the peer is authenticated.
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

/// The result of a scan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A whole command, of this many bytes.
    Command(usize),
    /// This many bytes that are empty commands: `*0`, `*-1`.
    Nothing(usize),
    /// The first byte begins no array: an inline command.
    Inline,
    /// The command is incomplete, and has at least this many bytes in all.
    Least(usize),
}

/// The state of the scan of one command.
#[derive(Default, Debug)]
pub(super) struct RequestScan {
    /// Number of bytes that have been read.
    pos: usize,
    /// Number of arguments still to come; 0 between commands.
    left: u32,
    /// Length of the argument at `pos` with its CRLF; 0 until its header has arrived.
    tail: usize,
    /// The position of the name, once its header has been read.
    name: Option<Range<usize>>,
}

impl RequestScan {
    /// Continues the scan. Hot: once per command.
    #[inline]
    pub(super) fn scan(&mut self, input: &IoBuf, bounds: Bounds) -> Result<Found, Fault> {
        match input.as_slice() {
            Some(bytes) => self.walk(&mut Flat(&bytes[self.pos..]), bounds),
            None => self.scan_across(input, bounds),
        }
    }

    /// Scans a command that may span several segments. Only the first segment is scanned if the command ends
    /// in it, as most do.
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

    /// The least length of the command, by the bytes that have come.
    pub(super) fn least(&self) -> usize {
        let this = if self.tail == 0 { SHORTEST_ARG } else { self.tail };
        self.pos + this + (self.left as usize - 1) * SHORTEST_ARG
    }

    /// Position of the name, if it has arrived completely.
    pub(super) fn name(&self, available: usize) -> Option<Range<usize>> {
        self.name.clone().filter(|name| name.end <= available)
    }

    /// Length of the argument that is arriving, if it is known.
    pub(super) fn announced(&self) -> Option<usize> {
        self.tail.checked_sub(2)
    }

    /// Drops the bytes of an unwanted command that have been scanned, and those of its current argument.
    pub(super) fn discard(&mut self, input: &mut IoBuf) {
        input.advance(self.pos);
        self.pos = 0;
        let passed = self.tail.saturating_sub(2).min(input.len());
        input.advance(passed);
        self.tail -= passed;
    }

    /// Whether a part of a command has been read.
    pub(super) fn has_begun(&self) -> bool {
        self.left > 0
    }

    /// Begins again, after the command has been removed from the input.
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
