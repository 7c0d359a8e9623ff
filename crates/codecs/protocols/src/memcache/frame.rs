//! The binary form: packets of a 24-byte header, extras, key and value, all numbers big-endian.
//!
//! ```text
//!  0      1      2      4      5     6       8         12       16    24
//!  +------+------+------+------+-----+-------+---------+--------+-----+---
//!  | 0x80 | op   | key  | ext- | 0   | 0 /   | body:   | opaque | cas | extras, key, value
//!  | 0x81 |      | u16  | ras  |     | status| u32     | u32    | u64 |
//!  +------+------+------+------+-----+-------+---------+--------+-----+---
//! ```
//!
//! Source: docs/wire/memcache.md, sections 1 to 4.

use super::{
    MAX_KEY,
    expected::{Expected, Request},
    form::{Form, Found, Reply},
};
use bytes::{BufMut, BytesMut};
use polywire_base::IoBuf;
use polywire_wire::WireError;

/// Bytes of the header.
pub const HEADER_BYTES: usize = 24;
/// Most bytes of extras, key and value of one packet together.
pub const MAX_BODY: usize = 64 << 20;

const REQUEST: u8 = 0x80;
const RESPONSE: u8 = 0x81;

/// Operations, by the names of the specification.
#[allow(missing_docs)]
pub mod opcode {
    pub const GET: u8 = 0x00;
    pub const SET: u8 = 0x01;
    pub const ADD: u8 = 0x02;
    pub const REPLACE: u8 = 0x03;
    pub const DELETE: u8 = 0x04;
    pub const INCREMENT: u8 = 0x05;
    pub const DECREMENT: u8 = 0x06;
    pub const QUIT: u8 = 0x07;
    pub const FLUSH: u8 = 0x08;
    pub const GETQ: u8 = 0x09;
    pub const NOOP: u8 = 0x0a;
    pub const VERSION: u8 = 0x0b;
    pub const GETK: u8 = 0x0c;
    pub const GETKQ: u8 = 0x0d;
    pub const APPEND: u8 = 0x0e;
    pub const PREPEND: u8 = 0x0f;
    pub const STAT: u8 = 0x10;
    pub const SETQ: u8 = 0x11;
    pub const DECREMENTQ: u8 = 0x16;
    pub const QUITQ: u8 = 0x17;
    pub const FLUSHQ: u8 = 0x18;
    pub const PREPENDQ: u8 = 0x1a;
    pub const VERBOSITY: u8 = 0x1b;
    pub const TOUCH: u8 = 0x1c;
    pub const GAT: u8 = 0x1d;
    pub const GATQ: u8 = 0x1e;
    pub const SASL_AUTH: u8 = 0x21;
    pub const GATK: u8 = 0x23;
    pub const GATKQ: u8 = 0x24;

    /// Whether a request may have no reply: a quiet read that misses, or a quiet write that succeeds.
    pub const fn is_quiet(opcode: u8) -> bool {
        matches!(opcode, GETQ | GETKQ | SETQ..=DECREMENTQ | FLUSHQ..=PREPENDQ | GATQ | GATKQ)
    }

    /// The quiet form of an operation that has one.
    pub const fn quiet(opcode: u8) -> Option<u8> {
        Some(match opcode {
            GET => GETQ,
            GETK => GETKQ,
            SET..=DECREMENT => opcode - SET + SETQ,
            FLUSH => FLUSHQ,
            APPEND => 0x19,
            PREPEND => PREPENDQ,
            GAT => GATQ,
            GATK => GATKQ,
            _ => return None,
        })
    }
}

/// Statuses of replies.
#[allow(missing_docs)]
pub mod status {
    pub const OK: u16 = 0x00;
    pub const KEY_NOT_FOUND: u16 = 0x01;
    pub const KEY_EXISTS: u16 = 0x02;
    pub const VALUE_TOO_LARGE: u16 = 0x03;
    pub const INVALID_ARGUMENTS: u16 = 0x04;
    pub const NOT_STORED: u16 = 0x05;
    pub const NON_NUMERIC: u16 = 0x06;
    pub const WRONG_VBUCKET: u16 = 0x07;
    pub const AUTH_ERROR: u16 = 0x20;
    pub const AUTH_CONTINUE: u16 = 0x21;
    pub const UNKNOWN_COMMAND: u16 = 0x81;
    pub const OUT_OF_MEMORY: u16 = 0x82;
    pub const NOT_SUPPORTED: u16 = 0x83;
    pub const INTERNAL: u16 = 0x84;
    pub const BUSY: u16 = 0x85;
    pub const TEMPORARY_FAILURE: u16 = 0x86;
}

/// The header of a request or of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Whether the magic byte is 0x81 instead of 0x80.
    pub is_reply: bool,
    pub opcode: u8,
    /// Bytes of the key.
    pub key: u16,
    /// Bytes of the extras.
    pub extras: u8,
    /// The status of a reply; in a request the vbucket, which is 0 here.
    pub status: u16,
    /// Bytes of extras, key and value.
    pub body: u32,
    pub opaque: u32,
    /// The version for compare-and-swap; 0: none.
    pub cas: u64,
}

