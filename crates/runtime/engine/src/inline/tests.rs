//! Where handlers are polled, depending on their cost. CPU time is really used and measured by the thread's
//! clock; wall time is virtual.

use super::*;
use polywire_machine_testing::until;
use std::{pin::pin, sync::atomic::AtomicUsize};
use tokio::{runtime::Handle, time};

const BUDGET: Duration = Duration::from_micros(100);
const SLOW_POLL: Duration = Duration::from_micros(101);
const QUICK_POLL: Duration = Duration::from_micros(100);
const METHOD: MethodName = &"test.Service.Method";

fn adaptive() -> Arc<Gauge> {
    Gauge::new(Inline::Adaptive, BUDGET)
}

/// Runs a test on one thread whose clock stands still unless the test advances it.
fn paused<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.expect("a runtime").block_on(test)
}

fn shard() -> Arc<Shard> {
    Shard::new(0, Handle::current(), Handle::current(), false)
}

/// Lets wall-clock time pass without using CPU time.
fn wait_in_vain(time: Duration) {
    let mut passing = pin!(time::advance(time));
    let _ = passing.as_mut().poll(&mut Context::from_waker(Waker::noop()));
}

/// Uses this much CPU time, and no time by the clock.
fn burn_unseen(time: Duration) {
    let begun = os::thread_cpu_time();
    while os::thread_cpu_time() - begun < time {
        std::hint::spin_loop();
    }
}

/// Uses this much CPU time, which passes by the clock, too.
fn burn(time: Duration) {
    burn_unseen(time);
    wait_in_vain(time);
}

/// One call of a handler that is ready at once.
fn call(gauge: &Gauge, shard: &Shard, work: impl FnOnce() + Send + 'static) -> Duration {
    let mut future: HandlerFuture = Box::pin(async move {
        work();
        Outcome::default()
    });
    let mut polled = Poll::Pending;
    let took = poll_here(&mut polled, &mut future, gauge, shard, METHOD, &mut clock::now());
    assert!(polled.is_ready(), "it does not wait");
    took
}

#[test]
fn two_slow_polls_among_the_watched_send_a_method_to_the_pool() {
    let gauge = adaptive();
    gauge.probed(SLOW_POLL);
    for _ in 0..PROBES - 2 {
        gauge.probed(QUICK_POLL);
        assert_eq!(gauge.place(), Place::Shard, "one slow poll is an accident");
    }
    gauge.probed(SLOW_POLL);
    assert_eq!((gauge.place(), gauge.demotions()), (Place::Pool, 1));
    assert!(!gauge.probing(), "nothing is left to find out");
}

#[test]
fn slow_polls_further_apart_are_forgotten() {
    let gauge = adaptive();
    for _ in 0..5 {
        gauge.probed(SLOW_POLL);
        (1..PROBES).for_each(|_| gauge.probed(QUICK_POLL));
        assert!(!gauge.probing(), "watching a method costs two readings of a clock for each poll");
        gauge.note_slow_poll();
        assert!(gauge.probing());
    }
    assert_eq!((gauge.place(), gauge.demotions()), (Place::Shard, 0));
    // A further suspicion while the method is measured does not restart the count: the slow poll before it
    // still counts.
    gauge.probed(SLOW_POLL);
    gauge.note_slow_poll();
    gauge.probed(SLOW_POLL);
    assert_eq!(gauge.place(), Place::Pool);
}

#[test]
fn one_poll_of_ten_budgets_is_enough_and_just_ten_are_not_more_than_that() {
    let gauge = adaptive();
    gauge.probed(BUDGET * 10);
    assert_eq!(gauge.place(), Place::Shard);
    let gauge = adaptive();
    gauge.probed(BUDGET * 10 + Duration::from_nanos(1));
    assert_eq!((gauge.place(), gauge.demotions()), (Place::Pool, 1));
}

#[test]
fn wall_time_alone_sends_nothing_to_the_pool() {
    paused(async {
        let (gauge, shard) = (Gauge::new(Inline::Adaptive, Duration::from_millis(200)), shard());
        for _ in 0..3 * PROBES {
            let took = call(&gauge, &shard, || wait_in_vain(Duration::from_secs(1)));
            assert_eq!(took, Duration::from_secs(1), "the poll took long by the clock");
            assert_eq!(gauge.place(), Place::Shard, "and its thread did not run meanwhile");
        }
        assert_eq!(gauge.demotions(), 0);
    });
}

