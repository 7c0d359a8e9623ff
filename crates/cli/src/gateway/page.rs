//! The page `/gateway`: which plan is in use, where calls go and how they end there, what is known of
//! messages; and what of it needs somebody.

use super::{
    cluster::Cluster,
    explain, fault,
    plan::{Plan, Route},
    record_table::Records,
    schemas::counted,
    shadow_table,
};
use crate::{request, terminal};
use polywire::{
    Metadata, Status,
    console::{Action, Asked, Column, Fact, Finding, Group, Link, Mark, Page, Section, Table, Value, View},
    gateway::{Figures, RouteFigures, ShadowFigures},
};
use polywire_base::{Sort, lock};
use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

/// Rows of the table of routes, unless the query has a number.
const ROWS: usize = 100;
/// Routes without a server that are found one by one.
const MOST_FOUND: usize = 8;

/// What findings are called.
const RELOAD: &str = "gateway_reload";
const NO_SERVER: &str = "gateway_no_server";
const LOST: &str = "gateway_lost";

/// What the page has to show. Clones are the same.
#[derive(Clone)]
pub struct Seen(Arc<Mutex<Current>>, pub Figures, pub Records);

struct Current {
    plan: Arc<Plan>,
    version: u32,
    since: Instant,
    by: &'static str,
    failed: Option<Failed>,
}

/// Settings that are not in use.
#[derive(Clone)]
struct Failed {
    wrong: Vec<String>,
    at: Instant,
}

impl Seen {
    pub fn new(plan: Arc<Plan>, figures: Figures) -> Seen {
        let since = Instant::now();
        let current = Current { plan, version: 1, since, by: "start", failed: None };
        Seen(Arc::new(Mutex::new(current)), figures, Records::default())
    }

    /// Another plan is in use, by what has happened.
    pub fn took(&self, plan: Arc<Plan>, by: &'static str) {
        let mut current = lock(&self.0);
        let version = current.version + 1;
        *current = Current { plan, version, since: Instant::now(), by, failed: None };
        drop(current);
        self.1.reloaded(true);
    }

    /// The file was read again, and changes nothing.
    pub fn failed(&self, wrong: &[String]) {
        lock(&self.0).failed = Some(Failed { wrong: wrong.to_vec(), at: Instant::now() });
        self.1.reloaded(false);
    }

    fn plan(&self) -> Arc<Plan> {
        lock(&self.0).plan.clone()
    }
}

pub fn page(seen: &Seen) -> Page {
    let (own, found) = (seen.clone(), seen.clone());
    Page::new(
        "gateway",
        "where calls go and how they end; ?explain=SERVICE/METHOD for one, or VERB /PATH",
        move |asked| view(&own, asked),
    )
    .title("Gateway")
    .group(Group::Bar)
    .rules(&[RELOAD, NO_SERVER, LOST, shadow_table::DIFFERS])
    .on_overview(move || {
        let plan = found.plan();
        vec![Section::Findings(findings(&found, &plan, &without_server(&plan), &found.1.shadows()))]
    })
}

fn view(seen: &Seen, asked: &Asked) -> Result<View, Status> {
    let (plan, now) = (seen.plan(), Instant::now());
    let mut view = View::new("Gateway");
    if let Some(called) = asked.query.get("explain").filter(|called| !called.is_empty()) {
        view = view.section(explained(&plan, called, asked)?);
    }
    let without = without_server(&plan);
    let shadows = seen.1.shadows();
    let findings = findings(seen, &plan, &without, &shadows);
    if !findings.is_empty() {
        view = view.section(Section::Findings(findings));
    }
    view = view.section(Section::Facts("plan", facts(seen, &plan, now)));
    view = view.table(routes(seen, &plan, &without, asked));
    if plan.routes.iter().any(|route| route.shadow.is_some()) {
        view = view.table(shadow_table::shadows(&shadows, now));
        view = shadow_table::differences(&shadows).into_iter().fold(view, View::table);
    }
    view = fault::table(&plan, &seen.1.routes()).into_iter().fold(view, View::table);
    view = seen.2.table().into_iter().fold(view, View::table);
    view = view.table(clusters(&plan)).table(schemas(&plan, now));
    let form = Action { get: true, ..Action::new("gateway", "Explain") };
    let value = |name| asked.query.get(name).unwrap_or("").to_owned();
    let form = form.field("explain", value("explain")).field("field", value("field"));
    Ok(view.action(form.field("identity", value("identity"))).note(
        "Explain: SERVICE/METHOD, or VERB /PATH of plain HTTP; a field as NAME=VALUE, and the name of a caller: \
         which route takes such a call, what a policy says, and what of it arrives. Nothing is sent.",
    ))
}

