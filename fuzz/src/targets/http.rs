//! The HTTP/1 machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::http::PROTOCOL, input);
}
