//! The hulu_pbrpc machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::hulu_pbrpc::PROTOCOL, input);
}
