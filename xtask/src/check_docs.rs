//! `cargo xtask check-docs`: every crate and example has a README, every page that is named exists.
//!
//! Two kinds of mention count: a relative link in a Markdown page, and the path of a page written out in a page or a
//! Rust source, such as `docs/wire/http.md`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Complaints;

/// Folders whose every child must explain itself.
const EXPLAINED: &[&str] = &["crates", "examples"];
/// Folders that are searched for mentions of pages (not this one: its tests name pages that are nowhere).
const SEARCHED: &[&str] = &["crates", "examples", "docs", "bench", "interop", "fuzz"];
const SKIPPED: &[&str] = &["target", "node_modules", ".venv", "results", "corpus"];

/// Walks the repository at `root` and lists what is missing.
pub fn run(root: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for parent in EXPLAINED {
        for folder in children(&root.join(parent)) {
            if folder.join("Cargo.toml").is_file() && !folder.join("README.md").is_file() {
                complaints.push(format!("{} has no README.md", shown(root, &folder)));
            }
        }
    }
    let mut pages: Vec<PathBuf> = children(root).into_iter().filter(|path| path.is_file()).collect();
    for folder in SEARCHED {
        walk(&root.join(folder), &mut pages);
    }
    for page in pages {
        let is_markdown = page.extension().is_some_and(|e| e == "md");
        if !is_markdown && page.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
        let here = page.parent().expect("a file lies in a folder");
        // Pages of other projects are named in lines that name the project.
        let ours: String =
            text.lines().filter(|line| !line.contains("apache/brpc")).collect::<Vec<_>>().join("\n");
        let missing = mentions(&ours).into_iter().filter(|path| !root.join(path).is_file());
        complaints
            .extend(missing.map(|path| format!("{} names {path}, which is not there", shown(root, &page))));
        if is_markdown {
            let broken = links(&text).into_iter().filter(|path| !here.join(path).exists());
            complaints.extend(
                broken.map(|path| format!("{} links to {path}, which is not there", shown(root, &page))),
            );
        }
    }
    Ok(complaints)
}

/// Paths of our pages as they are written in running text: `docs/<name>.md`.
fn mentions(text: &str) -> Vec<String> {
    let word = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let words = text.split(|c| !word(c)).map(|found| found.trim_end_matches('.'));
    words.filter(|w| w.starts_with("docs/") && w.ends_with(".md")).map(str::to_owned).collect()
}

/// Targets of relative Markdown links, without their anchors.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in text.split("](").skip(1) {
        let Some((target, _)) = piece.split_once(')') else { continue };
        let path = target.split('#').next().unwrap_or_default();
        let is_path = !path.is_empty()
            && !path.contains("->")
            && !path.contains("://")
            && !path.starts_with("mailto:")
            && !path.contains(' ');
        if is_path {
            found.push(path.to_owned());
        }
    }
    found
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

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_in_running_text_and_at_the_end_of_a_sentence() {
        assert_eq!(
            mentions("//! Source: docs/wire/http.md; see docs/a.md."),
            ["docs/wire/http.md", "docs/a.md"]
        );
    }

    #[test]
    fn links_lose_their_anchor_and_addresses_are_left_alone() {
        let text = "[a](x.md#part) [b](https://example.org/y.md) [c](#here) [d](../z)";
        assert_eq!(links(text), ["x.md", "../z"]);
    }
}
