//! Compares tables of modules and features in READMEs, and the lists of crates, with the tree.

use std::path::Path;

use super::markdown::{codes, tables};
use crate::Complaints;
use crate::files::{self, children, name, read, shown};

/// Headers of a column whose words in code are paths, from the README's folder or from `src` below it.
pub const FILES: &[&str] = &["file", "folder", "folder or file", "where"];
/// The facade, and the pages that have all its features in a table.
const FACADE: &str = "crates/polywire/Cargo.toml";
const FEATURES: [&str; 2] = ["crates/polywire/src/lib.rs", "docs/build-times.md"];
/// The page that lists all crates by the names of their folders.
const CRATES: &str = "CONTRIBUTING.md";

/// Statements of the READMEs of crates and examples, and of the lists of crates, that are wrong.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    let crates = files::crates(&root.join("crates"));
    for folder in crates.iter().cloned().chain(files::crates(&root.join("examples"))) {
        let page = folder.join("README.md");
        if !page.is_file() {
            continue;
        }
        let text = read(&page)?;
        let manifest = read(&folder.join("Cargo.toml"))?;
        let mut wrong = absent(&folder, &text);
        wrong.extend(features(&manifest, &text));
        if crates.contains(&folder) {
            wrong.extend(unnamed(&folder, &text));
        }
        complaints.extend(wrong.into_iter().map(|why| format!("{}: {why}", shown(root, &page))));
    }
    let words = codes(&read(&root.join(CRATES))?);
    let named = |folder: &str| words.iter().any(|w| w.rsplit('/').next() == Some(folder));
    let missing = crates.iter().map(|folder| name(folder)).filter(|folder| !named(folder));
    complaints.extend(missing.map(|folder| format!("{CRATES} does not name the crate `{folder}`")));
    for page in FEATURES.into_iter().filter(|page| root.join(page).is_file()) {
        let wrong = listed(&read(&root.join(FACADE))?, &read(&root.join(page))?);
        complaints.extend(wrong.into_iter().map(|why| format!("{page}: {why}")));
    }
    Ok(complaints)
}

/// Features of the facade that a page does not have in its table, and rows that are none. In a Rust source
/// the page is the module's documentation.
fn listed(manifest: &str, page: &str) -> Complaints {
    let lines = page.lines().map(|line| line.strip_prefix("//! ").unwrap_or(line));
    let page = lines.collect::<Vec<_>>().join("\n");
    let rows: Vec<String> =
        tables(&page).iter().filter_map(|table| table.codes("feature")).flatten().collect();
    features(manifest, &rows.iter().map(|row| format!("`{row}` ")).collect::<String>())
        .into_iter()
        .chain(unknown(&declared(manifest), rows))
        .collect()
}

/// Files that a table names and that do not exist.
fn absent(folder: &Path, readme: &str) -> Complaints {
    let named = tables(readme)
        .into_iter()
        .flat_map(|table| FILES.iter().filter_map(|title| table.codes(title)).flatten().collect::<Vec<_>>());
    let there = |path: &String| folder.join(path).exists() || folder.join("src").join(path).exists();
    named.filter(|path| !there(path)).map(|path| format!("names `{path}`, which does not exist")).collect()
}

