//! The decompressed messages that the handlers of one connection hold: a limit on their sum, and the memory
//! budget that they are charged to.
//!
//! A message counts from before its memory is reserved until its handler asks for the next one, or ends.
//! While the connection's messages are at the limit, further ones stay compressed, and their handlers wait.
//! Where the budget has no room, the message is refused with ELIMIT. Messages that arrive uncompressed are
//! not counted here, but on arrival, and if they are passed on to another peer, here until that has taken
//! them ([`Inflating::charge`]). The unfinished messages of handlers that speak a protocol of their own count
//! here, too ([`Inflation::set`]).

use polywire_base::IoBuf;
use polywire_formats::{FormatError, compression};
use polywire_wire::{Compression, Inflated, Longest};
use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard};

/// A budget of memory.
pub trait Budget: Send + Sync + 'static {
    /// Charges `bytes` bytes, unless they do not fit.
    fn take(&self, bytes: usize) -> bool;
    /// Ends the charge of this many bytes, which [`Self::take`] or [`Self::charge`] has made.
    fn give_back(&self, bytes: usize);
    /// Charges `bytes` bytes that are held already.
    fn charge(&self, bytes: usize);
}

/// The inflated messages of one connection.
pub struct Inflating {
    /// The bytes of messages that were inflated and not dropped yet.
    held: AtomicUsize,
    /// The number of counted bytes from which on further messages wait.
    bound: usize,
    room: Notify,
    /// Whose message is inflated next, of those that are inflated on threads.
    turn: Arc<Mutex<()>>,
    budget: Option<Box<dyn Budget>>,
}

/// An inflated message that counts until this is dropped.
#[derive(Debug)]
pub struct Inflation {
    of: Arc<Inflating>,
    bytes: usize,
}

/// The right to inflate a message. See [`Inflating::turn`].
pub struct Turn {
    _held: OwnedMutexGuard<()>,
}

/// Ends when a message may be inflated.
pub(crate) type Room = Pin<Box<dyn Future<Output = ()> + Send + Sync>>;

/// The number of messages of maximum length that a connection's handlers may hold.
const MESSAGES: usize = 4;

impl Inflating {
    pub fn new(inflated: Inflated, budget: Option<Box<dyn Budget>>) -> Arc<Self> {
        let bound = (inflated.most as usize).saturating_mul(MESSAGES);
        Arc::new(Inflating {
            held: AtomicUsize::new(0),
            bound,
            room: Notify::new(),
            turn: Arc::default(),
            budget,
        })
    }

    /// The number of decompressed bytes that handlers hold now. They are charged to the budget already.
    pub fn held(&self) -> usize {
        self.held.load(Relaxed)
    }

    fn is_full(&self) -> bool {
        self.held() >= self.bound
    }

    /// Waits until a message may be inflated. Several that begin at once may exceed the bound, by one message
    /// for each thread.
    pub async fn room(self: Arc<Self>) {
        while self.is_full() {
            self.room.notified().await;
        }
        self.room.notify_one(); // there may be room for more than one
    }

    /// [`Inflating::room`] for a message that is inflated on another thread: none of the others that ask for
    /// a turn has one until this is dropped, so that they do not exceed the bound together.
    pub async fn turn(self: Arc<Self>) -> Turn {
        let turn = self.turn.clone().lock_owned().await;
        self.room().await;
        Turn { _held: turn }
    }

    pub(crate) fn boxed_room(self: &Arc<Self>) -> Option<Room> {
        self.is_full().then(|| Box::pin(self.clone().room()) as Room)
    }

    /// The share of one handler, which is empty at first.
    pub fn nothing(self: &Arc<Self>) -> Inflation {
        Inflation { of: self.clone(), bytes: 0 }
    }

    /// The charge of a message that is held already, if there is room for it.
    pub fn charge(self: &Arc<Self>, bytes: usize) -> Option<Inflation> {
        let mut inflation = self.nothing();
        inflation.grow(bytes).then_some(inflation)
    }

    /// Inflates a message.
    ///
    /// # Errors
    /// The errors of [`compression::inflate`].
    pub fn inflate(
        self: &Arc<Self>,
        compression: Compression,
        body: IoBuf,
        longest: Longest,
    ) -> Result<(IoBuf, Inflation), FormatError> {
        let mut inflation = self.nothing();
        let body = compression::inflate(compression, body, longest, &mut |bytes| inflation.grow(bytes))?;
        inflation.shrink(body.len());
        Ok((body, inflation))
    }
}

