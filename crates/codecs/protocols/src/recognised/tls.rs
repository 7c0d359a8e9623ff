//! TLS. Decided by the record that carries a ClientHello: type 0x16, version 3.0 to 3.4, two bytes of length,
//! message type
//! 1. No machine: a transport for the others, which are recognised again inside it, after ALPN.
//!
//! Source: RFC 8446, sections 4 and 5.1

use polywire_wire::{Connections, Protocol, Sniff};

const HANDSHAKE: u8 = 0x16;
const CLIENT_HELLO: u8 = 1;

pub(crate) static PROTOCOL: Protocol =
    Protocol { name: "tls", sniff, connections: Connections::SINGLE, ..Protocol::DEFAULT };

fn sniff(bytes: &[u8]) -> Sniff {
    match bytes {
        [HANDSHAKE, 3, 0..=4, _, _, CLIENT_HELLO, ..] => Sniff::Mine,
        [] | [HANDSHAKE] | [HANDSHAKE, 3] => Sniff::NeedMore(1),
        [HANDSHAKE, 3, 0..=4] | [HANDSHAKE, 3, 0..=4, _] | [HANDSHAKE, 3, 0..=4, _, _] => Sniff::NeedMore(1),
        _ => Sniff::NotMine,
    }
}
