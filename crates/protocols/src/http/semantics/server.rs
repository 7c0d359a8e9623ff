//! The server's half: requests in, replies out.

use super::{Call, Found, Semantics, gate};
use crate::http::{
    content::{self, OCTETS, PLAIN_TEXT},
    fields::unsendable,
    framing::{Abort, Framing, HeadBlock, Known, Reply},
    status,
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Status, brpc};
use polywire_wire::{Answer, Compression, Credit, Cx, Delivery, Exchange, Head, Outcome, Role, Target};
use std::time::Duration;

/// What follows it would be a tunnel, not requests.
const CONNECT: &str = "CONNECT";
/// Methods named in `allow` where one is refused; others reach handlers, too.
const ALLOWED: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// A head as the contract shows it. Its fields are read through the protocol's `fields`.
#[inline]
pub(super) fn head_of(head: &HeadBlock) -> Head<'_> {
    let encoding = head.known(Known::ContentEncoding);
    Head {
        target: Target::Path { verb: head.verb(), path: head.text(head.path) },
        timeout: head.known(Known::Timeout).and_then(timeout),
        attachment: 0,
        content: content::of_request(head.known(Known::ContentType)),
        compression: content::compression(encoding, head.is_repeated(Known::ContentEncoding)),
        raw: &head.raw,
    }
}

/// `x-polywire-timeout-ms`: one to ten digits.
fn timeout(value: &[u8]) -> Option<Duration> {
    let digits = !value.is_empty() && value.len() <= 10 && value.iter().all(u8::is_ascii_digit);
    let ms = digits.then(|| std::str::from_utf8(value).ok()?.parse().ok())??;
    Some(Duration::from_millis(ms))
}

/// Why a request is refused whatever it asks for.
#[inline]
fn refusal(head: &HeadBlock) -> Option<(Status, Option<&'static str>)> {
    let native = |code, text: &str| Status::invalid_argument(text).with_native(Native::Http(code));
    if let Some(value) = head.known(Known::Expect)
        && (head.is_repeated(Known::Expect) || !value.eq_ignore_ascii_case(b"100-continue"))
    {
        return Some((native(417, "only 100-continue can be expected"), None));
    }
    if let Some(value) = head.known(Known::Timeout)
        && (head.is_repeated(Known::Timeout) || timeout(value).is_none())
    {
        return Some((native(400, "x-polywire-timeout-ms is not a number of milliseconds"), None));
    }
    if head.is_repeated(Known::Authorization) {
        return Some((native(400, "more than one authorization"), None));
    }
    match head.verb() {
        CONNECT => Some((native(501, "CONNECT is not supported"), None)),
        "TRACE" => Some((native(405, "TRACE is not allowed"), Some(ALLOWED))),
        _ => None,
    }
}

impl Call {
    /// `Open` is delivered, with the end of the body or before it.
    #[inline]
    fn open(&mut self, end: bool) {
        (self.opened, self.told_end, self.pending) = (true, end, None);
    }
}

impl<F: Framing> Semantics<F> {
    /// A request's head has come.
    #[inline]
    pub(super) fn request(&mut self, cx: &mut Cx<'_>, slot: u32, id: u64, end: bool) -> Option<Found> {
        self.begin(slot, Exchange { token: id, slot });
        let head = self.framing.head(slot);
        let call = &mut self.calls[slot as usize];
        call.bodiless = head.verb() == "HEAD";
        call.in_end = end;
        if let Some((why, allow)) = refusal(head) {
            if head.verb() == CONNECT {
                self.framing.close();
            }
            self.refuse(cx, slot, &why, allow);
            return None;
        }
        if self.gate.stops(head) {
            self.gate.ask(slot, end);
            return Some(Found::Authenticate { slot });
        }
        self.admit(cx, slot, end)
    }

    /// Verdict on the peer's credential.
    pub(super) fn admit_peer(&mut self, cx: &mut Cx<'_>, verdict: Result<(), Status>) {
        let Some(waiting) = self.gate.asked() else { return };
        let (slot, _) = waiting;
        match verdict {
            Ok(()) => {
                let credential = gate::credential_of(self.framing.head(slot));
                self.gate.accept(waiting, credential);
            }
            Err(why) => {
                // "the built-in verifier sends 403 with text `[1004]Fail to authenticate`"
                let detail = if why.message().is_empty() { "" } else { ", " };
                let text = format!("[{}]Fail to authenticate{detail}{}", brpc::ERPCAUTH, why.message());
                self.framing.close();
                let status = Status::unauthenticated(text).with_native(Native::Http(403));
                self.refuse(cx, slot, &status, None);
            }
        }
    }

