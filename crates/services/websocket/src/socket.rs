//! An open socket.

use crate::{
    Close, Message, Options, code,
    line::{Half, Line, TURN},
};
use bytes::Bytes;
use polywire_call::{Origin, Status};
use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    runtime::{self, Handle},
    task::yield_now,
    time::{Instant, Sleep, sleep, sleep_until, timeout},
};

/// How long to wait for the peer's Close frame after ours, and for the end of the connection after both.
pub(crate) const CLOSING: Duration = Duration::from_secs(2);

/// An open socket, at either end. At a server it is closed with 1000 when its handler returns `Ok`, and with
/// 1011 when it fails; with 1001 when the server stops and [`WebSocket::next`] has no further message, or a
/// second later. Sending fails after that. A client closes it by [`WebSocket::close`]; dropping it ends the
/// connection.
#[must_use = "dropping it ends the connection"]
pub struct WebSocket {
    sender: Sender,
    receiver: Receiver,
    subprotocol: Option<String>,
}

/// The sending half of a [`WebSocket`].
pub struct Sender {
    line: Arc<Line>,
}

/// The receiving half of a [`WebSocket`]. It has to be read, or Pings stay unanswered.
pub struct Receiver {
    line: Arc<Line>,
    silence: Option<Silence>,
    /// Runs once the peer has closed: how long our Close frame and the end of the connection are waited for.
    ending: Option<Pin<Box<Sleep>>>,
}

/// Detects a peer that sends nothing.
struct Silence {
    limit: Duration,
    /// The timer, kept from one wait to the next, since a new one costs a microsecond: it may fire too early,
    /// and is set again then. With the runtime that it belongs to. `None` before the first wait.
    timer: Option<(Pin<Box<Sleep>>, runtime::Id)>,
    /// Whether `next` waits; `since` is from before otherwise.
    waits: bool,
    /// When the wait began, or bytes last arrived.
    since: Instant,
    /// The number of parts that had arrived then.
    parts: u64,
    /// Whether a Ping was sent since.
    pinged: bool,
}

impl WebSocket {
    pub(crate) fn new(line: Arc<Line>, options: &Options, subprotocol: Option<String>) -> Self {
        let silence = options.ping_after.map(Silence::new);
        WebSocket {
            sender: Sender { line: line.clone() },
            receiver: Receiver { line, silence, ending: None },
            subprotocol,
        }
    }

    /// The subprotocol that both sides have agreed on.
    pub fn subprotocol(&self) -> Option<&str> {
        self.subprotocol.as_deref()
    }

    /// See [`Receiver::next`].
    pub async fn next(&mut self) -> Option<Result<Message, Status>> {
        self.receiver.next().await
    }

    /// See [`Sender::send`].
    ///
    /// # Errors
    /// The errors of that method.
    pub async fn send(&mut self, message: impl Into<Message>) -> Result<(), Status> {
        self.sender.send(message).await
    }

    /// See [`Sender::ping`].
    ///
    /// # Errors
    /// The errors of that method.
    pub async fn ping(&mut self, payload: &[u8]) -> Result<(), Status> {
        self.sender.ping(payload).await
    }

    /// See [`Receiver::closed`].
    pub fn closed(&self) -> Option<Close> {
        self.receiver.closed()
    }

    /// Sends a Close frame, for which it waits up to 2 s, and waits as long for that of the peer; messages of
    /// the peer are discarded meanwhile. Returns the peer's Close frame, or [`code::ABNORMAL`] if there was
    /// none.
    ///
    /// # Errors
    /// The errors of [`Sender::close`].
    pub async fn close(mut self, code: u16, reason: &str) -> Result<Close, Status> {
        within(CLOSING, self.sender.close(code, reason)).await.unwrap_or(Ok(()))?;
        self.receiver.drain().await;
        let heard = self.closed();
        self.sender.line.lock().finish();
        Ok(heard.unwrap_or_else(|| Close::new(code::ABNORMAL, "")))
    }

    /// The two halves of the socket, for two tasks.
    pub fn split(self) -> (Sender, Receiver) {
        (self.sender, self.receiver)
    }
}

impl Sender {
    /// Sends a message as one frame, when there is room: a peer that does not read makes this wait.
    ///
    /// # Errors
    /// FAILED_PRECONDITION after a Close frame of either side; CANCELLED when the connection is over.
    ///
    /// # Cancel safety
    /// A dropped future has either queued the message, which is then sent before the next, or dropped it.
    pub async fn send(&mut self, message: impl Into<Message>) -> Result<(), Status> {
        let mut message = Some(message.into());
        poll_fn(|cx| self.line.poll_send(&mut message, cx)).await
    }

    /// Sends a Ping with at most the first 125 bytes of `payload`. The receiving half consumes the Pong
    /// without reporting it.
    ///
    /// # Errors
    /// CANCELLED when the connection is over.
    pub async fn ping(&mut self, payload: &[u8]) -> Result<(), Status> {
        self.line.lock().ping(Bytes::copy_from_slice(payload));
        poll_fn(|cx| self.line.poll_waiting(Half::Sender, cx)).await
    }

