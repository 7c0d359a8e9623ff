//! The breaker against a model of brpc's code, and its states.

use super::*;
use crate::Failed;

const MS: Duration = Duration::from_millis(1);
const FAILED: End = End::Failed(Failed { timeout: Duration::ZERO, tries_before: 0, tries_left: 0 });

/// A breaker and its clock: calls follow each other at once and take a given time.
struct Test {
    breaker: Breaker,
    now: Time,
}

impl Test {
    fn new(settings: BreakerSettings) -> Self {
        Test { breaker: Breaker::new(settings), now: Time(1_000_000_000_000) }
    }

    fn call(&mut self, end: End, latency: Duration) -> Option<Isolation> {
        let picked = self.now;
        self.now = self.now + latency;
        self.breaker.ended(&Outcome { picked, now: self.now, end })
    }

    /// Successes that fill both windows.
    fn fill(&mut self, latency: Duration) {
        (0..3000).for_each(|_| assert_eq!(self.call(End::Answered, latency), None));
    }

    /// Fails until it breaks.
    fn break_(&mut self) -> Isolation {
        (0..10_000).find_map(|_| self.call(FAILED, MS)).expect("an isolation")
    }
}

/// brpc's `EmaErrorRecorder`, with the fractions that its integers lose.
struct Model {
    calls: f64,
    percent: f64,
    smooth: f64,
    seen: u32,
    failures: u32,
    average: f64,
    cost: f64,
}

impl Model {
    fn new(calls: u32, percent: u32) -> Self {
        let (calls, percent) = (f64::from(calls), f64::from(percent));
        let smooth = 0.02_f64.powf(1.0 / calls);
        Model { calls, percent, smooth, seen: 0, failures: 0, average: 0.0, cost: 0.0 }
    }

    fn ended(&mut self, failed: bool, micros: f64) -> bool {
        let mut healthy = true;
        if failed {
            let cost = if self.average > 0.0 { micros.min(2.0 * self.average) } else { micros };
            self.cost += cost;
            healthy = self.cost <= self.average * self.calls * (self.percent / 100.0) * 1.02;
        } else {
            self.average = match self.average {
                0.0 => micros,
                average => average * self.smooth + micros * (1.0 - self.smooth),
            };
            self.cost = if self.cost < 500.0 { 0.0 } else { self.cost * self.smooth };
        }
        if f64::from(self.seen) < self.calls {
            self.seen += 1;
            if failed {
                self.failures += 1;
                return f64::from(self.failures - 1) < self.calls * self.percent / 100.0;
            }
            return true;
        }
        healthy
    }
}

/// Nanoseconds are rounded down, so the breaker may break a call or two apart from the model, which is exact.
#[test]
fn it_breaks_at_the_call_at_which_brpc_breaks() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut broken_late = 0;
    for run in 0..60 {
        let mut test = Test::new(BreakerSettings::default());
        let mut models = [Model::new(3000, 5), Model::new(1500, 10)];
        let (good, bad) = (random.u64(0..4000), random.f64() * 0.4);
        let (mut expected, mut found) = (None, None);
        for call in 0..20_000_u64 {
            let failed = random.f64() < if call < good { 0.01 } else { bad };
            let micros = random.u64(100..20_000);
            let healthy = models.each_mut().map(|model| model.ended(failed, micros as f64));
            expected = expected.or((healthy != [true; 2]).then_some(call));
            let end = if failed { FAILED } else { End::Answered };
            found = found.or(test.call(end, Duration::from_micros(micros)).map(|_| call));
            if let (Some(_), Some(_)) = (expected, found) {
                break;
            }
        }
        assert_eq!(found, expected, "run {run}");
        broken_late += usize::from(found.is_some_and(|call| call > 3000));
    }
    assert!(broken_late > 5, "both ways of judging are compared: {broken_late}");
}

#[test]
fn the_first_calls_are_judged_by_the_number_of_failures() {
    let mut test = Test::new(BreakerSettings::default());
    for failure in 0..150 {
        assert_eq!(test.call(FAILED, MS), None, "10 % of 1500 and 5 % of 3000 are 150: {failure}");
    }
    let isolation = test.call(FAILED, MS).expect("the 151st failure");
    assert_eq!((isolation.length, isolation.times), (100 * MS, 1));
    assert_eq!(isolation.until, test.now + 100 * MS);
    assert_eq!(test.breaker.isolated_until(), Some(isolation.until));
}

