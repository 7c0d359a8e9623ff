//! Servers are restarted one after the other, and a single one comes back cold.

use super::{Findings, Options, Scenario};
use crate::{
    chart::{Axis, Chart, Line, Scale},
    measure::{Measured, percentile},
    retry::{Retry, Wait},
    setup::{Balancer, Change, Health, Setup},
    table::{Cell, Table},
};
use polywire_balance::{SlowStart, Time};
use std::time::Duration;

pub const SCENARIO: Scenario = Scenario {
    name: "restart",
    about: "eight servers restart in turn, with goodbyes or killed; one of ten comes back with empty caches",
    run,
};

const RETRY: Retry = Retry::Budget { tries: 3, wait: Wait::None, percent: 20, least_per_second: 10 };
const COLD: Health = Health::Cold { times: 5.0, seconds: 5.0 };
const STEP: Duration = Duration::from_millis(500);

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn rolling(balancer: &Balancer, graceful: bool, retry: Retry) -> Setup {
    let mut setup = Setup::new(8, 40, balancer.clone());
    for server in 0..8 {
        let at = 10.0 + 4.0 * server as f64;
        if graceful {
            setup.changes.push((seconds(at), Change::Drain { server }));
        }
        setup.changes.push((seconds(at + 1.0), Change::Health { server, health: Health::Down }));
        setup.changes.push((seconds(at + 2.0), Change::Health { server, health: Health::Up }));
    }
    setup.retry = retry;
    setup.warm_up = seconds(10.0);
    setup.length = seconds(45.0);
    let rate = 0.6 * setup.capacity(0.010);
    setup.constant_load(rate)
}

fn rolling_table(options: &Options) -> Table {
    let balancers = ["rr", "p2c", "prequal"].map(Balancer::new);
    let kinds = [
        ("with goodbyes", true, Retry::Never),
        ("killed", false, Retry::Never),
        ("killed, with retries", false, RETRY),
    ];
    let setups =
        kinds.iter().flat_map(|(_, graceful, retry)| balancers.iter().map(|b| rolling(b, *graceful, *retry)));
    let results = options.each(setups.collect(), |setup, measured| {
        let failed = measured.calls.iter().filter(|call| !call.answered).count();
        (setup.deadline, measured.summary(setup.deadline), failed)
    });
    let mut table = Table::new(
        "rolling_restart",
        ["servers are restarted", "balancer", "calls", "calls that fail", "p99 (ms)", "p99.9 (ms)"],
    );
    let rows =
        kinds.iter().flat_map(|(kind, ..)| balancers.iter().map(move |balancer| (*kind, balancer.name)));
    for ((kind, name), (deadline, it, failed)) in rows.zip(results) {
        table.row(vec![
            kind.into(),
            name.into(),
            Cell::Number(it.calls as f64, 0),
            Cell::Number(failed as f64, 0),
            Cell::ms(it.p99, deadline),
            Cell::ms(it.p999, deadline),
        ]);
    }
    table
}

/// When the one server is back, and for how long after that is looked at it.
const BACK: f64 = 15.0;
const AFTER: f64 = 8.0;
const RETURNING: usize = 3;

fn returning(balancer: &Balancer) -> Setup {
    let mut setup = Setup::new(10, 100, balancer.clone());
    let down = Change::Health { server: RETURNING, health: Health::Down };
    setup.changes =
        vec![(seconds(2.0), down), (seconds(BACK), Change::Health { server: RETURNING, health: COLD })];
    setup.retry = RETRY;
    setup.warm_up = seconds(10.0);
    setup.length = seconds(30.0);
    let rate = 0.55 * setup.capacity(0.010);
    setup.constant_load(rate)
}

/// Tries of the returning server in tenths of a second, at most, in fair shares.
fn peak(measured: &Measured, servers: usize) -> f64 {
    const BIN: u64 = 100_000_000;
    let mut bins: Vec<(f64, f64)> = Vec::new();
    for (Time(at), server) in &measured.tries_at {
        let bin = (at / BIN) as usize;
        bins.resize(bins.len().max(bin + 1), (0.0, 0.0));
        bins[bin].0 += f64::from(u8::from(*server as usize == RETURNING));
        bins[bin].1 += 1.0;
    }
    bins.iter()
        .filter(|(_, all)| *all > 50.0)
        .map(|(its, all)| its / all * servers as f64)
        .fold(0.0, f64::max)
}

fn returning_table(options: &Options) -> (Table, Chart) {
    let slow = |spec, name| Balancer { name, slow_start: Some(SlowStart::default()), ..Balancer::new(spec) };
    let balancers = [
        Balancer::new("rr"),
        slow("rr", "rr, slow start"),
        Balancer::new("least_request"),
        slow("least_request", "least_request, slow start"),
        Balancer::new("p2c"),
        slow("p2c", "p2c, slow start"),
        Balancer::new("prequal"),
        slow("prequal", "prequal, slow start"),
    ];
    let results = options.each(balancers.iter().map(returning).collect(), |setup, measured| {
        let p99 = measured.over_time(STEP, setup.length, |calls| percentile(calls, 0.99, setup.deadline));
        let back = setup.changes[1].0;
        let summary = measured.summary_between(back, back + seconds(AFTER), setup.deadline);
        (setup.balancer.name, setup.deadline, summary, peak(&measured, setup.servers.len()), p99)
    });
    let mut table = Table::new(
        "cold_server",
        ["balancer", "p50 (ms)", "p99 (ms)", "p99.9 (ms)", "most calls in 0.1 s (fair shares)"],
    );
    let mut lines = Vec::new();
    for (name, deadline, it, peak, p99) in results {
        let mut row = vec![name.into()];
        row.extend([it.p50, it.p99, it.p999].map(|ms| Cell::ms(ms, deadline)));
        row.push(Cell::Number(peak, 1));
        table.row(row);
        // It takes no part in slow start: two lines would be one.
        if name != "prequal, slow start" {
            lines.push(Line { name: name.to_owned(), points: p99 });
        }
    }
    let title = "99th percentile of latency while one server of ten comes back with empty caches";
    let x = Axis::new("time (s)", Scale::Linear);
    let mut chart = Chart::new("cold_server", title, x, Axis::new("latency (ms)", Scale::Log), lines);
    if !options.quick {
        chart.marks = vec![(BACK, "it is back".into()), (BACK + 5.0, "its caches are full".into())];
    }
    (table, chart)
}

fn run(options: &Options) -> Findings {
    let (cold, chart) = returning_table(options);
    Findings { tables: vec![rolling_table(options), cold], charts: vec![chart] }
}
