//! `CONTRIBUTING.md` names the crates that may have unsafe code; the root of every other one forbids it.

use std::collections::BTreeSet;
use std::path::Path;

use super::markdown::codes;
use crate::Complaints;
use crate::files::{crates, name, read};

const PAGE: &str = "CONTRIBUTING.md";
/// How the entry of its list begins.
const ENTRY: &str = "- Unsafe code only in";
const FORBIDDEN: &str = "#![forbid(unsafe_code)]";

/// Crates that are named and forbid it, or do not forbid it and are not named.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let page = read(&root.join(PAGE))?;
    let entry = page.split(ENTRY).nth(1).and_then(|rest| rest.split("\n- ").next()).unwrap_or_default();
    let (mut allowed, mut named) = (BTreeSet::new(), BTreeSet::new());
    for folder in crates(&root.join("crates")) {
        let crate_name = name(&folder).to_owned();
        let lib = folder.join("src/lib.rs");
        if lib.is_file() && !read(&lib)?.contains(FORBIDDEN) {
            allowed.insert(crate_name.clone());
        }
        if codes(entry).contains(&crate_name) {
            named.insert(crate_name);
        }
    }
    let differ = allowed.symmetric_difference(&named);
    Ok(differ
        .map(|of| format!("{PAGE}: whether `{of}` may have unsafe code is not as in its root"))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    #[test]
    fn crates_that_may_have_unsafe_code_are_those_named() {
        let tree = Tree::new("unsafety").with(
            "CONTRIBUTING.md",
            "- a\n- Unsafe code only in `one` and\n  `two`: with reasons.\n- `three`\n",
        );
        let tree = [("one", ""), ("two", FORBIDDEN), ("three", ""), ("four", FORBIDDEN)].into_iter().fold(
            tree,
            |tree, (name, root)| {
                tree.with(&format!("crates/{name}/Cargo.toml"), "")
                    .with(&format!("crates/{name}/src/lib.rs"), root)
            },
        );
        assert_eq!(
            complaints(tree.root()).unwrap(),
            ["three", "two"].map(|of| format!(
                "CONTRIBUTING.md: whether `{of}` may have unsafe code is not as in its root"
            ))
        );
    }
}
