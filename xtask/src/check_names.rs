//! A test of the tree: only `protocols`, and crates that act for a user, contain the name of a protocol.
//!
//! What engine, client, server and the rest have to know about a protocol is a field of its entry in a
//! `ProtocolSet`. With comparisons of names, every new protocol would have to edit them. So a string that
//! is the name of a built-in protocol, alone or with a parameter (`http:proto`), is an error anywhere in
//! code. Exceptions are comments, attributes (`#[cfg(feature = "tls")]`), names of options
//! (`ConfigError::new("tls", ..)`), the name of gRPC in OpenTelemetry's list of systems (`const GRPC:
//! &str`), which several of our protocols are, and tests, which choose a protocol as users do.

use std::path::{Path, PathBuf};

use crate::Complaints;
use crate::files::{below, crates, name, read, shown};

/// Crates (by folder) that may name protocols: the one that contains them; the program, whose
/// user types them; the test kit; xDS, whose bootstrap has a kind of credentials that is called as a protocol
/// is; the code generator, which writes an example of an address for users.
const MAY: &[&str] = &["protocols", "cli", "testkit", "xds", "build"];

/// Searches the sources of all other crates below `root` for these names.
fn run(root: &Path, names: &[&str]) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for folder in crates(&root.join("crates")).iter().filter(|folder| !MAY.contains(&name(folder))) {
        let files = below(&folder.join("src"), &|path| name(path) != "tests")?;
        let is_source = |file: &&PathBuf| name(file).ends_with(".rs") && name(file) != "tests.rs";
        for file in files.iter().filter(is_source) {
            complaints.extend(found(&read(file)?, names).into_iter().map(|(line, text)| {
                format!(
                    "{}:{line} names the protocol {text:?}; what has to be known of it belongs into its entry, \
                     a field of `Protocol` in crates/core/wire",
                    shown(root, file)
                )
            }));
        }
    }
    Ok(complaints)
}

/// Strings in the code of `source` that name a protocol, with their lines.
fn found(source: &str, names: &[&str]) -> Vec<(usize, String)> {
    let tokens = tokens(source);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some((line, token)) = tokens.get(at) {
        at = match token {
            Token::Mark('#') => behind_attribute(&tokens, at),
            Token::Word("cfg") if is_mark(&tokens, at + 1, '!') => behind_group(&tokens, at + 2),
            Token::Text(text) => {
                if !names_option(&tokens, at)
                    && !names_system(&tokens, at)
                    && names.iter().any(|name| is_named(text, name))
                {
                    found.push((*line, (*text).to_owned()));
                }
                at + 1
            }
            Token::Word(_) | Token::Mark(_) => at + 1,
        };
    }
    found
}

