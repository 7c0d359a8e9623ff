//! The last connections that have ended, kept per reason: churn for one reason hides no other.

use crate::{ConnectionStats, End, clock, transport::Peer};
use polywire_base::lock;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, atomic::Ordering::Relaxed},
    time::Instant,
};

/// The number of ended connections that are kept for each reason.
pub const MOST_CLOSED: usize = 64;
/// The maximum number of distinct reasons; further ones are counted as "other reasons".
const REASONS: usize = 32;
/// Characters of a reason: it may quote the system or TLS.
const LONGEST: usize = 128;

/// A connection that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClosedConnection {
    pub id: u64,
    pub peer: Peer,
    pub protocol: Option<&'static str>,
    pub since: Instant,
    pub at: Instant,
    /// Calls that were in flight when it ended, and were lost.
    pub calls: usize,
    /// Number of bytes that the peer had not read.
    pub owed: u64,
    pub bytes_in: u64,
    pub bytes_out: u64,
    pub messages: u64,
}

/// Connections that have ended, up to [`MOST_CLOSED`] of each of 32 reasons. Connections of any thread may be
/// added.
#[derive(Debug, Default)]
pub struct ClosedConnections(Mutex<HashMap<Box<str>, Reason>>);

#[derive(Debug, Default)]
struct Reason {
    count: u64,
    last: VecDeque<ClosedConnection>,
}

impl ClosedConnections {
    /// Records a connection that has ended.
    pub fn add(&self, stats: &ConnectionStats, End { reason, calls, owed }: End<'_>) {
        let closed = ClosedConnection {
            id: stats.id,
            peer: stats.peer.clone(),
            protocol: stats.protocol(),
            since: stats.since,
            at: clock::now(),
            calls,
            owed,
            bytes_in: stats.bytes_in.load(Relaxed),
            bytes_out: stats.bytes_out.load(Relaxed),
            messages: stats.messages.load(Relaxed),
        };
        let reason: String = reason.chars().take(LONGEST).collect();
        let mut reasons = lock(&self.0);
        let is_new = !reasons.contains_key(&*reason) && reasons.len() >= REASONS;
        let key = if is_new { "other reasons".into() } else { reason.into_boxed_str() };
        let kept = reasons.entry(key).or_default();
        kept.count += 1;
        if kept.last.len() == MOST_CLOSED {
            kept.last.pop_front();
        }
        kept.last.push_back(closed);
    }

    /// For each reason the number of ended connections, and the latest of them, oldest first.
    pub fn list(&self) -> Vec<(String, u64, Vec<ClosedConnection>)> {
        let reasons = lock(&self.0);
        let list = reasons
            .iter()
            .map(|(reason, kept)| (reason.to_string(), kept.count, kept.last.iter().cloned().collect()));
        list.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timeouts;

    #[test]
    fn many_ends_for_one_reason_hide_no_other_and_reasons_are_bounded() {
        let closed = ClosedConnections::default();
        let peer = Peer::Memory("test".into());
        let stats = ConnectionStats::new(peer.clone(), peer, Timeouts::default());
        closed.add(&stats, End { reason: "rare", calls: 3, owed: 7 });
        let add = |reason: &str| closed.add(&stats, End { reason, calls: 0, owed: 0 });
        (0..10_000).for_each(|_| add("the peer closed the connection"));
        (0..10_000).for_each(|n| add(&format!("{n}{}", "x".repeat(1 << 12))));
        let list = closed.list();
        assert_eq!(list.len(), REASONS + 1);
        assert!(
            list.iter()
                .all(|(reason, _, last)| reason.chars().count() <= LONGEST && last.len() <= MOST_CLOSED)
        );
        let of = |name: &str| list.iter().find(|(reason, ..)| reason == name).expect("it is kept");
        assert_eq!((of("rare").1, of("rare").2[0].calls, of("rare").2[0].owed), (1, 3, 7));
        assert_eq!(of("the peer closed the connection").1, 10_000);
        assert_eq!(of("other reasons").1, 10_000 - 30);
    }
}
