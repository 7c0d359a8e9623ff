//! The protocol contract: bytes in, bytes out, time in. No sockets, clocks, threads or locks.
//!
//! One [`Machine`] is one protocol on one connection. The engine calls `poll` after connect, input, every command and
//! every `resume`, until it says `Need` or `Blocked`. Five rules hold everywhere:
//!
//! 1. *Last words.* `finish` at the server, `Event::Finish`, `Event::Reset` and `reset` end an exchange for both sides;
//!    nothing more is said about it. Its slot is free when they are spoken or polled, however long the wire was done.
//! 2. *Admission.* A request passes `Host::admit` exactly once: head known, body not yet buffered.
//! 3. *Output.* `send` and `finish` never wait and never drop. A sender goes on while its `Credit` is open; one message
//!    may overshoot it. Bulk data without room waits in the machine and leaves by `resume(Room)`, in fair turns.
//! 4. *Input.* Of one exchange at most `Limits::ahead` messages are delivered and not yet granted. What else the peer
//!    sends stays in the machine, raw and within `Limits::window`; if the wire has no window, `Blocked`.
//! 5. *Progress.* A message once begun can end: the machine opens the window for all of it, whatever is still
//!    ungranted, and takes that back from later grants.
//!
//! A machine that loops breaks out with what it found and borrows `Head` or `credential` once, behind the loop: a borrow
//! returned from inside does not pass the borrow checker.

#![forbid(unsafe_code)]

mod date;
mod extensions;
mod limits;
mod origins;
mod protocol;
mod setup;

pub use date::Date;
pub use extensions::Extensions;
pub use limits::{Flood, Keepalive, Limits, Patience, Rate};
pub use origins::{Origins, Sender};
use polywire_base::{IoBuf, Output};
use polywire_call::{Code, Metadata, Status};
pub use polywire_call::{Compression, Compressions, Content};
pub use protocol::{Connections, CredentialPer, HttpVersion, Protocol, Registry, Sniff, Sniffed, Streams};
pub use setup::{ClientSetup, ServerSetup, Setup};
use std::time::{Duration, Instant};

/// One protocol on one connection. A unary server implements `poll` and `finish`, a unary client `poll` and `open`.
pub trait Machine: Send {
    /// Hot. At most one event. Before an error, words of farewell (GOAWAY, 400) are in `out`: flush, then close.
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError>;
    /// Hot at the server. Last words: reply, trailers or error; a unary call needs nothing else. Streams: close.
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome);
    /// Hot at the client. Starts an exchange under the caller's id; borrows the call, so a retry still has it.
    fn open(
        &mut self,
        _cx: &mut Cx<'_>,
        _exchange: Exchange,
        _call: &Outgoing<'_>,
    ) -> Result<Credit, Refusal> {
        Err(Refusal::WrongRole)
    }
    /// Starts a streamed answer: status and headers, before the first part.
    fn answer(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _answer: &Answer) -> Credit {
        Credit::CLOSED
    }
    /// Hot in streams and hubs. Borrows the part: short ones are copied, long ones shared, whoever else gets them.
    fn send(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _part: &Part) -> Credit {
        Credit::CLOSED
    }
    /// The application took this much since the last grant: reopen windows, deliver what waits.
    fn grant(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _bytes: usize, _messages: u32) {}
    /// Last words of an exchange given up in both directions: cancel, deadline, dropped future.
    fn reset(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _why: Status) {}
    /// Verdict on `Authenticate`, at once or later: until then the machine says `Blocked`. A refusal is written in the
    /// protocol's own words, then `Closed`; see also [`is_undecided`]. A machine that has not asked ignores it.
    fn authenticated(&mut self, _cx: &mut Cx<'_>, _verdict: Result<Validity, Status>) {}
    /// `deadline` passed, `out` has room again, or the peer shut its sending side (replies may still be owed).
    fn resume(&mut self, _cx: &mut Cx<'_>, _why: Wake) -> Result<(), WireError> {
        Ok(())
    }
    /// GOAWAY, ELOGOFF, `Connection: close`: first `Drain`, later `Close`.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, _phase: Goodbye) {}
    /// The machine's one timer, read after each pump; whoever has several answers the earliest.
    fn deadline(&self) -> Option<Instant> {
        None
    }
    /// Client: exchanges that may be opened now, 0 while draining; pools and extra connections read it.
    fn vacancies(&self) -> u32 {
        0
    }
    /// A message has begun to arrive whose first bytes are no longer in `input`: slow peers are timed by it, and a
    /// connection that drains waits for its end. Not of streams that were opened: their parts are events.
    fn is_receiving(&self) -> bool {
        false
    }
    /// Server: when the oldest of several messages began that come at once and are not complete; `None`: there is at most one,
    /// which the engine times itself. What is late is ended by [`Machine::give_up`].
    fn oldest(&self) -> Option<Instant> {
        None
    }
    /// Server: requests and messages that began to arrive at `begun` or before, and are not complete, have taken too long.
    /// Those that the machine can end one by one are answered or reset, and everything else on the connection goes on.
    /// Time in which this side held a message back, or read nothing since a verdict was awaited, does not count.
    /// Returns how many they were; 0 leaves it to the engine to end the connection.
    fn give_up(&mut self, _cx: &mut Cx<'_>, _begun: Instant) -> u32 {
        0
    }
    /// Server: all that [`Machine::is_receiving`] speaks of waits for this side, not for the peer: the peer is not slow.
    fn is_patient(&self) -> bool {
        false
    }
    /// Bytes held beyond `input` and `out`: queued output, unread windows, messages in assembly. Budgets read it.
    fn held(&self) -> usize {
        0
    }
}

