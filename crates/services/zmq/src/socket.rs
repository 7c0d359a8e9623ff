//! A socket of any kind, and how each kind sends and receives. The typed sockets only have the methods of
//! their kind.

use crate::{Error, Message, Monitor, Options, core::Core, options::WhenFull};
use bytes::Bytes;
use polywire_base::{IoBuf, Output};
use polywire_hub::{PeerId, SendError, Subscriptions};
use polywire_protocols::zmtp::Kind;
use std::{
    collections::VecDeque,
    fmt,
    future::{Future, poll_fn},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll},
};

/// A socket whose kind is chosen at run time. All methods take `&self`: it may be shared between tasks and
/// threads, and clones refer to the same socket. When the last one is dropped, it closes as with
/// [`Socket::close`], in the background.
#[derive(Clone)]
pub struct Socket {
    core: Arc<Core>,
    handles: Arc<Handles>,
}

/// The state that all clones of a socket share; dropped with the last of them.
struct Handles {
    core: Arc<Core>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Runs taken from the hub under one lock: messages back to back, by peer. The peers have turns.
    taken: VecDeque<(PeerId, IoBuf)>,
    turn: Turn,
    /// REQ: number of the last request, where replies are matched to requests.
    serial: u32,
    /// SUB: the subscriptions. Other messages that arrive are ignored.
    topics: Subscriptions,
}

/// The state of a socket whose send and receive alternate.
#[derive(Default)]
enum Turn {
    /// REQ may send, REP may receive.
    #[default]
    First,
    /// REQ: this peer has to reply.
    Asked { peer: PeerId, id: Option<[u8; 4]> },
    /// REP: this peer waits for a reply.
    Asking { peer: PeerId, envelope: Vec<Bytes> },
}

impl Inner {
    /// The next of the messages that were taken, from each peer in turn.
    #[inline]
    fn next(&mut self) -> Option<(PeerId, Message)> {
        while let Some((peer, wire)) = self.taken.front_mut() {
            let (peer, message) = (*peer, Message::cut(wire));
            if wire.is_empty() || message.is_none() {
                self.taken.pop_front();
            } else if self.taken.len() > 1 {
                self.taken.rotate_left(1);
            }
            if let Some(message) = message {
                return Some((peer, message));
            }
        }
        None
    }
}

/// A request that waits for its reply. If it is dropped without one, its sender never gets an answer.
pub struct Request {
    pub message: Message,
    core: Arc<Core>,
    peer: PeerId,
    envelope: Vec<Bytes>,
}

impl Request {
    /// Sends the reply. If the peer has disconnected or has no room, the reply is dropped and counted
    /// ([`Socket::dropped`]).
    pub fn reply(self, message: impl Into<Message>) {
        let message = message.into();
        let sent = self.core.hub.send_to(self.peer, |out| message.write_behind(&self.envelope, out));
        if sent.is_err() {
            self.core.hub.drop_message();
        }
    }
}

impl Socket {
    pub fn new(kind: Kind) -> Self {
        Socket::with(kind, &Options::default())
    }

