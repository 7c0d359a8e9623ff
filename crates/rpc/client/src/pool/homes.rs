//! The connections of a channel that its calls share (kind Single), home by home.

use crate::connection::{handle::Handle, home::HomeId};
use polywire_base::lock;
use polywire_call::Status;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The connections that calls share, by the home of the callers.
pub(crate) struct Homes {
    homes: Mutex<Vec<PerHome>>,
    /// Counts up to choose which home's connections the next home beyond the bound shares.
    guest: AtomicUsize,
    /// The most homes that have connections of their own.
    most_homes: usize,
    /// The number of connections of a home that calls take in turn.
    connections: usize,
    /// The maximum number of connections of a home, additional ones included.
    most: usize,
}

/// The connections of one home.
struct PerHome {
    id: HomeId,
    /// The first [`Homes::connections`] are used in turn; the others were added while those were full.
    handles: Vec<Arc<Handle>>,
}

impl PerHome {
    fn is_in_use(&self) -> bool {
        self.handles.iter().any(|handle| handle.is_alive())
    }

    /// Forgets the connections that have ended, save the first `connections`, which are replaced.
    fn forget_ended(&mut self, connections: usize) {
        let mut n = 0;
        self.handles.retain(|handle| {
            n += 1;
            n <= connections || handle.is_alive()
        });
    }
}

/// The purpose for which a connection is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum For {
    /// A call with one message each way: while it waits for room it can move to another connection.
    Call,
    /// A call with streams: it cannot leave the connection that it was posted to.
    Stream,
}

impl Homes {
    pub fn new(most_homes: usize, connections: usize, most: usize) -> Self {
        Homes { homes: Mutex::default(), guest: AtomicUsize::new(0), most_homes, connections, most }
    }

    /// All connections of this home, and one of them that is alive, if possible with room. `connect` makes
    /// missing ones; its argument says whether the connection is an additional one.
    ///
    /// # Errors
    /// None is alive, and `connect` made none.
    pub fn find(
        &self,
        id: HomeId,
        what: For,
        mut connect: impl FnMut(bool) -> Result<Arc<Handle>, Status>,
    ) -> Result<(Vec<Arc<Handle>>, Arc<Handle>), Status> {
        let mut homes = lock(&self.homes);
        homes.retain(|home| home.id == id || home.is_in_use());
        let known = homes.iter().any(|home| home.id == id);
        let entry = if !known && homes.len() >= self.most_homes {
            let at = self.guest.fetch_add(1, Relaxed) % homes.len();
            &mut homes[at]
        } else {
            per_home(&mut homes, id)
        };
        let (mut live, mut failed) = (None, None);
        for n in 0..self.connections {
            if let Some(handle) = entry.handles.get(n).filter(|handle| handle.is_alive()) {
                live.get_or_insert_with(|| handle.clone());
                continue;
            }
            match connect(false) {
                Ok(handle) => {
                    live = Some(handle.clone()); // a new one: it has no calls yet
                    match entry.handles.get_mut(n) {
                        Some(old) => *old = handle,
                        None => entry.handles.push(handle),
                    }
                }
                Err(status) => failed = Some(status), // it does not matter while there is another connection
            }
        }
        if let (None, Some(status)) = (&live, failed) {
            return Err(status);
        }
        entry.forget_ended(self.connections);
        let has_room = |handle: &Arc<Handle>| match what {
            For::Call => handle.is_open(),
            For::Stream => handle.has_room_for_stream(),
        };
        let mut found = entry.handles.iter().find(|handle| has_room(handle)).cloned();
        if found.is_none() && what == For::Stream && entry.handles.len() < self.most {
            found = connect(true).ok(); // else it waits with the others
            entry.handles.extend(found.clone());
        }
        if what == For::Call && live.as_ref().is_some_and(has_room) {
            found = live.clone(); // in turn
        }
        let least_busy = || {
            entry
                .handles
                .iter()
                .filter(|handle| handle.is_alive())
                .min_by_key(|handle| handle.streams())
                .cloned()
        };
        let handle = found.or_else(|| if what == For::Stream { least_busy() } else { None }).or(live);
        Ok((entry.handles.clone(), handle.expect("at least one connection")))
    }

    /// Called when calls wait on `full`. If another connection has room they may move there, otherwise an
    /// additional one is made.
    pub fn relieve(&self, full: &Arc<Handle>, connect: impl FnOnce() -> Result<Arc<Handle>, Status>) {
        let mut homes = lock(&self.homes);
        let Some(entry) = home_of(&mut homes, full) else { return };
        entry.forget_ended(self.connections);
        if entry.handles.iter().any(|handle| handle.is_open()) {
            full.relieve(1);
        } else if entry.handles.len() < self.most
            && !entry.handles.iter().any(|handle| handle.is_connecting())
        {
            entry.handles.extend(connect().ok()); // in the pause after a failure: the next call that waits asks again
        }
    }

    /// `open` has room for calls that wait on others.
    pub fn share_room(&self, open: &Arc<Handle>, calls: u32) {
        let mut homes = lock(&self.homes);
        let Some(entry) = home_of(&mut homes, open) else { return };
        let full = |handle: &&Arc<Handle>| handle.is_alive() && !handle.is_open();
        entry.handles.iter().filter(full).for_each(|handle| handle.relieve(calls));
    }
}

/// The home that has this connection.
fn home_of<'h>(homes: &'h mut [PerHome], handle: &Arc<Handle>) -> Option<&'h mut PerHome> {
    homes.iter_mut().find(|home| home.handles.iter().any(|known| Arc::ptr_eq(known, handle)))
}

fn per_home(homes: &mut Vec<PerHome>, id: HomeId) -> &mut PerHome {
    let at = homes.iter().position(|home| home.id == id).unwrap_or_else(|| {
        homes.push(PerHome { id, handles: Vec::new() });
        homes.len() - 1
    });
    &mut homes[at]
}

impl Drop for Homes {
    fn drop(&mut self) {
        for home in lock(&self.homes).drain(..) {
            home.handles.iter().for_each(|handle| handle.close());
        }
    }
}
