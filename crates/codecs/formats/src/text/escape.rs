//! Escapes of C in strings: text format, and default values in descriptors.

/// Resolves the escapes between two quotes. `None` if one is invalid or truncated.
///
/// Known: `\a \b \f \n \r \t \v \\ \' \" \?`, one to three octal digits, `\x` with one or two hexadecimal
/// ones, `\u` with four, `\U` with eight.
pub(crate) fn unescape(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let (kind, tail) = rest[at + 1..].split_first()?;
        rest = tail;
        match kind {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'\\' | b'\'' | b'"' | b'?' => out.push(*kind),
            b'0'..=b'7' => {
                let (more, tail) = digits(rest, 8, 2);
                rest = tail;
                let value = more.iter().fold(u32::from(kind - b'0'), |v, d| v * 8 + u32::from(d - b'0'));
                out.push(u8::try_from(value).ok()?);
            }
            b'x' | b'X' => {
                let (hex, tail) = digits(rest, 16, 2);
                rest = tail;
                out.push(number(hex, 16)? as u8);
            }
            b'u' | b'U' => {
                let (hex, tail) = digits(rest, 16, if *kind == b'u' { 4 } else { 8 });
                rest = tail;
                let c = char::from_u32(number(hex, 16)?)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return None,
        }
    }
    out.extend_from_slice(rest);
    Some(out)
}

fn digits(text: &[u8], radix: u32, most: usize) -> (&[u8], &[u8]) {
    let count = text.iter().take(most).take_while(|b| (**b as char).is_digit(radix)).count();
    text.split_at(count)
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_of_c_are_undone() {
        for (text, bytes) in [
            (&br"plain"[..], &b"plain"[..]),
            (br#"\a\b\f\n\r\t\v\\\'\"\?"#, b"\x07\x08\x0c\n\r\t\x0b\\'\"?"),
            (br"\0\12\1234\377", b"\0\n\x534\xff"),
            (br"\x1\xfFg", b"\x01\xffg"),
            (br"\u00e9\U0001F600", "é😀".as_bytes()),
            (b"", b""),
        ] {
            assert_eq!(unescape(text).as_deref(), Some(bytes), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn wrong_escapes_are_refused() {
        for text in [&br"\"[..], br"\q", br"\x", br"\400", br"\ud800", br"\U00110000", br"\u"] {
            assert_eq!(unescape(text), None, "{}", text.escape_ascii());
        }
    }
}
