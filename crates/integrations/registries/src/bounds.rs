//! Limits on the length of a registry's answers, and on the time that they take.

use std::time::Duration;

/// The longest answer in bytes: ten thousand entries of some kilobytes.
pub(crate) const LONGEST_ANSWER: u32 = 64 << 20;
/// Maximum number of values in an answer that is kept as JSON values: a value of a few bytes may take some
/// hundred.
#[cfg(feature = "k8s")]
pub(crate) const MOST_VALUES: usize = 1_000_000;
/// The time limit of all requests except those that the registry shall answer late.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(5);
/// The time limit of connecting.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
