//! The writing end of a stream.

use crate::{
    line::{DONE, HALF, Line, STOPPED},
    sync::{Arc, atomic::Ordering::*},
};
use polywire_call::{Status, brpc};
use polywire_wire::{Answer, Part};
use std::{
    future::poll_fn,
    task::{Context, Poll},
};

/// The writing end of a stream. Dropping it closes our half of the stream in order.
pub struct Sink {
    line: Arc<Line>,
}

impl Sink {
    pub(crate) fn new(line: Arc<Line>) -> Self {
        Sink { line }
    }

    /// Sends the head of a streamed answer, before its first part. Without it the first part makes one. Server only.
    pub fn answer(&mut self, answer: Answer) {
        let _ = self.line.pipe().answer.push(answer); // of two heads the first stands
        Line::post(&self.line); // if home is gone the head has no receiver
    }

    /// Takes `part` when there is room. Home drains the ring only while the machine's credit is open, so a slow peer
    /// makes this wait.
    ///
    /// # Errors
    /// CANCELLED when the exchange is over, EBADF where the peer takes no messages; what was queued may not have been
    /// sent.
    pub fn poll_send(&mut self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let pipe = self.line.pipe();
        for registered in [false, true] {
            if self.line.flags.load(Acquire) & (DONE | STOPPED) != 0 {
                return Poll::Ready(Err(self.over()));
            }
            let Some(next) = part.take() else { return Poll::Ready(Ok(())) };
            match pipe.push_outward(next) {
                Ok(()) => {
                    Line::post(&self.line); // if home is gone the next send says so
                    return Poll::Ready(Ok(()));
                }
                Err(back) => *part = Some(back),
            }
            if !registered {
                pipe.writer.register(cx.waker());
            }
        }
        Poll::Pending
    }

    #[cold]
    fn over(&self) -> Status {
        if self.line.is_done() {
            return Status::cancelled("the stream is over");
        }
        brpc::status(brpc::EBADF, "the peer takes no messages on this stream")
    }

    /// Sends when there is room.
    ///
    /// # Errors
    /// As [`Sink::poll_send`].
    ///
    /// # Cancel safety
    /// A dropped future has either queued the part or lost it to its caller; use `poll_send` to keep it.
    pub async fn send(&mut self, part: Part) -> Result<(), Status> {
        let mut part = Some(part);
        poll_fn(|cx| self.poll_send(&mut part, cx)).await
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if self.line.flags.fetch_or(HALF, AcqRel) & DONE == 0 {
            Line::post(&self.line); // if home is gone the exchange is over
        }
    }
}
