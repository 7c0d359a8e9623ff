//! GOAWAY: no further streams are accepted; streams above the last one were not processed (RFC 9113 6.8).
//!
//! ```text
//!  R + last stream: u32 | error code: u32 | debug data
//! ```

use super::{Header, Kind, MAX_31};
use crate::http::h2::error::{Code, Fault};
use bytes::{BufMut, BytesMut};

/// Length of the payload without debug data.
pub(crate) const FIXED_BYTES: usize = 8;

/// The debug data of ENHANCE_YOUR_CALM from servers of gRPC. docs/wire/grpc.md section 2
const TOO_MANY_PINGS: &[u8] = b"too_many_pings";

/// The content of a GOAWAY of the peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Goaway<'p> {
    pub last: u32,
    pub code: Code,
    /// Usually a text, for people.
    pub debug: &'p [u8],
}

impl Goaway<'_> {
    /// Whether the peer complains about too many PINGs.
    pub fn is_about_pings(&self) -> bool {
        self.code == Code::ENHANCE_YOUR_CALM && self.debug == TOO_MANY_PINGS
    }
}

pub(crate) fn parse<'p>(header: &Header, payload: &'p [u8]) -> Result<Goaway<'p>, Fault> {
    header.on_connection()?;
    let fixed = payload.first_chunk::<FIXED_BYTES>().ok_or(Fault::frame_size("GOAWAY shorter than 8"))?;
    let [a, b, c, d, code @ ..] = *fixed;
    Ok(Goaway {
        last: u32::from_be_bytes([a, b, c, d]) & MAX_31,
        code: Code(u32::from_be_bytes(code)),
        debug: &payload[FIXED_BYTES..],
    })
}

pub(crate) fn write(out: &mut BytesMut, last: u32, code: Code, debug: &str) {
    let length = FIXED_BYTES + debug.len();
    Header { length, kind: Kind::GOAWAY, flags: 0, stream: 0 }.write(out);
    out.put_u32(last);
    out.put_u32(code.0);
    out.put_slice(debug.as_bytes());
}
