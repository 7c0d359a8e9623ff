//! A key-value store in memory that answers the everyday commands of Redis.
//!
//! ```text
//!  execute -- catalogue: name -> arity, where the keys are, handler
//!     |          in MULTI: QUEUED
//!     `-- locks the stripes of the command's keys, in order --> handler writes the reply
//!
//!  stripe 0 ... 63   by the key's hash; each a table behind its own lock
//! ```
//!
//! A command that takes long is moved off its shard: `effort` estimates its work, `lane` decides where it
//! runs.
//!
//! All shards share one store. A command holds the locks of all its keys while it runs, a transaction those
//! of all its commands, so that both are atomic. Commands over the whole keyspace (KEYS, SCAN, DBSIZE,
//! FLUSHALL) go from stripe to stripe unless a transaction holds them all.
//!
//! Time is an argument. Expired keys are removed when a command accesses them, and a few more are searched
//! for with every change; there is no background thread.
//!
//! Texts and replies follow redis-server 7.0.15; differences are listed in docs/wire/redis.md.
//!
//! Limits: [`Options::max_memory`], [`Options::max_string`], `Options::max_reply`; commands queued by MULTI
//! take [`MAX_QUEUED`] bytes.
//!
//! Not here: eviction, persistence, replication, more than one database.

mod blob;
mod call;
mod catalogue;
mod effort;
mod glob;
mod hashes;
mod introspection;
mod keys;
mod lane;
mod lists;
mod service;
mod session;
mod sets;
mod space;
mod strings;
mod stripe;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod trash;
mod watchers;

pub use session::{MAX_QUEUED, Session};

use super::{Args, ReplyBuf, Version, Writer, unknown_command, wrong_arguments};
use call::{ArgList, Call};
use catalogue::{Catalogue, Keys, Spec};
use effort::{Effort, LONG, is_long};
use lane::{Claimable, Long, Place};
use space::Space;
use std::{
    cell::Cell,
    hash::BuildHasher,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use stripe::Stripe;

const STRIPES: usize = 64;

/// Unix time for expiry: given, or read from the engine's clock when it is first needed. Most commands access
/// no key with an expiry and never need it. All parts of a command or transaction see the same time.
#[derive(Clone, Debug)]
pub struct Now {
    /// Milliseconds since 1970; 0: not read yet.
    unix_ms: Cell<u64>,
}

impl Now {
    /// The time of the engine's clock, read when it is first needed: the system's, or that of a test in virtual time.
    pub const fn system() -> Self {
        Now { unix_ms: Cell::new(0) }
    }

    /// A given time, in milliseconds since 1970.
    pub const fn at(unix_ms: u64) -> Self {
        Now { unix_ms: Cell::new(unix_ms) }
    }

    /// The time in milliseconds since 1970.
    #[inline]
    pub fn unix_ms(&self) -> u64 {
        if self.unix_ms.get() == 0 {
            self.unix_ms.set(Now::from(polywire_engine::clock::system_time()).unix_ms.get());
        }
        self.unix_ms.get()
    }
}

impl From<SystemTime> for Now {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Now::at(since.as_millis() as u64)
    }
}

/// Settings of a store.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Bytes that keys and values, queued transactions and watched keys may use; beyond it, commands that
    /// need more are refused with `OOM`. 0: no limit. Default 1 GiB. The count is approximate: a stripe
    /// reports its changes in steps of 4 KiB, and a command that runs concurrently with another one, or makes
    /// a table grow, may exceed the limit by what it adds.
    pub max_memory: usize,
    /// Longest string in bytes. Default 64 MiB, as [`Limits::max_message`](polywire_wire::Limits::max_message): a
    /// longer one could be built by SETRANGE and APPEND, but most clients could neither send nor receive it.
    pub max_string: usize,
    /// Longest reply to a command in bytes; a longer one becomes an error. Default 64 MiB. It is always large
    /// enough for one string.
    pub max_reply: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_memory: 1 << 30, max_string: 64 << 20, max_reply: 64 << 20 }
    }
}

polywire_base::setters! {
    Options {
        max_memory: usize,
        max_string: usize,
        max_reply: usize,
    }
}

impl Options {
    /// The limit of replies, with room for one string, its framing, and an error.
    fn longest_reply(&self) -> usize {
        self.max_reply.max(self.max_string).saturating_add(1024)
    }
}

const OUT_OF_MEMORY: &str = "OOM command not allowed when used memory > 'maxmemory'.";
/// The reply that replaces one longer than `Options::max_reply`.
const REPLY_TOO_LONG: &str = "ERR reply is longer than the limit";

/// A key-value store; see the module.
pub struct Store {
    stripes: Box<[Claimable<Stripe>]>,
    /// Held by the long command that runs, one at a time; see [`lane`].
    lane: tokio::sync::RwLock<()>,
    hasher: foldhash::fast::RandomState,
    catalogue: Catalogue,
    options: Options,
    /// Bytes of keys and values, as far as stripes have reported them.
    used: AtomicI64,
    /// Bytes outside of the stripes: queued transactions, watched keys, values that are still to be freed.
    beside: Arc<AtomicI64>,
    /// State of the random generator for RANDOMKEY and SPOP. Only they write it.
    seed: AtomicU64,
    /// Start of the store, in Unix milliseconds.
    since: u64,
}

/// A key and its hash.
#[derive(Clone, Copy)]
struct Key<'a> {
    hash: u64,
    bytes: &'a [u8],
}

impl Key<'_> {
    /// The index of its stripe, from bits that the tables within a stripe hardly use.
    #[inline]
    fn stripe(self) -> usize {
        (self.hash >> 32) as usize % STRIPES
    }
}

