//! Where commands go: to the servers of a channel, or to the nodes of a cluster.

use crate::cluster::Inner;
use polywire_client::Channel;
use std::sync::Arc;

/// Where commands go.
#[derive(Clone)]
pub(crate) enum Backend {
    Channel(Channel),
    Cluster(Arc<Inner>),
}
