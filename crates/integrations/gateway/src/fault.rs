//! Faults that a route injects into some of its calls, to see what callers do about them.
//!
//! They come before anything of a call is sent, and are marked as the relay's own.
//! Limits: a fault delays as many calls at a time as its `max_active` says, else [`MOST_DELAYED`]; others go
//!         on without it.

use crate::{
    calls::Calls,
    failure::{self, Reason},
};
use polywire_call::Status;
use polywire_client::sleep;
use polywire_routing::Fault;
use polywire_server::{Context, Limiter, Permit};
use std::{sync::Arc, time::Duration};

const MOST_DELAYED: u32 = 100;

/// What a route does to some of its calls.
pub(crate) struct Faults {
    calls: Calls,
    fault: Fault,
    delayed: Arc<Limiter>,
}

/// The fault of one call.
pub(crate) struct Injected {
    delay: Option<(Duration, Permit)>,
    abort: Option<Status>,
}

impl Faults {
    /// The fault of these of its calls.
    pub fn new(calls: Calls, fault: Fault) -> Faults {
        let most = fault.max_active.unwrap_or(MOST_DELAYED);
        Faults { calls, fault: fault.max_active(most), delayed: Limiter::new(most) }
    }

    /// The fault of a call, if it gets one.
    #[cold]
    pub fn of(&self, cx: &Context) -> Option<Box<Injected>> {
        let caller = cx.identity().map(|identity| &*identity.name);
        if self.calls.mismatch(cx.called(), cx.metadata(), caller).is_some() {
            return None;
        }
        let active = self.delayed.current();
        let drawn = self.fault.inject(cx.metadata(), active, &mut fastrand::Rng::new());
        let delay = match drawn.delay {
            Some(length) => Some((length, self.delayed.try_acquire(None)?)),
            None => None,
        };
        let abort =
            drawn.abort.map(|code| failure::own(Reason::Fault, Status::new(code, Reason::Fault.text())));
        (delay.is_some() || abort.is_some()).then(|| Box::new(Injected { delay, abort }))
    }
}

impl Injected {
    /// Whether it delays the call, and whether it makes it fail.
    pub fn kinds(&self) -> [bool; 2] {
        [self.delay.is_some(), self.abort.is_some()]
    }

    /// Lets it happen.
    ///
    /// # Errors
    /// The call fails.
    pub async fn happen(self) -> Result<(), Status> {
        if let Some((length, _permit)) = self.delay {
            sleep(length).await;
        }
        self.abort.map_or(Ok(()), Err)
    }
}
