//! PRIORITY: deprecated, and ignored except for its errors (RFC 9113 5.3.2, 6.3).
//!
//! ```text
//!  E: 1 bit, dependency: 31 bits | weight: u8
//! ```

use super::{Header, MAX_31};
use crate::http::h2::error::{Code, Fault};

pub(crate) const BYTES: usize = 5;

pub(crate) fn parse(header: &Header, payload: &[u8]) -> Result<(), Fault> {
    header.on_stream()?;
    if payload.len() != BYTES {
        return Err(Fault::Stream(
            header.stream,
            Code::FRAME_SIZE_ERROR,
            "PRIORITY of another length than 5",
        ));
    }
    check(header.stream, payload)
}

/// "A stream cannot depend on itself. An endpoint MUST treat this as a stream error of type PROTOCOL_ERROR."
/// (RFC 7540 5.3.1; RFC 9113 has no priorities, conformance suites still ask for this.)
pub(crate) fn check(stream: u32, fields: &[u8]) -> Result<(), Fault> {
    let dependency = fields.first_chunk().map(|bytes| u32::from_be_bytes(*bytes) & MAX_31);
    if dependency == Some(stream) {
        return Err(Fault::Stream(stream, Code::PROTOCOL_ERROR, "stream depends on itself"));
    }
    Ok(())
}