    /// Sends a Close frame; no more messages can be sent. The peer's messages still arrive, until its own
    /// Close frame. A reason longer than 123 bytes is cut.
    ///
    /// # Errors
    /// CANCELLED when the connection is over.
    pub async fn close(&mut self, code: u16, reason: &str) -> Result<(), Status> {
        self.line.lock().close(Close::new(code, reason));
        poll_fn(|cx| self.line.poll_waiting(Half::Sender, cx)).await
    }
}

impl Receiver {
    /// The next message; `None` when the peer has closed, see [`Receiver::closed`]. A client waits up to 2 s
    /// for the server to end the connection then.
    ///
    /// # Errors
    /// Once, after which `None` follows: UNAVAILABLE if the connection ended without a Close frame,
    /// INVALID_ARGUMENT if the peer broke a rule or a limit (it is sent the reason in a Close frame),
    /// DEADLINE_EXCEEDED after silence ([`Options::ping_after`]), and how the exchange failed otherwise.
    ///
    /// # Cancel safety
    /// A dropped future has taken nothing.
    pub async fn next(&mut self) -> Option<Result<Message, Status>> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Like [`Receiver::next`], as a poll function.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, Status>>> {
        loop {
            if let Poll::Ready(next) = self.line.poll_next(cx) {
                if let Some(silence) = &mut self.silence {
                    silence.waits = false;
                }
                return Poll::Ready(next);
            }
            if self.line.lock().heard().is_some() {
                return self.poll_ending(cx).map(|()| None);
            }
            let Some(silence) = &mut self.silence else { return Poll::Pending };
            ready!(silence.poll(&self.line, cx));
            let mut inner = self.line.lock();
            if std::mem::replace(&mut silence.pinged, true) {
                inner.close(Close::new(code::AWAY, "no answer to a Ping"));
                inner.give_up();
                let why = Status::deadline_exceeded("the peer sends nothing and answers no Ping");
                return Poll::Ready(Some(Err(why.with_origin(Origin::Local))));
            }
            inner.ping(Bytes::new());
        }
    }

    /// Ready when the end has been waited for long enough. Outside a runtime there is no limit.
    fn poll_ending(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if Handle::try_current().is_err() {
            return Poll::Pending;
        }
        self.ending.get_or_insert_with(|| Box::pin(sleep(CLOSING))).as_mut().poll(cx)
    }

    /// The peer's Close frame, once [`Receiver::next`] has returned `None` or a failure; [`code::ABNORMAL`]
    /// if there was none.
    pub fn closed(&self) -> Option<Close> {
        self.line.lock().heard().cloned()
    }

    /// Discards messages up to the peer's Close frame, for a bounded time.
    async fn drain(&mut self) {
        drain(&self.line).await;
    }
}

/// Sends waiting frames, and discards messages up to the peer's Close frame, for [`CLOSING`].
pub(crate) async fn drain(line: &Line) {
    let rest = async {
        for taken in 1usize.. {
            if poll_fn(|cx| line.poll_next(cx)).await.is_none_or(|next| next.is_err()) {
                return;
            }
            if taken.is_multiple_of(TURN) {
                yield_now().await; // the time limit is looked at in between
            }
        }
    };
    let _ = within(CLOSING, rest).await;
}

/// The output of `work`, unless it takes longer. Outside a runtime there is no limit.
pub(crate) async fn within<F: Future>(limit: Duration, work: F) -> Option<F::Output> {
    match Handle::try_current() {
        Ok(_) => timeout(limit, work).await.ok(),
        Err(_) => Some(work.await),
    }
}

impl Silence {
    fn new(limit: Duration) -> Self {
        Silence { limit, timer: None, waits: false, since: Instant::now(), parts: 0, pinged: false }
    }

    /// Ready when nothing has arrived for the time limit.
    fn poll(&mut self, line: &Line, cx: &mut Context<'_>) -> Poll<()> {
        let parts = line.lock().parts;
        if parts != self.parts {
            (self.parts, self.pinged, self.waits) = (parts, false, false);
        }
        if !std::mem::replace(&mut self.waits, true) {
            self.since = Instant::now();
            let runtime = Handle::try_current().ok().map(|handle| handle.id());
            if self.timer.as_ref().map(|(_, of)| *of) != runtime {
                self.timer = runtime.map(|of| (Box::pin(sleep_until(self.since + self.limit)), of));
            }
        }
        let end = self.since + self.limit;
        let Some((timer, _)) = &mut self.timer else { return Poll::Pending };
        loop {
            ready!(timer.as_mut().poll(cx));
            if timer.deadline() >= end {
                self.waits = false;
                return Poll::Ready(());
            }
            timer.as_mut().reset(end);
        }
    }
}
