//! A server that was chosen for a call.

use crate::{
    pool::Pool,
    servers::{current::Current, end, route::Route, server::Server},
};
use polywire_balance::{End, Endpoint, OrcaLoad, Outcome, Time};
use polywire_call::{Metadata, Status};
use std::{sync::Arc, time::Duration};

/// The trailer that holds an `OrcaLoadReport`.
const LOAD: &str = "endpoint-load-metrics-bin";

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

    /// The load that the server may have added to its reply, as gRPC's servers do. A reply with two of them has none that counts
    /// (gRFC A51).
    pub fn take_load(&self, fields: &Metadata) {
        let mut loads = fields.iter().filter(|(name, _)| *name == LOAD).map(|(_, bytes)| bytes);
        if let (Some(bytes), None) = (loads.next(), loads.next())
            && let Some(load) = OrcaLoad::decode(bytes)
        {
            self.endpoint.reported(&load, self.current.now());
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
