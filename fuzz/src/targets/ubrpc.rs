//! The ubrpc machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::ubrpc::MCPACK2, input);
}
