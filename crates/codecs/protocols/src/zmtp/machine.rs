//! One ZMTP connection, in any role.
//!
//! ```text
//!  Fresh --greeting--> Greeting --theirs--> Handshake --done--> Traffic --close--> Closing
//!                                            |     ^
//!                                    asks    v     | accepted
//!                                           Verdict --refused, ERROR--> Closing
//! ```
//!
//! This file decides which frames are allowed in which state; the other files parse and write their bytes.

use super::{
    Delivery, HANDLER, Kind, Settings, Socket,
    assembly::{Assembly, Front, read_head},
    calls::{self, Pending, Request, Wants},
    command::{self, Command},
    error::Fault,
    frame::{self, Frames, Head, MAX_HEAD, MORE},
    greeting,
    heartbeat::Heartbeat,
    security::{Done, Handshake, LocalSide, Progress, Session, Shown},
};
use crate::{pushes::Pushes, relays};
use bytes::{Bytes, BytesMut};
use polywire_base::{IoBuf, later};
use polywire_call::{Code, Origin, Status};
use polywire_wire::{
    Claim, Compression, Compressions, Content, Credit, Cx, Event, Exchange, Goodbye, Head as CallHead,
    Machine, Notice, Open, Outcome, Outgoing, Part, Refusal, Role, Route, Setup, Step, Target, Validity,
    Wake, WireError,
};
use std::{sync::Arc, time::Instant};

/// The state of one connection, at either end.
pub(super) struct Zmtp {
    settings: Arc<Settings>,
    role: Role,
    authenticate: bool,
    /// Client: whether the setup has a credential, although [`Settings::security`] authenticates this side.
    has_credential: bool,
    limits: polywire_wire::Limits,
    phase: Phase,
    /// The time by which the handshake must have ended.
    handshake_by: Option<Instant>,
    /// The minor version that both sides speak, 0 or 1.
    minor: u8,
    /// The socket that this peer is connected to.
    socket: Socket,
    session: Option<Box<Sealed>>,
    assembly: Assembly,
    heartbeat: Heartbeat,
    /// The bytes that an event borrows: a credential, an identity, a topic, a target.
    lent: Bytes,
    /// The credential of the peer, while the verdict is awaited.
    shown: Shown,
    /// The properties of the peer's READY.
    said: Bytes,
    /// The handshake ended with a verdict, and the peer has still to be reported.
    announce: Option<Kind>,
    /// The messages and bytes that were delivered on the connection and not yet granted.
    ungranted: Credit,
    pushes: Pushes,
    /// Number of bytes that were left in the input after the last poll.
    rested: usize,
    pending: Pending,
    /// Client: calls that were made before the handshake ended.
    early: polywire_base::Output,
    draining: bool,
}

/// The state that CURVE adds: each frame arrives in an encrypted one.
struct Sealed {
    session: Session,
    /// The message whose frames have been opened.
    assembly: Assembly,
}

enum Phase {
    Fresh,
    Greeting,
    Handshake(Handshake),
    Verdict(Handshake),
    Traffic,
    /// Nothing more is read. The reason still has to be reported, if there is one.
    Closing(Option<Status>),
}

/// An event to report, or the reason why nothing is reported.
enum Next {
    Peer(Kind),
    Authenticate,
    Messages(IoBuf, u32),
    Topic(bool),
    Call(Exchange, Route, Asked),
    Reply(Exchange, Outcome),
    Credit(Credit),
    Lost(Status),
    Need(usize),
    Blocked,
    Closed,
}

/// A request as its `Open` shows it; its target is in `lent`.
struct Asked {
    body: IoBuf,
    content: Content,
    timeout: Option<std::time::Duration>,
    relays: u8,
}

