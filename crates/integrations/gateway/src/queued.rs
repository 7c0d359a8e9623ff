//! The charges of replies that the caller's connection has not taken yet. Then it counts them itself.

use polywire_client::spawn;
use polywire_exchange::Sink;
use polywire_server::Charge;
use std::{
    collections::VecDeque,
    future::poll_fn,
    task::{Context, Poll},
};

/// Charges of the replies of one call, in their order.
#[derive(Default)]
pub(crate) struct Queued {
    /// Each with the number of its reply.
    charges: VecDeque<(u64, Charge)>,
    replies: u64,
}

impl Queued {
    /// The next reply.
    #[inline]
    pub fn add(&mut self, charge: Option<Charge>) {
        self.replies += 1;
        if let Some(charge) = charge {
            self.charges.push_back((self.replies, charge));
        }
    }

    /// Ends the charges of replies that were taken; ready when none is left. `in_hand`: the last reply is not
    /// in the queue yet.
    #[inline]
    pub fn poll_taken(&mut self, sink: &mut Sink, in_hand: bool, cx: &mut Context<'_>) -> Poll<()> {
        if self.charges.is_empty() { Poll::Ready(()) } else { self.settle(sink, in_hand, cx) }
    }

    /// The call has ended, and nothing more is sent. Its last replies may wait for long yet; a single one
    /// does not, as the connection takes the first of a call at once.
    pub fn outlive(mut self, mut sink: Sink) {
        if self.replies > 1 && !self.charges.is_empty() {
            spawn(async move { poll_fn(|cx| self.poll_taken(&mut sink, false, cx)).await });
        }
    }

    #[cold]
    fn settle(&mut self, sink: &mut Sink, in_hand: bool, cx: &mut Context<'_>) -> Poll<()> {
        if sink.poll_flushed(cx).is_ready() && !in_hand {
            self.charges.clear();
            return Poll::Ready(());
        }
        let taken = self.replies - u64::from(in_hand) - sink.unsent() as u64;
        while self.charges.front().is_some_and(|(number, _)| *number <= taken) {
            self.charges.pop_front();
        }
        if self.charges.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    }
}
