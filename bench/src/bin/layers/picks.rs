//! What it costs to choose a server of 10, 1 000 and 10 000, and to say how the call to it went.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use polywire_balance::{End, Endpoint, Members, OrcaLoad, Outcome, Query, Report, Spec, Time};

use crate::Bench;

const PICKS: u64 = 10_000;

pub fn all(bench: &mut Bench) {
    for name in Spec::NAMES {
        for servers in [10, 1_000, 10_000] {
            let what = format!("pick: {name}, one of {servers}");
            if !bench.wants(&what) {
                continue;
            }
            let mut random = fastrand::Rng::with_seed(1);
            let endpoint = |i: u32| {
                let address = format!("10.0.{}.{}:8000", i / 250, i % 250);
                let endpoint = Endpoint::new(&address, "").weighted(1 + i % 7);
                let qps = f64::from(1 + i % 7);
                let load = OrcaLoad { qps, cpu_utilization: 0.5, ..OrcaLoad::default() };
                endpoint.reported(&load, Time(1));
                Arc::new(endpoint)
            };
            let members = Members::new((0..servers).map(endpoint).collect());
            let picker = name.parse::<Spec>().expect("a name").picker(members, &mut random);
            // Later than the blackout of reports.
            let mut now = 20_000_000_000;
            bench.time(&what, PICKS, 0, || {
                for _ in 0..PICKS {
                    now += 1_000;
                    let key = Some(random.u64(..) >> 32);
                    let mut query = Query { now: Time(now), random: &mut random, key, tried: &[], thread: 0 };
                    let chosen = picker.pick(&mut query).expect("all are ready");
                    for target in picker.probes(&mut query) {
                        let in_flight = target.weight().unwrap_or(1) % 5;
                        let report = Report { in_flight, latency: Duration::from_millis(2) };
                        picker.probed(&target, report, &mut query);
                    }
                    let outcome = Outcome { picked: Time(now), now: Time(now + 500_000), end: End::Answered };
                    picker.ended(black_box(chosen), &outcome);
                }
            });
        }
    }
}
