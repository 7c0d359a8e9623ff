//! Where a call or a stream meets its connection: one allocation, no lock.
//!
//! ```text
//!   user, any thread                                 home: the connection, its thread
//!   Draft::post --------------> inbox -------------> Desk::request, machine.open
//!   poll_reply <----- wake ----------------- DONE <- Desk::complete
//!   Source <--------- ring ------------------------- push_part (parts that came)
//!   Sink  ---- ring, post ----> inbox -------------> pop_part while credit is open, machine.send
//!
//!   Answerer::answer -- post -> inbox -------------> Desk::take_answer, machine.finish      (at a server)
//!   Answerer::watch <-- wake --------------- DONE <- Desk::complete, Desk::cancel
//! ```
//!
//! Two cells hold what is too large for an atomic. `said` belongs to the user until it posts or answers, `heard` to home
//! until it says DONE. That each side is one thread at a time is held by types: the user's rights are handles that
//! cannot be cloned ([`Draft`], [`Caller`], [`Answerer`], [`Source`], [`Sink`]), home's right is the [`Desk`], of which
//! an inbox has one.
//!
//! Invariants: `said` is written before CALL is posted or before ANSWERED, and taken back by the user only after DONE;
//! `heard` is written once, before DONE, and read by the user only after it.

use crate::sync::{
    Arc, UnsafeCell,
    atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*},
};
use polywire_base::{Inbox, IoBuf, Link, Node, Ring, WakerCell};
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Answer, Compression, Content, Limits, Outcome, Part};
use std::{
    future::poll_fn,
    ops::{Deref, DerefMut},
    task::{Context, Poll, Waker},
    time::Instant,
};

/// Home has written `heard`; nothing more happens on this line.
const DONE: u8 = 1;
/// The user gave up, or reads no further parts.
const DROPPED: u8 = 2;
/// The user sends no further parts.
const HALF: u8 = 4;
/// The handler has written `said`.
const ANSWERED: u8 = 8;
/// Made by [`Caller`]: `said` holds a request. Never changes.
const CALL: u8 = 16;
/// The peer takes no parts: home sends none.
const STOPPED: u8 = 32;

/// A call to be opened.
#[derive(Clone)]
pub struct Request {
    pub service: Name,
    pub method: Name,
    /// See [`polywire_wire::Outgoing::index`].
    pub index: Option<u32>,
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
    /// Streams offered inside the call, made by [`Line::offer`] for the same inbox.
    pub offers: Box<[Arc<Line>]>,
}

