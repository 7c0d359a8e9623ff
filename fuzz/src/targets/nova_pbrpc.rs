//! The nova_pbrpc machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::nova_pbrpc::PROTOCOL, input);
}
