//! What a call holds while it is under way.

use crate::{
    pool::Exclusive,
    servers::{picked::Picked, route::Route},
};
use polywire_balance::Endpoint;
use polywire_call::Status;
use polywire_wire::Outcome;
use std::sync::Arc;

/// What a call holds while it is under way: a connection, if that serves it alone, and its place among the calls of its server. Dropped
/// before [`Lease::end`] it says that the call was given up.
#[derive(Default)]
pub(crate) struct Lease {
    exclusive: Option<Exclusive>,
    picked: Option<Picked>,
}

impl Lease {
    pub fn new(exclusive: Option<Exclusive>, picked: Option<Picked>) -> Self {
        Lease { exclusive, picked }
    }

    /// The attempt has ended with what the server sent.
    #[inline]
    pub fn ended(&mut self, outcome: &Outcome) {
        if let (Some(picked), Some(fields)) = (&self.picked, &outcome.trailers) {
            picked.take_load(fields);
        }
        self.end(&outcome.status);
    }

    /// The attempt has ended with this status.
    #[inline]
    pub fn end(&mut self, status: &Status) {
        if let Some(exclusive) = self.exclusive.take() {
            exclusive.give_back(status);
        }
        if let Some(picked) = &mut self.picked {
            picked.end(status);
        }
    }

    /// The server, if the channel has several.
    pub fn server(&self) -> Option<&Arc<Endpoint>> {
        self.picked.as_ref().map(Picked::endpoint)
    }

    /// The attempt has failed, and the next one goes elsewhere, if it can.
    pub fn avoid(&self, route: &mut Route) {
        if let Some(picked) = &self.picked {
            picked.avoid(route);
        }
    }

    /// Whether there is nothing to be said when the call ends.
    pub fn is_nothing(&self) -> bool {
        self.exclusive.is_none() && self.picked.is_none()
    }
}

impl From<Option<Exclusive>> for Lease {
    #[inline]
    fn from(exclusive: Option<Exclusive>) -> Self {
        Lease { exclusive, picked: None }
    }
}
