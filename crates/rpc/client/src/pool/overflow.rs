//! Further connections: when one is full, others of its home take over.
//!
//! ```text
//!  call ─► first open connection ─► full? ─► waits there, and asks for help
//!                                                 │ another one is open: the call goes there
//!                                                 └ none is: a further one is made, and says when it is ready
//!  a connection has room again ─► those that are full let calls that wait go there
//! ```
//!
//! Calls are sent to the first connections while these have room, so that additional ones become idle, and
//! idle ones end. Streams cannot move: they are counted, and go where there is room from the start.
//!
//! Limits: [`Pooling::max`](crate::Pooling::max).

use crate::{
    connection::{backoff::Patience, handle::Handle, home::HomeId, overflow::Overflow},
    pool::Pool,
};
use std::sync::Arc;

impl Overflow for Pool {
    #[cold]
    fn is_full(self: Arc<Self>, full: &Arc<Handle>) {
        self.homes.relieve(full, || self.connect(HomeId::current(), Patience::None, true));
    }

    #[cold]
    fn has_room(self: Arc<Self>, open: &Arc<Handle>, calls: u32) {
        self.homes.share_room(open, calls);
    }
}