/// What the engine lends for one call into a machine.
pub struct Cx<'e> {
    pub now: Instant,
    /// Unread bytes; messages are cut off the front, by reference.
    pub input: &'e mut IoBuf,
    /// Append whole frames. Bulk data asks `out.room()` before each frame; control frames do not, up to a bound.
    /// `out.position()` and `out.flushed` tell which messages have left (high-water marks).
    pub out: &'e mut Output,
    pub host: &'e mut dyn Host,
}

/// What a machine may ask while it parses. A struct beside the dispatcher's tables (events still borrow it), never one
/// that calls back into a machine. Memory reserved here is given back at `Open`, at `withdraw`, or when the
/// connection ends.
pub trait Host {
    /// Server: all checks in admission order, one look-up of the method. `Err` is answered in the protocol's words and
    /// the body skipped. `announced` is the body's length, if the wire tells.
    fn admit(&mut self, head: &Head<'_>, announced: Option<usize>) -> Result<Route, Status>;
    /// Server: whether a request may be served without a credential although the server asks for one. Asked by protocols
    /// whose every request may show one (HTTP), of requests that `Event::Authenticate` would be raised for.
    fn is_open_to_all(&mut self, _head: &Head<'_>) -> bool {
        false
    }
    /// Server: an admitted request ends without `Open`: its message turned out too long or corrupt, or the peer gave
    /// it up. Gives back what `admit` took for it; the arguments are that call's.
    fn withdraw(&mut self, _route: Route, _announced: Option<usize>) {}
    /// Server: something was denied to the peer while the connection lives; for counters.
    fn denied(&mut self, _what: Denied) {}
    /// Server: the time of day at `now`, for replies that say when they were made; `None`: there is no clock. Cheap: asked
    /// for every reply over HTTP.
    fn date(&mut self, _now: Instant) -> Option<Date> {
        None
    }
    /// Client: may this much of a reply be buffered? If not, it is skipped and the call finishes as too large.
    fn admit_reply(&mut self, exchange: Exchange, announced: usize) -> bool;
}

/// Which protocols a program contains, as a type: the default of the channels and clients that name it.
pub trait Protocols: Send + Sync + 'static {
    fn registry() -> Registry;
}

/// Answer to an admitted request (16 bytes).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Route {
    /// The dispatcher's own index of the method; comes back in `Open`.
    pub method: u32,
    /// The machine refuses longer messages in the protocol's words without asking again.
    pub max_message: u32,
    /// The dispatcher's own index of the caller; comes back in `Open` and `withdraw`.
    pub caller: u32,
    pub delivery: Delivery,
    /// The method answers by a stream: `answer`, `send`, `finish`; else by one message in `finish`.
    pub streamed: bool,
    /// The method changes nothing, so that whoever makes a browser follow a link may call it (Connect's GET).
    pub no_side_effects: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Delivery {
    /// `Open` once the only message is here: unary and server streaming.
    #[default]
    Whole,
    /// `Open` at once, then whole messages: client and bidirectional streaming.
    Messages,
    /// `Open` at once, then pieces as they come: uploads of unknown length, proxies. Over HTTP both bodies are bytes as
    /// the content type has them, and `Outcome::trailers` are fields behind the answer's.
    Pieces,
}

