//! Limits of one socket, and its compression.

use crate::Deflate;
use polywire_protocols::http::websocket::Limits;
use std::time::Duration;

/// Limits of one socket, and its compression, at either end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub struct Options {
    max_message: usize,
    max_frame: usize,
    pub(crate) ping_after: Option<Duration>,
    pub(crate) deflate: Option<Deflate>,
}

const MESSAGE: usize = 16 << 20;

impl Default for Options {
    /// Messages and frames of at most 16 MiB; a Ping after 30 s of silence; no compression.
    fn default() -> Self {
        let ping_after = Some(Duration::from_secs(30));
        Options { max_message: MESSAGE, max_frame: MESSAGE, ping_after, deflate: None }
    }
}

impl Options {
    /// Maximum length of a received message in bytes, all its fragments together, and after decompression. A
    /// peer that sends a longer one is closed with 1009. Default: 16 MiB, like compressed messages of other
    /// protocols.
    pub fn max_message(mut self, bytes: usize) -> Self {
        (self.max_message, self.max_frame) = (bytes, self.max_frame.max(bytes));
        self
    }

    /// Maximum length of a received frame in bytes. Default: that of a message.
    pub fn max_frame(mut self, bytes: usize) -> Self {
        self.max_frame = bytes;
        self
    }

    /// The time without a byte of the peer after which a Ping is sent; after the same time again the peer is
    /// given up. The time runs while [`Receiver::next`](crate::Receiver::next) waits, inside a tokio runtime.
    /// `None`: silence has no limit. Default: 30 s.
    pub fn ping_after(mut self, silence: Option<Duration>) -> Self {
        self.ping_after = silence;
        self
    }

    /// Compresses messages, and accepts compressed ones, if the peer supports it. Default: no.
    pub fn deflate(mut self, deflate: Deflate) -> Self {
        self.deflate = Some(deflate);
        self
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { message: self.max_message, frame: self.max_frame.min(self.max_message) }
    }
}
