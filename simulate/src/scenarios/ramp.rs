//! The load ramp of the Prequal paper: latencies as the load grows beyond what the servers are guaranteed.

use super::{Findings, Options, Scenario, paper};
use crate::{
    chart::{Axis, Chart, Line, Scale},
    measure::Summary,
    setup::{Balancer, Setup},
    table::{Cell, Table},
};

pub const SCENARIO: Scenario = Scenario {
    name: "ramp",
    about: "the load ramp of the Prequal paper: 100 clients, 100 servers, antagonists",
    run,
};

/// Of what the servers are guaranteed: from 0.75, each one 10/9 of the one before.
const LOADS: [f64; 9] = [0.75, 0.83, 0.93, 1.03, 1.14, 1.27, 1.41, 1.57, 1.74];

fn balancers() -> Vec<Balancer> {
    let by_name =
        ["rr", "random", "la", "least_request", "p2c", "prequal", "weighted_round_robin"].map(Balancer::new);
    by_name.into()
}

fn run(options: &Options) -> Findings {
    let loads = options.some(&LOADS);
    let setups: Vec<Setup> = balancers()
        .iter()
        .flat_map(|balancer| loads.iter().map(|load| paper::testbed(balancer.clone(), paper::SERVERS, *load)))
        .collect();
    let deadline = setups[0].deadline;
    let results =
        options.each(setups, |setup, measured| (setup.balancer.name, measured.summary(setup.deadline)));
    let mut columns = vec!["balancer".to_owned(), "percentile".to_owned()];
    columns.extend(loads.iter().map(f64::to_string));
    let mut table = Table { name: "ramp", columns, rows: Vec::new() };
    let mut lines = [Vec::new(), Vec::new()];
    for of_one in results.chunks(loads.len()) {
        let name = of_one[0].0;
        let percentiles: [(&str, fn(&Summary) -> f64); 4] =
            [("p50", |it| it.p50), ("p90", |it| it.p90), ("p99", |it| it.p99), ("p99.9", |it| it.p999)];
        for (percentile, value) in percentiles {
            let mut row = vec![Cell::from(name), percentile.into()];
            row.extend(of_one.iter().map(|(_, summary)| Cell::ms(value(summary), deadline)));
            table.row(row);
        }
        for (lines, value) in lines.iter_mut().zip([percentiles[2].1, percentiles[3].1]) {
            let points = loads.iter().copied().zip(of_one).map(|(load, (_, summary))| (load, value(summary)));
            lines.push(Line { name: name.to_owned(), points: points.collect() });
        }
    }
    let [p99, p999] = lines;
    let chart = |name, title: &str, lines| {
        let x = Axis::new("load, as a multiple of the guaranteed cores", Scale::Linear).ticks(loads.clone());
        let mut chart = Chart::new(name, title, x, Axis::new("latency (ms)", Scale::Log), lines);
        chart.limit = Some((deadline.as_secs_f64() * 1e3, "time limit".into()));
        chart
    };
    Findings {
        tables: vec![table],
        charts: vec![
            chart("ramp_p99", "99th percentile of latency as the load grows", p99),
            chart("ramp_p999", "99.9th percentile of latency as the load grows", p999),
        ],
    }
}
