//! The page of a channel's options: it names every setter of the builder and of its groups of options.

use std::path::Path;

use super::markdown::{codes, prose};
use crate::Complaints;
use crate::files::{below, name, read};

const PAGE: &str = "docs/client-options.md";
/// The end of the path of the builder's source, wherever its crate lies.
const BUILDER: &str = "client/src/builder.rs";
/// Groups of options, each in the file of its name in `options` beside the builder.
const GROUPS: &[&str] = &["Fleet", "Pooling", "Resilience"];

/// Setters of the builder and of its groups that the page does not name: `timeout(`, `Pooling::idle(`.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let page = root.join(PAGE);
    if !page.is_file() {
        return Ok(Vec::new()); // the list of pages is checked elsewhere
    }
    let sources = below(&root.join("crates"), &|folder| name(folder) != "target")?;
    let Some(builder) = sources.into_iter().find(|path| path.ends_with(BUILDER)) else {
        return Ok(vec![format!("there is no {BUILDER} whose setters {PAGE} should name")]);
    };
    let text = read(&page)?;
    let named: Vec<String> = prose(&text).flat_map(codes).collect();
    let mut options: Vec<String> = setters(&read(&builder)?).into_iter().map(str::to_owned).collect();
    for group in GROUPS {
        let source = read(&builder.with_file_name(format!("options/{}.rs", group.to_lowercase())))?;
        options.extend(setters(&source).into_iter().map(|setter| format!("{group}::{setter}")));
    }
    let is_named = |option: &String| named.iter().any(|code| code.starts_with(&format!("{option}(")));
    let missing = options.into_iter().filter(|option| !is_named(option));
    Ok(missing.map(|option| format!("{PAGE} does not name the option `{option}` of a channel")).collect())
}

/// The names of public methods that take `self` and give `Self`, each once.
fn setters(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_hidden = false;
    for item in source.split("pub fn ") {
        let was_hidden = std::mem::replace(&mut is_hidden, item.trim_end().ends_with("#[doc(hidden)]"));
        if was_hidden {
            continue;
        }
        let signature = item.split('{').next().unwrap_or_default();
        let name = item.split(['(', '<']).next().unwrap_or_default();
        if signature.contains("self") && signature.contains("-> Self") && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    const SOURCE: &str = "impl Builder {
        pub fn new() -> Self {}
        pub fn timeout(mut self, time: Duration) -> Self {}
        pub fn connector<F>(
            mut self,
            connect: F,
        ) -> Self {}
        #[cfg(feature = \"x\")]
        pub fn tls(mut self) -> Self {}
        #[cfg(not(feature = \"x\"))]
        pub fn tls(self) -> Self {}
        #[doc(hidden)]
        pub fn unseen(self) -> Self {}
        pub fn build(self) -> Result<Channel, Error> {}
        fn hidden(self) -> Self {}
    }";

    #[test]
    fn setters_are_those_that_give_the_builder_back() {
        assert_eq!(setters(SOURCE), ["timeout", "connector", "tls"]);
    }

    #[test]
    fn an_option_that_the_page_leaves_out_is_missed() {
        let tree = Tree::new("options")
            .with(
                "docs/client-options.md",
                "`timeout(d)`, `tls(..)`, `connections(n)`, `Pooling::idle(d)`, `spare(d)`",
            )
            .with("crates/rpc/client/src/builder.rs", SOURCE)
            .with("crates/rpc/client/src/options/fleet.rs", "")
            .with("crates/rpc/client/src/options/resilience.rs", "")
            .with(
                "crates/rpc/client/src/options/pooling.rs",
                "pub fn idle(self) -> Self {} pub fn spare(self) -> Self {}",
            );
        assert_eq!(
            complaints(tree.root()).unwrap(),
            [
                "docs/client-options.md does not name the option `connector` of a channel",
                "docs/client-options.md does not name the option `Pooling::spare` of a channel"
            ]
        );
    }

    #[test]
    fn a_builder_that_has_moved_away_is_missed() {
        let tree = Tree::new("moved").with("docs/client-options.md", "").with("crates/a/src/lib.rs", "");
        assert_eq!(
            complaints(tree.root()).unwrap(),
            ["there is no client/src/builder.rs whose setters docs/client-options.md should name"]
        );
    }
}
