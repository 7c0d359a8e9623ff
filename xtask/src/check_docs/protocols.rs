//! Compares tables of protocols with the registry.

use std::path::Path;

use polywire_wire::Connections;

use super::markdown::{Table, codes, tables};
use crate::Complaints;
use crate::files::read;

/// A protocol as the registry has it.
struct Entry {
    name: &'static str,
    /// Whether it is spoken, not only recognised by its first bytes.
    spoken: bool,
    /// Whether channels speak it.
    client: bool,
    /// How its calls share connections, the default first.
    connections: &'static [Connections],
}

/// Statements of the pages about protocols that differ from the registry.
fn complaints(root: &Path) -> Result<Complaints, String> {
    let entries: Vec<Entry> = polywire_protocols::builtin()
        .iter()
        .map(|p| {
            let spoken = p.machine.is_some();
            Entry { name: p.name, spoken, client: spoken && !p.server_only, connections: p.connections }
        })
        .collect();
    let mut complaints = readme(&entries, &read(&root.join("crates/codecs/protocols/README.md"))?);
    complaints.extend(front(&entries, &read(&root.join("README.md"))?));
    complaints.extend(client(&entries, &read(&root.join("docs/client.md"))?));
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
                complaints.push(format!("{PAGE}: whether `{name}` is spoken is not as in the registry"));
            }
        }
    }
    complaints
}

/// `README.md` names each protocol that is spoken, ignoring case.
fn front(entries: &[Entry], text: &str) -> Complaints {
    let text = text.to_lowercase();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let words: Vec<&str> = text.split(|c| !is_word(c)).collect();
    let missing = entries.iter().filter(|e| e.spoken && !words.contains(&e.name));
    missing.map(|e| format!("README.md does not name the protocol {}", e.name)).collect()
}

/// `docs/client.md`: the names that `protocol(..)` takes, and the table of kinds of connections.
fn client(entries: &[Entry], text: &str) -> Complaints {
    const PAGE: &str = "docs/client.md";
    let tables = tables(text);
    let spoken: Vec<&Entry> = entries.iter().filter(|e| e.client).collect();
    let is_option = |row: &&Vec<String>| row[0].starts_with("`protocol(");
    let Some(row) = tables.iter().flat_map(|table| &table.rows).find(is_option) else {
        return vec![format!("{PAGE} has no row for `protocol(..)`")];
    };
    let named: Vec<String> =
        row[1..].iter().flat_map(|cell| codes(cell)).filter(|word| !word.contains(':')).collect();
    let mut complaints = both_ways(PAGE, &named, spoken.iter().map(|e| e.name).collect());
    let Some(kinds) = tables.iter().find(|table| table.header.iter().any(|cell| cell == "default of")) else {
        complaints.push(format!("{PAGE} has no table of kinds of connections"));
        return complaints;
    };
    for (kind, name) in [(Connections::Single, "Single"), (Connections::Pooled, "Pooled")] {
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
    complaints
        .extend(wrong.map(|name| format!("{place} lists `{name}`, which is not in the registry as such")));
    complaints
}

#[test]
fn pages_have_the_protocols_of_the_registry() {
    assert_eq!(complaints(&crate::root()), Ok(Complaints::new()));
}

mod tests {
    use super::*;

    const ENTRIES: &[Entry] = &[
        Entry { name: "a", spoken: true, client: true, connections: &[Connections::Single] },
        Entry {
            name: "b",
            spoken: true,
            client: true,
            connections: &[Connections::Pooled, Connections::Short],
        },
        // Servers alone speak it.
        Entry { name: "s", spoken: true, client: false, connections: &[Connections::Pooled] },
        Entry { name: "c", spoken: false, client: false, connections: &[Connections::Single] },
    ];
    const README: &str = "| folder | names | what | spoken |\n| --- | --- | --- | --- |\n\
                          | `x/` | `a`, `b`, `s` | one | yes |\n| `y/` | `c` | other | no |\n";
    const CLIENT: &str = "| option | default | what |\n| --- | --- | --- |\n\
                          | `protocol(name)` | `a` | also `b`, with a parameter `b:x` |\n\n\
                          | kind | what | default of |\n| --- | --- | --- |\n\
                          | `Single` | one | `a` |\n| `Pooled` | many | `b` |\n";

    #[test]
    fn tables_that_agree_with_the_registry_pass() {
        assert_eq!(readme(ENTRIES, README), [""; 0]);
        assert_eq!(client(ENTRIES, CLIENT), [""; 0]);
        assert_eq!(front(ENTRIES, "It speaks A, b and s."), [""; 0]);
    }

    #[test]
    fn a_name_that_is_missing_or_wrong_fails() {
        assert_eq!(
            readme(ENTRIES, &README.replace(", `b`, ", ", ")),
            ["crates/codecs/protocols/README.md lacks `b`"]
        );
        assert_eq!(
            readme(ENTRIES, &README.replace("`c`", "`c`, `d`")),
            ["crates/codecs/protocols/README.md lists `d`, which is not in the registry as such"]
        );
        assert_eq!(client(ENTRIES, &CLIENT.replace("also `b`,", "")), ["docs/client.md lacks `b`"]);
        assert_eq!(
            client(ENTRIES, &CLIENT.replace("also `b`,", "also `b` and `s`,")),
            ["docs/client.md lists `s`, which is not in the registry as such"]
        );
        assert_eq!(front(ENTRIES, "It speaks a, bb and s."), ["README.md does not name the protocol b"]);
    }

    #[test]
    fn whether_a_protocol_is_spoken_and_how_it_shares_connections_is_compared() {
        assert_eq!(
            readme(ENTRIES, &README.replace("| no |", "| yes |")),
            ["crates/codecs/protocols/README.md: whether `c` is spoken is not as in the registry"]
        );
        let swapped =
            CLIENT.replace("| one | `a` |", "| one | `b` |").replace("| many | `b` |", "| many | `a` |");
        assert_eq!(client(ENTRIES, &swapped).len(), 4, "{:?}", client(ENTRIES, &swapped));
    }
}
