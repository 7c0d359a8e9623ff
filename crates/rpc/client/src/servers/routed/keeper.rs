//! The task that keeps the table of a channel up to date.

use super::Routed;
use crate::connection::home::{Home, HomeId};
use polywire_routing::{WatchedTable, watch_router};
use std::{
    sync::{Arc, Weak, atomic::Ordering::Release},
    task::{Context, Waker},
    time::Duration,
};
use tokio::sync::watch;

/// The minimum time between two tables that are applied; of the tables that arrive in between, the last one
/// is applied. It limits the cost of a router that reports without end.
const TABLE_INTERVAL: Duration = Duration::from_millis(10);

/// Starts to watch the router of a channel. A table that it has at hand is in use when this returns.
pub(super) fn start(routed: &Arc<Routed>) {
    let (watched, mut work) = watch_router(routed.router.clone());
    let home = Home::of(HomeId::current());
    // A router that need not wait for anything reports in its first poll; the task polls it again.
    let _ = home.within(|| work.as_mut().poll(&mut Context::from_waker(Waker::noop())));
    routed.apply(&watched);
    let keeper = Keeper { routed: Arc::downgrade(routed), alive: routed.changes.subscribe() };
    home.spawn(async move {
        tokio::select! {
            () = keeper.run(watched) => {}
            () = work => {}
        }
    });
}

/// When it is dropped with its runtime, it leaves a mark so that the next call, or a waiting one, starts
/// another keeper.
struct Keeper {
    routed: Weak<Routed>,
    /// Ends when the channel is dropped.
    alive: watch::Receiver<()>,
}

impl Keeper {
    async fn run(mut self, mut watched: WatchedTable) {
        loop {
            tokio::select! {
                () = watched.changed() => {}
                over = self.alive.changed() => match over {
                    Err(_) => return,
                    Ok(()) => continue,
                },
            }
            let Some(routed) = self.routed.upgrade() else { return };
            routed.apply(&watched);
            drop(routed);
            tokio::time::sleep(TABLE_INTERVAL).await;
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Some(routed) = self.routed.upgrade() {
            routed.kept.store(false, Release);
            routed.changes.send_replace(());
        }
    }
}
