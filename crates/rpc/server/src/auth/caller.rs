//! The facts about a caller that an authenticator receives.

use crate::context::{Connection, MethodName};
use bytes::Bytes;
use polywire_call::Metadata;
use polywire_engine::{Peer, transport::Security};
use polywire_wire::{Claim, CredentialPer, Protocol};
use std::{
    fmt,
    sync::{Arc, OnceLock, atomic::Ordering::Relaxed},
};

/// A caller that asks to be admitted, as an [`Authenticator`](crate::Authenticator) sees it.
pub struct Caller {
    connection: Arc<Connection>,
    protocol: &'static Protocol,
    scheme: &'static str,
    user: Option<Box<[u8]>>,
    credential: Option<Box<[u8]>>,
    method: Option<&'static MethodName>,
    /// Metadata in the protocol's own form.
    raw: Box<[u8]>,
    metadata: OnceLock<Metadata>,
}

impl Caller {
    pub(crate) fn new(
        connection: &Arc<Connection>,
        protocol: &'static Protocol,
        method: Option<&'static MethodName>,
        claim: &Claim<'_>,
    ) -> Self {
        Caller {
            connection: connection.clone(),
            protocol,
            scheme: claim.scheme,
            user: claim.user.map(Box::from),
            credential: claim.credential.map(Box::from),
            method,
            raw: claim.head.map_or_else(Box::default, |head| head.raw.into()),
            metadata: OnceLock::new(),
        }
    }

    /// The kind of credential: `authorization` for HTTP, `AUTH` for Redis, `NULL`, `PLAIN` or `CURVE` for
    /// ZeroMQ, otherwise the protocol's name.
    pub fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// The credential: for HTTP the whole value of the field `authorization`, for Redis and PLAIN the
    /// password. `None`: the caller shows none, or its protocol has no field for one. The authenticator
    /// decides whether that is enough, for instance by the address or the certificate.
    pub fn credential(&self) -> Option<&[u8]> {
        self.credential.as_deref()
    }

    /// [`Caller::credential`] as text; `None` also if it is not UTF-8.
    pub fn credential_str(&self) -> Option<&str> {
        std::str::from_utf8(self.credential()?).ok()
    }

    /// The token of `authorization: Bearer <token>`, with `Bearer` in either case (RFC 6750). Only over
    /// HTTP in all its forms; in other protocols, baidu_std among them, the token is the
    /// [credential](Caller::credential_str).
    pub fn bearer(&self) -> Option<&str> {
        let (scheme, token) = self.credential_str()?.split_once(' ')?;
        let is_bearer = self.protocol.http.is_some() && scheme.eq_ignore_ascii_case("bearer");
        is_bearer.then(|| token.trim_start_matches(' '))
    }

    /// The user name, where the protocol sends one with the password (Redis' AUTH with two arguments, PLAIN).
    /// For Redis, `None` means its user `default`.
    pub fn user(&self) -> Option<&[u8]> {
        self.user.as_deref()
    }

    /// The address from which the caller has connected; behind a proxy this is the proxy's.
    pub fn peer(&self) -> &Peer {
        &self.connection.peer
    }

    /// The local address that the caller connected to.
    pub fn local(&self) -> &Peer {
        &self.connection.local
    }

    /// Name of the protocol of the connection: `h2` for gRPC.
    pub fn protocol(&self) -> &'static str {
        self.protocol.name
    }

    /// The result of the TLS handshake; `None` if the connection is not protected.
    pub fn security(&self) -> Option<&Security> {
        self.connection.security.get().map(|security| &**security)
    }

    /// The caller's verified certificates in DER, its own first. Empty if it showed none.
    pub fn peer_certificates(&self) -> &[Bytes] {
        self.security().map_or(&[], |security| &security.peer_certificates)
    }

    /// Whether the decision is made for each request (HTTP in all its forms). Otherwise it is made for the
    /// connection, and covers further requests on it, for any method.
    pub fn is_per_request(&self) -> bool {
        self.protocol.credential == CredentialPer::Request
    }

    /// Full name of the service that the request asks for. `None`: there is no such service, or the protocol
    /// shows its credential before any request (Redis, ZeroMQ) or before the bytes that name the method
    /// (public_pbrpc, ubrpc).
    pub fn service(&self) -> Option<&'static str> {
        self.look();
        self.method.map(|method| method.service)
    }

    /// The method that the request asks for; see [`Caller::service`].
    pub fn method(&self) -> Option<&'static str> {
        self.look();
        self.method.map(|method| method.method)
    }

    /// Fields of the request: HTTP headers (with `:method` and `:path`), gRPC metadata, baidu_std user
    /// fields.
    pub fn metadata(&self) -> &Metadata {
        self.look();
        self.metadata.get_or_init(|| {
            let mut metadata = Metadata::new();
            (self.protocol.fields)(&self.raw, &mut |name, value| metadata.append(name, value));
            metadata
        })
    }

    /// Notes that the decision depends on the request.
    fn look(&self) {
        self.connection.request_seen.store(true, Relaxed);
    }
}

/// Leaves out the credential.
impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("scheme", &self.scheme)
            .field("peer", self.peer())
            .field("protocol", &self.protocol())
            .finish_non_exhaustive()
    }
}
