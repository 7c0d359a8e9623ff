//! A shard: one thread, one tokio `current_thread` runtime, and the connections that it owns.

use crate::{
    connection_stats::{ConnectionStats, Signal},
    transport::Transport,
    watch::Watch,
};
use polywire_base::{Key, Slab};
use std::{
    cell::{Cell, OnceCell, RefCell},
    fs,
    future::{Future, poll_fn},
    path::PathBuf,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicUsize, Ordering::*},
    },
    task::{Poll, Waker},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};
use tokio::runtime::Handle;

/// One of the engine's threads. Handles to it may be used on any thread.
pub struct Shard {
    index: usize,
    handle: Handle,
    work: Handle,
    /// Number of connections that are on this shard or about to be. Acceptors read it to place the next one.
    connections: AtomicUsize,
    /// Its connections, for the console and a drain. This lock is rarely taken: per connection, not per call.
    hosted: Mutex<Vec<Weak<ConnectionStats>>>,
    pub(crate) watch: Watch,
    /// The path of the system's statistics about the shard's thread. That thread sets it.
    thread: OnceLock<PathBuf>,
    spins: bool,
}

impl Shard {
    pub(crate) fn new(index: usize, handle: Handle, work: Handle, spins: bool) -> Arc<Shard> {
        Arc::new(Shard {
            index,
            handle,
            work,
            connections: AtomicUsize::new(0),
            hosted: Mutex::default(),
            watch: Watch::default(),
            thread: OnceLock::new(),
            spins,
        })
    }

    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether the shard polls instead of sleeping ([`Builder::spin`](crate::Builder::spin)), so that it uses
    /// its processor all the time.
    pub fn spins(&self) -> bool {
        self.spins
    }

    /// The shard's own runtime.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    pub(crate) fn thread(&self) -> Option<&PathBuf> {
        self.thread.get()
    }

    /// The work pool: where handlers run that are not quick.
    pub fn work(&self) -> &Handle {
        &self.work
    }

    /// Number of connections on this shard.
    pub fn connections(&self) -> usize {
        self.connections.load(Relaxed)
    }

    /// Runs `future` on this shard.
    pub fn spawn<F>(&self, future: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.handle.spawn(future)
    }

    /// Counters of the connections on this shard.
    pub fn connection_stats(&self) -> Vec<Arc<ConnectionStats>> {
        self.hosted()
            .iter()
            .filter_map(Weak::upgrade)
            .filter(|connection_stats| !connection_stats.is_over())
            .collect()
    }

    fn hosted(&self) -> std::sync::MutexGuard<'_, Vec<Weak<ConnectionStats>>> {
        polywire_base::lock(&self.hosted)
    }

    /// Counts a connection, for as long as the value lives.
    pub(crate) fn counted(self: &Arc<Self>) -> Counted {
        self.connections.fetch_add(1, Relaxed);
        Counted(self.clone())
    }

    pub(crate) fn keep(&self, connection_stats: &Arc<ConnectionStats>) {
        connection_stats.limit();
        let mut hosted = self.hosted();
        if hosted.len() == hosted.capacity() {
            hosted.retain(|v| v.strong_count() > 0);
        }
        hosted.push(Arc::downgrade(connection_stats));
    }

    /// Sends a signal to every connection of this shard.
    pub fn tell(&self, signal: Signal) {
        self.connection_stats().iter().for_each(|v| v.tell(signal));
    }
}

/// A connection that a shard counts.
pub(crate) struct Counted(Arc<Shard>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Relaxed);
    }
}

thread_local! {
    static CURRENT: OnceCell<Arc<Shard>> = const { OnceCell::new() };
    /// On a thread of the work pool: the shard whose request it currently processes.
    static WORKS_FOR: RefCell<Option<Weak<Shard>>> = const { RefCell::new(None) };
    static ACTIVITY: Activity = const { Activity { last: Cell::new(None), waiting: RefCell::new(Slab::new()) } };
}

/// The shard that runs on the calling thread.
#[inline]
pub fn current() -> Option<Arc<Shard>> {
    CURRENT.with(|current| current.get().cloned())
}

/// A number that identifies the calling thread's shard within the process.
#[inline]
pub fn current_id() -> Option<usize> {
    with_current(|shard| shard.map(|shard| Arc::as_ptr(shard).addr()))
}

/// The shard whose connections are used by code on this thread. On a shard's thread that is the shard itself;
/// on a thread of the work pool, the shard that received the request it works on. `None` on threads that
/// belong to no engine.
pub fn home() -> Option<Arc<Shard>> {
    current().or_else(|| WORKS_FOR.with_borrow(|shard| shard.as_ref().and_then(Weak::upgrade)))
}

/// The number of [`home`]; see [`current_id`].
#[inline]
pub fn home_id() -> Option<usize> {
    current_id().or_else(works_for_id)
}

fn works_for_id() -> Option<usize> {
    WORKS_FOR.with_borrow(|shard| {
        shard.as_ref().filter(|shard| shard.strong_count() > 0).map(|s| s.as_ptr().addr())
    })
}

