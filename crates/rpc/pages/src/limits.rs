//! `/limits`: what limits the server now, and what was refused since the start.

use crate::{asked::Asked, facts::ServerFacts};
use polywire_base::Sort;
use polywire_call::Status;
use polywire_console::{Column, Fact, Mark, Section, Table, Value, View};
use polywire_engine::memory::MemoryReport;
use polywire_server::{LimiterReport, OverloadReport};
use std::cmp::Reverse;

pub(crate) fn view(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    let server = facts.server()?;
    let (report, faults) = (server.overload(), server.faults());
    let faults: Vec<_> = faults.iter().filter(|(_, number)| *number > 0).collect();
    let view = View::new("Limits").table(refused(&report, faults.is_empty()));
    let view = view.table(calls(&report, facts.flags.is_some())).table(memory(&report));
    let view = queue(view, &report);
    let mut causes = Table::new("faults", [Column::new("cause"), Column::new("number")])
        .empty("No peer did anything wrong since the start.");
    faults
        .into_iter()
        .for_each(|(cause, number)| causes.push(cause, Mark::Fine, [cause.into(), number.into()]));
    causes.rows.order_by(|one, other| {
        other.cells[1].number().unwrap_or(0.0).total_cmp(&one.cells[1].number().unwrap_or(0.0))
    });
    Ok(view.table(causes))
}

/// Everything that a limit has refused, most first.
fn refused(report: &OverloadReport, no_faults: bool) -> Table {
    let of_memory = |scope: &str, memory: &Option<MemoryReport>| {
        let (refused, closed) = memory.map_or((0, 0), |memory| (memory.refused, memory.closed));
        [("memory", scope.to_owned(), refused), ("memory: connections closed", scope.to_owned(), closed)]
    };
    let mut rows = vec![("concurrency", "server".to_owned(), report.server.refused)];
    rows.extend(of_memory("server", &report.memory));
    rows.push(("connections", "server".to_owned(), report.connections.refused));
    if let Some(backlog) = &report.backlog {
        let reasons = [
            ("backlog: waited too long", backlog.late),
            ("backlog: deadline", backlog.deadline),
            ("backlog: full", backlog.crowded),
        ];
        rows.extend(reasons.map(|(limit, number)| (limit, "server".to_owned(), number)));
    }
    for method in &report.methods {
        let scope = format!("{}/{}", method.service, method.method);
        rows.extend(of_memory(&scope, &method.memory));
        rows.push(("concurrency", scope, method.concurrency.refused));
    }
    rows.retain(|(.., number)| *number > 0);
    rows.order_by_key(|(.., number)| Reverse(*number));
    let columns = [
        Column::new("limit"),
        Column::new("scope").hint("the server as a whole, or a method"),
        Column::new("refused").hint("calls or connections since the start"),
    ];
    let mut table = Table::new("refused", columns).empty(match no_faults {
        true => "Nothing was refused since the start.",
        false => "No limit has refused anything since the start; see the faults.",
    });
    for (limit, scope, number) in rows {
        table.push(format!("{limit} {scope}"), Mark::Fine, [limit.into(), scope.into(), number.into()]);
    }
    table
}

