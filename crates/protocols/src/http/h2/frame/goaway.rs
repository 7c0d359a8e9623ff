//! GOAWAY: no further streams; what is above the last one was not looked at (RFC 9113 6.8).
//!
//! ```text
//!  R + last stream: u32 | error code: u32 | debug data
//! ```

use super::{Header, Kind, MAX_31};
use crate::http::h2::error::{Code, Fault};
use bytes::{BufMut, BytesMut};

/// Without debug data.
pub(crate) const FIXED_BYTES: usize = 8;

/// Last stream and code; `payload` may lack the debug data.
pub(crate) fn parse(header: &Header, payload: &[u8]) -> Result<(u32, Code), Fault> {
    header.on_connection()?;
    let fixed = payload.first_chunk::<FIXED_BYTES>().ok_or(Fault::frame_size("GOAWAY shorter than 8"))?;
    let [a, b, c, d, code @ ..] = *fixed;
    Ok((u32::from_be_bytes([a, b, c, d]) & MAX_31, Code(u32::from_be_bytes(code))))
}

pub(crate) fn write(out: &mut BytesMut, last: u32, code: Code, debug: &str) {
    let length = FIXED_BYTES + debug.len();
    Header { length, kind: Kind::GOAWAY, flags: 0, stream: 0 }.write(out);
    out.put_u32(last);
    out.put_u32(code.0);
    out.put_slice(debug.as_bytes());
}
