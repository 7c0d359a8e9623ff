//! What a control plane sends to a client of xDS, response by response.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_xds::internals::responses(input));
