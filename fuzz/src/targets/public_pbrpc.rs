//! The public_pbrpc machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::public_pbrpc::PROTOCOL, input);
}
