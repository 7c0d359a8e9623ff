//! The server's machine: commands in, replies out, one at a time and in order.
//!
//! ```text
//!             a command is whole                 finish
//!   Ready ------------------------> Running --------------> Ready
//!     |  \                                                    ^
//!     |   `--- AUTH, HELLO AUTH ---> Verdict --authenticated--'
//!     |                                 `--- refused ---> Closing
//!     `--- QUIT, goodbye, end of input ------------------> Closing
//! ```
//!
//! Commands about the connection are answered here (`greeting.rs`): HELLO, QUIT, RESET, the parts of CLIENT
//! that every client sends, and AUTH if the server requires it. Inside a transaction they are delivered to
//! the application like any other command, because their replies are part of EXEC's.
//!
//! Source:     docs/wire/redis.md, sections 2 and 5
//! Invariants: exactly one reply per command, in order; nothing is dispatched before the verdict.
//! Limits:     `request.rs` for counts and lengths; [`ASK_FROM`], below which the host is not asked about an
//!             incomplete command; `Route::max_message` for a whole command; 64 KiB for a line. Reading stops
//!             while the peer does not read its replies.
//! Errors:     [`Fault`](super::error::Fault).

use super::{
    Args, Version, Writer, command,
    error::{Fault, status_line, unknown_command, write_error, wrong_arguments},
    greeting::{
        BAD_NAME, CANNOT_DECIDE, ClientCommand, HELLO_NOT_AUTHENTICATED, Hello, Login, NOT_AUTHENTICATED,
        Shown, Special, WRONG_PASSWORD, is_good_name,
    },
    inline,
    request::{Bounds, Found, RequestScan},
    sniff::MAX_LINE,
};
use crate::arrived::Arrived;
use crate::pushes::Pushes;
use bytes::BytesMut;
use polywire_base::IoBuf;
use polywire_call::{Code, Status};
use polywire_wire::{
    Claim, Compression, Compressions, Credit, Cx, Event, Exchange, Goodbye, Head, Machine, Open, Outcome,
    Part, Route, ServerSetup, Step, Target, Validity, Wake, WireError, is_undecided,
};
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// Longer commands are admitted before they have arrived completely.
pub(super) const ASK_FROM: usize = 64 << 10;
/// The number of bytes that are requested at a time while a command is dropped.
const DISCARD_STEP: usize = 16 << 10;

/// Numbers the connections of this process for HELLO and CLIENT ID, because a machine does not know its
/// server.
static CONNECTIONS: AtomicU64 = AtomicU64::new(1);

/// The server's end of a connection.
pub(super) struct Server {
    state: State,
    scan: RequestScan,
    version: Version,
    /// The name of the command that is being opened; an `Open` borrows it.
    name: Vec<u8>,
    /// Memory in which inline commands are converted to wire form.
    scratch: BytesMut,
    /// Number of bytes at the front that are known to contain no LF, while an inline command is incomplete.
    known: usize,
    /// Number of commands so far; the token of the last one.
    token: u64,
    /// The verdict on a command that was admitted before it was complete, and its announced length.
    route: Option<(Route, Option<usize>)>,
    /// Whether the command that is arriving has been answered: its bytes are dropped.
    discarding: bool,
    id: u64,
    client_name: Vec<u8>,
    access: Access,
    /// The login that waits for its verdict.
    shown: Shown,
    /// Whether a transaction is open, by the application's answers.
    transaction: bool,
    pushes: Pushes,
    ending: Ending,
    arrived: Arrived,
}

/// Whether commands are dispatched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// Always: no authentication is required.
    Open,
    /// Only after a successful AUTH, which has not arrived yet.
    Locked,
    /// The connection is authenticated: AUTH has succeeded.
    Unlocked,
}

impl Access {
    fn is_given(self) -> bool {
        match self {
            Access::Open | Access::Unlocked => true,
            Access::Locked => false,
        }
    }
}

enum State {
    Ready,
    /// The application is running a command.
    Running(Option<Special>),
    Verdict(AwaitedLogin),
    Closing,
}

/// The command whose verdict is awaited, which decides the next step.
enum AwaitedLogin {
    Auth,
    Hello { version: Option<Version>, name: Option<Vec<u8>> },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    No,
    /// Closes once all commands are answered of which a byte had arrived when the stop began.
    Drained,
    /// Close when there is no whole command to read.
    Eof,
    /// Close when the current command is done.
    Now,
}

