//! Streams on baidu_std's machine, in both roles.

pub fn run(input: &[u8]) {
    crate::play_streams(&polywire_protocols::streaming_rpc::PROTOCOL, input);
}
