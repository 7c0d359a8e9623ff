//! Runs a router, and shows its newest table to a channel.

use crate::{RouteTable, Router, TableUpdates, router::Known};
use polywire_base::caught_future;
use polywire_naming::{Attempts, SourceError, Work};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::watch as channel,
    time::{Instant, sleep_until},
};

/// The time between two lines of log about failures of the same router.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The newest table of a router that is being watched.
#[derive(Clone, Debug)]
pub struct WatchedTable(channel::Receiver<Known>);

/// Watches a router. The work has to be spawned; it ends when there are no watchers any more. If it is
/// dropped before, because its runtime ends, the table stays unchanged.
pub fn watch_router(router: Arc<dyn Router>) -> (WatchedTable, Work) {
    let (known, watched) = channel::channel(Known::default());
    let updates = TableUpdates(known);
    let work = async move {
        tokio::select! {
            () = ask(&*router, &updates) => {}
            () = updates.0.closed() => {}
        }
    };
    (WatchedTable(watched), Box::pin(work))
}

/// Watches a router until its table will never change again; then never returns.
async fn ask(router: &dyn Router, updates: &TableUpdates) {
    let (mut attempts, mut logged) = (Attempts::default(), None::<Instant>);
    loop {
        if let Some(at) = attempts.not_before {
            sleep_until(at).await;
        }
        let pause = attempts.begins();
        let (begun, tables) = (Instant::now(), updates.0.borrow().tables);
        let Err(error) = watched(router, updates).await else { return std::future::pending().await };
        if logged.is_none_or(|at| at.elapsed() >= LOG_INTERVAL) {
            logged = Some(Instant::now());
            tracing::warn!(router = router.name(), "{error}");
        }
        updates.failed(error);
        let did_well = updates.0.borrow().tables > tables && begun.elapsed() > pause;
        attempts.failed(pause, did_well);
    }
}

/// Watches a router, which may be an application's: its panic is an error, after which it is watched again.
async fn watched(router: &dyn Router, updates: &TableUpdates) -> Result<(), SourceError> {
    let error = |text| SourceError::new(format!("it has panicked: {text}"));
    caught_future(|| router.watch(updates)).await.map_err(error)?
}

impl WatchedTable {
    /// The newest table; `None`: none has arrived yet.
    pub fn table(&self) -> Option<RouteTable> {
        self.0.borrow().table.clone()
    }

    /// The error of the router's last attempt; `None` if it has answered since.
    pub fn error(&self) -> Option<SourceError> {
        self.0.borrow().error.clone()
    }

    /// Waits until there is an update: a table or an error. Of several tables that arrive at once the last
    /// one is returned. Never ready again once the work has ended.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending().await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router_fn;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use tokio::time::sleep;

    #[tokio::test(start_paused = true)]
    async fn a_router_that_fails_is_asked_again_with_growing_pauses_and_its_table_stays() {
        let asked = Arc::new(AtomicU32::new(0));
        let counts = asked.clone();
        let router = router_fn("test", move |updates| {
            if counts.fetch_add(1, Relaxed) == 0 {
                updates.table(RouteTable::failing("first"));
            }
            async { Err(SourceError::new("gone")) }
        });
        let (mut watched, work) = watch_router(Arc::new(router));
        tokio::spawn(work);
        watched.changed().await;
        sleep(Duration::from_secs(3600)).await;
        assert!(watched.table().is_some());
        assert_eq!(watched.error().unwrap().to_string(), "gone");
        let asked = asked.load(Relaxed);
        assert!((100..200).contains(&asked), "each 30 s: {asked}");
    }

    /// Each time it is called, and each time it is polled.
    #[tokio::test(start_paused = true)]
    async fn a_router_that_panics_has_failed_and_is_asked_again() {
        let asked = Arc::new(AtomicU32::new(0));
        let counts = asked.clone();
        let router = router_fn("test", move |updates| {
            let asked = counts.fetch_add(1, Relaxed);
            assert!(asked > 0, "of the router");
            async move {
                assert!(asked > 1, "of its future");
                updates.table(RouteTable::failing("third"));
                Ok(())
            }
        });
        let (mut watched, work) = watch_router(Arc::new(router));
        let work = tokio::spawn(work);
        for error in ["it has panicked: of the router", "it has panicked: of its future"] {
            watched.changed().await;
            assert_eq!(watched.error().unwrap().to_string(), error);
        }
        watched.changed().await;
        assert!(watched.table().is_some() && watched.error().is_none());
        assert_eq!(asked.load(Relaxed), 3);
        assert!(!work.is_finished());
    }

    #[tokio::test(start_paused = true)]
    async fn the_work_ends_with_those_who_watch() {
        let (watched, work) = watch_router(Arc::new(RouteTable::failing("x")));
        let work = tokio::spawn(work);
        tokio::task::yield_now().await;
        assert!(watched.table().is_some() && !work.is_finished());
        drop(watched);
        work.await.unwrap();
    }
}
