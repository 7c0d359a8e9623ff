//! Names handlers that hold up their shard.
//!
//! A shard publishes the method that it polls in a cell of its own; the watchdog's thread looks at all of
//! them every half limit. A poll counts as slow when it was seen to run or sleep for a whole limit: no
//! shorter poll counts, and each one of one and a half limits does. On a busy machine a thread may wait that
//! long for a processor, which is no handler's fault and does not count. Publishing costs two relaxed stores
//! to a cache line that no other core writes, and a load.
//!
//! When no shard has polled anything for a while (`CALM`), the watchdog sleeps until one does.

use crate::{Shard, watch::Watch};
use std::{
    collections::HashMap,
    io,
    sync::{Arc, Weak, atomic::Ordering::*},
    thread,
    time::{Duration, Instant},
};

impl Shard {
    /// The number of handler polls that blocked this shard for longer than the limit.
    pub fn slow_polls(&self) -> u64 {
        self.watch.slow.load(Relaxed)
    }
}

/// The number of checks without a poll of user code after which the watchdog sleeps until there is one: a
/// second, by default. A server that is called more often never wakes it.
const CALM: u32 = 200;

/// Starts the thread, which ends when the shards have ended.
pub(crate) fn start(shards: &[Arc<Shard>], limit: Duration) -> io::Result<()> {
    let watched: Vec<Weak<Shard>> = shards.iter().map(Arc::downgrade).collect();
    let thread = thread::Builder::new().name("polywire-watch".into()).spawn(move || {
        let mut seen = vec![Seen::nothing(Instant::now()); watched.len()];
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
                if let Some(method) = seen.look(&shard.watch, now, limit, &*shard) {
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
                // All shards know for half a limit that they are not watched, and none has polled anything
                // since.
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

/// The system's statistics about a thread.
trait Times {
    /// CPU time that the thread has used; `None`: the system does not report it.
    fn cpu_time(&self) -> Option<Duration>;
    /// Whether the thread waits for something other than a processor.
    fn sleeps(&self) -> bool;
}

impl Times for Shard {
    fn cpu_time(&self) -> Option<Duration> {
        Shard::cpu_time(self)
    }
    fn sleeps(&self) -> bool {
        self.is_asleep()
    }
}

#[derive(Clone)]
struct Seen {
    poll: u64,
    since: Instant,
    /// When the poll was last checked, and the CPU time of the thread then.
    looked: Instant,
    cpu: Option<Duration>,
    /// How long the poll was seen to run or sleep.
    held: Duration,
    counted: bool,
    /// Whether the poll was reported as slow and has not been seen to end.
    slow: bool,
}

impl Seen {
    fn nothing(now: Instant) -> Seen {
        Seen { poll: 0, since: now, looked: now, cpu: None, held: Duration::ZERO, counted: true, slow: false }
    }

    /// The method of a poll that has now been seen to run or sleep for `limit`; reported once per poll.
    fn look(
        &mut self,
        watch: &Watch,
        now: Instant,
        limit: Duration,
        thread: &impl Times,
    ) -> Option<&'static str> {
        let (poll, method) = watch.look();
        let Some(method) = method else {
            self.counted = true;
            self.poll = poll;
            return None;
        };
        if poll != self.poll {
            *self = Seen { poll, cpu: thread.cpu_time(), counted: false, ..Seen::nothing(now) };
        } else if !self.counted {
            let more = self.since_last_look(now, thread);
            self.held += more;
            self.counted = self.held >= limit;
            return self.counted.then_some(*method);
        }
        None
    }

    /// How long the thread has run or slept since the last check.
    fn since_last_look(&mut self, now: Instant, thread: &impl Times) -> Duration {
        let (time, cpu) = (now - self.looked, thread.cpu_time());
        let ran = cpu.zip(self.cpu).map_or(time, |(now, before)| time.min(now.saturating_sub(before)));
        (self.looked, self.cpu) = (now, cpu);
        if ran < time && thread.sleeps() { time } else { ran }
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

    /// CPU time in milliseconds, and whether it sleeps.
    struct Told(Option<u64>, bool);

    impl Times for Told {
        fn cpu_time(&self) -> Option<Duration> {
            self.0.map(Duration::from_millis)
        }
        fn sleeps(&self) -> bool {
            self.1
        }
    }

    /// Looks every 5 ms: how much CPU time the thread has by then, and whether it sleeps.
    fn counts_at(looks: &[(u64, bool)]) -> Option<usize> {
        static NAME: &str = "test/Slow";
        let (watch, start) = (Watch::default(), Instant::now());
        watch.begin(&NAME);
        let mut seen = Seen::nothing(start);
        looks.iter().enumerate().position(|(n, &(cpu, sleeps))| {
            let now = start + Duration::from_millis(5 * n as u64);
            seen.look(&watch, now, Duration::from_millis(10), &Told(Some(cpu), sleeps)).is_some()
        })
    }

    #[test]
    fn a_thread_that_waits_for_a_processor_holds_nothing_up() {
        assert_eq!(counts_at(&[(100, false), (105, false), (110, false)]), Some(2), "it runs");
        assert_eq!(counts_at(&[(100, true), (100, true), (100, true)]), Some(2), "it sleeps");
        assert_eq!(counts_at(&[(100, false), (102, true), (105, false), (105, true)]), Some(3), "both");
        assert_eq!(counts_at(&[(100, false); 50]), None, "it waits for a processor");
        let now_and_then: Vec<_> = (0..50).map(|n| (100 + n / 5, false)).collect();
        assert_eq!(counts_at(&now_and_then), None, "it has run for 9 ms of 250");
    }

    /// The system's statistics differ between a thread that sleeps and one that runs.
    #[test]
    fn the_system_tells_a_handler_that_sleeps_from_one_that_waits_its_turn() {
        let engine = crate::Engine::builder().shards(1).workers(1).build().expect("an engine");
        let shard = engine.shards()[0].clone();
        if shard.cpu_time().is_none() {
            return; // a system that does not tell
        }
        let (say, said) = std::sync::mpsc::channel::<()>();
        let (heard, hears) = std::sync::mpsc::channel::<()>();
        shard.handle().spawn(async move {
            heard.send(()).expect("it is awaited");
            let _ = said.recv(); // holds its shard up, asleep
            heard.send(()).expect("it is awaited");
            while !matches!(said.try_recv(), Err(std::sync::mpsc::TryRecvError::Disconnected)) {
                std::hint::spin_loop();
            }
        });
        let within = |what: &str, is: &dyn Fn() -> bool| {
            let end = Instant::now() + Duration::from_secs(30);
            while !is() {
                assert!(Instant::now() < end, "{what}");
                thread::yield_now();
            }
        };
        hears.recv().expect("it has begun");
        within("it sleeps", &|| shard.is_asleep());
        let before = shard.cpu_time();
        say.send(()).expect("it listens");
        hears.recv().expect("it goes on");
        within("it runs", &|| !shard.is_asleep() && shard.cpu_time() > before);
        drop(say);
    }

    #[test]
    fn a_poll_counts_once_it_has_lasted_for_the_limit_and_once_only() {
        static NAME: &str = "test/Slow";
        let (watch, start, limit) = (Watch::default(), Instant::now(), Duration::from_millis(10));
        let mut seen = Seen::nothing(start);
        let mut look = |watch: &Watch, ms: u64| {
            seen.look(watch, start + Duration::from_millis(ms), limit, &Told(None, false))
        };
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
