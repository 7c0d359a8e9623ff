//! The machine: calls of one or more requests, replies matched by order and opaque.
//!
//! ```text
//!  calls      GET a (7)  |  GETKQ b (8), GETKQ c (9), NOOP (10)  |  SET d (11), given up
//!  replies    a (7)      |  c (9), NOOP (10)                     |  dropped
//! ```
//!
//! The replies of a cancelled call are still awaited, and dropped as they come. Where the channel has a
//! credential, calls wait until the server has accepted it.
//!
//! Source:     docs/wire/memcache.md, sections 4 and 6
//! Invariants: `whole` bytes of the input are complete replies of the first call.
//! Limits:     [`MAX_PENDING`] calls; `Limits::max_message` for the replies of one call, which are dropped if
//!             they exceed it.

use super::{
    expected::Expected,
    form::{Form, Found, Reply},
};
use bytes::BytesMut;
use polywire_base::IoBuf;
use polywire_call::{Code, Origin, Status};
use polywire_wire::{
    ClientSetup, Content, Credit, Cx, Event, Exchange, Goodbye, Limits, Machine, Outcome, Outgoing, Refusal,
    Step, Wake, WireError,
};
use std::collections::VecDeque;

/// Most calls of one connection that wait for their replies.
const MAX_PENDING: usize = 8192;
/// The number of bytes that are requested at a time while a reply is dropped.
const DISCARD_STEP: usize = 16 << 10;
/// The size in bytes from which on the host is asked whether the replies of a call may be kept.
const ASK_FROM: usize = 16 << 10;
/// Longest reply to a credential.
const MAX_LOGIN_REPLY: usize = 16 << 10;

/// The client's end of a connection.
pub(super) struct Client<F> {
    form: F,
    limits: Limits,
    login: Login,
    /// The form cannot write the credential: calls are refused.
    cannot_log_in: bool,
    /// Set when the connection cannot be used: every call ends with this status, then it closes.
    failed: Option<Status>,
    pending: VecDeque<Pending>,
    /// Requests of calls that were opened before the server has accepted the credential.
    waiting: VecDeque<(Exchange, IoBuf)>,
    /// Calls that were never sent, whose end is to be reported.
    refused: VecDeque<(Exchange, Status)>,
    /// Number of bytes at the front of the input that are whole replies of the first call.
    whole: usize,
    /// Whole replies of the first call that were taken from the input before the others had come.
    collected: IoBuf,
    /// Bytes of a dropped reply that have not come yet.
    dropping: usize,
    ending: bool,
    eof: bool,
}

/// The state of authentication.
enum Login {
    /// There is no credential, or it was accepted.
    Over,
    /// Written at the first poll.
    ToSend(BytesMut),
    Sent,
}

/// A call whose replies have not all come.
struct Pending {
    exchange: Exchange,
    expected: Expected,
    replies: ReplyUse,
    /// Whether the replies to the call may be buffered, up to `Limits::max_message`.
    admitted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplyUse {
    Wanted,
    /// The call was cancelled: its replies are awaited and dropped.
    Abandoned,
    /// The replies are dropped, and the call fails when all of them have arrived.
    TooLarge,
}

impl<F: Form> Client<F> {
    pub(super) fn new(form: F) -> Self {
        Client {
            form,
            limits: Limits::DEFAULT,
            login: Login::Over,
            cannot_log_in: false,
            failed: None,
            pending: VecDeque::new(),
            waiting: VecDeque::new(),
            refused: VecDeque::new(),
            whole: 0,
            collected: IoBuf::new(),
            dropping: 0,
            ending: false,
            eof: false,
        }
    }

    /// Applies the limits and the credential of a channel.
    pub(super) fn with(mut self, setup: &ClientSetup<'_>) -> Self {
        self.limits = setup.limits;
        if let Some(credential) = setup.credential {
            let colon = credential.iter().position(|&byte| byte == b':');
            let (user, password) = match colon {
                Some(at) => (&credential[..at], &credential[at + 1..]),
                None => (&[][..], credential),
            };
            let mut out = BytesMut::new();
            match self.form.login(user, password, &mut out) {
                Ok(()) => self.login = Login::ToSend(out),
                Err(()) => self.cannot_log_in = true,
            }
        }
        self
    }

