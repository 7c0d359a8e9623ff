//! One peer of a hub.

use crate::{Options, outbox::Outbox, queue::Queue};
use polywire_base::Key;
use std::task::Waker;

/// Identifies a peer. An id is never used for another peer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PeerId(pub(crate) Key);

impl PeerId {
    /// The peer's index among the peers that there are now.
    #[inline]
    pub(crate) fn slot(self) -> u32 {
        self.0.index
    }
}

pub(crate) struct Peer {
    /// The name that messages are routed by: chosen by the peer, or generated.
    pub name: Box<[u8]>,
    pub outbox: Outbox,
    pub queue: Queue,
    /// The peer's position among the peers that have left messages; zero if it has left none.
    pub left_at: u64,
    /// The amount that the application has taken since the last grant of credit.
    pub taken: Taken,
    /// The amount that the connection may deliver before it is granted more.
    pub marks: Taken,
    /// Wakes its connection, while that sleeps.
    pub task: Option<Waker>,
    /// Whether the peer has a connection now.
    pub connected: bool,
    /// Whether the peer is kept without a connection, as peers are that we connect to.
    pub lasting: bool,
    /// Whether the peer is in the ring of peers with room.
    pub in_ring: bool,
    /// The last publication that was sent to the peer.
    pub seen: u64,
    /// Whether the peer was asked to close its connection.
    pub ending: bool,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Taken {
    pub bytes: usize,
    pub messages: u32,
}

impl Peer {
    pub fn new(name: Box<[u8]>, lasting: bool) -> Self {
        Peer {
            name,
            outbox: Outbox::default(),
            queue: Queue::default(),
            left_at: 0,
            taken: Taken::default(),
            marks: Taken::default(),
            task: None,
            connected: false,
            lasting,
            in_ring: false,
            seen: 0,
            ending: false,
        }
    }

    #[inline]
    pub fn is_full(&self, options: &Options) -> bool {
        let mark = options.send_high_water;
        (mark > 0 && self.outbox.messages() >= mark) || self.outbox.bytes() >= options.send_bytes
    }

    /// Whether half of the limit is free again, so that waking senders is worthwhile.
    pub fn has_drained(&self, options: &Options) -> bool {
        let mark = options.send_high_water;
        (mark == 0 || self.outbox.messages() <= mark / 2) && self.outbox.bytes() <= options.send_bytes / 2
    }

    /// Whether the peer changes its subscriptions faster than the application reads the changes.
    pub fn changes_too_fast(&self, options: &Options) -> bool {
        const FRAMING: usize = 16;
        let (topics, news) = (options.topics as usize, self.queue.news());
        news.messages as usize >= topics || news.bytes >= options.topic_bytes + topics * FRAMING
    }

    /// Whether enough was taken to grant new credit: half of the amount that the peer may deliver without.
    pub fn is_due(&self) -> bool {
        self.taken.messages >= self.marks.messages.div_ceil(2).max(1)
            || (self.taken.messages > 0 && self.taken.bytes >= self.marks.bytes / 2)
    }
}
