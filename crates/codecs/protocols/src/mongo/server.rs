//! The server's machine: messages to calls, outcomes to messages.
//!
//! ```text
//!            .--------- finish -----------.
//!            v                            |
//!  Head --> Body --admit--> Open --> Running
//!   |         |
//!   |         `-- refused, wrong BSON: answered --> Head
//!   `-- first message, a credential is wanted --> Verdict --> Head
//!                                                   `-- refused: answered --> Closed
//! ```

use super::MAX_MESSAGE;
use super::error::{ErrorCode, error_document};
use super::frame::{HEAD_BYTES, Head, op_code};
use super::message::{self, MAX_NAME, Named};
use crate::name::Name;
use polywire_base::IoBuf;
use polywire_call::{Status, brpc};
use polywire_formats::bson::EMPTY_BYTES;
use polywire_wire::{
    Claim, Content, Cx, Event, Exchange, Goodbye, Limits, Machine, Open, Outcome, Route, ServerSetup, Step,
    Target, Validity, WireError,
};
use std::time::Duration;

/// Bits of the flags of an OP_MSG. A reader must know every set bit of the lower 16.
mod flag {
    pub const CHECKSUM: u32 = 1;
    pub const MORE_TO_COME: u32 = 1 << 1;
    pub const REQUIRED: u32 = 0xffff;
}

/// The commands that OP_QUERY still supports: a client sends them before it knows that the server has OP_MSG.
const HANDSHAKES: [&str; 3] = ["isMaster", "ismaster", "hello"];

/// Replies up to this length in bytes are sent whatever the limit on messages: those of handshakes and
/// failures.
const LEAST_REPLY: usize = 64 << 10;

/// Bit of the flags of an OP_REPLY that servers always set, `AwaitCapable`.
const AWAIT_CAPABLE: u32 = 8;

pub(super) struct Server {
    limits: Limits,
    state: State,
    /// Whether the application still has to decide about the peer.
    authenticate: bool,
    current: Current,
    /// Number of commands so far, which is the token of the last one.
    token: u64,
    /// Id of the last reply.
    replies: u32,
}

/// The command that is handled.
#[derive(Default)]
struct Current {
    head: Head,
    /// Whether the command has been answered.
    answered: bool,
    command: Name,
    database: Name,
    timeout: Option<Duration>,
    /// The maximum length of a reply in bytes, as the client was informed of it.
    max_reply: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    /// The rest of a message arrives.
    Body,
    Running,
    Verdict,
    Closed,
}

impl Server {
    pub(super) fn new(setup: &ServerSetup<'_>) -> Self {
        Server {
            limits: setup.limits,
            state: State::Head,
            authenticate: setup.authenticate,
            current: Current::default(),
            token: 0,
            replies: 0,
        }
    }

    fn head(&mut self, cx: &mut Cx<'_>) -> Result<bool, WireError> {
        let Some(bytes) = cx.input.peek(HEAD_BYTES) else { return Ok(false) };
        let head = Head::read(bytes.try_into().expect("as long as a head"));
        if (head.length as usize) < HEAD_BYTES {
            return Err(WireError::Malformed("a length below that of the head"));
        }
        if head.length > self.limits.max_message {
            return Err(WireError::TooLarge);
        }
        if !matches!(head.op_code, op_code::MSG | op_code::QUERY) {
            return Err(WireError::Malformed("an op code that no server has any more"));
        }
        self.current.head = head;
        Ok(true)
    }

