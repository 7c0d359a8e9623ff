//! Servers that take the listening sockets over from the previous process, and hand them to the next.
//!
//! ```text
//!  old process                                      new process
//!   listens at PATH  <----------- connects ----------  start()
//!   "polywire handover 1", a line for each listener,
//!   their sockets (SCM_RIGHTS) ----------------------> binds only what is missing, and PATH.PID
//!   accepts as before                                  does all else that may fail: Server::before_ready
//!                    <------------ "ready" ----------
//!   accepts as before                                  accepts, too: one queue, two processes
//!   hangs up ----------------------------------------> renames PATH.PID to PATH
//!   accepts no more, calls in flight end: stop()
//! ```
//!
//! If a new process fails before `ready`, the old one is unaffected, and the new one has accepted no
//! connection. Errors after `ready` are logged, and the new process continues. At any time one of the two
//! processes accepts connections from the shared sockets, so no connection is refused or lost.
//!
//! Limits: 64 sockets, 16 KiB of text, 5 s for both. Each side hangs up on a process of another user; the old
//!         one also on one that is not ready within a minute.

mod offer;
mod taken;
#[cfg(test)]
mod tests;
mod words;

use offer::{Listeners, Offer};
use polywire_base::lock;
use polywire_engine::{
    os::descriptors,
    spawn_on,
    transport::{Handle, Listener},
};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};
use taken::Taken;
use tokio::{runtime, sync::watch, task::JoinHandle};
use words::LONGEST;

/// The listening sockets of several servers of one program, which go to its next process together: all of
/// them, or none. Clones are the same.
///
/// ```no_run
/// # mod polywire { pub use polywire_server::*; }
/// # type Done = Result<(), Box<dyn std::error::Error>>;
/// # async fn run<P: polywire::Preset>(calls: polywire::Server<P>, pages: polywire::Server<P>) -> Done {
/// use polywire::{HandOver, Lifecycle};
///
/// let hand_over = HandOver::at("/run/shop/handover")?;    // asks the process that serves there
/// let with = || Lifecycle::default().hand_over_with(&hand_over);
/// let calls = calls.lifecycle(with()).listen("0.0.0.0:8000").start()?;
/// let pages = pages.lifecycle(with()).listen("127.0.0.1:9900").start()?;
/// hand_over.ready()?;                                     // they accept connections, and that process stops
/// hand_over.handed_over().await;                          // to the next one
/// tokio::join!(calls.stop(), pages.stop());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HandOver(Arc<Together>);

struct Together {
    /// `None`: the program has no next process.
    path: Option<Box<Path>>,
    /// The process before, until this one is ready.
    before: Mutex<Taken>,
    listeners: Listeners,
    is_ready: watch::Sender<bool>,
    /// Set once another process accepts.
    handed_over: watch::Sender<bool>,
    /// Between its beginning and its end.
    offer: Mutex<Option<Offer>>,
    /// Waits for the next process.
    waiting: Mutex<Option<JoinHandle<()>>>,
}

/// How the listening sockets of a server come from the process before, and go to the next one.
pub(crate) enum HandsOver {
    Alone(PathBuf),
    Together(HandOver),
}

/// The hand-over of one server.
pub(crate) struct Next {
    pub hand_over: HandOver,
    /// Whether no other server takes part, so that this one says when it is ready.
    pub is_alone: bool,
}

/// The listeners of one server, until this is dropped.
pub(crate) struct Member {
    of: Listeners,
    number: u64,
}

/// The listeners of a server that another one takes the place of.
pub(crate) struct Place {
    of: Listeners,
    number: u64,
}

impl HandOver {
    /// Takes the sockets over from the process that serves at `path`, if there is one. See
    /// [`Lifecycle::hand_over`](crate::Lifecycle::hand_over).
    ///
    /// # Errors
    /// There is a process, but of another user, or its message is invalid.
    pub fn at(path: impl AsRef<Path>) -> io::Result<HandOver> {
        let path = path.as_ref();
        Ok(HandOver::new(Some(path.into()), Taken::from_process_at(path)?))
    }

    /// Sockets that go to no other process: servers of this one take them over from each other
    /// ([`Lifecycle::in_place_of`](crate::Lifecycle::in_place_of)). It is [ready](HandOver::ready).
    pub fn within() -> HandOver {
        HandOver::new(None, Taken::nothing())
    }

    fn new(path: Option<Box<Path>>, before: Taken) -> HandOver {
        HandOver(Arc::new(Together {
            is_ready: watch::Sender::new(path.is_none()),
            path,
            before: Mutex::new(before),
            listeners: Listeners::default(),
            handed_over: watch::Sender::new(false),
            offer: Mutex::default(),
            waiting: Mutex::default(),
        }))
    }

