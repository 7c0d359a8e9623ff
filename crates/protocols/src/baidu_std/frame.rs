//! The fixed header in front of every frame.
//!
//! ```text
//!  0        4                 8                 12         12+meta_size        12+body_size
//!  +--------+-----------------+-----------------+----------+-------- - - -------+
//!  | "PRPC" | body_size u32BE | meta_size u32BE | RpcMeta  | body, attachment   |
//!  +--------+-----------------+-----------------+----------+-------- - - -------+
//!                                               `------------ body_size --------'
//! ```
//!
//! Source: docs/wire/baidu_std.md, "Frame". The same layout goes both ways.

use polywire_base::IoBuf;
use polywire_wire::WireError;

pub(super) const MAGIC: &[u8; 4] = b"PRPC";
pub(super) const HEADER_BYTES: usize = 12;

/// Longest RpcMeta that is read or written, in bytes. The sheet has no bound of its own; a meta is gathered in one
/// piece before admission, so it needs one.
pub(super) const MAX_META_BYTES: usize = 64 << 10;

/// What a frame's header announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Bytes of RpcMeta, at most [`MAX_META_BYTES`].
    pub meta_bytes: usize,
    /// Bytes behind the meta: body and attachment.
    pub payload_bytes: usize,
}

/// What stands at the front of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Front {
    /// Header and meta are here.
    Frame(Frame),
    /// This many more bytes are missing to header and meta, or to the magic.
    Need(usize),
    /// Another protocol's bytes.
    Foreign,
}

impl Frame {
    /// Bytes in front of the payload.
    #[inline]
    pub fn head_bytes(&self) -> usize {
        HEADER_BYTES + self.meta_bytes
    }

    /// The meta of this frame, which is at the front of `input`.
    #[inline]
    pub fn meta<'i>(&self, input: &'i mut IoBuf) -> &'i [u8] {
        let head = input.peek(self.head_bytes()).expect("`Frame::peek` saw header and meta");
        &head[HEADER_BYTES..]
    }

    /// Looks at the next frame. Hot: once per message.
    #[inline]
    pub fn peek(input: &mut IoBuf, max_body_bytes: u32) -> Result<Front, WireError> {
        let Some(header) = input.peek(HEADER_BYTES) else {
            return Ok(partial(input));
        };
        if header[..4] != MAGIC[..] {
            return Ok(Front::Foreign);
        }
        let body_bytes = u32::from_be_bytes(header[4..8].try_into().expect("four bytes"));
        let meta_bytes = u32::from_be_bytes(header[8..12].try_into().expect("four bytes"));
        // "body_size > max_body_size: close, no reply (decided from the 12-byte header)"
        if body_bytes > max_body_bytes {
            return Err(WireError::TooLarge);
        }
        // "Closing is the sane choice for a new implementation."
        if meta_bytes > body_bytes {
            return Err(WireError::Malformed("meta_size exceeds body_size"));
        }
        if meta_bytes as usize > MAX_META_BYTES {
            return Err(WireError::TooLarge);
        }
        let frame =
            Frame { meta_bytes: meta_bytes as usize, payload_bytes: (body_bytes - meta_bytes) as usize };
        let missing = frame.head_bytes().saturating_sub(input.len());
        Ok(if missing == 0 { Front::Frame(frame) } else { Front::Need(missing) })
    }
}

/// Fewer bytes than a header. While the magic itself is incomplete, every single byte decides: what begins with `P`
/// may still turn out to be another protocol's short message.
#[cold]
fn partial(input: &mut IoBuf) -> Front {
    let here = input.len();
    let magic = here.min(MAGIC.len());
    match input.peek(magic) {
        Some(front) if *front != MAGIC[..magic] => Front::Foreign,
        _ if magic < MAGIC.len() => Front::Need(1),
        _ => Front::Need(HEADER_BYTES - here),
    }
}