/// An event to report, or the reason why nothing is reported.
enum Next {
    /// A command of this many bytes at the front of the input, all in one segment.
    Deliver(Route, usize),
    Authenticate,
    Need(usize),
    Blocked,
    Closed,
}

impl Server {
    pub(super) fn new(setup: &ServerSetup<'_>) -> Self {
        Server {
            state: State::Ready,
            scan: RequestScan::default(),
            version: Version::Resp2,
            name: Vec::new(),
            scratch: BytesMut::new(),
            known: 0,
            token: 0,
            route: None,
            discarding: false,
            id: CONNECTIONS.fetch_add(1, Ordering::Relaxed),
            client_name: Vec::new(),
            access: if setup.authenticate { Access::Locked } else { Access::Open },
            shown: Shown::default(),
            transaction: false,
            pushes: Pushes::default(),
            ending: Ending::No,
            arrived: Arrived::default(),
        }
    }

    fn bounds(&self) -> Bounds {
        if self.access.is_given() { Bounds::Full } else { Bounds::Unauthenticated }
    }

    /// Answers commands that concern the connection itself, up to the next event.
    #[inline]
    fn next(&mut self, cx: &mut Cx<'_>) -> Result<Next, Fault> {
        loop {
            match self.state {
                State::Ready if self.arrived.is_over() && !self.discarding => {
                    self.state = State::Closing;
                    return Ok(Next::Closed);
                }
                State::Ready => {}
                State::Running(_) | State::Verdict(_) => return Ok(Next::Blocked),
                State::Closing => return Ok(Next::Closed),
            }
            // A peer that does not read its replies is not read either.
            if cx.out.room() == 0 {
                return Ok(Next::Blocked);
            }
            match self.scan.scan(cx.input, self.bounds())? {
                Found::Command(length) => {
                    let name = self.scan.name(length).expect("a whole command has a name");
                    self.scan.restart();
                    if self.discarding {
                        self.discarding = false;
                        self.advance(cx, length);
                    } else if let Some(next) = self.command(cx, length, name)? {
                        return Ok(next);
                    }
                }
                Found::Nothing(length) => {
                    self.scan.restart();
                    self.advance(cx, length);
                }
                Found::Inline => {
                    if !self.inline(cx.input)? {
                        return Ok(self.rest(cx, cx.input.len() + 1));
                    }
                }
                Found::Least(least) => {
                    if let Some(rest) = self.incomplete(cx, least)? {
                        return Ok(rest);
                    }
                }
            }
        }
    }

    /// Drops a command of this many bytes, which has been answered.
    fn advance(&mut self, cx: &mut Cx<'_>, length: usize) {
        cx.input.advance(length);
        self.arrived.took(length);
    }

    /// The machine's result when the command at the front has at least `least` bytes and is incomplete.
    fn rest(&self, cx: &Cx<'_>, least: usize) -> Next {
        match self.ending {
            Ending::No => {}
            Ending::Drained if !cx.input.is_empty() || self.discarding => {}
            Ending::Drained | Ending::Eof | Ending::Now => return Next::Closed,
        }
        Next::Need(least - cx.input.len())
    }

    /// Handles an incomplete command of at least `least` bytes. `None`: the input has to be looked at again.
    #[inline]
    fn incomplete(&mut self, cx: &mut Cx<'_>, least: usize) -> Result<Option<Next>, Fault> {
        if (least > ASK_FROM && self.access.is_given()) || self.discarding {
            return self.incomplete_and_long(cx, least);
        }
        Ok(Some(self.rest(cx, least)))
    }

    #[cold]
    fn incomplete_and_long(&mut self, cx: &mut Cx<'_>, least: usize) -> Result<Option<Next>, Fault> {
        if !self.discarding {
            let Some(name) = self.scan.name(cx.input.len()) else {
                // No command has such a long name; many short arguments may still belong to a known one.
                if self.scan.announced().is_some_and(|name| name > ASK_FROM) {
                    return Err(Fault::BulkLength);
                }
                return Ok(Some(self.rest(cx, least)));
            };
            if self.route.is_none() {
                let front = cx.input.peek(name.end).expect("the name is here");
                remember(&mut self.name, &front[name]);
                self.admit(cx, Some(least), 0);
            }
            if self.route.is_some_and(|(route, _)| least > route.max_message as usize) {
                self.refuse_length(cx, least);
            }
        }
        if !self.discarding {
            return Ok(Some(self.rest(cx, least)));
        }
        let before = cx.input.len();
        self.scan.discard(cx.input);
        self.arrived.took(before - cx.input.len());
        let least = self.scan.least().min(cx.input.len() + DISCARD_STEP);
        Ok(Some(self.rest(cx, least)))
    }

