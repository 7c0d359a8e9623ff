//! Tokens of text format.
//!
//! Source: protobuf.dev, reference/protobuf/textformat-spec.

use super::escape::unescape;
use crate::FormatError;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// Names and words: `true`, `inf`.
    Word(&'t str),
    /// An unsigned number with all its characters.
    Number(&'t str),
    /// One string; adjacent strings are not joined.
    Text(Vec<u8>),
    /// `{ } < > [ ] : , ; - / .`
    Sign(u8),
    End,
}

pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    pub line: u32,
    /// The token that was read ahead.
    next: Option<(Token<'t>, u32)>,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t [u8]) -> Result<Self, FormatError> {
        match std::str::from_utf8(text) {
            Ok(text) => Ok(Tokens { text, at: 0, line: 1, next: None }),
            Err(_) => Err(FormatError::Text { line: 1, what: "not UTF-8".into() }),
        }
    }

    #[cold]
    pub fn error(&self, what: impl Into<Box<str>>) -> FormatError {
        FormatError::Text { line: self.line, what: what.into() }
    }

    pub fn peek(&mut self) -> Result<&Token<'t>, FormatError> {
        if self.next.is_none() {
            self.next = Some((self.read()?, self.line));
        }
        Ok(&self.next.as_ref().expect("filled above").0)
    }

    pub fn next(&mut self) -> Result<Token<'t>, FormatError> {
        match self.next.take() {
            Some((token, _)) => Ok(token),
            None => self.read(),
        }
    }

    pub fn take(&mut self, sign: u8) -> Result<bool, FormatError> {
        let found = *self.peek()? == Token::Sign(sign);
        if found {
            self.next = None;
        }
        Ok(found)
    }

    pub fn expect(&mut self, sign: u8) -> Result<(), FormatError> {
        if self.take(sign)? { Ok(()) } else { Err(self.error(format!("expected `{}`", sign as char))) }
    }

    fn read(&mut self) -> Result<Token<'t>, FormatError> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let Some(first) = rest.bytes().next() else { return Ok(Token::End) };
        let run = |more: fn(u8) -> bool| rest.bytes().take_while(|b| more(*b)).count();
        let len = match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => run(|b| b.is_ascii_alphanumeric() || b == b'_'),
            b'0'..=b'9' => number_len(rest.as_bytes()),
            b'.' if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => number_len(rest.as_bytes()),
            b'"' | b'\'' => return self.string(first),
            b'{' | b'}' | b'<' | b'>' | b'[' | b']' | b':' | b',' | b';' | b'-' | b'/' | b'.' => 1,
            _ => return Err(self.error("an unexpected character")),
        };
        self.at += len;
        let token = &rest[..len];
        Ok(match first {
            b'0'..=b'9' => Token::Number(token),
            b'.' if len > 1 => Token::Number(token),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Token::Word(token),
            sign => Token::Sign(sign),
        })
    }

    fn skip_space(&mut self) {
        let mut comment = false;
        for byte in self.text[self.at..].bytes() {
            match byte {
                b'\n' => {
                    comment = false;
                    self.line += 1;
                }
                _ if comment => {}
                b'#' => comment = true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn string(&mut self, quote: u8) -> Result<Token<'t>, FormatError> {
        let start = self.at + 1;
        let mut bytes = self.text.as_bytes()[start..].iter().enumerate();
        while let Some((i, byte)) = bytes.next() {
            match *byte {
                b'\n' => return Err(self.error("a string without an end")),
                b'\\' => drop(bytes.next()),
                b if b == quote => {
                    self.at = start + i + 1;
                    let content = unescape(&self.text.as_bytes()[start..start + i]);
                    return content.map(Token::Text).ok_or_else(|| self.error("unknown escape"));
                }
                _ => {}
            }
        }
        Err(self.error("a string without an end"))
    }
}

/// Length of a number: digits, letters and points; a sign after the `e` of a decimal number.
fn number_len(bytes: &[u8]) -> usize {
    let hex = bytes.starts_with(b"0x") || bytes.starts_with(b"0X");
    let mut len = 0;
    while let Some(byte) = bytes.get(len) {
        let exponent_sign = matches!(byte, b'+' | b'-') && !hex && matches!(bytes[len - 1], b'e' | b'E');
        if !(byte.is_ascii_alphanumeric() || *byte == b'.' || exponent_sign) {
            break;
        }
        len += 1;
    }
    len
}
