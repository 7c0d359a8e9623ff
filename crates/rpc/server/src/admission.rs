//! Whether a call is let in, asked before its body is read.
//!
//! It is asked by the router, behind a question that methods without any admission answer with no. So those
//! do not pay for it.

use crate::auth::Identity;
use polywire_call::Status;
use polywire_engine::Peer;
use polywire_wire::{Dialect, Head, Protocol};
use std::time::Duration;

/// Decides whether calls are let in, when their caller is known and before their bodies are read: see
/// [`Server::admission`](crate::Server::admission). Implemented by closures:
///
/// ```
/// use polywire_call::Status;
/// use polywire_server::Arrival;
///
/// let closed = |call: &Arrival<'_>| match call.called() {
///     ("shop.Orders", "Drop") => Err(Status::permission_denied("not today")),
///     _ => Ok(()),
/// };
/// # fn takes(_: impl polywire_server::Admission) {}
/// # takes(closed);
/// ```
///
/// What has to wait, or looks at messages, is [middleware](crate::Middleware).
pub trait Admission: Send + Sync + 'static {
    /// # Errors
    /// The status with which the call is refused. It was not begun, but is not marked as such: clients try it
    /// at another server only if they do so after its code.
    fn admit(&self, call: &Arrival<'_>) -> Result<(), Status>;
}

impl<F: Fn(&Arrival<'_>) -> Result<(), Status> + Send + Sync + 'static> Admission for F {
    fn admit(&self, call: &Arrival<'_>) -> Result<(), Status> {
        self(call)
    }
}

/// A call whose head has arrived.
pub struct Arrival<'a> {
    pub(crate) peer: &'a Peer,
    pub(crate) identity: Option<Identity>,
    pub(crate) protocol: &'static Protocol,
    /// Service and method.
    pub(crate) called: (&'a str, &'a str),
    pub(crate) head: &'a Head<'a>,
}

impl Arrival<'_> {
    /// As [`Context::identity`](crate::Context::identity).
    pub fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// The address from which the caller has connected; behind a proxy this is the proxy's.
    pub fn peer(&self) -> &Peer {
        self.peer
    }

    /// Service and method as the caller names them; see [`Context::called`](crate::Context::called).
    pub fn called(&self) -> (&str, &str) {
        self.called
    }

    /// Name of the protocol of the connection that carries the call: `h2` for gRPC.
    pub fn protocol(&self) -> &'static str {
        self.protocol.name
    }

    /// Visits the fields of the request: HTTP headers, gRPC metadata, baidu_std user fields.
    pub fn visit_fields(&self, mut visit: impl FnMut(&str, &[u8])) {
        if !self.head.raw.is_empty() {
            (self.protocol.fields)(self.head.raw, &mut visit);
        }
    }

    /// Adds to a refusal when the caller may try again, in the fields that clients look at: `retry-after` in
    /// seconds (RFC 9110 section 10.2.3), and gRPC's `grpc-retry-pushback-ms` (gRFC A6).
    pub fn try_again(&self, status: Status, after: Duration) -> Status {
        try_again(status, after, self.head.dialect == Dialect::Grpc)
    }
}

pub(crate) fn try_again(status: Status, after: Duration, is_grpc: bool) -> Status {
    let seconds = after.as_nanos().div_ceil(1_000_000_000).max(1);
    let status = status.with_metadata("retry-after", seconds.to_string());
    match is_grpc {
        true => {
            status.with_metadata(Status::RETRY_PUSHBACK, after.as_nanos().div_ceil(1_000_000).to_string())
        }
        false => status,
    }
}
