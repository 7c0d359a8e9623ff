//! The state that the store keeps for a connection: its transaction, and the keys that it watches.
//!
//! ```text
//!  idle --MULTI--> queueing --EXEC, DISCARD, RESET--> idle
//!                     | a command that cannot be queued: spoiled, EXEC will refuse
//! ```

use super::{
    ArgList, Now, OUT_OF_MEMORY, STRIPES, Store, Writer,
    call::{Call, Done},
    catalogue::{Keys, Spec},
    effort::{Effort, LONG, MAX_TRANSACTION, is_long},
    lane::{Long, Place},
    space::Space,
    trash::Charge,
};
use crate::Args;
use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// Bytes of commands that a transaction may queue.
pub const MAX_QUEUED: usize = 64 << 20;
/// Bytes of keys that a connection may watch.
pub const MAX_WATCHED: usize = 1 << 20;
/// Memory of a watched key in bytes, besides the key.
const WATCHED: usize = 64;

/// The state of a connection. Dropping it discards its transaction and its watches.
#[derive(Default)]
pub struct Session {
    queue: Option<Queue>,
    watch: Option<Watch>,
}

#[derive(Default)]
struct Queue {
    /// Commands in wire form, back to back.
    commands: Vec<u8>,
    count: usize,
    spoiled: bool,
    charge: Option<Charge>,
}

struct Watch {
    keys: Vec<Box<[u8]>>,
    /// Whether one of the watched keys has changed.
    changed: Arc<AtomicBool>,
    charge: Charge,
}

impl Session {
    /// Whether MULTI was called and EXEC was not yet.
    #[inline]
    pub fn is_queueing(&self) -> bool {
        self.queue.is_some()
    }

    /// Notes that a command could not be queued.
    pub(super) fn spoil(&mut self) {
        if let Some(queue) = &mut self.queue {
            queue.spoiled = true;
        }
    }

    pub(super) fn queue(&mut self, store: &Store, spec: &Spec, command: &[u8]) -> Result<(), &'static str> {
        let Some(queue) = &mut self.queue else { return Ok(()) };
        if spec.is_barred_from_transactions() {
            queue.spoiled = true;
            return Err("ERR Command not allowed inside a transaction");
        }
        if queue.commands.len() + command.len() > MAX_QUEUED {
            queue.spoiled = true;
            return Err("ERR transaction is too large");
        }
        if !store.has_memory(command.len()) {
            queue.spoiled = true;
            return Err(OUT_OF_MEMORY);
        }
        queue.commands.extend_from_slice(command);
        queue.count += 1;
        queue.charge.get_or_insert_with(|| Charge::new(&store.beside, 0)).set(queue.commands.capacity());
        Ok(())
    }
}

/// The session of the connection. EXEC runs its commands without one.
fn session<'s>(call: &'s mut Call<'_, '_, '_>) -> Result<&'s mut Session, Cow<'static, str>> {
    match &mut call.session {
        Some(session) => Ok(session),
        None => Err("ERR Command not allowed inside a transaction".into()),
    }
}

pub(super) fn multi(call: &mut Call<'_, '_, '_>) -> Done {
    let session = session(call)?;
    if session.is_queueing() {
        return Err("ERR MULTI calls can not be nested".into());
    }
    session.queue = Some(Queue::default());
    call.ok()
}

pub(super) fn discard(call: &mut Call<'_, '_, '_>) -> Done {
    let session = session(call)?;
    if session.queue.take().is_none() {
        return Err("ERR DISCARD without MULTI".into());
    }
    session.watch = None;
    call.ok()
}

pub(super) fn reset(call: &mut Call<'_, '_, '_>) -> Done {
    *session(call)? = Session::default();
    call.out.simple("RESET");
    Ok(())
}

pub(super) fn unwatch(call: &mut Call<'_, '_, '_>) -> Done {
    if let Some(session) = &mut call.session {
        session.watch = None;
    }
    call.ok()
}

