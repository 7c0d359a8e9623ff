//! Records of recent calls, for [`Channel::why`](crate::Channel::why).
//!
//! A call is recorded if it is one of [`ONE_IN`](below::ONE_IN), once an attempt of it has failed, or once it
//! has found no server. Its attempts write into one [`Trace`], which is added to the [`Record`] when the last
//! of them is over.
//!
//! Limits: [`MOST`] calls, [`MOST_TRIES`] attempts of each, [`MOST_CANDIDATES`] servers of each attempt.

use crate::{
    below,
    servers::attempt::search::Search,
    why::{CallWhy, Candidate, TryWhy},
};
use polywire_balance::{Endpoint, Time};
use polywire_base::lock;
use polywire_call::Status;
use polywire_engine::inline::running_method;
use polywire_exchange::{Name, Request};
use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

const MOST: usize = 128;
const MOST_TRIES: usize = 16;
const MOST_CANDIDATES: usize = 4;
/// Bytes of an error that are kept.
const MOST_TEXT: usize = 200;

/// The last calls that were recorded.
#[derive(Default)]
pub(in crate::servers) struct Record(Mutex<VecDeque<(Time, CallWhy)>>);

/// The attempts of one call.
pub(crate) struct Trace {
    record: Arc<Record>,
    begun: Time,
    method: Method,
    key: Option<u64>,
    /// The method of this process whose handler makes the call, if there is one and the call is recorded from
    /// its start.
    caller: Option<&'static str>,
    /// Whether the call is one of the [`ONE_IN`](below::ONE_IN) sampled at random. All calls that waited or
    /// failed are recorded, so those say nothing about the others.
    is_sampled: bool,
    tries: Mutex<Vec<TryWhy>>,
}

/// The method of a call.
#[derive(Clone)]
pub(in crate::servers) struct Method {
    service: Name,
    name: Name,
    /// The name of the call's route, on a channel with a router.
    route: Option<Arc<str>>,
}

impl Method {
    #[inline]
    pub fn of(request: &Request, search: &Search) -> Self {
        let route = search.chosen.as_ref().map(|chosen| chosen.route.clone());
        Method { service: request.service.clone(), name: request.method.clone(), route }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.service.is_empty() { "" } else { "/" };
        write!(f, "{}{slash}{}", &*self.service, &*self.name)
    }
}

/// The record of one attempt.
pub(crate) struct TryTrace {
    trace: Arc<Trace>,
    number: usize,
    at: Time,
}

impl Record {
    /// The calls, the oldest first.
    pub fn calls(&self, now: Time) -> Vec<CallWhy> {
        let calls = lock(&self.0);
        calls.iter().map(|(begun, call)| CallWhy { age: now.since(*begun), ..call.clone() }).collect()
    }
}

impl Trace {
    /// Follows a call that this thread makes now.
    #[cold]
    pub fn begin(
        record: &Arc<Record>,
        method: &Method,
        key: Option<u64>,
        now: Time,
        is_sampled: bool,
    ) -> Arc<Trace> {
        Trace::new(record, method, key, now, running_method(), is_sampled)
    }

    /// Follows a call from the end of an attempt on, which has failed.
    #[cold]
    pub fn of_failed(record: &Arc<Record>, method: &Method, now: Time) -> Arc<Trace> {
        Trace::new(record, method, None, now, None, false)
    }

    /// Whether the attempt's duration is representative of all calls.
    pub fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    fn new(
        record: &Arc<Record>,
        method: &Method,
        key: Option<u64>,
        now: Time,
        caller: Option<&'static str>,
        is_sampled: bool,
    ) -> Arc<Trace> {
        let (record, method, tries) = (record.clone(), method.clone(), Mutex::default());
        Arc::new(Trace { record, begun: now, method, key, caller, is_sampled, tries })
    }

    /// An attempt on `server` has ended.
    #[cold]
    pub fn took(&self, channel: &str, server: &str, took: Duration) {
        if let Some(caller) = self.caller {
            below::note(caller, channel, server, took);
        }
    }

    /// Records an attempt at `chosen`. `members`: all servers.
    #[cold]
    pub fn attempt(self: &Arc<Self>, chosen: &Endpoint, members: &[Arc<Endpoint>], now: Time) -> TryTrace {
        let others = members.iter().map(|member| &**member).filter(|member| !std::ptr::eq(*member, chosen));
        let seen = std::iter::once(chosen).chain(others);
        let mut attempt = self.begun(seen, now);
        attempt.server = chosen.address().to_owned();
        // The call itself counts already.
        attempt.candidates[0].in_flight = attempt.candidates[0].in_flight.saturating_sub(1);
        self.add(attempt, now)
    }

    /// Records that there was no server for an attempt, and that the call does not wait for one.
    #[cold]
    pub fn nobody(self: &Arc<Self>, members: &[Arc<Endpoint>], now: Time, why: &Status) {
        let attempt = self.begun(members.iter().map(|member| &**member), now);
        self.add(attempt, now).ended(now, why);
    }

    fn begun<'a>(&self, seen: impl Iterator<Item = &'a Endpoint>, now: Time) -> TryWhy {
        let candidate = |one: &Endpoint| Candidate {
            address: one.address().to_owned(),
            is_ready: one.state().is_ready(now),
            in_flight: one.load().in_flight(),
            penalty: one.load().latency(),
        };
        let candidates = seen.take(MOST_CANDIDATES).map(candidate).collect();
        TryWhy { after: now.since(self.begun), candidates, ..TryWhy::default() }
    }

    fn add(self: &Arc<Self>, attempt: TryWhy, now: Time) -> TryTrace {
        let mut tries = lock(&self.tries);
        let number = tries.len(); // beyond the last one where it is not kept
        if number < MOST_TRIES {
            tries.push(attempt);
        }
        TryTrace { trace: self.clone(), number, at: now }
    }
}

impl TryTrace {
    /// The record for the further attempts of the call.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// The attempt has ended with this status.
    #[cold]
    pub fn ended(&self, now: Time, status: &Status) {
        match status.is_ok() {
            true => self.end(now, "ok"),
            false => self.end(now, &format!("{:?}: {}", status.code(), status.message())),
        }
    }

    /// The attempt has ended.
    #[cold]
    pub fn end(&self, now: Time, how: &str) {
        if let Some(attempt) = lock(&self.trace.tries).get_mut(self.number) {
            attempt.took = Some(now.since(self.at));
            attempt.end = how.chars().take(MOST_TEXT).collect();
        }
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        let tries = std::mem::take(&mut *lock(&self.tries));
        if tries.is_empty() {
            return; // the call was given up while it waited for a server
        }
        let route = self.method.route.as_deref().unwrap_or_default().to_owned();
        let method = self.method.to_string();
        let caller = self.caller.unwrap_or_default().to_owned();
        let call = CallWhy { method, route, key: self.key, caller, tries, ..CallWhy::default() };
        let mut calls = lock(&self.record.0);
        if calls.len() >= MOST {
            calls.pop_front();
        }
        calls.push_back((self.begun, call));
    }
}
