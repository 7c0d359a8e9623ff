//! The server's second half: replies out, each in the form of its call.
//!
//! ```text
//!  plain     head(status)  body                                       failure: head(status), text
//!  Connect   head(200)     body                                       failure: head(status), JSON
//!  enveloped head(200)     envelope…  trailers, or a last envelope    failure of gRPC at once: head alone
//! ```

use super::{Call, Found, ReplyBody, ReplyState, Semantics, ServerCall, own_fields::OwnFields};
use crate::http::{
    content::{self, OCTETS, PLAIN_TEXT},
    cors,
    dialects::{Kind, coding, connect, envelope, grpc, grpc_web},
    fields::unsendable,
    framing::{Abort, Framing, Reply},
    status,
};
use crate::reply_fields;
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Origin, Status, brpc};
use polywire_formats::{compression, rest};
use polywire_wire::{Answer, Compression, Credit, Cx, Delivery, Outcome, Part};
use std::borrow::Cow;

/// RFC 9110 11.6.1: a 401 "MUST send a WWW-Authenticate header field containing at least one challenge".
const CHALLENGE: &str = "www-authenticate";
const BEARER: &[u8] = b"Bearer";
const JSON: &[u8] = b"application/json";

/// A reply with status 200 and no further fields.
pub(super) const OK: Reply<'static> = Reply {
    status: 200,
    content_type: None,
    encoding: None,
    error: 0,
    allow: None,
    own: &[],
    fields: None,
    length: None,
    at_once: false,
};

/// The challenge in a failure that is a JSON object, unless the reply's fields have one: the status's own,
/// otherwise one that asks for a token.
fn challenge<'s>(
    status: u16,
    content_type: &[u8],
    why: &'s Status,
    fields: Option<&Metadata>,
) -> Option<(&'static str, &'s [u8])> {
    let is_said = fields.is_some_and(|fields| fields.get(CHALLENGE).is_some());
    let own = || (CHALLENGE, why.metadata().get(CHALLENGE).unwrap_or(BEARER));
    (status == 401 && content_type == JSON && !is_said).then(own)
}

impl<F: Framing> Semantics<F> {
    /// Sends the outcome of the handler.
    #[inline]
    pub(super) fn finish_request(&mut self, cx: &mut Cx<'_>, slot: u32, mut outcome: Outcome) {
        if !outcome.status.is_ok() && brpc::number(&outcome.status) == brpc::ECLOSE {
            return self.hang_up(cx, slot);
        }
        match self.calls[slot as usize].form.kind {
            Kind::Plain => self.finish_plain(cx, slot, &outcome),
            kind => {
                let fields = [outcome.headers.as_deref(), outcome.trailers.as_deref()];
                if let Some(name) = fields.iter().find_map(|f| f.and_then(grpc::fields::unsendable)) {
                    let why = bad_field(name);
                    return self.fail(cx, slot, &why, None);
                }
                match kind {
                    Kind::Connect | Kind::ConnectGet => self.finish_connect(cx, slot, &mut outcome),
                    Kind::WebSocket => self.finish_websocket(cx, slot, &outcome),
                    _ => self.finish_enveloped(cx, slot, &outcome),
                }
            }
        }
    }

    /// "A user handler may close the connection instead of answering (code ECLOSE): nothing is written."
    /// HTTP/2 resets the stream alone: brpc closes other callers' connection with it.
    #[cold]
    fn hang_up(&mut self, cx: &mut Cx<'_>, slot: u32) {
        self.end(slot);
        self.framing.reset(cx, slot, Abort::Internal);
    }

