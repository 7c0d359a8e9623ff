//! A server that was chosen for a call.

use crate::{
    pool::Pool,
    servers::{current::Current, end, route::Route, server::Server},
};
use polywire_balance::{End, Endpoint, Outcome, Time};
use polywire_call::Status;
use std::{sync::Arc, time::Duration};

/// A server that was chosen for a call. Dropped before [`Picked::end`] it says that the call was given up.
pub(crate) struct Picked {
    current: Arc<Current>,
    endpoint: Arc<Endpoint>,
    at: Time,
    /// What was left of the time of the call.
    timeout: Duration,
    ended: bool,
}

impl Picked {
    #[inline]
    pub(super) fn new(current: Arc<Current>, endpoint: Arc<Endpoint>, at: Time, timeout: Duration) -> Self {
        Picked { current, endpoint, at, timeout, ended: false }
    }

    pub fn pool(&self) -> &Arc<Pool> {
        &Server::of(&self.endpoint).pool
    }

    pub fn endpoint(&self) -> &Arc<Endpoint> {
        &self.endpoint
    }

    /// The call has ended with this status.
    pub fn end(&mut self, status: &Status) {
        if !self.ended {
            self.report(end::of(status, self.timeout));
        }
    }

    /// The server did not take the call.
    #[cold]
    pub fn refused(mut self, route: &mut Route, status: Status) -> Status {
        self.end(&status);
        route.avoid(&self.endpoint);
        status
    }

    fn report(&mut self, end: End) {
        self.ended = true;
        let outcome = Outcome { picked: self.at, now: self.current.now(), end };
        self.current.newest.load().picker.ended(&self.endpoint, &outcome);
        if let Some(breaker) = &Server::of(&self.endpoint).breaker
            && let Some(isolation) = breaker.ended(&outcome)
        {
            self.endpoint.state().isolate(isolation.until);
        }
    }
}

impl Drop for Picked {
    fn drop(&mut self) {
        if !self.ended {
            self.report(End::GivenUp);
        }
    }
}
