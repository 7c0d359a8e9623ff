//! WINDOW_UPDATE: the number of further bytes that may be sent, on a stream or (stream 0) on the connection
//! (RFC 9113 6.9).
//!
//! ```text
//!  R + increment: u32, 1 to 2^31 - 1
//! ```

use super::{Header, Kind, MAX_31};
use crate::http::h2::error::{Code, Fault};
use bytes::{BufMut, BytesMut};

pub(crate) fn parse(header: &Header, payload: &[u8]) -> Result<u32, Fault> {
    let bytes =
        payload.try_into().map_err(|_| Fault::frame_size("WINDOW_UPDATE of another length than 4"))?;
    match (u32::from_be_bytes(bytes) & MAX_31, header.stream) {
        (0, 0) => Err(Fault::protocol("WINDOW_UPDATE of 0")),
        (0, stream) => Err(Fault::Stream(stream, Code::PROTOCOL_ERROR, "WINDOW_UPDATE of 0")),
        (increment, _) => Ok(increment),
    }
}

pub(crate) fn write(out: &mut BytesMut, stream: u32, increment: u32) {
    Header { length: 4, kind: Kind::WINDOW_UPDATE, flags: 0, stream }.write(out);
    out.put_u32(increment);
}
