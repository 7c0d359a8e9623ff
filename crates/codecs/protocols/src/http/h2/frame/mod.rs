//! Frames: one file for each type.
//!
//! ```text
//!  0          3      4       5                 9            9+n
//!  +----------+------+-------+-----------------+---- - - ----+
//!  | length n | type | flags | R stream id     | payload     |
//!  +----------+------+-------+-----------------+---- - - ----+
//!    24 bits    8      8       1 + 31 bits
//! ```
//!
//! All numbers are big-endian. `R` is ignored when received and 0 when sent.
//!
//! | file | type |
//! | --- | --- |
//! | `data.rs`, `headers.rs`, `continuation.rs`, `push_promise.rs` | what requests and replies consist of |
//! | `rst_stream.rs`, `window_update.rs`, `priority.rs` | frames about a stream |
//! | `settings.rs`, `ping.rs`, `goaway.rs` | frames about the connection |
//!
//! Source:  docs/wire/grpc.md section 1; RFC 9113 4, 6
//! Errors:  those that the payload alone shows; the others depend on the stream's state (`input.rs`).

pub(super) mod continuation;
pub(super) mod data;
pub(super) mod goaway;
pub(super) mod headers;
pub(super) mod ping;
pub(super) mod priority;
pub(super) mod push_promise;
pub(super) mod rst_stream;
pub(super) mod settings;
pub(super) mod window_update;

use super::error::Fault;
use bytes::{BufMut, BytesMut};

/// The bytes that a client sends before its first frame (RFC 9113 3.4).
pub(super) const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
pub(super) const HEADER_BYTES: usize = 9;
/// Streams, windows and increments have 31 bits.
pub(super) const MAX_31: u32 = (1 << 31) - 1;

/// The type of a frame. Any number is possible; frames of unknown types are ignored (RFC 9113 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind(pub u8);

impl Kind {
    pub const DATA: Kind = Kind(0x0);
    pub const HEADERS: Kind = Kind(0x1);
    pub const PRIORITY: Kind = Kind(0x2);
    pub const RST_STREAM: Kind = Kind(0x3);
    pub const SETTINGS: Kind = Kind(0x4);
    pub const PUSH_PROMISE: Kind = Kind(0x5);
    pub const PING: Kind = Kind(0x6);
    pub const GOAWAY: Kind = Kind(0x7);
    pub const WINDOW_UPDATE: Kind = Kind(0x8);
    pub const CONTINUATION: Kind = Kind(0x9);
}

/// The flags; the file of each frame type lists its own.
pub(super) mod flag {
    pub const END_STREAM: u8 = 0x1;
    pub const ACK: u8 = 0x1;
    pub const END_HEADERS: u8 = 0x4;
    pub const PADDED: u8 = 0x8;
    pub const PRIORITY: u8 = 0x20;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// Length of the payload in bytes.
    pub length: usize,
    pub kind: Kind,
    pub flags: u8,
    pub stream: u32,
}

impl Header {
    #[inline]
    pub fn parse(bytes: &[u8; HEADER_BYTES]) -> Header {
        let [a, b, c, kind, flags, stream @ ..] = *bytes;
        Header {
            length: u32::from_be_bytes([0, a, b, c]) as usize,
            kind: Kind(kind),
            flags,
            stream: u32::from_be_bytes(stream) & MAX_31,
        }
    }

    #[inline]
    pub fn write(self, out: &mut BytesMut) {
        let [_, a, b, c] = (self.length as u32).to_be_bytes();
        let [d, e, f, g] = self.stream.to_be_bytes();
        out.put_slice(&[a, b, c, self.kind.0, self.flags, d, e, f, g]);
    }

    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// "If the Stream Identifier field is 0x00 [...] PROTOCOL_ERROR"
    fn on_stream(&self) -> Result<(), Fault> {
        if self.stream == 0 { Err(Fault::protocol("frame of a stream on stream 0")) } else { Ok(()) }
    }

    fn on_connection(&self) -> Result<(), Fault> {
        if self.stream != 0 { Err(Fault::protocol("frame of the connection on a stream")) } else { Ok(()) }
    }
}

/// Strips padding off a payload: `pad length, content, padding`. "The total number of padding octets is
/// determined by the value of the Pad Length field. If the length of the padding is the length of the frame
/// payload or greater, the recipient MUST treat this as a connection error of type PROTOCOL_ERROR." (RFC 9113
/// 6.1)
fn unpadded<'p>(header: &Header, payload: &'p [u8]) -> Result<&'p [u8], Fault> {
    if !header.has(flag::PADDED) {
        return Ok(payload);
    }
    let (&pad, rest) = payload.split_first().ok_or(Fault::frame_size("padded frame without a length"))?;
    let content =
        rest.len().checked_sub(pad as usize).ok_or(Fault::protocol("padding as long as its frame"))?;
    Ok(&rest[..content])
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_machine_testing::hex;

    #[test]
    fn headers_of_the_sheet() {
        // docs/wire/grpc.md section 7
        for (bytes, length, kind, flags, stream) in [
            ("00 00 00 04 00 00 00 00 00", 0, Kind::SETTINGS, 0, 0),
            ("00 00 61 01 04 00 00 00 01", 0x61, Kind::HEADERS, flag::END_HEADERS, 1),
            ("00 00 0c 00 01 00 00 00 01", 12, Kind::DATA, flag::END_STREAM, 1),
            ("00 00 50 01 05 00 00 00 03", 0x50, Kind::HEADERS, flag::END_HEADERS | flag::END_STREAM, 3),
        ] {
            let header = Header { length, kind, flags, stream };
            let mut out = BytesMut::new();
            header.write(&mut out);
            assert_eq!(out, hex(bytes));
            assert_eq!(Header::parse(&hex(bytes).try_into().expect("nine bytes")), header);
        }
    }

    #[test]
    fn the_reserved_bit_is_ignored() {
        let header = Header::parse(&[0xff, 0xff, 0xff, 0xab, 0, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!((header.length, header.kind, header.stream), ((1 << 24) - 1, Kind(0xab), MAX_31));
    }

    #[test]
    fn padding_may_be_all_but_not_more() {
        let padded = |payload: &[u8]| {
            let header =
                Header { length: payload.len(), kind: Kind::HEADERS, flags: flag::PADDED, stream: 1 };
            unpadded(&header, payload).map(<[u8]>::to_vec)
        };
        assert_eq!(padded(&[2, b'a', 0, 0]), Ok(b"a".to_vec()));
        assert_eq!(padded(&[2, 0, 0]), Ok(vec![]));
        assert_eq!(padded(&[0]), Ok(vec![]));
        assert_eq!(padded(&[3, 0, 0]), Err(Fault::protocol("padding as long as its frame")));
        assert_eq!(padded(&[1]), Err(Fault::protocol("padding as long as its frame")));
        assert_eq!(padded(&[]), Err(Fault::frame_size("padded frame without a length")));
    }
}
