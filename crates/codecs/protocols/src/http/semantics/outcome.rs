//! The second half of a client's work: reading replies, each in the form of its call.

use super::{BodyEnd, Found, Semantics, body::Bad};
use crate::http::{
    content,
    dialects::{Form, Kind, coding, connect, grpc},
    fields::is_ours,
    framing::{Abort, Framing, HeadBlock, Known},
    status,
};
use crate::reply_fields;
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Native, Origin, Status};
use polywire_wire::{Answer, Compression, Content, Cx, Exchange, Outcome};

impl<F: Framing> Semantics<F> {
    /// Handles the head of a final reply.
    #[inline]
    pub(super) fn reply_head(&mut self, cx: &mut Cx<'_>, slot: u32, end: bool) -> Option<Found> {
        let call = self.calls.get_mut(slot as usize)?;
        let exchange = call.exchange?;
        if end {
            call.body.end = BodyEnd::Here;
        }
        if call.form.kind != Kind::Plain
            && let Some(why) = self.wrong_head(slot)
        {
            return self.fail_call(cx, slot, why);
        }
        let head = self.framing.head(slot);
        let announced = head.length.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let code = head.status;
        let call = &mut self.calls[slot as usize];
        let enveloped = call.form.kind.is_enveloped();
        if enveloped && end {
            return Some(Found::Finish { slot });
        }
        call.reply.begin();
        // With HTTP/1 another protocol begins with 101 and nothing else.
        let begins = if call.client.upgrades && F::UPGRADES { code == 101 } else { is_success(code) };
        if call.client.streamed && begins {
            if end {
                self.deliver.push_back(slot);
            }
            return Some(Found::Answer { slot });
        }
        // A failure is not a stream of messages: its body becomes part of the outcome, as for a unary call.
        call.client.streamed = false;
        if end {
            return Some(Found::Finish { slot });
        }
        if let Some(n) = announced.filter(|_| !enveloped) {
            if !self.admits_reply(cx, exchange, n) {
                return Some(self.refuse_reply(cx, slot));
            }
            self.calls[slot as usize].client.admitted = n;
            self.framing.ensure(slot, n);
        }
        None
    }

    /// The reason why the head is not a reply to a call of this dialect; otherwise notes its compression.
    #[inline]
    fn wrong_head(&mut self, slot: u32) -> Option<Status> {
        let head = self.framing.head(slot);
        let call = &mut self.calls[slot as usize];
        let form = &mut call.form;
        let encoding = match form.kind {
            Kind::Plain | Kind::WebSocket => return None,
            Kind::Connect | Kind::ConnectGet => {
                if head.status == 200 && !content_type_is(head, |value| connect::is_reply(form, value)) {
                    return Some(wrong_type(form, head));
                }
                Known::ContentEncoding
            }
            Kind::ConnectStream => {
                if head.status != 200 {
                    return Some(connect::error::read(head.status, false, b""));
                }
                if !content_type_is(head, |value| connect::is_reply(form, value)) {
                    return Some(wrong_type(form, head));
                }
                Known::ConnectEncoding
            }
            Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText => {
                // A head with a status is the whole reply, even if it has other fields.
                if head.known(Known::GrpcStatus).is_some() && call.body.end.is_complete() {
                    return None;
                }
                if head.status != 200 {
                    return Some(grpc::status::of_http(head.status));
                }
                if !content_type_is(head, |value| grpc::is_reply(form, value)) {
                    return Some(wrong_type(form, head));
                }
                Known::GrpcEncoding
            }
        };
        form.compression = coding::named(head.known(encoding));
        (form.compression == Compression::UNKNOWN).then(|| {
            Status::internal("reply in a compression that was not offered").with_origin(Origin::Remote)
        })
    }

