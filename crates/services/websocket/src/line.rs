//! The state that the halves of a socket share.
//!
//! ```text
//!  Sender ─── send ──┐                       ┌──► Ends::poll_send
//!                    ├─ control ─ message ───┤
//!  Receiver ─ next ──┘   Pong, Close         └◄── Ends::poll_next ──► Reader ──► Message
//! ```
//!
//! A message waits in `waiting` in its sent form until there is room, so that nothing of it is lost when the
//! future that sends it is dropped: the peer's window has to see each compressed message. A Pong or the
//! answer to a Close waits here until there is room, and goes before the next message. There is one place for
//! each: a newer Ping replaces an older one (RFC 6455 5.5.3), so that a peer that does not read cannot make
//! the queue grow.
//!
//! Frames that need no answer of the application, Pings and empty fragments, do not occupy the reading task
//! without end: it yields after [`TURN`] of them, so that time limits which are polled beside it are checked.
//!
//! Invariants: after `said` only queued frames are sent; after `heard` nothing is read.

use crate::{Close, Message, Options, ends::Ends};
use bytes::Bytes;
use polywire_base::{IoBuf, lock};
use polywire_call::{Origin, Status};
use polywire_engine::Faults;
use polywire_protocols::http::websocket::{
    Fault, Item, Reader, close, code, compressed, control,
    deflate::{Agreed, Deflater},
    frame, opcode,
};
use polywire_server::Kept;
use polywire_wire::{Part, Role, WireError};
use std::{
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Wake, Waker, ready},
};

/// Frames and pieces of input that are taken at a time.
pub(crate) const TURN: usize = 128;

pub(crate) struct Line {
    inner: Mutex<Inner>,
    /// The wakers of the tasks that may wait for room.
    wakers: Arc<Wakers>,
}

pub(crate) struct Inner {
    ends: Ends,
    reader: Reader,
    /// Bytes that were received and not read.
    input: IoBuf,
    /// The server's list of sockets, and the memory of an incomplete message. `None` at a client.
    kept: Option<Kept>,
    /// Random bytes for masks; a server has none.
    masks: Option<Masks>,
    /// The compressor, if permessage-deflate was agreed on, and the minimum length of messages that it
    /// compresses.
    deflater: Option<(Deflater, usize)>,
    /// A frame that waits for room.
    waiting: Option<Part>,
    /// The reason why nothing can be sent any more.
    failed: Option<Status>,
    ping: Option<Bytes>,
    pong: Option<Bytes>,
    closing: Option<Close>,
    /// Whether the server stops: the socket is closed as soon as no message waits to be read.
    leaving: bool,
    /// This side's Close frame.
    said: Option<Close>,
    /// The peer's Close frame, or [`code::ABNORMAL`] if the connection ended without one.
    heard: Option<Close>,
    /// The counters of the peer's faults.
    faults: Arc<Faults>,
    /// Counts received parts, so that silence is noticed.
    pub parts: u64,
}

/// Wakes all tasks that may wait for room: the sink remembers one waker alone.
#[derive(Default)]
struct Wakers([Mutex<Option<Waker>>; 3]);

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        for place in &self.0 {
            if let Some(waker) = lock(place).take() {
                waker.wake();
            }
        }
    }
}

/// The half whose task waits.
#[derive(Clone, Copy)]
pub(crate) enum Half {
    Sender,
    Receiver,
    /// The task that closes the socket when the server stops.
    Leaving,
}

