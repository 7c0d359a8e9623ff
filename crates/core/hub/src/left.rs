//! Messages of peers whose connections have ended. They can still be taken, up to a limit over all such
//! peers.

use crate::PeerId;
use std::collections::BTreeMap;

/// Peers that have left messages, and how many bytes.
#[derive(Default)]
pub(crate) struct Left {
    /// The peers in the order in which their connections ended.
    peers: BTreeMap<u64, PeerId>,
    bytes: usize,
    last: u64,
}

/// Memory of a peer itself in bytes; it is kept until its messages have been taken.
const PEER: usize = 512;

impl Left {
    /// Adds `bytes` that a peer has left. `at` is its position here, or zero if it has none yet.
    pub fn add(&mut self, id: PeerId, at: &mut u64, bytes: usize) {
        if *at == 0 {
            self.last += 1;
            *at = self.last;
            self.peers.insert(*at, id);
            self.bytes += PEER;
        }
        self.bytes += bytes;
    }

    /// Subtracts `bytes` of a peer's messages; `all`: the peer has none left.
    pub fn remove(&mut self, at: &mut u64, bytes: usize, all: bool) {
        self.bytes -= bytes;
        if all {
            self.peers.remove(&std::mem::take(at));
            self.bytes -= PEER;
        }
    }

    /// The peer that left first, while all peers together have left more than `most` bytes.
    pub fn first_beyond(&self, most: usize) -> Option<PeerId> {
        if self.bytes <= most {
            return None;
        }
        self.peers.first_key_value().map(|(_, id)| *id)
    }

    /// Number of peers that have left messages.
    pub fn peers(&self) -> usize {
        self.peers.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