    pub fn with(kind: Kind, options: &Options) -> Self {
        let core = Core::new(kind, options);
        Socket { handles: Arc::new(Handles { core: core.clone(), inner: Mutex::default() }), core }
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    pub fn kind(&self) -> Kind {
        self.core.kind
    }

    /// Binds to `tcp://host:port`, `ipc://path` or `inproc://name`; `*` as a port means any free one. Returns
    /// the actual address.
    ///
    /// # Errors
    /// The address is invalid, or cannot be bound.
    pub fn bind(&self, address: &str) -> Result<String, Error> {
        self.core.bind(address)
    }

    /// Connects now or as soon as the peer can be reached, and again whenever the connection is lost.
    /// Messages that are sent meanwhile wait.
    ///
    /// # Errors
    /// The address is invalid.
    pub fn connect(&self, address: &str) -> Result<(), Error> {
        self.core.connect(address)
    }

    /// Stops accepting at this address; existing connections stay.
    ///
    /// # Errors
    /// If it is not bound there.
    pub fn unbind(&self, address: &str) -> Result<(), Error> {
        self.core.unbind(address)
    }

    /// Closes one connection that was opened with that address, after the messages that wait for it were
    /// sent.
    ///
    /// # Errors
    /// There is no such connection.
    pub fn disconnect(&self, address: &str) -> Result<(), Error> {
        self.core.disconnect(address)
    }

    /// Reports the events of its connections from now on.
    pub fn monitor(&self) -> Monitor {
        self.core.events.monitor()
    }

    /// Number of connected peers.
    pub fn peers(&self) -> usize {
        self.core.hub.connected()
    }

    /// Number of messages that `send` accepted and dropped: their peer had no room where the options say
    /// [`WhenFull::Drop`] (for a PUB counted once for each such subscriber), or, for a ROUTER or REP, did not
    /// exist. Messages that `try_send` refuses are not counted.
    pub fn dropped(&self) -> u64 {
        self.core.hub.dropped()
    }

    /// The number of messages that still waited for a peer when it was removed: a peer that had connected to
    /// us and left, one that we disconnected from, or any peer once [`Options::linger`] has passed.
    pub fn lost(&self) -> u64 {
        self.core.hub.lost()
    }

    /// Number of messages that were discarded unreceived because peers whose connections have ended had left
    /// too many ([`Options::left_bytes`]).
    pub fn discarded(&self) -> u64 {
        self.core.hub.discarded()
    }

    /// Number of subscribers that were disconnected because they, or all of them together, had too many
    /// topics ([`Options::topics`], [`Options::topic_bytes`], [`Options::topic_memory`]).
    pub fn refused(&self) -> u64 {
        self.core.hub.refused()
    }

    /// Closes the socket, for all clones, and waits until all messages were sent, but no longer than
    /// [`Options::linger`]. Tasks that wait at the socket get [`Error::Closed`].
    pub async fn close(self) {
        let _ = self.core.close().await; // aborted only with its runtime
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        polywire_base::lock(&self.handles.inner)
    }

    /// Sends a message; waits for room where the socket's kind and options require it.
    ///
    /// # Cancel safety
    /// If the future is dropped before it is ready, nothing was sent.
    ///
    /// # Errors
    /// [`Error::Closed`], [`Error::TimedOut`], [`Error::OutOfTurn`], [`Error::Unroutable`],
    /// [`Error::Unsupported`].
    pub async fn send(&self, message: impl Into<Message>) -> Result<(), Error> {
        let message = message.into();
        match self.attempt(&message) {
            Err(Error::Full) => {}
            other => return other, // the common case: no need to wait
        }
        match (self.core.options.when_full_of(self.core.kind), self.core.options.send_timeout) {
            (WhenFull::Drop, _) => {
                self.core.hub.drop_message();
                Ok(())
            }
            (WhenFull::Wait, None) => self.when_room(&message).await,
            (WhenFull::Wait, Some(limit)) => {
                let sent = tokio::time::timeout(limit, self.when_room(&message)).await;
                sent.unwrap_or(Err(Error::TimedOut))
            }
        }
    }

    /// Sends a message if that is possible without waiting.
    ///
    /// # Errors
    /// The errors of [`Socket::send`], and [`Error::Full`].
    pub fn try_send(&self, message: impl Into<Message>) -> Result<(), Error> {
        self.attempt(&message.into())
    }

    async fn when_room(&self, message: &Message) -> Result<(), Error> {
        let mut place = Place { socket: self, ticket: 0 };
        let attempt = || match self.attempt(message) {
            Err(Error::Full) => None,
            other => Some(other),
        };
        poll_fn(|cx| self.core.hub.poll_room(cx, &mut place.ticket, attempt)).await?
    }

    /// Tries to send as this kind of socket does.
    #[inline]
    fn attempt(&self, message: &Message) -> Result<(), Error> {
        let (core, hub) = (&self.core, &self.core.hub);
        match core.kind {
            Kind::Push | Kind::Dealer | Kind::Pair => {
                hub.send_next(|out| message.write(out))?;
                Ok(())
            }
            Kind::Pub | Kind::XPub => {
                if core.options.when_full_of(core.kind) == WhenFull::Wait && hub.would_drop(message.first()) {
                    return Err(Error::Full);
                }
                hub.publish(message.first(), |out| message.write(out));
                Ok(())
            }
            Kind::XSub => {
                self.send_upward(message);
                Ok(())
            }
            Kind::Req => self.ask(message),
            Kind::Rep => self.answer(message),
            Kind::Router => self.route(message),
            Kind::Sub | Kind::Pull => Err(Error::Unsupported("send")),
        }
    }

    /// XSUB: subscriptions are kept for peers that connect later; other messages are sent to the peers that
    /// are connected.
    fn send_upward(&self, message: &Message) {
        match message.first().first() {
            Some(&form @ (0 | 1)) if message.len() == 1 => {
                self.subscription(form == 1, &message.first()[1..])
            }
            _ => self.core.hub.broadcast(|out| message.write(out)),
        }
    }

    fn subscription(&self, on: bool, topic: &[u8]) {
        let mut inner = self.lock();
        let changed = if on {
            inner.topics.add(topic, 0).peer
        } else {
            inner.topics.remove(topic, 0).is_some_and(|change| change.peer)
        };
        if !changed {
            return; // not the first or last one: publishers know it already, or still need it
        }
        let wire = |on: u8| {
            let mut out = Output::default();
            Message::new([&[on], topic].concat()).write(&mut out);
            out.take().into_bytes()
        };
        let kept = wire(1);
        self.core.hub.preamble(|list| {
            list.retain(|other| *other != kept);
            if on {
                list.push(kept.clone());
            }
            Some(if on { kept } else { wire(0) })
        });
    }

    /// SUB: subscribes to messages that begin with `prefix`; an empty prefix matches all.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for other kinds.
    pub fn subscribe(&self, prefix: impl AsRef<[u8]>) -> Result<(), Error> {
        self.only(&[Kind::Sub, Kind::XSub], "subscribe")?;
        self.subscription(true, prefix.as_ref());
        Ok(())
    }

    /// SUB: removes one subscription to `prefix`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for other kinds.
    pub fn unsubscribe(&self, prefix: impl AsRef<[u8]>) -> Result<(), Error> {
        self.only(&[Kind::Sub, Kind::XSub], "subscribe")?;
        self.subscription(false, prefix.as_ref());
        Ok(())
    }

    fn only(&self, kinds: &[Kind], what: &'static str) -> Result<(), Error> {
        if kinds.contains(&self.core.kind) { Ok(()) } else { Err(Error::Unsupported(what)) }
    }

    fn ask(&self, message: &Message) -> Result<(), Error> {
        let mut inner = self.lock();
        let relaxed = self.core.options.relaxed;
        if !relaxed && !matches!(inner.turn, Turn::First) {
            return Err(Error::OutOfTurn);
        }
        let id = relaxed.then(|| inner.serial.wrapping_add(1).to_be_bytes());
        let envelope = id.map(|id| Bytes::copy_from_slice(&id)).into_iter().chain([Bytes::new()]);
        let envelope: Vec<Bytes> = envelope.collect();
        let peer = self.core.hub.send_next(|out| message.write_behind(&envelope, out))?;
        inner.serial = inner.serial.wrapping_add(1);
        inner.turn = Turn::Asked { peer, id };
        Ok(())
    }

    fn answer(&self, message: &Message) -> Result<(), Error> {
        let mut inner = self.lock();
        let Turn::Asking { peer, envelope } = &inner.turn else { return Err(Error::OutOfTurn) };
        if self.core.hub.send_to(*peer, |out| message.write_behind(envelope, out)).is_err() {
            self.core.hub.drop_message(); // "reply dropped if it is gone; never blocks"
        }
        inner.turn = Turn::First;
        Ok(())
    }

    /// ROUTER: "unknown or full: drop silently, or error with the mandatory option".
    fn route(&self, message: &Message) -> Result<(), Error> {
        let (name, rest) = message.clone().split_first();
        let rest = rest.unwrap_or_default();
        match self.core.hub.route(&name, |out| rest.write(out)) {
            Err(SendError::Unknown) if self.core.options.mandatory => Err(Error::Unroutable),
            Err(SendError::Unknown) => {
                self.core.hub.drop_message();
                Ok(())
            }
            other => Ok(other?),
        }
    }

    /// Receives the next message.
    ///
    /// # Cancel safety
    /// If it is dropped before it is ready, no message is lost.
    ///
    /// # Errors
    /// [`Error::Closed`], [`Error::TimedOut`], [`Error::OutOfTurn`], [`Error::Unsupported`].
    pub async fn recv(&self) -> Result<Message, Error> {
        self.limited(self.until_taken(|peer, message| self.accept(peer, message))).await
    }

    /// REP: receives a request that can be answered at any time, after or before others.
    ///
    /// # Cancel safety
    /// Like [`Socket::recv`].
    ///
    /// # Errors
    /// The errors of [`Socket::recv`].
    pub async fn request(&self) -> Result<Request, Error> {
        self.only(&[Kind::Rep], "receive requests")?;
        self.limited(self.until_taken(|peer, message| {
            let (envelope, message) = open_envelope(message)?;
            Some(Request { message, core: self.core.clone(), peer, envelope })
        }))
        .await
    }

    async fn limited<T>(&self, taken: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        match self.core.options.receive_timeout {
            None => taken.await,
            Some(limit) => tokio::time::timeout(limit, taken).await.unwrap_or(Err(Error::TimedOut)),
        }
    }

    /// Receives a message that has already arrived.
    ///
    /// # Errors
    /// The errors of [`Socket::recv`], and [`Error::Empty`].
    pub fn try_recv(&self) -> Result<Message, Error> {
        self.may_receive()?;
        loop {
            let next = self.next_taken();
            let Some((peer, message)) = next else {
                return Err(if self.core.hub.is_closed() { Error::Closed } else { Error::Empty });
            };
            if let Some(message) = self.accept(peer, message) {
                return Ok(message);
            }
        }
    }

    fn next_taken(&self) -> Option<(PeerId, Message)> {
        let mut inner = self.lock();
        if inner.taken.is_empty() {
            self.core.hub.take(&mut inner.taken);
        }
        inner.next()
    }

    fn may_receive(&self) -> Result<(), Error> {
        match self.core.kind {
            Kind::Pub | Kind::Push => Err(Error::Unsupported("receive")),
            Kind::Req if matches!(self.lock().turn, Turn::First) => Err(Error::OutOfTurn),
            Kind::Rep if matches!(self.lock().turn, Turn::Asking { .. }) => Err(Error::OutOfTurn),
            _ => Ok(()),
        }
    }

    async fn until_taken<T>(&self, mut accept: impl FnMut(PeerId, Message) -> Option<T>) -> Result<T, Error> {
        self.may_receive()?;
        let mut place = Place { socket: self, ticket: 0 };
        poll_fn(|cx| {
            loop {
                let (peer, message) = match self.poll_taken(cx, &mut place.ticket) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(error.into())),
                    Poll::Ready(Ok(taken)) => taken,
                };
                if let Some(accepted) = accept(peer, message) {
                    return Poll::Ready(Ok(accepted));
                }
            }
        })
        .await
    }

    #[inline]
    fn poll_taken(
        &self,
        cx: &mut Context<'_>,
        ticket: &mut u64,
    ) -> Poll<Result<(PeerId, Message), SendError>> {
        let mut inner = self.lock();
        loop {
            if let Some(next) = inner.next() {
                return Poll::Ready(Ok(next));
            }
            match self.core.hub.poll_take(cx, ticket, &mut inner.taken) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(_)) => {}
            }
        }
    }

    /// Converts a received message as this kind of socket does; `None` if it is ignored.
    #[inline]
    fn accept(&self, peer: PeerId, mut message: Message) -> Option<Message> {
        match self.core.kind {
            Kind::Req => self.accept_reply(peer, message),
            Kind::Rep => {
                let (envelope, message) = open_envelope(message)?;
                self.lock().turn = Turn::Asking { peer, envelope };
                Some(message)
            }
            Kind::Router => {
                message.prepend(Bytes::from(self.core.hub.name_of(peer)?));
                Some(message)
            }
            Kind::Sub => {
                let mut wanted = false;
                self.lock().topics.each(message.first(), |_| wanted = true);
                wanted.then_some(message) // the subscription may have ended while the message was in transit
            }
            Kind::Dealer | Kind::Pull | Kind::Pair | Kind::XPub | Kind::XSub | Kind::Pub | Kind::Push => {
                Some(message)
            }
        }
    }

    /// "receive: only from the peer asked, lock-step", without the frames that the request added.
    fn accept_reply(&self, from: PeerId, mut message: Message) -> Option<Message> {
        let mut inner = self.lock();
        let Turn::Asked { peer, id } = inner.turn else { return None };
        if peer != from {
            return None;
        }
        if let Some(id) = id {
            let (first, rest) = message.split_first();
            if first != id[..] {
                return None;
            }
            message = rest?;
        }
        let (delimiter, rest) = message.split_first();
        if !delimiter.is_empty() {
            return None;
        }
        inner.turn = Turn::First;
        rest
    }
}

