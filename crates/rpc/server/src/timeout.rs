//! The time that calls of a method may take, whatever their callers say: [`Method::timeout`].
//!
//! A handler with such a limit is wrapped when its table is made, so that others do not pay for it. The
//! wrapper sets the deadline that the handler sees; a call that waits is ended by the dispatcher's timer.
//!
//! [`Method::timeout`]: crate::Method::timeout

use crate::service::{Call, Handler, Started};
use std::time::{Duration, Instant};

/// A handler whose calls may take this long.
struct Timed {
    handler: Box<dyn Handler>,
    most: Duration,
}

impl Handler for Timed {
    fn start(&self, mut call: Call) -> Started {
        call.cx.shorten(self.most);
        self.handler.start(call)
    }
}

/// The handler with its limit, if it has one.
pub(crate) fn around(handler: Box<dyn Handler>, most: Option<Duration>) -> Box<dyn Handler> {
    match most {
        Some(most) => Box::new(Timed { handler, most }),
        None => handler,
    }
}

/// The earlier one of a deadline and of the end of a limit that begins now.
pub(crate) fn sooner(deadline: Option<Instant>, now: Instant, most: Duration) -> Option<Instant> {
    deadline.into_iter().chain(now.checked_add(most)).min()
}
