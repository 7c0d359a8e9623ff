//! What both processes say to each other, and how long they wait.

use std::time::Duration;

pub const HEAD: &str = "polywire handover 1\n";
pub const READY: &[u8] = b"ready\n";
/// Bytes of the text with the addresses.
pub const LONGEST: usize = 16 << 10;
/// How long the new process waits for the sockets to arrive.
pub const ANSWER: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 5 });
/// How long the old process waits until the new one is ready, and how long the new one then waits for the old
/// one.
pub const START: Duration = Duration::from_secs(60);
