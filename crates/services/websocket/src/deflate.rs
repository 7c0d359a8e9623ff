//! Compression of messages.

/// permessage-deflate (RFC 7692): messages are compressed if the peer can do it, too. A server takes the
/// offer of its client, which all browsers make; a client offers it. Neither does without
/// [`Options::deflate`](crate::Options::deflate).
///
/// Do not send secrets in one message with text that strangers choose: its length tells how much they have in
/// common.
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
    /// Shortest message that is compressed, in bytes; shorter ones are sent as they are. Lower: more is saved
    /// on the network, and short messages take longer. Default: 512.
    pub fn least(mut self, bytes: usize) -> Self {
        self.least = bytes;
        self
    }

    /// Whether messages may refer to earlier ones of the socket, if the peer agrees. Short messages that are
    /// alike become much shorter by that, and each socket holds some 350 KiB while it is open. Without it the
    /// memory is taken for each message anew and a socket that is idle holds nothing. Default: false.
    pub fn context_takeover(mut self, on: bool) -> Self {
        self.takeover = on;
        self
    }
}
