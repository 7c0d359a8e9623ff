//! The paper's figure on its quantile: which servers count as cold, among fast and slow ones; and how many
//! probes it takes.

use super::{Findings, Options, Scenario, paper};
use crate::{
    chart::{Axis, Chart, Line, Scale},
    measure::Summary,
    setup::{Balancer, Setup},
    table::{Cell, Table},
};

pub const SCENARIO: Scenario = Scenario {
    name: "prequal_settings",
    about: "prequal's quantile among fast and slow servers, and its number of probes",
    run,
};

/// The quantile of calls in flight up to which a server counts as cold, in percent.
const QUANTILES: [(u32, &str); 9] = [
    (0, "prequal:quantile_percent=0"),
    (20, "prequal:quantile_percent=20"),
    (40, "prequal:quantile_percent=40"),
    (60, "prequal:quantile_percent=60"),
    (73, "prequal:quantile_percent=73"),
    (84, "prequal:quantile_percent=84"),
    (90, "prequal:quantile_percent=90"),
    (99, "prequal:quantile_percent=99"),
    (100, "prequal:quantile_percent=100"),
];

/// Probes per 100 calls.
const PROBES: [(u32, &str); 6] = [
    (50, "prequal:probes_percent=50"),
    (71, "prequal:probes_percent=71"),
    (100, "prequal:probes_percent=100"),
    (200, "prequal:probes_percent=200"),
    (300, "prequal:probes_percent=300"),
    (400, "prequal:probes_percent=400"),
];

/// Half of the servers take twice the time for a call.
fn fast_and_slow(spec: &'static str) -> Setup {
    let mut setup = paper::testbed(Balancer::new(spec), paper::SERVERS, 1.0);
    setup.servers.iter_mut().step_by(2).for_each(|server| server.speed = 0.5);
    let rate = 0.75 * setup.capacity(paper::MEAN_WORK);
    setup.constant_load(rate)
}

fn run(options: &Options) -> Findings {
    let by_quantile = options.some(&QUANTILES);
    let by_probes = options.some(&PROBES);
    let mut setups: Vec<Setup> = by_quantile.iter().map(|(_, spec)| fast_and_slow(spec)).collect();
    setups.extend(by_probes.iter().map(|(_, spec)| paper::testbed(Balancer::new(spec), paper::SERVERS, 1.5)));
    let deadline = setups[0].deadline;
    let mut results = options.each(setups, |setup, measured| measured.summary(setup.deadline));
    let of_probes = results.split_off(by_quantile.len());
    let quantiles: Vec<u32> = by_quantile.iter().map(|(quantile, _)| *quantile).collect();
    let probes: Vec<u32> = by_probes.iter().map(|(probes, _)| *probes).collect();
    let table = |name, first: &str, values: &[u32], results: &[Summary]| {
        let mut table = Table::new(
            name,
            [first, "p50 (ms)", "p90 (ms)", "p99 (ms)", "p99.9 (ms)", "in flight: median", "in flight: p99"],
        );
        for (value, it) in values.iter().zip(results) {
            let mut row = vec![Cell::Number((*value).into(), 0)];
            row.extend([it.p50, it.p90, it.p99, it.p999].map(|ms| Cell::ms(ms, deadline)));
            row.extend([it.in_flight_p50, it.in_flight_p99].map(|n| Cell::Number(n, 0)));
            table.row(row);
        }
        table
    };
    let line = |name: &str, value: fn(&Summary) -> f64| {
        let points = quantiles.iter().zip(&results).map(|(at, summary)| (f64::from(*at), value(summary)));
        Line { name: name.to_owned(), points: points.collect() }
    };
    let lines = vec![
        line("p50", |it| it.p50),
        line("p90", |it| it.p90),
        line("p99", |it| it.p99),
        line("p99.9", |it| it.p999),
    ];
    let x = Axis::new("servers that count as cold (%), by calls in flight", Scale::FromZero);
    let title = "prequal among 50 fast and 50 slow servers: from load alone (0) to latency alone (100)";
    let chart = Chart::new("prequal_quantile", title, x, Axis::new("latency (ms)", Scale::Log), lines);
    Findings {
        tables: vec![
            table("prequal_quantile", "quantile (%)", &quantiles, &results),
            table("prequal_probes", "probes per 100 calls", &probes, &of_probes),
        ],
        charts: vec![chart],
    }
}
