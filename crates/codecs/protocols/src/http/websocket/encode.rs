//! Messages out as frames. A message is one frame: receivers have limits for frames and for messages alike,
//! and this side has the whole message in memory.

use super::{
    close::Close,
    frame::{Header, MAX_CONTROL, MAX_HEADER, apply_mask, opcode},
};
use polywire_base::IoBuf;

/// A frame that is a whole message, of kind [`opcode::TEXT`] or [`opcode::BINARY`]. `mask` is random, and
/// given by clients only; then the payload is copied, otherwise it is shared.
pub fn frame(kind: u8, payload: IoBuf, mask: Option<[u8; 4]>) -> IoBuf {
    whole(kind, payload, mask, false)
}

/// A frame with a payload that [`Deflater::deflate`](super::deflate::Deflater::deflate) has made.
pub fn compressed(kind: u8, payload: IoBuf, mask: Option<[u8; 4]>) -> IoBuf {
    whole(kind, payload, mask, true)
}

fn whole(kind: u8, payload: IoBuf, mask: Option<[u8; 4]>, compressed: bool) -> IoBuf {
    let header = Header { fin: true, compressed, opcode: kind, mask, length: payload.len() as u64 };
    let Some(key) = mask else {
        let mut out = Vec::with_capacity(MAX_HEADER);
        header.write(&mut out);
        let mut frame = IoBuf::from(out);
        frame.append(payload);
        return frame;
    };
    let mut out = Vec::with_capacity(MAX_HEADER + payload.len());
    header.write(&mut out);
    let begin = out.len();
    payload.segments().for_each(|segment| out.extend_from_slice(segment));
    apply_mask(&mut out[begin..], key, 0);
    IoBuf::from(out)
}

/// A Ping or Pong frame. The payload is cut after 125 bytes.
pub fn control(kind: u8, payload: &[u8], mask: Option<[u8; 4]>) -> IoBuf {
    debug_assert!(matches!(kind, opcode::PING | opcode::PONG | opcode::CLOSE));
    let payload = &payload[..payload.len().min(MAX_CONTROL as usize)];
    frame(kind, IoBuf::copy_from_slice(payload), mask)
}

/// A Close frame.
pub fn close(close: &Close, mask: Option<[u8; 4]>) -> IoBuf {
    control(opcode::CLOSE, &close.payload(), mask)
}
