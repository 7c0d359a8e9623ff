//! A queue through which other threads post to the one that owns a connection.
//!
//! It is an intrusive stack: a node is in it at most once, so posting allocates nothing, and a node that is
//! posted twice before the owner sees it is handed out once. The owner is woken only if it has announced that
//! it sleeps; with a busy owner, a post costs one exchange on the node, one on the head, and no wake-up.
//!
//! ```text
//!                 post                post
//!          +----------------+    +------------+
//!          |                v    v            |       head: null            empty, owner is awake
//!   null --+            node -> node -> null -+             a node          newest of a chain
//!    ^  \  sleep                ^                           ASLEEP          empty, owner waits for its doorbell
//!    |   `--------> ASLEEP -----+  post: rings              RUNG            empty, but the owner must not sleep
//!    |  awake, drain   |                                    CLOSED          the owner has ended
//!    +-----------------+          any --close--> CLOSED
//! ```
//!
//! Whether the owner sleeps is a value of `head`, not a separate flag: with two variables, poster and owner
//! would each write one and read the other, which is safe only with sequentially consistent fences. With one
//! variable, the poster's exchange returns whether the owner has to be woken.

use crate::{
    WakerCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicPtr, Ordering::*},
    },
};
use std::{fmt, ptr, task::Waker};

/// The part of a node that the inbox uses. A node is posted to one inbox, always the same.
pub struct Link<T> {
    /// Set by the poster that inserts the node, cleared by the owner that takes it out.
    posted: AtomicBool,
    /// Valid while `posted`: the next older node. Written by the poster, read by the owner.
    next: AtomicPtr<T>,
}

impl<T> Default for Link<T> {
    fn default() -> Self {
        Link { posted: AtomicBool::new(false), next: AtomicPtr::new(ptr::null_mut()) }
    }
}

/// A node that can be posted.
///
/// # Safety
/// `link` returns the same link each time for one node, and for no other node. The inbox inserts a node only
/// once while its link says that it is inside, and owns one strong count of it for that. With a second link
/// it would take the node out twice, and free memory that is still in use.
///
/// A safe implementation does not compile:
///
/// ```compile_fail,E0200
/// # use polywire_base::{Link, Node};
/// struct Two([Link<Two>; 2], std::sync::atomic::AtomicUsize);
/// impl Node for Two {
///     fn link(&self) -> &Link<Two> {
///         &self.0[self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2]
///     }
/// }
/// ```
pub unsafe trait Node: Sized {
    fn link(&self) -> &Link<Self>;
}

/// The queue: many posters, one owner.
pub struct Inbox<T: Node> {
    /// Null, `ASLEEP`, `RUNG`, `CLOSED`, or the newest node; each node inside holds one strong count of its
    /// `Arc`.
    head: AtomicPtr<T>,
    doorbell: WakerCell,
}

/// Markers that cannot be addresses of nodes: nodes contain a pointer, so their addresses are multiples of
/// its size.
const fn asleep<T>() -> *mut T {
    ptr::without_provenance_mut(1)
}
const fn rung<T>() -> *mut T {
    ptr::without_provenance_mut(2)
}
const fn closed<T>() -> *mut T {
    ptr::without_provenance_mut(3)
}
fn is_node<T>(head: *mut T) -> bool {
    head.addr() > 3
}

impl<T: Node> Default for Inbox<T> {
    fn default() -> Self {
        const { assert!(align_of::<T>() > 3, "a node holds a Link, and so a pointer") };
        Inbox { head: AtomicPtr::new(ptr::null_mut()), doorbell: WakerCell::default() }
    }
}

// SAFETY: the stack owns `Arc<T>`s, which may move between threads when `T` allows it.
unsafe impl<T: Node + Send + Sync> Send for Inbox<T> {}
// SAFETY: as above; all access goes through atomics.
unsafe impl<T: Node + Send + Sync> Sync for Inbox<T> {}