    /// Sends the head of a streamed answer.
    pub(super) fn answer_request(&mut self, cx: &mut Cx<'_>, slot: u32, answer: &Answer) -> Credit {
        let call = &self.calls[slot as usize];
        if call.reply.has_begun() {
            return Credit::OPEN;
        }
        let fields = answer.metadata.as_deref();
        let kind = call.form.kind;
        let bad = match kind {
            Kind::Plain => fields.and_then(unsendable),
            _ => fields.and_then(grpc::fields::unsendable),
        };
        if let Some(name) = bad {
            return self.break_answer(cx, slot, bad_field(name));
        }
        match kind {
            Kind::Plain => self.answer_plain(cx, slot, answer),
            Kind::Connect | Kind::ConnectGet => {
                let text =
                    "a streaming method is called with content type application/connect+proto or +json";
                let why = Status::unimplemented(text).with_native(Native::Http(415));
                self.break_answer(cx, slot, why)
            }
            _ => {
                self.begin_reply(cx, slot, answer.compression, fields, false);
                self.credit_or_stall(slot, 0)
            }
        }
    }

    /// Sends a part of a streamed answer.
    #[inline]
    pub(super) fn send_answer(&mut self, cx: &mut Cx<'_>, slot: u32, part: &Part) -> Credit {
        let call = &self.calls[slot as usize];
        match call.reply {
            // `answer` comes before the first
            ReplyState::Due | ReplyState::DueBodiless => return Credit::CLOSED,
            ReplyState::Begun(ReplyBody::None) => return Credit::OPEN,
            ReplyState::Begun(ReplyBody::Open) => {}
            ReplyState::Begun(ReplyBody::Left(left)) => {
                let Some(left) = left.checked_sub(part.bytes.len() as u64) else {
                    return self.break_answer(cx, slot, other_length());
                };
                self.calls[slot as usize].reply = ReplyState::Begun(ReplyBody::Left(left));
            }
        }
        // `finish` ends the body: a status may still follow the last part.
        let call = &self.calls[slot as usize];
        let queued = if !call.form.kind.is_enveloped() {
            self.framing.data(cx, slot, b"", &part.bytes, false)
        } else if part.end_of_message || !part.bytes.is_empty() {
            self.put_message(cx, slot, part.compression, &part.bytes, false)
        } else {
            return Credit::OPEN;
        };
        self.credit_or_stall(slot, queued)
    }

    /// Sends a failure in place of the handler's outcome.
    #[cold]
    pub(super) fn fail(&mut self, cx: &mut Cx<'_>, slot: u32, why: &Status, fields: Option<&Metadata>) {
        let call = &self.calls[slot as usize];
        match call.form.kind {
            Kind::Plain if call.reply.has_begun() => self.hang_up(cx, slot),
            Kind::Plain => self.refuse(cx, slot, why, None),
            Kind::Connect | Kind::ConnectGet => self.fail_connect(cx, slot, why, None, fields),
            Kind::WebSocket => self.fail_websocket(cx, slot, why, fields),
            Kind::ConnectStream => {
                if !call.reply.has_begun() {
                    self.begin_reply(cx, slot, Compression::NONE, None, true);
                }
                self.end_reply(cx, slot, why, fields);
            }
            Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText if call.reply.has_begun() => {
                self.end_reply(cx, slot, why, fields);
            }
            Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText => self.fail_at_once(cx, slot, why, fields),
        }
    }

    /// Breaks off an answer that has begun, and reports that to the dispatcher.
    #[cold]
    pub(super) fn break_answer(&mut self, cx: &mut Cx<'_>, slot: u32, why: Status) -> Credit {
        let exchange = self.calls[slot as usize].exchange.expect("found by it");
        match why.native() {
            Native::Http(_) => self.refuse(cx, slot, &why, None),
            _ => self.fail(cx, slot, &why, None),
        }
        self.ended.push_back(Found::Reset { exchange, why: why.with_origin(Origin::Local).into() });
        Credit::CLOSED
    }

    // Enveloped: gRPC, grpc-web, streams of Connect.

