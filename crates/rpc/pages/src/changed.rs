//! What has changed: figures of the last ten minutes against the hour before, options, and the start of the
//! process.
//!
//! Figures are means of minutes, which the server keeps for all variables. A figure has changed by half or
//! more, and by more than is noise for its kind; what changed most is first.
//!
//! Source: docs/console.md, "What has changed, and who sends".

use crate::facts::ServerFacts;
use polywire_base::Sort;
use polywire_console::{Column, Mark, Table, Value};
use polywire_server::facts::LiveServer;
use std::time::{Duration, SystemTime};

/// Minutes that count as now.
const NOW: usize = 10;
/// Minutes before them from which something is known.
const LEAST_BEFORE: usize = 5;
/// A figure has changed by this factor or more.
const FACTOR: f64 = 1.5;
/// Figures that are shown.
const MOST: usize = 8;
/// Methods of which figures are compared, those with most calls; each takes three trends.
const MOST_METHODS: usize = 50;
/// Options and starts of this time are shown.
const LATELY: Duration = Duration::from_secs(3600);

/// A figure that has changed.
#[derive(Debug, PartialEq)]
struct Change {
    was: f64,
    is: f64,
    minutes: usize,
}

impl Change {
    /// What has changed in these minutes, the oldest first; of a figure that is noise below `least`. Minutes
    /// before the first that is not 0 are not known.
    fn of(minutes: &[f64], least: f64) -> Option<Change> {
        let known = minutes.iter().position(|minute| *minute != 0.0)?;
        let minutes = &minutes[known..];
        let (before, now) = minutes.split_at_checked(minutes.len().checked_sub(NOW)?)?;
        if before.len() < LEAST_BEFORE {
            return None;
        }
        let mean = |minutes: &[f64]| minutes.iter().sum::<f64>() / minutes.len() as f64;
        let (was, is) = (mean(before), mean(now));
        let (small, large) = (was.min(is), was.max(is));
        if large - small < least || large < small * FACTOR {
            return None;
        }
        // Since the first minute from which all are nearer to what is.
        let is_new = |minute: &&f64| (**minute - is).abs() <= (**minute - was).abs();
        let minutes = minutes.iter().rev().take_while(is_new).count();
        Some(Change { was, is, minutes })
    }

    /// The factor, upwards or downwards; what was 0 has changed most.
    fn size(&self) -> f64 {
        let (small, large) = (self.was.min(self.is), self.was.max(self.is));
        large / small.max(1e-9)
    }
}

/// The kinds of figures: how they are called, the end of the variable's name, from where they are no noise,
/// and their form.
type Kind = (&'static str, &'static str, f64, fn(f64) -> Value);
const OF_METHODS: [Kind; 2] = [
    ("calls", "_qps", 1.0, Value::PerSecond),
    ("p99", "_latency_99", 1000.0, |us| Value::from(Duration::from_micros(us as u64))),
];
const OF_PROCESS: [Kind; 3] = [
    ("cpu", "process_cpu_usage", 0.1, Value::Number),
    ("memory", "process_memory_resident", (16 << 20) as f64, |bytes| Value::Bytes(bytes as u64)),
    ("threads", "process_thread_count", 4.0, |count| Value::Count(count as u64)),
];

pub(crate) fn table(facts: &ServerFacts, server: &dyn LiveServer) -> Table {
    let columns = [
        Column::new("what"),
        Column::new("figure"),
        Column::new("was").hint("the mean of the hour before"),
        Column::new("is").hint("the mean of the last ten minutes"),
        Column::new("since"),
        Column::new("by").hint("who has changed the option").wide(),
    ];
    let empty = "Nothing has changed in the last ten minutes against the hour before.";
    let mut table = Table::new("changed", columns).empty(empty);
    let up = facts.since.elapsed();
    if up < LATELY {
        let cells = [
            "process".into(),
            "started".into(),
            Value::Blank,
            facts.version.clone().into(),
            Value::Seconds(up.as_secs_f64()),
            Value::Blank,
        ];
        table.push("process started".to_owned(), Mark::Fine, cells);
    }
    for (name, was, is, ago, by) in options(facts) {
        let cells =
            [name.clone().into(), "flag".into(), was.into(), is.into(), Value::Seconds(ago), by.into()];
        table.push(format!("flag {name}"), Mark::Fine, cells);
    }
    let mut figures = figures(facts, server);
    table.total = Some(table.rows.len() + figures.len());
    figures.truncate(MOST);
    for (what, (figure, _, _, form), change) in figures {
        let since = Value::Seconds(change.minutes as f64 * 60.0);
        let key = format!("{what} {figure}");
        let cells = [what.into(), figure.into(), form(change.was), form(change.is), since, Value::Blank];
        table.push(key, Mark::Fine, cells);
    }
    table
}

