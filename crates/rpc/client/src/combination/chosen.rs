//! A channel that was chosen for a call out of several.

use crate::{core::SharedCore, servers::end_of, timeline::Timeline};
use polywire_balance::{End, Endpoint, Outcome, Picker, Time};
use polywire_call::Status;
use std::{sync::Arc, time::Duration};

/// The state that a combination attaches to each endpoint of its balancer.
pub(super) struct Member {
    pub number: u64,
    pub core: SharedCore,
}

impl Member {
    /// # Panics
    /// If the endpoint is not one of a combination.
    pub fn of(endpoint: &Endpoint) -> &Member {
        endpoint.attachment().expect("endpoints of a combination are made with it")
    }
}

/// A channel that was chosen for a call. Dropping it before [`Chosen::end`] means that the call was
/// cancelled.
pub(super) struct Chosen {
    pub picker: Arc<Picker>,
    pub endpoint: Arc<Endpoint>,
    pub at: Time,
    timeline: Timeline,
    ended: bool,
}

impl Chosen {
    pub fn new(picker: Arc<Picker>, endpoint: Arc<Endpoint>, at: Time, timeline: Timeline) -> Self {
        Chosen { picker, endpoint, at, timeline, ended: false }
    }

    pub fn core(&self) -> &SharedCore {
        &Member::of(&self.endpoint).core
    }

    /// Ends the call with this status. `left`: the time until its deadline.
    pub fn end(mut self, status: &Status, left: Duration) {
        self.report(end_of(status, left));
    }

    fn report(&mut self, end: End) {
        self.ended = true;
        self.picker.ended(&self.endpoint, &Outcome { picked: self.at, now: self.timeline.now(), end });
    }
}

impl Drop for Chosen {
    fn drop(&mut self) {
        if !self.ended {
            self.report(End::GivenUp);
        }
    }
}
