//! Profiles of the running process: users of CPU time, holders of memory, and waits for locks.
//!
//! ```text
//!  timer of a thread's CPU time --> signal handler: registers + stack into a slot --> reader: walks the copy --> Profile
//!                                                                                         |
//!  allocator: one allocation in 512 KiB --> its stack --> what that holds ---------------+
//!                                                                                         |
//!                                               folded stacks, functions by value, tree, pprof's format
//! ```
//!
//! Limits: one run at a time, of at most [`LONGEST`]; 99 samples of each thread and second of CPU time;
//!         64 KiB and 192 frames of a stack; 50 000 different stacks, 4096 threads. What is beyond is counted
//!         ([`Profile::facts`]). 1000 waits for locks a second.
//! Not here: pages (crate `polywire`, feature `profile`).

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod cpu;
#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
#[path = "portable.rs"]
mod cpu;
mod heap;
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "runs are of Linux"))]
mod locks;
mod modules;
pub mod pprof;
mod profile;
mod runs;
mod stacks;
mod symbols;
mod tree;
#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod unwind;
mod walk;

pub use cpu::LONGEST;
pub use heap::{INTERVAL, Sampled, heap, mark};
pub use modules::Mapping;
pub use profile::{Function, Kind, Location, Profile, Sample};
pub use runs::{Run, Taken, current, kept, start};
pub use tree::Node;
