//! HTTP semantics: requests and replies as calls, over any framing.
//!
//! ```text
//!              server                                           client
//!  Head ─► checks ─► Authenticate? ─► admit ─► Open    open ─► Head ─► Answer ─► Part… ─► Finish   (streamed)
//!                         │ no           │ no                   └────► body ───────────► Finish   (unary)
//!                         └─► 403        └─► status of the refusal
//! ```
//!
//! A plain body is one message: `Delivery::Whole` delivers it with `Open`, `Messages` as one part after it,
//! and `Pieces` as it arrives, within the window. An enveloped body (gRPC, grpc-web, streams of Connect) may
//! have several: `Whole` takes exactly one message, `Messages` delivers each as one part, and `Pieces`
//! delivers the body as it arrives, with its envelopes; its handler writes the body and trailers of the
//! answer in the same way.
//!
//! | file | what it is |
//! | --- | --- |
//! | `server.rs`, `reply.rs` | requests in, replies out |
//! | `client.rs`, `outcome.rs` | calls out, replies in |
//! | `call.rs` | one exchange as a call, and its states |
//! | `body.rs`, `assembly.rs` | bodies in as messages; how many of them may come at once |
//! | `auth.rs` | authentication of requests |
//! | `websocket.rs`, `socket.rs` | requests that ask for WebSocket; calls over it |
//! | `no_websocket.rs` | what stands in its place where the feature is off |
//! | `own_fields.rs` | the few fields of our own in one head |
//!
//! Source:     docs/wire/http.md sections 2 to 4, docs/wire/grpc.md sections 2 and 4; RFC 9110
//! Invariants: a slot's `exchange` is set from its head until the exchange ends; what comes for a slot
//!             without one is dropped.
//! Limits:     `Route::max_message` bounds a body that is one message; `Limits::ahead` the parts that are
//!             delivered and not granted; `Limits::max_message` and `Host::admit_reply` replies.
//! Not here:   bytes (`h1`), single fields of the kinds of calls (`dialects`), routing to services, JSON.

mod assembly;
mod auth;
mod body;
mod call;
mod client;
mod outcome;
mod own_fields;
mod reply;
mod server;
mod socket;
#[cfg(feature = "websocket")]
mod websocket;
#[cfg(not(feature = "websocket"))]
#[path = "no_websocket.rs"]
mod websocket;

use super::{
    dialects::{Form, Kind},
    fields::is_value_byte,
    framing::{Abort, Broken, Framing, Http},
    last_path::LastPath,
    origin::Way,
    status,
    websocket::Served,
};
use assembly::Assembly;
use auth::Auth;
use call::{Admission, BodyEnd, Call, ReplyBody, ReplyState, ServerCall};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_wire::{
    Answer, Credit, Cx, Denied, Event, Exchange, Goodbye, Limits, Machine, Notice, Open, Origins, Outcome,
    Outgoing, Part, Refusal, Role, Sender, Setup, Step, Validity, Wake, WireError,
};
use std::{collections::VecDeque, mem, sync::Arc, time::Instant};

/// The machine of every protocol that is HTTP.
pub(crate) struct Semantics<F> {
    framing: F,
    role: Role,
    limits: Limits,
    /// Indexed by the framing's slot.
    calls: Vec<Call>,
    /// Client: the framing's slot, indexed by the caller's slot.
    by_caller: Vec<u32>,
    /// Slots that may have something to deliver.
    deliver: VecDeque<u32>,
    /// Ends of exchanges that are not reported yet.
    ended: VecDeque<Found>,
    auth: Auth,
    /// Server: requests that start when the peer has read some of its replies, and whether their bodies have
    /// ended.
    waiting: VecDeque<(u32, bool)>,
    assembly: Assembly,
    /// Server: number of calls that are `Admission::Admitted`, whose messages are being assembled.
    unopened: u32,
    /// Client: the dialect of calls.
    kind: Kind,
    /// Server: the origins whose pages may call, see `origin.rs`; `None`: only the server's own origin.
    origins: Option<Arc<Origins>>,
    /// How the connection reaches this server.
    way: Way,
    /// Client: whether the credential cannot be the value of a field.
    has_unwritable_credential: bool,
    /// Server: which requests for WebSocket are served.
    websockets: Served,
    /// Server: the slot of a long head that has been reported.
    reported: Option<u32>,
    /// Server: the form of the last heads that are alike, see
    /// [`HeadBlock::like`](super::framing::HeadBlock::like).
    form: (u32, Form, Sender),
    /// Server: the path of the last request.
    last_path: LastPath,
}

