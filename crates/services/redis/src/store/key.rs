//! A key, and the stripe that it is in.

pub(super) const STRIPES: usize = 64;

/// A key and its hash.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) hash: u64,
    pub(super) bytes: &'a [u8],
}

impl Key<'_> {
    /// The index of its stripe, from bits that the tables within a stripe hardly use.
    #[inline]
    pub(super) fn stripe(self) -> usize {
        (self.hash >> 32) as usize % STRIPES
    }
}
