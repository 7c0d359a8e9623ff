//! The reading end of a stream.

use crate::{
    line::{CALL, Line},
    sync::{Arc, atomic::Ordering::*},
};
use polywire_call::Status;
use polywire_wire::{Answer, Outcome, Part};
use std::{
    future::poll_fn,
    task::{Context, Poll},
};

/// The reading end of a stream. If it is dropped before the end of the stream, a client cancels the exchange,
/// and a server receives no further parts.
pub struct Source {
    line: Arc<Line>,
    /// Bytes and messages that were taken and not granted yet.
    bytes: u64,
    messages: u64,
    /// Whether the last part was delivered.
    over: bool,
    /// Whether the end was delivered, too: the outcome may be taken.
    ended: bool,
}

impl Source {
    pub(crate) fn new(line: Arc<Line>) -> Self {
        Source { line, bytes: 0, messages: 0, over: false, ended: false }
    }

    /// The next part; `None` after the last. Parts that arrived before the end are delivered before it. If
    /// the exchange failed, the error is returned once, after them. At a server it also waits after many
    /// parts, until other calls had their turn.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Part, Status>>> {
        if self.over {
            return Poll::Ready(None);
        }
        if self.line.pipe().turn.is_over(cx) {
            return Poll::Pending;
        }
        for registered in [false, true] {
            // read before the queue, so that everything pushed before DONE is seen
            let done = self.line.is_done();
            if let Some(part) = self.line.pipe().inward.pop() {
                self.took(&part);
                if part.finished {
                    // A server has read everything. At a client the outcome follows, which may be a failure.
                    self.over = !self.line.flag(CALL);
                    if part.bytes.is_empty() && !part.end_of_message {
                        if self.over {
                            return Poll::Ready(None);
                        }
                        return self.poll_next(cx);
                    }
                }
                return Poll::Ready(Some(Ok(part)));
            }
            if done {
                (self.over, self.ended) = (true, true);
                return Poll::Ready(self.end().filter(|status| !status.is_ok()).map(Err));
            }
            if !registered {
                self.line.pipe().reader.register(cx.waker());
            }
        }
        self.line.pipe().turn.end();
        Poll::Pending
    }

    /// Whether a part has arrived and was not taken.
    pub fn has_arrived(&self) -> bool {
        !self.line.pipe().inward.is_empty()
    }

    /// Like [`Source::poll_next`], as a future.
    pub async fn next(&mut self) -> Option<Result<Part, Status>> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// The head of the streamed answer, if it has arrived and was not taken yet.
    pub fn answer(&mut self) -> Option<Answer> {
        self.line.pipe().answer.pop()
    }

    /// Waits for the head of the streamed answer; `None` if a part or the end has arrived without it, or it
    /// was taken.
    pub fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        for registered in [false, true] {
            // Read before the head, because home pushes the head before parts.
            let none = self.over || self.line.is_done() || !self.line.pipe().inward.is_empty();
            if let Some(answer) = self.answer() {
                return Poll::Ready(Some(answer));
            }
            if none {
                return Poll::Ready(None);
            }
            if !registered {
                self.line.pipe().reader.register(cx.waker());
            }
        }
        Poll::Pending
    }

    /// The status with which the exchange ended, if it has; parts that arrived before may still be queued.
    pub fn end(&self) -> Option<Status> {
        if !self.line.is_done() {
            return None;
        }
        // SAFETY: DONE: home no longer uses `heard`, and this handle is the only one that reads or takes it.
        self.line.heard.with(|heard| unsafe { (*heard).as_ref().map(|outcome| outcome.status.clone()) })
    }

    /// Waits for the end of the exchange; parts that arrived before may still be queued. Its waker is that of
    /// [`Source::poll_next`].
    pub fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<Status> {
        for registered in [false, true] {
            if let Some(status) = self.end() {
                return Poll::Ready(status);
            }
            if !registered {
                self.line.pipe().reader.register(cx.waker());
            }
        }
        Poll::Pending
    }

    /// The outcome of the exchange, once `next` has returned its last.
    pub fn outcome(&mut self) -> Option<Outcome> {
        if !self.ended {
            return None;
        }
        // SAFETY: DONE was seen: home no longer uses `heard`, and this handle is the only one that takes it.
        self.line.heard.with_mut(|heard| unsafe { (*heard).take() })
    }

    /// Counts a part that was taken. Home is notified once per half window or half `ahead`, not per message.
    fn took(&mut self, part: &Part) {
        self.bytes += part.bytes.len() as u64;
        self.messages += 1;
        let pipe = self.line.pipe();
        if self.bytes * 2 >= pipe.window as u64 || self.messages * 2 >= pipe.ahead as u64 {
            pipe.taken.fetch_add(self.messages << 40 | self.bytes, AcqRel);
            (self.bytes, self.messages) = (0, 0);
            Line::post(&self.line); // if home has ended there is nothing to grant
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        if !self.over {
            Line::abandon(&self.line);
        }
    }
}