    #[inline]
    fn finish_enveloped(&mut self, cx: &mut Cx<'_>, slot: u32, outcome: &Outcome) {
        let call = &self.calls[slot as usize];
        if !call.reply.has_begun() {
            let trailers = outcome.trailers.as_deref();
            let at_once = !outcome.reply && !outcome.status.is_ok() && outcome.headers.is_none();
            // In a head that is the whole reply, a `date` of the handler's could not be distinguished from
            // HTTP's own.
            if at_once && trailers.is_none_or(|fields| fields.get("date").is_none()) {
                return self.fail(cx, slot, &outcome.status, trailers);
            }
            self.begin_reply(cx, slot, outcome.compression, outcome.headers.as_deref(), true);
        }
        if outcome.reply {
            self.put_message(cx, slot, outcome.compression, &outcome.body, false);
        }
        self.end_reply(cx, slot, &outcome.status, outcome.trailers.as_deref());
    }

    /// Sends the head of a reply. Messages may be compressed by `compression`, if the caller reads that.
    /// `at_once`: all else follows.
    #[inline]
    fn begin_reply(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        compression: Compression,
        fields: Option<&Metadata>,
        at_once: bool,
    ) {
        let call = &mut self.calls[slot as usize];
        let form = call.form;
        call.reply.begin();
        let encoding = coding::name(compression).filter(|_| form.accepts.contains(compression));
        call.announced = if encoding.is_some() { compression } else { Compression::NONE };
        let mut own = OwnFields::new();
        if let Some(encoding) = encoding {
            let name = match form.kind {
                Kind::ConnectStream => connect::STREAM_ENCODING,
                _ => grpc::ENCODING,
            };
            own.add(name, encoding);
        }
        let fields = fields.map(grpc::fields::encoded);
        let reply = Reply {
            content_type: Some(form.content_type()),
            own: own.get(),
            fields: fields.as_deref(),
            at_once,
            ..OK
        };
        self.head(cx, slot, &reply, false);
    }

    /// Writes a message in its envelope. A message that the caller cannot decompress is decompressed here.
    #[inline]
    pub(super) fn put_message(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        compression: Compression,
        bytes: &IoBuf,
        end: bool,
    ) -> usize {
        let call = &self.calls[slot as usize];
        let said = compression == Compression::NONE || compression == call.announced;
        let (bytes, compression) = match said {
            true => (Cow::Borrowed(bytes), compression),
            false => (Cow::Owned(self.inflated(compression, bytes)), Compression::NONE),
        };
        let kind = self.calls[slot as usize].form.kind;
        if kind == Kind::WebSocket {
            return self.put_frame(cx, slot, &bytes, end);
        }
        let Some(prefix) = envelope::message(compression, bytes.len()) else { return 0 }; // 4 GiB: no codec makes it
        match kind {
            Kind::GrpcWebText => self.framing.data(cx, slot, b"", &grpc_web::text_of(&prefix, &bytes), end),
            _ => self.framing.data(cx, slot, &prefix, &bytes, end),
        }
    }

    #[cold]
    fn inflated(&self, how: Compression, bytes: &IoBuf) -> IoBuf {
        let most = self.limits.max_message as usize;
        // Data that was compressed here is valid; data that a proxy passes on and that is not valid is sent
        // unchanged.
        compression::decompress(how, bytes.clone(), most).unwrap_or_else(|_| bytes.clone())
    }

    /// Sends the status of the call; afterwards the rest of the request is not wanted.
    #[inline]
    fn end_reply(&mut self, cx: &mut Cx<'_>, slot: u32, status: &Status, trailers: Option<&Metadata>) {
        let kind = self.calls[slot as usize].form.kind;
        let trailers = trailers.map(grpc::fields::encoded);
        let trailers = trailers.as_deref();
        if kind == Kind::Grpc && status.is_ok() {
            self.framing.finish(cx, slot, grpc::status::OK, trailers);
        } else if kind == Kind::ConnectStream {
            let text = connect::error::end(status, trailers);
            self.put_end(cx, slot, kind, text);
        } else {
            self.end_grpc(cx, slot, kind, status, trailers);
        }
        self.done(cx, slot);
    }

