//! Other systems: no figures are available.

use super::Usage;

pub(super) fn usage() -> Usage {
    Usage::default()
}

pub(super) fn kernel_version() -> Option<String> {
    None
}

pub(super) fn load_averages() -> Option<[f64; 3]> {
    None
}
