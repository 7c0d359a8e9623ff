//! Names handlers that hold up their shard.
//!
//! A shard publishes the method that it polls in a cell of its own; the watchdog's thread looks at all of
//! them every half limit. A poll counts as slow when it was seen under way for a whole limit: no shorter poll
//! counts, and each one of one and a half limits does. Publishing costs two relaxed stores to a cache line
//! that no other core writes, and a load.
//!
//! When no shard has polled anything for a while (`CALM`), the watchdog sleeps until one does.

use crate::{Shard, shard_report::SlowPolls};
use std::{
    collections::HashMap,
    io, ptr,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::*},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// What a shard currently polls. Padded to two cache lines, because processors prefetch lines in pairs.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Watch {
    /// The method's name, null while no user code runs. Written by the shard.
    method: AtomicPtr<&'static str>,
    /// Counts polls. Written by the shard.
    polls: AtomicU64,
    /// Number of polls longer than the limit. Written by the watchdog.
    slow: AtomicU64,
    /// The last of them.
    pub(crate) slow_polls: SlowPolls,
    /// Whether the watchdog sleeps, or is about to: the next poll has to wake it. Rarely written.
    unwatched: AtomicBool,
    watchdog: OnceLock<Thread>,
}

/// The name of a method, as the watchdog prints it. It stays valid for the rest of the process.
pub type MethodName = &'static &'static str;

impl Watch {
    #[inline]
    pub(crate) fn begin(&self, method: MethodName) {
        self.polls.store(self.polls.load(Relaxed) + 1, Relaxed);
        self.method.store(std::ptr::from_ref(method).cast_mut(), Release);
        if self.unwatched.load(Relaxed) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        self.unwatched.store(false, Relaxed);
        self.watchdog.get().into_iter().for_each(Thread::unpark);
    }

    fn set_unwatched(&self, unwatched: bool) {
        self.unwatched.store(unwatched, Relaxed);
    }

    #[inline]
    pub(crate) fn end(&self) {
        self.method.store(ptr::null_mut(), Release);
    }

    pub(crate) fn look(&self) -> (u64, Option<MethodName>) {
        let method = self.method.load(Acquire);
        // SAFETY: a pointer that is not null was stored by `begin`, from a `&'static &'static str`.
        (self.polls.load(Relaxed), unsafe { method.as_ref() })
    }
}

/// A watchdog that sleeps has to notice that its shards have ended.
impl Drop for Watch {
    fn drop(&mut self) {
        self.wake();
    }
}

impl Shard {
    /// Number of polls of handlers that held up this shard longer than the limit.
    pub fn slow_polls(&self) -> u64 {
        self.watch.slow.load(Relaxed)
    }
}

/// Checks without a poll of user code after which the watchdog sleeps until there is one: a second, by default. A server
/// that is called more often wakes nobody.
const CALM: u32 = 200;

/// Starts the thread, which ends when the shards have ended.
pub(crate) fn start(shards: &[Arc<Shard>], limit: Duration) -> io::Result<()> {
    let watched: Vec<Weak<Shard>> = shards.iter().map(Arc::downgrade).collect();
    let thread = thread::Builder::new().name("polywire-watch".into()).spawn(move || {
        let mut seen =
            vec![Seen { poll: 0, since: Instant::now(), counted: true, slow: false }; watched.len()];
        let mut logged: HashMap<&'static str, Instant> = HashMap::new();
        let mut calm = 0;
        loop {
            thread::sleep(limit / 2);
            let now = Instant::now();
            let (mut alive, mut busy) = (false, false);
            for (shard, seen) in watched.iter().zip(&mut seen) {
                let Some(shard) = shard.upgrade() else { continue };
                let before = seen.poll;
                seen.follow(&shard.watch, now);
                if let Some(method) = seen.look(&shard.watch, now, limit) {
                    shard.watch.slow.fetch_add(1, Relaxed);
                    shard.watch.slow_polls.add(method, seen.since, now - seen.since);
                    seen.slow = true;
                    report(method, shard.index(), limit, now, &mut logged);
                }
                (alive, busy) = (true, busy || seen.poll != before || !seen.counted || seen.slow);
            }
            if !alive {
                return;
            }
            calm = if busy { 0 } else { calm + 1 };
            if calm == CALM {
                watched.iter().filter_map(Weak::upgrade).for_each(|shard| shard.watch.set_unwatched(true));
            } else if calm > CALM {
                // All shards know for half a limit that they are not watched, and none has polled anything since.
                thread::park();
                watched.iter().filter_map(Weak::upgrade).for_each(|shard| shard.watch.set_unwatched(false));
                calm = 0;
            }
        }
    })?;
    for shard in shards {
        let _ = shard.watch.watchdog.set(thread.thread().clone()); // of shards that have just been made
    }
    Ok(())
}