    fn end_grpc(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        kind: Kind,
        status: &Status,
        trailers: Option<&Metadata>,
    ) {
        let failure = (!status.is_ok()).then(|| grpc::status::Failure::of(status));
        let fields = failure.as_ref().map(grpc::status::Failure::fields);
        let own = fields.as_deref().unwrap_or(grpc::status::OK);
        match kind {
            Kind::Grpc => self.framing.finish(cx, slot, own, trailers),
            _ => {
                let text = grpc_web::end(own, trailers);
                self.put_end(cx, slot, kind, text);
            }
        }
    }

    /// Sends the last envelope, which has the status of the call.
    fn put_end(&mut self, cx: &mut Cx<'_>, slot: u32, kind: Kind, text: Vec<u8>) {
        let Some(prefix) = envelope::end(kind, text.len()) else { return };
        let text = IoBuf::from(text);
        match kind {
            Kind::GrpcWebText => {
                self.framing.data(cx, slot, b"", &grpc_web::text_of(&prefix, &text), true);
            }
            _ => {
                self.framing.data(cx, slot, &prefix, &text, true);
            }
        }
    }

    /// gRPC: "trailers-only", a head that is the whole reply.
    #[cold]
    fn fail_at_once(&mut self, cx: &mut Cx<'_>, slot: u32, why: &Status, fields: Option<&Metadata>) {
        let form = self.calls[slot as usize].form;
        let failure = grpc::status::Failure::of(why);
        let said = failure.fields();
        let mut own = OwnFields::new();
        own.add_all(&said);
        if form.compression == Compression::UNKNOWN {
            own.add(grpc::ACCEPT_ENCODING, coding::READ.as_bytes());
        }
        let fields = fields.map(grpc::fields::encoded);
        let reply = Reply {
            content_type: Some(form.content_type()),
            own: own.get(),
            fields: fields.as_deref(),
            ..OK
        };
        self.head(cx, slot, &reply, true);
        self.done(cx, slot);
    }

    /// The reply is complete, and the rest of the request is not wanted.
    #[inline]
    pub(super) fn done(&mut self, cx: &mut Cx<'_>, slot: u32) {
        if !self.calls[slot as usize].body.end.is_complete() {
            self.framing.reset(cx, slot, Abort::NoError);
        }
        self.end(slot);
    }

    // Unary calls of Connect.

    fn finish_connect(&mut self, cx: &mut Cx<'_>, slot: u32, outcome: &mut Outcome) {
        let (headers, trailers) = (outcome.headers.as_deref(), outcome.trailers.as_deref());
        if !outcome.status.is_ok() {
            return self.fail_connect(cx, slot, &outcome.status, headers, trailers);
        }
        let form = self.calls[slot as usize].form;
        let said = coding::name(outcome.compression).filter(|_| form.accepts.contains(outcome.compression));
        if said.is_none() && outcome.compression != Compression::NONE {
            outcome.body = self.inflated(outcome.compression, &outcome.body);
        }
        let fields = beside(headers, trailers);
        let reply = Reply {
            content_type: Some(form.content_type()),
            encoding: said,
            fields: fields.as_ref(),
            length: Some(outcome.body.len() as u64),
            ..OK
        };
        self.whole(cx, slot, &reply, &outcome.body);
        self.done(cx, slot);
    }

    #[cold]
    fn fail_connect(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        why: &Status,
        headers: Option<&Metadata>,
        trailers: Option<&Metadata>,
    ) {
        let body = IoBuf::from(connect::error::body(why));
        let fields = beside(headers, trailers);
        let mut own = OwnFields::new();
        if self.calls[slot as usize].form.compression == Compression::UNKNOWN {
            own.add(connect::ACCEPT_ENCODING, coding::READ.as_bytes());
        }
        let reply = Reply {
            status: connect::error::http_status(why),
            error: status::own_number(why).unwrap_or(0),
            content_type: Some(b"application/json"),
            own: own.get(),
            fields: fields.as_ref(),
            length: Some(body.len() as u64),
            ..OK
        };
        self.whole(cx, slot, &reply, &body);
        self.done(cx, slot);
    }

