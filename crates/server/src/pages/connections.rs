//! `/connections`: the open connections, busiest first.
//!
//! Not brpc's table: its columns of the last second and minute are not measured here.

use super::{Asked, ServerFacts};
use polywire_call::Status;
use polywire_console::{Column, Mark, Table, Value, View};
use polywire_engine::clock;
use std::{cmp::Reverse, sync::atomic::Ordering::Relaxed};

/// Connections that the page reads, of all that are open.
const MOST: usize = 10_000;

pub(super) fn view(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    let Some(server) = facts.methods.upgrade() else {
        return Err(Status::unavailable("the server is stopping"));
    };
    let (mut connections, now) = (server.connections(), clock::now());
    let open = connections.len();
    // The figures go on changing: each is read once.
    connections.sort_by_cached_key(|one| (Reverse(one.owed.load(Relaxed)), Reverse(one.calls()), one.id));
    let columns = [
        Column::new("peer"),
        Column::new("protocol"),
        Column::new("in_flight").hint("calls under way on it"),
        Column::new("messages").hint("since it was opened").wide(),
        Column::new("in").hint("bytes received since it was opened").wide(),
        Column::new("out").hint("bytes sent since it was opened").wide(),
        Column::new("owed").hint("bytes that wait for the peer to read"),
        Column::new("open_for"),
    ];
    let mut table = Table::new("connections", columns).empty("No connection is open.");
    table.total = Some(open);
    for one in connections.iter().take(MOST) {
        let owed = one.owed.load(Relaxed);
        let mark = if owed >= 1 << 20 { Mark::Warn } else { Mark::Fine };
        let cells = [
            one.peer.to_string().into(),
            Value::or_unknown(one.protocol(), Value::from),
            one.calls().into(),
            one.messages.load(Relaxed).into(),
            Value::Bytes(one.bytes_in.load(Relaxed)),
            Value::Bytes(one.bytes_out.load(Relaxed)),
            Value::Bytes(owed),
            Value::Seconds(now.saturating_duration_since(one.since).as_secs_f64()),
        ];
        table.push(one.id.to_string(), mark, cells);
    }
    Ok(View::new("Connections").fact("open", open).table(table))
}