/// 184 bytes, returned in place.
pub enum Step<'a> {
    Event(Event<'a>),
    /// This many more bytes; if many, the engine moves the unread front into one buffer for all and reads on there.
    Need(usize),
    /// Not before a command or `resume` (serial, pipeline bound, verdict, window, `out` overfull); reading stops.
    Blocked,
    /// The front is not ours: sniff again, keep this machine for its open exchanges.
    Foreign,
    /// Upgraded: replace this machine.
    Become(Box<dyn Machine>),
    /// Flush `out`, then close.
    Closed,
}

pub enum Event<'a> {
    /// Server: a request, admitted.
    Open(Open<'a>),
    /// Client: head of a streamed answer.
    Answer {
        exchange: Exchange,
        answer: Answer,
    },
    Part {
        exchange: Exchange,
        part: Part,
    },
    /// Client: last words, good or bad. Streams: the peer closed in order, after its last part.
    Finish {
        exchange: Exchange,
        outcome: Outcome,
    },
    /// Given up by the peer, lost, or an offered stream not accepted. `why.unprocessed`: a retry is safe.
    Reset {
        exchange: Exchange,
        why: Status,
    },
    /// A stalled `send` may go on: windows, high-water marks, room, all alike. A stream's first credit: connected.
    Credit {
        exchange: Exchange,
        credit: Credit,
    },
    /// First frame, HELLO, PLAIN, CURVE: nothing is dispatched before the verdict.
    Authenticate(Claim<'a>),
    /// The peer takes no messages, or no more of them, while its own may go on: sending fails from now on.
    Stopped {
        exchange: Exchange,
    },
    /// News of the connection itself.
    Notice(Notice<'a>),
}

/// What a peer shows to be let in. Whether it is the connection's or this request's alone is the protocol's to say
/// ([`Protocol::credential`]).
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// What kind of credential it is: `authorization`, `AUTH`, `PLAIN`, or the protocol's name.
    pub scheme: &'static str,
    /// Name of the user, where the protocol has a field of its own for it (Redis, PLAIN).
    pub user: Option<&'a [u8]>,
    /// `None`: the peer shows none, or its protocol has no field for one.
    pub credential: Option<&'a [u8]>,
    /// The request that the claim comes with, as far as it is known by then.
    pub head: Option<Head<'a>>,
}

impl<'a> Claim<'a> {
    /// A claim without a user or a request.
    pub fn new(scheme: &'static str, credential: Option<&'a [u8]>) -> Self {
        Claim { scheme, user: None, credential, head: None }
    }
}

/// Without the credential.
impl std::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claim").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}

/// For which requests a claim is accepted that came with one of them ([`CredentialPer::Request`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validity {
    /// That one, and those that follow on the connection with the same credential.
    Credential,
    /// That one alone.
    Request,
}

/// Whether a refusal ([`Machine::authenticated`]) says that nobody could decide about the peer, not that it may not come in:
/// UNAVAILABLE, DEADLINE_EXCEEDED and INTERNAL. It is told as a failure of this side, and does not count against the peer.
pub fn is_undecided(refusal: &Status) -> bool {
    matches!(refusal.code(), Code::Unavailable | Code::DeadlineExceeded | Code::Internal)
}

/// Names an exchange on its connection (16 bytes). Chosen by the opener: server's machine, client's dispatcher.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Exchange {
    /// Opaque to everybody but its owner: correlation id, stream id, sequence number; at the client version and slot.
    pub token: u64,
    /// Dense index among the opener's live exchanges: both sides find their state in an array, then compare the token.
    pub slot: u32,
}
impl Exchange {
    /// Slot of a unary request that cannot be cancelled: only its `finish` names it, nobody keeps a table.
    pub const UNTRACKED: u32 = u32::MAX;
    /// Traffic of the connection itself: Redis push, rest_rpc delivery, ZMTP sockets.
    pub const CONNECTION: Exchange = Exchange { token: u64::MAX, slot: u32::MAX - 1 };
}

/// A request (184 bytes).
pub struct Open<'a> {
    pub exchange: Exchange,
    pub route: Route,
    pub head: Head<'a>,
    /// The only message (`finished`), or empty.
    pub body: IoBuf,
    /// The peer's half is over.
    pub finished: bool,
    /// Streams offered inside this call (streaming_rpc): connected by `Outcome::accept`, else reset after `finish`.
    pub streams: &'a [Exchange],
}

