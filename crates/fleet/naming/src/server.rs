//! One server of a set.

use std::collections::BTreeMap;

/// A server, as a naming source describes it.
///
/// Two entries with the same address and different tags are two servers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[non_exhaustive]
pub struct Server {
    /// `host:port`, `[v6]:port` or `unix:path`.
    pub address: String,
    /// Free text: a weight, a partition, or any text for filters.
    pub tag: String,
    /// `None`: the weight is the tag, if that is a number above 0.
    pub weight: Option<u32>,
    /// The server's zone, for channels that prefer servers nearby.
    pub zone: Option<String>,
    /// The server's priority; 0 is preferred. Servers of the next priority get the calls that those of the
    /// previous one cannot take.
    pub priority: u32,
    /// The share of the calls that its zone gets relative to the other zones of the same priority; the value
    /// of the zone's first server counts. `None`: zones get no shares.
    pub zone_weight: Option<u32>,
    /// The part of its cluster that it belongs to, for channels with a router, whose clusters may have parts
    /// that differ in TLS.
    pub part: Option<String>,
    /// Further data that the source has about it.
    pub metadata: BTreeMap<String, String>,
}

impl Server {
    /// `address`: `host:port`, `[v6]:port` or `unix:path`.
    pub fn new(address: impl Into<String>) -> Self {
        Server { address: address.into(), ..Server::default() }
    }

    /// Free text: a weight, a partition, or any text for filters.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tag = tag.into();
        self
    }

    /// Sets the weight under weighted balancers, whatever the tag says.
    #[must_use]
    pub fn weight(mut self, weight: u32) -> Self {
        self.weight = Some(weight);
        self
    }

    /// Sets the server's zone, for channels that prefer servers nearby.
    #[must_use]
    pub fn zone(mut self, zone: impl Into<String>) -> Self {
        self.zone = Some(zone.into());
        self
    }

    /// Sets the priority; 0 is preferred. Servers of the next priority get the calls that those of the
    /// previous one cannot take.
    #[must_use]
    pub fn priority(mut self, priority: u32) -> Self {
        self.priority = priority;
        self
    }

    /// The share of the calls that its zone gets relative to the other zones of the same priority.
    #[must_use]
    pub fn zone_weight(mut self, weight: u32) -> Self {
        self.zone_weight = Some(weight);
        self
    }

    /// The part of its cluster that the server belongs to.
    #[must_use]
    pub fn part(mut self, name: impl Into<String>) -> Self {
        self.part = Some(name.into());
        self
    }

    /// Adds an attribute of the server.
    #[must_use]
    pub fn metadata(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.metadata.insert(name.into(), value.into());
        self
    }
}
