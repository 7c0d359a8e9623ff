//! The connection: one type for both roles, one call at a time.
//!
//! ```text
//!           .----------- finish ------------.         .------------ reply ------------.
//!           v                               |         v                               |
//!  server: Head --> Body --> Open --> Answer        client: Idle -- open --> Head --> Body --> Finish
//!           |
//!           `-- first frame, a credential is wanted --> Verdict
//!
//!  goodbye(Close), failures without words for them, a client's call given up: any state --> Closed
//! ```

use super::dialect::Dialect;
use super::frame::{Head, MAGIC, MAGIC_AT};
use crate::arrived::Arrived;
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{
    Credit, Cx, Exchange, Goodbye, Limits, Machine, Outcome, Outgoing, Refusal, Role, Route, Setup, Step,
    Stopping, Validity, Wake, WireError,
};

/// A dialect of nshead on one connection.
pub(crate) struct Serial<D: Dialect> {
    role: Role,
    pub(super) limits: Limits,
    /// Client: whether there is a credential, for which the protocol has no field.
    has_credential: bool,
    pub(super) dialect: D,
    pub(super) state: State,
    /// Server: whether the application still has to decide about the peer.
    pub(super) authenticate: bool,
    /// Whether either side is leaving: a client opens nothing more.
    pub(super) draining: bool,
    /// Server: the requests that it still serves when it stops.
    pub(super) arrived: Arrived,
    /// Whether the peer has closed its sending half.
    pub(super) eof: bool,
    /// Server: the head of the current request.
    pub(super) head: Head,
    /// Server: number of requests so far, which is the token of the last one. Client: the current call.
    pub(super) exchange: Exchange,
    /// Server: the fields of the current request, see `fields.rs`.
    pub(super) raw: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// The next bytes are a head; at a client, that of the reply to the current call.
    Head,
    /// A body of this many bytes comes next.
    Body(Expected),
    /// Server: a handler is running. Client: no call is under way.
    Rest,
    /// Server: the verdict on the peer's credential is awaited.
    Verdict,
    /// Nothing more is read.
    Closed,
}

/// The body that is arriving.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub bytes: usize,
    /// Server: the request was admitted by its head.
    pub route: Option<Route>,
}

impl<D: Dialect> Serial<D> {
    pub fn new(setup: &Setup<'_>, dialect: D) -> Self {
        let role = setup.role();
        Serial {
            role,
            limits: setup.limits(),
            has_credential: setup.credential().is_some(),
            dialect,
            state: if role == Role::Server { State::Head } else { State::Rest },
            authenticate: setup.authenticate(),
            draining: false,
            arrived: Arrived::default(),
            eof: false,
            head: Head::default(),
            exchange: Exchange { token: 0, slot: Exchange::UNTRACKED },
            raw: Vec::new(),
        }
    }

    /// The head at the front, and the length of its body; `Ok(Err(n))`: n bytes are missing.
    pub(super) fn front(&self, input: &mut IoBuf) -> Result<Result<(Head, u32), usize>, WireError> {
        let here = input.len();
        let Some(bytes) = input.peek(Head::BYTES) else {
            let shown = input.peek(here).and_then(|bytes| bytes.get(MAGIC_AT..)).unwrap_or(&[]);
            let shown = &shown[..shown.len().min(MAGIC.len())];
            return if *shown == MAGIC[..shown.len()] {
                Ok(Err(Head::BYTES - here))
            } else {
                Err(WireError::BadMagic)
            };
        };
        let (head, body_len) = Head::read(bytes).ok_or(WireError::BadMagic)?;
        // "body_len over the limit: close."
        if body_len > self.limits.max_message { Err(WireError::TooLarge) } else { Ok(Ok((head, body_len))) }
    }

    /// Whether this exchange is the call or request in progress.
    fn is_current(&self, exchange: Exchange) -> bool {
        match self.role {
            Role::Server => matches!(self.state, State::Rest) && self.exchange == exchange,
            Role::Client => !matches!(self.state, State::Rest | State::Closed) && self.exchange == exchange,
        }
    }

    /// Server: answers the current request, if the protocol has a reply for that, or closes.
    pub(super) fn fail(&mut self, cx: &mut Cx<'_>, status: &Status, trailers: Option<&Metadata>) {
        // "close the connection instead of answering (code ECLOSE)"
        let silent = brpc::number(status) == brpc::ECLOSE;
        let answered = !silent && self.dialect.put_failure(cx.out, self.head, status, trailers);
        self.state = if answered { State::Head } else { State::Closed };
    }
}

impl<D: Dialect> Machine for Serial<D> {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        match self.role {
            Role::Server => self.poll_server(cx),
            Role::Client => self.poll_client(cx),
        }
    }

    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, mut outcome: Outcome) {
        outcome.join_fields();
        if self.role == Role::Client || !self.is_current(exchange) {
            return;
        }
        let written = match outcome.status.is_ok() {
            true => self.dialect.put_reply(cx.out, self.head, &outcome),
            false => Err(std::mem::take(&mut outcome.status)),
        };
        match written {
            Ok(()) => self.state = State::Head,
            Err(status) => self.fail(cx, &status, outcome.trailers.as_deref()),
        }
    }

    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        if self.role == Role::Server {
            return Err(Refusal::WrongRole);
        }
        if self.has_credential {
            return Err(Refusal::Credential);
        }
        if self.draining || matches!(self.state, State::Closed) {
            return Err(Refusal::Draining);
        }
        if !matches!(self.state, State::Rest) {
            return Err(Refusal::Full);
        }
        if !call.finished || call.streamed || !call.streams.is_empty() {
            return Err(Refusal::Unsupported);
        }
        self.dialect.put_request(cx.out, exchange.token, call)?;
        self.exchange = exchange;
        self.state = State::Head;
        Ok(Credit::CLOSED)
    }

    /// Server: a cancelled call is answered in any case. Client: the reply to a cancelled call could not be
    /// distinguished from that of the next call, so the connection ends.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        match self.role {
            _ if !self.is_current(exchange) => {}
            Role::Server => self.fail(cx, &why, None),
            Role::Client => self.state = State::Closed,
        }
    }

    fn authenticated(&mut self, _cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        if let State::Verdict = self.state {
            self.state = if verdict.is_ok() { State::Head } else { State::Closed };
        }
    }

    /// The protocol has no message that announces the end: once no request is under way the connection
    /// closes.
    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        self.draining = true;
        if self.role == Role::Server && D::STOPPING == Stopping::Serves {
            self.arrived.stop(cx.input, matches!(self.state, State::Body(_)));
        }
        if phase == Goodbye::Close {
            self.state = State::Closed;
        }
    }

    fn resume(&mut self, _cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        self.eof |= why == Wake::Eof;
        Ok(())
    }

    fn vacancies(&self) -> u32 {
        u32::from(self.role == Role::Client && !self.draining && matches!(self.state, State::Rest))
    }

    /// Whether a head was read, and is no longer in the input, whose body is still arriving.
    fn is_receiving(&self) -> bool {
        matches!(self.state, State::Body(_))
    }
}
