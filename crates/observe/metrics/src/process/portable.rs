//! Other systems: no figures are available.

use super::{threads::Thread, usage::Usage};

pub(super) fn usage() -> Usage {
    Usage::default()
}

pub(super) fn threads(_: usize) -> Vec<Thread> {
    Vec::new()
}

pub(super) fn kernel_version() -> Option<String> {
    None
}

pub(super) fn load_averages() -> Option<[f64; 3]> {
    None
}
