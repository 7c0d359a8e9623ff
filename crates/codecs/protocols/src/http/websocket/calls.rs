//! Calls of services over WebSocket: for browsers, whose `fetch` cannot send while it receives.
//!
//! ```text
//!  client   GET /package.Service/Method, sec-websocket-protocol: polywire.v1.json
//!  server   101, sec-websocket-protocol: polywire.v1.json
//!  client   {"message":"a"}   {"message":"b"}   #end
//!  server   {"message":"A"}   {"message":"B"}   #end {}                                    Close 1000
//!                                               #end {"error":{"code":"not_found",...}}
//! ```
//!
//! | subprotocol | messages of the method | marks |
//! | --- | --- | --- |
//! | [`JSON`] | text: protobuf's JSON | text |
//! | [`PROTO`] | binary: protobuf | text |
//!
//! A mark is text that begins with `#`, which no JSON text does. The client ends its half with `#end`, the
//! server the call with `#end` and the object that ends Connect's streams: `error` unless the call succeeded,
//! and `metadata`. A client that closes before that cancels the call.
//!
//! Source: docs/wire/websocket.md; connectrpc.com/docs/protocol, "EndStreamResponse"

use super::handshake;
use crate::http::{
    dialects::{Form, Kind},
    framing::HeadBlock,
};
use polywire_wire::{Compression, Compressions, Content};

/// Setting of a server: its services can be called over WebSocket. It is added as an extension.
#[derive(Clone, Copy, Default, Debug)]
pub struct Calls;

/// Subprotocol: messages are protobuf's JSON.
pub const JSON: &str = "polywire.v1.json";
/// Subprotocol: messages are protobuf.
pub const PROTO: &str = "polywire.v1.proto";

/// The mark that ends a half.
const END: &[u8] = b"#end";

/// The form of a call whose head offers one of the subprotocols; of several, the first counts.
pub(crate) fn form(head: &HeadBlock, fields: fn(&[u8], &mut dyn FnMut(&str, &[u8]))) -> Option<Form> {
    let mut content = None;
    fields(&head.raw, &mut |name, value| {
        if name.eq_ignore_ascii_case(handshake::PROTOCOL) && content.is_none() {
            content = handshake::protocols(value).find_map(of_name);
        }
    });
    Some(Form { content: content?, ..FORM })
}

/// The form of a call with [`JSON`].
pub(crate) const FORM: Form = Form {
    kind: Kind::WebSocket,
    content: Content::PROTO_JSON,
    compression: Compression::NONE,
    accepts: Compressions::NONE,
    named: true,
};

fn of_name(name: &str) -> Option<Content> {
    match name {
        JSON => Some(Content::PROTO_JSON),
        PROTO => Some(Content::PROTOBUF),
        _ => None,
    }
}

/// The subprotocol of a form.
pub(crate) fn name(form: &Form) -> &'static str {
    if is_text(form) { JSON } else { PROTO }
}

/// Whether messages are text.
pub(crate) fn is_text(form: &Form) -> bool {
    form.content == Content::PROTO_JSON
}

/// Whether text is the mark that ends the client's half.
pub(crate) fn is_end(text: &[u8]) -> bool {
    text == END
}

/// The mark that ends a call, with the object of Connect.
pub(crate) fn end(object: &[u8]) -> Vec<u8> {
    [END, b" ", object].concat()
}
