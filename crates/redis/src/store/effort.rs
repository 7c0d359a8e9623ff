//! How much work a command is, before it is done.
//!
//! A shard serves many connections, so no command may keep it for long, nor hold a lock that it waits for. Most commands
//! take a constant time, or a constant time for each argument. The others are estimated first; what is more than [`LONG`]
//! steps leaves its shard, see [`lane`](super::lane). A step is an item looked at or [`STEP_BYTES`] copied: 10 to 60 ns.

use super::{
    Store,
    call::range,
    catalogue::Spec,
    number,
    space::Space,
    stripe::{Data, Item},
};

/// Steps that a shard does at once: about half a millisecond.
pub(super) const LONG: usize = 1 << 14;
/// Steps of a transaction, all its commands together: about a second.
pub(super) const MAX_TRANSACTION: usize = 1 << 25;
/// Bytes whose copy counts as a step.
const STEP_BYTES: usize = 512;

/// What a command's time depends on beside its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Nothing: a few look-ups for each argument.
    Args,
    /// Adds or removes items by name or at the ends. Now and then a table or a list is made anew in another size.
    Edits,
    /// Everything under its keys.
    Items,
    /// As many items as its second argument says.
    Count,
    /// The items between its second and third argument.
    Range,
    /// The items outside of these.
    Outside,
    /// The bytes of a string, and how far its second argument reaches beyond its end.
    Text,
    /// A bounded number of slots, and of steps of matching.
    Scan,
    /// Every key, and the bytes of all for each 64 characters of the pattern.
    Match,
    /// Every key and value.
    Keyspace,
    /// What its queued commands do.
    Exec,
}

impl Effort {
    /// Steps that a command does. Its stripes are locked; `added`: items that commands before it may have added since.
    pub(super) fn estimate(
        store: &Store,
        spec: &Spec,
        space: &mut Space<'_>,
        args: &[&[u8]],
        added: usize,
    ) -> usize {
        match spec.effort {
            Effort::Args | Effort::Exec => 0,
            Effort::Scan => 1 << 16,
            Effort::Keyspace => store.used_memory() / 64 + added,
            Effort::Match => {
                let words = args.get(1).map_or(1, |pattern| pattern.len() / 64 + 1);
                (store.used_memory() / 16).saturating_mul(words).saturating_add(added)
            }
            Effort::Edits
            | Effort::Items
            | Effort::Count
            | Effort::Range
            | Effort::Outside
            | Effort::Text => {
                let mut steps = added;
                for key in spec.keys_in(args) {
                    let key = store.key(key);
                    let stripe = space.of(key);
                    // Nothing in a light stripe is long: an item weighs at least 24 bytes.
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

    /// Steps that an item costs.
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
                _ => 0, // an error
            },
            Effort::Items | Effort::Text => match &item.data {
                Data::Text(text) => text.len() / STEP_BYTES,
                Data::List(_) | Data::Hash(_) | Data::Set(_) => count,
            },
            Effort::Args | Effort::Scan | Effort::Match | Effort::Keyspace | Effort::Exec => 0,
        }
    }

    /// Steps for bytes that are not there yet.
    fn reach(self, args: &[&[u8]]) -> usize {
        let offset = (self == Effort::Text).then(|| args.get(2).and_then(|arg| number(arg))).flatten();
        offset.map_or(0, |offset| usize::try_from(offset).unwrap_or(0) / STEP_BYTES)
    }
}

/// Whether reading a command's arguments and looking them up alone is too much for a shard.
#[inline]
pub(super) fn is_long(args: usize, bytes: usize) -> bool {
    args > LONG || bytes > LONG * STEP_BYTES
}
