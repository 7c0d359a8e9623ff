//! CONTINUATION: more of a header block. Flag END_HEADERS (RFC 9113 6.10).

use super::{Header, Kind, flag};
use crate::http::h2::error::Fault;
use bytes::BytesMut;

/// Checks that `header` goes on with the block of `stream`: "A receiver MUST treat the receipt of any other
/// type of frame or a frame on a different stream as a connection error of type PROTOCOL_ERROR."
pub(crate) fn check(header: &Header, stream: u32) -> Result<(), Fault> {
    if header.kind != Kind::CONTINUATION || header.stream != stream {
        return Err(Fault::protocol("another frame inside a header block"));
    }
    Ok(())
}

/// Writes the rest of a block in frames of at most `most` bytes.
pub(crate) fn write(out: &mut BytesMut, stream: u32, most: usize, rest: &[u8]) {
    let mut pieces = rest.chunks(most).peekable();
    while let Some(piece) = pieces.next() {
        let flags = if pieces.peek().is_none() { flag::END_HEADERS } else { 0 };
        Header { length: piece.len(), kind: Kind::CONTINUATION, flags, stream }.write(out);
        out.extend_from_slice(piece);
    }
}
