//! PING: eight bytes that the receiver returns. Flag ACK (RFC 9113 6.7).

use super::{Header, Kind, flag};
use crate::http::h2::error::Fault;
use bytes::{BufMut, BytesMut};

/// Opaque bytes, which the other side returns.
pub(crate) type Payload = [u8; 8];

pub(crate) fn parse(header: &Header, payload: &[u8]) -> Result<Payload, Fault> {
    header.on_connection()?;
    payload.try_into().map_err(|_| Fault::frame_size("PING of another length than 8"))
}

pub(crate) fn write(out: &mut BytesMut, ack: bool, payload: Payload) {
    let flags = if ack { flag::ACK } else { 0 };
    Header { length: payload.len(), kind: Kind::PING, flags, stream: 0 }.write(out);
    out.put_slice(&payload);
}
