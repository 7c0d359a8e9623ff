//! The client's machine: calls of one or more commands, replies matched by order.
//!
//! ```text
//!  calls     GET a   |  SET b 1, INCR b   |  GET c (given up)
//!  owed        1     |        2           |    1
//!  replies   $1 x    |  +OK  :2           |  $1 y     >3 message ... (push, belongs to no call)
//! ```
//!
//! The replies of a cancelled call are still counted, and discarded as they arrive. Commands that would break
//! the count are refused, see [`expected_replies`]. MULTI with WATCH, SUBSCRIBE and blocking commands concern
//! the whole connection, which other callers may share: use a pooled or short one, or a [`Conversation`].
//!
//! Source:     docs/wire/redis.md, sections 3 and 5
//! Invariants: the sum of `owed` is the number of replies still to come; `whole` bytes of the input are
//!             complete replies of the first call.
//! Limits:     [`MAX_PENDING`] calls; `Limits::max_message` for the replies of one call, which are discarded
//!             if they exceed it; see `reply.rs` for what ends the connection. No memory is reserved by an
//!             announced count.

use super::{
    Args, Value,
    command::{Commanded, commands},
    conversation::{Conversation, are_commands},
    handshake::Handshake,
    reply::{Found, ReplyScan},
    server::ASK_FROM,
};
use polywire_base::IoBuf;
use polywire_call::{Code, Origin, Status};
use polywire_wire::{
    ClientSetup, Credit, Cx, Event, Exchange, Goodbye, Limits, Machine, Outcome, Outgoing, Part, Refusal,
    Step, Wake, WireError,
};
use std::collections::VecDeque;

/// Most calls of one connection that wait for their replies.
const MAX_PENDING: usize = 8192;
/// The number of bytes that are requested at a time while a reply is dropped.
const DISCARD_STEP: usize = 16 << 10;

/// The client's end of a connection.
pub(super) struct Client {
    limits: Limits,
    /// The commands of the handshake, sent at the first poll; then `None`.
    greeting: Option<IoBuf>,
    handshake: Handshake,
    /// Set when the connection cannot be used: every call ends with this status, then it closes.
    failed: Option<Status>,
    pending: VecDeque<Pending>,
    /// Commands of calls that were opened before the handshake had ended, with the index of each in
    /// `pending`. They are sent after it.
    waiting: VecDeque<(Exchange, IoBuf)>,
    /// Calls that were never sent, whose end is to be reported.
    refused: VecDeque<(Exchange, Status)>,
    scan: ReplyScan,
    /// Number of bytes at the front of the input that are whole replies of the first call.
    whole: usize,
    /// Whole replies of the first call that were taken from the input because a push followed them.
    collected: IoBuf,
    /// Whether a subscription was requested in RESP2: arrays may then be messages.
    subscribed: bool,
    /// The streamed call that has the connection for itself, if there is one.
    conversation: Option<Conversation>,
    /// Bytes and number of pushes, or parts of the conversation, that were delivered and not yet granted.
    ungranted: (usize, u32),
    ending: bool,
    eof: bool,
}

/// A call whose replies have not all come.
struct Pending {
    exchange: Exchange,
    /// Number of replies still to come.
    owed: u32,
    replies: ReplyUse,
    /// Whether the replies to the call may be buffered, up to `Limits::max_message`.
    admitted: bool,
    /// Whether the call has commands whose replies arrive as pushes.
    subscribes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplyUse {
    Wanted,
    /// The call was cancelled: its replies are counted and dropped.
    Abandoned,
    /// The replies are dropped, and the call fails when all of them have arrived.
    TooLarge,
}

impl Client {
    pub(super) fn new(setup: &ClientSetup<'_>) -> Self {
        let mut out = bytes::BytesMut::new();
        let (handshake, failed) = match Handshake::begin(setup, &mut out) {
            Ok(handshake) => (handshake, None),
            Err(status) => (Handshake::none(), Some(status)),
        };
        Client {
            limits: setup.limits,
            greeting: Some(out.into()),
            handshake,
            failed,
            pending: VecDeque::new(),
            waiting: VecDeque::new(),
            refused: VecDeque::new(),
            scan: ReplyScan::default(),
            whole: 0,
            collected: IoBuf::new(),
            subscribed: false,
            conversation: None,
            ungranted: (0, 0),
            ending: false,
            eof: false,
        }
    }

