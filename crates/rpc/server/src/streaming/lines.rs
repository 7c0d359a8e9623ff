//! Streaming replies as lines of text: for calls over plain HTTP, which has no framing for messages.

use crate::context::Context;
use polywire_streams::Lines;

/// Content types of HTTP whose messages have frames of their own.
const FRAMED: [&str; 2] = ["application/grpc", "application/connect+"];

/// The prefix of the WebSocket subprotocols that call methods.
const SUBPROTOCOL: &str = "polywire.v1.";

/// The form that `accept` asks for; by default one JSON message per line. `None`: the messages of this call
/// have frames.
pub(super) fn of_call(cx: &Context) -> Option<Lines> {
    cx.http()?;
    let (is_framed, wish) = asked(cx);
    (!is_framed).then_some(wish)
}

/// Whether the messages of a call have frames of their own: always, but over HTTP, where those of gRPC, of
/// streams of Connect and of calls over WebSocket have.
pub fn has_frames(cx: &Context) -> bool {
    cx.http().is_none() || asked(cx).0
}

fn asked(cx: &Context) -> (bool, Lines) {
    let (mut framed, mut upgrade, mut socket, mut wish) = (false, false, false, Lines::Json);
    cx.visit_fields(|name, value| {
        if name.eq_ignore_ascii_case("content-type") {
            framed = FRAMED.iter().any(|prefix| begins_with(value, prefix));
        } else if name.eq_ignore_ascii_case("sec-websocket-protocol") {
            socket |= begins_with(value, SUBPROTOCOL);
        } else if name == ":protocol" || name.eq_ignore_ascii_case("upgrade") {
            upgrade = true;
        } else if name.eq_ignore_ascii_case("accept") {
            wish = Lines::by_accept(value).unwrap_or(wish);
        }
    });
    (framed || upgrade && socket, wish)
}

/// How a call that a [`CatchAll`](crate::CatchAll) answers gets several messages if it came by path of plain
/// HTTP, which has no frames for them: one per line, or as its `accept` asks for. `None`: it came in another
/// way.
pub fn lines_of(cx: &Context) -> Option<Lines> {
    if !cx.is_by_path() {
        return None;
    }
    let mut wish = Lines::Json;
    cx.visit_fields(|name, value| {
        if name.eq_ignore_ascii_case("accept") {
            wish = Lines::by_accept(value).unwrap_or(wish);
        }
    });
    Some(wish)
}

/// Whether a field's value begins with `prefix`, ignoring case.
pub(crate) fn begins_with(value: &[u8], prefix: &str) -> bool {
    value.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix.as_bytes()))
}
