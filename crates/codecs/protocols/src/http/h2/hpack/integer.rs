//! Integers with a prefix of 1 to 8 bits.
//!
//! ```text
//!    0   1   2   3   4   5   6   7
//!  +---+---+---+---+---+---+---+---+
//!  | ?   ?   ? |    all ones       |  value - (2^N - 1) follows, 7 bits a byte, lowest first;
//!  +---+---+---+---+---+---+---+---+  the high bit says that another byte follows
//!  | 1 |    lowest 7 bits          |
//!  +---+---------------------------+
//! ```
//!
//! Source: RFC 7541 5.1

use super::Error;
use bytes::{BufMut, BytesMut};

/// Most further bytes of an integer: enough for 32 bits.
const FURTHER: usize = 5;

/// Takes an integer off the front. The bits of the first byte above the prefix have another meaning and are
/// ignored.
#[inline]
pub(super) fn read(block: &mut &[u8], prefix: u32) -> Result<usize, Error> {
    let (&first, rest) = block.split_first().ok_or(Error::Cut)?;
    *block = rest;
    let most = (1 << prefix) - 1;
    let value = usize::from(first) & most;
    if value < most { Ok(value) } else { read_rest(block, value) }
}

#[cold]
fn read_rest(block: &mut &[u8], low: usize) -> Result<usize, Error> {
    let mut value = low as u64;
    for n in 0..FURTHER {
        let (&byte, rest) = block.split_first().ok_or(Error::Cut)?;
        *block = rest;
        value += u64::from(byte & 0x7f) << (7 * n);
        if byte & 0x80 == 0 {
            return u32::try_from(value).map(|v| v as usize).map_err(|_| Error::Integer);
        }
    }
    Err(Error::Integer)
}

/// Writes `value` after the bits of `first` above the prefix.
#[inline]
pub(super) fn write(out: &mut BytesMut, first: u8, prefix: u32, value: usize) {
    let most = (1 << prefix) - 1;
    if value < most {
        out.put_u8(first | value as u8);
    } else {
        write_rest(out, first | most as u8, value - most);
    }
}

#[cold]
fn write_rest(out: &mut BytesMut, first: u8, mut value: usize) {
    out.put_u8(first);
    while value >= 0x80 {
        out.put_u8(value as u8 | 0x80);
        value >>= 7;
    }
    out.put_u8(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(first: u8, prefix: u32, value: usize) -> Vec<u8> {
        let mut out = BytesMut::new();
        write(&mut out, first, prefix, value);
        out.to_vec()
    }

    #[test]
    fn examples_of_the_rfc() {
        // RFC 7541 C.1.1 to C.1.3
        for (prefix, value, bytes) in [(5, 10, &[10][..]), (5, 1337, &[31, 154, 10]), (8, 42, &[42])] {
            assert_eq!(written(0, prefix, value), bytes);
            assert_eq!(read(&mut &bytes[..], prefix), Ok(value));
        }
    }

    #[test]
    fn too_long_and_too_large_ones_are_refused() {
        assert_eq!(read(&mut &[0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01][..], 7), Err(Error::Integer));
        assert_eq!(read(&mut &[0x7f, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00][..], 7), Err(Error::Integer));
        assert_eq!(read(&mut &[0x7f, 0xff, 0xff, 0xff, 0xff, 0x7f][..], 7), Err(Error::Integer));
        assert_eq!(read(&mut &[0x7f, 0x80, 0xff, 0xff, 0xff, 0x0f][..], 7), Ok(u32::MAX as usize));
        assert_eq!(read(&mut &[0x7f, 0x80][..], 7), Err(Error::Cut));
        assert_eq!(read(&mut &[][..], 7), Err(Error::Cut));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(prefix in 1u32..=8, value in 0usize..=u32::MAX as usize, first: u8) {
            let first = first & !((1u16 << prefix) - 1) as u8;
            let bytes = written(first, prefix, value);
            let mut rest = &bytes[..];
            prop_assert_eq!(read(&mut rest, prefix), Ok(value));
            prop_assert!(rest.is_empty());
            prop_assert_eq!(bytes[0] & first, first);
        }
    }
}
