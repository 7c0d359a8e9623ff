//! Turns requests into calls.
//!
//! Admission comes before the body: `Host::admit` is asked once header and meta are here, and its verdict is
//! kept in [`Inward::Payload`] or [`Inward::Skip`] while the payload arrives. In the common case all of a
//! request is in the first segment and becomes an `Open` in one pass.

use super::machine::{Inward, Pbrpc};
use super::{Dialect, Extension, Extra, Frame, Front};
use polywire_call::{Status, brpc};
use polywire_wire::{Claim, Cx, Event, Exchange, Head, Open, Route, Step, WireError};
use std::time::Duration;

impl<W: Dialect> Pbrpc<W> {
    /// Takes the next request, or returns what is missing. Hot: once per request.
    #[inline]
    pub(super) fn poll_server<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        // Each arm writes to where the caller wants the step, which is large and would otherwise be moved out
        // of the match.
        match self.next_request(cx)? {
            Found::Request => Ok(Step::Event(Event::Open(self.open_request(cx)))),
            Found::Extension => W::Extension::poll(self, cx),
            Found::Unauthenticated => Ok(Step::Event(self.claim())),
            Found::Need(missing) => Ok(Step::Need(missing)),
            Found::Blocked => Ok(Step::Blocked),
            Found::Closed => Ok(Step::Closed),
        }
    }

    /// Reads up to the end of the next request. The result borrows nothing, so that a caller that reads its
    /// own frames in between can call this again.
    #[inline(always)]
    pub fn next_request(&mut self, cx: &mut Cx<'_>) -> Result<Found, WireError> {
        loop {
            match self.inward {
                Inward::Frame => {
                    if cx.out.room() == 0 || self.running >= self.limits.calls.max(1) {
                        // A peer that does not read its replies gets no more of them.
                        return Ok(Found::Blocked);
                    }
                    let frame = match Frame::peek::<W>(cx.input, self.limits.max_message)? {
                        Front::Frame(frame) => frame,
                        Front::Need(missing) => return Ok(Found::Need(missing)),
                        Front::Foreign => return Ok(Found::Extension), // there may be several protocols on it
                    };
                    if self.authenticate {
                        return self.ask_for_credential(cx, &frame);
                    }
                    match self.admit(cx, &frame)? {
                        Admitted::Plain => cx.input.advance(frame.head_bytes::<W>()),
                        Admitted::Streams => {
                            cx.input.advance(frame.head_bytes::<W>());
                            self.inward = Inward::Payload;
                            return Ok(Found::Extension);
                        }
                        Admitted::Refused(status) => {
                            self.skip_frame(cx, &frame);
                            self.refuse(cx, self.message.correlation_id, status);
                            continue;
                        }
                    }
                }
                Inward::Payload => {}
                Inward::Skip(left) => {
                    if !self.skip(cx, left) {
                        return Ok(Found::Need(1)); // one byte: whatever comes is thrown away, never gathered
                    }
                    continue;
                }
                Inward::Verdict { .. } => return Ok(Found::Blocked),
                Inward::Closed => return Ok(Found::Closed),
            }
            let payload_bytes = self.message.payload_bytes;
            if cx.input.len() < payload_bytes {
                self.inward = Inward::Payload;
                return Ok(Found::Need(payload_bytes - cx.input.len()));
            }
            if self.message.is_intact(cx.input) {
                break;
            }
            cx.host.withdraw(self.message.route, Some(payload_bytes));
            self.inward = Inward::Skip(payload_bytes);
            let status = brpc::status(brpc::EREQUEST, "Fail to verify checksum");
            self.refuse(cx, self.message.correlation_id, status);
        }
        self.inward = Inward::Frame;
        Ok(Found::Request)
    }

    /// The event for the request that was found.
    #[inline(always)]
    pub fn open_request<'a>(&'a mut self, cx: &mut Cx<'_>) -> Open<'a> {
        self.running += 1;
        Open {
            exchange: Exchange { token: self.message.correlation_id, slot: Exchange::UNTRACKED },
            route: self.message.route,
            head: self.head(),
            body: cx.input.cut(self.message.payload_bytes),
            finished: true,
            streams: &[],
        }
    }

    /// The event for the peer whose first frame was found.
    #[cold]
    pub fn claim(&self) -> Event<'_> {
        let (_, credential) = W::credential(&self.raw).unwrap_or_default(); // it was read before
        let credential = Some(credential).filter(|credential| !credential.is_empty());
        let readable = self.inward == Inward::Verdict { readable: true };
        let head = readable.then(|| self.head());
        Event::Authenticate(Claim { head, ..Claim::new(W::NAME, credential) })
    }

    /// Reads the meta into `message` and asks for admission.
    #[inline]
    fn admit(&mut self, cx: &mut Cx<'_>, frame: &Frame) -> Result<Admitted, WireError> {
        let payload_bytes = frame.payload_bytes;
        let raw = frame.meta::<W>(cx.input);
        // "meta does not parse (garbage, missing required name): close, no reply"
        let extra = match self.wire.read_request(raw, payload_bytes, &mut self.message)? {
            Ok(extra) => extra,
            Err(status) => {
                self.extension.offered(raw, self.limits)?; // it may offer streams all the same, and is refused in their words then
                return Ok(Admitted::Refused(status));
            }
        };
        self.keep_raw(if extra == Extra::Nothing { &[] } else { raw });
        if extra == Extra::Streams {
            self.extension.offered(raw, self.limits)?;
        }
        Ok(match self.ask(cx) {
            Err(status) => Admitted::Refused(status),
            Ok(()) if extra == Extra::Streams => Admitted::Streams,
            Ok(()) => Admitted::Plain,
        })
    }

    /// Asks the host about the request in `message`.
    #[inline]
    fn ask(&mut self, cx: &mut Cx<'_>) -> Result<(), Status> {
        let payload_bytes = self.message.payload_bytes;
        let route = cx.host.admit(&self.head(), Some(payload_bytes))?;
        if payload_bytes > route.max_message as usize {
            cx.host.withdraw(route, Some(payload_bytes));
            return Err(too_large(payload_bytes, route));
        }
        self.message.route = route;
        Ok(())
    }

    #[inline]
    pub fn head(&self) -> Head<'_> {
        let timeout_ms = self.message.timeout_ms;
        Head {
            target: self.wire.target(),
            timeout: (timeout_ms > 0).then(|| Duration::from_millis(u64::from(timeout_ms))),
            attachment: self.message.attachment,
            content: self.message.content,
            compression: self.message.compression,
            accepts: W::COMPRESSIONS,
            sender: Default::default(),
            dialect: Default::default(),
            raw: &self.raw,
            ids: true,
        }
    }

    /// The first frame of a connection whose peer has to authenticate. The frame is read again after the
    /// verdict.
    #[cold]
    fn ask_for_credential(&mut self, cx: &mut Cx<'_>, frame: &Frame) -> Result<Found, WireError> {
        let raw = frame.meta::<W>(cx.input);
        let (correlation_id, _) = W::credential(raw)?;
        let readable = self.wire.read_request(raw, frame.payload_bytes, &mut self.message)?.is_ok();
        self.keep_raw(raw);
        self.authenticate = false;
        self.inward = Inward::Verdict { readable };
        self.message.correlation_id = correlation_id;
        Ok(Found::Unauthenticated)
    }
}

/// The finding at the front of a server's input.
pub(crate) enum Found {
    /// A complete request.
    Request,
    /// A frame that belongs to no call, or a call that offers streams and whose payload has not been read.
    Extension,
    /// A peer that has to authenticate.
    Unauthenticated,
    Need(usize),
    Blocked,
    Closed,
}

/// The verdict on a request.
enum Admitted {
    Plain,
    Streams,
    Refused(Status),
}

#[cold]
fn too_large(payload: usize, route: Route) -> Status {
    let limit = route.max_message;
    brpc::status(brpc::EREQUEST, format!("The message of {payload} bytes exceeds the limit of {limit}"))
}