/// A service's or method's name: known at compile time, or shared.
#[derive(Clone)]
pub enum Name {
    Static(&'static str),
    Shared(std::sync::Arc<str>),
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

/// What the user tells home.
enum Said {
    Nothing,
    Request(Request),
    Answer(Outcome),
}

/// One call or stream. What may be done with it without the right of either side is here: looking at flags, and home's
/// side of the rings, which guard themselves.
pub struct Line {
    link: Link<Line>,
    /// Where it is posted. Written once, while the line is a draft or being made; read by both sides afterwards.
    inbox: UnsafeCell<Option<Arc<Inbox<Line>>>>,
    /// Index in home's table; `Line::UNPLACED` before. Written and read by home only.
    key: AtomicU32,
    flags: AtomicU8,
    /// See the module's invariants.
    said: UnsafeCell<Said>,
    heard: UnsafeCell<Option<Outcome>>,
    /// Client: the task that waits for DONE. Server: the handler's task, to be told of a cancel.
    waiter: WakerCell,
    pipe: Option<Box<Pipe>>,
}

// SAFETY: `said` and `heard` change hands at the flags named in the module's invariants, which are set with release and
// read with acquire; everything else is atomic or itself `Sync`.
unsafe impl Send for Line {}
// SAFETY: as above.
unsafe impl Sync for Line {}

// SAFETY: one field, which belongs to the line.
unsafe impl Node for Line {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

/// Both directions of a streaming exchange.
pub struct Pipe {
    /// Home pushes, user pops. One more than `ahead`: the end always fits.
    inward: Ring<Part>,
    /// The head of a streamed answer, before its first part: at a client home pushes it, at a server the user.
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
    /// Parts the user may queue before `send` waits: what leaves in one write when both sides take turns, 64 of 100 bytes
    /// against 16 are 1.4 times the messages per second of one stream.
    pub const OUTWARD: usize = 64;
    /// And of such as have more than [`Pipe::LONG`] bytes: a slow peer must not make us hold many of them.
    pub const OUTWARD_LONG: usize = 16;
    pub const LONG: usize = 4 << 10;

    pub fn new(limits: &Limits) -> Box<Pipe> {
        Self::with_outward(limits, Self::OUTWARD)
    }

    pub(crate) fn with_outward(limits: &Limits, outward: usize) -> Box<Pipe> {
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

    #[inline]
    fn push_outward(&self, part: Part) -> Result<(), Part> {
        if part.bytes.len() > Self::LONG && self.outward.len() >= Self::OUTWARD_LONG {
            return Err(part);
        }
        self.outward.push(part)
    }
}

impl Line {
    pub const UNPLACED: u32 = u32::MAX;

    #[inline]
    fn new(inbox: Option<&Arc<Inbox<Line>>>, flags: u8, said: Said, pipe: Option<Box<Pipe>>) -> Arc<Line> {
        Arc::new(Line {
            link: Link::default(),
            inbox: UnsafeCell::new(inbox.cloned()),
            key: AtomicU32::new(Self::UNPLACED),
            flags: AtomicU8::new(flags),
            said: UnsafeCell::new(said),
            heard: UnsafeCell::new(None),
            waiter: WakerCell::default(),
            pipe,
        })
    }

    /// Server: the line of a handler that did not finish at once; its last words come by the [`Answerer`].
    pub fn serve(inbox: &Arc<Inbox<Line>>) -> (Arc<Line>, Answerer) {
        let line = Line::new(Some(inbox), 0, Said::Nothing, None);
        (line.clone(), Answerer { line })
    }

    /// Client: a stream to be offered inside a call ([`Request::offers`]); it lives from the moment the peer accepts.
    pub fn offer(inbox: &Arc<Inbox<Line>>, pipe: Box<Pipe>) -> (Arc<Line>, (Source, Sink)) {
        let (line, _, both) = Line::serve_stream(inbox, pipe); // no last words of its own: it ends with its sink
        (line, both)
    }

    /// Server: the line of a streaming call, or of a stream that was offered inside a call.
    pub fn serve_stream(inbox: &Arc<Inbox<Line>>, pipe: Box<Pipe>) -> (Arc<Line>, Answerer, (Source, Sink)) {
        let line = Line::new(Some(inbox), 0, Said::Nothing, Some(pipe));
        let source = Source::new(line.clone());
        let sink = Sink { line: line.clone() };
        (line.clone(), Answerer { line }, (source, sink))
    }

    #[inline]
    fn flag(&self, flag: u8) -> bool {
        // Acquire pairs with the release of whoever set it: the cell it hands over.
        self.flags.load(Acquire) & flag != 0
    }

    #[inline]
    fn inbox(&self) -> &Arc<Inbox<Line>> {
        // SAFETY: written only through a `Draft`, which is the only reference to its line.
        let inbox = self.inbox.with(|inbox| unsafe { &*inbox });
        inbox.as_ref().expect("a draft is given its inbox before anybody else has the line")
    }

    /// Home will look at this line. False: home is gone, nobody will.
    #[inline]
    pub fn post(line: &Arc<Line>) -> bool {
        line.inbox().post(line)
    }

    #[inline]
    pub fn is_done(&self) -> bool {
        self.flag(DONE)
    }
    #[inline]
    pub fn key(&self) -> u32 {
        self.key.load(Relaxed)
    }
    #[inline]
    pub fn place(&self, key: u32) {
        self.key.store(key, Relaxed);
    }
    /// The user gave up (a call), or reads no further parts (a stream).
    #[inline]
    pub fn is_dropped(&self) -> bool {
        self.flag(DROPPED)
    }
    /// The user sends no further parts.
    pub fn is_half(&self) -> bool {
        self.flag(HALF)
    }
    pub fn has_pipe(&self) -> bool {
        self.pipe.is_some()
    }

    fn pipe(&self) -> &Pipe {
        self.pipe.as_ref().expect("a streaming line was made with a pipe")
    }

    fn wake_all(&self) {
        self.waiter.wake();
        if let Some(pipe) = &self.pipe {
            pipe.reader.wake();
            pipe.writer.wake();
        }
    }

    /// Home: head of a streamed answer.
    pub fn push_answer(&self, answer: Answer) {
        let _ = self.pipe().answer.push(answer); // a second head would be the machine's fault; the first one stands
        self.pipe().reader.wake();
    }

    /// Home: the head of a streamed answer, once the user has given it.
    pub fn pop_answer(&self) -> Option<Answer> {
        self.pipe().answer.pop()
    }

    /// Home: a part that came. `Err` gives it back: the machine delivered more than was granted.
    pub fn push_part(&self, mut part: Part) -> Result<(), Part> {
        let inward = &self.pipe().inward;
        // The reader is behind: what waits for it must not pin a read buffer.
        if inward.len() >= PINNED && !part.bytes.is_empty() && part.bytes.len() < COPY_BELOW {
            part.bytes = IoBuf::copy_from_slice(part.bytes.contiguous());
        }
        inward.push(part)?;
        self.pipe().reader.wake();
        Ok(())
    }

    /// Home, when the user reads no more: throws away what came, and says how much as [`Line::taken`] does.
    pub fn discard_parts(&self) -> Option<(usize, u32)> {
        let (mut bytes, mut messages) = self.taken().unwrap_or_default();
        while let Some(part) = self.pipe().inward.pop() {
            bytes += part.bytes.len();
            messages += 1;
        }
        (messages > 0).then_some((bytes, messages))
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

    /// Home: the peer takes no further parts. A waiting sender hears of it.
    pub fn stop(&self) {
        self.flags.fetch_or(STOPPED, Release);
        self.wake_writer();
    }

    /// Home: nothing is queued to be sent.
    pub fn is_drained(&self) -> bool {
        self.pipe.as_ref().is_none_or(|pipe| pipe.outward.is_empty())
    }
}

/// Parts a reader may be behind before the small ones are copied out of their read buffers.
const PINNED: usize = 4;
/// Larger ones fill their buffer well enough.
const COPY_BELOW: usize = 8 << 10;

/// Home's right over the lines of one inbox. A connection has one.
pub struct Desk {
    inbox: Arc<Inbox<Line>>,
}

impl Default for Desk {
    fn default() -> Self {
        Desk::new()
    }
}

impl Desk {
    /// With an inbox of its own: the only desk of it.
    pub fn new() -> Self {
        Desk { inbox: Arc::new(Inbox::default()) }
    }

    /// Where lines are posted to this desk.
    pub fn inbox(&self) -> &Arc<Inbox<Line>> {
        &self.inbox
    }

    #[inline]
    fn check(&self, line: &Line) {
        assert!(Arc::ptr_eq(&self.inbox, line.inbox()), "a line of another desk");
    }

    /// The request of a call that has not ended, to be encoded.
    #[inline]
    pub fn request<'d>(&'d self, line: &'d Line) -> Option<&'d Request> {
        self.check(line);
        if line.flags.load(Acquire) & (DONE | CALL) != CALL {
            return None;
        }
        // SAFETY: a call's `said` was written before the line was shared, and its caller takes it back after DONE only.
        // DONE is set by this desk alone, through `&mut self`, so not while this reference lives.
        match line.said.with(|said| unsafe { &*said }) {
            Said::Request(request) => Some(request),
            Said::Nothing | Said::Answer(_) => None,
        }
    }

    /// A handler's last words, once it has answered.
    pub fn take_answer(&mut self, line: &Line) -> Option<Outcome> {
        self.check(line);
        if line.flags.load(Acquire) & (ANSWERED | CALL) != ANSWERED {
            return None;
        }
        // SAFETY: ANSWERED: the answerer has let go of `said`; of a line that is no call, nobody else touches it.
        let said = line.said.with_mut(|said| unsafe { std::mem::replace(&mut *said, Said::Nothing) });
        match said {
            Said::Answer(outcome) => Some(outcome),
            Said::Nothing | Said::Request(_) => None,
        }
    }

    /// The exchange is over: last words to the user, who may wait for them. Without effect on a line that has ended.
    #[inline]
    pub fn complete(&mut self, line: &Line, outcome: Outcome) {
        self.check(line);
        if line.is_done() {
            return;
        }
        // SAFETY: not DONE: the user does not look at `heard`, and home is this desk, held exclusively.
        line.heard.with_mut(|heard| unsafe { *heard = Some(outcome) });
        self.cancel(line);
    }

    /// The exchange is over and nothing is to be said: a handler still running is dropped.
    #[inline]
    pub fn cancel(&mut self, line: &Line) {
        self.check(line);
        // Release pairs with the acquire in `flag`: `heard`, and our last use of `said`.
        line.flags.fetch_or(DONE, Release);
        line.wake_all();
    }
}

/// A call with one message each way that nobody has seen yet: its request lies where it will stay, so that the call
/// moves from hand to hand as one pointer.
pub struct Draft {
    /// The only reference.
    line: Arc<Line>,
}

impl Draft {
    #[inline]
    pub fn new(request: Request) -> Draft {
        Draft { line: Line::new(None, CALL, Said::Request(request), None) }
    }

    /// Posts the call. `Err` gives it back: home is gone and has not seen it.
    #[inline]
    pub fn post(self, inbox: &Arc<Inbox<Line>>) -> Result<Caller, Draft> {
        // SAFETY: ours is the only reference.
        self.line.inbox.with_mut(|place| unsafe { *place = Some(inbox.clone()) });
        if inbox.post(&self.line) { Ok(Caller { line: self.line }) } else { Err(self) }
    }

    /// The request, for a call of another kind.
    pub fn into_request(self) -> Request {
        // SAFETY: ours is the only reference, and it ends here.
        match self.line.said.with_mut(|said| unsafe { std::mem::replace(&mut *said, Said::Nothing) }) {
            Said::Request(request) => request,
            Said::Nothing | Said::Answer(_) => unreachable!("made with a request"),
        }
    }
}

impl Deref for Draft {
    type Target = Request;
    #[inline]
    fn deref(&self) -> &Request {
        // SAFETY: ours is the only reference, and it is borrowed.
        match self.line.said.with(|said| unsafe { &*said }) {
            Said::Request(request) => request,
            Said::Nothing | Said::Answer(_) => unreachable!("made with a request"),
        }
    }
}

impl DerefMut for Draft {
    #[inline]
    fn deref_mut(&mut self) -> &mut Request {
        // SAFETY: ours is the only reference, and it is borrowed exclusively.
        match self.line.said.with_mut(|said| unsafe { &mut *said }) {
            Said::Request(request) => request,
            Said::Nothing | Said::Answer(_) => unreachable!("made with a request"),
        }
    }
}

/// The user's end of a call. Dropping it says nothing; see [`Caller::abandon`].
pub struct Caller {
    line: Arc<Line>,
}

impl Caller {
    /// A call with streams, not posted yet.
    pub fn stream(inbox: &Arc<Inbox<Line>>, request: Request, pipe: Box<Pipe>) -> (Arc<Line>, Source, Sink) {
        let line = Line::new(Some(inbox), CALL, Said::Request(request), Some(pipe));
        (line.clone(), Source::new(line.clone()), Sink { line })
    }

    /// The outcome, once it is there. After `Ready` the line is spent.
    #[inline]
    pub fn poll_reply(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        if !self.line.is_done() {
            self.line.waiter.register(cx.waker());
            if !self.line.is_done() {
                return Poll::Pending;
            }
        }
        // SAFETY: DONE: home has let go of `heard`; this handle is the only one that reads it.
        Poll::Ready(self.line.heard.with_mut(|heard| unsafe { (*heard).take() }).unwrap_or_default())
    }

    #[inline]
    pub fn is_done(&self) -> bool {
        self.line.is_done()
    }

    /// The request back, for another try, once the call has ended.
    pub fn reclaim(self) -> Option<Request> {
        if !self.line.is_done() {
            return None;
        }
        // SAFETY: DONE: home has let go of `said`, and this handle is the only one that takes it back.
        match self.line.said.with_mut(|said| unsafe { std::mem::replace(&mut *said, Said::Nothing) }) {
            Said::Request(request) => Some(request),
            Said::Nothing | Said::Answer(_) => None,
        }
    }

    /// The user gives up: home resets the exchange.
    pub fn abandon(&self) {
        abandon(&self.line);
    }
}

/// Home hears of it only if the exchange is not over.
fn abandon(line: &Arc<Line>) {
    if line.flags.fetch_or(DROPPED, AcqRel) & (DONE | DROPPED) == 0 {
        Line::post(line); // if home is gone the exchange is over
    }
}

/// The right to a handler's last words.
pub struct Answerer {
    line: Arc<Line>,
}

impl Answerer {
    /// The handler's last words.
    pub fn answer(self, outcome: Outcome) {
        // SAFETY: not yet ANSWERED, since that takes this handle: home does not look at `said`, and of a line that is no
        // call nobody else does.
        self.line.said.with_mut(|said| unsafe { *said = Said::Answer(outcome) });
        // Release pairs with the acquire in `take_answer`.
        self.line.flags.fetch_or(ANSWERED, Release);
        Line::post(&self.line); // if home is gone nobody wants to know
    }

    /// `waker` is woken when the call is over before its handler.
    pub fn watch(&self, waker: &Waker) {
        self.line.waiter.register(waker);
    }

    /// The call is over: whatever the handler says, nobody hears it.
    pub fn is_over(&self) -> bool {
        self.line.is_done()
    }
}

/// The reading end of a stream. Dropping it before its end: a client gives the exchange up, a server takes no further
/// parts.
pub struct Source {
    line: Arc<Line>,
    /// Taken and not yet granted.
    bytes: u64,
    messages: u64,
    /// The last part was delivered.
    over: bool,
    outcome: Option<Outcome>,
}

impl Source {
    fn new(line: Arc<Line>) -> Self {
        Source { line, bytes: 0, messages: 0, over: false, outcome: None }
    }

    /// The next part; `None` after the last. Parts that arrived before the end are delivered before it; an exchange that
    /// did not end well says so once, behind them.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Part, Status>>> {
        if self.over {
            return Poll::Ready(None);
        }
        for registered in [false, true] {
            let done = self.line.is_done(); // read before the ring: what was pushed before DONE is seen
            if let Some(part) = self.line.pipe().inward.pop() {
                self.took(&part);
                if part.finished {
                    // A server's half ends here. A client's answer still has its last words, which may be bad ones.
                    self.over = !self.line.flag(CALL);
                    if part.bytes.is_empty() && !part.end_of_message {
                        if self.over {
                            return Poll::Ready(None);
                        }
                        return self.poll_next(cx);
                    }
                }
                return Poll::Ready(Some(Ok(part)));
            }
            if done {
                self.over = true;
                // SAFETY: DONE: home has let go of `heard`; this handle is the only one that reads it.
                self.outcome = self.line.heard.with_mut(|heard| unsafe { (*heard).take() });
                let status = self.outcome.as_ref().map(|outcome| outcome.status.clone());
                return Poll::Ready(status.filter(|status| !status.is_ok()).map(Err));
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

    /// Waits for the head of the streamed answer; `None` if a part or the end has come without it, or it was taken.
    pub fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        for registered in [false, true] {
            // Looked at before the head: home pushes the head before them.
            let none = self.over || self.line.is_done() || !self.line.pipe().inward.is_empty();
            if let Some(answer) = self.answer() {
                return Poll::Ready(Some(answer));
            }
            if none {
                return Poll::Ready(None);
            }
            if !registered {
                self.line.pipe().reader.register(cx.waker());
            }
        }
        Poll::Pending
    }

    /// How the exchange ended, once it has; parts may still wait before that end.
    pub fn end(&self) -> Option<Status> {
        if let Some(outcome) = &self.outcome {
            return Some(outcome.status.clone());
        }
        if !self.line.is_done() {
            return None;
        }
        // SAFETY: DONE: home has let go of `heard`; this handle is the only one that reads or takes it.
        self.line.heard.with(|heard| unsafe { (*heard).as_ref().map(|outcome| outcome.status.clone()) })
    }

    /// The exchange's last words, once `next` has returned its last.
    pub fn outcome(&mut self) -> Option<Outcome> {
        self.outcome.take()
    }

    /// Home is told once per half window or half `ahead`, not per message.
    fn took(&mut self, part: &Part) {
        self.bytes += part.bytes.len() as u64;
        self.messages += 1;
        let pipe = self.line.pipe();
        if self.bytes * 2 >= pipe.window as u64 || self.messages * 2 >= pipe.ahead as u64 {
            pipe.taken.fetch_add(self.messages << 40 | self.bytes, AcqRel);
            (self.bytes, self.messages) = (0, 0);
            Line::post(&self.line); // if home is gone nothing is to be granted
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        if !self.over {
            abandon(&self.line);
        }
    }
}

/// The writing end of a stream. Dropping it ends our half in order.
pub struct Sink {
    line: Arc<Line>,
}

impl Sink {
    /// The head of a streamed answer, before its first part. Without it the first part makes one. Server only.
    pub fn answer(&mut self, answer: Answer) {
        let _ = self.line.pipe().answer.push(answer); // of two heads the first stands
        Line::post(&self.line); // if home is gone nobody wants to know
    }

    /// Takes `part` when there is room. Home drains the ring only while the machine's credit is open, so a slow peer
    /// makes this wait.
    ///
    /// # Errors
    /// CANCELLED when the exchange is over, EBADF where the peer takes no messages; what was queued may not have been sent.
    pub fn poll_send(&mut self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let pipe = self.line.pipe();
        for registered in [false, true] {
            if self.line.flags.load(Acquire) & (DONE | STOPPED) != 0 {
                return Poll::Ready(Err(self.over()));
            }
            let Some(next) = part.take() else { return Poll::Ready(Ok(())) };
            match pipe.push_outward(next) {
                Ok(()) => {
                    Line::post(&self.line); // if home is gone the next send says so
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

    #[cold]
    fn over(&self) -> Status {
        if self.line.is_done() {
            return Status::cancelled("the stream is over");
        }
        brpc::status(brpc::EBADF, "the peer takes no messages on this stream")
    }

    /// Sends when there is room.
    ///
    /// # Errors
    /// As [`Sink::poll_send`].
    ///
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
            Line::post(&self.line); // if home is gone the exchange is over
        }
    }
}
