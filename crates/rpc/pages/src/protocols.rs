//! `/protocols`: which protocols were spoken, by how many clients and when last; `/protocols/NAME`: by whom.

use crate::{asked::Asked, facts::ServerFacts};
use polywire_base::Sort;
use polywire_call::Status;
use polywire_console::{Column, Mark, Table, Value, View, escape};
use polywire_engine::clock;
use std::cmp::Reverse;

/// What several protocols have in common.
const BY_FIRST_BYTES: &str = "A connection counts under the protocol that it began with, as its first bytes tell: protocols over HTTP count as that.";
/// Clients of one protocol that are named in its row.
const NAMED: usize = 3;

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let server = facts.server()?;
    let now = clock::now();
    let told = server.ledger().told(&server.connections());
    let known = server.protocols();
    let mut clients: Vec<_> = told.clients.iter().collect();
    clients.order_by_key(|(_, client)| Reverse(client.last));
    let since = Value::since(facts.since, now);
    if !asked.rest.is_empty() {
        let Some(&name) = known.iter().find(|name| **name == asked.rest) else {
            let name: String = asked.rest.chars().take(128).collect();
            let text = format!("there is no protocol {}; /protocols has all", escape::shown(&name));
            return Err(Status::not_found(text));
        };
        let columns = [
            Column::new("client").hint("a machine"),
            Column::new("connections"),
            Column::new("messages"),
            Column::new("last_spoken").hint("so long ago"),
        ];
        let mut table = Table::new("clients", columns).empty("Nobody has spoken it since the start.");
        for ((_, host), client) in clients.iter().filter(|((protocol, _), _)| *protocol == name) {
            let last = Value::since(client.last, now);
            let cells = [host.clone().into(), client.connections.into(), client.messages.into(), last];
            table.push(host.clone(), Mark::Fine, cells);
        }
        return Ok(View::new(format!("Protocol {name}"))
            .fact("known_for", since)
            .fact("forgotten_clients", told.forgotten)
            .table(table));
    }
    let columns = [
        Column::new("protocol").to("protocols/"),
        Column::new("open").hint("connections that are open"),
        Column::new("connections").hint("since the start").wide(),
        Column::new("messages").hint("requests and what else came, since the start"),
        Column::new("clients").hint("machines, of the newest 4096 of all protocols"),
        Column::new("first_spoken").hint("so long ago").wide(),
        Column::new("last_spoken").hint("so long ago; blank: never since the start"),
        Column::new("newest_clients").wide(),
    ];
    let mut rows: Vec<_> = known
        .iter()
        .map(|&name| {
            let spoken = told.protocols.get(name);
            let by: Vec<&str> =
                clients.iter().filter(|((of, _), _)| *of == name).map(|((_, host), _)| &**host).collect();
            let count = |of: fn(&polywire_server::facts::Spoken) -> u64| Value::Count(spoken.map_or(0, of));
            let cells = [
                name.into(),
                count(|spoken| spoken.open),
                count(|spoken| spoken.connections),
                count(|spoken| spoken.messages),
                by.len().into(),
                spoken.map_or(Value::Blank, |spoken| Value::since(spoken.first, now)),
                spoken.map_or(Value::Blank, |spoken| Value::since(spoken.last, now)),
                by.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ").into(),
            ];
            (spoken.map(|spoken| (spoken.last, spoken.messages)), name, cells)
        })
        .collect();
    rows.order_by_key(|(last, ..)| Reverse(*last));
    let mut table = Table::new("protocols", columns);
    let spoken: Vec<&str> =
        rows.iter().filter(|(last, ..)| last.is_some()).map(|(_, name, _)| *name).collect();
    let note = match spoken.len() {
        0 => "No protocol was spoken since the start.".to_owned(),
        all if all == rows.len() => "All protocols of this server were spoken since the start.".to_owned(),
        _ => format!(
            "Those that were spoken since the start, and no others: Server::protocols([\"{}\"])",
            spoken.join("\", \"")
        ),
    };
    rows.into_iter().for_each(|(_, name, cells)| table.push(name, Mark::Fine, cells));
    Ok(View::new("Protocols")
        .note(BY_FIRST_BYTES)
        .fact("known_for", since)
        .fact("forgotten_clients", told.forgotten)
        .table(table)
        .note(note))
}
