//! What the built-in services may know of their server.

use crate::{
    facts::{Facts, LiveServer},
    health::Health,
    service::Service,
};
use polywire_engine::{ConnectionStats, Peer};
use std::sync::{Arc, OnceLock};

/// A description of a server for its built-in services.
#[derive(Clone)]
pub struct About {
    pub health: Health,
    /// The services of the application, without pages and built-in services.
    pub services: Arc<[AboutService]>,
    /// Whether schemas are shown to every peer; otherwise only to peers on the same machine.
    pub open_reflection: bool,
    /// Whether a service of `tower` answers the requests over HTTP that no other does.
    pub has_fallback: bool,
    /// Set once the server is built.
    pub(crate) facts: Arc<OnceLock<Facts>>,
}

/// Numbers of calls of a server since its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    pub succeeded: u64,
    pub failed: u64,
    /// The number of calls that are under way.
    pub pending: u64,
}

impl About {
    /// The open connections. Empty before the server runs and after it has stopped.
    pub fn connections(&self) -> Vec<Arc<ConnectionStats>> {
        self.live().map(|server| server.connections()).unwrap_or_default()
    }

    /// The addresses on which the server listens.
    pub fn listeners(&self) -> Vec<Peer> {
        self.live().map(|server| server.listeners()).unwrap_or_default()
    }

    /// Calls of all methods.
    pub fn calls(&self) -> Calls {
        let methods = self.facts.get().map_or(&[][..], |facts| &facts.stats.methods);
        let succeeded = methods.iter().map(|method| method.latency.count()).sum();
        let failed = methods.iter().map(|method| method.errors.total()).sum();
        let pending = self.connections().iter().map(|connection| u64::from(connection.calls())).sum();
        Calls { succeeded, failed, pending }
    }

    /// The server; `None` before it runs and once it has stopped.
    fn live(&self) -> Option<Arc<dyn LiveServer>> {
        self.facts.get()?.live.upgrade()
    }
}

/// A service as others may see it.
#[derive(Clone, Copy)]
pub struct AboutService {
    pub name: &'static str,
    /// A `FileDescriptorSet`, empty if there is none.
    pub descriptors: &'static [u8],
}

impl AboutService {
    pub fn of(service: &Service) -> Self {
        AboutService { name: service.name, descriptors: service.descriptors }
    }
}
