//! The server's machine: requests to calls, subscriptions, pushes.
//!
//! ```text
//!            .------------------- finish (B) ---------------------.
//!            v                                                    |
//!  Start -> Head --> Body --> Open ---- A: at once ---> Head      Running (B)
//!            |  |
//!            |  `--> Subscription --> Notice::Topic --> Head
//!            `--> Skip (refused: thrown away as it comes) --> Head
//! ```

use super::{
    Format, Settings,
    body::{before_value, failure, read_subscription},
    frame::{Frame, Recognised, recognise},
    topics,
};
use crate::arrived::Arrived;
use crate::backlog;
use crate::pushes::Pushes;
use crate::relays;
use polywire_call::{Status, brpc};
use polywire_wire::{
    Claim, Compression, Compressions, Credit, Cx, Event, Exchange, Goodbye, Head, Limits, Machine, Notice,
    Open, Outcome, Part, Route, ServerSetup, Step, Target, Validity, Wake, WireError,
};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// The number of bytes of a head by which the format is recognised; longer heads need not be kept.
const SHOWN: usize = 32;

pub(super) struct Server {
    limits: Limits,
    format: Format,
    state: State,
    /// Whether the application still has to decide about the peer.
    authenticate: bool,
    /// The header of the current frame.
    frame: Frame,
    /// B: number of requests so far, which serves as their id.
    count: u64,
    /// A: number of calls under way.
    running: u32,
    idle: Option<Duration>,
    /// When the last whole frame arrived; `None` before the first poll.
    heard: Option<Instant>,
    /// B: the topic of the peer, which can have only one.
    topic: Option<u32>,
    news: VecDeque<News>,
    /// The topic of a subscription event.
    said: Vec<u8>,
    /// Whether the dispatcher knows that this peer subscribes.
    met: bool,
    /// The requests that are still served while the server stops.
    arrived: Arrived,
    pushes: Pushes,
}

#[derive(Clone, Copy)]
enum State {
    /// No byte has arrived.
    Start,
    Head,
    /// The body of an admitted request.
    Body(Route),
    /// The body of a subscription (A).
    Subscription,
    /// This many bytes of a body are to be skipped.
    Skip(usize),
    /// B: a handler is running.
    Running,
    Verdict,
    Closed,
}

/// An event that is not reported to the dispatcher yet.
enum News {
    Peer,
    Topic { on: bool, topic: Vec<u8> },
}

/// An event to report, or the reason why nothing is reported.
enum Next {
    Open(Route),
    News(News),
    Authenticate,
    Need(usize),
    Blocked,
    Closed,
}

impl Server {
    pub(super) fn new(setup: &ServerSetup<'_>) -> Self {
        let settings = setup.extensions.and_then(|all| all.get::<Settings>());
        let settings = settings.map(|settings| *settings).unwrap_or_default();
        Server {
            limits: setup.limits,
            format: settings.format.unwrap_or(Format::B),
            state: if settings.format.is_some() { State::Head } else { State::Start },
            authenticate: setup.authenticate,
            frame: Frame::default(),
            count: 0,
            running: 0,
            idle: settings.idle.filter(|idle| !idle.is_zero()),
            heard: None,
            topic: None,
            news: VecDeque::new(),
            said: Vec::new(),
            met: false,
            arrived: Arrived::default(),
            pushes: Pushes::default(),
        }
    }

