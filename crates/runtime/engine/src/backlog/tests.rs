use super::{
    Backlog, Cost, Parked, Rank, Shedding, State,
    cost::TRIAL,
    queue::{Queue, Waiting, Why},
};
use std::{
    sync::{Arc, MutexGuard, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A call that came at `since`, takes 1 ms, may wait 5 ms in a standing queue, and has no deadline.
fn waiting<T>(call: T, since: Instant) -> Waiting<T> {
    let work = ms(1);
    Waiting { call, since, deadline: None, work, median: work, patience: ms(5), is_hurried: false }
}

/// A call of a backlog that takes this long, and may wait for a second.
fn parked(since: Instant, work: Duration) -> Waiting<Parked> {
    Waiting { work, median: work, patience: ms(1000), ..waiting(Parked::none(), since) }
}

/// Has a call refused each millisecond, from `t` on for 200 ms. Returns the time afterwards.
fn overload(backlog: &Backlog, mut state: MutexGuard<'_, State>, t: Instant) -> Instant {
    (0..200).for_each(|k| state.queue.note_refused(false, t + ms(k)));
    backlog.publish(&state.queue, t + ms(200));
    t + ms(200)
}

fn queue() -> (Queue<u32>, Instant) {
    let now = Instant::now();
    (Queue::new(Shedding::default(), now), now)
}

/// The calls that are purged at `now`.
fn purged(queue: &mut Queue<u32>, now: Instant) -> Vec<(u32, Why)> {
    let mut out = Vec::new();
    queue.purge(now, |call, why| out.push((call, why)));
    out
}

#[test]
fn a_burst_runs_in_order_and_may_wait_as_long_as_a_burst_lasts() {
    let (mut queue, t) = queue();
    (0..5).for_each(|k| queue.push(Rank::Critical, k as usize % 2, waiting(k, t + ms(k.into()))));
    assert!(!queue.is_standing(t + ms(100)) && purged(&mut queue, t + ms(99)).is_empty());
    let order: Vec<_> = (0..5).map(|_| queue.pop(t + ms(99)).unwrap().call).collect();
    assert_eq!(order, [0, 1, 2, 3, 4]);
    assert_eq!((queue.len(), queue.pop(t).is_none()), (0, true));
    // It was empty: what comes now is a burst again, however long ago the first was.
    queue.push(Rank::Critical, 0, waiting(5, t + ms(1000)));
    assert!(!queue.is_standing(t + ms(1050)));
}

#[test]
fn a_queue_that_stands_gives_the_newest_and_refuses_the_old_ones() {
    let (mut queue, t) = queue();
    (0..4).for_each(|k| queue.push(Rank::Critical, 3, waiting(k, t)));
    (4..8).for_each(|k| queue.push(Rank::Critical, 3, waiting(k, t + ms(100) + ms(k.into()))));
    let now = t + ms(110);
    assert!(queue.is_standing(now));
    assert_eq!(queue.pop(now).unwrap().call, 7);
    let late = [0, 1, 2, 3, 4].map(|k| (k, Why::Late));
    assert_eq!(purged(&mut queue, now), late, "call 4 has waited for 6 ms");
    assert_eq!(queue.len(), 2);
    assert!(purged(&mut queue, now).is_empty(), "not looked at again at once");
    assert_eq!([queue.pop(now), queue.pop(now)].map(|w| w.unwrap().call), [6, 5]);
}

#[test]
fn what_cannot_be_done_before_its_deadline_is_refused_while_the_queue_stands() {
    let (mut queue, t) = queue();
    queue.push(Rank::Sheddable, 1, Waiting { patience: ms(1000), ..waiting(9, t) });
    let t = t + ms(900);
    for (call, left) in [(0, 3), (1, 4)] {
        queue.push(Rank::Critical, 0, Waiting { deadline: Some(t + ms(left)), ..waiting(call, t) });
    }
    assert!(queue.is_standing(t));
    assert!(purged(&mut queue, t + ms(2)).is_empty(), "1 ms is left, and it takes 1 ms");
    assert_eq!(purged(&mut queue, t + ms(2) + ms(1) / 2), [(0, Why::Deadline)]);
    let next = queue.pop(t + ms(3) + ms(1) / 2).unwrap();
    assert_eq!((next.call, queue.verdict(&next, t + ms(3) + ms(1) / 2)), (1, Some(Why::Deadline)));
    assert_eq!(queue.verdict(&next, t + ms(3)), None);
    // On a queue that does not stand it may try, until its caller has given up.
    queue.pop(t).unwrap();
    assert_eq!(queue.verdict(&next, t + ms(3) + ms(1) / 2), None);
    assert_eq!(queue.verdict(&next, t + ms(4)), Some(Why::Deadline));
}

/// A method's first call took a second, and all others take 1 ms; their callers wait for 100 ms. Refused
/// calls do not run, so refusals decide what is measured.
#[test]
fn a_median_that_is_too_high_does_not_stay() {
    let (t, cost) = (Instant::now(), Cost::default());
    let backlog = Backlog::new(Shedding::default(), 1, t);
    cost.add(ms(1), ms(1000));
    let admits = |now| backlog.admit(&cost, 0, Rank::Critical, Some(ms(100)), now).is_ok();
    assert!(admits(t), "the queue does not stand");
    backlog.standing.store(true, Relaxed);
    backlog.bounded.store(true, Relaxed);
    assert!(!admits(t));
    let (mut tried, mut served) = (0, 0);
    for k in 0..3000 {
        let now = t + ms(k);
        if !admits(now) {
            continue;
        }
        let trial = cost.tries(backlog.time(now)); // as in `push`
        tried += u32::from(trial);
        if trial || cost.median() <= ms(100) {
            served += 1;
            cost.add(ms(1), ms(1));
        }
    }
    assert_eq!((tried, served), (2, 2000), "the first second is lost");
}

/// Of calls that really cannot be done in time, one runs each second.
#[test]
fn a_median_that_is_right_stays() {
    let (t, cost) = (Instant::now(), Cost::default());
    let backlog = Backlog::new(Shedding::default(), 1, t);
    backlog.standing.store(true, Relaxed);
    backlog.bounded.store(true, Relaxed);
    cost.add(ms(1), ms(1000));
    let mut ran = 0;
    for now in (0..10_000).map(|k| t + ms(k)) {
        let admitted = backlog.admit(&cost, 0, Rank::Critical, Some(ms(100)), now).is_ok();
        if admitted && cost.tries(backlog.time(now)) {
            ran += 1;
            cost.add(ms(1), ms(1000));
        }
    }
    assert_eq!((ran, cost.median()), (9, ms(1000)));
    assert_eq!(TRIAL, ms(1000));
}

/// Refusing on arrival costs a tenth of refusing a call that has waited: a queue that is full for its
/// method's patience accepts no more, before any call has waited for too long, except in a burst.
#[test]
fn a_full_queue_is_bounded_once_it_is_no_burst() {
    let (mut queue, t) = queue();
    (0..50).for_each(|k| queue.push(Rank::Critical, 0, Waiting { patience: ms(40), ..waiting(k, t) }));
    assert!(!queue.is_bounded(t + ms(100)));
    queue.push(Rank::Critical, 0, Waiting { patience: ms(40), ..waiting(50, t + ms(100)) });
    assert!((0..50).all(|_| queue.pop(t + ms(100)).is_some()));
    assert!(queue.is_bounded(t + ms(101)) && !queue.is_standing(t + ms(101)), "nobody has waited for long");
    queue.pop(t + ms(101));
    assert!(!queue.is_bounded(t + ms(1000)), "it is empty");

    let shedding = Shedding::default().least_wait(ms(1));
    let (backlog, cost) = (Backlog::new(shedding, 1, t), Cost::default());
    cost.add(ms(1), ms(1));
    let call = || Waiting { patience: ms(40), ..parked(t, ms(1)) };
    let mut state = backlog.lock();
    (0..40).for_each(|_| state.queue.push(Rank::Critical, 0, call()));
    backlog.publish(&state.queue, t + ms(100));
    drop(state);
    let admits = || backlog.admit(&cost, 0, Rank::Critical, None, t + ms(101)).is_ok();
    assert!(admits(), "it is a burst");
    backlog.publish(&backlog.lock().queue, t + ms(101));
    assert!(!admits() && backlog.report().crowded == 1);
    // One refusal is a busy moment, and many are overload, in which the queue holds eight calls.
    let left = |calls: usize| {
        let mut state = backlog.lock();
        while state.queue.len() > calls {
            state.queue.pop(t + ms(101));
        }
    };
    left(20);
    assert!(admits());
    let mut state = backlog.lock();
    (0..100).for_each(|k| state.queue.note_refused(false, t + ms(101 + k)));
    drop(state);
    let admits = || backlog.admit(&cost, 0, Rank::Critical, None, t + ms(201)).is_ok();
    assert!(!admits());
    left(8);
    assert!(!admits());
    left(7);
    assert!(admits());
}

/// An overloaded queue is empty for a moment when all that waited were refused. If that began another burst,
/// thousands of calls would be let in and refused late.
#[test]
fn a_queue_that_has_just_refused_calls_begins_no_burst() {
    let (mut queue, t) = queue();
    queue.push(Rank::Critical, 0, waiting(0, t));
    assert_eq!(purged(&mut queue, t + ms(101)), [(0, Why::Late)]);
    queue.push(Rank::Critical, 0, waiting(1, t + ms(102)));
    assert!(queue.is_bounded(t + ms(103)), "it has refused a call 2 ms ago");
    queue.pop(t + ms(103));
    queue.push(Rank::Critical, 0, waiting(2, t + ms(202)));
    assert!(!queue.is_bounded(t + ms(302)), "it has refused nothing for 100 ms");
}

#[test]
fn the_longest_times_do_not_overflow() {
    let now = Instant::now();
    let most = Duration::MAX;
    let shedding = Shedding::default().burst(Duration::ZERO).least_wait(most).most_wait(most);
    let backlog = Backlog::new(shedding, 1, now);
    let patience = backlog.settings.options().patience(&Cost::default(), 1);
    let mut queue = Queue::new(backlog.settings.options(), now);
    queue.push(Rank::Critical, 0, Waiting { patience, ..waiting(0, now) });
    assert!(!queue.is_standing(now + ms(1)) && purged(&mut queue, now + ms(1)).is_empty());
}

#[test]
fn in_a_standing_queue_the_important_go_first_and_callers_take_turns() {
    let (mut queue, t) = queue();
    let now = t + ms(101);
    queue.push(Rank::Sheddable, 0, waiting(0, t));
    (1..50).for_each(|k| queue.push(Rank::Critical, 1, waiting(k, now)));
    (50..53).for_each(|k| queue.push(Rank::Critical, 2, waiting(k, now)));
    queue.push(Rank::CriticalPlus, 1, waiting(99, now));
    let order: Vec<_> = (0..8).map(|_| queue.pop(now).unwrap().call).collect();
    assert_eq!(order[0], 99);
    let patient = order.iter().filter(|call| (50..53).contains(*call)).count();
    assert_eq!(patient, 3, "the caller with few calls has its turns: {order:?}");
    // Full: the least important goes, then a call of the caller with the most.
    assert_eq!(queue.evict(now), Some(0));
    assert_eq!(queue.evict(now), Some(1));
    let ahead = |rank, caller| queue.ahead_of(rank, caller);
    let [one, two] = [1, 2].map(|caller| ahead(Rank::Sheddable, caller));
    assert_eq!((one.of_caller.calls, two.of_caller.calls, one.callers, two.callers), (44, 0, 1, 2));
    assert!(one.is_share() && !two.is_share());
    let calls = [Rank::CriticalPlus, Rank::Critical].map(|rank| ahead(rank, 1).amount.calls);
    assert_eq!((calls, queue.amount().work), ([0, 44], ms(44)));
}

/// The calls of a simulation, all of one method. They arrive at random times.
#[derive(Clone, Copy)]
struct Load {
    workers: u32,
    service: Duration,
    /// The rate of arrivals, in parts of the workers' capacity.
    load: f64,
    /// The number of calls that arrive at once.
    burst: usize,
    /// How long callers in a hurry wait. Their calls take half of `service` to one and a half; others always
    /// take `service`.
    within: Option<Duration>,
    /// One of this many calls comes from a caller in a hurry; the others wait as long as it takes.
    one_in: usize,
}

/// The results of a simulation.
struct Outcome {
    offered: usize,
    refused: usize,
    /// The share of the refused calls in the second half that had waited first.
    refused_late: f64,
    /// The number of refused calls whose callers would have waited.
    refused_patient: i32,
    /// Calls that were answered in time per worker and time of a call, so 1 is all that the workers can do.
    goodput: f64,
    /// The longest time in the backlog of 99 of 100 calls that were served, in times of a call.
    p99: f64,
}

/// The model of docs/design/overload.md. Refusals cost nothing.
fn model(load: Load) -> Outcome {
    let Load { workers, service, load, burst, within, one_in } = load;
    let in_a_second = load * f64::from(workers) / service.as_secs_f64();
    let offered = match within {
        None => ((5.0 * in_a_second) as usize).max(20_000),
        Some(_) => (in_a_second as usize).max(5000),
    };
    let (t, cost) = (Instant::now(), Cost::default());
    cost.add(service, service);
    let backlog = Backlog::new(Shedding::default(), workers, t);
    let mut random = 88_172_645_463_325_252u64;
    let mut uniform = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        ((random >> 11) as f64 + 1.0) / (1u64 << 53) as f64
    };
    let (mut arrival, mut free) = (t, vec![t; workers as usize]);
    let (mut waits, mut late, mut refused, mut refused_late, mut patient) = (Vec::new(), 0, 0, 0, 0);
    let mut in_first_half = (0, 0);
    for k in 0..offered {
        if k == offered / 2 {
            in_first_half = (refused, refused_late);
        }
        if k % burst == 0 {
            let mean = service.mul_f64(burst as f64 / load / f64::from(workers));
            arrival += mean.mul_f64(-uniform().ln());
        }
        let within = within.filter(|_| k % one_in == 0);
        patient += i32::from(within.is_none());
        let mut state = backlog.lock();
        while let Some(worker) = free.iter_mut().min().filter(|at| **at < arrival) {
            let Some(next) = state.queue.pop(*worker) else {
                free.iter_mut().for_each(|at| *at = arrival.max(*at));
                break;
            };
            match state.queue.verdict(&next, *worker) {
                Some(why) => {
                    refused_late += 1;
                    state.queue.note(&next, why, *worker);
                }
                None => {
                    waits.push(*worker - next.since);
                    patient -= i32::from(next.deadline.is_none());
                    *worker += service.mul_f64(if next.deadline.is_some() { 0.5 + uniform() } else { 1.0 });
                    late += usize::from(next.deadline.is_some_and(|deadline| deadline < *worker));
                }
            }
        }
        backlog.publish(&state.queue, arrival);
        drop(state);
        if backlog.admit(&cost, 0, Rank::Critical, within, arrival).is_err() {
            refused += 1;
            continue;
        }
        let mut state = backlog.lock();
        state.queue.purge(arrival, |_, _| refused_late += 1);
        let deadline = within.map(|within| arrival + within);
        let (patience, is_hurried) = backlog.patience(&cost, service, within);
        let call = Parked::none();
        let (work, median) = (service, service);
        let call = Waiting { call, since: arrival, deadline, work, median, patience, is_hurried };
        state.queue.push(Rank::Critical, 0, call);
        backlog.publish(&state.queue, arrival);
    }
    let mut state = backlog.lock();
    while let Some(waiting) = state.queue.pop(arrival) {
        patient -= i32::from(waiting.deadline.is_none());
    }
    drop(state);
    let capacity = (arrival - t).as_secs_f64() * f64::from(workers) / service.as_secs_f64();
    let goodput = (waits.len() - late) as f64 / capacity;
    // Not what waits until it has found out that it is overloaded.
    let mut waits = waits.split_off(waits.len() / 3);
    waits.sort();
    let p99 = waits[waits.len() * 99 / 100].as_secs_f64() / service.as_secs_f64();
    let in_second_half = (refused - in_first_half.0, refused_late - in_first_half.1);
    let refused = refused + refused_late;
    let refused_late = in_second_half.1 as f64 / (in_second_half.0 + in_second_half.1).max(1) as f64;
    Outcome { offered, refused, refused_late, refused_patient: patient, goodput, p99 }
}

/// Nothing is refused at seven tenths of the workers' capacity, and next to nothing at nine tenths. At five
/// times the capacity no worker is ever idle, and no served call has waited for longer than twice the longest
/// waits at nine tenths.
#[test]
fn a_busy_server_refuses_nobody_and_an_overloaded_one_serves_fresh_calls() {
    for (workers, service) in [(1, ms(1)), (2, Duration::from_micros(300)), (4, ms(10))] {
        let load = |load| Load { workers, service, load, burst: 1, within: None, one_in: 1 };
        let [easy, busy, much] = [0.7, 0.9, 5.0].map(|times| model(load(times)));
        let of = format!("{workers} workers, calls of {service:?}");
        assert_eq!(easy.refused, 0, "{of}");
        assert!(busy.refused * 1000 <= busy.offered, "{of}: {} of {}", busy.refused, busy.offered);
        assert!(much.goodput > 0.99, "{of}: {}", much.goodput);
        assert!(much.p99 < 2.0 * busy.p99, "{of}: {} and {}", much.p99, busy.p99);
    }
}

/// The same of callers who give up before a call has waited for too long.
#[test]
fn an_overloaded_server_answers_in_time_however_soon_callers_give_up() {
    for (workers, service, within) in
        [(1, 1, 100), (1, 1, 20), (1, 1, 10), (2, 1, 100), (4, 10, 100), (4, 10, 1000), (1, 10, 400)]
    {
        let (service, within) = (ms(service), ms(within));
        let load = |load| Load { workers, service, load, burst: 1, within: Some(within), one_in: 1 };
        let of = |load| format!("{workers} workers, calls of {service:?} within {within:?}, load {load}");
        for times in [1.05, 1.1, 1.2, 2.0, 5.0] {
            let outcome = model(load(times));
            assert!(outcome.goodput > 0.9, "{}: {}", of(times), outcome.goodput);
        }
        let [easy, busy] = [0.7, 0.9].map(|times| model(load(times)));
        assert!(easy.refused * 1000 < easy.offered, "{}: {}", of(0.7), easy.refused);
        assert!(busy.goodput > 0.84, "{}: {}", of(0.9), busy.goodput);
    }
}

/// Refusing a call that has waited costs ten times as much as refusing it on arrival, which is how most are
/// refused, therefore, whatever hurry their callers are in.
#[test]
fn an_overloaded_server_refuses_on_arrival() {
    for (workers, service, within) in
        [(1, 1, 100), (2, 1, 100), (4, 10, 400), (1, 1, 20), (1, 1, 10), (1, 1, 10_000)]
    {
        for (times, most) in [(1.6, 0.3), (2.0, 0.02), (3.0, 0.02), (5.0, 0.02)] {
            let (service, within) = (ms(service), Some(ms(within)));
            let outcome = model(Load { workers, service, load: times, burst: 1, within, one_in: 1 });
            let of = format!("{workers} workers, calls of {service:?} within {within:?}, load {times}");
            assert!(outcome.refused_late < most, "{of}: {}", outcome.refused_late);
        }
    }
}

/// One worker, and the calls of one method that come to it.
struct Worker {
    backlog: Arc<Backlog>,
    cost: Cost,
    service: Duration,
    /// When it has done what it does.
    free: Instant,
    /// Calls by caller: those that were served, and those that came.
    served: [u32; 2],
    came: [u32; 2],
    /// The longest time that a served call of the second caller has waited.
    longest: Duration,
}

impl Worker {
    fn new(service: Duration, now: Instant) -> Worker {
        let cost = Cost::default();
        cost.add(service, service);
        let backlog = Backlog::new(Shedding::default(), 1, now);
        Worker { backlog, cost, service, free: now, served: [0; 2], came: [0; 2], longest: Duration::ZERO }
    }

    /// The number of calls of `caller` that wait.
    fn waiting(&self, caller: usize) -> usize {
        self.backlog.lock().queue.ahead_of(Rank::Sheddable, caller).of_caller.calls
    }

    /// A call of `caller`, which waits for its answer for `within`. Returns whether it may wait.
    fn comes(&mut self, caller: usize, within: Option<Duration>, now: Instant) -> bool {
        self.came[caller] += 1;
        self.backlog.publish(&self.backlog.lock().queue, now);
        if self.backlog.admit(&self.cost, caller as u64, Rank::Critical, within, now).is_err() {
            return false;
        }
        let (patience, is_hurried) = self.backlog.patience(&self.cost, self.service, within);
        let (call, work, median) = (Parked::none(), self.service, self.service);
        let deadline = within.map(|within| now + within);
        let call = Waiting { call, since: now, deadline, work, median, patience, is_hurried };
        let queue = &mut self.backlog.lock().queue;
        queue.push(Rank::Critical, caller, call);
        queue.purge(now, |_, _| {});
        true
    }

    /// Serves until `now`.
    fn serves(&mut self, now: Instant) {
        while self.free < now {
            let before = self.waiting(0);
            let queue = &mut self.backlog.lock().queue;
            let Some(next) = queue.pop(self.free) else {
                self.free = now;
                break;
            };
            match queue.verdict(&next, self.free) {
                Some(why) => queue.note(&next, why, self.free),
                None => {
                    let caller = usize::from(queue.ahead_of(Rank::Sheddable, 0).of_caller.calls == before);
                    self.served[caller] += 1;
                    if caller == 1 {
                        self.longest = self.longest.max(self.free.saturating_duration_since(next.since));
                    }
                    self.free += self.service;
                }
            }
        }
    }
}

/// One caller has five times as many calls as can be done, and another one needs a fifth of the worker.
#[test]
fn one_caller_does_not_keep_out_another() {
    for within in [None, Some(ms(100))] {
        let t = Instant::now();
        let mut worker = Worker::new(ms(1), t);
        for step in 0..30_000 {
            let now = t + step * Duration::from_micros(200);
            worker.serves(now);
            worker.comes(0, within, now);
            if step % 25 == 0 {
                worker.comes(1, within, now);
            }
            if step == 5000 {
                (worker.served, worker.came) = ([0; 2], [0; 2]); // it has found out
                worker.longest = Duration::ZERO;
            }
        }
        let Worker { served, came, longest, .. } = worker;
        assert!(served[1] * 100 >= came[1] * 95, "{within:?}: {served:?} of {came:?}");
        assert!(served[0] >= 3800, "{within:?}: {served:?} of {came:?}, and they are 5000 ms");
        assert!(
            longest <= ms(3),
            "{within:?}: it takes turns with the other, and has waited for {longest:?}"
        );
    }
}

/// A hundred callers in turn with calls of 0.3 ms, and callers in a hurry beside them. Once the worker can do
/// nothing for a quarter of a second, and those who are in a hurry are refused.
#[test]
fn callers_in_a_hurry_are_let_in_again_after_a_stall() {
    let (t, us) = (Instant::now(), Duration::from_micros);
    let mut worker = Worker::new(us(300), t);
    let mut refused = 0;
    for step in 0..5000 {
        let now = t + ms(1) * step;
        if step == 1000 {
            worker.free += ms(250);
        }
        worker.serves(now);
        let waiting = worker.waiting(0);
        let again = (waiting..100).filter(|_| worker.comes(0, None, now)).count();
        assert_eq!(waiting + again, 100, "they wait for as long as it takes");
        refused += u32::from(!worker.comes(1, Some(ms(200)), now) && step > 3000);
    }
    assert_eq!(refused, 0, "served {:?}", worker.served);
}

/// Bursts of 20 calls of 1 ms every 40 ms, so half of what the worker can do, whoever's they are. A queue
/// that was cut to eight during a stall would refuse 12 of them, and so would stay as it is.
#[test]
fn bursts_are_let_in_again_after_a_stall() {
    for (within, patient, stall) in [(Some(ms(200)), 3, ms(250)), (None, 0, ms(1200))] {
        let t = Instant::now();
        let mut worker = Worker::new(ms(1), t);
        let mut refused = [0; 2];
        for step in 0..5000 {
            let now = t + ms(1) * step;
            if step == 1000 {
                worker.free += stall;
            }
            worker.serves(now);
            (worker.waiting(0)..patient).for_each(|_| _ = worker.comes(0, None, now));
            for _ in 0..if step % 40 == 0 { 20 } else { 0 } {
                refused[usize::from(step > 3000)] += u32::from(!worker.comes(1, within, now));
            }
        }
        assert!(refused[0] > 0 && refused[1] == 0, "{within:?}: {refused:?}, served {:?}", worker.served);
    }
}

/// One call in thirteen is refused, and so few come that it is a third of them for 75 ms.
#[test]
fn one_refusal_among_few_calls_is_no_overload() {
    let (mut queue, t) = queue();
    for k in 0..100 {
        let now = t + ms(25) * k;
        queue.push(Rank::Critical, 0, waiting(k, now));
        if k % 12 == 0 {
            queue.note_refused(false, now);
        }
        assert!(!queue.is_overloaded(now), "call {k}");
    }
    (100..200).for_each(|k| queue.note_refused(false, t + ms(25) * k));
    assert!(queue.is_overloaded(t + ms(25) * 199));
}

/// The queue of an overloaded server is short: its oldest call has not waited for long enough that it would
/// stand.
#[test]
fn an_overloaded_server_serves_the_important_first_and_callers_in_turn() {
    let (mut queue, t) = queue();
    queue.push(Rank::Critical, 0, waiting(9, t));
    (0..200).for_each(|k| queue.note_refused(false, t + ms(k)));
    let now = t + ms(200);
    queue.pop(now).unwrap();
    for (caller, rank, call) in [
        (1, Rank::Critical, 1),
        (1, Rank::Critical, 2),
        (1, Rank::Sheddable, 5),
        (2, Rank::Critical, 3),
        (2, Rank::CriticalPlus, 0),
    ] {
        queue.push(rank, caller, Waiting { patience: ms(500), ..waiting(call, now) });
    }
    assert!(queue.is_overloaded(now) && !queue.is_standing(now));
    let order: Vec<_> = (0..5).map(|_| queue.pop(now).unwrap().call).collect();
    assert_eq!(order, [0, 1, 3, 2, 5]);
}

/// A share is one of the calls that are counted: neither many callers with a call each, nor less important
/// calls of the same caller, keep out a caller of whom none is ahead.
#[test]
fn a_caller_with_less_than_its_share_is_let_in() {
    let (t, cost) = (Instant::now(), Cost::default());
    cost.add(ms(1), ms(1));
    let backlog = Backlog::new(Shedding::default(), 1, t);
    let mut state = backlog.lock();
    let mut push = |rank, caller, count| {
        (0..count).for_each(|_| state.queue.push(rank, caller, parked(t, ms(1))));
    };
    (1..=8).for_each(|caller| push(Rank::Critical, caller, 1));
    push(Rank::Sheddable, 9, 100);
    let now = overload(&backlog, state, t);
    let admits = |caller| backlog.admit(&cost, caller, Rank::Critical, None, now).is_ok();
    assert_eq!([1, 8, 9, 10].map(admits), [false, false, true, true]);
}

/// A queue is as long as what there is to do in it, not as its calls are many; and one dear call does not
/// keep out the quick ones.
#[test]
fn a_queue_is_as_full_as_its_calls_are_long() {
    let t = Instant::now();
    let [quick, slow] = [1, 100].map(|n| {
        let cost = Cost::default();
        cost.add(ms(n), ms(n));
        cost
    });
    for (waiting, admits) in
        [([40, 0], [false, true]), ([0, 1], [true, true]), ([0, 6], [false, true]), ([0, 9], [false, false])]
    {
        let backlog = Backlog::new(Shedding::default(), 1, t);
        let mut state = backlog.lock();
        for (calls, work) in waiting.into_iter().zip([ms(1), ms(100)]) {
            (0..calls).for_each(|_| state.queue.push(Rank::Critical, 0, parked(t, work)));
        }
        let now = overload(&backlog, state, t);
        let found = [&quick, &slow].map(|cost| backlog.admit(cost, 0, Rank::Critical, None, now).is_ok());
        assert_eq!(found, admits, "{waiting:?}");
        assert!(backlog.admit(&quick, 0, Rank::CriticalPlus, None, now).is_ok(), "none is ahead of it");
    }
}

/// A call of 700 ms runs, and another one of that caller waits. Quick calls of another caller may come in as
/// long as the queue is no longer than twice their wait, and none of them costs the dear one its place.
#[test]
fn a_dear_call_keeps_its_place_where_quick_ones_come_in() {
    let (t, cost) = (Instant::now(), Cost::default());
    cost.add(ms(1), ms(1));
    let backlog = Backlog::new(Shedding::default(), 1, t);
    let mut state = backlog.lock();
    for (caller, work) in [(0, ms(700))].into_iter().chain([(1, ms(1)); 6]) {
        state.queue.push(Rank::Critical, caller, Waiting { patience: ms(2800), ..parked(t, work) });
    }
    backlog.publish(&state.queue, t + ms(120));
    let waiting = state.queue.amount();
    drop(state);
    assert!(backlog.admit(&cost, 1, Rank::Critical, None, t + ms(120)).is_ok(), "it has less than its share");
    assert!(!backlog.is_overfull(waiting, &cost));
    assert!(backlog.is_overfull(super::Amount { work: ms(1000), ..waiting }, &cost));
}

/// Calls of which nothing is known count 20 us each, so as many wait as can be done in 2 ms.
#[test]
fn calls_of_an_unknown_cost_have_a_bound() {
    let (t, cost) = (Instant::now(), Cost::default());
    let backlog = Backlog::new(Shedding::default(), 1, t);
    for (waiting, admits) in [(99, true), (1, false)] {
        let mut state = backlog.lock();
        for _ in 0..waiting {
            let call = Waiting { median: Duration::ZERO, ..parked(t, super::WORTH) };
            state.queue.push(Rank::Critical, 0, call);
        }
        let now = overload(&backlog, state, t);
        assert_eq!(backlog.admit(&cost, 0, Rank::Critical, None, now).is_ok(), admits);
    }
}

/// A burst takes longer than callers in a hurry wait. That is no overload: no others are refused, and few of
/// theirs.
#[test]
fn bursts_below_capacity_are_served_whatever_hurry_some_callers_are_in() {
    let load = Load { workers: 1, service: ms(1), load: 0.6, burst: 20, within: Some(ms(100)), one_in: 1 };
    for (times, most) in [(0.6, 0.05), (0.8, 0.12)] {
        let outcome = model(Load { load: times, ..load });
        let lost = outcome.refused as f64 / outcome.offered as f64;
        assert!(lost < most, "load {times}: {lost}");
    }
    for within in [ms(3), ms(10), ms(100)] {
        let outcome = model(Load { load: 0.8, within: Some(within), one_in: 8, ..load });
        assert_eq!(outcome.refused_patient, 0, "one of eight callers waits for {within:?}");
    }
}

#[test]
fn costs_are_followed() {
    let cost = Cost::default();
    let us = Duration::from_micros;
    for k in 0..20_000u64 {
        cost.add(us(if k % 50 == 0 { 5000 } else { 1000 }), us(3000 + k % 3));
    }
    let (mean, p99, median) = (cost.mean(), cost.p99(), cost.median());
    assert!((us(1000)..us(1400)).contains(&mean), "{mean:?}");
    assert!((us(3000)..us(6500)).contains(&p99), "{p99:?}");
    assert!((us(2700)..us(3300)).contains(&median), "{median:?}");
    (0..3000).for_each(|_| cost.add(us(10), us(10)));
    assert!(cost.mean() < us(15) && cost.median() < us(15), "{cost:?}");
}

#[test]
fn ranks_have_names() {
    assert_eq!(Rank::by_name(b"SHEDDABLE_PLUS"), Rank::SheddablePlus);
    assert_eq!(Rank::by_name(b"sheddable"), Rank::Sheddable);
    assert_eq!(Rank::by_name(b"critical_plus"), Rank::CriticalPlus);
    assert_eq!(Rank::by_name(b"urgent"), Rank::Critical);
}