#[test]
fn a_method_that_computes_is_found_out_by_its_first_call() {
    paused(async {
        let (gauge, shard) = (adaptive(), shard());
        assert_eq!(gauge.place(), Place::Shard, "nothing is known of it yet");
        let took = call(&gauge, &shard, || burn(BUDGET * 11));
        assert_eq!(took, BUDGET * 11);
        assert_eq!((gauge.place(), gauge.demotions()), (Place::Pool, 1));
    });
}

#[test]
fn a_method_that_begins_to_compute_is_found_out_once_the_wall_clock_suspects_it() {
    paused(async {
        // A budget so large that a quick poll that is interrupted stays within it.
        let budget = Duration::from_millis(20);
        let (gauge, shard) = (Gauge::new(Inline::Adaptive, budget), shard());
        for _ in 0..PROBES {
            call(&gauge, &shard, || {});
        }
        assert!(!gauge.probing());
        let slow = move || burn(budget + Duration::from_millis(1));
        call(&gauge, &shard, slow);
        assert_eq!(gauge.place(), Place::Shard, "suspected, not confirmed");
        call(&gauge, &shard, slow);
        assert_eq!(gauge.place(), Place::Shard, "confirmed once");
        call(&gauge, &shard, slow);
        assert_eq!((gauge.place(), gauge.demotions()), (Place::Pool, 1));
    });
}

/// A poll of this length on the pool, computing all the time.
fn computed(gauge: &Gauge, time: Duration) {
    gauge.pooled(time, time, false);
}

/// Makes one poll send the method to the pool, while it is measured.
fn demote(gauge: &Gauge) {
    gauge.note_slow_poll();
    gauge.probed(BUDGET * 11);
    assert_eq!(gauge.place(), Place::Pool);
}

/// The number of quick polls that brings the method back to the shard.
fn quick_polls_until_back(gauge: &Gauge) -> u32 {
    let polls = (1..=QUICK * 2).find(|_| {
        computed(gauge, QUICK_POLL);
        gauge.place() == Place::Shard
    });
    polls.expect("it comes back")
}

#[test]
fn so_many_quick_polls_in_a_row_bring_a_method_back() {
    let gauge = adaptive();
    demote(&gauge);
    (1..PATIENCE.0).for_each(|_| computed(&gauge, QUICK_POLL));
    computed(&gauge, SLOW_POLL);
    (1..PATIENCE.0).for_each(|_| computed(&gauge, QUICK_POLL));
    assert_eq!(gauge.place(), Place::Pool, "not in a row");
    computed(&gauge, QUICK_POLL);
    assert_eq!((gauge.place(), gauge.demotions()), (Place::Shard, 1));
    // It is not measured before a poll is over budget by the wall clock; then two slow polls demote it again.
    gauge.note_slow_poll();
    gauge.probed(SLOW_POLL);
    gauge.probed(SLOW_POLL);
    assert_eq!((gauge.place(), gauge.demotions()), (Place::Pool, 2));
}

#[test]
fn a_method_that_is_sent_to_the_pool_again_and_again_stays_there_longer_each_time() {
    let gauge = adaptive();
    let polls = || {
        demote(&gauge);
        quick_polls_until_back(&gauge)
    };
    assert_eq!([(); 6].map(|()| polls()), [64, 128, 256, 512, 512, 512]);
    // Each time it is suspected and found quick, half as many.
    for left in [128, 64] {
        (0..2).for_each(|_| {
            gauge.note_slow_poll();
            (0..PROBES).for_each(|_| gauge.probed(QUICK_POLL));
        });
        demote(&gauge);
        assert_eq!(quick_polls_until_back(&gauge), left, "halved twice, and doubled when it came back");
    }
}

/// Where a test's clock stands still, a slow machine changes nothing.
#[test]
fn what_a_poll_costs_the_machine_does_not_count_in_virtual_time() {
    paused(async {
        let (gauge, shard) = (adaptive(), shard());
        for _ in 0..2 * SLOW {
            call(&gauge, &shard, || burn_unseen(BUDGET * 11));
        }
        assert_eq!((gauge.place(), gauge.demotions()), (Place::Shard, 0));
        call(&gauge, &shard, || burn(BUDGET * 11));
        assert_eq!(gauge.place(), Place::Pool, "what takes time does");
    });
}

#[test]
fn polls_of_a_thread_that_was_not_let_run_keep_no_method_in_the_pool() {
    let gauge = adaptive();
    gauge.probed(BUDGET * 11);
    for _ in 1..PATIENCE.0 {
        computed(&gauge, QUICK_POLL);
        gauge.pooled(BUDGET * 50, QUICK_POLL, false);
    }
    assert_eq!(gauge.place(), Place::Pool, "it has not been quick as often");
    computed(&gauge, QUICK_POLL);
    assert_eq!(gauge.place(), Place::Shard);
}

