//! The queues of a stream in both directions.

use crate::sync::atomic::AtomicU64;
use polywire_base::{Ring, WakerCell};
use polywire_wire::{Answer, Limits, Part};

/// The queues of a stream in both directions.
pub struct Pipe {
    /// Home pushes, the user pops. Its capacity is `ahead` plus one, so that the end always fits.
    pub(crate) inward: Ring<Part>,
    /// The head of a streamed answer, before its first part: at a client home pushes it, at a server the user.
    pub(crate) answer: Ring<Answer>,
    pub(crate) reader: WakerCell,
    /// The user pushes, home pops while there is credit.
    pub(crate) outward: Ring<Part>,
    pub(crate) writer: WakerCell,
    /// What the user has taken since the last grant: messages << 40 | bytes. The user adds to it, home swaps
    /// it.
    pub(crate) taken: AtomicU64,
    pub(crate) ahead: u32,
    pub(crate) window: u32,
}

impl Pipe {
    /// The number of parts that the user may queue before `send` waits. They are sent in one write when both
    /// sides take turns: with 64 parts of 100 bytes one stream carries 1.4 times the messages per second that
    /// it carries with 16.
    pub const OUTWARD: usize = 64;
    /// The number for parts of more than [`Pipe::LONG`] bytes, so that a slow peer does not make us hold many
    /// of them.
    pub const OUTWARD_LONG: usize = 16;
    /// Parts of more than this many bytes are long.
    pub const LONG: usize = 4 << 10;

    /// Queues for the limits of a connection: how many parts and bytes its peer may be ahead of the reader.
    pub fn new(limits: &Limits) -> Box<Pipe> {
        Self::with_outward(limits, Self::OUTWARD)
    }

    pub(crate) fn with_outward(limits: &Limits, outward: usize) -> Box<Pipe> {
        Box::new(Pipe {
            inward: Ring::new(limits.ahead as usize + 1),
            answer: Ring::new(1),
            reader: WakerCell::default(),
            outward: Ring::new(outward),
            writer: WakerCell::default(),
            taken: AtomicU64::new(0),
            ahead: limits.ahead,
            window: limits.window,
        })
    }

    #[inline]
    pub(crate) fn push_outward(&self, part: Part) -> Result<(), Part> {
        if part.bytes.len() > Self::LONG && self.outward.len() >= Self::OUTWARD_LONG {
            return Err(part);
        }
        self.outward.push(part)
    }
}
