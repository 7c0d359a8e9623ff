//! The ZMTP machine in both roles, with CURVE.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_fuzz::zmtp::play(polywire_fuzz::zmtp::curve, input));