impl Zmtp {
    pub fn new(setup: &Setup<'_>, settings: Arc<Settings>) -> Self {
        let limits = setup.limits();
        let max = limits.max_message as usize;
        Zmtp {
            role: setup.role(),
            authenticate: match setup {
                Setup::Server(setup) => setup.authenticate || settings.authenticate,
                Setup::Client(_) => settings.authenticate && settings.security.is_server(),
            },
            has_credential: setup.credential().is_some(),
            limits,
            phase: Phase::Fresh,
            handshake_by: None,
            minor: 0,
            socket: settings.sockets.first().copied().unwrap_or(super::SERVICES),
            session: None,
            assembly: Assembly::new(max, settings.max_frames),
            settings,
            heartbeat: Heartbeat::default(),
            lent: Bytes::new(),
            shown: Shown::default(),
            said: Bytes::new(),
            announce: None,
            ungranted: Credit::CLOSED,
            pushes: Pushes::default(),
            rested: 0,
            pending: Pending::default(),
            early: polywire_base::Output::default(),
            draining: false,
        }
    }

    #[inline]
    fn next(&mut self, cx: &mut Cx<'_>) -> Result<Next, Fault> {
        loop {
            match &mut self.phase {
                Phase::Traffic => return self.traffic(cx),
                Phase::Verdict(_) => return Ok(Next::Blocked),
                Phase::Closing(why) => return Ok(why.take().map_or(Next::Closed, Next::Lost)),
                Phase::Fresh => {
                    cx.out.put(&greeting::own(&self.settings.security));
                    self.handshake_by = Some(later(cx.now, self.settings.handshake));
                    self.phase = Phase::Greeting;
                }
                Phase::Greeting => {
                    let front = cx.input.len().min(greeting::LENGTH);
                    let bytes = cx.input.peek(front).expect("asked for what is here");
                    let Some(minor) = greeting::read(bytes, &self.settings.security)? else {
                        return Ok(Next::Need(greeting::LENGTH - front));
                    };
                    self.minor = minor;
                    cx.input.advance(greeting::LENGTH);
                    let local = LocalSide { settings: &self.settings, authenticate: self.authenticate };
                    self.phase = Phase::Handshake(Handshake::begin(&local, cx.out.tail())?);
                }
                Phase::Handshake(_) => {
                    if let Some(next) = self.handshake(cx)? {
                        return Ok(next);
                    }
                }
            }
        }
    }

    /// Handles one command of the handshake.
    #[cold]
    fn handshake(&mut self, cx: &mut Cx<'_>) -> Result<Option<Next>, Fault> {
        let head = match whole_frame(cx.input, self.limits.head as usize)? {
            Ok(head) => head,
            Err(missing) => return Ok(Some(Next::Need(missing))),
        };
        if !head.is_command() {
            return Err(Fault::Order);
        }
        cx.input.advance(head.head);
        let body = cx.input.cut(head.body).into_bytes();
        let command = Command::read(&body)?;
        if command.name == b"ERROR" {
            return self.refused(command.data).map(Some);
        }
        let Phase::Handshake(handshake) = &mut self.phase else { return Ok(None) };
        let local = LocalSide { settings: &self.settings, authenticate: self.authenticate };
        let progress = handshake.command(&local, command, cx.out.tail());
        self.progress(cx, progress)
    }

    /// The peer refuses this side; returns the reason that it gave.
    #[cold]
    fn refused(&mut self, data: &[u8]) -> Result<Next, Fault> {
        let reason = command::error_reason(data)?;
        let code = match &reason[..] {
            "400" => Code::Unauthenticated,
            "300" => Code::Unavailable,
            _ => Code::PermissionDenied,
        };
        self.phase = Phase::Closing(None);
        let status = Status::new(code, format!("the peer refused the connection: {reason}"));
        Ok(Next::Lost(status.with_origin(Origin::Remote)))
    }

