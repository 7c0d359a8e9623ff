//! Limits on a peer that causes work without progress of any message.
//!
//! Source: docs/wire/grpc.md section 1 ("Attack limits"); RFC 9113 10.5
//! Not here: endless heads (`input.rs`), too many PINGs (`pings.rs`).

use super::error::Fault;
use crate::http::token_bucket::TokenBucket;
use polywire_base::Output;
use polywire_wire::{Flood, Patience, Rate};
use std::time::Instant;

/// Number of control frames with which common peers answer a frame of a message: a WINDOW_UPDATE of its
/// stream, one of the connection, and a PING that measures the bandwidth-delay product.
const ANSWERS: u32 = 3;

/// The ratio of the rate of refusals to that of [`Patience::resets`]. Refusals run no handler and cost little
/// more than their frames. 50 callers of grpc-go whose deadlines are a millisecond reach 33 times the
/// default.
const REFUSALS: u32 = 400;

pub(super) struct Guard {
    resets: TokenBucket,
    /// The number of requests that were reset when `resets` was spent; they are paid for before another one
    /// is accepted.
    owed: u32,
    refusals: TokenBucket,
    mistakes: TokenBucket,
    controls: TokenBucket,
    unread: u32,
    /// Number of answers in `out` that have not been sent.
    answers: u32,
    /// Position in `out` after the first of these answers; counting begins again when it has been sent.
    mark: u64,
}

impl Guard {
    pub fn new(patience: &Patience) -> Self {
        Guard {
            resets: TokenBucket::new(patience.resets),
            owed: 0,
            refusals: TokenBucket::new(Rate {
                burst: patience.resets.burst.saturating_mul(REFUSALS),
                per_second: patience.resets.per_second.saturating_mul(REFUSALS),
            }),
            mistakes: TokenBucket::new(patience.mistakes),
            controls: TokenBucket::new(patience.controls),
            unread: patience.unread,
            answers: 0,
            mark: 0,
        }
    }

    /// Counts a request that the peer reset before its reply had begun.
    pub fn reset(&mut self, now: Instant) {
        if self.owed > 0 || !self.resets.take(now) {
            self.owed = self.owed.saturating_add(1);
        }
    }

    /// Whether so many requests were reset that further ones are refused: each request that is accepted may
    /// run a handler whose reply is not wanted.
    #[inline]
    pub fn refuses(&mut self, now: Instant) -> bool {
        self.resets.is_spent() && self.still_refuses(now)
    }

    #[cold]
    fn still_refuses(&mut self, now: Instant) -> bool {
        self.resets.refill(now);
        while self.owed > 0 && self.resets.take(now) {
            self.owed -= 1;
        }
        self.resets.is_spent()
    }

    /// Counts a request that was refused.
    pub fn refused(&mut self, now: Instant) -> Result<(), Fault> {
        allowed(self.refusals.take(now), Flood::Resets, "too many streams reset")
    }

    /// Notes a reply that has begun: a peer that takes replies may give up as many requests.
    #[inline]
    pub fn replied(&mut self) {
        match self.owed {
            0 => self.resets.give(1),
            _ => self.owed -= 1,
        }
    }

    /// Counts a stream that this side reset because of the peer.
    pub fn mistake(&mut self, now: Instant) -> Result<(), Fault> {
        allowed(self.mistakes.take(now), Flood::Mistakes, "too many broken streams")
    }

    /// Counts a frame that makes no message progress.
    #[inline]
    pub fn control(&mut self, now: Instant) -> Result<(), Fault> {
        allowed(self.controls.take(now), Flood::Controls, "too many control frames")
    }

    /// Notes a frame that makes a message progress.
    #[inline]
    pub fn progress(&mut self) {
        self.controls.give(1);
    }

    /// Notes a frame that makes a message progress and that this side has sent.
    #[inline]
    pub fn sent(&mut self) {
        self.controls.give(ANSWERS);
    }

    /// Notes a PING or SETTINGS of this side, which the peer must acknowledge.
    pub fn asked(&mut self) {
        self.controls.give(1);
    }

    /// Counts an answer in `out` that the peer has caused.
    pub fn answer(&mut self, out: &Output) -> Result<(), Fault> {
        if out.flushed() >= self.mark {
            (self.answers, self.mark) = (0, out.position());
        }
        self.answers += 1;
        if self.answers > self.unread {
            return Err(Fault::Flood(Flood::Unread, "answers are not read"));
        }
        Ok(())
    }
}

#[inline]
fn allowed(taken: bool, flood: Flood, text: &'static str) -> Result<(), Fault> {
    if taken { Ok(()) } else { Err(Fault::Flood(flood, text)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_until_they_leave() {
        let mut guard = Guard::new(&Patience::DEFAULT.unread(2));
        let mut out = Output::default();
        let mut answer = |out: &mut Output| {
            out.put(b"answer");
            guard.answer(out)
        };
        assert!(answer(&mut out).is_ok() && answer(&mut out).is_ok());
        out.advance(out.len());
        assert!(answer(&mut out).is_ok() && answer(&mut out).is_ok());
        assert_eq!(
            answer(&mut out).map_err(Fault::wire),
            Err(polywire_wire::WireError::Flood(Flood::Unread))
        );
    }
}
