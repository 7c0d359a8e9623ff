//! A whole cluster goes and comes back, and 10 000 clients connect again.

use super::{Findings, Options, Scenario};
use crate::{
    chart::{Axis, Chart, Line, Scale},
    measure::CallEnd,
    setup::{Balancer, Change, Health, ReconnectWait, Setup, SubsetOf},
    table::{Cell, Table},
};
use polywire_balance::Time;
use std::time::Duration;

pub const SCENARIO: Scenario =
    Scenario { name: "recovery", about: "20 servers go and come back; 10 000 clients connect again", run };

const GONE: Duration = Duration::from_secs(4);
const BACK: Duration = Duration::from_secs(10);
/// brpc's cluster recovery: with fewer than 10 servers of 20, calls are refused in proportion, until the
/// number has not changed for 1 s.
const RECOVERING: &str = "rr:min_working_instances=10 hold_seconds=1";
const STEP: Duration = Duration::from_millis(200);

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn setup(spec: &'static str, wait: ReconnectWait, subset: Option<SubsetOf>, at_once: usize) -> Setup {
    let mut setup = Setup::new(20, 10_000, Balancer { subset, ..Balancer::new(spec) });
    setup.connecting.wait = wait;
    setup.connecting.work = 0.002;
    setup.connecting.at_once = at_once;
    for server in 0..20 {
        setup.changes.push((GONE, Change::Health { server, health: Health::Down }));
        setup.changes.push((BACK, Change::Health { server, health: Health::Up }));
    }
    setup.warm_up = Duration::from_secs(2);
    setup.length = Duration::from_secs(30);
    let rate = 0.5 * setup.capacity(0.010);
    setup.constant_load(rate)
}

fn run(options: &Options) -> Findings {
    let jitter = |first, most| ReconnectWait::Jitter { first: ms(first), most: ms(most) };
    let quick = jitter(200, 5000);
    let five = Some(SubsetOf::Slices(5));
    const ALL: usize = usize::MAX;
    let kinds = [
        ("every second", "p2c", ReconnectWait::Fixed(ms(1000)), None, ALL),
        ("jitter up to 5 s", "p2c", quick, None, ALL),
        ("jitter up to 20 s", "p2c", jitter(1000, 20_000), None, ALL),
        ("jitter up to 5 s; 5 servers each", "p2c", quick, five, ALL),
        ("every second; 1 handshake per server", "p2c", ReconnectWait::Fixed(ms(1000)), None, 1),
        ("jitter up to 5 s; 1 handshake per server", "p2c", quick, None, 1),
        ("as before, rr with cluster recovery", RECOVERING, quick, None, 1),
    ];
    let setups = kinds.iter().map(|(_, spec, wait, subset, at_once)| setup(spec, *wait, *subset, *at_once));
    let setups = setups.collect();
    let results = options.each(setups, |setup, measured| {
        let back = setup.changes[1].0;
        let step = STEP.mul_f64(setup.length.as_secs_f64() / 30.0);
        let per_step = |times: &[Time]| {
            let mut counts = vec![0.0; (setup.length.as_nanos() / step.as_nanos()) as usize];
            for at in times {
                if let Some(count) = counts.get_mut((u128::from(at.0) / step.as_nanos()) as usize) {
                    *count += 1.0;
                }
            }
            counts
        };
        let connects = per_step(&measured.connects);
        let seconds = |i: usize| i as f64 * step.as_secs_f64();
        let first = (back.as_nanos() / step.as_nanos()) as usize;
        let peak = connects[first..].iter().copied().fold(0.0, f64::max);
        let good = |calls: &[&CallEnd]| {
            calls.iter().filter(|call| call.answered).count() as f64 / calls.len() as f64
        };
        let answered = measured.over_time(step, setup.length, good);
        let bad = answered.iter().rev().find(|(_, share)| *share < 0.99).map_or(0.0, |(at, _)| *at);
        let recovered = (bad + step.as_secs_f64() - back.as_secs_f64()).max(0.0);
        let lost = measured.between(back, setup.length).filter(|call| !call.answered).count();
        let points =
            connects.iter().enumerate().map(|(i, count)| (seconds(i), count.max(1.0))).collect::<Vec<_>>();
        (peak, measured.connects.len(), recovered, lost, points, answered)
    });
    let mut table = Table::new(
        "recovery",
        [
            "clients connect again after",
            "connections asked for",
            "most in 0.2 s after the return",
            "99 % of calls are answered after (s)",
            "calls lost after the return",
        ],
    );
    let (mut lines, mut shares) = (Vec::new(), Vec::new());
    for ((kind, ..), (peak, all, recovered, lost, points, answered)) in kinds.iter().zip(results) {
        table.row(vec![
            (*kind).into(),
            Cell::Number(all as f64, 0),
            Cell::Number(peak, 0),
            Cell::Number(recovered, 1),
            Cell::Number(lost as f64, 0),
        ]);
        let name = kind.replace("1 handshake per server", "1 at once");
        lines.push(Line { name: name.clone(), points });
        let percent = answered.into_iter().map(|(at, share)| (at, 100.0 * share)).collect();
        shares.push(Line { name, points: percent });
    }
    let time = || Axis::new("time (s)", Scale::Linear);
    let per_step = Axis::new("connections asked for, in 0.2 s", Scale::Log);
    let mut charts = vec![
        Chart::new(
            "recovery_connects",
            "10 000 clients connect to 20 servers that were gone",
            time(),
            per_step,
            lines,
        ),
        Chart::new(
            "recovery_answered",
            "Calls that are answered while 10 000 clients connect again",
            time(),
            Axis::new("answered (%)", Scale::FromZero),
            shares,
        ),
    ];
    if !options.quick {
        let marks = vec![(GONE.as_secs_f64(), "gone".to_owned()), (BACK.as_secs_f64(), "back".to_owned())];
        charts.iter_mut().for_each(|chart| chart.marks = marks.clone());
    }
    Findings { tables: vec![table], charts }
}
