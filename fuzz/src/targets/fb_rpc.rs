//! The fb_rpc machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::fb_rpc::PROTOCOL, input);
}