#[test]
fn quick_failures_cost_less_than_slow_ones() {
    let failures_until_broken = |latency: Duration| {
        let mut test = Test::new(BreakerSettings::default());
        test.fill(10 * MS);
        (1..).find(|_| test.call(FAILED, latency).is_some()).unwrap()
    };
    // 3000 x 5 % x 1.02 = 153 average latencies, and 1500 x 10 % as many.
    assert_eq!(failures_until_broken(10 * MS), 154);
    assert_eq!(failures_until_broken(5 * MS), 307);
    assert_eq!(failures_until_broken(20 * MS), 77);
    assert_eq!(failures_until_broken(Duration::from_secs(9)), 77, "no more than twice the average");
}

#[test]
fn isolation_doubles_up_to_the_longest_and_starts_over_after_quiet_time() {
    let mut test = Test::new(BreakerSettings::default());
    let mut lengths = Vec::new();
    for _ in 0..11 {
        let isolation = test.break_();
        lengths.push(isolation.length.as_millis());
        test.now = isolation.until;
    }
    assert_eq!(lengths, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    assert_eq!(test.breaker.times(), 11);
    test.now = test.now + Duration::from_secs(30);
    assert_eq!(test.break_().length, 100 * MS);
}

#[test]
fn calls_of_the_time_before_the_isolation_ended_do_not_count() {
    let mut test = Test::new(BreakerSettings::default());
    let isolation = test.break_();
    let picked = Time(isolation.until.0 - 1);
    for _ in 0..1000 {
        let late = Outcome { picked, now: isolation.until + 5 * MS, end: FAILED };
        assert_eq!(test.breaker.ended(&late), None);
    }
    test.now = isolation.until;
    assert_eq!((0..150).find_map(|_| test.call(FAILED, MS)), None, "the windows began anew");
    assert!(test.call(FAILED, MS).is_some());
}

#[test]
fn overload_and_calls_given_up_do_not_break() {
    let overloaded = End::Overloaded(Failed { timeout: MS, tries_before: 0, tries_left: 0 });
    for end in [overloaded, End::GivenUp, End::Answered] {
        let mut test = Test::new(BreakerSettings::default());
        assert_eq!((0..10_000).find_map(|_| test.call(end, MS)), None, "{end:?}");
    }
}

#[test]
fn half_open_forgives_no_failure_until_enough_calls_succeeded() {
    let settings = BreakerSettings::default().half_open(3);
    let mut test = Test::new(settings);
    assert!(!test.breaker.is_half_open(), "not before the first isolation");
    test.now = test.break_().until;
    test.call(End::Answered, MS);
    test.call(End::Answered, MS);
    assert!(test.breaker.is_half_open());
    test.now = test.call(FAILED, MS).expect("the third one fails").until;
    (0..3).for_each(|_| assert_eq!(test.call(End::Answered, MS), None));
    assert!(!test.breaker.is_half_open());
    assert_eq!(test.call(FAILED, MS), None);
    let mut closed = Test::new(BreakerSettings::default());
    closed.now = closed.break_().until;
    assert_eq!(closed.call(FAILED, MS), None, "without half-open one failure is forgiven");
}

#[test]
fn of_many_threads_one_breaks() {
    let breaker = Breaker::default();
    let broken: usize = std::thread::scope(|scope| {
        let fail = || {
            let outcome = Outcome { picked: Time(5), now: Time(1_000_005), end: FAILED };
            (0..1000).filter(|_| breaker.ended(&outcome).is_some()).count()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(fail)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!((broken, breaker.times()), (1, 1));
}

#[test]
fn no_setting_makes_it_panic() {
    let settings = BreakerSettings::default().short_window(0, 1000).long_window(u32::MAX, 0).cost_limit(0);
    let settings =
        settings.epsilon(f64::NAN).isolation(Duration::MAX, Duration::ZERO).free_cost(Duration::MAX);
    let mut test = Test::new(settings.half_open(u32::MAX));
    for latency in [Duration::ZERO, MS, Duration::MAX] {
        for end in [End::Answered, FAILED, FAILED, End::GivenUp] {
            test.call(end, latency);
        }
    }
}

#[test]
fn a_set_without_a_place_keeps_it_in_and_is_asked_again_at_the_next_failure() {
    let mut test = Test::new(BreakerSettings::default().max_percent(50));
    test.fill(MS);
    let mut asked = 0;
    for _ in 0..400 {
        let picked = test.now;
        test.now = test.now + MS;
        let outcome = Outcome { picked, now: test.now, end: FAILED };
        let broken = test.breaker.ended_if(&outcome, |percent| {
            assert_eq!(percent, 50);
            asked += 1;
            None::<()>
        });
        assert_eq!(broken, None);
    }
    assert!(asked > 100, "{asked}");
    assert_eq!((test.breaker.times(), test.breaker.isolated_until()), (0, None));
    assert_eq!(test.call(FAILED, MS).map(|isolation| isolation.times), Some(1));
}
