//! The pages of options name every setter of a channel's builder and of a server, and of their groups.

use std::path::Path;

use super::markdown::{codes, prose};
use crate::Complaints;
use crate::files::{below, name, read};

/// A page, the source whose setters it names, and the groups of options with the source of each. Sources are
/// given by the end of their path, wherever their crate lies.
type Options = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const PAGES: &[Options] = &[
    (
        "docs/client-options.md",
        "client/src/builder.rs",
        &[
            ("Fleet", "client/src/options/fleet.rs"),
            ("Pooling", "client/src/options/pooling.rs"),
            ("Resilience", "client/src/options/resilience.rs"),
        ],
    ),
    (
        "docs/server.md",
        "server/src/server.rs",
        &[
            ("Bounds", "server/src/options/bounds.rs"),
            ("Lifecycle", "server/src/options/lifecycle.rs"),
            ("Pages", "rpc/pages/src/options.rs"),
            ("Recording", "server/src/options/recording.rs"),
        ],
    ),
];

/// Setters that their page does not name: `timeout(`, `Pooling::idle(`.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let sources = below(&root.join("crates"), &|folder| name(folder) != "target")?;
    let mut complaints = Vec::new();
    for (page, source, groups) in PAGES {
        if !root.join(page).is_file() {
            continue; // the list of pages is checked elsewhere
        }
        let text = read(&root.join(page))?;
        let named: Vec<String> = prose(&text).flat_map(codes).collect();
        for (group, source) in [("", *source)].into_iter().chain(groups.iter().copied()) {
            let Some(path) = sources.iter().find(|path| path.ends_with(source)) else {
                complaints.push(format!("there is no {source} whose setters {page} should name"));
                continue;
            };
            let prefix = if group.is_empty() { String::new() } else { format!("{group}::") };
            let options = read(path)?;
            let options = setters(&options).into_iter().map(|setter| format!("{prefix}{setter}"));
            let is_named = |option: &String| named.iter().any(|code| code.starts_with(&format!("{option}(")));
            let missing = options.filter(|option| !is_named(option));
            complaints.extend(missing.map(|option| format!("{page} does not name the option `{option}`")));
        }
    }
    Ok(complaints)
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
                "docs/client-options.md does not name the option `connector`",
                "docs/client-options.md does not name the option `Pooling::spare`"
            ]
        );
    }

    #[test]
    fn a_builder_that_has_moved_away_is_missed() {
        let tree = Tree::new("moved").with("docs/client-options.md", "").with("crates/a/src/lib.rs", "");
        assert_eq!(
            complaints(tree.root()).unwrap(),
            ["builder", "options/fleet", "options/pooling", "options/resilience"].map(|file| format!(
                "there is no client/src/{file}.rs whose setters docs/client-options.md should name"
            ))
        );
    }

    #[test]
    fn options_of_a_server_and_of_its_pages_are_missed() {
        let setters = "pub fn tls(self) -> Self {} pub fn open(self) -> Self {}";
        let tree = ["bounds", "lifecycle", "recording"].into_iter().fold(
            Tree::new("server")
                .with("docs/server.md", "`tls(..)`, `open(d)`, `Pages::tls(..)`")
                .with("crates/rpc/server/src/server.rs", setters)
                .with("crates/rpc/pages/src/options.rs", setters),
            |tree, file| tree.with(&format!("crates/rpc/server/src/options/{file}.rs"), ""),
        );
        assert_eq!(
            complaints(tree.root()).unwrap(),
            ["docs/server.md does not name the option `Pages::open`"]
        );
    }
}
