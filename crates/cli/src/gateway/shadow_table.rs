//! What the page `/gateway` shows of copies of calls, and what of it needs somebody.

use crate::terminal;
use polywire::{
    console::{Column, Finding, Link, Mark, Table, Value},
    gateway::ShadowFigures,
};
use std::time::{Duration, Instant};

/// What its finding is called.
pub const DIFFERS: &str = "gateway_shadow";

/// Places that are shown of a shadow.
const PLACES: usize = 10;
/// Rows of each table, and findings.
const ROWS: usize = 100;
const FOUND: usize = 8;
/// How long a difference is news.
const LATELY: Duration = Duration::from_secs(600);

/// What has become of copies, a row for each shadow.
pub fn shadows(all: &[ShadowFigures], now: Instant) -> Table {
    let columns = [
        Column::new("route"),
        Column::new("to"),
        Column::new("sent").hint("copies; polywire_gateway_shadow_total"),
        Column::new("dropped").hint("100 were under way, or 64 MiB were held"),
        Column::new("skipped").hint("no form there, or no two answers to compare"),
        Column::new("same"),
        Column::new("different"),
        Column::new("noise").hint("differ only where the baseline does, too"),
        Column::new("failed").hint("the shadow has not answered"),
        Column::new("where").hint("the places that differ most, with counts").wide(),
    ];
    let mut table = Table::new("shadows", columns).empty("No route has a shadow.");
    table.total = Some(all.len());
    for one in all.iter().take(ROWS) {
        let mark = if is_news(one, now) { Mark::Warn } else { Mark::Fine };
        let cells = [
            one.route.to_string().into(),
            one.to.to_string().into(),
            one.sent.into(),
            one.dropped.into(),
            one.skipped.into(),
            one.same.into(),
            one.different.into(),
            one.noise.into(),
            one.failed.into(),
            places(one).map_or(Value::Blank, Value::from),
        ];
        table.push(format!("{} {}", one.route, one.to), mark, cells);
    }
    table
}

/// The places that differ, one row for each; with values only if they are shown at all.
pub fn differences(all: &[ShadowFigures]) -> Option<Table> {
    let columns = [
        Column::new("route"),
        Column::new("to"),
        Column::new("place"),
        Column::new("different"),
        Column::new("noise").hint("answers of the baseline that differ there"),
        Column::new("call").hint("the last value that a caller got, if show_values is set"),
        Column::new("shadow").hint("the last value of the shadow"),
    ];
    let mut table = Table::new("differences", columns);
    let rows = all.iter().flat_map(|one| one.places.iter().take(PLACES).map(move |place| (one, place)));
    for (one, place) in rows.take(ROWS) {
        let [call, shadow] = match &place.example {
            Some(values) => values.each_ref().map(|value| terminal::line(value).into_owned().into()),
            None => [Value::Blank, Value::Blank],
        };
        let mark = if place.stands_out { Mark::Warn } else { Mark::Fine };
        let name = terminal::line(&place.place).into_owned();
        let key = format!("{} {} {name}", one.route, one.to);
        let cells = [
            one.route.to_string().into(),
            one.to.to_string().into(),
            name.into(),
            place.different.into(),
            place.noise.into(),
            call,
            shadow,
        ];
        table.push(key, mark, cells);
    }
    (!table.rows.is_empty()).then_some(table)
}

pub fn findings(all: &[ShadowFigures], now: Instant) -> Vec<Finding> {
    let news = all.iter().filter(|one| is_news(one, now)).take(FOUND);
    let finding = |one: &ShadowFigures| {
        let compared = one.same + one.different + one.noise;
        let places = places(one).unwrap_or_default();
        let text = format!(
            "{} of {compared} answers of {}, the shadow of route {}, differ from those that callers got: {places}",
            one.different, one.to, one.route
        );
        let links = vec![Link { text: "shadows".into(), to: "gateway".to_owned() }];
        Finding { rule: DIFFERS, mark: Mark::Warn, text, links }
    };
    news.map(finding).collect()
}

fn is_news(one: &ShadowFigures, now: Instant) -> bool {
    one.last_different.is_some_and(|last| now.saturating_duration_since(last) < LATELY)
        && one.places.iter().any(|place| place.stands_out)
}

/// The places where answers differ more than noise does, the busiest first.
fn places(one: &ShadowFigures) -> Option<String> {
    let busy = one.places.iter().filter(|place| place.stands_out).take(3);
    let text: Vec<_> =
        busy.map(|place| format!("{} {}", terminal::line(&place.place), place.different)).collect();
    (!text.is_empty()).then(|| text.join(", "))
}
