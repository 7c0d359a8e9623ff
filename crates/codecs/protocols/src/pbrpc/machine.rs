//! The connection. One type serves both roles.
//!
//! ```text
//!             frame complete: Open / Finish
//!            .-------------------------------.
//!            v                               |
//!  .--> Frame --- head here, body not yet --> Payload (of the message that `Message` describes)
//!  |     |  |
//!  |     |  `--- refused, ignored ---> Skip (payload thrown away as it comes) --> Frame
//!  |     `------ first frame, credential wanted ---> Verdict --- refused ---> Closed
//!  `----------------------------------------- accepted --'
//!
//!  goodbye(Close), or a handler's ECLOSE: any state --> Closed
//! ```
//!
//! A request is identified by its correlation id, which is passed in [`Exchange::token`] to `finish` and back
//! to the peer. At the client the dispatcher has chosen the token; its low half is the slot. So no state is
//! kept per call. A server counts its calls, and reads nothing more while `Limits::calls` are under way;
//! `backlog.rs` limits their replies. Features besides calls (streams of baidu_std) are an [`Extension`].

use super::{Dialect, Extension, Frame, Message, TooLong};
use crate::backlog;
use polywire_call::{Status, brpc};
use polywire_wire::{
    Answer, Credit, Cx, Exchange, Goodbye, Limits, Machine, Outcome, Outgoing, Part, Refusal, Role, Setup,
    Step, Validity, Wake, WireError,
};
use std::time::Instant;

/// The state of one connection with one of these protocols.
pub(crate) struct Pbrpc<W: Dialect> {
    role: Role,
    pub limits: Limits,
    pub inward: Inward,
    pub message: Message<W::Check>,
    /// Server: the first frame's credential is still to be shown to the application.
    pub(super) authenticate: bool,
    /// Client: sent with the first request, then empty.
    pub credential: Box<[u8]>,
    pub leaving: Leaving,
    pub(super) wire: W,
    /// Meta of the request that is being opened, if it has metadata, else empty. It is also kept while the
    /// verdict on its credential is awaited.
    pub(super) raw: Vec<u8>,
    pub extension: W::Extension,
    /// Server: number of calls under way, without those that `beside` keeps.
    pub(super) running: u32,
}

/// Whether one side is leaving. A client opens nothing new then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaving {
    No,
    /// Client: the peer has announced it; the notice follows its reply.
    Unreported,
    /// The dispatcher knows the peer.
    Known,
}

/// The kind of the next bytes of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inward {
    /// A frame comes next.
    Frame,
    /// The payload of `message` comes next, and is kept.
    Payload,
    /// This many bytes of a payload come next, and are skipped.
    Skip(usize),
    /// Server: the frame of `message`, whose credential the application is checking. The value states whether
    /// its request can be read.
    Verdict { readable: bool },
    /// Nothing more is read.
    Closed,
}

impl<W: Dialect> Pbrpc<W> {
    /// Longer metas are not kept beyond their request, in bytes.
    const KEEP_RAW: usize = 1 << 10;

    pub fn new(setup: &Setup<'_>) -> Self {
        Pbrpc {
            role: setup.role(),
            limits: setup.limits(),
            inward: Inward::Frame,
            message: Message::default(),
            authenticate: setup.authenticate(),
            credential: setup.credential().unwrap_or_default().into(),
            leaving: Leaving::No,
            wire: W::default(),
            raw: Vec::new(),
            extension: W::Extension::default(),
            running: 0,
        }
    }

    #[inline]
    pub fn role(&self) -> Role {
        self.role
    }

    /// Drops the front frame: its head now, its payload as it arrives.
    #[cold]
    pub fn skip_frame(&mut self, cx: &mut Cx<'_>, frame: &Frame) {
        cx.input.advance(frame.head_bytes::<W>());
        self.inward = Inward::Skip(frame.payload_bytes);
    }

    /// Remembers the meta of a request that has metadata; empty for one that has not.
    #[inline]
    pub(super) fn keep_raw(&mut self, raw: &[u8]) {
        if !(raw.is_empty() && self.raw.is_empty()) {
            self.replace_raw(raw);
        }
    }

    #[cold]
    fn replace_raw(&mut self, raw: &[u8]) {
        self.raw.clear();
        self.raw.shrink_to(Self::KEEP_RAW.max(raw.len()));
        self.raw.extend_from_slice(raw);
    }

    /// Drops the bytes of a payload that have arrived. Returns whether the payload is complete.
    #[cold]
    pub fn skip(&mut self, cx: &mut Cx<'_>, left: usize) -> bool {
        let here = left.min(cx.input.len());
        cx.input.advance(here);
        self.inward = if here == left { Inward::Frame } else { Inward::Skip(left - here) };
        here == left
    }
}

