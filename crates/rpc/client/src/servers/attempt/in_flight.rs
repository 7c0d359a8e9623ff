//! The resources that a call holds while it is under way.

use crate::{
    pool::Exclusive,
    servers::attempt::{decision::ClusterPermit, search::Search, server_guard::ServerGuard},
    tries::OpenTry,
};
use polywire_balance::Endpoint;
use polywire_call::Status;
use polywire_wire::Outcome;
use std::sync::Arc;

/// The resources that a call holds while it is under way: an exclusive connection, if it has one, and its
/// count at the server. Dropping it before [`InFlightGuard::end`] means that the call was cancelled.
#[derive(Default)]
pub(crate) struct InFlightGuard {
    exclusive: Option<Exclusive>,
    picked: Option<ServerGuard>,
    /// The open try, if interceptors or metrics need its end.
    open: Option<Box<OpenTry>>,
    /// The attempt's place on its cluster, if the cluster limits attempts.
    slot: Option<ClusterPermit>,
}

impl InFlightGuard {
    #[inline]
    pub fn new(exclusive: Option<Exclusive>, open: Option<Box<OpenTry>>) -> Self {
        InFlightGuard { exclusive, picked: None, open, slot: None }
    }

    /// Holds the call's count at its server, too.
    #[inline]
    pub fn at(self, picked: ServerGuard) -> Self {
        InFlightGuard { picked: Some(picked), ..self }
    }

    /// Holds a place among the attempts on its cluster, too.
    pub fn with(self, slot: Option<ClusterPermit>) -> Self {
        InFlightGuard { slot, ..self }
    }

    /// Ends the attempt with the server's outcome.
    #[inline]
    pub fn ended(&mut self, outcome: &Outcome) {
        if let (Some(picked), Some(fields)) = (&self.picked, &outcome.trailers) {
            picked.take_load(fields);
        }
        self.end_with(&outcome.status, outcome.body.len());
    }

    /// The attempt has ended with this status.
    #[inline]
    pub fn end(&mut self, status: &Status) {
        self.end_with(status, 0);
    }

    #[inline]
    fn end_with(&mut self, status: &Status, reply_len: usize) {
        if let Some(exclusive) = self.exclusive.take() {
            exclusive.give_back(status);
        }
        if let Some(picked) = &mut self.picked {
            picked.end(status);
            self.slot = None;
        }
        if let Some(mut open) = self.open.take() {
            open.end(status, reply_len);
        }
    }

    /// The server, if the channel has several.
    pub fn server(&self) -> Option<&Arc<Endpoint>> {
        self.picked.as_ref().map(ServerGuard::endpoint)
    }

    /// Whether the server has left the channel's set, if the channel has several.
    pub fn has_left(&self) -> bool {
        self.picked.as_ref().is_some_and(ServerGuard::has_left)
    }

    /// Handles a failed attempt: the next one goes elsewhere, if possible.
    pub fn avoid(&self, search: &mut Search) {
        if let Some(picked) = &self.picked {
            picked.avoid(search);
        }
    }

    /// Whether nothing has to be reported when the call ends.
    pub fn is_nothing(&self) -> bool {
        self.exclusive.is_none() && self.picked.is_none() && self.open.is_none()
    }
}
