//! `/`: what needs somebody, how much is going on, which methods take most, what has changed and who sends;
//! as text the list of pages, as brpc has it.

use crate::{
    asked::{Asked, Form},
    changed, events,
    facts::ServerFacts,
    findings::Seen,
    page::Page,
    senders, status,
};
use polywire_call::Status;
use polywire_console::{Column, Fact, Mark, Section, Table, Value, View, escape};
use polywire_metrics::process::Usage;
use std::{collections::HashSet, fmt::Write};

/// Findings that are shown.
const MOST_FINDINGS: usize = 8;
/// Methods that are shown.
const MOST_METHODS: usize = 8;
/// Events that are shown.
const MOST_EVENTS: usize = 5;

pub(crate) fn view(pages: &[Page], facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let seen = facts.watch.look();
    if asked.form == Form::Text {
        return Ok(View::new("Overview").plain(list(pages, &seen)));
    }
    let server = facts.server()?;
    let (rows, more) = seen.findings.split_at(seen.findings.len().min(MOST_FINDINGS));
    let mut view = View::new("Overview").section(Section::Findings(rows.to_vec()));
    let rules = facts.watch.rules();
    view = view.note(match more.len() {
        0 => format!("{rules} rules, each a line of polywire_finding in /metrics."),
        more => format!("+{more} more. {rules} rules, each a line of polywire_finding in /metrics."),
    });
    let connections = server.connections();
    let clients: HashSet<String> = connections.iter().map(|one| one.peer.host()).collect();
    let in_flight: u32 = connections.iter().map(|one| one.calls()).sum();
    let (table, sum) = status::table(facts, &*server);
    let past = |figure: &str| {
        facts
            .stats
            .registry
            .trend(figure)
            .map_or_else(Vec::new, |trend| trend.lately(facts.since.elapsed()).1)
    };
    let usage = Usage::lately();
    let bytes = |bytes: Option<u64>| Value::or_unknown(bytes, Value::Bytes);
    let cpu = facts.stats.registry.trend("process_cpu_usage").and_then(|trend| trend.seconds().last());
    let figures = vec![
        Fact::new("calls", Value::PerSecond(sum.rates.ended()))
            .note(format!("of {}", counted(sum.called, "method", "methods")))
            .trend(sum.past),
        Fact::new("failed", Value::Ratio(sum.rates.failed_share())).note("by the server's fault"),
        Fact::new("refused", Value::PerSecond(sum.rates.refused)).link("limits", "limits"),
        Fact::new("in_flight", in_flight).note("calls"),
        Fact::new("cpu", Value::or_unknown(cpu, Value::Number))
            .note("processors")
            .trend(past("process_cpu_usage")),
        Fact::new("memory", bytes(usage.memory_resident)).trend(past("process_memory_resident")),
        Fact::new("connections", connections.len())
            .note(format!("of {}", counted(clients.len(), "address", "addresses")))
            .link("who", "connections"),
    ];
    view = view.section(Section::Facts("now", figures));
    let total = table.rows.len();
    let mut worst = Table { total: Some(total), ..table };
    worst.rows.truncate(MOST_METHODS);
    view = view.table(worst);
    view.sections.extend(seen.sections.iter().cloned());
    view = view.table(changed::table(facts, &*server)).table(facts.senders.table(&*server));
    view.sections.extend(facts.senders.callers(&*server, senders::SHOWN).map(Section::Table));
    view = view.table(events::table(facts, MOST_EVENTS));
    if asked.form == Form::Html {
        let mut others =
            Table::new("pages", [Column::new("page").to(""), Column::new("what_it_shows").wide()]);
        for page in pages.iter().filter(|page| !page.is_overview()) {
            others.push(page.path, Mark::Fine, [page.path.into(), page.help.into()]);
        }
        view = view.table(others);
    }
    Ok(view)
}

fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// The list of pages, and behind it the findings.
fn list(pages: &[Page], seen: &Seen) -> String {
    let mut text: String =
        pages.iter().map(|page: &Page| format!("/{:<10} {}\n", page.path, page.help)).collect();
    for finding in &seen.findings {
        let mark = if finding.mark == Mark::Bad { "■" } else { "▲" };
        let _ = writeln!(text, "# {mark} {}", escape::whole(&finding.text)); // writing to a string does not fail
    }
    text
}
