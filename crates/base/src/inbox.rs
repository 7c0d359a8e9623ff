//! What other threads post to the one that owns a connection.
//!
//! An intrusive stack: a node is in it at most once, so posting allocates nothing and a node posted twice before it is
//! looked at is looked at once. The owner is woken only when it had said that it sleeps; a busy owner costs the poster
//! no wake-up.

use crate::{
    WakerCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicPtr, Ordering::*},
    },
};
use std::{ptr, task::Waker};

/// The part of a node that the inbox uses.
pub struct Link<T> {
    posted: AtomicBool,
    /// Valid while `posted`: the node below this one.
    next: AtomicPtr<T>,
}

impl<T> Default for Link<T> {
    fn default() -> Self {
        Link { posted: AtomicBool::new(false), next: AtomicPtr::new(ptr::null_mut()) }
    }
}

/// Something that can be posted.
pub trait Node: Sized {
    fn link(&self) -> &Link<Self>;
}

/// Many posters, one owner.
pub struct Inbox<T: Node> {
    /// Newest node; each holds one strong count of its `Arc`.
    head: AtomicPtr<T>,
    /// Set by the owner before it waits, cleared by the poster that wakes it.
    asleep: AtomicBool,
    doorbell: WakerCell,
}

impl<T: Node> Default for Inbox<T> {
    fn default() -> Self {
        Inbox {
            head: AtomicPtr::new(ptr::null_mut()),
            asleep: AtomicBool::new(false),
            doorbell: WakerCell::default(),
        }
    }
}

// SAFETY: the stack owns `Arc<T>`s, which may move between threads when `T` allows it.
unsafe impl<T: Node + Send + Sync> Send for Inbox<T> {}
// SAFETY: as above; all access goes through atomics.
unsafe impl<T: Node + Send + Sync> Sync for Inbox<T> {}

impl<T: Node> Inbox<T> {
    /// Any thread. After this the owner will look at `node`, once for any number of posts before it does.
    pub fn post(&self, node: &Arc<T>) {
        if node.link().posted.swap(true, SeqCst) {
            return; // on its way: the owner will see whatever changed
        }
        let new = Arc::into_raw(node.clone()).cast_mut();
        let mut head = self.head.load(Relaxed);
        loop {
            node.link().next.store(head, Relaxed);
            // SeqCst pairs with `sleep`: either the owner sees the node, or we see that it sleeps.
            match self.head.compare_exchange_weak(head, new, SeqCst, Relaxed) {
                Ok(_) => break,
                Err(other) => head = other,
            }
        }
        if self.asleep.load(SeqCst) && self.asleep.swap(false, SeqCst) {
            self.doorbell.wake();
        }
    }

    /// Wakes the owner without a post: something it looks at has changed.
    pub fn ring(&self) {
        if self.asleep.swap(false, SeqCst) {
            self.doorbell.wake();
        }
    }

    /// Owner: everything posted, oldest first. A node may be posted again from the moment it is handed out.
    pub fn drain(&self, into: &mut Vec<Arc<T>>) {
        if self.head.load(Relaxed).is_null() {
            return;
        }
        let from = into.len();
        let mut next = self.head.swap(ptr::null_mut(), SeqCst);
        while !next.is_null() {
            // SAFETY: `post` put this pointer here with `Arc::into_raw`; the swap made it ours alone.
            let node = unsafe { Arc::from_raw(next) };
            next = node.link().next.load(Relaxed);
            // Cleared before the node is looked at: a change made after this is posted anew.
            node.link().posted.store(false, SeqCst);
            into.push(node);
        }
        into[from..].reverse();
    }

    /// Owner, before it waits: true if it may. False means that something was posted: drain again.
    pub fn sleep(&self, waker: &Waker) -> bool {
        self.doorbell.register(waker);
        self.asleep.store(true, SeqCst);
        if self.head.load(SeqCst).is_null() {
            return true;
        }
        self.asleep.store(false, SeqCst);
        false
    }

    /// Owner, on waking for another reason: posters need not ring any more.
    pub fn awake(&self) {
        self.asleep.store(false, Relaxed);
    }
}

impl<T: Node> Drop for Inbox<T> {
    fn drop(&mut self) {
        let mut left = Vec::new();
        self.drain(&mut left);
    }
}
