//! `/metrics`: all variables that are numbers, for Prometheus and what reads its formats.

use super::{Request, ServerFacts, Text};
use polywire_call::Status;

/// OpenMetrics for those that accept it, as Prometheus does, and otherwise the older text format, which people can ask for
/// without a header.
pub(super) fn text(facts: &ServerFacts, request: &Request<'_>) -> Result<Text, Status> {
    let variables = facts.stats.shown();
    Ok(if request.accept.contains("application/openmetrics-text") {
        let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        Text { content_type, text: variables.openmetrics() }
    } else {
        Text { content_type: "text/plain; version=0.0.4; charset=utf-8", text: variables.prometheus() }
    })
}
