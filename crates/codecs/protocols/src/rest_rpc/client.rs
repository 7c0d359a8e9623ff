//! The client's machine: calls to requests, replies to the end of calls, deliveries to subscriptions.
//!
//! In format A the request id is the dispatcher's token, and the dispatcher knows whether the call of a reply
//! still exists. In format B replies come in the order of the calls; the reply to a cancelled call is
//! discarded as it arrives.
//!
//! A subscription that does not read its messages stops the whole connection, because the protocol has no
//! flow control per subscription. The server then drops further publications, and counts them.

use super::{
    Format,
    body::{read_delivery, read_reply, subscription},
    frame::Frame,
    function_id, hash, topics,
};
use crate::relays;
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_wire::{
    ClientSetup, Compression, Credit, Cx, Event, Exchange, Goodbye, Limits, Machine, Outcome, Outgoing, Part,
    Refusal, Step, Wake, WireError,
};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// Most calls of format B on one connection that wait for their replies.
const MAX_PENDING: usize = 8192;
/// Most subscriptions of one connection.
const MAX_SUBSCRIPTIONS: usize = 1024;

pub(super) struct Client {
    limits: Limits,
    /// Whether there is a credential, for which the protocol has no field.
    has_credential: bool,
    format: Format,
    state: State,
    frame: Frame,
    /// B: calls that wait for their replies, in order.
    pending: VecDeque<Pending>,
    subscriptions: Vec<Subscription>,
    /// A: a heartbeat is sent after this time without another frame.
    heartbeat: Option<Duration>,
    /// When bytes were last sent; `None` before the first poll.
    spoke: Option<Instant>,
    draining: bool,
}

#[derive(Clone, Copy)]
enum State {
    Head,
    /// The body of a reply to this call.
    Reply(Exchange),
    Delivery,
    /// This many bytes of a body are to be skipped.
    Skip(usize),
    Closed,
}

struct Pending {
    exchange: Exchange,
    /// Whether the call still waits for its reply.
    wanted: bool,
}

struct Subscription {
    exchange: Exchange,
    /// Key and token as one name.
    name: Vec<u8>,
    id: u32,
    /// Messages that were delivered and not yet granted.
    messages: u32,
}

impl Client {
    pub(super) fn new(setup: &ClientSetup<'_>) -> Self {
        // An invalid parameter was refused when the channel was made.
        let format = Format::named(setup.parameter).unwrap_or(Format::B);
        let heartbeat = setup.limits.keepalive.every.filter(|every| !every.is_zero());
        Client {
            limits: setup.limits,
            has_credential: setup.credential.is_some(),
            format,
            state: State::Head,
            frame: Frame::default(),
            pending: VecDeque::new(),
            subscriptions: Vec::new(),
            heartbeat: heartbeat.filter(|_| format == Format::A),
            spoke: None,
            draining: false,
        }
    }

