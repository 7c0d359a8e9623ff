//! The protocol without a network: the tests that every parser must pass.

use polywire_example_own_protocol::PROTOCOL;
use polywire_machine_testing::{Side, at_every_split, at_every_truncation, survives_noise};

const REQUEST: &[u8] = b"CALL echo.EchoService/Echo {\"message\":\"hi\"}\n";

fn server() -> Side {
    Side::server(&PROTOCOL)
}

#[test]
fn a_request_is_the_same_in_any_pieces() {
    at_every_split(server, REQUEST);
    at_every_truncation(server, REQUEST);
}

#[test]
fn noise_neither_panics_nor_piles_up() {
    survives_noise(server, &[REQUEST], 1, 500);
    let replies: &[&[u8]] = &[b"+{\"message\":\"hi\"}\n", b"-NOT_FOUND no such method\n"];
    survives_noise(|| Side::client(&PROTOCOL), replies, 2, 500);
}
