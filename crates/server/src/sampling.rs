//! Takes a sample of all variables each second, while anything happens.
//!
//! Windows have ten seconds, so what happens is over for them after that time. Then samples would all be alike, and none is
//! taken until a connection handles a message again: a server that nobody calls wakes no thread.

use crate::stats::Stats;
use polywire_engine::{Engine, clock, until_active};
use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    runtime,
    sync::Notify,
    time::{MissedTickBehavior, interval, sleep},
};

const SECOND: Duration = Duration::from_secs(1);
/// Seconds without a message after which there is nothing to sample: those of a window, and one more.
const QUIET: u32 = 11;

/// Whether a connection has handled a message since this was asked last.
#[derive(Default)]
pub(crate) struct Activity {
    seen: AtomicBool,
    changed: Notify,
}

impl Activity {
    fn note(&self) {
        self.seen.store(true, Relaxed);
        self.changed.notify_one();
    }

    fn take(&self) -> bool {
        self.seen.swap(false, Relaxed)
    }

    /// Ends who waits, to see that the server has ended.
    pub fn end(&self) {
        self.note();
    }
}

/// Begins to take samples on this runtime, for as long as the server lives.
pub(crate) fn begin(stats: &Arc<Stats>, engine: &Engine, on: &runtime::Handle) {
    for shard in engine.shards() {
        drop(shard.spawn(notice(Arc::downgrade(&stats.activity))));
    }
    drop(on.spawn(sample(Arc::downgrade(stats), stats.activity.clone())));
}

/// Notes activity of a shard, at most once a second.
async fn notice(activity: Weak<Activity>) {
    loop {
        until_active().await;
        let Some(activity) = activity.upgrade() else { return };
        activity.note();
        drop(activity);
        sleep(SECOND).await;
    }
}

async fn sample(stats: Weak<Stats>, activity: Arc<Activity>) {
    let mut second = interval(SECOND);
    second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let mut quiet = 0;
        while quiet < QUIET {
            second.tick().await;
            let Some(stats) = stats.upgrade() else { return };
            stats.registry.tick(clock::now());
            quiet = if activity.take() { 0 } else { quiet + 1 };
        }
        let paused = clock::now();
        while !activity.take() {
            activity.changed.notified().await;
        }
        let Some(stats) = stats.upgrade() else { return };
        stats.registry.skip(clock::now().saturating_duration_since(paused));
        second.reset();
    }
}
