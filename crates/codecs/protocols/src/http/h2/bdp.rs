//! The bandwidth-delay product (BDP) of the connection, which its windows should hold.
//!
//! A smaller window makes the sender wait for updates that are still on their way. Therefore, while windows
//! are in use (one of this side's was just reopened), a PING is sent, and the bytes that arrive before its
//! answer are counted. If they are at least two thirds of the known product, and came faster than ever
//! before, the new product is twice their number. The product only grows, up to `Limits::window_growth`.
//!
//! Source: the estimators of grpc-go and hyper; RFC 9113 5.2.2 leaves the method open.

use std::time::Instant;

pub(super) struct Bdp {
    /// Bandwidth-delay product in bytes, to which windows are sized.
    product: u32,
    most: u32,
    sample: Option<Sample>,
    /// Highest bandwidth measured, in bytes per second.
    best: f64,
}

struct Sample {
    since: Instant,
    bytes: u64,
}

impl Bdp {
    /// `window`: initial size of windows; `growth`: by how much they may grow.
    pub fn new(window: u32, growth: u32) -> Self {
        Bdp { product: window, most: window.saturating_add(growth), sample: None, best: 0.0 }
    }

    #[inline]
    pub fn product(&self) -> u32 {
        self.product
    }

    /// Called when a window was reopened; true if a PING is to be sent now.
    pub fn begin(&mut self, now: Instant) -> bool {
        let begins = self.sample.is_none() && self.product < self.most;
        if begins {
            self.sample = Some(Sample { since: now, bytes: 0 });
        }
        begins
    }

    #[inline]
    pub fn receive(&mut self, bytes: usize) {
        if let Some(sample) = &mut self.sample {
            sample.bytes += bytes as u64;
        }
    }

    /// Called when the PING was answered; true if the product has grown.
    pub fn end(&mut self, now: Instant) -> bool {
        let Some(sample) = self.sample.take() else { return false };
        let seconds = now.saturating_duration_since(sample.since).as_secs_f64().max(1e-6);
        let rate = sample.bytes as f64 / seconds;
        let fills = 3 * sample.bytes >= 2 * u64::from(self.product);
        if !fills || rate <= self.best {
            return false;
        }
        self.best = rate;
        let product = (2 * sample.bytes).clamp(self.product.into(), self.most.into()) as u32;
        std::mem::replace(&mut self.product, product) != product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_machine_testing::epoch;
    use std::time::Duration;

    #[test]
    fn grows_with_what_comes_in_a_round_trip_up_to_its_bound() {
        let mut speed = Bdp::new(64 << 10, 1 << 20);
        let mut now = epoch();
        let mut round = |bytes: usize, ms: u64| {
            assert!(speed.begin(now));
            assert!(!speed.begin(now), "one PING at a time");
            speed.receive(bytes);
            now += Duration::from_millis(ms);
            speed.end(now);
            speed.product()
        };
        assert_eq!(round(40 << 10, 10), 64 << 10); // less than two thirds
        assert_eq!(round(50 << 10, 10), 100 << 10);
        assert_eq!(round(90 << 10, 20), 100 << 10); // not faster
        assert_eq!(round(100 << 10, 10), 200 << 10);
        assert_eq!(round(900 << 10, 10), (1 << 20) + (64 << 10));
        assert!(!speed.begin(now), "nothing more to learn");
    }
}
