//! The client's machine of esp with a call under way.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_fuzz::play_calls(
    &polywire_protocols::esp::PROTOCOL,
    &[&[0; 32]],
    input
));
