//! The front of the input: whose bytes, and how long the frame is.

use super::Dialect;
use polywire_base::IoBuf;
use polywire_wire::WireError;

/// Longest meta that is read or written, in bytes. The specifications set no bound; it is needed because a meta is
/// gathered in one piece before admission.
pub(crate) const MAX_META_BYTES: usize = 64 << 10;

/// What a frame's header announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub meta_bytes: usize,
    /// Length of message and attachment, which follow the meta.
    pub payload_bytes: usize,
}

/// What is at the front of the input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Front {
    /// Header and meta are here.
    Frame(Frame),
    /// This many more bytes are missing to header and meta, or to the magic.
    Need(usize),
    /// The bytes belong to another protocol.
    Foreign,
}

impl Frame {
    /// Length of header and meta.
    #[inline]
    pub fn head_bytes<W: Dialect>(&self) -> usize {
        W::HEADER_BYTES + self.meta_bytes
    }

    /// The meta of this frame, which is at the front of `input`.
    #[inline]
    pub fn meta<'i, W: Dialect>(&self, input: &'i mut IoBuf) -> &'i [u8] {
        let head = input.peek(self.head_bytes::<W>()).expect("`Frame::peek` saw header and meta");
        &head[W::HEADER_BYTES..]
    }

    /// Reads the header of the next frame. Hot: once per message.
    #[inline]
    pub fn peek<W: Dialect>(input: &mut IoBuf, max_body_bytes: u32) -> Result<Front, WireError> {
        Frame::peek_as::<W>(input, W::MAGIC, max_body_bytes)
    }

    /// The same of frames whose header differs in its magic alone.
    #[inline(always)]
    pub fn peek_as<W: Dialect>(
        input: &mut IoBuf,
        magic: &[u8; 4],
        max_body_bytes: u32,
    ) -> Result<Front, WireError> {
        let Some(header) = input.peek(W::HEADER_BYTES) else {
            return Ok(partial::<W>(input, magic));
        };
        if header[..4] != magic[..] {
            return Ok(Front::Foreign);
        }
        let frame = W::frame(header, max_body_bytes)?;
        if frame.meta_bytes > MAX_META_BYTES {
            return Err(WireError::TooLarge);
        }
        let missing = frame.head_bytes::<W>().saturating_sub(input.len());
        Ok(if missing == 0 { Front::Frame(frame) } else { Front::Need(missing) })
    }

    /// Reads a header of magic, `body_size` and `meta_size`. `order` is `u32::from_be_bytes` or `u32::from_le_bytes`.
    /// The meta is part of the body.
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
    header[4..8].copy_from_slice(&order(meta_bytes + payload_bytes));
    header[8..12].copy_from_slice(&order(meta_bytes));
}

/// Fewer bytes than a header. While the magic is incomplete, the next byte has to be requested alone: a message that
/// begins with `P` may be a short one of another protocol.
#[cold]
fn partial<W: Dialect>(input: &mut IoBuf, magic: &[u8; 4]) -> Front {
    let here = input.len();
    let compared = here.min(magic.len());
    match input.peek(compared) {
        Some(front) if *front != magic[..compared] => Front::Foreign,
        _ if compared < magic.len() => Front::Need(1),
        _ => Front::Need(W::HEADER_BYTES - here),
    }
}