    /// Handles a piece of a reply's body.
    #[inline]
    pub(super) fn reply_data(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        bytes: IoBuf,
        end: bool,
    ) -> Option<Found> {
        let n = bytes.len();
        let exchange = self.calls[slot as usize].exchange?;
        if let Err(bad) = self.keep(slot, bytes, end) {
            return self.bad(cx, slot, bad);
        }
        let call = &self.calls[slot as usize];
        if call.form.kind.is_enveloped() {
            return if call.client.streamed { self.message(cx, slot) } else { self.reply_message(cx, slot) };
        }
        if call.client.streamed {
            return self.extract_reply(cx, slot);
        }
        let total = call.body.bytes.len();
        if total > call.client.admitted {
            let more = total.next_power_of_two().max(4096);
            if !self.admits_reply(cx, exchange, total) {
                return Some(self.refuse_reply(cx, slot));
            }
            // The host is asked for more than is here, so that a body of many pieces needs few questions; the
            // limit itself is exact.
            let ahead = more > total && self.admits_reply(cx, exchange, more);
            self.calls[slot as usize].client.admitted = if ahead { more } else { total };
        }
        if end {
            return Some(Found::Finish { slot });
        }
        self.framing.grant(slot, n);
        None
    }

    /// For an enveloped reply to a unary call: its message, then its end.
    #[inline]
    fn reply_message(&mut self, cx: &mut Cx<'_>, slot: u32) -> Option<Found> {
        loop {
            match self.next(cx, slot) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(bad) => return self.bad(cx, slot, bad),
            }
        }
        if !self.calls[slot as usize].body.end.is_complete() {
            return None;
        }
        if self.is_inside(slot) {
            return self.bad(cx, slot, Bad::Short);
        }
        Some(Found::Finish { slot })
    }

    /// The framing announces this many further bytes of a reply's body.
    #[cold]
    pub(super) fn reply_coming(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: u64) -> Option<Found> {
        let call = &self.calls[slot as usize];
        let exchange = call.exchange.filter(|_| !call.client.streamed && !call.form.kind.is_enveloped())?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let total = call.body.bytes.len().saturating_add(bytes);
        if total <= call.client.admitted {
            return None;
        }
        if !self.admits_reply(cx, exchange, total) {
            return Some(self.refuse_reply(cx, slot));
        }
        self.calls[slot as usize].client.admitted = total;
        None
    }

    fn admits_reply(&self, cx: &mut Cx<'_>, exchange: Exchange, bytes: usize) -> bool {
        bytes <= self.limits.max_message as usize && cx.host.admit_reply(exchange, bytes)
    }

    #[cold]
    fn refuse_reply(&mut self, cx: &mut Cx<'_>, slot: u32) -> Found {
        let exchange = self.end(slot).expect("looked at by the caller");
        self.framing.reset(cx, slot, Abort::Cancel);
        let status = Status::resource_exhausted("reply longer than allowed").with_origin(Origin::Local);
        Found::Fail { exchange, status: status.begun().into() }
    }

    /// For a streamed reply: its next part, then its outcome.
    pub(super) fn extract_reply(&mut self, cx: &mut Cx<'_>, slot: u32) -> Option<Found> {
        if self.calls[slot as usize].form.kind.is_enveloped() {
            return self.message(cx, slot);
        }
        if let Some(part) = self.part(slot) {
            if self.calls[slot as usize].body.end == BodyEnd::Delivered {
                self.deliver.push_back(slot);
            }
            return Some(part);
        }
        let call = &self.calls[slot as usize];
        (call.client.streamed && call.body.end == BodyEnd::Delivered).then_some(Found::Finish { slot })
    }

    /// Head of a streamed answer.
    pub(super) fn answer_of(&self, slot: u32) -> Answer {
        let head = self.framing.head(slot);
        let metadata = match self.calls[slot as usize].form.kind {
            Kind::Plain => {
                let mut fields = self.fields_of(slot, Content::RAW, false);
                // The parts are pieces of the body as it was received, and cannot state how it is coded.
                if let Some(coding) = head.known(Known::ContentEncoding) {
                    fields.get_or_insert_default().append("content-encoding", coding);
                }
                fields
            }
            _ => self.headers_of(slot),
        };
        Answer { status: head.status, metadata, ..Answer::default() }
    }

    /// The outcome of the call in this slot.
    #[inline]
    pub(super) fn outcome_of(&mut self, slot: u32) -> Outcome {
        let call = &self.calls[slot as usize];
        match call.form.kind {
            Kind::Plain if call.client.streamed => self.end_of_stream(slot),
            Kind::Plain => self.plain_outcome(slot),
            Kind::Connect | Kind::ConnectGet => self.connect_outcome(slot),
            _ => self.enveloped_outcome(slot),
        }
    }

    // Enveloped: gRPC, grpc-web, streams of Connect.

    /// The outcome of a call with enveloped messages. The caller has taken the message of a unary call, or
    /// the parts of a streamed answer, before.
    #[inline]
    fn enveloped_outcome(&mut self, slot: u32) -> Outcome {
        let (mut status, trailers) = self.ending_of(slot);
        let call = &mut self.calls[slot as usize];
        if status.is_ok() && !call.client.streamed && !call.body.has_message {
            status = Bad::Missing.status(polywire_wire::Role::Client);
        }
        if !status.is_ok() && call.reply.has_begun() {
            status = status.begun();
        }
        let reply = status.is_ok() && !call.client.streamed;
        let body = if reply { std::mem::take(&mut call.body.message) } else { IoBuf::new() };
        let (content, compression) = (call.form.content, call.body.compression);
        let none = call.client.streamed || self.is_trailers_only(slot);
        let headers = if none { None } else { self.headers_of(slot) };
        Outcome { status, body, content, compression, reply, headers, trailers, ..Outcome::default() }
    }

    /// The status of the call, and its trailers.
    #[inline]
    fn ending_of(&mut self, slot: u32) -> (Status, Option<Box<Metadata>>) {
        let call = &mut self.calls[slot as usize];
        let (status, fields) = match (call.form.kind, call.client.ended.take()) {
            (_, Some(ended)) => *ended,
            (Kind::ConnectStream, None) => {
                let text = "the stream ended without its last envelope";
                (Status::internal(text).with_origin(Origin::Remote), Metadata::new())
            }
            _ => self.grpc_ending(slot),
        };
        (status, (!fields.is_empty()).then(|| Box::new(fields)))
    }

    fn grpc_ending(&self, slot: u32) -> (Status, Metadata) {
        let head = self.framing.head(slot);
        let mut trailers = grpc::status::Trailers::default();
        if self.is_trailers_only(slot) {
            F::fields(&head.raw, &mut |name, value| {
                if !is_ours(name) && !grpc::is_head_field(name) {
                    trailers.take(name, value);
                }
            });
        }
        self.framing.trailers(slot, &mut |name, value| trailers.take(name, value));
        let status = trailers.status().unwrap_or_else(|| grpc::status::of_http(head.status));
        (status, trailers.fields)
    }

    /// Whether the head has the status of the call, so that its fields are the trailers. Beside messages a
    /// status in the head is ignored.
    fn is_trailers_only(&self, slot: u32) -> bool {
        !self.calls[slot as usize].body.has_message
            && self.framing.head(slot).known(Known::GrpcStatus).is_some()
    }

    /// Fields of the head that belong to the application.
    #[inline]
    fn headers_of(&self, slot: u32) -> Option<Box<Metadata>> {
        let head = self.framing.head(slot);
        if head.extra == 0 {
            return None;
        }
        let mut fields = Metadata::new();
        F::fields(&head.raw, &mut |name, value| {
            if !is_ours(name) && !grpc::is_head_field(name) {
                grpc::fields::decoded(name, value, &mut |name, value| fields.append(name, value));
            }
        });
        (!fields.is_empty()).then(|| Box::new(fields))
    }

    // Unary calls of Connect.

    fn connect_outcome(&mut self, slot: u32) -> Outcome {
        let call = &mut self.calls[slot as usize];
        let body = std::mem::take(&mut call.body.bytes);
        let form = call.form;
        let (mut headers, mut trailers) = (Metadata::new(), Metadata::new());
        for (name, value) in self.headers_of(slot).iter().flat_map(|fields| fields.iter()) {
            match name.get(..connect::TRAILER.len()) {
                Some(front) if front.eq_ignore_ascii_case(connect::TRAILER) => {
                    trailers.append(&name[front.len()..], value);
                }
                _ => headers.append(name, value),
            }
        }
        let boxed = |fields: Metadata| (!fields.is_empty()).then(|| Box::new(fields));
        let (headers, trailers) = (boxed(headers), boxed(trailers));
        let head = self.framing.head(slot);
        if head.status != 200 {
            let is_json = content_type_is(head, connect::error::is_json);
            let status = connect::error::of_reply(head.status, is_json, form.compression, body);
            let status = status::with_own_number(status, head.known(Known::ErrorCode));
            return Outcome { status, headers, trailers, ..Outcome::default() };
        }
        let (content, compression) = (form.content, form.compression);
        Outcome { body, content, compression, reply: true, headers, trailers, ..Outcome::default() }
    }

    // Plain HTTP.

    /// The outcome after the parts of a streamed answer.
    fn end_of_stream(&self, slot: u32) -> Outcome {
        let status = success(self.framing.head(slot).status);
        let mut fields = Metadata::new();
        self.framing.trailers(slot, &mut |name, value| fields.append(name, value));
        let trailers = (!fields.is_empty()).then(|| Box::new(fields));
        Outcome { status, trailers, ..Outcome::default() }
    }

    /// The outcome of a reply that has arrived completely.
    fn plain_outcome(&mut self, slot: u32) -> Outcome {
        let body = std::mem::take(&mut self.calls[slot as usize].body.bytes);
        let head = self.framing.head(slot);
        let code = head.status;
        let content = head.known(Known::ContentType).map_or(Content::RAW, content::of_type);
        let encoding = head.known(Known::ContentEncoding);
        let compression = content::compression(encoding, head.is_repeated(Known::ContentEncoding));
        let mut trailers = self.fields_of(slot, content, true);
        let head = self.framing.head(slot);
        let status = if is_success(code) {
            success(code)
        } else {
            let shown = if compression == Compression::NONE { text_of(&body) } else { Vec::new() };
            let said = reply_fields::take(&mut trailers);
            status::failure(code, head.text(head.title), head.known(Known::ErrorCode), said, &shown)
        };
        Outcome { reply: status.is_ok(), status, body, content, compression, trailers, ..Outcome::default() }
    }

    /// The application's fields of a reply: those after the head and, if requested, those after the body.
    fn fields_of(&self, slot: u32, content: Content, trailers: bool) -> Option<Box<Metadata>> {
        let head = self.framing.head(slot);
        let mut fields = Metadata::new();
        // Otherwise the form of the content tells the content type.
        if content == Content::RAW
            && let Some(value) = head.known(Known::ContentType)
        {
            fields.append("content-type", value);
        }
        // Callers that decode the body do not need `date`; metadata for every reply would cost each call more
        // than the information is worth.
        let dated = content == Content::RAW;
        if head.extra > 0 || dated {
            F::fields(&head.raw, &mut |name, value| {
                if !is_ours(name) && (dated || !name.eq_ignore_ascii_case("date")) {
                    fields.append(name, value);
                }
            });
        }
        if trailers {
            self.framing.trailers(slot, &mut |name, value| fields.append(name, value));
        }
        (!fields.is_empty()).then(|| Box::new(fields))
    }
}

