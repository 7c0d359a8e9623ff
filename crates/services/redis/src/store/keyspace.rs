//! All keys, in their stripes, and their use of memory.

use super::{
    key::{Key, STRIPES},
    lane::Claimable,
    now::Now,
    options::Options,
    stripe::Stripe,
};
use std::{
    hash::BuildHasher,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    },
};

/// A command that does not fit because of [`Options::max_memory`].
pub(super) const OUT_OF_MEMORY: &str = "OOM command not allowed when used memory > 'maxmemory'.";

/// The data that commands work on.
pub(super) struct Keyspace {
    pub(super) stripes: Box<[Claimable<Stripe>]>,
    /// Held by the long command that runs, one at a time; see [`lane`](super::lane).
    pub(super) lane: tokio::sync::RwLock<()>,
    hasher: foldhash::fast::RandomState,
    pub(super) options: Options,
    /// Bytes of keys and values, as reported by the stripes.
    pub(super) used: AtomicI64,
    /// Bytes outside of the stripes: queued transactions, watched keys, values that are still to be freed.
    pub(super) beside: Arc<AtomicI64>,
    /// State of the random generator for RANDOMKEY and SPOP. Only they write it.
    seed: AtomicU64,
    /// Start of the store, in Unix milliseconds.
    pub(super) since: u64,
}

impl Keyspace {
    pub(super) fn new(options: Options, now: &Now) -> Self {
        let hasher = foldhash::fast::RandomState::default();
        Keyspace {
            stripes: (0..STRIPES).map(|_| Claimable::default()).collect(),
            lane: tokio::sync::RwLock::new(()),
            seed: AtomicU64::new(hasher.hash_one(1) | 1),
            hasher,
            options,
            used: AtomicI64::new(0),
            beside: Arc::default(),
            since: now.unix_ms(),
        }
    }

    #[inline]
    pub(super) fn key<'k>(&self, bytes: &'k [u8]) -> Key<'k> {
        Key { hash: self.hasher.hash_one(bytes), bytes }
    }

    /// Whether there is memory for `more` further bytes.
    #[inline]
    pub(super) fn has_memory(&self, more: usize) -> bool {
        self.options.max_memory == 0 || self.used_memory().saturating_add(more) < self.options.max_memory
    }

    /// Bytes used outside of the stripes.
    pub(super) fn beside(&self) -> usize {
        usize::try_from(self.beside.load(Relaxed)).unwrap_or(0)
    }

    /// Bytes used by keys, values and connections: tables with their vacant slots, queued transactions,
    /// watched keys, values that are still to be freed. Accurate to 4 KiB for each stripe.
    pub(super) fn used_memory(&self) -> usize {
        usize::try_from(self.used.load(Relaxed) + self.beside.load(Relaxed)).unwrap_or(0)
    }

    pub(super) fn random(&self) -> u64 {
        self.hasher.hash_one(self.seed.fetch_add(1, Relaxed))
    }
}
