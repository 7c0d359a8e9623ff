//! The unsent part of messages when their connection ends.

use super::{
    frame::{Frames, cut_frame, head_bytes},
    security::Session,
};
use polywire_base::IoBuf;

/// Returns the messages in wire form that have not been sent completely, and their number. `left` is the
/// number of their bytes that were sent. `sealed`: they were encrypted by CURVE, which makes each frame
/// longer.
pub fn unsent(mut messages: IoBuf, left: usize, sealed: bool) -> (IoBuf, u32) {
    let mut rest = messages.clone();
    // The position after the current frame on the wire, and that after the last message that has left
    // completely.
    let (mut on_wire, mut whole) = (0, 0);
    while let Some((body, more)) = cut_frame(&mut rest) {
        on_wire += match sealed {
            false => head_bytes(body.len()) + body.len(),
            true => {
                let sealed = Session::OVERHEAD + body.len();
                head_bytes(sealed) + sealed
            }
        };
        if on_wire > left {
            break;
        }
        if !more {
            whole = messages.len() - rest.len();
        }
    }
    messages.advance(whole);
    let count = Frames::of(messages.clone()).filter(|(_, more)| !more).count();
    (messages, count as u32)
}
