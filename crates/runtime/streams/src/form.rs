//! The encoding of a stream's messages.

use polywire_formats::json::Json;
use polywire_wire::{Compression, Content, Longest, Role};

/// How the messages of one stream are encoded and decoded.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The side of the stream: a client writes requests and reads replies.
    pub role: Role,
    pub content: Content,
    /// The mapping of [`Content::JSON`].
    pub json: Json,
    /// Compression of messages that are sent. Received messages carry their own.
    pub compression: Compression,
    /// Longest message that may be received.
    pub longest: Longest,
    /// The maximum length of a sent message in bytes, as it is sent.
    pub max_sent: usize,
}
