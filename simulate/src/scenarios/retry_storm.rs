//! Retries during and after a burst: when load stays although its cause is over.

use super::{Findings, Options, Scenario};
use crate::{
    chart::{Axis, Chart, Line, Scale},
    measure::CallEnd,
    retry::{Retry, Wait},
    setup::{Balancer, Setup},
    table::{Cell, Table},
};
use std::time::Duration;

pub const SCENARIO: Scenario =
    Scenario { name: "retry_storm", about: "three seconds of too much load, with rules for retries", run };

const WAIT: Wait = Wait::Jitter { first: Duration::from_millis(25), most: Duration::from_millis(250) };
const RULES: [(&str, Retry); 5] = [
    ("none", Retry::Never),
    ("3 tries at once", Retry::Always { tries: 3, wait: Wait::None }),
    ("3 tries, back-off with jitter", Retry::Always { tries: 3, wait: WAIT }),
    (
        "budget: 20 % and 10/s per client",
        Retry::Budget { tries: 3, wait: WAIT, percent: 20, least_per_second: 10 },
    ),
    ("budget: 20 %", Retry::Budget { tries: 3, wait: WAIT, percent: 20, least_per_second: 0 }),
];
const BURST: [u64; 2] = [10, 13];
const STEP: Duration = Duration::from_millis(500);

fn setup(retry: Retry, cancels: bool) -> Setup {
    let mut setup = Setup::new(20, 100, Balancer::new("p2c"));
    setup.retry = retry;
    setup.cancels = cancels;
    setup.try_timeout = Some(Duration::from_millis(200));
    setup.deadline = Duration::from_millis(600);
    let capacity = setup.capacity(0.010);
    let [begin, end] = BURST.map(Duration::from_secs);
    setup.load = vec![(Duration::ZERO, 0.7 * capacity), (begin, 1.5 * capacity), (end, 0.7 * capacity)];
    setup.length = Duration::from_secs(35);
    setup
}

/// Percent.
fn answered(calls: &[&CallEnd]) -> f64 {
    100.0 * calls.iter().filter(|call| call.answered).count() as f64 / calls.len().max(1) as f64
}

fn run(options: &Options) -> Findings {
    let setups = [true, false].map(|cancels| RULES.map(|(_, retry)| setup(retry, cancels)));
    let results = options.each(setups.into_iter().flatten().collect(), |setup, measured| {
        let [begin, end] = [setup.load[1].0, setup.load[2].0];
        let share = |from, to| answered(&measured.between(from, to).collect::<Vec<_>>());
        let shares = [
            share(begin, end),
            share(end, end + 2 * (end - begin)),
            share(setup.length - (end - begin), setup.length),
        ];
        (
            shares,
            measured.summary(setup.deadline).tries_per_call,
            measured.over_time(STEP, setup.length, answered),
        )
    });
    let mut table = Table::new(
        "retry_storm",
        [
            "a call that is given up",
            "retries",
            "answered in the burst (%)",
            "in the 6 s after it (%)",
            "20 s after it (%)",
            "tries per call",
        ],
    );
    let kinds = ["is cancelled at the server", "is worked on to its end"];
    let rows = kinds.into_iter().flat_map(|kind| RULES.map(|(rule, _)| (kind, rule)));
    let mut lines = Vec::new();
    for ((kind, rule), (shares, tries, points)) in rows.zip(results) {
        let mut row = vec![kind.into(), rule.into()];
        row.extend(shares.map(|share| Cell::Number(share, 1)));
        row.push(Cell::Number(tries, 2));
        table.row(row);
        if kind == kinds[1] {
            lines.push(Line { name: rule.replace(" per client", ""), points });
        }
    }
    let title = "Calls that are answered, where servers work on calls that were given up";
    let x = Axis::new("time (s)", Scale::Linear);
    let mut chart = Chart::new("retry_storm", title, x, Axis::new("answered (%)", Scale::FromZero), lines);
    if !options.quick {
        chart.marks = vec![(BURST[0] as f64, "burst".into()), (BURST[1] as f64, "over".into())];
    }
    Findings { tables: vec![table], charts: vec![chart] }
}
