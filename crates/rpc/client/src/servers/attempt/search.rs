//! A call's search for servers, one for each of its attempts.

use crate::{
    connection::{backoff::Patience, home::HomeId, spec::ConnectSpec},
    servers::attempt::{decision::RouteChoice, post_error::PostError, trace::Trace},
    tries::{OpenTry, Tries, TryError},
};
use polywire_balance::Endpoint;
use polywire_call::Metadata;
use polywire_engine::clock;
use polywire_exchange::Request;
use polywire_trace::Within;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The data by which a call's servers are chosen, and the servers of its earlier attempts.
#[derive(Clone, Default)]
pub(crate) struct Search {
    /// Calls of equal keys go to the same server, under balancers that hash.
    pub key: Option<u64>,
    /// The start of the call, kept until its first attempt, so that the clock is read once for both.
    begun: Option<Instant>,
    /// The record of the call.
    pub(in crate::servers) trace: Option<Arc<Trace>>,
    /// The state that the call's tries share, if the channel records or intercepts tries.
    pub tries: Option<Arc<Tries>>,
    /// Whether the next attempt is made while another one is under way.
    pub is_hedge: bool,
    /// The chosen cluster and route, on a channel with a router.
    pub(in crate::servers) chosen: Option<Box<RouteChoice>>,
    /// What went wrong before; seldom present.
    past: Option<Box<Past>>,
}

/// What went wrong on the way of a call.
#[derive(Clone, Default)]
struct Past {
    /// The servers of the newest attempts that failed.
    tried: Vec<Arc<Endpoint>>,
    /// How long the call, having found no server, waits at most for a newer set.
    newer_set_until: Option<Instant>,
    /// The value of [`Dials::over`](crate::servers::server::dials::Dials::over) when the call last found no
    /// server.
    dials_over: u64,
}

/// The total time for which a call that finds no server waits for newer sets. A set that is held back arrives
/// within a tenth of a second, and so does the next one: a source that changes its sets endlessly does not
/// hold a call for longer than this.
const NEWER_SET_WAIT: Duration = Duration::from_secs(1);
/// The maximum number of servers that a call avoids because it has tried them.
const MOST: usize = 8;

impl Search {
    pub fn new(key: Option<u64>) -> Self {
        Search { key, ..Search::default() }
    }

    /// Sets the time at which the call began.
    #[inline]
    pub fn set_begun(&mut self, at: Option<Instant>) {
        self.begun = at;
    }

    #[inline]
    pub fn take_begun(&mut self) -> Option<Instant> {
        self.begun.take()
    }

    pub fn key(&self) -> Option<u64> {
        self.key
    }

    pub fn tried(&self) -> &[Arc<Endpoint>] {
        self.past.as_ref().map_or(&[], |past| &past.tried)
    }

    /// Whether the call, which finds no server, waits for a newer set that is known to be on its way: for
    /// [`NEWER_SET_WAIT`] in all.
    #[cold]
    pub fn waits_for_newer_set(&mut self) -> bool {
        let now = clock::now();
        *self.past.get_or_insert_default().newer_set_until.get_or_insert(now + NEWER_SET_WAIT) > now
    }

    /// When the call stops waiting for a newer set, if it waits for one.
    pub fn newer_set_until(&self) -> Option<Instant> {
        self.past.as_ref()?.newer_set_until
    }

    /// Records the count of [`Dials::over`](crate::servers::server::dials::Dials::over) at which the call
    /// found no server: it looks again once the count has risen.
    #[cold]
    pub fn saw_dials_over(&mut self, times: u64) {
        self.past.get_or_insert_default().dials_over = times;
    }

    pub fn dials_over(&self) -> u64 {
        self.past.as_ref().map_or(0, |past| past.dials_over)
    }

    /// Copies the waiting state of an attempt with this copy that was not posted.
    pub fn waits_as(&mut self, copy: &Search) {
        if let Some(copy) = &copy.past {
            let past = self.past.get_or_insert_default();
            (past.newer_set_until, past.dials_over) = (copy.newer_set_until, copy.dials_over);
        }
    }

    /// Begins an attempt at the server of `spec`, just before it is posted. `None`: nothing records or
    /// intercepts tries. `home`: where tokens are fetched.
    ///
    /// # Errors
    /// The try is refused, or waits for a token.
    #[inline]
    pub fn begin_try(
        &self,
        request: &mut Request,
        spec: &Arc<ConnectSpec>,
        patience: Patience,
        home: fn() -> HomeId,
    ) -> Result<Option<Box<OpenTry>>, PostError> {
        match &self.tries {
            None => Ok(None),
            Some(tries) => match tries.begin(request, spec, self.is_hedge, patience, home) {
                Ok(open) => Ok(Some(open)),
                Err(TryError { status, waits }) => Err(PostError { waits, ..PostError::failed(status) }),
            },
        }
    }

    /// The traced call that this one belongs to.
    pub fn within(&self) -> Option<Within> {
        self.tries.as_ref()?.within.clone()
    }

    /// Changes the metadata of the call between two attempts. `current`: as the last one has left it.
    pub fn change_metadata(&self, current: &mut Metadata, change: impl FnOnce(&mut Metadata)) {
        match &self.tries {
            None => change(current),
            Some(tries) => tries.change_metadata(current, change),
        }
    }

    /// Records a failed attempt on this server: the next one goes elsewhere, if possible.
    #[cold]
    pub fn avoid(&mut self, server: &Arc<Endpoint>) {
        let tried = &mut self.past.get_or_insert_default().tried;
        if tried.len() >= MOST {
            tried.remove(0);
        }
        tried.push(server.clone());
    }
}
