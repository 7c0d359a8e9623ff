//! The output of writers: copied bytes in memory that grows, and long values by reference between them.

use super::{Bytes, SHARED_FROM};
use polywire_base::IoBuf;

/// The initial memory of a message.
const FIRST: usize = 128;

pub(super) struct Buffer {
    before: IoBuf,
    tail: Vec<u8>,
    /// A length was more than the protocols can carry.
    failed: bool,
}

impl Default for Buffer {
    fn default() -> Self {
        Buffer { before: IoBuf::new(), tail: Vec::with_capacity(FIRST), failed: false }
    }
}

impl Buffer {
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
    }

    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.tail.push(byte);
    }

    #[inline]
    pub fn share(&mut self, bytes: &Bytes) {
        if bytes.len() < SHARED_FROM {
            self.put(bytes);
        } else {
            self.push(bytes);
        }
    }

    #[cold]
    fn push(&mut self, bytes: &Bytes) {
        self.before.push(std::mem::take(&mut self.tail).into());
        self.before.push(bytes.clone());
    }

    /// A length or count, which is an i32 on the wire.
    #[inline]
    pub fn length(&mut self, length: usize) -> i32 {
        i32::try_from(length).unwrap_or_else(|_| {
            self.failed = true;
            0
        })
    }

    /// All bytes; `None`: a length was too large.
    pub fn finish(mut self) -> Option<IoBuf> {
        if self.failed {
            return None;
        }
        if self.before.is_empty() {
            return Some(self.tail.into());
        }
        if !self.tail.is_empty() {
            self.before.push(self.tail.into());
        }
        Some(self.before)
    }
}
