//! Who the peer is.

use polywire_call::Status;
use polywire_engine::Peer;
use std::{any::Any, sync::Arc};

/// Verifies the credential of a connection's first request, before anything is dispatched, and of each request of HTTP
/// whose credential is not that of the one before.
///
/// Which `scheme` and `credential` each protocol shows is in docs/authentication.md; of HTTP the scheme is `authorization` and
/// the credential that field's whole value. `/health`, gRPC's health service and methods that are
/// [open to all](crate::Method::open_to_all) need none over HTTP.
///
/// It runs on the shard: look-ups that wait belong into a cache that is filled elsewhere.
pub trait Authenticator: Send + Sync + 'static {
    /// # Errors
    /// A refusal is answered in the protocol's words and the connection is closed.
    fn verify(&self, scheme: &str, credential: &[u8], peer: &Peer) -> Result<Identity, Status>;

    /// Whether a request of HTTP that shows no credential, on a connection that was let in over HTTP, is its last caller's.
    /// brpc's HTTP clients need it: they show theirs once per connection, as all clients of the other protocols do.
    ///
    /// By default it is not: callers whom a proxy lets share its connections would pass for one another. Over HTTP/2 the last
    /// caller is whose credential was shown last when the request had come as a whole.
    fn remembers(&self) -> bool {
        false
    }
}

/// Decides about the peers of one protocol; see [`Server::guard`](crate::Server::guard).
pub(crate) type Guard = Box<dyn Fn(&str, &[u8], &Peer) -> Result<(), Status> + Send + Sync>;

/// What an authenticator found out, for handlers to read.
#[derive(Clone, Default)]
pub struct Identity {
    /// Name of the user or service.
    pub name: Arc<str>,
    pub roles: Arc<[Box<str>]>,
    /// Whatever else the authenticator wants its handlers to know.
    pub extra: Option<Arc<dyn Any + Send + Sync>>,
}

impl Identity {
    pub fn named(name: &str) -> Self {
        Identity { name: name.into(), ..Identity::default() }
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity")
            .field("name", &self.name)
            .field("roles", &self.roles)
            .finish_non_exhaustive()
    }
}
