//! Short byte strings without an allocation: keys, members, items of lists.

use crate::Writer;
use bytes::Bytes;
use std::{fmt, sync::Arc};

/// Maximum length in bytes that is stored inside the blob.
const INLINE: usize = 22;

/// Immutable bytes; clones share long ones. The blob itself has 24 bytes.
#[derive(Clone)]
pub(super) enum Blob {
    /// `len <= INLINE`; the bytes after it are zero.
    Short {
        len: u8,
        bytes: [u8; INLINE],
    },
    Long(Arc<[u8]>),
}

const _: () = assert!(size_of::<Blob>() == 24);

impl Blob {
    #[inline]
    pub(super) fn new(source: &[u8]) -> Self {
        if source.len() > INLINE {
            return Blob::Long(source.into());
        }
        let mut bytes = [0; INLINE];
        bytes[..source.len()].copy_from_slice(source);
        Blob::Short { len: source.len() as u8, bytes }
    }

    #[inline]
    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            Blob::Short { len, bytes } => &bytes[..usize::from(*len)],
            Blob::Long(bytes) => bytes,
        }
    }

    /// Writes it as a bulk string; a long one is referenced, not copied.
    #[inline]
    pub(super) fn write(&self, out: &mut Writer<'_>) {
        match self {
            Blob::Short { .. } => out.bulk(self.as_bytes()),
            Blob::Long(bytes) => out.bulk_shared(bytes, || Bytes::from_owner(bytes.clone())),
        }
    }

    /// Bytes of memory besides the blob itself, including the allocator's overhead.
    #[inline]
    pub(super) fn heap(&self) -> usize {
        match self {
            Blob::Short { .. } => 0,
            Blob::Long(bytes) => 4 * size_of::<usize>() + bytes.len(),
        }
    }
}

impl PartialEq<[u8]> for Blob {
    #[inline]
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes() == other
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}
