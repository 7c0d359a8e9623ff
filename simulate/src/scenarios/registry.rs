//! Naming gives other servers all the time, or none.

use super::{Findings, Options, Scenario};
use crate::{
    setup::{Balancer, Change, Setup},
    table::{Cell, Table},
};
use polywire_balance::SlowStart;
use std::time::Duration;

pub const SCENARIO: Scenario = Scenario {
    name: "registry",
    about: "naming gives other servers every second, or says that there are none",
    run,
};

const SERVERS: usize = 20;
const FLAPS: [&str; 4] = [
    "stays",
    "says that there are none",
    "leaves out a tenth, another one each second",
    "gives one half, then the other",
];

/// What naming says at its n-th change.
fn set(flap: &str, n: usize) -> Vec<usize> {
    let all = 0..SERVERS;
    match flap {
        "says that there are none" => Vec::new(),
        "leaves out a tenth, another one each second" => {
            all.filter(|server| !(server + n).is_multiple_of(10)).collect()
        }
        "gives one half, then the other" => all.filter(|server| (server + n).is_multiple_of(2)).collect(),
        _ => all.collect(),
    }
}

fn setup(balancer: &Balancer, flap: &str) -> Setup {
    let mut setup = Setup::new(SERVERS, 100, balancer.clone());
    setup.warm_up = Duration::from_secs(5);
    setup.length = Duration::from_secs(25);
    if flap != FLAPS[0] {
        for n in 0..20 {
            let at = setup.warm_up + Duration::from_secs(n as u64);
            setup.changes.push((at, Change::Set { servers: set(flap, n), spread: 0.5 }));
        }
    }
    setup.connecting.work = 0.002;
    let rate = 0.4 * setup.capacity(0.010);
    setup.constant_load(rate)
}

fn run(options: &Options) -> Findings {
    let mut balancers: Vec<Balancer> = ["rr", "least_request", "p2c", "prequal"].map(Balancer::new).into();
    let slow_start = Some(SlowStart::default());
    balancers.push(Balancer { name: "p2c, slow start", slow_start, ..Balancer::new("p2c") });
    let setups = FLAPS.iter().flat_map(|flap| balancers.iter().map(|balancer| setup(balancer, flap)));
    let results = options.each(setups.collect(), |setup, measured| {
        let time = (setup.length - setup.warm_up).as_secs_f64();
        (setup.deadline, measured.summary(setup.deadline), measured.connects.len() as f64 / time)
    });
    let mut table = Table::new(
        "registry",
        [
            "naming",
            "balancer",
            "calls that fail (‰)",
            "p50 (ms)",
            "p99 (ms)",
            "p99.9 (ms)",
            "connections per second",
        ],
    );
    let rows = FLAPS.iter().flat_map(|flap| balancers.iter().map(move |balancer| (*flap, balancer.name)));
    for ((flap, name), (deadline, it, connects)) in rows.zip(results) {
        let mut row = vec![flap.into(), name.into(), Cell::Number(it.failed, 2)];
        row.extend([it.p50, it.p99, it.p999].map(|ms| Cell::ms(ms, deadline)));
        row.push(Cell::Number(connects, 0));
        table.row(row);
    }
    Findings { tables: vec![table], charts: Vec::new() }
}
