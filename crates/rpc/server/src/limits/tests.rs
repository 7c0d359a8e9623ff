//! The laws of limits in virtual time: Poisson arrivals at workers with one queue, and a limit in front of
//! them.

use super::{
    Auto, Concurrency, Limiter, Sample, Timeout,
    auto::{Ended, Gradient},
    timeout::Average,
};
use std::{
    collections::BinaryHeap,
    time::{Duration, Instant},
};

/// A model of a server.
struct Model {
    /// Handlers that run at once; the others wait in order.
    workers: usize,
    /// Arrivals a second, from this second on.
    rates: Vec<(f64, f64)>,
    /// Time of a handler, from this second on.
    service: Vec<(f64, f64)>,
    seconds: f64,
}

/// The results of the calls of one simulated second.
#[derive(Clone, Copy, Default, Debug)]
struct Second {
    arrived: u32,
    refused: u32,
    done: u32,
    limit: u32,
}

fn at(steps: &[(f64, f64)], now: f64) -> f64 {
    steps.iter().rev().find(|(from, _)| *from <= now).expect("a step at 0").1
}

impl Model {
    /// A server of constant handlers, with a load relative to its capacity.
    fn new(workers: usize, service: f64, load: f64, seconds: f64) -> Model {
        Model {
            workers,
            rates: vec![(0.0, load * workers as f64 / service)],
            service: vec![(0.0, service)],
            seconds,
        }
    }

    fn run(&self, gradient: &mut Gradient, interval: Duration) -> Vec<Second> {
        let mut random = 88_172_645_463_325_252u64;
        let mut uniform = move || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            ((random >> 11) as f64 + 1.0) / (1u64 << 53) as f64
        };
        let ns = |seconds: f64| (seconds * 1e9) as u64;
        let mut free: BinaryHeap<_> = (0..self.workers).map(|_| std::cmp::Reverse(0u64)).collect();
        let mut ends: BinaryHeap<std::cmp::Reverse<(u64, u64)>> = BinaryHeap::new(); // end, arrival
        let mut seconds = vec![Second::default(); self.seconds as usize + 1];
        let (mut now, mut in_flight, mut succeeded, mut next_sample) = (0.0f64, 0u32, 0u64, 0u64);
        while now < self.seconds {
            now += -uniform().ln() / at(&self.rates, now);
            let arrival = ns(now);
            while let Some(std::cmp::Reverse((end, began))) = ends.peek().copied() {
                if end > arrival {
                    break;
                }
                ends.pop();
                succeeded += 1;
                if let Some(second) = seconds.get_mut((end / 1_000_000_000) as usize) {
                    second.done += 1;
                }
                if end >= next_sample {
                    next_sample = end + interval.as_nanos() as u64;
                    let (at, took) = (Duration::from_nanos(end), Duration::from_nanos(end - began));
                    let _ = gradient.sample(&Ended { at, took, ok: true, in_flight, succeeded });
                }
                in_flight -= 1;
            }
            let Some(second) = seconds.get_mut(now as usize) else { break };
            second.arrived += 1;
            second.limit = gradient.limit();
            if in_flight >= gradient.limit() {
                second.refused += 1;
                continue;
            }
            in_flight += 1;
            let std::cmp::Reverse(idle) = free.pop().expect("as many as workers");
            let end = idle.max(arrival) + ns(at(&self.service, now));
            free.push(std::cmp::Reverse(end));
            ends.push(std::cmp::Reverse((end, arrival)));
        }
        seconds.truncate(self.seconds as usize);
        seconds
    }

    fn auto(&self, options: Auto) -> Vec<Second> {
        let mut gradient = Gradient::new(options, self.workers.min(64) as u32, 7);
        self.run(&mut gradient, options.sampling_interval)
    }
}

fn sum(seconds: &[Second], of: impl Fn(&Second) -> u32) -> f64 {
    seconds.iter().map(|second| f64::from(of(second))).sum()
}

fn refused(seconds: &[Second]) -> f64 {
    sum(seconds, |s| s.refused) / sum(seconds, |s| s.arrived)
}

/// Handlers from 25 µs to 2 s: nothing is refused below capacity, and at twice the capacity the server works
/// at full rate, with a bounded queue.
#[test]
fn auto_is_right_from_25_us_to_2_s() {
    for (service, workers, seconds) in
        [(25e-6, 2, 12.0), (100e-6, 4, 20.0), (1e-3, 8, 60.0), (50e-3, 32, 120.0), (2.0, 64, 600.0)]
    {
        let skip = (seconds / 4.0) as usize;
        for load in [0.5, 0.7, 0.9] {
            let seen = Model::new(workers, service, load, seconds).auto(Auto::default());
            let refused = refused(&seen[skip..]);
            assert!(refused < 0.001, "{service} s at {load}: {refused} refused");
        }
        let seen = Model::new(workers, service, 2.0, seconds).auto(Auto::default());
        let capacity = workers as f64 / service;
        let goodput = sum(&seen[skip..], |s| s.done) / (seen.len() - skip) as f64 / capacity;
        assert!(goodput > 0.95, "{service} s at 2: {goodput} of capacity");
        // The wait is the limit divided by the capacity.
        let limit = seen[skip..].iter().map(|s| s.limit).max().unwrap();
        assert!(limit as usize <= 6 * workers + 60, "{service} s at 2: limit {limit}");
    }
}