    /// Asks the host about the request in this slot.
    #[inline]
    pub(super) fn admit(&mut self, cx: &mut Cx<'_>, slot: u32, end: bool) -> Option<Found> {
        let block = self.framing.head(slot);
        let head = head_of(block);
        let announced = block.length.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let unreadable = head.compression == Compression::UNKNOWN && !end;
        let expects = block.known(Known::Expect).is_some() && !end;
        let route = match cx.host.admit(&head, announced) {
            Ok(route) => route,
            Err(why) => {
                self.refuse(cx, slot, &why, None);
                return None;
            }
        };
        let call = &mut self.calls[slot as usize];
        (call.route, call.pending) = (route, Some(announced));
        if route.delivery != Delivery::Pieces {
            let longest = self.longest(slot);
            if announced.is_some_and(|n| n > longest) {
                return self.overflows(cx, slot, longest);
            }
            if unreadable {
                self.withdraw(cx, slot);
                self.refuse(cx, slot, &status::unsupported_coding(), None);
                return None;
            }
        }
        if expects {
            self.framing.proceed(cx, slot);
        }
        let call = &mut self.calls[slot as usize];
        if route.delivery == Delivery::Whole {
            if end {
                call.open(true);
                return Some(Found::Open { slot, finished: true });
            }
            if let Some(n) = announced {
                self.framing.ensure(slot, n);
            }
            return None;
        }
        call.open(end);
        if let (Delivery::Messages, Some(n), false) = (route.delivery, announced, end) {
            call.borrowed += self.framing.ensure(slot, n);
        }
        Some(Found::Open { slot, finished: end })
    }

    /// A piece of a request's body.
    #[inline]
    pub(super) fn request_data(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        bytes: IoBuf,
        end: bool,
    ) -> Option<Found> {
        let call = &mut self.calls[slot as usize];
        call.exchange?;
        call.in_end = end;
        let n = bytes.len();
        if call.inbound.is_empty() {
            call.inbound = bytes;
        } else {
            call.inbound.append(bytes);
        }
        if call.is_piecewise(Role::Server) {
            return self.part(slot);
        }
        let longest = self.longest(slot);
        let call = &mut self.calls[slot as usize];
        if call.inbound.len() > longest {
            return self.overflows(cx, slot, longest);
        }
        if !end {
            // One message needs all of it, whatever is granted (rule 5).
            if call.opened {
                call.borrowed += n;
            }
            self.framing.grant(slot, n);
            return None;
        }
        if call.route.delivery == Delivery::Messages {
            return self.part(slot);
        }
        call.open(true);
        Some(Found::Open { slot, finished: true })
    }

    /// So much more of a request's body will come.
    #[cold]
    pub(super) fn request_coming(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: u64) -> Option<Found> {
        let call = &self.calls[slot as usize];
        call.exchange?;
        let total = bytes.saturating_add(call.inbound.len() as u64);
        let longest = self.longest(slot);
        let too_long = !call.is_piecewise(Role::Server) && total > longest as u64;
        if too_long { self.overflows(cx, slot, longest) } else { None }
    }

    /// A body is longer than the route takes: "413 + close".
    #[cold]
    fn overflows(&mut self, cx: &mut Cx<'_>, slot: u32, longest: usize) -> Option<Found> {
        let why = status::too_large(longest);
        let Call { opened, answered, exchange, .. } = self.calls[slot as usize];
        self.withdraw(cx, slot);
        if answered {
            self.end(slot);
            self.framing.reset(cx, slot, Abort::Cancel);
        } else {
            self.framing.close();
            self.refuse(cx, slot, &why, None);
        }
        let exchange = exchange.filter(|_| opened)?;
        Some(Found::Reset { exchange, why: why.into() })
    }

    /// Gives back what the host reserved for a request that is never opened.
    pub(super) fn withdraw(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let Some(call) = self.calls.get_mut(slot as usize) else { return };
        if let Some(announced) = call.pending.take() {
            cx.host.withdraw(call.route, announced);
        }
    }

    /// Last words instead of the handler's.
    #[cold]
    fn refuse(&mut self, cx: &mut Cx<'_>, slot: u32, why: &Status, allow: Option<&'static str>) {
        let (status, error) = status::of(why);
        let text = IoBuf::copy_from_slice(why.message().as_bytes());
        self.end(slot);
        let reply = Reply {
            status,
            content_type: Some(PLAIN_TEXT),
            encoding: None,
            error,
            allow,
            own: &[],
            fields: None,
            length: None,
        };
        self.respond(cx, slot, reply, &text);
    }

