//! The page `/why`: the state of the channels' servers, and the servers of their last calls.

use polywire_base::Sort;
use polywire_call::Status;
use polywire_client::{
    below,
    channels::{ChannelWhy, OfProcess, of_channel, of_process},
    why::{CallWhy, Candidate, ServerWhy},
};
use polywire_console::{Column, Finding, Link, Mark, Section, Table, Value, View, escape};
use polywire_pages::{Asked, Elsewhere, Group, Page};

/// Findings that are shown.
const MOST_FINDINGS: usize = 8;
/// Servers that the page of a method lists.
const MOST_BELOW: usize = 20;

/// The page `/why`, for [`Pages::page`](crate::Pages::page): the result of
/// [`Channel::why`](crate::AnyChannel::why) for every channel of the process, with its servers and some of
/// its last calls. `/why/CHANNEL` shows one channel, by its number, completely.
///
/// ```
/// let server = polywire::Server::new().pages(polywire::Pages::default().page(polywire::console::why()));
/// ```
pub fn page() -> Page {
    Page::new("why", "servers of the channels of this process, and where their last calls went", view)
        .title("Why")
        .group(Group::Bar)
        .rules(&["channel_unknown", "channel_empty", "channel_ready", "channel_source", "server_slow"])
        .on_overview(on_overview)
        .on_method(on_method)
}

/// The servers that the handlers of a method call, for its page.
fn on_method(method: &str) -> Option<Elsewhere> {
    let below = below::of_method(method);
    let most = below.first()?;
    let most = (most.server.clone(), most.in_flight);
    let in_flight = below.iter().map(|one| one.in_flight).sum();
    let columns = [
        Column::new("server"),
        Column::new("share").hint("of the time that all of these calls take"),
        Column::new("calls").hint("a second"),
        Column::new("p50").hint("half of the calls took less"),
        Column::new("p99").hint("99 % of them took less"),
        Column::new("mean_in_flight").hint("calls a second times mean latency").wide(),
        Column::new("channel").wide(),
    ];
    let mut table = Table::new("calls_to_others", columns);
    table.total = Some(below.len());
    for one in below.into_iter().take(MOST_BELOW) {
        let key = format!("{} {}", escape::shown(&one.server), escape::shown(&one.channel));
        let cells = [
            one.server.into(),
            Value::Ratio(one.in_flight / f64::max(in_flight, f64::MIN_POSITIVE)),
            Value::PerSecond(one.rate),
            one.p50.into(),
            one.p99.into(),
            Value::Number(one.in_flight),
            one.channel.into(),
        ];
        table.push(key, Mark::Fine, cells);
    }
    Some(Elsewhere { in_flight, most, sections: vec![Section::Table(table)] })
}

/// Channels that the overview shows.
const MOST_CHANNELS: usize = 8;

/// The findings about channels, and the channels that need attention most, for the overview.
fn on_overview() -> Vec<Section> {
    let found = of_process();
    if found.channels.is_empty() {
        return Vec::new();
    }
    let mut table = channels(&found);
    table.rows.truncate(MOST_CHANNELS);
    vec![Section::Findings(findings(&found)), Section::Table(table)]
}

fn view(asked: &Asked) -> Result<View, Status> {
    if asked.rest.is_empty() {
        return Ok(shown("Why", &of_process()));
    }
    let one = asked.rest.parse().ok().and_then(of_channel);
    let one =
        one.ok_or_else(|| Status::not_found("there is no such channel; /why has those that there are"))?;
    let title = format!("Why {}", one.why.channel);
    Ok(shown(title, &of_one(one)))
}

fn of_one(one: ChannelWhy) -> OfProcess {
    let mut found = OfProcess::default();
    found.channels.push(one);
    found.channel_count = 1;
    found
}

