//! Connections that callers on plain threads drive themselves.

use crate::{
    connection::{
        backoff::Patience,
        blocking::BlockingConnection,
        error::{deadline_exceeded, ended},
        spec::ConnectSpec,
    },
    pool::{
        exclusive::is_reusable_after,
        posted::{Attempted, EndedCall, POST_TRIES, Undelivered},
    },
};
use polywire_base::lock;
use polywire_call::Status;
use polywire_engine::clock;
use polywire_exchange::Draft;
use std::{
    sync::{Arc, Mutex},
    thread,
    time::Instant,
};

/// The connections of a channel that are driven by their callers.
pub(crate) struct BlockingConnections {
    /// With a shared connection: that connection, if it exists. Otherwise the idle connections.
    known: Mutex<Vec<Arc<BlockingConnection>>>,
    /// Whether all callers share one connection (kind Single); otherwise each call has its own.
    shared: bool,
    /// The maximum number of idle connections, if they are not shared.
    most: usize,
}

/// The result of looking for a connection for a call.
enum Found {
    Known(Arc<BlockingConnection>),
    Made(Arc<BlockingConnection>),
    /// The call fails with this status.
    Failed(Status),
}

impl From<Result<Arc<BlockingConnection>, Status>> for Found {
    fn from(connected: Result<Arc<BlockingConnection>, Status>) -> Self {
        connected.map_or_else(Found::Failed, Found::Made)
    }
}

impl BlockingConnections {
    pub fn new(shared: bool, most: usize) -> Self {
        BlockingConnections { known: Mutex::default(), shared, most }
    }

    /// Makes one attempt of a call on the calling thread. The outcome may be that no connection could be
    /// made, or that the deadline passed before there was one.
    ///
    /// # Errors
    /// The pause after a failure to connect lasts, and the caller does not wait; or several connections ended
    /// before they took the call.
    pub fn call(
        &self,
        spec: &Arc<ConnectSpec>,
        mut draft: Draft,
        patience: Patience,
    ) -> Result<Attempted, Undelivered<Draft>> {
        let mut made = 0;
        while made < POST_TRIES {
            let connection = match self.find(spec, draft.deadline, patience) {
                Ok(Found::Known(connection)) => connection,
                Ok(Found::Made(connection)) => {
                    made += 1;
                    connection
                }
                Ok(Found::Failed(status)) => {
                    return Ok(Attempted { outcome: status.into(), call: EndedCall::Undelivered(draft) });
                }
                Err(why) => return Err(Undelivered { request: draft, why }),
            };
            match connection.call(draft) {
                Ok((caller, outcome)) => {
                    self.keep(connection, &outcome.status);
                    return Ok(Attempted { outcome, call: EndedCall::Posted(caller) });
                }
                Err(back) => draft = back, // the connection has ended, and is not found again
            }
        }
        Err(Undelivered { request: draft, why: ended() })
    }

    /// Looks for a connection, or makes one. In the pause after a failure to connect a patient caller sleeps,
    /// though not past its deadline.
    ///
    /// # Errors
    /// The pause lasts, and the caller does not wait.
    fn find(
        &self,
        spec: &Arc<ConnectSpec>,
        deadline: Option<Instant>,
        patience: Patience,
    ) -> Result<Found, Status> {
        loop {
            if deadline.is_some_and(|at| at <= clock::now()) {
                return Ok(Found::Failed(deadline_exceeded(&spec.address, &spec.why_not_connected())));
            }
            let mut known = lock(&self.known);
            known.retain(|connection| connection.is_alive());
            let found = if self.shared { known.first().cloned() } else { known.pop() };
            if let Some(connection) = found {
                return Ok(Found::Known(connection));
            }
            let Some(until) = spec.backoff.pause(patience, &spec.address)? else {
                if self.shared {
                    // Connecting under the lock: others who come meanwhile wait for this very connection.
                    let connected = BlockingConnection::connect(spec, deadline);
                    known.extend(connected.as_ref().ok().cloned());
                    return Ok(connected.into());
                }
                drop(known);
                return Ok(BlockingConnection::connect(spec, deadline).into());
            };
            drop(known);
            let wakes = deadline.map_or(until, |deadline| deadline.min(until));
            thread::sleep(wakes.saturating_duration_since(clock::now()));
        }
    }

    /// For connections that are not shared: keeps an idle connection for the next call, if that is safe and
    /// there is room for it.
    fn keep(&self, connection: Arc<BlockingConnection>, status: &Status) {
        if !self.shared && connection.is_alive() && is_reusable_after(status) {
            let mut known = lock(&self.known);
            if known.len() < self.most {
                known.push(connection);
            }
        }
    }
}