pub(super) fn watch(call: &mut Call<'_, '_, '_>) -> Done {
    let now = call.now;
    let session = session(call)?;
    if session.is_queueing() {
        return Err("ERR WATCH inside MULTI is not allowed".into());
    }
    let store = call.store;
    let watch = call.session.as_mut().and_then(|session| session.watch.take());
    let mut watch = watch.unwrap_or_else(|| Watch {
        keys: Vec::new(),
        changed: Arc::default(),
        charge: Charge::new(&store.beside, 0),
    });
    let more: usize = call.args[1..].iter().map(|key| key.len() + WATCHED).sum();
    let done = match watch.charge.bytes() + more {
        bytes if bytes > MAX_WATCHED => Err("ERR too many watched keys".into()),
        _ if !store.has_memory(more) => Err(OUT_OF_MEMORY.into()),
        bytes => {
            watch.charge.set(bytes);
            let changed = Arc::downgrade(&watch.changed);
            for index in 1..call.args.len() {
                let key = call.key(index);
                let stripe = call.stripe(key);
                stripe.find(key, now); // removes the key if it has expired, so that it does not change later
                stripe.watch(key, &changed);
                watch.keys.push(key.bytes.into());
            }
            call.ok()
        }
    };
    if let Some(session) = &mut call.session {
        session.watch = Some(watch);
    }
    done
}

/// In the table only. EXEC is run by [`Session::exec`], because no stripe is locked when it begins.
pub(super) fn exec(_: &mut Call<'_, '_, '_>) -> Done {
    Err("ERR EXEC without MULTI".into())
}

/// A queued command.
type Queued<'q> = (&'static Spec, ArgList<'q>);

impl Session {
    /// Locks everything that the queued commands and the watched keys need, and executes the commands if no
    /// watched key has changed.
    ///
    /// # Errors
    /// It takes too long for this place; nothing was done.
    pub(super) fn exec(
        &mut self,
        store: &Store,
        place: Place,
        now: &Now,
        out: &mut Writer<'_>,
    ) -> Result<(), Long> {
        let Some(queue) = &self.queue else {
            out.error("ERR EXEC without MULTI");
            return Ok(());
        };
        let watched = self.watch.as_ref().map_or(&[][..], |watch| &watch.keys);
        if place == Place::Shard && is_long(queue.count + watched.len(), queue.commands.len()) {
            return Err(Long);
        }
        if queue.spoiled {
            *self = Session::default();
            out.error("EXECABORT Transaction discarded because of previous errors.");
            return Ok(());
        }
        let (commands, mut needed) = queue.read(store);
        watched.iter().for_each(|key| needed |= 1u64 << store.key(key).stripe());
        let mut space = match needed {
            0 => Space::Free,
            needed => Space::lock_set(store, place, needed)?,
        };
        let steps = steps(store, &commands, &mut space);
        if place == Place::Shard && steps > LONG {
            return Err(Long);
        }
        for key in watched {
            let key = store.key(key);
            space.of(key).find(key, now); // a key that has expired since counts as changed
        }
        if self.watch.as_ref().is_some_and(|watch| watch.changed.load(Relaxed)) {
            out.null_array();
        } else if steps > MAX_TRANSACTION {
            out.error("ERR transaction takes too long");
        } else {
            let begin = out.position();
            out.array(commands.len());
            let mut full = false;
            for (spec, args) in &commands {
                store.run(spec, now, None, &mut space, args.as_slice(), out);
                full |= out.is_full(); // there is not even room for the errors
            }
            if full {
                out.rewind(begin);
                out.error("ERR the transaction was carried out; its reply is longer than the limit");
            }
        }
        drop(space);
        *self = Session::default();
        Ok(())
    }
}

impl Queue {
    /// The commands, and a bit set of the stripes that they need.
    fn read(&self, store: &Store) -> (Vec<Queued<'_>>, u64) {
        let mut commands = Vec::with_capacity(self.count);
        let mut needed = 0;
        let mut rest = &self.commands[..];
        for _ in 0..self.count {
            let mut args = Args::new(rest);
            let list = ArgList::read(&mut args);
            rest = args.behind();
            let Some(spec) = list.as_slice().first().and_then(|name| store.catalogue.find(name)) else {
                continue;
            };
            match spec.keys {
                Keys::None => {}
                Keys::All => needed = u64::MAX >> (64 - STRIPES),
                Keys::One | Keys::Range { .. } => {
                    spec.keys_in(list.as_slice()).for_each(|key| needed |= 1 << store.key(key).stripe());
                }
            }
            commands.push((spec, list));
        }
        (commands, needed)
    }
}

/// Number of steps of a transaction, including steps on items that its own commands add.
fn steps(store: &Store, commands: &[Queued<'_>], space: &mut Space<'_>) -> usize {
    let (mut steps, mut added) = (0usize, 0usize);
    for (spec, args) in commands {
        let args = args.as_slice();
        steps = steps.saturating_add(args.len()).saturating_add(match spec.effort {
            Effort::Args => 0,
            _ => Effort::estimate(store, spec, space, args, added),
        });
        if steps > MAX_TRANSACTION {
            break;
        }
        if spec.needs_memory() {
            added += args.len();
        }
    }
    steps
}
