//! Compresses messages that are sent.

use super::{Agreed, TAIL, negotiation::LEAST_BITS};
use flate2::{Compress, Compression, FlushCompress};

/// Compresses the messages of one side of a socket.
#[derive(Debug)]
pub struct Deflater {
    agreed: Agreed,
    /// The window and the tables, some 300 KiB; `None` before the first message, and between messages without
    /// takeover.
    state: Option<Compress>,
}

/// Fast rather than small, but not the fastest, which knows no stored blocks: bytes that cannot be compressed
/// would grow by an eighth.
const LEVEL: Compression = Compression::new(2);
/// Room that a flush needs at least, so that its end is not written twice (zlib.h, `deflate`).
const ROOM: usize = 64;

impl Deflater {
    pub fn new(agreed: Agreed) -> Self {
        Deflater { agreed, state: None }
    }

    /// The payload of a compressed message. `None`: the message is sent uncompressed, because compression
    /// would not shorten it, it is empty, or there is no memory for the window.
    pub fn deflate(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        // A flush without anything before it writes nothing, not even its end.
        if message.is_empty() || self.agreed.window_bits < LEAST_BITS {
            return None;
        }
        let fresh = || Compress::new_with_window_bits(LEVEL, false, self.agreed.window_bits);
        let state = self.state.get_or_insert_with(fresh);
        let mut out = Vec::with_capacity(message.len() / 3 + ROOM);
        let begin = state.total_in();
        loop {
            let read = (state.total_in() - begin) as usize;
            let compressed = state.compress_vec(&message[read..], &mut out, FlushCompress::Sync);
            compressed.expect("the parameters are valid, and nothing is set while it runs");
            // All is written when there is room left.
            if out.len() < out.capacity() {
                break;
            }
            out.reserve(out.len().max(ROOM));
        }
        out.truncate(out.len() - TAIL.len());
        if self.agreed.sends_takeover {
            return Some(out); // the peer's window has to see it, whatever its length
        }
        self.state = None;
        (out.len() < message.len()).then_some(out)
    }
}