    fn progress(
        &mut self,
        cx: &mut Cx<'_>,
        progress: Result<Progress, Fault>,
    ) -> Result<Option<Next>, Fault> {
        match progress {
            Ok(Progress::Goes) => Ok(None),
            Ok(Progress::Asks(shown)) => {
                self.shown = shown;
                let phase = std::mem::replace(&mut self.phase, Phase::Closing(None));
                if let Phase::Handshake(handshake) = phase {
                    self.phase = Phase::Verdict(handshake);
                }
                Ok(Some(Next::Authenticate))
            }
            Ok(Progress::Done(done)) => self.begin_traffic(cx, done).map(Some),
            Err(fault) => {
                // "Wrong type: RFC says ERROR then close"
                if fault == Fault::SocketType {
                    command::put_error(cx.out.tail(), "incompatible socket type");
                }
                Err(fault)
            }
        }
    }

    fn begin_traffic(&mut self, cx: &mut Cx<'_>, done: Done) -> Result<Next, Fault> {
        let Done { peer, session } = done;
        self.socket = self.settings.socket_for(peer.kind).ok_or(Fault::SocketType)?;
        let max = self.limits.max_message as usize;
        self.session = session.map(|session| {
            self.assembly = Assembly::new(max + Session::OVERHEAD, 1);
            Box::new(Sealed { session: *session, assembly: Assembly::new(max, self.settings.max_frames) })
        });
        self.handshake_by = None;
        let ttl = self.settings.heartbeat_ttl;
        self.heartbeat = Heartbeat::begin(&self.limits.keepalive, ttl, self.minor > 0, cx.now);
        self.phase = Phase::Traffic;
        self.lent = peer.identity.into();
        self.said = peer.all.into();
        let early = self.early.take();
        if !early.is_empty() {
            self.put_messages(cx, early);
        }
        Ok(Next::Peer(peer.kind))
    }

    #[inline]
    fn traffic(&mut self, cx: &mut Cx<'_>) -> Result<Next, Fault> {
        if cx.input.len() > self.rested {
            self.heartbeat.on_received();
        }
        if let Some(kind) = self.announce.take() {
            return Ok(Next::Peer(kind));
        }
        if let Some(credit) = self.pushes.reopened(cx.out) {
            return Ok(Next::Credit(credit));
        }
        loop {
            if self.is_full(cx) {
                return Ok(Next::Blocked);
            }
            let next = match self.assembly.next(cx.input, self.burst())? {
                Front::Need(missing) => Some(Next::Need(missing)),
                Front::Messages(messages, others) if self.session.is_none() => {
                    self.messages(cx, messages, others)?
                }
                Front::Messages(sealed, _) => self.unseal(cx, sealed)?,
                Front::Command(head) => self.command_frame(cx, head)?,
            };
            if let Some(next) = next {
                return Ok(next);
            }
        }
    }

    /// Whether reading has to wait until something was granted, answered, or sent.
    #[inline]
    fn is_full(&self, cx: &Cx<'_>) -> bool {
        let Credit { bytes, messages } = self.ungranted;
        messages >= self.limits.high_water.max(1)
            || bytes >= self.limits.window.max(1)
            || (self.role == Role::Server
                && self.pending.len() > 0
                && self.pending.len() >= self.limits.exchanges.max(1) as usize)
            || (cx.out.room() == 0 && self.answers())
    }

    /// How much may be delivered at once: one message, where the machine looks at each message.
    #[inline]
    fn burst(&self) -> Credit {
        let socket = &self.socket;
        if socket.delivery != Delivery::Messages || socket.kind.publishes() || self.session.is_some() {
            return Credit { bytes: u32::MAX, messages: 1 };
        }
        Credit {
            bytes: self.limits.window.saturating_sub(self.ungranted.bytes),
            messages: self.settings.burst.min(self.limits.high_water.saturating_sub(self.ungranted.messages)),
        }
    }

    /// Bytes of the message that is arriving which have left the input.
    fn assembled(&self) -> usize {
        self.assembly.held() + self.session.as_ref().map_or(0, |sealed| sealed.assembly.held())
    }

    /// Whether received messages make this side write: then a peer that does not read is not read either.
    fn answers(&self) -> bool {
        self.socket.delivery != Delivery::Messages && self.role == Role::Server
    }

