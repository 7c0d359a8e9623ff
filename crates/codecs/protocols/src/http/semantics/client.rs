//! The first half of a client's work: writing calls, each in the form of its dialect.

use super::{Found, Semantics, own_fields::OwnFields};
use crate::http::{
    content::{self, OCTETS},
    dialects::{Form, Kind, coding, connect, grpc},
    fields::{is_token, unsendable},
    framing::{Framing, Request},
    websocket::handshake::TOKEN,
};
use polywire_call::{Status, brpc};
use polywire_wire::{Compression, Compressions, Content, Credit, Cx, Exchange, Outgoing, Part, Refusal};
use std::time::Duration;

/// The path of a call: `/service/method`, or a path that the call gives.
fn path_of<'a>(call: &Outgoing<'a>) -> [&'a str; 4] {
    if call.service.is_empty() && call.method.starts_with('/') {
        [call.method, "", "", ""]
    } else {
        ["/", call.service, "/", call.method]
    }
}

/// Whether a text has no other characters. All are looked at, several at once.
#[inline]
fn is_graphic(text: &str) -> bool {
    text.bytes().fold(true, |is_graphic, byte| is_graphic & byte.is_ascii_graphic())
}

/// The reason why a call cannot be sent over HTTP.
#[inline]
fn why_not_sendable(kind: Kind, call: &Outgoing<'_>, verb: &str, path: &[&str; 4]) -> Option<Status> {
    let text = if !is_token(verb.as_bytes()) {
        "method is not a token".to_owned()
    } else if !path.iter().all(|piece| is_graphic(piece)) {
        "path holds spaces, control bytes or bytes above ASCII".to_owned()
    } else if call.attachment > 0 {
        "HTTP carries no attachment beside a message".to_owned()
    } else if kind == Kind::Plain && content::coding(call.compression).is_err()
        || call.compression != Compression::NONE && coding::name(call.compression).is_none()
    {
        "HTTP has no name for the compression of the request".to_owned()
    } else {
        let name = match kind {
            Kind::Plain => unsendable(call.metadata)?,
            _ => grpc::fields::unsendable(call.metadata)?,
        };
        format!("field {name:?} has a bad name or holds bytes that it may not")
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
        let kind = match self.kind {
            Kind::Connect if call.streamed || !call.finished => Kind::ConnectStream,
            Kind::Connect if verb == "GET" => Kind::ConnectGet,
            kind => kind,
        };
        let path = path_of(call);
        if let Some(status) = why_not_sendable(kind, call, verb, &path) {
            self.ended.push_back(Found::Fail { exchange, status: status.into() });
            return Ok(Credit::CLOSED);
        }
        match kind {
            Kind::Plain => self.open_plain(cx, exchange, call, verb, path),
            kind => self.open_rpc(cx, exchange, call, kind, path),
        }
    }

    fn open_plain(
        &mut self,
        cx: &mut Cx<'_>,
        exchange: Exchange,
        call: &Outgoing<'_>,
        verb: &str,
        path: [&str; 4],
    ) -> Result<Credit, Refusal> {
        let upgrade = call.metadata.get_str(":protocol") == Some(TOKEN);
        let has_body =
            !upgrade && (!call.body.is_empty() || !call.finished || matches!(verb, "POST" | "PUT" | "PATCH"));
        let end = call.finished && call.body.is_empty();
        let request = Request {
            verb,
            upgrade,
            path,
            content_type: if has_body { content_type_of(call) } else { None },
            encoding: content::coding(call.compression)
                .unwrap_or(None)
                .or_else(|| call.metadata.get("content-encoding")),
            // Rounded up: no deadline is sent shorter than it is, and none as 0.
            timeout_ms: call.timeout.map(|t| (t.as_micros().div_ceil(1000)).clamp(1, 9_999_999_999) as u64),
            own: &[],
            fields: call.metadata,
            length: (call.finished && has_body).then_some(call.body.len() as u64),
        };
        let slot = self.framing.open(cx, &request, end)?;
        self.index(exchange.slot, slot);
        let this = self.begin(slot, exchange);
        (this.client.streamed, this.client.out_end) = (call.streamed, call.finished);
        (this.client.upgrades, this.client.deadline) =
            (upgrade, call.timeout.and_then(|timeout| cx.now.checked_add(timeout)));
        let queued =
            if call.finished && !end { self.framing.data(cx, slot, b"", call.body, true) } else { 0 };
        Ok(self.credit(queued))
    }

    /// A call of gRPC, grpc-web or Connect.
    #[inline]
    fn open_rpc(
        &mut self,
        cx: &mut Cx<'_>,
        exchange: Exchange,
        call: &Outgoing<'_>,
        kind: Kind,
        path: [&str; 4],
    ) -> Result<Credit, Refusal> {
        let content = match (call.content, kind) {
            (Content::JSON | Content::PROTO_JSON, _) => Content::PROTO_JSON,
            (Content::FLATBUFFERS, Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText) => Content::FLATBUFFERS,
            _ => Content::PROTOBUF,
        };
        let accepts = Compressions::ALL;
        // Of several content types with the same meaning, gRPC's shorter one is the usual one.
        let form = Form { kind, content, compression: call.compression, accepts, named: kind != Kind::Grpc };
        let encoding = coding::name(call.compression);
        let time = Time::of(kind, call.timeout);
        let mut own = OwnFields::new();
        let unary_encoding = match kind {
            Kind::Connect | Kind::ConnectGet => encoding,
            _ => None,
        };
        add_fields(&mut own, kind, encoding, time.as_ref().map(Time::as_bytes));
        let get = (kind == Kind::ConnectGet).then(|| {
            let codec = if content == Content::PROTO_JSON { "json" } else { "proto" };
            connect::get::target(&path, codec, encoding, &call.body.to_vec())
        });
        let fields = grpc::fields::encoded(call.metadata);
        let request = Request {
            verb: if get.is_some() { "GET" } else { "POST" },
            upgrade: false,
            path: get.as_deref().map_or(path, |target| [target, "", "", ""]),
            content_type: if get.is_some() { None } else { Some(form.content_type()) },
            encoding: if get.is_some() { None } else { unary_encoding },
            timeout_ms: None,
            own: own.get(),
            fields: &fields,
            length: (kind == Kind::Connect).then_some(call.body.len() as u64),
        };
        let end = get.is_some() || kind == Kind::Connect && call.body.is_empty();
        let slot = self.framing.open(cx, &request, end)?;
        self.index(exchange.slot, slot);
        let this = self.begin(slot, exchange);
        (this.client.streamed, this.client.out_end) = (call.streamed, call.finished);
        this.client.deadline = call.timeout.and_then(|timeout| cx.now.checked_add(timeout));
        (this.form, this.announced) = (form, call.compression);
        let queued = match kind {
            _ if end || !call.finished => 0,
            Kind::Connect => self.framing.data(cx, slot, b"", call.body, true),
            _ => self.put_message(cx, slot, call.compression, call.body, true),
        };
        Ok(self.credit(queued))
    }

    /// A part of a request's body.
    #[inline]
    pub(super) fn send_request(&mut self, cx: &mut Cx<'_>, slot: u32, part: &Part) -> Credit {
        let call = &mut self.calls[slot as usize];
        call.client.out_end |= part.finished;
        let has_message = part.end_of_message || !part.bytes.is_empty();
        let queued = if has_message && call.form.kind.is_enveloped() {
            self.put_message(cx, slot, part.compression, &part.bytes, part.finished)
        } else {
            self.framing.data(cx, slot, b"", &part.bytes, part.finished)
        };
        self.credit_or_stall(slot, queued)
    }
}

