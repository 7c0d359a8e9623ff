//! The baidu_std machine in both roles.

pub fn run(input: &[u8]) {
    crate::play(&polywire_protocols::baidu_std::PROTOCOL, input);
}
