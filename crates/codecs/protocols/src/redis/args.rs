//! Reading the arguments of a command.

use super::cursor::{Number, number};

/// The arguments of one command in wire form, name first, borrowed from it.
///
/// The server's machine hands over whole commands in one segment; anything else ends the iteration early and
/// never panics.
///
/// ```
/// use polywire_protocols::redis::Args;
/// let mut args = Args::new(b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
/// assert_eq!((args.len(), args.next(), args.next(), args.next()), (2, Some(&b"GET"[..]), Some(&b"k"[..]), None));
/// ```
#[derive(Clone, Debug)]
pub struct Args<'a> {
    rest: &'a [u8],
    left: usize,
}

impl<'a> Args<'a> {
    #[inline]
    pub fn new(command: &'a [u8]) -> Self {
        let empty = Args { rest: &[], left: 0 };
        let [b'*', digits @ ..] = command else { return empty };
        match number(digits) {
            Number::Is(count, taken) => {
                Args { rest: &digits[taken..], left: usize::try_from(count).unwrap_or(0) }
            }
            Number::Short | Number::Bad => empty,
        }
    }
}

impl<'a> Iterator for Args<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        let [b'$', digits @ ..] = self.rest else { return None };
        let Number::Is(length, taken) = number(digits) else { return None };
        let end = taken.checked_add(usize::try_from(length).ok()?)?;
        let arg = digits.get(taken..end)?;
        self.rest = digits.get(end + 2..)?;
        Some(arg)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left))
    }
}

impl<'a> Args<'a> {
    /// Number of arguments still to be read, as the command announces them.
    #[inline]
    pub fn len(&self) -> usize {
        self.left
    }

    /// The bytes after the arguments read so far; once all are read, that is the next command of a pipeline.
    pub fn behind(&self) -> &'a [u8] {
        self.rest
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_slices_of_the_command() {
        let command = b"*3\r\n$3\r\nSET\r\n$0\r\n\r\n$12\r\n\0\r\n$3\r\nabcd\xff\r\n";
        let args: Vec<_> = Args::new(command).collect();
        assert_eq!(args, [&b"SET"[..], b"", b"\0\r\n$3\r\nabcd\xff"]);
    }

    #[test]
    fn broken_commands_end_early() {
        let whole = b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n";
        for end in 0..whole.len() {
            assert!(Args::new(&whole[..end]).count() < 2, "{end}");
        }
        for broken in [&b"*2\r\n:3\r\n"[..], b"*1\r\n$-1\r\n", b"*1\r\n$9223372036854775807\r\nx", b"+OK\r\n"]
        {
            assert_eq!(Args::new(broken).count(), 0);
        }
    }
}
