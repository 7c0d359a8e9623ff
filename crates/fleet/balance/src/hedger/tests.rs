//! The effect of hedging on latencies and load, in a small model: calls arrive at an even rate, the duration
//! of each server's answer is random, and a hedge is one more such answer.

use super::*;

const MS: Duration = Duration::from_millis(1);

#[derive(Debug)]
struct Run {
    /// The latencies in ascending order.
    latencies: Vec<Duration>,
    hedges: usize,
}

impl Run {
    fn quantile(&self, q: f64) -> Duration {
        self.latencies[((self.latencies.len() - 1) as f64 * q) as usize]
    }

    fn extra(&self) -> f64 {
        self.hedges as f64 / self.latencies.len() as f64
    }
}

/// Calls of these seconds, 1000 in each. Events happen in the order of their times.
fn run(hedger: &Hedger, seconds: std::ops::Range<u64>, mut latency: impl FnMut(Time) -> Duration) -> Run {
    #[derive(Clone, Copy)]
    enum Event {
        Begins,
        Late { began: Time, first: Duration },
        Ends { began: Time, hedged: Hedged },
    }
    let mut events = std::collections::BinaryHeap::new();
    let mut all = Vec::new();
    let at = |time: Time, event: Event, all: &mut Vec<Event>| {
        all.push(event);
        std::cmp::Reverse((time.0, all.len() - 1))
    };
    for i in seconds.start * 1000..seconds.end * 1000 {
        events.push(at(Time(i * 1_000_000), Event::Begins, &mut all));
    }
    let mut run = Run { latencies: Vec::new(), hedges: 0 };
    while let Some(std::cmp::Reverse((time, event))) = events.pop() {
        let now = Time(time);
        let next = match all[event] {
            Event::Begins => {
                let first = latency(now);
                match hedger.begin(now, 0) {
                    Some(delay) if delay < first => (now + delay, Event::Late { began: now, first }),
                    _ => (now + first, Event::Ends { began: now, hedged: Hedged::No }),
                }
            }
            Event::Late { began, first } if hedger.may_hedge(now) => {
                run.hedges += 1;
                let (first, second) = (began + first, now + latency(now));
                let hedged = if second < first { Hedged::Won } else { Hedged::Lost };
                (first.min(second), Event::Ends { began, hedged })
            }
            Event::Late { began, first } => (began + first, Event::Ends { began, hedged: Hedged::No }),
            Event::Ends { began, hedged } => {
                run.latencies.push(now.since(began));
                hedger.ended(now, now.since(began), hedged);
                continue;
            }
        };
        events.push(at(next.0, next.1, &mut all));
    }
    run.latencies.sort_unstable();
    run
}

/// 8 to 12 ms, and 100 ms for `slow_of_thousand` of a thousand calls.
fn mostly_quick(random: &mut fastrand::Rng, slow_of_thousand: u32) -> Duration {
    match random.u32(..1000) < slow_of_thousand {
        true => 100 * MS,
        false => Duration::from_micros(random.u64(8000..12_000)),
    }
}

#[test]
fn the_slowest_calls_become_quick_for_few_more_requests() {
    for slow in [2, 10, 30] {
        let (hedger, mut random) = (Hedger::default(), fastrand::Rng::with_seed(3));
        run(&hedger, 0..20, |_| mostly_quick(&mut random, slow));
        let run = run(&hedger, 20..80, |_| mostly_quick(&mut random, slow));
        assert!(run.quantile(0.999) <= 30 * MS, "{slow}: {:?}", run.quantile(0.999));
        assert!(run.extra() <= 0.05, "{slow}: {}", run.extra());
    }
}

#[test]
fn calls_are_hedged_from_the_third_second_on_and_soon_after_a_pause() {
    let (hedger, mut random) = (Hedger::default(), fastrand::Rng::with_seed(3));
    for begin in [0, 100] {
        run(&hedger, begin..begin + 2, |_| mostly_quick(&mut random, 40));
        let run = run(&hedger, begin + 2..begin + 4, |_| mostly_quick(&mut random, 40));
        assert!(run.quantile(0.98) <= 30 * MS, "{begin}: {:?}, {}", run.quantile(0.98), run.extra());
        assert!(run.extra() <= 0.05, "{begin}: {}", run.extra());
    }
}

#[test]
fn a_whole_cluster_that_becomes_slow_gets_no_more_load() {
    let (hedger, mut random) = (Hedger::default(), fastrand::Rng::with_seed(3));
    run(&hedger, 0..30, |_| mostly_quick(&mut random, 10));
    let first = run(&hedger, 30..35, |_| 10 * mostly_quick(&mut random, 0));
    assert!(first.extra() <= 0.035, "while it is noticed: {}", first.extra());
    run(&hedger, 35..45, |_| 10 * mostly_quick(&mut random, 0));
    let then = run(&hedger, 45..75, |_| 10 * mostly_quick(&mut random, 0));
    assert!(then.extra() <= 0.003, "{}", then.extra());
    run(&hedger, 75..150, |_| mostly_quick(&mut random, 10));
    let after = run(&hedger, 150..180, |_| mostly_quick(&mut random, 10));
    assert!(after.quantile(0.999) <= 30 * MS, "it hedges again: {:?}", after.quantile(0.999));
}

#[test]
fn too_few_calls_say_nothing() {
    let hedger = Hedger::default();
    for i in 0..99 {
        assert_eq!(hedger.begin(Time(i), 0), None);
        hedger.ended(Time(i), 5 * MS, Hedged::No);
    }
    hedger.ended(Time(2_000_000_000), 5 * MS, Hedged::No);
    assert!(hedger.begin(Time(2_000_000_000), 0).is_some_and(|delay| delay >= 5 * MS && delay < 6 * MS));
    hedger.ended(Time(60_000_000_000), 5 * MS, Hedged::No);
    hedger.ended(Time(62_000_000_000), 5 * MS, Hedged::No);
    assert_eq!(hedger.begin(Time(62_000_000_000), 0), None, "they were long ago");
}

#[test]
fn the_delay_is_the_quantile_and_not_below_the_least() {
    for (percent, least, expected) in [(95.0, 1, 950), (99.0, 1, 990), (95.0, 2000, 2000), (0.0, 1, 500)] {
        let hedger = Hedger::new(HedgeSettings::default().quantile(percent).least_delay(least * MS));
        (1..=1000).for_each(|i| hedger.ended(Time(i), i as u32 * MS, Hedged::No));
        hedger.ended(Time(1_500_000_000), MS, Hedged::No);
        let delay = hedger.delay().unwrap().as_millis();
        assert!((expected..=expected + expected / 15).contains(&delay), "{percent} %: {delay} ms");
    }
}

#[test]
fn the_budget_bounds_hedges_whatever_the_quantile() {
    let settings = HedgeSettings::default().quantile(50.0).budget(2);
    let (hedger, mut random) = (Hedger::new(settings), fastrand::Rng::with_seed(3));
    let run = run(&hedger, 0..60, |_| mostly_quick(&mut random, 100));
    assert!(run.extra() <= 0.02 && run.extra() > 0.01, "{}", run.extra());
}
