//! The handles of a client's user: the rights to a call before it is posted, and to its outcome.

use crate::{
    line::{CALL, Line, Said},
    pipe::Pipe,
    request::Request,
    sink::Sink,
    source::Source,
    sync::Arc,
};
use polywire_base::Inbox;
use polywire_wire::Outcome;
use std::{
    mem::ManuallyDrop,
    ops::{Deref, DerefMut},
    task::{Context, Poll},
};

/// A call with one message each way that is not posted yet. Its request is already at its final address, so
/// that the call moves as one pointer.
pub struct Draft {
    /// The only reference.
    line: Arc<Line>,
}

impl Draft {
    #[inline(always)]
    pub fn new(request: Request) -> Draft {
        let line = Line::draft();
        // SAFETY: ours is the only reference; what is overwritten is nothing.
        line.said.with_mut(|said| unsafe { said.write(Said::Request(request)) });
        Draft { line }
    }

    /// Posts the call. `Err` returns it: the connection has ended and has not seen it.
    #[inline]
    pub fn post(self, inbox: &Arc<Inbox<Line>>) -> Result<Caller, Draft> {
        // SAFETY: ours is the only reference.
        if unsafe { Line::post_first(&self.line, inbox) } {
            Ok(Caller { line: ManuallyDrop::new(self.line) })
        } else {
            Err(self)
        }
    }

    /// Takes the request out, for a call of another kind.
    pub fn into_request(self) -> Request {
        // SAFETY: ours is the only reference, and it ends here.
        match self.line.said.with_mut(|said| unsafe { std::mem::replace(&mut *said, Said::Nothing) }) {
            Said::Request(request) => request,
            Said::Nothing | Said::Answer(_) => unreachable!("made with a request"),
        }
    }
}

impl Deref for Draft {
    type Target = Request;
    #[inline]
    fn deref(&self) -> &Request {
        // SAFETY: ours is the only reference, and it is borrowed.
        match self.line.said.with(|said| unsafe { &*said }) {
            Said::Request(request) => request,
            Said::Nothing | Said::Answer(_) => unreachable!("made with a request"),
        }
    }
}

impl DerefMut for Draft {
    #[inline]
    fn deref_mut(&mut self) -> &mut Request {
        // SAFETY: ours is the only reference, and it is borrowed exclusively.
        match self.line.said.with_mut(|said| unsafe { &mut *said }) {
            Said::Request(request) => request,
            Said::Nothing | Said::Answer(_) => unreachable!("made with a request"),
        }
    }
}

/// The right of a client's user to the outcome of a call. Dropping it does not cancel the call; see
/// [`Caller::abandon`].
pub struct Caller {
    /// Taken out when this is dropped.
    line: ManuallyDrop<Arc<Line>>,
}

impl Caller {
    /// A call with streams, not posted yet.
    pub fn stream(inbox: &Arc<Inbox<Line>>, request: Request, pipe: Box<Pipe>) -> (Arc<Line>, Source, Sink) {
        let line = Line::new(Some(inbox), CALL, Said::Request(request), Some(pipe));
        (line.clone(), Source::new(line.clone()), Sink::new(line))
    }

    /// Ready once, with the outcome of the call.
    #[inline]
    pub fn poll_reply(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        self.poll_heard(cx).map(std::mem::take)
    }

    /// Ready with the outcome of the call where it was left, so that it is copied once.
    #[inline]
    pub fn poll_heard(&mut self, cx: &mut Context<'_>) -> Poll<&mut Outcome> {
        if !self.line.wait(cx.waker()) {
            return Poll::Pending;
        }
        // SAFETY: DONE: home no longer uses `heard`, and this handle, which is borrowed exclusively, is the
        // only one that reads it.
        let heard = self.line.heard.with_mut(|heard| unsafe { &mut *heard });
        Poll::Ready(heard.get_or_insert_with(nothing_heard))
    }

    /// Whether the call has ended.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.line.is_done()
    }

    /// Takes the request back for another attempt, once the call has ended.
    pub fn reclaim(self) -> Option<Request> {
        if !self.line.is_done() {
            return None;
        }
        // SAFETY: DONE: home no longer uses `said`, and this handle is the only one that takes it back.
        match self.line.said.with_mut(|said| unsafe { std::mem::replace(&mut *said, Said::Nothing) }) {
            Said::Request(request) => Some(request),
            Said::Nothing | Said::Answer(_) => None,
        }
    }

    /// Cancels the call: the connection resets the exchange.
    pub fn abandon(&self) {
        Line::abandon(&self.line);
    }
}

impl Drop for Caller {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is taken only here.
        let line = unsafe { ManuallyDrop::take(&mut self.line) };
        #[cfg(not(loom))]
        crate::spare::keep(line);
        #[cfg(loom)]
        drop(line);
    }
}

/// Out of line: else each field of the outcome would be chosen one by one.
#[cold]
#[inline(never)]
fn nothing_heard() -> Outcome {
    Outcome::default()
}
