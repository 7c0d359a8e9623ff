//! Streams over plain HTTP, which has no frames for messages: one JSON message per line, or server-sent
//! events.
//!
//! ```text
//!  application/jsonl, application/x-ndjson     {"n":1}\n            {"error":{"code":"NOT_FOUND","message":"…"}}\n
//!  text/event-stream                           data: {"n":1}\n\n    event: error\ndata: {"code":…,"message":"…"}\n\n
//! ```
//!
//! The last line of a stream that fails contains the error. After it the body is cut off, so that programs
//! that do not read the line notice the failure, too.
//!
//! Source: docs/streams.md; WHATWG HTML, section 9.2 (server-sent events).

mod reader;
mod values;

pub use reader::{Item, Reader, Rest};

use crate::Form;
use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status, bounded};
use polywire_wire::Content;
use std::fmt::Write;

/// Key of a failure's details: google.rpc.Status in base64. It is the name of the HTTP field that carries
/// them elsewhere.
const DETAILS: &str = "polywire-status-details-bin";

/// Longest text of a failure in bytes; the rest is cut off.
const MOST_TEXT: usize = 8 << 10;
/// The maximum length of a failure's details in bytes; longer ones are left out.
const MOST_DETAILS: usize = 8 << 10;
/// Longest line that is read as a failure, in bytes. The output of [`Lines::failure`] fits, whatever
/// characters it has to escape.
const MOST_FAILURE: usize = 64 << 10;

/// The format of a body that contains many messages as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// One JSON value per line.
    Json,
    /// Like [`Lines::Json`], under its other name.
    NdJson,
    /// `text/event-stream`: each message is the data of an event, as `EventSource` of a browser reads it.
    Events,
    /// The format in which gateways answer a call by a rule of `google.api.http`, see [`Lines::of_gateway`].
    /// Only readers support it.
    Gateway,
}

impl Lines {
    const ALL: [Lines; 3] = [Lines::Events, Lines::NdJson, Lines::Json];

    /// The value of `accept` that a client sends.
    pub const ACCEPT: &str = "application/jsonl, application/x-ndjson, text/event-stream";
    /// The `accept` header for a call by a rule of `google.api.http`.
    pub const ACCEPT_BY_RULE: &str =
        "application/jsonl, application/x-ndjson, text/event-stream, application/json";

    /// The kind for a content type, without its parameters, or for one media type of `accept`.
    pub fn by_type(content_type: &[u8]) -> Option<Lines> {
        let essence = content_type.split(|&b| b == b';').next()?.trim_ascii();
        Lines::ALL.into_iter().find(|lines| essence.eq_ignore_ascii_case(lines.content_type().as_bytes()))
    }

    /// The format for the content type of a reply to a call by a rule of `google.api.http`: also
    /// `application/json`, which gateways send for several values in succession. grpc-gateway sends one
    /// object per message, `{"result":…}` or at last `{"error":…}`; Envoy's transcoder sends an array of the
    /// messages.
    pub fn of_gateway(content_type: &[u8]) -> Option<Lines> {
        let essence = content_type.split(|&b| b == b';').next()?.trim_ascii();
        let is_json = essence.eq_ignore_ascii_case(b"application/json");
        if is_json { Some(Lines::Gateway) } else { Lines::by_type(content_type) }
    }

    /// The format for a value of `accept`: the first media type that is known. Weights are ignored.
    pub fn by_accept(accept: &[u8]) -> Option<Lines> {
        accept.split(|&b| b == b',').find_map(Lines::by_type)
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Lines::Json => "application/jsonl",
            Lines::NdJson => "application/x-ndjson",
            Lines::Events => "text/event-stream",
            Lines::Gateway => "application/json",
        }
    }

    /// The encoding of messages: JSON, whatever the request was.
    pub fn content(request: Content) -> Content {
        if request == Content::PROTO_JSON { Content::PROTO_JSON } else { Content::JSON }
    }

    /// Prepares a reply: sets the encoding of its messages, and the content type in its head.
    pub fn prepare(self, form: &mut Form, metadata: &mut Metadata) {
        form.content = Lines::content(form.content);
        self.announce(metadata);
    }

    /// Sets the content type in the head of a reply.
    pub fn announce(self, metadata: &mut Metadata) {
        if metadata.get("content-type").is_none() {
            metadata.append("content-type", self.content_type());
        }
        if self == Lines::Events && metadata.get("cache-control").is_none() {
            metadata.append("cache-control", "no-cache");
        }
    }

    /// Frames a message. `json` has no line breaks, as our encoder produces it.
    pub fn message(self, json: IoBuf) -> IoBuf {
        let (before, behind) = match self {
            Lines::Json | Lines::NdJson | Lines::Gateway => ("", "\n"),
            Lines::Events => ("data: ", "\n\n"),
        };
        let mut line = Vec::with_capacity(before.len() + json.len() + behind.len());
        line.extend_from_slice(before.as_bytes());
        json.segments().for_each(|segment| line.extend_from_slice(segment));
        line.extend_from_slice(behind.as_bytes());
        line.into()
    }

    /// The last line of a stream that fails.
    pub fn failure(self, status: &Status) -> IoBuf {
        let mut error = format!("{{\"code\":\"{}\",\"message\":\"", status.code());
        bounded(status.message(), MOST_TEXT).chars().for_each(|c| match c {
            '"' => error.push_str("\\\""),
            '\\' => error.push_str("\\\\"),
            c if c < ' ' => write!(error, "\\u{:04x}", u32::from(c)).expect("a String takes it"),
            c => error.push(c),
        });
        error.push('"');
        if (1..=MOST_DETAILS).contains(&status.details().len()) {
            write!(error, ",\"{DETAILS}\":\"{}\"", BASE64.encode(status.details()))
                .expect("a String takes it");
        }
        error.push('}');
        match self {
            Lines::Json | Lines::NdJson | Lines::Gateway => format!("{{\"error\":{error}}}\n").into(),
            Lines::Events => format!("event: error\ndata: {error}\n\n").into(),
        }
    }
}
