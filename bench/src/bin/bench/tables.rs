//! The results as Markdown: a table per group, then what they mean for the goals.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::figures::Figure;

/// The page `tables.md`.
pub fn page(machine: &BTreeMap<String, String>, how: &str, figures: &[Figure]) -> String {
    let mut page = String::from(
        "# Results\n\nMade by `cargo xtask bench`; ratios matter, absolute figures do not carry to other machines.\n\n",
    );
    for (name, value) in machine {
        let _ = writeln!(page, "- {name}: {value}");
    }
    let _ = writeln!(page, "- {how}\n");
    for group in groups(figures) {
        let _ = writeln!(page, "## {}\n\n{}", title(group), table(group, figures));
    }
    page.push_str(&goals(figures));
    page
}

/// Groups in the order in which they were measured.
pub fn groups(figures: &[Figure]) -> Vec<&str> {
    in_order(figures.iter().map(|f| f.group.as_str()))
}

/// Peers or loads without repetition, in order.
pub fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// What a group's figures are, for people.
pub fn title(group: &str) -> &str {
    match group {
        "limits" => "Raw limits of this machine (messages per second)",
        "single" => "One call in flight, each side on its own processor (calls per second)",
        "echo" => "Echo of 100 bytes (calls per second)",
        "sizes" => "One caller, echo of long messages (calls per second)",
        "http" => "HTTP/1.1 JSON echo under wrk (requests per second)",
        "redis" => "Redis under redis-benchmark (requests per second)",
        "neighbours" => "Slow neighbours: p99 of 2000 quick calls per second",
        "idle" => "Memory of idle connections",
        other => other,
    }
}

/// Loads down, peers across: median (least–most), then p50 / p99 and CPU per call at client and server.
fn table(group: &str, figures: &[Figure]) -> String {
    let rows: Vec<&Figure> = figures.iter().filter(|f| f.group == group).collect();
    let peers = in_order(rows.iter().map(|f| f.peer.as_str()));
    let mut text = format!("| load | {} |\n| --- |{}\n", peers.join(" | "), " --- |".repeat(peers.len()));
    for load in in_order(rows.iter().map(|f| f.load.as_str())) {
        let cells: Vec<String> = peers
            .iter()
            .map(|peer| {
                rows.iter().find(|f| f.load == load && f.peer == *peer).map_or_else(String::new, |f| cell(f))
            })
            .collect();
        let _ = writeln!(text, "| {load} | {} |", cells.join(" | "));
    }
    text
}

fn cell(figure: &Figure) -> String {
    let mut text = format!("**{}**", short(figure.median.value));
    if figure.rounds > 1 {
        let _ = write!(text, " ({}–{})", short(figure.least), short(figure.most));
    }
    if let (Some(p50), Some(p99)) = (figure.median.p50_us, figure.median.p99_us) {
        let _ = write!(text, "; {} / {} us", short(p50), short(p99));
    }
    if let (Some(client), Some(server)) = (figure.median.client_cpu_us, figure.median.server_cpu_us) {
        let _ = write!(text, "; cpu {client:.1} + {server:.1} us");
    }
    if figure.median.errors > 0 {
        let _ = write!(text, "; {} errors", figure.median.errors);
    }
    text
}

/// Three digits that matter: 1.23 M, 45.6 k, 789, 9.8.
pub fn short(value: f64) -> String {
    match value {
        v if v >= 999_500.0 => format!("{:.2} M", v / 1e6),
        v if v >= 9_995.0 => format!("{:.1} k", v / 1e3),
        v if v >= 99.5 => format!("{v:.0}"),
        v => format!("{v:.1}"),
    }
}

