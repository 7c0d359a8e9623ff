//! One attempt of a call: its request was posted to a connection.

use crate::servers::{InFlightGuard, Search};
use polywire_exchange::{Caller, Draft};
use polywire_wire::Outcome;
use std::task::{Context, Poll, ready};

/// A call that was posted. Dropping it cancels the call, and notifies the peer if the protocol has a message
/// for that.
pub(crate) struct Attempt {
    /// `None` once the request was taken back.
    caller: Option<Caller>,
    /// The server and connection of the try; returned to the balancer when the try ends.
    lease: InFlightGuard,
}

impl Attempt {
    /// Ready once, with the outcome, to be taken.
    #[inline]
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<&mut Outcome> {
        let caller = self.caller.as_mut().expect("an attempt is not polled after it ended");
        let outcome = ready!(caller.poll_heard(cx));
        self.lease.ended(outcome);
        Poll::Ready(outcome)
    }

    /// Handles a failed attempt: the next one goes to another server, if possible.
    pub fn avoid_server(&self, search: &mut Search) {
        self.lease.avoid(search);
    }

    /// The request of an attempt that has ended, for another one.
    pub fn reclaim(&mut self) -> Option<Draft> {
        self.caller.take().and_then(Caller::reclaim).map(Draft::new)
    }
}

impl From<(Caller, InFlightGuard)> for Attempt {
    #[inline]
    fn from((caller, lease): (Caller, InFlightGuard)) -> Self {
        Attempt { caller: Some(caller), lease }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if let Some(caller) = self.caller.as_ref().filter(|caller| !caller.is_done()) {
            caller.abandon();
        }
    }
}
