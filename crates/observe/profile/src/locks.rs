//! Contention: which of polywire's own locks are waited for, and how long. Locks of the program and of other
//! libraries are not seen.
//!
//! A thread notes its stack before it waits, when it has time, and adds how long it has waited when it has
//! the lock: two additions.
//!
//! Limits: `MOST` waits in 20 ms, which makes 1000 a second; those beyond are counted, not recorded.

use crate::{
    modules::Mapping,
    profile::{Kind, Profile, Stacks as Collected},
    stacks,
    walk::{self, DEPTH},
};
use polywire_base::LockWatch;
use std::{
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    time::{Duration, SystemTime},
};

/// Waits that are recorded from one [`Watching::turn`] to the next.
const MOST: u32 = 20;

static STACKS: stacks::Table = stacks::Table::new();
static WATCHES: AtomicBool = AtomicBool::new(false);
static RECORDED: AtomicU32 = AtomicU32::new(0);
static LOST: AtomicU64 = AtomicU64::new(0);

/// Records waits until it is dropped. There is at most one, which belongs to the only run.
pub(crate) struct Watching(());

impl Watching {
    pub fn new() -> Watching {
        polywire_base::watch_locks(LockWatch { begin, end });
        STACKS.mark();
        LOST.store(0, Relaxed);
        RECORDED.store(0, Relaxed);
        WATCHES.store(true, Relaxed);
        Watching(())
    }

    /// Moves the recorded waits; called every 20 ms.
    pub fn turn(&self) {
        RECORDED.store(0, Relaxed);
    }

    /// The waits since the begin.
    pub fn profile(self, started: SystemTime, length: Duration, mappings: &[Mapping]) -> Profile {
        let lost = LOST.load(Relaxed);
        drop(self);
        let mut collected = Collected::default();
        STACKS.read(|frames, values| {
            let [count, nanoseconds] = [0, 1].map(|at| values.held[at] - values.base[at]);
            if count > 0 {
                collected.add(None, frames, [count, nanoseconds]);
            }
        });
        let mut profile = Profile::new(Kind::Contention, started, length, &collected, mappings);
        profile.facts = vec![("lost", lost)];
        profile
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        WATCHES.store(false, Relaxed);
    }
}

fn begin() -> Option<u32> {
    if !WATCHES.load(Relaxed) {
        return None;
    }
    if RECORDED.fetch_add(1, Relaxed) >= MOST {
        LOST.fetch_add(1, Relaxed);
        return None;
    }
    let mut frames = [0; DEPTH];
    let depth = walk::walk(&mut frames);
    Some(STACKS.number(&frames[..depth]))
}

fn end(number: u32, waited: Duration) {
    let nanoseconds = i64::try_from(waited.as_nanos()).unwrap_or(i64::MAX);
    STACKS.add(number, [1, nanoseconds]);
}
