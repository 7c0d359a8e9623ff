//! The ZMTP machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::zmtp::PROTOCOL, input);
}
