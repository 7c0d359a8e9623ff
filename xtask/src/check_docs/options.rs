//! The pages of options name every setter of a channel's builder and of a server, and of their groups; that
//! of a client also those of one call, and nothing else.

use std::path::{Path, PathBuf};

use super::markdown::{Table, codes, prose, tables};
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

/// The page whose tables of options are compared in both directions.
const CLIENT: &str = "docs/client-options.md";
/// The table of the options of one call, and the sources of their setters: of calls with one message each
/// way, and of those with streams.
const OF_A_CALL: (&str, &str, &str) =
    ("streams, too", "client/src/call/unary.rs", "client/src/call/streaming/call.rs");

/// Setters that their page does not name, `timeout(`, `Pooling::idle(`, and names of setters that do not
/// exist.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let sources = below(&root.join("crates"), &|folder| name(folder) != "target")?;
    let mut complaints = Vec::new();
    for (page, source, groups) in PAGES {
        if !root.join(page).is_file() {
            continue; // the list of pages is checked elsewhere
        }
        let text = read(&root.join(page))?;
        let named: Vec<String> = prose(&text).flat_map(codes).collect();
        let mut all = Vec::new();
        for (group, source) in [("", *source)].into_iter().chain(groups.iter().copied()) {
            let Some(path) = sources.iter().find(|path| path.ends_with(source)) else {
                complaints.push(format!("there is no {source} whose setters {page} should name"));
                continue;
            };
            let prefix = if group.is_empty() { String::new() } else { format!("{group}::") };
            let options = read(path)?;
            let options = setters(&options).into_iter().map(|setter| format!("{prefix}{setter}"));
            let options: Vec<String> = options.collect();
            let is_named = |option: &&String| named.iter().any(|code| name_of(code) == Some(option));
            let missing = options.iter().filter(|option| !is_named(option));
            complaints.extend(missing.map(|option| format!("{page} does not name the option `{option}`")));
            all.extend(options);
        }
        if *page == CLIENT {
            let tables = tables(&text);
            let of_channels =
                tables.iter().filter(|table| table.header.iter().any(|title| title == "default"));
            let listed: Vec<String> =
                of_channels.filter_map(|table| table.codes("option")).flatten().collect();
            let absent = listed.iter().filter_map(|code| name_of(code));
            let absent = absent.filter(|name| !all.iter().any(|option| option == name));
            complaints.extend(absent.map(|name| format!("{page} names `{name}`, which is no option")));
            complaints.extend(of_a_call(&tables, &sources)?);
        }
    }
    Ok(complaints)
}

/// What the table of the options of one call has otherwise than the sources.
fn of_a_call(tables: &[Table], sources: &[PathBuf]) -> Result<Complaints, String> {
    let (title, unary, streaming) = OF_A_CALL;
    let Some(table) = tables.iter().find(|table| table.header.last().is_some_and(|last| last == title))
    else {
        return Ok(vec![format!("{CLIENT} has no table with a column `{title}`")]);
    };
    let mut complaints = Vec::new();
    for (source, of_streams) in [(unary, false), (streaming, true)] {
        let Some(path) = sources.iter().find(|path| path.ends_with(source)) else {
            complaints.push(format!("there is no {source} whose setters {CLIENT} should name"));
            continue;
        };
        let source = read(path)?;
        let is = setters(&source);
        let rows =
            table.rows.iter().filter(|row| !of_streams || row.last().is_some_and(|cell| cell == "yes"));
        let listed: Vec<String> = rows.flat_map(|row| codes(&row[0])).collect();
        let listed: Vec<&str> = listed.iter().filter_map(|code| name_of(code)).collect();
        let calls = if of_streams { "calls with streams" } else { "a call" };
        let missing = is.iter().filter(|setter| !listed.contains(setter));
        complaints.extend(missing.map(|setter| format!("{CLIENT} does not name `{setter}` of {calls}")));
        let absent = listed.iter().filter(|name| !is.contains(name));
        complaints
            .extend(absent.map(|name| format!("{CLIENT} names `{name}`, which is no option of {calls}")));
    }
    Ok(complaints)
}

/// The name in `name(arguments)`.
fn name_of(code: &str) -> Option<&str> {
    code.split_once('(').map(|(name, _)| name)
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
        let page = format!("`timeout(d)`, `tls(..)`, `Pooling::idle(d)`, `spare(d)`\n\n{CALLS}");
        let tree = client("options", &page);
        assert_eq!(
            complaints(tree.root()).unwrap(),
            [
                "docs/client-options.md does not name the option `connector`",
                "docs/client-options.md does not name the option `Pooling::spare`"
            ]
        );
    }

    const CALLS: &str = "| option | what | streams, too |\n| --- | --- | --- |\n\
                         | `timeout(d)` | a | yes |\n| `retries(n)` | b | |\n";

    /// A page beside the sources of a channel.
    fn client(name: &str, page: &str) -> Tree {
        Tree::new(name)
            .with("docs/client-options.md", page)
            .with("crates/rpc/client/src/builder.rs", SOURCE)
            .with("crates/rpc/client/src/options/fleet.rs", "")
            .with("crates/rpc/client/src/options/resilience.rs", "")
            .with(
                "crates/rpc/client/src/options/pooling.rs",
                "pub fn idle(self) -> Self {} pub fn spare(self) -> Self {}",
            )
            .with(
                "crates/rpc/client/src/call/unary.rs",
                "pub fn timeout(self) -> Self {} pub fn retries(self) -> Self {}",
            )
            .with("crates/rpc/client/src/call/streaming/call.rs", "pub fn timeout(self) -> Self {}")
    }

    #[test]
    fn an_option_that_does_not_exist_is_found() {
        let all = "| option | default |\n| --- | --- |\n| `timeout(d)`, `connector(f)`, `tls(t)` | |\n\
                   | `Pooling::idle(d)`, `Pooling::spare(d)`, `Pooling::age(d)` | |\n\n";
        let calls = CALLS.replace("`retries(n)` | b | |", "`Resilience::retries(n)` | b | yes |");
        assert_eq!(
            complaints(client("gone", &format!("{all}{calls}")).root()).unwrap(),
            [
                "docs/client-options.md names `Pooling::age`, which is no option",
                "docs/client-options.md does not name `retries` of a call",
                "docs/client-options.md names `Resilience::retries`, which is no option of a call",
                "docs/client-options.md names `Resilience::retries`, which is no option of calls with streams",
            ]
        );
    }

    #[test]
    fn a_builder_that_has_moved_away_is_missed() {
        let tree = Tree::new("moved").with("docs/client-options.md", CALLS).with("crates/a/src/lib.rs", "");
        assert_eq!(
            complaints(tree.root()).unwrap(),
            [
                "builder",
                "options/fleet",
                "options/pooling",
                "options/resilience",
                "call/unary",
                "call/streaming/call"
            ]
            .map(|file| format!(
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