    // Plain HTTP.

    fn finish_plain(&mut self, cx: &mut Cx<'_>, slot: u32, outcome: &Outcome) {
        if self.calls[slot as usize].reply.has_begun() {
            return self.finish_answer(cx, slot, outcome);
        }
        let fields = joined(outcome.headers.as_deref(), outcome.trailers.as_deref());
        let fields = fields.as_deref();
        if let Some(name) = fields.and_then(unsendable) {
            let why = bad_field(name);
            return self.refuse(cx, slot, &why, None);
        }
        let Ok(encoding) = content::coding(outcome.compression) else {
            let why = Status::internal("HTTP has no name for the compression of the reply");
            return self.refuse(cx, slot, &why, None);
        };
        let (status, error) = status::of(&outcome.status);
        let said = (!outcome.status.is_ok()).then(|| status::FailureFields::of(&outcome.status));
        let own: &[_] = &said.as_ref().map(status::FailureFields::fields).unwrap_or_default();
        let kept = fields.filter(|_| said.is_some()).and_then(reply_fields::without_status);
        let fields = kept.as_ref().or(fields);
        let given = fields.and_then(|f| f.get("content-type"));
        if outcome.status.is_ok() || outcome.reply {
            let unnamed = if outcome.body.is_empty() { None } else { Some(OCTETS) };
            let content_type = given.or(content::type_of(outcome.content)).or(unnamed);
            let encoding = encoding.or(fields.and_then(|f| f.get("content-encoding")));
            let reply = Reply { status, content_type, encoding, error, own, fields, ..OK };
            return self.respond(cx, slot, reply, &outcome.body);
        }
        let (content_type, body) = self.body_of(cx, slot, &outcome.status);
        let own = match challenge(status, content_type, &outcome.status, fields) {
            Some(challenge) => &[own, &[challenge]].concat(),
            None => own,
        };
        self.respond(
            cx,
            slot,
            Reply { status, content_type: Some(content_type), error, own, fields, ..OK },
            &body,
        );
    }

    /// The body of a failure that has none, and its type: its text, as clients of brpc expect it, or an
    /// object for requests that have come by a rule of `google.api.http`.
    #[cold]
    fn body_of(&self, cx: &mut Cx<'_>, slot: u32, why: &Status) -> (&'static [u8], IoBuf) {
        match self.fails_in_json(cx, slot) {
            true => (JSON, rest::failure(why).into()),
            false => (PLAIN_TEXT, IoBuf::copy_from_slice(why.message().as_bytes())),
        }
    }

    /// Whether the failure of this request is a JSON object.
    #[cold]
    pub(super) fn fails_in_json(&self, cx: &mut Cx<'_>, slot: u32) -> bool {
        let Call { form, sender, server: ServerCall { timeout, .. }, .. } = self.calls[slot as usize];
        form.kind == Kind::Plain
            && cx.host.fails_in_json(&form.head(self.framing.head(slot), timeout, sender))
    }

    /// Sends the outcome after a streamed answer. A body that has begun cannot report a failure, only break
    /// off.
    fn finish_answer(&mut self, cx: &mut Cx<'_>, slot: u32, outcome: &Outcome) {
        self.end(slot);
        let trailers = outcome.trailers.as_deref();
        let (bodiless, whole) = match self.calls[slot as usize].reply {
            ReplyState::DueBodiless | ReplyState::Begun(ReplyBody::None) => (true, true),
            ReplyState::Begun(ReplyBody::Left(left)) => (false, left == outcome.body.len() as u64),
            ReplyState::Due | ReplyState::Begun(ReplyBody::Open) => (false, true),
        };
        let sendable = trailers.is_none_or(|fields| unsendable(fields).is_none());
        if !outcome.status.is_ok() || !whole || !sendable {
            return self.framing.reset(cx, slot, Abort::Internal);
        }
        if bodiless {
            self.framing.data(cx, slot, b"", &IoBuf::new(), true);
        } else if trailers.is_some() {
            self.framing.data(cx, slot, b"", &outcome.body, false);
            self.framing.finish(cx, slot, &[], trailers);
        } else {
            self.framing.data(cx, slot, b"", &outcome.body, true);
        }
    }