fn content_type_of<'a>(call: &Outgoing<'a>) -> Option<&'a [u8]> {
    let given = if call.metadata.is_empty() { None } else { call.metadata.get("content-type") };
    let unnamed = if call.body.is_empty() { None } else { Some(OCTETS) };
    given.or(content::type_of(call.content)).or(unnamed)
}

/// Adds fields of this implementation to a request's head.
#[inline]
fn add_fields<'f>(own: &mut OwnFields<'f>, kind: Kind, encoding: Option<&'f [u8]>, time: Option<&'f [u8]>) {
    let mut add = |name, value: Option<&'f [u8]>| {
        if let Some(value) = value {
            own.add(name, value);
        }
    };
    let read = Some(coding::READ.as_bytes());
    match kind {
        Kind::Plain | Kind::WebSocket => {}
        Kind::Grpc | Kind::GrpcWeb | Kind::GrpcWebText => {
            match kind {
                Kind::Grpc => {
                    add("te", Some(b"trailers"));
                    add("user-agent", Some(grpc::USER_AGENT));
                }
                _ => add("x-grpc-web", Some(b"1")),
            }
            add(grpc::ENCODING, encoding);
            add(grpc::ACCEPT_ENCODING, read);
            add(grpc::TIMEOUT, time); // what changes from call to call comes last: see `h2/block_cache/written.rs`
        }
        Kind::Connect | Kind::ConnectGet => {
            add(connect::VERSION.0, Some(connect::VERSION.1));
            add(connect::TIMEOUT, time);
            add(connect::ACCEPT_ENCODING, read);
        }
        Kind::ConnectStream => {
            add(connect::VERSION.0, Some(connect::VERSION.1));
            add(connect::TIMEOUT, time);
            add(connect::STREAM_ENCODING, encoding);
            add(connect::STREAM_ACCEPT_ENCODING, read);
        }
    }
}

/// The remaining time, in the form of the dialect.
enum Time {
    Grpc(grpc::timeout::Text),
    Connect(String),
}

impl Time {
    #[inline]
    fn of(kind: Kind, timeout: Option<Duration>) -> Option<Time> {
        let timeout = timeout?;
        Some(match kind.is_grpc() {
            true => Time::Grpc(grpc::timeout::Text::of(timeout)),
            // Rounded up: no deadline is sent shorter than it is, and none as 0. Ten digits at most.
            false => {
                let ms = timeout.as_micros().div_ceil(1000).clamp(1, 9_999_999_999);
                Time::Connect(ms.to_string())
            }
        })
    }

    fn as_bytes(&self) -> &[u8] {
        match self {
            Time::Grpc(text) => text.as_bytes(),
            Time::Connect(text) => text.as_bytes(),
        }
    }
}
