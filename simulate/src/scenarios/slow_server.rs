//! One server of ten is ten times slower than the others.

use super::{Findings, Options, Scenario};
use crate::{
    setup::{Balancer, Setup},
    table::{Cell, Table},
};
use std::time::Duration;

pub const SCENARIO: Scenario =
    Scenario { name: "slow_server", about: "one server of ten is ten times slower than the others", run };

const BALANCERS: [&str; 7] =
    ["rr", "random", "weighted_round_robin", "la", "least_request", "p2c", "prequal"];
const SLOW: usize = 4;

fn setups() -> Vec<Setup> {
    let one = |balancer: Balancer, is_slow: bool| {
        let mut setup = Setup::new(10, 20, balancer);
        if is_slow {
            setup.servers[SLOW].speed = 0.1;
        }
        // Reports of servers count after 10 s.
        setup.warm_up = Duration::from_secs(15);
        setup.length = Duration::from_secs(45);
        let rate = 0.5 * setup.capacity(0.010);
        setup.constant_load(rate)
    };
    let each = BALANCERS.map(Balancer::new).into_iter();
    each.flat_map(|balancer| [false, true].map(|is_slow| one(balancer.clone(), is_slow))).collect()
}

fn run(options: &Options) -> Findings {
    let results = options.each(setups(), |setup, measured| {
        (setup.balancer.name, setup.deadline, measured.summary(setup.deadline), measured.share(SLOW))
    });
    let mut table = Table::new(
        "slow_server",
        [
            "balancer",
            "all equal: p99 (ms)",
            "all equal: p99.9 (ms)",
            "one slow: p50 (ms)",
            "one slow: p99 (ms)",
            "one slow: p99.9 (ms)",
            "calls to the slow one (%)",
        ],
    );
    for pair in results.chunks(2) {
        let [(name, deadline, equal, _), (_, _, slow, share)] = pair else { continue };
        let ms = |value| Cell::ms(value, *deadline);
        table.row(vec![
            (*name).into(),
            ms(equal.p99),
            ms(equal.p999),
            ms(slow.p50),
            ms(slow.p99),
            ms(slow.p999),
            Cell::Number(100.0 * share, 1),
        ]);
    }
    Findings { tables: vec![table], charts: Vec::new() }
}
