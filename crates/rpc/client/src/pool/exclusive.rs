//! Connections that serve one call at a time (kinds Pooled and Short).

use crate::connection::{handle::Handle, home::HomeId};
use polywire_base::lock;
use polywire_call::{Origin, Status};
use std::sync::{Arc, Mutex};

/// The connections of a channel that wait for their next call.
pub(crate) struct Idle {
    homes: Mutex<Vec<IdleOfHome>>,
    /// The most of a home; 0: every connection ends with its call.
    most: usize,
}

struct IdleOfHome {
    id: HomeId,
    /// The last returned is the first taken.
    handles: Vec<Arc<Handle>>,
}

impl Idle {
    pub fn new(most: usize) -> Self {
        Idle { homes: Mutex::default(), most }
    }

    /// An idle connection of this home.
    pub fn take(&self, id: HomeId) -> Option<Arc<Handle>> {
        if self.most == 0 {
            return None;
        }
        let mut homes = lock(&self.homes);
        homes.retain(|home| home.id == id || home.handles.iter().any(|handle| handle.is_alive()));
        let handles = &mut homes.iter_mut().find(|home| home.id == id)?.handles;
        std::iter::from_fn(|| handles.pop()).find(|handle| handle.is_alive())
    }

    /// Keeps a connection for the next call, if there is room for it; otherwise it ends.
    fn keep(&self, id: HomeId, handle: &Arc<Handle>) {
        if self.most > 0 && handle.is_alive() {
            let mut homes = lock(&self.homes);
            let at = homes.iter().position(|home| home.id == id).unwrap_or_else(|| {
                homes.push(IdleOfHome { id, handles: Vec::new() });
                homes.len() - 1
            });
            let handles = &mut homes[at].handles;
            if handles.len() < self.most {
                return handles.push(handle.clone());
            }
        }
        handle.close();
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        lock(&self.homes).drain(..).flat_map(|home| home.handles).for_each(|handle| handle.close());
    }
}

/// The right to a connection that serves one call. Dropping it without [`Exclusive::give_back`] closes the
/// connection, because the call was cancelled and its reply may still come.
pub(crate) struct Exclusive {
    handle: Arc<Handle>,
    home: HomeId,
    idle: Arc<Idle>,
    reusable: bool,
}

impl Exclusive {
    pub fn new(handle: Arc<Handle>, home: HomeId, idle: Arc<Idle>) -> Self {
        Exclusive { handle, home, idle, reusable: false }
    }

    /// The call has ended with this status: the next one may use the connection, if that is safe.
    #[cold]
    pub fn give_back(mut self, status: &Status) {
        self.reusable = is_reusable_after(status);
    }
}

impl Drop for Exclusive {
    fn drop(&mut self) {
        if self.reusable { self.idle.keep(self.home, &self.handle) } else { self.handle.close() }
    }
}

/// Whether another call may use the connection after one that ended with this status: only if a reply was
/// received, so that no late reply can be taken for the next call's.
pub(crate) fn is_reusable_after(status: &Status) -> bool {
    status.is_ok() || status.origin() == Origin::Remote
}
