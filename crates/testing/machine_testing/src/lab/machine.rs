//! Both roles of the protocol.

use super::frame::{Frame, HEADER, Kind};
use polywire_call::{Compression, Compressions, Content, Origin, Status, brpc};
use polywire_wire::{
    Answer, Claim, Credit, Cx, Event, Exchange, Goodbye, Head, Limits, Machine, Notice, Open, Outcome,
    Outgoing, Part, Refusal, Role, Route, Setup, Step, Target, Validity, Wake, WireError,
};
use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

pub(super) struct Lab {
    magic: u8,
    serial: bool,
    role: Role,
    limits: Limits,
    /// Client: limit of concurrent calls.
    most: u32,
    /// Server: whether no credential has been accepted yet.
    locked: bool,
    asked: bool,
    draining: bool,
    closed: bool,
    credential: Vec<u8>,
    live: HashMap<u64, Live>,
    free: Vec<u32>,
    slots: u32,
    /// Events to be reported before further input is read.
    pending: VecDeque<Event<'static>>,
    /// Verdict on the open frame at the front of the input.
    admitted: Option<Result<Route, Status>>,
    /// Bytes of a refused body still to be skipped.
    skip: usize,
    /// The name in the open frame that is being reported.
    name: String,
    offered: Vec<Exchange>,
    timer: Option<Instant>,
}

struct Live {
    exchange: Exchange,
    /// Bytes that may still be sent.
    bytes: i64,
    messages: i64,
    /// Whether the call's credit was reported as closed.
    starved: bool,
    /// Offered streams of this call, by id.
    offers: Vec<u64>,
    /// Whether this is an offered stream that was not accepted yet.
    dangling: bool,
    /// Client: whether the answer is a stream.
    streamed: bool,
    /// Client: encoding of the request, and so of the reply.
    content: Content,
}

impl Lab {
    pub fn new(magic: u8, serial: bool, setup: &Setup<'_>) -> Self {
        let limits = setup.limits();
        Lab {
            magic,
            serial,
            role: setup.role(),
            limits,
            most: if serial { 1 } else { limits.exchanges },
            locked: setup.authenticate(),
            asked: false,
            draining: false,
            closed: false,
            credential: setup.credential().unwrap_or_default().to_vec(),
            live: HashMap::new(),
            free: Vec::new(),
            slots: 0,
            pending: VecDeque::new(),
            admitted: None,
            skip: 0,
            name: String::new(),
            offered: Vec::new(),
            timer: None,
        }
    }

    fn put(&self, cx: &mut Cx<'_>, frame: Frame) {
        let Frame { kind, flags, extra, id, a, body, .. } = frame;
        let head = Frame { magic: self.magic, kind, flags, extra, id, a, body: Vec::new() };
        let mut bytes = head.bytes();
        bytes[16..HEADER].copy_from_slice(&(body.len() as u32).to_le_bytes());
        cx.out.put(&bytes);
        cx.out.share(&body.into());
    }

