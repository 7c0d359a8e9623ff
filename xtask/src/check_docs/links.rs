//! Links of a page, and pages that are mentioned in running text.

use std::path::Path;

use super::markdown;
use crate::files::read;
use crate::repository;

/// Paths of our pages and their folders in running text: `docs/<name>`.
pub fn mentions(text: &str) -> Vec<String> {
    let word = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    // Pages of other projects are mentioned in lines that contain the project's name.
    let ours = text.lines().filter(|line| !line.contains("apache/brpc"));
    let words = ours.flat_map(|line| line.split(move |c| !word(c))).map(|found| found.trim_end_matches('.'));
    words.filter(|word| word.starts_with("docs/") && *word != "docs/").map(str::to_owned).collect()
}

/// Paths into a copy of the repository that lies beside the reader's own folder: `../polywire/<path>`.
pub fn beside(text: &str) -> Vec<&str> {
    let paths = text.split("\"../polywire/").skip(1);
    paths.filter_map(|rest| rest.split('"').next()).collect()
}

/// The dead links of a page: the file, or the heading of the page, does not exist. Links to the repository's
/// web pages are looked up in the tree at `root`, links to other hosts are not checked.
pub fn broken(root: &Path, page: &Path, text: &str) -> Result<Vec<String>, String> {
    let here = page.parent().expect("a file lies in a folder");
    let mut broken = Vec::new();
    for link in markdown::links(text) {
        let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = match repository::path(path) {
            Some(path) => root.join(path),
            None if link.contains("://") || link.starts_with("mailto:") => continue,
            None if path.is_empty() => page.to_owned(),
            None => here.join(path),
        };
        if !target.exists() {
            broken.push(format!("links to {path}, which does not exist"));
            continue;
        }
        let is_page = target.extension().is_some_and(|e| e == "md");
        if !anchor.is_empty() && is_page && !markdown::anchors(&read(&target)?).iter().any(|a| a == anchor) {
            broken.push(format!("links to {link}, and there is no such heading"));
        }
    }
    Ok(broken)
}

/// The links of a crate's README that only a reader of the repository can follow: those out of its folder,
/// since its page at the registry and its documentation contain only the folder.
pub fn leaving(text: &str) -> Vec<String> {
    let links = markdown::links(text).into_iter();
    links
        .filter(|link| link.starts_with("../"))
        .map(|link| {
            format!("links to {link}, which its package has not; {} leads there", repository::address("…"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    #[test]
    fn paths_into_a_copy_of_the_repository_are_found() {
        assert_eq!(beside("a = { path = \"../polywire/crates/a\" }\nb = \"../c\"\n"), ["crates/a"]);
    }

    #[test]
    fn pages_are_found_in_running_text_and_at_the_end_of_a_sentence() {
        assert_eq!(
            mentions("//! Source: docs/wire/http.md; see docs/a.md."),
            ["docs/wire/http.md", "docs/a.md"]
        );
        assert_eq!(mentions("as `apache/brpc: docs/en/io.md` says"), [""; 0]);
    }

    #[test]
    fn a_link_leads_to_a_file_and_to_a_heading_of_it() {
        let tree = Tree::new("links").with("a.md", "# One\n## Two words\n").with("sub/b.md", "");
        let page = tree.root().join("a.md");
        let wrong = |text: &str| broken(tree.root(), &page, text).unwrap();
        assert_eq!(
            wrong("[a](sub/b.md) [b](#one) [c](a.md#two-words) [d](https://example.org/x) [e](sub)"),
            [""; 0]
        );
        assert_eq!(wrong("[a](c.md)"), ["links to c.md, which does not exist"]);
        assert_eq!(wrong("[a](#three)"), ["links to #three, and there is no such heading"]);
        assert_eq!(wrong("[a](sub/b.md#one)"), ["links to sub/b.md#one, and there is no such heading"]);
    }

    #[test]
    fn a_link_to_the_repository_is_looked_up_in_the_tree() {
        let tree = Tree::new("repository").with("crates/a/README.md", "").with("docs/b.md", "# One\n");
        let page = tree.root().join("crates/a/README.md");
        let address = repository::address("docs/b.md");
        let wrong = |text: &str| broken(tree.root(), &page, text).unwrap();
        assert_eq!(wrong(&format!("[a]({address}) [b]({address}#one)")), [""; 0]);
        assert_eq!(
            wrong(&format!("[a]({address}#two)")),
            [format!("links to {address}#two, and there is no such heading")]
        );
        let gone = repository::address("docs/c.md");
        assert_eq!(wrong(&format!("[a]({gone})")), [format!("links to {gone}, which does not exist")]);
    }

    #[test]
    fn a_link_out_of_a_package_is_found() {
        assert_eq!(leaving("[a](src/x.rs) [b](#part) [c](https://example.org)"), [""; 0]);
        assert_eq!(leaving("[a](../../docs/x.md)").len(), 1);
    }
}
