//! Estimates the work of a command before it is executed.
//!
//! A shard serves many connections, so no command may occupy it for long, or hold for long a lock that the
//! shard waits for. Most commands take constant time, or constant time for each argument. The work of the
//! others is estimated first; a command of more than [`LONG`] steps is moved off its shard, see
//! [`lane`](super::lane). A step is an item visited or [`STEP_BYTES`] bytes copied: 10 to 60 ns.

use super::{
    keyspace::Keyspace,
    number::{number, range},
    space::Space,
    spec::{Effort, Spec},
    stripe::{Data, Item},
};

/// Largest number of steps that a shard executes itself: about half a millisecond.
pub(super) const LONG: usize = 1 << 14;
/// Largest number of steps of a transaction, over all its commands: about a second.
pub(super) const MAX_TRANSACTION: usize = 1 << 25;
/// Number of bytes whose copy counts as one step.
const STEP_BYTES: usize = 512;

impl Effort {
    /// The number of steps of a command whose stripes are locked. `added`: items that earlier commands of the
    /// transaction may have added.
    pub(super) fn estimate(
        keyspace: &Keyspace,
        spec: &Spec,
        space: &mut Space<'_>,
        args: &[&[u8]],
        added: usize,
    ) -> usize {
        match spec.effort {
            Effort::Args | Effort::Exec => 0,
            Effort::Scan => 1 << 16,
            Effort::Keyspace => keyspace.used_memory() / 64 + added,
            Effort::Match => {
                let words = args.get(1).map_or(1, |pattern| pattern.len() / 64 + 1);
                (keyspace.used_memory() / 16).saturating_mul(words).saturating_add(added)
            }
            Effort::Edits
            | Effort::Items
            | Effort::Count
            | Effort::Range
            | Effort::Outside
            | Effort::Text => {
                let mut steps = added;
                for key in spec.keys_in(args) {
                    let key = keyspace.key(key);
                    let stripe = space.of(key);
                    // Nothing in a light stripe can be long: an item weighs at least 24 bytes.
                    if stripe.weight() >= 16 * LONG
                        && let Some(slot) = stripe.table().find(key.hash, key.bytes)
                    {
                        steps += spec.effort.on(stripe.table().value(slot), args);
                    }
                }
                steps + spec.effort.reach(args)
            }
        }
    }

    /// The number of steps on this item.
    fn on(self, item: &Item, args: &[&[u8]]) -> usize {
        let number = |index: usize| args.get(index).and_then(|arg| number(arg));
        let count = item.data.count();
        match self {
            Effort::Edits => item.data.upkeep(args.len()),
            Effort::Count => {
                let wanted = number(2).map_or(1, |wanted| wanted.unsigned_abs() as usize).min(count);
                wanted + item.data.upkeep(wanted)
            }
            Effort::Range | Effort::Outside => match (number(2), number(3)) {
                (Some(start), Some(end)) => {
                    let (start, end) = range(start, end, count);
                    if self == Effort::Range { end - start } else { count - (end - start) }
                }
                _ => 0, // the command will fail
            },
            Effort::Items | Effort::Text => match &item.data {
                Data::Text(text) => text.len() / STEP_BYTES,
                Data::List(_) | Data::Hash(_) | Data::Set(_) => count,
            },
            Effort::Args | Effort::Scan | Effort::Match | Effort::Keyspace | Effort::Exec => 0,
        }
    }

    /// The number of steps for bytes that extend a string.
    fn reach(self, args: &[&[u8]]) -> usize {
        let offset = (self == Effort::Text).then(|| args.get(2).and_then(|arg| number(arg))).flatten();
        offset.map_or(0, |offset| usize::try_from(offset).unwrap_or(0) / STEP_BYTES)
    }
}

/// Whether reading a command's arguments and looking them up is in itself too much for a shard.
#[inline]
pub(super) fn is_long(args: usize, bytes: usize) -> bool {
    args > LONG || bytes > LONG * STEP_BYTES
}
