//! CRC32C over a message, as brpc masks and stores it.
//!
//! Source: docs/wire/baidu_std.md, "Checksum": "Stored value = mask(crc) as 4 bytes big-endian, where
//! mask(c) = rotate-right(c, 15) + 0xa282ead8 mod 2^32."

use crate::pbrpc::Check;
use polywire_base::IoBuf;

/// `checksum_type` of CRC32C, the only type.
pub(super) const CRC32C: i32 = 1;

/// The content of fields 12 and 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checksum {
    /// `None`: the peer sent a digest that is not four bytes long. It matches no message.
    pub digest: Option<[u8; 4]>,
    pub with_attachment: bool,
}

impl Check for Checksum {
    #[cold]
    fn matches(self, input: &IoBuf, payload_bytes: usize, attachment: u32) -> bool {
        self.digest == Some(digest(input, payload_bytes, attachment, self.with_attachment))
    }
}

/// The masked digest of a message as it is sent: the first `payload_bytes` of `bytes`.
pub(super) fn digest(bytes: &IoBuf, payload_bytes: usize, attachment: u32, with_attachment: bool) -> [u8; 4] {
    let mut left = if with_attachment { payload_bytes } else { payload_bytes - attachment as usize };
    let mut crc = 0;
    for segment in bytes.segments() {
        let covered = left.min(segment.len());
        crc = crc32c::crc32c_append(crc, &segment[..covered]);
        left -= covered;
    }
    crc.rotate_right(15).wrapping_add(0xa282_ead8).to_be_bytes()
}
