//! The client's half: calls out, replies in.

use super::{Found, Semantics};
use crate::http::{
    content::{self, OCTETS},
    fields::{is_ours, is_token, unsendable},
    framing::{Abort, Framing, Known, Request},
    status,
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Origin, Status, brpc};
use polywire_wire::{Answer, Compression, Content, Credit, Cx, Exchange, Outcome, Outgoing, Refusal};

/// Where a call goes: `POST /service/method`, or a path of its own.
fn path_of<'a>(call: &Outgoing<'a>) -> [&'a str; 4] {
    if call.service.is_empty() && call.method.starts_with('/') {
        [call.method, "", "", ""]
    } else {
        ["/", call.service, "/", call.method]
    }
}

/// Why a call cannot be said in HTTP.
#[inline]
fn unsayable(call: &Outgoing<'_>, verb: &str, path: &[&str; 4]) -> Option<Status> {
    let text = if !is_token(verb.as_bytes()) {
        "method is not a token".to_owned()
    } else if !path.iter().all(|piece| piece.bytes().all(|b| b.is_ascii_graphic())) {
        "path holds spaces, control bytes or bytes above ASCII".to_owned()
    } else if call.attachment > 0 {
        "HTTP carries no attachment beside a message".to_owned()
    } else if content::coding(call.compression).is_err() {
        "HTTP has no name for the compression of the request".to_owned()
    } else {
        let name = unsendable(call.metadata)?;
        format!("field {name:?} has a bad name or holds control bytes")
    };
    Some(brpc::status(brpc::EREQUEST, text))
}

impl<F: Framing> Semantics<F> {
    #[inline]
    pub(super) fn open_call(
        &mut self,
        cx: &mut Cx<'_>,
        exchange: Exchange,
        call: &Outgoing<'_>,
    ) -> Result<Credit, Refusal> {
        let verb = if call.metadata.is_empty() { None } else { call.metadata.get_str(":method") };
        let verb = verb.unwrap_or("POST");
        let path = path_of(call);
        if let Some(status) = unsayable(call, verb, &path) {
            self.ended.push_back(Found::Fail { exchange, status: status.into() });
            return Ok(Credit::CLOSED);
        }
        let has_body = !call.body.is_empty() || !call.finished || matches!(verb, "POST" | "PUT" | "PATCH");
        let end = call.finished && call.body.is_empty();
        let request = Request {
            verb,
            path,
            content_type: if has_body { content_type_of(call) } else { None },
            encoding: content::coding(call.compression)
                .unwrap_or(None)
                .or_else(|| call.metadata.get("content-encoding")),
            // Rounded up: no deadline is told shorter than it is, and none as 0.
            timeout_ms: call.timeout.map(|t| (t.as_micros().div_ceil(1000)).clamp(1, 9_999_999_999) as u64),
            own: &[],
            fields: call.metadata,
            length: (call.finished && has_body).then_some(call.body.len() as u64),
        };
        let slot = self.framing.open(cx, &request, end)?;
        self.index(exchange.slot, slot);
        self.begin(slot, exchange).streamed = call.streamed;
        let queued =
            if call.finished && !end { self.framing.data(cx, slot, b"", call.body, true) } else { 0 };
        Ok(self.credit(queued))
    }

    /// The head of a final reply has come.
    #[inline]
    pub(super) fn reply_head(&mut self, cx: &mut Cx<'_>, slot: u32, end: bool) -> Option<Found> {
        let head = self.framing.head(slot);
        let announced = head.length.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let code = head.status;
        let call = self.calls.get_mut(slot as usize)?;
        let exchange = call.exchange?;
        call.in_end = end;
        if call.streamed && is_success(code) {
            if end {
                self.deliver.push_back(slot);
            }
            return Some(Found::Answer { slot });
        }
        // What failed is no stream of messages: its body goes into the last words, as for a unary call.
        call.streamed = false;
        if end {
            return Some(Found::Finish { slot });
        }
        if let Some(n) = announced {
            if !self.admits_reply(cx, exchange, n) {
                return Some(self.refuse_reply(cx, slot));
            }
            self.calls[slot as usize].admitted = n;
            self.framing.ensure(slot, n);
        }
        None
    }

