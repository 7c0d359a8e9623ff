//! The connections that a thread remembers, channel by channel, so that the common call takes no lock to find one.
//!
//! Limits: a thread remembers the connections of 64 channels.

use crate::connection::{handle::Handle, home::HomeId};
use polywire_exchange::{Caller, Draft};
use std::{cell::RefCell, sync::Arc};

/// The most channels whose connections a thread remembers; one more takes the place of the oldest.
const CHANNELS: usize = 64;

/// The connections of one channel at one home.
struct Entry {
    channel: u64,
    home: HomeId,
    handles: Vec<Arc<Handle>>,
    /// The number of connections, from the first, that are taken in turn; the others are taken when these are full.
    in_turn: usize,
    /// The one that was taken last.
    last: usize,
}

thread_local! {
    static CACHE: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// Posts to the next connection in turn. `Err` gives the call back: this thread knows no connection that is open.
#[inline]
pub(crate) fn post(channel: u64, home: HomeId, draft: Draft) -> Result<Caller, Draft> {
    CACHE.with_borrow_mut(|cache| {
        match cache.iter_mut().find(|entry| entry.channel == channel && entry.home == home) {
            Some(entry) => entry.post(draft),
            None => Err(draft),
        }
    })
}

impl Entry {
    #[inline]
    fn post(&mut self, draft: Draft) -> Result<Caller, Draft> {
        self.last = if self.last + 1 >= self.in_turn { 0 } else { self.last + 1 };
        let handle = &self.handles[self.last];
        if handle.is_open() {
            handle.post(draft)
        } else if handle.is_alive() {
            self.post_to_another(draft)
        } else {
            Err(draft) // the pool replaces this connection by a new one
        }
    }

    #[cold]
    fn post_to_another(&self, draft: Draft) -> Result<Caller, Draft> {
        match self.handles.iter().find(|handle| handle.is_open()) {
            Some(handle) => handle.post(draft),
            None => Err(draft),
        }
    }
}

/// From now on this thread remembers these connections, in place of those that it knew of this channel and home.
pub(crate) fn remember(channel: u64, home: HomeId, handles: Vec<Arc<Handle>>, in_turn: usize) {
    let mut old = Vec::new(); // dropped outside of the borrow: the last owner of a connection's calls drops their wakers
    CACHE.with_borrow_mut(|cache| {
        old.extend(cache.extract_if(.., |entry| entry.channel == channel && entry.home == home));
        if cache.len() >= CHANNELS {
            old.push(cache.remove(0));
        }
        let in_turn = in_turn.min(handles.len());
        cache.push(Entry { channel, home, handles, in_turn, last: 0 });
    });
}
