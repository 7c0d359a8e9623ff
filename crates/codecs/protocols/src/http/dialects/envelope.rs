//! Five bytes before a message: gRPC's length-prefixed messages, which grpc-web and Connect's streams share.
//!
//! ```text
//!  0       1                    5               5+n
//!  +-------+--------------------+---- - - ------+
//!  | flags | n: u32 big-endian  | message       |
//!  +-------+--------------------+---- - - ------+
//!   flags: 0x01 compressed; 0x02 the last envelope (Connect); 0x80 the last envelope (grpc-web)
//! ```
//!
//! Source: docs/wire/grpc.md sections 2 and 4; connectrpc.com/docs/protocol, "Enveloped-Message".
//! Limits: the length is checked, by the caller, before anything of the message is kept.

use super::Kind;
use polywire_base::IoBuf;
use polywire_wire::{Compression, Role};

/// Length of the prefix of a message.
pub(crate) const BYTES: usize = 5;
/// Flag: the message is compressed.
const COMPRESSED: u8 = 0x01;
/// Flag of the envelope that ends a body.
const CONNECT_END: u8 = 0x02;
const WEB_END: u8 = 0x80;

/// The content of the five-byte prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Envelope {
    pub compressed: bool,
    /// Whether the envelope holds the end of the call instead of a message.
    pub last: bool,
    pub len: u32,
}

impl Envelope {
    /// Takes the five bytes off the front, at the side of this role; `None`: they have not all arrived.
    ///
    /// # Errors
    /// Flags that the kind does not have there.
    #[inline]
    pub fn take(kind: Kind, role: Role, from: &mut IoBuf) -> Result<Option<Envelope>, u8> {
        let Some(&[flags, a, b, c, d]) = from.peek(BYTES) else { return Ok(None) };
        let last = match (role, kind) {
            (Role::Client, Kind::GrpcWeb | Kind::GrpcWebText) => WEB_END,
            (Role::Client, Kind::ConnectStream) => CONNECT_END,
            _ => 0, // requests end with their body
        };
        if flags & !(COMPRESSED | last) != 0 {
            return Err(flags);
        }
        from.advance(BYTES);
        let len = u32::from_be_bytes([a, b, c, d]);
        Ok(Some(Envelope { compressed: flags & COMPRESSED != 0, last: flags & last != 0, len }))
    }
}

/// The prefix of a message; `None` if the message is longer than the prefix can state.
#[inline]
pub(crate) fn message(compression: Compression, len: usize) -> Option<[u8; BYTES]> {
    let flags = if compression == Compression::NONE { 0 } else { COMPRESSED };
    prefix(flags, len)
}

/// The prefix of the envelope that ends a body.
pub(crate) fn end(kind: Kind, len: usize) -> Option<[u8; BYTES]> {
    prefix(if kind == Kind::ConnectStream { CONNECT_END } else { WEB_END }, len)
}

#[inline]
fn prefix(flags: u8, len: usize) -> Option<[u8; BYTES]> {
    let [a, b, c, d] = u32::try_from(len).ok()?.to_be_bytes();
    Some([flags, a, b, c, d])
}
