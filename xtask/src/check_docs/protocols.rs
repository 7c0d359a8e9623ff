//! Compares tables of protocols with the built-in ones.

use std::path::Path;

use polywire_wire::Connections;

use super::markdown::{Table, codes, tables};
use crate::Complaints;
use crate::files::read;

/// A built-in protocol, as the tables have to have it.
struct Entry {
    name: &'static str,
    /// Whether it is spoken, not only recognised by its first bytes.
    spoken: bool,
    /// Whether servers speak it.
    server: bool,
    /// Whether channels speak it.
    client: bool,
    /// How its calls share connections, the default first.
    connections: &'static [Connections],
}

/// Statements of the pages about protocols that differ from what is built in.
fn complaints(root: &Path) -> Result<Complaints, String> {
    let entries: Vec<Entry> = polywire_protocols::builtin()
        .iter()
        .map(|p| {
            let spoken = p.machine.is_some();
            let (server, client) = (spoken && !p.client_only, spoken && !p.server_only);
            Entry { name: p.name, spoken, server, client, connections: p.connections }
        })
        .collect();
    let mut complaints = readme(&entries, &read(&root.join("crates/codecs/protocols/README.md"))?);
    complaints.extend(front(&entries, &read(&root.join("README.md"))?));
    complaints.extend(client(&entries, &read(&root.join("docs/client-options.md"))?));
    Ok(complaints)
}

/// `crates/codecs/protocols/README.md`: a column of names beside the folders.
fn readme(entries: &[Entry], text: &str) -> Complaints {
    const PAGE: &str = "crates/codecs/protocols/README.md";
    let Some(table) = tables(text).into_iter().find(|table| table.codes("names").is_some()) else {
        return vec![format!("{PAGE} has no table with a column `names`")];
    };
    let listed = table.codes("names").unwrap_or_default();
    let mut complaints = both_ways(PAGE, &listed, entries.iter().map(|e| e.name).collect());
    for row in &table.rows {
        let says_spoken = row.last().is_some_and(|cell| cell == "yes");
        for name in row.get(1).map(|cell| codes(cell)).unwrap_or_default() {
            if entries.iter().any(|e| e.name == name && e.spoken != says_spoken) {
                complaints.push(format!("{PAGE}: whether `{name}` is spoken is not as built in"));
            }
        }
    }
    complaints
}

/// `README.md`: its table has each protocol that is spoken, with the sides that speak it. Rows without a
/// name, such as WebSocket's, are of what has no entry.
fn front(entries: &[Entry], text: &str) -> Complaints {
    const PAGE: &str = "README.md";
    let is_it = |table: &Table| {
        ["protocol", "server", "client"].iter().all(|title| table.header.contains(&(*title).to_owned()))
    };
    let Some(table) = tables(text).into_iter().find(is_it) else {
        return vec![format!("{PAGE} has no table of protocols")];
    };
    let names = table.codes("protocol").unwrap_or_default();
    let spoken = entries.iter().filter(|e| e.spoken);
    let mut complaints = both_ways(PAGE, &names, spoken.map(|e| e.name).collect());
    for row in &table.rows {
        for entry in entries.iter().filter(|e| e.spoken && codes(&row[0]).iter().any(|name| name == e.name)) {
            let cell = |speaks| if speaks { "yes" } else { "no" };
            if row.get(1..3) != Some(&[cell(entry.server).to_owned(), cell(entry.client).to_owned()]) {
                complaints.push(format!("{PAGE}: which sides speak `{}` is not as built in", entry.name));
            }
        }
    }
    complaints
}

/// `docs/client-options.md`: the table of kinds of connections, which has the name of each protocol beside
/// its kind.
fn client(entries: &[Entry], text: &str) -> Complaints {
    const PAGE: &str = "docs/client-options.md";
    let tables = tables(text);
    let spoken: Vec<&Entry> = entries.iter().filter(|e| e.client).collect();
    let Some(kinds) = tables.iter().find(|table| table.header.iter().any(|cell| cell == "default of")) else {
        return vec![format!("{PAGE} has no table of kinds of connections")];
    };
    let mut complaints = Complaints::new();
    for (kind, name) in
        [(Connections::Single, "Single"), (Connections::Pooled, "Pooled"), (Connections::Short, "Short")]
    {
        let expected = spoken.iter().filter(|e| e.connections.first() == Some(&kind)).map(|e| e.name);
        let found = of_row(kinds, name);
        complaints.extend(both_ways(&format!("{PAGE}, the row of `{name}`"), &found, expected.collect()));
    }
    complaints
}

