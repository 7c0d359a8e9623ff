//! A cache of the last head, because the requests of a connection mostly repeat the same bytes, and so do the
//! replies of one second.
//!
//! From the second head of a connection on, the parsed form of the last one is kept. If the next head has the
//! same bytes, that form is copied and nothing is parsed.
//!
//! Limits: one head of at most [`LONGEST`] bytes for each connection.

use super::parse::Scan;
use crate::http::framing::HeadBlock;

/// Longest head that is kept, in bytes.
const LONGEST: usize = 1 << 10;

/// The heads that a connection has received lately.
#[derive(Default)]
pub(super) struct HeadCache {
    last: Option<Box<(HeadBlock, Scan)>>,
    /// Number of heads that were numbered, see [`HeadBlock::like`].
    numbers: u32,
}

impl HeadCache {
    /// If the head at the front of `buf` is the cached one, returns its parsed form and its bytes.
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
