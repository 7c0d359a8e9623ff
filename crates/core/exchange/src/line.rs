//! One call or stream, shared by its user and its connection. See the crate's invariants.

use crate::{
    pipe::Pipe,
    request::Request,
    sync::{
        Arc, UnsafeCell,
        atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::*},
    },
};
use polywire_base::{Inbox, IoBuf, Link, Node};
use polywire_wire::{Answer, Outcome, Part};
use std::task::Waker;

/// The connection has written `heard`; the line does not change any more.
pub(crate) const DONE: u16 = 1;
/// The user has cancelled, or reads no further parts.
pub(crate) const DROPPED: u16 = 2;
/// The user sends no further parts: it has closed its half of the stream.
pub(crate) const HALF: u16 = 4;
/// The handler has written `said`.
pub(crate) const ANSWERED: u16 = 8;
/// A call of a client: `said` holds its request. Never changes.
pub(crate) const CALL: u16 = 16;
/// The peer accepts no parts, so the connection sends none.
pub(crate) const STOPPED: u16 = 32;

/// The call was refused before its handler ran.
pub(crate) const REFUSED: u16 = 64;
/// The deadline of the call has passed, which is why it is over.
pub(crate) const LATE: u16 = 128;
/// The user waits for DONE. The side that changes this flag, or sets DONE while it is set, has `waiter`.
pub(crate) const WAITING: u16 = 256;
/// The user breaks its stream off.
pub(crate) const BROKEN: u16 = 512;

/// The stage of a call's handler that did not finish at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The task has not polled the handler yet.
    Queued = 0,
    /// The handler is being polled.
    Running = 1,
    /// The handler waits for an event.
    Waiting = 2,
}

/// The data that the user passes to the connection.
pub(crate) enum Said {
    Nothing,
    Request(Request),
    Answer(Outcome),
}

/// One call or stream. The methods here need neither side's right: reading flags, and the connection's side
/// of the queues, which check their use themselves. "Home" in these comments is the connection, on its own
/// thread.
pub struct Line {
    link: Link<Line>,
    /// The inbox that it is posted to. Written once, while the line is a draft or being made; read by both
    /// sides afterwards.
    pub(crate) inbox: UnsafeCell<Option<Arc<Inbox<Line>>>>,
    /// Index in home's table; `Line::UNPLACED` before. Written and read by home only.
    key: AtomicU32,
    pub(crate) flags: AtomicU16,
    /// A [`Stage`]. Written by the handler's task, read by lists of calls in flight; nothing depends on it.
    pub(crate) stage: AtomicU8,
    /// See the crate's invariants.
    pub(crate) said: UnsafeCell<Said>,
    pub(crate) heard: UnsafeCell<Option<Outcome>>,
    /// At a client the task that waits for DONE; at a server the handler's task, which is woken when the call
    /// is cancelled. See [`WAITING`].
    waiter: UnsafeCell<Option<Waker>>,
    pub(crate) pipe: Option<Box<Pipe>>,
}

// SAFETY: `said`, `heard` and `waiter` change owners at the flags named in the crate's invariants, which
// are set with release and read with acquire; everything else is atomic or itself `Sync`.
unsafe impl Send for Line {}
// SAFETY: as above.
unsafe impl Sync for Line {}

// SAFETY: one field, which belongs to the line.
unsafe impl Node for Line {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

impl Line {
    /// The key of a line that home has not placed in its table.
    pub const UNPLACED: u32 = u32::MAX;

    #[inline]
    pub(crate) fn new(
        inbox: Option<&Arc<Inbox<Line>>>,
        flags: u16,
        said: Said,
        pipe: Option<Box<Pipe>>,
    ) -> Arc<Line> {
        placed(|| Line {
            link: Link::default(),
            inbox: UnsafeCell::new(inbox.cloned()),
            key: AtomicU32::new(Self::UNPLACED),
            flags: AtomicU16::new(flags),
            stage: AtomicU8::new(Stage::Queued as u8),
            said: UnsafeCell::new(said),
            heard: UnsafeCell::new(None),
            waiter: UnsafeCell::new(None),
            pipe,
        })
    }

    /// The line of a call whose request is still to be written, and to which there is no other reference.
    #[inline]
    pub(crate) fn draft() -> Arc<Line> {
        #[cfg(not(loom))]
        if let Some(line) = crate::spare::take() {
            return line;
        }
        Line::new(None, CALL, Said::Nothing, None)
    }

