//! The connection's own windows, and the growth of the windows of its streams.

use super::{bdp::Bdp, frame::settings, streams::Listed, window::Window};
use polywire_wire::Limits;

/// The connection's window. It limits only bytes in flight, because it is reopened on receipt.
pub(super) const CONNECTION_WINDOW: u32 = 1 << 20;

/// The windows of one connection.
pub(super) struct Windows {
    /// The window of the peer.
    pub inward: Window,
    /// The window of this side, which is never negative.
    pub outward: i64,
    pub bdp: Bdp,
    /// The total number of bytes by which windows of open streams have grown.
    pub growth: u32,
    /// Streams whose windows may have to be reopened.
    pub updating: Vec<Listed>,
}

impl Windows {
    pub fn new(limits: &Limits) -> Self {
        Windows {
            inward: Window::opened(CONNECTION_WINDOW.max(limits.window), settings::DEFAULT_WINDOW),
            outward: settings::DEFAULT_WINDOW.into(),
            bdp: Bdp::new(limits.window, limits.window_growth),
            growth: 0,
            updating: Vec::new(),
        }
    }
}
