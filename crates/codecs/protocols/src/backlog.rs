//! Limits the replies that wait on a connection whose peer does not read.
//!
//! A server reads no further request while its output has no room. Calls that are under way by then still
//! end, and protocols with concurrent calls may have thousands of them.
//!
//! Limits: [`most`]. A reply beyond it is replaced by a short failure. One reply is sent whatever its length.

use polywire_call::{Status, brpc};
use polywire_wire::{Cx, Denied, Outcome, Patience};

/// When [`Patience::queued`] is reached, replies of calls under way may still wait, up to this multiple of
/// it: by default four concurrent calls may each be answered with the longest message. A reply beyond that is
/// dropped, although its handler has run.
const REPLIES: usize = 4;

/// Longest text of a failure that is sent unchanged, in bytes.
const SHORT: usize = 256;

/// Most bytes of replies that may wait; one reply may exceed it.
#[inline]
pub(crate) fn most(patience: &Patience) -> usize {
    (patience.queued as usize).saturating_mul(REPLIES)
}

/// Replaces a reply by a short failure when `owed` bytes already wait, all of them in the output or held by
/// the machine. Bytes that fit into the output are always allowed, whatever [`Patience`] states: they are
/// written at the end of the turn.
#[inline]
pub(crate) fn replace_beyond(cx: &mut Cx<'_>, patience: &Patience, owed: usize, outcome: &mut Outcome) {
    if owed > most(patience) && owed >= cx.out.len() + cx.out.room() {
        replace(cx, outcome);
    }
}

/// The number must not be one of a refusal, after which clients retry, because the handler has run.
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

    /// A short failure keeps its text, and an end without a message is not changed; a long text of an
    /// application is replaced.
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
