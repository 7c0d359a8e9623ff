//! Compares the figures with the goals: who has to be how many times as fast as whom, under which load.

use std::fmt::Write;

use crate::figures::{Figure, Sample};
use crate::gateway::{
    self,
    goals::{Found, Wanted},
};
use crate::tables::short;
use crate::zmq;

/// One of them.
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
    /// The best of these in the same group and load.
    BestOf(&'static [&'static str]),
    /// A fixed figure that ours must stay below; `at_least` is 1.
    AtMost(f64),
}

const FLOOR: Theirs = Theirs::One("limits", "one message in flight", "floor");
const PIPE: Theirs = Theirs::One("limits", "100 messages in flight", "pipe");
const MANY: &str = "100 callers, 100 connections";
const GRPC: &str = "polywire, gRPC";
const GRPC_RIVALS: &[&str] = &["tonic", "grpc C++", "grpc-go"];
const TEN: &str = "10 callers, 1 connection";
const HUNDRED: &str = "100 callers, 1 connection";

const GOALS: &[Goal] = &[
    Goal {
        what: "100 callers on one connection, first step, x pipe",
        ours: ("echo", "100 callers, 1 connection", "polywire, shard"),
        theirs: PIPE,
        at_least: 0.35,
    },
    Goal {
        what: "100 callers on one connection, x pipe",
        ours: ("echo", "100 callers, 1 connection", "polywire, shard"),
        theirs: PIPE,
        at_least: 0.6,
    },
    Goal {
        what: "100 callers on one connection, a multi-thread runtime, x a shard",
        ours: ("echo", HUNDRED, "polywire"),
        theirs: Theirs::One("echo", HUNDRED, "polywire, shard"),
        at_least: 0.5,
    },
    Goal {
        what: "gRPC, 100 callers on one connection, a multi-thread runtime, x a shard",
        ours: ("echo", HUNDRED, GRPC),
        theirs: Theirs::One("echo", HUNDRED, "polywire, gRPC, shard"),
        at_least: 0.5,
    },
    Goal {
        what: "10 callers, a multi-thread runtime, x one thread",
        ours: ("echo", TEN, "polywire"),
        theirs: Theirs::One("echo", TEN, "polywire, one thread"),
        at_least: 1.0,
    },
    Goal {
        what: "1 caller, a multi-thread runtime, x one thread",
        ours: ("echo", "1 caller", "polywire"),
        theirs: Theirs::One("echo", "1 caller", "polywire, one thread"),
        at_least: 1.0,
    },
    Goal {
        what: "1 caller, x tonic",
        ours: ("echo", "1 caller", "polywire"),
        theirs: Theirs::One("echo", "1 caller", "tonic"),
        at_least: 1.2,
    },
    Goal {
        what: "gRPC, 10 callers on one connection, x tonic",
        ours: ("grpc", TEN, GRPC),
        theirs: Theirs::One("grpc", TEN, "tonic"),
        at_least: 4.0,
    },
    Goal {
        what: "gRPC, 10 callers on one connection, x grpc C++",
        ours: ("grpc", TEN, GRPC),
        theirs: Theirs::One("grpc", TEN, "grpc C++"),
        at_least: 8.0,
    },
    Goal {
        what: "gRPC, 100 callers on one connection, x tonic",
        ours: ("grpc", HUNDRED, GRPC),
        theirs: Theirs::One("grpc", HUNDRED, "tonic"),
        at_least: 4.0,
    },
    Goal {
        what: "gRPC, 100 callers on one connection, x grpc C++",
        ours: ("grpc", HUNDRED, GRPC),
        theirs: Theirs::One("grpc", HUNDRED, "grpc C++"),
        at_least: 8.0,
    },
    Goal {
        what: "gRPC, 100 callers on one connection, x pipe",
        ours: ("grpc", HUNDRED, "polywire, gRPC, shard"),
        theirs: PIPE,
        at_least: 0.3,
    },
    Goal {
        what: "gRPC, 1 MB, x best of the others",
        ours: ("sizes", "1 MB", GRPC),
        theirs: Theirs::BestOf(GRPC_RIVALS),
        at_least: 1.0,
    },
    Goal {
        what: "gRPC, 10 MB, x best of the others",
        ours: ("sizes", "10 MB", GRPC),
        theirs: Theirs::BestOf(GRPC_RIVALS),
        at_least: 1.0,
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
        what: "64 KB in the message, x best rival",
        ours: ("sizes", "64 KB", "polywire"),
        theirs: Theirs::BestRival,
        at_least: 2.0,
    },
    Goal {
        what: "64 KB, x best rival",
        ours: ("sizes", "64 KB", "polywire, attachment"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "1 MB in the message, x best rival",
        ours: ("sizes", "1 MB", "polywire"),
        theirs: Theirs::BestRival,
        at_least: 2.0,
    },
    Goal {
        what: "1 MB, x best rival",
        ours: ("sizes", "1 MB", "polywire, attachment"),
        theirs: Theirs::BestRival,
        at_least: 1.0,
    },
    Goal {
        what: "10 MB in the message, x best rival",
        ours: ("sizes", "10 MB", "polywire"),
        theirs: Theirs::BestRival,
        at_least: 2.0,
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
        theirs: Theirs::One("http", "wrk, 100 connections", "axum"),
        at_least: 1.5,
    },
    Goal {
        what: "Thrift, 100 callers on one connection, x volo",
        ours: ("thrift", HUNDRED, "polywire, Thrift"),
        theirs: Theirs::BestOf(&["volo", "volo, multiplex"]),
        at_least: 4.0,
    },
    Goal {
        what: "Thrift, 10 callers on one connection, x volo",
        ours: ("thrift", TEN, "polywire, Thrift"),
        theirs: Theirs::BestOf(&["volo", "volo, multiplex"]),
        at_least: 4.0,
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

/// A goal for one side alone: its CPU per call at most half of tonic's, with tonic on the other side both
/// times.
struct CpuGoal {
    what: &'static str,
    /// The peer of the group `grpc` under its heaviest load.
    ours: &'static str,
    of: fn(&Sample) -> Option<f64>,
}

const CPU_GOALS: &[CpuGoal] = &[
    CpuGoal {
        what: "gRPC server under tonic's client, CPU per call, x tonic's",
        ours: "tonic -> polywire, gRPC",
        of: |sample| sample.server_cpu_us,
    },
    CpuGoal {
        what: "gRPC client against tonic's server, CPU per call, x tonic's",
        ours: "polywire, gRPC -> tonic",
        of: |sample| sample.client_cpu_us,
    },
];

/// Goals whose figures were measured; for CPU and slow neighbours less is better.
pub fn table(figures: &[Figure]) -> String {
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
            Theirs::BestRival => best(figures, goal, |peer| !peer.starts_with("polywire")),
            Theirs::BestOf(rivals) => best(figures, goal, |peer| rivals.contains(&peer)),
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
    for goal in CPU_GOALS {
        let cpu = |peer: &str| {
            let figure = figures.iter().find(|f| f.group == "grpc" && f.load == HUNDRED && f.peer == peer)?;
            (goal.of)(&figure.median).filter(|us| *us > 0.0)
        };
        if let (Some(ours), Some(theirs)) = (cpu(goal.ours), cpu("tonic")) {
            let ratio = ours / theirs;
            row(goal.what, format!("{ratio:.2}"), "<= 0.5".into(), ratio <= 0.5);
        }
    }
    for figure in figures.iter().filter(|f| f.group.starts_with("zmq") && f.peer == zmq::PAIRINGS[1]) {
        let (group, load, theirs) = (&figure.group, &figure.load, figure.median.value);
        let [ours, _, mixed @ ..] = zmq::PAIRINGS.map(|pairing| find((group, load, pairing)));
        let least = mixed.into_iter().flatten().min_by(f64::total_cmp);
        for (who, value) in [("ours", ours), ("the slower mixed pair", least)] {
            if let Some(ratio) = value.map(|value| value / theirs) {
                let what = format!("{group}, {load}: {who}, x libzmq");
                row(&what, format!("{ratio:.2}"), ">= 1".into(), ratio >= 1.0);
            }
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
    for Found { what, found, wanted } in gateway::goals::found(figures) {
        let goal = match wanted {
            Wanted::AtLeast(least) => format!(">= {least}"),
            Wanted::AtMost(most) => format!("<= {most}"),
        };
        let shown = if found < 10.0 { format!("{found:.2}") } else { short(found) };
        row(&what, shown, goal, wanted.is_met(found));
    }
    if rows.is_empty() {
        return String::new();
    }
    format!("## Goals\n\n| goal | found | wanted | met |\n| --- | --- | --- | --- |\n{rows}")
}

/// The most of those who are counted, under the goal's load.
fn best(figures: &[Figure], goal: &Goal, counts: impl Fn(&str) -> bool) -> Option<f64> {
    let (group, load, _) = goal.ours;
    let rivals = figures.iter().filter(|f| f.group == group && f.load == load && counts(&f.peer));
    rivals.map(|f| f.median.value).max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(group: &str, load: &str, peer: &str, value: f64) -> Figure {
        let (group, load, peer) = (group.into(), load.into(), peer.into());
        Figure {
            group,
            load,
            peer,
            median: Sample::of(value),
            least: value,
            most: value,
            rounds: 1,
            samples: Vec::new(),
        }
    }

    #[test]
    fn a_goal_compares_ours_with_the_best_rival_only() {
        let figures = [
            figure("sizes", "1 MB", "polywire, attachment", 900.0),
            figure("sizes", "1 MB", "polywire", 5000.0),
            figure("sizes", "1 MB", "tonic", 400.0),
            figure("sizes", "1 MB", "libzmq", 1000.0),
        ];
        assert!(table(&figures).contains("| 1 MB, x best rival | 0.90 | >= 1 | **no** |"));
    }

    #[test]
    fn a_goal_without_its_figures_is_left_out() {
        assert_eq!(table(&[figure("echo", "1 caller", "polywire", 1.0)]), "");
    }

    #[test]
    fn the_cpu_of_one_side_is_compared_with_tonics() {
        let cpu = |peer: &str, server_cpu_us| Figure {
            median: Sample { server_cpu_us: Some(server_cpu_us), ..Sample::default() },
            ..figure("grpc", HUNDRED, peer, 1.0)
        };
        let found = table(&[cpu("tonic", 20.0), cpu("tonic -> polywire, gRPC", 12.0)]);
        assert!(found.contains("CPU per call, x tonic's | 0.60 | <= 0.5 | **no** |"));
    }

    #[test]
    fn of_zeromq_s_mixed_pairs_the_slower_counts() {
        let values = [150.0, 100.0, 90.0, 120.0];
        let figures: Vec<_> = std::iter::zip(zmq::PAIRINGS, values)
            .map(|(pairing, value)| figure("zmq-push", "10 B, 1 peer", pairing, value))
            .collect();
        let found = table(&figures);
        assert!(found.contains("ours, x libzmq | 1.50 | >= 1 | yes |"));
        assert!(found.contains("the slower mixed pair, x libzmq | 0.90 | >= 1 | **no** |"));
    }

    #[test]
    fn the_best_of_some_leaves_out_the_others() {
        let figures = [("polywire, gRPC", 900.0), ("libzmq", 5000.0), ("tonic", 300.0), ("grpc C++", 600.0)]
            .map(|(peer, value)| figure("sizes", "1 MB", peer, value));
        assert!(table(&figures).contains("| gRPC, 1 MB, x best of the others | 1.50 | >= 1 | yes |"));
    }
}
