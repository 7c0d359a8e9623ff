//! What a stream has sent, kept so that it can be sent again.
//!
//! Bounded: once more bytes were sent than may be kept, the call is not made again.

use super::Opening;
use crate::pool::exclusive::Lease;
use polywire_call::Status;
use polywire_engine::{Sink, Source};
use polywire_wire::{Outcome, Part};

pub(super) struct Replay {
    opening: Opening,
    kept: Vec<Part>,
    bytes: usize,
    /// So many of them were sent in this attempt.
    sent: usize,
}

/// What a message costs beside its bytes: a stream of empty ones ends somewhere, too.
const PER_MESSAGE: usize = size_of::<Part>();

impl Replay {
    /// `None`: the call is made once.
    pub fn new(opening: Opening) -> Option<Box<Self>> {
        opening.may_repeat().then(|| Box::new(Replay { opening, kept: Vec::new(), bytes: 0, sent: 0 }))
    }

    /// One more message to be sent.
    pub fn keep(&mut self, part: Part) {
        self.bytes = self.bytes.saturating_add(part.bytes.len() + PER_MESSAGE);
        self.kept.push(part);
    }

    /// The next one to be sent in this attempt.
    pub fn next(&self) -> Option<Part> {
        self.kept.get(self.sent).cloned()
    }

    /// It was sent.
    pub fn sent(&mut self) {
        self.sent += 1;
    }

    /// Too much to be kept.
    pub fn is_over_bound(&self) -> bool {
        self.bytes > self.opening.shared.options.replay
    }

    /// The attempt ended like this: waits for the next one. False: there is none.
    pub async fn again(&mut self, outcome: &Outcome) -> bool {
        if outcome.status.is_ok() {
            self.opening.succeeded();
            return false;
        }
        !self.is_over_bound() && self.opening.again(outcome).await
    }

    /// Another attempt: all is to be sent again.
    pub fn post(&mut self) -> Result<(Source, Sink, Option<Lease>), Status> {
        self.sent = 0;
        self.opening.post()
    }
}