    /// The next event. `None`: the reply of a cancelled call has been dropped.
    fn advance<'a>(&mut self, cx: &mut Cx<'_>) -> Result<Option<Step<'a>>, WireError> {
        let (bytes, messages) = self.ungranted;
        if messages >= self.limits.ahead || bytes >= self.limits.window as usize {
            return Ok(Some(Step::Blocked));
        }
        let thrown_away = self.pending.front().is_some_and(|call| call.replies != ReplyUse::Wanted);
        match self.scan.scan(cx.input)? {
            Found::Whole(end) => self.reply(cx, end),
            Found::Least(least) if thrown_away => {
                self.throw_away(cx.input);
                let least = if least > cx.input.len() { self.scan.least() } else { least };
                Ok(Some(self.need(cx, least.min(cx.input.len() + DISCARD_STEP))))
            }
            Found::Least(least)
                if self.conversation.is_some() && least > self.limits.max_message as usize =>
            {
                self.failed = Some(self.too_long());
                Ok(None)
            }
            Found::Least(least) => {
                let in_all = self.collected.len() + least;
                if in_all > ASK_FROM && self.too_large(cx, in_all) {
                    return Ok(None);
                }
                Ok(Some(self.need(cx, least)))
            }
        }
    }

    fn need<'a>(&self, cx: &Cx<'_>, least: usize) -> Step<'a> {
        if self.eof { Step::Closed } else { Step::Need(least - cx.input.len()) }
    }

    /// Drops the replies of the first call that have arrived.
    fn throw_away(&mut self, input: &mut IoBuf) {
        self.scan.discard(input);
        (self.whole, self.collected) = (0, IoBuf::new());
    }

    /// Whether the first call's replies exceed the limit with this many bytes; if so, they are dropped from
    /// now on.
    #[cold]
    fn too_large(&mut self, cx: &mut Cx<'_>, bytes: usize) -> bool {
        let fits = bytes <= self.limits.max_message as usize;
        let Some(call) = self.pending.front_mut() else { return false };
        if fits && !call.admitted {
            call.admitted = cx.host.admit_reply(call.exchange, bytes);
        }
        if !(fits && call.admitted) {
            call.replies = ReplyUse::TooLarge;
        }
        !(fits && call.admitted)
    }

    /// Handles a whole frame, which begins after `whole` and ends at `end`.
    #[inline]
    fn reply<'a>(&mut self, cx: &mut Cx<'_>, end: usize) -> Result<Option<Step<'a>>, WireError> {
        let (kind, begin) = (self.scan.kind(), self.whole);
        if (kind == b'>' || self.subscribed)
            && self.conversation.is_none()
            && let Some(part) = self.push(cx, kind, begin, end)
        {
            return Ok(Some(part));
        }
        if !self.handshake.is_over() {
            self.on_handshake_reply(cx, end);
            return Ok(None);
        }
        if let Some(Conversation { exchange }) = self.conversation {
            if end > self.limits.max_message as usize {
                self.failed = Some(self.too_long());
                return Ok(None);
            }
            let bytes = cx.input.cut(end);
            self.restart(0);
            self.ungranted.0 += bytes.len();
            self.ungranted.1 += 1;
            return Ok(Some(Step::Event(Event::Part { exchange, part: Part::message(bytes) })));
        }
        let Some(call) = self.pending.front_mut() else {
            return Err(WireError::Malformed("a reply without a call"));
        };
        call.owed -= 1;
        let over = call.owed == 0;
        if call.replies != ReplyUse::Wanted {
            cx.input.advance(end);
            self.collected = IoBuf::new();
            self.restart(0);
        } else if self.collected.len() + end > self.limits.max_message as usize {
            call.replies = ReplyUse::TooLarge;
            cx.input.advance(end);
            self.collected = IoBuf::new();
            self.restart(0);
        } else if !over {
            self.restart(end);
        } else {
            let mut body = cx.input.cut(end);
            self.restart(0);
            if !self.collected.is_empty() {
                let mut all = std::mem::take(&mut self.collected);
                all.append(body);
                body = all;
            }
            let exchange = self.pending.pop_front().expect("looked at above").exchange;
            let content = self.handshake.version.content();
            let outcome = Outcome { body, content, reply: true, ..Outcome::default() };
            return Ok(Some(Step::Event(Event::Finish { exchange, outcome })));
        }
        if over {
            return Ok(self.end_thrown_away());
        }
        Ok(None)
    }

    /// Ends a call whose replies were dropped, when the last one has arrived.
    #[cold]
    fn end_thrown_away<'a>(&mut self) -> Option<Step<'a>> {
        let call = self.pending.pop_front()?;
        (call.replies == ReplyUse::TooLarge).then(|| {
            let outcome = Outcome { status: self.too_long(), ..Outcome::default() };
            Step::Event(Event::Finish { exchange: call.exchange, outcome })
        })
    }

    #[cold]
    fn too_long(&self) -> Status {
        let limit = self.limits.max_message;
        Status::resource_exhausted(format!("the reply is longer than the limit of {limit} bytes"))
    }

    /// Begins a conversation.
    #[cold]
    fn converse(
        &mut self,
        cx: &mut Cx<'_>,
        exchange: Exchange,
        call: &Outgoing<'_>,
    ) -> Result<Credit, Refusal> {
        if !self.pending.is_empty() || self.conversation.is_some() || self.subscribed {
            return Err(Refusal::Unsupported); // the connection is shared
        }
        if !call.body.is_empty() && !are_commands(call.body) {
            let status = Status::invalid_argument("the body is not a sequence of whole commands");
            self.refused.push_back((exchange, status));
            return Ok(Credit::CLOSED);
        }
        self.conversation = Some(Conversation { exchange });
        self.say(cx, exchange, call.body);
        Ok(Credit::OPEN)
    }

    /// Sends commands of the conversation, after the handshake.
    fn say(&mut self, cx: &mut Cx<'_>, exchange: Exchange, commands: &IoBuf) {
        if self.handshake.is_over() {
            cx.out.share(commands);
        } else if !commands.is_empty() {
            self.waiting.push_back((exchange, commands.clone()));
        }
    }

    #[inline]
    fn restart(&mut self, whole: usize) {
        self.whole = whole;
        self.scan.restart(whole);
    }

    /// Takes a frame that is a push from the input, and delivers it. `None`: it is a reply.
    #[cold]
    fn push<'a>(&mut self, cx: &mut Cx<'_>, kind: u8, begin: usize, end: usize) -> Option<Step<'a>> {
        let word = first_word(&cx.input.peek(end)?[begin..]);
        let message = match kind {
            b'>' => !(word.ends_with(b"subscribe") && self.pending.front().is_some_and(|c| c.subscribes)),
            b'*' => matches!(word, b"message" | b"pmessage" | b"smessage"),
            _ => false,
        };
        if !message {
            return None;
        }
        let wanted = self.pending.front().is_none_or(|call| call.replies == ReplyUse::Wanted);
        let before = cx.input.cut(begin);
        if wanted {
            self.collected.append(before);
        }
        let bytes = cx.input.cut(end - begin);
        self.restart(0);
        self.ungranted.0 += bytes.len();
        self.ungranted.1 += 1;
        Some(Step::Event(Event::Part { exchange: Exchange::CONNECTION, part: Part::message(bytes) }))
    }

    /// Handles a reply to a command of the handshake.
    #[cold]
    fn on_handshake_reply(&mut self, cx: &mut Cx<'_>, end: usize) {
        let reply = Value::parse(cx.input.cut(end).into_bytes());
        self.restart(0);
        let taken = match reply {
            Ok(reply) => self.handshake.reply(&reply),
            Err(error) => Err(Status::new(Code::DataLoss, error.to_string())),
        };
        match taken {
            Err(status) => self.failed = Some(status),
            Ok(()) if self.handshake.is_over() => {
                self.waiting.drain(..).for_each(|(_, commands)| cx.out.share(&commands));
            }
            Ok(()) => {}
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
        if let Some(Conversation { exchange }) = self.conversation.take() {
            return Ok(Step::Event(Event::Reset { exchange, why }));
        }
        Err(WireError::Malformed("the handshake failed"))
    }
}

