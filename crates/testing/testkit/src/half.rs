//! One direction of a connection: the bytes in transit.

use crate::rules::Budget;
use bytes::{Buf, Bytes};
use std::{collections::VecDeque, task::Waker, time::Duration};
use tokio::time::Instant;

/// Bytes in transit, or not read yet, from which a writer has to wait.
pub(crate) const CAPACITY: usize = 256 << 10;

/// One direction of a connection.
#[derive(Default)]
pub(crate) struct Half {
    /// Pieces in transit, with the time at which each arrives; times ascend.
    pieces: VecDeque<(Instant, Bytes)>,
    /// The number of bytes that were written and not read, including silently lost ones.
    held: usize,
    /// When the end of the stream arrives.
    end: Option<Instant>,
    /// When the writer learns that the reading end was dropped.
    unread_since: Option<Instant>,
    /// Whether everything that is written is lost.
    pub silent: bool,
    pub budget: Option<Budget>,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

/// The result of a read.
pub(crate) enum Found {
    Bytes(Bytes),
    End,
    /// No bytes before this time; without a time, none before the reader is woken.
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

    /// Takes the next bytes, at most `most`. `partition`: since when the direction is interrupted.
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

    /// The first time, not before `earliest`, at which something sent now may arrive: earlier pieces arrive
    /// first.
    pub fn arrival(&self, earliest: Instant) -> Instant {
        self.pieces.back().map_or(earliest, |(last, _)| earliest.max(*last))
    }

    pub fn push(&mut self, arrives: Instant, bytes: Bytes) {
        self.held += bytes.len();
        self.pieces.push_back((arrives, bytes));
    }

    /// Loses bytes that the writer believes to be in transit.
    pub fn lose(&mut self, bytes: usize) {
        self.held += bytes;
    }

    pub fn end(&mut self, arrives: Instant) {
        self.end.get_or_insert(arrives);
    }

    /// The reader was dropped. The writer learns so at that time.
    pub fn stop_reading(&mut self, told: Instant) {
        self.unread_since.get_or_insert(told);
        self.pieces.clear();
        self.held = 0;
    }

    pub fn is_unread(&self) -> bool {
        self.unread_since.is_some()
    }

    /// Whether the writer knows that the reader was dropped. `partition`: since when the direction that would
    /// report it is interrupted.
    pub fn is_known_unread(&self, now: Instant, partition: Option<Instant>) -> bool {
        self.unread_since.is_some_and(|at| at <= now && partition.is_none_or(|since| at <= since))
    }

    /// After an interruption since `since`: sends the bytes again that had not arrived by then, to arrive
    /// after `delay`.
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

    /// The reader's waker, to be woken without a lock.
    pub fn reader(&mut self) -> Option<Waker> {
        self.reader.take()
    }

    /// The writer's waker, to be woken without a lock.
    pub fn writer(&mut self) -> Option<Waker> {
        self.writer.take()
    }
}
