//! Open loop: planned send times of calls, and waking callers at these times.
//!
//! Call `k` of a thread is planned for `start + (k + offset) * interval`, whatever the result of earlier
//! calls. A caller takes the next planned call as soon as it is due. When all callers are busy, calls are
//! sent late, and their latency shows it, since it is measured from the planned time. So the number of
//! callers limits the number of outstanding calls.
//!
//! A separate thread sleeps until the next planned call and then rings every load thread with one due: a
//! runtime's timers have steps of a millisecond, which is more than most calls take.

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

/// The pacer sleeps at least this long, so that calls of fast schedules are woken in batches.
const MIN_SLEEP: Duration = Duration::from_micros(50);
/// The longest sleep; every bell rings at this interval, so that callers notice the end of a run.
pub const ROUND: Duration = Duration::from_millis(20);

/// The planned times of one thread's calls.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    start: Instant,
    /// The nanoseconds between calls.
    interval: f64,
    /// Offset of the first call in intervals, below 1.
    offset: f64,
}

impl Schedule {
    /// The schedule of thread `index` of `threads`, which together send `qps` calls a second.
    pub fn new(start: Instant, qps: f64, index: usize, threads: usize) -> Self {
        let interval = 1e9 * threads as f64 / qps;
        Schedule { start, interval, offset: index as f64 / threads as f64 }
    }

    /// The planned time of call `k`.
    #[inline]
    pub fn time(&self, k: u64) -> Instant {
        self.start + Duration::from_nanos(((k as f64 + self.offset) * self.interval) as u64)
    }

    /// Number of calls planned for the time up to `now`.
    pub fn due(&self, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(self.start).as_nanos() as f64;
        let due = passed / self.interval - self.offset;
        if due < 0.0 { 0 } else { due as u64 + 1 }
    }
}

/// The pacer's view of a load thread.
pub struct Paced {
    pub schedule: Schedule,
    pub bell: Arc<Notify>,
}

/// Rings the bells at the planned times until `over` is set.
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
        thread::sleep(soonest.saturating_duration_since(Instant::now()).max(MIN_SLEEP));
    }
    threads.iter().for_each(|thread| thread.bell.notify_one());
}

/// On a load thread: wakes callers whenever the bell rings, until the last one has left.
pub async fn answer(bell: Arc<Notify>) {
    while recorder::wake_due() {
        bell.notified().await;
    }
}
