//! Streams on baidu_std's machine, in both roles.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_fuzz::play_streams(
    &polywire_protocols::streaming_rpc::PROTOCOL,
    input
));
