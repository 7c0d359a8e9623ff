//! Requests that offer streams, and their replies.
//!
//! "If the request carried stream_settings, the server always wraps the complete PRPC response as the data of
//! one STRM DATA frame addressed to the client's first stream. Success and error replies alike."
//!
//! A streaming method is answered on the stream itself: the call is the stream. If the method takes messages,
//! the reply is sent at once, because the client has no id to send to before it; otherwise it is sent with
//! the head of the answer.

use super::connection::Connection;
use super::frame::{Ends, NO_STREAM};
use super::settings::Settings;
use super::stream::{Method, Purpose, Stream, Wire};
use super::table::{Call, Entry};
use crate::pbrpc::baidu_std::{Prpc, encode};
use crate::pbrpc::{Inward, Pbrpc};
use polywire_base::Output;
use polywire_call::{Status, brpc};
use polywire_wire::{Answer, Compressions, Credit, Cx, Delivery, Exchange, Head, Open, Outcome, Part, Route};

/// Longest reply that fits a frame, bytes: the frame around it needs a few.
const MOST_WRAPPED: usize = u32::MAX as usize - 1024;

impl Connection {
    /// The request of this route was found: makes places for its streams. `Err`: the status to answer with.
    pub fn admit(&mut self, token: u64, route: Route, body: usize) -> Result<Exchange, Status> {
        let offer = self.offer.take().unwrap_or_default();
        let streams = offer.ids.len();
        let method = is_streaming(&route);
        let refused = match (method, self.table.len() + streams > self.limits.streams as usize) {
            (_, true) => brpc::status(brpc::ELIMIT, "Too many streams on this connection"),
            (true, _) if streams > 1 => brpc::status(brpc::EREQUEST, "A method that streams has one stream"),
            (true, _) if route.streamed && !offer.writable => {
                brpc::status(brpc::EREQUEST, "The method answers by a stream, which the caller does not read")
            }
            _ => return Ok(self.place(token, route, body, offer, method)),
        };
        self.offer = Some(offer);
        Err(refused)
    }

    fn place(&mut self, token: u64, route: Route, body: usize, offer: Settings, method: bool) -> Exchange {
        let (key, id) = self.table.next();
        let exchange = Exchange { token, slot: key };
        self.offered.clear();
        if method {
            let whole = route.delivery == Delivery::Whole;
            let method =
                Method { streamed: route.streamed, whole, owed: Some(offer), answer: None, half: false };
            let mut stream = Stream::new(exchange, id, Purpose::Method(method), &self.excess);
            if !whole {
                self.owed = Some(key);
                if body > 0 {
                    stream.inward.given(body, &self.limits); // the dispatcher hands it out as the first message
                }
            }
            self.table.insert(Entry::Stream(stream));
            return exchange;
        }
        let count = offer.ids.len();
        self.table.insert(Entry::Call(Call { exchange, streams: Vec::new(), offer }));
        let streams = (0..count).map(|_| self.offered_stream()).collect();
        if let Some(call) = self.table.call(key) {
            call.streams = streams;
        }
        exchange
    }

    fn offered_stream(&mut self) -> u32 {
        let (key, id) = self.table.next();
        let exchange = Exchange { token: id, slot: key };
        self.offered.push(exchange);
        self.table.insert(Entry::Stream(Stream::new(exchange, id, Purpose::Bytes, &self.excess)))
    }

    /// Writes the reply of a method's stream, unless it was sent. Returns whether it has been sent by now.
    pub fn reply(&mut self, out: &mut Output, key: u32, answer: &Answer) -> bool {
        let Some(stream) = self.table.stream(key) else { return false };
        let (id, token) = (stream.id, stream.exchange.token);
        let Some(offer) = stream.method().and_then(|method| method.owed.take()) else { return true };
        let outcome = Outcome { reply: true, trailers: answer.metadata.clone(), ..Outcome::default() };
        let ours = Settings::ours(vec![id], offer.typed);
        if !wrap(out, token, offer.first(), &outcome, Some(&ours)) {
            return false;
        }
        self.connected(out, key, offer.first(), &offer);
        true
    }

    /// Sends the outcome of a call that offered streams.
    pub fn finish_call(&mut self, out: &mut Output, call: Call, outcome: &Outcome) {
        let Call { exchange, streams, offer } = call;
        let ids = streams.iter().filter_map(|&key| Some(self.table.stream(key)?.id)).collect();
        let ours = Settings::ours(ids, false);
        let accepts = (outcome.accept && outcome.status.is_ok()).then_some(&ours);
        if wrap(out, exchange.token, offer.first(), outcome, accepts) && accepts.is_some() {
            for (&key, &to) in streams.iter().zip(&offer.ids) {
                self.connected(out, key, to, &offer);
            }
        } else {
            let why = brpc::status(brpc::EREQUEST, "The stream was not accepted");
            self.not_accepted(&streams, &why);
        }
    }

