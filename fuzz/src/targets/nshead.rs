//! The nshead machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::nshead::PROTOCOL, input);
}
