//! Services that a server has of its own accord: what they may know of it.

use crate::{health::Health, pages::Facts, service::Service};
use polywire_engine::{Peer, Vitals};
use std::sync::Arc;

/// What a server tells the services that come with it.
#[derive(Clone)]
pub struct About {
    pub health: Health,
    /// The user's services.
    pub services: Arc<[AboutService]>,
    /// Schemas are shown to everybody; else to peers on the same machine only.
    pub open_reflection: bool,
    pub(crate) facts: Arc<Facts>,
}

/// Calls of a server since its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    pub succeeded: u64,
    pub failed: u64,
    /// Under way.
    pub pending: u64,
}

impl About {
    /// Connections open now; none before the server runs and when it has ended.
    pub fn connections(&self) -> Vec<Arc<Vitals>> {
        self.facts.server().map(|server| server.connections()).unwrap_or_default()
    }

    /// Where it listens.
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

/// A service as others may know it.
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