    #[inline]
    fn next(&mut self, cx: &mut Cx<'_>) -> Result<Next, WireError> {
        loop {
            if let Some(news) = self.news.pop_front() {
                return Ok(Next::News(news));
            }
            match self.state {
                State::Start | State::Head if self.arrived.is_over() => match self.running {
                    0 => self.state = State::Closed,
                    _ => return Ok(Next::Blocked),
                },
                State::Start => match self.recognise(cx)? {
                    true => self.state = State::Head,
                    false => return Ok(Next::Need(1)),
                },
                State::Head => {
                    if cx.out.room() == 0 || self.running >= self.limits.calls.max(1) {
                        // A peer that does not read its replies gets no more of them.
                        return Ok(Next::Blocked);
                    }
                    if let Some(rest) = self.head(cx)? {
                        return Ok(rest);
                    }
                }
                State::Body(route) => {
                    let missing = self.missing(cx);
                    if missing > 0 {
                        return Ok(Next::Need(missing));
                    }
                    self.heard = Some(cx.now);
                    return Ok(Next::Open(route));
                }
                State::Subscription => {
                    let missing = self.missing(cx);
                    if missing > 0 {
                        return Ok(Next::Need(missing));
                    }
                    self.heard = Some(cx.now);
                    self.state = State::Head;
                    self.subscribe_by_name(cx)?;
                }
                State::Skip(left) => {
                    let here = left.min(cx.input.len());
                    cx.input.advance(here);
                    self.arrived.took(here);
                    if here < left {
                        self.state = State::Skip(left - here);
                        return Ok(Next::Need(1)); // one byte: whatever comes is thrown away, never gathered
                    }
                    self.heard = Some(cx.now);
                    self.state = State::Head;
                }
                State::Running | State::Verdict => return Ok(Next::Blocked),
                State::Closed => return Ok(Next::Closed),
            }
        }
    }

    fn missing(&self, cx: &Cx<'_>) -> usize {
        (self.frame.body as usize).saturating_sub(cx.input.len())
    }

    /// "Fix the variant per connection after the first message."
    #[cold]
    fn recognise(&mut self, cx: &mut Cx<'_>) -> Result<bool, WireError> {
        let shown = cx.input.peek(cx.input.len().min(SHOWN)).unwrap_or(&[]);
        match recognise(shown) {
            Recognised::As(format) => self.format = format,
            Recognised::NeedMore => return Ok(false),
            Recognised::NotMine => return Err(WireError::BadMagic),
        }
        Ok(true)
    }

    /// Reads a header; `None` if the input has to be looked at again.
    #[inline]
    fn head(&mut self, cx: &mut Cx<'_>) -> Result<Option<Next>, WireError> {
        let bytes = self.format.head_bytes();
        let Some(head) = cx.input.peek(bytes) else {
            if cx.input.front().first().is_some_and(|&magic| magic != super::frame::MAGIC) {
                return Err(WireError::BadMagic);
            }
            return Ok(Some(Next::Need(bytes - cx.input.len())));
        };
        if self.format == Format::B && Format::is_crossed(head, self.limits.max_message) {
            self.cross();
        }
        self.frame = self.format.read(head, self.limits.max_message)?;
        if std::mem::take(&mut self.authenticate) {
            self.state = State::Verdict;
            return Ok(Some(Next::Authenticate));
        }
        cx.input.advance(bytes);
        self.arrived.took(bytes);
        match (self.frame.topic, self.format) {
            (true, Format::A) if self.frame.body as usize > topics::LONGEST + SHOWN => {
                return Err(WireError::TooLarge);
            }
            (true, Format::A) => self.state = State::Subscription,
            (true, Format::B | Format::CrossB) => {
                self.state = State::Skip(self.frame.body as usize);
                self.subscribe_by_id();
            }
            (false, Format::A) if self.frame.body == 0 => self.heard = Some(cx.now), // a heartbeat
            (false, _) => self.request(cx),
        }
        Ok(None)
    }

    /// Asks the host to admit a request.
    #[inline]
    fn request(&mut self, cx: &mut Cx<'_>) {
        let bytes = self.frame.body as usize;
        match cx.host.admit(&describe(self.format, self.frame), Some(bytes)) {
            Ok(route) if bytes <= route.max_message as usize => self.state = State::Body(route),
            Ok(route) => {
                cx.host.withdraw(route, Some(bytes));
                let limit = route.max_message;
                let text = format!("the message of {bytes} bytes exceeds the limit of {limit}");
                self.refuse(cx, &Status::resource_exhausted(text));
            }
            Err(status) => self.refuse(cx, &status),
        }
    }

