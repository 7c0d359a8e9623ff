//! Rewrites the text of an edition in the syntax of proto2.
//!
//! | in an edition | in proto2 |
//! | --- | --- |
//! | `edition = "2023";` | `syntax = "proto2";` |
//! | `string name = 1;` in a message or an `extend` | `optional string name = 1;` |
//! | `reserved name, other;` | `reserved "name", "other";` |
//! | `export message M`, `local enum E` | `message M`, `enum E` |
//! | `import option "a.proto";` | `import "a.proto";` |
//! | `option features.x = Y;`, `[features.x = Y]` | left out |
//! | `import "google/protobuf/cpp_features.proto";` and the like | left out |
//!
//! Removed text becomes blanks, so that line numbers do not change.

use std::ops::Range;

/// The text of an edition in proto2.
pub(super) struct Rewritten {
    pub without_features: String,
    /// The text that is parsed to find the features.
    pub with_features: String,
}

/// Features of the runtimes of other languages, which do not affect ours.
const OF_LANGUAGES: [&str; 4] =
    ["cpp_features.proto", "go_features.proto", "java_features.proto", "java_mutable_features.proto"];

/// The edition at the beginning of a file: its line, its statement and its value.
pub(super) fn edition(source: &str) -> Option<(usize, &str, &str)> {
    let source = source.trim_start_matches('\u{feff}');
    let mut tokens = tokens(source);
    let [word, is, value, end] = [tokens.next()?, tokens.next()?, tokens.next()?, tokens.next()?];
    if (word.text, is.text, end.text) != ("edition", "=", ";") {
        return None;
    }
    let statement = &source[word.at..end.at + 1];
    Some((line(source, word.at), statement, value.text.trim_matches(['"', '\''])))
}

/// Rewrites a file of an edition.
///
/// # Errors
/// A syntax error, with line and column.
pub(super) fn proto2(source: &str) -> Result<Rewritten, String> {
    let mut rewrite =
        Rewrite { tokens: tokens(source).collect(), next: 0, edits: Vec::new(), features: Vec::new() };
    rewrite.body(Scope::File).map_err(|Wrong { at, what }| {
        let column = source[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("{}:{column}: {what}", line(source, at))
    })?;
    let Rewrite { edits, features, .. } = rewrite;
    let with_features = applied(source, edits.clone());
    let without_features = applied(source, edits.into_iter().chain(features).collect());
    Ok(Rewritten { without_features, with_features })
}

fn line(source: &str, at: usize) -> usize {
    source[..at].matches('\n').count() + 1
}

#[derive(Clone)]
struct Edit {
    range: Range<usize>,
    /// The replacement; blanks if there is none.
    with: Option<String>,
}

/// The source with its edits. Where edits overlap, the one that starts later is applied only to the rest of
/// its range.
fn applied(source: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let (mut out, mut from) = (String::with_capacity(source.len() + 64), 0);
    for Edit { range, with } in edits {
        let start = range.start.max(from);
        let end = range.end.max(start);
        out.push_str(&source[from..start]);
        match with {
            Some(text) => out.push_str(&text),
            None => out.extend(source[start..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })),
        }
        from = end;
    }
    out.push_str(&source[from..]);
    out
}

#[derive(Clone, Copy)]
struct Token<'s> {
    text: &'s str,
    at: usize,
}

impl Token<'_> {
    fn end(self) -> usize {
        self.at + self.text.len()
    }
    fn is_word(self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
    fn names_features(self) -> bool {
        self.text == "features" || self.text.starts_with("features.")
    }
}

/// Words with their dots, texts, and single characters; without blanks and comments.
fn tokens(source: &str) -> impl Iterator<Item = Token<'_>> {
    let (bytes, mut at) = (source.as_bytes(), 0);
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || !byte.is_ascii();
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let rest = &source[at..];
            let length = if byte.is_ascii_whitespace() {
                at += 1;
                continue;
            } else if rest.starts_with("//") {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            } else if rest.starts_with("/*") {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            } else if matches!(byte, b'"' | b'\'') {
                text_length(rest.as_bytes())
            } else {
                bytes[at..].iter().take_while(|byte| in_word(byte)).count().max(1)
            };
            let token = Token { text: &source[at..at + length], at };
            at += length;
            return Some(token);
        }
        None
    })
}

