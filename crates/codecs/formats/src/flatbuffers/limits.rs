//! Limits of a message, whether it is built, verified or made from JSON.

/// Longest message in bytes: some offsets are signed.
pub(super) const MAX_BYTES: usize = i32::MAX as usize;
/// "C++ verifier defaults, equal in Rust: max depth 64, max tables 1,000,000".
pub(super) const MAX_DEPTH: u32 = 64;
pub(super) const MAX_TABLES: u32 = 1_000_000;