    /// Answers the current request; its body is skipped.
    #[cold]
    fn refuse(&mut self, cx: &mut Cx<'_>, status: &Status) {
        self.state = State::Skip(self.frame.body as usize);
        self.put_failure(cx, self.frame.id, status, Some(self.frame.function));
    }

    #[cold]
    fn put_failure(&mut self, cx: &mut Cx<'_>, id: u64, status: &Status, refused: Option<u32>) {
        if brpc::number(status) == brpc::ECLOSE {
            self.state = State::Closed; // "close the connection instead of answering"
            return;
        }
        let body = failure(self.format, status, refused);
        let head = self.format.write(Frame { id, body: body.len() as u32, ..Frame::default() });
        cx.out.put(&head[..self.format.head_bytes()]);
        cx.out.put(&body);
    }

    fn subscribe_by_name(&mut self, cx: &mut Cx<'_>) -> Result<(), WireError> {
        let mut body = cx.input.cut(self.frame.body as usize);
        self.arrived.took(body.len());
        let (key, token) = read_subscription(body.contiguous())
            .ok_or(WireError::Malformed("a subscription that is not two strings"))?;
        if key.len() + token.len() > topics::LONGEST {
            return Err(WireError::TooLarge);
        }
        let topic = topics::by_name(&[key, token]);
        self.tell(true, topic);
        Ok(())
    }

    /// "The server remembers one topic per connection (a new subscribe replaces it)."
    fn subscribe_by_id(&mut self) {
        let (format, id) = (self.format, self.frame.function);
        match self.topic.replace(id) {
            Some(old) if old == id => return,
            Some(old) => self.tell(false, topics::by_id(format, old)),
            None => {}
        }
        self.tell(true, topics::by_id(format, id));
    }

    /// Called when the first length shows that numbers are big-endian. A subscription before it has no
    /// length, so its topic was read in the wrong byte order and is corrected.
    #[cold]
    fn cross(&mut self) {
        self.format = Format::CrossB;
        if let Some(id) = self.topic {
            self.tell(false, topics::by_id(Format::B, id));
            self.topic = Some(id.swap_bytes());
            self.tell(true, topics::by_id(Format::CrossB, id.swap_bytes()));
        }
    }

    fn tell(&mut self, on: bool, topic: Vec<u8>) {
        if !std::mem::replace(&mut self.met, true) {
            self.news.push_back(News::Peer);
        }
        self.news.push_back(News::Topic { on, topic });
    }

    fn exchange(&self) -> Exchange {
        let token = if self.format == Format::A { self.frame.id } else { self.count };
        Exchange { token, slot: Exchange::UNTRACKED }
    }

    /// Whether this exchange still needs a reply. Format B counts its requests; the ids of format A are
    /// chosen by the client.
    fn needs_reply(&mut self, exchange: Exchange) -> bool {
        match (self.format, self.state) {
            (_, State::Closed) => false,
            (Format::A, _) => {
                self.running = self.running.saturating_sub(1);
                true
            }
            (Format::B | Format::CrossB, State::Running) if exchange.token == self.count => {
                self.state = State::Head;
                true
            }
            (Format::B | Format::CrossB, _) => false,
        }
    }
}

