//! `/status/SERVICE/METHOD`: how one method does, and how its calls ended.

use crate::{facts::ServerFacts, findings::percent, says::Elsewhere};
use polywire_call::Status;
use polywire_console::{Column, Fact, Finding, Mark, Plot, Section, Table, Value, View, escape};
use polywire_engine::clock;
use polywire_metrics::Distribution;
use polywire_server::facts::{LiveServer, MethodStats, SharedMethod, is_ours};
use std::time::Duration;

pub(crate) fn view(facts: &ServerFacts, server: &dyn LiveServer, path: &str) -> Result<View, Status> {
    let mut methods = server.methods().iter().zip(&facts.stats.methods);
    let found = methods.find(|(method, _)| {
        let rest = path.strip_prefix(method.service).and_then(|rest| rest.strip_prefix('/'));
        !method.is_page() && rest == Some(method.method.name())
    });
    let Some((method, stats)) = found else {
        let name: String = path.chars().take(128).collect();
        return Err(Status::not_found(format!(
            "there is no method {}; /status has all",
            escape::shown(&name)
        )));
    };
    let name = format!("{}/{}", method.service, method.method.name());
    let seen = facts.watch.look();
    let findings: Vec<Finding> = seen
        .findings
        .iter()
        .filter(|one| one.links.iter().any(|link| link.to == of(&name)))
        .cloned()
        .collect();
    let mut view = View::new(name.clone()).section(Section::Findings(findings));
    let window = stats.latency.window();
    view = view
        .section(Section::Facts("calls", calls(stats, &window)))
        .section(Section::Facts("latency", latency(&window)));
    let busy = stats.rates(&window).succeeded * window.mean().as_secs_f64();
    for elsewhere in facts.watch.elsewhere(&name) {
        view = view.section(Section::Facts("time", time(&elsewhere, busy)));
        view.sections.extend(elsewhere.sections);
    }
    view = view.section(Section::Facts("runs", runs(facts, method, stats, &name)));
    let registry = facts.stats.shown();
    let trend = |figure: &str| registry.trend(&format!("{}_{figure}", stats.name.get()?));
    let up = facts.since.elapsed();
    if let Some(calls) = trend("qps") {
        let (step, points) = calls.lately(up);
        let name = "calls per second".into();
        view = view.plot(Plot { name, step, lines: vec![("succeeded".into(), points)] });
    }
    if let (Some(p80), Some(p99)) = (trend("latency_80"), trend("latency_99")) {
        let ((step, p99), (_, p80)) = (p99.lately(up), p80.lately(up));
        let lines = vec![("p99".into(), p99), ("p80".into(), p80)];
        view = view.plot(Plot { name: "latency in microseconds".into(), step, lines });
    }
    Ok(view.table(endings(stats)))
}

/// The address of its page.
fn of(name: &str) -> String {
    crate::findings::method_link(name).to
}

fn calls(stats: &MethodStats, window: &Distribution) -> Vec<Fact> {
    let rates = stats.rates(window);
    let rate = |rate: f64| Value::PerSecond(rate);
    vec![
        Fact::new("succeeded", rate(rates.succeeded)).note("calls, over 10 s"),
        Fact::new("failed", rate(rates.ours)).note("by the server's fault"),
        Fact::new("failed_share", Value::Ratio(rates.failed_share())).note("of calls that ended"),
        Fact::new("failed_by_callers", rate(rates.by_callers())).note("by the callers' fault"),
        Fact::new("refused", rate(rates.refused)).link("limits", "limits"),
        Fact::new("too_late", rate(rates.late)).note("after the deadline, or given up"),
        Fact::new("panics", stats.trouble.get().map_or(0, |trouble| trouble.panics.total()))
            .note("since the start"),
        Fact::new("since_start", stats.latency.count()).note("calls that succeeded"),
        Fact::new("failed_since_start", stats.errors.total()).note("calls, by whoever's fault"),
    ]
}