/// Shows figures for finding out why a message does not arrive: of its hub, and of at most 16 of its peers
/// and connections.
impl fmt::Debug for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        let taken = self.lock().taken.len();
        let mut connections = self.core.connection_stats();
        connections.truncate(SHOWN);
        f.debug_struct("Socket")
            .field("kind", &self.core.kind.name())
            .field("taken", &taken)
            .field("hub", &self.core.hub)
            .field("connections", &connections)
            .finish_non_exhaustive()
    }
}

/// The frames up to the first empty one, and those after it; `None` if there is no empty frame.
fn open_envelope(message: Message) -> Option<(Vec<Bytes>, Message)> {
    let mut frames = message.into_frames();
    let delimiter = frames.iter().position(Bytes::is_empty)?;
    let behind = frames.split_off(delimiter + 1);
    (!behind.is_empty()).then(|| (frames, Message::of(behind)))
}

impl Drop for Handles {
    fn drop(&mut self) {
        self.core.close();
    }
}

/// A place among the tasks that wait at a hub; given up when it is dropped.
struct Place<'s> {
    socket: &'s Socket,
    ticket: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.socket.core.hub.leave(self.ticket);
    }
}

impl From<SendError> for Error {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Full => Error::Full,
            SendError::Unknown => Error::Unroutable,
            SendError::Closed => Error::Closed,
        }
    }
}
