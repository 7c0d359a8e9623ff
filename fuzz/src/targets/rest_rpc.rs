//! The rest_rpc machine: a server of both formats, a client of each.

pub fn run(input: &[u8]) {
    let format = ["a", "b", "cross"][usize::from(input.first().unwrap_or(&0) >> 2) % 3];
    crate::play_as(&polywire_protocols::rest_rpc::PROTOCOL, format, input);
}
