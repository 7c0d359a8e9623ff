//! Servers and clients in three zones: calls that stay, and calls that spill over.

use super::{Findings, Options, Scenario};
use crate::{
    draw::Distribution,
    setup::{Balancer, Change, Health, Setup},
    table::{Cell, Table},
};
use polywire_balance::Spill;
use std::time::Duration;

pub const SCENARIO: Scenario = Scenario {
    name: "zones",
    about: "three zones, 2 ms apart: calls that stay in theirs, and calls that spill over",
    run,
};

const SERVERS: usize = 30;
const FAULTS: [(&str, usize); 3] =
    [("none", 0), ("2 of 10 servers of one zone are gone", 2), ("6 of 10 servers of one zone are gone", 6)];

/// The first `gone` servers of zone 0 are gone.
fn setup(balancer: &Balancer, gone: usize) -> Setup {
    let mut setup = Setup::new(SERVERS, 30, balancer.clone());
    setup.servers.iter_mut().enumerate().for_each(|(i, server)| server.zone = i as u32 % 3);
    setup.client_zones = 3;
    setup.between_zones = Duration::from_millis(2);
    setup.work = Distribution::Exponential { mean: 0.005 };
    for server in (0..SERVERS).step_by(3).take(gone) {
        setup.changes.push((Duration::from_secs(2), Change::Health { server, health: Health::Down }));
    }
    let rate = 0.5 * setup.capacity(0.005);
    setup.constant_load(rate)
}

fn run(options: &Options) -> Findings {
    let zoned = |spec, name| Balancer { name, zones: Some(Spill::default()), ..Balancer::new(spec) };
    let balancers = [
        Balancer::new("p2c"),
        zoned("p2c", "p2c, own zone first"),
        Balancer::new("prequal"),
        zoned("prequal", "prequal, own zone first"),
    ];
    let setups = FAULTS.iter().flat_map(|(_, gone)| balancers.iter().map(|balancer| setup(balancer, *gone)));
    let results = options.each(setups.collect(), |setup, measured| {
        let across = measured.across as f64 / measured.tries.iter().sum::<u64>().max(1) as f64;
        (setup.deadline, measured.summary(setup.deadline), across)
    });
    let mut table = Table::new(
        "zones",
        [
            "fault",
            "balancer",
            "calls to other zones (%)",
            "p50 (ms)",
            "p99 (ms)",
            "p99.9 (ms)",
            "calls that fail (‰)",
        ],
    );
    let rows =
        FAULTS.iter().flat_map(|(fault, _)| balancers.iter().map(move |balancer| (*fault, balancer.name)));
    for ((fault, name), (deadline, it, across)) in rows.zip(results) {
        let mut row = vec![fault.into(), name.into(), Cell::Number(100.0 * across, 1)];
        row.extend([it.p50, it.p99, it.p999].map(|ms| Cell::ms(ms, deadline)));
        row.push(Cell::Number(it.failed, 2));
        table.row(row);
    }
    Findings { tables: vec![table], charts: Vec::new() }
}
