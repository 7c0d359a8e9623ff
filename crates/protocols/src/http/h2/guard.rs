//! Patience with a peer that costs work and brings nothing forward.
//!
//! Source: docs/wire/grpc.md section 1 ("Attack limits"); RFC 9113 10.5
//! Not here: endless heads (`input.rs`), too many PINGs (`pings.rs`).

use super::error::Fault;
use polywire_base::Output;
use polywire_wire::{Flood, Patience, Rate};
use std::time::Instant;

pub(super) struct Guard {
    resets: Bucket,
    mistakes: Bucket,
    controls: Bucket,
    unread: u32,
    /// Answers in `out`.
    answers: u32,
    /// Position in `out` behind the first of them: once it has left, counting begins anew.
    mark: u64,
}

impl Guard {
    pub fn new(patience: &Patience) -> Self {
        Guard {
            resets: Bucket::new(patience.resets),
            mistakes: Bucket::new(patience.mistakes),
            controls: Bucket::new(patience.controls),
            unread: patience.unread,
            answers: 0,
            mark: 0,
        }
    }

    /// The peer gave up a request before its reply had begun.
    pub fn reset(&mut self, now: Instant) -> Result<(), Fault> {
        self.resets.take(now, Fault::Flood(Flood::Resets, "too many streams reset"))
    }

    /// We broke a stream off because of the peer.
    pub fn mistake(&mut self, now: Instant) -> Result<(), Fault> {
        self.mistakes.take(now, Fault::Flood(Flood::Mistakes, "too many broken streams"))
    }

    /// A frame that asks for nothing.
    #[inline]
    pub fn control(&mut self, now: Instant) -> Result<(), Fault> {
        self.controls.take(now, Fault::Flood(Flood::Controls, "too many control frames"))
    }

    /// A frame that moves a message forward.
    #[inline]
    pub fn progress(&mut self) {
        self.controls.give();
    }

    /// An answer that the peer makes us write is now in `out`.
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

/// So many at once, refilled evenly.
struct Bucket {
    rate: Rate,
    left: u32,
    /// When it was last refilled.
    since: Option<Instant>,
}

impl Bucket {
    fn new(rate: Rate) -> Self {
        Bucket { rate, left: rate.burst, since: None }
    }

    #[inline]
    fn take(&mut self, now: Instant, fault: Fault) -> Result<(), Fault> {
        if self.left == 0 {
            self.refill(now);
        }
        let since = self.since.get_or_insert(now);
        debug_assert!(*since <= now);
        self.left = self.left.checked_sub(1).ok_or(fault)?;
        Ok(())
    }

    #[cold]
    fn refill(&mut self, now: Instant) {
        let elapsed = self.since.map_or_else(Default::default, |since| now.saturating_duration_since(since));
        let tokens =
            (elapsed.as_millis() * u128::from(self.rate.per_second) / 1000).min(self.rate.burst.into());
        if tokens > 0 {
            (self.left, self.since) = (tokens as u32, Some(now));
        }
    }

    #[inline]
    fn give(&mut self) {
        self.left = (self.left + 1).min(self.rate.burst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_testkit::epoch;
    use std::time::Duration;

    #[test]
    fn a_bucket_allows_its_burst_and_then_its_rate() {
        let mut bucket = Bucket::new(Rate { burst: 3, per_second: 10 });
        let fault = Fault::protocol("");
        let mut taken = |after: u64| {
            let now = epoch() + Duration::from_millis(after);
            (0..10).take_while(|_| bucket.take(now, fault).is_ok()).count()
        };
        assert_eq!((taken(0), taken(0), taken(99), taken(100), taken(350)), (3, 0, 0, 1, 2));
        assert_eq!(taken(9999), 3);
    }

    #[test]
    fn answers_are_counted_until_they_leave() {
        let mut guard = Guard::new(&Patience { unread: 2, ..Patience::DEFAULT });
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