    /// Server: tracks an exchange of the peer.
    fn track(&mut self, id: u64, exchange: Option<Exchange>) -> &mut Live {
        let exchange = exchange.unwrap_or_else(|| {
            let slot = self.free.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots - 1
            });
            Exchange { token: id, slot }
        });
        let live = Live {
            exchange,
            bytes: self.limits.window.into(),
            messages: self.limits.ahead.into(),
            starved: false,
            offers: Vec::new(),
            dangling: false,
            streamed: false,
            content: Content::RAW,
        };
        self.live.entry(id).insert_entry(live).into_mut()
    }

    fn forget(&mut self, id: u64) -> Option<Live> {
        let live = self.live.remove(&id)?;
        if self.role == Role::Server {
            self.free.push(live.exchange.slot);
        }
        Some(live)
    }

    /// Settles the offers of an ended call: connected, or lost.
    fn settle(&mut self, offers: &[u64], accept: bool) {
        for id in offers {
            let Some(live) = self.live.get_mut(id) else { continue };
            let exchange = live.exchange;
            if accept {
                live.dangling = false;
                let credit = Credit { bytes: live.bytes as u32, messages: live.messages as u32 };
                self.pending.push_back(Event::Credit { exchange, credit });
            } else {
                self.forget(*id);
                let why = Status::cancelled("not accepted").with_origin(Origin::Remote);
                self.pending.push_back(Event::Reset { exchange, why });
            }
        }
    }

    fn credit(live: &mut Live, room: usize) -> Credit {
        let open = live.bytes > 0 && live.messages > 0 && room > 0 && !live.dangling;
        live.starved = !open;
        if !open {
            return Credit::CLOSED;
        }
        Credit { bytes: live.bytes as u32, messages: live.messages as u32 }
    }

    /// The verdict on an open frame at the front whose name has arrived; requested once.
    fn admit(&mut self, cx: &mut Cx<'_>, frame: &Head20) -> Option<Result<Route, Status>> {
        let offers = 8 * frame.extra as usize;
        let named = HEADER + offers + 1;
        let front = cx.input.peek(named)?.to_vec();
        let whole = named + front[named - 1] as usize;
        let name = cx.input.peek(whole)?[named..].to_vec();
        self.name = String::from_utf8_lossy(&name).into_owned();
        let verdict = match self.admitted.take() {
            Some(verdict) => verdict,
            None => {
                let (service, method) = self.name.split_once('/').unwrap_or((&self.name, ""));
                let head = head(service, method, frame.a);
                cx.host.admit(&head, (frame.n + HEADER).checked_sub(whole))
            }
        };
        self.admitted = Some(verdict.clone());
        Some(verdict)
    }

    fn open_call<'a>(&'a mut self, cx: &mut Cx<'_>, frame: &Head20) -> Result<Step<'a>, WireError> {
        let Some(verdict) = self.admit(cx, frame) else {
            if cx.input.len() >= HEADER + frame.n {
                return Err(WireError::Malformed("an open without its name"));
            }
            return Ok(Step::Need(1));
        };
        let overhead = 8 * frame.extra as usize + 1 + self.name.len();
        let refused = match verdict {
            Err(status) => status,
            Ok(route) if frame.n - overhead.min(frame.n) > route.max_message as usize => {
                cx.host.withdraw(route, Some(frame.n - overhead));
                brpc::status(brpc::EREQUEST, "too large")
            }
            Ok(route) => return self.open_admitted(cx, frame, route, overhead),
        };
        self.admitted = None;
        cx.input.advance(HEADER);
        self.skip = frame.n;
        self.put(cx, finish(frame.id, &Outcome { status: refused, ..Outcome::default() }));
        Ok(Step::Event(Event::Notice(Notice::Rtt(Duration::ZERO)))) // any event, so that poll is called again
    }

    fn open_admitted<'a>(
        &'a mut self,
        cx: &mut Cx<'_>,
        frame: &Head20,
        route: Route,
        overhead: usize,
    ) -> Result<Step<'a>, WireError> {
        let missing = (HEADER + frame.n).saturating_sub(cx.input.len());
        if missing > 0 {
            return Ok(Step::Need(missing));
        }
        self.admitted = None;
        cx.input.advance(HEADER);
        let mut head_bytes = cx.input.cut(overhead);
        let body = cx.input.cut(frame.n - overhead);
        let front = head_bytes.contiguous().to_vec();
        let ids: Vec<u64> = front[..8 * frame.extra as usize]
            .chunks(8)
            .map(|id| u64::from_le_bytes(id.try_into().expect("eight bytes")))
            .collect();
        if self.live.contains_key(&frame.id) || ids.iter().any(|id| self.live.contains_key(id)) {
            return Err(WireError::Malformed("an id that is in use"));
        }
        self.offered = ids
            .iter()
            .map(|id| {
                let live = self.track(*id, None);
                live.dangling = true;
                live.exchange
            })
            .collect();
        let live = self.track(frame.id, None);
        live.offers = ids;
        let exchange = live.exchange;
        let (service, method) = self.name.split_once('/').unwrap_or((&self.name, ""));
        Ok(Step::Event(Event::Open(Open {
            exchange,
            route,
            head: head(service, method, frame.a),
            body,
            finished: frame.flags & Frame::FINISHED != 0,
            streams: &self.offered,
        })))
    }

    /// Handles a complete frame other than an open.
    fn take(&mut self, cx: &mut Cx<'_>, frame: Frame) -> Result<Option<Event<'static>>, WireError> {
        let id = frame.id;
        let text = || String::from_utf8_lossy(&frame.body).into_owned();
        let why = || {
            let status = brpc::status(frame.a as i32, text()).with_origin(Origin::Remote);
            if frame.has(Frame::UNPROCESSED) { status.unprocessed() } else { status }
        };
        let exchange = self.live.get(&id).map(|live| live.exchange);
        Ok(match (frame.kind, exchange) {
            (Kind::Open, _) => None,
            (Kind::Part, Some(exchange)) => Some(Event::Part {
                exchange,
                part: Part {
                    end_of_message: frame.has(Frame::END_OF_MESSAGE),
                    finished: frame.has(Frame::FINISHED),
                    bytes: frame.body.into(),
                    ..Part::default()
                },
            }),
            (Kind::Grant, Some(exchange)) => {
                let (bytes, messages) = frame.granted();
                let room = cx.out.room();
                let live = self.live.get_mut(&id).expect("found above");
                live.bytes += i64::from(bytes);
                live.messages += i64::from(messages);
                let credit = Lab::credit(live, room);
                credit.is_open().then_some(Event::Credit { exchange, credit })
            }
            (Kind::Reset, Some(exchange)) => {
                let offers = self.forget(id).map(|live| live.offers).unwrap_or_default();
                self.settle(&offers, false);
                Some(Event::Reset { exchange, why: why() })
            }
            (Kind::Finish, Some(exchange)) => {
                let live = self.forget(id).expect("found above");
                self.settle(&live.offers, frame.has(Frame::ACCEPT));
                let status = if frame.a == 0 { Status::OK } else { why() };
                let good = status.is_ok();
                if good && !cx.host.admit_reply(exchange, frame.body.len()) {
                    let status = Status::resource_exhausted("the reply is too large");
                    return Ok(Some(Event::Finish {
                        exchange,
                        outcome: Outcome { status, ..Outcome::default() },
                    }));
                }
                let outcome = Outcome {
                    status,
                    reply: frame.has(Frame::REPLY),
                    accept: frame.has(Frame::ACCEPT),
                    content: live.content,
                    body: if good { frame.body.into() } else { Default::default() },
                    ..Outcome::default()
                };
                Some(Event::Finish { exchange, outcome })
            }
            (Kind::Answer, Some(exchange)) => {
                let answer = Answer { status: frame.a as u16, ..Answer::default() };
                Some(Event::Answer { exchange, answer })
            }
            (Kind::Drain, _) => {
                self.draining = true;
                Some(Event::Notice(Notice::Draining))
            }
            (Kind::Limit, _) => {
                self.most = frame.a;
                Some(Event::Notice(Notice::PeerLimit { exchanges: frame.a }))
            }
            (Kind::Close, _) => {
                self.closed = true;
                None
            }
            (Kind::Timer, _) => {
                self.timer = Some(cx.now + Duration::from_millis(frame.a.into()));
                None
            }
            (Kind::Auth, _) => None,
            (Kind::Become, _) => None,
            // Of an exchange that has meanwhile ended on this side.
            (Kind::Part | Kind::Grant | Kind::Reset | Kind::Finish | Kind::Answer, None) => None,
        })
    }
}

