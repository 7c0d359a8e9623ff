//! `/vars`: all variables, or those whose names pass a filter.

use super::{Asked, Form, ServerFacts};
use polywire_call::{Status, brpc};
use polywire_console::{Column, Table, Value, View};

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
    if asked.form == Form::Text {
        return Ok(View::new("Vars").plain(text));
    }
    let mut table = Table::new("vars", [Column::new("name"), Column::new("value")])
        .empty("No variable has this in its name.");
    for (name, value) in facts.stats.shown().list(&asked.rest) {
        let value =
            value.parse().ok().filter(|number: &f64| number.is_finite()).map_or(value.into(), Value::Number);
        table.push(name.clone(), Default::default(), [name.into(), value]);
    }
    Ok(View::new("Vars").table(table))
}
