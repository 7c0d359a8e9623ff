//! The options of a channel and their defaults.

use crate::{core::Defaults, pool::Bounds};
use polywire_call::ConfigError;
use polywire_wire::{Connections, Content, Limits};
use std::time::Duration;

/// What a user may say of a channel, see [`Builder`](crate::Builder).
pub(crate) struct Options {
    pub timeout: Option<Duration>,
    pub connect_timeout: Duration,
    pub max_age: Option<Duration>,
    pub idle: Option<Duration>,
    pub retries: u32,
    pub connections: usize,
    pub max_connections: usize,
    /// The time without a call after which a connection that was added while others were full is closed.
    pub spare: Duration,
    pub kind: Option<Connections>,
    /// Never empty.
    pub credential: Option<Vec<u8>>,
    pub content: Option<Content>,
    /// Kind Pooled: the most idle connections of a home.
    pub pool: usize,
    /// The greatest number of shards and runtimes whose callers have their own connections.
    pub homes: usize,
    /// The bytes that a connection may owe to its peer.
    pub max_unsent: usize,
    /// The bytes of a client stream that are kept so that it can be sent again.
    pub replay_bytes: usize,
    pub write_stall: Duration,
    pub wait_for_ready: bool,
    pub http_rules: bool,
    /// Whether busy connections of multi-thread runtimes move to a shard.
    pub dedicated_threads: bool,
    /// Sizes and counts that the peer is held to.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            timeout: Some(Duration::from_secs(1)),
            connect_timeout: Duration::from_millis(200),
            max_age: None,
            idle: None,
            retries: 3,
            connections: 1,
            max_connections: 8,
            spare: Duration::from_secs(30),
            kind: None,
            credential: None,
            content: None,
            pool: 100,
            homes: 64,
            max_unsent: 64 << 20,
            replay_bytes: 1 << 20,
            write_stall: Duration::from_secs(30),
            wait_for_ready: false,
            http_rules: true,
            dedicated_threads: true,
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// What is wrong with an option that must not be zero, if one is.
    pub fn zero(&self) -> Option<ConfigError> {
        let zeros = [
            (
                self.timeout == Some(Duration::ZERO),
                "timeout is zero: no_timeout() lets calls take as long as they do",
            ),
            (self.connect_timeout.is_zero(), "connect_timeout is zero"),
            (self.idle == Some(Duration::ZERO), "close_idle_after is zero"),
            (self.max_age == Some(Duration::ZERO), "max_connection_age is zero"),
            (self.write_stall.is_zero(), "write_stall is zero"),
            (self.connections == 0, "connections is zero: one is the least"),
            (self.homes == 0, "max_homes is zero: one is the least"),
            (self.limits.max_message == 0, "limits: max_message is zero: no reply would be taken"),
        ];
        let (_, text) = zeros.into_iter().find(|(zero, _)| *zero)?;
        let option = text.split([' ', ':']).next().unwrap_or(text);
        Some(ConfigError::new(option, text).with_value("0"))
    }

    /// How many connections there may be. `may_overflow`: further ones are added while the others are full.
    pub fn bounds(&self, may_overflow: bool) -> Bounds {
        let connections = self.connections;
        Bounds {
            homes: self.homes,
            connections,
            most: if may_overflow { self.max_connections.max(connections) } else { connections },
            spare: self.spare,
            idle: self.pool,
        }
    }

    /// What calls do that do not say otherwise.
    pub fn defaults(&self) -> Defaults {
        Defaults {
            timeout: self.timeout,
            retries: self.retries,
            wait_for_ready: self.wait_for_ready,
            http_rules: self.http_rules,
            replay_bytes: self.replay_bytes,
        }
    }
}
