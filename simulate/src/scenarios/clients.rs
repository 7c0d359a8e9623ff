//! The same load by ever more clients, and over ever longer ways: what a client sees by itself, and what
//! servers must tell it.

use super::{Findings, Options, Scenario, paper};
use crate::{
    chart::{Axis, Chart, Line, Scale},
    draw::Distribution,
    setup::{Balancer, Setup, SubsetOf},
    table::{Cell, Table},
};

pub const SCENARIO: Scenario = Scenario {
    name: "clients",
    about: "the same load by 10 to 10 000 clients, with subsets, and at distances",
    run,
};

const LOAD: f64 = 1.27;
const CLIENTS: [usize; 4] = [10, 100, 1000, 10_000];
/// Milliseconds, where a call takes about 80.
const WAYS: [f64; 5] = [0.0, 1.0, 4.0, 20.0, 50.0];

fn balancers() -> Vec<Balancer> {
    let mut all: Vec<Balancer> = ["random", "least_request", "p2c", "prequal"].map(Balancer::new).into();
    all.push(Balancer {
        name: "p2c, 20 servers each (random)",
        subset: Some(SubsetOf::Random(20)),
        ..Balancer::new("p2c")
    });
    all.push(Balancer {
        name: "p2c, 20 servers each (slices)",
        subset: Some(SubsetOf::Slices(20)),
        ..Balancer::new("p2c")
    });
    all.push(Balancer {
        name: "prequal, 20 servers each (slices)",
        subset: Some(SubsetOf::Slices(20)),
        ..Balancer::new("prequal")
    });
    all
}

fn by_clients(options: &Options) -> (Table, Chart) {
    let clients = options.some(&CLIENTS);
    let setups: Vec<Setup> = balancers()
        .iter()
        .flat_map(|balancer| clients.iter().map(|clients| paper::testbed(balancer.clone(), *clients, LOAD)))
        .collect();
    let deadline = setups[0].deadline;
    let results =
        options.each(setups, |setup, measured| (setup.balancer.name, measured.summary(setup.deadline)));
    let columns = clients.iter().flat_map(|n| [format!("{n} clients: p99 (ms)"), format!("{n}: p99.9 (ms)")]);
    let columns = std::iter::once("balancer".to_owned()).chain(columns).collect();
    let mut table = Table { name: "clients", columns, rows: Vec::new() };
    let mut lines = Vec::new();
    for of_one in results.chunks(clients.len()) {
        let cells = of_one.iter().flat_map(|(_, it)| [it.p99, it.p999]).map(|ms| Cell::ms(ms, deadline));
        table.row(std::iter::once(of_one[0].0.into()).chain(cells).collect());
        let points = clients.iter().zip(of_one).map(|(n, (_, it))| (*n as f64, it.p999));
        lines.push(Line { name: of_one[0].0.replace(" servers each", ""), points: points.collect() });
    }
    let x = Axis::new("clients, which make the same number of calls together", Scale::Log)
        .ticks([10.0, 100.0, 1000.0, 10_000.0]);
    let title = "99.9th percentile of latency as clients become more";
    let mut chart = Chart::new("clients", title, x, Axis::new("latency (ms)", Scale::Log), lines);
    chart.limit = Some((deadline.as_secs_f64() * 1e3, "time limit".into()));
    (table, chart)
}

fn by_distance(options: &Options) -> Table {
    let ways = options.some(&WAYS);
    let setup = |balancer: &Balancer, ms: f64| {
        let mut setup = paper::testbed(balancer.clone(), paper::SERVERS, LOAD);
        setup.one_way = Distribution::Constant(ms / 1e3);
        setup
    };
    let balancers = ["least_request", "p2c", "prequal"].map(Balancer::new);
    let setups: Vec<Setup> =
        balancers.iter().flat_map(|balancer| ways.iter().map(move |ms| setup(balancer, *ms))).collect();
    let deadline = setups[0].deadline;
    let results = options.each(setups, |setup, measured| {
        let both_ways = 2e3 * setup.one_way.draw(&mut fastrand::Rng::with_seed(0));
        (setup.balancer.name, measured.summary(setup.deadline), both_ways)
    });
    let columns =
        ways.iter().flat_map(|ms| [format!("{ms} ms one way: p99 (ms)"), format!("{ms} ms: p99.9 (ms)")]);
    let columns = std::iter::once("balancer".to_owned()).chain(columns).collect();
    let mut table = Table { name: "distance", columns, rows: Vec::new() };
    for of_one in results.chunks(ways.len()) {
        let at_server = of_one.iter().flat_map(|(_, it, ways)| [it.p99 - ways, it.p999 - ways]);
        let cells = at_server.map(|ms| Cell::ms(ms, deadline));
        table.row(std::iter::once(of_one[0].0.into()).chain(cells).collect());
    }
    table
}

fn run(options: &Options) -> Findings {
    let (table, chart) = by_clients(options);
    Findings { tables: vec![table, by_distance(options)], charts: vec![chart] }
}
