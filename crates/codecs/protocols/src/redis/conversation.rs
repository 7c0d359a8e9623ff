//! A conversation: a streamed call that has a connection for itself.
//!
//! Each message of a conversation holds one or more whole commands; each part is one reply or push of the
//! server, in the order of arrival. Replies are not matched to commands: that is left to the caller. So a
//! conversation supports features that calls on a shared connection cannot: WATCH, commands that block,
//! subscriptions, MONITOR.
//!
//! A conversation needs a connection on which no other call is under way, and the connection ends with it.
//!
//! Limits: what was delivered and not yet granted is at most `Limits::window` bytes and one part more, and
//!         `Limits::ahead` parts; then nothing more is read. One part is at most `Limits::max_message`.

use super::command::commands;
use polywire_base::IoBuf;
use polywire_wire::Exchange;

/// The conversation of a connection.
#[derive(Clone, Copy)]
pub(super) struct Conversation {
    pub(super) exchange: Exchange,
}

/// Whether these bytes are one or more whole commands.
pub(super) fn are_commands(bytes: &IoBuf) -> bool {
    let whole = |wire: &[u8]| !wire.is_empty() && commands(wire).all(|command| command.is_some());
    match bytes.as_slice() {
        Some(wire) => whole(wire),
        None => whole(&bytes.to_vec()),
    }
}