    /// Opens a frame whose only content is a sealed one.
    fn unseal(&mut self, cx: &mut Cx<'_>, sealed: IoBuf) -> Result<Option<Next>, Fault> {
        for (body, _) in Frames::of(sealed) {
            if let Some(next) = self.unseal_body(cx, body)? {
                return Ok(Some(next)); // a sealed message is one frame
            }
        }
        Ok(None)
    }

    fn unseal_body(&mut self, cx: &mut Cx<'_>, body: Bytes) -> Result<Option<Next>, Fault> {
        let mut body = Vec::from(body);
        let Sealed { session, assembly } = &mut **self.session.as_mut().ok_or(Fault::Order)?;
        let (flags, data) = session.open(&mut body)?;
        if flags & frame::COMMAND != 0 {
            let command = Bytes::copy_from_slice(data);
            return self.command(cx, command);
        }
        let mut rebuilt = BytesMut::with_capacity(MAX_HEAD + data.len());
        frame::put(&mut rebuilt, flags, data);
        match assembly.push(rebuilt.into(), flags & MORE != 0)? {
            Some(message) => self.messages(cx, message, 0),
            None => Ok(None),
        }
    }

    fn command_frame(&mut self, cx: &mut Cx<'_>, head: Head) -> Result<Option<Next>, Fault> {
        // A peer that asks and does not read must not fill memory: its requests wait.
        if cx.out.room() == 0 {
            return Ok(Some(Next::Blocked));
        }
        cx.input.advance(head.head);
        let body = cx.input.cut(head.body).into_bytes();
        if self.session.is_some() {
            return self.unseal_body(cx, body);
        }
        self.command(cx, body)
    }

    /// Handles a command after the handshake; unknown ones are ignored.
    fn command(&mut self, cx: &mut Cx<'_>, body: Bytes) -> Result<Option<Next>, Fault> {
        let Command { name, data } = Command::read(&body)?;
        match name {
            b"PING" => {
                let context = self.heartbeat.ping(data, cx.now)?;
                self.put_command(cx, "PONG", context)?;
                Ok(None)
            }
            b"SUBSCRIBE" | b"CANCEL" if self.socket.kind.publishes() => {
                let at = body.len() - data.len();
                self.topic(name == b"SUBSCRIBE", body.slice(at..))
            }
            b"ERROR" => self.refused(data).map(Some),
            _ => Ok(None),
        }
    }

    fn topic(&mut self, on: bool, topic: Bytes) -> Result<Option<Next>, Fault> {
        if topic.len() > self.settings.max_topic as usize {
            return Err(Fault::TooLarge);
        }
        self.lent = topic;
        Ok(Some(Next::Topic(on)))
    }

    /// A whole message, and where messages are only passed on others after it.
    #[inline]
    fn messages(&mut self, cx: &mut Cx<'_>, message: IoBuf, others: u32) -> Result<Option<Next>, Fault> {
        match self.socket.delivery {
            Delivery::Messages if self.socket.kind.publishes() => self.upward(message),
            Delivery::Messages if self.socket.kind.receives() => Ok(Some(self.deliver(message, others))),
            Delivery::Messages => Ok(None),
            Delivery::Calls | Delivery::Handler if self.role == Role::Server => Ok(self.request(cx, message)),
            Delivery::Calls | Delivery::Handler => {
                Ok(calls::read_reply(message).map(|(exchange, outcome)| Next::Reply(exchange, outcome)))
            }
        }
    }

    #[inline]
    fn deliver(&mut self, messages: IoBuf, others: u32) -> Next {
        self.ungranted.messages += 1 + others;
        self.ungranted.bytes = self.ungranted.bytes.saturating_add(messages.len() as u32);
        Next::Messages(messages, others)
    }

    /// Handles a message from a subscriber: "A publisher must accept both forms from every peer."
    fn upward(&mut self, message: IoBuf) -> Result<Option<Next>, Fault> {
        let mut frames = Frames::of(message.clone());
        let Some((first, more)) = frames.next() else { return Ok(None) };
        match first.first() {
            Some(&form @ (0 | 1)) if !more => self.topic(form == 1, first.slice(1..)),
            _ if self.socket.kind == Kind::XPub => Ok(Some(self.deliver(message, 0))),
            _ => Ok(None), // "other messages sent up by SUB are dropped by PUB"
        }
    }

