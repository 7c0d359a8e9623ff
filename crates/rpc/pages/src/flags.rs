//! `/flags`: options that can be changed while the server runs.
//!
//! Text is brpc's table. A change comes by POST, with the fields `name`, `value` and, if it goes back by
//! itself, `for` in seconds; brpc's `?setvalue=` by GET is refused, since any page in a browser could send
//! it.

use crate::{
    asked::{Asked, Form},
    facts::ServerFacts,
};
use polywire_call::{Native, Status, brpc};
use polywire_console::{Action, Column, Fact, Table, Value, View};
use polywire_flags::{Change, FlagError, Flags, Origin};
use std::{collections::HashMap, time::Duration};

/// Bytes of names with wildcards that a request may have: they are compared with every flag.
const LONGEST_NAMES: usize = 1 << 10;
const NONE: &str = "This server has no flags: Pages::flags(..) gives it a set of them.";
/// A change that goes back does so within a year.
const LONGEST_TIME: u64 = 365 * 86_400;

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    if asked.query.has("setvalue") {
        let text = "a flag is set by POST, with the fields name and value and the token of /token";
        let status = Status::invalid_argument(text).with_native(Native::Http(405));
        return Err(status.with_metadata("allow", "GET, HEAD, POST"));
    }
    let Some(flags) = &facts.flags else {
        return Ok(View::new("Flags").note(NONE));
    };
    let names = &*asked.rest;
    if names.len() > LONGEST_NAMES {
        return Err(Status::invalid_argument(format!(
            "the names of flags have at most {LONGEST_NAMES} bytes together"
        )));
    }
    let chosen = flags.select(names);
    // "Listing an unknown name gives an empty table": that holds for wildcards here.
    if chosen.is_empty() && !names.contains(['*', '$', ',', ';']) {
        return Err(refused(flags.find(names).err().unwrap_or(FlagError::Name(names.to_owned()))));
    }
    if asked.form == Form::Text {
        return Ok(View::new("Flags").plain(flags.table(names)));
    }
    let columns = [
        Column::new("name").to("flags/"),
        Column::new("value"),
        Column::new("default"),
        Column::new("what_it_does"),
        Column::new("allowed").wide(),
        Column::new("changed_by").hint("who set it last, and from where; the last thousand changes are kept"),
        Column::new("changed_ago").hint("since its last change").wide(),
        Column::new("goes_back_in").hint("when a change for a time is over").wide(),
    ];
    let changes: HashMap<String, Change> =
        flags.changes().into_iter().map(|change| (change.name.clone(), change)).collect();
    let mut table = Table::new("flags", columns).empty("No flag has such a name.");
    for flag in &chosen {
        let change = changes.get(flag.name());
        let seconds =
            |time: Option<Duration>| time.map_or(Value::Blank, |time| Value::Seconds(time.as_secs_f64()));
        let by = change.map_or(Value::Blank, |change| {
            format!("{} from {}", change.origin.who, change.origin.from).into()
        });
        let cells = [
            flag.name().to_owned().into(),
            flag.value().into(),
            flag.default().into(),
            Value::Long(flag.help().to_owned().into()),
            Value::Long(flag.allowed().into()),
            by,
            seconds(change.map(|change| change.at.elapsed().unwrap_or_default())),
            seconds(flags.goes_back_in(flag.name())),
        ];
        table.push(flag.name(), Default::default(), cells);
    }
    let set = match &chosen[..] {
        [one] => Action::new("flags", "Set").hidden("name", one.name()).field("value", one.value()),
        _ => Action::new("flags", "Set").field("name", "").field("value", ""),
    };
    let set = set.field("for", "");
    let note =
        "A change lasts until the server stops, or for so many seconds: then the flag goes back by itself.";
    Ok(View::new("Flags").table(table).action(set).note(note))
}

pub(crate) fn change(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let flags = facts.flags.as_ref().ok_or_else(|| brpc::status(brpc::ENOMETHOD, NONE))?;
    let field = |name: &str| asked.fields.get(name).filter(|text| !text.is_empty());
    let lacks = |text: &str| Status::invalid_argument(text.to_owned());
    let name = field("name").ok_or_else(|| lacks("the field name says which flag is set"))?;
    let value = asked.fields.get("value").ok_or_else(|| lacks("the field value says to what it is set"))?;
    let time = field("for").map(seconds).transpose()?;
    let origin = Origin::new("console", &asked.peer.to_string());
    let changed = match time {
        Some(time) => flags.set_for(name, value, time, &origin),
        None => flags.set(name, value, &origin),
    };
    let changed = changed.map_err(refused)?;
    Ok(said(flags, name, changed.as_ref()))
}

/// What has changed, without the table: the answer to a POST is not to be asked for again every second.
fn said(flags: &Flags, name: &str, changed: Option<&Change>) -> View {
    let value = flags.find(name).map_or_else(|_| String::new(), |flag| flag.value());
    let sentence = match changed {
        Some(change) => format!("{name}: {} → {}", change.old, change.new),
        None => format!("{name} is {value} already"),
    };
    let mut view = View::new("Flags").note(sentence);
    view.add(Fact::new("flag", name.to_owned()).link("all flags", "flags"));
    if let Some(change) = changed {
        view.add(Fact::new("old", change.old.clone()));
    }
    view.add(Fact::new("value", value));
    if let Some(time) = flags.goes_back_in(name) {
        view.add(Fact::new("goes_back_in", Value::Seconds(time.as_secs_f64())));
    }
    view
}

fn seconds(text: &str) -> Result<Duration, Status> {
    let number = text.parse().ok().filter(|seconds| (1..=LONGEST_TIME).contains(seconds));
    let wrong =
        || Status::invalid_argument(format!("for has to be a number of seconds, 1 to {LONGEST_TIME}"));
    number.map(Duration::from_secs).ok_or_else(wrong)
}

fn refused(error: FlagError) -> Status {
    let text = error.to_string();
    match error {
        FlagError::Unknown { .. } => brpc::status(brpc::ENOMETHOD, text),
        FlagError::Fixed(_) | FlagError::Immutable(_) => brpc::status(brpc::EPERM, text),
        _ => Status::invalid_argument(text),
    }
}