/// Length of a quoted text; up to the end of the line if it is not closed.
fn text_length(text: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate().skip(1) {
        match byte {
            b'\n' => return at,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if *byte == text[0] => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[derive(Clone, Copy, PartialEq)]
enum Scope {
    File,
    /// The body of a message or `extend`.
    Fields,
    Oneof,
    /// The body of an enum, a service or a method.
    Other,
}

struct Wrong {
    at: usize,
    what: String,
}

struct Rewrite<'s> {
    tokens: Vec<Token<'s>>,
    next: usize,
    edits: Vec<Edit>,
    /// Edits that remove the features.
    features: Vec<Edit>,
}

impl<'s> Rewrite<'s> {
    fn peek(&self, ahead: usize) -> &'s str {
        self.tokens.get(self.next + ahead).map_or("", |token| token.text)
    }

    /// Reads statements up to the closing brace. The text may have any errors, which protox will report.
    fn body(&mut self, scope: Scope) -> Result<(), Wrong> {
        // A stack instead of recursion, because files may nest messages arbitrarily deep.
        let mut scopes = vec![scope];
        while let (Some(&token), Some(&scope)) = (self.tokens.get(self.next), scopes.last()) {
            match (token.text, scope) {
                ("}", _) => {
                    scopes.pop();
                    self.next += 1;
                    if scopes.is_empty() {
                        scopes.push(Scope::File);
                    }
                }
                (";", _) => self.next += 1,
                ("edition", Scope::File) if self.peek(1) == "=" => {
                    let statement = self.statement();
                    self.edits.push(Edit { range: statement, with: Some("syntax = \"proto2\";".to_owned()) });
                }
                ("export" | "local", _) if matches!(self.peek(1), "message" | "enum") => {
                    self.edits.push(Edit { range: token.at..token.end(), with: None });
                    self.next += 1;
                }
                ("import", Scope::File) => self.import(),
                ("option", _) if self.tokens.get(self.next + 1).is_some_and(|name| name.names_features()) => {
                    let statement = self.statement();
                    self.features.push(Edit { range: statement, with: None });
                }
                ("option", _) | ("package", Scope::File) => {
                    self.statement();
                }
                ("extensions", Scope::Fields) => self.with_options(),
                ("reserved", _) => self.reserved(),
                ("message", _) if self.peek(2) == "{" => self.open(&mut scopes, Scope::Fields),
                ("extend", _) if self.peek(2) == "{" => self.open(&mut scopes, Scope::Fields),
                ("oneof", Scope::Fields) if self.peek(2) == "{" => self.open(&mut scopes, Scope::Oneof),
                ("enum" | "service", _) if self.peek(2) == "{" => self.open(&mut scopes, Scope::Other),
                ("rpc", Scope::Other) if self.peek(1) != "=" => self.method(&mut scopes),
                (_, scope) => self.field(token, scope)?,
            }
        }
        Ok(())
    }

    /// Skips `message M {`.
    fn open(&mut self, scopes: &mut Vec<Scope>, scope: Scope) {
        scopes.push(scope);
        self.next += 3;
    }

    /// Skips to the `;` that ends a statement; braces and brackets inside belong to it.
    fn statement(&mut self) -> Range<usize> {
        let start = self.tokens[self.next].at;
        let mut depth = 0usize;
        while let Some(token) = self.tokens.get(self.next) {
            self.next += 1;
            match token.text {
                "{" | "[" | "<" | "(" => depth += 1,
                "}" | "]" | ">" | ")" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => return start..token.end(),
                _ => {}
            }
        }
        start..self.tokens.last().map_or(start, |last| last.end())
    }

    fn import(&mut self) {
        let option = self.tokens.get(self.next + 1).filter(|token| token.text == "option").copied();
        let path = self.peek(if option.is_some() { 2 } else { 1 }).trim_matches(['"', '\'']);
        let of_language =
            path.strip_prefix("google/protobuf/").is_some_and(|name| OF_LANGUAGES.contains(&name));
        let statement = self.statement();
        if of_language {
            self.edits.push(Edit { range: statement, with: None });
        } else if let Some(option) = option {
            self.edits.push(Edit { range: option.at..option.end(), with: None });
        }
    }

    /// Names are words in an edition, and texts in proto2.
    fn reserved(&mut self) {
        let from = self.next + 1;
        self.statement();
        let names = &self.tokens[from..self.next];
        if names.first().is_some_and(|first| first.is_word()) {
            let quoted = names.iter().filter(|token| token.is_word()).map(|token| Edit {
                range: token.at..token.end(),
                with: Some(format!("\"{}\"", token.text)),
            });
            self.edits.extend(quoted);
        }
    }

    /// Handles the end of a method, or its braces.
    fn method(&mut self, scopes: &mut Vec<Scope>) {
        while let Some(token) = self.tokens.get(self.next) {
            match token.text {
                "}" => return,
                "{" => scopes.push(Scope::Other),
                _ => {}
            }
            self.next += 1;
            if matches!(token.text, "{" | ";") {
                return;
            }
        }
    }

    /// A field, or a value of an enum.
    fn field(&mut self, first: Token<'s>, scope: Scope) -> Result<(), Wrong> {
        let label = matches!(first.text, "optional" | "required") && self.peek(1) != "=";
        if label && scope != Scope::Other {
            let instead = match first.text {
                "optional" => "all fields are, leave it out",
                _ => "write `[features.field_presence = LEGACY_REQUIRED]` behind the field",
            };
            let what = format!("`{}` does not stand in a file of an edition: {instead}", first.text);
            return Err(Wrong { at: first.at, what });
        }
        let repeats = first.text == "repeated" || (first.text == "map" && self.peek(1) == "<");
        if scope == Scope::Fields
            && !repeats
            && first.text.starts_with(|c: char| c.is_alphabetic() || "._".contains(c))
        {
            self.edits.push(Edit { range: first.at..first.at, with: Some("optional ".to_owned()) });
        }
        self.with_options();
        Ok(())
    }

    /// A statement that can end in a list of options.
    fn with_options(&mut self) {
        let from = self.next;
        self.statement();
        let open = (from..self.next).find(|&at| self.tokens[at].text == "[");
        if let Some(open) = open {
            self.options(open);
        }
    }

    /// Removes features from the list of options that begins at `open`.
    fn options(&mut self, open: usize) {
        let (mut depth, mut begin, mut options) = (0usize, open + 1, Vec::new());
        for at in open..self.next {
            match self.tokens[at].text {
                "[" | "{" | "<" | "(" => depth += 1,
                "]" | "}" | ">" | ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 || (depth == 1 && self.tokens[at].text == ",") {
                options.push(begin..at);
                begin = at + 1;
            }
            if depth == 0 {
                return self.leave_out_features(open, &options);
            }
        }
    }

    /// Removes the whole list if it has nothing but features. Each option ends before its comma, or before
    /// the bracket that closes the list.
    ///
    /// Features before the first other option are removed with the comma after them, those after it with the
    /// comma before them. So no two ranges overlap, and there is one comma between the remaining options.
    fn leave_out_features(&mut self, open: usize, options: &[Range<usize>]) {
        let tokens = &self.tokens;
        let is_feature = |option: &Range<usize>| tokens[option.start].names_features();
        let first_other = options.iter().position(|option| !is_feature(option));
        let left_out = |range| Edit { range, with: None };
        let Some(first_other) = first_other else {
            let close = options.last().map_or(open, |last| last.end);
            self.features.push(left_out(tokens[open].at..tokens[close].end()));
            return;
        };
        for (index, option) in options.iter().enumerate().filter(|(_, option)| is_feature(option)) {
            let range = match index < first_other {
                true => tokens[option.start].at..tokens[option.end].end(),
                false => tokens[option.start - 1].at..tokens[option.end - 1].end(),
            };
            self.features.push(left_out(range));
        }
    }
}

#[cfg(test)]
mod tests;
