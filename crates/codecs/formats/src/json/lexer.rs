//! A strict tokenizer of JSON (RFC 8259): no comments, no trailing commas, no unquoted names.

use super::{MAX_DEPTH, scan::plain_len};
use crate::FormatError;

/// Reads tokens from the front of a text that is valid UTF-8.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

/// A string token: the text between its quotes, which may contain escapes.
#[derive(Clone, Copy)]
pub(crate) struct Quoted<'t> {
    pub raw: &'t str,
    pub escaped: bool,
}

impl<'t> Lexer<'t> {
    /// A lexer at the start of a text.
    ///
    /// # Errors
    /// If the text is not UTF-8.
    pub fn new(text: &'t [u8]) -> Result<Self, FormatError> {
        match std::str::from_utf8(text) {
            Ok(text) => Ok(Lexer { text, at: 0 }),
            Err(e) => Err(FormatError::Json { at: e.valid_up_to(), what: "not UTF-8".into() }),
        }
    }

    /// Another lexer for the same text, starting at `at`.
    pub fn again(&self, at: usize) -> Lexer<'t> {
        Lexer { text: self.text, at }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.text.len() - self.at
    }

    #[cold]
    pub fn error(&self, what: impl Into<Box<str>>) -> FormatError {
        FormatError::Json { at: self.at, what: what.into() }
    }

    #[inline]
    fn bytes(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The next byte that is not white space, without consuming it.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Consumes `byte` if it comes next.
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[inline]
    pub fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), FormatError> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    #[cold]
    fn unexpected(&self, what: &str) -> FormatError {
        let found = match self.text[self.at..].chars().next() {
            Some(c) => format!("expected {what}, found {c:?}"),
            None => format!("expected {what}, found the end"),
        };
        self.error(found)
    }

    /// After a value inside `[]` or `{}`: whether another value follows.
    #[inline]
    pub fn another(&mut self, end: u8) -> Result<bool, FormatError> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.unexpected(if end == b']' { "`,` or `]`" } else { "`,` or `}`" })),
        }
    }

    /// A member's name and the colon after it.
    #[inline]
    pub fn name(&mut self) -> Result<Quoted<'t>, FormatError> {
        let name = self.string()?;
        self.expect(b':', "`:`")?;
        Ok(name)
    }

    #[inline]
    pub fn string(&mut self) -> Result<Quoted<'t>, FormatError> {
        self.expect(b'"', "a string")?;
        let start = self.at;
        self.at += plain_len(self.bytes());
        if let Some(b'"') = self.text.as_bytes().get(self.at) {
            self.at += 1;
            return Ok(Quoted { raw: &self.text[start..self.at - 1], escaped: false });
        }
        self.string_with_escapes(start)
    }

    #[cold]
    fn string_with_escapes(&mut self, start: usize) -> Result<Quoted<'t>, FormatError> {
        loop {
            match self.bytes() {
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(Quoted { raw: &self.text[start..self.at - 1], escaped: true });
                }
                [b'\\', b'u', tail @ ..] => {
                    let hex = tail.first_chunk::<4>().is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit));
                    if !hex {
                        return Err(self.error("`\\u` without four hexadecimal digits"));
                    }
                    self.at += 6;
                }
                [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
                [b'\\', ..] => return Err(self.error("unknown escape")),
                [_, ..] => return Err(self.error("control character in a string")),
                [] => return Err(self.error("a string without an end")),
            }
            self.at += plain_len(self.bytes());
        }
    }

    /// A number as text; the caller interprets it.
    #[inline]
    pub fn number(&mut self) -> Result<&'t str, FormatError> {
        self.peek();
        let rest = &self.text[self.at..];
        match number_len(rest.as_bytes()) {
            Some(len) => {
                self.at += len;
                Ok(&rest[..len])
            }
            None => Err(self.unexpected("a number")),
        }
    }

    /// Consumes `null`, `true` or `false`, if it comes next.
    #[inline]
    pub fn literal(&mut self, word: &'static str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Skips one value of any kind, `depth` levels down. Iterative, so that depth uses no stack.
    pub fn skip(&mut self, depth: u32) -> Result<(), FormatError> {
        // One bit per open bracket, set for an object. The limit of depth keeps them within the word.
        let (mut objects, mut open): (u128, u32) = (0, 0);
        loop {
            match self.peek() {
                Some(b'"') => drop(self.string()?),
                Some(b'-' | b'0'..=b'9') => drop(self.number()?),
                Some(bracket @ (b'{' | b'[')) => {
                    if depth + open >= MAX_DEPTH {
                        return Err(self.too_deep());
                    }
                    self.at += 1;
                    let object = bracket == b'{';
                    if !self.take(if object { b'}' } else { b']' }) {
                        (objects, open) = (objects << 1 | u128::from(object), open + 1);
                        if object {
                            self.name()?;
                        }
                        continue;
                    }
                }
                _ if self.literal("null") || self.literal("true") || self.literal("false") => {}
                _ => return Err(self.unexpected("a value")),
            }
            loop {
                if open == 0 {
                    return Ok(());
                }
                let object = objects & 1 == 1;
                if self.another(if object { b'}' } else { b']' })? {
                    if object {
                        self.name()?;
                    }
                    break;
                }
                (objects, open) = (objects >> 1, open - 1);
            }
        }
    }

    #[cold]
    pub fn too_deep(&self) -> FormatError {
        self.error("nested more than 100 levels deep")
    }

    /// Checks that only white space follows.
    pub fn end(&mut self) -> Result<(), FormatError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end")),
        }
    }
}