impl Machine for Client {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if let Some(greeting) = self.greeting.take() {
            cx.out.share(&greeting);
        }
        if let Some((exchange, status)) = self.refused.pop_front() {
            return Ok(Step::Event(Event::Finish {
                exchange,
                outcome: Outcome { status, ..Outcome::default() },
            }));
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
        if self.ending || self.failed.is_some() {
            return Err(Refusal::Draining);
        }
        if self.pending.len() >= MAX_PENDING {
            return Err(Refusal::Full);
        }
        if self.conversation.is_some() {
            return Err(Refusal::Full);
        }
        if call.streamed {
            return self.converse(cx, exchange, call);
        }
        if !call.finished {
            return Err(Refusal::WrongRole);
        }
        let counted = match call.body.as_slice() {
            Some(wire) => count(wire),
            None => count(&call.body.to_vec()),
        };
        match counted {
            Ok((owed, subscribes)) => {
                self.pending.push_back(Pending {
                    exchange,
                    owed,
                    replies: ReplyUse::Wanted,
                    admitted: false,
                    subscribes,
                });
                self.subscribed |= subscribes;
                if self.handshake.is_over() {
                    cx.out.share(call.body);
                } else {
                    self.waiting.push_back((exchange, call.body.clone()));
                }
            }
            Err(why) => self.refused.push_back((exchange, Status::invalid_argument(why))),
        }
        Ok(Credit::CLOSED)
    }

