//! The client of one target, without sockets: the requests to each control plane, and the newest snapshot.

use crate::{
    ads::{Ads, Found, Shown},
    bootstrap::Bootstrap,
    depend::{Needs, Outcome, Snapshot, View, resolve},
    messages::envoy::{
        config::core::v3 as wire,
        service::discovery::v3::{DiscoveryRequest, DiscoveryResponse},
    },
    resources::{Kind, Known},
};
use std::{collections::BTreeMap, net::SocketAddr, sync::Arc, time::Duration};

/// The number of a control plane in [`Core::planes`].
pub(crate) type Plane = usize;

/// The known resources of one target. Time is measured from its start.
#[derive(Debug)]
pub(crate) struct Core {
    bootstrap: Arc<Bootstrap>,
    listener: String,
    /// The target to which calls are addressed.
    domain: String,
    known: Arc<Known>,
    planes: Vec<Ads>,
    needs: Needs,
    addresses: BTreeMap<String, Option<Result<Vec<SocketAddr>, String>>>,
    /// The newest one, and whether it has been taken.
    outcome: Option<Result<Snapshot, String>>,
    news: bool,
}

impl Core {
    pub fn new(bootstrap: Arc<Bootstrap>, listener: String, domain: String) -> Core {
        let known = Arc::new(Known { providers: bootstrap.certificates.clone() });
        let mut core = Core {
            bootstrap,
            listener,
            domain,
            known,
            planes: Vec::new(),
            needs: Needs::default(),
            addresses: BTreeMap::new(),
            outcome: None,
            news: false,
        };
        core.resolve();
        core
    }

    /// A control plane to which a stream is to be opened now.
    pub fn opens(&mut self, now: Duration) -> Option<Plane> {
        self.planes.iter_mut().position(|plane| plane.opens(now))
    }

    pub fn planes(&self) -> &[Ads] {
        &self.planes
    }

    pub fn opened(&mut self, plane: Plane, now: Duration) {
        self.planes[plane].opened(now);
    }

    /// The next request to a control plane, to be written at once.
    pub fn request(&mut self, plane: Plane, now: Duration) -> Option<DiscoveryRequest> {
        let (mut request, first) = self.planes[plane].request(now)?;
        if first {
            request.node = self.node().into();
        }
        Some(request)
    }

    /// Handles a response of a control plane. Returns the refusals, for the log.
    #[must_use = "it is to be logged"]
    pub fn received(&mut self, plane: Plane, response: DiscoveryResponse, now: Duration) -> Option<String> {
        let changes = self.planes[plane].received(response, now);
        if changes.changed {
            self.resolve();
        }
        changes.refused
    }

    /// The stream to a control plane has ended. `unit`: random, from 0 up to 1.
    pub fn ended(&mut self, plane: Plane, why: &str, now: Duration, unit: f64) {
        self.planes[plane].ended(why, now, unit);
        self.resolve();
    }

    /// Deadlines that have passed take effect.
    pub fn tick(&mut self, now: Duration) {
        let changed = self.planes.iter_mut().fold(false, |changed, plane| plane.tick(now) | changed);
        if changed {
            self.resolve();
        }
    }

    /// When [`Core::tick`], [`Core::opens`] or [`Core::request`] has to be called.
    pub fn deadline(&self) -> Option<Duration> {
        self.planes.iter().filter_map(Ads::deadline).min()
    }

    /// Names, `host:port`, whose addresses are needed.
    pub fn hosts(&self) -> impl Iterator<Item = &String> {
        self.needs.dns.iter()
    }

    pub fn needs_host(&self, name: &str) -> bool {
        self.needs.dns.contains(name)
    }

    /// Takes the result of resolving a name: its addresses, or an error.
    pub fn resolved(&mut self, name: &str, found: Result<Vec<SocketAddr>, String>) {
        if let Some(known) = self.addresses.get_mut(name) {
            // The last ones stay in use while the name cannot be resolved.
            if found.is_err() && matches!(known, Some(Ok(_))) || known.as_ref() == Some(&found) {
                return;
            }
            *known = Some(found);
            self.resolve();
        }
    }

