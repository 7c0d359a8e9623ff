//! The sending half of a stream: the peer's window, and the messages that wait for room.
//!
//! "A write is accepted iff produced < remote_consumed + window": the check comes before the message, so one
//! message may exceed the window.

use super::frame::{Ends, rst};
use polywire_base::Output;
use polywire_call::Status;
use polywire_wire::{Credit, Limits, Part};
use std::collections::VecDeque;

/// Longest segment in bytes. It is far below what any peer accepts in one frame (64 MiB by default), so that
/// other streams get their turn.
pub(super) const SEGMENT: usize = 256 << 10;
/// Number of messages that may wait for room before the sender has to wait. It bounds empty messages, which
/// use no window.
const MOST_QUEUED: usize = 1024;

#[derive(Default)]
pub(super) struct Sender {
    /// Number of bytes accepted for sending.
    produced: u64,
    consumed: u64,
    queue: VecDeque<Part>,
    queued: usize,
    /// Whether the last credit was closed.
    stalled: bool,
    last: Last,
}

/// The end that is sent after the last message.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Last {
    #[default]
    Nothing,
    /// The end of this side's half; the peer's half continues.
    Half,
    Close,
}

impl Sender {
    /// The number of messages and bytes that may be sent now. `window`: brpc's `max_buf_size`.
    pub fn credit(&mut self, limits: &Limits) -> Credit {
        let window = u64::from(limits.backlog);
        let left = (self.consumed + window).saturating_sub(self.produced).min(u64::from(u32::MAX));
        let credit =
            Credit { bytes: left as u32, messages: MOST_QUEUED.saturating_sub(self.queue.len()) as u32 };
        self.stalled = !credit.is_open();
        credit
    }

    /// The credit that a sender who was stopped now gets.
    pub fn reopened(&mut self, limits: &Limits) -> Option<Credit> {
        if !self.stalled {
            return None;
        }
        Some(self.credit(limits)).filter(|credit| credit.is_open())
    }

    /// The peer's FEEDBACK cannot be read at present. If the sender waits for it, the bytes that were sent
    /// count as consumed; the peer's socket limits the sender instead.
    pub fn presume_consumed(&mut self) {
        if self.stalled && self.queue.is_empty() {
            self.consumed = self.produced;
        }
    }

    /// "Values not larger than the known one are ignored." A value above the number of bytes sent counts as
    /// that number.
    pub fn feedback(&mut self, consumed: u64) {
        self.consumed = self.consumed.max(consumed.min(self.produced - self.queued as u64));
    }

    /// Sends a message, or a piece of one. Returns whether all of it has been sent.
    pub fn send(&mut self, out: &mut Output, ends: Ends, part: &Part) -> bool {
        self.produced += part.bytes.len() as u64;
        if self.queue.is_empty() && out.room() > 0 && part.bytes.len() <= SEGMENT {
            ends.data(out, &part.bytes, !part.end_of_message);
            return true;
        }
        self.queued += part.bytes.len();
        self.queue.push_back(part.clone());
        false
    }

    /// Ends the sending half with this.
    pub fn end(&mut self, last: Last) {
        self.last = self.last.max_with(last);
    }

    /// Writes the next segment, or the end after the last one. Returns whether more waits.
    pub fn turn(&mut self, out: &mut Output, ends: Ends) -> bool {
        if let Some(mut part) = self.queue.pop_front() {
            let segment = part.bytes.cut(part.bytes.len().min(SEGMENT));
            self.queued -= segment.len();
            let whole = part.bytes.is_empty();
            ends.data(out, &segment, !(whole && part.end_of_message));
            if !whole {
                self.queue.push_front(part);
            }
        }
        if !self.queue.is_empty() {
            return true;
        }
        match std::mem::take(&mut self.last) {
            Last::Nothing => {}
            Last::Half => ends.half(out),
            Last::Close => ends.close(out),
        }
        false
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Drops the waiting data, and notifies the peer.
    pub fn abandon(&mut self, out: &mut Output, ends: Ends, why: Option<&Status>) {
        self.clear();
        rst(out, ends.to, why);
    }

    pub fn clear(&mut self) {
        self.queue = VecDeque::new();
        self.queued = 0;
    }

    pub fn held(&self) -> usize {
        self.queued
    }
}

impl Last {
    /// A stream that is closed has no half left to end.
    fn max_with(self, other: Last) -> Last {
        if self == Last::Close { self } else { other }
    }
}
