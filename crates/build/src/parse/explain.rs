//! What protox does not read though it is protobuf, in words that say so.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What went wrong in a file; behind it, what is known of the cause.
pub(super) fn error(error: &protox::Error, files: &[impl AsRef<Path>], includes: &[PathBuf]) -> String {
    let text = format!("{error:?}");
    let Some(name) = error.file() else { return text };
    let below = includes.iter().map(|directory| directory.join(name));
    let given = files.iter().map(|file| file.as_ref().to_owned()).filter(|file| file.ends_with(name));
    let source = below.chain(given).find_map(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    if let Some((line, edition)) = edition(&source) {
        return format!(
            "{name}:{line}: editions are not supported: write `syntax = \"proto3\";` or `syntax = \"proto2\";` in place of \
             `{edition}`"
        );
    }
    match NOT_READ.iter().find(|(what, _)| text.contains(what)) {
        Some((_, note)) => format!("{text}\n{note}"),
        None => text,
    }
}

/// Errors of protox 0.10 about valid proto2.
const NOT_READ: [(&str, &str); 2] = [
    (
        "expected 'to', ',' or ';', but found '['",
        "this is protobuf, but cannot be read here: write a range, `extensions 5 to 5 [..]`",
    ),
    (
        "identifiers may not be negative",
        "as the value of an option, `-inf` and `-nan` are protobuf, but cannot be read here: leave the option out",
    ),
];

/// The statement that a file of an edition begins with, and its line.
fn edition(source: &str) -> Option<(usize, &str)> {
    let mut rest = source.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start();
        rest = match (rest.starts_with("//"), rest.starts_with("/*")) {
            (true, _) => rest.split_once('\n')?.1,
            (_, true) => rest.split_once("*/")?.1,
            _ => break,
        };
    }
    let value = rest.strip_prefix("edition")?.trim_start();
    value.starts_with('=').then_some(())?;
    let line = source[..source.len() - rest.len()].matches('\n').count() + 1;
    Some((line, &rest[..=rest.find(';')?]))
}

#[cfg(test)]
mod tests {
    use super::edition;

    #[test]
    fn an_edition_is_the_first_statement() {
        assert_eq!(edition("edition = \"2023\";"), Some((1, "edition = \"2023\";")));
        assert_eq!(edition("// a\n/* b\n*/ edition=\"2024\" ; x"), Some((3, "edition=\"2024\" ;")));
        assert_eq!(edition("syntax = \"proto3\"; // edition = 1;"), None);
        assert_eq!(edition("message edition {}"), None);
        assert_eq!(edition(""), None);
    }
}
