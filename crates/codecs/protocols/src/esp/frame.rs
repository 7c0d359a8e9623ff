//! The head in front of every body.
//!
//! Source: docs/wire/esp.md, "Head". All integers little-endian, no padding.

/// An address as the protocol has it: "Addresses are copied as given by the user; brpc does no byte swapping
/// and gives them no meaning."
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    pub stub: u16,
    pub port: u16,
    pub ip: u32,
}

impl From<u64> for Address {
    /// "Also usable as one u64": the stub is its lower end.
    fn from(number: u64) -> Self {
        Address { stub: number as u16, port: (number >> 16) as u16, ip: (number >> 32) as u32 }
    }
}

impl From<Address> for u64 {
    fn from(address: Address) -> Self {
        u64::from(address.stub) | u64::from(address.port) << 16 | u64::from(address.ip) << 32
    }
}

/// A head without the length of the body.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Head {
    pub from: Address,
    pub to: Address,
    /// In a request the type of its message, in a reply 0 for success.
    pub msg: u32,
    /// Free for the application.
    pub msg_id: u64,
}

impl Head {
    pub const BYTES: usize = 32;

    /// Reads a head, and the length of the body after it in bytes.
    pub fn read(bytes: &[u8; Head::BYTES]) -> (Head, u32) {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let head = Head { from: u64_at(0).into(), to: u64_at(8).into(), msg: u32_at(16), msg_id: u64_at(20) };
        (head, u32_at(28))
    }

    /// The head in front of a body of this many bytes.
    pub fn write(&self, body_len: u32) -> [u8; Head::BYTES] {
        let mut bytes = [0; Head::BYTES];
        bytes[0..8].copy_from_slice(&u64::from(self.from).to_le_bytes());
        bytes[8..16].copy_from_slice(&u64::from(self.to).to_le_bytes());
        bytes[16..20].copy_from_slice(&self.msg.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.msg_id.to_le_bytes());
        bytes[28..32].copy_from_slice(&body_len.to_le_bytes());
        bytes
    }
}
