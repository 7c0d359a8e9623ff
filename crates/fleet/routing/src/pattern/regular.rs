//! Regular expressions by the crate `regex`.

pub(super) use regex::bytes::Regex;
use regex::bytes::RegexBuilder;

/// What a compiled pattern may take, and what its searches may keep for each thread that searches, in bytes.
const MAX_COMPILED: usize = 256 << 10;

/// # Errors
/// It is no regular expression, or a large one.
pub(super) fn compile(text: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(text).size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).build();
    built.map_err(|error| error.to_string())
}
