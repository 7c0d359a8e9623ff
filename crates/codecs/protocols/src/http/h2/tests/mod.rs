//! RFC 9113 and the sheet, frame by frame; golden bytes from docs/wire/grpc.md section 7.

mod bounds;
mod calls;
mod control;
mod flow;
mod foreign;
mod golden;
mod held_back;
mod late;
mod malformed;
mod network;
mod noise;
mod peer;
mod resting;
mod websocket;

use super::PROTOCOL;
use peer::Peer;
use polywire_machine_testing::{Seen, Side};
use polywire_wire::{ClientSetup, Limits, ServerSetup};

fn server_with(limits: Limits) -> Side {
    Side::new(&PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
}

fn client_with(limits: Limits) -> Side {
    Side::new(&PROTOCOL, ClientSetup { limits, authority: "test", ..ClientSetup::default() })
}

/// Answers each request with its own body.
fn echo(side: &mut Side, seen: &Seen) {
    if let Seen::Open(open) = seen {
        side.reply(open, &open.body);
    }
}
