//! Streams over plain HTTP, which has no frames: one JSON message a line, or server-sent events.
//!
//! ```text
//!  application/jsonl, application/x-ndjson     {"n":1}\n            {"error":{"code":"NOT_FOUND","message":"…"}}\n
//!  text/event-stream                           data: {"n":1}\n\n    event: error\ndata: {"code":…,"message":"…"}\n\n
//! ```
//!
//! `accept` chooses; without a wish it is `application/jsonl`. A stream that fails says so as its last line, and then its
//! body breaks off, so that programs notice, too.
//!
//! Source: docs/http.md, "Streams"; WHATWG HTML, section 9.2 (server-sent events).

use crate::context::Context;
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};
use polywire_streams::Form;
use polywire_wire::Content;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    Json(&'static str),
    Events,
}

const JSON_LINES: &str = "application/jsonl";
const ND_JSON: &str = "application/x-ndjson";
const EVENTS: &str = "text/event-stream";

/// Content types of HTTP whose messages have frames of their own.
const FRAMED: [&str; 2] = ["application/grpc", "application/connect"];

impl Lines {
    /// `None`: the messages of this call have frames.
    pub fn of(cx: &Context) -> Option<Lines> {
        let (mut http, mut framed, mut wish) = (false, false, Lines::Json(JSON_LINES));
        cx.visit_fields(|name, value| match name {
            ":method" => http = true,
            _ if name.eq_ignore_ascii_case("content-type") => {
                framed = FRAMED.iter().any(|prefix| begins_with(value, prefix));
            }
            _ if name.eq_ignore_ascii_case("accept") => wish = Lines::by_accept(value).unwrap_or(wish),
            _ => {}
        });
        (http && !framed).then_some(wish)
    }

    /// The first that is known; weights are not looked at.
    fn by_accept(value: &[u8]) -> Option<Lines> {
        value.split(|&b| b == b',').map(<[u8]>::trim_ascii).find_map(|media| {
            let all = [Lines::Events, Lines::Json(ND_JSON), Lines::Json(JSON_LINES)];
            all.into_iter().find(|lines| begins_with(media, lines.content_type()))
        })
    }

    fn content_type(self) -> &'static str {
        match self {
            Lines::Json(name) => name,
            Lines::Events => EVENTS,
        }
    }

    /// Messages are JSON, whatever the request was; the head says in which form.
    pub fn prepare(self, form: &mut Form, metadata: &mut Metadata) {
        if form.content != Content::PROTO_JSON {
            form.content = Content::JSON;
        }
        if metadata.get("content-type").is_none() {
            metadata.append("content-type", self.content_type());
        }
        if self == Lines::Events && metadata.get("cache-control").is_none() {
            metadata.append("cache-control", "no-cache");
        }
    }

    /// JSON without line breaks in it, as our writer makes it.
    pub fn message(self, json: IoBuf) -> IoBuf {
        let (before, behind) = match self {
            Lines::Json(_) => ("", "\n"),
            Lines::Events => ("data: ", "\n\n"),
        };
        let mut line = Vec::with_capacity(before.len() + json.len() + behind.len());
        line.extend_from_slice(before.as_bytes());
        json.segments().for_each(|segment| line.extend_from_slice(segment));
        line.extend_from_slice(behind.as_bytes());
        line.into()
    }

    pub fn failure(self, status: &Status) -> IoBuf {
        let mut error = format!("{{\"code\":\"{}\",\"message\":\"", status.code());
        status.message().chars().for_each(|c| match c {
            '"' => error.push_str("\\\""),
            '\\' => error.push_str("\\\\"),
            c if c < ' ' => write!(error, "\\u{:04x}", u32::from(c)).expect("a String takes it"),
            c => error.push(c),
        });
        error.push_str("\"}");
        match self {
            Lines::Json(_) => format!("{{\"error\":{error}}}\n").into(),
            Lines::Events => format!("event: error\ndata: {error}\n\n").into(),
        }
    }
}

/// Whether a field's value begins with `prefix`, in capitals or not.
pub(crate) fn begins_with(value: &[u8], prefix: &str) -> bool {
    value.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix.as_bytes()))
}