fn explained(plan: &Plan, called: &str, asked: &Asked) -> Result<Section, Status> {
    let wrong = |text: String| Status::invalid_argument(format!("explain: {text}"));
    let called: explain::Asked = called.parse().map_err(wrong)?;
    let field = asked.query.get("field").unwrap_or("");
    let identity = asked.query.get("identity").filter(|name| !name.is_empty());
    let mut fields = Metadata::new();
    if !field.is_empty() {
        let (name, value) = request::field(field).map_err(|text| wrong(text.to_string()))?;
        fields.append(&name, value);
    }
    let (text, _) = explain::explain(plan, &called, &fields, identity);
    Ok(Section::Lines("explain".into(), text))
}

fn facts(seen: &Seen, plan: &Plan, now: Instant) -> Vec<Fact> {
    let current = lock(&seen.0);
    let mut facts = vec![
        Fact::new("version", u64::from(current.version)).note(plan.summary()),
        Fact::new("in_use", Value::since(current.since, now)).note(format!("by {}", current.by)),
        Fact::new("unrouted", seen.1.unrouted()).note("calls that no route was for, since the start"),
        Fact::new("lost", seen.1.lost_attachments()).note("calls that failed for their attachment"),
    ];
    if !plan.hash.is_empty() {
        facts.insert(1, Fact::new("hash", plan.hash.clone()).note("of the file"));
    }
    if let Some(failed) = &current.failed {
        let first = failed.wrong.first().map(|wrong| terminal::line(wrong).into_owned()).unwrap_or_default();
        facts.push(Fact::new("not_used", Value::since(failed.at, now)).mark(Mark::Warn).note(first));
    }
    facts
}

/// The routes by load; those without calls in the order of the file.
fn routes(seen: &Seen, plan: &Plan, without: &[bool], asked: &Asked) -> Table {
    let is_dry = plan.has_dry_runs();
    let mut columns = vec![
        Column::new("route"),
        Column::new("to"),
        Column::new("calls").hint("a second, over ten seconds; polywire_gateway_calls_total"),
        Column::new("client").hint(
            "failures a second, over the same time, by the callers' doing; polywire_gateway_errors_total",
        ),
        Column::new("gateway").hint("failures a second by this gateway's rules and limits"),
        Column::new("upstream").hint("failures a second by the servers behind, and on the way to them"),
        Column::new("p50").hint("half of the calls took less; polywire_gateway_duration_seconds"),
        Column::new("p99"),
        Column::new("overhead").hint("mean time in which a call was not with a server"),
        Column::new("refused").hint("calls since the start of which no server has executed anything"),
        Column::new("all").hint("calls since the start").wide(),
    ];
    let is_limited = plan.routes.iter().any(|route| route.limit.is_some());
    if is_limited {
        columns.push(Column::new("under_way").hint("calls, where `max_concurrency` limits them"));
        columns.push(Column::new("most").hint("calls that may be under way now"));
    }
    if is_dry {
        columns.push(Column::new("dry_run").hint("calls since the start that a dry run would have refused"));
    }
    let known = seen.1.routes();
    let figures = |name: &str| known.iter().find(|one| *one.name == *name);
    let mut rows: Vec<_> = plan.labelled().map(|(name, route)| (figures(&name), name, route)).collect();
    let load = |one: &Option<&RouteFigures>| one.map_or(0.0, |one| one.lately.per_second());
    rows.order_by(|(one, ..), (other, ..)| load(other).total_cmp(&load(one)));
    let mut table = Table::new("routes", columns);
    table.total = Some(rows.len());
    let most = asked.query.number("n").map_or(ROWS, |n| n.clamp(1, 1000) as usize);
    for (figures, name, route) in rows.into_iter().take(most) {
        let to: Vec<&str> = route.to.clusters.iter().map(|(k, _)| &*plan.clusters[*k].name).collect();
        let mut cells = vec![name.clone().into(), to.join(", ").into()];
        let mut mark = if has_no_server(route, without) { Mark::Bad } else { Mark::Fine };
        if let Some(one) = figures {
            let has_some = one.lately.count() > 0;
            let percentile = |p| if has_some { one.lately.percentile(p).into() } else { Value::Blank };
            if one.error_rates[2] > 0.0 {
                mark = mark.max(Mark::Warn);
            }
            cells.push(Value::PerSecond(one.lately.per_second()));
            cells.extend(one.error_rates.map(Value::PerSecond));
            cells.extend([percentile(0.5), percentile(0.99)]);
            cells.push(one.overhead.map_or(Value::Blank, Value::from));
            cells.extend([one.refused.into(), one.calls.into()]);
            if is_limited {
                let limit = route.limit.as_ref();
                let under_way = limit.map(|limit| limit.current().into());
                let most = limit.and_then(|limit| limit.most()).map(Value::from);
                cells.extend([under_way, most].map(|cell| cell.unwrap_or(Value::Blank)));
            }
            cells.extend(is_dry.then(|| one.would_refuse.into()));
        }
        table.push(name, mark, cells);
    }
    table
}

