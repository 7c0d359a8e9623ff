//! One attempt of a call: its request was posted to a connection.

use crate::pool::{Exclusive, Posted};
use polywire_exchange::{Caller, Draft};
use polywire_wire::Outcome;
use std::task::{Context, Poll, ready};

/// A call that was posted. Dropping it gives the call up, and the peer is told where the protocol can.
pub(crate) struct Attempt {
    /// `None` once the request was taken back.
    caller: Option<Caller>,
    /// A connection that serves this call alone; given back when the attempt ends.
    exclusive: Option<Exclusive>,
}

impl Attempt {
    /// Ready with the outcome, once.
    #[inline]
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let caller = self.caller.as_mut().expect("an attempt is not polled after it ended");
        let outcome = ready!(caller.poll_reply(cx));
        if let Some(exclusive) = self.exclusive.take() {
            exclusive.give_back(&outcome.status);
        }
        Poll::Ready(outcome)
    }

    /// The request of an attempt that has ended, for another one.
    pub fn reclaim(&mut self) -> Option<Draft> {
        self.caller.take().and_then(Caller::reclaim).map(Draft::new)
    }
}

impl From<Posted> for Attempt {
    #[inline]
    fn from((caller, exclusive): Posted) -> Self {
        Attempt { caller: Some(caller), exclusive }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if let Some(caller) = self.caller.as_ref().filter(|caller| !caller.is_done()) {
            caller.abandon();
        }
    }
}
