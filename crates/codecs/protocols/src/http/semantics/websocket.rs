//! WebSocket at a server: requests that ask for it, and calls of services over it.
//!
//! ```text
//!  asks ──► admit ──► method takes over connections ──► Open ──► Answer 101 ──► parts are bytes of the other protocol
//!             │                                            └───► any other answer: it stays HTTP
//!             └─────► call over WebSocket ──► 101 ──► frames ──► messages as of any dialect
//! ```
//!
//! Limits: a message of a call is as long as its method allows; frames are taken whole, so that the windows
//!         and the room of `assembly.rs` hold for them as for other messages. Pongs are left out while the
//!         peer does not read: RFC 6455 5.5.3 allows to answer the most recent Ping alone.
//! Not here: frames (`http/websocket/`).

use super::{
    BodyEnd, Found, ReplyBody, ReplyState, Semantics,
    body::Bad,
    reply::{OK, joined},
    socket::Socket,
};
use crate::http::{
    dialects::connect,
    framing::{Framing, Own, Reply},
    websocket::{
        self, Close, Header, Item, Limits, MAX_HEADER, Reader, calls, code,
        handshake::{self, Asked, Wrong},
        opcode,
    },
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Origin, Status};
use polywire_wire::{Credit, Cx, Delivery, Outcome, Role, Sender, WireError};

/// The fields that name the next protocol. RFC 9110 7.8
const UPGRADE: Own<'static> = &[("connection", b"Upgrade"), ("upgrade", b"websocket")];

/// The fields of [`UPGRADE`], and the supported version.
const REQUIRED: Own<'static> = &[
    ("connection", b"Upgrade"),
    ("upgrade", b"websocket"),
    (handshake::VERSION, handshake::VERSION_13.as_bytes()),
];

impl<F: Framing> Semantics<F> {
    /// An admitted request asks for WebSocket: holds what follows it, if its method may take over the
    /// connection, and accepts a call. Returns whether the body has ended; `None`: it was refused.
    #[cold]
    pub(super) fn hold_for_websocket(&mut self, cx: &mut Cx<'_>, slot: u32, end: bool) -> Option<bool> {
        let call = &self.calls[slot as usize];
        let is_call = call.form.kind == super::Kind::WebSocket;
        let connects = self.framing.head(slot).connects;
        let (upgrades, sender) = (call.server.route.upgrades, call.sender);
        if !is_call && !upgrades {
            if connects {
                let why = Status::unimplemented("nothing takes over a stream here");
                self.withdraw(cx, slot);
                self.refuse(cx, slot, &why.with_native(Native::Http(501)), None);
                return None;
            }
            return Some(end); // RFC 9110 7.8: "A server MAY ignore a received Upgrade header field"
        }
        if let Some(why) = self.why_not(slot, sender) {
            self.withdraw(cx, slot);
            self.refuse(cx, slot, &why, None);
            return None;
        }
        self.framing.hold(slot);
        let longest = self.longest(slot);
        let call = &mut self.calls[slot as usize];
        (call.server.upgrades, call.body.end) = (true, BodyEnd::Coming);
        if is_call {
            let limits = Limits { message: longest, frame: longest };
            let reader = Reader::new(Role::Server, limits);
            call.body.socket = Some(Box::new(Socket { reader, is_ended: false, is_over: false }));
            call.flow.since = Some(cx.now);
            self.accept(cx, slot);
        }
        Some(false)
    }

    /// The reason for refusing a request for WebSocket. A request from a foreign page is always refused,
    /// since browsers let every page make one.
    fn why_not(&self, slot: u32, sender: Sender) -> Option<Status> {
        if sender != Sender::Allowed {
            let text = "pages of this origin may not open a WebSocket: say Origins::allow(..)";
            return Some(Status::permission_denied(text).with_native(Native::Http(403)));
        }
        let (text, status) = match self.asked_of(slot).wrong(F::UPGRADES)? {
            Wrong::Version => ("WebSocket of version 13 is spoken here", 426),
            Wrong::Key => ("bad or missing sec-websocket-key", 400),
        };
        Some(Status::invalid_argument(text).with_native(Native::Http(status)))
    }

