//! Counters of finished calls.

use crate::failure;
use hdrhistogram::Histogram;
use polywire::{Raw, Reply, Status};
use std::{collections::BTreeMap, time::Duration};

/// Longest latency that is distinguished; longer ones count as this long.
pub const LONGEST: Duration = Duration::from_secs(60);

/// Counts of calls that ended. Tallies of several threads or seconds are merged.
pub struct Tally {
    /// Latencies of successful calls, microseconds, three digits, 1 us to [`LONGEST`].
    pub latency: Histogram<u64>,
    /// Successful calls that ended before the run's time was over, or all of them if none did.
    pub in_time: u64,
    /// Failed calls, by code.
    pub errors: BTreeMap<String, Failed>,
    /// Bytes of requests and replies, attachments included, without framing.
    pub bytes: u64,
    /// Messages in both directions, for methods that stream.
    pub messages: u64,
    /// Open loop: calls sent more than [`super::open::LATE`] after their planned time.
    pub late: u64,
    /// Open loop: calls that were planned, and not sent before the run's time was over.
    pub unsent: u64,
}

/// Calls that failed in the same way.
#[derive(Clone, Default)]
pub struct Failed {
    pub calls: u64,
    /// The first one's message.
    pub message: String,
    /// The duration of the longest call.
    pub longest: Duration,
}

impl Tally {
    pub fn new() -> Self {
        let longest = LONGEST.as_micros() as u64;
        Tally {
            latency: Histogram::new_with_bounds(1, longest, 3).expect("constant bounds that fit"),
            in_time: 0,
            errors: BTreeMap::new(),
            bytes: 0,
            messages: 0,
            late: 0,
            unsent: 0,
        }
    }

    /// Counts a call that succeeded. Hot path: once per call.
    #[inline]
    pub fn succeeded(&mut self, latency: Duration, bytes: usize) {
        self.latency.saturating_record(latency.as_micros() as u64);
        self.bytes += bytes as u64;
    }

    /// Counts a call that failed after `took`.
    #[cold]
    pub fn failed(&mut self, code: &str, message: impl Into<String>, took: Duration) {
        if !self.errors.contains_key(code) {
            self.errors.insert(code.to_owned(), Failed { message: message.into(), ..Failed::default() });
        }
        let failed = self.errors.get_mut(code).expect("just inserted");
        failed.calls += 1;
        failed.longest = failed.longest.max(took);
    }

    /// Like [`Tally::failed`], by the status of the call.
    #[cold]
    pub fn failed_with(&mut self, status: &Status, took: Duration) {
        self.failed(status.code().name(), failure::of_call(status), took);
    }

    /// Duration of the longest failed call.
    pub fn longest_failure(&self) -> Duration {
        self.errors.values().map(|failed| failed.longest).max().unwrap_or_default()
    }

    pub fn successes(&self) -> u64 {
        self.latency.len()
    }

    pub fn failures(&self) -> u64 {
        self.errors.values().map(|failed| failed.calls).sum()
    }

    pub fn calls(&self) -> u64 {
        self.successes() + self.failures()
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.latency.add(&other.latency).expect("the same bounds");
        self.in_time += other.in_time;
        self.bytes += other.bytes;
        self.messages += other.messages;
        self.late += other.late;
        self.unsent += other.unsent;
        for (code, failed) in &other.errors {
            let sum = self
                .errors
                .entry(code.clone())
                .or_insert_with(|| Failed { message: failed.message.clone(), ..Failed::default() });
            sum.calls += failed.calls;
            sum.longest = sum.longest.max(failed.longest);
        }
    }
}

/// Bytes of a reply, without framing.
#[inline]
pub fn reply_bytes(reply: &Reply<Raw>) -> usize {
    reply.body.len() + reply.attachment().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_failure_is_kept_apart_from_the_latencies_and_survives_a_merge() {
        let (mut all, mut other) = (Tally::new(), Tally::new());
        all.succeeded(Duration::from_micros(50), 1);
        all.failed("UNAVAILABLE", "refused", Duration::from_micros(70));
        other.failed("UNAVAILABLE", "refused", Duration::from_secs(7));
        other.failed("DEADLINE_EXCEEDED", "late", Duration::from_secs(1));
        all.merge(&other);
        assert_eq!(all.longest_failure(), Duration::from_secs(7));
        assert_eq!((all.latency.max(), all.calls()), (50, 4));
    }
}
