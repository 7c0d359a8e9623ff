//! `/metrics`: all variables that are numbers, for Prometheus and what reads its formats.

use crate::{asked::Asked, facts::ServerFacts};
use polywire_call::Status;
use polywire_console::View;

/// OpenMetrics for those that accept it, as Prometheus does, and otherwise the older text format, which
/// people can ask for without a header.
pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let variables = facts.stats.shown();
    let plain = if asked.accept.contains("application/openmetrics-text") {
        ("application/openmetrics-text; version=1.0.0; charset=utf-8", variables.openmetrics())
    } else {
        ("text/plain; version=0.0.4; charset=utf-8", variables.prometheus())
    };
    Ok(View { plain: Some(plain), ..View::new("Metrics") })
}

/// brpc's page: its names, units and types, for dashboards that have them.
pub(crate) fn brpc(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    let text = facts.stats.shown().brpc_metrics();
    Ok(View {
        plain: Some(("text/plain; version=0.0.4; charset=utf-8", text)),
        ..View::new("brpc's metrics")
    })
}
