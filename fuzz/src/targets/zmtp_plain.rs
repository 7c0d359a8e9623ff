//! The ZMTP machine in both roles, with PLAIN.

pub fn run(input: &[u8]) {
    crate::zmtp::play(crate::zmtp::plain, input);
}
