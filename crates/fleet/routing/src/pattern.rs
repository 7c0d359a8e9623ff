//! Regular expressions of limited size, checked when they are made.

#[cfg(not(feature = "patterns"))]
mod left_out;
#[cfg(feature = "patterns")]
mod regular;

#[cfg(not(feature = "patterns"))]
use left_out::{Regex, compile};
use polywire_call::ConfigError;
#[cfg(feature = "patterns")]
use regular::{Regex, compile};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// The longest text of a pattern, in bytes.
const MAX_TEXT: usize = 4096;
/// The longest text that a rewrite makes.
const MAX_REWRITTEN: usize = 64 << 10;

/// A regular expression in the syntax of RE2. Its time is linear in the text that is searched.
///
/// It is compiled once to be checked, and again when it is used for the first time: a control plane may send
/// many that no call ever matches against, and a text of a few bytes takes up to 256 KiB when compiled.
/// Clones share the compiled form.
///
/// Limits: 4096 bytes of text, 256 KiB when compiled. Without the feature `patterns` there are none.
#[derive(Clone)]
pub struct Pattern(Arc<Inner>);

struct Inner {
    text: Box<str>,
    /// Matches whole texts only.
    whole: OnceLock<Regex>,
    /// Finds parts of texts.
    part: OnceLock<Regex>,
}

impl Pattern {
    /// # Errors
    /// It is not a valid regular expression, or too large; or the feature `patterns` is missing.
    pub fn new(text: &str) -> Result<Self, ConfigError> {
        let wrong = |why: String| {
            let told: String = text.chars().take(100).collect();
            ConfigError::new("pattern", format!("pattern {told:?}: {why}")).with_value(told)
        };
        if text.len() > MAX_TEXT {
            return Err(wrong(format!("has more than {MAX_TEXT} bytes")));
        }
        compile(text).and_then(|_| compile(&of_whole(text))).map_err(wrong)?;
        let (whole, part) = (OnceLock::new(), OnceLock::new());
        Ok(Pattern(Arc::new(Inner { text: text.into(), whole, part })))
    }

    /// Whether the pattern matches the whole of `text`.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.0.whole.get_or_init(|| recompiled(&of_whole(&self.0.text))).is_match(text)
    }

    fn part(&self) -> &Regex {
        self.0.part.get_or_init(|| recompiled(&self.0.text))
    }

    pub fn as_str(&self) -> &str {
        &self.0.text
    }
}

/// The pattern of whole texts.
fn of_whole(text: &str) -> String {
    format!("^(?:{text})$")
}

fn recompiled(text: &str) -> Regex {
    compile(text).expect("was compiled to be checked")
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.text.fmt(f)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

/// Replaces every part of a text that a pattern describes.
#[derive(Clone, PartialEq, Debug)]
pub struct Rewrite {
    pattern: Pattern,
    parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Debug)]
enum Part {
    Text(Vec<u8>),
    /// The text that a group of the pattern has matched.
    Group(usize),
}

impl Rewrite {
    /// `substitution`: the text that replaces the match, in which `\1` to `\9` stand for the groups of the
    /// pattern, `\0` for the whole match, and `\\` for a backslash.
    ///
    /// # Errors
    /// Something else follows a backslash, or the pattern has no such group; or it is long.
    pub fn new(pattern: Pattern, substitution: &str) -> Result<Self, ConfigError> {
        let wrong = |why: &str| ConfigError::new("rewrite", format!("substitution {why}"));
        if substitution.len() > MAX_TEXT {
            return Err(wrong("has more than 4096 bytes"));
        }
        let mut parts = vec![Part::Text(Vec::new())];
        let mut bytes = substitution.bytes();
        while let Some(byte) = bytes.next() {
            let literal = match (byte, byte == b'\\') {
                (byte, false) => byte,
                (_, true) => match bytes.next() {
                    Some(b'\\') => b'\\',
                    Some(digit @ b'0'..=b'9') => {
                        let group = usize::from(digit - b'0');
                        if group >= pattern.part().captures_len() {
                            return Err(wrong("names a group that the pattern does not have"));
                        }
                        parts.extend([Part::Group(group), Part::Text(Vec::new())]);
                        continue;
                    }
                    _ => return Err(wrong("has a backslash without a digit or a backslash behind it")),
                },
            };
            if let Some(Part::Text(text)) = parts.last_mut() {
                text.push(literal);
            }
        }
        Ok(Rewrite { pattern, parts })
    }

