//! Messages back to back.

use polywire_base::IoBuf;

/// One or more messages in the form they have on the wire.
pub(crate) struct Run {
    pub bytes: IoBuf,
    pub messages: u32,
    /// Made by the hub, of a topic: the connection waits for no grant of it.
    pub news: bool,
}

impl Run {
    /// Messages that a connection brought, or takes.
    pub fn new(bytes: IoBuf, messages: u32) -> Self {
        Run { bytes, messages, news: false }
    }

    /// A message about a topic.
    pub fn news(bytes: IoBuf) -> Self {
        Run { bytes, messages: 1, news: true }
    }

    /// Bytes of memory: its own, and about what the rest takes.
    pub fn cost(&self) -> usize {
        const BESIDE: usize = 128;
        self.bytes.len() + BESIDE
    }
}
