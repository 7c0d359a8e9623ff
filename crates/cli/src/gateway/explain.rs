//! `polywire gateway explain`: where a call goes, why, and what of it arrives there. Nothing is sent.

use super::{listener::CALLERS, plan::Plan, rate, schemas::Source};
use crate::table;
use polywire::{
    Metadata,
    gateway::{Mismatch, Passage},
};
use std::fmt::Write;

/// What holds for all callers.
const PASSAGE: &str = "
Messages go on unread, or between JSON and protobuf translated by their schema; compressed ones are
decompressed where the other side may not read them. Status, deadline, cancellation, details, trace and fields go on as far as both protocols have a
place for them, but not the fields of a connection and of the protocols themselves.
";

/// The text; and whether a route takes the call.
pub fn explain(plan: &Plan, called: (&str, &str), fields: &Metadata) -> (String, bool) {
    let mut text = format!("{}/{}\n", called.0, called.1);
    let mut say = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "  {line}"); // writing to a string does not fail
    };
    for listener in &plan.listeners {
        let (place, name) = (&listener.place, &listener.name);
        for words in listener.settings.callers.words() {
            say(format_args!("{place}: listener {name}: callers show {words}"));
        }
        if let Some(rate) = &listener.settings.rate {
            say(format_args!("{place}: listener {name}: {}", rate::words(rate)));
        }
        if let Some(policy) = &listener.settings.policy {
            say(format_args!("{place}: listener {name}: {} says who may call it", policy.display()));
        }
    }
    for route in &plan.routes {
        let (place, names) = (&route.place, &route.names);
        match route.calls.mismatch(called, fields) {
            Some(Mismatch::Names) => say(format_args!("{place}: {names}: not taken, other names")),
            Some(Mismatch::Field(name, _)) => {
                say(format_args!("{place}: {names}: not taken, its field {name} is not the one asked for"));
            }
            None => {
                say(format_args!("{place}: {names}: taken"));
                if let Some(rate) = &route.rate {
                    say(format_args!("{}", rate::words(rate)));
                }
                if let Some(shadow) = &route.shadow {
                    say(format_args!("{}", shadow.words(&plan.clusters, called)));
                }
                let sum = route.to.sum();
                for (k, weight) in &route.to.clusters {
                    let cluster = &plan.clusters[*k];
                    let part = match route.to.clusters.len() {
                        1 => String::new(),
                        _ => format!(", {weight} of {sum} calls"),
                    };
                    say(format_args!(
                        "{}: cluster {}: {}, {}{part}",
                        cluster.place,
                        cluster.name,
                        cluster.channel.protocol(),
                        cluster.servers()
                    ));
                    if let Some(source) = &cluster.source {
                        say(format_args!("  {}", translated(source, called)));
                    }
                }
                if let Some(by) = &route.to.by {
                    say(format_args!("calls with the same {by} go to the same of them"));
                }
                for (k, _) in route.to.clusters.iter().filter(|(_, weight)| *weight > 0) {
                    let title = match route.to.clusters.len() {
                        1 => String::new(),
                        _ => format!("{}:\n", plan.clusters[*k].name),
                    };
                    text.push_str(&format!("\n{title}{}\n", survives(plan, *k)));
                }
                text.push_str(PASSAGE);
                return (text, true);
            }
        }
    }
    say(format_args!("no route: refused with UNIMPLEMENTED and polywire-gateway: no_route"));
    (text, false)
}

/// Whether messages of a method can be translated.
fn translated(source: &Source, (service, method): (&str, &str)) -> &'static str {
    match source {
        Source::Reflection(_) => "messages in JSON are translated if its servers say what the method is",
        Source::Files(known) if known.knows(service, method) => "messages in JSON are translated",
        Source::Files(_) => "messages in JSON are refused: its schemas do not have the method",
    }
}

/// Which calls go on to a cluster, for each protocol in which a listener answers.
fn survives(plan: &Plan, cluster: usize) -> String {
    let protocols = polywire_protocols::builtin();
    // A listener tells protocols by their first bytes: who lets in one over HTTP/2 lets in all of them.
    let seen_as = |name: &str| match protocols.find(name) {
        Some(protocol) if !protocol.detected_as.is_empty() => protocol.detected_as.to_vec(),
        protocol => protocol.map(|protocol| protocol.name).into_iter().collect(),
    };
    let named = plan.listeners.iter().flat_map(|listener| &listener.settings.protocols);
    let answered: Vec<_> = named.flat_map(|name| seen_as(name)).collect();
    let mut rows = table::new();
    rows.set_header(["caller", "calls", "attachments"]);
    for name in CALLERS.into_iter().filter(|name| seen_as(name).iter().any(|seen| answered.contains(seen))) {
        let Some(protocol) = protocols.find(name) else { continue };
        let passes = Passage::of(protocol, &plan.clusters[cluster].channel);
        let calls = if passes.streams { "all four kinds" } else { "one message each way" };
        rows.add_row([name, calls, if passes.attachments { "both ways" } else { "none" }]);
    }
    rows.to_string()
}
