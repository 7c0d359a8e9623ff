//! Which replies a client's machines accept, and the budget of memory that they are charged to.
//!
//! ```text
//!  admit_reply ─► Charge by exchange ─► ends when the reply is handed to its call, or the call is over
//!       `─ no room: the call ends with RESOURCE_EXHAUSTED
//! ```
//!
//! Not counted: what a connection has read and not parsed, replies and messages below [`FREE`], and parts of
//! streams that are not messages, of which there is at most a window.

use super::Dispatch;
use polywire_base::lock;
use polywire_call::{Code, Status};
use polywire_engine::memory::{Charge, Memory};
use polywire_wire::{Exchange, Head, Host, Outcome, Route};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

/// Replies below this are not counted: about what a call takes beside its messages.
const FREE: usize = 4 << 10;

/// Answers the questions of a client's machines.
pub(crate) struct Replies {
    /// The longest reply that may be buffered, in bytes.
    most: usize,
    charged: Option<Arc<Charged>>,
}

impl Dispatch {
    /// What answers the questions of the connection's machines.
    pub fn host(&self) -> Replies {
        let most = self.spec.config.limits.max_message as usize;
        Replies { most, charged: self.charged.clone() }
    }
}

impl Host for Replies {
    fn admit(&mut self, _head: &Head<'_>, _announced: Option<usize>) -> Result<Route, Status> {
        Err(Status::unimplemented("this side serves nothing"))
    }
    fn admit_reply(&mut self, exchange: Exchange, announced: usize) -> bool {
        announced <= self.most
            && self.charged.as_ref().is_none_or(|charged| charged.admits(exchange, announced))
    }
}

/// The replies of a connection that have begun to arrive, in the budget of its channel.
pub(crate) struct Charged {
    memory: Arc<Memory>,
    /// By the tokens of their exchanges.
    replies: Mutex<HashMap<u64, Coming>>,
}

/// A reply, or a message of a stream, that has begun to arrive.
struct Coming {
    charge: Charge,
    /// Whether the last that was asked for had no room.
    refused: bool,
}

impl Charged {
    pub fn new(memory: &Arc<Memory>) -> Arc<Charged> {
        Arc::new(Charged { memory: memory.clone(), replies: Mutex::default() })
    }

    /// Whether a reply of this length has room.
    fn admits(&self, exchange: Exchange, bytes: usize) -> bool {
        if bytes < FREE {
            return true;
        }
        let mut replies = lock(&self.replies);
        let new = || Coming { charge: Charge::new(&self.memory), refused: false };
        let coming = replies.entry(exchange.token).or_insert_with(new);
        coming.refused = !coming.charge.grow(bytes);
        !coming.refused
    }

    /// The call is over without the rest of its reply.
    pub fn forget(&self, exchange: Exchange) {
        lock(&self.replies).remove(&exchange.token);
    }

    /// A message of a stream of this many bytes is handed over.
    pub fn handed_over(&self, exchange: Exchange, bytes: usize) {
        if bytes >= FREE {
            self.forget(exchange);
        }
    }

    /// A call has ended, and its outcome is handed over: the status says so if there was no room.
    pub fn ended(&self, exchange: Exchange, outcome: &mut Outcome) {
        let Some(Coming { refused, .. }) = lock(&self.replies).remove(&exchange.token) else { return };
        if refused && outcome.status.code() == Code::ResourceExhausted {
            let status = std::mem::take(&mut outcome.status);
            outcome.status = status.with_message("the reply has no room in the budget of memory");
        }
    }
}
