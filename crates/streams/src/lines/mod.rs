//! Streams over plain HTTP, which has no frames: one JSON message a line, or server-sent events.
//!
//! ```text
//!  application/jsonl, application/x-ndjson     {"n":1}\n            {"error":{"code":"NOT_FOUND","message":"…"}}\n
//!  text/event-stream                           data: {"n":1}\n\n    event: error\ndata: {"code":…,"message":"…"}\n\n
//! ```
//!
//! A stream that fails says so as its last line, and then its body breaks off, so that programs notice, too.
//!
//! Source: docs/streams.md; WHATWG HTML, section 9.2 (server-sent events).

mod reader;

pub use reader::{Item, Reader, Rest};

use crate::Form;
use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status, bounded};
use polywire_wire::Content;
use std::fmt::Write;

/// Of a failure: its details, google.rpc.Status in base64. The name is that of the field of HTTP that carries them elsewhere.
const DETAILS: &str = "polywire-status-details-bin";

/// Of a failure's text, bytes; the rest is cut off.
const MOST_TEXT: usize = 8 << 10;
/// Of a failure's details, bytes; longer ones are left out.
const MOST_DETAILS: usize = 8 << 10;
/// Longest failure that is read as one, bytes: what [`Lines::failure`] writes fits, whatever characters it has to escape.
const MOST_FAILURE: usize = 64 << 10;

/// How one message is told from the next in a body of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// One JSON value a line.
    Json,
    /// The same, under its other name.
    NdJson,
    /// Server-sent events.
    Events,
}

impl Lines {
    const ALL: [Lines; 3] = [Lines::Events, Lines::NdJson, Lines::Json];

    /// What a client says that it reads, in `accept`.
    pub const ACCEPT: &str = "application/jsonl, application/x-ndjson, text/event-stream";

    /// By a content type, parameters aside, or by one medium of `accept`.
    pub fn by_type(content_type: &[u8]) -> Option<Lines> {
        let essence = content_type.split(|&b| b == b';').next()?.trim_ascii();
        Lines::ALL.into_iter().find(|lines| essence.eq_ignore_ascii_case(lines.content_type().as_bytes()))
    }

    /// By `accept`: the first that is known. Weights are not looked at.
    pub fn by_accept(accept: &[u8]) -> Option<Lines> {
        accept.split(|&b| b == b',').find_map(Lines::by_type)
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Lines::Json => "application/jsonl",
            Lines::NdJson => "application/x-ndjson",
            Lines::Events => "text/event-stream",
        }
    }

    /// Messages are JSON, whatever the request was.
    pub fn content(request: Content) -> Content {
        if request == Content::PROTO_JSON { Content::PROTO_JSON } else { Content::JSON }
    }

    /// Of an answer: the form of its messages, and the head that names it.
    pub fn prepare(self, form: &mut Form, metadata: &mut Metadata) {
        form.content = Lines::content(form.content);
        if metadata.get("content-type").is_none() {
            metadata.append("content-type", self.content_type());
        }
        if self == Lines::Events && metadata.get("cache-control").is_none() {
            metadata.append("cache-control", "no-cache");
        }
    }

    /// A message as it travels. `json` has no line breaks, as our writer makes it.
    pub fn message(self, json: IoBuf) -> IoBuf {
        let (before, behind) = match self {
            Lines::Json | Lines::NdJson => ("", "\n"),
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
            Lines::Json | Lines::NdJson => format!("{{\"error\":{error}}}\n").into(),
            Lines::Events => format!("event: error\ndata: {error}\n\n").into(),
        }
    }
}
