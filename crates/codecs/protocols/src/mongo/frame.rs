//! The head of a message.
//!
//! Source: docs/wire/mongo.md, "Head". Four i32, little-endian.

pub(super) const HEAD_BYTES: usize = 16;

/// The kinds of a message's body.
pub(super) mod op_code {
    pub const REPLY: u32 = 1;
    pub const UPDATE: u32 = 2001;
    pub const INSERT: u32 = 2002;
    pub const QUERY: u32 = 2004;
    pub const GET_MORE: u32 = 2005;
    pub const DELETE: u32 = 2006;
    pub const KILL_CURSORS: u32 = 2007;
    pub const COMPRESSED: u32 = 2012;
    pub const MSG: u32 = 2013;
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// The length of the whole message in bytes.
    pub length: u32,
    pub request_id: u32,
    pub response_to: u32,
    pub op_code: u32,
}

impl Head {
    pub fn read(bytes: &[u8; HEAD_BYTES]) -> Head {
        let at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        Head { length: at(0), request_id: at(4), response_to: at(8), op_code: at(12) }
    }

    pub fn write(&self) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        let numbers = [self.length, self.request_id, self.response_to, self.op_code];
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }
}
