//! rest_rpc as docs/wire/rest_rpc.md has it.

mod bad_input;
mod client;
mod golden;
mod recognise;
mod relays;
mod server;

use super::{Format, PROTOCOL, Settings, function_id};
use polywire_call::Status;
use polywire_machine_testing::{Call, Octets, Seen, SeenTarget, Side, hex};
use polywire_wire::{ClientSetup, Content, Exchange, Extensions, Keepalive, Limits, Outcome, ServerSetup};
use std::sync::Arc;

/// The worked frames of section 5.
const CALL_A: &str = "27 00 00 00 03 00 00 00 01 00 00 00 00 00 00 00 fc 78 ec 34 92 01 02";
const REPLY_A: &str = "27 00 00 00 03 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 92 00 03";
const FAILURE_A: &str = "27 00 00 00 1e 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00
     92 01 bb 75 6e 6b 6e 6f 77 6e 20 66 75 6e 63 74 69 6f 6e 3a 20 38 38 37 39 31 32 37 30 30";
const SUBSCRIBE_A: &str = "27 01 00 00 06 00 00 00 00 00 00 00 00 00 00 00 8a 0b 6e 3c 92 a3 6b 65 79 a0";
const DELIVERY_A: &str =
    "27 01 00 00 09 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 93 00 a3 6b 65 79 a2 68 69";
const HEARTBEAT: &str = "27 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
const CALL_B: &str =
    "27 00 00 00 fc 78 ec 34 00 00 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
     8c 90 45 40 01 00 00 00 02 00 00 00";
const CALL_B_DEBUG: &str =
    "27 00 00 00 fc 78 ec 34 00 00 00 00 00 00 00 00 12 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
     8d 90 45 40 04 fd 01 01 ff 00 01 00 00 00 02 00 00 00";
const CALL_B_CROSS: &str =
    "27 00 00 00 34 ec 78 fc 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 00
     8c 90 45 40 01 00 00 00 02 00 00 00";
const REPLY_B: &str =
    "27 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 33";
const ECHO_B: &str = "27 00 00 00 d8 1e b1 cb 00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 74 65 73 74";
const SUBSCRIBE_B: &str =
    "27 00 00 01 ee d7 ad 4d 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
const DELIVERY_B: &str =
    "27 00 00 01 ee d7 ad 4d 00 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
     00 68 65 6c 6c 6f";

const ADD: u64 = 0x34ec_78fc;

fn function(number: u64) -> SeenTarget {
    SeenTarget::Bound { protocol: PROTOCOL.name, number }
}

fn server() -> Side {
    Side::server(&PROTOCOL)
}

fn told(settings: Settings) -> Side {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(settings));
    Side::new(&PROTOCOL, ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() })
}

fn client(format: &str) -> Side {
    Side::new(&PROTOCOL, ClientSetup { parameter: format, ..ClientSetup::default() })
}

/// A call of `add(1, 2)` in this format.
fn add(format: Format) -> Call {
    let body = match format {
        Format::A => hex("92 01 02"),
        Format::B | Format::CrossB => hex("8c 90 45 40 01 00 00 00 02 00 00 00"),
    };
    Call::new(super::SERVICE, "add").content(format.content()).body(body)
}

/// An exchange as a client's dispatcher makes them.
fn exchange(version: u64, slot: u32) -> Exchange {
    Exchange { token: version << 32 | u64::from(slot), slot }
}

/// A frame of format A.
fn frame_a(topic: bool, id: u64, function: u32, body: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x27, topic.into(), 0, 0];
    frame.extend((body.len() as u32).to_le_bytes());
    frame.extend(id.to_le_bytes());
    frame.extend(function.to_le_bytes());
    frame.extend(body);
    frame
}

/// A frame of format B.
fn frame_b(topic: bool, function: u32, body: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x27, 0, 0, topic.into()];
    frame.extend(function.to_le_bytes());
    frame.extend([0; 8]);
    frame.extend((body.len() as u64).to_le_bytes());
    frame.extend([0; 8]);
    frame.extend(body);
    frame
}

fn part(exchange: Exchange, bytes: &[u8]) -> Seen {
    Seen::Part {
        exchange,
        bytes: bytes.into(),
        end_of_message: true,
        finished: false,
        compression: Default::default(),
    }
}
