//! `polywire gateway explain`: where a call goes, why, and what of it arrives there. Nothing is sent.

use super::plan::Plan;
use crate::table;
use polywire::{
    Metadata,
    gateway::{Mismatch, Passage},
};
use std::fmt::Write;

/// The text; and whether a route takes the call.
pub fn explain(plan: &Plan, called: (&str, &str), fields: &Metadata) -> (String, bool) {
    let mut text = format!("{}/{}\n", called.0, called.1);
    let mut say = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "  {line}"); // writing to a string does not fail
    };
    for route in &plan.routes {
        let (place, calls) = (&route.place, &route.calls);
        match calls.mismatch(called, fields) {
            Some(Mismatch::Names) => say(format_args!("{place}: {calls}: not taken, other names")),
            Some(Mismatch::Field(name, value)) => {
                say(format_args!("{place}: {calls}: not taken, the call has no field {name}={value:?}"));
            }
            None => {
                let cluster = &plan.clusters[route.cluster];
                say(format_args!("{place}: {calls}: taken"));
                say(format_args!(
                    "{}: cluster {}: {}, {}",
                    cluster.place,
                    cluster.name,
                    cluster.channel.protocol(),
                    cluster.servers()
                ));
                text.push('\n');
                text.push_str(&survives(plan, route.cluster));
                return (text, true);
            }
        }
    }
    say(format_args!("no route: refused with UNIMPLEMENTED and polywire-gateway: no_route"));
    (text, false)
}

/// What goes on to a cluster, for each protocol that a listener answers.
fn survives(plan: &Plan, cluster: usize) -> String {
    let registry = polywire_protocols::builtin();
    let mut rows = table::new();
    rows.set_header(["caller", "calls", "attachments"]);
    let mut seen = Vec::new();
    for name in plan.listeners.iter().flat_map(|listener| &listener.settings.protocols) {
        let Some(protocol) = registry.find(name).filter(|_| !seen.contains(name)) else { continue };
        seen.push(name.clone());
        let passes = Passage::of(protocol, &plan.clusters[cluster].channel);
        let calls = if passes.streams { "all four kinds" } else { "one message each way" };
        rows.add_row([name.as_str(), calls, if passes.attachments { "both ways" } else { "none" }]);
    }
    format!(
        "{rows}\n\nMessages in protobuf go on unread, with their compression where the other side reads it. Status, details, deadline,\n\
         cancellation and trace go on; so do fields, but those of a connection and of the protocols themselves.\n"
    )
}
