//! The drafts of fb_rpc that were in use before its text was settled.

use polywire_protocols::fb_rpc::{Drafts, draft_method_id};
use polywire_server::{Preset, Servable, Server, Service};
use std::sync::Arc;

/// Lets a service of FlatBuffers answer clients of fb_rpc's drafts V0 and V1 as well, in which methods go by
/// their positions in the service: docs/flatbuffers.md.
///
/// ```
/// # fn serve(echo: polywire::Service) -> polywire::Server {
/// polywire::Server::new().service(polywire::fb_rpc::with_drafts(echo))
/// # }
/// ```
pub fn with_drafts(service: Service) -> WithDrafts {
    let name = service.name();
    WithDrafts { service, name }
}

/// The service that [`with_drafts`] returns.
pub struct WithDrafts {
    service: Service,
    name: &'static str,
}

impl WithDrafts {
    /// The name that the drafts' clients use for the service, if it differs from its name here. Dumped
    /// requests have the service's own name, so a replay by the drafts' name does not find them.
    pub fn called(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }
}

impl Servable for WithDrafts {
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        let service = self
            .service
            .each_method(|position, method| method.alias(draft_method_id(self.name, position as u32)));
        server.extension(Arc::new(Drafts)).service(service)
    }
}