fn shown(title: impl Into<std::borrow::Cow<'static, str>>, found: &OfProcess) -> View {
    let mut findings = findings(found);
    findings.order_by_key(|finding| std::cmp::Reverse(finding.mark));
    let more = findings.len().saturating_sub(MOST_FINDINGS);
    findings.truncate(MOST_FINDINGS);
    let mut view = View::new(title);
    // That nothing needs anybody is for the first page to say, which knows more than channels.
    if !findings.is_empty() {
        view = view.section(Section::Findings(findings));
    }
    if more > 0 {
        view = view.note(format!("And {more} more channels have something."));
    }
    view = view.table(channels(found));
    let clusters = clusters(found);
    if !clusters.rows.is_empty() {
        view = view.table(clusters);
    }
    view.table(servers(found)).table(tries(found))
}

fn findings(found: &OfProcess) -> Vec<Finding> {
    found.channels.iter().flat_map(|one| finding(one).into_iter().chain(slow_server(one))).collect()
}

/// The slowest server of a channel, if the median of its calls is three times that of the others', and a
/// millisecond more.
fn slow_server(one: &ChannelWhy) -> Option<Finding> {
    let slow = one.why.servers.iter().filter(|server| server.is_slow_beside(&one.why.servers));
    let slow = slow.max_by_key(|server| server.p50)?;
    let text = format!(
        "Channel {}: {} is slow: half of its calls take more than {:.1?}, those to the others {:.1?}",
        escape::shown(&one.why.channel),
        escape::shown(&slow.address),
        slow.p50?,
        slow.p50_of_others(&one.why.servers)?
    );
    let link = Link { text: "why".into(), to: format!("why/{}", one.id) };
    Some(Finding { rule: "server_slow", mark: Mark::Warn, text, links: vec![link] })
}

/// The most severe fault of a channel, as a finding; `None` if the channel is healthy.
fn finding(one: &ChannelWhy) -> Option<Finding> {
    let why = &one.why;
    let hidden = why.servers.iter().find(|server| !server.is_ready);
    let error = |error: &str| escape::shown(error).into_owned();
    let (rule, mark, text) = match &why.source_error {
        Some(failed) if !why.is_known => {
            ("channel_unknown", Mark::Bad, format!("knows no servers: {}", error(failed)))
        }
        None if !why.is_known => ("channel_unknown", Mark::Warn, "has not heard of servers yet".to_owned()),
        _ if why.server_count == 0 => ("channel_empty", Mark::Bad, "has no servers".to_owned()),
        // Those that are not listed are not known to be ready or not.
        _ if one.ready == 0 && hidden.is_some() => {
            let of = hidden.map(reason).unwrap_or_default();
            (
                "channel_ready",
                Mark::Bad,
                format!("can choose none of its {}: {of}", counted(why.server_count)),
            )
        }
        Some(failed) => {
            let text =
                format!("uses the last servers it heard of, since their source fails: {}", error(failed));
            ("channel_source", Mark::Warn, text)
        }
        None => {
            let text =
                format!("can choose {} of {}: {}", one.ready, counted(why.server_count), reason(hidden?));
            ("channel_ready", Mark::Warn, text)
        }
    };
    let text = format!("Channel {} {text}", escape::shown(&why.channel));
    let link = Link { text: "why".into(), to: format!("why/{}", one.id) };
    Some(Finding { rule, mark, text, links: vec![link] })
}

fn counted(servers: usize) -> String {
    format!("{servers} server{}", if servers == 1 { "" } else { "s" })
}

/// The reason why the balancer cannot choose this server.
fn reason(server: &ServerWhy) -> String {
    let said = server.last_error.as_deref().filter(|_| server.state == "unconnected");
    format!("{} is {}", escape::shown(&server.address), escape::shown(&server.state))
        + &said.map_or_else(String::new, |error| format!(", {}", escape::shown(error)))
}

