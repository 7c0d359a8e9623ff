//! The protocol contract: bytes in, bytes out, time in. No sockets, clocks, threads or locks.
//!
//! One [`Machine`] is one protocol on one connection. The engine calls `poll` after connect, input, every
//! command and every `resume`, until it returns `Need` or `Blocked`. Five rules hold everywhere:
//!
//! 1. *End.* `finish` at the server, `Event::Finish`, `Event::Reset` and `reset` end an exchange for both
//!    sides; after them, neither side refers to it again. Its slot is free from then on, even if the bytes of
//!    its end are sent later.
//! 2. *Admission.* A request passes `Host::admit` exactly once: its head is known, its body is not yet
//!    buffered.
//! 3. *Output.* `send` and `finish` never wait and never drop. A sender continues while its `Credit` is open;
//!    one message may exceed it. Bulk data without room waits in the machine and is sent by `resume(Room)`,
//!    round-robin.
//! 4. *Input.* Of one exchange, at most `Limits::ahead` messages are delivered and not yet granted. Bytes
//!    that the peer sends beyond them stay in the machine, undecoded and within `Limits::window`; if the
//!    protocol has no window, the machine returns `Blocked`.
//! 5. *Progress.* A message that has begun can be completed: the machine opens the window for all of it,
//!    whatever is still not granted, and deducts that from later grants.
//!
//! A machine that loops leaves the loop with its finding and borrows `Head` or `credential` once, after the
//! loop: a borrow returned from inside does not pass the borrow checker.

#![forbid(unsafe_code)]

mod date;
mod dumped;
mod extensions;
mod limits;
mod origins;
mod protocol;
mod setup;

pub use date::Date;
pub use dumped::{DumpForm, Dumped};
pub use extensions::Extensions;
pub use limits::{Flood, Inflated, Keepalive, LEAST_RATE, Limits, Longest, Patience, Rate, goes_on};
pub use origins::{Origins, Sender};
use polywire_base::{IoBuf, Output};
use polywire_call::{Code, Metadata, Status};
pub use polywire_call::{Compression, Compressions, ConfigError, Content};
pub use polywire_trace::{Carrier, may_be_id};
pub use protocol::{
    Addressing, CONNECT, Connections, CredentialPer, Dialect, GRPC, HashOfNames, HttpVersion, ONEWAY,
    Protocol, ProtocolSet, RELAYS, Sniff, Sniffed, Stopping, Streams,
};
pub use setup::{ClientSetup, ServerSetup, Setup};
use std::time::{Duration, Instant};