    /// A piece of a reply's body.
    #[inline]
    pub(super) fn reply_data(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        bytes: IoBuf,
        end: bool,
    ) -> Option<Found> {
        let n = bytes.len();
        let call = &mut self.calls[slot as usize];
        let exchange = call.exchange?;
        call.in_end = end;
        if call.inbound.is_empty() {
            call.inbound = bytes;
        } else {
            call.inbound.append(bytes);
        }
        if call.streamed {
            return self.extract_reply(slot);
        }
        let total = call.inbound.len();
        if total > call.admitted {
            let more = total.next_power_of_two().max(4096);
            if !self.admits_reply(cx, exchange, total) {
                return Some(self.refuse_reply(cx, slot));
            }
            // Asked ahead, so that a body of many pieces asks a few times; the limit itself is always reached.
            let ahead = more > total && self.admits_reply(cx, exchange, more);
            self.calls[slot as usize].admitted = if ahead { more } else { total };
        }
        if end {
            return Some(Found::Finish { slot });
        }
        self.framing.grant(slot, n);
        None
    }

    /// So much more of a reply's body will come.
    #[cold]
    pub(super) fn reply_coming(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: u64) -> Option<Found> {
        let call = &self.calls[slot as usize];
        let exchange = call.exchange.filter(|_| !call.streamed)?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let total = call.inbound.len().saturating_add(bytes);
        if total <= call.admitted {
            return None;
        }
        if !self.admits_reply(cx, exchange, total) {
            return Some(self.refuse_reply(cx, slot));
        }
        self.calls[slot as usize].admitted = total;
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
        Found::Fail { exchange, status: status.into() }
    }

    /// Of a streamed reply: its next part, then its last words.
    pub(super) fn extract_reply(&mut self, slot: u32) -> Option<Found> {
        if let Some(part) = self.part(slot) {
            if self.calls[slot as usize].told_end {
                self.deliver.push_back(slot);
            }
            return Some(part);
        }
        let call = &self.calls[slot as usize];
        if !(call.streamed && call.told_end) {
            return None;
        }
        Some(Found::FinishStreamed { slot })
    }

    /// Head of a streamed answer.
    pub(super) fn answer_of(&self, slot: u32) -> Answer {
        let status = self.framing.head(slot).status;
        Answer { status, metadata: self.fields_of(slot, Content::RAW, false), ..Answer::default() }
    }

    /// Last words behind the parts of a streamed answer.
    pub(super) fn end_of_stream(&self, slot: u32) -> Outcome {
        let status = success(self.framing.head(slot).status);
        let mut fields = Metadata::new();
        self.framing.trailers(slot, &mut |name, value| fields.append(name, value));
        let trailers = (!fields.is_empty()).then(|| Box::new(fields));
        Outcome { status, trailers, ..Outcome::default() }
    }

    /// A reply that is all here.
    #[inline]
    pub(super) fn outcome_of(&mut self, slot: u32) -> Outcome {
        let body = std::mem::take(&mut self.calls[slot as usize].inbound);
        let head = self.framing.head(slot);
        let code = head.status;
        let content = head.known(Known::ContentType).map_or(Content::RAW, content::of_type);
        let encoding = head.known(Known::ContentEncoding);
        let compression = content::compression(encoding, head.is_repeated(Known::ContentEncoding));
        let status = if is_success(code) {
            success(code)
        } else {
            let shown = if compression == Compression::NONE { text_of(&body) } else { Vec::new() };
            status::failure(code, head.text(head.title), head.known(Known::ErrorCode), &shown)
        };
        let trailers = self.fields_of(slot, content, true);
        Outcome {
            reply: status.is_ok(),
            status,
            body,
            content,
            compression,
            trailers,
            attachment: 0,
            accept: false,
        }
    }

    /// Fields of a reply that are the application's: those behind the head and, if asked for, those behind the body.
    fn fields_of(&self, slot: u32, content: Content, trailers: bool) -> Option<Box<Metadata>> {
        let head = self.framing.head(slot);
        let mut fields = Metadata::new();
        // A known form says the content type already.
        if content == Content::RAW
            && let Some(value) = head.known(Known::ContentType)
        {
            fields.append("content-type", value);
        }
        if head.extra > 0 {
            F::fields(&head.raw, &mut |name, value| {
                if !is_ours(name) {
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

fn is_success(code: u16) -> bool {
    (200..=299).contains(&code)
}

/// 200 is plain success; what else there is of it stays readable.
fn success(code: u16) -> Status {
    if code == 200 { Status::OK } else { Status::OK.with_native(Native::Http(code)) }
}

fn content_type_of<'a>(call: &Outgoing<'a>) -> Option<&'a [u8]> {
    let given = if call.metadata.is_empty() { None } else { call.metadata.get("content-type") };
    let unnamed = if call.body.is_empty() { None } else { Some(OCTETS) };
    given.or(content::type_of(call.content)).or(unnamed)
}

/// The front of a body, enough for a message.
fn text_of(body: &IoBuf) -> Vec<u8> {
    let mut text = Vec::new();
    for segment in body.segments() {
        text.extend_from_slice(&segment[..segment.len().min(4096)]);
        if text.len() >= 4096 {
            break;
        }
    }
    text
}
