//! Decompresses received messages.

use super::{Agreed, TAIL};
use crate::http::websocket::Fault;
use bytes::BytesMut;
use flate2::{Decompress, FlushDecompress, Status};

/// Inflates the messages of one peer, piece by piece as they arrive.
#[derive(Debug)]
pub(in super::super) struct Inflater {
    takeover: bool,
    /// The window, some 40 KiB; `None` before the first message, and between messages without takeover.
    state: Option<Decompress>,
    /// The number of final blocks in the data of this message.
    ends: u8,
}

/// Bytes that are inflated at once.
const PIECE: usize = 8 << 10;
/// The maximum number of final blocks in a message. A block may be marked as the last one and be followed by
/// others (RFC 7692 7.2.3.4), but many of them only cause work.
const MOST_ENDS: u8 = 16;
/// An empty block that ends the data.
const LAST: [u8; 5] = [0x01, 0x00, 0x00, 0xff, 0xff];

impl Inflater {
    pub fn new(agreed: Agreed) -> Self {
        Inflater { takeover: agreed.receives_takeover, state: None, ends: 0 }
    }

    /// Appends the decompressed form of these bytes of a message. `out` holds at most `most` bytes.
    ///
    /// # Errors
    /// The bytes are not DEFLATE, or `out` would become longer.
    pub fn inflate(&mut self, mut bytes: &[u8], out: &mut BytesMut, most: usize) -> Result<(), Fault> {
        let state = self.state.get_or_insert_with(|| Decompress::new(false));
        let mut piece = [0; PIECE];
        loop {
            let (read, made) = (state.total_in(), state.total_out());
            let status = state.decompress(bytes, &mut piece, FlushDecompress::Sync);
            let status = status.map_err(|_| Fault::Deflate)?;
            let (read, made) = ((state.total_in() - read) as usize, (state.total_out() - made) as usize);
            bytes = &bytes[read..];
            if made > most.saturating_sub(out.len()) {
                return Err(Fault::TooLong);
            }
            out.extend_from_slice(&piece[..made]);
            if status == Status::StreamEnd {
                self.ends += 1;
                if self.ends == MOST_ENDS {
                    return Err(Fault::Deflate);
                }
                state.reset(false);
            }
            if bytes.is_empty() && made < PIECE {
                return Ok(());
            }
            if read == 0 && made == 0 && status != Status::StreamEnd {
                return Err(Fault::Deflate); // it does not advance
            }
        }
    }

    /// Ends the message, and appends the remaining output.
    ///
    /// # Errors
    /// Like [`Inflater::inflate`]; without takeover also for data that end inside a block. With takeover
    /// these cannot be distinguished from others, and their output is what their sender wrote.
    pub fn finish(&mut self, out: &mut BytesMut, most: usize) -> Result<(), Fault> {
        self.inflate(&TAIL, out, most)?;
        if !self.takeover {
            let (length, ends) = (out.len(), self.ends);
            self.inflate(&LAST, out, most)?;
            if out.len() != length || self.ends != ends + 1 {
                return Err(Fault::Deflate);
            }
            self.state = None;
        }
        self.ends = 0;
        Ok(())
    }
}
