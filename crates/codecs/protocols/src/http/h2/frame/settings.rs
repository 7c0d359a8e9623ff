//! SETTINGS: what one side asks of the other. Flag ACK (RFC 9113 6.5).
//!
//! ```text
//!  ( identifier: u16, value: u32 )*
//! ```

use super::{Header, Kind, MAX_31, flag};
use crate::http::h2::error::{Code, Fault};
use bytes::{BufMut, BytesMut};

/// SETTINGS_HEADER_TABLE_SIZE, bytes; initially 4096.
pub(crate) const HEADER_TABLE_SIZE: u16 = 1;
/// SETTINGS_ENABLE_PUSH, 0 or 1; initially 1.
pub(crate) const ENABLE_PUSH: u16 = 2;
/// SETTINGS_MAX_CONCURRENT_STREAMS; initially without limit.
pub(crate) const MAX_CONCURRENT_STREAMS: u16 = 3;
/// SETTINGS_INITIAL_WINDOW_SIZE, bytes, 31 bits; initially 65535.
pub(crate) const INITIAL_WINDOW_SIZE: u16 = 4;
/// SETTINGS_MAX_FRAME_SIZE, bytes of a payload, 2^14 to 2^24 - 1; initially 2^14.
pub(crate) const MAX_FRAME_SIZE: u16 = 5;
/// SETTINGS_MAX_HEADER_LIST_SIZE, bytes of names and values and 32 a field; initially without limit.
pub(crate) const MAX_HEADER_LIST_SIZE: u16 = 6;

/// SETTINGS_ENABLE_CONNECT_PROTOCOL, 0 or 1; initially 0. RFC 8441 3
pub(crate) const ENABLE_CONNECT_PROTOCOL: u16 = 8;

/// Initial value of [`INITIAL_WINDOW_SIZE`], and the connection's window.
pub(crate) const DEFAULT_WINDOW: u32 = 65_535;
/// Initial and least value of [`MAX_FRAME_SIZE`].
pub(crate) const DEFAULT_FRAME: u32 = 1 << 14;
const MAX_FRAME: u32 = (1 << 24) - 1;
const SETTING_BYTES: usize = 6;

/// The settings of a payload; those of unknown identifiers are passed on ("MUST ignore").
pub(crate) fn parse(header: &Header, payload: &[u8]) -> Result<Vec<(u16, u32)>, Fault> {
    header.on_connection()?;
    if header.has(flag::ACK) && !payload.is_empty() {
        return Err(Fault::frame_size("acknowledgement of SETTINGS with a payload"));
    }
    if !payload.len().is_multiple_of(SETTING_BYTES) {
        return Err(Fault::frame_size("SETTINGS of a length that 6 does not divide"));
    }
    let setting = |bytes: &[u8]| {
        let value = u32::from_be_bytes([bytes[2], bytes[3], bytes[4], bytes[5]]);
        (u16::from_be_bytes([bytes[0], bytes[1]]), value)
    };
    let settings: Vec<_> = payload.chunks_exact(SETTING_BYTES).map(setting).collect();
    settings.iter().try_for_each(|&(id, value)| check(id, value))?;
    Ok(settings)
}

/// Checks a value's range, RFC 9113 6.5.2.
fn check(id: u16, value: u32) -> Result<(), Fault> {
    match id {
        ENABLE_PUSH if value > 1 => Err(Fault::protocol("SETTINGS_ENABLE_PUSH neither 0 nor 1")),
        ENABLE_CONNECT_PROTOCOL if value > 1 => {
            Err(Fault::protocol("SETTINGS_ENABLE_CONNECT_PROTOCOL neither 0 nor 1"))
        }
        INITIAL_WINDOW_SIZE if value > MAX_31 => {
            Err(Fault::Connection(Code::FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE above 2^31 - 1"))
        }
        MAX_FRAME_SIZE if !(DEFAULT_FRAME..=MAX_FRAME).contains(&value) => {
            Err(Fault::protocol("SETTINGS_MAX_FRAME_SIZE outside 2^14 to 2^24 - 1"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn write(out: &mut BytesMut, settings: &[(u16, u32)]) {
    let length = settings.len() * SETTING_BYTES;
    Header { length, kind: Kind::SETTINGS, flags: 0, stream: 0 }.write(out);
    for &(id, value) in settings {
        out.put_u16(id);
        out.put_u32(value);
    }
}

pub(crate) fn write_ack(out: &mut BytesMut) {
    Header { length: 0, kind: Kind::SETTINGS, flags: flag::ACK, stream: 0 }.write(out);
}
