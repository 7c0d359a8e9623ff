//! ZMTP as docs/wire/zmtp.md has it.

mod bad_input;
mod calls;
mod curve;
mod golden;
mod limits;
mod traffic;

use super::{Delivery, Kind, PROTOCOL, Security, Settings, Socket};
use polywire_machine_testing::{Seen, Side, hex};
use polywire_wire::{ClientSetup, Exchange, Extensions, Limits, Role, ServerSetup};
use std::sync::Arc;

/// What libzmq sends first, in two writes.
fn greeting(mechanism: &str, minor: u8) -> Vec<u8> {
    let mut greeting = hex("ff 00 00 00 00 00 00 00 01 7f 03");
    greeting.push(minor);
    greeting.extend_from_slice(mechanism.as_bytes());
    greeting.resize(64, 0);
    greeting
}

const READY_REQ: &str =
    "04 26 05 52 45 41 44 59 0b 53 6f 63 6b 65 74 2d 54 79 70 65 00 00 00 03 52 45 51 08 49 64
     65 6e 74 69 74 79 00 00 00 00";
const READY_SUB: &str = "04 19 05 52 45 41 44 59 0b 53 6f 63 6b 65 74 2d 54 79 70 65 00 00 00 03 53 55 42";
const READY_DEALER_ID1: &str =
    "04 2c 05 52 45 41 44 59 0b 53 6f 63 6b 65 74 2d 54 79 70 65 00 00 00 06 44 45 41 4c 45 52
     08 49 64 65 6e 74 69 74 79 00 00 00 03 69 64 31";

/// READY of a socket of this kind, without identity.
fn ready(kind: &str) -> Vec<u8> {
    let mut ready = vec![4, 22 + kind.len() as u8];
    ready.extend_from_slice(b"\x05READY\x0bSocket-Type\0\0\0");
    ready.push(kind.len() as u8);
    ready.extend_from_slice(kind.as_bytes());
    ready
}

fn messages(kind: Kind) -> Socket {
    Socket { kind, delivery: Delivery::Messages }
}

/// Not random, and no two are equal.
fn settings(sockets: impl Into<Vec<Socket>>) -> Settings {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let random = |bytes: &mut [u8]| {
        let mut x = NEXT.fetch_add(1, Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bytes.iter_mut().for_each(|byte| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            *byte = x as u8;
        });
        true
    };
    Settings { random, ..Settings::new(sockets) }
}

fn side_with(role: Role, settings: Settings, limits: Limits, authenticate: bool) -> Side {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(settings));
    let extensions = Some(&extensions);
    match role {
        Role::Server => {
            Side::new(&PROTOCOL, ServerSetup { limits, authenticate, extensions, ..ServerSetup::default() })
        }
        Role::Client => Side::new(&PROTOCOL, ClientSetup { limits, extensions, ..ClientSetup::default() }),
    }
}

/// A socket that another socket has connected to.
fn bound(kind: Kind) -> Side {
    side_with(Role::Server, settings([messages(kind)]), Limits::DEFAULT, false)
}

/// A socket of this kind after the handshake with `peer`.
fn met(kind: Kind, peer: &str) -> Side {
    met_by(bound(kind), peer, 1)
}

#[track_caller]
fn met_by(mut side: Side, peer: &str, minor: u8) -> Side {
    let seen = side.feed([greeting("NULL", minor), ready(peer)].concat()).events();
    assert_eq!(seen, [Seen::Peer { kind: peer.into(), identity: b""[..].into() }]);
    side.written();
    side
}

fn part(bytes: impl AsRef<[u8]>) -> Seen {
    Seen::Part {
        exchange: Exchange::CONNECTION,
        bytes: bytes.as_ref().into(),
        end_of_message: true,
        finished: false,
        compression: Default::default(),
    }
}
