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
    /// Free text: a weight, a partition, whatever a filter looks for.
    pub tag: String,
    /// `None`: the tag says it, if it is a number above 0.
    pub weight: Option<u32>,
    /// Where it stands, for channels that prefer servers nearby.
    pub zone: Option<String>,
    /// Whatever else the source knows of it.
    pub metadata: BTreeMap<String, String>,
}

impl Server {
    /// `address`: `host:port`, `[v6]:port` or `unix:path`.
    pub fn new(address: impl Into<String>) -> Self {
        Server { address: address.into(), ..Server::default() }
    }

    /// Free text: a weight, a partition, whatever a filter looks for.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tag = tag.into();
        self
    }

    /// Its share of the calls under weighted balancers, whatever the tag says.
    #[must_use]
    pub fn weight(mut self, weight: u32) -> Self {
        self.weight = Some(weight);
        self
    }

    /// Where it stands, for channels that prefer servers nearby.
    #[must_use]
    pub fn zone(mut self, zone: impl Into<String>) -> Self {
        self.zone = Some(zone.into());
        self
    }

    /// Something else that is known of it.
    #[must_use]
    pub fn metadata(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.metadata.insert(name.into(), value.into());
        self
    }
}
