//! The queues of a stream in both directions.

use crate::{sync::atomic::AtomicU64, turn::Turn};
use polywire_base::{SpscQueue, WakerCell};
use polywire_wire::{Answer, Limits, Part};

/// The queues of a stream in both directions.
///
/// Even a call of one message each way makes a block of both queues of parts, and a relay of it four. So
/// these are short, 456 bytes with eight parts: of such pieces glibc's allocator keeps some at hand for each
/// thread, of those above 1032 bytes none. A queue in steady use allocates nothing with either.
pub struct Pipe {
    /// Home pushes, the user pops. Its capacity is `ahead` plus one, so that the end always fits.
    pub(crate) inward: SpscQueue<Part, 8>,
    /// The head of a streamed answer, before its first part: at a client home pushes it, at a server the
    /// user.
    pub(crate) answer: SpscQueue<Answer, 1>,
    pub(crate) reader: WakerCell,
    /// The user pushes, home pops while there is credit.
    pub(crate) outward: SpscQueue<Part, 8>,
    pub(crate) writer: WakerCell,
    /// The amount that the user has taken since the last grant: messages << 40 | bytes. The user adds to it,
    /// home swaps it.
    pub(crate) taken: AtomicU64,
    pub(crate) turn: Turn,
    pub(crate) ahead: u32,
    pub(crate) window: u32,
}

impl Pipe {
    /// The number of short parts that the user may queue before `send` waits. Parts that were queued while
    /// the connection worked are sent in one write, so a higher number makes both sides sleep less often.
    pub const OUTWARD: usize = 2048;
    /// The maximum number of bytes in short parts that are queued.
    const OUTWARD_BYTES: usize = 256 << 10;
    /// The number of parts of [`Pipe::LONG`] bytes or more, and the maximum number of bytes in those.
    const OUTWARD_LONG: (usize, usize) = (16, 1 << 20);
    /// So many parts may be queued however long they are: one that is being sent, and the next.
    const OUTWARD_LEAST: usize = 2;
    const LONG: usize = Self::OUTWARD_BYTES / Self::OUTWARD_LONG.0;

    /// Queues for the limits of a connection: how many parts and bytes its peer may be ahead of the reader.
    pub fn new(limits: &Limits) -> Box<Pipe> {
        Self::with_outward(limits, Self::OUTWARD)
    }

    pub(crate) fn with_outward(limits: &Limits, outward: usize) -> Box<Pipe> {
        Box::new(Pipe {
            inward: SpscQueue::new(limits.ahead as usize + 1),
            answer: SpscQueue::new(1),
            reader: WakerCell::default(),
            outward: SpscQueue::new(outward),
            writer: WakerCell::default(),
            taken: AtomicU64::new(0),
            turn: Turn::of_client(),
            ahead: limits.ahead,
            window: limits.window,
        })
    }

    /// The number of parts of this many bytes that the user may queue, so that a slow peer does not make us
    /// hold many bytes.
    #[inline]
    pub fn outward(bytes: usize) -> usize {
        if bytes < Self::LONG {
            return (Self::OUTWARD_BYTES / bytes.max(1)).min(Self::OUTWARD);
        }
        (Self::OUTWARD_LONG.1 / bytes).clamp(Self::OUTWARD_LEAST, Self::OUTWARD_LONG.0)
    }

    #[inline]
    pub(crate) fn push_outward(&self, part: Part) -> Result<(), Part> {
        let bytes = part.bytes.len();
        if bytes > Self::OUTWARD_BYTES / Self::OUTWARD && self.outward.len() >= Self::outward(bytes) {
            return Err(part);
        }
        self.outward.push(part)
    }
}
