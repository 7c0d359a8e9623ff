//! The results of posting a call through the pool.

use crate::connection::blocking::park_until;
use polywire_call::Status;
use polywire_exchange::{Caller, Draft};
use polywire_wire::Outcome;

/// How often a call looks for another connection when the chosen one has just ended.
pub(super) const POST_TRIES: usize = 3;

/// A request that was not posted comes back with the reason.
pub(crate) struct Undelivered<P, Why = Status> {
    pub request: P,
    pub why: Why,
}

/// One finished attempt of a blocking call.
pub(crate) struct Attempted {
    pub outcome: Outcome,
    pub call: EndedCall,
}

/// A call whose attempt has ended.
pub(crate) enum EndedCall {
    Posted(Caller),
    /// No connection could be made for the call.
    Undelivered(Draft),
}

impl Attempted {
    /// Waits on the calling thread until a call has ended.
    pub fn wait(mut caller: Caller) -> Self {
        let outcome = park_until(|cx| caller.poll_reply(cx));
        Attempted { outcome, call: EndedCall::Posted(caller) }
    }
}

impl EndedCall {
    /// The request, for another attempt, as it was before this one.
    pub fn into_draft(self) -> Option<Draft> {
        match self {
            EndedCall::Posted(caller) => caller.reclaim().map(Draft::new),
            EndedCall::Undelivered(draft) => Some(draft),
        }
    }
}
