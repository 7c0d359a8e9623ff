//! The client's machine: calls to messages, replies to the end of calls.
//!
//! A seqid consists of the call's index in the table of calls and of the number of times that the index has
//! been used, so that the reply to a cancelled call is not taken for that to another. A reply with the seqid
//! of no call is dropped while replies to cancelled calls are outstanding; otherwise it ends the connection.
//! That of a call that has passed relays says how many, where the form has no other place for it: see
//! `relays.rs`. The seqid 0 belongs to no call that has a reply: by it servers with a TTHeader say that they
//! close the connection, and all say that a call without a reply has failed.

use super::{
    ApplicationException, Form, biz_status, exception,
    fields::{self, Way},
    frame,
    message::{self, CALL, EXCEPTION, MAX_HEAD, ONEWAY, REPLY},
    relays,
    ttheader::{ANY_ORDER, Header, Infos, protocol},
};
use crate::reply_fields;
use polywire_base::IoBuf;
use polywire_call::{Metadata, Origin, Status};
use polywire_formats::thrift::{self, Encoding, Scan};
use polywire_wire::{
    self as wire, ClientSetup, Compression, Credit, Cx, Event, Exchange, Goodbye, Limits, Machine, Notice,
    Outcome, Outgoing, Refusal, Step, WireError,
};
use std::collections::VecDeque;

/// Bits of a seqid that are the place of the call; the 17 above count the uses of the place.
const PLACE_BITS: u32 = 13;
/// Most calls that wait for their reply on one connection.
const MAX_PENDING: usize = 1 << PLACE_BITS;
const USES: u32 = (1 << (30 - PLACE_BITS)) - 1;

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
    /// Whether the peer has said that it closes the connection, which was not reported yet.
    is_closing: bool,
    /// The fields of the reply that is arriving.
    fields: Option<Box<Metadata>>,
}

/// A place in the table of calls.
struct Place {
    uses: u32,
    /// Of the latest call.
    seqid: i32,
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
            is_closing: false,
            fields: None,
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
        let frame = match frame::read(cx.input, self.form, &self.limits)? {
            Ok(frame) => frame,
            Err(missing) => return Ok(Some(Step::Need(missing))),
        };
        let most = frame.end.unwrap_or(usize::MAX);
        let shown = cx.input.len().min(frame.start + MAX_HEAD).min(most);
        let bytes = &cx.input.peek(shown).unwrap_or(&[])[frame.start..];
        let Some(message) = message::read(self.form.encoding, bytes)? else {
            if shown >= most {
                return Err(WireError::Malformed("a frame that ends in the head of its message"));
            }
            return Ok(Some(Step::Need(1)));
        };
        let (kind, head) = (message.kind, frame.start + message.bytes);
        // Proxies may leave it out of an EXCEPTION. Kitex's clients go by the header's.
        let seqid = match (message.seqid, frame.header) {
            (0, Some(header)) => header.seqid,
            (seqid, _) => seqid,
        };
        if !matches!(kind, REPLY | EXCEPTION) {
            return Err(WireError::Malformed("a reply of another type"));
        }
        let body = frame.end.map(|end| end - head);
        if let Some(header) = frame.header {
            self.header(cx, header)?;
        }
        cx.input.advance(head);
        if seqid == 0 && (frame.header.is_some() || kind == EXCEPTION) || relays::is_oneway(seqid) {
            self.skip(body);
            return Ok(None);
        }
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

    /// Reads the fields of a reply, which may say that the peer closes the connection.
    fn header(&mut self, cx: &mut Cx<'_>, header: Header) -> Result<(), WireError> {
        let infos = &cx.input.peek(header.message).unwrap_or(&[])[Header::BYTES..];
        self.fields = fields::of_reply(infos)?;
        let said = self.fields.as_ref().and_then(|fields| fields.get(fields::CLOSES));
        let closes = said.is_some_and(|said| !said.is_empty());
        self.is_closing |= closes && !self.draining;
        self.draining |= closes;
        Ok(())
    }

    fn skip(&mut self, body: Option<usize>) {
        self.state = match body {
            Some(body) => State::Skip(body),
            None => State::SkipScan(Scan::of_struct(self.form.encoding)),
        };
    }

