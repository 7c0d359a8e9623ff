//! A reply in the making.

use bytes::BytesMut;
use polywire_base::IoBuf;

/// Holds one reply while a [`Writer`](super::Writer) writes it; long values are kept by reference.
#[derive(Default)]
pub struct ReplyBuf {
    /// What comes first, up to the last value that was shared.
    pub(super) shared: IoBuf,
    pub(super) tail: BytesMut,
}

impl ReplyBuf {
    /// Values from this length on, in bytes, are shared rather than copied.
    pub const SHARE_FROM: usize = 4096;

    /// Replies up to this length are written one behind the other into the same memory.
    const KEPT: usize = 64 << 10;

    pub fn len(&self) -> usize {
        self.shared.len() + self.tail.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The reply, if none of it is shared: most are short.
    #[inline]
    pub fn as_slice(&self) -> Option<&[u8]> {
        self.shared.is_empty().then_some(&*self.tail)
    }

    /// Forgets what was written; the memory is used again.
    #[inline]
    pub fn clear(&mut self) {
        self.shared = IoBuf::new();
        self.tail.clear();
    }

    /// Takes the reply out, and leaves the memory behind it for the next one, unless it is much.
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