/// The words in code under "default of" in the row that begins with `kind`.
fn of_row(kinds: &Table, kind: &str) -> Vec<String> {
    let column = kinds.header.iter().position(|cell| cell == "default of").unwrap_or_default();
    let row = kinds.rows.iter().find(|row| codes(&row[0]).iter().any(|word| word == kind));
    row.and_then(|row| row.get(column)).map(|cell| codes(cell)).unwrap_or_default()
}

/// Entries that are listed and not expected, and those that are expected and not listed.
fn both_ways(place: &str, listed: &[String], expected: Vec<&str>) -> Complaints {
    let missing = expected.iter().filter(|name| !listed.iter().any(|l| l == *name));
    let mut complaints: Complaints = missing.map(|name| format!("{place} lacks `{name}`")).collect();
    let wrong = listed.iter().filter(|name| !expected.contains(&name.as_str()));
    complaints.extend(wrong.map(|name| format!("{place} lists `{name}`, which is not built in as such")));
    complaints
}

#[test]
fn pages_have_the_built_in_protocols() {
    assert_eq!(complaints(&crate::root()), Ok(Complaints::new()));
}

mod tests {
    use super::*;

    const ENTRIES: &[Entry] = &[
        Entry { name: "a", spoken: true, server: true, client: true, connections: &[Connections::Single] },
        Entry {
            name: "b",
            spoken: true,
            server: true,
            client: true,
            connections: &[Connections::Pooled, Connections::Short],
        },
        // Servers alone speak it.
        Entry { name: "s", spoken: true, server: true, client: false, connections: &[Connections::Pooled] },
        Entry { name: "c", spoken: false, server: false, client: false, connections: &[Connections::Single] },
    ];
    const README: &str = "| folder | names | what | spoken |\n| --- | --- | --- | --- |\n\
                          | `x/` | `a`, `b`, `s` | one | yes |\n| `y/` | `c` | other | no |\n";
    const FRONT: &str = "| protocol | server | client | feature |\n| --- | --- | --- | --- |\n\
                         | `a`, `b` | yes | yes | `x` |\n| `s` | yes | no | `y` |\n| Other | yes | yes | `z` |\n";
    const CLIENT: &str = "| kind | what | default of |\n| --- | --- | --- |\n\
                          | `Single` | one | `a` |\n| `Pooled` | many | `b` |\n";

    #[test]
    fn tables_that_agree_with_the_built_in_protocols_pass() {
        assert_eq!(readme(ENTRIES, README), [""; 0]);
        assert_eq!(client(ENTRIES, CLIENT), [""; 0]);
        assert_eq!(front(ENTRIES, FRONT), [""; 0]);
    }

    #[test]
    fn a_name_that_is_missing_or_wrong_fails() {
        assert_eq!(
            readme(ENTRIES, &README.replace(", `b`, ", ", ")),
            ["crates/codecs/protocols/README.md lacks `b`"]
        );
        assert_eq!(
            readme(ENTRIES, &README.replace("`c`", "`c`, `d`")),
            ["crates/codecs/protocols/README.md lists `d`, which is not built in as such"]
        );
        assert_eq!(
            client(ENTRIES, &CLIENT.replace("| many | `b` |", "| many | |")),
            ["docs/client-options.md, the row of `Pooled` lacks `b`"]
        );
        assert_eq!(
            client(ENTRIES, &CLIENT.replace("| many | `b` |", "| many | `b`, `s` |")),
            ["docs/client-options.md, the row of `Pooled` lists `s`, which is not built in as such"]
        );
        assert_eq!(
            client(ENTRIES, "| a | b |\n| --- | --- |\n"),
            ["docs/client-options.md has no table of kinds of connections"]
        );
        assert_eq!(front(ENTRIES, &FRONT.replace(", `b`", "")), ["README.md lacks `b`"]);
        assert_eq!(
            front(ENTRIES, &FRONT.replace("`b`", "`b`, `c`")),
            ["README.md lists `c`, which is not built in as such"]
        );
        assert_eq!(front(ENTRIES, "It speaks a, b and s.").len(), 1);
    }

    #[test]
    fn which_sides_speak_a_protocol_is_compared() {
        let wrong = FRONT.replace("| yes | no |", "| yes | yes |");
        assert_eq!(front(ENTRIES, &wrong), ["README.md: which sides speak `s` is not as built in"]);
    }

    #[test]
    fn whether_a_protocol_is_spoken_and_how_it_shares_connections_is_compared() {
        assert_eq!(
            readme(ENTRIES, &README.replace("| no |", "| yes |")),
            ["crates/codecs/protocols/README.md: whether `c` is spoken is not as built in"]
        );
        let swapped =
            CLIENT.replace("| one | `a` |", "| one | `b` |").replace("| many | `b` |", "| many | `a` |");
        assert_eq!(client(ENTRIES, &swapped).len(), 4, "{:?}", client(ENTRIES, &swapped));
    }
}