    /// "a REQ-side message without the empty delimiter is dropped by REP"
    fn request(&mut self, cx: &mut Cx<'_>, mut message: IoBuf) -> Option<Next> {
        let envelope = calls::take_envelope(&mut message)?;
        let plain = self.socket.delivery == Delivery::Handler;
        let mut wants = if plain { Wants::Frames } else { Wants::Body };
        let announced = Some(message.len());
        let (asked, admitted) = if plain {
            let asked = Asked { body: message, content: Content::RAW, timeout: None, relays: 0 };
            let admitted = cx.host.admit(&call_head(HANDLER, &asked), announced);
            (asked, admitted)
        } else {
            let Some(request) = Request::read(message) else {
                let status = Status::invalid_argument("a call is service/method, body and perhaps words");
                self.refuse(cx, envelope, wants, status);
                return None;
            };
            let Some((service, method)) = calls::names(&request.target) else {
                self.refuse(
                    cx,
                    envelope,
                    wants,
                    Status::invalid_argument("the target is not of the form service/method"),
                );
                return None;
            };
            let Request { body, content, timeout, relays, .. } = &request;
            wants = request.wants;
            let asked =
                Asked { body: body.clone().into(), content: *content, timeout: *timeout, relays: *relays };
            let target = Target::Method { service, method };
            let admitted = cx.host.admit(&call_head(target, &asked), announced);
            self.lent = request.target;
            (asked, admitted)
        };
        match admitted {
            Ok(route) if asked.body.len() > route.max_message as usize => {
                cx.host.withdraw(route, announced);
                self.refuse(cx, envelope, wants, Status::resource_exhausted("the request is too long"));
                None
            }
            Ok(route) => Some(Next::Call(self.pending.insert(envelope, wants), route, asked)),
            Err(status) => {
                self.refuse(cx, envelope, wants, status);
                None
            }
        }
    }

    /// Answers a request that reached no handler.
    #[cold]
    fn refuse(&mut self, cx: &mut Cx<'_>, envelope: IoBuf, wants: Wants, status: Status) {
        let exchange = self.pending.insert(envelope, wants);
        self.reply(cx, exchange, &status.into());
    }

    fn reply(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: &Outcome) {
        if self.session.is_none() {
            return self.pending.reply(exchange, outcome, cx.out);
        }
        let mut clear = polywire_base::Output::default();
        self.pending.reply(exchange, outcome, &mut clear);
        self.put_messages(cx, clear.take());
    }

    fn put_command(&mut self, cx: &mut Cx<'_>, name: &str, data: &[u8]) -> Result<(), Fault> {
        match &mut self.session {
            None => command::put(cx.out.tail(), name, data),
            Some(sealed) => {
                let length = [name.len() as u8];
                let body = [&length[..], name.as_bytes(), data];
                sealed.session.seal(cx.out.tail(), frame::COMMAND, &body)?;
            }
        }
        Ok(())
    }

    /// Writes messages that are in wire form.
    #[inline]
    fn put_messages(&mut self, cx: &mut Cx<'_>, messages: IoBuf) {
        if self.session.is_none() && !self.socket.kind.subscribes() {
            return cx.out.share(&messages);
        }
        self.put_frames(cx, messages);
    }

