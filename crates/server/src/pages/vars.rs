//! `/vars`: all variables, or those whose names pass a filter.

use super::{Asked, ServerFacts};
use polywire_call::{Status, brpc};
use polywire_console::View;

/// "Nothing matches -> ENOMETHOD (404) with the name in the text."
pub(super) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let text = facts.stats.shown().vars(&asked.rest);
    if text.is_empty() && !asked.rest.is_empty() {
        let name: String = asked.rest.chars().take(128).collect();
        return Err(brpc::status(
            brpc::ENOMETHOD,
            format!("Fail to find any bvar by `{}'", name.escape_debug()),
        ));
    }
    Ok(View::new("Vars").plain(text))
}