/// The reason for a floor of four calls for each worker: brpc's own floor refuses a good part of a load that
/// the server can carry.
#[test]
fn brpcs_floor_refuses_what_ours_lets_in() {
    let model = || Model::new(8, 1e-3, 0.7, 60.0);
    assert!(refused(&model().auto(Auto::BRPC)[15..]) > 0.01);
    assert_eq!(refused(&model().auto(Auto::default())[15..]), 0.0);
}

#[test]
fn auto_follows_steps_of_what_a_call_costs() {
    let step = |service: [f64; 2], rate: f64| {
        let service = vec![(0.0, service[0]), (60.0, service[1])];
        Model { workers: 8, rates: vec![(0.0, rate)], service, seconds: 180.0 }.auto(Auto::default())
    };
    // Four times as slow: 0.6 of capacity becomes 2.4 of it.
    let seen = step([1e-3, 4e-3], 4800.0);
    let goodput = sum(&seen[62..], |s| s.done) / (seen.len() - 62) as f64 / 2000.0;
    assert!(goodput > 0.95, "{goodput}");
    let limits: Vec<_> = seen[62..].iter().map(|s| s.limit).collect();
    assert!(limits.iter().all(|limit| *limit <= 120), "{limits:?}");
    // Four times as fast: what was too much is carried, from two seconds after.
    let seen = step([4e-3, 1e-3], 4800.0);
    assert!(refused(&seen[30..60]) > 0.5);
    let refused = refused(&seen[62..]);
    assert!(refused < 0.001, "{refused}");
}

#[test]
fn auto_does_not_drift_in_an_hour_at_nine_tenths() {
    for (workers, service) in [(2, 10e-3), (8, 20e-3)] {
        let seen = Model::new(workers, service, 0.9, 3600.0).auto(Auto::default());
        let hours_end = &seen[3000..];
        assert!(refused(hours_end) < 0.005, "{}", refused(hours_end));
        let most = seen.iter().map(|s| s.limit).max().unwrap();
        assert!(most <= 120, "{most}");
    }
}

/// Handlers that only sleep: no resource is scarce, so the limit has to rise to the offered load.
#[test]
fn auto_lets_sleepers_in() {
    let model = Model { workers: 100_000, ..Model::new(1, 50e-3, 0.0, 30.0) };
    let seen = Model { rates: vec![(0.0, 40_000.0)], ..model }.auto(Auto::default());
    assert!(refused(&seen[..1]) > 0.01, "at first nothing is known");
    let late = refused(&seen[10..]);
    assert!(late < 0.01, "{late}: limit {}", seen.last().unwrap().limit);
}

/// A quiet hour does not lower the limit, so that the burst after it is let in.
#[test]
fn auto_keeps_its_limit_while_it_is_not_used() {
    let rates = vec![(0.0, 50.0), (600.0, 6000.0)];
    let seen = Model { rates, ..Model::new(8, 1e-3, 0.0, 660.0) }.auto(Auto::default());
    assert_eq!(sum(&seen[600..], |s| s.refused), 0.0);
}

#[test]
fn auto_goes_down_when_all_fail_and_failures_count() {
    let mut gradient = Gradient::new(Auto::default(), 2, 1);
    let fail = |ms: u64| Ended {
        at: Duration::from_millis(ms),
        took: Duration::from_millis(5),
        ok: false,
        in_flight: 40,
        succeeded: 0,
    };
    for ms in 0..199 {
        assert_eq!(gradient.sample(&fail(ms)), None);
    }
    assert_eq!(gradient.sample(&fail(199)), Some(20));
    (200..3000).for_each(|ms| _ = gradient.sample(&fail(ms)));
    assert_eq!(gradient.limit(), 8, "four for each worker");
}

