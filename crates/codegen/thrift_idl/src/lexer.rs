//! Splits text into tokens.

use crate::place::{Place, Wrong, wrong};

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub place: Place,
    /// The comment `/** … */` in front of the token.
    pub doc: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A name or a keyword, including dots.
    Name(String),
    Int(i64),
    Double(f64),
    Text(String),
    Sign(char),
    End,
}

/// All tokens of a file; the last one is [`Kind::End`].
pub(crate) fn tokens(source: &str) -> Result<Vec<Token>, Wrong> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut lexer = Lexer { rest: source, place: Place { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        let doc = lexer.blank()?;
        let place = lexer.place;
        let kind = lexer.kind()?;
        let end = kind == Kind::End;
        tokens.push(Token { kind, place, doc });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'s> {
    rest: &'s str,
    place: Place,
}

impl<'s> Lexer<'s> {
    /// Skips space and comments; returns the last documentation comment.
    fn blank(&mut self) -> Result<Option<String>, Wrong> {
        let mut doc = None;
        loop {
            self.take(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                self.take(|c| c != '\n');
            } else if let Some(inside) = self.rest.strip_prefix("/*") {
                let end = inside.find("*/").ok_or_else(|| {
                    wrong(self.place, "this comment has no end: write `*/` where it ends".to_owned())
                })?;
                // `/**/` and `/***/` document nothing.
                if let Some(text) = inside[..end].strip_prefix('*') {
                    let text = tidy(text);
                    doc = Some(text).filter(|text| !text.is_empty()).or(doc);
                }
                self.skip(2 + end + 2);
            } else {
                return Ok(doc);
            }
        }
    }

    fn kind(&mut self) -> Result<Kind, Wrong> {
        let Some(first) = self.rest.chars().next() else { return Ok(Kind::End) };
        match first {
            '"' | '\'' => self.text(first),
            'a'..='z' | 'A'..='Z' | '_' => Ok(Kind::Name(self.take(is_in_name).to_owned())),
            '0'..='9' | '+' | '-' | '.' => self.number(),
            ':' | ';' | ',' | '{' | '}' | '(' | ')' | '=' | '<' | '>' | '[' | ']' | '*' | '&' => {
                self.skip(1);
                Ok(Kind::Sign(first))
            }
            _ => Err(wrong(self.place, format!("`{}` has no meaning here", first.escape_default()))),
        }
    }

    /// A number: digits, `0x` and digits, or a fraction, with a sign in front.
    fn number(&mut self) -> Result<Kind, Wrong> {
        let place = self.place;
        let bytes = self.rest.as_bytes();
        let sign = usize::from(matches!(bytes[0], b'+' | b'-'));
        let digits = |from: usize, is: fn(&u8) -> bool| {
            from + bytes.get(from..).unwrap_or_default().iter().take_while(|byte| is(byte)).count()
        };
        if self.rest[sign..].starts_with("0x") {
            let end = digits(sign + 2, u8::is_ascii_hexdigit);
            let written = &self.rest[..end];
            let value = i64::from_str_radix(&format!("{}{}", &written[..sign], &written[sign + 2..]), 16);
            let value = value.map_err(|_| wrong(place, format!("`{written}` is not a number of 64 bits")))?;
            self.skip(end);
            return self.separated(place).map(|()| Kind::Int(value));
        }
        let mut end = digits(sign, u8::is_ascii_digit);
        let mut is_int = end > sign;
        if bytes.get(end) == Some(&b'.') {
            (end, is_int) = (digits(end + 1, u8::is_ascii_digit), false);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign, u8::is_ascii_digit);
            if exponent > end + 1 + sign {
                (end, is_int) = (exponent, false);
            }
        }
        let written = &self.rest[..end];
        let kind = match is_int {
            true => written.parse().ok().map(Kind::Int),
            false => written.parse().ok().map(Kind::Double),
        };
        let kind = kind.ok_or_else(|| match is_int {
            true => wrong(place, format!("`{written}` is not a number of 64 bits")),
            false => wrong(place, format!("`{written}` is not a number")),
        })?;
        self.skip(end);
        self.separated(place).map(|()| kind)
    }

    /// Refuses letters right after a number: `12ab` would be two tokens.
    fn separated(&self, place: Place) -> Result<(), Wrong> {
        match self.rest.chars().next() {
            Some(c) if is_in_name(c) => Err(wrong(place, format!("a number ends before `{c}`"))),
            _ => Ok(()),
        }
    }

    fn text(&mut self, quote: char) -> Result<Kind, Wrong> {
        let place = self.place;
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        loop {
            let without_end =
                || wrong(place, format!("this text has no end: write `{quote}` in the same line"));
            let (at, next) = chars.next().filter(|(_, c)| *c != '\n').ok_or_else(without_end)?;
            if next == quote {
                self.skip(at + 1);
                return Ok(Kind::Text(text));
            }
            if next != '\\' {
                text.push(next);
                continue;
            }
            match chars.next().ok_or_else(without_end)?.1 {
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                't' => text.push('\t'),
                escaped @ ('"' | '\'' | '\\') => text.push(escaped),
                other => {
                    let what = format!(
                        "`\\{}` is unknown: Thrift has `\\n`, `\\r`, `\\t`, `\\\"`, `\\'` and `\\\\`",
                        other.escape_default()
                    );
                    return Err(wrong(place, what));
                }
            }
        }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'s str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let taken = &self.rest[..end];
        self.skip(end);
        taken
    }

    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        match skipped.rfind('\n') {
            None => self.place.column += skipped.chars().count(),
            Some(last) => {
                self.place.line += skipped.matches('\n').count();
                self.place.column = 1 + skipped[last + 1..].chars().count();
            }
        }
    }
}

/// The lines of a comment without the stars in front of them and without empty lines around them.
fn tidy(comment: &str) -> String {
    let plain = |line: &str| {
        let line = line.trim();
        let line = line.strip_prefix('*').unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
    };
    let lines: Vec<String> = comment.lines().map(plain).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}
