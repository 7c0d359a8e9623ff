//! Makes texts of a peer safe for a terminal: none of them can move the cursor, set colours or begin a new
//! line.

use std::borrow::Cow;

/// The text with control characters escaped, line ends included: one line stays one.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_, _| false)
}

/// The text with control characters escaped, except for line ends and tabs.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c, next| matches!(c, '\n' | '\t') || (c, next) == ('\r', Some('\n')))
}

fn escaped(text: &str, stays: impl Fn(char, Option<char>) -> bool) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_control() && !stays(c, chars.peek().copied()) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_do_nothing() {
        let text = "tab\tline\nred \u{1b}[31m\r\u{9b}2J\u{7f} é 漢";
        assert_eq!(line(text), "tab\\tline\\nred \\u{1b}[31m\\r\\u{9b}2J\\u{7f} é 漢");
        assert_eq!(lines("end\r\n\r"), "end\r\n\\r");
        assert_eq!(lines(text), "tab\tline\nred \\u{1b}[31m\\r\\u{9b}2J\\u{7f} é 漢");
        assert!(matches!(line("as it is"), Cow::Borrowed("as it is")));
    }
}
