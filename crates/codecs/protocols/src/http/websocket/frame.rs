//! Headers of frames.
//!
//! ```text
//!   0                   1
//!   0 1 2 3 4 5 6 7     0 1 2 3 4 5 6 7
//!  +-+-+-+-+-------+   +-+-------------+ - - - - - - - - - - - -+ - - - - - -+
//!  |F|R|R|R|opcode |   |M| length < 126 | 126: u16, 127: u64     | mask, if M |
//!  +-+-+-+-+-------+   +-+-------------+ - - - - - - - - - - - -+ - - - - - -+
//! ```
//!
//! Lengths are big-endian and as short as possible. Bytes i of the payload are XORed with byte i modulo 4 of
//! the mask.
//!
//! Source: RFC 6455 5.2, 5.3

use super::error::Fault;

/// Numbers of the kinds of frames. RFC 6455 11.8
pub mod opcode {
    pub const CONTINUATION: u8 = 0;
    pub const TEXT: u8 = 1;
    pub const BINARY: u8 = 2;
    pub const CLOSE: u8 = 8;
    pub const PING: u8 = 9;
    pub const PONG: u8 = 10;
}

/// Longest header of a frame in bytes.
pub const MAX_HEADER: usize = 14;
/// Longest payload of a control frame in bytes. RFC 6455 5.5
pub(super) const MAX_CONTROL: u64 = 125;

const FIN: u8 = 0x80;
/// RSV1, which permessage-deflate defines; RSV2 and RSV3, which no extension here does.
const COMPRESSED: u8 = 0x40;
const RESERVED: u8 = 0x30;
const MASKED: u8 = 0x80;

/// A reserved bit without an agreed meaning.
pub(super) const UNAGREED: Fault = Fault::Protocol("a reserved bit is set, and no extension was agreed on");

/// The bytes before the payload of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Whether the frame is the last one of its message.
    pub fin: bool,
    /// RSV1: the message that begins here is compressed. Only where permessage-deflate was agreed on.
    pub compressed: bool,
    /// See [`opcode`].
    pub opcode: u8,
    /// Set in frames of clients, and only there.
    pub mask: Option<[u8; 4]>,
    /// Bytes of the payload.
    pub length: u64,
}

impl Header {
    /// Reads a header and returns its length in bytes; `None`: it is not all here.
    ///
    /// # Errors
    /// What RFC 6455 forbids in a header by itself: reserved bits, unknown kinds, a length in a longer form
    /// than needed, control frames that are long or fragmented.
    pub fn parse(bytes: &[u8]) -> Result<Option<(Header, usize)>, Fault> {
        let Some(&first) = bytes.first() else { return Ok(None) };
        if first & RESERVED != 0 {
            return Err(UNAGREED);
        }
        let (fin, compressed, kind) = (first & FIN != 0, first & COMPRESSED != 0, first & 0x0f);
        let is_control = match kind {
            0..=2 => false,
            8..=10 => true,
            _ => return Err(Fault::Protocol("unknown kind of frame")),
        };
        // RFC 7692 6.1: of the frames of a message the first has it; 6: no control frame has.
        if compressed && (is_control || kind == opcode::CONTINUATION) {
            return Err(UNAGREED);
        }
        if is_control && !fin {
            return Err(Fault::Protocol("fragmented control frame"));
        }
        let Some(&second) = bytes.get(1) else { return Ok(None) };
        let short = u64::from(second & 0x7f);
        if is_control && short > MAX_CONTROL {
            return Err(Fault::Protocol("control frame longer than 125 bytes"));
        }
        let (length, mut at) = match (short, &bytes[2..]) {
            (126, [a, b, ..]) => (u64::from(u16::from_be_bytes([*a, *b])), 4),
            (127, [a, b, c, d, e, f, g, h, ..]) => (u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]), 10),
            (126 | 127, _) => return Ok(None),
            (length, _) => (length, 2),
        };
        let least = match short {
            126 => 126,
            127 => 1 << 16,
            _ => 0,
        };
        if length < least || length >> 63 != 0 {
            return Err(Fault::Protocol("length of a frame in a wrong form"));
        }
        let mut mask = None;
        if second & MASKED != 0 {
            let Some(key) = bytes[at..].first_chunk::<4>() else { return Ok(None) };
            mask = Some(*key);
            at += 4;
        }
        Ok(Some((Header { fin, compressed, opcode: kind, mask, length }, at)))
    }

    /// Appends the header.
    pub fn write(&self, out: &mut Vec<u8>) {
        let compressed = if self.compressed { COMPRESSED } else { 0 };
        out.push(if self.fin { FIN } else { 0 } | compressed | self.opcode);
        let masked = if self.mask.is_some() { MASKED } else { 0 };
        match self.length {
            length @ 0..=125 => out.push(masked | length as u8),
            length @ 126..=0xffff => {
                out.push(masked | 126);
                out.extend_from_slice(&(length as u16).to_be_bytes());
            }
            length => {
                out.push(masked | 127);
                out.extend_from_slice(&length.to_be_bytes());
            }
        }
        out.extend(self.mask.into_iter().flatten());
    }
}

/// Masks or unmasks bytes, of which the first is byte `at` of the payload.
pub fn apply_mask(bytes: &mut [u8], mask: [u8; 4], at: u64) {
    let mut key = mask;
    key.rotate_left((at % 4) as usize);
    let [a, b, c, d] = key;
    let wide = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
    let mut chunks = bytes.chunks_exact_mut(8);
    for chunk in &mut chunks {
        let word = u64::from_ne_bytes(chunk.try_into().expect("eight bytes")) ^ wide;
        chunk.copy_from_slice(&word.to_ne_bytes());
    }
    chunks.into_remainder().iter_mut().zip(key.iter().cycle()).for_each(|(byte, key)| *byte ^= key);
}