/// Modules directly below `src` that the README does not name, as a file or as a folder. Tests and models
/// need no mention.
fn unnamed(folder: &Path, readme: &str) -> Complaints {
    let words = codes(readme);
    let mut complaints = Vec::new();
    let mut last = String::new();
    for path in children(&folder.join("src")).unwrap_or_default() {
        let is_module = path.is_dir() || path.extension().is_some_and(|e| e == "rs");
        let module = name(&path).trim_end_matches(".rs").to_owned();
        let needs_none = ["lib", "main", "tests", "testdata", "sync"].contains(&module.as_str())
            || module.starts_with("loom_")
            || module == last;
        if !is_module || needs_none {
            continue;
        }
        let is_it = |word: &str| {
            let word = word.strip_prefix("src/").unwrap_or(word);
            word == module
                || word.strip_prefix(&module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        if !words.iter().any(|word| is_it(word)) {
            complaints.push(format!("does not name the module `{module}`"));
        }
        last = module;
    }
    complaints
}

/// Features of the manifest that the README does not name, and rows of features that the manifest does not
/// have. Names that begin with two underscores are internal.
fn features(manifest: &str, readme: &str) -> Complaints {
    let declared = declared(manifest);
    let words = codes(readme);
    let unnamed = declared.iter().filter(|feature| !words.iter().any(|word| word == *feature));
    let mut complaints: Complaints =
        unnamed.map(|feature| format!("does not name the feature `{feature}`")).collect();
    let listed = tables(readme).into_iter().filter_map(|table| table.codes("feature")).flatten();
    complaints.extend(unknown(&declared, listed));
    complaints
}

fn unknown(declared: &[&str], listed: impl IntoIterator<Item = String>) -> Complaints {
    let unknown = listed.into_iter().filter(|feature| !declared.contains(&feature.as_str()));
    unknown.map(|feature| format!("lists `{feature}`, which is no feature")).collect()
}

fn declared(manifest: &str) -> Vec<&str> {
    let section = manifest.split("\n[features]\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| Some(line.split_once('=')?.0.trim()))
        .filter(|feature| !feature.starts_with("__") && !feature.starts_with('#') && *feature != "default")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    const README: &str = "| file | what |\n| --- | --- |\n| `one.rs`, `two/` | modules |\n\n\
                          | feature | what |\n| --- | --- |\n| `fast` (default) | speed |\n";

    fn tree(name: &str, readme: &str) -> Tree {
        Tree::new(name)
            .with("CONTRIBUTING.md", "`crates/a`")
            .with(
                "crates/a/Cargo.toml",
                "[package]\n\n[features]\ndefault = [\"fast\"]\nfast = []\n__test = []\n\n[lints]\nx = 1\n",
            )
            .with("crates/a/README.md", readme)
            .with("crates/a/src/lib.rs", "")
            .with("crates/a/src/one.rs", "")
            .with("crates/a/src/one/more.rs", "")
            .with("crates/a/src/two/mod.rs", "")
            .with("crates/a/src/loom_two.rs", "")
            .with("crates/a/src/tests.rs", "")
    }

    #[test]
    fn a_readme_that_tells_the_truth_is_left_in_peace() {
        assert_eq!(complaints(tree("truth", README).root()).unwrap(), [""; 0]);
    }

    #[test]
    fn a_table_that_names_a_file_that_is_gone_fails() {
        let readme = README.replace("`two/`", "`two/`, `three.rs`");
        assert_eq!(
            complaints(tree("gone", &readme).root()).unwrap(),
            ["crates/a/README.md: names `three.rs`, which does not exist"]
        );
    }

    #[test]
    fn a_module_that_no_line_names_fails() {
        let readme = README.replace(", `two/`", "");
        assert_eq!(
            complaints(tree("module", &readme).root()).unwrap(),
            ["crates/a/README.md: does not name the module `two`"]
        );
    }

    #[test]
    fn features_are_those_of_the_manifest() {
        let readme = README.replace("`fast`", "`slow`");
        assert_eq!(
            complaints(tree("feature", &readme).root()).unwrap(),
            [
                "crates/a/README.md: does not name the feature `fast`",
                "crates/a/README.md: lists `slow`, which is no feature",
            ]
        );
    }

    #[test]
    fn the_tables_of_the_facade_have_every_feature() {
        let page = "//! `fast` is in no table.\n//!\n//! | feature | what |\n//! | --- | --- |\n//! | `slow` | a |\n";
        assert_eq!(
            listed("\n[features]\ndefault = []\nfast = []\n", page),
            ["does not name the feature `fast`", "lists `slow`, which is no feature"]
        );
        assert_eq!(listed("\n[features]\nslow = []\n", page), [""; 0]);
    }

    #[test]
    fn a_crate_that_no_list_of_crates_names_fails() {
        let tree = tree("crate", README).with("crates/b/Cargo.toml", "");
        assert_eq!(complaints(tree.root()).unwrap(), ["CONTRIBUTING.md does not name the crate `b`"]);
    }
}
