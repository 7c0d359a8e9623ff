//! Keys: which can be sent, and to which server.

use crate::error::KeyError;
use polywire_base::murmur3_32;
use polywire_protocols::memcache::MAX_KEY;

/// Checks a key. `binary`: any bytes are allowed.
///
/// # Errors
/// The key is empty, too long, or not plain text.
pub(crate) fn check(key: &[u8], binary: bool) -> Result<(), KeyError> {
    if key.is_empty() {
        Err(KeyError::Empty)
    } else if key.len() > MAX_KEY {
        Err(KeyError::TooLong)
    } else if !binary && !is_text(key) {
        Err(KeyError::NotText)
    } else {
        Ok(())
    }
}

/// Whether the text protocol can carry the key unchanged.
#[inline]
pub(crate) fn is_text(key: &[u8]) -> bool {
    key.iter().all(|&byte| byte > b' ' && byte != 0x7f)
}

/// The place on a ring: the rings of brpc use the low half, `ring_hash` both.
#[inline]
pub(crate) fn place(key: &[u8]) -> u64 {
    u64::from(murmur3_32(key, 1)) << 32 | u64::from(murmur3_32(key, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_up_to_250_bytes_without_spaces() {
        assert_eq!(check(b"k", false), Ok(()));
        assert_eq!(check("schlüssel".as_bytes(), false), Ok(()));
        assert_eq!(check(&[b'k'; 250], false), Ok(()));
        assert_eq!(check(&[b'k'; 251], false), Err(KeyError::TooLong));
        assert_eq!(check(b"", true), Err(KeyError::Empty));
        for key in [&b"a b"[..], b"a\r\nset", b"a\0", b"\x7f"] {
            assert_eq!(check(key, false), Err(KeyError::NotText));
            assert_eq!(check(key, true), Ok(()));
        }
    }
}