/// An event that `poll` has found. It is small, and is turned into a `Step` once no borrow remains.
enum Found {
    /// A call; its body is in `Call::inbound`.
    Open {
        slot: u32,
        finished: bool,
    },
    Authenticate {
        slot: u32,
    },
    Answer {
        slot: u32,
    },
    /// A part, whose bytes are in `Call::inbound`.
    Part {
        slot: u32,
        end_of_message: bool,
        finished: bool,
    },
    /// A message, which is in `Call::message`.
    Message {
        slot: u32,
        finished: bool,
    },
    /// A reply has arrived completely, or all its parts are delivered.
    Finish {
        slot: u32,
    },
    /// A call ends without a reply. Rare variants are boxed, so that the enum stays small.
    Fail {
        exchange: Exchange,
        status: Box<Status>,
    },
    Reset {
        exchange: Exchange,
        why: Box<Status>,
    },
    Credit {
        exchange: Exchange,
        credit: Credit,
    },
    Draining,
    Calm,
    Limit(u32),
    Need(usize),
    Blocked,
    Closed,
}

impl<F: Framing> Semantics<F> {
    /// The memory of an exchange here and in the framing, without its bytes.
    pub const SLOT_BYTES: usize = F::SLOT + size_of::<Call>();

    /// `kind` is the dialect of a client's calls; a server recognises the dialect of each request.
    pub fn new(framing: F, setup: &Setup<'_>, kind: Kind) -> Self {
        let way = match setup {
            Setup::Server(setup) => Way { secure: setup.secure, loopback: setup.loopback },
            Setup::Client(setup) => Way { secure: setup.secure, loopback: false },
        };
        let credential = setup.credential().unwrap_or_default();
        Semantics {
            framing,
            role: setup.role(),
            limits: setup.limits(),
            calls: Vec::new(),
            by_caller: Vec::new(),
            deliver: VecDeque::new(),
            ended: VecDeque::new(),
            auth: Auth::new(setup.authenticate()),
            waiting: VecDeque::new(),
            assembly: Assembly::default(),
            unopened: 0,
            kind,
            origins: setup.extensions().and_then(|extensions| extensions.get()),
            way,
            has_unwritable_credential: !credential.iter().all(|&byte| is_value_byte(byte)),
            websockets: Served::of(setup),
            reported: None,
            form: Default::default(),
            last_path: LastPath::default(),
        }
    }

    /// The slot of a live exchange.
    #[inline]
    fn find(&self, exchange: Exchange) -> Option<u32> {
        let slot = match self.role {
            Role::Server => exchange.slot,
            Role::Client => *self.by_caller.get(exchange.slot as usize)?,
        };
        let call = self.calls.get(slot as usize)?;
        (call.exchange == Some(exchange)).then_some(slot)
    }

    /// Client: stores the framing's slot for a caller's slot.
    #[inline]
    fn index(&mut self, caller: u32, slot: u32) {
        let caller = caller as usize;
        if self.by_caller.len() <= caller {
            self.by_caller.resize(caller + 1, u32::MAX);
        }
        self.by_caller[caller] = slot;
    }

    /// Stores a new exchange in this slot.
    #[inline]
    fn begin(&mut self, slot: u32, exchange: Exchange) -> &mut Call {
        while self.calls.len() <= slot as usize {
            if self.calls.is_empty() {
                self.calls.reserve_exact(1); // most connections have one call at a time
            }
            self.calls.push(Call::default());
        }
        let call = &mut self.calls[slot as usize];
        call.restart(exchange, self.limits.ahead.max(1));
        call
    }