fn channels(found: &OfProcess) -> Table {
    let columns = [
        Column::new("channel").to("why/").hint("the label target of its metrics"),
        Column::new("id").hint("the label channel of its metrics"),
        Column::new("protocol"),
        Column::new("balancer"),
        Column::new("servers"),
        Column::new("ready").hint("servers that can be chosen, of those listed"),
        Column::new("source").wide().hint("why the source of its servers failed the last time"),
    ];
    let mut table = Table::new("channels", columns).empty("This process has no channels.");
    for one in &found.channels {
        let why = &one.why;
        let mark = finding(one).map_or(Mark::Fine, |finding| finding.mark);
        let source = why.source_error.clone().map_or(Value::Blank, Value::from);
        let cells = [
            why.channel.clone().into(),
            Value::Digits(one.id.to_string().into()),
            why.protocol.into(),
            why.balancer.clone().into(),
            why.server_count.into(),
            one.ready.into(),
            source,
        ];
        table.push(one.id.to_string(), mark, cells);
    }
    table.total = Some(found.channel_count);
    table
}

fn clusters(found: &OfProcess) -> Table {
    let columns = [
        Column::new("cluster"),
        Column::new("id"),
        Column::new("balancer"),
        Column::new("servers"),
        Column::new("in_flight"),
        Column::new("limit"),
        Column::new("refused"),
        Column::new("dropped").hint("attempts that were made to fail on purpose"),
        Column::new("error"),
    ];
    let mut table = Table::new("clusters", columns);
    for (id, cluster) in
        found.channels.iter().flat_map(|one| one.why.clusters.iter().map(|each| (one.id, each)))
    {
        let mark = if cluster.error.is_some() { Mark::Warn } else { Mark::Fine };
        let cells = [
            cluster.name.clone().into(),
            Value::Digits(id.to_string().into()),
            cluster.balancer.clone().into(),
            cluster.server_count.into(),
            cluster.in_flight.into(),
            cluster.max_requests.map_or(Value::Blank, Value::from),
            cluster.refused.into(),
            cluster.dropped.iter().map(|(_, calls)| *calls).sum::<u64>().into(),
            cluster.error.clone().map_or(Value::Blank, Value::from),
        ];
        table.push(format!("{id} {}", cluster.name), mark, cells);
    }
    table
}

fn servers(found: &OfProcess) -> Table {
    let columns = [
        Column::new("server"),
        Column::new("state"),
        Column::new("down").hint("for so long no connection could be made"),
        Column::new("p50").hint("half of the calls took less, of those followed in the last 10 s, or of the last eight: one in 64 is followed"),
        Column::new("p99").hint("99 % of them took less"),
        Column::new("failing").hint("the share of calls whose failure counts against the server, since the channel was made"),
        Column::new("in_flight").hint("calls that were sent there and have not ended").wide(),
        Column::new("calls").hint("since the channel was made").wide(),
        Column::new("last_error").wide(),
        Column::new("id").hint("of its channel").wide(),
        Column::new("cluster").wide(),
        Column::new("tag").wide(),
        Column::new("penalty")
            .hint("what the balancer goes by, if it goes by speed: an average that rises at once, by failures too, and falls slowly")
            .wide(),
        Column::new("weight").wide(),
        Column::new("isolated").wide().hint("how often the circuit breaker has isolated it"),
        Column::new("connections").wide().hint("made so far"),
        Column::new("checks").wide().hint("health checks"),
        Column::new("last_check").wide(),
    ];
    let mut table = Table::new("servers", columns).empty("No server is known.");
    for (id, one, all) in found
        .channels
        .iter()
        .flat_map(|channel| channel.why.servers.iter().map(|one| (channel.id, one, &channel.why.servers)))
    {
        let mark = if one.is_ready && !one.is_slow_beside(all) { Mark::Fine } else { Mark::Warn };
        let text = |text: &Option<String>| text.clone().map_or(Value::Blank, Value::from);
        let cells = [
            one.address.clone().into(),
            one.state.clone().into(),
            one.unconnected_for.map_or(Value::Blank, |long| Value::Seconds(long.as_secs_f64())),
            Value::or_unknown(one.p50, Value::from),
            Value::or_unknown(one.p99, Value::from),
            match one.calls {
                0 => Value::Unknown,
                calls => Value::Ratio((one.failed as f64 / calls as f64).min(1.0)),
            },
            one.in_flight.into(),
            one.calls.into(),
            one.last_error.clone().map_or(Value::Blank, |error| Value::Long(error.into())),
            Value::Digits(id.to_string().into()),
            one.cluster.clone().into(),
            one.tag.clone().into(),
            Value::or_unknown(one.penalty, Value::from),
            one.weight.map_or(Value::Blank, Value::from),
            one.breaks.into(),
            one.connections.into(),
            checks(one.checks, one.checks_failed),
            text(&one.last_check),
        ];
        table.push(format!("{id} {} {} {}", one.cluster, one.address, one.tag), mark, cells);
    }
    table.total = Some(found.channels.iter().map(|one| one.why.server_count).sum());
    table
}

