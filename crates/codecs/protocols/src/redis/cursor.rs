//! Reading forward over received bytes without moving them.
//!
//! Scanners are written once against [`Source`]. [`Flat`] is the common case: everything in one segment.
//! [`Across`] walks a chain of segments; it collects only the few bytes of a line that straddles two of them.

use polywire_base::IoBuf;

/// Longest piece that [`Source::window`] guarantees: a type byte, a sign, 20 digits, CRLF, and a reserve.
pub(super) const WINDOW: usize = 32;

/// Unread bytes, from front to back.
pub(super) trait Source {
    /// The next bytes in one piece: at least [`WINDOW`], or all remaining ones.
    fn window(&mut self) -> &[u8];
    /// The number of remaining bytes.
    fn left(&self) -> usize;
    /// Skips `n` bytes; `n` is at most `left`.
    fn skip(&mut self, n: usize);
    /// Number of bytes before the next CR. The first `known` bytes are known to contain none.
    fn line_end(&self, known: usize) -> Option<usize>;
}

/// Bytes in one segment.
pub(super) struct Flat<'a>(pub(super) &'a [u8]);

impl Source for Flat<'_> {
    #[inline]
    fn window(&mut self) -> &[u8] {
        self.0
    }
    #[inline]
    fn left(&self) -> usize {
        self.0.len()
    }
    #[inline]
    fn skip(&mut self, n: usize) {
        self.0 = &self.0[n..];
    }
    #[inline]
    fn line_end(&self, known: usize) -> Option<usize> {
        memchr::memchr(b'\r', &self.0[known..]).map(|at| known + at)
    }
}

/// Bytes in several segments.
pub(super) struct Across<'a> {
    /// The remaining segments in reverse order, so that the next one is popped off the end. No piece is
    /// empty.
    pieces: Vec<&'a [u8]>,
    left: usize,
    scratch: [u8; WINDOW],
}

impl<'a> Across<'a> {
    /// Reads `input` from `pos` on. It searches from the back, so that bytes which arrive one by one after a
    /// long part that has been read do not each cost a walk over that part.
    pub(super) fn new(input: &'a IoBuf, pos: usize) -> Self {
        let left = input.len() - pos;
        let (mut pieces, mut covered) = (Vec::new(), 0);
        for segment in input.segments().rev() {
            if covered >= left {
                break;
            }
            let wanted = segment.len().min(left - covered);
            pieces.push(&segment[segment.len() - wanted..]);
            covered += wanted;
        }
        Across { pieces, left, scratch: [0; WINDOW] }
    }
}

impl Source for Across<'_> {
    fn window(&mut self) -> &[u8] {
        let Some(first) = self.pieces.last() else { return &[] };
        if first.len() >= WINDOW || self.pieces.len() == 1 {
            return first;
        }
        let mut filled = 0;
        for piece in self.pieces.iter().rev() {
            let n = piece.len().min(WINDOW - filled);
            self.scratch[filled..filled + n].copy_from_slice(&piece[..n]);
            filled += n;
            if filled == WINDOW {
                break;
            }
        }
        &self.scratch[..filled]
    }

    fn left(&self) -> usize {
        self.left
    }

    fn skip(&mut self, mut n: usize) {
        self.left -= n;
        while n > 0 {
            let Some(first) = self.pieces.last_mut() else { return };
            if n < first.len() {
                *first = &first[n..];
                return;
            }
            n -= first.len();
            self.pieces.pop();
        }
    }

    fn line_end(&self, known: usize) -> Option<usize> {
        let mut passed = 0;
        for piece in self.pieces.iter().rev() {
            let from = known.saturating_sub(passed).min(piece.len());
            if let Some(at) = memchr::memchr(b'\r', &piece[from..]) {
                return Some(passed + from + at);
            }
            passed += piece.len();
        }
        None
    }
}

/// A decimal number up to CRLF, without its type byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    /// The value, and the length of the line with its CRLF.
    Is(i64, usize),
    /// The bytes end before the line ends.
    Short,
    /// The text is not a canonical number: an optional `-`, digits without leading zeros, CRLF, within 64
    /// bits.
    Bad,
}

