//! `cargo xtask check-docs`: what the pages and READMEs say about the tree is so.
//!
//! - Every crate and example has a README; every page that is named in a page or a Rust source exists.
//! - Every relative link of a page leads to a file, and to a heading of it if it names one ([`links`]).
//! - The book has every page of `docs/`, and `docs/README.md` and `examples/README.md` list theirs ([`lists`]).
//! - Tables of modules and features name what is in the tree, and all of it ([`tables`]); so do tables of protocols
//!   ([`protocols`]).
//!
//! Links to other hosts are not followed: this runs without a network.

mod links;
mod lists;
mod markdown;
mod protocols;
mod tables;
#[cfg(test)]
pub mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use crate::Complaints;

/// Folders whose every child must explain itself.
const EXPLAINED: &[&str] = &["crates", "examples"];
/// Folders that are searched for mentions of pages (not this one: its tests name pages that are nowhere).
const SEARCHED: &[&str] = &["crates", "examples", "docs", "bench", "book", "interop", "fuzz"];
const SKIPPED: &[&str] = &["target", "node_modules", ".venv", "results", "corpus"];

/// Walks the repository at `root` and lists what is wrong.
pub fn run(root: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for parent in EXPLAINED {
        for folder in crates_below(&root.join(parent)) {
            if !folder.join("README.md").is_file() {
                complaints.push(format!("{} has no README.md", shown(root, &folder)));
            }
        }
    }
    let mut pages: Vec<PathBuf> = children(root).into_iter().filter(|path| path.is_file()).collect();
    for folder in SEARCHED {
        walk(&root.join(folder), &mut pages);
    }
    pages.push(root.join("xtask/README.md"));
    for page in pages {
        let is_markdown = page.extension().is_some_and(|e| e == "md");
        if !is_markdown && page.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = read(&page)?;
        let missing = links::mentions(&text).into_iter().filter(|path| !root.join(path).is_file());
        complaints
            .extend(missing.map(|path| format!("{} names {path}, which is not there", shown(root, &page))));
        if is_markdown {
            let broken = links::broken(&page, &text)?;
            complaints.extend(broken.into_iter().map(|why| format!("{}: {why}", shown(root, &page))));
        }
    }
    complaints.extend(lists::complaints(root)?);
    complaints.extend(tables::complaints(root)?);
    complaints.extend(protocols::complaints(root)?);
    Ok(complaints)
}

/// The crates right below a folder.
fn crates_below(folder: &Path) -> Vec<PathBuf> {
    children(folder).into_iter().filter(|child| child.join("Cargo.toml").is_file()).collect()
}

fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in children(folder) {
        let skipped = path.file_name().and_then(|n| n.to_str()).is_some_and(|name| SKIPPED.contains(&name));
        if path.is_dir() && !skipped {
            walk(&path, into);
        } else if path.is_file() {
            into.push(path);
        }
    }
}

/// Entries of a folder in a stable order; none if it is not there.
fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