impl<T: Node> Inbox<T> {
    /// Posts a node; any thread may call it. Afterwards the owner will see `node`, once for any number of
    /// earlier posts, with everything that this thread wrote before. False: the owner has closed the inbox
    /// and will not see it.
    ///
    /// If two threads post the same node at the moment when the owner closes, one of them may get true.
    pub fn post(&self, node: &Arc<T>) -> bool {
        let link = node.link();
        // Release pairs with the acquire in `chain`: the owner sees what we wrote even if another post
        // inserts the node. Acquire pairs with its release: it has read `next`.
        if link.posted.swap(true, AcqRel) {
            return true; // already inside: the owner has not seen it yet
        }
        self.insert(node)
    }

    /// As [`Inbox::post`], without the exchange that tells several posters of a node apart.
    ///
    /// # Safety
    /// Nobody else has the node.
    pub unsafe fn post_first(&self, node: &Arc<T>) -> bool {
        node.link().posted.store(true, Relaxed); // the exchange of `head` publishes it
        self.insert(node)
    }

    /// Inserts a node that is marked as posted by this thread.
    #[inline]
    fn insert(&self, node: &Arc<T>) -> bool {
        let link = node.link();
        let new = Arc::into_raw(node.clone()).cast_mut();
        let mut head = self.head.load(Relaxed);
        loop {
            if head == closed() {
                link.posted.store(false, Release);
                // SAFETY: made by `into_raw` above and not shared since.
                drop(unsafe { Arc::from_raw(new) });
                return false;
            }
            link.next.store(if is_node(head) { head } else { ptr::null_mut() }, Relaxed);
            // Release pairs with the acquire in `drain`: the node's link. Acquire pairs with the release in
            // `sleep`: the doorbell that was registered before. SeqCst: see `drain`.
            match self.head.compare_exchange_weak(head, new, SeqCst, Relaxed) {
                Ok(_) => break,
                Err(other) => head = other,
            }
        }
        if head == asleep() {
            self.doorbell.wake();
        }
        true
    }

    /// Wakes the owner without a post, because something else that it watches has changed. If the owner is
    /// awake, its next `sleep` fails instead, since it may have looked before the change.
    pub fn ring(&self) {
        let mut head = self.head.load(Relaxed);
        loop {
            // A node that is inside already makes the owner look again; exchanging it for itself makes our
            // change visible.
            let new = match head {
                _ if head == asleep() => ptr::null_mut(),
                _ if head.is_null() => rung(),
                _ => head,
            };
            match self.head.compare_exchange_weak(head, new, AcqRel, Relaxed) {
                Ok(_) => break,
                Err(other) => head = other,
            }
        }
        if head == asleep() {
            self.doorbell.wake();
        }
    }

    /// For the owner: takes the oldest node. `drained`: those that left the inbox and were not taken yet.
    #[inline]
    pub fn next(&self, drained: &mut Vec<Arc<T>>) -> Option<Arc<T>> {
        if drained.is_empty() {
            self.drain(drained);
        }
        drained.pop()
    }

    /// For the owner: takes all nodes, newest first, so that `pop` gives the oldest. From the moment a node
    /// is handed out it may be posted again.
    pub fn drain(&self, into: &mut Vec<Arc<T>>) {
        // A post that this load misses is found by `sleep`, which the owner calls before it waits. SeqCst
        // with the exchange in `post`, for callers that post and then read a flag that the owner sets before
        // its last drain.
        let head = self.head.load(SeqCst);
        if is_node(head) || head == rung() {
            // Only the owner removes nodes or closes, so it is still there. Acquire pairs with the release in
            // `post`.
            Self::chain(self.head.swap(ptr::null_mut(), Acquire), into);
        } else {
            self.awake();
        }
    }

