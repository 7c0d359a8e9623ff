//! The connection's handle: the right to the lines of its inbox.

use crate::{
    line::{ANSWERED, CALL, DONE, Line, Said},
    request::Request,
    sync::{Arc, atomic::Ordering::*},
};
use polywire_base::Inbox;
use polywire_wire::Outcome;

/// The right of a connection to the lines of its inbox. A connection has one desk.
pub struct Desk {
    inbox: Arc<Inbox<Line>>,
}

impl Default for Desk {
    fn default() -> Self {
        Desk::new()
    }
}

impl Desk {
    /// A desk with a new inbox. Each inbox has one desk.
    pub fn new() -> Self {
        Desk { inbox: Arc::new(Inbox::default()) }
    }

    /// The inbox to which lines for this desk are posted.
    pub fn inbox(&self) -> &Arc<Inbox<Line>> {
        &self.inbox
    }

    #[inline]
    fn check(&self, line: &Line) {
        assert!(Arc::ptr_eq(&self.inbox, line.inbox()), "a line of another desk");
    }

    /// The request of a call that has not ended, to be encoded.
    #[inline]
    pub fn request<'d>(&'d self, line: &'d Line) -> Option<&'d Request> {
        self.check(line);
        if line.flags.load(Acquire) & (DONE | CALL) != CALL {
            return None;
        }
        // SAFETY: a call's `said` was written before the line was shared, and its caller takes it back after
        // DONE only. DONE is set by this desk alone, through `&mut self`, so not while this reference lives.
        match line.said.with(|said| unsafe { &*said }) {
            Said::Request(request) => Some(request),
            Said::Nothing | Said::Answer(_) => None,
        }
    }

    /// Takes the outcome that a handler has set, once it has answered.
    pub fn take_answer(&mut self, line: &Line) -> Option<Outcome> {
        self.check(line);
        if line.flags.load(Acquire) & (ANSWERED | CALL) != ANSWERED {
            return None;
        }
        // SAFETY: ANSWERED: the answerer no longer uses `said`; on a line that is not a client's call, no
        // other handle does.
        let said = line.said.with_mut(|said| unsafe { std::mem::replace(&mut *said, Said::Nothing) });
        match said {
            Said::Answer(outcome) => Some(outcome),
            Said::Nothing | Said::Request(_) => None,
        }
    }

    /// Ends the exchange with an outcome, and wakes the user if it waits. Has no effect on a line that has
    /// ended.
    #[inline]
    pub fn complete(&mut self, line: &Line, outcome: Outcome) {
        self.check(line);
        if line.is_done() {
            return;
        }
        // SAFETY: not DONE: the user does not read `heard`, and home is this desk, held exclusively.
        line.heard.with_mut(|heard| unsafe { *heard = Some(outcome) });
        line.end();
    }

    /// Ends the exchange without an outcome: a handler that still runs is dropped.
    #[inline]
    pub fn cancel(&mut self, line: &Line) {
        self.check(line);
        line.end();
    }
}
