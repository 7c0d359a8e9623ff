//! The keepalive time of a channel: how often its connections send a PING to find out whether the server is
//! still there.
//!
//! Source: gRFC A8: on GOAWAY with ENHANCE_YOUR_CALM and "too_many_pings" a client doubles its keepalive
//!         time; the connections that it makes from then on send PINGs less often.

use polywire_wire::Limits;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The most doublings that are counted: a millisecond has become 25 days by then.
const MOST: u32 = 31;

/// The factor by which the connections of one channel lengthen the configured time between PINGs. All of them
/// share it.
#[derive(Default)]
pub(crate) struct Keepalive {
    /// The number of times the interval was doubled. Written by any connection; relaxed, since no other data
    /// depends on it.
    doubled: AtomicU32,
}

impl Keepalive {
    /// Doubles the interval, since a server has complained about too many PINGs.
    #[cold]
    pub fn slow_down(&self) {
        let more = |doubled: u32| Some((doubled + 1).min(MOST));
        let _ = self.doubled.fetch_update(Relaxed, Relaxed, more); // never refused
    }

    /// The limits of a new connection: `limits` with the current keepalive time.
    pub fn limits(&self, mut limits: Limits) -> Limits {
        let times = 1 << self.doubled.load(Relaxed);
        limits.keepalive.every = limits.keepalive.every.map(|every| every.saturating_mul(times));
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_time_doubles_and_stays_a_time() {
        let mut limits = Limits::default();
        limits.keepalive.every = Some(Duration::from_secs(10));
        let keepalive = Keepalive::default();
        let every =
            |keepalive: &Keepalive| keepalive.limits(limits).keepalive.every.expect("it is on").as_secs();
        assert_eq!(every(&keepalive), 10);
        (0..2).for_each(|_| keepalive.slow_down());
        assert_eq!(every(&keepalive), 40);
        (0..100).for_each(|_| keepalive.slow_down());
        assert!(every(&keepalive) > 10 << 20);
        assert_eq!(keepalive.limits(Limits::default()).keepalive.every, None, "off stays off");
    }
}
