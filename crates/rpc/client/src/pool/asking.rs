//! Calls that a channel makes itself: probes of load, health checks.

use crate::{
    connection::backoff::Patience,
    pool::{Pool, post::Post},
};
use polywire_call::Status;
use polywire_exchange::{Caller, Draft, Request};
use polywire_wire::Outcome;
use std::{future::poll_fn, sync::Arc};

impl Pool {
    /// Makes one attempt of a call, with the newest token if the channel has one. Dropping the future cancels
    /// the call at the peer.
    ///
    /// # Errors
    /// There is no connection that takes it.
    pub async fn ask(self: &Arc<Self>, mut request: Request) -> Result<Outcome, Status> {
        self.spec().show_newest(&mut request.metadata);
        let posted = Draft::new(request).post_to(self, Patience::None);
        let (caller, exclusive) = posted.map_err(|not_posted| not_posted.why)?;
        let mut asked = Asked(caller);
        let outcome = poll_fn(|cx| asked.0.poll_reply(cx)).await;
        if let Some(exclusive) = exclusive {
            exclusive.give_back(&outcome.status);
        }
        Ok(outcome)
    }
}

/// Cancels the call at the peer if it is dropped.
struct Asked(Caller);

impl Drop for Asked {
    fn drop(&mut self) {
        if !self.0.is_done() {
            self.0.abandon();
        }
    }
}