    /// The next event to report; `None` if the input has to be looked at again.
    #[inline]
    fn next(&mut self, cx: &mut Cx<'_>) -> Result<Option<Step<'static>>, WireError> {
        match self.state {
            State::Head => return self.head(cx),
            State::Reply(exchange) => {
                let missing = self.missing(cx);
                if missing > 0 {
                    return Ok(Some(Step::Need(missing)));
                }
                self.state = State::Head;
                let outcome = read_reply(self.format, cx.input.cut(self.frame.body as usize));
                return Ok(Some(Step::Event(Event::Finish { exchange, outcome })));
            }
            State::Delivery => {
                let missing = self.missing(cx);
                if missing > 0 {
                    return Ok(Some(Step::Need(missing)));
                }
                self.state = State::Head;
                let body = cx.input.cut(self.frame.body as usize);
                return Ok(self.deliver(body).map(Step::Event));
            }
            State::Skip(left) => {
                let here = left.min(cx.input.len());
                cx.input.advance(here);
                if here < left {
                    self.state = State::Skip(left - here);
                    return Ok(Some(Step::Need(1))); // one byte: whatever comes is thrown away, never gathered
                }
                self.state = State::Head;
            }
            State::Closed => return Ok(Some(Step::Closed)),
        }
        Ok(None)
    }

    fn missing(&self, cx: &Cx<'_>) -> usize {
        (self.frame.body as usize).saturating_sub(cx.input.len())
    }

    #[inline]
    fn head(&mut self, cx: &mut Cx<'_>) -> Result<Option<Step<'static>>, WireError> {
        if self.subscriptions.iter().any(|one| one.messages >= self.limits.ahead) {
            return Ok(Some(Step::Blocked));
        }
        let bytes = self.format.head_bytes();
        let Some(head) = cx.input.peek(bytes) else {
            return Ok(Some(Step::Need(bytes - cx.input.len())));
        };
        let frame = self.format.read(head, self.limits.max_message)?;
        if frame.body == 0 {
            return Err(WireError::Malformed("an empty body"));
        }
        self.frame = frame;
        if frame.topic {
            cx.input.advance(bytes);
            self.state = State::Delivery;
            return Ok(None);
        }
        let Some((exchange, wanted)) = self.replied() else {
            return Err(WireError::Malformed("a reply without a call"));
        };
        cx.input.advance(bytes);
        if !wanted {
            self.state = State::Skip(frame.body as usize);
        } else if cx.host.admit_reply(exchange, frame.body as usize) {
            self.state = State::Reply(exchange);
        } else {
            self.state = State::Skip(frame.body as usize);
            let text = format!("the reply of {} bytes is too large", frame.body);
            let outcome = Status::resource_exhausted(text).into();
            return Ok(Some(Step::Event(Event::Finish { exchange, outcome })));
        }
        Ok(None)
    }

    /// The call whose reply the frame is.
    fn replied(&mut self) -> Option<(Exchange, bool)> {
        match self.format {
            Format::A => Some((Exchange { token: self.frame.id, slot: self.frame.id as u32 }, true)),
            Format::B | Format::CrossB => self.pending.pop_front().map(|call| (call.exchange, call.wanted)),
        }
    }

    /// The part that a delivery becomes for its subscription. `None` if the subscription has ended, or the
    /// delivery cannot be read.
    fn deliver(&mut self, mut body: IoBuf) -> Option<Event<'static>> {
        let (subscription, value) = match self.format {
            Format::A => {
                let (name, value) = read_delivery(&mut body)?;
                (self.subscriptions.iter_mut().find(|one| one.name == name)?, Ok(value))
            }
            Format::B | Format::CrossB => {
                let id = self.frame.function;
                let outcome = read_reply(self.format, body);
                let value = if outcome.reply { Ok(outcome.body) } else { Err(outcome.status) };
                (self.subscriptions.iter_mut().find(|one| one.id == id)?, value)
            }
        };
        let exchange = subscription.exchange;
        match value {
            Ok(bytes) => {
                subscription.messages += 1;
                Some(Event::Part { exchange, part: Part::message(bytes) })
            }
            Err(status) => {
                self.subscriptions.retain(|one| one.exchange != exchange);
                Some(Event::Finish { exchange, outcome: status.into() })
            }
        }
    }

    fn put(&mut self, cx: &mut Cx<'_>, frame: Frame, body: &IoBuf) {
        cx.out.put(&self.format.write(frame)[..self.format.head_bytes()]);
        cx.out.share(body);
        self.spoke = Some(cx.now);
    }

    fn subscribe(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<(), Refusal> {
        let token = call.body.to_vec();
        let name = [call.method.as_bytes(), &token].concat();
        if name.len() > topics::LONGEST {
            return Err(Refusal::TooLarge);
        }
        // "one topic per connection (a new subscribe replaces it)"
        let most = if self.format == Format::A { MAX_SUBSCRIPTIONS } else { 1 };
        if self.subscriptions.len() >= most || self.subscriptions.iter().any(|one| one.name == name) {
            return Err(Refusal::Unsupported);
        }
        let id = polywire_formats::struct_pack::name_hash(&name);
        let (function, body) = match self.format {
            Format::A => (function_id(call.method), subscription(call.method.as_bytes(), &token).into()),
            Format::B | Format::CrossB => (id, IoBuf::new()),
        };
        self.put(cx, Frame { topic: true, function, body: body.len() as u32, ..Frame::default() }, &body);
        self.subscriptions.push(Subscription { exchange, name, id, messages: 0 });
        Ok(())
    }
}

impl Machine for Client {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if self.spoke.is_none() {
            self.spoke = Some(cx.now);
        }
        loop {
            if let Some(step) = self.next(cx)? {
                return Ok(step);
            }
        }
    }

    fn finish(&mut self, _cx: &mut Cx<'_>, _exchange: Exchange, _outcome: Outcome) {}

    #[inline]
    fn open(&mut self, cx: &mut Cx<'_>, exchange: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        if self.has_credential {
            return Err(Refusal::Credential);
        }
        if self.draining || matches!(self.state, State::Closed) {
            return Err(Refusal::Draining);
        }
        if !call.finished || !call.streams.is_empty() || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        if call.streamed {
            self.subscribe(cx, exchange, call)?;
            return Ok(Credit::CLOSED);
        }
        if call.compression != Compression::NONE {
            return Err(Refusal::Compression);
        }
        if call.content != self.format.content() {
            return Err(Refusal::Unsupported);
        }
        let longest = self.format.longest(u32::MAX) as usize;
        let body = u32::try_from(call.body.len()).ok().filter(|&bytes| bytes as usize <= longest);
        let body = body.ok_or(Refusal::TooLarge)?;
        if self.format != Format::A && self.pending.len() >= MAX_PENDING {
            return Err(Refusal::Full);
        }
        let function = call.index.unwrap_or_else(|| hash(call.service, call.method));
        let id = if self.format == Format::A { exchange.token } else { 0 };
        let relays = relays::count(call.metadata);
        self.put(cx, Frame { topic: false, function, id, body, relays }, call.body);
        if self.format != Format::A {
            self.pending.push_back(Pending { exchange, wanted: true });
        }
        Ok(Credit::CLOSED)
    }

    fn grant(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, _bytes: usize, messages: u32) {
        if let Some(one) = self.subscriptions.iter_mut().find(|one| one.exchange == exchange) {
            one.messages = one.messages.saturating_sub(messages);
        }
    }

    /// The protocol has no message for this. Deliveries for a subscription that has ended are dropped.
    fn reset(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, _why: Status) {
        self.subscriptions.retain(|one| one.exchange != exchange);
        if let Some(call) = self.pending.iter_mut().find(|call| call.exchange == exchange) {
            call.wanted = false;
        }
        if matches!(self.state, State::Reply(of) if of == exchange) {
            self.state = State::Skip(self.frame.body as usize);
        }
    }

    fn resume(&mut self, cx: &mut Cx<'_>, why: Wake) -> Result<(), WireError> {
        let due = why == Wake::Deadline && self.deadline().is_some_and(|at| at <= cx.now);
        if due {
            self.put(cx, Frame::default(), &IoBuf::new());
        }
        Ok(())
    }

    /// The protocol has no message with which a client announces its end.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, phase: Goodbye) {
        self.draining = true;
        if phase == Goodbye::Close {
            self.state = State::Closed;
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.spoke?.checked_add(self.heartbeat?)
    }

    fn vacancies(&self) -> u32 {
        match self.format {
            _ if self.draining || matches!(self.state, State::Closed) => 0,
            Format::A => u32::MAX,
            Format::B | Format::CrossB => (MAX_PENDING - self.pending.len()) as u32,
        }
    }

    /// Whether a head was read, and is no longer in the input, whose body is still arriving.
    fn is_receiving(&self) -> bool {
        matches!(self.state, State::Reply(_) | State::Delivery | State::Skip(_))
    }

    fn held(&self) -> usize {
        self.subscriptions.iter().map(|one| one.name.len()).sum()
    }
}
