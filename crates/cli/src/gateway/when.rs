//! Conditions on calls beside their names, as a file says them: `when`.

use super::document::{Placed, Table};
use polywire::gateway::Calls;

/// What calls must have, and who must have made them.
#[derive(Default)]
pub struct When {
    fields: Vec<(Placed<String>, String)>,
    callers: Vec<Placed<String>>,
}

impl When {
    /// Reads the key `when`; without it there are no conditions. `None`: a mistake was found.
    pub fn read(table: &Table<'_>) -> Option<When> {
        let Some(when) = table.table("when") else { return (!table.has("when")).then(When::default) };
        let (fields, callers) = (when.pairs("header"), when.texts("caller"));
        when.finish();
        if fields.is_empty() && callers.is_none() && when.is_well() {
            let text = "no condition is here, which would be all calls: write { NAME = \"VALUE\" }";
            when.wrong(when.at_key("header"), "header", text);
        }
        if callers.as_ref().is_some_and(Vec::is_empty) && when.is_well() {
            when.wrong(when.at_key("caller"), "caller", "an empty list takes no call");
        }
        // With a mistake in it, it may be meant for few calls, and hides no later route.
        when.is_well().then(|| When { fields, callers: callers.unwrap_or_default() })
    }

    /// Adds them to those of a table. `None`: a mistake was found.
    pub fn add_to(&self, calls: Calls, table: &Table<'_>) -> Option<Calls> {
        let calls = self.fields.iter().try_fold(calls, |calls, (name, value)| {
            calls.field(&name.value, value).map_err(|wrong| table.wrong(name.at, "when.header", wrong)).ok()
        })?;
        self.callers.iter().try_fold(calls, |calls, name| {
            calls.caller(&name.value).map_err(|wrong| table.wrong(name.at, "when.caller", wrong)).ok()
        })
    }

    /// For the operator; the values of fields may be secrets. Empty: there are none.
    pub fn words(&self) -> String {
        let names: Vec<_> = self.fields.iter().map(|(name, _)| &*name.value).collect();
        let callers: Vec<_> = self.callers.iter().map(|name| &*name.value).collect();
        let fields = (!names.is_empty()).then(|| format!(" with {}", names.join(", ")));
        let callers = (!callers.is_empty()).then(|| format!(" by {}", callers.join(", ")));
        fields.into_iter().chain(callers).collect()
    }
}
