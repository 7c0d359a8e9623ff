//! Clusters: commands go to the node that has their keys.
//!
//! ```text
//!  command ─► place: the slot of its keys ─► table: the node of the slot ─► the node's channel
//!               │ several slots                 ▲                              │
//!               ▼                               │ MOVED: this slot             ▼
//!             refused                           │ failed: the whole table   redirect? ─no─► the reply
//!                                               └──────────────────────────────┘
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `slot.rs` | the slot of a key |
//! | `positions.rs`, `place.rs` | the keys of a command, and where it goes |
//! | `topology.rs` | who has which slots, as nodes tell it |
//! | `redirect.rs` | what a node says instead of answering |
//! | `nodes.rs` | the nodes and the table of slots |
//! | `refresh.rs` | when the table is old |
//! | `request.rs`, `pipeline.rs` | a command, and several, until their replies have come |
//! | `builder.rs` | options |
//!
//! The table is read anew by the calls that find it wrong, one of them at a time and at most ten times a second. The first call after a
//! connection was lost, or after the table has become old, has it read by a task beside, for which nobody waits. A cluster that nobody
//! calls has no task.

mod builder;
mod nodes;
mod pipeline;
mod place;
mod positions;
mod redirect;
mod refresh;
mod request;
mod slot;
mod topology;

pub use builder::{Builder, ReadFrom};
pub(crate) use nodes::Inner;
pub(crate) use place::{Placed, one_slot, place, reads};
pub(crate) use redirect::{is_host, join};
pub(crate) use request::Request;
pub use slot::Slot;
pub use topology::{MAX_NODES, read_topology};

use crate::{Client, Subscriber};
use polywire_call::Status;
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
    /// A cluster of which these nodes, as `host:port`, are known. The others are learnt from them.
    pub fn builder<S: Into<String>>(seeds: impl IntoIterator<Item = S>) -> Builder {
        Builder::new(seeds.into_iter().map(Into::into).collect())
    }

    pub(crate) fn new(inner: Inner) -> Self {
        Cluster { inner: Arc::new(inner) }
    }

    /// A client whose commands go to the nodes that have their keys.
    pub fn client(&self) -> Client {
        Client::of_cluster(self.inner.clone())
    }

    /// Subscriptions to channels that are published by SPUBLISH and are of the same slot as `name`. They follow the slot to
    /// another node.
    pub fn shard_subscriber(&self, name: impl AsRef<[u8]>) -> Subscriber {
        Subscriber::in_cluster(self.inner.clone(), Some(Slot::of(name.as_ref())))
    }

    /// The masters that have slots, each with its address and a client of it alone: for commands about one node, such as
    /// DBSIZE, SCAN or FLUSHALL.
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
