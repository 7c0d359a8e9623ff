//! A source that several channels watch together.

use polywire_base::lock;
use polywire_naming::{Source, Updates, WatchOptions, Watched, Watching, Work};
use std::{future::pending, sync::Mutex, time::Duration};

/// A source that others watch, too.
pub(crate) struct SharedSource {
    watched: Watched,
    /// The same watch of the source; it is notified of each set that was reported.
    reported: Mutex<Watched>,
}

impl Source for SharedSource {
    fn name(&self) -> String {
        self.watched.name().to_owned()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        let mut watched = self.watched.clone();
        Box::pin(async move {
            // The work of the source, if its runtime has ended.
            let mut work: Option<Work> = None;
            loop {
                watched.mark_shown();
                if let Some(set) = watched.set() {
                    updates.set(set.to_vec());
                }
                if let Some(error) = watched.error() {
                    updates.failed(error);
                }
                *lock(&self.reported) = watched.clone();
                work = work.or_else(|| watched.resume());
                let working = async {
                    match &mut work {
                        Some(work) => work.await,
                        None => pending().await,
                    }
                };
                let has_ended = tokio::select! {
                    () = working => true,
                    () = watched.changed() => false,
                };
                if has_ended {
                    work = None;
                }
            }
        })
    }

    fn want(&self) -> bool {
        lock(&self.reported).want()
    }
}

impl SharedSource {
    pub fn new(watched: Watched) -> Self {
        SharedSource { reported: Mutex::new(watched.clone()), watched }
    }

    /// The options of the shared watch, which already limits the sets.
    pub fn options() -> WatchOptions {
        WatchOptions::default()
            .empty_after(Duration::ZERO)
            .set_interval(Duration::ZERO)
            .want_interval(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_naming::{Server, source_fn, watch, watch_with};
    use std::sync::Arc;
    use tokio::{
        sync::mpsc,
        time::{Instant, sleep},
    };

    #[tokio::test(start_paused = true)]
    async fn a_set_that_the_shared_watch_holds_back_is_on_its_way_to_all_channels() {
        let (report, reports) = mpsc::unbounded_channel::<&'static str>();
        let reports = Arc::new(tokio::sync::Mutex::new(reports));
        let source = source_fn("test://", move |updates| {
            let reports = reports.clone();
            async move {
                while let Some(address) = reports.lock().await.recv().await {
                    updates.set(vec![Server::new(address)]);
                }
                pending().await
            }
        });
        let (shared, work) = watch(Box::new(source));
        tokio::spawn(work);
        let (mut own, work) = watch_with(Box::new(SharedSource::new(shared)), SharedSource::options());
        tokio::spawn(work);
        report.send("a:1").unwrap();
        own.changed().await;
        assert!(!own.want(), "there is no newer one");
        report.send("b:1").unwrap();
        sleep(Duration::from_millis(1)).await;
        let begun = Instant::now();
        assert!(own.want());
        own.changed().await;
        assert_eq!((&*own.set().unwrap()[0].address, own.want()), ("b:1", false));
        assert_eq!(begun.elapsed(), Duration::from_millis(99));
    }
}