/// One protocol on one connection. A unary server implements `poll` and `finish`, a unary client `poll` and
/// `open`.
pub trait Machine: Send {
    /// Advances the machine; returns at most one event. Hot path. Before it returns an error, its final
    /// message to the peer (GOAWAY, 400) is in `out`: flush, then close.
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError>;
    /// Server: ends the exchange with a reply, trailers or an error. Hot path. A unary call needs nothing
    /// else; a stream is closed.
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome);
    /// Client: starts an exchange under the caller's id. Hot path. It borrows the call, so that a retry still
    /// has it.
    fn open(
        &mut self,
        _cx: &mut Cx<'_>,
        _exchange: Exchange,
        _call: &Outgoing<'_>,
    ) -> Result<Credit, Refusal> {
        Err(Refusal::WrongRole)
    }
    /// Server: starts a streamed answer: status and headers, before the first part.
    fn answer(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _answer: &Answer) -> Credit {
        Credit::CLOSED
    }
    /// Sends a part of a stream or of a hub. Hot path. The machine borrows the part, which may be sent to
    /// others as well: it copies short parts and shares long ones.
    fn send(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _part: &Part) -> Credit {
        Credit::CLOSED
    }
    /// The application has taken this much since the last grant: reopen windows, deliver waiting messages.
    fn grant(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _bytes: usize, _messages: u32) {}
    /// Ends an exchange in both directions without a reply: cancellation, deadline, dropped future.
    fn reset(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _why: Status) {}
    /// The verdict on `Authenticate`, at once or later; until then the machine returns `Blocked`. A refusal
    /// is written in the form of the protocol, then `Closed`; see also [`is_undecided`]. A machine that has
    /// not asked ignores it.
    fn authenticated(&mut self, _cx: &mut Cx<'_>, _verdict: Result<Validity, Status>) {}
    /// `deadline` has passed, `out` has room again, or the peer has closed its write side (replies may still
    /// be unsent).
    fn resume(&mut self, _cx: &mut Cx<'_>, _why: Wake) -> Result<(), WireError> {
        Ok(())
    }
    /// Announces the end of the connection (GOAWAY, ELOGOFF, `Connection: close`): first `Drain`, later
    /// `Close`.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, _phase: Goodbye) {}
    /// The machine's one timer, read after each pump; a machine with several returns the earliest.
    fn deadline(&self) -> Option<Instant> {
        None
    }
    /// Client: exchanges that may be opened now, 0 while draining. Pools use it to decide whether to open
    /// further connections.
    fn vacancies(&self) -> u32 {
        0
    }
    /// Whether a message has begun to arrive whose first bytes are no longer in `input`. It starts the time
    /// limit for slow peers, and a draining connection waits for the message's end. Not for streams that were
    /// opened: their parts are events.
    fn is_receiving(&self) -> bool {
        false
    }
    /// Server: when the oldest of several concurrent incomplete messages began; `None`: there is at most one,
    /// which the engine times itself. A late message is ended by [`Machine::give_up`].
    fn oldest(&self) -> Option<Instant> {
        None
    }
    /// Server: ends requests and messages that began to arrive at `begun` or before and are still incomplete,
    /// unless enough bytes have arrived since then ([`goes_on`]): for those the time starts again. Requests
    /// that the machine can end individually are answered or reset, and everything else on the connection
    /// continues. Time in which this side held a message back, or read nothing while it waited for a verdict,
    /// does not count. Returns the number of ended requests; with 0, the engine ends the connection.
    fn give_up(&mut self, _cx: &mut Cx<'_>, _begun: Instant) -> u32 {
        0
    }
    /// Server: whether everything that [`Machine::is_receiving`] reports waits for this side rather than for
    /// the peer, so that the peer is not slow.
    fn is_patient(&self) -> bool {
        false
    }
    /// Bytes held beyond `input` and `out`: queued output, unread windows, partial messages.
    fn held(&self) -> usize {
        0
    }
    /// Whether the machine holds incomplete requests, apart from received parts of open streams. Called once
    /// a turn.
    fn holds(&self) -> bool {
        self.held() > 0
    }
}

/// The resources that the engine lends to a machine for one call.
pub struct Cx<'e> {
    pub now: Instant,
    /// Unread bytes; messages are cut off the front, by reference.
    pub input: &'e mut IoBuf,
    /// Output; append whole frames. Bulk data checks `out.room()` before each frame; control frames do not,
    /// up to a limit. `out.position()` and `out.flushed` tell which messages were sent (high-water marks).
    pub out: &'e mut Output,
    pub host: &'e mut dyn Host,
}

