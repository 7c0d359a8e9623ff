//! A channel's connections, home by home.

use crate::{home::HomeId, link::Link, lock::lock};
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
    /// Single: taken in turn. Fixed length.
    links: Vec<Arc<Link>>,
    /// Pooled: idle ones, the last returned first.
    idle: Vec<Arc<Link>>,
}

impl PerHome {
    fn is_in_use(&self) -> bool {
        self.links.iter().chain(&self.idle).any(|link| link.is_alive())
    }
}

/// How many connections there may be.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Homes that have connections of their own.
    pub homes: usize,
    /// Single: of a home.
    pub links: usize,
    /// Pooled: idle ones of a home.
    pub idle: usize,
}

impl Pool {
    /// Single: all connections of this home, and one of them that is alive. Missing ones are made by `connect`.
    pub fn links(
        &self,
        id: HomeId,
        bounds: &Bounds,
        mut connect: impl FnMut() -> Result<Arc<Link>, Status>,
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
        let mut live = None;
        for n in 0..bounds.links {
            if let Some(link) = entry.links.get(n).filter(|link| link.is_alive()) {
                live.get_or_insert_with(|| link.clone());
                continue;
            }
            let link = connect()?;
            live = Some(link.clone()); // a new one: it has no calls yet
            match entry.links.get_mut(n) {
                Some(old) => *old = link,
                None => entry.links.push(link),
            }
        }
        Ok((entry.links.clone(), live.expect("at least one connection")))
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