    /// Ends the exchange of this slot: further bytes for it are dropped.
    #[inline]
    fn end(&mut self, slot: u32) -> Option<Exchange> {
        let call = &mut self.calls[slot as usize];
        if !call.body.bytes.is_empty() {
            call.body.bytes = IoBuf::new();
        }
        if !call.body.message.is_empty() {
            call.body.message = IoBuf::new();
        }
        call.client.ended = None;
        call.body.socket = None;
        self.framing.release(slot);
        let exchange = call.exchange.take();
        if call.is_waiting() {
            call.server.admission = Admission::Opened;
            self.waiting.retain(|(waiting, _)| *waiting != slot);
        }
        self.leave(slot);
        self.calls[slot as usize].flow.since = None;
        exchange
    }

    /// Returns bytes of a body that the application has taken: repays borrowed bytes first, then opens the
    /// window.
    fn give_back(&mut self, slot: u32, bytes: usize) {
        let call = &mut self.calls[slot as usize];
        let paid = bytes.min(call.flow.borrowed);
        call.flow.borrowed -= paid;
        self.framing.grant(slot, bytes - paid);
    }

    /// Like [`Semantics::credit`]; a stalled sender is woken by the framing.
    fn credit_or_stall(&mut self, slot: u32, queued: usize) -> Credit {
        let credit = self.credit(queued);
        if !credit.is_open() {
            self.framing.stall(slot);
        }
        credit
    }

    fn credit(&self, queued: usize) -> Credit {
        let bytes = (self.limits.backlog as usize).saturating_sub(queued).min(self.framing.backlog());
        Credit { bytes: bytes.min(u32::MAX as usize) as u32, messages: u32::MAX }
    }

    /// Longest body that is taken as one message in this slot.
    fn longest(&self, slot: u32) -> usize {
        match self.calls[slot as usize].server.route.max_message {
            0 => self.limits.max_message as usize, // the route does not say
            n => n as usize,
        }
    }

    /// A part of a body, if there is one and the application has asked for it.
    fn part(&mut self, slot: u32) -> Option<Found> {
        let role = self.role;
        let call = &mut self.calls[slot as usize];
        call.exchange?;
        if call.is_waiting() {
            return None;
        }
        let has_bytes = !call.body.bytes.is_empty();
        let pieces = call.is_piecewise(role);
        let finished = call.body.end.is_complete();
        let ready = finished || pieces && has_bytes;
        // The end may overtake the demand, a message may not.
        if !ready || call.body.end == BodyEnd::Delivered || has_bytes && call.flow.demand == 0 {
            return None;
        }
        call.flow.demand -= u32::from(has_bytes);
        let end_of_message = finished && (has_bytes || pieces);
        if finished {
            call.body.end = BodyEnd::Delivered;
            self.leave(slot);
        }
        Some(Found::Part { slot, end_of_message, finished })
    }

    /// The next event of one slot.
    fn extract(&mut self, cx: &mut Cx<'_>, slot: u32) -> Option<Found> {
        if slot as usize >= self.calls.len() {
            return None; // its place has been given back
        }
        match self.role {
            Role::Server if self.calls[slot as usize].form.kind.is_enveloped() => self.message(cx, slot),
            Role::Server => self.part(slot),
            Role::Client => self.extract_reply(cx, slot),
        }
    }

