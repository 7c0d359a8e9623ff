//! The ZMTP machine in both roles, with CURVE.

pub fn run(input: &[u8]) {
    crate::zmtp::play(crate::zmtp::curve, input);
}
