//! Connections: their number, how calls share them, and when they close.

use super::no_zeros;
use crate::pool::{Bounds, shared::SharedConnections};
use polywire_call::ConfigError;
use polywire_wire::Connections;
use std::time::Duration;

/// The connections of a channel: their number, how calls share them, and when they close. A channel with
/// several servers has this many for each.
///
/// ```
/// # mod polywire { pub use polywire_client::*; }
/// use polywire::Pooling;
/// use std::time::Duration;
///
/// let pooling = Pooling::default().connections(2).idle(Duration::from_secs(60)).age(None);
/// // Channel::builder(..).pooling(pooling)
/// # let _ = pooling;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Pooling {
    pub(crate) kind: Option<Connections>,
    connections: usize,
    max: usize,
    pub(crate) idle: Option<Duration>,
    /// The time without a call after which a connection that was added while others were full is closed.
    spare: Duration,
    pub(crate) age: Option<Duration>,
    homes: usize,
    /// Whether busy connections of multi-thread runtimes move to a shard.
    pub(crate) threads: bool,
    pub(crate) share: Option<SharedConnections>,
    pool: usize,
    pub(crate) max_unsent: usize,
    pub(crate) write_stall: Option<Duration>,
}

impl Default for Pooling {
    fn default() -> Self {
        Pooling {
            kind: None,
            connections: 1,
            max: 8,
            idle: None,
            spare: Duration::from_secs(30),
            age: None,
            homes: 64,
            threads: true,
            share: None,
            pool: 100,
            max_unsent: 64 << 20,
            write_stall: Some(Duration::from_secs(30)),
        }
    }
}

impl Pooling {
    /// How calls share connections. Default: the first kind that the protocol lists.
    pub fn kind(mut self, kind: impl Into<Option<Connections>>) -> Self {
        self.kind = kind.into();
        self
    }

    /// Connections per home that single-connection calls take in turn. Default 1.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// HTTP/2: the maximum number of connections per home, including those that are added when the others are
    /// full: when the server allows no more calls on them, or reads more slowly than bytes are queued.
    /// Default 8. More connections take more memory at both ends; with fewer, calls wait for a free place, as
    /// they do in any case (up to their deadline) when all are full.
    pub fn max(mut self, most: usize) -> Self {
        self.max = most;
        self
    }

    /// Connections without a call for this time are closed, at the latest after twice this time; the next
    /// call makes a new one. This includes idle connections of kind [`Connections::Pooled`], but not those
    /// that threads of [`Call::blocking`](crate::Call::blocking) drive, because these are not polled between
    /// calls. Default: never, since the first call after a pause would wait for a connection. If this time is
    /// shorter than the idle limits of servers and middleboxes, no call meets a connection that is just being
    /// closed.
    pub fn idle(mut self, idle: impl Into<Option<Duration>>) -> Self {
        self.idle = idle.into();
        self
    }

    /// Connections beyond [`Pooling::connections`] are closed after this time without a call: at least a
    /// millisecond, at most a year. Default 30 s.
    pub fn spare(mut self, idle: Duration) -> Self {
        self.spare = idle.clamp(Duration::from_millis(1), Duration::from_secs(365 * 24 * 60 * 60));
        self
    }

    /// Connections are replaced at this age, plus or minus a tenth: calls go to a new connection, and the old
    /// one ends with its last call or stream. Behind a load balancer, or with a name that has several
    /// addresses, this spreads connections again after servers were added or restarted. Default: never. The
    /// first call after the replacement waits for the new connection.
    pub fn age(mut self, age: impl Into<Option<Duration>>) -> Self {
        self.age = age.into();
        self
    }

    /// The number of shards and runtimes whose callers get their own connections. Default 64. Callers
    /// elsewhere share existing connections. More homes mean fewer hand-overs between threads, and more
    /// connections for the server.
    pub fn homes(mut self, most: usize) -> Self {
        self.homes = most;
        self
    }

    /// Whether a connection whose callers run on a multi-thread runtime is driven by a thread of the default
    /// engine while many calls (16 or more) are under way on it. Default true: that doubles the rate of a
    /// hundred callers. False keeps everything on the runtime's own threads.
    pub fn threads(mut self, allowed: bool) -> Self {
        self.threads = allowed;
        self
    }

    /// The channel shares connections and naming watches with other channels that have the same value, if
    /// their settings do not differ; see [`SharedConnections`]. Default: the channel has its own.
    /// [`Channel::faults`] and [`Channel::connections_made`] then count for all of these channels.
    ///
    /// [`Channel::faults`]: crate::Channel::faults
    /// [`Channel::connections_made`]: crate::Channel::connections_made
    pub fn share(mut self, shared: &SharedConnections) -> Self {
        self.share = Some(shared.clone());
        self
    }

    /// Idle connections that a channel of kind [`Connections::Pooled`] keeps per home. Default 100, as brpc's
    /// `max_connection_pool_size`. 0 makes it behave as [`Connections::Short`].
    pub fn pool(mut self, most: usize) -> Self {
        self.pool = most;
        self
    }

    /// The number of unsent bytes on a connection above which further calls on it are refused with
    /// EOVERCROWDED. Default 64 MiB, brpc's `socket_max_unwritten_bytes`.
    pub fn max_unsent(mut self, bytes: usize) -> Self {
        self.max_unsent = bytes;
        self
    }

    /// The time after which a connection is closed if bytes are unsent and its peer accepts none. Default
    /// 30 s.
    pub fn write_stall(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.write_stall = limit.into();
        self
    }

    /// # Errors
    /// An option is zero that must not be.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let zero = Some(Duration::ZERO);
        no_zeros(&[
            (self.connections == 0, "pooling.connections is zero: one is the least"),
            (self.homes == 0, "pooling.homes is zero: one is the least"),
            (self.idle == zero, "pooling.idle is zero: None is never"),
            (self.age == zero, "pooling.age is zero: None is never"),
            (self.write_stall == zero, "pooling.write_stall is zero: None is never"),
        ])
    }

    /// The limits on the number of connections. `may_overflow`: connections are added while the others are
    /// full.
    pub(crate) fn bounds(&self, may_overflow: bool) -> Bounds {
        let connections = self.connections;
        Bounds {
            homes: self.homes,
            connections,
            most: if may_overflow { self.max.max(connections) } else { connections },
            spare: self.spare,
            idle: self.pool,
        }
    }
}