/// Whether the content type fits this test.
fn content_type_is(head: &HeadBlock, is: impl Fn(&[u8]) -> bool) -> bool {
    head.known(Known::ContentType).is_some_and(is)
}

/// INTERNAL: a reply of the same dialect in another codec. UNKNOWN: a reply of another dialect.
#[cold]
fn wrong_type(form: &Form, head: &HeadBlock) -> Status {
    let given = head.known(Known::ContentType).unwrap_or(b"none");
    let code = if form.is_other_codec(given) { Code::Internal } else { Code::Unknown };
    let text = format!("reply with content type {}", String::from_utf8_lossy(given));
    Status::new(code, text).with_origin(Origin::Remote)
}

fn is_success(code: u16) -> bool {
    (200..=299).contains(&code)
}

/// 200 is plain success; other codes of success stay visible as the native number.
fn success(code: u16) -> Status {
    if code == 200 { Status::OK } else { Status::OK.with_native(Native::Http(code)) }
}

/// Most bytes of a body that become a message of a status.
const LONGEST_TEXT: usize = 8 << 10;

fn text_of(body: &IoBuf) -> Vec<u8> {
    let mut text = Vec::new();
    for segment in body.segments() {
        text.extend_from_slice(&segment[..segment.len().min(LONGEST_TEXT - text.len())]);
        if text.len() >= LONGEST_TEXT {
            break;
        }
    }
    text
}