fn latency(window: &Distribution) -> Vec<Fact> {
    let of = |name: &'static str, time: Duration| {
        Fact::new(name, if window.count() > 0 { time.into() } else { Value::Unknown })
    };
    vec![
        of("mean", window.mean()).note("of calls that succeeded, over 10 s"),
        of("p50", window.percentile(0.5)),
        of("p90", window.percentile(0.9)),
        of("p99", window.percentile(0.99)),
        of("p999", window.percentile(0.999)),
        of("max", window.max()),
    ]
}

/// Where its time goes. `busy`: how many of its calls are under way in the mean.
fn time(elsewhere: &Elsewhere, busy: f64) -> Vec<Fact> {
    let share_of = |in_flight: f64| (busy > 0.0).then(|| (in_flight / busy).min(1.0));
    let share = share_of(elsewhere.in_flight);
    let (most, in_flight) = &elsewhere.most;
    vec![
        Fact::new("in_calls_to_others", Value::or_unknown(share, Value::Ratio))
            .note("an estimate: one call in 64 is followed")
            .link("servers", "why"),
        Fact::new("in_own_code", Value::or_unknown(share.map(|share| 1.0 - share), Value::Ratio))
            .note("and waiting for all else"),
        Fact::new("most_in_calls_to", most.clone()).note(
            share_of(*in_flight).map_or_else(String::new, |share| format!("{} of its time", percent(share))),
        ),
    ]
}

/// How it runs: what is under way, how much may be, and where to read on.
fn runs(facts: &ServerFacts, method: &SharedMethod, stats: &MethodStats, name: &str) -> Vec<Fact> {
    let limit = method.limiter.report();
    let flag = format!("flags/max_concurrency/{}", escape::path(name));
    let limit_fact =
        Fact::new("limit", limit.limit.map_or(Value::Blank, Value::from)).note(limit.setting.to_string());
    let mut facts_of = vec![
        Fact::new("in_flight", stats.concurrency.level().max(0) as u64)
            .note("calls whose handler did not answer in its first poll"),
        match facts.flags.is_some() {
            true => limit_fact.link("change", flag),
            false => limit_fact,
        },
    ];
    if let Some(memory) = method.memory.as_ref().map(|memory| memory.report()) {
        facts_of
            .push(Fact::new("memory", Value::Bytes(memory.used as u64)).note("of its requests in flight"));
    }
    let paths = method.method.paths();
    if !paths.is_empty() {
        facts_of.push(Fact::new("paths", paths.join(" ")));
    }
    facts_of.push(Fact::new("streams", method.streaming).link("traces", "rpcz"));
    if let Some(name) = stats.name.get() {
        let filter = format!("vars/{}*", escape::percent(name));
        facts_of.push(Fact::new("variables", format!("{name}_*")).link("vars", filter));
    }
    facts_of
}

/// How its calls ended, most frequent first.
fn endings(stats: &MethodStats) -> Table {
    let columns = [
        Column::new("status"),
        Column::new("side").hint("whose fault it was: ours, or the caller's"),
        Column::new("calls").hint("since the start"),
        Column::new("share").hint("of all calls since the start"),
        Column::new("last").hint("so long ago"),
        Column::new("text_of_the_last").wide(),
    ];
    let mut table = Table::new("how_it_ended", columns).empty("No call has failed since the start.");
    let all = (stats.latency.count() + stats.errors.total()).max(1) as f64;
    let now = clock::now();
    for ended in stats.trouble.get().into_iter().flat_map(|trouble| trouble.endings()) {
        let (status, side) = match ended.code {
            Some(code) => (code.name(), if is_ours(code) { "ours" } else { "caller" }),
            None => ("given up", "caller"),
        };
        let last = ended.last.as_ref();
        let ago = last.map_or(Value::Unknown, |last| Value::since(last.at, now));
        let text = last.map_or(Value::Unknown, |last| last.text.clone().into());
        let cells = [
            status.into(),
            side.into(),
            ended.calls.into(),
            Value::Ratio(ended.calls as f64 / all),
            ago,
            text,
        ];
        table.push(status, Mark::Fine, cells);
    }
    table
}