    /// Ends a stream with this outcome; that of a method's first stream may be its reply.
    pub fn finish_stream(&mut self, out: &mut Output, key: u32, outcome: Outcome) {
        let Some(stream) = self.table.stream(key) else { return };
        let token = stream.exchange.token;
        let owed = stream.method().and_then(|method| method.owed.as_ref());
        match (owed, outcome.status.is_ok()) {
            (Some(offer), false) => {
                wrap(out, token, offer.first(), &outcome, None);
                self.table.remove(key);
            }
            (_, false) => self.break_off(out, key, &outcome.status),
            (_, true) => {
                let answer = Answer { metadata: outcome.trailers, ..Answer::default() };
                if !self.reply(out, key, &answer) {
                    return drop(self.table.remove(key));
                }
                if let Some(stream) = self.table.stream(key)
                    && let Some(ends) = stream.ends()
                    && outcome.reply
                    && stream.writable
                {
                    stream.outward.send(out, ends, &Part::message(outcome.body));
                }
                self.close(out, key);
            }
        }
    }
}

/// Whether the method takes or returns a stream of messages: the call is the stream.
fn is_streaming(route: &Route) -> bool {
    route.streamed || route.delivery != Delivery::Whole
}

/// The event of a request whose streams are in the table.
pub(super) fn open<'a>(machine: &'a mut Pbrpc<Prpc>, cx: &mut Cx<'_>, exchange: Exchange) -> Open<'a> {
    let (route, payload) = (machine.message.route, machine.message.payload_bytes);
    let method = is_streaming(&route);
    let head = machine.head();
    Open {
        exchange,
        route,
        // Messages of a stream have no mark for a compressed one.
        head: Head { accepts: if method { Compressions::NONE } else { head.accepts }, ..head },
        body: cx.input.cut(payload),
        finished: route.delivery == Delivery::Whole,
        streams: machine.extension.live.as_ref().map_or(&[], |live| &live.offered),
    }
}

/// Sends the head of a method's answer.
pub(super) fn answer(live: &mut Connection, out: &mut Output, exchange: Exchange, answer: &Answer) -> Credit {
    let limits = live.limits;
    let Some(key) = live.table.find(exchange) else { return Credit::CLOSED };
    live.reply(out, key, answer);
    match live.table.stream(key) {
        Some(stream) if stream.wire == Wire::Over => Credit::OPEN,
        Some(stream) => stream.outward.credit(&limits),
        None => Credit::CLOSED,
    }
}

/// Ends a call that offered streams, or a stream.
pub(super) fn finish(machine: &mut Pbrpc<Prpc>, cx: &mut Cx<'_>, exchange: Exchange, outcome: Outcome) {
    let Some(live) = machine.extension.live.as_mut() else { return };
    let Some(key) = live.table.find(exchange) else { return };
    // "A user handler may close the connection instead of answering (code ECLOSE): nothing is written."
    if brpc::number(&outcome.status) == brpc::ECLOSE {
        machine.inward = Inward::Closed;
        return;
    }
    end(live, cx.out, key, outcome);
}

/// Ends the call or the stream with this key.
pub(super) fn end(live: &mut Connection, out: &mut Output, key: u32, outcome: Outcome) {
    if live.table.stream(key).is_some() {
        return live.finish_stream(out, key, outcome);
    }
    if let Some(Entry::Call(call)) = live.table.remove(key) {
        live.finish_call(out, call, &outcome);
    }
}

/// Writes a reply inside a frame for the client's first stream. False: it could not be written, and the call
/// has failed.
fn wrap(out: &mut Output, id: u64, to: u64, outcome: &Outcome, accepts: Option<&Settings>) -> bool {
    let mut inner = Output::new(usize::MAX);
    let trailers = outcome.trailers.as_deref();
    let written = match &outcome.status {
        status if status.is_ok() => encode::reply(&mut inner, id, outcome, accepts),
        status => encode::failure(&mut inner, id, status, trailers),
    };
    let fits = written.is_ok() && inner.len() <= MOST_WRAPPED;
    if !fits {
        inner.take();
        let status = brpc::status(brpc::ERESPONSE, "The reply is longer than a frame can be");
        encode::failure(&mut inner, id, &status, None).expect("a short text and a few numbers");
    }
    let from = accepts.filter(|_| fits).map_or(NO_STREAM, Settings::first);
    Ends { to, from }.data(out, &inner.take(), false);
    fits
}

/// Fails the current request if it offers streams; returns whether it did offer any.
pub(super) fn refuse(live: &mut Connection, out: &mut Output, id: u64, status: &Status) -> bool {
    let Some(offer) = live.offer.take() else { return false };
    wrap(out, id, offer.first(), &Outcome::from(status.clone()), None);
    true
}
