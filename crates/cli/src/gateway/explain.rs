//! `polywire gateway explain`: where a call goes, why, and what of it arrives there. Nothing is sent.

use super::{
    bounds,
    listener::{CALLERS, WEBSOCKET, ZMTP, is_unclear, seen_as, sent},
    plan::{Plan, Route},
    policy::Policy,
    rate,
    schemas::Source,
};
use crate::table;
use polywire::{
    CatchAll, Metadata,
    gateway::{Figures, Mismatch, Passage, Relay, are_plain_names, called_by_path},
};
use std::{fmt::Write, str::FromStr};

/// What holds for all callers.
const PASSAGE: &str = "
Messages go on unread, or translated: between JSON, mcpack and protobuf by their schema, between Thrift's two protocols without one; compressed ones are
decompressed where the other side may not read them. Status, deadline, cancellation, details, trace and fields go on as far as both protocols have a
place for them, but not the fields of a connection and of the protocols themselves.
";

/// What somebody asks about.
#[derive(Clone)]
pub enum Asked {
    Method(String, String),
    /// A request of plain HTTP: verb and path.
    Request(String, String),
}

const NOT_ASKED: &str = "write SERVICE/METHOD of letters, digits and `_`, with dots in the service: a server refuses \
                         other calls; or VERB /PATH, a request of plain HTTP";

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Asked, String> {
        if let Some((verb, path)) = text.split_once(' ').filter(|(_, path)| path.starts_with('/')) {
            let is_verb =
                !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
            let path = path.split(['?', '#']).next().unwrap_or_default();
            return match is_verb && !path.contains(char::is_whitespace) {
                true => Ok(Asked::Request(verb.to_owned(), path.to_owned())),
                false => Err(NOT_ASKED.into()),
            };
        }
        match text.strip_prefix('/').unwrap_or(text).split_once('/') {
            Some((service, method)) if are_plain_names(service, method) => {
                Ok(Asked::Method(service.to_owned(), method.to_owned()))
            }
            _ => Err(NOT_ASKED.into()),
        }
    }
}

/// The text; and whether a route takes the call. `identity`: of its caller, who is nobody without.
pub fn explain(plan: &Plan, asked: &Asked, fields: &Metadata, identity: Option<&str>) -> (String, bool) {
    match asked {
        Asked::Method(service, method) => of_method(plan, (service, method), fields, identity),
        Asked::Request(verb, path) => match method_of(plan, verb, path) {
            Ok((service, method)) => {
                let (text, is_taken) = of_method(plan, (&service, &method), fields, identity);
                (format!("{verb} {path} is a call of {text}"), is_taken)
            }
            Err(why) => (format!("{verb} {path}\n  {why}\n"), false),
        },
    }
}

/// The method that a request of plain HTTP calls, as the relay finds it.
///
/// # Errors
/// What is answered if it calls none.
fn method_of(plan: &Plan, verb: &str, path: &str) -> Result<(String, String), String> {
    let routes = plan.table(&Figures::new()).map_err(|wrong| wrong.to_string())?;
    let relay = Relay::by(routes);
    if let Some((service, method, _)) = called_by_path(&relay, verb, path) {
        return Ok((service.into_owned(), method.into_owned()));
    }
    let mut others = relay.verbs(path);
    let has_post = others.iter().any(|verb| ["POST", "*"].contains(&&**verb));
    if !has_post && called_by_path(&relay, "POST", path).is_some() {
        others.push("POST".to_owned());
    }
    let unknown = plan.clusters.iter().find(|cluster| {
        let asking = cluster.source.as_ref().filter(|source| source.asking().is_some());
        asking.is_some_and(|source| source.schemas().state().0.is_none())
    });
    Err(match unknown {
        Some(cluster) => format!(
            "not known: the servers of {} are asked for their HTTP rules when the gateway runs; see its page /gateway",
            cluster.name
        ),
        None if others.is_empty() => "no HTTP rule has this path: answered with 404".to_owned(),
        None => format!("answered with 405: {} reaches this path", others.join(", ")),
    })
}

