//! RST_STREAM: the end of a stream in both directions (RFC 9113 6.4).
//!
//! ```text
//!  error code: u32
//! ```

use super::{Header, Kind};
use crate::http::h2::error::{Code, Fault};
use bytes::{BufMut, BytesMut};

pub(crate) fn parse(header: &Header, payload: &[u8]) -> Result<Code, Fault> {
    header.on_stream()?;
    let code = payload.try_into().map_err(|_| Fault::frame_size("RST_STREAM of another length than 4"))?;
    Ok(Code(u32::from_be_bytes(code)))
}

pub(crate) fn write(out: &mut BytesMut, stream: u32, code: Code) {
    Header { length: 4, kind: Kind::RST_STREAM, flags: 0, stream }.write(out);
    out.put_u32(code.0);
}
