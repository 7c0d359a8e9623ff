//! The HTTP/2 machine in both roles, with arbitrary bytes from the peer.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_fuzz::play(
    &polywire_protocols::http::h2::PROTOCOL,
    input
));
