//! `/vars`: all variables, or those whose names pass a filter.

use super::{Request, ServerFacts, Text};
use polywire_call::{Status, brpc};

/// "Nothing matches -> ENOMETHOD (404) with the name in the text."
pub(super) fn text(facts: &ServerFacts, request: &Request<'_>) -> Result<Text, Status> {
    let text = facts.stats.shown().vars(request.rest);
    if text.is_empty() && !request.rest.is_empty() {
        let name: String = request.rest.chars().take(128).collect();
        return Err(brpc::status(
            brpc::ENOMETHOD,
            format!("Fail to find any bvar by `{}'", name.escape_debug()),
        ));
    }
    Ok(text.into())
}