    fn answer_plain(&mut self, cx: &mut Cx<'_>, slot: u32, answer: &Answer) -> Credit {
        let fields = answer.metadata.as_deref();
        if answer.status == 101 {
            return self.switch(cx, slot, fields);
        }
        self.stay(slot);
        let status = if (200..=999).contains(&answer.status) { answer.status } else { 200 };
        let never = matches!(status, 204 | 304);
        let call = &mut self.calls[slot as usize];
        let bodiless = call.reply.is_bodiless() || never;
        let length = fields.and_then(|f| f.get_str("content-length")).and_then(|digits| digits.parse().ok());
        call.reply = ReplyState::Begun(match length {
            _ if bodiless => ReplyBody::None,
            Some(left) => ReplyBody::Left(left),
            None => ReplyBody::Open,
        });
        let given = fields.and_then(|f| f.get("content-type"));
        let unnamed = (call.server.route.delivery != Delivery::Pieces).then_some(OCTETS); // who handles bytes says it all
        let reply = Reply {
            status,
            content_type: if never { None } else { given.or(unnamed) },
            encoding: fields.and_then(|f| f.get("content-encoding")),
            fields,
            length: length.filter(|_| !never),
            ..OK
        };
        self.head(cx, slot, &reply, false); // though no body follows: the exchange goes on until `finish`
        if bodiless { Credit::OPEN } else { self.credit_or_stall(slot, 0) }
    }

    /// Sends a plain reply that refuses a request of any dialect.
    #[cold]
    pub(super) fn refuse(&mut self, cx: &mut Cx<'_>, slot: u32, why: &Status, allow: Option<&str>) {
        let (status, error) = status::of(why);
        let (content_type, text) = self.body_of(cx, slot, why);
        let said = status::FailureFields::of(why);
        // A refusal that says when to come again has no other field.
        let fields = why.metadata().get_str("retry-after").map(|_| why.metadata());
        let own = match challenge(status, content_type, why, fields) {
            Some(challenge) => &[said.fields(), vec![challenge]].concat(),
            None => &said.fields(),
        };
        let reply = Reply { status, content_type: Some(content_type), error, allow, own, fields, ..OK };
        if status == 426 {
            let own = [own, self.required()].concat();
            return self.respond(cx, slot, Reply { own: &own, ..reply }, &text);
        }
        self.respond(cx, slot, reply, &text);
    }