#[test]
fn a_method_that_blocks_without_computing_stays_in_the_pool() {
    let gauge = adaptive();
    gauge.probed(BUDGET * 11);
    (0..10 * QUICK).for_each(|_| gauge.pooled(SLOW_POLL, Duration::ZERO, false));
    assert_eq!(gauge.place(), Place::Pool);
}

/// Each of its messages wakes the shard, which takes the processor from the thread of the pool.
#[test]
fn a_stream_that_has_its_turns_comes_back_though_its_thread_is_held_up() {
    let gauge = adaptive();
    gauge.probed(BUDGET * 11);
    (1..PATIENCE.0).for_each(|_| gauge.pooled(SLOW_POLL, QUICK_POLL, true));
    assert_eq!(gauge.place(), Place::Pool);
    gauge.pooled(SLOW_POLL, SLOW_POLL, true);
    (1..PATIENCE.0).for_each(|_| gauge.pooled(SLOW_POLL, QUICK_POLL, true));
    assert_eq!(gauge.place(), Place::Pool, "it has computed between");
    gauge.pooled(SLOW_POLL, QUICK_POLL, true);
    assert_eq!(gauge.place(), Place::Shard);
}

#[test]
fn polls_in_the_pool_count_only_for_a_method_that_was_sent_there() {
    let gauge = adaptive();
    assert!(!gauge.may_come_back(), "single calls of it may be polled there");
    demote(&gauge);
    assert!(gauge.may_come_back());
    quick_polls_until_back(&gauge);
    assert!(!gauge.may_come_back(), "what was parked there meanwhile goes on there");
    assert!(!Gauge::new(Inline::Never, BUDGET).may_come_back());
}

#[test]
fn methods_that_say_where_they_run_stay_there() {
    for (mode, place) in
        [(Inline::Always, Place::Shard), (Inline::Never, Place::Pool), (Inline::Blocking, Place::Thread)]
    {
        let gauge = Gauge::new(mode, BUDGET);
        for _ in 0..2 * PROBES {
            gauge.note_slow_poll();
            gauge.probed(BUDGET * 100);
            gauge.pooled(Duration::ZERO, Duration::ZERO, false);
        }
        (0..QUICK).for_each(|_| gauge.pooled(Duration::ZERO, Duration::ZERO, false));
        assert_eq!((gauge.place(), gauge.demotions()), (place, 0));
    }
}

/// A waiting handler is polled where it was parked; this one computes at its second poll.
#[test]
fn a_waiting_handler_whose_wakes_are_slow_moves_to_the_pool() {
    paused(async {
        let (gauge, shard) = (adaptive(), shard());
        let inbox = Arc::new(polywire_base::Inbox::default());
        let polls = Arc::new(AtomicUsize::new(0));
        let (line, answerer) = polywire_exchange::Line::serve(&inbox);
        let counted = polls.clone();
        let future: HandlerFuture = Box::pin(std::future::poll_fn(move |cx| {
            if counted.fetch_add(1, Relaxed) == 3 {
                return Poll::Ready(Outcome::default());
            }
            burn(BUDGET * 11);
            cx.waker().wake_by_ref();
            Poll::Pending
        }));
        park(future, &gauge, gauge.place(), answerer, &shard, METHOD);
        until("the first poll", || polls.load(Relaxed) >= 1).await;
        assert_eq!(gauge.place(), Place::Pool);
        until("the fourth poll", || polls.load(Relaxed) >= 4).await;
        // Polls on the shard are counted, those on the pool are not.
        assert_eq!(shard.watch.look().0, 1);
        drop(line);
    });
}

#[test]
fn a_call_may_outlive_its_first_poll_where_one_lately_did() {
    paused(async {
        let (gauge, shard) = (adaptive(), shard());
        let may_last = || gauge.may_last(gauge.place());
        (0..QUICK).for_each(|_| assert!(may_last(), "nothing is known of it yet"));
        assert!(!may_last());
        let (mut waits, mut polled): (HandlerFuture, _) = (Box::pin(std::future::pending()), Poll::Pending);
        poll_here(&mut polled, &mut waits, &gauge, &shard, METHOD, &mut clock::now());
        assert!(polled.is_pending());
        (0..QUICK).for_each(|_| assert!(may_last()));
        assert!(!may_last());
        assert!(gauge.may_last(Place::Pool) && gauge.may_last(Place::Thread));
    });
}
