//! Memory that is held, by the stacks that allocated it: a sample of the allocations, by an allocator that a
//! program opts in to.
//!
//! ```text
//!  alloc --every 512 KiB or so--> stack -> its number -> `live`: address -> number     the stack's counters grow
//!  free  --a page's begin, or large? in `live`?-->                                     the stack's counters shrink
//! ```
//!
//! Each allocated byte is chosen with the same probability, as in tcmalloc and Go: the distance from one
//! chosen byte to the next is exponential, with a mean of [`INTERVAL`]. An allocation of `n` bytes is sampled
//! with probability `p = 1 - exp(-n / INTERVAL)`, and then stands for `1 / p` of its kind.
//!
//! How a free determines whether its allocation was sampled: sampled allocations begin at a page, which
//! others rarely do, so that for nearly every free one test of its address suffices (as in jemalloc). Large
//! ones are looked up at each free, and begin where the allocator likes.
//!
//! Invariants: nothing here allocates. An allocator is global by nature, and so is its table.
//! Limits:     `LIVE` sampled allocations (32 GiB held), [`STACKS`](crate::stacks::STACKS) stacks of
//!             [`DEPTH`](crate::stacks::DEPTH) frames; what is beyond is counted, allocations without a place
//!             in the table are not sampled.

mod allocator;
mod live;

pub use self::allocator::Sampled;
use crate::{
    modules::Modules,
    profile::{Kind, Profile, Stacks as Collected},
    stacks,
};
use std::{
    io,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::*},
    time::{Duration, SystemTime},
};

/// Bytes from one sampled byte to the next, on average.
pub const INTERVAL: usize = 512 << 10;

static LIVE: live::Live = live::Live::new();
static STACKS: stacks::Table = stacks::Table::new();
/// Whether the program's allocator is [`Sampled`]; set by the first sample.
static INSTALLED: AtomicBool = AtomicBool::new(false);
/// Allocations that were to be sampled and found no place in `LIVE`.
static LOST: AtomicU64 = AtomicU64::new(0);

/// The memory in use now, by stack; `growth`: minus the memory at the last [`mark`], without stacks that have
/// shrunk.
///
/// # Errors
/// The program has another allocator than [`Sampled`], or the system reports nothing about its modules.
pub fn heap(growth: bool) -> io::Result<Profile> {
    if !INSTALLED.load(Acquire) {
        let text = "no heap profile: add `#[global_allocator] static ALLOCATOR: polywire::profile::Sampled<std::alloc::System> = \
                    polywire::profile::Sampled::new(std::alloc::System);` to the program";
        return Err(io::Error::new(io::ErrorKind::Unsupported, text));
    }
    let mut collected = Collected::default();
    STACKS.read(|frames, values| {
        let base = if growth { values.base } else { [0, 0] };
        let held = [values.held[0] - base[0], values.held[1] - base[1]];
        if held[1] > 0 {
            collected.add(None, frames, [held[0].max(0), held[1]]);
        }
    });
    let modules = Modules::of_process()?;
    let kind = if growth { Kind::Growth } else { Kind::Heap };
    let mut profile = Profile::new(kind, SystemTime::now(), Duration::ZERO, &collected, &modules.mappings);
    profile.period = INTERVAL as i64;
    profile.facts = vec![("lost", LOST.load(Relaxed)), ("stacks", STACKS.count())];
    Ok(profile)
}

/// Sets the mark: from now on growth is the memory beyond the present. Before the first mark, growth counts
/// from the start.
pub fn mark() {
    STACKS.mark();
}
