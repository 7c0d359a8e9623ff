//! The client's machine: calls to messages, replies to the end of calls.
//!
//! A seqid consists of the call's index in the table of calls and of the number of times that the index has
//! been used, so that the reply to a cancelled call is not taken for that to another. A reply with the seqid
//! of no call is dropped while replies to cancelled calls are outstanding; otherwise it ends the connection.

use super::{
    ApplicationException, Form,
    message::{self, CALL, EXCEPTION, MAX_HEAD, ONEWAY, REPLY},
    server::frame_length,
};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_formats::thrift::{self, Scan};
use polywire_wire::{
    ClientSetup, Compression, Credit, Cx, Event, Exchange, Goodbye, Limits, Machine, Outcome, Outgoing,
    Refusal, Step, WireError,
};
use std::collections::VecDeque;

/// Bits of a seqid that are the place of the call; those above, without the sign, count the uses of the
/// place.
const PLACE_BITS: u32 = 13;
/// Most calls that wait for their reply on one connection.
const MAX_PENDING: usize = 1 << PLACE_BITS;
const USES: u32 = (1 << (31 - PLACE_BITS)) - 1;

pub(super) struct Client {
    limits: Limits,
    /// Whether there is a credential, for which the protocol has no field.
    has_credential: bool,
    form: Form,
    state: State,
    places: Vec<Place>,
    /// Places that are free.
    free: Vec<u16>,
    /// Calls without a reply, which were sent and end with that.
    sent: VecDeque<Exchange>,
    /// Number of cancelled calls whose replies have not arrived yet.
    given_up: usize,
    draining: bool,
}

/// A place in the table of calls.
struct Place {
    uses: u32,
    call: Option<Exchange>,
}

enum State {
    Head,
    /// The struct of a reply in a frame, with its length.
    Body(Answered, usize),
    /// The same reply without a frame, whose end is found by a scan.
    Scan(Answered, Scan),
    /// This many bytes are dropped.
    Skip(usize),
    SkipScan(Scan),
    Closed,
}

/// A reply, before its struct.
#[derive(Clone, Copy)]
struct Answered {
    exchange: Exchange,
    kind: u8,
}

impl Client {
    pub(super) fn new(setup: &ClientSetup<'_>) -> Self {
        Client {
            limits: setup.limits,
            has_credential: setup.credential.is_some(),
            // An invalid parameter was refused when the channel was made.
            form: Form::named(setup.parameter).unwrap_or_default(),
            state: State::Head,
            places: Vec::new(),
            free: Vec::new(),
            sent: VecDeque::new(),
            given_up: 0,
            draining: false,
        }
    }

