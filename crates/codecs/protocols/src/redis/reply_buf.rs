//! A buffer for the reply that a handler writes.

use bytes::BytesMut;
use polywire_base::IoBuf;

/// Holds one reply while a [`Writer`](super::Writer) writes it; long values are kept by reference.
#[derive(Default)]
pub struct ReplyBuf {
    /// The first part of the reply, up to the last value that was shared.
    pub(super) shared: IoBuf,
    pub(super) tail: BytesMut,
}

impl ReplyBuf {
    /// Values from this length on, in bytes, are shared rather than copied.
    pub const SHARE_FROM: usize = 4096;

    /// Longest reply whose memory is used again for the next one.
    const KEPT: usize = 64 << 10;

    pub fn len(&self) -> usize {
        self.shared.len() + self.tail.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The reply in one piece, if no value of it is shared, as with most.
    #[inline]
    pub fn as_slice(&self) -> Option<&[u8]> {
        self.shared.is_empty().then_some(&*self.tail)
    }

    /// Removes everything that was written; the memory is reused.
    #[inline]
    pub fn clear(&mut self) {
        self.shared = IoBuf::new();
        self.tail.clear();
    }

    /// Takes the reply, and keeps the rest of the memory for the next one, unless the reply was long.
    #[inline]
    pub fn take(&mut self) -> IoBuf {
        let tail =
            if self.tail.len() > Self::KEPT { std::mem::take(&mut self.tail) } else { self.tail.split() };
        if self.shared.is_empty() {
            return tail.into();
        }
        self.shared.push(tail.freeze());
        std::mem::take(&mut self.shared)
    }
}