/// Reads a canonical decimal number. Hot: once per argument.
#[inline]
pub(super) fn number(bytes: &[u8]) -> Number {
    // Most counts and lengths have one digit or two.
    match bytes {
        [digit @ b'0'..=b'9', b'\r', b'\n', ..] => Number::Is(i64::from(digit - b'0'), 3),
        [tens @ b'1'..=b'9', ones @ b'0'..=b'9', b'\r', b'\n', ..] => {
            Number::Is(i64::from(tens - b'0') * 10 + i64::from(ones - b'0'), 4)
        }
        _ => long_number(bytes),
    }
}

/// Reads the value of an integer reply: "an optional plus (`+`) or minus (`-`) as the sign".
#[inline]
pub(super) fn integer(bytes: &[u8]) -> Number {
    match bytes {
        [b'+'] => Number::Short,
        [b'+', b'0'..=b'9', ..] => match number(&bytes[1..]) {
            Number::Is(value, taken) => Number::Is(value, 1 + taken),
            other => other,
        },
        _ => number(bytes),
    }
}

fn long_number(bytes: &[u8]) -> Number {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let (mut at, mut value) = (start, 0u64);
    loop {
        match bytes.get(at) {
            Some(digit @ b'0'..=b'9') if at - start < 19 => value = value * 10 + u64::from(digit - b'0'),
            Some(b'\r') => break,
            Some(_) => return Number::Bad,
            None => return Number::Short,
        }
        at += 1;
    }
    let digits = &bytes[start..at];
    let canonical = match digits {
        [] => false,
        [b'0'] => !negative,
        [first, ..] => *first != b'0',
    };
    let value = match (negative, i64::try_from(value)) {
        (false, Ok(value)) => value,
        (true, Ok(value)) => -value,
        (true, Err(_)) if value == i64::MIN.unsigned_abs() => i64::MIN,
        (_, Err(_)) => return Number::Bad,
    };
    match bytes.get(at + 1) {
        _ if !canonical => Number::Bad,
        Some(b'\n') => Number::Is(value, at + 2),
        Some(_) => Number::Bad,
        None => Number::Short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_canonical_or_refused() {
        assert_eq!(number(b"7\r\n"), Number::Is(7, 3));
        assert_eq!(number(b"0\r\nrest"), Number::Is(0, 3));
        assert_eq!(number(b"-1\r\n"), Number::Is(-1, 4));
        assert_eq!(number(b"1048576\r\n"), Number::Is(1_048_576, 9));
        assert_eq!(number(b"9223372036854775807\r\n"), Number::Is(i64::MAX, 21));
        assert_eq!(number(b"-9223372036854775808\r\n"), Number::Is(i64::MIN, 22));
        for bad in [
            &b"\r\n"[..],
            b"-\r\n",
            b"-0\r\n",
            b"00\r\n",
            b"04\r\n",
            b"+5\r\n",
            b" 5\r\n",
            b"5x\r\n",
            b"5 \r\n",
            b"5\n",
            b"5\rx",
            b"9223372036854775808\r\n",
            b"-9223372036854775809\r\n",
            b"99999999999999999999\r\n",
            b"00000000000000000000",
        ] {
            assert_eq!(number(bad), Number::Bad, "{}", bad.escape_ascii());
        }
        for short in [&b""[..], b"-", b"1", b"12345", b"12\r"] {
            assert_eq!(number(short), Number::Short, "{}", short.escape_ascii());
        }
    }

    #[test]
    fn segments_read_as_one_piece_would() {
        let bytes: Vec<u8> = (0..200u8).map(|b| if b % 37 == 36 { b'\r' } else { b }).collect();
        for size in [1, 2, 7, 31, 32, 33, 100, 200] {
            let mut input = IoBuf::new();
            bytes.chunks(size).for_each(|piece| input.push(piece.to_vec().into()));
            for pos in 0..=bytes.len() {
                let (mut across, mut flat) = (Across::new(&input, pos), Flat(&bytes[pos..]));
                loop {
                    let (seen, all) = (across.window(), flat.window());
                    assert!(all.starts_with(seen) && seen.len() >= all.len().min(WINDOW));
                    assert_eq!(across.left(), flat.left());
                    assert_eq!(across.line_end(0), flat.line_end(0));
                    let step = flat.left().min(13);
                    assert_eq!(across.line_end(step), flat.line_end(step));
                    if step == 0 {
                        break;
                    }
                    across.skip(step);
                    flat.skip(step);
                }
            }
        }
    }
}