    /// Takes a message: its sections, if they are a call. `None`: it has been answered.
    fn body(&mut self, cx: &mut Cx<'_>) -> Result<Option<(Route, IoBuf)>, WireError> {
        let mut body = cx.input.cut(self.current.head.length as usize);
        self.current.max_reply = self.limits.max_message.min(MAX_MESSAGE);
        let sections = match self.current.head.op_code {
            op_code::QUERY => self.query(&mut body)?,
            _ => Some(self.message(&mut body)?),
        };
        let Some(mut sections) = sections else {
            let text = "Unsupported OP_QUERY command: OP_QUERY has handshakes only";
            self.refuse(cx, ErrorCode::UNSUPPORTED_OP_QUERY_COMMAND, text);
            return Ok(None);
        };
        let command = message::command(sections.contiguous()).map_err(WireError::Malformed)?;
        if let Err((code, text)) = message::named(command).and_then(|named| self.keep(&named)) {
            self.refuse(cx, code, &text);
            return Ok(None);
        }
        let bytes = sections.len();
        match cx.host.admit(&self.describe(), Some(bytes)) {
            Ok(route) if bytes <= route.max_message as usize => {
                self.current.max_reply = route.max_message.min(MAX_MESSAGE);
                Ok(Some((route, sections)))
            }
            Ok(route) => {
                cx.host.withdraw(route, Some(bytes));
                let limit = route.max_message;
                let text = format!("the message of {bytes} bytes exceeds the limit of {limit}");
                self.fail(cx, &Status::resource_exhausted(text));
                Ok(None)
            }
            Err(status) => {
                self.fail(cx, &status);
                Ok(None)
            }
        }
    }

    /// Keeps the facts in the elements of the current command.
    ///
    /// # Errors
    /// A command without a database; it is answered by this.
    fn keep(&mut self, named: &Named<'_>) -> Result<(), (ErrorCode, String)> {
        // An OP_QUERY has said it by its collection.
        if self.current.head.op_code != op_code::QUERY {
            let database = named.database;
            let text = "OP_MSG requests require a $db argument";
            self.current.database.set(database.ok_or((ErrorCode::NO_DATABASE, text.into()))?.as_bytes());
        }
        self.current.command.set(named.command.as_bytes());
        self.current.timeout = named.timeout;
        Ok(())
    }

    /// The sections of a whole OP_MSG.
    fn message(&mut self, message: &mut IoBuf) -> Result<IoBuf, WireError> {
        let Some(flags) = message.contiguous().get(HEAD_BYTES..HEAD_BYTES + 4) else {
            return Err(WireError::Malformed("a message without flags"));
        };
        let flags = u32::from_le_bytes(flags.try_into().expect("four bytes"));
        if flags & flag::REQUIRED & !(flag::CHECKSUM | flag::MORE_TO_COME) != 0 {
            return Err(WireError::Malformed("a flag that has to be known"));
        }
        self.current.answered = flags & flag::MORE_TO_COME == 0;
        if flags & flag::CHECKSUM != 0 {
            let all = message.contiguous();
            let summed = all.len() - 4;
            if summed < HEAD_BYTES + 4 {
                return Err(WireError::Malformed("a message without its checksum"));
            }
            if crc32c::crc32c(&all[..summed]).to_le_bytes() != all[summed..] {
                return Err(WireError::Malformed("a checksum that is not the message's"));
            }
            message.truncate(summed);
        }
        message.advance(HEAD_BYTES + 4);
        Ok(std::mem::take(message))
    }

    /// The command of a whole OP_QUERY, as a section; `None`: OP_QUERY no longer has it.
    fn query(&mut self, message: &mut IoBuf) -> Result<Option<IoBuf>, WireError> {
        self.current.answered = true;
        let query = message::query(&message.contiguous()[HEAD_BYTES..]).map_err(WireError::Malformed)?;
        let is_handshake = query.command.iter().next().is_some_and(|(name, _)| HANDSHAKES.contains(&name));
        let Some(database) = query.collection.strip_suffix(".$cmd").filter(|_| is_handshake) else {
            return Ok(None);
        };
        if database.len() > MAX_NAME {
            return Err(WireError::Malformed("the name of a database"));
        }
        self.current.database.set(database.as_bytes());
        let mut section = IoBuf::copy_from_slice(&[0]);
        section.append(IoBuf::copy_from_slice(query.command.as_bytes()));
        Ok(Some(section))
    }

