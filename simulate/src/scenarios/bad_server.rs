//! One server of twenty fails its calls at once, or answers none.

use super::{Findings, Options, Scenario};
use crate::{
    retry::{Retry, Wait},
    setup::{Balancer, Change, Health, Setup},
    table::{Cell, Table},
};
use polywire_balance::{BreakerSettings, Outliers, SuccessRate};
use std::time::Duration;

pub const SCENARIO: Scenario =
    Scenario { name: "bad_server", about: "one server of twenty fails at once, or answers nothing", run };

const BAD: usize = 7;
/// So few that each sees calls enough to judge a server: outlier detection wants 100 in 10 s, the breaker
/// counts 1500.
const CLIENTS: usize = 4;
const FAULTS: [(&str, Health); 3] = [
    ("fails half of its calls at once", Health::FailsFast(0.5)),
    ("fails all of its calls at once", Health::FailsFast(1.0)),
    ("answers nothing", Health::Silent),
];

fn balancers() -> Vec<Balancer> {
    let mut all: Vec<Balancer> = ["rr", "la", "least_request", "p2c", "prequal"].map(Balancer::new).into();
    let mut outliers = Outliers::default();
    outliers.success_rate = Some(SuccessRate::default());
    for (spec, with_outliers, with_breaker) in [
        ("rr", "rr, outlier detection", "rr, circuit breaker"),
        ("least_request", "least_request, outlier detection", "least_request, circuit breaker"),
        ("p2c", "p2c, outlier detection", "p2c, circuit breaker"),
        ("prequal", "prequal, outlier detection", "prequal, circuit breaker"),
    ] {
        all.push(Balancer { name: with_outliers, outliers: Some(outliers.clone()), ..Balancer::new(spec) });
        let breaker = Some(BreakerSettings::default());
        all.push(Balancer { name: with_breaker, breaker, ..Balancer::new(spec) });
    }
    all
}

fn setup(balancer: &Balancer, health: Health) -> Setup {
    let mut setup = Setup::new(20, CLIENTS, balancer.clone());
    setup.warm_up = Duration::from_secs(10);
    setup.length = Duration::from_secs(70);
    setup.changes.push((setup.warm_up, Change::Health { server: BAD, health }));
    setup.retry = Retry::Budget { tries: 3, wait: Wait::None, percent: 20, least_per_second: 10 };
    let rate = 0.6 * setup.capacity(0.010);
    setup.constant_load(rate)
}

fn run(options: &Options) -> Findings {
    let balancers = balancers();
    let setups =
        FAULTS.iter().flat_map(|(_, health)| balancers.iter().map(|balancer| setup(balancer, *health)));
    let results = options.each(setups.collect(), |setup, measured| {
        (setup.deadline, measured.summary(setup.deadline), measured.share(BAD))
    });
    let mut table = Table::new(
        "bad_server",
        [
            "the server",
            "balancer",
            "tries it gets (%)",
            "calls that fail (‰)",
            "p99 (ms)",
            "p99.9 (ms)",
            "tries per call",
        ],
    );
    let rows =
        FAULTS.iter().flat_map(|(fault, _)| balancers.iter().map(move |balancer| (*fault, balancer.name)));
    for ((fault, name), (deadline, it, share)) in rows.zip(results) {
        table.row(vec![
            fault.into(),
            name.into(),
            Cell::Number(100.0 * share, 2),
            Cell::Number(it.failed, 2),
            Cell::ms(it.p99, deadline),
            Cell::ms(it.p999, deadline),
            Cell::Number(it.tries_per_call, 3),
        ]);
    }
    Findings { tables: vec![table], charts: Vec::new() }
}