    /// The text with its replacements; cut where it gets longer than 64 KiB.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let (mut written, mut copied) = (Vec::with_capacity(text.len().min(MAX_REWRITTEN)), 0);
        for found in self.pattern.part().captures_iter(text) {
            let Some(all) = found.get(0) else { break };
            written.extend_from_slice(&text[copied..all.start()]);
            copied = all.end();
            for part in &self.parts {
                match part {
                    Part::Text(text) => written.extend_from_slice(text),
                    Part::Group(group) => {
                        written
                            .extend_from_slice(found.get(*group).map_or(&[][..], |group| group.as_bytes()));
                    }
                }
            }
            if written.len() > MAX_REWRITTEN {
                break;
            }
        }
        written.extend_from_slice(&text[copied..]);
        written.truncate(MAX_REWRITTEN);
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_is_not_used_keeps_nothing_compiled() {
        let pattern = Pattern::new(r"x\w{5}").unwrap();
        assert!(pattern.0.whole.get().is_none() && pattern.0.part.get().is_none());
        let clone = pattern.clone();
        assert!(clone.is_match(b"xabcde") && !clone.is_match(b"xabcdefg"));
        assert!(pattern.0.whole.get().is_some(), "shared with its clones");
    }

    #[test]
    fn a_pattern_describes_the_whole_text() {
        let pattern = Pattern::new("a|b+").unwrap();
        assert!(pattern.is_match(b"a") && pattern.is_match(b"bbb"));
        assert!(!pattern.is_match(b"ab") && !pattern.is_match(b"") && !pattern.is_match(b"xa"));
    }

    #[test]
    fn what_is_no_pattern_or_a_large_one_is_refused() {
        let refusal = |text: &str| Pattern::new(text).unwrap_err().to_string();
        assert!(refusal("(").starts_with("pattern \"(\": "));
        assert!(refusal(&"a".repeat(MAX_TEXT + 1)).contains("more than 4096 bytes"));
        let large = refusal(r"(?:\w{100}){1000}");
        assert!(large.contains("size limit"), "{large}");
        assert!(refusal("a)(b").contains("unopened"), "it cannot end the group around it");
    }

    #[test]
    fn a_rewrite_replaces_every_part_that_is_found() {
        let rewrite = |pattern: &str, substitution: &str, text: &str| {
            let rewrite = Rewrite::new(Pattern::new(pattern).unwrap(), substitution).unwrap();
            String::from_utf8(rewrite.apply(text.as_bytes())).unwrap()
        };
        assert_eq!(rewrite("^/user/([0-9]+)/.*$", r"\1", "/user/42/x"), "42");
        assert_eq!(rewrite("b", r"<\0\\>", "abcb"), r"a<b\>c<b\>");
        assert_eq!(rewrite("x", "y", "none"), "none");
        assert_eq!(rewrite("(a)|(b)", r"[\1\2]", "ab"), "[a][b]", "a group that found nothing is empty");
    }

    #[test]
    fn a_rewrite_that_makes_a_text_longer_stops() {
        let rewrite = Rewrite::new(Pattern::new("").unwrap(), &"x".repeat(MAX_TEXT)).unwrap();
        assert_eq!(rewrite.apply(&[b'a'; 100_000]).len(), MAX_REWRITTEN);
    }

    #[test]
    fn a_substitution_without_its_group_is_refused() {
        for substitution in [r"\2", r"a\", r"\x"] {
            assert!(Rewrite::new(Pattern::new("(a)").unwrap(), substitution).is_err(), "{substitution}");
        }
    }
}
