//! CPU profiles: which functions run, by samples of each thread's CPU time.

mod signal;

use crate::{
    locks::Watching,
    modules::Modules,
    profile::{Kind, Profile, Stacks},
    runs::Taken,
    unwind::Walker,
};
use std::{
    collections::{HashMap, HashSet},
    fs, io, thread,
    time::{Duration, Instant, SystemTime},
};

pub(crate) use self::signal::Registers;
use self::signal::{Lease, Timer};

/// The number of samples per second of each running thread. Not 100, so that work that runs a hundred times a
/// second is not always or never sampled.
pub(crate) const RATE: u32 = 99;

/// CPU time from one sample of a thread to the next, in nanoseconds.
const PERIOD: i64 = 1_000_000_000 / RATE as i64;

/// The maximum duration of a profile.
pub const LONGEST: Duration = Duration::from_secs(300);

/// The interval at which new threads are looked for, and samples are fetched.
const TURN: Duration = Duration::from_millis(20);

/// Threads that are sampled at the same time.
const MOST_THREADS: usize = 4096;

/// Profiles the process for `length`, at most [`LONGEST`], on the calling thread, which is not profiled
/// itself; then looks up the names, which takes up to seconds in a large program with debug information.
/// `stop` is checked each turn.
///
/// # Errors
/// Another profile is being taken; the process has its own handler for SIGPROF; or the system forbids timers
/// or `process_vm_readv`.
pub(crate) fn take(length: Duration, stop: &dyn Fn() -> bool) -> io::Result<Taken> {
    let lease = Lease::new()?;
    let mut walker = Walker::new(Modules::of_process()?);
    let mut stacks = Stacks::default();
    let mut threads = Threads::new();
    let mut cut = 0;
    let length = length.min(LONGEST);
    threads.look()?;
    let watching = Watching::new();
    // From here on: to read the tables of a large program takes a while, and longer on a busy machine.
    let (started, begin) = (SystemTime::now(), Instant::now());
    loop {
        let left = length.saturating_sub(begin.elapsed());
        thread::sleep(TURN.min(left));
        lease.slots().read(|taken| {
            let whole = walker.walk(&taken.registers, &taken.stack[..taken.length]);
            cut += u64::from(!whole);
            stacks.add(taken.method, walker.frames(), [1, PERIOD]);
        });
        watching.turn();
        if left.is_zero() || stop() {
            break;
        }
        threads.look()?;
    }
    let (unsampled, seen) = (threads.unsampled, threads.seen);
    drop(threads);
    let lost = lease.slots().lost();
    drop(lease);
    let length = begin.elapsed();
    let contention = watching.profile(started, length, walker.modules());
    let mut profile = Profile::new(Kind::Cpu, started, length, &stacks, walker.modules());
    profile.period = PERIOD;
    profile.facts = vec![("lost", lost), ("cut", cut), ("threads", seen), ("threads_unsampled", unsampled)];
    Ok(Taken { cpu: profile, contention })
}

/// The timers of all threads but this one.
struct Threads {
    own: i32,
    /// `None`: a thread that cannot be sampled.
    timers: HashMap<i32, Option<Timer>>,
    /// The number of threads that were found at any time, and of those that could not be sampled.
    seen: u64,
    unsampled: u64,
}

impl Threads {
    fn new() -> Threads {
        Threads { own: signal::thread_id(), timers: HashMap::new(), seen: 0, unsampled: 0 }
    }

    /// Looks which threads there are now.
    fn look(&mut self) -> io::Result<()> {
        let mut now = HashSet::with_capacity(self.timers.len() + 8);
        for entry in fs::read_dir("/proc/self/task")? {
            let id = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
            now.extend(id.filter(|id| *id != self.own));
        }
        self.timers.retain(|thread, _| now.contains(thread));
        for thread in now {
            if self.timers.contains_key(&thread) {
                continue;
            }
            let may = self.timers.len() < MOST_THREADS;
            let timer = may.then(|| Timer::of_thread(thread, PERIOD));
            match timer {
                // It has ended meanwhile.
                Some(Err(error)) if matches!(error.raw_os_error(), Some(libc::EINVAL | libc::ESRCH)) => {
                    continue;
                }
                Some(Ok(timer)) => _ = self.timers.insert(thread, Some(timer)),
                _ => {
                    self.unsampled += 1;
                    self.timers.insert(thread, None);
                }
            }
            self.seen += 1;
        }
        Ok(())
    }
}