fn of_method(plan: &Plan, called: (&str, &str), fields: &Metadata, identity: Option<&str>) -> (String, bool) {
    let mut text = format!("{}/{}\n", called.0, called.1);
    let mut say = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "  {line}"); // writing to a string does not fail
    };
    for listener in &plan.listeners {
        let (place, name) = (&listener.place, &listener.name);
        for words in listener.settings.callers.words() {
            say(format_args!("{place}: listener {name}: callers show {words}"));
        }
        if let Some((service, method)) = &listener.settings.method {
            say(format_args!(
                "{place}: listener {name}: calls that name no method are of {service}/{method}"
            ));
        }
        if let Some(service) = &listener.settings.service {
            say(format_args!("{place}: listener {name}: calls that name no service are of {service}"));
        }
        if let Some(rate) = &listener.settings.rate {
            say(format_args!("{place}: listener {name}: {}", rate::words(rate)));
        }
        if let Some(policy) = &listener.settings.policy {
            let verdict = Policy::read(policy).map(|policy| policy.verdict(called, fields, identity));
            let verdict = verdict.unwrap_or_else(|wrong| format!("cannot be used: {wrong}"));
            let (file, words) = (policy.file.display(), policy.words());
            say(format_args!("{place}: listener {name}: {file} {verdict}{words}"));
        }
    }
    // Those whose calls no route has taken so far.
    let mut left: Vec<_> = plan.listeners.iter().map(|listener| &*listener.name).collect();
    let mut passages = String::new();
    let from = |listeners: &[&str]| match listeners.len() == plan.listeners.len() {
        true => String::new(),
        false => format!(" from {}", listeners.join(", ")),
    };
    for route in &plan.routes {
        let (place, names) = (&route.place, &route.names);
        match route.calls.mismatch(called, fields, identity) {
            Some(Mismatch::Names) => say(format_args!("{place}: {names}: not taken, other names")),
            Some(Mismatch::Field(name, _)) => {
                say(format_args!("{place}: {names}: not taken, its field {name} is not the one asked for"));
            }
            Some(Mismatch::Caller) => say(format_args!("{place}: {names}: not taken, of other callers")),
            None => {
                let own: Vec<_> = left.extract_if(.., |listener| route.is_of(listener)).collect();
                if own.is_empty() {
                    say(format_args!("{place}: {names}: not taken, other listeners"));
                    continue;
                }
                let of = from(&own);
                say(format_args!("{place}: {names}: taken{of}"));
                for words in taken(plan, route, called) {
                    say(format_args!("{words}"));
                }
                for (k, _) in route.to.clusters.iter().filter(|(_, weight)| *weight > 0) {
                    let title = match route.to.clusters.len() == 1 && of.is_empty() {
                        true => String::new(),
                        false => format!("{}{of}:\n", plan.clusters[*k].name),
                    };
                    let _ = write!(passages, "\n{title}{}\n", survives(plan, &own, *k, called));
                }
                if left.is_empty() {
                    break;
                }
            }
        }
    }
    if !left.is_empty() {
        let of = from(&left);
        say(format_args!("no route{of}: refused with UNIMPLEMENTED and polywire-gateway: no_route"));
    }
    if passages.is_empty() {
        return (text, false);
    }
    (text + &passages + PASSAGE, true)
}