    /// Asks the host to admit the command. If it is refused, answers, and discards the rest of it. `here`:
    /// the number of bytes of the command at the front of the input, if it is whole.
    #[inline]
    fn admit(&mut self, cx: &mut Cx<'_>, announced: Option<usize>, here: usize) {
        match cx.host.admit(&head(&self.name, self.version), announced) {
            Ok(route) => self.route = Some((route, announced)),
            Err(status) => {
                let args = Args::new(&cx.input.front()[..here]).skip(1);
                self.refuse(cx.out.tail(), &status, args);
                self.discarding = announced.is_some();
            }
        }
    }

    #[cold]
    fn refuse<'a>(&self, out: &mut BytesMut, status: &Status, args: impl Iterator<Item = &'a [u8]>) {
        match status.code() {
            Code::Unimplemented => write_error(out, &unknown_command(&self.name, args)),
            _ => write_error(out, &status_line(status)),
        }
    }

    /// The command is longer than its route allows: withdraws the admission and answers.
    #[cold]
    fn refuse_length(&mut self, cx: &mut Cx<'_>, length: usize) {
        let Some((route, announced)) = self.route.take() else { return };
        cx.host.withdraw(route, announced);
        let limit = route.max_message;
        let line = format!("ERR a command of {length} bytes is longer than the limit of {limit}");
        write_error(cx.out.tail(), &line);
        self.discarding = true;
    }

    /// Decides what to do with a complete command. `None`: it has been answered. Hot: once per command.
    #[inline]
    fn command(&mut self, cx: &mut Cx<'_>, length: usize, name: Range<usize>) -> Result<Option<Next>, Fault> {
        let command = cx.input.peek(length).expect("a whole command is here");
        remember(&mut self.name, &command[name]);
        let special = Special::of(&self.name);
        if (special.is_some() || !self.access.is_given()) && self.own_command(cx, special, length)? {
            self.advance(cx, length);
            return Ok(matches!(self.state, State::Verdict(_)).then_some(Next::Authenticate));
        }
        if self.route.is_none() {
            self.admit(cx, None, length);
        }
        if self.route.is_some_and(|(route, _)| length > route.max_message as usize) {
            self.refuse_length(cx, length);
            self.discarding = false; // it is here as a whole
        }
        let Some((route, _)) = self.route.take() else {
            self.advance(cx, length);
            return Ok(None);
        };
        self.state = State::Running(special);
        self.arrived.took(length);
        self.token += 1;
        Ok(Some(Next::Deliver(route, length)))
    }

    /// Answers commands of the connection itself. False: the command is for the application.
    #[cold]
    fn own_command(
        &mut self,
        cx: &mut Cx<'_>,
        special: Option<Special>,
        length: usize,
    ) -> Result<bool, Fault> {
        let command = &cx.input.front()[..length];
        let mut args = Args::new(command);
        args.next();
        let mut out = Writer::new(cx.out.tail(), self.version);
        match special {
            Some(Special::Http) => return Err(Fault::Http),
            Some(Special::Quit) => {
                out.ok();
                self.state = State::Closing;
            }
            Some(Special::Reset) if !args.is_empty() => out.error(&wrong_arguments("reset")),
            Some(Special::Reset) if !self.access.is_given() => self.reset_connection(&mut out),
            Some(Special::Auth | Special::Hello | Special::Client) if self.transaction => return Ok(false),
            Some(Special::Auth) if self.access != Access::Open => {
                let (first, second) = (args.next(), args.next());
                let login = match (first, second) {
                    (Some(password), None) => Login { user: Login::DEFAULT_USER, password },
                    (Some(user), Some(password)) if args.is_empty() => Login { user, password },
                    (Some(_), Some(_)) => {
                        out.error("ERR syntax error");
                        return Ok(true);
                    }
                    (None, _) => {
                        out.error(&wrong_arguments("auth"));
                        return Ok(true);
                    }
                };
                self.shown = login.shown();
                self.state = State::Verdict(AwaitedLogin::Auth);
            }
            Some(Special::Hello) => self.hello(&mut out, args),
            _ if !self.access.is_given() => out.error(NOT_AUTHENTICATED),
            Some(Special::Client) => match ClientCommand::parse(args) {
                Ok(None) => return Ok(false),
                Ok(Some(ClientCommand::Id)) => out.integer(self.id as i64),
                Ok(Some(ClientCommand::GetName)) if self.client_name.is_empty() => out.null(),
                Ok(Some(ClientCommand::GetName)) => out.bulk(&self.client_name),
                Ok(Some(ClientCommand::SetName(name))) if is_good_name(name) => {
                    self.client_name = name.to_vec();
                    out.ok();
                }
                Ok(Some(ClientCommand::SetName(_))) => out.error(BAD_NAME),
                Ok(Some(ClientCommand::SetInfo)) => out.ok(),
                Err(line) => out.error(&line),
            },
            Some(Special::Auth | Special::Reset | Special::Multi | Special::EndMulti) | None => {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn hello(&mut self, out: &mut Writer<'_>, args: Args<'_>) {
        let hello = match Hello::parse(args) {
            Ok(hello) => hello,
            Err(line) => return out.error(&line),
        };
        match hello.login {
            Some(login) if self.access != Access::Open => {
                self.shown = login.shown();
                let name = hello.name.map(<[u8]>::to_vec);
                self.state = State::Verdict(AwaitedLogin::Hello { version: hello.version, name });
            }
            Some(login) if !login.is_default_user() => out.error(WRONG_PASSWORD),
            _ if !self.access.is_given() => out.error(HELLO_NOT_AUTHENTICATED),
            Some(_) | None => self.answer_hello(out, hello.version, hello.name),
        }
    }

    /// Answers HELLO, all of whose arguments are allowed.
    fn answer_hello(&mut self, out: &mut Writer<'_>, version: Option<Version>, name: Option<&[u8]>) {
        match name {
            Some(name) if !is_good_name(name) => return out.error(BAD_NAME),
            Some(name) => self.client_name = name.to_vec(),
            None => {}
        }
        self.version = version.unwrap_or(self.version);
        Hello::answer(&mut out.speaking(self.version), self.id);
    }

    fn reset_connection(&mut self, out: &mut Writer<'_>) {
        self.version = Version::Resp2;
        self.client_name.clear();
        if self.access == Access::Unlocked {
            self.access = Access::Locked;
        }
        self.transaction = false;
        out.simple("RESET");
    }

    /// Puts the line at the front into wire form, or drops it if it has no words. False: it is incomplete.
    #[cold]
    fn inline(&mut self, input: &mut IoBuf) -> Result<bool, Fault> {
        let known = std::mem::take(&mut self.known);
        let Some(end) = line_feed(input, known) else {
            if input.len() > MAX_LINE {
                return Err(Fault::InlineTooBig);
            }
            self.known = input.len();
            return Ok(false);
        };
        if end > MAX_LINE {
            return Err(Fault::InlineTooBig);
        }
        let line = input.cut(end + 1).into_bytes();
        self.arrived.took(end + 1);
        let words = inline::words(&line[..end]).ok_or(Fault::UnbalancedQuotes)?;
        if !words.is_empty() {
            command::append_words(&words, &mut self.scratch);
            self.arrived.put_back(self.scratch.len());
            let rest = std::mem::replace(input, self.scratch.split().into());
            input.append(rest);
        }
        Ok(true)
    }

    /// The reply to a command that failed or has no reply of its own.
    #[cold]
    fn finish_without_reply(cx: &mut Cx<'_>, outcome: &Outcome) {
        if outcome.status.is_ok() {
            cx.out.put(b"+OK\r\n");
        } else {
            write_error(cx.out.tail(), &status_line(&outcome.status));
        }
    }

    /// Handles the application's answer to a command that also concerns the connection.
    #[cold]
    fn finish_special(&mut self, cx: &mut Cx<'_>, special: Special, outcome: Outcome) {
        let done = outcome.status.is_ok();
        match special {
            // The answer shows only that the application has reset its state.
            Special::Reset if done => {
                return self.reset_connection(&mut Writer::new(cx.out.tail(), self.version));
            }
            Special::Multi if outcome.body.front().starts_with(b"+") => self.transaction = true,
            Special::EndMulti => self.transaction = false,
            Special::Multi
            | Special::Reset
            | Special::Auth
            | Special::Client
            | Special::Hello
            | Special::Quit
            | Special::Http => {}
        }
        if outcome.reply {
            cx.out.share(&outcome.body);
        } else {
            Self::finish_without_reply(cx, &outcome);
        }
    }
}

impl Machine for Server {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if let Some(credit) = self.pushes.reopened(cx.out) {
            return Ok(Step::Event(Event::Credit { exchange: Exchange::CONNECTION, credit }));
        }
        match self.next(cx) {
            Ok(Next::Deliver(route, length)) => Ok(Step::Event(Event::Open(Open {
                exchange: Exchange { token: self.token, slot: Exchange::UNTRACKED },
                route,
                head: head(&self.name, self.version),
                body: cx.input.cut(length),
                finished: true,
                streams: &[],
            }))),
            Ok(Next::Authenticate) => {
                let Shown { user, password } = &self.shown;
                let claim = Claim { user: user.as_deref(), ..Claim::new("AUTH", Some(password)) };
                Ok(Step::Event(Event::Authenticate(claim)))
            }
            Ok(Next::Need(n)) => Ok(Step::Need(n)),
            Ok(Next::Blocked) => Ok(Step::Blocked),
            Ok(Next::Closed) => Ok(Step::Closed),
            Err(fault) => {
                self.state = State::Closing;
                Err(fault.write_reply(cx.out.tail()))
            }
        }
    }

    #[inline]
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome) {
        let State::Running(special) = self.state else { return };
        if exchange.token != self.token {
            return;
        }
        self.state = if self.ending == Ending::Now { State::Closing } else { State::Ready };
        match special {
            Some(special) => self.finish_special(cx, special, outcome),
            None if outcome.reply => cx.out.share(&outcome.body),
            None => Self::finish_without_reply(cx, &outcome),
        }
    }

    /// Sends a push, which is in wire form and in the connection's version.
    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        if exchange != Exchange::CONNECTION {
            return Credit::CLOSED;
        }
        cx.out.share(&part.bytes);
        self.pushes.credit(cx.out)
    }

    /// A cancelled command gets an answer, because the peer counts replies.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        let status = if why.is_ok() { Status::cancelled("the call was given up") } else { why };
        self.finish(cx, exchange, Outcome { status, ..Outcome::default() });
    }

    fn authenticated(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        if !matches!(self.state, State::Verdict(_)) {
            return;
        }
        let State::Verdict(asked) = std::mem::replace(&mut self.state, State::Ready) else { return };
        self.shown = Shown::default();
        let mut out = Writer::new(cx.out.tail(), self.version);
        if let Err(why) = verdict {
            // redis-server goes on after a wrong password; here the connection is closed.
            out.error(if is_undecided(&why) { CANNOT_DECIDE } else { WRONG_PASSWORD });
            self.state = State::Closing;
            return;
        }
        self.access = Access::Unlocked;
        match asked {
            AwaitedLogin::Auth => out.ok(),
            AwaitedLogin::Hello { version, name } => self.answer_hello(&mut out, version, name.as_deref()),
        }
        if self.ending == Ending::Now {
            self.state = State::Closing;
        }
    }

    fn resume(&mut self, _cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        match why {
            Wake::Eof if self.ending != Ending::Now => self.ending = Ending::Eof,
            Wake::Eof | Wake::Room | Wake::Deadline => {}
        }
        Ok(())
    }

    /// Redis has no message for this: commands that have arrived, and the one that is arriving, are answered,
    /// then the connection closes.
    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        match phase {
            Goodbye::Drain if self.ending == Ending::No => {
                self.ending = Ending::Drained;
                self.arrived.stop(cx.input, self.scan.has_begun());
            }
            Goodbye::Drain => {}
            Goodbye::Close => {
                self.ending = Ending::Now;
                if matches!(self.state, State::Ready) {
                    self.state = State::Closing;
                }
            }
        }
    }
}

#[inline]
fn head(name: &[u8], version: Version) -> Head<'_> {
    Head {
        target: Target::Command { protocol: super::PROTOCOL.name, name },
        timeout: None,
        attachment: 0,
        content: version.content(),
        compression: Compression::NONE,
        accepts: Compressions::NONE,
        sender: Default::default(),
        dialect: Default::default(),
        raw: &[],
        ids: true,
    }
}

/// Stores the name of a command, in memory that is reused.
#[inline]
fn remember(name: &mut Vec<u8>, bytes: &[u8]) {
    name.clear();
    name.extend_from_slice(bytes);
}

/// The position of the first LF; the first `known` bytes contain none.
fn line_feed(input: &IoBuf, known: usize) -> Option<usize> {
    let mut start = input.len();
    let mut found = None;
    for segment in input.segments().rev() {
        start -= segment.len();
        if start + segment.len() <= known {
            break;
        }
        if let Some(at) = memchr::memchr(b'\n', segment) {
            found = Some(start + at);
        }
    }
    found
}
