//! The messages that a stream has sent, kept so that they can be sent again.
//!
//! Limits: [`Resilience::replay_bytes`](crate::Resilience::replay_bytes). Once more bytes were sent than may
//!         be kept, the call is not made again.

use crate::call::streaming::opening::{Opening, Posted};
use polywire_wire::{Outcome, Part};

pub(super) struct Replay {
    opening: Opening,
    kept: Vec<Part>,
    bytes: usize,
    /// The number of the messages that were sent in this attempt.
    sent: usize,
}

/// Number of bytes that each message counts in addition to its length, so that a stream of empty messages is
/// bounded, too.
const PER_MESSAGE: usize = size_of::<Part>();

impl Replay {
    /// `None`: the call is made once.
    pub fn new(opening: Opening) -> Option<Box<Self>> {
        opening.may_repeat().then(|| Box::new(Replay { opening, kept: Vec::new(), bytes: 0, sent: 0 }))
    }

    /// Keeps one more message for replay.
    pub fn keep(&mut self, part: Part) {
        self.bytes = self.bytes.saturating_add(part.bytes.len() + PER_MESSAGE);
        self.kept.push(part);
    }

    /// The next message to be sent in this attempt.
    pub fn next(&self) -> Option<Part> {
        self.kept.get(self.sent).cloned()
    }

    /// Marks the message as sent.
    pub fn sent(&mut self) {
        self.sent += 1;
    }

    /// Whether more was sent than may be kept.
    pub fn is_over_bound(&self) -> bool {
        self.bytes > self.opening.core.defaults.replay_bytes
    }

    /// Posts the call again after an attempt has ended, if that is allowed; then all messages have to be sent
    /// again. `None`: the call has ended with the outcome in `ended`.
    pub async fn post_again(&mut self, ended: &mut Outcome) -> Option<Posted> {
        if ended.status.is_ok() {
            self.opening.succeeded();
            return None;
        }
        if self.is_over_bound() {
            return None;
        }
        let posted = self.opening.post_again(ended).await?;
        self.sent = 0;
        Some(posted)
    }
}
