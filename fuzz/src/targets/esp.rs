//! The client's machine of esp with a call under way.

pub fn run(input: &[u8]) {
    crate::play_calls(&polywire_protocols::esp::PROTOCOL, &[&[0; 32]], input);
}