/// Options that were changed lately and are not what they were, the latest first: name, what it was, what it
/// is, seconds, who.
fn options(facts: &ServerFacts) -> Vec<(String, String, String, f64, String)> {
    let changes = facts.flags.as_ref().map_or_else(Vec::new, |flags| flags.changes());
    let now = SystemTime::now();
    let mut options: Vec<(String, String, String, f64, String)> = Vec::new();
    for change in changes.into_iter().rev() {
        let ago = now.duration_since(change.at).unwrap_or_default();
        if ago > LATELY {
            break;
        }
        match options.iter_mut().find(|(name, ..)| *name == change.name) {
            Some((_, was, ..)) => *was = change.old,
            None => {
                let by = format!("{} from {}", change.origin.who, change.origin.from);
                options.push((change.name, change.old, change.new, ago.as_secs_f64(), by));
            }
        }
    }
    options.retain(|(_, was, is, ..)| was != is);
    options.truncate(MOST);
    options
}

/// Figures that have changed, those first that have most.
fn figures(facts: &ServerFacts, server: &dyn LiveServer) -> Vec<(String, Kind, Change)> {
    let registry = facts.stats.shown();
    let change = |variable: &str, least: f64| {
        let minutes: Vec<f64> = registry.trend(variable)?.minutes().collect();
        Change::of(&minutes, least)
    };
    let methods = server.methods().iter().zip(&facts.stats.methods);
    let own = methods.filter(|(method, _)| !method.standard && !method.is_page());
    let mut called: Vec<_> = own
        .map(|(method, stats)| (stats.latency.count(), method, stats))
        .filter(|(count, ..)| *count > 0)
        .collect();
    called.order_by_key(|(count, ..)| std::cmp::Reverse(*count));
    let mut figures = Vec::new();
    for (_, method, stats) in called.into_iter().take(MOST_METHODS) {
        let Some(variable) = stats.name.get() else { continue };
        for kind in OF_METHODS {
            if let Some(change) = change(&format!("{variable}{}", kind.1), kind.2) {
                figures.push((format!("{}/{}", method.service, method.method.name()), kind, change));
            }
        }
    }
    for kind in OF_PROCESS {
        figures.extend(change(kind.1, kind.2).map(|change| ("process".to_owned(), kind, change)));
    }
    figures.order_by(|one, other| other.2.size().total_cmp(&one.2.size()));
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_changed_by_half_and_by_more_than_noise() {
        let of = |before: f64, now: f64, least: f64| {
            let minutes = [vec![0.0; 10], vec![before; 40], vec![now; 10]].concat();
            Change::of(&minutes, least).map(|change| (change.was, change.is, change.minutes))
        };
        assert_eq!(of(100.0, 150.0, 1.0), Some((100.0, 150.0, 10)));
        assert_eq!(of(100.0, 149.0, 1.0), None);
        assert_eq!(of(150.0, 100.0, 1.0), Some((150.0, 100.0, 10)));
        assert_eq!(of(1.0, 3.0, 5.0), None, "noise");
        assert_eq!(of(7.0, 0.0, 5.0), Some((7.0, 0.0, 10)), "it has ended");
    }

    #[test]
    fn it_is_said_since_when() {
        let minutes = [vec![10.0; 40], vec![40.0; 20]].concat();
        let change = Change::of(&minutes, 1.0).expect("it has changed");
        assert_eq!((change.is, change.minutes), (40.0, 20), "longer than the last ten minutes");
        let minutes = [vec![10.0; 55], vec![90.0; 5]].concat();
        assert_eq!(Change::of(&minutes, 1.0).expect("it has changed").minutes, 5);
    }

    #[test]
    fn a_young_figure_has_not_changed() {
        for known in 0..NOW + LEAST_BEFORE {
            let minutes = [vec![0.0; 60 - known], (0..known).map(|n| n as f64 + 1.0).collect()].concat();
            assert_eq!(Change::of(&minutes, 0.1), None, "{known} minutes");
        }
    }
}
