//! The stack of the calling thread, where it may be walked: not in a signal handler.

pub(crate) use crate::stacks::DEPTH;

/// The calls under way, innermost first; returns their number.
#[cfg(not(miri))]
pub(crate) fn walk(frames: &mut [u64; DEPTH]) -> usize {
    let mut depth = 0;
    // SAFETY: unsynchronized means that names may be looked up at the same time, which this does not.
    unsafe {
        backtrace::trace_unsynchronized(|frame| {
            frames[depth] = (frame.ip().addr() as u64).wrapping_sub(1); // within the calling instruction
            depth += 1;
            depth < DEPTH
        });
    }
    depth
}

#[cfg(miri)]
pub(crate) fn walk(frames: &mut [u64; DEPTH]) -> usize {
    frames[0] = 1;
    1
}