    /// The snapshot, or the error with which calls fail, if it is newer than the one that was taken before.
    pub fn news(&mut self) -> Option<&Result<Snapshot, String>> {
        std::mem::take(&mut self.news).then_some(self.outcome.as_ref()).flatten()
    }

    /// Requests the resources that are needed after a change, until no more are needed.
    fn resolve(&mut self) {
        loop {
            let (needs, outcome) = resolve(&self.listener, &self.domain, &*self);
            let settled = needs == self.needs;
            if !settled {
                self.needs = needs;
                self.ask();
                continue;
            }
            let outcome = match outcome {
                Outcome::Waiting => return,
                Outcome::Ready(snapshot) => Ok(snapshot),
                Outcome::Failed(why) => Err(format!("{why} [xDS node id: {}]", self.bootstrap.node.id)),
            };
            if self.outcome.as_ref() != Some(&outcome) {
                (self.outcome, self.news) = (Some(outcome), true);
            }
            return;
        }
    }

    /// Sends each control plane's list of needed resources.
    fn ask(&mut self) {
        for kind in Kind::ALL {
            let names = &self.needs.names[kind as usize];
            let mut by_plane = vec![std::collections::BTreeSet::new(); self.planes.len()];
            for name in names {
                let Ok(servers) = self.bootstrap.servers_of(name) else { continue };
                let server = &servers[0];
                let plane =
                    self.planes.iter().position(|plane| plane.server() == server).unwrap_or_else(|| {
                        self.planes.push(Ads::new(server.clone(), self.known.clone()));
                        by_plane.push(std::collections::BTreeSet::new());
                        self.planes.len() - 1
                    });
                by_plane[plane].insert(name.clone());
            }
            for (plane, names) in self.planes.iter_mut().zip(&by_plane) {
                plane.names(kind, names);
            }
        }
        let hosts = &self.needs.dns;
        self.addresses.retain(|name, _| hosts.contains(name));
        for name in hosts {
            self.addresses.entry(name.clone()).or_insert(None);
        }
    }

    /// All requested resources, with their states.
    pub fn shown(&self) -> impl Iterator<Item = (Kind, &str, Shown<'_>)> {
        let of = |(kind, name, entry)| {
            let (name, entry): (&String, &crate::ads::Entry) = (name, entry);
            (kind, name.as_str(), entry.shown())
        };
        self.planes.iter().flat_map(Ads::entries).map(of)
    }

    /// The identity of this client.
    pub fn node(&self) -> wire::Node {
        let node = &self.bootstrap.node;
        let [region, zone, sub_zone] = node.locality.clone();
        let locality = wire::Locality { region, zone, sub_zone };
        wire::Node {
            id: node.id.clone(),
            cluster: node.cluster.clone(),
            metadata: (!node.metadata.is_empty()).then(|| crate::json::to_struct(&node.metadata)).into(),
            locality: (locality != wire::Locality::default()).then_some(locality).into(),
            user_agent_name: "polywire".to_owned(),
            user_agent_version: env!("CARGO_PKG_VERSION").to_owned(),
            client_features: vec![
                "envoy.lb.does_not_support_overprovisioning".to_owned(),
                "xds.config.resource-in-sotw".to_owned(),
            ],
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;

impl View for Core {
    fn found(&self, kind: Kind, name: &str) -> Found<'_> {
        let servers = match self.bootstrap.servers_of(name) {
            Ok(servers) => servers,
            Err(why) => return Found::None(why),
        };
        let plane = self.planes.iter().find(|plane| *plane.server() == servers[0]);
        plane.map_or(Found::Waiting, |plane| plane.found(kind, name))
    }

    fn addresses(&self, name: &str) -> Option<Result<&[SocketAddr], &str>> {
        let known = self.addresses.get(name)?.as_ref()?;
        Some(known.as_ref().map(Vec::as_slice).map_err(String::as_str))
    }
}
