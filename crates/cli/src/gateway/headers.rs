//! What a route changes of the fields of its calls, as a file says it.

use super::document::{Placed, Table};
use polywire::{ConfigError, gateway::FieldChanges};

/// Reads the key `headers` of a route.
pub fn read(route: &Table<'_>) -> Option<FieldChanges> {
    type Change = fn(FieldChanges, &str) -> Result<FieldChanges, ConfigError>;
    let table = route.table("headers")?;
    let set = table.pairs("set");
    let left_out: [(&str, _, Change); 2] = [
        ("remove", table.texts("remove"), FieldChanges::remove),
        ("reply_remove", table.texts("reply_remove"), FieldChanges::remove_of_replies),
    ];
    table.finish();
    let mut changes = FieldChanges::new();
    let change = |key, at, changed: Result<FieldChanges, ConfigError>| match changed {
        Ok(changed) => changed,
        Err(wrong) => {
            table.wrong(at, key, wrong);
            FieldChanges::new()
        }
    };
    for (Placed { value: name, at }, value) in set {
        changes = change("set", at, changes.set(&name, &value));
    }
    for (key, names, remove) in left_out {
        for Placed { value: name, at } in names.into_iter().flatten() {
            changes = change(key, at, remove(changes, &name));
        }
    }
    if changes == FieldChanges::new() && table.is_well() {
        let text = "nothing changes: write `set`, `remove` or `reply_remove`";
        route.wrong(route.at_key("headers"), "headers", text);
    }
    Some(changes)
}