impl Line {
    /// `agreed`: the handshake's result about compression.
    pub fn new(
        ends: Ends,
        options: &Options,
        agreed: Option<Agreed>,
        faults: Arc<Faults>,
        kept: Option<Kept>,
    ) -> Arc<Self> {
        let (role, masks) = match ends {
            Ends::Server { .. } => (Role::Server, None),
            Ends::Client(_) => (Role::Client, Some(Masks::default())),
        };
        let reader = Reader::new(role, options.limits());
        let least = options.deflate.map_or(usize::MAX, |deflate| deflate.least);
        let inner = Inner {
            ends,
            reader: match agreed {
                Some(agreed) => reader.inflating(agreed),
                None => reader,
            },
            deflater: agreed.map(|agreed| (Deflater::new(agreed), least)),
            faults,
            input: IoBuf::new(),
            kept,
            masks,
            waiting: None,
            failed: None,
            leaving: false,
            ping: None,
            pong: None,
            closing: None,
            said: None,
            heard: None,
            parts: 0,
        };
        Arc::new(Line { inner: Mutex::new(inner), wakers: Arc::default() })
    }

    pub fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Notes the waker of `cx`, and returns a waker that wakes all noted tasks.
    fn waker(&self, half: Half, cx: &Context<'_>) -> Waker {
        *lock(&self.wakers.0[half as usize]) = Some(cx.waker().clone());
        Waker::from(self.wakers.clone())
    }

    /// Sends a message: takes it as soon as no other waits before it, and is ready when it has been passed
    /// on.
    ///
    /// # Errors
    /// FAILED_PRECONDITION after a Close frame; CANCELLED when the connection is over.
    pub fn poll_send(&self, message: &mut Option<Message>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let all = self.waker(Half::Sender, cx);
        let cx = &mut Context::from_waker(&all);
        let mut inner = self.lock();
        if message.is_some() {
            if inner.said.is_some() || inner.closing.is_some() {
                return Poll::Ready(Err(Status::failed_precondition("the socket is closed")));
            }
            ready!(inner.poll_waiting(cx))?;
            inner.waiting = message.take().map(|message| inner.part(message));
        }
        inner.poll_waiting(cx)
    }

    /// Closes the socket with 1001 because the server stops: as soon as no message waits, so that received
    /// messages are answered; `at_once`: now.
    pub fn leave(&self, at_once: bool) {
        let mut inner = self.lock();
        inner.leaving = true;
        if at_once {
            inner.close(away());
        }
        drop(inner);
        Waker::from(self.wakers.clone()).wake();
    }

    /// Stops sending and reading, and drops waiting frames.
    pub fn abandon(&self) {
        let mut inner = self.lock();
        inner.failed.get_or_insert_with(|| Status::cancelled("the socket is closed"));
        inner.heard.get_or_insert_with(|| Close::new(code::ABNORMAL, ""));
        drop(inner);
        Waker::from(self.wakers.clone()).wake();
    }

    /// Sends the waiting frames.
    pub fn poll_waiting(&self, half: Half, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let all = self.waker(half, cx);
        self.lock().poll_waiting(&mut Context::from_waker(&all))
    }