    /// The next event. `None`: bytes were taken from the input that are not reported to any call.
    fn advance<'a>(&mut self, cx: &mut Cx<'_>) -> Result<Option<Step<'a>>, WireError> {
        if self.dropping > 0 {
            let now = self.dropping.min(cx.input.len());
            cx.input.advance(now);
            self.dropping -= now;
            if self.dropping > 0 {
                return Ok(Some(self.need(cx, self.dropping.min(DISCARD_STEP))));
            }
        }
        match self.form.reply(cx.input, self.whole)? {
            Found::Whole(reply) => self.reply(cx, reply),
            Found::Begun(reply) => self.begun(cx, reply),
            Found::Least(least) => Ok(Some(self.need_behind_whole(cx, least))),
        }
    }

    /// Handles a reply that has begun and whose end is known.
    #[cold]
    fn begun<'a>(&mut self, cx: &mut Cx<'_>, reply: Reply) -> Result<Option<Step<'a>>, WireError> {
        if self.is_logging_in() {
            return if reply.end > MAX_LOGIN_REPLY {
                Err(WireError::TooLarge)
            } else {
                Ok(Some(self.need(cx, reply.end)))
            };
        }
        self.admit(cx, self.collected.len() + reply.end);
        let Some(call) = self.pending.front_mut() else {
            return Err(WireError::Malformed("a reply without a request"));
        };
        if call.replies == ReplyUse::Wanted {
            return Ok(Some(self.need_behind_whole(cx, reply.end)));
        }
        let over = call.expected.take(&self.form, &reply)?;
        self.dropping = reply.end - cx.input.len();
        cx.input.advance(cx.input.len());
        self.whole = 0;
        Ok(if over { self.end_dropped() } else { None })
    }

    /// Requests `least` bytes of input in all. Complete parts are set aside, so that only the bytes after
    /// them have to be in one piece.
    fn need_behind_whole<'a>(&mut self, cx: &mut Cx<'_>, least: usize) -> Step<'a> {
        let whole = std::mem::take(&mut self.whole);
        if whole > 0 {
            let replies = cx.input.cut(whole);
            if self.pending.front().is_some_and(|call| call.replies == ReplyUse::Wanted) {
                self.collected.append(replies);
            }
        }
        self.need(cx, least - whole)
    }

    fn is_logging_in(&self) -> bool {
        !matches!(self.login, Login::Over)
    }

    fn need<'a>(&self, cx: &Cx<'_>, least: usize) -> Step<'a> {
        if self.eof { Step::Closed } else { Step::Need(least.saturating_sub(cx.input.len()).max(1)) }
    }

    /// Asks whether the replies of the first call may take `bytes` bytes; if not, they are dropped from now
    /// on.
    #[inline]
    fn admit(&mut self, cx: &mut Cx<'_>, bytes: usize) {
        if bytes > ASK_FROM {
            self.admit_long(cx, bytes);
        }
    }

    #[cold]
    fn admit_long(&mut self, cx: &mut Cx<'_>, bytes: usize) {
        let wanted = self.pending.front_mut().filter(|call| call.replies == ReplyUse::Wanted);
        let Some(call) = wanted else { return };
        let fits = bytes <= self.limits.max_message as usize;
        if fits && !call.admitted {
            call.admitted = cx.host.admit_reply(call.exchange, bytes);
        }
        if !(fits && call.admitted) {
            call.replies = ReplyUse::TooLarge;
            self.collected = IoBuf::new();
        }
    }

    /// Handles a whole reply, which begins after `whole`.
    #[inline]
    fn reply<'a>(&mut self, cx: &mut Cx<'_>, reply: Reply) -> Result<Option<Step<'a>>, WireError> {
        if self.is_logging_in() {
            self.logged_in(cx, reply.end);
            return Ok(None);
        }
        self.admit(cx, self.collected.len() + reply.end);
        let Some(call) = self.pending.front_mut() else {
            return Err(WireError::Malformed("a reply without a request"));
        };
        let over = call.expected.take(&self.form, &reply)?;
        if call.replies != ReplyUse::Wanted {
            cx.input.advance(reply.end);
            (self.whole, self.collected) = (0, IoBuf::new());
            return Ok(if over { self.end_dropped() } else { None });
        }
        if !over {
            self.whole = reply.end;
            return Ok(None);
        }
        let mut body = cx.input.cut(reply.end);
        self.whole = 0;
        if !self.collected.is_empty() {
            let mut all = std::mem::take(&mut self.collected);
            all.append(body);
            body = all;
        }
        let exchange = self.pending.pop_front().expect("looked at above").exchange;
        let outcome = Outcome { body, content: Content::RAW, reply: true, ..Outcome::default() };
        Ok(Some(Step::Event(Event::Finish { exchange, outcome })))
    }

    /// Ends a call whose replies were dropped, when the last one has arrived.
    #[cold]
    fn end_dropped<'a>(&mut self) -> Option<Step<'a>> {
        let call = self.pending.pop_front()?;
        (call.replies == ReplyUse::TooLarge).then(|| {
            let limit = self.limits.max_message;
            let status =
                Status::resource_exhausted(format!("the replies are longer than the limit of {limit} bytes"));
            let outcome = Outcome { status, ..Outcome::default() };
            Step::Event(Event::Finish { exchange: call.exchange, outcome })
        })
    }

    /// Handles the reply to the credential.
    #[cold]
    fn logged_in(&mut self, cx: &mut Cx<'_>, end: usize) {
        let reply = cx.input.cut(end).into_bytes();
        match self.form.logged_in(&reply) {
            Ok(()) => {
                self.login = Login::Over;
                self.waiting.drain(..).for_each(|(_, requests)| cx.out.share(&requests));
            }
            Err(text) => {
                let text = format!("the server refuses the credential: {text}");
                self.failed = Some(Status::new(Code::Unauthenticated, text).with_origin(Origin::Remote));
            }
        }
    }

    /// Fails the remaining calls, one at a time; then ends the connection.
    #[cold]
    fn fail<'a>(&mut self, why: &Status) -> Result<Step<'a>, WireError> {
        let why = why.clone();
        while let Some(call) = self.pending.pop_front() {
            if call.replies == ReplyUse::Wanted {
                return Ok(Step::Event(Event::Reset { exchange: call.exchange, why }));
            }
        }
        Err(WireError::Malformed("the connection cannot be used"))
    }
}

