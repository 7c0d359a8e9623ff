//! The nova_pbrpc machine in both roles.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_fuzz::play(
    &polywire_protocols::nova_pbrpc::PROTOCOL,
    input
));