    /// The next event to report; `None` if the input has to be looked at again.
    #[inline]
    fn next(&mut self, cx: &mut Cx<'_>) -> Result<Option<Step<'static>>, WireError> {
        match &mut self.state {
            State::Head => return self.head(cx),
            State::Body(answered, length) => {
                let (answered, length) = (*answered, *length);
                if length > cx.input.len() {
                    return Ok(Some(Step::Need(length - cx.input.len())));
                }
                self.state = State::Head;
                return Ok(Some(self.end(answered, cx.input.cut(length))));
            }
            State::Scan(answered, scan) => {
                let (answered, here) = (*answered, cx.input.len());
                let found = scan.advance(cx.input.peek(here).unwrap_or(&[]));
                let found = found.map_err(|_| WireError::Malformed("a message that is no struct"))?;
                let least = found.unwrap_or(scan.least());
                if least > self.limits.max_message as usize {
                    return Err(WireError::TooLarge);
                }
                let Some(end) = found else { return Ok(Some(Step::Need(scan.missing(here)))) };
                if !cx.host.admit_reply(answered.exchange, end) {
                    self.state = State::Skip(end);
                    return Ok(Some(too_large(answered.exchange, end)));
                }
                self.state = State::Head;
                return Ok(Some(self.end(answered, cx.input.cut(end))));
            }
            State::Skip(left) => {
                let here = (*left).min(cx.input.len());
                cx.input.advance(here);
                *left -= here;
                if *left > 0 {
                    return Ok(Some(Step::Need(1))); // one byte: whatever comes is dropped, never gathered
                }
                self.state = State::Head;
            }
            State::SkipScan(scan) => {
                let here = cx.input.len();
                let found = scan.advance(cx.input.peek(here).unwrap_or(&[]));
                let found = found.map_err(|_| WireError::Malformed("a message that is no struct"))?;
                cx.input.advance(scan.forget(here));
                if found.is_none() {
                    return Ok(Some(Step::Need(1)));
                }
                self.state = State::Head;
            }
            State::Closed => return Ok(Some(Step::Closed)),
        }
        Ok(None)
    }

    #[inline]
    fn head(&mut self, cx: &mut Cx<'_>) -> Result<Option<Step<'static>>, WireError> {
        let shown = cx.input.len().min(4 + MAX_HEAD);
        let bytes = cx.input.peek(shown).unwrap_or(&[]);
        let (start, frame) = match (self.form.framed, bytes.first_chunk()) {
            (false, _) => (0, None),
            (true, None) => return Ok(Some(Step::Need(4 - shown))),
            (true, Some(length)) => (4, Some(frame_length(*length, self.limits.max_message)?)),
        };
        let most = frame.map_or(usize::MAX, |frame| 4 + frame);
        let Some(message) = message::read(self.form.encoding, &bytes[start..shown.min(most)])? else {
            if shown >= most {
                return Err(WireError::Malformed("a frame that ends in the head of its message"));
            }
            return Ok(Some(Step::Need(1)));
        };
        let (kind, seqid, head) = (message.kind, message.seqid, start + message.bytes);
        if !matches!(kind, REPLY | EXCEPTION) {
            return Err(WireError::Malformed("a reply of another type"));
        }
        let body = most.checked_sub(head).filter(|_| frame.is_some());
        cx.input.advance(head);
        let Some(exchange) = self.take(seqid) else {
            self.given_up =
                self.given_up.checked_sub(1).ok_or(WireError::Malformed("a reply without a call"))?;
            self.skip(body);
            return Ok(None);
        };
        let answered = Answered { exchange, kind };
        self.state = match body {
            Some(body) if !cx.host.admit_reply(exchange, body) => {
                self.state = State::Skip(body);
                return Ok(Some(too_large(exchange, body)));
            }
            Some(body) => State::Body(answered, body),
            None => State::Scan(answered, Scan::of_struct(self.form.encoding)),
        };
        Ok(None)
    }

    fn skip(&mut self, body: Option<usize>) {
        self.state = match body {
            Some(body) => State::Skip(body),
            None => State::SkipScan(Scan::of_struct(self.form.encoding)),
        };
    }

    /// The end of a call that was answered by this struct.
    #[inline]
    fn end(&self, Answered { exchange, kind }: Answered, body: IoBuf) -> Step<'static> {
        let outcome = match kind {
            REPLY => {
                Outcome { body, content: self.form.encoding.content(), reply: true, ..Outcome::default() }
            }
            _ => self.failed(body),
        };
        Step::Event(Event::Finish { exchange, outcome })
    }

    #[cold]
    fn failed(&self, body: IoBuf) -> Outcome {
        let read = thrift::decode::<ApplicationException>(self.form.encoding, body);
        read.map_or_else(|error| error.reply(), ApplicationException::into_status).into()
    }

    /// The call with this seqid, which is over.
    #[inline]
    fn take(&mut self, seqid: i32) -> Option<Exchange> {
        let place = seqid as usize & (MAX_PENDING - 1);
        let known = self.places.get_mut(place).filter(|known| known.uses == seqid as u32 >> PLACE_BITS)?;
        let exchange = known.call.take()?;
        self.free.push(place as u16);
        Some(exchange)
    }

    /// The seqid of a new call.
    #[inline]
    fn place(&mut self, exchange: Exchange) -> i32 {
        let place = match self.free.pop() {
            Some(place) => usize::from(place),
            None => {
                self.places.push(Place { uses: 0, call: None });
                self.places.len() - 1
            }
        };
        let known = &mut self.places[place];
        known.uses = (known.uses + 1) & USES;
        known.call = Some(exchange);
        (known.uses << PLACE_BITS | place as u32) as i32
    }

    fn pending(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

#[cold]
fn too_large(exchange: Exchange, bytes: usize) -> Step<'static> {
    let outcome = Status::resource_exhausted(format!("the reply of {bytes} bytes is too large")).into();
    Step::Event(Event::Finish { exchange, outcome })
}

impl Machine for Client {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if let Some(exchange) = self.sent.pop_front() {
            let content = self.form.encoding.content();
            // an empty struct, in both encodings
            let outcome = Outcome { body: IoBuf::from(&[0][..]), content, reply: true, ..Outcome::default() };
            return Ok(Step::Event(Event::Finish { exchange, outcome }));
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
        if !call.finished || call.streamed || !call.streams.is_empty() || call.attachment > 0 {
            return Err(Refusal::Unsupported);
        }
        if call.compression != Compression::NONE {
            return Err(Refusal::Compression);
        }
        if call.content != self.form.encoding.content() {
            return Err(Refusal::Unsupported);
        }
        let colon = if call.service.is_empty() { "" } else { ":" };
        let name = [call.service, colon, call.method].map(str::as_bytes);
        if name.map(<[u8]>::len).iter().sum::<usize>() > super::MAX_NAME
            || call.body.len() > i32::MAX as usize - MAX_HEAD
        {
            return Err(Refusal::TooLarge);
        }
        if self.vacancies() == 0 {
            return Err(Refusal::Full);
        }
        let (kind, seqid) = match call.index {
            Some(super::ONEWAY) => {
                self.sent.push_back(exchange);
                (ONEWAY, 0)
            }
            _ => (CALL, self.place(exchange)),
        };
        message::write(cx.out, self.form, (kind, seqid), name, call.body.len())
            .map_err(|_| Refusal::TooLarge)?;
        cx.out.share(call.body);
        Ok(Credit::CLOSED)
    }

    /// The protocol has no message for this.
    fn reset(&mut self, _cx: &mut Cx<'_>, exchange: Exchange, _why: Status) {
        self.sent.retain(|sent| *sent != exchange);
        let place = self.places.iter().position(|place| place.call == Some(exchange));
        if let Some(place) = place {
            self.places[place].call = None;
            self.free.push(place as u16);
            self.given_up += 1;
        }
        match &mut self.state {
            State::Body(answered, length) if answered.exchange == exchange => {
                self.state = State::Skip(*length)
            }
            State::Scan(answered, scan) if answered.exchange == exchange => {
                let scan = std::mem::replace(scan, Scan::of_struct(self.form.encoding));
                self.state = State::SkipScan(scan);
            }
            _ => {}
        }
    }

    /// The protocol has no message with which a client announces its end.
    fn goodbye(&mut self, _cx: &mut Cx<'_>, phase: Goodbye) {
        self.draining = true;
        if phase == Goodbye::Close {
            self.state = State::Closed;
        }
    }

    fn vacancies(&self) -> u32 {
        if self.draining || matches!(self.state, State::Closed) {
            return 0;
        }
        MAX_PENDING.saturating_sub(self.pending() + self.sent.len()) as u32
    }

    /// Whether a head was read, and is no longer in the input, whose struct is still arriving.
    fn is_receiving(&self) -> bool {
        !matches!(self.state, State::Head | State::Closed)
    }

    fn held(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
    }
}
