//! Where a call or a stream meets its connection: one allocation, no lock.
//!
//! ```text
//!   user's task, any thread                          connection, its home thread
//!   request ----- post ----> inbox -----------------> take_request, machine.open
//!   poll reply <--- wake ---------------- DONE <----- complete
//!   Source <------ ring ------------------------------ push (parts that came)
//!   Sink  ------- ring -----> inbox -----------------> pop while credit is open, machine.send
//! ```
//!
//! The server uses the same line the other way round: a handler that did not finish inline runs as a task, leaves its
//! outcome in `reply` and posts the line.
//!
//! Who writes what is said at each field; "user" is the side that holds the handle, "home" the connection.

use polywire_base::{Inbox, IoBuf, Link, Node, Ring, WakerCell};
use polywire_call::{Metadata, Status};
use polywire_wire::{Answer, Compression, Content, Limits, Outcome, Part};
use std::{
    cell::UnsafeCell,
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*},
    },
    task::{Context, Poll},
    time::Instant,
};

/// Home has written `reply`; nothing more happens on this line.
const DONE: u8 = 1;
/// User gave up.
const DROPPED: u8 = 2;
/// User sends no further parts.
const HALF: u8 = 4;
/// User has written `reply` (server side: the handler's outcome).
const ANSWERED: u8 = 8;

/// A call to be opened.
#[derive(Clone)]
pub struct Request {
    pub service: Name,
    pub method: Name,
    pub deadline: Option<Instant>,
    pub metadata: Metadata,
    pub body: IoBuf,
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// `body` is the only message; else parts follow through the line's [`Sink`].
    pub finished: bool,
    /// The answer is a stream of parts; else one outcome.
    pub streamed: bool,
}

/// A service's or method's name: known at compile time, or shared.
#[derive(Clone)]
pub enum Name {
    Static(&'static str),
    Shared(Arc<str>),
}
impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        match self {
            Name::Static(name) => name,
            Name::Shared(name) => name,
        }
    }
}
impl From<&'static str> for Name {
    fn from(name: &'static str) -> Self {
        Name::Static(name)
    }
}
impl From<String> for Name {
    fn from(name: String) -> Self {
        Name::Shared(name.into())
    }
}

/// One call or stream.
pub struct Line {
    link: Link<Line>,
    inbox: Arc<Inbox<Line>>,
    /// Index in home's table; `Line::UNPLACED` before. Written and read by home only.
    key: AtomicU32,
    flags: AtomicU8,
    /// Written by the user before the first post; read by home after it, until DONE; then the user's again.
    request: UnsafeCell<Option<Request>>,
    /// Written once: by home before DONE (client), or by the handler's task before ANSWERED (server); then read by the
    /// other side.
    reply: UnsafeCell<Option<Outcome>>,
    /// The user's task that waits for DONE; at the server the handler's task, to be told of a cancel.
    waiter: WakerCell,
    pipe: Option<Box<Pipe>>,
}

// SAFETY: `request` and `reply` change hands at the flags named beside them; each flag is set with release and read
// with acquire. Everything else is atomic or itself `Sync`.
unsafe impl Send for Line {}
// SAFETY: as above.
unsafe impl Sync for Line {}

impl Node for Line {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

/// Both directions of a streaming exchange.
pub struct Pipe {
    /// Home pushes, user pops. One more than `ahead`: the end always fits.
    inward: Ring<Part>,
    /// Home pushes the head of a streamed answer before its first part.
    answer: Ring<Answer>,
    reader: WakerCell,
    /// User pushes, home pops while credit is open.
    outward: Ring<Part>,
    writer: WakerCell,
    /// What the user has taken since the last grant: messages << 40 | bytes. Added to by the user, swapped by home.
    taken: AtomicU64,
    ahead: u32,
    window: u32,
}

impl Pipe {
    /// `outward`: parts the user may queue before `send` waits.
    pub fn new(limits: &Limits, outward: usize) -> Box<Pipe> {
        Box::new(Pipe {
            inward: Ring::new(limits.ahead as usize + 1),
            answer: Ring::new(1),
            reader: WakerCell::default(),
            outward: Ring::new(outward),
            writer: WakerCell::default(),
            taken: AtomicU64::new(0),
            ahead: limits.ahead,
            window: limits.window,
        })
    }
}

impl Line {
    pub const UNPLACED: u32 = u32::MAX;

    pub fn new(inbox: &Arc<Inbox<Line>>, request: Option<Request>, pipe: Option<Box<Pipe>>) -> Arc<Line> {
        Arc::new(Line {
            link: Link::default(),
            inbox: inbox.clone(),
            key: AtomicU32::new(Self::UNPLACED),
            flags: AtomicU8::new(0),
            request: UnsafeCell::new(request),
            reply: UnsafeCell::new(None),
            waiter: WakerCell::default(),
            pipe,
        })
    }