/// The requests of a machine to its host while it parses. The host is separate from the dispatcher's tables,
/// because events still borrow it, and never calls back into a machine. Memory that is reserved here is
/// released at `Open`, at `withdraw`, or when the connection ends.
pub trait Host {
    /// Server: makes all checks in the order of admission, and one look-up of the method. `Err` is sent in
    /// the form of the protocol, and the body is skipped. `announced` is the body's length, if the protocol
    /// gives it.
    fn admit(&mut self, head: &Head<'_>, announced: Option<usize>) -> Result<Route, Status>;
    /// Server: whether a method is bound to this number of a protocol, apart from the one for all numbers
    /// that have none. Decides and counts nothing: it is for requests that may call by one of several
    /// numbers.
    fn is_bound(&self, _protocol: &str, _number: u64) -> bool {
        true
    }
    /// Server: whether something answers calls of methods that the server does not have, by their names.
    fn has_catch_all(&self) -> bool {
        false
    }
    /// Server: whether a request may be served without a credential although the server requires one. Called
    /// by protocols in which every request may show a credential (HTTP), for requests that would otherwise
    /// raise `Event::Authenticate`.
    fn is_open_to_all(&mut self, _head: &Head<'_>) -> bool {
        false
    }
    /// Server: whether a failure of this request is a JSON object in the body of its reply, as gateways send
    /// it, because a rule of `google.api.http` leads from its path to a method. Called when it has failed, by
    /// whatever refused it.
    fn fails_in_json(&mut self, _head: &Head<'_>) -> bool {
        false
    }
    /// Server: an admitted request ends without `Open`, because its message was too long or corrupt, or the
    /// peer cancelled it. Releases the reservation that `admit` made for it; the arguments are the same as
    /// those of `admit`.
    fn withdraw(&mut self, _route: Route, _announced: Option<usize>) {}
    /// Server: whether the request that has just arrived is to be recorded as it was received. Only called by
    /// machines of protocols with [`DumpForm::HeadAndBody`].
    fn records(&mut self) -> bool {
        false
    }
    /// Server: receives such a request, as head and rest, after [`Host::records`] has returned true.
    fn received(&mut self, _head: &[u8], _rest: &IoBuf) {}
    /// Server: something was denied to the peer while the connection continues; for counters.
    fn denied(&mut self, _what: Denied) {}
    /// Server: the peer has broken a rule, which ends an exchange and not the connection; for counters.
    fn wrong(&mut self, _what: &WireError) {}
    /// Server: whether memory is scarce, so that data for slow peers is kept for a shorter time.
    fn is_tight(&self) -> bool {
        false
    }
    /// Server: the time of day at `now`, for replies that contain a date; `None`: there is no clock. It must
    /// be cheap: HTTP calls it for every reply.
    fn date(&mut self, _now: Instant) -> Option<Date> {
        None
    }
    /// Client: whether this much of a reply may be buffered. If not, it is skipped and the call finishes as
    /// too large.
    fn admit_reply(&mut self, exchange: Exchange, announced: usize) -> bool;
}

/// The protocols that a program contains, as a type: the default for the channels and clients of that type.
pub trait Protocols: Send + Sync + 'static {
    fn protocol_set() -> ProtocolSet;
}

/// The result of admitting a request (20 bytes).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Route {
    /// The dispatcher's own index of the method; returned in `Open`.
    pub method: u32,
    /// Maximum length of a message in bytes. The machine refuses longer ones in the form of the protocol
    /// without asking again.
    pub max_message: u32,
    /// The dispatcher's own index of the caller; returned in `Open` and `withdraw`.
    pub caller: u32,
    /// The dispatcher's index of the path that the request used; the machine returns it in `Open`.
    pub way: u32,
    pub delivery: Delivery,
    /// Whether the method answers by a stream: `answer`, `send`, `finish`; otherwise by one message in
    /// `finish`.
    pub streamed: bool,
    /// Whether the method has no side effects, so that a request may call it that a foreign page can make a
    /// browser send (Connect's GET).
    pub no_side_effects: bool,
    /// Whether the method takes over the connection or the stream of its request (WebSocket), when it answers
    /// 101; `delivery` is `Pieces` then.
    pub upgrades: bool,
}

/// Server: marks that some of its methods take over connections, see [`Route::upgrades`]. It is among the
/// extensions of a setup.
#[derive(Clone, Copy, Debug)]
pub struct Upgrades;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Delivery {
    /// `Open` once the only message has arrived: unary and server streaming.
    #[default]
    Whole,
    /// `Open` at once, then complete messages: client and bidirectional streaming.
    Messages,
    /// `Open` at once, then pieces as they arrive: uploads of unknown length, proxies. Over HTTP both bodies
    /// are then bytes in the form of the content type, and `Outcome::trailers` are fields after the body of
    /// the reply.
    Pieces,
}