/// Length of the number at the start of `bytes`, by the grammar of RFC 8259.
#[inline]
pub(super) fn number_len(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    match (bytes.get(at)?, digits(at)) {
        (_, 0) => return None,
        (b'0', _) => at += 1,
        (_, count) => at += count,
    }
    if bytes.get(at) == Some(&b'.') {
        match digits(at + 1) {
            0 => return None,
            count => at += 1 + count,
        }
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        match digits((at + 1 + signed).min(bytes.len())) {
            0 => return None,
            count => at += 1 + signed + count,
        }
    }
    Some(at)
}

impl<'t> Quoted<'t> {
    /// Appends the string with its escapes resolved.
    ///
    /// # Errors
    /// If an escape is half of a surrogate pair.
    #[inline]
    pub fn append_to(self, out: &mut Vec<u8>) -> Result<(), &'static str> {
        if !self.escaped {
            out.extend_from_slice(self.raw.as_bytes());
            return Ok(());
        }
        self.unescape(out)
    }

    #[cold]
    fn unescape(self, out: &mut Vec<u8>) -> Result<(), &'static str> {
        let mut rest = self.raw.as_bytes();
        while let Some(at) = memchr::memchr(b'\\', rest) {
            out.extend_from_slice(&rest[..at]);
            // The lexer has checked that the escape is complete.
            let (kind, tail) = (rest[at + 1], &rest[at + 2..]);
            rest = tail;
            out.push(match kind {
                b'b' => 0x08,
                b'f' => 0x0c,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'u' => {
                    let (c, tail) = unicode(tail)?;
                    rest = tail;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    continue;
                }
                other => other,
            });
        }
        out.extend_from_slice(rest);
        Ok(())
    }

    /// The string with its escapes resolved; it is in `scratch` if there are any.
    #[inline]
    pub fn text<'s>(self, scratch: &'s mut Vec<u8>) -> Result<&'s str, &'static str>
    where
        't: 's,
    {
        if !self.escaped {
            return Ok(self.raw);
        }
        scratch.clear();
        self.unescape(scratch)?;
        std::str::from_utf8(scratch).map_err(|_| "not UTF-8")
    }
}

/// The character of a `\u` escape; surrogates come in pairs.
fn unicode(digits: &[u8]) -> Result<(char, &[u8]), &'static str> {
    const HALF: &str = "half of a surrogate pair";
    let (first, tail) = hex4(digits).ok_or(HALF)?;
    if let Some(c) = char::from_u32(first) {
        return Ok((c, tail));
    }
    let (second, tail) = tail.strip_prefix(b"\\u").and_then(hex4).ok_or(HALF)?;
    if first >= 0xdc00 || !(0xdc00..0xe000).contains(&second) {
        return Err(HALF);
    }
    let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    Ok((char::from_u32(code).ok_or(HALF)?, tail))
}

fn hex4(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, tail) = bytes.split_first_chunk::<4>()?;
    let value = digits.iter().try_fold(0, |v, d| Some(v << 4 | (*d as char).to_digit(16)?))?;
    Some((value, tail))
}