impl<W: Dialect> Machine for Pbrpc<W> {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if self.extension.is_live() {
            return W::Extension::poll(self, cx);
        }
        match self.role {
            Role::Server => self.poll_server(cx),
            Role::Client => self.poll_client(cx),
        }
    }

    #[inline]
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, mut outcome: Outcome) {
        outcome.join_fields();
        let id = exchange.token;
        let patience = &self.limits.patience;
        if exchange.slot != Exchange::UNTRACKED {
            if self.role == Role::Server {
                let owed = cx.out.len() + self.extension.held();
                backlog::replace_beyond(cx, patience, owed, &mut outcome);
            }
            return W::Extension::finish(self, cx, exchange, outcome);
        }
        backlog::replace_beyond(cx, patience, cx.out.len(), &mut outcome);
        self.running = self.running.saturating_sub(1);
        let too_long =
            W::BOUNDED_REPLY.is_some_and(|meta| meta + outcome.body.len() > self.limits.max_message as usize);
        if outcome.status.is_ok() && !too_long && W::put_reply(cx.out, id, &outcome).is_ok() {
            return;
        }
        self.finish_otherwise(cx, id, outcome);
    }

    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        self.open_call(cx, exchange, call)
    }

    /// Server: a cancelled call is answered all the same, because its caller would otherwise wait for its
    /// deadline. Client: the protocol has no message that cancels a call; the reply finds no call and is
    /// dropped.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        let known = self.extension.reset(cx, exchange, &why);
        if self.role == Role::Server && !known {
            self.running = self.running.saturating_sub(1);
            self.refuse(cx, exchange.token, why);
        }
    }

    fn answer(&mut self, cx: &mut Cx<'_>, exchange: Exchange, answer: &Answer) -> Credit {
        self.extension.answer(cx, exchange, answer)
    }

    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        self.extension.send(cx, exchange, part)
    }

    fn grant(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, bytes: usize, messages: u32) {
        self.extension.grant(exchange, bytes, messages);
    }

    fn resume(&mut self, cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        self.extension.resume(cx, why);
        Ok(())
    }

    fn authenticated(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        self.raw = Vec::new();
        match (self.inward, verdict) {
            (Inward::Verdict { .. }, Ok(_)) => self.inward = Inward::Frame,
            (Inward::Verdict { .. }, Err(status)) => {
                W::put_unauthenticated(cx.out, self.message.correlation_id, &status);
                self.inward = Inward::Closed;
            }
            (Inward::Frame | Inward::Payload | Inward::Skip(_) | Inward::Closed, _) => {} // no verdict was asked for
        }
    }

    /// The protocol has no message that announces the end. A draining server answers ELOGOFF from
    /// `Host::admit`.
    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        if self.leaving == Leaving::No {
            self.leaving = Leaving::Known;
        }
        self.extension.goodbye(cx, phase);
        if phase == Goodbye::Close {
            self.inward = Inward::Closed;
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.extension.deadline()
    }

    fn vacancies(&self) -> u32 {
        if self.role == Role::Server || self.leaving != Leaving::No { 0 } else { u32::MAX }
    }

    /// The memory of messages under way. The small cache of names and metadata that is kept between calls
    /// does not count.
    fn held(&self) -> usize {
        self.extension.held()
    }
}

impl<W: Dialect> Pbrpc<W> {
    /// Sends the reply to a request that reached no handler.
    #[cold]
    pub fn refuse(&mut self, cx: &mut Cx<'_>, id: u64, status: Status) {
        if self.extension.refuse(cx, id, &status) {
            return;
        }
        self.finish_otherwise(cx, id, Outcome { status, ..Outcome::default() });
    }

    /// A reply that is not a success, or cannot be written.
    #[cold]
    fn finish_otherwise(&mut self, cx: &mut Cx<'_>, id: u64, outcome: Outcome) {
        let trailers = outcome.trailers.as_deref();
        let written = match &outcome.status {
            status if status.is_ok() => Err(TooLong),
            // "A user handler may close the connection instead of answering (code ECLOSE): nothing is
            // written."
            status if brpc::number(status) == brpc::ECLOSE => {
                self.inward = Inward::Closed;
                Ok(())
            }
            status => W::put_failure(cx.out, id, status, trailers),
        };
        if written.is_ok() {
            return;
        }
        // Too many fields, or too long ones: the failure goes without the application's.
        let alone = !outcome.status.is_ok() && W::put_failure(cx.out, id, &outcome.status, None).is_ok();
        if !alone {
            let status = brpc::status(brpc::ERESPONSE, "The reply is longer than a frame can be");
            W::put_failure(cx.out, id, &status, None).expect("a short text and a few numbers");
        }
    }
}