    /// The next message; `None` after the peer's Close frame, once ours is sent, and at a client once the
    /// server has ended the connection.
    pub fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, Status>>> {
        let all = self.waker(Half::Receiver, cx);
        let mut inner = self.lock();
        let sent = inner.poll_waiting(&mut Context::from_waker(&all));
        if inner.heard.is_some() {
            return inner.poll_ended(sent, cx).map(|()| None);
        }
        for _ in 0..TURN {
            let Inner { reader, input, .. } = &mut *inner;
            match reader.next(input) {
                Err(fault) => {
                    let why = Status::invalid_argument(fault.text()).with_origin(Origin::Remote);
                    inner.count(fault);
                    inner.heard = Some(Close::new(code::ABNORMAL, ""));
                    inner.close(fault.close());
                    let _ = inner.poll_waiting(&mut Context::from_waker(&all));
                    return Poll::Ready(Some(Err(why)));
                }
                Ok(Some(Item::Message { text, bytes })) => {
                    return Poll::Ready(Some(Ok(match text {
                        // Text was checked while it came.
                        true => Message::Text(String::from_utf8(bytes.into()).unwrap_or_default()),
                        false => Message::Binary(bytes),
                    })));
                }
                Ok(Some(Item::Ping(payload))) => {
                    inner.pong = Some(payload);
                    let _ = inner.poll_waiting(&mut Context::from_waker(&all)); // if there is no room, later
                }
                Ok(Some(Item::Pong(_))) => {}
                Ok(Some(Item::Close(close))) => {
                    inner.heard = Some(close.clone());
                    inner.close(close);
                    let sent = inner.poll_waiting(&mut Context::from_waker(&all));
                    return inner.poll_ended(sent, cx).map(|()| None);
                }
                Ok(None) => match inner.ends.poll_next(cx) {
                    Poll::Pending => {
                        inner.count_kept();
                        if inner.leaving {
                            inner.close(away());
                            let _ = inner.poll_waiting(&mut Context::from_waker(&all)); // if there is no room, later
                        }
                        return Poll::Pending;
                    }
                    Poll::Ready(Some(Ok(part))) => {
                        inner.parts += 1;
                        inner.input.append(part.bytes);
                    }
                    Poll::Ready(other) => {
                        inner.heard = Some(Close::new(code::ABNORMAL, ""));
                        let text = "the connection ended without a Close frame";
                        let why = match other {
                            Some(Err(why)) => why,
                            _ => Status::unavailable(text).with_origin(Origin::Transport),
                        };
                        let closed = inner.said.is_some(); // the peer need not answer
                        return Poll::Ready(if closed { None } else { Some(Err(why)) });
                    }
                },
            }
        }
        inner.count_kept();
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Inner {
    /// The next control frame, if any.
    fn next_control(&mut self) -> Option<Part> {
        let frame = if let Some(payload) = self.pong.take() {
            control(opcode::PONG, &payload, self.mask())
        } else if let Some(payload) = self.ping.take() {
            control(opcode::PING, &payload, self.mask())
        } else {
            let reason = self.closing.take()?;
            let frame = close(&reason, self.mask());
            self.said = Some(reason);
            frame
        };
        Some(Part { bytes: frame, ..Part::default() })
    }

    fn poll_waiting(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        loop {
            if let Some(why) = &self.failed {
                return Poll::Ready(Err(why.clone()));
            }
            if self.waiting.is_none() && self.said.is_none() {
                self.waiting = self.next_control();
            }
            if self.waiting.is_none() {
                return Poll::Ready(Ok(()));
            }
            let sent = ready!(self.ends.poll_send(&mut self.waiting, cx));
            self.waiting = None;
            self.failed = sent.err();
        }
    }

    /// Ends the connection after both Close frames have been exchanged and ours was sent. "The server MUST
    /// close the connection immediately, a client SHOULD wait for the server to close it" (RFC 6455 7.1.1): a
    /// client that closed earlier could lose its own frame.
    fn poll_ended(&mut self, sent: Poll<Result<(), Status>>, cx: &mut Context<'_>) -> Poll<()> {
        if ready!(sent).is_err() || matches!(self.ends, Ends::Server { .. }) {
            return Poll::Ready(());
        }
        for _ in 0..TURN {
            let Some(Ok(_)) = ready!(self.ends.poll_next(cx)) else { return Poll::Ready(()) };
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Counts the bytes that are kept until more arrive. A message that arrives at once, or is passed on, is
    /// not counted.
    fn count_kept(&mut self) {
        let bytes = self.reader.allocated() + self.input.len();
        if let Some(kept) = &mut self.kept {
            kept.set(bytes);
        }
    }

    /// Counts a fault of the peer.
    #[cold]
    fn count(&self, fault: Fault) {
        self.faults.add((&WireError::from(fault)).into());
    }

    /// Sends this Close frame, unless there was one.
    pub fn close(&mut self, close: Close) {
        if self.said.is_none() && self.closing.is_none() {
            self.closing = Some(close);
        }
    }

    /// Stops reading: nothing more can be expected from the peer.
    pub fn give_up(&mut self) {
        self.heard = Some(Close::new(code::ABNORMAL, ""));
    }

    pub fn ping(&mut self, payload: Bytes) {
        self.ping = Some(payload);
    }

    /// The peer's Close frame, see [`Inner::heard`].
    pub fn heard(&self) -> Option<&Close> {
        self.heard.as_ref()
    }

    /// Stops sending: ends the connection, or this side's half of the stream.
    pub fn finish(&mut self) {
        self.ends.finish();
    }

    /// A message as the part that is sent.
    fn part(&mut self, message: Message) -> Part {
        let (kind, bytes) = match message {
            Message::Text(text) => (opcode::TEXT, Bytes::from(text)),
            Message::Binary(bytes) => (opcode::BINARY, bytes),
        };
        let mask = self.mask();
        let shorter = match &mut self.deflater {
            Some((deflater, least)) if bytes.len() >= *least => deflater.deflate(&bytes),
            _ => None,
        };
        let bytes = match shorter {
            Some(shorter) => compressed(kind, shorter.into(), mask),
            None => frame(kind, bytes.into(), mask),
        };
        Part { bytes, ..Part::default() }
    }

    fn mask(&mut self) -> Option<[u8; 4]> {
        self.masks.as_mut().map(Masks::next)
    }
}

/// Random masks of a client. RFC 6455 5.3: they have to be unpredictable, so that no page chooses the bytes
/// on the wire.
#[derive(Default)]
struct Masks {
    pool: Vec<u8>,
}

impl Masks {
    /// Bytes that are drawn at once.
    const POOL: usize = 256;

    fn next(&mut self) -> [u8; 4] {
        if self.pool.len() < 4 {
            self.pool.resize(Self::POOL, 0);
            getrandom::fill(&mut self.pool).expect("the system has random numbers");
        }
        let rest = self.pool.split_off(self.pool.len() - 4);
        rest.try_into().expect("four bytes")
    }
}

/// The Close frame of a server that stops.
fn away() -> Close {
    Close::new(code::AWAY, "the server goes away")
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_exchange::{Desk, Line as Exchange, Pipe};
    use polywire_wire::Limits;
    use std::{
        future::Future,
        pin::pin,
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
    };

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Relaxed);
        }
    }

    /// Polls until no more work is due; returns how often, and the rest of the input after each poll.
    fn polled(line: &Line, mut poll: impl FnMut(&mut Context<'_>) -> bool) -> Vec<usize> {
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(woken.clone());
        let mut left = Vec::new();
        loop {
            let before = woken.0.load(Relaxed);
            assert!(poll(&mut Context::from_waker(&waker)), "it waits for more");
            left.push(line.lock().input.len());
            if woken.0.load(Relaxed) == before {
                return left;
            }
        }
    }

    #[test]
    fn frames_that_nobody_is_told_of_do_not_keep_the_task() {
        const FRAMES: usize = 10 * TURN;
        for kind in [opcode::PING, opcode::PONG, opcode::BINARY] {
            let desk = Desk::new();
            let (exchange, _answerer, (source, sink)) =
                Exchange::serve_stream(desk.inbox(), Pipe::new(&Limits::DEFAULT));
            let ends = Ends::Server { source, sink: Some(sink) };
            let line = Line::new(ends, &Options::default(), None, Arc::default(), None);
            let bytes = frame(kind, IoBuf::new(), Some([0; 4])).to_vec().repeat(FRAMES);
            let sent = bytes.len();
            let part = Part { bytes: IoBuf::from(bytes), ..Part::default() };
            assert!(exchange.push_part(part).is_ok());
            let left = match kind {
                // Messages are read by nobody but a socket that closes.
                opcode::BINARY => {
                    let mut drained = pin!(crate::socket::drain(&line));
                    polled(&line, |cx| drained.as_mut().poll(cx).is_pending())
                }
                _ => polled(&line, |cx| line.poll_next(cx).is_pending()),
            };
            assert_eq!(left.last(), Some(&0), "all is read in the end");
            let most = left.iter().fold((sent, 0), |(before, most), now| (*now, most.max(before - now))).1;
            assert!(most <= (TURN + 1) * sent / FRAMES, "kind {kind}: {most} bytes of {sent} at a time");
        }
    }
}
