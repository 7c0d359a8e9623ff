//! The contents of a frame's header.

use polywire_wire::WireError;

/// Longest meta that is read or written, in bytes. The specifications set no bound; it is needed because a
/// meta is gathered in one piece before admission.
pub(crate) const MAX_META_BYTES: usize = 64 << 10;

/// Length in bytes of the header that [`Frame::of_sizes`] reads.
pub(crate) const SIZES_HEADER_BYTES: usize = 12;

/// The contents of a frame's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub meta_bytes: usize,
    /// Length of message and attachment, which follow the meta.
    pub payload_bytes: usize,
}

impl Frame {
    /// Reads a header of magic, `body_size` and `meta_size`. `order` is `u32::from_be_bytes` or
    /// `u32::from_le_bytes`. The meta is part of the body.
    #[inline]
    pub fn of_sizes(
        header: &[u8],
        order: impl Fn([u8; 4]) -> u32,
        max_body_bytes: u32,
    ) -> Result<Frame, WireError> {
        let body_bytes = order(header[4..8].try_into().expect("four bytes"));
        let meta_bytes = order(header[8..12].try_into().expect("four bytes"));
        // "body_size > max_body_size: close, no reply (decided from the header)"
        if body_bytes > max_body_bytes {
            return Err(WireError::TooLarge);
        }
        // "Closing is the sane choice for a new implementation."
        let Some(payload_bytes) = body_bytes.checked_sub(meta_bytes) else {
            return Err(WireError::Malformed("meta_size exceeds body_size"));
        };
        Ok(Frame { meta_bytes: meta_bytes as usize, payload_bytes: payload_bytes as usize })
    }
}

/// Writes the sizes that [`Frame::of_sizes`] reads.
#[inline]
pub(crate) fn put_sizes(
    header: &mut [u8],
    order: impl Fn(u32) -> [u8; 4],
    meta_bytes: u32,
    payload_bytes: u32,
) {
    // Slices of unknown length would be copied by calls.
    *header[4..].first_chunk_mut().expect("a header of twelve bytes") = order(meta_bytes + payload_bytes);
    *header[8..].first_chunk_mut().expect("a header of twelve bytes") = order(meta_bytes);
}
