//! The facts in a frame's meta about its payload, and how the payload is verified.

use polywire_base::IoBuf;
use polywire_call::Metadata;
use polywire_wire::{Compression, Content, Route};

/// The contents of the current frame's meta, while its payload arrives. The struct is not moved, because
/// moving its many small fields would cost more than the parsing.
pub(crate) struct Message<C> {
    pub correlation_id: u64,
    pub payload_bytes: usize,
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    pub check: Option<C>,
    /// Server: the verdict of `Host::admit`.
    pub route: Route,
    /// Server: the timeout; 0 if there is none.
    pub timeout_ms: u32,
    /// Client: metadata of the reply.
    pub trailers: Option<Box<Metadata>>,
}

// Not derived, because that would require `C: Default`.
impl<C> Default for Message<C> {
    #[inline]
    fn default() -> Self {
        Message {
            correlation_id: 0,
            payload_bytes: 0,
            attachment: 0,
            content: Content::PROTOBUF,
            compression: Compression::NONE,
            check: None,
            route: Route::default(),
            timeout_ms: 0,
            trailers: None,
        }
    }
}

impl<C: Check> Message<C> {
    /// Whether the payload, at the front of `input`, matches its checksum, if it has one.
    #[inline]
    pub fn is_intact(&self, input: &IoBuf) -> bool {
        self.check.is_none_or(|check| check.matches(input, self.payload_bytes, self.attachment))
    }
}

/// How a payload is verified.
pub(crate) trait Check: Copy + Send {
    /// Whether the first `payload_bytes` of `input` match the checksum; the last `attachment` of them are the
    /// attachment.
    fn matches(self, input: &IoBuf, payload_bytes: usize, attachment: u32) -> bool;
}

/// The check of protocols that verify nothing; it has no value.
#[derive(Clone, Copy)]
pub(crate) enum Unchecked {}

impl Check for Unchecked {
    fn matches(self, _: &IoBuf, _: usize, _: u32) -> bool {
        match self {}
    }
}
