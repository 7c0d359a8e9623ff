//! What the built-in services may know of their server.

use crate::{health::Health, pages::Facts, service::Service};
use polywire_engine::{ConnectionStats, Peer};
use std::sync::Arc;

/// A description of a server for its built-in services.
#[derive(Clone)]
pub struct About {
    pub health: Health,
    /// The application's services.
    pub services: Arc<[AboutService]>,
    /// Whether schemas are shown to every peer; otherwise only to peers on the same machine.
    pub open_reflection: bool,
    pub(crate) facts: Arc<Facts>,
}

/// Numbers of calls of a server since its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    pub succeeded: u64,
    pub failed: u64,
    /// Calls in flight.
    pub pending: u64,
}

impl About {
    /// The open connections. Empty before the server runs and after it has stopped.
    pub fn connections(&self) -> Vec<Arc<ConnectionStats>> {
        self.facts.server().map(|server| server.connections()).unwrap_or_default()
    }

    /// The addresses on which the server listens.
    pub fn listeners(&self) -> Vec<Peer> {
        self.facts.server().map(|server| server.listeners()).unwrap_or_default()
    }

    /// Calls of all methods.
    pub fn calls(&self) -> Calls {
        let (succeeded, failed) = self.facts.ended();
        let pending = self.connections().iter().map(|connection| u64::from(connection.calls())).sum();
        Calls { succeeded, failed, pending }
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