impl Inflation {
    /// The number of counted bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sets the number of counted bytes. They are held already, so this is never refused: if necessary, the
    /// connection is not read.
    pub fn set(&mut self, bytes: usize) {
        let more = bytes.saturating_sub(self.bytes);
        if let Some(budget) = &self.of.budget {
            budget.charge(more);
        }
        self.of.held.fetch_add(more, Relaxed);
        self.bytes += more;
        self.shrink(bytes);
    }

    /// Charges `bytes` in all, if there is room for what is more.
    pub fn change(&mut self, bytes: usize) -> bool {
        let fits = self.grow(bytes);
        if fits {
            self.shrink(bytes);
        }
        fits
    }

    fn grow(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.bytes);
        if self.of.budget.as_ref().is_some_and(|budget| !budget.take(more)) {
            return false;
        }
        self.of.held.fetch_add(more, Relaxed);
        self.bytes += more;
        true
    }

    fn shrink(&mut self, bytes: usize) {
        let less = self.bytes.saturating_sub(bytes);
        self.bytes -= less;
        if let Some(budget) = &self.of.budget {
            budget.give_back(less);
        }
        self.of.held.fetch_sub(less, Relaxed);
        self.of.room.notify_one();
    }
}

impl Drop for Inflation {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

impl fmt::Debug for Inflating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflating").field("held", &self.held).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::{Context, Poll, Waker};

    struct Bytes(AtomicUsize, usize);

    impl Budget for Arc<Bytes> {
        fn take(&self, bytes: usize) -> bool {
            let fits = self.0.load(Relaxed) + bytes <= self.1;
            self.0.fetch_add(if fits { bytes } else { 0 }, Relaxed);
            fits
        }
        fn charge(&self, bytes: usize) {
            self.0.fetch_add(bytes, Relaxed);
        }
        fn give_back(&self, bytes: usize) {
            self.0.fetch_sub(bytes, Relaxed);
        }
    }

    fn zeros(bytes: usize) -> IoBuf {
        compression::compress(Compression::GZIP, vec![0; bytes].into()).expect("a compression that is there")
    }

    fn is_ready(room: &mut Room) -> bool {
        room.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
    }

    #[test]
    fn messages_wait_at_the_bound_and_go_on_one_after_another() {
        let inflating = Inflating::new(Inflated::DEFAULT.most(1000), None);
        let inflate = || {
            let longest = Longest { message: 1 << 20, inflated: Inflated::DEFAULT.most(1000) };
            inflating.inflate(Compression::GZIP, zeros(1000), longest).expect("it is not too long")
        };
        let mut messages: Vec<_> = (0..MESSAGES).map(|_| inflate()).collect();
        assert_eq!(inflating.held(), 4000);
        let mut waiting: Vec<_> =
            (0..3).map(|_| inflating.boxed_room().expect("it is at the bound")).collect();
        assert!(!waiting.iter_mut().any(is_ready));
        messages.truncate(2);
        assert_eq!(inflating.held(), 2000);
        assert!(waiting.iter_mut().all(is_ready), "each tells the next");
        assert!(inflating.boxed_room().is_none());
        drop(messages);
        assert_eq!(inflating.held(), 0);
    }

    #[test]
    fn messages_for_threads_begin_one_after_another_and_wait_at_the_bound() {
        let inflating = Inflating::new(Inflated::DEFAULT.most(1000), None);
        let mut cx = Context::from_waker(Waker::noop());
        let mut turn = || {
            let mut turn = Box::pin(inflating.clone().turn());
            (turn.as_mut().poll(&mut cx), turn)
        };
        let (first, _) = turn();
        assert!(first.is_ready());
        let (second, waiting) = turn();
        assert!(second.is_pending(), "the first has not ended");
        drop((first, second, waiting));
        let held = inflating.charge(4000).expect("no budget refuses it");
        assert!(turn().0.is_pending(), "there is no room");
        drop(held);
        assert!(turn().0.is_ready());
    }

    #[test]
    fn a_message_is_charged_while_it_is_held_and_refused_where_there_is_no_room() {
        let budget = Arc::new(Bytes(AtomicUsize::new(0), 300_000));
        let inflating = Inflating::new(Inflated::DEFAULT, Some(Box::new(budget.clone())));
        let inflate = |bytes| {
            inflating.inflate(Compression::GZIP, zeros(bytes), usize::MAX.into()).map(|(_, held)| held)
        };
        let first = inflate(200_000).expect("there is room");
        assert_eq!((budget.0.load(Relaxed), inflating.held()), (200_000, 200_000));
        assert_eq!(inflate(200_000).err(), Some(FormatError::NoMemory));
        assert_eq!((budget.0.load(Relaxed), inflating.held()), (200_000, 200_000), "nothing of it is left");
        drop(first);
        assert_eq!((budget.0.load(Relaxed), inflating.held()), (0, 0));
    }
}
