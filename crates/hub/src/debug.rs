//! What a hub looks like to whoever asks why a message does not come: figures, and no bytes of messages or names.

use crate::{Hub, hub::State};
use std::fmt;

/// Peers that are shown one by one.
const SHOWN: usize = 16;

/// A copy, so that nothing is formatted under the lock.
#[derive(Debug)]
#[expect(dead_code, reason = "shown by `Debug`")]
pub(crate) struct Figures {
    pub closed: bool,
    /// Peers that a connection serves now.
    pub connected: usize,
    /// Peers with something to take.
    pub ready: usize,
    /// Tasks that wait for a message, and for room.
    pub readers: usize,
    pub writers: usize,
    /// The first of them.
    pub peers: Vec<PeerFigures>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "shown by `Debug`")]
pub(crate) struct PeerFigures {
    pub slot: usize,
    pub connected: bool,
    /// Its connection sleeps until the hub wakes it.
    pub asleep: bool,
    pub ending: bool,
    /// Messages that wait for its connection.
    pub unsent: u32,
    /// Runs of messages that it sent and nobody has taken.
    pub unread: usize,
    /// Messages that were taken and are not granted yet.
    pub ungranted: u32,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = State::figures(&self.lock(), SHOWN);
        figures.fmt(f)
    }
}
