//! Words, texts and symbols of a definition.

/// A part of the text. Names of types and numbers are words, with their dots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'t> {
    Word(&'t str),
    /// What stands between quotes, with its escapes.
    Text(&'t str),
    Symbol(u8),
    End,
}

pub struct Lexer<'t> {
    text: &'t str,
    /// Of what was not read yet.
    at: usize,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Lexer { text, at: 0 }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    /// `None`: a text without an end.
    pub fn next(&mut self) -> Option<Token<'t>> {
        self.skip();
        let bytes = self.text.as_bytes();
        let Some(first) = bytes.get(self.at) else { return Some(Token::End) };
        let begin = self.at;
        match first {
            b'"' | b'\'' => {
                self.at += 1;
                while *bytes.get(self.at)? != *first {
                    self.at += if bytes[self.at] == b'\\' { 2 } else { 1 };
                }
                self.at += 1;
                // Quotes are of one byte, so that both places are between characters.
                Some(Token::Text(self.text.get(begin + 1..self.at - 1)?))
            }
            first if is_of_word(*first) => {
                self.at += bytes[self.at..].iter().take_while(|byte| is_of_word(**byte)).count();
                Some(Token::Word(self.text.get(begin..self.at)?))
            }
            symbol => {
                self.at += 1;
                Some(Token::Symbol(*symbol))
            }
        }
    }

    /// White space and comments.
    fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            let rest = &bytes[self.at..];
            self.at += match rest {
                [byte, ..] if byte.is_ascii_whitespace() => 1,
                [b'/', b'/', ..] => rest.iter().take_while(|byte| **byte != b'\n').count(),
                _ => return,
            }
        }
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}
