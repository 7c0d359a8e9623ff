//! The front of the input: the owner of the bytes, and the length of the frame.

use super::{Dialect, Frame, MAX_META_BYTES};
use polywire_base::IoBuf;
use polywire_wire::WireError;

/// The finding at the front of the input.
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

    /// Like [`Frame::peek`], for frames whose header differs in its magic alone.
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
}

/// Fewer bytes than a header. While the magic is incomplete, the next byte has to be requested alone: a
/// message that begins with `P` may be a short one of another protocol.
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
