//! Compression of messages.

/// permessage-deflate (RFC 7692): messages are compressed if the peer can do it, too. A server takes the
/// offer of its client, which all browsers make; a client offers it. Neither does without
/// [`Options::deflate`](crate::Options::deflate).
///
/// Do not send secrets in one message with text that strangers choose: its length reveals how much they have
/// in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub struct Deflate {
    pub(crate) least: usize,
    pub(crate) takeover: bool,
}

impl Default for Deflate {
    /// Messages from 512 bytes on; each by itself.
    fn default() -> Self {
        Deflate { least: 512, takeover: false }
    }
}

impl Deflate {
    /// The minimum length in bytes of a message that is compressed; shorter ones are sent uncompressed. A
    /// lower value saves more on the network, but short messages take longer. Default: 512.
    pub fn least(mut self, bytes: usize) -> Self {
        self.least = bytes;
        self
    }

    /// Whether messages may refer to earlier ones of the socket, if the peer agrees. This makes similar short
    /// messages much shorter, and each socket holds some 350 KiB while it is open. Without it the memory is
    /// allocated for each message, and an idle socket holds none. Default: false.
    pub fn context_takeover(mut self, on: bool) -> Self {
        self.takeover = on;
        self
    }
}