/// Assigns a new thread of the work pool to a shard, which is the home of code on it that works on no
/// request.
pub(crate) fn assign(shard: Weak<Shard>) {
    WORKS_FOR.set(Some(shard));
}

/// Runs `work` on a thread of the pool on behalf of `shard`.
pub(crate) fn visit<R>(shard: &Arc<Shard>, work: impl FnOnce() -> R) -> R {
    struct Back(Option<Weak<Shard>>);
    impl Drop for Back {
        fn drop(&mut self) {
            WORKS_FOR.set(self.0.take());
        }
    }
    let _back = Back(WORKS_FOR.replace(Some(Arc::downgrade(shard))));
    work()
}

/// Calls `look` with the calling thread's shard, without cloning its handle.
#[inline]
pub(crate) fn with_current<R>(look: impl FnOnce(Option<&Arc<Shard>>) -> R) -> R {
    CURRENT.with(|current| look(current.get()))
}

pub(crate) fn enter(shard: Arc<Shard>) {
    let _ = this_thread().map(|thread| shard.thread.set(thread)); // a shard's thread enters once
    CURRENT.with(|current| {
        let _ = current.set(shard); // a shard's thread enters once
    });
}

/// The latest activity of a thread's connections.
struct Activity {
    last: Cell<Option<Instant>>,
    /// Woken when a connection does something.
    waiting: RefCell<Slab<Waker>>,
}

/// Notes activity of a connection. Hot: once per turn.
#[inline]
pub(crate) fn active(now: Instant) {
    ACTIVITY.with(|activity| {
        activity.last.set(Some(now));
        if !activity.waiting.borrow().is_empty() {
            wake(activity);
        }
    });
}

#[cold]
fn wake(activity: &Activity) {
    let mut waiting = activity.waiting.borrow_mut();
    let indices = 0..waiting.entries() as u32;
    let wakers: Vec<_> = indices.filter_map(|index| waiting.remove_at(index)).collect();
    drop(waiting);
    wakers.into_iter().for_each(Waker::wake);
}

/// A place in the list of a thread's wakers, which ends with its future.
struct Waiting {
    thread: ThreadId,
    key: Key,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if thread::current().id() == self.thread {
            let removed = ACTIVITY.try_with(|activity| activity.waiting.borrow_mut().remove(self.key));
            drop(removed); // not while the list is borrowed
        }
    }
}

/// Waits until a connection that the calling thread drives handles a message. For periodic work that should
/// pause while there are no messages: it costs connections nothing.
pub async fn until_active() {
    let mut waiting: Option<Waiting> = None;
    poll_fn(|cx| {
        ACTIVITY.with(|activity| {
            let mut list = activity.waiting.borrow_mut();
            let Some(waiting) = &waiting else {
                let (thread, key) = (thread::current().id(), list.insert(cx.waker().clone()));
                waiting = Some(Waiting { thread, key });
                return Poll::Pending;
            };
            match list.get_mut(waiting.key) {
                Some(waker) => {
                    waker.clone_from(cx.waker());
                    Poll::Pending
                }
                None => Poll::Ready(()), // woken
            }
        })
    })
    .await;
}

/// Keeps the shard polling its sockets for `patience` after the last activity instead of going to sleep:
/// waking a sleeping thread takes many times as long as a poll that finds nothing.
pub(crate) async fn spin(patience: Duration) {
    loop {
        tokio::task::yield_now().await;
        let last = ACTIVITY.with(|activity| activity.last.get());
        if last.is_none_or(|last| last.elapsed() > patience) {
            until_active().await;
        }
    }
}

/// The path of the system's statistics about the calling thread: `/proc/PID/task/TID`. `None` where the
/// system has none.
fn this_thread() -> Option<PathBuf> {
    fs::read_link("/proc/thread-self").ok().map(|link| PathBuf::from("/proc").join(link))
}

/// Registers an accepted socket with the runtime of the caller.
pub type Attach = Box<dyn FnOnce() -> std::io::Result<Box<dyn Transport>> + Send>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::{pin::pin, task::Context};

    fn waiting() -> usize {
        ACTIVITY.with(|activity| activity.waiting.borrow().len())
    }

    #[test]
    fn who_gives_up_waiting_is_forgotten_and_others_are_woken() {
        let mut cx = Context::from_waker(Waker::noop());
        let mut patient = pin!(until_active());
        {
            let mut hasty = pin!(until_active());
            assert!(hasty.as_mut().poll(&mut cx).is_pending() && patient.as_mut().poll(&mut cx).is_pending());
            assert!(hasty.as_mut().poll(&mut cx).is_pending(), "nothing has happened");
            assert_eq!(waiting(), 2);
        }
        assert_eq!(waiting(), 1);
        active(Instant::now());
        assert_eq!((waiting(), patient.poll(&mut cx).is_ready()), (0, true));
    }
}