    fn chain(head: *mut T, into: &mut Vec<Arc<T>>) {
        let mut next = head;
        while is_node(next) {
            // SAFETY: `post` stored this pointer with `Arc::into_raw`, once, since the node has one link
            // whose flag says so (`Node`); the exchange of `head` made it ours alone.
            let node = unsafe { Arc::from_raw(next) };
            next = node.link().next.load(Relaxed);
            // Cleared before the owner looks at the node: a change made after this is posted again. An
            // exchange rather than a store: it reads the last poster's `true`, and so acquires what that
            // poster had written, although its post inserted nothing. Release: `next` has been read.
            node.link().posted.swap(false, AcqRel);
            into.push(node);
        }
    }

    /// For the owner, before it waits. True: it may wait, and the next post or ring wakes `waker`. False:
    /// something was posted or rung (drain and look again), or the inbox is closed.
    #[must_use]
    pub fn sleep(&self, waker: &Waker) -> bool {
        self.doorbell.register(waker);
        // Release pairs with the acquire in `post`: the registration.
        match self.head.compare_exchange(ptr::null_mut(), asleep(), Release, Relaxed) {
            Ok(_) => true,
            Err(head) => head == asleep(),
        }
    }

    /// The owner calls this when it wakes without having been woken by a poster: posters then do not wake it
    /// once more. [`Inbox::drain`] does the same.
    pub fn awake(&self) {
        if self.head.load(Relaxed) == asleep() {
            // If this fails, another thread has posted, and rung.
            let _ = self.head.compare_exchange(asleep(), ptr::null_mut(), Relaxed, Relaxed);
        }
    }

    /// For the owner, at its end: takes the remaining nodes, newest first. From now on `post` returns false.
    /// The owner's waker is let go, since what is posted to may be kept for longer.
    ///
    /// Nodes usually hold a reference to their inbox; without this, a posted node and its inbox would keep
    /// each other alive.
    pub fn close(&self, into: &mut Vec<Arc<T>>) {
        Self::chain(self.head.swap(closed(), AcqRel), into);
        self.doorbell.clear();
    }
}

impl<T: Node> Drop for Inbox<T> {
    fn drop(&mut self) {
        self.close(&mut Vec::new());
    }
}