    /// The next event to report.
    #[inline]
    fn find_next(&mut self, cx: &mut Cx<'_>) -> Result<Found, WireError> {
        loop {
            while let Some(slot) = self.deliver.pop_front() {
                if let Some(found) = self.extract(cx, slot) {
                    return Ok(found);
                }
            }
            if let Some(found) = self.ended.pop_front() {
                return Ok(found);
            }
            if let Some(found) = self.begin_waiting(cx.now) {
                return Ok(found);
            }
            if !self.assembly.is_empty() {
                self.open_window_of_next(cx.now);
            }
            if self.auth.is_asking() {
                return Ok(Found::Blocked);
            }
            if let Some((slot, end)) = self.auth.take_accepted() {
                let found = self.admit(cx, slot, end);
                if let Some(found) = self.unless_crowded(cx, found) {
                    return Ok(found);
                }
                continue;
            }
            let http = match self.framing.poll(cx) {
                Ok(Http::Closed) | Err(_) if self.role == Role::Client && self.waits() => Http::Blocked,
                other => other?,
            };
            let found = match (http, self.role) {
                (Http::Head { slot, id, end }, Role::Server) => self.request(cx, slot, id, end),
                (Http::TooLarge { slot, id, end }, _) => self.refuse_head(cx, slot, id, end),
                (Http::Data { slot, bytes, end }, role) => {
                    let bytes = cx.input.cut(bytes);
                    match role {
                        Role::Server => self.request_data(cx, slot, bytes, end),
                        Role::Client => self.reply_data(cx, slot, bytes, end),
                    }
                }
                (Http::Again, _) => None,
                (Http::Coming { slot, bytes }, Role::Server) => self.request_coming(cx, slot, bytes),
                (Http::Head { slot, end, .. }, Role::Client) => self.reply_head(cx, slot, end),
                (Http::Coming { slot, bytes }, Role::Client) => self.reply_coming(cx, slot, bytes),
                (Http::Reset { slot, why }, _) => self.broken(cx, slot, why),
                (Http::Writable { slot, room }, _) => {
                    let credit = Credit { bytes: room.min(u32::MAX as usize) as u32, messages: u32::MAX };
                    let exchange = self.calls.get(slot as usize).and_then(|c| c.exchange);
                    exchange.map(|exchange| Found::Credit { exchange, credit })
                }
                (Http::Slots(n), _) => {
                    self.calls.truncate(n as usize);
                    self.calls.shrink_to_fit();
                    self.deliver.shrink_to(n as usize);
                    None
                }
                (Http::Draining, _) => Some(Found::Draining),
                (Http::Calm, _) => Some(Found::Calm),
                (Http::Limit(n), _) => Some(Found::Limit(n)),
                (Http::Need(_) | Http::Blocked, Role::Server) if self.goes_on(cx.now) => None,
                (Http::Need(n), _) => Some(Found::Need(n)),
                (Http::Blocked, _) => Some(Found::Blocked),
                (Http::Closed, _) => Some(Found::Closed),
            };
            if let Some(found) = self.unless_crowded(cx, found) {
                return Ok(found);
            }
        }
    }

    /// Delays a request while its peer leaves too many replies unread.
    #[inline]
    fn unless_crowded(&mut self, cx: &mut Cx<'_>, found: Option<Found>) -> Option<Found> {
        match found {
            Some(Found::Open { slot, finished }) if self.framing.is_crowded() => {
                self.calls[slot as usize].server.admission = Admission::Waiting;
                self.waiting.push_back((slot, finished));
                cx.host.denied(Denied::Request);
                None
            }
            found => found,
        }
    }

    /// Continues waiting work after the last read; returns whether there is any.
    #[inline]
    fn goes_on(&mut self, now: Instant) -> bool {
        if self.waiting.is_empty() && self.assembly.is_empty() || self.framing.is_crowded() {
            return false;
        }
        self.open_window_of_next(now) || !self.waiting.is_empty()
    }

    /// Starts a request that had to wait, if there is room for its reply.
    #[inline]
    fn begin_waiting(&mut self, now: Instant) -> Option<Found> {
        if self.waiting.is_empty() || self.framing.is_crowded() {
            return None;
        }
        let (slot, finished) = self.waiting.pop_front()?;
        let call = &mut self.calls[slot as usize];
        call.server.admission = Admission::Opened;
        call.flow.since = call.flow.since.map(|_| now); // the time until now was ours
        if !finished {
            self.deliver.push_back(slot); // parts may have come meanwhile
        }
        Some(Found::Open { slot, finished })
    }

    /// No bytes were read from `begun` until now, so this time does not count against peers.
    #[cold]
    fn skip_time(&mut self, begun: Instant, now: Instant) {
        for since in self.calls.iter_mut().filter_map(|call| call.flow.since.as_mut()) {
            *since += now.saturating_duration_since(begun.max(*since));
        }
        self.framing.skip_time(now.saturating_duration_since(begun));
    }

