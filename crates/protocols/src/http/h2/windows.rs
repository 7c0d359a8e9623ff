//! The connection's own windows, and by how much those of its streams have grown.

use super::{CONNECTION_WINDOW, bdp::Bdp, frame::settings, streams::Listed, window::Window};
use polywire_wire::Limits;

/// The windows of one connection.
pub(super) struct Windows {
    /// What the peer may send.
    pub inward: Window,
    /// What we may send; below 0 never.
    pub outward: i64,
    pub bdp: Bdp,
    /// Bytes by which windows of open streams have grown.
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
