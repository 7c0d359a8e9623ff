//! `/events`: what has changed in this process, newest first: starts and stops, options, certificates,
//! servers of channels.
//!
//! Changes of flags are those that the set of flags has recorded; all else was recorded by who changed it.

use crate::{asked::Asked, facts::ServerFacts};
use polywire_base::Sort;
use polywire_call::Status;
use polywire_console::{Column, Mark, Table, Value, View};
use polywire_metrics::process::{EventKind, MOST_EVENTS, events};
use polywire_wire::Date;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn view(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    Ok(View::new("Events")
        .note("Events of this process, and changes of the flags of this server. Times are those of the server, in GMT.")
        .table(table(facts, MOST_EVENTS)))
}

/// The newest events of the process as a table, at most `most` rows.
pub(crate) fn table(facts: &ServerFacts, most: usize) -> Table {
    let columns = [
        Column::new("time"),
        Column::new("ago"),
        Column::new("kind"),
        Column::new("what").hint("what happened to what"),
        Column::new("by").hint("who changed it, and from where").wide(),
        Column::new("times").hint("how often, each within a minute after the one before").wide(),
    ];
    let mut table = Table::new("events", columns).empty("Nothing has changed.");
    type One = (SystemTime, &'static str, String, Value, u64);
    let mut all: Vec<One> = events()
        .newest(most)
        .into_iter()
        .map(|event| (event.at, event.kind.name(), event.what, Value::Blank, event.times))
        .collect();
    let changes = facts.flags.as_ref().map_or_else(Vec::new, |flags| flags.changes());
    all.extend(changes.into_iter().rev().take(most).map(|change| {
        let what = format!("{}: {} → {}", change.name, change.old, change.new);
        let by = format!("{} from {}", change.origin.who, change.origin.from);
        (change.at, EventKind::Flag.name(), what, by.into(), 1)
    }));
    all.order_by_key(|(at, ..)| std::cmp::Reverse(*at));
    let now = SystemTime::now();
    for (number, (at, kind, what, by, times)) in all.into_iter().take(most).enumerate() {
        let ago = now.duration_since(at).unwrap_or_default().as_secs_f64();
        let time = String::from_utf8_lossy(Date::of(at).as_bytes()).into_owned();
        let micros = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        let cells = [time.into(), Value::Seconds(ago), kind.into(), what.into(), by, times.into()];
        // Two may have the same time.
        table.push(format!("{micros}-{}", number % 10), Mark::Fine, cells);
    }
    table
}
