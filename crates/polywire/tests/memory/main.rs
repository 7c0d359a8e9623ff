//! Memory, measured at the allocator of the whole process, or as the system counts it: in a process of their
//! own, and one test at a time ([`alone`]).

#[cfg(target_os = "linux")]
mod budget;
mod fleet_leaks;
mod held;
mod idle;
mod inflated;
mod waiting;

/// What is generated for the service of most tests.
#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../../codegen/build/tests/golden_protobuf/talk.rs");
}

use polywire_machine_testing::Counting;
use tokio::sync::{Mutex, MutexGuard};

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// No other test of this program runs until this is dropped.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::const_new(());
    ALONE.blocking_lock()
}
