//! Retry throttling: while too many attempts of a channel fail, failed calls are not tried again.
//!
//! The problem: when a server is overloaded, each retry is one more request for it. So a channel has tokens:
//! a failure costs one, a success earns a fraction of one, and retries are only made while more than half of
//! them are left.
//!
//! Source: gRFC A6, "Throttling Retry Attempts and Hedged RPCs".

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A token, in the thousandths that are counted: "decimal places beyond three are ignored".
pub(super) const TOKEN: u32 = 1000;

pub(crate) struct Throttle {
    /// The tokens in thousandths. Written by every attempt that ends; each write is independent.
    tokens: AtomicU32,
    most: u32,
    /// The amount that a success earns.
    earned: u32,
}

impl Throttle {
    /// Amounts are in thousandths of a token; `most` is at most a thousand tokens.
    pub fn new(most: u32, earned: u32) -> Self {
        Throttle { tokens: AtomicU32::new(most), most, earned }
    }

    pub fn succeeded(&self) {
        self.change(|tokens| tokens.saturating_add(self.earned).min(self.most));
    }

    /// Takes a token for a failure. Returns whether another attempt is still allowed.
    pub fn failed(&self) -> bool {
        self.change(|tokens| tokens.saturating_sub(TOKEN)) > self.most / 2
    }

    /// Whether a further copy of a call may be sent.
    pub fn may_hedge(&self) -> bool {
        self.tokens.load(Relaxed) > self.most / 2
    }

    fn change(&self, change: impl Fn(u32) -> u32) -> u32 {
        let old = self.tokens.fetch_update(Relaxed, Relaxed, |tokens| Some(change(tokens)));
        change(old.unwrap_or_else(|old| old))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_stop_retries_and_successes_bring_them_back() {
        let throttle = Throttle::new(4 * TOKEN, TOKEN / 2);
        assert!(throttle.failed(), "three of four are left");
        assert!(!throttle.failed(), "half are left");
        for _ in 0..10 {
            assert!(!throttle.failed(), "never below none");
        }
        (0..6).for_each(|_| throttle.succeeded());
        assert!(!throttle.failed(), "three less one");
        (0..100).for_each(|_| throttle.succeeded());
        assert!(throttle.failed(), "never above the most: three are left");
        assert!(!throttle.failed());
    }
}