/// The result of a poll: 184 bytes, returned in place.
pub enum Step<'a> {
    Event(Event<'a>),
    /// The machine needs this many more bytes. If they are many, the engine moves the unread front into one
    /// buffer for the whole message and reads into that.
    Need(usize),
    /// The machine can do nothing before a command or `resume` (serial protocol, pipeline limit, verdict,
    /// window, too much unsent output); reading stops.
    Blocked,
    /// The input belongs to another protocol: detect it again, and keep this machine for its open exchanges.
    Foreign,
    /// The connection was upgraded: replace this machine.
    Become(Box<dyn Machine>),
    /// Flush `out`, then close.
    Closed,
}

pub enum Event<'a> {
    /// Server: a request that was admitted.
    Open(Open<'a>),
    /// Client: the head of a streamed answer.
    Answer {
        exchange: Exchange,
        answer: Answer,
    },
    Part {
        exchange: Exchange,
        part: Part,
    },
    /// Client: the exchange ended, successfully or not. Streams: the peer closed in order, after its last
    /// part.
    Finish {
        exchange: Exchange,
        outcome: Outcome,
    },
    /// The exchange was cancelled by the peer or lost, or an offered stream was not accepted.
    /// `why.unprocessed`: a retry is safe.
    Reset {
        exchange: Exchange,
        why: Status,
    },
    /// A waiting sender may continue, whether it waited for window, high-water mark, or room. A stream's
    /// first credit means that it is connected.
    Credit {
        exchange: Exchange,
        credit: Credit,
    },
    /// The peer has sent a credential in its first frame, HELLO, PLAIN or CURVE: nothing is dispatched before
    /// the verdict.
    Authenticate(Claim<'a>),
    /// The peer accepts no messages, or no more of them, while it may go on sending: sends fail from now on.
    Stopped {
        exchange: Exchange,
    },
    /// A change of the connection itself.
    Notice(Notice<'a>),
}

/// The credential that a peer sends. Whether it applies to the connection or to this request alone is a
/// property of the protocol ([`Protocol::credential`]).
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The kind of credential: `authorization`, `AUTH`, `PLAIN`, or the protocol's name.
    pub scheme: &'static str,
    /// User name, where the protocol has a field for it (Redis, PLAIN).
    pub user: Option<&'a [u8]>,
    /// The credential. `None`: the peer shows none, or its protocol has no field for one.
    pub credential: Option<&'a [u8]>,
    /// The head of the request that carries the credential, as far as it is known by then.
    pub head: Option<Head<'a>>,
}

impl<'a> Claim<'a> {
    /// A claim without a user or a request.
    pub fn new(scheme: &'static str, credential: Option<&'a [u8]>) -> Self {
        Claim { scheme, user: None, credential, head: None }
    }
}

/// Leaves out the credential.
impl std::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claim").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}

/// The requests for which an accepted claim holds, where each request may show a credential
/// ([`CredentialPer::Request`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validity {
    /// The verdict covers this request, and later ones on the connection with the same credential.
    Credential,
    /// The verdict covers this request alone.
    Request,
}

/// Whether a refusal ([`Machine::authenticated`]) means that no decision was possible, rather than that the
/// peer is rejected: UNAVAILABLE, DEADLINE_EXCEEDED and INTERNAL. It is reported as a failure of this side,
/// and does not count against the peer.
pub fn is_undecided(refusal: &Status) -> bool {
    matches!(refusal.code(), Code::Unavailable | Code::DeadlineExceeded | Code::Internal)
}

/// Identifies an exchange on its connection (16 bytes). Chosen by the side that opens it: the server's
/// machine, or the client's dispatcher.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Exchange {
    /// Opaque to all but its owner: correlation id, stream id, sequence number; at the client version and
    /// slot.
    pub token: u64,
    /// Dense index among the opener's open exchanges: both sides find their state in an array, then compare
    /// the token.
    pub slot: u32,
}
impl Exchange {
    /// Slot of a unary request that cannot be cancelled: only its `finish` refers to it, and no table
    /// contains it.
    pub const UNTRACKED: u32 = u32::MAX;
    /// Traffic of the connection itself: Redis push, rest_rpc publications, ZMTP sockets.
    pub const CONNECTION: Exchange = Exchange { token: u64::MAX, slot: u32::MAX - 1 };
}