    /// Writes messages frame by frame: sealed, and subscriptions in the form that the peer's version knows.
    fn put_frames(&mut self, cx: &mut Cx<'_>, messages: IoBuf) {
        let mut first = true;
        for (body, more) in Frames::of(messages) {
            let alone = std::mem::replace(&mut first, !more) && !more;
            let form = body.first().filter(|form| **form < 2);
            let written = match (form, &mut self.session) {
                (Some(&form), _) if alone && self.minor > 0 && self.socket.kind.subscribes() => {
                    let name = if form == 1 { "SUBSCRIBE" } else { "CANCEL" };
                    self.put_command(cx, name, &body[1..])
                }
                (_, Some(sealed)) => {
                    sealed.session.seal(cx.out.tail(), if more { MORE } else { 0 }, &[&body])
                }
                (_, None) => {
                    frame::put_head(cx.out.tail(), if more { MORE } else { 0 }, body.len());
                    cx.out.push(body);
                    Ok(())
                }
            };
            if written.is_err() {
                self.phase = Phase::Closing(None); // the nonces of a session are used up
                return;
            }
        }
    }
}

/// The frame at the front, if it is whole; else how much it lacks.
fn whole_frame(input: &mut IoBuf, most: usize) -> Result<Result<Head, usize>, Fault> {
    let here = input.len();
    let Some(head) = read_head(input, most)? else {
        let long = input.front().first().is_some_and(|flags| flags & frame::LONG != 0);
        return Ok(Err(if long { MAX_HEAD } else { 2 } - here));
    };
    Ok(if head.total() > here { Err(head.total() - here) } else { Ok(head) })
}

fn call_head<'t>(target: Target<'t>, asked: &Asked) -> CallHead<'t> {
    CallHead {
        target,
        timeout: asked.timeout,
        attachment: 0,
        content: asked.content,
        compression: Compression::NONE,
        accepts: Compressions::NONE,
        sender: Default::default(),
        dialect: Default::default(),
        raw: relays::raw(asked.relays),
        ids: true,
    }
}

