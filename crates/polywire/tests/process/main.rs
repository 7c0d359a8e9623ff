//! Tests of what a process has once: its panic hook, its subscriber of events, its profiler, its lists of
//! channels and of what has changed. They run in a process of their own, and one at a time ([`alone`]).

mod changed;
mod channelz;
mod crawler;
mod events;
mod hotspots;
#[path = "../it/pages/support.rs"]
mod pages;
mod panics;
#[path = "../it/support.rs"]
mod support;

/// What is generated for the service of most tests.
#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../../codegen/build/tests/golden_protobuf/talk.rs");
}

use tokio::sync::{Mutex, MutexGuard};

static ALONE: Mutex<()> = Mutex::const_new(());

/// No other test of this program runs until this is dropped.
fn alone() -> MutexGuard<'static, ()> {
    ALONE.blocking_lock()
}
