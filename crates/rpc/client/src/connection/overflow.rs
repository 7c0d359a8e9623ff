//! How a connection without room for a call moves it to another connection of its home.
//!
//! A connection is full when the peer allows no more calls on it (HTTP/2's MAX_CONCURRENT_STREAMS), or when
//! more bytes are unsent than the peer reads. The pool decides which other connections there are, and whether
//! a further one is made (`pool/overflow.rs`).

use crate::connection::handle::Handle;
use std::sync::Arc;

/// The other connections of a home, as a connection sees them.
pub(crate) trait Overflow: Send + Sync {
    /// Calls wait on the connection `full`.
    fn is_full(self: Arc<Self>, full: &Arc<Handle>);
    /// Notifies that the connection `open` has room for `calls` calls that wait on others.
    fn has_room(self: Arc<Self>, open: &Arc<Handle>, calls: u32);
}

/// Bytes owed to a peer above which calls prefer another connection.
pub(crate) const BUSY: usize = 1 << 20;
