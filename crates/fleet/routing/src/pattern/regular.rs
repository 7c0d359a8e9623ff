//! Regular expressions by the crate `regex`.

pub(super) use regex::bytes::Regex;
use regex::bytes::RegexBuilder;

/// The maximum size of a compiled pattern, and of the cache that its searches keep for each thread, in bytes.
const MAX_COMPILED: usize = 256 << 10;

/// # Errors
/// It is not a valid regular expression, or too large.
pub(super) fn compile(text: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(text).size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).build();
    built.map_err(|error| error.to_string())
}