impl Machine for Zmtp {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        let next = match self.next(cx) {
            Ok(next) => next,
            Err(fault) => {
                self.phase = Phase::Closing(None);
                return Err(fault.into());
            }
        };
        self.rested = cx.input.len();
        Ok(Step::Event(match next {
            Next::Messages(bytes, others) => Event::Part {
                exchange: Exchange::CONNECTION,
                part: Part { bytes, end_of_message: true, others, ..Part::default() },
            },
            Next::Call(exchange, route, asked) => {
                let target = match self.socket.delivery {
                    Delivery::Handler => HANDLER,
                    Delivery::Calls | Delivery::Messages => {
                        let (service, method) = calls::names(&self.lent).unwrap_or_default();
                        Target::Method { service, method }
                    }
                };
                let head = call_head(target, &asked);
                Event::Open(Open { exchange, route, head, body: asked.body, finished: true, streams: &[] })
            }
            Next::Reply(exchange, outcome) => Event::Finish { exchange, outcome },
            Next::Credit(credit) => Event::Credit { exchange: Exchange::CONNECTION, credit },
            Next::Topic(on) => Event::Notice(Notice::Topic { on, topic: &self.lent }),
            Next::Peer(kind) => Event::Notice(Notice::Peer {
                kind: kind.name(),
                identity: &self.lent,
                properties: &self.said,
            }),
            Next::Authenticate => {
                let Shown { scheme, user, credential } = &self.shown;
                Event::Authenticate(Claim {
                    user: user.as_deref(),
                    ..Claim::new(scheme, credential.as_deref())
                })
            }
            Next::Lost(why) => Event::Reset { exchange: Exchange::CONNECTION, why },
            Next::Need(missing) => return Ok(Step::Need(missing)),
            Next::Blocked => return Ok(Step::Blocked),
            Next::Closed => return Ok(Step::Closed),
        }))
    }

    #[inline]
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, mut outcome: Outcome) {
        outcome.join_fields();
        self.reply(cx, exchange, &outcome);
    }

    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        if self.role == Role::Server || self.socket.delivery == Delivery::Messages {
            return Err(Refusal::WrongRole);
        }
        if self.has_credential {
            return Err(Refusal::Credential);
        }
        if !call.finished || call.streamed || !call.streams.is_empty() {
            return Err(Refusal::Unsupported);
        }
        match (&self.phase, &self.session) {
            _ if self.draining => return Err(Refusal::Draining),
            (Phase::Closing(_), _) => return Err(Refusal::Draining),
            (Phase::Traffic, None) => calls::put_call(cx.out, exchange, call),
            (Phase::Traffic, Some(_)) => {
                let mut clear = polywire_base::Output::default();
                calls::put_call(&mut clear, exchange, call);
                self.put_messages(cx, clear.take());
            }
            _ if self.early.len() >= self.limits.backlog as usize => return Err(Refusal::Full),
            (Phase::Fresh | Phase::Greeting | Phase::Handshake(_) | Phase::Verdict(_), _) => {
                calls::put_call(&mut self.early, exchange, call);
            }
        }
        Ok(Credit::OPEN)
    }

    /// Messages of a socket, one or more in wire form. Before the handshake is over there is no peer to send
    /// to.
    #[inline]
    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        if exchange != Exchange::CONNECTION || !matches!(self.phase, Phase::Traffic) {
            return Credit::CLOSED;
        }
        self.put_messages(cx, part.bytes.clone());
        self.pushes.credit(cx.out)
    }

    fn grant(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, bytes: usize, messages: u32) {
        if exchange == Exchange::CONNECTION {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            self.ungranted.bytes = self.ungranted.bytes.saturating_sub(bytes);
            self.ungranted.messages = self.ungranted.messages.saturating_sub(messages);
            if self.ungranted.messages == 0 {
                self.ungranted.bytes = 0; // what did not fit the counter is gone as well
            }
        }
    }

    /// A request that is cancelled here is answered in any case, because a REQ socket may not do anything
    /// else before. ZMTP has no message with which a caller cancels a call.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        if self.role == Role::Server {
            let why = if why.is_ok() { Status::cancelled("the call was given up") } else { why };
            self.reply(cx, exchange, &why.into());
        }
    }

    fn authenticated(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        self.shown = Shown::default();
        let Phase::Verdict(mut handshake) = std::mem::replace(&mut self.phase, Phase::Closing(None)) else {
            return;
        };
        if let Err(status) = verdict {
            // "ERROR with a 3-digit ZAP code"
            let code = match status.code() {
                Code::Unavailable | Code::DeadlineExceeded => "300",
                Code::Internal => "500",
                _ => "400",
            };
            return command::put_error(cx.out.tail(), code);
        }
        let local = LocalSide { settings: &self.settings, authenticate: self.authenticate };
        let progress = handshake.accepted(&local, cx.out.tail());
        self.phase = Phase::Handshake(handshake);
        match self.progress(cx, progress) {
            Ok(None) => {}
            Ok(Some(Next::Peer(kind))) => self.announce = Some(kind),
            Ok(Some(_)) | Err(_) => self.phase = Phase::Closing(None),
        }
    }

    fn resume(&mut self, cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        match why {
            Wake::Deadline if matches!(self.phase, Phase::Traffic) => {
                let deaf = self.assembly.awaits_long_frame() || self.is_full(cx);
                if let Some(ttl) = self.heartbeat.tick(cx.now, deaf)? {
                    self.put_command(cx, "PING", &ttl.to_be_bytes())?;
                }
            }
            Wake::Deadline if self.handshake_by.is_some_and(|at| at <= cx.now) => {
                return Err(Fault::Silent.into());
            }
            Wake::Deadline | Wake::Room | Wake::Eof => {}
        }
        Ok(())
    }

    /// ZMTP has no message that announces the end: received requests are answered, then the connection
    /// closes.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, phase: Goodbye) {
        self.draining = true;
        if phase == Goodbye::Close {
            self.phase = Phase::Closing(None);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.handshake_by.into_iter().chain(self.heartbeat.deadline()).min()
    }

    fn vacancies(&self) -> u32 {
        if self.role == Role::Server || self.draining { 0 } else { u32::MAX }
    }

    fn is_receiving(&self) -> bool {
        self.assembled() > 0
    }

    fn held(&self) -> usize {
        self.assembled() + self.pending.held() + self.early.len()
    }
}
