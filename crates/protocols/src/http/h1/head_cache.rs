//! Heads that come again: the requests of a connection mostly say the same in the same bytes.
//!
//! What the last head was read to is kept from a connection's second request on; while the next one begins with the same
//! bytes, it is copied and nothing is scanned.
//!
//! Limits: one head of at most [`LONGEST`] bytes for each connection.

use super::parse::Scan;
use crate::http::framing::HeadBlock;

/// Bytes of a head that is kept.
const LONGEST: usize = 1 << 10;

/// What a connection remembers.
#[derive(Default)]
pub(super) struct HeadCache {
    last: Option<Box<(HeadBlock, Scan)>>,
    /// Numbers given, see [`HeadBlock::like`].
    numbers: u32,
}

impl HeadCache {
    /// Reads the head at the front of `buf` if it is the kept one: how far it was read, and its bytes.
    #[inline]
    pub fn read(&self, buf: &[u8], head: &mut HeadBlock) -> Option<(Scan, usize)> {
        let (known, scan) = &**self.last.as_ref()?;
        if !buf.starts_with(&known.raw) {
            return None;
        }
        head.copy_from(known);
        Some((*scan, known.raw.len()))
    }

    /// `head` was just read to its end, with the empty line.
    pub fn keep(&mut self, head: &mut HeadBlock, scan: Scan) {
        if head.raw.len() > LONGEST {
            self.last = None;
            return;
        }
        self.numbers = self.numbers.checked_add(1).unwrap_or(1);
        head.like = self.numbers;
        let (known, known_scan) = &mut **self.last.get_or_insert_default();
        known.copy_from(head);
        *known_scan = scan;
    }
}