#[derive(Clone)]
struct Seen {
    poll: u64,
    since: Instant,
    counted: bool,
    /// Whether it was reported, and its end was not seen.
    slow: bool,
}

impl Seen {
    /// The method of a poll that has now been seen to last for `limit`; reported once per poll.
    fn look(&mut self, watch: &Watch, now: Instant, limit: Duration) -> Option<&'static str> {
        let (poll, method) = watch.look();
        let Some(method) = method else {
            self.counted = true;
            self.poll = poll;
            return None;
        };
        if poll != self.poll {
            *self = Seen { poll, since: now, counted: false, slow: false };
        } else if !self.counted && now - self.since >= limit {
            self.counted = true;
            return Some(*method);
        }
        None
    }

    /// Notes how long a slow poll has lasted, or that it has ended.
    fn follow(&mut self, watch: &Watch, now: Instant) {
        if self.slow {
            let (poll, method) = watch.look();
            self.slow = method.is_some() && poll == self.poll;
            watch.slow_polls.follow(self.slow.then(|| now - self.since));
        }
    }
}

/// Reports a slow poll, at most once per method and minute.
fn report(
    method: &'static str,
    shard: usize,
    limit: Duration,
    now: Instant,
    logged: &mut HashMap<&'static str, Instant>,
) {
    if logged.get(method).is_none_or(|last| now - *last >= Duration::from_secs(60)) {
        logged.insert(method, now);
        tracing::warn!(
            method,
            shard,
            ?limit,
            "a handler has held up its shard for longer than the limit: declare it `inline(Never)` or `blocking`"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poll_counts_once_it_has_lasted_for_the_limit_and_once_only() {
        static NAME: &str = "test/Slow";
        let (watch, start, limit) = (Watch::default(), Instant::now(), Duration::from_millis(10));
        let mut seen = Seen { poll: 0, since: start, counted: true, slow: false };
        let mut look = |watch: &Watch, ms: u64| seen.look(watch, start + Duration::from_millis(ms), limit);
        assert_eq!(look(&watch, 0), None);
        watch.begin(&NAME);
        assert_eq!([5, 10, 14].map(|at| look(&watch, at)), [None; 3]);
        assert_eq!([15, 20, 500].map(|at| look(&watch, at)), [Some(NAME), None, None]);
        watch.end();
        assert_eq!(look(&watch, 505), None);
        // Two quick polls seen at two looks are not one slow poll.
        watch.begin(&NAME);
        assert_eq!(look(&watch, 510), None);
        watch.end();
        watch.begin(&NAME);
        assert_eq!(look(&watch, 520), None);
        assert_eq!(look(&watch, 530), Some(NAME));
    }

    /// Parking returns at once if the poll has woken this thread, and hangs if it has not.
    #[test]
    fn a_poll_wakes_a_watchdog_that_sleeps_and_so_does_the_end_of_its_shard() {
        static NAME: &str = "test/Quick";
        let watch = Watch::default();
        watch.watchdog.set(thread::current()).expect("it is new");
        watch.set_unwatched(true);
        watch.begin(&NAME);
        thread::park();
        assert!(!watch.unwatched.load(Relaxed), "the next poll wakes nobody");
        watch.set_unwatched(true);
        drop(watch);
        thread::park();
    }
}
