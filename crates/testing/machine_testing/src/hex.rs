//! Golden bytes in the form in which the sheets print them.

/// Parses bytes from hex text. Spaces, newlines, `|`, `_` and `,` separate groups, and a `#` begins a comment
/// up to the end of its line; a group may have any even number of digits.
///
/// ```
/// # use polywire_machine_testing::hex;
/// let header = hex("50 52 50 43   # PRPC
///                   0000 000a     # body size");
/// assert_eq!(header, b"PRPC\x00\x00\x00\x0a");
/// ```
///
/// # Panics
/// On anything that is not hex: a golden text with a typing error must not pass for other bytes.
pub fn hex(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or("");
        for group in line.split(|c: char| c.is_whitespace() || matches!(c, '|' | '_' | ',')) {
            assert!(group.len() % 2 == 0, "odd number of hex digits in {group:?} of {line:?}");
            bytes.extend(group.as_bytes().chunks(2).map(|pair| {
                let pair = std::str::from_utf8(pair).ok();
                let byte = pair.filter(|p| !p.contains('+')).and_then(|p| u8::from_str_radix(p, 16).ok());
                byte.unwrap_or_else(|| panic!("no hex digits: {group:?} in {line:?}"))
            }));
        }
    }
    bytes
}

/// The opposite of [`hex`], sixteen bytes a line, for messages of failed tests.
///
/// ```
/// # use polywire_machine_testing::{hex, hex_dump};
/// assert_eq!(hex_dump(b"PRPC"), "50 52 50 43");
/// assert_eq!(hex(&hex_dump(&[7; 40])), [7; 40]);
/// ```
pub fn hex_dump(bytes: &[u8]) -> String {
    let line = |l: &[u8]| l.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ");
    bytes.chunks(16).map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_separators_carry_no_bytes() {
        assert_eq!(hex("# nothing\n 00|ff_10, 2A # 99\n"), [0, 0xff, 0x10, 0x2a]);
        assert_eq!(hex(""), []);
    }

    #[test]
    #[should_panic(expected = "odd number")]
    fn half_a_byte_is_refused() {
        hex("50 5");
    }

    #[test]
    #[should_panic(expected = "no hex digits")]
    fn letters_beyond_f_are_refused() {
        hex("5g");
    }
}
