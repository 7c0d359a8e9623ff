//! Scans strings eight bytes at a time.
//!
//! A string of JSON runs up to the next quote, backslash or control character, both when reading and when
//! writing. The test for eight bytes at once is the classic one for a zero byte, `(x - 0x01…) & !x & 0x80…`,
//! applied to the word xor the wanted byte, and with 0x20 in place of 0x01 for bytes below it. Borrows
//! produce false marks only above a true one, and only the lowest mark is used.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Number of bytes before the first quote, backslash or control character.
#[inline]
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * u64::from(b'"'));
        let backslash = word ^ (ONES * u64::from(b'\\'));
        let marks = (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash)
            | (word.wrapping_sub(ONES * 0x20) & !word);
        let marks = marks & HIGHS;
        if marks != 0 {
            return i * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    let plain = tail.iter().position(|b| is_special(*b)).unwrap_or(tail.len());
    bytes.len() - tail.len() + plain
}

#[inline]
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Appends a string with its quotes. Only the characters that require it are escaped.
#[inline]
pub(crate) fn put_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    put_content(out, text);
    out.push(b'"');
}

/// Appends the text between the quotes of a string.
#[inline]
pub(super) fn put_content(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    loop {
        let plain = plain_len(rest);
        out.extend_from_slice(&rest[..plain]);
        let [special, tail @ ..] = &rest[plain..] else { return };
        put_escape(out, *special);
        rest = tail;
    }
}

#[cold]
fn put_escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            let (high, low) = (HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]);
            return out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_byte_is_told_apart_at_every_place() {
        for place in 0..20 {
            for byte in 0..=255 {
                let mut bytes = [b'a'; 20];
                bytes[place] = byte;
                assert_eq!(plain_len(&bytes), if is_special(byte) { place } else { 20 }, "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn eight_at_a_time_finds_what_one_at_a_time_finds(bytes: Vec<u8>) {
            let slow = bytes.iter().position(|b| is_special(*b)).unwrap_or(bytes.len());
            prop_assert_eq!(plain_len(&bytes), slow);
        }

        #[test]
        fn a_written_string_is_json_for_others_too(text: String) {
            let mut out = Vec::new();
            put_string(&mut out, &text);
            prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }
    }
}