impl<F: Form> Machine for Client<F> {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if let Login::ToSend(bytes) = &mut self.login {
            cx.out.put(bytes);
            self.login = Login::Sent;
        }
        if let Some((exchange, status)) = self.refused.pop_front() {
            let outcome = Outcome { status, ..Outcome::default() };
            return Ok(Step::Event(Event::Finish { exchange, outcome }));
        }
        loop {
            if let Some(why) = self.failed.clone() {
                return self.fail(&why);
            }
            if self.ending && self.pending.is_empty() {
                return Ok(Step::Closed);
            }
            if let Some(step) = self.advance(cx)? {
                return Ok(step);
            }
        }
    }

    fn finish(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _outcome: Outcome) {}

    #[inline]
    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        if self.cannot_log_in {
            return Err(Refusal::Credential);
        }
        if self.ending || self.failed.is_some() {
            return Err(Refusal::Draining);
        }
        if self.pending.len() >= MAX_PENDING {
            return Err(Refusal::Full);
        }
        if !call.finished || call.streamed {
            return Err(Refusal::WrongRole);
        }
        let expected = match call.body.as_slice() {
            Some(body) => self.form.requests(body),
            None => self.form.requests(&call.body.to_vec()),
        };
        match expected {
            Ok(expected) => {
                let replies = ReplyUse::Wanted;
                self.pending.push_back(Pending { exchange, expected, replies, admitted: false });
                if self.is_logging_in() {
                    self.waiting.push_back((exchange, call.body.clone()));
                } else {
                    cx.out.share(call.body);
                }
            }
            Err(why) => self.refused.push_back((exchange, Status::invalid_argument(why))),
        }
        Ok(Credit::CLOSED)
    }

    fn reset(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, _why: Status) {
        self.refused.retain(|(refused, _)| *refused != exchange);
        let Some(at) = self.pending.iter().position(|call| call.exchange == exchange) else { return };
        // A request that has not been sent gets no reply.
        if let Some(unsent) = self.waiting.iter().position(|(waiting, _)| *waiting == exchange) {
            self.waiting.remove(unsent);
            self.pending.remove(at);
            return;
        }
        self.pending[at].replies = ReplyUse::Abandoned;
        if at == 0 {
            self.collected = IoBuf::new();
        }
    }

    fn resume(&mut self, _cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        self.eof |= matches!(why, Wake::Eof);
        Ok(())
    }

    /// The protocol has no message for this: requests that were sent are still answered, then the connection
    /// closes.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, phase: Goodbye) {
        self.ending = true;
        if phase == Goodbye::Close && self.failed.is_none() {
            let status = Status::unavailable("the connection was closed").with_origin(Origin::Local);
            self.failed = Some(status.retryable());
        }
    }

    fn vacancies(&self) -> u32 {
        if self.ending || self.failed.is_some() {
            return 0;
        }
        (MAX_PENDING - self.pending.len()) as u32
    }

    fn held(&self) -> usize {
        let requests = self.waiting.iter().map(|(_, requests)| requests.len()).sum::<usize>();
        let expected = self.pending.iter().map(|call| call.expected.memory()).sum::<usize>();
        self.collected.len() + requests + expected
    }
}