    /// The error for a client that asks for WebSocket on the path of a method, where WebSocket calls are
    /// served, and offers neither of their subprotocols: its verb alone matches no method.
    #[cold]
    pub(super) fn without_subprotocol(&self, cx: &mut Cx<'_>, slot: u32) -> Option<Status> {
        let (block, call) = (self.framing.head(slot), &self.calls[slot as usize]);
        if !block.upgrade || !self.websockets.calls || call.form.kind != super::Kind::Plain {
            return None;
        }
        let head = calls::FORM.head(block, call.server.timeout, call.sender);
        let route = cx.host.admit(&head, None).ok()?;
        cx.host.withdraw(route, None);
        let text = format!(
            "a call over WebSocket has to offer the subprotocol {} or {} (sec-websocket-protocol)",
            calls::JSON,
            calls::PROTO
        );
        Some(Status::invalid_argument(text).with_native(Native::Http(400)))
    }

    fn asked_of(&self, slot: u32) -> Asked {
        let mut asked = Asked::default();
        F::fields(&self.framing.head(slot).raw, &mut |name, value| asked.field(name, value));
        asked
    }

    /// The fields of a reply that requires another protocol.
    pub(super) fn required(&self) -> Own<'static> {
        if F::UPGRADES { REQUIRED } else { &REQUIRED[2..] }
    }

    /// Sends the head after which the other protocol begins.
    fn begin_other(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        subprotocol: Option<&str>,
        fields: Option<&Metadata>,
    ) {
        let accept = handshake::accept(&self.asked_of(slot).key);
        let mut own: Vec<(&'static str, &[u8])> = Vec::new();
        if F::UPGRADES {
            own.extend_from_slice(UPGRADE);
            own.push((handshake::ACCEPT, accept.as_bytes()));
        }
        own.extend(subprotocol.map(|name| (handshake::PROTOCOL, name.as_bytes())));
        self.calls[slot as usize].reply = ReplyState::Begun(ReplyBody::Open);
        let status = if F::UPGRADES { 101 } else { 200 };
        self.head(cx, slot, &Reply { status, own: &own, fields, ..OK }, false);
    }

    /// The method answers 101.
    #[cold]
    pub(super) fn switch(&mut self, cx: &mut Cx<'_>, slot: u32, fields: Option<&Metadata>) -> Credit {
        if !self.calls[slot as usize].server.upgrades {
            let why = Status::failed_precondition("WebSocket is spoken here: the request has to ask for it");
            return self.break_answer(cx, slot, why.with_native(Native::Http(426)));
        }
        self.begin_other(cx, slot, None, fields);
        self.credit_or_stall(slot, 0)
    }

    /// Handles another answer of the method: no more of the request is read.
    #[inline]
    pub(super) fn stay(&mut self, slot: u32) {
        let call = &mut self.calls[slot as usize];
        if std::mem::take(&mut call.server.upgrades) && F::UPGRADES {
            call.body.end = BodyEnd::Here;
            self.deliver.push_back(slot);
        }
    }

    /// Accepts a call.
    fn accept(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let name = calls::name(&self.calls[slot as usize].form);
        self.begin_other(cx, slot, Some(name), None);
    }

    /// Bytes of a call over WebSocket.
    pub(super) fn frames_in(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: IoBuf, end: bool) -> Option<Found> {
        let body = &mut self.calls[slot as usize].body;
        body.bytes.append(bytes);
        body.socket.as_mut()?.is_over |= end;
        self.frames(cx, slot)
    }

    /// Reads frames up to the next message, or the end, if the application has asked for it.
    pub(super) fn frames(&mut self, cx: &mut Cx<'_>, slot: u32) -> Option<Found> {
        loop {
            let call = &mut self.calls[slot as usize];
            call.exchange?;
            let whole = call.server.route.delivery == Delivery::Whole;
            let waits = call.is_waiting() || !whole && call.flow.demand == 0;
            let socket = call.body.socket.as_mut()?;
            if waits && !socket.is_ended {
                return None;
            }
            let held = socket.reader.held();
            let length = match socket.reader.next_frame(&mut call.body.bytes) {
                Ok(Some(length)) => usize::try_from(length).unwrap_or(usize::MAX),
                Ok(None) if socket.is_over => return self.gone(cx, slot, None),
                Ok(None) => {
                    if socket.reader.is_inside() {
                        self.open_window_for(cx.now, slot, held + MAX_HEADER); // what has come of it is granted at its end
                    }
                    return None;
                }
                Err(fault) => return self.wrong(cx, slot, fault.into(), fault.close()),
            };
            if call.body.bytes.len() < length {
                if socket.is_over {
                    return self.gone(cx, slot, None);
                }
                self.open_window_for(cx.now, slot, held + length);
                return None;
            }
            let mut frame = call.body.bytes.cut(length);
            match socket.reader.next(&mut frame) {
                Err(fault) => return self.wrong(cx, slot, fault.into(), fault.close()),
                Ok(None) => {
                    let kept = socket.reader.held() - held;
                    self.give_back(slot, length - kept);
                }
                Ok(Some(Item::Message { text: true, bytes })) if calls::is_end(&bytes) => {
                    self.give_back(slot, length + held);
                    self.leave(slot);
                    if !std::mem::replace(&mut self.socket(slot)?.is_ended, true) {
                        if whole {
                            return self.bad(cx, slot, Bad::Missing);
                        }
                        self.calls[slot as usize].body.end = BodyEnd::Delivered;
                        self.deliver.push_back(slot);
                        return Some(Found::Part { slot, end_of_message: false, finished: true });
                    }
                }
                Ok(Some(Item::Message { text, bytes })) => {
                    self.give_back(slot, length + held - bytes.len());
                    return self.message_of_frames(cx, slot, text, bytes.into(), whole);
                }
                Ok(Some(Item::Ping(payload))) => {
                    self.give_back(slot, length);
                    self.pong(cx, slot, &payload);
                }
                Ok(Some(Item::Pong(_))) => self.give_back(slot, length),
                Ok(Some(Item::Close(close))) => return self.gone(cx, slot, Some(close)),
            }
        }
    }

    fn socket(&mut self, slot: u32) -> Option<&mut Socket> {
        self.calls[slot as usize].body.socket.as_deref_mut()
    }

    /// Handles a received message for the method.
    fn message_of_frames(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        text: bool,
        bytes: IoBuf,
        whole: bool,
    ) -> Option<Found> {
        let n = bytes.len();
        self.leave(slot);
        let call = &mut self.calls[slot as usize];
        if text != calls::is_text(&call.form) {
            let why = "the subprotocol has messages of the other kind";
            return self.wrong(cx, slot, WireError::Malformed(why), Close::new(code::UNSUPPORTED, why));
        }
        let socket = call.body.socket.as_mut()?;
        if socket.is_ended {
            let why = if whole { "more than one message where one was due" } else { "a message after #end" };
            return self.wrong(cx, slot, WireError::Malformed(why), Close::new(code::POLICY, why));
        }
        (call.body.message, call.body.has_message) = (bytes, true);
        self.deliver.push_back(slot);
        if whole {
            self.socket(slot)?.is_ended = true;
            self.give_back(slot, n); // the handler of one message does not
            self.opened(slot, true);
            return Some(Found::Open { slot, finished: true });
        }
        call.flow.demand -= 1;
        Some(Found::Message { slot, finished: false })
    }

    /// Answers a Ping, unless the peer reads so little that Pongs would pile up.
    fn pong(&mut self, cx: &mut Cx<'_>, slot: u32, payload: &[u8]) {
        let queued = self.framing.data(cx, slot, b"", &IoBuf::new(), false);
        if self.credit(queued).is_open() && cx.out.room() > 0 {
            let pong = websocket::control(opcode::PONG, payload, None);
            self.framing.data(cx, slot, b"", &pong, false);
        }
    }

    /// Handles a fault of the client: its call ends, and so does the connection if it carries nothing else.
    #[cold]
    fn wrong(&mut self, cx: &mut Cx<'_>, slot: u32, what: WireError, close: Close) -> Option<Found> {
        cx.host.wrong(&what);
        self.gone(cx, slot, Some(close))
    }

    /// The client has closed, or is closed with this reason, before its call has ended, which cancels the
    /// call.
    #[cold]
    fn gone(&mut self, cx: &mut Cx<'_>, slot: u32, close: Option<Close>) -> Option<Found> {
        self.withdraw(cx, slot);
        let told = self.calls[slot as usize].opened_exchange();
        self.end(slot);
        let (frame, text) = match &close {
            Some(close) => (websocket::close(close, None), close.reason.as_str()),
            None => (IoBuf::new(), ""),
        };
        self.framing.data(cx, slot, b"", &frame, true);
        let text = if text.is_empty() { "the client closed the WebSocket" } else { text };
        let why = Status::cancelled(text).with_origin(Origin::Remote);
        Some(Found::Reset { exchange: told?, why: why.into() })
    }

    /// Writes a message in a frame of its own.
    pub(super) fn put_frame(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: &IoBuf, end: bool) -> usize {
        let is_text = calls::is_text(&self.calls[slot as usize].form);
        let opcode = if is_text { opcode::TEXT } else { opcode::BINARY };
        let mut header = Vec::with_capacity(MAX_HEADER);
        Header { fin: true, compressed: false, opcode, mask: None, length: bytes.len() as u64 }
            .write(&mut header);
        self.framing.data(cx, slot, &header, bytes, end)
    }

    /// Sends the outcome of the handler.
    pub(super) fn finish_websocket(&mut self, cx: &mut Cx<'_>, slot: u32, outcome: &Outcome) {
        if outcome.reply {
            self.put_message(cx, slot, outcome.compression, &outcome.body, false);
        }
        let fields = joined(outcome.headers.as_deref(), outcome.trailers.as_deref());
        self.end_websocket(cx, slot, &outcome.status, fields.as_deref());
    }

    /// Sends a failure. A failed handshake shows a page no reason; so a call that is not accepted yet is
    /// accepted first, unless the page must not know the reason.
    pub(super) fn fail_websocket(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        why: &Status,
        fields: Option<&Metadata>,
    ) {
        if !self.calls[slot as usize].reply.has_begun() {
            if let Some(refusal) = self.why_not(slot, self.calls[slot as usize].sender) {
                return self.refuse(cx, slot, &refusal, None);
            }
            self.framing.hold(slot);
            self.calls[slot as usize].body.end = BodyEnd::Coming;
            self.accept(cx, slot);
        }
        self.end_websocket(cx, slot, why, fields);
    }

    fn end_websocket(&mut self, cx: &mut Cx<'_>, slot: u32, status: &Status, fields: Option<&Metadata>) {
        let last = last_frames(status, fields, &Close::new(code::NORMAL, ""));
        self.framing.data(cx, slot, b"", &last, true);
        self.done(cx, slot);
    }

    /// Informs callers that wait for the end of a call that this side closes the connection.
    #[cold]
    pub(super) fn leave_sockets(&mut self, cx: &mut Cx<'_>) {
        let why = Status::unavailable("the server goes away");
        let last = last_frames(&why, None, &Close::new(code::AWAY, why.message()));
        for slot in 0..self.calls.len() as u32 {
            let call = &self.calls[slot as usize];
            if call.exchange.is_some() && call.body.socket.is_some() {
                self.framing.data(cx, slot, b"", &last, true);
            }
        }
    }
}

/// The mark that ends a call, and the Close frame.
fn last_frames(status: &Status, fields: Option<&Metadata>, close: &Close) -> IoBuf {
    let mark = calls::end(&connect::error::end(status, fields));
    let mut last = websocket::frame(opcode::TEXT, mark.into(), None);
    last.append(websocket::close(close, None));
    last
}