    /// The end of a call that was answered by this struct.
    #[inline]
    fn end(&mut self, Answered { exchange, kind }: Answered, body: IoBuf) -> Step<'static> {
        let fields = self.fields.take();
        // of an exception as well: volo
        let failure = fields.as_ref().and_then(|fields| biz_status::received(fields));
        let outcome = match (kind, failure) {
            (_, Some(status)) => status.into(),
            (REPLY, None) => Outcome {
                body,
                content: self.form.encoding.content(),
                reply: true,
                trailers: fields,
                ..Outcome::default()
            },
            _ => self.failed(body, fields),
        };
        Step::Event(Event::Finish { exchange, outcome })
    }

    /// A field with the status, from a server of this library, says more than the type of an exception.
    #[cold]
    fn failed(&self, body: IoBuf, mut fields: Option<Box<Metadata>>) -> Outcome {
        let exception = match thrift::decode::<ApplicationException>(self.form.encoding, body) {
            Ok(exception) => exception,
            Err(error) => return error.reply().into(),
        };
        let said = reply_fields::take(&mut fields);
        let said = said.and_then(|said| {
            reply_fields::read_status(&said, |code| {
                let status = Status::new(code, exception.message.clone()).with_origin(Origin::Remote);
                status.with_metadata(exception::FIELD, exception.kind.0.to_string())
            })
        });
        let mut status = said.unwrap_or_else(|| exception.into_status());
        if let Some(fields) = fields {
            let mut all = status.take_metadata();
            fields.iter().for_each(|(name, value)| all.append(name, value));
            status = status.with_trailers(all);
        }
        status.into()
    }

    /// The call with this seqid, which is over.
    #[inline]
    fn take(&mut self, seqid: i32) -> Option<Exchange> {
        let place = if relays::of(seqid) > 0 { 0 } else { seqid as usize & (MAX_PENDING - 1) };
        let known = self.places.get_mut(place).filter(|known| known.seqid == seqid)?;
        let exchange = known.call.take()?;
        self.free.push(place as u16);
        Some(exchange)
    }

    /// The seqid of a new call, which has passed this many relays that nothing else says. Beside others on
    /// the connection it does not say so.
    #[inline]
    fn place(&mut self, exchange: Exchange, relays: u8) -> i32 {
        let place = match self.free.pop() {
            Some(place) => usize::from(place),
            None => {
                self.places.push(Place { uses: 0, seqid: 0, call: None });
                self.places.len() - 1
            }
        };
        let known = &mut self.places[place];
        known.uses = known.uses % USES + 1; // so that no seqid is 0
        known.call = Some(exchange);
        known.seqid = match (relays, place) {
            (1.., 0) => relays::seqid(relays, (known.uses - 1) % relays::USES + 1),
            _ => (known.uses << PLACE_BITS | place as u32) as i32,
        };
        known.seqid
    }

    fn pending(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

/// The infos of a call; `None`: they are too long.
fn infos(call: &Outgoing<'_>, [service, method]: [&str; 2], kind: u8, form: Form) -> Option<Vec<u8>> {
    let mut infos = Infos::default();
    let sent = call.metadata.iter().filter(|(name, _)| *name != wire::ONEWAY);
    sent.for_each(|(name, value)| fields::add(Way::Call, &mut infos, name, value));
    if !service.is_empty() {
        infos.text([fields::SERVICE, ""], service.as_bytes());
        infos.number(fields::TO_SERVICE, service.as_bytes());
    }
    infos.number(fields::TO_METHOD, method.as_bytes());
    infos.number(fields::KIND, kind.to_string().as_bytes());
    infos.number(fields::TRANSPORT, if form.framed { b"framed" } else { b"unframed" });
    if let Some(timeout) = call.timeout {
        fields::add_timeout(&mut infos, timeout);
    }
    infos.written(protocol(form.encoding))
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
            if std::mem::take(&mut self.is_closing) {
                return Ok(Step::Event(Event::Notice(Notice::Draining)));
            }
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
        // `Calculator:add` may be the method, as `Any` has it.
        let (service, method) = match call.method.split_once(':') {
            Some(both) if call.service.is_empty() => both,
            _ => (call.service, call.method),
        };
        let colon = if service.is_empty() { "" } else { ":" };
        let name = if self.form.ttheader { ["", "", method] } else { [service, colon, method] };
        let name = name.map(str::as_bytes);
        if self.vacancies() == 0 {
            return Err(Refusal::Full);
        }
        let is_oneway = call.index == Some(super::ONEWAY) || call.metadata.get(wire::ONEWAY).is_some();
        let kind = if is_oneway { ONEWAY } else { CALL };
        let relays = match call.metadata.get(wire::RELAYS) {
            Some([digit @ b'1'..=b'9']) if !self.form.ttheader => digit - b'0', // there it is one of the fields
            _ => 0,
        };
        let infos = match self.form.ttheader {
            true => infos(call, [service, method], kind, self.form).ok_or(Refusal::TooLarge)?,
            false => Vec::new(),
        };
        if name.map(<[u8]>::len).iter().sum::<usize>() > super::MAX_NAME
            || call.body.len() > i32::MAX as usize - MAX_HEAD - Header::BYTES - infos.len()
        {
            return Err(Refusal::TooLarge);
        }
        let is_in_seqid = relays > 0 && !(self.form.encoding == Encoding::Binary && self.form.strict);
        let seqid = match kind {
            ONEWAY => {
                self.sent.push_back(exchange);
                if is_in_seqid { relays::seqid(relays, 0) } else { 0 }
            }
            _ => self.place(exchange, if is_in_seqid { relays } else { 0 }),
        };
        message::write(cx.out, self.form, (&infos, ANY_ORDER), (kind, relays, seqid), name, call.body.len())
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