/// Checks every constant of brpc, by one window of each kind.
#[test]
fn brpcs_numbers() {
    let Auto { initial, min_samples, max_samples, window, sampling_interval, remeasure_every, .. } =
        Auto::BRPC;
    assert_eq!((initial, min_samples, max_samples), (40, 100, 200));
    let ms = Duration::from_millis;
    assert_eq!((window, sampling_interval, remeasure_every), (ms(1000), ms(1) / 10, ms(50_000)));
    let mut gradient = Gradient::new(Auto::BRPC, 2, 1);
    let mut succeeded = 0;
    let mut feed = |from: u64, count: u64, us: u64, gradient: &mut Gradient| {
        (0..count).fold(None, |last, k| {
            succeeded += 1;
            let (at, took) = (ms(from + 5 * k), Duration::from_micros(us));
            gradient.sample(&Ended { at, took, ok: true, in_flight: 40, succeeded }).or(last)
        })
    };
    // 200 samples of 100 ms in 995 ms: 199 calls after the first in 0.995 s are 200 a second, and 20 at once.
    // explore is 0.3: 20 * 1.3
    assert_eq!(feed(0, 200, 100_000, &mut gradient), Some(26));
    assert_eq!(gradient.lowest(), Some(ms(100)));
    // slower and at the same rate: explore goes down to 0.28, the lowest latency stays
    assert_eq!(feed(1000, 200, 200_000, &mut gradient), Some(25), "0.1 s * 200 / s * 1.28");
    // quicker: a tenth of the new latency counts
    assert_eq!(feed(2000, 200, 50_000, &mut gradient), Some(24), "0.095 s * 200 / s * 1.3");
    assert_eq!(gradient.lowest(), Some(ms(95)));
}

#[test]
fn the_average_needs_samples_and_knows_failures() {
    let mut average = Average::new();
    let mut feed = |from: u64, ok: &dyn Fn(u64) -> bool, us: u64| {
        (0..200).fold(None, |last, k| {
            let (at, took) = (Duration::from_millis(from + k), Duration::from_micros(us));
            average.sample(&Ended { at, took, ok: ok(k), in_flight: 1, succeeded: 0 }).or(last)
        })
    };
    let us = Duration::from_micros;
    assert_eq!(feed(0, &|_| false, 10), Some(us(1000)), "all failed: twice what was assumed");
    assert_eq!(feed(300, &|_| true, 700), Some(us(700)));
    assert_eq!(feed(600, &|k| k % 2 == 0, 700), Some(us(1400)), "the time of the failed counts");
}

/// Enters calls, and ends them after a time.
fn calls(limiter: &Limiter, began: Instant, from: Duration, count: u32, took: Duration) -> u32 {
    let mut entered = 0;
    for k in 0..count {
        if limiter.enter(None) {
            entered += 1;
            let now = began + from + Duration::from_millis(k.into());
            limiter.ended(Sample { now, took, ok: true });
            limiter.leave();
        }
    }
    entered
}

#[test]
fn a_timeout_limit_refuses_whom_it_would_answer_too_late() {
    let began = Instant::now();
    let limiter = Limiter::of_workers(Timeout::ms(100).most(3).into(), 2, began);
    let ms = Duration::from_millis;
    assert!(limiter.enter(None) && limiter.enter(None) && limiter.enter(None));
    assert!(!limiter.enter(None), "three are under way");
    (0..3).for_each(|_| limiter.leave());
    assert_eq!(calls(&limiter, began, Duration::ZERO, 1200, ms(150)), 1200);
    assert_eq!(limiter.report().latency, Some(ms(150)));
    assert!(limiter.enter(None), "the only one is always let in");
    assert!(!limiter.enter(None) && !limiter.has_room(None), "150 ms are too long");
    assert!(limiter.enter(Some(ms(151))), "who waits longer is let in");
    assert!(!limiter.enter(Some(ms(150))));
    limiter.leave();
    assert_eq!(calls(&limiter, began, ms(5000), 1200, ms(10)), 0, "one is under way");
    limiter.leave();
    assert_eq!(calls(&limiter, began, ms(5000), 1200, ms(10)), 1200);
    assert!(limiter.enter(None) && limiter.enter(None));
}

#[test]
fn a_limit_changes_while_calls_are_under_way() {
    let limiter = Limiter::of_workers(Concurrency::Unlimited, 2, Instant::now());
    assert!(!limiter.counts());
    limiter.set(2);
    assert!(limiter.counts() && limiter.enter(None) && limiter.enter(None) && !limiter.enter(None));
    limiter.set(3);
    assert!(limiter.enter(None) && !limiter.enter(None));
    limiter.set(1);
    limiter.leave();
    assert!(!limiter.enter(None), "two are under way still");
    limiter.set(Auto::default().initial(50));
    let report = limiter.report();
    assert_eq!((report.limit, report.current, report.highest, report.refused), (Some(50), 2, 3, 3));
    limiter.set(None);
    limiter.leave();
    limiter.leave();
    assert_eq!((limiter.most(), limiter.current()), (None, 0));
}

#[test]
fn settings_have_a_text_and_wrong_ones_are_refused() {
    for text in ["unlimited", "7", "auto", "auto:brpc", "timeout:500:100", "timeout:20:3"] {
        let setting: Concurrency = text.parse().unwrap();
        assert_eq!(setting.to_string(), text);
    }
    assert_eq!("timeout".parse::<Concurrency>().unwrap().to_string(), "timeout:500:100");
    for wrong in [
        "",
        "-1",
        "auto:",
        "auto:brp",
        "timeout:",
        "timeout:0",
        "timeout:5:0",
        "timeout:1:2:3",
        "1:2",
        "4294967296",
    ] {
        assert!(wrong.parse::<Concurrency>().is_err(), "{wrong:?}");
    }
}