/// A frame's header.
struct Head20 {
    kind: Kind,
    flags: u8,
    extra: u8,
    id: u64,
    a: u32,
    n: usize,
}

fn head<'a>(service: &'a str, method: &'a str, timeout_ms: u32) -> Head<'a> {
    Head {
        target: Target::Method { service, method },
        timeout: (timeout_ms > 0).then(|| Duration::from_millis(timeout_ms.into())),
        attachment: 0,
        content: Content::RAW,
        compression: Compression::NONE,
        accepts: Compressions::NONE,
        sender: Default::default(),
        dialect: Default::default(),
        raw: &[],
        ids: true,
    }
}

fn finish(id: u64, outcome: &Outcome) -> Frame {
    let status = &outcome.status;
    let mut frame = Frame::new(Kind::Finish, id).with(brpc::number(status) as u32);
    if !status.is_ok() {
        frame.body = status.message().as_bytes().to_vec();
    } else {
        outcome.body.segments().for_each(|segment| frame.body.extend_from_slice(segment));
    }
    let flags = [
        (outcome.reply, Frame::REPLY),
        (outcome.accept, Frame::ACCEPT),
        (status.is_unprocessed(), Frame::UNPROCESSED),
    ];
    flags.into_iter().filter(|(on, _)| *on).fold(frame, |frame, (_, flag)| frame.flag(flag))
}

