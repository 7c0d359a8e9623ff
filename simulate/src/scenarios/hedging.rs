//! Hedging: some answers are late, or all servers are slow.

use super::{Findings, Options, Scenario};
use crate::{
    draw::Distribution,
    retry::Hedge,
    setup::{Balancer, Change, Setup},
    table::{Cell, Table},
};
use std::time::Duration;

pub const SCENARIO: Scenario = Scenario {
    name: "hedging",
    about: "one answer in a hundred is late, then all servers are slow: hedging",
    run,
};

const HEDGES: [(&str, Hedge); 4] = [
    ("none", Hedge::Never),
    ("after 10 ms", Hedge::Fixed(Duration::from_millis(10))),
    ("after 30 ms", Hedge::Fixed(Duration::from_millis(30))),
    ("tunes itself", Hedge::SelfTuned),
];

fn setup(hedge: Hedge, slow: bool) -> Setup {
    let mut setup = Setup::new(20, 20, Balancer::new("p2c"));
    setup.hedge = hedge;
    // 5 ms, give or take.
    setup.work = Distribution::Normal { mean: 0.005, deviation: 0.001 };
    setup.stall = Some((0.01, 0.1));
    setup.warm_up = Duration::from_secs(15);
    setup.length = Duration::from_secs(45);
    if slow {
        let slow_down = |server| (setup.warm_up, Change::Speed { server, speed: 0.45 });
        setup.changes = (0..setup.servers.len()).map(slow_down).collect();
    }
    let rate = 0.4 * setup.capacity(0.005);
    setup.constant_load(rate)
}

fn run(options: &Options) -> Findings {
    let setups = [false, true].map(|slow| HEDGES.map(|(_, hedge)| setup(hedge, slow)));
    let results = options.each(setups.into_iter().flatten().collect(), |setup, measured| {
        (setup.deadline, measured.summary(setup.deadline))
    });
    let mut table = Table::new(
        "hedging",
        [
            "servers",
            "hedges",
            "p50 (ms)",
            "p99 (ms)",
            "p99.9 (ms)",
            "more requests (%)",
            "calls that fail (‰)",
        ],
    );
    let rows = ["1 % of the answers are 100 ms late", "and all are 2.2 times slower"];
    let rows = rows.into_iter().flat_map(|servers| HEDGES.map(|(hedge, _)| (servers, hedge)));
    for ((servers, hedge), (deadline, it)) in rows.zip(results) {
        let mut row = vec![servers.into(), hedge.into()];
        row.extend([it.p50, it.p99, it.p999].map(|ms| Cell::ms(ms, deadline)));
        row.push(Cell::Number(100.0 * (it.tries_per_call - 1.0), 2));
        row.push(Cell::Number(it.failed, 2));
        table.row(row);
    }
    Findings { tables: vec![table], charts: Vec::new() }
}