impl<T: Node> fmt::Debug for Inbox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = self.head.load(Relaxed);
        f.write_str(match head {
            _ if is_node(head) => "Inbox(posted)",
            _ if head == asleep() => "Inbox(asleep)",
            _ if head == rung() => "Inbox(rung)",
            _ if head == closed() => "Inbox(closed)",
            _ => "Inbox(empty)",
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::{
        sync::atomic::AtomicUsize,
        task::{Wake, Waker},
        thread,
    };

    #[derive(Default)]
    struct Line {
        link: Link<Line>,
        name: usize,
        changes: AtomicUsize,
    }
    // SAFETY: one field, which belongs to the node.
    unsafe impl Node for Line {
        fn link(&self) -> &Link<Self> {
            &self.link
        }
    }
    fn line(name: usize) -> Arc<Line> {
        Arc::new(Line { name, ..Line::default() })
    }
    fn names(lines: &[Arc<Line>]) -> Vec<usize> {
        lines.iter().map(|l| l.name).collect()
    }
    #[derive(Default)]
    struct Bell(AtomicUsize);
    impl Wake for Bell {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    fn drained(inbox: &Inbox<Line>) -> Vec<Arc<Line>> {
        let mut lines = Vec::new();
        inbox.drain(&mut lines);
        lines
    }

    #[test]
    fn posts_come_out_once_and_the_oldest_is_on_top() {
        let (inbox, a, b) = (Inbox::default(), line(1), line(2));
        assert!([&a, &b, &a, &b].into_iter().all(|l| inbox.post(l)));
        assert_eq!(names(&drained(&inbox)), [2, 1]);
        assert_eq!(names(&drained(&inbox)), []);
        inbox.post(&a);
        assert_eq!(names(&drained(&inbox)), [1]);
        assert_eq!(Arc::strong_count(&a), 1);
    }

    #[test]
    fn what_is_drained_goes_behind_what_was_drained() {
        let (inbox, mut lines) = (Inbox::default(), vec![line(0)]);
        [line(1), line(2)].iter().for_each(|l| assert!(inbox.post(l)));
        inbox.drain(&mut lines);
        assert_eq!(names(&lines), [0, 2, 1]);
    }

    #[test]
    fn only_a_sleeping_owner_is_rung_and_only_once() {
        let (inbox, bell) = (Inbox::default(), Arc::new(Bell::default()));
        let (waker, rung) = (Waker::from(bell.clone()), || bell.0.load(SeqCst));
        inbox.post(&line(1));
        assert_eq!((inbox.sleep(&waker), rung()), (false, 0));
        drained(&inbox);
        assert!(inbox.sleep(&waker) && inbox.sleep(&waker), "asking again changes nothing");
        inbox.post(&line(2));
        inbox.post(&line(3));
        assert_eq!((rung(), drained(&inbox).len()), (1, 2));
        assert!(inbox.sleep(&waker));
        inbox.awake();
        inbox.post(&line(4));
        assert_eq!((rung(), drained(&inbox).len()), (1, 1));
        assert!(inbox.sleep(&waker));
        assert_eq!(drained(&inbox).len(), 0, "an owner that drains is up");
        inbox.post(&line(5));
        assert_eq!(rung(), 1);
    }

    #[test]
    fn a_ring_wakes_a_sleeper_and_keeps_an_owner_that_is_up_from_one_sleep() {
        let (inbox, bell) = (Inbox::<Line>::default(), Arc::new(Bell::default()));
        let (waker, rung) = (Waker::from(bell.clone()), || bell.0.load(SeqCst));
        assert!(inbox.sleep(&waker));
        inbox.ring();
        inbox.ring();
        assert_eq!((rung(), inbox.sleep(&waker)), (1, false));
        assert_eq!(drained(&inbox).len(), 0);
        assert!(inbox.sleep(&waker));
        inbox.awake();
        inbox.ring();
        inbox.post(&line(1));
        inbox.ring();
        assert_eq!((rung(), inbox.sleep(&waker), names(&drained(&inbox))), (1, false, vec![1]));
        assert!(inbox.sleep(&waker));
    }

    #[test]
    fn after_the_end_posts_are_refused_and_nothing_leaks() {
        let (inbox, a, b) = (Inbox::default(), line(1), line(2));
        inbox.post(&a);
        let mut left = Vec::new();
        inbox.close(&mut left);
        assert_eq!(names(&left), [1]);
        assert!(!inbox.post(&a) && !inbox.post(&b) && !inbox.post(&b));
        assert!(!inbox.sleep(Waker::noop()));
        drop((left, drained(&inbox), inbox));
        assert_eq!((Arc::strong_count(&a), Arc::strong_count(&b)), (1, 1));
    }

    #[test]
    fn a_dropped_inbox_lets_go_of_its_nodes() {
        let (inbox, a) = (Inbox::default(), line(1));
        inbox.post(&a);
        drop(inbox);
        assert_eq!(Arc::strong_count(&a), 1);
    }

    #[test]
    fn threads_lose_no_change() {
        let inbox = Arc::new(Inbox::default());
        let lines: Vec<_> = (0..4).map(line).collect();
        let posters: Vec<_> = (0..2)
            .map(|_| {
                let (inbox, lines) = (inbox.clone(), lines.clone());
                thread::spawn(move || {
                    for i in 0..20_000 {
                        lines[i % 4].changes.fetch_add(1, Relaxed);
                        assert!(inbox.post(&lines[i % 4]));
                    }
                })
            })
            .collect();
        let (mut seen, mut got) = ([0; 4], Vec::new());
        while seen.iter().sum::<usize>() < 40_000 {
            inbox.drain(&mut got);
            for line in got.drain(..) {
                seen[line.name] = line.changes.load(Relaxed);
            }
            thread::yield_now();
        }
        posters.into_iter().for_each(|p| p.join().expect("a poster ends"));
        assert!(lines.iter().all(|l| l.changes.load(SeqCst) == 10_000));
    }
}
