//! The servers of a cluster as a naming source, taken from the newest snapshot.

use polywire_naming::{Server, Source, Updates, Watching};
use polywire_routing::ClusterTls;
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::watch;

/// How the servers of a cluster are protected by TLS.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Protection {
    /// The same protection for all servers.
    Whole(Option<ClusterTls>),
    /// The TLS of each cluster of an aggregate, by the cluster's name, where they differ.
    Parts(BTreeMap<String, Option<ClusterTls>>),
}

/// The servers of a cluster.
#[derive(Debug)]
pub(crate) struct Assigned {
    name: String,
    /// The seed with which this client draws its subset (gRFC A68): it stays as long as the cluster.
    pub seed: u64,
    /// The TLS settings, which never change: a client that follows an older table learns no newer settings
    /// from this source.
    pub protection: Protection,
    servers: watch::Sender<Vec<Server>>,
}

impl Assigned {
    pub fn new(name: String, seed: u64, protection: Protection) -> Arc<Assigned> {
        Arc::new(Assigned { name, seed, protection, servers: watch::Sender::new(Vec::new()) })
    }

    pub fn set(&self, servers: Vec<Server>) {
        self.servers.send_if_modified(|known| {
            let changed = *known != servers;
            *known = servers;
            changed
        });
    }

    #[cfg(test)]
    pub fn now(&self) -> Vec<Server> {
        self.servers.borrow().clone()
    }
}

impl Source for Assigned {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        let mut servers = self.servers.subscribe();
        // What is at hand is reported at once: the table that names this cluster counts on it.
        updates.set(servers.borrow_and_update().clone());
        Box::pin(async move {
            while servers.changed().await.is_ok() {
                let set = servers.borrow_and_update().clone();
                updates.set(set);
            }
            Ok(())
        })
    }
}
