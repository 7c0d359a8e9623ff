//! The options of a cluster.

use polywire_client::NoProtocols;
use polywire_protocols::redis::PROTOCOL;
use std::{sync::Arc, time::Duration};

/// The nodes that answer commands which change nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ReadFrom {
    /// The master of the slot.
    #[default]
    Master,
    /// A replica, in turn, and the master if there is none or it fails. Its answers may be older than the
    /// latest writes.
    Replica,
}

pub(super) type ChannelBuilder = polywire_client::Builder<NoProtocols>;
pub(super) type Adjust = dyn Fn(ChannelBuilder) -> ChannelBuilder + Send + Sync;
pub(super) type Translate = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The options of a cluster. All except the seeds have defaults.
#[must_use]
pub struct Builder {
    pub(super) seeds: Vec<String>,
    pub(super) protocol: String,
    pub(super) timeout: Duration,
    pub(super) redirects: u32,
    pub(super) read_from: ReadFrom,
    pub(super) refresh: Option<Duration>,
    pub(super) adjust: Arc<Adjust>,
    pub(super) translate: Arc<Translate>,
}

impl Builder {
    pub(super) fn new(seeds: Vec<String>) -> Self {
        Builder {
            seeds,
            protocol: PROTOCOL.name.to_owned(),
            timeout: Duration::from_secs(1),
            redirects: 5,
            read_from: ReadFrom::Master,
            refresh: Some(Duration::from_secs(60)),
            adjust: Arc::new(|channel| channel),
            translate: Arc::new(|address| Some(address.to_owned())),
        }
    }

    /// The protocol with its options, such as `redis:3`. Default: `redis`.
    pub fn protocol(mut self, protocol: impl Into<String>) -> Self {
        self.protocol = protocol.into();
        self
    }

    /// The time limit from the start of a command to its reply, redirections and pauses included. Default: 1
    /// s. While a master has failed and its replica has not taken over, commands wait up to this limit.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The number of times that a command follows MOVED and ASK. Default: 5.
    pub fn max_redirects(mut self, most: u32) -> Self {
        self.redirects = most;
        self
    }

    /// Sets the nodes that answer commands which change nothing. Default: [`ReadFrom::Master`].
    pub fn read_from(mut self, read_from: ReadFrom) -> Self {
        self.read_from = read_from;
        self
    }

    /// The age at which the table of slots is read again in the background; each time a tenth more or less,
    /// at random, so that many clients do not ask together. Default: 60 s. `None`: the table is read again
    /// only by calls that find it wrong, so that new replicas stay unknown.
    pub fn refresh_interval(mut self, interval: Option<Duration>) -> Self {
        self.refresh = interval;
        self
    }

    /// Sets options of the channel of each node: its credential, TLS, time to connect, connections.
    pub fn channel(
        mut self,
        adjust: impl Fn(ChannelBuilder) -> ChannelBuilder + Send + Sync + 'static,
    ) -> Self {
        self.adjust = Arc::new(adjust);
        self
    }

    /// Translates the addresses that nodes report, for clients that reach them under other addresses. `None`:
    /// the address is not connected to, because it is outside of the cluster's network. Default: addresses
    /// are used unchanged.
    pub fn address(mut self, translate: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.translate = Arc::new(translate);
        self
    }
}