    /// Whether received parts wait for grants: the connection does not end before they are delivered.
    #[cold]
    fn waits(&self) -> bool {
        self.calls.iter().any(|c| c.exchange.is_some() && c.body.end == BodyEnd::Here)
    }

    /// The peer has ended an exchange early.
    #[cold]
    fn broken(&mut self, cx: &mut Cx<'_>, slot: u32, how: Broken) -> Option<Found> {
        self.withdraw(cx, slot);
        let call = self.calls.get(slot as usize)?;
        let reported = self.role == Role::Client || call.opened_exchange().is_some();
        // The server also counts the time, and may end the call first.
        let late = how == CANCELLED && call.client.deadline.is_some_and(|deadline| deadline <= cx.now);
        let begun = self.role == Role::Client && call.reply.has_begun();
        let exchange = self.end(slot)?;
        let why = if late { status::late() } else { status::broken(self.role, how, self.framing.reason()) };
        let why = if begun { why.begun() } else { why };
        reported.then(|| Found::Reset { exchange, why: why.into() })
    }
}

/// The peer sent RST_STREAM with CANCEL.
const CANCELLED: Broken = Broken::Code(8);

impl<F: Framing> Machine for Semantics<F> {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if let Some(slot) = self.reported.take() {
            self.framing.forget_head(slot);
        }
        let event = match self.find_next(cx)? {
            Found::Open { slot, finished } => {
                let call = &mut self.calls[slot as usize];
                self.reported = self.framing.head(slot).is_long().then_some(slot);
                let block = self.framing.head(slot);
                let target = self.last_path.target(call.form.kind, block);
                let mut head = call.form.head_to(target, block, call.server.timeout, call.sender);
                let body = if call.form.kind.is_enveloped() {
                    head.compression = call.body.compression;
                    mem::take(&mut call.body.message)
                } else {
                    mem::take(&mut call.body.bytes)
                };
                let exchange = call.exchange.expect("set when the head came");
                Event::Open(Open { exchange, route: call.server.route, head, body, finished, streams: &[] })
            }
            Found::Authenticate { slot } => Event::Authenticate(self.claim(slot)),
            Found::Answer { slot } => {
                let exchange = self.calls[slot as usize].exchange.expect("a reply answers a call");
                Event::Answer { exchange, answer: self.answer_of(slot) }
            }
            Found::Part { slot, end_of_message, finished } => {
                let call = &mut self.calls[slot as usize];
                let exchange = call.exchange.expect("checked when the part was found");
                // A call over WebSocket ends between frames; those that follow are read where they are.
                let is_mark = call.body.socket.is_some();
                let bytes = if is_mark { IoBuf::new() } else { mem::take(&mut call.body.bytes) };
                Event::Part { exchange, part: Part { bytes, end_of_message, finished, ..Part::default() } }
            }
            Found::Message { slot, finished } => {
                let call = &mut self.calls[slot as usize];
                let exchange = call.exchange.expect("checked when the message was found");
                let (bytes, compression) = (mem::take(&mut call.body.message), call.body.compression);
                let part = Part { bytes, end_of_message: true, finished, compression, ..Part::default() };
                Event::Part { exchange, part }
            }
            Found::Finish { slot } => {
                let outcome = self.outcome_of(slot);
                if !self.calls[slot as usize].client.out_end {
                    self.framing.reset(cx, slot, Abort::Cancel); // the peer has answered: it does not read the rest of the request
                }
                Event::Finish { exchange: self.end(slot).expect("a reply answers a call"), outcome }
            }
            Found::Fail { exchange, status } => {
                Event::Finish { exchange, outcome: Outcome { status: *status, ..Outcome::default() } }
            }
            Found::Reset { exchange, why } => Event::Reset { exchange, why: *why },
            Found::Credit { exchange, credit } => Event::Credit { exchange, credit },
            Found::Draining => Event::Notice(Notice::Draining),
            Found::Calm => Event::Notice(Notice::Calm),
            Found::Limit(exchanges) => Event::Notice(Notice::PeerLimit { exchanges }),
            Found::Need(n) => return Ok(Step::Need(n)),
            Found::Blocked => return Ok(Step::Blocked),
            Found::Closed => return Ok(Step::Closed),
        };
        Ok(Step::Event(event))
    }

    #[inline]
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome) {
        if self.role == Role::Server
            && let Some(slot) = self.find(exchange)
        {
            self.finish_request(cx, slot, outcome);
        }
    }

    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        match self.role {
            Role::Server => Err(Refusal::WrongRole),
            Role::Client if self.has_unwritable_credential => Err(Refusal::Credential),
            Role::Client if !call.streams.is_empty() => Err(Refusal::Unsupported), // a call is one stream
            Role::Client => self.open_call(cx, exchange, call),
        }
    }

    fn answer(&mut self, cx: &mut Cx<'_>, exchange: Exchange, answer: &Answer) -> Credit {
        match self.find(exchange) {
            Some(slot) if self.role == Role::Server => self.answer_request(cx, slot, answer),
            _ => Credit::CLOSED,
        }
    }

    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        match (self.find(exchange), self.role) {
            (None, _) => Credit::CLOSED,
            (Some(slot), Role::Server) => self.send_answer(cx, slot, part),
            (Some(slot), Role::Client) => self.send_request(cx, slot, part),
        }
    }

    fn grant(&mut self, _: &mut Cx<'_>, exchange: Exchange, bytes: usize, messages: u32) {
        let Some(slot) = self.find(exchange) else { return };
        let call = &mut self.calls[slot as usize];
        call.flow.demand = call.flow.demand.saturating_add(messages).min(self.limits.ahead.max(1));
        self.give_back(slot, bytes);
        self.deliver.push_back(slot);
    }

    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, _: Status) {
        self.ended.retain(|found| !matches!(found, Found::Fail { exchange: e, .. } if *e == exchange));
        let Some(slot) = self.find(exchange) else { return };
        self.end(slot);
        self.framing.reset(cx, slot, Abort::Cancel);
    }

    fn authenticated(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        self.admit_peer(cx, verdict);
    }

    fn resume(&mut self, cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        match why {
            Wake::Room => self.framing.room(cx),
            Wake::Eof => self.framing.eof(),
            Wake::Deadline => {} // the next poll looks at the time
        }
        Ok(())
    }

    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        if phase == Goodbye::Close && self.role == Role::Server {
            self.leave_sockets(cx);
        }
        self.framing.goodbye(cx, phase);
    }

    fn deadline(&self) -> Option<Instant> {
        // While a verdict is awaited the framing is not polled, so it cannot act on its timer.
        if self.auth.is_asking() { None } else { self.framing.deadline() }
    }

    fn vacancies(&self) -> u32 {
        self.framing.vacancies()
    }

    fn is_receiving(&self) -> bool {
        self.unopened > 0
            || self.assembly.is_used()
            || !self.waiting.is_empty()
            || self.framing.is_receiving()
    }

    fn oldest(&self) -> Option<Instant> {
        if self.unopened == 0 && !self.assembly.is_used() {
            return None;
        }
        self.calls.iter().filter_map(Call::expected_since).min()
    }

    fn give_up(&mut self, cx: &mut Cx<'_>, begun: Instant) -> u32 {
        self.give_up_late(cx, begun)
    }

    fn is_patient(&self) -> bool {
        let waits = self.unopened > 0 || self.assembly.is_used() || !self.waiting.is_empty();
        let expects = self.framing.is_receiving() || self.calls.iter().any(|c| c.expected_since().is_some());
        waits && !expects
    }

    fn holds(&self) -> bool {
        // Bodies are those of requests that are not opened, have a place in assembly, or wait.
        self.framing.held() > 0 || self.unopened > 0 || self.assembly.is_used() || !self.waiting.is_empty()
    }

    fn held(&self) -> usize {
        let bodies: usize = self.calls.iter().map(|call| call.body.held()).sum();
        // Calls that are opened are counted above this.
        self.framing.held() + bodies + self.unopened as usize * Self::SLOT_BYTES
    }
}
