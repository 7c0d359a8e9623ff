//! The target of commands: the servers of a channel, or the nodes of a cluster.

use crate::cluster::Inner;
use polywire_client::Channel;
use std::sync::Arc;

/// The target of commands.
#[derive(Clone)]
pub(crate) enum Backend {
    Channel(Channel),
    Cluster(Arc<Inner>),
}
