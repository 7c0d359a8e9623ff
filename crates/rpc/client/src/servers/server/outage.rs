//! While calls find no server at all, servers are tried again sooner than usual.
//!
//! The pauses between attempts to connect to a server double up to 3 s (`revival.rs`), which is right while
//! other servers take the calls. When none does, every moment in which a server is back and is not tried
//! delays all calls. So while calls find no server, or wait for one, the pause is a quarter of the outage's
//! length so far: calls succeed again after at most a quarter more than the outage itself. The pause is at
//! least 200 ms, and at least 20 ms for each server of the channel.
//!
//! The cost when ten thousand clients lose their servers together: a client makes at most 5 attempts a second
//! at each server and 50 at all of them, in the first 0.8 s; after 2 s half of that, and from 12 s on no more
//! than usual. In all that are about 15 additional attempts for each client and server, and none of a client
//! without calls. Servers that come back do not receive more connections than before: each client makes one.
//! Pauses are random, so clients spread out.

use polywire_balance::Time;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::sync::{Notify, futures::OwnedNotified};

/// The minimum pause between two attempts to connect to a server, and the addition for each server of the
/// channel.
const LEAST_PAUSE: Duration = Duration::from_millis(200);
const PAUSE_PER_SERVER: Duration = Duration::from_millis(20);
/// The part of the time without a server that a pause takes.
const PART: u32 = 4;
/// When no call has failed to find a server for this long, the next one that does begins another outage.
const FORGOTTEN: Duration = Duration::from_secs(3);

/// The period in which calls find no server.
#[derive(Default)]
pub(in crate::servers) struct Outage {
    /// When the first call found no server, in nanoseconds of the balancer's clock; 0: none did.
    since: AtomicU64,
    /// When the latest call found no server.
    last: AtomicU64,
    wanted: Arc<Notify>,
}

impl Outage {
    /// Records that a call found no server. `waiting`: other calls wait for one.
    pub fn found_nobody(&self, now: Time, waiting: bool) {
        let last = Time(self.last.swap(now.0, Relaxed));
        if self.since.load(Relaxed) == 0 || !waiting && now.since(last) > FORGOTTEN {
            self.since.store(now.0, Relaxed);
        }
        self.wanted.notify_waiters();
    }

    /// Ends the outage: a server is available.
    pub fn is_over(&self) {
        self.since.store(0, Relaxed);
    }

    /// A future that is ready when the next call finds no server.
    pub fn wanted(&self) -> OwnedNotified {
        self.wanted.clone().notified_owned()
    }

    /// The pause after an attempt at `tried`, if calls have found no server since then. `waiting`: calls wait
    /// for one.
    pub fn pause(&self, tried: Time, now: Time, waiting: bool, servers: usize) -> Option<Duration> {
        let since = Time(self.since.load(Relaxed));
        if since.0 == 0 || !waiting && self.last.load(Relaxed) <= tried.0 {
            return None;
        }
        let all = PAUSE_PER_SERVER * u32::try_from(servers).unwrap_or(u32::MAX);
        Some((now.since(since) / PART).max(LEAST_PAUSE).max(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn pauses_grow_with_the_outage_and_with_the_servers() {
        let (outage, begun) = (Outage::default(), Time(1_000_000_000));
        assert_eq!(outage.pause(begun, begun + 50 * MS, true, 1), None, "no call has found nobody");
        outage.found_nobody(begun, false);
        let pause = |after: Duration, servers| {
            outage.found_nobody(begun + after, false);
            outage.pause(begun, begun + after, false, servers)
        };
        assert_eq!(pause(10 * MS, 1), Some(200 * MS));
        assert_eq!(pause(20 * MS, 100), Some(2000 * MS));
        assert_eq!(pause(2000 * MS, 1), Some(500 * MS));
        assert_eq!(pause(4000 * MS, 1), Some(1000 * MS));
        assert_eq!(
            pause(40_000 * MS, 1),
            Some(200 * MS),
            "there were no calls for long: this is another outage"
        );
        outage.is_over();
        assert_eq!(outage.pause(begun, begun + 50_000 * MS, true, 1), None);
    }

    #[test]
    fn a_server_is_hurried_only_by_calls_since_its_last_attempt() {
        let (outage, begun) = (Outage::default(), Time(1_000_000_000));
        outage.found_nobody(begun, false);
        let tried = begun + MS;
        assert_eq!(outage.pause(tried, begun + 500 * MS, false, 1), None);
        assert_eq!(outage.pause(tried, begun + 500 * MS, true, 1), Some(200 * MS), "a call waits");
        outage.found_nobody(begun + 600 * MS, false);
        assert_eq!(outage.pause(tried, begun + 600 * MS, false, 1), Some(200 * MS));
    }
}
