//! A call under way: where it was posted, and whether it is tried again.

use crate::{
    call::deadline, connection::backoff::Patience, connection::handle, core::Shared, pool::exclusive::Lease,
    pool::overflow,
};
use polywire_call::Status;
use polywire_engine::{Caller, Draft};
use polywire_wire::Outcome;
use std::{
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

/// One call posted, and posted again while it may be. Dropping it gives the call up.
pub(crate) struct Sent {
    shared: Arc<Shared>,
    /// Taken to try again.
    caller: Option<Caller>,
    /// A connection that is this call's alone; given back when the try ends.
    lease: Option<Lease>,
    tries: Tries,
}

/// Whether a call is tried again.
#[derive(Clone, Copy)]
pub(crate) struct Tries {
    pub left: u32,
    /// Tries that have failed.
    pub made: u32,
    /// How long the call may take, if it has a timeout.
    pub limit: Option<Duration>,
    /// Not reaching anybody is not counted.
    pub waits: bool,
    /// Only for what nobody has looked at: a service config says what follows a failure.
    pub unseen_only: bool,
}

impl Tries {
    /// While nobody can be reached a call fails at once, unless it is to wait.
    pub fn patience(&self) -> Patience {
        if self.waits { Patience::Pause } else { Patience::None }
    }

    /// Whether there is another try after one that ended so.
    #[inline]
    pub fn take(&mut self, status: &Status) -> bool {
        !status.is_ok() && self.take_after(status)
    }

    #[cold]
    fn take_after(&mut self, status: &Status) -> bool {
        let unreached = handle::is_of_connect(status);
        if (self.waits && unreached) || overflow::is_moved(status) {
            self.made += u32::from(unreached);
            return true;
        }
        let may =
            if self.unseen_only { status.is_unprocessed() && !unreached } else { status.is_retryable() };
        let again = self.left > 0 && may;
        self.left -= u32::from(again);
        self.made += u32::from(again);
        again
    }
}

impl Sent {
    #[inline]
    pub fn post(shared: Arc<Shared>, draft: Draft, tries: Tries) -> Result<Sent, Status> {
        let (caller, lease) = shared.post(draft, tries.patience())?;
        Ok(Sent { shared, caller: Some(caller), lease, tries })
    }

    /// A call that was posted, not to be tried again.
    pub fn once(shared: Arc<Shared>, caller: Caller, lease: Option<Lease>, tries: Tries) -> Sent {
        let tries = Tries { left: 0, waits: false, ..tries };
        Sent { shared, caller: Some(caller), lease, tries }
    }

    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    #[inline]
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        loop {
            let caller = self.caller.as_mut().expect("taken below, and then put back or never polled again");
            let mut outcome = ready!(caller.poll_reply(cx));
            if let Some(lease) = self.lease.take() {
                lease.give_back(&outcome.status);
            }
            if outcome.status.is_ok() {
                return Poll::Ready(outcome);
            }
            if !self.tries.take(&outcome.status) {
                deadline::explain(&mut outcome.status, &self.tries);
                return Poll::Ready(outcome);
            }
            let Some(request) = self.caller.take().and_then(Caller::reclaim) else {
                return Poll::Ready(outcome);
            };
            match self.shared.post(Draft::new(request), self.tries.patience()) {
                Ok((caller, lease)) => (self.caller, self.lease) = (Some(caller), lease),
                Err(status) if overflow::is_moved(&outcome.status) => return Poll::Ready(status.into()),
                Err(_) => return Poll::Ready(outcome), // what went wrong first says more
            }
        }
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if let Some(caller) = self.caller.as_ref().filter(|caller| !caller.is_done()) {
            caller.abandon();
        }
    }
}

/// Makes a call on the calling thread, again while it may be made again.
pub(crate) fn block(shared: &Arc<Shared>, mut draft: Draft, tries: &mut Tries) -> Outcome {
    let mut before = None;
    loop {
        let (caller, mut outcome) = match shared.call_plain(draft, tries) {
            Ok(ended) => ended,
            Err(mut status) => {
                deadline::explain(&mut status, tries);
                return before.unwrap_or_else(|| status.into()); // what went wrong first says more
            }
        };
        if outcome.status.is_ok() {
            return outcome;
        }
        let again = tries.take(&outcome.status);
        match again.then(|| caller.reclaim()).flatten() {
            Some(request) => draft = Draft::new(request),
            None => {
                deadline::explain(&mut outcome.status, tries);
                return outcome;
            }
        }
        before = Some(outcome);
    }
}