/// What a route does with a call that it takes, a line each.
fn taken(plan: &Plan, route: &Route, called: (&str, &str)) -> Vec<String> {
    let mut lines: Vec<String> = route.rate.iter().map(rate::words).collect();
    lines.extend(route.limit.iter().map(|limit| bounds::words(limit.setting())));
    let mut clusters = route.to.clusters.iter().map(|(k, _)| &plan.clusters[*k]);
    lines.extend(route.tries.words(called, clusters.any(|cluster| cluster.may_run_twice(called))));
    lines.extend(route.changes.iter().map(|changes| format!("fields: {}", changes.words())));
    lines.extend(route.fault.iter().map(|fault| fault.words().to_owned()));
    lines.extend(route.shadow.iter().map(|shadow| shadow.words(&plan.clusters, called)));
    let sum = route.to.sum();
    for (k, weight) in &route.to.clusters {
        let cluster = &plan.clusters[*k];
        let part = match route.to.clusters.len() {
            1 => String::new(),
            _ => format!(", {weight} of {sum} calls"),
        };
        let (place, name, protocol) = (&cluster.place, &cluster.name, cluster.channel.protocol());
        lines.push(format!("{place}: cluster {name}: {protocol}, {}{part}", cluster.servers()));
        let behind = cluster.behind();
        if let Some(why) = behind.refusal(called) {
            lines.push(format!("  refused: {why}"));
        } else if cluster.channel.addressing().is_by_position()
            && let Some(number) = behind.position(called)
        {
            lines.push(format!("  its servers are told number {number}"));
        } else if let Some(hash) = cluster.channel.hash() {
            lines.push(format!("  its servers are told number {}", hash(called.0, called.1)));
        }
        lines.extend(cluster.limit().map(|limit| format!("  {}", bounds::words(limit.setting()))));
        let may_run_twice = route.tries.may_run_twice(called) || cluster.may_run_twice(called);
        let failing = cluster.failing().words(may_run_twice);
        lines.extend(failing.into_iter().map(|words| format!("  {words}")));
        lines.extend(cluster.source.iter().map(|source| format!("  {}", translated(source, called))));
    }
    lines.extend(route.to.by.iter().map(|by| format!("calls with the same {by} go to the same of them")));
    lines
}

/// Whether messages of a method can be translated.
fn translated(source: &Source, (service, method): (&str, &str)) -> &'static str {
    match source {
        Source::Servers(asking) if asking.schemas().is_guessed() => {
            "messages in JSON are translated if the page /protobufs of its servers has the method, by a schema guessed from it"
        }
        Source::Servers(_) => "messages in JSON are translated if its servers say what the method is",
        Source::Files(known) if known.knows(service, method) => "messages in JSON are translated",
        Source::Files(_) => "messages in JSON are refused: its schemas do not have the method",
    }
}

/// Which calls go on to a cluster, for each protocol in which one of these listeners answers.
fn survives(plan: &Plan, listeners: &[&str], cluster: usize, called: (&str, &str)) -> String {
    let own = plan.listeners.iter().filter(|listener| listeners.contains(&&*listener.name));
    let named = own.flat_map(|listener| &listener.settings.protocols);
    let calls_over_websocket = named.clone().any(|name| name == WEBSOCKET);
    let answered: Vec<_> = named.flat_map(|name| seen_as(name)).collect();
    let mut rows = table::new();
    rows.set_header(["caller", "calls", "messages", "attachments"]);
    // Callers that say a method's number say this one, if it is clear which method that is.
    let cluster = &plan.clusters[cluster];
    let is_numbered = cluster.behind().position(called).is_some_and(|number| {
        let routes = plan.table(&Figures::new());
        let found = routes.ok().and_then(|routes| Relay::by(routes).by_position(called.0, number));
        found.is_some_and(|(_, method)| method == called.1)
    });
    // Who lets in one over HTTP/2 lets in all of them, but calls over WebSocket.
    let is_answered = |name: &&str| {
        seen_as(name).iter().any(|seen| answered.contains(seen))
            && (**name != *WEBSOCKET || calls_over_websocket)
    };
    for name in CALLERS.into_iter().filter(is_answered) {
        let Some((protocol, sent)) = sent(name) else { continue };
        let passes = Passage::of(protocol, &cluster.channel);
        let is_unclear = is_unclear(name, cluster.channel.system());
        let calls = match (passes.streams, is_unclear, &cluster.source) {
            (true, false, _) => "all four kinds",
            (true, true, Some(_)) => "as the schema says",
            _ => "one message each way",
        };
        let messages = match protocol.addressing.is_by_position() && !is_numbered {
            true => "refused: no number",
            false => cluster.messages(sent, called).words(),
        };
        rows.add_row([name, calls, messages, if passes.attachments { "both ways" } else { "none" }]);
    }
    let mut text = rows.to_string();
    if !cluster.channel.has_fields() {
        let protocol = cluster.channel.protocol();
        let lacking = if protocol == ZMTP { "fields" } else { "fields or a deadline" };
        let _ = write!(text, "\nRequests over {protocol} have no place for {lacking}.");
    }
    text
}