impl Header {
    /// Reads a header and checks its lengths.
    ///
    /// # Errors
    /// Another magic, a body that is shorter than its parts, or longer than [`MAX_BODY`].
    #[inline]
    pub fn read(bytes: &[u8; HEADER_BYTES]) -> Result<Header, WireError> {
        let u16_at = |at| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let u32_at = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let header = Header {
            is_reply: match bytes[0] {
                REQUEST => false,
                RESPONSE => true,
                _ => return Err(WireError::BadMagic),
            },
            opcode: bytes[1],
            key: u16_at(2),
            extras: bytes[4],
            status: u16_at(6),
            body: u32_at(8),
            opaque: u32_at(12),
            cas: u64::from(u32_at(16)) << 32 | u64::from(u32_at(20)),
        };
        if header.body < u32::from(header.key) + u32::from(header.extras) {
            return Err(WireError::Malformed("a body that is shorter than its extras and key"));
        }
        if header.body as usize > MAX_BODY {
            return Err(WireError::TooLarge);
        }
        Ok(header)
    }

    /// Appends the header.
    #[inline]
    pub fn write(&self, out: &mut BytesMut) {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0] = if self.is_reply { RESPONSE } else { REQUEST };
        bytes[1] = self.opcode;
        bytes[2..4].copy_from_slice(&self.key.to_be_bytes());
        bytes[4] = self.extras;
        bytes[6..8].copy_from_slice(&self.status.to_be_bytes());
        bytes[8..12].copy_from_slice(&self.body.to_be_bytes());
        bytes[12..16].copy_from_slice(&self.opaque.to_be_bytes());
        bytes[16..].copy_from_slice(&self.cas.to_be_bytes());
        out.put_slice(&bytes);
    }
}

/// The form of the binary protocol.
#[derive(Clone, Copy)]
pub(super) struct Binary;

impl Form for Binary {
    #[inline]
    fn requests(&self, mut body: &[u8]) -> Result<Expected, &'static str> {
        Expected::new(std::iter::from_fn(|| {
            if body.is_empty() {
                return None;
            }
            Some(request(&mut body))
        }))
    }

    #[inline]
    fn reply(&self, input: &mut IoBuf, at: usize) -> Result<Found, WireError> {
        let Some(bytes) = input.peek(at + HEADER_BYTES) else {
            // What is there of another protocol need not be waited for.
            return match input.len() > at && input.peek(at + 1).is_some_and(|bytes| bytes[at] != RESPONSE) {
                true => Err(WireError::BadMagic),
                false => Ok(Found::Least(at + HEADER_BYTES)),
            };
        };
        let header = bytes[at..at + HEADER_BYTES].first_chunk().expect("so many were asked for");
        let header = Header::read(header)?;
        if !header.is_reply {
            return Err(WireError::BadMagic);
        }
        let end = at + HEADER_BYTES + header.body as usize;
        // "STAT ends with an empty key and empty body"; an error ends it too.
        let more = header.opcode == opcode::STAT && header.status == status::OK && header.body > 0;
        let reply = Reply { end, kind: header.opcode, opaque: Some(header.opaque), more };
        Ok(if input.len() < end { Found::Begun(reply) } else { Found::Whole(reply) })
    }

    #[inline]
    fn fits(&self, request: &Request, reply: &Reply) -> bool {
        request.kind == reply.kind
    }

    fn is_error(&self, _reply: &Reply) -> bool {
        false // a status is one of its request, which the opaque names
    }

    /// "SASL_AUTH with key `PLAIN`, value `00 user 00 password`".
    fn login(&self, user: &[u8], password: &[u8], out: &mut BytesMut) -> Result<(), ()> {
        const MECHANISM: &[u8] = b"PLAIN";
        if user.contains(&0) || password.contains(&0) {
            return Err(()); // zero bytes divide its parts
        }
        let body = MECHANISM.len() + 2 + user.len() + password.len();
        if body > MAX_BODY {
            return Err(());
        }
        let header = Header {
            opcode: opcode::SASL_AUTH,
            key: MECHANISM.len() as u16,
            body: body as u32,
            ..Header::default()
        };
        header.write(out);
        for part in [MECHANISM, &[0], user, &[0], password] {
            out.extend_from_slice(part);
        }
        Ok(())
    }

    fn logged_in(&self, reply: &[u8]) -> Result<(), String> {
        let header = reply.first_chunk().ok_or("no header")?;
        let header = Header::read(header).map_err(|_| "no header")?;
        match (header.opcode, header.status) {
            (opcode::SASL_AUTH, status::OK) => Ok(()),
            (opcode::SASL_AUTH, status::UNKNOWN_COMMAND) => Err("the server has no SASL".to_owned()),
            (opcode::SASL_AUTH, code) => {
                let text = &reply[HEADER_BYTES.min(reply.len())..];
                Err(format!("{} (status {code:#04x})", String::from_utf8_lossy(&text[..text.len().min(200)])))
            }
            _ => Err("the reply is that of another operation".to_owned()),
        }
    }
}

/// Takes the next request off a body.
#[inline]
fn request(body: &mut &[u8]) -> Result<Request, &'static str> {
    const BROKEN: &str = "the body is not a sequence of whole requests";
    let header = body.first_chunk().ok_or(BROKEN)?;
    let header = Header::read(header).map_err(|_| BROKEN)?;
    let end = HEADER_BYTES + header.body as usize;
    if header.is_reply || body.len() < end {
        return Err(BROKEN);
    }
    if usize::from(header.key) > MAX_KEY {
        return Err("a key has 250 bytes at most"); // memcached closes the connection
    }
    match header.opcode {
        opcode::QUIT | opcode::QUITQ => return Err("QUIT ends the connection, which other calls may share"),
        opcode::VERBOSITY => return Err("VERBOSITY is not answered"),
        0x20..=0x22 => return Err("credentials belong to the channel"),
        0x1f | 0x25.. => return Err("an operation that is not known"),
        _ => {}
    }
    *body = &body[end..];
    let quiet = opcode::is_quiet(header.opcode);
    Ok(Request { kind: header.opcode, quiet, opaque: Some(header.opaque) })
}
