//! EXEC: runs what MULTI has queued.

use super::{
    call::ArgList,
    catalogue::{Catalogue, Command},
    effort::{LONG, MAX_TRANSACTION, is_long},
    key::STRIPES,
    keyspace::Keyspace,
    lane::{Long, Place},
    now::Now,
    session::{Queue, Session},
    space::Space,
    spec::{Effort, Keys},
};
use crate::{Args, Writer};
use std::sync::atomic::Ordering::Relaxed;

/// A queued command.
type Queued<'q> = (&'static Command, ArgList<'q>);

impl Session {
    /// Locks everything that the queued commands and the watched keys need, and executes the commands if no
    /// watched key has changed.
    ///
    /// # Errors
    /// The transaction takes too long for this place; no command was executed.
    pub(super) fn exec(
        &mut self,
        keyspace: &Keyspace,
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
        let (commands, mut needed) = queue.read(keyspace);
        watched.iter().for_each(|key| needed |= 1u64 << keyspace.key(key).stripe());
        let mut space = match needed {
            0 => Space::Free,
            needed => Space::lock_set(keyspace, place, needed)?,
        };
        let steps = steps(keyspace, &commands, &mut space);
        if place == Place::Shard && steps > LONG {
            return Err(Long);
        }
        for key in watched {
            let key = keyspace.key(key);
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
            for (command, args) in &commands {
                command.run(keyspace, now, None, &mut space, args.as_slice(), out);
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
    fn read(&self, keyspace: &Keyspace) -> (Vec<Queued<'_>>, u64) {
        let mut commands = Vec::with_capacity(self.count);
        let mut needed = 0;
        let catalogue = Catalogue::get();
        let mut rest = &self.commands[..];
        for _ in 0..self.count {
            let mut args = Args::new(rest);
            let list = ArgList::read(&mut args);
            rest = args.behind();
            let Some(command) = list.as_slice().first().and_then(|name| catalogue.find(name)) else {
                continue;
            };
            match command.spec.keys {
                Keys::None => {}
                Keys::All => needed = u64::MAX >> (64 - STRIPES),
                Keys::One | Keys::Range { .. } => {
                    command
                        .spec
                        .keys_in(list.as_slice())
                        .for_each(|key| needed |= 1 << keyspace.key(key).stripe());
                }
            }
            commands.push((command, list));
        }
        (commands, needed)
    }
}

/// Number of steps of a transaction, including steps on items that its own commands add.
fn steps(keyspace: &Keyspace, commands: &[Queued<'_>], space: &mut Space<'_>) -> usize {
    let (mut steps, mut added) = (0usize, 0usize);
    for (Command { spec, .. }, args) in commands {
        let args = args.as_slice();
        steps = steps.saturating_add(args.len()).saturating_add(match spec.effort {
            Effort::Args => 0,
            _ => Effort::estimate(keyspace, spec, space, args, added),
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
