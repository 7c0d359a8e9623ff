//! A cluster as programs have it.

use super::{builder::Builder, nodes::Inner, slot::Slot};
use crate::{Client, Subscriber};
use polywire_call::{ConfigError, Status};
use polywire_client::ChannelError;
use std::sync::Arc;

/// A cluster of Redis servers. Cheap to clone.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use polywire::redis::Cluster;
///
/// let cluster = Cluster::builder(["10.0.0.1:7000", "10.0.0.2:7000"]).build()?;
/// let redis = cluster.client();
/// redis.set("key", "value").await?;
/// let value: Option<String> = redis.get("key").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cluster {
    inner: Arc<Inner>,
}

impl Cluster {
    /// A builder for a cluster of which these nodes are known, as `host:port`. It discovers the other nodes
    /// through them.
    pub fn builder<S: Into<String>>(seeds: impl IntoIterator<Item = S>) -> Builder {
        Builder::new(seeds.into_iter().map(Into::into).collect())
    }

    /// A client whose commands go to the nodes that have their keys.
    pub fn client(&self) -> Client {
        Client::of_cluster(self.inner.clone())
    }

    /// Subscriptions to channels that are published by SPUBLISH and have the same slot as `name`. They follow
    /// the slot to another node.
    pub fn shard_subscriber(&self, name: impl AsRef<[u8]>) -> Subscriber {
        Subscriber::in_cluster(self.inner.clone(), Some(Slot::of(name.as_ref())))
    }

    /// The masters that have slots, each with its address and a client for it alone: for commands about one
    /// node, such as DBSIZE, SCAN or FLUSHALL.
    ///
    /// # Errors
    /// No node can be reached.
    pub async fn masters(&self) -> Result<Vec<(String, Client)>, Status> {
        let nodes = self.inner.masters().await?;
        nodes.into_iter().map(|node| Ok((node.address.to_string(), Client::new(node.channel()?)))).collect()
    }

    /// Reads the table of slots now. Calls do that by themselves when they find it wrong.
    ///
    /// # Errors
    /// No node can be reached, or none has a table.
    pub async fn refresh(&self) -> Result<(), Status> {
        self.inner.read_table(true).await
    }
}

impl Builder {
    /// Builds the cluster without connecting to a node yet.
    ///
    /// # Errors
    /// There is no seed, or an option of the channels is wrong.
    pub fn build(self) -> Result<Cluster, ChannelError> {
        if self.seeds.is_empty() {
            return Err(ConfigError::new("seeds", "a cluster needs the address of a node").into());
        }
        Ok(Cluster { inner: Arc::new(Inner::new(self)?) })
    }
}
