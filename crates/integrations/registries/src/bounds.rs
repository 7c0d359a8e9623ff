//! How long the answers of a registry may be, and how long they may take.

use std::time::Duration;

/// The longest answer in bytes: ten thousand entries of some kilobytes.
pub(crate) const LONGEST_ANSWER: u32 = 64 << 20;
/// Most values in an answer that is kept as values: one of a few bytes may take some hundred.
#[cfg(feature = "k8s")]
pub(crate) const MOST_VALUES: usize = 1_000_000;
/// For everything but requests that are meant to be answered late.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection may take.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
