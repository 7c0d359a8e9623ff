//! Lists of pages and examples: they contain every entry that exists.

use std::path::{Path, PathBuf};

use super::{markdown, pages_below};
use crate::Complaints;
use crate::files::{self, children, name, read, shown};

/// Checks the book's list of pages, `docs/README.md` and `examples/README.md` against their folders. That the
/// targets of links exist is checked with all other links.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let docs = root.join("docs");
    let is_page = |path: &PathBuf| path.extension().is_some_and(|e| e == "md") && name(path) != "SUMMARY.md";
    let pages: Vec<PathBuf> = pages_below(&docs)?.into_iter().filter(is_page).collect();
    let of_docs = children(&docs)
        .unwrap_or_default()
        .into_iter()
        .filter(|path| is_page(path) && name(path) != "README.md");

    let mut complaints = unlisted(root, &docs.join("SUMMARY.md"), pages.clone())?;
    complaints.extend(unlisted(root, &docs.join("README.md"), of_docs.collect())?);
    complaints.extend(unlisted(
        root,
        &root.join("examples/README.md"),
        files::crates(&root.join("examples")),
    )?);
    Ok(complaints)
}

/// The entries of `wanted` to which the page has no link.
fn unlisted(root: &Path, page: &Path, wanted: Vec<PathBuf>) -> Result<Complaints, String> {
    let here = page.parent().expect("a file lies in a folder");
    let linked: Vec<PathBuf> = markdown::links(&read(page)?)
        .iter()
        .map(|link| here.join(link.split('#').next().unwrap_or_default().trim_end_matches('/')))
        .collect();
    let missing = wanted.into_iter().filter(|path| !linked.contains(path));
    Ok(missing.map(|path| format!("{} does not list {}", shown(root, page), shown(root, &path))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    #[test]
    fn a_page_or_an_example_that_no_list_has_is_missed() {
        let tree = Tree::new("lists")
            .with("docs/SUMMARY.md", "- [a](a.md)\n- [start](README.md)\n")
            .with("docs/README.md", "[a](a.md)")
            .with("docs/a.md", "")
            .with("docs/wire/b.md", "")
            .with("docs/c.md", "")
            .with("examples/README.md", "[x](x)")
            .with("examples/x/Cargo.toml", "")
            .with("examples/y/Cargo.toml", "");
        assert_eq!(
            complaints(tree.root()).unwrap(),
            [
                "docs/SUMMARY.md does not list docs/c.md",
                "docs/SUMMARY.md does not list docs/wire/b.md",
                "docs/README.md does not list docs/c.md",
                "examples/README.md does not list examples/y",
            ]
        );
    }
}
