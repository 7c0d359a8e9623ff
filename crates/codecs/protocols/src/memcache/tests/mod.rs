mod bad_input;
mod binary;
mod meta;

use bytes::BytesMut;
use polywire_machine_testing::{Call, Seen, SeenOutcome, Side};
use polywire_wire::Exchange;

/// A call of this body.
fn call(body: impl AsRef<[u8]>) -> Call {
    Call::new("", "").body(body)
}

#[track_caller]
fn finished(seen: Seen) -> (Exchange, SeenOutcome) {
    let (exchange, outcome) = seen.expect_finish();
    assert!(outcome.status.is_ok() && outcome.reply, "{outcome:?}");
    (exchange, outcome)
}

/// A request of the binary protocol.
fn request(opcode: u8, opaque: u32, key: &str) -> Vec<u8> {
    let mut out = BytesMut::new();
    let (key_len, body) = (key.len() as u16, key.len() as u32);
    super::Header { opcode, key: key_len, body, opaque, ..super::Header::default() }.write(&mut out);
    out.extend_from_slice(key.as_bytes());
    out.to_vec()
}

/// A reply of the binary protocol with this value.
fn reply(opcode: u8, opaque: u32, status: u16, value: &[u8]) -> Vec<u8> {
    let mut out = BytesMut::new();
    let body = value.len() as u32;
    super::Header { is_reply: true, opcode, status, body, opaque, ..super::Header::default() }
        .write(&mut out);
    out.extend_from_slice(value);
    out.to_vec()
}

/// Sides with these calls under way, made again and again.
fn with_calls(protocol: &'static polywire_wire::Protocol, bodies: Vec<Vec<u8>>) -> impl Fn() -> Side {
    move || {
        let mut side = Side::client(protocol);
        bodies.iter().for_each(|body| {
            side.call(&call(body));
        });
        side
    }
}
