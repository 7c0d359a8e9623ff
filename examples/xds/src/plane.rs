//! A control plane: it sends what it has, and sends it again when that changes.

use crate::{
    envoy::service::discovery::v3::{AggregatedDiscoveryService, DiscoveryRequest, DiscoveryResponse},
    resources,
};
use polywire::{Context, Running, Server, Status, Stream, Streaming, wkt::Any};
use std::collections::BTreeMap;
use tokio::sync::watch;

/// What clients are told now.
pub struct Plane(watch::Sender<Vec<Any>>);

struct Serving(watch::Receiver<Vec<Any>>);

impl Plane {
    /// A control plane with these clusters: name, port and weight of each.
    ///
    /// # Errors
    /// It cannot listen.
    pub fn start(clusters: &[(&str, u32, u32)]) -> polywire::Result<(Plane, Running)> {
        let (sender, told) = watch::channel(resources::all(clusters)?);
        let server = Server::new().service(Serving(told).into_service());
        Ok((Plane(sender), server.listen("127.0.0.1:0").start()?))
    }

    /// From now on it has these.
    ///
    /// # Errors
    /// They cannot be encoded.
    pub fn tell(&self, clusters: &[(&str, u32, u32)]) -> polywire::Result<()> {
        self.0.send_replace(resources::all(clusters)?);
        Ok(())
    }
}

impl AggregatedDiscoveryService for Serving {
    async fn stream_aggregated_resources(
        &self,
        cx: &Context,
        mut requests: Streaming<DiscoveryRequest>,
    ) -> Result<impl Stream<Item = Result<DiscoveryResponse, Status>>, Status> {
        let (sender, answers) = polywire::stream(16);
        let mut told = self.0.clone();
        cx.spawn(async move {
            let (mut version, mut wanted) = (1, BTreeMap::new());
            loop {
                let types: Vec<String> = tokio::select! {
                    request = requests.next() => {
                        let Some(request) = request.transpose()? else { return Ok(()) };
                        let before = wanted.insert(request.type_url.clone(), request.resource_names.clone());
                        if before.as_ref() == Some(&request.resource_names) {
                            continue; // it says that our answer was taken, or why it was refused
                        }
                        vec![request.type_url]
                    }
                    Ok(()) = told.changed() => {
                        version += 1;
                        wanted.keys().cloned().collect()
                    }
                };
                for type_url in types {
                    let all = told.borrow_and_update().clone();
                    // More than was asked for does no harm.
                    let resources = all.into_iter().filter(|one| one.type_url == type_url).collect();
                    let (version_info, nonce) = (version.to_string(), version.to_string());
                    sender.send(DiscoveryResponse { version_info, resources, type_url, nonce }).await?;
                }
            }
        });
        Ok(answers)
    }
}