/// The limits of calls at once: those that are reached first, then those that refused most.
fn calls(report: &OverloadReport, has_flags: bool) -> Table {
    let scope = Column::new("scope").hint("the server as a whole, or a method");
    let columns = [
        if has_flags { scope.to("flags/") } else { scope },
        Column::new("kind").hint("as its flag max_concurrency is set"),
        Column::new("now").hint("calls under way; without a limit nothing is counted"),
        Column::new("limit").hint("calls that may be under way now"),
        Column::new("highest").hint("most calls that were under way at once"),
        Column::new("refused").hint("since the start"),
        Column::new("latency").hint("what auto and timeout go by").wide(),
    ];
    let mut table = Table::new("concurrency", columns);
    // The key is the name of the flag.
    let server = ("max_concurrency".to_owned(), "server".to_owned(), &report.server);
    let methods = report.methods.iter().map(|method| {
        let scope = format!("{}/{}", method.service, method.method);
        (format!("max_concurrency/{scope}"), scope, &method.concurrency)
    });
    let mut rows: Vec<_> = std::iter::once(server).chain(methods).collect();
    rows.order_by_key(|(_, _, one)| (Reverse(is_full(one)), Reverse(one.refused), one.limit.is_none()));
    for (flag, scope, one) in rows {
        let counted = |number: Value| if one.limit.is_some() { number } else { Value::Blank };
        let cells = [
            scope.into(),
            one.setting.to_string().into(),
            counted(one.current.into()),
            one.limit.map_or(Value::Blank, Value::from),
            counted(one.highest.into()),
            one.refused.into(),
            one.latency.map_or(Value::Blank, Value::from),
        ];
        table.push(flag, if is_full(one) { Mark::Warn } else { Mark::Fine }, cells);
    }
    table
}

fn is_full(one: &LimiterReport) -> bool {
    one.limit.is_some_and(|limit| one.current >= limit)
}

pub(crate) fn memory(report: &OverloadReport) -> Table {
    let columns = [
        Column::new("scope").hint("the server as a whole, or the requests of a method that are in flight"),
        Column::new("now"),
        Column::new("limit"),
        Column::new("highest"),
        Column::new("held_back").hint("how often a connection was not read for a while").wide(),
        Column::new("refused").hint("calls since the start"),
        Column::new("closed").hint("connections that held much and could not go on").wide(),
    ];
    let mut table = Table::new("memory", columns)
        .empty("Memory has no budget: Bounds::memory(..), Method::max_memory(..).");
    let methods =
        report.methods.iter().map(|method| (format!("{}/{}", method.service, method.method), &method.memory));
    for (scope, memory) in std::iter::once(("server".to_owned(), &report.memory)).chain(methods) {
        let Some(memory) = memory else { continue };
        let bytes = |bytes: usize| Value::Bytes(bytes as u64);
        // A budget of one connection alone leaves that of all without a limit.
        let limit = if memory.limit == usize::MAX { Value::Blank } else { bytes(memory.limit) };
        // "memory against the budget: 80 %, 95 %"
        let share = memory.used as f64 / memory.limit as f64;
        let mark = match () {
            () if share >= 0.95 => Mark::Bad,
            () if share >= 0.8 => Mark::Warn,
            () => Mark::Fine,
        };
        let (used, highest) = (bytes(memory.used), bytes(memory.highest));
        let [held_back, refused, closed] =
            [memory.held_back, memory.refused, memory.closed].map(Value::Count);
        let cells = [scope.clone().into(), used, limit, highest, held_back, refused, closed];
        table.push(scope, mark, cells);
    }
    table
}

/// Connections, and calls that wait for a worker.
fn queue(view: View, report: &OverloadReport) -> View {
    let connections = vec![
        Fact::new("open", report.connections.current).note("connections"),
        Fact::new("limit", report.connections.limit.map_or(Value::Blank, Value::from))
            .note("of connections; blank: none"),
        Fact::new("turned_away", report.connections.refused).note("connections since the start"),
    ];
    let view = view.section(Section::Facts("connections", connections));
    let Some(backlog) = &report.backlog else {
        return view.note("Calls that wait for a worker are never refused: Bounds::shedding(..).");
    };
    let waiting = vec![
        Fact::new("waiting", backlog.waiting).note("calls that wait for a worker"),
        Fact::new("most_waiting", backlog.highest).note("at once"),
        Fact::new("stands", backlog.standing).mark(if backlog.standing { Mark::Warn } else { Mark::Fine }),
        Fact::new("late", backlog.late).note("refused since the start"),
        Fact::new("deadline", backlog.deadline).note("refused since the start"),
        Fact::new("crowded", backlog.crowded).note("refused since the start"),
    ];
    view.section(Section::Facts("backlog", waiting))
}
