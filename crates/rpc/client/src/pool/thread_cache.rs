//! The connections that a thread remembers, pool by pool, so that the common call takes no lock to find one.
//!
//! A table: a pool's index is its number modulo the length. Pools are numbered in the order in which they are
//! made, so those of one channel do not collide unless there are more than the table has entries.
//!
//! Limits: a thread remembers the connections of 1024 pools.

use crate::connection::{handle::Handle, home::HomeId};
use polywire_exchange::{Caller, Draft};
use std::{cell::RefCell, sync::Arc};

/// The length of the table at first, and at most; powers of two.
const FEW: usize = 8;
const MOST: usize = 1024;

/// The connections of one pool at one home.
struct Entry {
    pool: u64,
    home: HomeId,
    handles: Vec<Arc<Handle>>,
    /// The number of connections, from the first, that are taken in turn; the others are taken when these are
    /// full.
    in_turn: usize,
    /// The index of the connection that was used last.
    last: usize,
}

thread_local! {
    static CACHE: RefCell<Vec<Option<Entry>>> = const { RefCell::new(Vec::new()) };
}

/// Posts to the next connection in turn. `Err` returns the call: this thread has no open connection cached.
#[inline]
pub(crate) fn post(pool: u64, home: HomeId, draft: Draft) -> Result<Caller, Draft> {
    CACHE.with_borrow_mut(|cache| {
        let place = place(pool, cache.len());
        match cache.get_mut(place) {
            Some(Some(entry)) if entry.pool == pool && entry.home == home => entry.post(draft),
            _ => Err(draft),
        }
    })
}

/// The place of a pool in a table of this length.
#[inline]
fn place(pool: u64, len: usize) -> usize {
    pool as usize & len.wrapping_sub(1)
}

impl Entry {
    fn is_alive(&self) -> bool {
        self.handles.iter().any(|handle| handle.is_alive())
    }

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

/// Caches these connections for this thread, in place of those cached for this pool and home.
pub(crate) fn remember(pool: u64, home: HomeId, handles: Vec<Arc<Handle>>, in_turn: usize) {
    let in_turn = in_turn.min(handles.len());
    let entry = Entry { pool, home, handles, in_turn, last: 0 };
    // Dropped outside of the borrow: the last owner of a connection's calls drops their wakers.
    let _old = CACHE.with_borrow_mut(|cache| {
        let taken = |cache: &[Option<Entry>]| {
            let there = cache.get(place(pool, cache.len())).and_then(Option::as_ref);
            cache.is_empty() || there.is_some_and(|entry| entry.pool != pool && entry.is_alive())
        };
        while taken(cache) && cache.len() < MOST {
            grow(cache);
        }
        let place = place(pool, cache.len());
        cache[place].replace(entry)
    });
}

/// Doubles the table. Entries that did not share a place share none afterwards.
#[cold]
fn grow(cache: &mut Vec<Option<Entry>>) {
    let len = (cache.len() * 2).max(FEW);
    let old = std::mem::take(cache);
    cache.resize_with(len, || None);
    for entry in old.into_iter().flatten() {
        let place = place(entry.pool, len);
        cache[place] = Some(entry);
    }
}
