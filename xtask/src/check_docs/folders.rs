//! Folders of protocols have one shape.
//!
//! `crates/codecs/protocols/README.md` has a table of the names that files have in every folder, and of names
//! that mean the same and are not used. Any other file or folder has a row in the table of its folder's
//! `mod.rs`.

use std::path::Path;

use super::markdown::{codes, tables};
use crate::Complaints;
use crate::files::{children, name, read, shown};

const PAGE: &str = "crates/codecs/protocols/README.md";
/// Names that every folder may have and that need no explanation.
const EVERYWHERE: &[&str] = &["mod", "tests"];

/// Names for files.
struct Vocabulary {
    /// Names with one meaning in all folders.
    words: Vec<String>,
    /// Other names with the same meaning, which are not used.
    avoided: Vec<String>,
}

/// Files whose names are not those of the page, or that are explained nowhere.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let page = read(&root.join(PAGE))?;
    let Some(table) = tables(&page).into_iter().find(|table| table.codes("instead of").is_some()) else {
        return Ok(vec![format!("{PAGE} has no table with a column `instead of`")]);
    };
    let vocabulary = Vocabulary {
        words: table.codes("name").unwrap_or_default(),
        avoided: table.codes("instead of").unwrap_or_default(),
    };
    let mut complaints = Vec::new();
    for folder in children(&root.join("crates/codecs/protocols/src"))?.iter().filter(|path| path.is_dir()) {
        complaints.extend(below(root, folder, &vocabulary)?);
    }
    Ok(complaints)
}

/// Checks one folder and the folders in it.
fn below(root: &Path, folder: &Path, vocabulary: &Vocabulary) -> Result<Complaints, String> {
    let module = folder.join("mod.rs");
    let explained = if module.is_file() { first_column(&read(&module)?) } else { Vec::new() };
    let mut complaints = Vec::new();
    for path in children(folder)? {
        let file = name(&path).trim_end_matches(".rs");
        if EVERYWHERE.contains(&file) || !(path.is_dir() || name(&path).ends_with(".rs")) {
            continue;
        }
        let has = |words: &[String]| words.iter().any(|word| word == file);
        if has(&vocabulary.avoided) {
            complaints.push(format!("{}: {PAGE} has another name for such a file", shown(root, &path)));
        } else if !has(&vocabulary.words) && !has(&explained) {
            complaints.push(format!(
                "{}: neither {PAGE} nor the table of its mod.rs says what it holds",
                shown(root, &path)
            ));
        }
        if path.is_dir() {
            complaints.extend(below(root, &path, vocabulary)?);
        }
    }
    Ok(complaints)
}

/// Words in code in the first column of the tables of a module's documentation, without `.rs` and `/`.
fn first_column(source: &str) -> Vec<String> {
    let page: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("//! ")).collect();
    let rows = tables(&page.join("\n")).into_iter().flat_map(|table| table.rows);
    let words = rows.flat_map(|row| codes(&row[0]));
    words.map(|word| word.trim_end_matches(".rs").trim_end_matches('/').to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    const README: &str =
        "| name | what it holds | instead of |\n| --- | --- | --- |\n| `frame` | bytes | `head`, `wire` |\n";

    fn of(tree: Tree) -> Complaints {
        complaints(tree.with(PAGE, README).root()).unwrap()
    }

    #[test]
    fn a_file_has_a_name_of_the_vocabulary_or_a_row_in_its_module() {
        let module = "//! A.\n//!\n//! | file | what |\n//! | --- | --- |\n//! | `keys.rs`, `security/` | x |\n\nmod keys;\n";
        let tree = Tree::new("folders-good")
            .with("crates/codecs/protocols/src/a/mod.rs", module)
            .with("crates/codecs/protocols/src/a/frame.rs", "")
            .with("crates/codecs/protocols/src/a/keys.rs", "")
            .with("crates/codecs/protocols/src/a/tests/anything.rs", "")
            .with("crates/codecs/protocols/src/a/security/frame.rs", "")
            .with("crates/codecs/protocols/src/root.rs", "");
        assert_eq!(of(tree), Complaints::new());
    }

    #[test]
    fn another_name_for_the_same_and_a_name_without_a_word_are_found() {
        let tree = Tree::new("folders-bad")
            .with(
                "crates/codecs/protocols/src/a/mod.rs",
                "//! | file | what |\n//! | --- | --- |\n//! | `head.rs` | x |\n",
            )
            .with("crates/codecs/protocols/src/a/head.rs", "")
            .with("crates/codecs/protocols/src/a/b/odd.rs", "");
        let found = of(tree);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("crates/codecs/protocols/src/a/b:"), "{found:?}");
        assert!(found[1].starts_with("crates/codecs/protocols/src/a/b/odd.rs:"), "{found:?}");
        assert!(
            found[2].starts_with("crates/codecs/protocols/src/a/head.rs:")
                && found[2].contains("another name"),
            "{found:?}"
        );
    }
}