    /// Makes the line of a call that has ended one of [`Line::draft`]. It keeps its inbox, since the next
    /// call is mostly posted to the same one.
    #[cfg(not(loom))]
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.place(Self::UNPLACED);
        self.flags.store(CALL, Relaxed);
        *self.said.get_mut() = Said::Nothing;
        *self.heard.get_mut() = None;
        *self.waiter.get_mut() = None;
        self.pipe = None;
    }

    #[inline]
    pub(crate) fn flag(&self, flag: u16) -> bool {
        // Acquire pairs with the release of the side that set it, which hands over a cell.
        self.flags.load(Acquire) & flag != 0
    }

    #[inline]
    pub(crate) fn inbox(&self) -> &Arc<Inbox<Line>> {
        // SAFETY: written only through a `Draft`, which is the only reference to its line.
        let inbox = self.inbox.with(|inbox| unsafe { &*inbox });
        inbox.as_ref().expect("a draft is given its inbox before anybody else has the line")
    }

    /// Posts a draft to an inbox, for the first time. Returns false if home has ended.
    ///
    /// # Safety
    /// Nobody else has the line.
    #[inline]
    pub(crate) unsafe fn post_first(line: &Arc<Line>, inbox: &Arc<Inbox<Line>>) -> bool {
        // SAFETY: nobody else has the line.
        line.inbox.with_mut(|place| unsafe {
            let place = &mut *place;
            if !place.as_ref().is_some_and(|known| Arc::ptr_eq(known, inbox)) {
                *place = Some(inbox.clone());
            }
        });
        // SAFETY: as above.
        unsafe { inbox.post_first(line) }
    }

    /// Posts the line to home's inbox. Returns false if home has ended.
    #[inline]
    pub fn post(line: &Arc<Line>) -> bool {
        line.inbox().post(line)
    }