/// A request (184 bytes).
pub struct Open<'a> {
    pub exchange: Exchange,
    pub route: Route,
    pub head: Head<'a>,
    /// The only message (`finished`), or empty.
    pub body: IoBuf,
    /// Whether the peer has finished sending.
    pub finished: bool,
    /// Streams offered inside this call (streaming_rpc): connected if `Outcome::accept` is set, otherwise
    /// reset after `finish`.
    pub streams: &'a [Exchange],
}

/// The parts of a request that are known before its body (80 bytes).
#[derive(Clone, Copy)]
pub struct Head<'a> {
    pub target: Target<'a>,
    pub timeout: Option<Duration>,
    /// The number of bytes at the end of the body that are its attachment.
    pub attachment: u32,
    /// Encoding of the body, see [`Content`].
    pub content: Content,
    /// Compression of the body as it arrived, see [`Compression`].
    pub compression: Compression,
    /// The compressions that a reply may use.
    pub accepts: Compressions,
    /// Whether the request comes from a page that may not call (HTTP); the host then refuses it.
    pub sender: Sender,
    pub dialect: Dialect,
    /// Metadata in the protocol's own form, parsed on demand through [`Protocol::fields`]. Empty if a request
    /// has nothing beyond the fields above, so that the common request copies nothing.
    pub raw: &'a [u8],
    /// Whether `raw` may name a trace or the id of a log ([`may_be_id`]). Where it cannot, it is not parsed
    /// for them.
    pub ids: bool,
}

impl<'a> Head<'a> {
    /// A head with only a target and an encoding of its body.
    pub fn new(target: Target<'a>, content: Content) -> Self {
        Head {
            target,
            timeout: None,
            attachment: 0,
            content,
            compression: Compression::NONE,
            accepts: Compressions::default(),
            sender: Sender::default(),
            dialect: Dialect::Own,
            raw: &[],
            ids: true,
        }
    }
}

#[derive(Clone, Copy)]
pub enum Target<'a> {
    Method {
        service: &'a str,
        method: &'a str,
    },
    /// The method at this position in its service's definition, counted from 0 (hulu, nova). An empty name is
    /// the application's first service.
    Index {
        service: &'a str,
        method: u32,
    },
    Path {
        verb: &'a str,
        path: &'a str,
    },
    /// A method by a number that the protocol derives from its name (fb_rpc).
    Id(u64),
    /// A method of the service that the server has bound to this protocol ([`Protocol::name`]): functions of
    /// rest_rpc, frames of nshead, requests to a ZeroMQ socket. Bound services are found by this target and
    /// by [`Target::Command`], never by a name, a path or a number of another target, so other protocols
    /// cannot reach them.
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

/// A message, or a piece of one (56 bytes). ZMTP: one or more complete multipart messages in wire form.
#[derive(Clone, Default, Debug)]
pub struct Part {
    pub bytes: IoBuf,
    pub end_of_message: bool,
    /// The sender's half ends here. Without `end_of_message` and bytes, no further message came; an empty one
    /// is valid.
    pub finished: bool,
    /// Compression of this message alone (gRPC's flag byte).
    pub compression: Compression,
    /// ZMTP, received parts: number of messages in `bytes` after the first.
    pub others: u32,
}

impl Part {
    /// A part that is a whole message.
    #[inline]
    pub fn message(bytes: IoBuf) -> Part {
        Part { bytes, end_of_message: true, ..Part::default() }
    }

    /// The end of the sender's half, without a further message.
    #[inline]
    pub fn end() -> Part {
        Part { finished: true, ..Part::default() }
    }
}

