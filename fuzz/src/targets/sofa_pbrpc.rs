//! The sofa_pbrpc machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::sofa_pbrpc::PROTOCOL, input);
}