    /// A whole reply. "HEAD: headers of GET, no body. 1xx and 204: no body, no Content-Length. 304: no body."
    #[inline]
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, mut reply: Reply<'_>, body: &IoBuf) {
        let never = matches!(reply.status, 204 | 304);
        let end = never || body.is_empty() || self.calls[slot as usize].bodiless;
        reply.length = (!never).then_some(body.len() as u64);
        if never {
            (reply.content_type, reply.encoding) = (None, None);
        }
        self.framing.respond(cx, slot, &reply, end);
        if !end {
            self.framing.data(cx, slot, b"", body, true);
        }
    }

    /// Last words of the handler.
    #[inline]
    pub(super) fn finish_request(&mut self, cx: &mut Cx<'_>, slot: u32, outcome: &Outcome) {
        if self.calls[slot as usize].answered {
            return self.finish_answer(cx, slot, outcome);
        }
        let fields = outcome.trailers.as_deref();
        if let Some(why) = unsendable_reply(fields) {
            return self.refuse(cx, slot, &why, None);
        }
        let Ok(encoding) = content::coding(outcome.compression) else {
            let why = Status::internal("HTTP has no name for the compression of the reply");
            return self.refuse(cx, slot, &why, None);
        };
        let (status, error) = status::of(&outcome.status);
        self.end(slot);
        let given = fields.and_then(|f| f.get("content-type"));
        if outcome.status.is_ok() || outcome.reply {
            let unnamed = if outcome.body.is_empty() { None } else { Some(OCTETS) };
            let content_type = given.or(content::type_of(outcome.content)).or(unnamed);
            let encoding = encoding.or(fields.and_then(|f| f.get("content-encoding")));
            let reply =
                Reply { status, content_type, encoding, error, allow: None, own: &[], fields, length: None };
            return self.respond(cx, slot, reply, &outcome.body);
        }
        let text = IoBuf::copy_from_slice(outcome.status.message().as_bytes());
        let reply = Reply {
            status,
            content_type: Some(PLAIN_TEXT),
            encoding: None,
            error,
            allow: None,
            own: &[],
            fields,
            length: None,
        };
        self.respond(cx, slot, reply, &text);
    }

    /// Last words behind a streamed answer. A body that has begun cannot say that it failed, only break off.
    fn finish_answer(&mut self, cx: &mut Cx<'_>, slot: u32, outcome: &Outcome) {
        self.end(slot);
        if !outcome.status.is_ok() {
            self.framing.reset(cx, slot, Abort::Internal);
        } else if !self.calls[slot as usize].bodiless {
            self.framing.data(cx, slot, b"", &outcome.body, true);
        }
    }

    /// Head of a streamed answer.
    pub(super) fn answer_request(&mut self, cx: &mut Cx<'_>, slot: u32, answer: &Answer) -> Credit {
        let call = &self.calls[slot as usize];
        if call.answered {
            return Credit::OPEN;
        }
        let fields = answer.metadata.as_deref();
        if let Some(why) = unsendable_reply(fields) {
            let exchange = call.exchange.expect("found by it");
            self.refuse(cx, slot, &why, None);
            self.ended.push_back(Found::Reset { exchange, why: why.into() });
            return Credit::CLOSED;
        }
        let status = if (200..=599).contains(&answer.status) { answer.status } else { 200 };
        let call = &mut self.calls[slot as usize];
        call.answered = true;
        call.bodiless |= matches!(status, 204 | 304);
        let end = call.bodiless;
        let given = fields.and_then(|f| f.get("content-type"));
        let reply = Reply {
            status,
            content_type: if matches!(status, 204 | 304) { None } else { given.or(Some(OCTETS)) },
            encoding: fields.and_then(|f| f.get("content-encoding")),
            error: 0,
            allow: None,
            own: &[],
            fields,
            length: None,
        };
        self.framing.respond(cx, slot, &reply, end);
        if end { Credit::OPEN } else { self.credit(0) }
    }
}

/// The handler gave a field that would break the reply.
fn unsendable_reply(fields: Option<&Metadata>) -> Option<Status> {
    let name = unsendable(fields?)?;
    Some(Status::internal(format!("reply field {name:?} has a bad name or holds control bytes")))
}
