//! The task that keeps the servers of a channel up to date: it takes the sets that naming reports, sweeps for
//! outliers, and checks health.

use crate::{
    connection::home::{Home, HomeId},
    servers::{fleet::Fleet, health},
};
use polywire_naming::Watched;
use std::{
    sync::{Arc, Weak, atomic::Ordering::Release},
    task::{Context, Waker},
    time::Duration,
};
use tokio::{sync::watch, time::MissedTickBehavior};

/// Starts to watch the source of a channel. A set that the source has at hand is in use when this returns.
pub(in crate::servers) fn start(fleet: &Arc<Fleet>) {
    let (watched, mut work) = fleet.watch();
    let home = Home::of(HomeId::current());
    // A source that need not wait for anything reports in its first poll; the task polls it again.
    let _ = home.within(|| work.as_mut().poll(&mut Context::from_waker(Waker::noop())));
    let keeper = Keeper { fleet: Arc::downgrade(fleet), alive: fleet.alive() };
    fleet.apply(&watched);
    let checks = health::run(Arc::downgrade(&fleet.current), fleet.current.sets(), fleet.asked());
    home.spawn(async move {
        tokio::select! {
            () = keeper.run(watched) => {}
            () = work => {}
            () = checks => {}
        }
    });
}

/// When it is dropped with its runtime, it leaves a mark so that the next call, or a waiting one, starts
/// another keeper.
struct Keeper {
    fleet: Weak<Fleet>,
    /// Ends when the channel is dropped.
    alive: watch::Receiver<()>,
}

impl Keeper {
    async fn run(mut self, mut watched: Watched) {
        let interval = self.fleet.upgrade().and_then(|fleet| fleet.sweep_interval());
        let mut sweeps = tokio::time::interval(interval.unwrap_or(Duration::from_secs(3600)));
        sweeps.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = watched.changed() => {}
                _ = self.alive.changed() => return,
                _ = sweeps.tick() => {
                    let Some(fleet) = self.fleet.upgrade() else { return };
                    fleet.sweep();
                    continue;
                }
            }
            let Some(fleet) = self.fleet.upgrade() else { return };
            fleet.apply(&watched);
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Some(fleet) = self.fleet.upgrade() {
            fleet.is_kept().store(false, Release);
            fleet.current.look_again();
        }
    }
}
