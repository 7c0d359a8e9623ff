//! Messages back to back.

use polywire_base::IoBuf;

/// One or more messages in the form in which they are sent.
pub(crate) struct Run {
    pub bytes: IoBuf,
    pub messages: u32,
    /// Whether the hub made it to report a topic: it uses no credit of the connection.
    pub news: bool,
}

impl Run {
    /// Messages that a connection has received, or will send.
    pub fn new(bytes: IoBuf, messages: u32) -> Self {
        Run { bytes, messages, news: false }
    }

    /// A message that reports a topic.
    pub fn news(bytes: IoBuf) -> Self {
        Run { bytes, messages: 1, news: true }
    }

    /// Bytes of memory: the messages, and an estimate for the rest.
    pub fn cost(&self) -> usize {
        const BESIDE: usize = 128;
        self.bytes.len() + BESIDE
    }
}
