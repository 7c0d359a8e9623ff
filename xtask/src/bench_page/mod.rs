//! `cargo xtask bench --page`: `docs/benchmarks.md` and the charts of the README, made from `bench/results`.
//!
//! | file | what |
//! | --- | --- |
//! | `record.rs` | a folder of `bench/results`: a run, its machine, its tables |
//! | `page.rs` | all tables, and before them all rows in which somebody else is ahead |
//! | `charts.rs` | which figures the charts show |
//! | `losses.rs` | the figures of the README's sentence about such rows |
//! | `svg.rs` | how a chart is drawn, light and dark |
//!
//! Nothing is measured here, and the same records make the same files, so that `check-docs` can compare.

mod charts;
mod losses;
mod page;
mod record;
mod svg;

use std::fs;
use std::path::{Path, PathBuf};

use crate::Complaints;
use crate::files::{read, shown};

/// Where the records are.
const RESULTS: &str = "bench/results";

/// Writes the page and the charts.
pub fn write(root: &Path) -> Result<(), String> {
    for (path, text) in files(root)? {
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", shown(root, &path));
    }
    Ok(())
}

/// The files in the tree that are not what the records make.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let stale = files(root)?.into_iter().filter(|(path, text)| read(path).ok().as_ref() != Some(text));
    Ok(stale
        .map(|(path, _)| {
            format!("{} is not what {RESULTS} makes: cargo xtask bench --page", shown(root, &path))
        })
        .collect())
}

/// The figures of the README's sentence about loads in which others are ahead.
pub fn losses(root: &Path) -> Result<Vec<String>, String> {
    losses::figures(&record::all(&root.join(RESULTS))?)
}

/// The files, by their paths.
fn files(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let records = record::all(&root.join(RESULTS))?;
    let mut files = vec![(root.join("docs/benchmarks.md"), page::page(&records))];
    for chart in charts::all(&records)? {
        for (theme, colours) in svg::THEMES {
            let path = root.join(format!("docs/pictures/{}-{theme}.svg", chart.name));
            files.push((path, chart.svg(colours)));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    #[test]
    fn a_page_that_was_changed_by_hand_and_a_chart_that_is_missing_are_found() {
        let tree = charts::tests::tree("bench-page");
        write(tree.root()).unwrap();
        assert_eq!(complaints(tree.root()), Ok(Complaints::new()));
        let tree: Tree = tree.with("docs/benchmarks.md", "# Benchmarks\n");
        fs::remove_file(tree.root().join("docs/pictures/callers-dark.svg")).unwrap();
        let found = complaints(tree.root()).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("docs/benchmarks.md is not what bench/results makes"), "{found:?}");
        assert!(found[1].starts_with("docs/pictures/callers-dark.svg"), "{found:?}");
    }
}
