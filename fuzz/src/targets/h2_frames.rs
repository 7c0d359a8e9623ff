//! Sequences of well-formed frames against the HTTP/2 machine in both roles: these reach deeper than random
//! bytes.
//!
//! After the plan, each operation is four bytes and takes a payload from what follows them:
//!
//! ```text
//!  type: u8 | flags: u8 | stream: u8 | length: u8 | payload
//! ```

use polywire_protocols::http::h2::{PROTOCOL, internals::Hpack};

const PLAN: usize = 8;
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const REQUEST: [(&[u8], &[u8]); 4] =
    [(b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/S/M"), (b"x", b"y")];

pub fn run(input: &[u8]) {
    let Some((plan, mut rest)) = input.split_at_checked(PLAN) else { return };
    let mut peer = plan.to_vec();
    let is_client = plan[0] & 1 == 1;
    if !is_client {
        peer.extend_from_slice(PREFACE);
    }
    frame(&mut peer, 4, 0, 0, &[]);
    let mut hpack = Hpack::new();
    while let Some(([kind, flags, stream, length], tail)) = rest.split_first_chunk() {
        let (payload, tail) = tail.split_at((*length as usize).min(tail.len()));
        rest = tail;
        // Types above those of the RFC are heads that can be read.
        if *kind < 0xa0 {
            frame(&mut peer, kind % 0xb, *flags, *stream, payload);
        } else {
            let mut block = bytes::BytesMut::new();
            if is_client {
                hpack.encode(&mut block, [(&b":status"[..], &b"200"[..]), (b"x", payload)]);
            } else {
                hpack.encode(&mut block, REQUEST);
            }
            frame(&mut peer, 1, 4 | flags & 1, *stream, &block);
        }
    }
    crate::play(&PROTOCOL, &peer);
}

fn frame(peer: &mut Vec<u8>, kind: u8, flags: u8, stream: u8, payload: &[u8]) {
    peer.extend_from_slice(&(payload.len() as u32).to_be_bytes()[1..]);
    peer.extend_from_slice(&[kind, flags, 0, 0, 0, stream]);
    peer.extend_from_slice(payload);
}
