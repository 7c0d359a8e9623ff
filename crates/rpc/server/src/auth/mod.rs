//! Authentication: who may call a server, and which identity a caller has.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod.rs` | the authenticator and the identity that it returns |
//! | `caller.rs` | what an authenticator learns about a caller |
//! | `identities.rs` | the identities on a connection with several callers |
//!
//! Asking the authenticator, and acting on its answer, is `dispatch/asking.rs`.

mod caller;
mod identities;

pub use caller::Caller;
pub(crate) use identities::Identities;

use polywire_call::Status;
use polywire_engine::Peer;
use polywire_wire::Claim;
use std::{any::Any, future::Future, pin::Pin, sync::Arc};

/// Decides who may call a server. Implemented by async closures:
///
/// ```
/// use polywire_server::{Caller, Identity};
/// # use polywire_call::Status;
/// # async fn user_of(_: Option<String>) -> Result<String, Status> { Ok(String::new()) }
/// # fn is_authenticator(_: impl polywire_server::Authenticator) {}
///
/// let authenticator = |caller: Caller| async move {
///     let token = caller.bearer().map(str::to_owned);
///     Ok(Identity::named(&user_of(token).await?)) // for example from a database
/// };
/// # is_authenticator(authenticator);
/// ```
///
/// The authenticator is called before anything is dispatched: over HTTP for each request whose credential
/// differs from the last one accepted on its connection, over other protocols for the first request of a
/// connection. docs/authentication.md lists the credential of each protocol. `/health`, gRPC's health service
/// and methods that are [open to all](crate::Method::open_to_all) need no credential over HTTP, but they do
/// need the consent of a [guard](crate::Server::guard).
///
/// A decision that read the request ([`Caller::service`], [`Caller::method`], [`Caller::metadata`]) holds for
/// that request alone, where each request is checked. Otherwise it holds for all requests with the same
/// credential.
///
/// It runs like a handler: on the shard while it is quick, so it must not block. While it waits, its
/// connection reads nothing more, other connections continue, and
/// [`Timeouts::authentication`](polywire_engine::Timeouts) runs. If the connection ends, the future is
/// dropped. A panic refuses the caller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an authenticator",
    note = "an authenticator is `|caller: Caller| async move {{ .. }}`, with `Result<Identity, Status>` as its output, or a \
            type that implements `Authenticator`"
)]
pub trait Authenticator: Send + Sync + 'static {
    /// Returns the caller's identity, or the status with which to refuse it.
    ///
    /// # Errors
    /// A refusal is sent in the form of the protocol. Then the connection is closed, except over HTTP/2, and
    /// except for grpc-web and Connect over HTTP/1, where it ends that request alone.
    fn verify(&self, caller: Caller) -> impl Future<Output = Result<Identity, Status>> + Send;

    /// Whether an HTTP request without a credential, on a connection that was admitted over HTTP, counts as a
    /// request of the connection's last caller. brpc's HTTP clients need this: like clients of the other
    /// protocols, they send their credential once per connection.
    ///
    /// By default it does not: callers that share the connections of a proxy could be mistaken for one
    /// another. Over HTTP/2 the last caller is the one whose credential was sent last.
    fn remembers(&self) -> bool {
        false
    }
}

impl<F, R> Authenticator for F
where
    F: Fn(Caller) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Identity, Status>> + Send,
{
    fn verify(&self, caller: Caller) -> impl Future<Output = Result<Identity, Status>> + Send {
        self(caller)
    }
}

/// The future of a running decision.
pub(crate) type Asked = Pin<Box<dyn Future<Output = Result<Identity, Status>> + Send>>;

/// An authenticator of any type, as a trait object.
pub(crate) trait AnyAuthenticator: Send + Sync {
    fn ask(self: Arc<Self>, caller: Caller) -> Asked;
    fn remembers(&self) -> bool;
}

impl<A: Authenticator> AnyAuthenticator for A {
    fn ask(self: Arc<Self>, caller: Caller) -> Asked {
        Box::pin(async move { self.verify(caller).await })
    }

    fn remembers(&self) -> bool {
        Authenticator::remembers(self)
    }
}

/// Decides about the peers of one protocol; see [`Server::guard`](crate::Server::guard).
pub(crate) type Guard = Box<dyn Fn(&Claim<'_>, &Peer) -> Result<(), Status> + Send + Sync>;

/// The identity that an authenticator found; handlers read it.
#[derive(Clone, Default)]
pub struct Identity {
    /// Name of the user or service.
    pub name: Arc<str>,
    pub roles: Arc<[Box<str>]>,
    /// Further data that the authenticator passes to handlers.
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
