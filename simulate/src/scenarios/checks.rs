//! 1000 servers, 10 000 clients that check them, and servers that go and come back together.

use super::{Findings, Options, Scenario};
use crate::{
    chart::{Axis, Chart, Line, Scale},
    measure::CallEnd,
    setup::{Balancer, Change, Checks, Health, ReconnectWait, ServerSetup, Setup, SubsetOf},
    table::{Cell, Table},
};
use polywire_balance::Time;
use std::time::Duration;

pub const SCENARIO: Scenario =
    Scenario { name: "checks", about: "10 000 clients check 1000 servers, which go and come back", run };

const SERVERS: usize = 1000;
const GONE: Duration = Duration::from_secs(5);
const BACK: Duration = Duration::from_secs(11);
const LENGTH: Duration = Duration::from_secs(20);
/// Peaks are those of so long a time.
const STEP: Duration = Duration::from_millis(100);
/// The part by which channels spread checks and attempts to connect.
const JITTER: f64 = 0.2;

/// `gone`: the part of the servers that goes. `jitter`: of checks and of attempts to connect.
fn setup(servers: usize, gone: f64, health: Health, jitter: f64) -> Setup {
    let subset = Some(SubsetOf::Slices(10));
    let mut setup = Setup::new(servers, 10_000, Balancer { subset, ..Balancer::new("p2c") });
    setup.servers = vec![ServerSetup::new(1.0); servers];
    setup.work = crate::draw::Distribution::Exponential { mean: 0.050 };
    setup.connecting.work = 0.002;
    setup.connecting.wait = ReconnectWait::Spread {
        first: Duration::from_millis(100),
        most: Duration::from_secs(3),
        part: jitter,
    };
    setup.checks = Some(Checks {
        interval: Duration::from_secs(3),
        jitter,
        timeout: Duration::from_millis(500),
        healthy: 2,
        unhealthy: 3,
        work: 0.000_1,
    });
    for server in 0..(servers as f64 * gone) as usize {
        setup.changes.push((GONE, Change::Health { server, health }));
        setup.changes.push((BACK, Change::Health { server, health: Health::Up }));
    }
    setup.warm_up = Duration::from_secs(2);
    setup.length = LENGTH;
    let rate = 0.4 * setup.capacity(0.050);
    setup.constant_load(rate)
}

fn run(options: &Options) -> Findings {
    let servers = if options.quick { SERVERS / 20 } else { SERVERS };
    let (down, silent) = (Health::Down, Health::Silent);
    let kinds = [
        ("all processes end", 1.0, down, JITTER),
        ("all processes end; no jitter", 1.0, down, 0.0),
        ("half of them are silent", 0.5, silent, JITTER),
        ("half of them are silent; no jitter", 0.5, silent, 0.0),
    ];
    let setups = kinds.iter().map(|(_, gone, health, jitter)| setup(servers, *gone, *health, *jitter));
    let results = options.each(setups.collect(), |setup, measured| {
        let scale = setup.length.as_secs_f64() / LENGTH.as_secs_f64();
        let step = STEP.mul_f64(scale);
        let [gone, back] = [&setup.changes[0], &setup.changes[1]].map(|(at, _)| *at);
        let steps = (setup.length.as_nanos() / step.as_nanos()) as usize;
        // What each server got in each step; those of the last servers stay.
        let peaks = |times: &[(Time, u32)]| {
            let mut counts = vec![vec![0_u32; setup.servers.len()]; steps];
            for (at, server) in times {
                if let Some(step) = counts.get_mut((u128::from(at.0) / step.as_nanos()) as usize) {
                    step[*server as usize] += 1;
                }
            }
            counts.iter().map(|step| f64::from(*step.iter().max().unwrap_or(&0))).collect::<Vec<_>>()
        };
        let (connects, checks) = (peaks(&measured.connects_at), peaks(&measured.checks_at));
        let from = |at: Duration| (at.as_nanos() / step.as_nanos()) as usize;
        let most = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
        let good = |calls: &[&CallEnd]| {
            calls.iter().filter(|call| call.answered).count() as f64 / calls.len() as f64
        };
        let answered = measured.over_time(step, setup.length, good);
        let bad = answered.iter().rev().find(|(_, share)| *share < 0.99).map_or(0.0, |(at, _)| *at);
        let recovered = (bad + step.as_secs_f64() - back.as_secs_f64()).max(0.0);
        let lost = |from, to| measured.between(from, to).filter(|call| !call.answered).count() as f64;
        let seconds = |i: usize| i as f64 * step.as_secs_f64();
        let points = checks.iter().enumerate().map(|(i, count)| (seconds(i), *count)).collect::<Vec<_>>();
        let figures = [
            most(&checks[from(setup.warm_up)..from(gone)]),
            most(&checks[from(back)..]),
            most(&connects[from(back)..]),
            lost(gone, back),
            lost(back, setup.length),
        ];
        (figures, recovered, points)
    });
    let mut table = Table::new(
        "checks",
        [
            "what happens",
            "checks of a server in 0.1 s, at most, before",
            "checks, after the return",
            "connections asked of it, after the return",
            "calls lost while they are gone",
            "calls lost after the return",
            "99 % of calls are answered after (s)",
        ],
    );
    let mut lines = Vec::new();
    for ((kind, ..), (figures, recovered, points)) in kinds.iter().zip(results) {
        let mut row: Vec<Cell> = vec![(*kind).into()];
        row.extend(figures.map(|figure| Cell::Number(figure, 0)));
        row.push(Cell::Number(recovered, 1));
        table.row(row);
        lines.push(Line { name: (*kind).to_owned(), points });
    }
    lines.truncate(2);
    let mut chart = Chart::new(
        "checks",
        "Checks of a server by 100 clients, which lose it and connect again",
        Axis::new("time (s)", Scale::Linear),
        Axis::new("checks of one server in 0.1 s, at most", Scale::FromZero),
        lines,
    );
    if !options.quick {
        chart.marks = vec![(GONE.as_secs_f64(), "gone".to_owned()), (BACK.as_secs_f64(), "back".to_owned())];
    }
    Findings { tables: vec![table], charts: vec![chart] }
}
