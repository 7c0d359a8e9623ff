//! One peer of a hub.

use crate::{Options, outbox::Outbox, queue::Queue};
use std::task::Waker;

/// Names a peer; never again another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PeerId {
    pub(crate) slot: u32,
    pub(crate) version: u32,
}

pub(crate) struct Peer {
    pub version: u32,
    /// How others call it: its own word, or one of ours.
    pub name: Box<[u8]>,
    pub outbox: Outbox,
    pub queue: Queue,
    /// Where it stands among those who left something; zero: it does not.
    pub left_at: u64,
    /// Taken by the application since the last grant.
    pub taken: Taken,
    /// What its connection delivers before it is granted more.
    pub marks: Taken,
    /// Its connection, while that sleeps.
    pub task: Option<Waker>,
    /// A connection serves it now.
    pub connected: bool,
    /// Lives on without one: the connecting side.
    pub lasting: bool,
    /// Stands in the ring of those with room.
    pub in_ring: bool,
    /// The last publication it met.
    pub seen: u64,
    /// Told to go.
    pub ending: bool,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Taken {
    pub bytes: usize,
    pub messages: u32,
}

impl Peer {
    pub fn new(version: u32, name: Box<[u8]>, lasting: bool) -> Self {
        Peer {
            version,
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

    /// Half of the mark is free again: worth waking senders for.
    pub fn has_drained(&self, options: &Options) -> bool {
        let mark = options.send_high_water;
        (mark == 0 || self.outbox.messages() <= mark / 2) && self.outbox.bytes() <= options.send_bytes / 2
    }

    /// It changes its mind about topics faster than the application takes notice.
    pub fn has_too_much_news(&self, options: &Options) -> bool {
        const FRAMING: usize = 16;
        let (topics, news) = (options.topics as usize, self.queue.news());
        news.messages as usize >= topics || news.bytes >= options.topic_bytes + topics * FRAMING
    }

    /// Enough was taken to tell its connection: half of what it may deliver unasked.
    pub fn is_due(&self) -> bool {
        self.taken.messages >= self.marks.messages.div_ceil(2).max(1)
            || (self.taken.messages > 0 && self.taken.bytes >= self.marks.bytes / 2)
    }
}