    fn describe(&self) -> polywire_wire::Head<'_> {
        let target =
            Target::Command { protocol: super::PROTOCOL.name, name: self.current.command.as_bytes() };
        polywire_wire::Head {
            timeout: self.current.timeout,
            raw: self.current.database.as_bytes(),
            ids: false,
            ..polywire_wire::Head::new(target, Content::BSON)
        }
    }

    #[cold]
    fn fail(&mut self, cx: &mut Cx<'_>, status: &Status) {
        if brpc::number(status) == brpc::ECLOSE {
            self.state = State::Closed; // "close the connection instead of answering"
            return;
        }
        self.refuse(cx, ErrorCode::of(status), status.message());
    }

    #[cold]
    fn refuse(&mut self, cx: &mut Cx<'_>, code: ErrorCode, text: &str) {
        self.answer(cx, &error_document(code, text).into());
    }

    /// Answers the current command, if it expects a reply, and continues with the next one.
    fn answer(&mut self, cx: &mut Cx<'_>, document: &IoBuf) {
        self.state = State::Head;
        if !self.current.answered {
            return;
        }
        let mut own = [0; 20];
        let (op_code, own) = match self.current.head.op_code {
            op_code::QUERY => {
                own[..4].copy_from_slice(&AWAIT_CAPABLE.to_le_bytes());
                own[16] = 1; // number of documents
                (op_code::REPLY, &own[..])
            }
            // No flags, and one section of kind 0.
            _ => (op_code::MSG, &own[..5]),
        };
        let length = HEAD_BYTES + own.len() + document.len();
        // A client closes a connection on which more comes; a failure has always room.
        if length > (self.current.max_reply as usize).max(LEAST_REPLY) {
            let text = format!(
                "a reply of {length} bytes is longer than a message may be: {}",
                self.current.max_reply
            );
            return self.refuse(cx, ErrorCode::BSON_OBJECT_TOO_LARGE, &text);
        }
        self.replies = self.replies.wrapping_add(1);
        let head = Head {
            length: length as u32,
            request_id: self.replies,
            response_to: self.current.head.request_id,
            op_code,
        };
        cx.out.put(&head.write());
        cx.out.put(own);
        cx.out.share(document);
    }
}

impl Machine for Server {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        let (route, body) = loop {
            match self.state {
                State::Head => {
                    if cx.out.room() == 0 {
                        return Ok(Step::Blocked); // a peer that does not read its replies gets no more of them
                    }
                    if !self.head(cx)? {
                        return Ok(Step::Need(HEAD_BYTES - cx.input.len()));
                    }
                    if std::mem::take(&mut self.authenticate) {
                        self.state = State::Verdict;
                        return Ok(Step::Event(Event::Authenticate(Claim::new(super::PROTOCOL.name, None))));
                    }
                    self.state = State::Body;
                }
                State::Body => {
                    let missing = (self.current.head.length as usize).saturating_sub(cx.input.len());
                    if missing > 0 {
                        return Ok(Step::Need(missing));
                    }
                    if let Some(opened) = self.body(cx)? {
                        break opened;
                    }
                }
                State::Running | State::Verdict => return Ok(Step::Blocked),
                State::Closed => return Ok(Step::Closed),
            }
        };
        self.state = State::Running;
        self.token += 1;
        let exchange = Exchange { token: self.token, slot: Exchange::UNTRACKED };
        let head = self.describe();
        Ok(Step::Event(Event::Open(Open { exchange, route, head, body, finished: true, streams: &[] })))
    }

    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome) {
        if self.state != State::Running || exchange.token != self.token {
            return;
        }
        // A service may have a document of its own for a failure.
        if outcome.body.len() >= EMPTY_BYTES && outcome.content == Content::BSON {
            return self.answer(cx, &outcome.body);
        }
        match outcome.status.is_ok() {
            true => self.refuse(cx, ErrorCode::INTERNAL_ERROR, "the service gave no document"),
            false => self.fail(cx, &outcome.into_status()),
        }
    }

    /// A cancelled command is answered all the same: its client waits.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        let status = if why.is_ok() { Status::cancelled("the command was given up") } else { why };
        self.finish(cx, exchange, status.into());
    }

    fn authenticated(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        if self.state != State::Verdict {
            return;
        }
        match verdict {
            Ok(_) => self.state = State::Head, // which is still there
            Err(status) => {
                self.current.answered = true;
                self.current.max_reply = MAX_MESSAGE;
                self.fail(cx, &status);
                self.state = State::Closed;
            }
        }
    }

    /// The protocol has no message that announces the end. Commands that still arrive are refused with a code
    /// after which clients turn to another server.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, phase: Goodbye) {
        if phase == Goodbye::Close {
            self.state = State::Closed;
        }
    }
}