/// What is known before the body (80 bytes).
#[derive(Clone, Copy)]
pub struct Head<'a> {
    pub target: Target<'a>,
    pub timeout: Option<Duration>,
    /// Last bytes of the body that are its attachment.
    pub attachment: u32,
    /// Form of the body, see [`Content`].
    pub content: Content,
    /// Compression of the body as it arrived, see [`Compression`].
    pub compression: Compression,
    /// What a reply may be compressed with.
    pub accepts: Compressions,
    /// Whether it comes from a page that may not call (HTTP); the host refuses it then.
    pub sender: Sender,
    /// Metadata in the protocol's own form, read on demand through [`Protocol::fields`]. Empty where a request has
    /// nothing beyond the fields above, so that the common request copies nothing.
    pub raw: &'a [u8],
}

impl<'a> Head<'a> {
    /// The head of a request that says nothing but what it calls, with a body in this form.
    pub fn new(target: Target<'a>, content: Content) -> Self {
        Head {
            target,
            timeout: None,
            attachment: 0,
            content,
            compression: Compression::NONE,
            accepts: Compressions::default(),
            sender: Sender::default(),
            raw: &[],
        }
    }
}

#[derive(Clone, Copy)]
pub enum Target<'a> {
    Method {
        service: &'a str,
        method: &'a str,
    },
    /// The method at this place in its service's definition, counted from 0 (hulu, nova). An empty name is the first
    /// service of the application's own.
    Index {
        service: &'a str,
        method: u32,
    },
    Path {
        verb: &'a str,
        path: &'a str,
    },
    /// A method by a number that its protocol makes of it (fb_rpc).
    Id(u64),
    /// A method of the service that the server has bound to this protocol ([`Protocol::name`]): functions of rest_rpc,
    /// frames of nshead, requests to a ZeroMQ socket. Bound services are found by this target and by [`Target::Command`],
    /// never by a name, a path or a number of another target, so other protocols cannot reach them.
    Bound {
        protocol: &'static str,
        number: u64,
    },
    /// A command for the first method of the service that is bound to this protocol (Redis).
    Command {
        protocol: &'static str,
        name: &'a [u8],
    },
}

/// A message, or a piece of one (56 bytes). ZMTP: whole multipart messages in their wire form, one or more.
#[derive(Clone, Default, Debug)]
pub struct Part {
    pub bytes: IoBuf,
    pub end_of_message: bool,
    /// The sender's half ends here. Without `end_of_message` and bytes no further message came; an empty one is legal.
    pub finished: bool,
    /// Of this message alone (gRPC's flag byte).
    pub compression: Compression,
    /// ZMTP, on receipt: messages in `bytes` behind the first.
    pub others: u32,
}

impl Part {
    /// A whole message.
    #[inline]
    pub fn message(bytes: IoBuf) -> Part {
        Part { bytes, end_of_message: true, ..Part::default() }
    }

    /// The end of the sender's half, with no further message.
    #[inline]
    pub fn end() -> Part {
        Part { finished: true, ..Part::default() }
    }
}

/// Last words (96 bytes): status, and at the end of a unary call its reply.
#[derive(Default, Debug)]
pub struct Outcome {
    pub status: Status,
    pub body: IoBuf,
    /// Last bytes of `body` that are its attachment.
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// `body` is a reply message, be it empty; streams end without one.
    pub reply: bool,
    /// streaming_rpc: all offered streams are taken.
    pub accept: bool,
    /// Fields that go before the message, where the protocol tells them from those behind it (gRPC, Connect); else they
    /// join `trailers`.
    pub headers: Option<Box<Metadata>>,
    /// Reply fields: HTTP headers, gRPC trailers, baidu_std user_fields.
    pub trailers: Option<Box<Metadata>>,
}

impl From<Status> for Outcome {
    /// A call that failed; the status's metadata become trailers.
    fn from(mut status: Status) -> Self {
        let metadata = status.take_metadata();
        let trailers = (!metadata.is_empty()).then(|| Box::new(metadata));
        Outcome { status, trailers, ..Outcome::default() }
    }
}
impl Outcome {
    /// The reply message without its attachment, by reference.
    pub fn message(&self) -> IoBuf {
        let mut message = self.body.clone();
        message.truncate(message.len().saturating_sub(self.attachment as usize));
        message
    }
    /// Puts the fields of the head before those behind the message, for protocols with one place for both.
    #[inline]
    pub fn join_fields(&mut self) {
        if let Some(headers) = self.headers.take() {
            self.join(headers);
        }
    }

    #[cold]
    fn join(&mut self, mut headers: Box<Metadata>) {
        if let Some(trailers) = self.trailers.take() {
            trailers.iter().for_each(|(name, value)| headers.append(name, value));
        }
        self.trailers = Some(headers);
    }

