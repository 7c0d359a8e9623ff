//! `cargo xtask check-docs`: checks what the pages and READMEs say about the tree.
//!
//! - Every crate and example has a README; every page that is named in a page or a Rust source exists.
//! - Every path into a copy of the repository (`"../polywire/.."`) exists.
//! - Every relative link of a page, and every link to the repository, leads to a file, and to a heading of it
//!   if it names one; READMEs of crates have none out of their folder ([`links`]).
//! - The book has every page of `docs/`, and `docs/README.md` and `examples/README.md` list theirs
//!   ([`lists`]).
//! - Tables of modules and features contain exactly what is in the tree ([`tables`]), those of the facade's
//!   features among them; that those of protocols do is a test (`protocols`).
//! - Tables of files in the documentation of modules name what lies beside them ([`modules`]).
//! - The crates that may have unsafe code are those that `CONTRIBUTING.md` names ([`unsafety`]).
//! - Comments in Rust sources are no wider than code ([`widths`]).
//! - No cell of a table in `docs/` is longer than some words ([`cells`]).
//! - `docs/client-options.md` and `docs/server.md` name every setter of a channel's builder and of a server;
//!   the former also those of a call, and none that does not exist ([`options`]).
//! - Counts of foreign suites are those on record, and tests that a page names exist ([`counts`]).
//! - Files in the folders of protocols are named by one vocabulary, or explained in their module
//!   ([`folders`]).
//! - The README is short, its ratios and counts are those of the records and pages it links to, and pages in
//!   Chinese have the sections, code, pictures and figures of those in English ([`front`]).
//! - The page of benchmarks and the charts are what the records make ([`bench_page`]).
//!
//! Links to other hosts are not followed: this runs without a network.

mod cells;
mod counts;
mod folders;
mod front;
mod links;
mod lists;
pub mod markdown;
mod modules;
mod options;
#[cfg(test)]
mod protocols;
mod tables;
#[cfg(test)]
pub mod tree;
mod unsafety;
mod widths;

use std::path::{Path, PathBuf};

use crate::files::{below, children, crates, name, read, shown};
use crate::{Complaints, bench_page};

/// Folders in which every crate needs a README.
const EXPLAINED: &[&str] = &["crates", "examples"];
/// Folders that are searched for mentions of pages (except this one: its tests mention pages that do not
/// exist).
const SEARCHED: &[&str] =
    &["crates", "examples", "docs", "bench", "book", "interop", "fuzz", "simulate", "changes"];
const SKIPPED: &[&str] = &["target", "node_modules", ".venv", "results", "corpus"];

/// Walks the repository at `root` and lists what is wrong.
pub fn run(root: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for parent in EXPLAINED {
        for folder in crates(&root.join(parent)) {
            if !folder.join("README.md").is_file() {
                complaints.push(format!("{} has no README.md", shown(root, &folder)));
            }
        }
    }
    let mut pages: Vec<PathBuf> = children(root)?.into_iter().filter(|path| path.is_file()).collect();
    for folder in SEARCHED {
        pages.extend(pages_below(&root.join(folder))?);
    }
    pages.push(root.join("xtask/README.md"));
    for page in pages {
        let is_markdown = page.extension().is_some_and(|e| e == "md");
        if !is_markdown && page.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = read(&page)?;
        let missing = links::mentions(&text).into_iter().filter(|path| !root.join(path).exists());
        complaints
            .extend(missing.map(|path| format!("{} names {path}, which does not exist", shown(root, &page))));
        if is_markdown {
            let absent = links::beside(&text).into_iter().filter(|path| !root.join(path).exists());
            complaints.extend(absent.map(|path| {
                format!("{} has the path ../polywire/{path}, which does not exist", shown(root, &page))
            }));
            let mut broken = links::broken(root, &page, &text)?;
            if page.strip_prefix(root.join("crates")).is_ok_and(|below| below.ends_with("README.md")) {
                broken.extend(links::leaving(&text));
            }
            complaints.extend(broken.into_iter().map(|why| format!("{}: {why}", shown(root, &page))));
        }
    }
    complaints.extend(lists::complaints(root)?);
    complaints.extend(tables::complaints(root)?);
    complaints.extend(modules::complaints(root)?);
    complaints.extend(unsafety::complaints(root)?);
    complaints.extend(widths::complaints(root)?);
    complaints.extend(cells::complaints(root)?);
    complaints.extend(counts::complaints(root)?);
    complaints.extend(options::complaints(root)?);
    complaints.extend(folders::complaints(root)?);
    complaints.extend(front::complaints(root)?);
    complaints.extend(bench_page::complaints(root)?);
    Ok(complaints)
}

/// Files of ours below a folder; none if it does not exist.
fn pages_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if folder.is_dir() { below(folder, &|path| !SKIPPED.contains(&name(path))) } else { Ok(Vec::new()) }
}
