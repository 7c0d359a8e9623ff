//! How often a channel asks its server whether it is there.
//!
//! Source: gRFC A8: on GOAWAY with ENHANCE_YOUR_CALM and "too_many_pings" a client doubles its keepalive time; the connections
//! that it makes from then on ask less often.

use polywire_wire::Limits;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Further doublings would make no difference: the shortest time is a month by then.
const MOST: u32 = 31;

/// A channel's.
#[derive(Default)]
pub(crate) struct Calm {
    /// How often the time was doubled. Each write stands alone.
    doubled: AtomicU32,
}

impl Calm {
    /// A server said that it is asked too often.
    #[cold]
    pub fn slow_down(&self) {
        let more = |doubled: u32| Some((doubled + 1).min(MOST));
        let _ = self.doubled.fetch_update(Relaxed, Relaxed, more); // never refused
    }

    /// For a new connection.
    pub fn of(&self, mut limits: Limits) -> Limits {
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
        let calm = Calm::default();
        let every = |calm: &Calm| calm.of(limits).keepalive.every.expect("it is on").as_secs();
        assert_eq!(every(&calm), 10);
        (0..2).for_each(|_| calm.slow_down());
        assert_eq!(every(&calm), 40);
        (0..100).for_each(|_| calm.slow_down());
        assert!(every(&calm) > 10 << 20);
        assert_eq!(calm.of(Limits::default()).keepalive.every, None, "off stays off");
    }
}
