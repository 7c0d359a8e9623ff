//! The ZMTP machine in both roles, with PLAIN.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_fuzz::zmtp::play(polywire_fuzz::zmtp::plain, input));
