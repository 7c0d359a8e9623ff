//! Comments are as wide as code at most, which rustfmt wraps and comments it does not.

use std::path::Path;

use super::SKIPPED;
use crate::Complaints;
use crate::files::{below, name, read, shown};

/// Beginnings of the names of folders with generated code, in which templates are indented further.
const GENERATED: &[&str] = &["generated", "golden", ".git"];
/// `max_width` of `rustfmt.toml`.
const MOST_COLUMNS: usize = 110;

/// Lines of prose in the comments of our Rust sources that are wider. Drawings and tables are as wide as they
/// have to be, and generated code has the comments of its schema.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let is_generated = |path: &Path| GENERATED.iter().any(|begin| name(path).starts_with(begin));
    let enters = |path: &Path| !SKIPPED.contains(&name(path)) && !is_generated(path);
    let mut complaints = Vec::new();
    for source in below(root, &enters)?.iter().filter(|path| name(path).ends_with(".rs")) {
        complaints.extend(wide(&read(source)?).into_iter().map(|(line, columns)| {
            format!(
                "{}:{line}: a comment of {columns} columns, where {MOST_COLUMNS} are the most",
                shown(root, source)
            )
        }));
    }
    Ok(complaints)
}

/// Lines that are too wide, with their columns.
fn wide(source: &str) -> Vec<(usize, usize)> {
    let (mut wide, mut in_code) = (Vec::new(), false);
    for (index, line) in source.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            in_code = false;
            continue;
        };
        let text = comment.trim_start_matches(['/', '!']);
        let text = text.strip_prefix(' ').unwrap_or(text);
        in_code ^= text.starts_with("```");
        let is_drawn = in_code || text.starts_with([' ', '|']) || text.contains("  ");
        let columns = line.chars().count();
        if columns > MOST_COLUMNS && !is_drawn && text.contains(' ') {
            wide.push((index + 1, columns));
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_bounded_and_drawings_tables_and_code_are_not() {
        let word = "word ".repeat(21);
        let prose = |mark: &str| format!("{mark} {word}ends");
        assert_eq!(wide(&prose("///")), [(1, 113)]);
        assert_eq!(wide(prose("///").trim_end_matches("nds")), [], "110 columns");
        for free in ["///   a", "/// | a", "/// a -->    b"] {
            assert_eq!(wide(&prose(free)), [], "{free}");
        }
        let fenced = format!("/// ```\n{}\n/// ```\n    {}", prose("///"), prose("//"));
        assert_eq!(wide(&fenced), [(4, 116)]);
        assert_eq!(wide(&format!("let wide = 1; {}", prose("//"))), [], "rustfmt sees to code");
    }
}
