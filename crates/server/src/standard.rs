//! Services that a server has of its own accord: what they may know of it.

use crate::{health::Health, service::Service};
use std::sync::Arc;

/// What a server tells the services that come with it.
#[derive(Clone)]
pub struct About {
    pub health: Health,
    /// The user's services.
    pub services: Arc<[AboutService]>,
    /// Schemas are shown to everybody; else to peers on the same machine only.
    pub open_reflection: bool,
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
