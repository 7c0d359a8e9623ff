//! What a call that was let in counts for, until it ends.

use crate::{
    limits::{Limiter, Permit},
    table::{Shared, SharedMethod},
};
use polywire_call::{Status, brpc};
use polywire_engine::memory::Memory;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A call that was let in.
#[derive(Default)]
pub(super) struct Entered {
    /// Counts the call out when it is dropped. `None`: nothing limits it.
    counted: Option<Counted>,
    /// Bytes of the request, if they are counted.
    pub(super) bytes: usize,
    /// What the call takes beside it, if that is counted.
    pub(super) beside: usize,
}

/// A call that the limiters have counted in. Dropping it counts the call out.
#[derive(Default)]
struct Counted {
    server: Option<Permit>,
    method: Option<Permit>,
    /// The budget of the method's requests, and the bytes that were charged to it.
    memory: Option<(Arc<Memory>, usize)>,
}

/// What a call that waits takes besides what is counted: its places in the tables of its machine and here,
/// its context, its handler. Measured: see test `the_budget_sees_most_of_what_a_peer_can_make_it_hold`.
const CALL_BYTES: usize = 3 << 10;

impl Entered {
    #[inline]
    pub fn new(
        shared: &Shared,
        method: &SharedMethod,
        timeout: Option<Duration>,
        (bytes, head_bytes): (usize, usize),
    ) -> Result<Self, Status> {
        let (bytes, beside) = match shared.memory.is_some() || method.memory.is_some() {
            true => (bytes, head_bytes + CALL_BYTES),
            false => (0, 0),
        };
        let server = Some(&shared.limiter).filter(|server| server.counts() && !method.exempt);
        let counted = match server.is_some() || method.memory.is_some() || method.limiter.counts() {
            true => Some(Counted::new(server, method, timeout, bytes)?),
            false => None,
        };
        Ok(Entered { counted, bytes, beside })
    }

    /// Counts a call out whose handler has ended, and tells the limiters how it went.
    #[inline]
    pub fn end(&mut self, now: Instant, took: Duration, ok: bool) {
        if let Some(counted) = self.counted.take() {
            counted.end(now, took, ok);
        }
    }
}

impl Counted {
    #[cold]
    fn new(
        server: Option<&Arc<Limiter>>,
        method: &SharedMethod,
        timeout: Option<Duration>,
        bytes: usize,
    ) -> Result<Self, Status> {
        let (mut counted, timeout) = (Counted::default(), method.time(timeout));
        let own = Some(&method.limiter).filter(|limiter| limiter.counts());
        for (limiter, place) in [(server, &mut counted.server), (own, &mut counted.method)] {
            let Some(limiter) = limiter else { continue };
            let permit = limiter.try_acquire(timeout);
            *place = Some(permit.ok_or_else(|| brpc::status(brpc::ELIMIT, "").unprocessed())?);
        }
        if let Some(memory) = &method.memory {
            if !memory.fits(bytes) {
                return Err(brpc::status(brpc::ELIMIT, "The method's memory is used up").unprocessed());
            }
            memory.recharge(0, bytes);
            counted.memory = Some((memory.clone(), bytes));
        }
        Ok(counted)
    }

    #[cold]
    fn end(mut self, now: Instant, took: Duration, ok: bool) {
        let permits = [&mut self.server, &mut self.method].into_iter().filter_map(Option::take);
        permits.for_each(|permit| permit.end(now, took, ok));
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some((memory, bytes)) = &self.memory {
            memory.recharge(*bytes, 0);
        }
    }
}
