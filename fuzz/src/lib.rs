//! Bytes from an enemy against every parser and state machine: the targets, and what those of machines share.
//!
//! An input of a machine is a plan of eight bytes and then what the peer sends:
//!
//! ```text
//!  0        1                               8
//!  +--------+-------------------------------+---------- - - -
//!  | side   | seed of splits and commands   | bytes of the peer
//!  +--------+-------------------------------+---------- - - -
//! ```
//!
//! `side`: bit 0 is set for a client, bit 1 for a server that wants a credential. The oracle is that of the
//! test kit's noise test: no panic, no endless loop, no `Need(0)`, and not more held than was fed plus a
//! constant.

#![forbid(unsafe_code)]

mod targets;
mod zmtp;

pub use targets::TARGETS;

use polywire_machine_testing::{Call, Side, survives};
use polywire_wire::{
    ClientSetup, Delivery, Exchange, Extensions, Limits, Protocol, Role, Route, ServerSetup, Setup,
};

const PLAN_BYTES: usize = 8;

/// Small limits, so that inputs of a few hundred bytes reach them.
const LIMITS: Limits = Limits::DEFAULT
    .max_message(4096)
    .exchanges(4)
    .window(1024)
    .ahead(4)
    .backlog(4096)
    .high_water(8)
    .streams(4);

/// Plays one input against a machine of `protocol`.
pub fn play(protocol: &'static Protocol, input: &[u8]) {
    play_as(protocol, "", input);
}

/// As [`play`], with the parameter of a client's protocol (the part of its name after the colon).
pub fn play_as(protocol: &'static Protocol, parameter: &str, input: &[u8]) {
    play_told(protocol, parameter, |_| None, input);
}

/// As [`play_as`], with further settings for machines of that role.
pub fn play_told(
    protocol: &'static Protocol,
    parameter: &str,
    told: impl FnOnce(Role) -> Option<Extensions>,
    input: &[u8],
) {
    let Some((plan, bytes)) = input.split_first_chunk::<PLAN_BYTES>() else { return };
    let seed = u64::from_le_bytes(*plan) >> 8;
    let role = if plan[0] & 1 == 1 { Role::Client } else { Role::Server };
    let authenticate = plan[0] & 2 == 2;
    let extensions = told(role);
    let extensions = extensions.as_ref();
    let limits = LIMITS;
    let setup: Setup<'_> = match role {
        Role::Server => ServerSetup { limits, authenticate, extensions, ..ServerSetup::default() }.into(),
        Role::Client => {
            let authority = "fuzz";
            ClientSetup { limits, authority, parameter, extensions, ..ClientSetup::default() }.into()
        }
    };
    let mut side = Side::new(protocol, setup);
    if role == Role::Client {
        // A call that the input can answer; a machine that opens one call at a time may refuse the second.
        for slot in 0..2 {
            let call = Call::new("example.EchoService", "Echo").index(0).body([0; 36]);
            let call = call.content((protocol.content)(parameter).unwrap_or_default());
            let _ = side.open(exchange(slot), &call);
        }
    }
    survives(side, seed, bytes);
}

/// Plays one input against a client of `protocol` with these calls under way.
pub fn play_calls(protocol: &'static Protocol, bodies: &[&[u8]], input: &[u8]) {
    let Some((plan, bytes)) = input.split_first_chunk::<PLAN_BYTES>() else { return };
    let seed = u64::from_le_bytes(*plan) >> 8;
    let mut side = Side::new(protocol, Setup::with_limits(Role::Client, LIMITS));
    for (slot, body) in (0..).zip(bodies) {
        let call = Call::new("", "").body(body).content((protocol.content)("").unwrap_or_default());
        side.open(exchange(slot), &call).expect("a client of this protocol has several calls under way");
    }
    survives(side, seed, bytes);
}

/// As [`play`], for a protocol whose calls stream: a client has offered streams 5 and 6 in a call, and opened
/// one of a method. A server's methods receive and send streams of messages if bit 2 of `side` is set.
pub fn play_streams(protocol: &'static Protocol, input: &[u8]) {
    let Some((plan, bytes)) = input.split_first_chunk::<PLAN_BYTES>() else { return };
    let seed = u64::from_le_bytes(*plan) >> 8;
    let role = if plan[0] & 1 == 1 { Role::Client } else { Role::Server };
    let limits = LIMITS.streams(12);
    let mut side = Side::new(protocol, Setup::with_limits(role, limits));
    if role == Role::Client {
        let call = Call::new("example.EchoService", "Echo");
        let streams = [5, 6].map(|n| Exchange { token: n.into(), slot: n });
        let _ = side.open(exchange(2), &Call { streams: streams.to_vec(), ..call.clone() });
        let _ = side.open(exchange(0), &call.clone().parts_follow().streamed());
        let _ = side.open(exchange(1), &call.parts_follow());
    } else if plan[0] & 4 == 4 {
        side.host.route(Route {
            delivery: Delivery::Messages,
            streamed: true,
            max_message: 4096,
            ..Route::default()
        });
    }
    survives(side, seed, bytes);
}

/// As [`play`], for a server with these settings whose methods take over connections if bit 2 of `side` is
/// set, and otherwise receive and send messages, one (bit 3) or many.
pub fn play_upgrades(protocol: &'static Protocol, extensions: &Extensions, input: &[u8]) {
    let Some((plan, bytes)) = input.split_first_chunk::<PLAN_BYTES>() else { return };
    let seed = u64::from_le_bytes(*plan) >> 8;
    let setup = ServerSetup { limits: LIMITS, extensions: Some(extensions), ..ServerSetup::default() };
    let mut side = Side::new(protocol, setup);
    let upgrades = plan[0] & 4 == 4;
    let delivery = match plan[0] & 12 {
        0 => Delivery::Messages,
        8 => Delivery::Whole,
        _ => Delivery::Pieces,
    };
    side.host.route(Route { delivery, upgrades, streamed: true, max_message: 4096, ..Route::default() });
    survives(side, seed, bytes);
}

fn exchange(slot: u32) -> Exchange {
    Exchange { token: 1 << 32 | u64::from(slot), slot }
}