/// Health checks, and how many of them failed.
fn checks(all: u64, failed: u64) -> Value {
    match (all, failed) {
        (0, _) => Value::Blank,
        (_, 0) => format!("{all}, none failed").into(),
        _ => format!("{all}, {failed} failed").into(),
    }
}

/// The tries of calls, the newest call first.
fn tries(found: &OfProcess) -> Table {
    let columns = [
        Column::new("server").hint("where it went"),
        Column::new("why").hint("the chosen server and some others, as the balancer saw them"),
        Column::new("took"),
        Column::new("end").wide(),
        Column::new("method").wide(),
        Column::new("for").hint("the method of this process whose handler made the call").wide(),
        Column::new("age").hint("how long ago the call began").wide(),
        Column::new("try").wide(),
        Column::new("after").hint("from the first try to this one").wide(),
        Column::new("route").wide().hint("route and cluster, and the key of a balancer that hashes"),
        Column::new("id").hint("of its channel").wide(),
    ];
    let mut table = Table::new("tries", columns).empty(
        "No calls to show. Channels with several servers keep those that failed, were tried again or waited for a server, and one in 64 of the others.",
    );
    let calls = found.channels.iter().flat_map(|one| one.why.calls.iter().map(|call| (one.id, call)));
    let mut calls: Vec<_> = calls.collect();
    calls.order_by_key(|(_, call)| call.age);
    for (at, (id, call)) in calls.into_iter().enumerate() {
        for (number, one) in call.tries.iter().enumerate() {
            let candidates: Vec<String> = one.candidates.iter().map(candidate).collect();
            let cells = [
                one.destination().to_owned().into(),
                Value::Long(candidates.join("; ").into()),
                Value::or_unknown(one.took, Value::from),
                Value::Long(if one.took.is_some() { one.end.clone().into() } else { "under way".into() }),
                call.method.clone().into(),
                if call.caller.is_empty() { Value::Blank } else { call.caller.clone().into() },
                Value::Seconds(call.age.as_secs_f64()),
                (number + 1).into(),
                one.after.into(),
                route(call).into(),
                Value::Digits(id.to_string().into()),
            ];
            table.push(format!("{at} {number}"), Mark::Fine, cells);
        }
    }
    table
}

fn route(call: &CallWhy) -> String {
    let key = call.key.map(|key| format!("key {key}"));
    let parts = [Some(call.route.clone()), Some(call.cluster.clone()), key];
    let parts: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

fn candidate(one: &Candidate) -> String {
    let penalty = one.penalty.map_or_else(String::new, |penalty| format!(", penalty {penalty:.1?}"));
    let ready = if one.is_ready { "" } else { ", not ready" };
    format!("{}: {} in flight{penalty}{ready}", one.address, one.in_flight)
}
