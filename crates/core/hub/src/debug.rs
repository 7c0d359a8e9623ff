//! Figures of a hub for finding out why a message does not arrive. They contain no bytes of messages or
//! names.

use crate::{Hub, hub::State};
use std::fmt;

/// Number of peers that are shown individually.
const SHOWN: usize = 16;

/// A copy of the figures, so that nothing is formatted under the lock.
#[derive(Debug)]
#[expect(dead_code, reason = "shown by `Debug`")]
pub(crate) struct Figures {
    pub closed: bool,
    /// Peers that have a connection.
    pub connected: usize,
    /// Peers with messages to take.
    pub ready: usize,
    /// Tasks that wait for a message, and tasks that wait for room.
    pub readers: usize,
    pub writers: usize,
    /// Figures of the first peers.
    pub peers: Vec<PeerFigures>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "shown by `Debug`")]
pub(crate) struct PeerFigures {
    pub slot: usize,
    pub connected: bool,
    /// Whether the peer's connection sleeps until the hub wakes it.
    pub asleep: bool,
    pub ending: bool,
    /// Messages that wait for its connection.
    pub unsent: u32,
    /// Runs of messages that it sent and the application has not taken.
    pub unread: usize,
    /// Messages that the application has taken and for which no new credit was granted yet.
    pub ungranted: u32,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = State::figures(&self.lock(), SHOWN);
        figures.fmt(f)
    }
}
