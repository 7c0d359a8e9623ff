//! Replies that a peer does not read: how many bytes of them may wait on its connection.
//!
//! A server reads no further request while its output has no room. Calls that are under way by then still end, and where
//! calls run side by side there may be thousands of them.
//!
//! Limits: [`most`]. A reply that comes beyond it is replaced by a short failure; one reply is let through whatever its length.

use polywire_call::{Status, brpc};
use polywire_wire::{Cx, Denied, Outcome, Patience};

/// Replies of calls that were under way when [`Patience::queued`] was reached wait as well, until they are so many times as
/// much: by default four calls at once may each be answered with the longest message there is. Whatever is refused here is
/// lost, although its handler has run.
const REPLIES: usize = 4;

/// Longest text of a failure that is sent as it is, in bytes.
const SHORT: usize = 256;

/// Bytes of replies that may wait, and one reply beyond them.
#[inline]
pub(crate) fn most(patience: &Patience) -> usize {
    (patience.queued as usize).saturating_mul(REPLIES)
}

/// Puts a short failure in place of a reply when `owed` bytes already wait, where all of them are in the output or held by the
/// machine. What the output has room for is not too much, whatever [`Patience`] says: it leaves at the end of the turn.
#[inline]
pub(crate) fn replace_beyond(cx: &mut Cx<'_>, patience: &Patience, owed: usize, outcome: &mut Outcome) {
    if owed > most(patience) && owed >= cx.out.len() + cx.out.room() {
        replace(cx, outcome);
    }
}

/// Not a number by which a server refuses, after which clients try again: the handler has run.
#[cold]
fn replace(cx: &mut Cx<'_>, outcome: &mut Outcome) {
    if !is_short(outcome) {
        cx.host.denied(Denied::Reply);
        *outcome = Status::resource_exhausted("too many bytes of replies are not taken").into();
    }
}

fn is_short(outcome: &Outcome) -> bool {
    let Outcome { status, body, headers, trailers, .. } = outcome;
    let plain = headers.is_none() && trailers.is_none() && body.is_empty();
    let said = status.message().len() + status.details().len();
    brpc::number(status) == brpc::ECLOSE || (plain && said <= SHORT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_call::Metadata;

    /// A failure keeps its own words, and an end without a message stays one; what an application makes long does not pass.
    #[test]
    fn only_what_is_short_is_sent_as_it_is() {
        let fields = || Some(Box::new(Metadata::new()));
        assert!(is_short(&Outcome::default()));
        assert!(is_short(&Status::not_found("no such key").into()));
        assert!(is_short(&brpc::status(brpc::ECLOSE, "c".repeat(SHORT + 1)).into()), "nothing is sent");
        assert!(!is_short(&Status::not_found("k".repeat(SHORT + 1)).into()));
        assert!(!is_short(&Status::not_found("").with_details(vec![0; SHORT + 1]).into()));
        assert!(!is_short(&Outcome { trailers: fields(), ..Outcome::default() }));
        assert!(!is_short(&Outcome { headers: fields(), ..Outcome::default() }));
        assert!(!is_short(&Outcome { body: vec![0].into(), ..Outcome::default() }));
    }
}
