//! Percent-encoding (RFC 3986 2.1) as `google/api/http.proto` asks for it.

/// Decodes a text of a URL: `%41` becomes `A`. `None` if a percent sign is not followed by two hexadecimal
/// digits.
///
/// `keep_slash`: `%2F` stays encoded, because the text has slashes of its own. `plus`: `+` is a space, as in
/// a form.
pub(super) fn decoded(text: &str, keep_slash: bool, plus: bool) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'%', [high, low, tail @ ..]) => {
                let byte = digit(*high)? << 4 | digit(*low)?;
                rest = tail;
                match byte {
                    b'/' if keep_slash => out.extend_from_slice(&[b'%', *high, *low]),
                    byte => out.push(byte),
                }
            }
            (b'%', _) => return None,
            (b'+', _) if plus => out.push(b' '),
            (byte, _) => out.push(*byte),
        }
    }
    Some(out)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// Appends a text encoded for a URL: all but letters, digits and `-_.~` is encoded. `keep_slash`: slashes are
/// not encoded.
pub(super) fn encode(out: &mut String, text: &[u8], keep_slash: bool) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in text {
        match byte {
            b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b'/' if keep_slash => out.push('/'),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => {
                let (high, low) = (HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]);
                out.extend(['%', char::from(high), char::from(low)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        for keep_slash in [false, true] {
            let mut text = String::new();
            encode(&mut text, &all, keep_slash);
            assert_eq!(decoded(&text, keep_slash, false).as_ref(), Some(&all));
            assert_eq!(text.contains('/'), keep_slash);
        }
    }

    #[test]
    fn an_encoded_slash_stays_where_slashes_divide() {
        assert_eq!(decoded("a%2Fb%2f%41", true, false).unwrap(), b"a%2Fb%2fA");
        assert_eq!(decoded("a%2Fb%2f%41", false, false).unwrap(), b"a/b/A");
    }

    #[test]
    fn a_plus_is_a_space_in_queries_alone() {
        assert_eq!(decoded("a+b%2B", false, true).unwrap(), b"a b+");
        assert_eq!(decoded("a+b", false, false).unwrap(), b"a+b");
    }

    #[test]
    fn broken_escapes_are_refused() {
        for text in ["%", "%4", "%zz", "a%4z", "%%41", "%+1"] {
            assert_eq!(decoded(text, false, false), None, "{text}");
        }
    }
}
