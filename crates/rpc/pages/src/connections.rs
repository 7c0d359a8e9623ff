//! `/connections`: the open connections, busiest first; by client; and those that have ended, by reason.
//!
//! Not brpc's table: its columns of the last second and minute are not measured here.

use crate::{asked::Asked, facts::ServerFacts, page::Making};
use polywire_base::Sort;
use polywire_console::{Action, Column, Fact, Mark, Query, Section, Table, Value, View};
use polywire_engine::{ClosedConnection, ConnectionStats, clock, os::TcpInfo};
use polywire_server::facts::{LiveServer, PATIENCE};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Instant,
};
use tokio::sync::oneshot;

/// Connections that the page reads, of all that are open.
const MOST: usize = 10_000;
/// Rows, unless the query has a number; as many as a table in text has.
const ROWS: usize = 100;
/// Callers by name that are listed.
const ROWS_OF_CALLERS: usize = 500;
/// Connections that are asked before they are sorted by what they answer.
const SORTED: usize = 500;
/// Unsent bytes that need somebody.
const MUCH: u64 = 1 << 20;

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Making {
    let (server, asked) = (facts.server(), asked.clone());
    let callers = facts.server().ok().filter(|_| asked.query.get("by") == Some("caller"));
    let callers = callers.and_then(|server| facts.senders.callers(&*server, ROWS_OF_CALLERS));
    Box::pin(async move {
        let server = server?;
        let view = match (asked.query.get("by"), asked.query.get("state")) {
            (Some("caller"), _) => match callers {
                Some(table) => View::new("Connections").table(table),
                None => {
                    View::new("Connections").note("Nobody has called who has a name: docs/authentication.md.")
                }
            },
            (Some("client"), _) => by_client(&*server),
            (_, Some("closed")) => closed(&*server),
            _ => single(&*server, &asked).await,
        };
        let others = vec![
            Fact::new("clients", Value::Blank).link("by address", "connections?by=client"),
            Fact::new("callers", Value::Blank).link("by name", "connections?by=caller"),
            Fact::new("closed", Value::Blank).link("by reason", "connections?state=closed"),
        ];
        Ok(view.section(Section::Facts("others", others)))
    })
}

async fn single(server: &dyn LiveServer, asked: &Asked) -> View {
    let (mut connections, now) = (server.connections(), clock::now());
    let open = connections.len();
    // The figures go on changing: each is read once.
    connections.order_by_cached_key(|one| (Reverse(one.owed.load(Relaxed)), Reverse(one.calls()), one.id));
    connections.truncate(MOST);
    let columns = [
        Column::new("peer").to("sockets/"),
        Column::new("protocol"),
        Column::new("in_flight").hint("calls under way on it"),
        Column::new("messages").hint("since it was opened").wide(),
        Column::new("in").hint("bytes received since it was opened").wide(),
        Column::new("out").hint("bytes sent since it was opened").wide(),
        Column::new("owed").hint("bytes that wait for the peer to read"),
        Column::new("rtt").hint("round trips by TCP; asked of the rows that are shown, of 500 with sort=rtt"),
        Column::new("resent").hint("segments of TCP that were sent again").wide(),
        Column::new("idle").hint("since the last byte either way").wide(),
        Column::new("open_for"),
    ];
    let mut table = Table::new("connections", columns).empty("No connection is open.");
    for one in &connections {
        let owed = one.owed.load(Relaxed);
        let cells = [
            one.peer.to_string().into(),
            Value::or_unknown(one.protocol(), Value::from),
            one.calls().into(),
            one.messages.load(Relaxed).into(),
            Value::Bytes(one.bytes_in.load(Relaxed)),
            Value::Bytes(one.bytes_out.load(Relaxed)),
            Value::Bytes(owed),
            Value::Blank,
            Value::Blank,
            Value::since(one.last_active(), now),
            Value::since(one.since, now),
        ];
        table.push(one.id.to_string(), owes(owed), cells);
    }
    let by_rtt = matches!(asked.query.get("sort"), Some("rtt" | "-rtt" | "resent" | "-resent"));
    let filter = asked.query.get("q").map_or_else(Query::default, |text| {
        Query::parse(&format!("q={}", polywire_console::escape::percent(text)))
    });
    let shown = match by_rtt {
        true => table.shown(&filter, SORTED), // the order follows from what they answer
        false => table.shown(&asked.query, ROWS),
    };
    let shown: HashSet<String> = shown.rows.into_iter().map(|row| row.key.clone()).collect();
    let shown = connections.into_iter().filter(|one| shown.contains(&one.id.to_string()));
    let infos = tcp_infos(shown.collect()).await;
    for row in &mut table.rows {
        if let Some(info) = infos.get(&*row.key) {
            row.cells[7] = info.rtt.into();
            row.cells[8] = info.retransmits.into();
        }
    }
    table.total = Some(open);
    let search = Action { get: true, ..Action::new("connections", "Search") };
    let search = search.field("q", asked.query.get("q").unwrap_or(""));
    View::new("Connections").fact("open", open).action(search).table(table)
}

/// Whether somebody has to look at a peer that leaves this many bytes unread.
pub(crate) fn owes(bytes: u64) -> Mark {
    if bytes >= MUCH { Mark::Warn } else { Mark::Fine }
}

