//! Further connections: when one is full, others of its home take over.
//!
//! ```text
//!  call ─► first open connection ─► full? ─► waits there, and asks for help
//!                                                 │ another one is open: the call goes there
//!                                                 └ none is: a further one is made, and says when it is ready
//!  a connection has room again ─► those that are full let calls that wait go there
//! ```
//!
//! Full is a connection on which the peer allows no more calls (HTTP/2's MAX_CONCURRENT_STREAMS), or to which more bytes are
//! owed than it takes. Calls are sent to the first connections for as long as these are open, so that further ones become
//! idle, and idle ones end. Streams cannot move: they are counted, and go where there is room from the start.
//!
//! Limits: [`Builder::max_connections`](crate::Builder::max_connections).

use crate::{connection::handle::Link, core::Shared};
use polywire_call::{Origin, Status, brpc};
use std::sync::{Arc, Weak};

/// Bytes owed to a peer from which on calls rather go elsewhere.
pub(crate) const BUSY: usize = 1 << 20;
/// Streams that a peer is taken to allow before it has said so: RFC 9113 6.5.2 asks for no fewer.
pub(crate) const STREAMS: u32 = 100;

/// How a connection asks the others of its home.
pub(crate) struct Overflow(Weak<Shared>);

impl Overflow {
    pub fn new(shared: &Arc<Shared>) -> Self {
        Overflow(Arc::downgrade(shared))
    }

    /// Calls wait on `link`.
    #[cold]
    pub fn is_full(&self, link: &Arc<Link>) {
        if let Some(shared) = self.0.upgrade() {
            shared.relieve(link);
        }
    }

    /// `link` has room for so many calls.
    #[cold]
    pub fn has_room(&self, link: &Arc<Link>, calls: u32) {
        if let Some(shared) = self.0.upgrade() {
            shared.share_room(link, calls);
        }
    }
}

/// How a call leaves a connection on which it waited; see [`is_moved`].
pub(crate) fn moved() -> Status {
    let status = brpc::status(brpc::EH2RUNOUTSTREAMS, "the connection has no room for the call");
    status.with_origin(Origin::Transport).unprocessed()
}

/// The call has not been sent, and another connection has room for it.
pub(crate) fn is_moved(status: &Status) -> bool {
    status.origin() == Origin::Transport
        && status.is_unprocessed()
        && brpc::number(status) == brpc::EH2RUNOUTSTREAMS
}
