//! Counts and names on pages that the tree itself knows: how many checks a foreign suite makes, how many fuzz
//! targets there are, and whether a test that a page names exists.

use std::collections::HashSet;
use std::path::Path;

use super::markdown::{Table, codes, tables};
use crate::Complaints;
use crate::files::{below, children, name, read};

const SUITES: &str = "docs/conformance.md";
const EXPECTED: &str = "interop/expected-checks";
const SEEDS: &str = "fuzz/seeds";
/// Pages whose columns `test` and `attacked by` name tests.
const TESTED: [&str; 2] = ["docs/limits.md", "docs/threat-model.md"];
/// Where tests are.
const SOURCES: [&str; 4] = ["crates", "fuzz", "simulate", "xtask"];

/// Counts that differ from the tree, and tests that do not exist.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let mut complaints = suites(root)?;
    let pages: Vec<&str> = TESTED.into_iter().filter(|page| root.join(page).is_file()).collect();
    if !pages.is_empty() {
        let functions = functions(root)?;
        for page in pages {
            let absent =
                tests(&tables(&read(&root.join(page))?)).into_iter().filter(|test| !functions.contains(test));
            complaints
                .extend(absent.map(|test| format!("{page} names the test `{test}`, which does not exist")));
        }
    }
    Ok(complaints)
}

/// The page of suites against what the drivers of suites expect.
fn suites(root: &Path) -> Result<Complaints, String> {
    let page = root.join(SUITES);
    if !page.is_file() {
        return Ok(Vec::new()); // the list of pages is checked elsewhere
    }
    let tables = tables(&read(&page)?);
    let expected = read(&root.join(EXPECTED))?;
    let mut complaints = Vec::new();
    for (peer, said) in pairs(&tables, "peer", "checks") {
        let is = expected.lines().find_map(|line| line.strip_prefix(&format!("{peer} ")));
        if is != Some(said.as_str()) {
            complaints.push(format!("{SUITES}: `{peer}` makes {} checks, not {said}", is.unwrap_or("no")));
        }
    }
    let targets = children(&root.join(SEEDS))?;
    let mut inputs = 0;
    for target in &targets {
        inputs += children(target)?.len();
    }
    for (command, is) in [("fuzz/run 60", targets.len()), ("cargo test -p polywire-fuzz", inputs)] {
        if !pairs(&tables, "command", "count").contains(&(command.to_owned(), is.to_string())) {
            complaints.push(format!("{SUITES}: the row of `{command}` should count {is}"));
        }
    }
    Ok(complaints)
}

/// The code in one column and the text in another, of rows that have both.
fn pairs(tables: &[Table], code: &str, text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for table in tables {
        let column = |title: &str| table.header.iter().position(|cell| cell == title);
        let (Some(code), Some(text)) = (column(code), column(text)) else { continue };
        for row in &table.rows {
            if let (Some(code), Some(text)) = (codes(&row[code]).pop(), row.get(text)) {
                pairs.push((code, text.clone()));
            }
        }
    }
    pairs
}

/// The names of tests in the last columns of tables. A name has at least two underscores; other code there is
/// a path or a field.
fn tests(tables: &[Table]) -> Vec<String> {
    let columns =
        tables.iter().flat_map(|table| ["test", "attacked by"].iter().filter_map(|title| table.codes(title)));
    let is_name = |word: &String| {
        word.matches('_').count() >= 2 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    columns.flatten().filter(is_name).collect()
}

/// The names of all functions.
fn functions(root: &Path) -> Result<HashSet<String>, String> {
    let mut found = HashSet::new();
    for folder in SOURCES.map(|folder| root.join(folder)).into_iter().filter(|folder| folder.is_dir()) {
        for path in below(&folder, &|folder| name(folder) != "target")? {
            if path.extension().is_some_and(|e| e == "rs") {
                let text = read(&path)?;
                let names = text.split("fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
                found.extend(names.map(str::to_owned));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    const PAGE: &str = "| suite | checks | peer |\n| --- | ---: | --- |\n| one | 12 | `a` |\n| two | 7 | `b` |\n\n\
                        | what | count | command |\n| --- | ---: | --- |\n| targets | 1 | `fuzz/run 60` |\n\
                        | inputs | 3 | `cargo test -p polywire-fuzz` |\n";

    #[test]
    fn counts_that_are_out_of_date_are_named() {
        let tree = Tree::new("counts")
            .with("docs/conformance.md", PAGE)
            .with("interop/expected-checks", "# how many\na 12\nb 8\n")
            .with("fuzz/seeds/x/1", "")
            .with("fuzz/seeds/x/2", "");
        assert_eq!(
            complaints(tree.root()).unwrap(),
            [
                "docs/conformance.md: `b` makes 8 checks, not 7",
                "docs/conformance.md: the row of `cargo test -p polywire-fuzz` should count 2",
            ]
        );
    }

    #[test]
    fn a_test_that_is_gone_is_named() {
        let page =
            "| input | test |\n| --- | --- |\n| x | server: `it_is_there`, `it_is_gone`, `a/tests.rs` |\n";
        let tree = Tree::new("named")
            .with("docs/limits.md", page)
            .with("crates/a/src/lib.rs", "fn it_is_there() {}");
        assert_eq!(
            complaints(tree.root()).unwrap(),
            ["docs/limits.md names the test `it_is_gone`, which does not exist"]
        );
    }
}