/// A goal: who, under which load, is to be how many times as fast as whom.
struct Goal {
    what: &'static str,
    ours: (&'static str, &'static str, &'static str),
    theirs: Theirs,
    at_least: f64,
}

enum Theirs {
    /// One figure: group, load, peer.
    One(&'static str, &'static str, &'static str),
    /// The best of all who are not us in the same group and load.
    BestRival,
    /// A fixed figure that ours must stay below; `at_least` is 1.
    AtMost(f64),
}

const FLOOR: Theirs = Theirs::One("limits", "one message in flight", "floor");
const PIPE: Theirs = Theirs::One("limits", "100 messages in flight", "pipe");
const MANY: &str = "100 callers, 100 connections";

const GOALS: &[Goal] = &[
    Goal {
        what: "100 callers on one connection, first step, x pipe",
        ours: ("echo", "100 callers, 1 connection", "polywire"),
        theirs: PIPE,
        at_least: 0.35,
    },
    Goal {
        what: "100 callers on one connection, x pipe",
        ours: ("echo", "100 callers, 1 connection", "polywire"),
        theirs: PIPE,
        at_least: 0.6,
    },
    Goal {
        what: "gRPC, 10 callers on one connection, x tonic",
        ours: ("echo", "10 callers, 1 connection", "polywire, gRPC"),
        theirs: Theirs::One("echo", "10 callers, 1 connection", "tonic"),
        at_least: 4.0,
    },
    Goal {
        what: "gRPC, 100 callers on one connection, x tonic",
        ours: ("echo", "100 callers, 1 connection", "polywire, gRPC"),
        theirs: Theirs::One("echo", "100 callers, 1 connection", "tonic"),
        at_least: 4.0,
    },
    Goal {
        what: "gRPC, 100 callers on one connection, x pipe",
        ours: ("echo", "100 callers, 1 connection", "polywire, gRPC"),
        theirs: PIPE,
        at_least: 0.3,
    },
    Goal {
        what: "100 connections, x raw epoll",
        ours: ("echo", MANY, "polywire"),
        theirs: Theirs::One("echo", MANY, "raw epoll"),
        at_least: 0.85,
    },
    Goal {
        what: "100 connections, x tonic",
        ours: ("echo", MANY, "polywire"),
        theirs: Theirs::One("echo", MANY, "tonic"),
        at_least: 1.7,
    },
    Goal {
        what: "100 connections, x libzmq",
        ours: ("echo", MANY, "polywire"),
        theirs: Theirs::One("echo", MANY, "libzmq"),
        at_least: 1.7,
    },
    Goal {
        what: "1 blocking caller, x floor",
        ours: ("single", "1 caller, pinned", "polywire, blocking"),
        theirs: FLOOR,
        at_least: 0.9,
    },
    Goal {
        what: "1 async caller, x tonic",
        ours: ("single", "1 caller, pinned", "polywire"),
        theirs: Theirs::One("single", "1 caller, pinned", "tonic"),
        at_least: 1.0,
    },
    Goal {
        what: "64 KB, x best rival",
        ours: ("sizes", "64 KB", "polywire, attachment"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "1 MB, x best rival",
        ours: ("sizes", "1 MB", "polywire, attachment"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "10 MB, x best rival",
        ours: ("sizes", "10 MB", "polywire, attachment"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "HTTP JSON under wrk, x axum",
        ours: ("http", "wrk, 100 connections", "polywire"),
        theirs: Theirs::BestRival,
        at_least: 1.5,
    },
    Goal {
        what: "Redis GET, x redis-server",
        ours: ("redis", "GET, -P 1", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "Redis SET, x redis-server",
        ours: ("redis", "SET, -P 1", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "Redis INCR, x redis-server",
        ours: ("redis", "INCR, -P 1", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "Redis LPUSH, x redis-server",
        ours: ("redis", "LPUSH, -P 1", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "Redis GET, 16 deep, x redis-server",
        ours: ("redis", "GET, -P 16", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "Redis SET, 16 deep, x redis-server",
        ours: ("redis", "SET, -P 16", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "Redis INCR, 16 deep, x redis-server",
        ours: ("redis", "INCR, -P 16", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "Redis LPUSH, 16 deep, x redis-server",
        ours: ("redis", "LPUSH, -P 16", "polywire, one shard"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "idle connection, bytes",
        ours: ("idle", "bytes per silent connection", "polywire"),
        theirs: Theirs::AtMost(4096.0),
        at_least: 1.0,
    },
];

/// Goals whose figures were measured; below 1.5 x for slow neighbours, where less is better.
fn goals(figures: &[Figure]) -> String {
    let find = |(group, load, peer): (&str, &str, &str)| {
        figures.iter().find(|f| f.group == group && f.load == load && f.peer == peer).map(|f| f.median.value)
    };
    let mut rows = String::new();
    let mut row = |what: &str, found: String, goal: String, met: bool| {
        let _ = writeln!(rows, "| {what} | {found} | {goal} | {} |", if met { "yes" } else { "**no**" });
    };
    for goal in GOALS {
        let Some(ours) = find(goal.ours) else { continue };
        let theirs = match goal.theirs {
            Theirs::One(group, load, peer) => find((group, load, peer)),
            Theirs::BestRival => {
                let rivals = figures.iter().filter(|f| f.group == goal.ours.0 && f.load == goal.ours.1);
                rivals
                    .filter(|f| !f.peer.starts_with("polywire"))
                    .map(|f| f.median.value)
                    .max_by(f64::total_cmp)
            }
            Theirs::AtMost(most) => {
                row(goal.what, short(ours), format!("<= {most}"), ours <= most);
                None
            }
        };
        if let Some(theirs) = theirs {
            row(
                goal.what,
                format!("{:.2}", ours / theirs),
                format!(">= {}", goal.at_least),
                ours / theirs >= goal.at_least,
            );
        }
    }
    if let Some(alone) = find(("neighbours", "p99 of quick calls alone (us)", "polywire")) {
        for load in [
            "beside computing calls (us)",
            "beside computing calls at idle priority (us)",
            "beside sleeping calls (us)",
        ] {
            if let Some(beside) = find(("neighbours", load, "polywire")) {
                row(
                    &format!("p99 {load}, x alone"),
                    format!("{:.2}", beside / alone),
                    "<= 1.5".into(),
                    beside / alone <= 1.5,
                );
            }
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    format!("## Goals\n\n| goal | found | wanted | met |\n| --- | --- | --- | --- |\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Sample;

    fn figure(group: &str, load: &str, peer: &str, value: f64) -> Figure {
        let (group, load, peer) = (group.into(), load.into(), peer.into());
        Figure { group, load, peer, median: Sample::of(value), least: value, most: value, rounds: 1 }
    }

    #[test]
    fn figures_are_shortened_to_three_digits() {
        assert_eq!([1_234_567.0, 45_678.0, 789.4, 9.87].map(short), ["1.23 M", "45.7 k", "789", "9.9"]);
    }

    #[test]
    fn a_goal_compares_ours_with_the_best_rival_only() {
        let figures = [
            figure("sizes", "1 MB", "polywire, attachment", 900.0),
            figure("sizes", "1 MB", "polywire", 5000.0),
            figure("sizes", "1 MB", "tonic", 400.0),
            figure("sizes", "1 MB", "libzmq", 1000.0),
        ];
        assert!(goals(&figures).contains("| 1 MB, x best rival | 0.90 | >= 1 | **no** |"));
    }

    #[test]
    fn a_goal_without_its_figures_is_left_out() {
        assert_eq!(goals(&[figure("echo", "1 caller", "polywire", 1.0)]), "");
    }
}