/// The end of an exchange (96 bytes): status, and for a unary call its reply.
#[derive(Default, Debug)]
pub struct Outcome {
    pub status: Status,
    pub body: IoBuf,
    /// The number of bytes at the end of `body` that are its attachment.
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// Whether `body` is a reply message, even if it is empty; streams end without one.
    pub reply: bool,
    /// streaming_rpc: whether all offered streams are accepted.
    pub accept: bool,
    /// Fields that are sent before the message, where the protocol distinguishes them from those after it
    /// (gRPC, Connect); otherwise they are added to `trailers`.
    pub headers: Option<Box<Metadata>>,
    /// Reply fields: HTTP headers, gRPC trailers, baidu_std user_fields.
    pub trailers: Option<Box<Metadata>>,
}

impl From<Status> for Outcome {
    /// The outcome of a call that failed; the fields of the status become trailers.
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
    /// Moves the fields of the head to the front of the trailers, for protocols with one place for both.
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

    /// The status of the call. If the call failed, the status gets all fields as metadata, those of the head
    /// first.
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

/// The head of a streamed answer (16 bytes).
#[derive(Default, Debug)]
pub struct Answer {
    pub status: u16,
    /// The compression that the parts may use; each part states whether it does (gRPC announces it here).
    pub compression: Compression,
    pub metadata: Option<Box<Metadata>>,
}

/// The number of messages and bytes that may be sent now (8 bytes, so that it fits one atomic). It replaces
/// the previous credit and is not an increment.
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

/// A call for the client's machine to encode, borrowed from the pending call.
pub struct Outgoing<'a> {
    pub service: &'a str,
    pub method: &'a str,
    /// Position of the method in its service's definition, from 0, or the number in the definition, if the
    /// caller knows it.
    pub index: Option<u32>,
    pub timeout: Option<Duration>,
    pub metadata: &'a Metadata,
    pub body: &'a IoBuf,
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// Whether `body` is the only message (unary, server streaming); otherwise it is empty and parts follow.
    pub finished: bool,
    /// Whether the answer consists of `Answer`, `Part`s and `Finish`; otherwise it is one `Finish` with the
    /// reply.
    pub streamed: bool,
    /// streaming_rpc: streams to offer, owned by the caller's slab; a `Finish` with `accept` connects them.
    pub streams: &'a [Exchange],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    WrongRole,
    /// There is no room now. The call waits for it, and those behind it wait, too.
    Full,
    /// The connection has as many streams as it may, which end when their users like.
    Streams,
    Draining,
    TooLarge,
    /// The protocol cannot carry the call: the call is streamed, or offers streams, and the protocol does not
    /// support that.
    Unsupported,
    /// The protocol identifies methods by their position, which the call does not have.
    Unnumbered,
    /// The protocol has no value for this compression.
    Compression,
    /// The connection has a credential for which the protocol has no field, or that it cannot encode.
    Credential,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wake {
    Deadline,
    Room,
    Eof,
}

/// The refusals for a peer that does not read its replies, see [`Patience::queued`], or sends too many
/// requests at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denied {
    /// A reply was dropped.
    Reply,
    /// A request is refused, or waits until some replies were sent; or it offers more streams than
    /// `Limits::streams` allows.
    Request,
    /// Credentials were refused so often that no further request is accepted.
    Credentials,
}

pub enum Notice<'a> {
    /// The peer accepts no new exchanges; those that it will not process follow as `Reset`.
    Draining,
    /// Client: the peer received too many pings ([`Keepalive::every`]) and closes the connection.
    Calm,
    PeerLimit {
        exchanges: u32,
    },
    /// ZMTP: the handshake is complete; the connection is now one peer of a socket, with its type and
    /// identity.
    Peer {
        kind: &'a str,
        identity: &'a [u8],
        /// All properties that it sent, in the encoding of its protocol.
        properties: &'a [u8],
    },
    /// ZMTP, Redis, rest_rpc: the peer subscribes to this topic, or unsubscribes.
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
    /// The peer sent too much of something that the protocol allows.
    Flood(Flood),
    /// The peer did not send an expected frame in time (an acknowledgement, the answer to a ping).
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