/// Whether the string at `at` is the name of an option, of which one is called as a protocol is:
/// `ConfigError::new("tls", ..)`.
fn names_option(tokens: &[(usize, Token<'_>)], at: usize) -> bool {
    const BEFORE: [Token<'_>; 5] = [
        Token::Word("ConfigError"),
        Token::Mark(':'),
        Token::Mark(':'),
        Token::Word("new"),
        Token::Mark('('),
    ];
    follows(tokens, at, &BEFORE)
}

/// Whether the string at `at` is what OpenTelemetry calls gRPC: `const GRPC: &str = ..`.
fn names_system(tokens: &[(usize, Token<'_>)], at: usize) -> bool {
    const BEFORE: [Token<'_>; 6] = [
        Token::Word("const"),
        Token::Word("GRPC"),
        Token::Mark(':'),
        Token::Mark('&'),
        Token::Word("str"),
        Token::Mark('='),
    ];
    follows(tokens, at, &BEFORE)
}

fn follows(tokens: &[(usize, Token<'_>)], at: usize, before: &[Token<'_>]) -> bool {
    at.checked_sub(before.len())
        .is_some_and(|begin| tokens[begin..at].iter().map(|(_, token)| token).eq(before))
}

/// Whether `text` is the name, or the name with a parameter.
fn is_named(text: &str, name: &str) -> bool {
    let Some(rest) = text.strip_prefix(name) else { return false };
    let is_parameter = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "+=,-".contains(c))
    };
    rest.is_empty() || rest.strip_prefix(':').is_some_and(is_parameter)
}

/// The tokens of a source that matter here. Comments and white space are left out.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Token<'s> {
    /// A word or a number.
    Word(&'s str),
    /// The text between the quotes of a string of any kind.
    Text(&'s str),
    /// Any other character.
    Mark(char),
}

/// The tokens of a source, each with its line, from 1.
fn tokens(source: &str) -> Vec<(usize, Token<'_>)> {
    let (mut tokens, mut rest, mut line) = (Vec::new(), source, 1);
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (length, token) = if first.is_whitespace() {
            (first.len_utf8(), None)
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (comment_length(rest), None)
        } else if let Some((length, text)) = string(rest) {
            (length, Some(Token::Text(text)))
        } else if first == '\'' {
            (character_length(rest), None)
        } else if word > 0 {
            (word, Some(Token::Word(&rest[..word])))
        } else {
            (first.len_utf8(), Some(Token::Mark(first)))
        };
        tokens.extend(token.map(|token| (line, token)));
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// Length in bytes of the comment at the front; comments may be nested.
fn comment_length(source: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < source.len() {
        let (step, change) = match &source.as_bytes()[at..] {
            [b'/', b'*', ..] => (2, 1),
            [b'*', b'/', ..] => (2, -1),
            _ => (1, 0),
        };
        (at, depth) = (at + step, depth + change);
        if depth == 0 {
            return at;
        }
    }
    source.len()
}

/// The string at the front: its length in bytes with prefix and quotes, and the text between the quotes.
fn string(source: &str) -> Option<(usize, &str)> {
    let prefix = source.find(|c| c != 'b' && c != 'c' && c != 'r').filter(|&n| n <= 2)?;
    let raw = source[..prefix].contains('r');
    let hashes = if raw { source[prefix..].bytes().take_while(|&b| b == b'#').count() } else { 0 };
    let text = source[prefix + hashes..].strip_prefix('"')?;
    let length = if raw {
        text.find(&format!("\"{}", "#".repeat(hashes)))?
    } else {
        let mut escaped = false;
        text.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?
    };
    Some((prefix + hashes + 1 + length + 1 + hashes, &text[..length]))
}

/// Length in bytes of the character (`'x'`, `'\n'`) or of the tick of a lifetime at the front.
fn character_length(source: &str) -> usize {
    let mut chars = source.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let rest = at + escaped.len_utf8();
            source[rest..].find('\'').map_or(source.len(), |end| rest + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

fn is_mark(tokens: &[(usize, Token<'_>)], at: usize, mark: char) -> bool {
    tokens.get(at).is_some_and(|(_, token)| *token == Token::Mark(mark))
}

/// The position after the attribute at `at`, and after the following item if that is for tests only.
fn behind_attribute(tokens: &[(usize, Token<'_>)], at: usize) -> usize {
    let begin = if is_mark(tokens, at + 1, '!') { at + 2 } else { at + 1 };
    let end = behind_group(tokens, begin);
    let has = |word| tokens[begin..end].iter().any(|(_, token)| *token == Token::Word(word));
    if !(has("cfg") && has("test")) || has("not") || begin == at + 2 {
        return end;
    }
    let mut at = end;
    while let Some((_, token)) = tokens.get(at) {
        at = match token {
            Token::Mark(';') => return at + 1,
            Token::Mark('{') => return behind_group(tokens, at),
            Token::Mark('(' | '[') => behind_group(tokens, at),
            _ => at + 1,
        };
    }
    at
}

/// The position after the brackets of any kind that open at `at`.
fn behind_group(tokens: &[(usize, Token<'_>)], at: usize) -> usize {
    let mut depth = 0;
    for (n, (_, token)) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return n + 1;
        }
    }
    tokens.len()
}

#[test]
fn crates_that_must_know_no_protocol_name_none() {
    let names: Vec<_> = polywire_protocols::builtin().iter().map(|protocol| protocol.name).collect();
    assert_eq!(run(&crate::root(), &names), Ok(Complaints::new()));
}

mod tests {
    use super::*;

    const NAMES: &[&str] = &["redis", "http", "tls"];

    fn lines(source: &str) -> Vec<usize> {
        found(source, NAMES).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_name_in_code_is_found_in_every_kind_of_string() {
        let kinds =
            ["\"redis\"", "b\"redis\"", "r\"redis\"", "r#\"redis\"#", "br##\"redis\"##", "\"http:json+h2\""];
        for text in kinds {
            assert_eq!(lines(&format!("fn x() {{\n    name == {text}\n}}")), [2], "{text}");
        }
        assert_eq!(lines("let a = '\"'; let b = \"redis\";"), [1], "a quote alone opens no string");
        assert_eq!(lines("fn a<'x>(x: &'x str) -> bool { x == \"tls\" }"), [1]);
        assert_eq!(lines("let a = \"\\\\\"; let b = \"redis\";"), [1], "an escaped backslash ends nothing");
    }

    #[test]
    fn what_only_contains_a_name_is_no_name() {
        for text in ["redisearch", "redis: it failed", "http://", "http/1.1", "a redis", ""] {
            assert_eq!(lines(&format!("let text = {text:?};")), [0; 0], "{text}");
        }
    }

    #[test]
    fn comments_attributes_options_and_tests_may_name_protocols() {
        for source in [
            "// \"redis\"\n/// `.protocol(\"redis\")`\n/* \"redis\" /* \"redis\" */ \"redis\" */",
            "#![cfg(feature = \"tls\")]\n#[cfg(any(feature = \"tls\", x))]\nuse a;",
            "let on = cfg!(feature = \"tls\");",
            "return Err(ConfigError::new(\"tls\", text));",
            "#[cfg(test)]\nmod tests {\n    fn x() { if a { \"redis\" } }\n}",
            "#[cfg(all(test, x))]\n#[rustfmt::skip]\nfn x(a: [u8; 1]) { \"redis\" }",
        ] {
            assert_eq!(lines(source), [0; 0], "{source}");
        }
        assert_eq!(lines("#[cfg(test)]\nmod tests;\nconst X: &str = \"redis\";"), [3], "behind the tests");
        assert_eq!(lines("Error::new(\"tls\"); ConfigError::new(text, \"redis\")"), [1, 1]);
        assert_eq!(lines("#[cfg(not(test))]\nconst X: &str = \"redis\";"), [2]);
        assert_eq!(
            lines("pub const GRPC: &str = \"http\"; const OTHER: &str = \"http\";\n"),
            [1],
            "one system"
        );
    }

    /// The names are made up, and really stand in a crate above `protocols`, and in the program.
    #[test]
    fn a_name_put_into_the_tree_fails_the_check_except_where_a_user_chooses() {
        let found = |name: &str| run(&crate::root(), &[name]).expect("the tree can be read");
        let server = found("fallback");
        assert!(server.iter().any(|line| line.starts_with("crates/rpc/server/src/table.rs:")), "{server:?}");
        assert_eq!(found("example.EchoService/Echo"), Complaints::new(), "the program may");
    }
}