    #[inline]
    fn flag(&self, flag: u8) -> bool {
        self.flags.load(Acquire) & flag != 0
    }

    // ---- user's side

    /// Home will look at this line.
    #[inline]
    pub fn post(self: &Arc<Self>) {
        self.inbox.post(self);
    }

    /// Client: the outcome, once it is there. After `Ready` the line is spent.
    pub fn poll_reply(&self, cx: &mut Context<'_>) -> Poll<Outcome> {
        if !self.is_done() {
            self.waiter.register(cx.waker());
            if !self.is_done() {
                return Poll::Pending;
            }
        }
        Poll::Ready(self.take_reply().unwrap_or_default())
    }

    /// Client, after DONE: the outcome, once.
    pub fn take_reply(&self) -> Option<Outcome> {
        if !self.is_done() {
            return None;
        }
        // SAFETY: DONE: home has let go of `reply`; only the holder of the handle calls this.
        unsafe { (*self.reply.get()).take() }
    }

    /// Client, after DONE: the request back, for another try.
    pub fn reclaim_request(&self) -> Option<Request> {
        if !self.is_done() {
            return None;
        }
        // SAFETY: DONE: home has let go of `request`.
        unsafe { (*self.request.get()).take() }
    }

    /// The user gives up: home resets the exchange.
    pub fn abandon(self: &Arc<Self>) {
        if self.flags.fetch_or(DROPPED, AcqRel) & (DONE | DROPPED) == 0 {
            self.post();
        }
    }

    /// Server: the handler's last words. Called once.
    pub fn answer(self: &Arc<Self>, outcome: Outcome) {
        debug_assert!(!self.flag(ANSWERED), "a handler answers once");
        // SAFETY: not yet ANSWERED: home does not read `reply`; only the handler's task calls this.
        unsafe { *self.reply.get() = Some(outcome) };
        self.flags.fetch_or(ANSWERED, Release);
        self.post();
    }

    /// Server: the handler's task leaves its waker to hear of a cancel.
    pub fn watch(&self, cx: &Context<'_>) {
        self.waiter.register(cx.waker());
    }

    #[inline]
    pub fn is_done(&self) -> bool {
        self.flag(DONE)
    }

    // ---- home's side

    #[inline]
    pub fn key(&self) -> u32 {
        self.key.load(Relaxed)
    }
    #[inline]
    pub fn place(&self, key: u32) {
        self.key.store(key, Relaxed);
    }
    #[inline]
    pub fn is_dropped(&self) -> bool {
        self.flag(DROPPED)
    }
    pub fn is_half(&self) -> bool {
        self.flag(HALF)
    }

    /// Home, before DONE: the request, to be encoded.
    #[inline]
    pub fn request(&self) -> Option<&Request> {
        if self.is_done() {
            return None;
        }
        // SAFETY: posted and not DONE: the user does not touch `request`; home alone calls this.
        unsafe { (*self.request.get()).as_ref() }
    }

    /// Server's home: the handler's outcome, once it answered.
    pub fn take_answer(&self) -> Option<Outcome> {
        if !self.flag(ANSWERED) {
            return None;
        }
        // SAFETY: ANSWERED: the handler's task has let go of `reply`.
        unsafe { (*self.reply.get()).take() }
    }

    /// Client's home: last words to the user.
    #[inline]
    pub fn complete(&self, outcome: Outcome) {
        debug_assert!(!self.is_done(), "a call ends once");
        // SAFETY: not DONE: the user does not read `reply`; home alone calls this.
        unsafe { *self.reply.get() = Some(outcome) };
        self.flags.fetch_or(DONE, Release);
        self.waiter.wake();
        self.wake_pipe();
    }

    /// Server's home: the exchange is over; a handler still running is to be dropped.
    pub fn cancel(&self) {
        self.flags.fetch_or(DONE, Release);
        self.waiter.wake();
        self.wake_pipe();
    }

    fn wake_pipe(&self) {
        if let Some(pipe) = &self.pipe {
            pipe.reader.wake();
            pipe.writer.wake();
        }
    }

    pub fn has_pipe(&self) -> bool {
        self.pipe.is_some()
    }

    fn pipe(&self) -> &Pipe {
        self.pipe.as_ref().expect("a streaming line was made with a pipe")
    }

    /// Home: head of a streamed answer.
    pub fn push_answer(&self, answer: Answer) {
        let _ = self.pipe().answer.push(answer); // a second head would be the machine's fault; the first one stands
        self.pipe().reader.wake();
    }

