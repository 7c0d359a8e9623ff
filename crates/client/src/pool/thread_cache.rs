//! A thread's short way to the connections of its channels: no lock on the way of the common call.

use crate::{connection::handle::Link, connection::home::HomeId};
use polywire_engine::{Caller, Draft};
use std::{cell::RefCell, sync::Arc};

/// Channels a thread remembers the connections of.
const CHANNELS: usize = 64;

/// One home's connections of one channel.
struct Near {
    channel: u64,
    home: HomeId,
    links: Vec<Arc<Link>>,
    /// The first of them are taken in turn; the others are there for what these cannot take.
    base: usize,
    next: usize,
}

thread_local! {
    static NEAR: RefCell<Vec<Near>> = const { RefCell::new(Vec::new()) };
}

/// Posts to the next connection in turn. `Err` gives the call back: this thread knows none that is open.
#[inline]
pub(crate) fn post(channel: u64, home: HomeId, draft: Draft) -> Result<Caller, Draft> {
    NEAR.with_borrow_mut(|near| {
        match near.iter_mut().find(|near| near.channel == channel && near.home == home) {
            Some(near) => near.post(draft),
            None => Err(draft),
        }
    })
}

impl Near {
    #[inline]
    fn post(&mut self, draft: Draft) -> Result<Caller, Draft> {
        self.next = if self.next + 1 >= self.base { 0 } else { self.next + 1 };
        let link = &self.links[self.next];
        if link.is_open() {
            link.post(draft)
        } else if link.is_alive() {
            self.post_elsewhere(draft)
        } else {
            Err(draft) // to be replaced by a new one
        }
    }

    #[cold]
    fn post_elsewhere(&self, draft: Draft) -> Result<Caller, Draft> {
        match self.links.iter().find(|link| link.is_open()) {
            Some(link) => link.post(draft),
            None => Err(draft),
        }
    }
}

/// From now on this thread knows these.
pub(crate) fn remember(channel: u64, home: HomeId, links: Vec<Arc<Link>>, base: usize) {
    let mut old = Vec::new(); // dropped outside of the borrow: the last owner of a connection's calls drops their wakers
    NEAR.with_borrow_mut(|near| {
        old.extend(near.extract_if(.., |near| near.channel == channel && near.home == home));
        if near.len() >= CHANNELS {
            old.push(near.remove(0));
        }
        let base = base.min(links.len());
        near.push(Near { channel, home, links, base, next: 0 });
    });
}