    /// Sends further commands of the conversation.
    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        if self.conversation.is_none_or(|conversation| conversation.exchange != exchange) {
            return Credit::CLOSED;
        }
        if are_commands(&part.bytes) {
            self.say(cx, exchange, &part.bytes);
        } else if !part.bytes.is_empty() {
            self.failed = Some(Status::invalid_argument("a message is not a sequence of whole commands"));
        }
        Credit::OPEN
    }

    /// Makes room for further pushes, or parts of the conversation.
    fn grant(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, bytes: usize, messages: u32) {
        let conversation = self.conversation.map(|conversation| conversation.exchange);
        if exchange == Exchange::CONNECTION || Some(exchange) == conversation {
            self.ungranted.0 = self.ungranted.0.saturating_sub(bytes);
            self.ungranted.1 = self.ungranted.1.saturating_sub(messages);
        }
    }

    fn reset(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, _why: Status) {
        self.refused.retain(|(refused, _)| *refused != exchange);
        if self.conversation.is_some_and(|conversation| conversation.exchange == exchange) {
            // Replies may be owed, and the state of the connection is the caller's: it cannot be used again.
            (self.conversation, self.ending) = (None, true);
            return;
        }
        let Some(at) = self.pending.iter().position(|call| call.exchange == exchange) else { return };
        // A command that has not been sent gets no reply.
        if let Some(unsent) = self.waiting.iter().position(|(waiting, _)| *waiting == exchange) {
            self.waiting.remove(unsent);
            self.pending.remove(at);
            return;
        }
        self.pending[at].replies = ReplyUse::Abandoned;
    }

    fn resume(&mut self, _cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        self.eof |= matches!(why, Wake::Eof);
        Ok(())
    }

    /// Redis has no message for it: commands that were sent are still answered, then the connection closes.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, phase: Goodbye) {
        self.ending = true;
        if phase == Goodbye::Close && self.failed.is_none() {
            let status = Status::unavailable("the connection was closed").with_origin(Origin::Local);
            self.failed = Some(status.retryable());
        }
    }

    fn vacancies(&self) -> u32 {
        if self.ending || self.failed.is_some() || self.conversation.is_some() {
            return 0;
        }
        (MAX_PENDING - self.pending.len()) as u32
    }

    fn held(&self) -> usize {
        self.collected.len() + self.waiting.iter().map(|(_, commands)| commands.len()).sum::<usize>()
    }
}

/// The number of replies to a call, and whether some of them come as pushes. Hot: once per call.
#[inline]
fn count(wire: &[u8]) -> Result<(u32, bool), &'static str> {
    let (mut owed, mut subscribes) = (0, false);
    for command in commands(wire) {
        let Some(command) = command else { return Err("the body is not a sequence of whole commands") };
        let (replies, subscribing) = expected_replies(&command)?;
        owed += replies;
        subscribes |= subscribing;
    }
    if owed == 0 { Err("the body has no command") } else { Ok((owed, subscribes)) }
}

/// One reply for each command; a subscription has one for each channel, in RESP3 as pushes.
fn expected_replies(command: &Commanded<'_>) -> Result<(u32, bool), &'static str> {
    let is = |name: &str| command.name.eq_ignore_ascii_case(name.as_bytes());
    let channels = u32::try_from(command.args).unwrap_or(u32::MAX) - 1;
    match command.name.len() {
        9 if is("subscribe") => {}
        10 if is("psubscribe") || is("ssubscribe") => {}
        11 if is("unsubscribe") => {}
        12 if is("punsubscribe") || is("sunsubscribe") => {}
        4 if is("sync") => return Err("SYNC is not answered by replies"),
        6 if is("client") && switches_replies(command) => {
            return Err("CLIENT REPLY changes what is answered");
        }
        5 if is("psync") => return Err("PSYNC is not answered by replies"),
        7 if is("monitor") => return Err("MONITOR is not answered by replies"),
        _ => return Ok((1, false)),
    }
    // Without channels, UNSUBSCRIBE has as many replies as there were subscriptions.
    if channels == 0 {
        Err("name the channels: without names the replies cannot be counted")
    } else {
        Ok((channels, true))
    }
}

#[cold]
fn switches_replies(client: &Commanded<'_>) -> bool {
    Args::new(client.wire).nth(1).is_some_and(|subcommand| subcommand.eq_ignore_ascii_case(b"reply"))
}

/// The first item of an array or push, if it is a string.
fn first_word(frame: &[u8]) -> &[u8] {
    let mut lines = frame.split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).skip(1);
    match lines.next() {
        Some([b'$', ..]) => lines.next().unwrap_or(&[]),
        Some([b'+', word @ ..]) => word,
        _ => &[],
    }
}
