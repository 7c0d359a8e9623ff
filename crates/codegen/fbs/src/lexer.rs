//! Splits text into tokens.

/// A token with its line, counted from 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub line: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A name, including dots.
    Name(String),
    /// A number as written, including its sign.
    Number(String),
    Text(String),
    /// A documentation comment, `///`.
    Doc(String),
    Sign(char),
    End,
}

/// An error and its line.
pub(crate) type Wrong = (usize, String);

pub(crate) fn tokens(source: &str) -> Result<Vec<Token>, Wrong> {
    let mut lexer = Lexer { rest: source, line: 1 };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        let end = token.kind == Kind::End;
        tokens.push(token);
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'s> {
    rest: &'s str,
    line: usize,
}

impl<'s> Lexer<'s> {
    fn next(&mut self) -> Result<Token, Wrong> {
        loop {
            self.take(|c| c.is_whitespace() || c == '\u{feff}');
            if let Some(doc) = self.rest.strip_prefix("///") {
                self.rest = doc;
                let line = self.line;
                let text = self.take(|c| c != '\n');
                let text = text.strip_prefix(' ').unwrap_or(text).trim_end();
                return Ok(Token { kind: Kind::Doc(text.to_owned()), line });
            }
            if self.rest.starts_with("//") {
                self.take(|c| c != '\n');
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/").ok_or((self.line, "a comment without an end".to_owned()))?;
                self.skip(end + 2);
            } else {
                break;
            }
        }
        let line = self.line;
        Ok(Token { kind: self.kind()?, line })
    }

    fn kind(&mut self) -> Result<Kind, Wrong> {
        let Some(first) = self.rest.chars().next() else { return Ok(Kind::End) };
        let second = self.rest[first.len_utf8()..].chars().next();
        match first {
            '"' | '\'' => self.text(first),
            'a'..='z' | 'A'..='Z' | '_' => Ok(Kind::Name(self.take(is_in_name).to_owned())),
            '0'..='9' => Ok(Kind::Number(self.number())),
            '+' | '-' | '.' if second.is_some_and(|c| c.is_ascii_alphanumeric() || c == '.') => {
                Ok(Kind::Number(self.number()))
            }
            _ => {
                self.skip(first.len_utf8());
                Ok(Kind::Sign(first))
            }
        }
    }

    /// Reads digits, letters, dots; signs at the beginning and after an exponent.
    fn number(&mut self) -> String {
        let mut end = 0;
        let bytes = self.rest.as_bytes();
        let hexadecimal = self.rest.trim_start_matches(['+', '-']).starts_with(['x', 'X'])
            || self.rest.trim_start_matches(['+', '-']).get(1..2).is_some_and(|c| c == "x" || c == "X");
        while let Some(&byte) = bytes.get(end) {
            let sign = matches!(byte, b'+' | b'-');
            let exponent = if hexadecimal { [b'p', b'P'] } else { [b'e', b'E'] };
            let after_exponent = end > 0 && exponent.contains(&bytes[end - 1]);
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || sign && (end == 0 || after_exponent)) {
                break;
            }
            end += 1;
        }
        let number = self.rest[..end].to_owned();
        self.skip(end);
        number
    }

    fn text(&mut self, quote: char) -> Result<Kind, Wrong> {
        let line = self.line;
        let wrong = |what: &str| (line, what.to_owned());
        let mut text = Vec::new();
        let mut bytes = self.rest.bytes().enumerate().skip(1);
        loop {
            let Some((at, byte)) = bytes.next().filter(|(_, byte)| *byte != b'\n') else {
                return Err(wrong("a text without an end"));
            };
            if byte == quote as u8 {
                self.skip(at + 1);
                let text = String::from_utf8(text).map_err(|_| wrong("a text that is not UTF-8"))?;
                return Ok(Kind::Text(text));
            }
            if byte != b'\\' {
                text.push(byte);
                continue;
            }
            let (taken, escaped) =
                escape(&self.rest[at + 1..]).ok_or(wrong("an unknown escape in a text"))?;
            text.extend(escaped);
            bytes.nth(taken - 1);
        }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'s str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let taken = &self.rest[..end];
        self.skip(end);
        taken
    }

    fn skip(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count();
        self.rest = &self.rest[bytes..];
    }
}

/// The number of bytes after a backslash that belong to it, and the bytes they stand for.
fn escape(rest: &str) -> Option<(usize, Vec<u8>)> {
    let unit = |rest: &str| {
        let digits = rest.get(1..5).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let plain = |byte: u8| Some((1, vec![byte]));
    match rest.bytes().next()? {
        b'n' => plain(b'\n'),
        b't' => plain(b'\t'),
        b'r' => plain(b'\r'),
        b'b' => plain(8),
        b'f' => plain(12),
        byte @ (b'"' | b'\'' | b'\\' | b'/') => plain(byte),
        b'x' => {
            let digits = rest.get(1..3).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()))?;
            Some((3, vec![u8::from_str_radix(digits, 16).ok()?]))
        }
        b'u' => {
            let first = unit(rest)?;
            let second =
                rest.get(5..).and_then(|rest| rest.strip_prefix('\\')).filter(|r| r.starts_with('u'));
            let second = second.and_then(unit).filter(|_| (0xd800..0xdc00).contains(&first));
            let units: Vec<u16> = [first].into_iter().chain(second).collect();
            let taken = if second.is_some() { 11 } else { 5 };
            String::from_utf16(&units).ok().map(|text| (taken, text.into_bytes()))
        }
        _ => None,
    }
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}
