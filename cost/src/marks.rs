//! The ends of phases, for callgrind: it is told to write what it has counted, and to begin anew, whenever
//! one of these functions is entered. It does so for the thread that enters it, so each thread that counts
//! has to.

use std::hint::black_box;

/// The pattern of both names, as callgrind takes it.
pub const PATTERN: &str = "*phase_ends_on*";
/// Parts of the names by which they are told apart.
pub const SHARD: &str = "phase_ends_on_shard";
pub const POOL: &str = "phase_ends_on_pool";

/// A phase ends, on a shard.
#[inline(never)]
pub fn phase_ends_on_shard() {
    black_box(1);
}

/// A phase ends, on the work pool.
#[inline(never)]
pub fn phase_ends_on_pool() {
    black_box(2);
}
