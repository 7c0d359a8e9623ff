//! What peers left behind whose connections have ended: it can still be taken, up to a bound over all of them.

use crate::PeerId;
use std::collections::BTreeMap;

/// Those peers, and what they left.
#[derive(Default)]
pub(crate) struct Left {
    /// In the order in which they left.
    peers: BTreeMap<u64, PeerId>,
    bytes: usize,
    last: u64,
}

/// Memory of a peer itself, which lives until its messages have been taken.
const PEER: usize = 512;

impl Left {
    /// A peer left that much. `at`: where it stands here, zero if it does not yet.
    pub fn add(&mut self, id: PeerId, at: &mut u64, bytes: usize) {
        if *at == 0 {
            self.last += 1;
            *at = self.last;
            self.peers.insert(*at, id);
            self.bytes += PEER;
        }
        self.bytes += bytes;
    }

    /// That much of it is gone; `all`: and nothing is left.
    pub fn remove(&mut self, at: &mut u64, bytes: usize, all: bool) {
        self.bytes -= bytes;
        if all {
            self.peers.remove(&std::mem::take(at));
            self.bytes -= PEER;
        }
    }

    /// Who left first, while all left more than `most`.
    pub fn first_beyond(&self, most: usize) -> Option<PeerId> {
        if self.bytes <= most {
            return None;
        }
        self.peers.first_key_value().map(|(_, id)| *id)
    }

    /// Peers that left something.
    pub fn peers(&self) -> usize {
        self.peers.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
