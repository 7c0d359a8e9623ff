//! `/vars`: all variables, or those whose names pass a filter; and the past of one.
//!
//! Source: brpc's page of this name, whose text and whose `?series` are theirs.

use crate::{
    asked::{Asked, Form},
    facts::ServerFacts,
};
use polywire_call::{Status, brpc};
use polywire_console::{Column, Plot, Table, Value, View, escape};
use polywire_metrics::{Registry, Trend};
use std::fmt::Write;

/// "Nothing matches -> ENOMETHOD (404) with the name in the text."
pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let shown = facts.stats.shown();
    let listed = listed(shown, &asked.rest);
    if listed.is_empty() && !asked.rest.is_empty() {
        let name: String = asked.rest.chars().take(128).collect();
        return Err(brpc::status(
            brpc::ENOMETHOD,
            format!("Fail to find any bvar by `{}'", name.escape_debug()),
        ));
    }
    let one = is_one(&asked.rest).then(|| (&*asked.rest, shown.trend(&asked.rest)));
    if asked.query.has("series") {
        let (name, trend) = one.ok_or_else(|| no_trend("?series is of one variable: /vars/NAME?series"))?;
        let Some(trend) = trend else {
            return Err(no_trend(format!("`{}' has no past: {WHY_NONE}", escape::shown(name))));
        };
        let plain = Some(("application/json", series(&trend)));
        return Ok(View { plain, ..View::new("Vars") });
    }
    if asked.form == Form::Text {
        let text = listed.into_iter().fold(String::new(), |mut text, (name, value)| {
            let _ = write!(text, "{name} : {value}\r\n"); // writing to a string does not fail
            text
        });
        return Ok(View::new("Vars").plain(text));
    }
    let mut table = Table::new("vars", [Column::new("name").to("vars/"), Column::new("value")])
        .empty("No variable has this in its name.");
    for (name, value) in listed {
        let is_number = value.parse().is_ok_and(f64::is_finite);
        let value = if is_number { Value::Digits(value.into()) } else { Value::Long(value.into()) };
        table.push(name.clone(), Default::default(), [name.into(), value]);
    }
    let view = View::new("Vars").table(table);
    Ok(match one {
        Some((name, Some(trend))) => {
            let line = |points: Vec<f64>| vec![(name.to_owned().into(), points)];
            let (seconds, minutes) = (trend.seconds().collect(), trend.minutes().collect());
            view.plot(Plot { name: "last 60 seconds".into(), step: 1, lines: line(seconds) }).plot(Plot {
                name: "last 60 minutes".into(),
                step: 60,
                lines: line(minutes),
            })
        }
        Some((_, None)) => view.note(format!("There is no plot: {WHY_NONE}.")),
        None => view,
    })
}

/// Of which variables there is no trend.
const WHY_NONE: &str =
    "it is a text, has labels of its own, was 0 so far, or is behind the first 16384 figures";

/// "A variable without stored trend -> ENODATA." The text has its name and not the status its number: that
/// would be a 500, and retried.
fn no_trend(text: impl std::fmt::Display) -> Status {
    Status::not_found(format!("ENODATA: {text}"))
}

/// The variables that a filter means; those of one name with its labels, too.
fn listed(registry: &Registry, filter: &str) -> Vec<(String, String)> {
    match filter.split_once('{') {
        Some((bare, _)) if is_one(filter) => {
            let mut listed = registry.list(bare);
            listed.retain(|(name, _)| name == filter);
            listed
        }
        _ => registry.list(filter),
    }
}

/// Whether a filter is the name of one variable. Labels may contain what otherwise are wildcards.
fn is_one(filter: &str) -> bool {
    let bare = filter.split('{').next().unwrap_or("");
    !bare.is_empty() && !bare.contains(['*', '$', ';', ','])
}

/// `{"label":"trend","data":[[0,v],...,[173,v]]}`: 30 days, 24 hours, 60 minutes and 60 seconds, the oldest
/// first in each.
fn series(trend: &Trend) -> String {
    let mut text = "{\"label\":\"trend\",\"data\":[".to_owned();
    for (x, value) in trend.series().into_iter().enumerate() {
        let comma = if x > 0 { "," } else { "" };
        let value = if value.is_finite() { value } else { 0.0 };
        let _ = write!(text, "{comma}[{x},{value}]"); // writing to a string does not fail
    }
    text + "]}"
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_metrics::Gauge;
    use std::time::{Duration, Instant};

    /// brpc's positions: 0 to 29 days, 30 to 53 hours, 54 to 113 minutes, 114 to 173 seconds.
    #[test]
    fn the_past_of_a_variable_is_at_brpcs_positions() {
        let (registry, level, start) = (Registry::new(), Gauge::new(), Instant::now());
        registry.expose("level", level.clone()).expect("the name is free");
        for second in 0..130 {
            level.set(if second < 120 { 2 } else { 7 });
            registry.tick(start + Duration::from_secs(second));
        }
        let text = series(&registry.trend("level").expect("it was not 0"));
        let body = text.strip_prefix("{\"label\":\"trend\",\"data\":[[").expect(&text);
        let body = body.strip_suffix("]]}").expect(&text);
        let points: Vec<_> = body.split("],[").map(|point| point.split_once(',').expect(point)).collect();
        assert_eq!(points.len(), 174);
        assert!(points.iter().enumerate().all(|(at, (x, _))| x.parse() == Ok(at)), "{text}");
        let value = |at: usize| points[at].1;
        assert_eq!((value(29), value(53), value(111)), ("0", "0", "0"), "{text}");
        assert_eq!((value(112), value(113)), ("2", "2"), "{text}");
        assert_eq!((value(114), value(163), value(164), value(173)), ("2", "2", "7", "7"), "{text}");
    }

    #[test]
    fn one_name_is_one_and_wildcards_are_none() {
        for one in ["pid", "calls{of=\"a;b*\"}"] {
            assert!(is_one(one), "{one}");
        }
        for other in ["", "p*", "pi$", "pid;ppid", "pid,ppid", "{of=\"a\"}"] {
            assert!(!is_one(other), "{other}");
        }
    }
}