impl Machine for Server {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if self.heard.is_none() {
            self.heard = Some(cx.now);
        }
        if let Some(credit) = self.pushes.reopened(cx.out) {
            return Ok(Step::Event(Event::Credit { exchange: Exchange::CONNECTION, credit }));
        }
        match self.next(cx)? {
            Next::Open(route) => {
                let body = cx.input.cut(self.frame.body as usize);
                self.arrived.took(body.len());
                if self.format == Format::A {
                    self.running = self.running.saturating_add(1);
                    self.state = State::Head;
                } else {
                    self.count += 1;
                    self.state = State::Running;
                }
                Ok(Step::Event(Event::Open(Open {
                    exchange: self.exchange(),
                    route,
                    head: describe(self.format, self.frame),
                    body,
                    finished: true,
                    streams: &[],
                })))
            }
            Next::News(News::Peer) => {
                let peer = Notice::Peer { kind: topics::PEER, identity: &[], properties: &[] };
                Ok(Step::Event(Event::Notice(peer)))
            }
            Next::News(News::Topic { on, topic }) => {
                self.said = topic;
                Ok(Step::Event(Event::Notice(Notice::Topic { on, topic: &self.said })))
            }
            Next::Authenticate => {
                let head = (!self.frame.topic).then(|| describe(self.format, self.frame));
                let claim = Claim { head, ..Claim::new(super::PROTOCOL.name, None) };
                Ok(Step::Event(Event::Authenticate(claim)))
            }
            Next::Need(n) => Ok(Step::Need(n)),
            Next::Blocked => Ok(Step::Blocked),
            Next::Closed => Ok(Step::Closed),
        }
    }

    #[inline]
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, mut outcome: Outcome) {
        if !self.needs_reply(exchange) {
            return;
        }
        backlog::replace_beyond(cx, &self.limits.patience, cx.out.len(), &mut outcome);
        if !outcome.status.is_ok() {
            return self.put_failure(cx, exchange.token, &outcome.into_status(), None);
        }
        let before = before_value(self.format, outcome.body.is_empty());
        let bytes = before.len() + outcome.body.len();
        if bytes > self.format.longest(u32::MAX) as usize {
            let status = brpc::status(brpc::ERESPONSE, "the reply is longer than a frame can be");
            return self.put_failure(cx, exchange.token, &status, None);
        }
        let id = if self.format == Format::A { exchange.token } else { 0 };
        let head = self.format.write(Frame { id, body: bytes as u32, ..Frame::default() });
        cx.out.put(&head[..self.format.head_bytes()]);
        cx.out.put(before);
        cx.out.share(&outcome.body);
    }

    /// Frames for a subscriber, whole and in its format.
    fn send(&mut self, cx: &mut Cx<'_>, exchange: Exchange, part: &Part) -> Credit {
        if exchange != Exchange::CONNECTION {
            return Credit::CLOSED;
        }
        cx.out.share(&part.bytes);
        self.pushes.credit(cx.out)
    }

    /// A cancelled call is answered all the same: its caller waits, and in format B so do the callers after
    /// it.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        let status = if why.is_ok() { Status::cancelled("the call was given up") } else { why };
        self.finish(cx, exchange, status.into());
    }

    fn authenticated(&mut self, _cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        if let State::Verdict = self.state {
            self.state = if verdict.is_ok() { State::Head } else { State::Closed };
        }
    }

    fn resume(&mut self, cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        let late = why == Wake::Deadline && self.deadline().is_some_and(|at| at <= cx.now);
        if late {
            self.state = State::Closed;
        }
        Ok(())
    }

    /// The protocol has no message that announces the end, and a refusal would look like an exception of the
    /// function. A draining server answers the requests of which a byte has arrived, then closes.
    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        match phase {
            Goodbye::Drain => self.arrived.stop(cx.input, self.is_receiving()),
            Goodbye::Close => self.state = State::Closed,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        if self.format != Format::A
            || self.running > 0
            || matches!(self.state, State::Verdict | State::Closed)
        {
            return None;
        }
        self.heard?.checked_add(self.idle?)
    }

    /// Whether a head was read, and is no longer in the input, whose body is still arriving.
    fn is_receiving(&self) -> bool {
        matches!(self.state, State::Body(_) | State::Subscription | State::Skip(_))
    }

    fn held(&self) -> usize {
        self.said.len()
    }
}

#[inline]
fn describe(format: Format, frame: Frame) -> Head<'static> {
    Head {
        target: Target::Bound { protocol: super::PROTOCOL.name, number: u64::from(frame.function) },
        timeout: None,
        attachment: 0,
        content: format.content(),
        compression: Compression::NONE,
        accepts: Compressions::NONE,
        sender: Default::default(),
        dialect: Default::default(),
        raw: relays::raw(frame.relays),
        ids: true,
    }
}