    /// Sends a whole plain reply. "HEAD: headers of GET, no body. 1xx and 204: no body, no Content-Length.
    /// 304: no body."
    #[inline]
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, mut reply: Reply<'_>, body: &IoBuf) {
        let never = matches!(reply.status, 204 | 304);
        reply.length = (!never).then_some(body.len() as u64);
        if never {
            (reply.content_type, reply.encoding) = (None, None);
        }
        let empty = IoBuf::new();
        self.end(slot);
        self.whole(cx, slot, &reply, if never { &empty } else { body });
    }

    /// Writes head and body of a reply together.
    #[inline]
    fn whole(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, body: &IoBuf) {
        let end = body.is_empty() || self.calls[slot as usize].reply.is_bodiless();
        self.head(cx, slot, &Reply { at_once: true, ..*reply }, end);
        if !end {
            self.framing.data(cx, slot, b"", body, true);
        }
    }

    /// Writes the head of a reply, with the fields that a page of another origin needs.
    #[inline]
    pub(super) fn head(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool) {
        match &self.origins {
            Some(origins) if !origins.allowed.is_empty() => self.head_for_page(cx, slot, reply, end),
            _ => self.framing.respond(cx, slot, reply, end),
        }
    }

    #[cold]
    fn head_for_page(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool) {
        let asked = self.asked(slot);
        let beside = asked.as_ref().map(cors::Asked::beside);
        let own = [reply.own, beside.as_ref().map_or(&[], |fields| fields)].concat();
        self.framing.respond(cx, slot, &Reply { own: &own, ..*reply }, end);
    }

    fn asked(&self, slot: u32) -> Option<cors::Asked> {
        cors::Asked::of(self.origins.as_deref()?, self.framing.head(slot), F::fields)
    }

    /// Answers a preflight request; returns whether the request was one.
    #[cold]
    pub(super) fn is_preflight(&mut self, cx: &mut Cx<'_>, slot: u32) -> bool {
        let Some(asked) = self.asked(slot).filter(|asked| asked.preflight.is_some()) else { return false };
        self.framing.respond(cx, slot, &Reply { status: 204, own: &asked.answer(), ..OK }, true);
        self.end(slot);
        true
    }

    /// Answers OPTIONS with the allowed methods.
    #[cold]
    pub(super) fn respond_options(&mut self, cx: &mut Cx<'_>, slot: u32, allow: &str) {
        let reply = Reply { status: 204, allow: Some(allow), ..OK };
        self.respond(cx, slot, reply, &IoBuf::new());
    }
}

/// The header fields of a unary reply of Connect: the headers, and the trailers with `trailer-` before their
/// names.
fn beside(headers: Option<&Metadata>, trailers: Option<&Metadata>) -> Option<Metadata> {
    if headers.is_none() && trailers.is_none() {
        return None;
    }
    let mut fields = headers.map(|headers| grpc::fields::encoded(headers).into_owned()).unwrap_or_default();
    let trailers = trailers.map(grpc::fields::encoded);
    let named = trailers.iter().flat_map(|trailers| trailers.iter());
    // After `trailer-` a pseudo field, whose name has not been checked, would not be recognised any more.
    for (name, value) in named.filter(|(name, _)| !name.starts_with(':')) {
        fields.append(&[connect::TRAILER, name].concat(), value);
    }
    Some(fields)
}

/// Both in one block, for a framing that has no other place.
pub(super) fn joined<'m>(
    headers: Option<&'m Metadata>,
    trailers: Option<&'m Metadata>,
) -> Option<Cow<'m, Metadata>> {
    match (headers, trailers) {
        (None, fields) | (fields, None) => fields.map(Cow::Borrowed),
        (Some(headers), Some(trailers)) => Some(Cow::Owned(headers.iter().chain(trailers.iter()).collect())),
    }
}

/// The handler has set another `content-length`.
#[cold]
fn other_length() -> Status {
    Status::internal("the body is not as long as its content-length says")
}

/// The handler set a field that would break the reply.
#[cold]
fn bad_field(name: &str) -> Status {
    Status::internal(format!("reply field {name:?} has a bad name or holds bytes that it may not"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_401_has_one_challenge() {
        let mut own = Metadata::default();
        own.append(CHALLENGE, "Basic");
        let plain = Status::unauthenticated("");
        let basic = plain.clone().with_metadata(CHALLENGE, "Basic");
        let of = |status, content_type, why, fields| {
            challenge(status, content_type, why, fields).map(|(_, value)| value.to_vec())
        };
        assert_eq!(of(401, JSON, &plain, None), Some(BEARER.to_vec()));
        assert_eq!(of(401, JSON, &basic, None), Some(b"Basic".to_vec()));
        assert_eq!(of(401, JSON, &basic, Some(&own)), None, "it is among the fields");
        let none = Metadata::default();
        assert_eq!(of(401, JSON, &plain, Some(&none)), Some(BEARER.to_vec()));
        assert_eq!((of(401, PLAIN_TEXT, &plain, None), of(403, JSON, &plain, None)), (None, None));
    }
}
