//! [`Servable`]: the types that can be added to a server.

use crate::{Preset, Server, Service};

/// The argument of [`Server::service`]: a [`Service`], or a type that adds several parts to a server, such as
/// a service, the settings of a protocol, and the sockets its peers connect to. ZeroMQ's port and the
/// functions of rest_rpc are of the second kind, and crates of other protocols can define their own.
///
/// ```
/// use polywire_server::{Preset, Servable, Server, Service};
/// use std::sync::Arc;
///
/// /// Queues that a server offers, and how its protocol treats their peers.
/// struct Queues {
///     service: Service,
///     settings: Arc<QueueSettings>,
/// }
/// struct QueueSettings {
///     longest: usize,
/// }
///
/// impl Servable for Queues {
///     fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
///         server.extension(self.settings).service(self.service)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a server cannot serve `{Self}`",
    note = "where it implements the trait of a generated service, add `.into_service()` to it",
    note = "where it implements a trait of one protocol, make a service of it: `redis::service(..)`, `nshead::service(..)`"
)]
pub trait Servable {
    /// Adds its parts to the server.
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P>;
}

impl Servable for Service {
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        server.with_service(self)
    }
}
