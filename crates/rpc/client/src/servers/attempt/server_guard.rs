//! A server that was chosen for a call.

use crate::{
    pool::Pool,
    servers::{
        attempt::{
            end,
            search::Search,
            trace::{Method, Trace, TryTrace},
        },
        server::Server,
        watch::current::Current,
    },
};
use polywire_balance::{End, Endpoint, OrcaLoad, Outcome, Time};
use polywire_call::{Metadata, Status};
use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

/// The trailer that holds an `OrcaLoadReport`.
const LOAD: &str = "endpoint-load-metrics-bin";

/// A server that was chosen for a call. Dropping it before [`ServerGuard::end`] means that the call was
/// cancelled.
pub(crate) struct ServerGuard {
    current: Arc<Current>,
    endpoint: Arc<Endpoint>,
    at: Time,
    /// The time left until the call's deadline when it was picked.
    timeout: Duration,
    ended: bool,
    method: Method,
    /// The record of the attempt, if the call is recorded.
    traced: Option<TryTrace>,
}

impl ServerGuard {
    #[inline]
    pub(in crate::servers) fn new(
        current: Arc<Current>,
        endpoint: Arc<Endpoint>,
        at: Time,
        timeout: Duration,
        method: Method,
        traced: Option<TryTrace>,
    ) -> Self {
        Server::of(&endpoint).calls.fetch_add(1, Relaxed);
        ServerGuard { current, endpoint, at, timeout, ended: false, method, traced }
    }

    pub fn pool(&self) -> &Arc<Pool> {
        &Server::of(&self.endpoint).pool
    }

    pub fn endpoint(&self) -> &Arc<Endpoint> {
        &self.endpoint
    }

    /// Whether the server is in the newest set no more.
    pub fn has_left(&self) -> bool {
        let newest = self.current.newest.load();
        !newest.picker.members().iter().any(|member| Arc::ptr_eq(member, &self.endpoint))
    }

    /// The call has ended with this status.
    pub fn end(&mut self, status: &Status) {
        if !self.ended {
            self.report(end::of(status, self.timeout), Some(status));
        }
    }

    /// Handles a failed attempt: the next one goes elsewhere, if possible.
    #[cold]
    pub fn avoid(&self, search: &mut Search) {
        search.avoid(&self.endpoint);
        if let Some(traced) = &self.traced {
            search.trace.get_or_insert_with(|| traced.trace().clone());
        }
    }

    /// The load that the server may have added to its reply, as gRPC's servers do. If a reply has two
    /// reports, neither counts (gRFC A51).
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
    pub fn refused(mut self, search: &mut Search, status: Status) -> Status {
        self.end(&status);
        self.avoid(search);
        status
    }

    fn report(&mut self, end: End, status: Option<&Status>) {
        self.ended = true;
        let outcome = Outcome { picked: self.at, now: self.current.now(), end };
        if let End::Failed(_) = end {
            Server::of(&self.endpoint).failed.fetch_add(1, Relaxed);
            self.traced.get_or_insert_with(|| {
                Trace::of_failed(&self.current.record, &self.method, self.at).attempt(
                    &self.endpoint,
                    &[],
                    self.at,
                )
            });
        }
        if let Some(traced) = &self.traced {
            trace_end(traced, outcome.now, status);
            if traced.trace().is_sampled() {
                let (server, took) = (Server::of(&self.endpoint), outcome.now.since(self.at));
                server.samples.add(outcome.now, took);
                traced.trace().took(&self.current.channel, self.endpoint.address(), took);
            }
        }
        self.current.newest.load().picker.ended(&self.endpoint, &outcome);
        if let Some(breaker) = &Server::of(&self.endpoint).breaker
            && let Some((isolation, isolating)) =
                breaker.ended_if(&outcome, |most| self.current.may_isolate(&self.endpoint, most))
        {
            self.endpoint.state().isolate(isolation.until);
            drop(isolating);
            self.current.spill();
            let address = self.endpoint.address();
            let long = isolation.until.since(outcome.now);
            self.current.tell(format_args!("the circuit breaker has isolated {address} for {long:.1?}"));
        }
    }
}

#[cold]
fn trace_end(traced: &TryTrace, now: Time, status: Option<&Status>) {
    match status {
        None => traced.end(now, "given up"),
        Some(status) => traced.ended(now, status),
    }
}

impl Drop for ServerGuard {
    fn drop(&mut self) {
        if !self.ended {
            self.report(End::GivenUp, None);
        }
    }
}