fn clusters(plan: &Plan) -> Table {
    let columns = [
        Column::new("cluster").to("why?cluster="),
        Column::new("protocol"),
        Column::new("servers").hint("as the file names them"),
        Column::new("ready").hint("servers that calls can go to"),
        Column::new("known").hint("servers that are known"),
        Column::new("problem"),
    ];
    let mut table = Table::new("clusters", columns);
    for cluster in &plan.clusters {
        let why = cluster.channel.why();
        let ready = why.servers.iter().filter(|one| one.is_ready).count();
        let mark = if ready == 0 { Mark::Bad } else { Mark::Fine };
        let last = why.servers.iter().find_map(|one| one.last_error.clone());
        let cells = [
            cluster.name.clone().into(),
            cluster.channel.protocol().into(),
            cluster.servers().to_owned().into(),
            ready.into(),
            why.server_count.into(),
            why.source_error.clone().or(last).map_or(Value::Blank, Value::from),
        ];
        table.push(cluster.name.clone(), mark, cells);
    }
    table
}

fn schemas(plan: &Plan, now: Instant) -> Table {
    let columns = [
        Column::new("cluster"),
        Column::new("source"),
        Column::new("age").hint("since they were read"),
        Column::new("known"),
        Column::new("problem"),
    ];
    let mut table = Table::new("schemas", columns).empty(
        "No cluster has schemas: messages go on as they are, and JSON to servers of protobuf is refused.",
    );
    for (cluster, source) in plan.clusters.iter().filter_map(|one| Some((one, one.source.as_ref()?))) {
        let (since, lacking) = source.schemas().state();
        let cells = [
            cluster.name.clone().into(),
            source.words().into(),
            since.map_or(Value::Blank, |since| Value::since(since, now)),
            counted(source.schemas()).into(),
            lacking.clone().map_or(Value::Blank, Value::from),
        ];
        let mark = if lacking.is_some() { Mark::Warn } else { Mark::Fine };
        table.push(cluster.name.clone(), mark, cells);
    }
    table
}

/// For each cluster whether it knows no server that is ready.
fn without_server(plan: &Plan) -> Vec<bool> {
    plan.clusters.iter().map(is_without_server).collect()
}

/// Whether none of the clusters that a route has calls for knows one.
fn has_no_server(route: &Route, without: &[bool]) -> bool {
    let mut used = route.to.clusters.iter().filter(|(_, weight)| *weight > 0);
    used.all(|(k, _)| without[*k])
}

fn is_without_server(cluster: &Cluster) -> bool {
    let why = cluster.channel.why();
    // Servers of routes of its own, as xDS has them, are looked at by `/why`.
    why.clusters.is_empty() && !why.servers.iter().any(|one| one.is_ready)
}

fn findings(seen: &Seen, plan: &Plan, without: &[bool], shadows: &[ShadowFigures]) -> Vec<Finding> {
    let now = Instant::now();
    let link = |text: &'static str, to: &str| vec![Link { text: text.into(), to: to.to_owned() }];
    let mut findings = Vec::new();
    let failed = lock(&seen.0).failed.clone();
    if let Some(failed) = failed {
        let first = failed.wrong.first().map(|wrong| terminal::line(wrong)).unwrap_or_default();
        let age = now.saturating_duration_since(failed.at).as_secs();
        let text = format!("The file was read {age} s ago and is not used: {first}");
        findings.push(Finding { rule: RELOAD, mark: Mark::Warn, text, links: link("plan", "gateway") });
    }
    for (name, _) in plan.labelled().filter(|(_, route)| has_no_server(route, without)).take(MOST_FOUND) {
        let text = format!("No server of route {name} is ready");
        findings.push(Finding { rule: NO_SERVER, mark: Mark::Bad, text, links: link("why", "why") });
    }
    let lost = seen.1.lost_attachments();
    if lost > 0 {
        let text = format!("{lost} calls failed since attachments have no place on the other side");
        findings.push(Finding { rule: LOST, mark: Mark::Warn, text, links: link("routes", "gateway") });
    }
    findings.extend(shadow_table::findings(shadows, now));
    findings
}
