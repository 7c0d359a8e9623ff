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
mod exec;
mod glob;
mod hashes;
mod introspection;
mod key;
mod keys;
mod keyspace;
mod lane;
mod lists;
mod now;
mod number;
mod options;
mod service;
mod session;
mod sets;
mod space;
mod spec;
mod strings;
mod stripe;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod transactions;
mod trash;
mod watchers;

pub use now::Now;
pub use options::Options;
pub use session::{MAX_QUEUED, Session};

use super::{Args, ReplyBuf, Version, Writer, unknown_command, wrong_arguments};
use call::ArgList;
use catalogue::Catalogue;
use effort::{LONG, is_long};
use keyspace::Keyspace;
use lane::{Long, Place};
use space::Space;
use spec::{Effort, Keys};

/// A key-value store; see the module.
pub struct Store {
    keyspace: Keyspace,
    catalogue: &'static Catalogue,
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
        Store { keyspace: Keyspace::new(options, &now), catalogue: Catalogue::get() }
    }

    /// Bytes used by keys, values and connections: tables with their vacant slots, queued transactions,
    /// watched keys, values that are still to be freed. Accurate to 4 KiB for each stripe.
    pub fn used_memory(&self) -> usize {
        self.keyspace.used_memory()
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

    /// Like [`Store::execute`], in a place that may allow short commands only. Hot path: once per command.
    ///
    /// # Errors
    /// The command takes too long for this place; it was not executed.
    fn execute_at(
        &self,
        place: Place,
        now: &Now,
        session: &mut Session,
        command: &[u8],
        version: Version,
        out: &mut ReplyBuf,
    ) -> Result<(), Long> {
        let keyspace = &self.keyspace;
        let mut args = Args::new(command);
        if place == Place::Shard && is_long(args.len(), command.len()) {
            return Err(Long);
        }
        let args = ArgList::read(&mut args);
        let args = args.as_slice();
        let mut out = Writer::limited(out, version, keyspace.options.longest_reply());
        let Some(known) = args.first().and_then(|name| self.catalogue.find(name)) else {
            session.spoil();
            let name = args.first().copied().unwrap_or_default();
            out.error(&unknown_command(name, args.iter().skip(1).copied()));
            return Ok(());
        };
        let spec = &known.spec;
        if !spec.fits(args.len()) {
            session.spoil();
            out.error(&wrong_arguments(spec.name));
            return Ok(());
        }
        if session.is_queueing() && !spec.is_immediate() {
            match session.queue(keyspace, spec, command) {
                Ok(()) => out.simple("QUEUED"),
                Err(text) => out.error(text),
            }
            return Ok(());
        }
        if spec.effort == Effort::Exec {
            return session.exec(keyspace, place, now, &mut out);
        }
        let _lane = match (place, spec.keys) {
            (Place::Shard, Keys::All) => Some(keyspace.lane.try_read().map_err(|_| Long)?),
            _ => None,
        };
        let mut space = Space::lock(keyspace, place, spec, args)?;
        if spec.effort != Effort::Args
            && place == Place::Shard
            && spec.effort != Effort::Scan
            && Effort::estimate(keyspace, spec, &mut space, args, 0) > LONG
        {
            return Err(Long);
        }
        known.run(keyspace, now, Some(session), &mut space, args, &mut out);
        Ok(())
    }
}