    /// Lets the servers accept connections, asks the process before to stop, and waits for the next one from
    /// now on. To be called once, inside a runtime, when nothing else can fail. Servers that start later
    /// accept at once. It waits for a moment until the process before has answered, without another task's
    /// turn.
    ///
    /// # Errors
    /// The path cannot be used, or the process before has ended. It is unaffected, and no server accepts.
    pub fn ready(&self) -> io::Result<()> {
        self.begin()?;
        self.take_path();
        Ok(())
    }

    /// Servers that start from now on accept no connection until [`HandOver::resume`]: several are to begin
    /// together, or none of them. Those that accept go on.
    pub fn pause(&self) {
        self.0.is_ready.send_replace(false);
    }

    /// See [`HandOver::pause`].
    pub fn resume(&self) {
        self.0.is_ready.send_replace(true);
    }

    /// The first part of [`HandOver::ready`]: nothing may fail after it.
    pub(crate) fn begin(&self) -> io::Result<()> {
        let Some(path) = &self.0.path else { return Ok(()) };
        let before = std::mem::replace(&mut *lock(&self.0.before), Taken::nothing());
        let offer = Offer::begin(path, before, self.0.listeners.clone(), self.0.handed_over.clone())?;
        *lock(&self.0.offer) = Some(offer);
        self.resume();
        Ok(())
    }

    /// The second part: waits for the process before, then for the next one.
    pub(crate) fn take_path(&self) {
        let Some(mut offer) = lock(&self.0.offer).take() else { return };
        offer.take_path();
        *lock(&self.0.waiting) = Some(spawn_on(&runtime::Handle::current(), offer.run()));
    }

    /// Waits until the next process has taken the sockets over and accepts connections. It is time to stop
    /// the servers then.
    pub fn handed_over(&self) -> impl Future<Output = ()> + Send + use<> {
        reached(self.watch())
    }

    /// Whether the next process has taken over.
    pub fn is_handed_over(&self) -> bool {
        *self.0.handed_over.borrow()
    }

    /// Becomes true when another process accepts.
    pub(crate) fn watch(&self) -> watch::Receiver<bool> {
        self.0.handed_over.subscribe()
    }

    /// Waits no longer for the next process: its path is free when this returns.
    pub async fn end(&self) {
        let waiting = lock(&self.0.waiting).take();
        if let Some(waiting) = waiting {
            waiting.abort();
            let _ = waiting.await;
        }
    }

    /// The listener of this address, if the process before had one.
    pub(crate) fn listener(&self, address: &str) -> io::Result<Option<Listener>> {
        lock(&self.0.before).listener(address)
    }

    /// Adds the listeners of a server. `instead`: of servers that end soon.
    ///
    /// # Errors
    /// There are more than can be handed over.
    pub(crate) fn join(&self, listeners: Vec<(String, Handle)>, instead: &[Place]) -> io::Result<Member> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Relaxed);
        let mut all = lock(&self.0.listeners);
        let stays = |number: u64| instead.iter().all(|place| place.number != number);
        let others = || all.iter().filter(|(number, ..)| stays(*number)).map(|(_, address, _)| address);
        let bytes: usize =
            others().chain(listeners.iter().map(|(address, _)| address)).map(|text| text.len() + 1).sum();
        let are_too_many = others().count() + listeners.len() > descriptors::MOST || bytes > LONGEST / 2;
        if let Some(path) = self.0.path.as_ref().filter(|_| are_too_many) {
            let text = format!("hand-over at {}: too many listeners", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        all.extend(listeners.into_iter().map(|(address, handle)| (number, address, handle)));
        Ok(Member { of: self.0.listeners.clone(), number })
    }

    /// Waits until connections may be accepted; false: that never comes.
    pub(crate) fn opened(&self) -> impl Future<Output = bool> + Send + use<> {
        let mut is_ready = self.0.is_ready.subscribe();
        async move { is_ready.wait_for(|yes| *yes).await.is_ok() }
    }
}

impl Next {
    pub fn of(hands_over: HandsOver) -> io::Result<Next> {
        Ok(match hands_over {
            HandsOver::Alone(path) => Next { hand_over: HandOver::at(path)?, is_alone: true },
            HandsOver::Together(hand_over) => Next { hand_over, is_alone: false },
        })
    }
}

impl Member {
    /// Its listeners, for a server that takes its place.
    pub fn place(&self) -> Place {
        Place { of: self.of.clone(), number: self.number }
    }
}

impl Place {
    /// Further listeners of its sockets, each with the address that was configured.
    pub fn listeners(&self) -> io::Result<Vec<(String, Listener)>> {
        let all = lock(&self.of);
        let own = all.iter().filter(|(number, ..)| *number == self.number);
        own.map(|(_, address, handle)| Ok((address.clone(), handle.listener()?))).collect()
    }
}

/// Waits until it is true.
pub(crate) async fn reached(mut told: watch::Receiver<bool>) {
    if told.wait_for(|yes| *yes).await.is_err() {
        std::future::pending().await // nobody will say so
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        lock(&self.waiting).take().iter().for_each(JoinHandle::abort);
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        lock(&self.of).retain(|(number, ..)| *number != self.number);
    }
}
