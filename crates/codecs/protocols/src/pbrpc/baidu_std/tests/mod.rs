//! baidu_std as docs/wire/baidu_std.md has it.

mod bad_input;
mod client;
mod golden;
mod random;
mod server;

use super::PROTOCOL;
use polywire_machine_testing::{Side, hex};
use polywire_wire::{Exchange, Limits, ServerSetup};

fn server() -> Side {
    Side::server(&PROTOCOL)
}

fn client() -> Side {
    Side::client(&PROTOCOL)
}

fn server_with(limits: Limits) -> Side {
    Side::new(&PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
}

fn guarded() -> Side {
    Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() })
}

/// The call of the sheet's examples: correlation id 4294967298, version 1 and slot 2.
const CALL: Exchange = Exchange { token: 1 << 32 | 2, slot: 2 };

/// Frame of this meta and payload.
fn frame(meta: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = b"PRPC".to_vec();
    frame.extend_from_slice(&((meta.len() + payload.len()) as u32).to_be_bytes());
    frame.extend_from_slice(&(meta.len() as u32).to_be_bytes());
    frame.extend_from_slice(meta);
    frame.extend_from_slice(payload);
    frame
}

/// Field 1 of the sheet's example 4, which names example.EchoService and Echo, followed by these fields.
fn echo_and(fields: &str) -> Vec<u8> {
    let mut meta = hex("0a 1b  0a 13 6578616d706c652e4563686f53657276696365  12 04 4563686f");
    meta.extend(hex(fields));
    meta
}

/// Field 4 with the correlation id of the examples.
const ID: &str = "20 82 80 80 80 10";

/// A reply without payload, as brpc writes it.
fn error_frame(code: i32, text: &str) -> Vec<u8> {
    let mut response = hex("08");
    let code = code as u32;
    assert!((128..16384).contains(&code) && text.len() < 100, "two bytes and one are enough here");
    response.extend([code as u8 | 0x80, (code >> 7) as u8, 0x12, text.len() as u8]);
    response.extend(text.as_bytes());
    let mut meta = vec![0x12, response.len() as u8];
    meta.extend(response);
    meta.extend(hex("18 00 20 82 80 80 80 10 50 00 58 00 62 00"));
    frame(&meta, b"")
}

/// "Example 1: request with log_id and attachment"
fn example_1() -> Vec<u8> {
    hex("50 52 50 43 00 00 00 3c 00 00 00 2f 0a 1d 0a 13
         65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76
         69 63 65 12 04 45 63 68 6f 18 7b 18 00 20 82 80
         80 80 10 28 06 50 00 58 00 62 00 0a 05 68 65 6c
         6c 6f 41 54 54 41 43 48")
}

/// "Example 2: success response"
fn example_2() -> Vec<u8> {
    hex("50 52 50 43 00 00 00 21 00 00 00 14 12 02 08 00
         18 00 20 82 80 80 80 10 28 06 50 00 58 00 62 00
         0a 05 68 65 6c 6c 6f 41 54 54 41 43 48")
}

/// "Example 3: error response (user error 1234 "boom")"
fn example_3() -> Vec<u8> {
    hex("50 52 50 43 00 00 00 30 00 00 00 30 12 20 08 d2
         09 12 1b 5b 31 32 37 2e 30 2e 30 2e 31 3a 39 32
         30 31 5d 5b 45 31 32 33 34 5d 62 6f 6f 6d 18 00
         20 82 80 80 80 10 50 00 58 00 62 00")
}

/// "Example 4: request with user_fields and CRC32C over body + attachment"
fn example_4() -> Vec<u8> {
    hex("50 52 50 43 00 00 00 46 00 00 00 3b 0a 1b 0a 13
         65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76
         69 63 65 12 04 45 63 68 6f 18 00 20 82 80 80 80
         10 28 06 4a 06 0a 01 6b 12 01 76 50 00 58 01 62
         04 7e 27 82 d6 68 01 0a 03 63 72 63 41 54 54 41
         43 48")
}

/// "Example 5: authentication rejected (connection is closed after it)"
fn example_5() -> Vec<u8> {
    hex("50 52 50 43 00 00 00 21 00 00 00 21 12 19 08 ec
         07 12 14 46 61 69 6c 20 74 6f 20 61 75 74 68 65
         6e 74 69 63 61 74 65 20 82 80 80 80 10")
}

const EXAMPLES: [fn() -> Vec<u8>; 5] = [example_1, example_2, example_3, example_4, example_5];
