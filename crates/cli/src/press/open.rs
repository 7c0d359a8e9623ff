//! Open loop: when calls are to be sent, and who wakes the callers then.
//!
//! Call `k` of a thread is planned for `start + (k + offset) * interval`, whatever became of the calls before it. A
//! caller takes the next planned call as soon as it is due; when all callers are busy, calls are sent late, and their
//! latency shows it, since it counts from the plan. So the number of callers bounds what is outstanding.
//!
//! Time comes from a thread of its own that sleeps until the next planned call and then rings every load thread with one
//! due: timers of a runtime come in steps of a millisecond, which is more than most calls take.

use super::recorder;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
    },
    thread,
    time::{Duration, Instant},
};
use tokio::sync::Notify;

/// A call sent later than this after its planned time is counted as late.
pub const LATE: Duration = Duration::from_millis(1);

/// The pacer sleeps at least this long, so that fast schedules come in batches.
const NAP: Duration = Duration::from_micros(50);
/// And at most this long; every bell rings this often, so that callers see when a run is over.
pub const ROUND: Duration = Duration::from_millis(20);

/// When one thread's calls are planned.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    start: Instant,
    /// Nanoseconds.
    interval: f64,
    /// In intervals: below 1.
    offset: f64,
}

impl Schedule {
    /// Thread `index` of `threads` that together send `qps` calls a second.
    pub fn new(start: Instant, qps: f64, index: usize, threads: usize) -> Self {
        let interval = 1e9 * threads as f64 / qps;
        Schedule { start, interval, offset: index as f64 / threads as f64 }
    }

    /// When call `k` is planned.
    #[inline]
    pub fn time(&self, k: u64) -> Instant {
        self.start + Duration::from_nanos(((k as f64 + self.offset) * self.interval) as u64)
    }

    /// How many calls are planned for the time up to `now`.
    pub fn due(&self, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(self.start).as_nanos() as f64;
        let due = passed / self.interval - self.offset;
        if due < 0.0 { 0 } else { due as u64 + 1 }
    }
}

/// A load thread as the pacer sees it.
pub struct Paced {
    pub schedule: Schedule,
    pub bell: Arc<Notify>,
}

/// Rings the bells at the planned times until `over`.
pub fn pace(threads: &[Paced], over: &AtomicBool) {
    let mut rung: Vec<u64> = vec![0; threads.len()];
    let mut round = Instant::now();
    while !over.load(Relaxed) {
        let now = Instant::now();
        let all = now >= round;
        if all {
            round = now + ROUND;
        }
        let mut soonest = round;
        for (thread, rung) in threads.iter().zip(&mut rung) {
            let due = thread.schedule.due(now);
            if all || due > *rung {
                *rung = due;
                thread.bell.notify_one();
            }
            soonest = soonest.min(thread.schedule.time(*rung));
        }
        thread::sleep(soonest.saturating_duration_since(Instant::now()).max(NAP));
    }
    threads.iter().for_each(|thread| thread.bell.notify_one());
}

/// On a load thread: wakes callers whenever the bell rings, until the last one has left.
pub async fn answer(bell: Arc<Notify>) {
    while recorder::wake_due() {
        bell.notified().await;
    }
}