    /// Whether the exchange is over.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.flag(DONE)
    }
    /// Home: the index of the line in its table.
    #[inline]
    pub fn key(&self) -> u32 {
        self.key.load(Relaxed)
    }
    /// Home: sets the index of the line in its table.
    #[inline]
    pub fn place(&self, key: u32) {
        self.key.store(key, Relaxed);
    }
    /// Whether the user has cancelled the call, or reads no further parts of the stream.
    #[inline]
    pub fn is_dropped(&self) -> bool {
        self.flag(DROPPED)
    }
    /// Whether the user sends no further parts.
    pub fn is_half(&self) -> bool {
        self.flag(HALF)
    }
    /// Home: whether the user breaks off a stream that a call has offered: what is queued is not sent.
    pub fn is_broken(&self) -> bool {
        self.flag(BROKEN)
    }
    /// Home: whether the outcome is a refusal of the call, whose handler never ran.
    pub fn is_refused(&self) -> bool {
        self.flag(REFUSED)
    }
    /// The stage of the handler at a recent moment.
    pub fn stage(&self) -> Stage {
        match self.stage.load(Relaxed) {
            0 => Stage::Queued,
            1 => Stage::Running,
            _ => Stage::Waiting,
        }
    }
    /// Whether the line is a stream.
    pub fn has_pipe(&self) -> bool {
        self.pipe.is_some()
    }

    pub(crate) fn pipe(&self) -> &Pipe {
        self.pipe.as_ref().expect("a streaming line was made with a pipe")
    }

    /// User, one thread at a time: has a task woken when home sets DONE. True: that has happened already.
    #[inline]
    pub(crate) fn wait(&self, waker: &Waker) -> bool {
        // Acquire: what home wrote before DONE.
        let flags = self.flags.load(Acquire);
        let takes_back = || self.flags.fetch_and(!WAITING, Acquire) & DONE != 0;
        if flags & DONE != 0 || flags & WAITING != 0 && takes_back() {
            return true; // home may still use the waker
        }
        // SAFETY: not WAITING, and DONE was not set while it was. What was in it is dropped later:
        // that may be anything.
        let _old = self.waiter.with_mut(|slot| unsafe {
            let same = (*slot).as_ref().is_some_and(|old| old.will_wake(waker));
            if same { None } else { (*slot).replace(waker.clone()) }
        });
        // Release: the waker, for home. Acquire: as above; home has then seen that nobody waits.
        self.flags.fetch_or(WAITING, AcqRel) & DONE != 0
    }

    /// Home: sets DONE and wakes the user.
    #[inline]
    pub(crate) fn end(&self) {
        // Release pairs with the acquire in `flag`: `heard`, and our last use of `said`. Acquire: the waker.
        let before = self.flags.fetch_or(DONE, AcqRel);
        if before & (WAITING | DONE) == WAITING {
            // SAFETY: the user, which set WAITING, leaves the cell to us since DONE was set while it was.
            let waker = self.waiter.with_mut(|slot| unsafe { (*slot).take() });
            waker.into_iter().for_each(Waker::wake);
        }
        if let Some(pipe) = &self.pipe {
            pipe.reader.wake();
            pipe.writer.wake();
        }
    }

    /// Home: passes the head of a streamed answer to the user.
    pub fn push_answer(&self, answer: Answer) {
        // a second head would be a fault of the machine; the first one is kept
        let _ = self.pipe().answer.push(answer);
        self.pipe().reader.wake();
    }

    /// Home: takes the head of a streamed answer, once the user has set it.
    pub fn pop_answer(&self) -> Option<Answer> {
        self.pipe().answer.pop()
    }

    /// Home: passes a received part to the user. `Err` returns it: the machine delivered more than was
    /// granted.
    pub fn push_part(&self, mut part: Part) -> Result<(), Part> {
        let inward = &self.pipe().inward;
        // The reader is slow: parts that wait for it must not keep a read buffer in memory.
        if inward.len() >= PINNED && !part.bytes.is_empty() && part.bytes.len() < COPY_BELOW {
            part.bytes = IoBuf::copy_from_slice(part.bytes.contiguous());
        }
        inward.push(part)?;
        self.pipe().reader.wake();
        Ok(())
    }

    /// Home, when the user reads no more: discards received parts, and returns their amount, as
    /// [`Line::taken`] does.
    pub fn discard_parts(&self) -> Option<(usize, u32)> {
        let (mut bytes, mut messages) = self.taken().unwrap_or_default();
        while let Some(part) = self.pipe().inward.pop() {
            bytes += part.bytes.len();
            messages += 1;
        }
        (messages > 0).then_some((bytes, messages))
    }

    /// Home: the bytes and messages that the user has taken since the last call.
    pub fn taken(&self) -> Option<(usize, u32)> {
        let taken = self.pipe.as_ref()?.taken.swap(0, AcqRel);
        (taken > 0).then_some(((taken & ((1 << 40) - 1)) as usize, (taken >> 40) as u32))
    }

    /// Home: the next part to send.
    pub fn pop_part(&self) -> Option<Part> {
        self.pipe().outward.pop()
    }

    /// Home, before it ends a call whose deadline has passed: its handler's task is told.
    pub fn note_late(&self) {
        self.flags.fetch_or(LATE, Relaxed); // ordered before DONE, which is in the same cell
    }

    /// Home: wakes a sender that waits, after parts were popped.
    pub fn wake_writer(&self) {
        self.pipe().writer.wake();
    }

    /// Home: the peer accepts no further parts. Wakes a sender that waits, which then fails.
    pub fn stop(&self) {
        self.flags.fetch_or(STOPPED, Release);
        self.wake_writer();
    }

    /// Home: whether nothing is queued to be sent.
    pub fn is_drained(&self) -> bool {
        self.pipe.as_ref().is_none_or(|pipe| pipe.outward.is_empty())
    }

    /// Cancels for the user: home resets the exchange. It is posted only if the exchange is not over.
    pub(crate) fn abandon(line: &Arc<Line>) {
        if line.flags.fetch_or(DROPPED, AcqRel) & (DONE | DROPPED) == 0 {
            Line::post(line); // if home has ended the exchange is over
        }
    }
}

/// Makes a line where it stays. Made elsewhere, it would be copied there.
#[cfg(not(loom))]
#[inline(always)]
fn placed(line: impl FnOnce() -> Line) -> Arc<Line> {
    let place = Arc::<Line>::new_uninit();
    // SAFETY: nobody else has the memory, and it is written before it is taken for a line.
    unsafe {
        Arc::as_ptr(&place).cast::<Line>().cast_mut().write(line());
        place.assume_init()
    }
}

#[cfg(loom)]
fn placed(line: impl FnOnce() -> Line) -> Arc<Line> {
    Arc::new(line())
}

/// The number of parts that may wait for a reader before short ones are copied out of their read buffers.
const PINNED: usize = 4;
/// Parts of this many bytes or more are not copied: they fill most of their read buffer.
const COPY_BELOW: usize = 8 << 10;
