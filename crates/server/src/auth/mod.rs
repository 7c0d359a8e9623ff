//! Who may call a server, and who its callers are.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod.rs` | the authenticator, and what it finds out |
//! | `caller.rs` | what an authenticator is shown |
//! | `identities.rs` | the callers of a connection that has several |
//!
//! Asking, and what becomes of the answer, is `dispatch/asking.rs`.

mod caller;
mod identities;

pub use caller::Caller;
pub(crate) use identities::Identities;

use polywire_call::Status;
use polywire_engine::Peer;
use polywire_wire::Claim;
use std::{any::Any, future::Future, pin::Pin, sync::Arc};

/// Decides who may call. An async closure is one:
///
/// ```
/// use polywire_server::{Caller, Identity};
/// # use polywire_call::Status;
/// # async fn user_of(_: Option<String>) -> Result<String, Status> { Ok(String::new()) }
/// # fn is_authenticator(_: impl polywire_server::Authenticator) {}
///
/// let authenticator = |caller: Caller| async move {
///     let token = caller.bearer().map(str::to_owned);
///     Ok(Identity::named(&user_of(token).await?)) // asks a database, say
/// };
/// # is_authenticator(authenticator);
/// ```
///
/// It is asked before anything is dispatched: over HTTP about each request whose credential is not the one that was let in
/// before on its connection, over other protocols about the first request of a connection. docs/authentication.md says what
/// each protocol shows. `/health`, gRPC's health service and methods that are [open to all](crate::Method::open_to_all) need
/// no credential over HTTP, though the consent of a [guard](crate::Server::guard).
///
/// A decision that looked at the request ([`Caller::service`], [`Caller::method`], [`Caller::metadata`]) holds for that
/// request alone, where each request is asked about; else it holds for all that show the same credential.
///
/// It runs as handlers do: on the shard while it is quick, so it must not block. While it waits, its connection reads nothing
/// more, other connections go on, and [`Timeouts::authentication`](polywire_engine::Timeouts) runs. If the connection ends,
/// the future is dropped. A panic refuses the caller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no authenticator",
    note = "an authenticator is `|caller: Caller| async move {{ .. }}`, with `Result<Identity, Status>` as its output, or a \
            type that implements `Authenticator`"
)]
pub trait Authenticator: Send + Sync + 'static {
    /// # Errors
    /// A refusal is answered in the protocol's words. Then the connection is closed, except over HTTP/2, and over HTTP/1 for
    /// grpc-web and Connect, where it ends that request alone.
    fn verify(&self, caller: Caller) -> impl Future<Output = Result<Identity, Status>> + Send;

    /// Whether a request of HTTP that shows no credential, on a connection that was let in over HTTP, is its last caller's.
    /// brpc's HTTP clients need it: they show theirs once per connection, as all clients of the other protocols do.
    ///
    /// By default it is not: callers whom a proxy lets share its connections would pass for one another. Over HTTP/2 the last
    /// caller is whose credential was shown last.
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

/// An authenticator that is asked.
pub(crate) type Asked = Pin<Box<dyn Future<Output = Result<Identity, Status>> + Send>>;

/// Any authenticator.
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
