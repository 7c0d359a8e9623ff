//! Texts of peers, made harmless for every form.
//!
//! Names, keys, agents and error texts are chosen by peers. A terminal obeys escape sequences, and characters
//! that turn the direction of writing make a text look like another one; both are shown as `\u{..}`.

use std::{borrow::Cow, fmt::Write};

/// Characters of a text that are shown; a longer one is followed by its length.
pub const MOST: usize = 256;

/// The text with control and direction characters shown as `\u{..}`, cut at [`MOST`] characters.
pub fn shown(text: &str) -> Cow<'_, str> {
    cut_at(text, MOST)
}

/// Like [`shown`], but not shortened: for texts of the program itself.
pub fn whole(text: &str) -> Cow<'_, str> {
    cut_at(text, usize::MAX)
}

fn cut_at(text: &str, most: usize) -> Cow<'_, str> {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    if end == text.len() && !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(end + 16);
    for char in text[..end].chars() {
        if is_hidden(char) {
            let _ = write!(shown, "\\u{{{:x}}}", char as u32); // writing to a string does not fail
        } else {
            shown.push(char);
        }
    }
    if end < text.len() {
        let _ = write!(shown, "… ({} bytes)", text.len());
    }
    Cow::Owned(shown)
}

/// Whether a character is a control character, changes the direction of writing or has no width.
pub fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text as a part of a path or as a value of a query: everything but letters, digits and `-._~` as `%XX`.
pub fn percent(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// A name with slashes, like methods' names, as the end of an address.
pub fn path(name: &str) -> String {
    name.split('/').map(percent).collect::<Vec<_>>().join("/")
}

/// Decodes the output of [`percent`]; with `plus`, a plus is a space, as in forms. Bytes that are not UTF-8
/// become `\u{fffd}`.
pub fn unpercent(text: &str, plus: bool) -> String {
    let (mut bytes, text) = (Vec::with_capacity(text.len()), text.as_bytes());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let digits = text.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let hex = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (byte, hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(meant)) => {
                bytes.push(meant);
                at += 2;
            }
            (b'+', _) if plus => bytes.push(b' '),
            _ => bytes.push(byte),
        }
        at += 1;
    }
    String::from_utf8(bytes).unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_and_turned_texts_are_shown() {
        assert_eq!(shown("a\x1b[31mb\r\n"), "a\\u{1b}[31mb\\u{d}\\u{a}");
        assert_eq!(shown("exe.\u{202e}gpj"), "exe.\\u{202e}gpj");
        assert_eq!(shown("größer 你好"), "größer 你好");
    }

    #[test]
    fn a_long_text_is_cut_with_its_length() {
        assert_eq!(shown(&"ü".repeat(256)), "ü".repeat(256));
        assert_eq!(shown(&"ü".repeat(257)), "ü".repeat(256) + "… (514 bytes)");
        assert_eq!(whole(&"x".repeat(9000)).len(), 9000);
    }

    #[test]
    fn parts_of_addresses_come_back() {
        for text in ["shop.Orders/Place", "ä\"<>&'%41", "a+b c", ""] {
            assert_eq!(unpercent(&percent(text), true), text);
        }
        assert_eq!(percent("a/b\"?"), "a%2Fb%22%3F");
        assert_eq!(
            (unpercent("a+b%2", true), unpercent("a+b%zz%", false)),
            ("a b%2".into(), "a+b%zz%".into())
        );
        assert_eq!(unpercent("%ff", false), "\u{fffd}");
    }
}