impl Machine for Lab {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Ok(Step::Event(event));
            }
            if self.closed {
                return Ok(Step::Closed);
            }
            let calls = self.live.values().filter(|live| !live.dangling).count();
            if self.asked || (self.serial && self.role == Role::Server && calls > 0) {
                return Ok(Step::Blocked);
            }
            let skipped = self.skip.min(cx.input.len());
            cx.input.advance(skipped);
            self.skip -= skipped;
            let Some(front) = cx.input.peek(HEADER.min(cx.input.len())) else { return Ok(Step::Need(1)) };
            match front.first() {
                None => return Ok(Step::Need(self.skip.max(1))),
                Some(first) if *first == self.magic => {}
                Some(b'L' | b'K') if !self.serial => return Ok(Step::Foreign),
                Some(_) => return Err(WireError::BadMagic),
            }
            if front.len() < HEADER {
                return Ok(Step::Need(HEADER - front.len()));
            }
            let Some(kind) = Kind::of(front[1]) else { return Err(WireError::Malformed("unknown kind")) };
            let word = |at: usize| u32::from_le_bytes(front[at..at + 4].try_into().expect("four bytes"));
            let id = u64::from_le_bytes(front[4..12].try_into().expect("eight bytes"));
            let frame =
                Head20 { kind, flags: front[2], extra: front[3], id, a: word(12), n: word(16) as usize };
            if frame.n > self.limits.max_message as usize + 4096 {
                return Err(WireError::TooLarge);
            }
            if self.locked && frame.kind != Kind::Auth {
                return Err(WireError::Malformed("a call before the credential"));
            }
            if frame.kind == Kind::Open && self.role == Role::Server {
                return self.open_call(cx, &frame);
            }
            let missing = (HEADER + frame.n).saturating_sub(cx.input.len());
            if missing > 0 {
                return Ok(Step::Need(missing));
            }
            cx.input.advance(HEADER);
            let mut body = cx.input.cut(frame.n);
            let body = body.contiguous().to_vec();
            let Head20 { kind, flags, extra, id, a, .. } = frame;
            if kind == Kind::Auth && self.locked {
                self.asked = true;
                self.credential = body;
                let credential = Some(&self.credential[..]).filter(|credential| !credential.is_empty());
                let claim = Claim::new("lab", credential);
                return Ok(Step::Event(Event::Authenticate(claim)));
            }
            if kind == Kind::Become {
                let setup = Setup::with_limits(self.role, self.limits);
                return Ok(Step::Become(Box::new(Lab::new(b'S', true, &setup))));
            }
            if kind == Kind::Grant && body.len() != 4 {
                return Err(WireError::Malformed("a grant without its messages"));
            }
            let frame = Frame { magic: self.magic, kind, flags, extra, id, a, body };
            if let Some(event) = self.take(cx, frame)? {
                return Ok(Step::Event(event));
            }
        }
    }

    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome) {
        if let Some(live) = self.forget(exchange.token) {
            self.settle(&live.offers, outcome.accept);
            self.put(cx, finish(exchange.token, &outcome));
        }
    }

    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        if self.role == Role::Server {
            return Err(Refusal::WrongRole);
        }
        if self.serial && (call.streamed || !call.finished || !call.streams.is_empty()) {
            return Err(Refusal::Unsupported);
        }
        if self.draining {
            return Err(Refusal::Draining);
        }
        if self.live.values().filter(|live| !live.dangling).count() >= self.most as usize {
            return Err(Refusal::Full);
        }
        if !self.credential.is_empty() {
            let credential = std::mem::take(&mut self.credential);
            self.put(cx, Frame { body: credential, ..Frame::new(Kind::Auth, 0) });
        }
        let offered: Vec<u64> = call.streams.iter().map(|stream| stream.token).collect();
        let mut message = Vec::new();
        call.body.segments().for_each(|segment| message.extend_from_slice(segment));
        let name = format!("{}/{}", call.service, call.method);
        let mut frame = Frame::open(exchange.token, &name, &offered, &message);
        frame.a = call.timeout.map_or(0, |timeout| timeout.as_millis().max(1) as u32);
        for (on, flag) in [(call.finished, Frame::FINISHED), (call.streamed, Frame::STREAMED)] {
            if on {
                frame = frame.flag(flag);
            }
        }
        self.put(cx, frame);
        for stream in call.streams {
            self.track(stream.token, Some(*stream)).dangling = true;
        }
        let live = self.track(exchange.token, Some(exchange));
        live.offers = offered;
        (live.streamed, live.content) = (call.streamed, call.content);
        Ok(Lab::credit(live, cx.out.room()))
    }

    fn answer(&mut self, cx: &mut Cx<'_>, exchange: Exchange, answer: &Answer) -> Credit {
        self.put(cx, Frame::new(Kind::Answer, exchange.token).with(answer.status.into()));
        self.live.get_mut(&exchange.token).map_or(Credit::CLOSED, |live| Lab::credit(live, cx.out.room()))
    }

    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        if !self.live.contains_key(&exchange.token) {
            return Credit::CLOSED;
        }
        let mut frame = Frame::new(Kind::Part, exchange.token);
        part.bytes.segments().for_each(|segment| frame.body.extend_from_slice(segment));
        for (on, flag) in [(part.end_of_message, Frame::END_OF_MESSAGE), (part.finished, Frame::FINISHED)] {
            if on {
                frame = frame.flag(flag);
            }
        }
        self.put(cx, frame);
        let live = self.live.get_mut(&exchange.token).expect("looked up above");
        live.bytes -= part.bytes.len() as i64;
        live.messages -= i64::from(part.end_of_message);
        Lab::credit(live, cx.out.room())
    }

    fn grant(&mut self, cx: &mut Cx<'_>, exchange: Exchange, bytes: usize, messages: u32) {
        if self.live.contains_key(&exchange.token) {
            self.put(cx, Frame::grant(exchange.token, bytes as u32, messages));
        }
    }

    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        if let Some(live) = self.forget(exchange.token) {
            self.settle(&live.offers, false);
            let frame = Frame::new(Kind::Reset, exchange.token).with(brpc::number(&why) as u32);
            self.put(cx, Frame { body: why.message().as_bytes().to_vec(), ..frame });
        }
    }

    fn authenticated(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        self.asked = false;
        let number = verdict.as_ref().err().map_or(0, brpc::number);
        self.put(cx, Frame::new(Kind::Auth, 0).with(number as u32));
        match verdict {
            Ok(_) => self.locked = false,
            Err(_) => self.closed = true,
        }
    }

    fn resume(&mut self, cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        match why {
            Wake::Deadline if self.timer.is_some_and(|at| at <= cx.now) => {
                self.timer = None;
                self.put(cx, Frame::new(Kind::Timer, 0));
            }
            Wake::Room => {
                let room = cx.out.room();
                for live in self.live.values_mut().filter(|live| live.starved) {
                    let credit = Lab::credit(live, room);
                    if credit.is_open() {
                        self.pending.push_back(Event::Credit { exchange: live.exchange, credit });
                    }
                }
            }
            Wake::Deadline | Wake::Eof => {}
        }
        Ok(())
    }

    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        let kind = if phase == Goodbye::Drain { Kind::Drain } else { Kind::Close };
        self.put(cx, Frame::new(kind, 0));
    }

    fn deadline(&self) -> Option<Instant> {
        self.timer
    }

    fn vacancies(&self) -> u32 {
        if self.draining { 0 } else { self.most.saturating_sub(self.live.len() as u32) }
    }
}
