//! The HTTP/2 machine in both roles, with arbitrary bytes from the peer.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::http::h2::PROTOCOL, input);
}
