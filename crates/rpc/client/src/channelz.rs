//! The channels of this process, for gRPC's service of that name.
//!
//! gRPC's tools ask a process, not a value: all channels of the process are listed.

use crate::{
    channels::{everything, top},
    connection::{spec::ConnectSpec, tally::Counts},
    core::Core,
    pool::Pool,
    servers::Connectivity,
    why::MOST_SERVERS,
};
use polywire_engine::{ConnectionStats, clock};
use std::{
    sync::Arc,
    time::{Instant, SystemTime},
};

/// A channel of this process.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChannelInfo {
    pub id: u64,
    /// The address, or the url of the naming source.
    pub target: String,
    pub state: Connectivity,
    pub tries: Tries,
    pub created: SystemTime,
    /// For a combination, its parts by id and target; empty for other channels.
    pub channels: Vec<(u64, String)>,
    /// The servers, by id and address; the first [`MOST_SERVERS`].
    pub subchannels: Vec<(u64, String)>,
}

/// The connections of a channel to one server. Channels that share the connections have the same subchannel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SubchannelInfo {
    pub id: u64,
    /// The address of the server.
    pub target: String,
    pub state: Connectivity,
    pub tries: Tries,
    pub created: SystemTime,
    /// The connections, except those that blocking callers drive on their own threads.
    pub sockets: Vec<Arc<ConnectionStats>>,
}

/// Tries that were given to a connection: each further try of a call counts again, and a call for which there
/// is no server does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Tries {
    pub started: u64,
    /// Tries that ended with OK.
    pub succeeded: u64,
    /// Tries that ended with an error or were given up.
    pub failed: u64,
    pub last_started: Option<SystemTime>,
}

/// At most `most` channels with ids from `first` on, and whether these are the last ones.
pub fn channels(first: u64, most: usize) -> (Vec<ChannelInfo>, bool) {
    let mut all = top();
    all.retain(|channel| channel.id >= first);
    let end = all.len() <= most;
    (all.iter().take(most).map(|channel| about(channel)).collect(), end)
}

/// A channel, be it part of a combination or not.
pub fn channel(id: u64) -> Option<ChannelInfo> {
    everything().find(|channel| channel.id == id).map(|channel| about(&channel))
}

pub fn subchannel(id: u64) -> Option<SubchannelInfo> {
    let (pool, state) = everything()
        .find_map(|channel| channel.servers.pools().into_iter().find(|(pool, _)| pool.id() == id))?;
    let ledger = &pool.spec().ledger;
    Some(SubchannelInfo {
        id,
        target: pool.spec().address.to_string(),
        state,
        tries: tries(ledger.counts()),
        created: wall(ledger.since()),
        sockets: ledger.sockets(),
    })
}

/// A connection of a channel.
pub fn socket(id: u64) -> Option<Arc<ConnectionStats>> {
    let pools = everything().flat_map(|channel| channel.servers.pools());
    pools.flat_map(|(pool, _)| pool.spec().ledger.sockets()).find(|socket| socket.id == id)
}

fn about(core: &Core) -> ChannelInfo {
    let parts = core.combination.as_ref().map(|combination| combination.channels()).unwrap_or_default();
    let target = |spec: &ConnectSpec| spec.address.to_string();
    let named = |pool: &Arc<Pool>| (pool.id(), target(pool.spec()));
    let (state, counts) = match &core.combination {
        None => (core.servers.connectivity(), core.servers.counts()),
        Some(_) => (
            Connectivity::of_all(parts.iter().map(|part| part.servers.connectivity())),
            parts.iter().map(|part| part.servers.counts()).sum(),
        ),
    };
    ChannelInfo {
        id: core.id,
        target: target(core.servers.spec()),
        state,
        tries: tries(counts),
        created: wall(core.since),
        channels: parts.iter().map(|part| (part.id, target(part.servers.spec()))).collect(),
        subchannels: core.servers.pools().iter().take(MOST_SERVERS).map(|(pool, _)| named(pool)).collect(),
    }
}

fn tries(counts: Counts) -> Tries {
    let Counts { started, succeeded, failed, last } = counts;
    Tries { started, succeeded, failed, last_started: last.map(wall) }
}

/// A time in the past, by the clock of the day.
fn wall(at: Instant) -> SystemTime {
    let ago = clock::now().saturating_duration_since(at);
    SystemTime::now().checked_sub(ago).unwrap_or(SystemTime::UNIX_EPOCH)
}
