//! What the halves of a socket share.
//!
//! ```text
//!  Sender ─── send ──┐                       ┌──► Ends::poll_send
//!                    ├─ control ─ message ───┤
//!  Receiver ─ next ──┘   Pong, Close         └◄── Ends::poll_next ──► Reader ──► Message
//! ```
//!
//! A Pong or the answer to a Close waits here until there is room, and goes before the next message. There is one place for each: a
//! newer Ping takes the place of an older one (RFC 6455 5.5.3), so that a peer that does not read makes nothing grow.
//!
//! Invariants: after `said` nothing but what is queued is sent; after `heard` nothing is read.

use crate::{Close, Message, Options, ends::Ends};
use bytes::Bytes;
use polywire_base::{IoBuf, lock};
use polywire_call::{Origin, Status};
use polywire_protocols::http::websocket::{Item, Reader, close, code, control, frame, opcode};
use polywire_wire::{Part, Role};
use std::{
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Wake, Waker, ready},
};

pub(crate) struct Line {
    inner: Mutex<Inner>,
    /// Of the two tasks that may wait for room.
    wakers: Arc<Wakers>,
}

pub(crate) struct Inner {
    ends: Ends,
    reader: Reader,
    /// Bytes that were received and not read.
    input: IoBuf,
    /// Random bytes for masks; a server has none.
    masks: Option<Masks>,
    /// A control frame that waits for room.
    waiting: Option<Part>,
    ping: Option<Bytes>,
    pong: Option<Bytes>,
    closing: Option<Close>,
    /// What this side has said in its Close frame.
    said: Option<Close>,
    /// What the peer has said in its own, or [`code::ABNORMAL`] if the connection ended without one.
    heard: Option<Close>,
    /// Counts what was received, so that silence is noticed.
    pub parts: u64,
}

/// Wakes both tasks that may wait for room: the sink remembers one waker alone.
#[derive(Default)]
struct Wakers([Mutex<Option<Waker>>; 2]);

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        for place in &self.0 {
            if let Some(waker) = lock(place).take() {
                waker.wake();
            }
        }
    }
}

/// Which task waits.
#[derive(Clone, Copy)]
pub(crate) enum Half {
    Sender,
    Receiver,
}

impl Line {
    pub fn new(ends: Ends, options: &Options) -> Arc<Self> {
        let (role, masks) = match ends {
            Ends::Server { .. } => (Role::Server, None),
            Ends::Client(_) => (Role::Client, Some(Masks::default())),
        };
        let inner = Inner {
            ends,
            reader: Reader::new(role, options.limits()),
            input: IoBuf::new(),
            masks,
            waiting: None,
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

    /// A waker of both halves, after this one has been noted.
    fn waker(&self, half: Half, cx: &Context<'_>) -> Waker {
        *lock(&self.wakers.0[half as usize]) = Some(cx.waker().clone());
        Waker::from(self.wakers.clone())
    }

    /// Sends a message, which is taken when there is room.
    ///
    /// # Errors
    /// FAILED_PRECONDITION after a Close frame; CANCELLED when the connection is over.
    pub fn poll_send(&self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let both = self.waker(Half::Sender, cx);
        let cx = &mut Context::from_waker(&both);
        let mut inner = self.lock();
        if inner.said.is_some() || inner.closing.is_some() {
            return Poll::Ready(Err(Status::failed_precondition("the socket is closed")));
        }
        ready!(inner.poll_control(cx))?;
        inner.ends.poll_send(part, cx)
    }

    /// Sends what waits of control frames.
    pub fn poll_control(&self, half: Half, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let both = self.waker(half, cx);
        self.lock().poll_control(&mut Context::from_waker(&both))
    }

    /// The next message; `None` after the peer's Close frame, once ours is sent.
    pub fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, Status>>> {
        let both = self.waker(Half::Receiver, cx);
        let mut inner = self.lock();
        let sent = inner.poll_control(&mut Context::from_waker(&both));
        if inner.heard.is_some() {
            return sent.map(|_| None);
        }
        loop {
            let Inner { reader, input, .. } = &mut *inner;
            match reader.next(input) {
                Err(fault) => {
                    let why = Status::invalid_argument(fault.text()).with_origin(Origin::Remote);
                    inner.heard = Some(Close::new(code::ABNORMAL, ""));
                    inner.close(fault.close());
                    let _ = inner.poll_control(&mut Context::from_waker(&both));
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
                    let _ = inner.poll_control(&mut Context::from_waker(&both)); // if there is no room, later
                }
                Ok(Some(Item::Pong(_))) => {}
                Ok(Some(Item::Close(close))) => {
                    inner.heard = Some(close.clone());
                    inner.close(close);
                    return inner.poll_control(&mut Context::from_waker(&both)).map(|_| None);
                }
                Ok(None) => match ready!(inner.ends.poll_next(cx)) {
                    Some(Ok(part)) => {
                        inner.parts += 1;
                        inner.input.append(part.bytes);
                    }
                    other => {
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

    fn poll_control(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        loop {
            if self.waiting.is_none() && self.said.is_none() {
                self.waiting = self.next_control();
            }
            if self.waiting.is_none() {
                return Poll::Ready(Ok(()));
            }
            let sent = ready!(self.ends.poll_send(&mut self.waiting, cx));
            self.waiting = None;
            sent?;
        }
    }

    /// Sends this Close frame, unless there was one.
    pub fn close(&mut self, close: Close) {
        if self.said.is_none() && self.closing.is_none() {
            self.closing = Some(close);
        }
    }

    /// Nothing more is read, and nothing more can be expected of the peer.
    pub fn give_up(&mut self) {
        self.heard = Some(Close::new(code::ABNORMAL, ""));
    }

    pub fn ping(&mut self, payload: Bytes) {
        self.ping = Some(payload);
    }

    /// What the peer said in its Close frame, see [`Inner::heard`].
    pub fn heard(&self) -> Option<&Close> {
        self.heard.as_ref()
    }

    /// Nothing more is sent: the connection ends, or this side's half of the stream.
    pub fn finish(&mut self) {
        self.ends.finish();
    }

    /// A message as the part that is sent.
    pub fn part(&mut self, message: Message) -> Part {
        let (kind, bytes) = match message {
            Message::Text(text) => (opcode::TEXT, Bytes::from(text)),
            Message::Binary(bytes) => (opcode::BINARY, bytes),
        };
        Part { bytes: frame(kind, bytes.into(), self.mask()), ..Part::default() }
    }

    fn mask(&mut self) -> Option<[u8; 4]> {
        self.masks.as_mut().map(Masks::next)
    }
}

/// Random masks of a client. RFC 6455 5.3: they have to be unpredictable, so that no page chooses the bytes on the wire.
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
