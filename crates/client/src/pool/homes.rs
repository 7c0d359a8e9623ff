//! A channel's connections, home by home.

use crate::{connection::handle::Link, connection::home::HomeId, lock::lock};
use polywire_call::Status;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

#[derive(Default)]
pub(crate) struct Pool {
    homes: Mutex<Vec<PerHome>>,
    /// Which home's connections the next home beyond the bound shares.
    guest: AtomicUsize,
}

/// A home's connections.
struct PerHome {
    id: HomeId,
    /// Single: the first [`Bounds::links`] are taken in turn, the others are further ones.
    links: Vec<Arc<Link>>,
    /// Pooled: idle ones, the last returned first.
    idle: Vec<Arc<Link>>,
}

impl PerHome {
    fn is_in_use(&self) -> bool {
        self.links.iter().chain(&self.idle).any(|link| link.is_alive())
    }

    /// Further connections that are over.
    fn forget_ended(&mut self, bounds: &Bounds) {
        let mut n = 0;
        self.links.retain(|link| {
            n += 1;
            n <= bounds.links || link.is_alive()
        });
    }
}

/// How many connections there may be.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Homes that have connections of their own.
    pub homes: usize,
    /// Single: of a home, always.
    pub links: usize,
    /// Single: of a home, further ones included.
    pub most: usize,
    /// Pooled: idle ones of a home.
    pub idle: usize,
}

/// What a connection is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum For {
    Call,
    /// It cannot leave a connection on which it waits.
    Stream,
}

impl Pool {
    /// Single: all connections of this home, and one of them that is alive, if possible with room. Missing ones are made by
    /// `connect`, which is told whether it is a further one.
    pub fn links(
        &self,
        id: HomeId,
        bounds: &Bounds,
        what: For,
        mut connect: impl FnMut(bool) -> Result<Arc<Link>, Status>,
    ) -> Result<(Vec<Arc<Link>>, Arc<Link>), Status> {
        let mut homes = lock(&self.homes);
        homes.retain(|home| home.id == id || home.is_in_use());
        let known = homes.iter().any(|home| home.id == id);
        let entry = if !known && homes.len() >= bounds.homes {
            let at = self.guest.fetch_add(1, Relaxed) % homes.len();
            &mut homes[at]
        } else {
            per_home(&mut homes, id)
        };
        let (mut live, mut failed) = (None, None);
        for n in 0..bounds.links {
            if let Some(link) = entry.links.get(n).filter(|link| link.is_alive()) {
                live.get_or_insert_with(|| link.clone());
                continue;
            }
            match connect(false) {
                Ok(link) => {
                    live = Some(link.clone()); // a new one: it has no calls yet
                    match entry.links.get_mut(n) {
                        Some(old) => *old = link,
                        None => entry.links.push(link),
                    }
                }
                Err(status) => failed = Some(status), // which is nothing to calls while there is another connection
            }
        }
        if let (None, Some(status)) = (&live, failed) {
            return Err(status);
        }
        entry.forget_ended(bounds);
        let has_room = |link: &Arc<Link>| match what {
            For::Call => link.is_open(),
            For::Stream => link.has_room_for_stream(),
        };
        let mut found = entry.links.iter().find(|link| has_room(link)).cloned();
        if found.is_none() && what == For::Stream && entry.links.len() < bounds.most {
            found = connect(true).ok(); // else it waits with the others
            entry.links.extend(found.clone());
        }
        if what == For::Call && live.as_ref().is_some_and(has_room) {
            found = live.clone(); // in turn
        }
        let emptiest =
            || entry.links.iter().filter(|link| link.is_alive()).min_by_key(|link| link.streams()).cloned();
        let link = found.or_else(|| if what == For::Stream { emptiest() } else { None }).or(live);
        Ok((entry.links.clone(), link.expect("at least one connection")))
    }

    /// Single: calls wait on `full`. If another connection has room they may go there, else a further one is made.
    pub fn relieve(
        &self,
        full: &Arc<Link>,
        bounds: &Bounds,
        connect: impl FnOnce() -> Result<Arc<Link>, Status>,
    ) {
        let mut homes = lock(&self.homes);
        let Some(entry) = home_of(&mut homes, full) else { return };
        entry.forget_ended(bounds);
        if entry.links.iter().any(|link| link.is_open()) {
            full.relieve(1);
        } else if entry.links.len() < bounds.most && !entry.links.iter().any(|link| link.is_new()) {
            entry.links.extend(connect().ok()); // in the pause after a failure: the next call that waits asks again
        }
    }

    /// Single: `open` has room for calls that wait on others.
    pub fn share_room(&self, open: &Arc<Link>, calls: u32) {
        let mut homes = lock(&self.homes);
        let Some(entry) = home_of(&mut homes, open) else { return };
        let full = |link: &&Arc<Link>| link.is_alive() && !link.is_open();
        entry.links.iter().filter(full).for_each(|link| link.relieve(calls));
    }

    /// Pooled: an idle connection of this home.
    pub fn take_idle(&self, id: HomeId) -> Option<Arc<Link>> {
        let mut homes = lock(&self.homes);
        homes.retain(|home| home.id == id || home.is_in_use());
        let idle = &mut per_home(&mut homes, id).idle;
        std::iter::from_fn(|| idle.pop()).find(|link| link.is_alive())
    }

    /// Pooled: the connection waits for the next call, if there is room for it. Else it ends.
    pub fn keep(&self, id: HomeId, bounds: &Bounds, link: &Arc<Link>) {
        if link.is_alive() {
            let mut homes = lock(&self.homes);
            let idle = &mut per_home(&mut homes, id).idle;
            if idle.len() < bounds.idle {
                return idle.push(link.clone());
            }
        }
        link.close();
    }
}

/// The home that has this connection.
fn home_of<'h>(homes: &'h mut [PerHome], link: &Arc<Link>) -> Option<&'h mut PerHome> {
    homes.iter_mut().find(|home| home.links.iter().any(|known| Arc::ptr_eq(known, link)))
}

fn per_home(homes: &mut Vec<PerHome>, id: HomeId) -> &mut PerHome {
    let at = homes.iter().position(|home| home.id == id).unwrap_or_else(|| {
        homes.push(PerHome { id, links: Vec::new(), idle: Vec::new() });
        homes.len() - 1
    });
    &mut homes[at]
}

impl Drop for Pool {
    fn drop(&mut self) {
        for home in lock(&self.homes).drain(..) {
            home.links.iter().chain(&home.idle).for_each(|link| link.close());
        }
    }
}
