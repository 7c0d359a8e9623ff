//! The certificates that new connections of a server are served with, as pages show them.

use polywire_engine::clock;
use std::time::UNIX_EPOCH;

/// The certificates that a server serves.
#[derive(Clone, Debug, Default)]
pub struct Served {
    pub certificates: Vec<ServedCertificate>,
    /// Why changed files are not in use.
    pub broken: Option<String>,
    /// When those in use were loaded: seconds since 1970.
    pub loaded: f64,
}

/// The facts about one certificate that a listener shows, as its file has it.
#[derive(Clone, Debug)]
pub struct ServedCertificate {
    pub file: String,
    pub names: Vec<String>,
    pub issuer: String,
    /// The beginning of the validity, in seconds since 1970.
    pub from: i64,
    pub until: i64,
}

/// Seconds since 1970 by the server's clock.
pub fn seconds_now() -> f64 {
    clock::system_time().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