impl Default for Store {
    fn default() -> Self {
        Store::new(Options::default())
    }
}

impl Store {
    pub fn new(options: Options) -> Self {
        Store::new_at(options, Now::system())
    }

    /// A store that starts at `now`, for INFO.
    pub fn new_at(options: Options, now: Now) -> Self {
        let hasher = foldhash::fast::RandomState::default();
        Store {
            stripes: (0..STRIPES).map(|_| Claimable::default()).collect(),
            lane: tokio::sync::RwLock::new(()),
            seed: AtomicU64::new(hasher.hash_one(1) | 1),
            hasher,
            catalogue: Catalogue::new(),
            options,
            used: AtomicI64::new(0),
            beside: Arc::default(),
            since: now.unix_ms(),
        }
    }

    /// Executes one command in wire form and appends its reply to `out`. `session` belongs to the connection.
    ///
    /// It may take long and waits for other commands: do not call it on a thread that must not wait.
    pub fn execute(
        &self,
        now: &Now,
        session: &mut Session,
        command: &[u8],
        version: Version,
        out: &mut ReplyBuf,
    ) {
        let done = self.execute_at(Place::Pool, now, session, command, version, out);
        debug_assert!(done.is_ok(), "only a shard is left");
    }

    /// As [`Store::execute`], at a place that may allow short commands only. Hot path: once per command.
    ///
    /// # Errors
    /// It takes too long for this place; nothing was done.
    fn execute_at(
        &self,
        place: Place,
        now: &Now,
        session: &mut Session,
        command: &[u8],
        version: Version,
        out: &mut ReplyBuf,
    ) -> Result<(), Long> {
        let mut args = Args::new(command);
        if place == Place::Shard && is_long(args.len(), command.len()) {
            return Err(Long);
        }
        let args = ArgList::read(&mut args);
        let args = args.as_slice();
        let mut out = Writer::limited(out, version, self.options.longest_reply());
        let Some(spec) = args.first().and_then(|name| self.catalogue.find(name)) else {
            session.spoil();
            let name = args.first().copied().unwrap_or_default();
            out.error(&unknown_command(name, args.iter().skip(1).copied()));
            return Ok(());
        };
        if !spec.fits(args.len()) {
            session.spoil();
            out.error(&wrong_arguments(spec.name));
            return Ok(());
        }
        if session.is_queueing() && !spec.is_immediate() {
            match session.queue(self, spec, command) {
                Ok(()) => out.simple("QUEUED"),
                Err(text) => out.error(text),
            }
            return Ok(());
        }
        if spec.effort == Effort::Exec {
            return session.exec(self, place, now, &mut out);
        }
        let _lane = match (place, spec.keys) {
            (Place::Shard, Keys::All) => Some(self.lane.try_read().map_err(|_| Long)?),
            _ => None,
        };
        let mut space = Space::lock(self, place, spec, args)?;
        if spec.effort != Effort::Args
            && place == Place::Shard
            && spec.effort != Effort::Scan
            && Effort::estimate(self, spec, &mut space, args, 0) > LONG
        {
            return Err(Long);
        }
        self.run(spec, now, Some(session), &mut space, args, &mut out);
        Ok(())
    }

    /// Executes a command whose stripes are locked.
    #[inline]
    fn run<'a>(
        &'a self,
        spec: &Spec,
        now: &Now,
        session: Option<&mut Session>,
        space: &mut Space<'a>,
        args: &[&[u8]],
        out: &mut Writer<'_>,
    ) {
        if spec.needs_memory() && !self.has_memory(args.iter().map(|arg| arg.len()).sum()) {
            return out.error(OUT_OF_MEMORY);
        }
        let begin = out.position();
        let mut call = Call { store: self, now, session, space, args, out };
        let done = (spec.run)(&mut call);
        let failed = match &done {
            Err(text) => Some(&**text),
            Ok(()) => out.is_full().then_some(REPLY_TOO_LONG),
        };
        if let Some(text) = failed {
            out.rewind(begin);
            out.error(text);
        }
    }

    #[inline]
    fn key<'k>(&self, bytes: &'k [u8]) -> Key<'k> {
        Key { hash: self.hasher.hash_one(bytes), bytes }
    }

    /// Whether there is memory for `more` further bytes.
    #[inline]
    fn has_memory(&self, more: usize) -> bool {
        self.options.max_memory == 0 || self.used_memory().saturating_add(more) < self.options.max_memory
    }

    /// Bytes used outside of the stripes.
    fn beside(&self) -> usize {
        usize::try_from(self.beside.load(Relaxed)).unwrap_or(0)
    }

    /// Bytes used by keys, values and connections: tables with their vacant slots, queued transactions,
    /// watched keys, values that are still to be freed. Accurate to 4 KiB for each stripe.
    pub fn used_memory(&self) -> usize {
        usize::try_from(self.used.load(Relaxed) + self.beside.load(Relaxed)).unwrap_or(0)
    }

    fn random(&self) -> u64 {
        self.hasher.hash_one(self.seed.fetch_add(1, Relaxed))
    }
}

/// An integer in its canonical form, the only one that redis accepts.
fn number(bytes: &[u8]) -> Option<i64> {
    let digits = match bytes {
        [b'-', digits @ ..] => digits,
        digits => digits,
    };
    match digits {
        [b'0'] => (bytes.len() == 1).then_some(0),
        [b'1'..=b'9', rest @ ..] if rest.len() < 19 && rest.iter().all(u8::is_ascii_digit) => {
            std::str::from_utf8(bytes).ok()?.parse().ok()
        }
        _ => None,
    }
}
