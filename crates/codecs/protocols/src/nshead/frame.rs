//! The head in front of every body.
//!
//! Source: docs/wire/nshead.md, "Head". All integers little-endian, no padding.

/// The number 0xfb709394, little-endian.
pub(super) const MAGIC: [u8; 4] = [0x94, 0x93, 0x70, 0xfb];
pub(super) const MAGIC_AT: usize = 24;

/// A head without its magic and the length of the body.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Head {
    /// Free for the application.
    pub id: u16,
    /// Free for the application.
    pub version: u16,
    pub log_id: u32,
    /// Text, padded with NULs.
    pub provider: [u8; 16],
    /// Free for the application.
    pub reserved: u32,
}

impl Head {
    pub const BYTES: usize = 36;

    /// Reads a head, and the length of the body after it; `None` if the bytes belong to another protocol or
    /// are too few.
    pub fn read(bytes: &[u8]) -> Option<(Head, u32)> {
        let bytes: &[u8; Head::BYTES] = bytes.first_chunk()?;
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        if bytes[MAGIC_AT..MAGIC_AT + 4] != MAGIC {
            return None;
        }
        let provider = bytes[8..24].try_into().expect("sixteen bytes");
        let head =
            Head { id: u16_at(0), version: u16_at(2), log_id: u32_at(4), provider, reserved: u32_at(28) };
        Some((head, u32_at(32)))
    }

    /// The header in front of a body of this many bytes.
    pub fn write(&self, body_len: u32) -> [u8; Head::BYTES] {
        let mut bytes = [0; Head::BYTES];
        bytes[0..2].copy_from_slice(&self.id.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.version.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.log_id.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.provider);
        bytes[24..28].copy_from_slice(&MAGIC);
        bytes[28..32].copy_from_slice(&self.reserved.to_le_bytes());
        bytes[32..36].copy_from_slice(&body_len.to_le_bytes());
        bytes
    }
}
