//! A connection that is one call's alone (kinds Pooled and Short).

use crate::{connection::handle::Link, connection::home::HomeId, core::Shared};
use polywire_call::{Origin, Status};
use std::sync::Arc;

/// A connection for one call. Dropped without [`Lease::give_back`] it is closed: the call was given up, and its reply may
/// still come.
pub(crate) struct Lease {
    link: Arc<Link>,
    home: HomeId,
    shared: Arc<Shared>,
    clean: bool,
}

impl Lease {
    pub fn new(shared: Arc<Shared>, link: Arc<Link>, home: HomeId) -> Self {
        Lease { link, home, shared, clean: false }
    }

    /// The call has ended like this.
    #[cold]
    pub fn give_back(mut self, status: &Status) {
        self.clean = is_clean(status);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.shared.take_back(&self.link, self.home, self.clean);
    }
}

/// Whether the next call may use the connection of one that ended so: a reply was received, so that no late one can be taken
/// for the next call's.
pub(crate) fn is_clean(status: &Status) -> bool {
    status.is_ok() || status.origin() == Origin::Remote
}
