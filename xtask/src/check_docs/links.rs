//! Links of a page, and pages that are named in running text.

use std::path::Path;

use super::markdown;
use crate::files::read;

/// Paths of our pages as they are written in running text: `docs/<name>.md`.
pub fn mentions(text: &str) -> Vec<String> {
    let word = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    // Pages of other projects are named in lines that name the project.
    let ours = text.lines().filter(|line| !line.contains("apache/brpc"));
    let words = ours.flat_map(|line| line.split(move |c| !word(c))).map(|found| found.trim_end_matches('.'));
    words.filter(|w| w.starts_with("docs/") && w.ends_with(".md")).map(str::to_owned).collect()
}

/// The relative links of a page that lead nowhere: to no file, or to no heading of the page that they name.
pub fn broken(page: &Path, text: &str) -> Result<Vec<String>, String> {
    let here = page.parent().expect("a file lies in a folder");
    let mut broken = Vec::new();
    for link in markdown::links(text) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = if path.is_empty() { page.to_owned() } else { here.join(path) };
        if !target.exists() {
            broken.push(format!("links to {path}, which is not there"));
            continue;
        }
        let is_page = target.extension().is_some_and(|e| e == "md");
        if !anchor.is_empty() && is_page && !markdown::anchors(&read(&target)?).iter().any(|a| a == anchor) {
            broken.push(format!("links to {link}, and there is no such heading"));
        }
    }
    Ok(broken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

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
        let wrong = |text: &str| broken(&page, text).unwrap();
        assert_eq!(
            wrong("[a](sub/b.md) [b](#one) [c](a.md#two-words) [d](https://example.org/x) [e](sub)"),
            [""; 0]
        );
        assert_eq!(wrong("[a](c.md)"), ["links to c.md, which is not there"]);
        assert_eq!(wrong("[a](#three)"), ["links to #three, and there is no such heading"]);
        assert_eq!(wrong("[a](sub/b.md#one)"), ["links to sub/b.md#one, and there is no such heading"]);
    }
}
