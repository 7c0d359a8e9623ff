//! Memory that connections of a thread use one after the other, so that idle connections hold none: buffers
//! of long messages that were taken, and the buffer for output.
//!
//! A long message costs a page fault for each page that it fills for the first time, which is more than
//! reading it costs. So its buffer is reused by the next connection of the thread that has a long message.
//! The handle that is kept here refers to memory that the receiver of the message may still use; the memory
//! becomes available once the receiver has dropped it.

use bytes::BytesMut;
use std::cell::{Cell, RefCell};

/// Number of buffers that a thread keeps.
const MOST: usize = 8;
/// The sum of their sizes in bytes: the default limit of a message.
const MOST_BYTES: usize = 64 << 20;

/// Size in bytes of the largest output buffer that a thread keeps.
pub(crate) const MOST_WRITTEN: usize = 1 << 20;

thread_local! {
    /// Handles and the sizes of their memory, the most recently used last.
    static SPARE: RefCell<Vec<(BytesMut, usize)>> = const { RefCell::new(Vec::new()) };
    static WRITING: Cell<BytesMut> = Cell::new(BytesMut::new());
}

/// Memory for the output of a connection during its turn.
#[inline]
pub(crate) fn take_writing() -> BytesMut {
    WRITING.take()
}

/// Returns the memory once the connection has nothing left to send.
#[inline]
pub(crate) fn put_writing(memory: BytesMut) {
    if memory.capacity() > 0 {
        WRITING.set(memory);
    }
}

/// Keeps a handle to a buffer of `size` bytes and drops the oldest ones for it.
pub(crate) fn put(handle: BytesMut, size: usize) {
    if size == 0 || size > MOST_BYTES {
        return;
    }
    SPARE.with_borrow_mut(|spare| {
        spare.push((handle, size));
        while spare.len() > MOST || spare.iter().map(|(_, size)| size).sum::<usize>() > MOST_BYTES {
            spare.remove(0);
        }
    });
}

/// An empty buffer with room for `n` bytes and the size of its memory, if there is one that is no longer
/// referenced. The buffer's own `capacity` may be less than that size: it is only the requested capacity.
pub(crate) fn take(n: usize) -> Option<(BytesMut, usize)> {
    SPARE.with_borrow_mut(|spare| {
        let free = spare.iter_mut().rposition(|(handle, size)| *size >= n && handle.try_reclaim(n))?;
        Some(spare.remove(free))
    })
}

/// Drops the buffers of long messages that the thread keeps.
pub(crate) fn clear() {
    SPARE.with_borrow_mut(Vec::clear);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message in a buffer of `size` bytes, and the handle to that buffer.
    fn message(size: usize) -> (bytes::Bytes, BytesMut) {
        let mut buffer = BytesMut::with_capacity(size);
        buffer.resize(size, 7);
        (buffer.split().freeze(), buffer)
    }

    #[test]
    fn a_buffer_is_used_again_once_its_message_is_gone() {
        let (held, handle) = message(1000);
        let address = held.as_ptr();
        put(handle, 1000);
        assert!(take(1000).is_none(), "somebody looks at it");
        drop(held);
        assert!(take(1001).is_none(), "too small");
        let (again, size) = take(900).expect("free");
        assert_eq!((again.as_ptr(), again.len(), size), (address, 0, 1000));
        assert!(take(1).is_none(), "taken");
    }

    #[test]
    fn what_a_thread_keeps_is_bounded_in_number_and_bytes() {
        for size in [1000, MOST_BYTES / 4] {
            (0..20).for_each(|_| put(message(size).1, size));
            let taken = (0..20).map_while(|_| take(size)).count();
            assert_eq!(taken, MOST.min(MOST_BYTES / size));
        }
        put(message(MOST_BYTES + 1).1, MOST_BYTES + 1);
        assert!(take(1).is_none());
    }
}