/// What the system knows of these connections, of those that answer in time.
pub(crate) async fn tcp_infos(connections: Vec<Arc<ConnectionStats>>) -> HashMap<String, TcpInfo> {
    let ask = |one: Arc<ConnectionStats>| {
        let (tell, told) = oneshot::channel();
        one.ask_tcp(move |info| _ = tell.send(info)); // nobody may wait any more
        (one.id.to_string(), told)
    };
    let asked: Vec<_> = connections.into_iter().map(ask).collect();
    let until = tokio::time::Instant::now() + PATIENCE;
    let mut infos = HashMap::new();
    for (id, told) in asked {
        if let Ok(Ok(Some(info))) = tokio::time::timeout_at(until, told).await {
            infos.insert(id, info);
        }
    }
    infos
}

/// Connections of the same host, whose addresses differ in their ports.
#[derive(Default)]
struct Client {
    connections: usize,
    protocols: Vec<&'static str>,
    calls: u64,
    messages: u64,
    bytes_in: u64,
    bytes_out: u64,
    owed: u64,
    last: Option<Instant>,
    first: Option<Instant>,
}

fn by_client(server: &dyn LiveServer) -> View {
    let (connections, now) = (server.connections(), clock::now());
    let mut clients: HashMap<String, Client> = HashMap::new();
    for one in &connections {
        let client = clients.entry(one.peer.host()).or_default();
        client.connections += 1;
        client.protocols.extend(one.protocol().filter(|protocol| !client.protocols.contains(protocol)));
        client.calls += u64::from(one.calls());
        client.messages += one.messages.load(Relaxed);
        client.bytes_in += one.bytes_in.load(Relaxed);
        client.bytes_out += one.bytes_out.load(Relaxed);
        client.owed += one.owed.load(Relaxed);
        client.last = client.last.max(Some(one.last_active()));
        client.first = Some(client.first.map_or(one.since, |first| first.min(one.since)));
    }
    let mut clients: Vec<_> = clients.into_iter().collect();
    clients.order_by(|(name, one), (other_name, other)| {
        let key = |client: &Client| Reverse((client.owed, client.calls, client.messages));
        key(one).cmp(&key(other)).then_with(|| name.cmp(other_name))
    });
    let columns = [
        Column::new("client").hint("the host's address"),
        Column::new("speaks"),
        Column::new("connections"),
        Column::new("in_flight"),
        Column::new("messages").hint("of its open connections, since they were opened"),
        Column::new("in").wide(),
        Column::new("out").wide(),
        Column::new("owed").hint("bytes that wait for it to read"),
        Column::new("idle").hint("since the last byte either way").wide(),
        Column::new("open_for").hint("its oldest connection"),
    ];
    let mut table = Table::new("clients", columns).empty("No connection is open.");
    let all = clients.len();
    for (name, client) in clients.into_iter().take(MOST) {
        let seconds = |since: Option<Instant>| since.map_or(Value::Blank, |at| Value::since(at, now));
        let cells = [
            name.clone().into(),
            client.protocols.join(" ").into(),
            client.connections.into(),
            client.calls.into(),
            client.messages.into(),
            Value::Bytes(client.bytes_in),
            Value::Bytes(client.bytes_out),
            Value::Bytes(client.owed),
            seconds(client.last),
            seconds(client.first),
        ];
        table.push(polywire_console::escape::shown(&name), owes(client.owed), cells);
    }
    table.total = Some(all);
    View::new("Connections").fact("open", connections.len()).fact("clients", all).table(table)
}

fn closed(server: &dyn LiveServer) -> View {
    let now = clock::now();
    let mut reasons = server.closed().list();
    reasons.order_by(|one, other| one.1.cmp(&other.1).reverse().then_with(|| one.0.cmp(&other.0)));
    let columns = [
        Column::new("reason"),
        Column::new("closed").hint("connections since the start"),
        Column::new("ago"),
    ];
    let mut counts = Table::new("reasons", columns).empty("No connection has ended.");
    let columns = [
        Column::new("ago"),
        Column::new("peer"),
        Column::new("protocol"),
        Column::new("lived"),
        Column::new("reason"),
        Column::new("calls_lost").hint("calls that were in flight"),
        Column::new("owed").hint("bytes that the peer had not read"),
        Column::new("messages").wide(),
        Column::new("in").wide(),
        Column::new("out").wide(),
    ];
    let mut table = Table::new("closed", columns).empty("No connection has ended.");
    let mut all: Vec<(&str, &ClosedConnection)> = Vec::new();
    for (reason, count, last) in &reasons {
        let latest = last.last().map_or(Value::Blank, |one| Value::since(one.at, now));
        let key = polywire_console::escape::shown(reason);
        counts.push(key, Mark::Fine, [reason.clone().into(), (*count).into(), latest]);
        all.extend(last.iter().map(|one| (&**reason, one)));
    }
    all.order_by_key(|(_, one)| (Reverse(one.at), one.id));
    for (reason, one) in all {
        let cells = [
            Value::since(one.at, now),
            one.peer.to_string().into(),
            Value::or_unknown(one.protocol, Value::from),
            Value::since(one.since, one.at),
            reason.to_owned().into(),
            one.calls.into(),
            Value::Bytes(one.owed),
            one.messages.into(),
            Value::Bytes(one.bytes_in),
            Value::Bytes(one.bytes_out),
        ];
        table.push(one.id.to_string(), if one.calls > 0 { Mark::Warn } else { Mark::Fine }, cells);
    }
    let note = "The last 64 of each reason are kept, so that many ends for one reason hide no other.";
    View::new("Connections").note(note).table(counts).table(table)
}
