//! Settings of a server's machine, besides its limits.

use super::Format;
use std::time::Duration;

/// Settings of a server's connections.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The only format that is accepted. Default: the format of the connection's first frame.
    pub format: Option<Format>,
    /// A connection of format A without a whole frame for this long, while no call is under way, is closed:
    /// 15 s in stock servers. Heartbeats count. Default: only the engine's idle time applies.
    pub idle: Option<Duration>,
}