    /// Home: a part that came. `Err` gives it back: the machine delivered more than was granted.
    pub fn push_part(&self, part: Part) -> Result<(), Part> {
        self.pipe().inward.push(part)?;
        self.pipe().reader.wake();
        Ok(())
    }

    /// Home: what the user took since the last call, bytes and messages.
    pub fn taken(&self) -> Option<(usize, u32)> {
        let taken = self.pipe.as_ref()?.taken.swap(0, AcqRel);
        (taken > 0).then_some(((taken & ((1 << 40) - 1)) as usize, (taken >> 40) as u32))
    }

    /// Home: the next part to send.
    pub fn pop_part(&self) -> Option<Part> {
        self.pipe().outward.pop()
    }

    /// Home: parts were popped; a waiting sender may go on.
    pub fn wake_writer(&self) {
        self.pipe().writer.wake();
    }

    /// Home: nothing is queued to be sent.
    pub fn is_drained(&self) -> bool {
        self.pipe.as_ref().is_none_or(|pipe| pipe.outward.is_empty())
    }
}

/// The reading end of a stream. Dropping it gives the exchange up.
pub struct Source {
    line: Arc<Line>,
    /// Taken and not yet granted.
    bytes: u64,
    messages: u64,
    over: bool,
}

impl Source {
    /// One per line.
    pub fn new(line: Arc<Line>) -> Self {
        Source { line, bytes: 0, messages: 0, over: false }
    }

    /// The next part; `None` after the last. Parts that arrived before the end are delivered before it.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Part, Status>>> {
        if self.over {
            return Poll::Ready(None);
        }
        for registered in [false, true] {
            let done = self.line.is_done(); // read before the ring: what was pushed before DONE is seen
            if let Some(part) = self.line.pipe().inward.pop() {
                self.over = part.finished;
                self.took(&part);
                if part.finished && part.bytes.is_empty() && !part.end_of_message {
                    return Poll::Ready(None);
                }
                return Poll::Ready(Some(Ok(part)));
            }
            if done {
                self.over = true;
                // SAFETY: DONE: home has let go of `reply`; status is only read here, taken by `take_reply`.
                let status = unsafe { (*self.line.reply.get()).as_ref().map(|o| o.status.clone()) };
                return Poll::Ready(match status {
                    Some(status) if !status.is_ok() => Some(Err(status)),
                    _ => None,
                });
            }
            if !registered {
                self.line.pipe().reader.register(cx.waker());
            }
        }
        Poll::Pending
    }

    pub async fn next(&mut self) -> Option<Result<Part, Status>> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Head of the streamed answer, if it has come.
    pub fn answer(&mut self) -> Option<Answer> {
        self.line.pipe().answer.pop()
    }

    /// Home is told once per half window or half `ahead`, not per message.
    fn took(&mut self, part: &Part) {
        self.bytes += part.bytes.len() as u64;
        self.messages += 1;
        let pipe = self.line.pipe();
        if self.bytes * 2 >= pipe.window as u64 || self.messages * 2 >= pipe.ahead as u64 {
            pipe.taken.fetch_add(self.messages << 40 | self.bytes, AcqRel);
            (self.bytes, self.messages) = (0, 0);
            self.line.post();
        }
    }

    pub fn line(&self) -> &Arc<Line> {
        &self.line
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        if !self.over {
            self.line.abandon();
        }
    }
}

/// The writing end of a stream. Dropping it ends our half in order.
pub struct Sink {
    line: Arc<Line>,
}

impl Sink {
    /// One per line.
    pub fn new(line: Arc<Line>) -> Self {
        Sink { line }
    }

    /// Takes `part` when there is room. Home drains the ring only while the machine's credit is open, so a slow peer
    /// makes this wait.
    pub fn poll_send(&mut self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let pipe = self.line.pipe();
        for registered in [false, true] {
            if self.line.flag(DONE | DROPPED) {
                return Poll::Ready(Err(Status::cancelled("the stream is over")));
            }
            let Some(next) = part.take() else { return Poll::Ready(Ok(())) };
            match pipe.outward.push(next) {
                Ok(()) => {
                    self.line.post();
                    return Poll::Ready(Ok(()));
                }
                Err(back) => *part = Some(back),
            }
            if !registered {
                pipe.writer.register(cx.waker());
            }
        }
        Poll::Pending
    }

    /// # Cancel safety
    /// A dropped future has either queued the part or lost it to its caller; use `poll_send` to keep it.
    pub async fn send(&mut self, part: Part) -> Result<(), Status> {
        let mut part = Some(part);
        poll_fn(|cx| self.poll_send(&mut part, cx)).await
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if self.line.flags.fetch_or(HALF, AcqRel) & DONE == 0 {
            self.line.post();
        }
    }
}
