//! One direction of a connection: the bytes that are under way.

use crate::rules::Budget;
use bytes::{Buf, Bytes};
use std::{collections::VecDeque, task::Waker, time::Duration};
use tokio::time::Instant;

/// The number of bytes under way, or not read yet, up to which a writer does not wait.
pub(crate) const CAPACITY: usize = 256 << 10;

/// One direction.
#[derive(Default)]
pub(crate) struct Half {
    /// What is under way, with the time at which it arrives; times ascend.
    pieces: VecDeque<(Instant, Bytes)>,
    /// Bytes that were written and not read. Those that were lost in silence stay here.
    held: usize,
    /// When the end of the stream arrives.
    end: Option<Instant>,
    /// The reading end was dropped; the writer learns so at this time.
    unread_since: Option<Instant>,
    /// What is written is lost.
    pub silent: bool,
    pub budget: Option<Budget>,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

/// What there is to be read.
pub(crate) enum Found {
    Bytes(Bytes),
    End,
    /// Nothing before this time; without one, nothing before somebody wakes the reader.
    Later(Option<Instant>),
}

impl Half {
    pub fn new(budget: Option<Budget>) -> Half {
        Half { budget, ..Half::default() }
    }

    pub fn room(&self) -> usize {
        CAPACITY.saturating_sub(self.held)
    }

    pub fn is_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Takes the next bytes, at most `most`. `partition`: the direction has been interrupted since then.
    pub fn take(&mut self, now: Instant, partition: Option<Instant>, most: usize) -> Found {
        let last = |at: Instant| partition.is_some_and(|since| at > since);
        if let Some((at, piece)) = self.pieces.front_mut() {
            if last(*at) {
                return Found::Later(None);
            }
            if *at > now {
                return Found::Later(Some(*at));
            }
            let taken = piece.split_to(most.min(piece.len()));
            if !piece.has_remaining() {
                self.pieces.pop_front();
            }
            self.held -= taken.len();
            return Found::Bytes(taken);
        }
        match self.end {
            Some(at) if last(at) => Found::Later(None),
            Some(at) if at > now => Found::Later(Some(at)),
            Some(_) => Found::End,
            None => Found::Later(None),
        }
    }

    /// The first time from `earliest` on at which something sent now may arrive: what was sent before comes first.
    pub fn arrival(&self, earliest: Instant) -> Instant {
        self.pieces.back().map_or(earliest, |(last, _)| earliest.max(*last))
    }

    pub fn push(&mut self, arrives: Instant, bytes: Bytes) {
        self.held += bytes.len();
        self.pieces.push_back((arrives, bytes));
    }

    /// Bytes that never arrive, and that the writer believes to be under way.
    pub fn lose(&mut self, bytes: usize) {
        self.held += bytes;
    }

    pub fn end(&mut self, arrives: Instant) {
        self.end.get_or_insert(arrives);
    }

    /// Nobody reads any more. The writer is told at that time.
    pub fn stop_reading(&mut self, told: Instant) {
        self.unread_since.get_or_insert(told);
        self.pieces.clear();
        self.held = 0;
    }

    pub fn is_unread(&self) -> bool {
        self.unread_since.is_some()
    }

    /// The writer knows that nobody reads. `partition`: what it would be told by has been interrupted since then.
    pub fn is_known_unread(&self, now: Instant, partition: Option<Instant>) -> bool {
        self.unread_since.is_some_and(|at| at <= now && partition.is_none_or(|since| at <= since))
    }

    /// After an interruption since `since`, what had not arrived by then is sent again, and arrives after `delay`.
    pub fn send_again(&mut self, since: Instant, now: Instant, delay: Duration) {
        let mut earliest = now + delay;
        for (at, _) in self.pieces.iter_mut().filter(|(at, _)| *at > since) {
            *at = earliest.max(*at);
            earliest = *at;
        }
        if let Some(at) = self.end.as_mut().filter(|at| **at > since) {
            *at = earliest.max(*at);
        }
    }

    pub fn wait_to_read(&mut self, waker: &Waker) {
        self.reader = Some(waker.clone());
    }

    pub fn wait_to_write(&mut self, waker: &Waker) {
        self.writer = Some(waker.clone());
    }

    /// To be woken without a lock.
    pub fn reader(&mut self) -> Option<Waker> {
        self.reader.take()
    }

    /// To be woken without a lock.
    pub fn writer(&mut self) -> Option<Waker> {
        self.writer.take()
    }
}