    /// How the call ended; of a failure with all its fields as metadata, those of the head before the trailers.
    pub fn into_status(self) -> Status {
        let Outcome { status, headers, trailers, .. } = self;
        if status.is_ok() {
            return status;
        }
        match (headers, trailers) {
            (None, None) => status,
            (Some(fields), None) | (None, Some(fields)) => status.with_trailers(*fields),
            (Some(mut fields), Some(trailers)) => {
                trailers.iter().for_each(|(name, value)| fields.append(name, value));
                status.with_trailers(*fields)
            }
        }
    }
}

/// Head of a streamed answer (16 bytes).
#[derive(Default, Debug)]
pub struct Answer {
    pub status: u16,
    /// What its parts may be compressed with; each says whether it is (gRPC announces it here).
    pub compression: Compression,
    pub metadata: Option<Box<Metadata>>,
}

/// How much more is welcome now (8 bytes: fits one atomic). Replaces the one before, is no increment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Credit {
    pub bytes: u32,
    pub messages: u32,
}
impl Credit {
    pub const CLOSED: Credit = Credit { bytes: 0, messages: 0 };
    pub const OPEN: Credit = Credit { bytes: u32::MAX, messages: u32::MAX };
    pub fn is_open(self) -> bool {
        self.bytes > 0 && self.messages > 0
    }
}

/// A call for the client machine to encode, borrowed from the pending call.
pub struct Outgoing<'a> {
    pub service: &'a str,
    pub method: &'a str,
    /// Place of the method in its service's definition, from 0, or the number that the definition gives it, if the
    /// caller knows it.
    pub index: Option<u32>,
    pub timeout: Option<Duration>,
    pub metadata: &'a Metadata,
    pub body: &'a IoBuf,
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// `body` is the only message (unary, server streaming); else it is empty and parts follow.
    pub finished: bool,
    /// The answer is `Answer`, `Part`s, `Finish`; else one `Finish` with the reply.
    pub streamed: bool,
    /// streaming_rpc: streams to offer, live in the caller's slab; `Finish` with `accept` connects them.
    pub streams: &'a [Exchange],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    WrongRole,
    Full,
    Draining,
    TooLarge,
    /// The protocol cannot carry such a call: streamed, or with streams, where it has neither.
    Unsupported,
    /// The protocol names methods by their place, and the call does not know it.
    Unnumbered,
    /// The protocol has no number for this compression.
    Compression,
    /// The connection was given a credential that the protocol has no field for, or cannot write.
    Credential,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wake {
    Deadline,
    Room,
    Eof,
}

/// What is denied to a peer that takes none of its replies, see [`Patience::queued`], or asks for too much at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denied {
    /// A reply was given up.
    Reply,
    /// A request is refused, or waits until some replies have left; or it offers more streams than `Limits::streams` allow.
    Request,
    /// Credentials were refused so often that no further request is taken.
    Credentials,
}

pub enum Notice<'a> {
    /// The peer takes no new exchanges; those it will not process follow as `Reset`.
    Draining,
    /// Client: the peer was asked too often whether it is there ([`Keepalive::every`]), and goes.
    Calm,
    PeerLimit {
        exchanges: u32,
    },
    /// ZMTP: handshake done; the connection is now one peer of a socket, named by type and identity.
    Peer {
        kind: &'a str,
        identity: &'a [u8],
        /// All that it said of itself, as its protocol writes it.
        properties: &'a [u8],
    },
    /// ZMTP, Redis, rest_rpc: the peer wants this topic, or no longer.
    Topic {
        on: bool,
        topic: &'a [u8],
    },
    Rtt(Duration),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Client,
    Server,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goodbye {
    Drain,
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    BadMagic,
    TooLarge,
    FlowControl,
    Malformed(&'static str),
    /// Within the rules, and too much of it.
    Flood(Flood),
    /// What the peer owed (an acknowledgement, a sign of life) did not come in time.
    Silent,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_keeps_its_fields_of_both_places() {
        let fields = |name| {
            let mut fields = Metadata::new();
            fields.append(name, "1");
            Some(Box::new(fields))
        };
        for (headers, trailers, names) in [
            (None, None, &[][..]),
            (fields("early"), None, &["early"]),
            (None, fields("late"), &["late"]),
            (fields("early"), fields("late"), &["early", "late"]),
        ] {
            let outcome = Outcome { status: Status::internal(""), headers, trailers, ..Outcome::default() };
            let status = outcome.into_status();
            assert!(status.metadata().iter().map(|(name, _)| name).eq(names.iter().copied()));
        }
    }
}
