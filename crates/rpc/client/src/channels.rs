//! The list of all channels of this process, and the state of their servers and latest calls.
//!
//! The list holds no strong reference: a channel that is dropped disappears from it.

use crate::{
    core::Core,
    why::{MOST_SERVERS, Why},
};
use polywire_base::{Sort, SortedMap, lock};
use std::sync::{Arc, Mutex, Weak};

/// Weak references to channels; some may have been dropped since.
static CHANNELS: Mutex<Listed> = Mutex::new(Listed { channels: Vec::new(), swept_at: 64 });

struct Listed {
    channels: Vec<Weak<Core>>,
    /// When the list has grown to this length, dropped channels are removed.
    swept_at: usize,
}

/// Adds a channel to those of the process, and forgets those that are gone.
pub(crate) fn list(core: &Arc<Core>) {
    let mut listed = lock(&CHANNELS);
    if listed.channels.len() >= listed.swept_at {
        listed.channels.retain(|channel| channel.strong_count() > 0);
        listed.swept_at = (listed.channels.len() * 2).max(64);
    }
    listed.channels.push(Arc::downgrade(core));
}

/// The channels that users hold, in the order of their ids.
pub(crate) fn top() -> Vec<Arc<Core>> {
    let mut channels: Vec<_> = lock(&CHANNELS).channels.iter().filter_map(Weak::upgrade).collect();
    channels.order_by_key(|channel| channel.id);
    channels
}

/// All channels, including the parts of combinations. A channel may come several times.
pub(crate) fn everything() -> impl Iterator<Item = Arc<Core>> {
    let mut left = top();
    std::iter::from_fn(move || {
        let next = left.pop()?;
        if let Some(combination) = &next.combination {
            left.extend(combination.channels().iter().map(|channel| Arc::clone(&**channel)));
        }
        Some(next)
    })
}

/// All channels that have servers of their own, once each, the oldest first. Combinations are left out.
pub(crate) fn with_servers() -> SortedMap<u64, Arc<Core>> {
    everything().filter(|core| core.combination.is_none()).map(|core| (core.id, core)).collect()
}

/// The most channels that [`of_process`] lists.
pub const MOST_CHANNELS: usize = 1000;

/// The most calls that [`of_process`] lists over all channels.
pub const MOST_CALLS: usize = 1000;

/// The state of all channels of the process.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct OfProcess {
    /// The channels, oldest first: at most [`MOST_CHANNELS`] channels, [`MOST_SERVERS`] servers over all
    /// channels and [`MOST_CALLS`] calls over all channels; the newest calls of each channel are kept.
    pub channels: Vec<ChannelWhy>,
    /// The number of all channels, including those that are not listed.
    pub channel_count: usize,
}

/// The state of one channel.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ChannelWhy {
    /// The label `channel` of its metrics; no other channel of the process has it.
    pub id: u64,
    /// The number of servers that can be chosen, of all that the channel lists.
    pub ready: usize,
    pub why: Why,
}

/// The result of [`Channel::why`](crate::Channel::why) for every channel of the process. The parts of
/// combinations are listed; the combinations are not, since they have no servers of their own.
pub fn of_process() -> OfProcess {
    let all = with_servers();
    let channels = listed(all.iter().map(|(&id, core)| (id, core.servers.why())));
    OfProcess { channels, channel_count: all.len() }
}

/// Takes channels in order until the limits on channels, servers and calls are reached.
fn listed(all: impl Iterator<Item = (u64, Why)>) -> Vec<ChannelWhy> {
    let (mut servers, mut calls) = (MOST_SERVERS, MOST_CALLS);
    let channels = all.take(MOST_CHANNELS).map(|(id, why)| {
        let mut one = ChannelWhy::of(id, why);
        one.why.servers.truncate(servers);
        one.why.calls.drain(..one.why.calls.len().saturating_sub(calls));
        (servers, calls) = (servers - one.why.servers.len(), calls - one.why.calls.len());
        one
    });
    channels.collect()
}

/// The state of the channel with this id; `None` if there is no such channel.
pub fn of_channel(id: u64) -> Option<ChannelWhy> {
    with_servers().get(&id).map(|core| ChannelWhy::of(id, core.servers.why()))
}

impl ChannelWhy {
    fn of(id: u64, why: Why) -> ChannelWhy {
        ChannelWhy { id, ready: why.servers.iter().filter(|server| server.is_ready).count(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::{CallWhy, ServerWhy};

    #[test]
    fn the_process_lists_so_many_servers_and_no_more() {
        let server = ServerWhy { is_ready: true, ..ServerWhy::default() };
        let call = |key| CallWhy { key: Some(key), ..CallWhy::default() };
        let of = |servers: usize, calls: u64| Why {
            servers: vec![server.clone(); servers],
            server_count: servers,
            calls: (0..calls).map(call).collect(),
            ..Why::default()
        };
        let found = listed((0..5000).map(|id| (id, of(300, 400))));
        assert_eq!(found.len(), MOST_CHANNELS);
        let sizes: Vec<_> =
            found[..5].iter().map(|one| (one.why.servers.len(), one.ready, one.why.calls.len())).collect();
        assert_eq!(sizes, [(300, 300, 400), (300, 300, 400), (300, 300, 200), (100, 300, 0), (0, 300, 0)]);
        assert_eq!(found[2].why.calls[0].key, Some(200), "the newest are kept");
        assert_eq!(found.iter().map(|one| one.why.servers.len()).sum::<usize>(), MOST_SERVERS);
    }
}
