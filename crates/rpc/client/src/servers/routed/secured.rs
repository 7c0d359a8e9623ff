//! The connectors to the servers of a cluster: with TLS of the cluster, with TLS of the channel, or none.

use super::cluster::Making;
use crate::{cluster_tls::UseClusterTls, connection::connector::Connector};
use polywire_routing::{self as routing, ClusterTls};
use std::{collections::HashMap, sync::Arc};

/// The connectors of a cluster.
pub(super) struct Secured {
    pub all: Arc<Connector>,
    /// The connectors by part of the cluster, if the parts differ.
    pub parts: HashMap<String, Arc<Connector>>,
}

impl Making {
    pub(super) fn secured(&self, told: &routing::Cluster) -> Secured {
        let parts = told.parts.iter().map(|(name, tls)| (name.clone(), self.connector(tls.as_ref())));
        Secured { all: self.connector(told.tls.as_ref()), parts: parts.collect() }
    }

    fn connector(&self, told: Option<&ClusterTls>) -> Arc<Connector> {
        let connector = self.chosen(told).and_then(|connector| match self.shows_in_plain(&connector) {
            false => Ok(connector),
            true => {
                Err("the channel has a credential, which is not sent to servers of clusters without TLS: \
                         give them TLS, or say Fleet::credentials_without_tls(true)"
                    .to_owned())
            }
        });
        connector.unwrap_or_else(|why| Arc::new(Connector::refusing(&why)))
    }

    /// # Errors
    /// Why the servers are not to be connected to.
    fn chosen(&self, told: Option<&ClusterTls>) -> Result<Arc<Connector>, String> {
        let own = &self.spec.connector;
        match (self.options.cluster_tls, told) {
            (UseClusterTls::Ignored, _) => Ok(own.clone()),
            (UseClusterTls::WithoutOwn, Some(_)) if own.has_tls() => Ok(own.clone()),
            (UseClusterTls::Required, None) => {
                Err("the cluster has no TLS, and the channel requires one of each cluster".to_owned())
            }
            (_, None) => Ok(own.clone()),
            (_, Some(told)) => self.with_tls(told).map(Arc::new),
        }
    }

    #[cfg(feature = "__tls")]
    fn with_tls(&self, told: &ClusterTls) -> Result<Connector, String> {
        let spec = &self.spec;
        let alpn = (spec.protocol.alpn)(&spec.parameter);
        let secure = crate::connection::tls::Secure::of_cluster(told, alpn, spec.config.faults.clone());
        secure.map(|secure| spec.connector.with_tls(secure)).map_err(|wrong| wrong.to_string())
    }

    #[cfg(not(feature = "__tls"))]
    fn with_tls(&self, _: &ClusterTls) -> Result<Connector, String> {
        Err("the cluster has TLS: turn on the feature `tls`".to_owned())
    }

    /// Whether a credential would be sent without TLS although the user has not allowed it.
    fn shows_in_plain(&self, connector: &Connector) -> bool {
        let has_credential = self.spec.credential.is_some() || self.spec.credentials.is_some();
        has_credential && !connector.has_tls() && !self.options.credentials_without_tls
    }
}
