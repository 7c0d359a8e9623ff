//! The nshead_mcpack machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::nshead_mcpack::PROTOCOL, input);
}
