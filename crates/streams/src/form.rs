//! In what form messages travel.

use polywire_formats::json::Json;
use polywire_wire::{Compression, Content, Role};

/// How the messages of one stream are written and read.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Whose side this is: a client writes requests and reads replies.
    pub role: Role,
    pub content: Content,
    /// What [`Content::JSON`] means.
    pub json: Json,
    /// Of messages that go. Those that come say it themselves.
    pub compression: Compression,
    /// Longest message that may come, bytes, once inflated.
    pub max_message: usize,
    /// Longest message that may go, bytes as they travel.
    pub max_sent: usize,
}
