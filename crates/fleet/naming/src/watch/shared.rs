//! Shared sources: channels to the same url watch one source together.

use crate::{Schemes, WatchOptions, Watched, Work, state::State};
use polywire_base::lock;
use polywire_call::ConfigError;
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, Weak},
};

/// The sources that are being watched, by url and options, each once however many users it has.
///
/// A program makes one and passes it to its channels. It keeps no source alive: a source ends with its last
/// user.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), polywire_call::ConfigError> {
/// use polywire_naming::{Schemes, WatchOptions, Watches};
///
/// let watches = Watches::default();
/// let (first, work) = watches.watch(&Schemes::builtin(), "list://10.0.0.1:80", WatchOptions::default())?;
/// tokio::spawn(work.expect("the first user of a url gets its work"));
/// let (second, work) = watches.watch(&Schemes::builtin(), "list://10.0.0.1:80", WatchOptions::default())?;
/// assert!(work.is_none());
/// # drop((first, second));
/// # Ok(()) }
/// ```
#[derive(Default)]
pub struct Watches(Mutex<HashMap<Key, Weak<State>>>);

/// A scheme is identified by its function, because two tables may have different schemes of one name.
type Key = (usize, String, WatchOptions);

impl Watches {
    /// Watches the source of a url, together with all other watchers of it. If the work is returned, it has
    /// to be spawned: it belongs to a new source, or to one whose runtime has ended.
    ///
    /// # Errors
    /// The scheme is unknown, or does not accept the text after it.
    pub fn watch(
        &self,
        schemes: &Schemes,
        url: &str,
        options: WatchOptions,
    ) -> Result<(Watched, Option<Work>), ConfigError> {
        let Some((scheme, rest)) = schemes.find(url) else { return Err(schemes.unknown(url)) };
        let key = (scheme.open as usize, rest.to_owned(), options);
        if let Some(state) = lock(&self.0).get(&key).and_then(Weak::upgrade) {
            return Ok(user(state));
        }
        // Not under the lock, because it is a user's code. If two callers open at the same time, one source
        // is dropped.
        let state = State::new((scheme.open)(rest)?, key.2.clone());
        let mut known = lock(&self.0);
        known.retain(|_, state| state.strong_count() > 0);
        if let Some(state) = known.get(&key).and_then(Weak::upgrade) {
            return Ok(user(state));
        }
        known.insert(key, Arc::downgrade(&state));
        drop(known);
        Ok(user(state))
    }
}

fn user(state: Arc<State>) -> (Watched, Option<Work>) {
    let watched = Watched::new(state);
    let work = watched.resume();
    (watched, work)
}

impl fmt::Debug for Watches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watches").field("sources", &lock(&self.0).len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheme, Server, source_fn};
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    fn open(watches: &Watches, url: &str) -> (Watched, Option<Work>) {
        watches.watch(&Schemes::builtin(), url, WatchOptions::default()).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn users_of_the_same_url_and_options_share_a_source_that_ends_with_the_last() {
        static RUNNING: AtomicUsize = AtomicUsize::new(0);
        struct Run;
        impl Drop for Run {
            fn drop(&mut self) {
                RUNNING.fetch_sub(1, Ordering::Relaxed);
            }
        }
        let scheme = Scheme {
            name: "counts",
            open: |rest| {
                Ok(Box::new(source_fn(rest, |updates| async move {
                    RUNNING.fetch_add(1, Ordering::Relaxed);
                    let _run = Run;
                    updates.set(vec![Server::new("a:1")]);
                    std::future::pending().await
                })))
            },
        };
        let schemes = Schemes::builtin().with([scheme]);
        let (watches, mut users, mut works) = (Watches::default(), Vec::new(), 0);
        let (usual, other) = (WatchOptions::default(), WatchOptions::default().max_servers(7));
        for (url, options) in [
            ("counts://x", &usual),
            ("COUNTS://x", &usual),
            ("counts://x", &other),
            ("counts://y", &usual),
            ("counts://x", &usual),
        ] {
            let (mut user, work) = watches.watch(&schemes, url, options.clone()).unwrap();
            if let Some(work) = work {
                works += 1;
                tokio::spawn(work);
            }
            assert_eq!(user.first(Duration::from_secs(1)).await.unwrap().len(), 1);
            users.push(user);
        }
        assert_eq!((works, RUNNING.load(Ordering::Relaxed)), (3, 3));
        drop(users);
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(RUNNING.load(Ordering::Relaxed), 0);
        let (mut user, work) = watches.watch(&schemes, "counts://x", usual).unwrap();
        tokio::spawn(work.expect("it begins anew"));
        user.first(Duration::from_secs(1)).await.unwrap();
        assert_eq!(RUNNING.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn the_next_user_gets_the_work_of_a_source_whose_runtime_has_ended() {
        let watches = Watches::default();
        let (first, work) = open(&watches, "list://a:1");
        assert!(open(&watches, "list://a:1").1.is_none());
        drop(work); // as a runtime does that ends
        let (second, work) = open(&watches, "list://a:1");
        assert!(work.is_some() && first.is_running() && second.is_running());
    }

    #[test]
    fn a_url_that_is_wrong_is_refused_and_leaves_nothing_behind() {
        let watches = Watches::default();
        for url in ["list://", "lits://a:1"] {
            assert!(watches.watch(&Schemes::builtin(), url, WatchOptions::default()).is_err(), "{url}");
        }
        assert_eq!(format!("{watches:?}"), "Watches { sources: 0 }");
    }
}
