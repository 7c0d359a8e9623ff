//! The writing end of a stream.

use crate::{
    line::{BROKEN, DONE, HALF, Line, STOPPED},
    sync::{Arc, atomic::Ordering::*},
};
use polywire_call::{Status, brpc};
use polywire_wire::{Answer, Part};
use std::{
    future::poll_fn,
    task::{Context, Poll},
};

/// The writing end of a stream. Dropping it closes this half of the stream in order.
pub struct Sink {
    line: Arc<Line>,
}

impl Sink {
    pub(crate) fn new(line: Arc<Line>) -> Self {
        Sink { line }
    }

    /// Server: sends the head of a streamed answer, before its first part. Otherwise the first part implies
    /// an empty head.
    pub fn answer(&mut self, answer: Answer) {
        let _ = self.line.pipe().answer.push(answer); // if there are two heads, the first is kept
        Line::post(&self.line); // if home has ended the head has no receiver
    }

    /// Queues `part` when there is room. Home empties the queue only while the machine has credit, so a slow
    /// peer makes this wait. At a server it also waits after many parts, until other calls had their turn.
    ///
    /// # Errors
    /// CANCELLED when the exchange is over; EBADF if the peer accepts no messages. Queued parts may not have
    /// been sent.
    pub fn poll_send(&mut self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let pipe = self.line.pipe();
        if pipe.turn.is_over(cx) {
            return Poll::Pending;
        }
        for registered in [false, true] {
            if self.line.flags.load(Acquire) & (DONE | STOPPED) != 0 {
                return Poll::Ready(Err(self.over()));
            }
            let Some(next) = part.take() else { return Poll::Ready(Ok(())) };
            match pipe.push_outward(next) {
                Ok(()) => {
                    Line::post(&self.line); // if home has ended the next send fails
                    return Poll::Ready(Ok(()));
                }
                Err(back) => *part = Some(back),
            }
            if !registered {
                pipe.writer.register(cx.waker());
            }
        }
        pipe.turn.end();
        Poll::Pending
    }

    /// Queues `parts` while there is room, and notifies home once for all that were queued. `held` is the
    /// first part without room.
    ///
    /// # Errors
    /// Like [`Sink::poll_send`]; parts that were queued before may have been sent.
    pub fn poll_send_batch(
        &mut self,
        held: &mut Option<Part>,
        parts: &mut impl Iterator<Item = Part>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Status>> {
        let pipe = self.line.pipe();
        if pipe.turn.is_over(cx) {
            return Poll::Pending;
        }
        for registered in [false, true] {
            if self.line.flags.load(Acquire) & (DONE | STOPPED) != 0 {
                return Poll::Ready(Err(self.over()));
            }
            let mut queued = 0;
            while let Some(next) = held.take().or_else(|| parts.next()) {
                match pipe.push_outward(next) {
                    Ok(()) => queued += 1,
                    Err(back) => {
                        *held = Some(back);
                        break;
                    }
                }
            }
            if queued > 0 {
                pipe.turn.count(queued - 1);
                Line::post(&self.line); // if home has ended the next send fails
            }
            if held.is_none() {
                return Poll::Ready(Ok(()));
            }
            if !registered {
                pipe.writer.register(cx.waker());
            }
        }
        pipe.turn.end();
        Poll::Pending
    }

    /// The number of parts that are queued.
    pub fn unsent(&self) -> usize {
        self.line.pipe().outward.len()
    }

    /// Waits until no part is queued, or the exchange is over.
    pub fn poll_flushed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        for registered in [false, true] {
            if self.line.is_drained() || self.line.is_done() {
                return Poll::Ready(());
            }
            if !registered {
                self.line.pipe().writer.register(cx.waker());
            }
        }
        Poll::Pending
    }

    /// Breaks off a stream that a call has offered: its peer sees a failure, and what is queued is not sent.
    pub fn reset(self) {
        self.line.flags.fetch_or(BROKEN, AcqRel); // dropping it tells home
    }

    #[cold]
    fn over(&self) -> Status {
        if self.line.is_done() {
            return Status::cancelled("the stream is over");
        }
        brpc::status(brpc::EBADF, "the peer accepts no messages on this stream")
    }

    /// Sends a part when there is room.
    ///
    /// # Errors
    /// The errors of [`Sink::poll_send`].
    ///
    /// # Cancel safety
    /// A dropped future has either queued the part or dropped it; use `poll_send` to keep it.
    pub async fn send(&mut self, part: Part) -> Result<(), Status> {
        let mut part = Some(part);
        poll_fn(|cx| self.poll_send(&mut part, cx)).await
    }

    /// Like [`Sink::poll_send_batch`], as a future.
    ///
    /// # Cancel safety
    /// A dropped future has queued some of the first parts and dropped the others.
    pub async fn send_batch(&mut self, mut parts: impl Iterator<Item = Part>) -> Result<(), Status> {
        let mut held = None;
        poll_fn(|cx| self.poll_send_batch(&mut held, &mut parts, cx)).await
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if self.line.flags.fetch_or(HALF, AcqRel) & DONE == 0 {
            Line::post(&self.line); // if home has ended the exchange is over
        }
    }
}
