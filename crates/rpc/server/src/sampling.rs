//! Takes a sample of all variables each second, while anything happens.
//!
//! Windows span ten seconds, so after a pause of that length all further samples would be alike. Then none is
//! taken until a connection handles a message again: an idle server wakes no thread for sampling.

use crate::stats::Stats;
use polywire_base::lock;
use polywire_engine::{Engine, clock, spawn_on, until_active};
use polywire_metrics::Registry;
use std::{
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::{
    runtime,
    sync::Notify,
    task::AbortHandle,
    time::{MissedTickBehavior, interval, sleep},
};

const SECOND: Duration = Duration::from_secs(1);
/// The number of seconds without a message after which sampling pauses: the length of a window, and one more.
const QUIET: u32 = 11;

/// Whether a connection has handled a message since the last check.
#[derive(Default)]
pub(crate) struct Activity {
    seen: AtomicBool,
    changed: Notify,
    /// The tasks that note activity, one on each shard.
    notices: Mutex<Vec<AbortHandle>>,
    /// Since when sampling has been paused; `None`: it is running.
    paused: Mutex<Option<Instant>>,
}

impl Activity {
    fn note(&self) {
        self.seen.store(true, Relaxed);
        self.changed.notify_one();
    }

    fn take(&self) -> bool {
        self.seen.swap(false, Relaxed)
    }

    /// Stops sampling at the end of the server: ends the tasks on the shards, which may be idle forever, and
    /// wakes the sampling task.
    pub fn end(&self) {
        lock(&self.notices).drain(..).for_each(|notice| notice.abort());
        self.note();
    }
}

impl Stats {
    /// The variables, up to date for display: while sampling is paused, it takes a sample.
    pub fn shown(&self) -> &Registry {
        let now = clock::now();
        let mut paused = lock(&self.activity.paused);
        if let Some(since) = paused.as_mut() {
            let since = std::mem::replace(since, now);
            drop(paused);
            self.catch_up(since, now);
        }
        &self.registry
    }

    fn catch_up(&self, since: Instant, now: Instant) {
        self.registry.skip(now.saturating_duration_since(since));
        self.registry.tick(now);
    }
}

/// Begins to take samples on this runtime, for as long as the server lives.
pub(crate) fn begin(stats: &Arc<Stats>, engine: &Engine, on: &runtime::Handle) {
    let notices =
        engine.shards().iter().map(|shard| spawn_on(shard.handle(), notice(Arc::downgrade(&stats.activity))));
    lock(&stats.activity.notices).extend(notices.map(|notice| notice.abort_handle()));
    drop(spawn_on(on, sample(Arc::downgrade(stats), stats.activity.clone())));
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
        *lock(&activity.paused) = Some(clock::now());
        while !activity.take() {
            activity.changed.notified().await;
        }
        let Some(stats) = stats.upgrade() else { return };
        let paused = lock(&activity.paused).take();
        if let Some(since) = paused {
            stats.catch_up(since, clock::now());
        }
        second.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_metrics::{Counter, Rate};

    /// No connection handles a message here, so that nothing else ends the tasks.
    #[tokio::test(start_paused = true)]
    async fn a_server_that_has_ended_leaves_no_task_behind() {
        let engine = Engine::here();
        let before = runtime::Handle::current().metrics().num_alive_tasks();
        for _ in 0..3 {
            let stats = Stats::new(&[], Registry::new());
            begin(&stats, &engine, &runtime::Handle::current());
            sleep(60 * SECOND).await;
            drop(stats);
            sleep(SECOND).await;
            assert_eq!(runtime::Handle::current().metrics().num_alive_tasks(), before);
        }
    }

    /// A page that is requested once a minute shows the rate of that minute, not of the seconds after the
    /// previous request.
    #[tokio::test(start_paused = true)]
    async fn what_is_shown_in_a_pause_is_of_now() {
        let (stats, used) = (Stats::new(&[], Registry::new()), Counter::new());
        let asked = used.clone();
        stats.registry.expose("cpu", Rate::new(move || asked.total() as f64)).unwrap();
        let sampling = tokio::spawn(sample(Arc::downgrade(&stats), stats.activity.clone()));
        for minute in 1..=3 {
            sleep(30 * SECOND).await;
            used.add(30);
            sleep(30 * SECOND).await;
            let shown = stats.shown().describe("cpu").unwrap();
            let rate: f64 = shown.parse().unwrap();
            assert!((0.5..0.7).contains(&rate), "in minute {minute}: {shown}");
            stats.activity.note();
            sleep(SECOND / 2).await;
        }
        // and by the second, once samples are taken again
        for _ in 0..3 {
            used.add(1);
            sleep(SECOND).await;
        }
        assert_eq!(stats.registry.describe("cpu").as_deref(), Some("1"));
        sampling.abort();
    }
}
