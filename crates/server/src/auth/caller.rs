//! What an authenticator is shown of a caller.

use crate::context::{Connection, MethodName};
use bytes::Bytes;
use polywire_call::Metadata;
use polywire_engine::{Peer, transport::Security};
use polywire_wire::{Claim, CredentialPer, Protocol};
use std::{
    fmt,
    sync::{Arc, OnceLock, atomic::Ordering::Relaxed},
};

/// Someone who asks to be let in, as an [`Authenticator`](crate::Authenticator) sees him.
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

    /// What kind of credential it is: `authorization` over HTTP, `AUTH` of Redis, `NULL`, `PLAIN` or `CURVE` of ZeroMQ, else
    /// the protocol's name.
    pub fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// What is shown: over HTTP the whole value of the field `authorization`, of Redis and PLAIN the password. `None`: the
    /// caller shows none, or its protocol has no field for one. Whether that will do is for the authenticator to say, by the
    /// address or the certificate for instance.
    pub fn credential(&self) -> Option<&[u8]> {
        self.credential.as_deref()
    }

    /// [`Caller::credential`] as text; `None` also if it is not UTF-8.
    pub fn credential_str(&self) -> Option<&str> {
        std::str::from_utf8(self.credential()?).ok()
    }

    /// The token of `authorization: Bearer <token>`, with `Bearer` in either case (RFC 6750).
    pub fn bearer(&self) -> Option<&str> {
        let (scheme, token) = self.credential_str()?.split_once(' ')?;
        let is_bearer = self.protocol.http.is_some() && scheme.eq_ignore_ascii_case("bearer");
        is_bearer.then(|| token.trim_start_matches(' '))
    }

    /// The user, where the protocol names him beside the password (Redis' AUTH with two arguments, PLAIN). `None` of Redis is
    /// its user `default`.
    pub fn user(&self) -> Option<&[u8]> {
        self.user.as_deref()
    }

    /// Address of the caller.
    pub fn peer(&self) -> &Peer {
        &self.connection.peer
    }

    /// Address the caller reached.
    pub fn local(&self) -> &Peer {
        &self.connection.local
    }

    /// Name of the protocol of the connection: `h2` for gRPC.
    pub fn protocol(&self) -> &'static str {
        self.protocol.name
    }

    /// What TLS settled with the peer; `None`: the connection is not protected.
    pub fn security(&self) -> Option<&Security> {
        self.connection.security.get().map(|security| &**security)
    }

    /// The caller's certificates, DER, its own first; they were verified. Empty: it showed none.
    pub fn peer_certificates(&self) -> &[Bytes] {
        self.security().map_or(&[], |security| &security.peer_certificates)
    }

    /// Each request is asked about (HTTP in all its forms). Else the decision is about the connection: further requests will
    /// come on it, for any method, and nobody is asked again.
    pub fn is_per_request(&self) -> bool {
        self.protocol.credential == CredentialPer::Request
    }

    /// Full name of the service that the request asks for. `None`: there is no such service, or the protocol shows its
    /// credential before any request (Redis, ZeroMQ), or before what names the method (public_pbrpc, ubrpc).
    pub fn service(&self) -> Option<&'static str> {
        self.look();
        self.method.map(|method| method.service)
    }

    /// The method that the request asks for; see [`Caller::service`].
    pub fn method(&self) -> Option<&'static str> {
        self.look();
        self.method.map(|method| method.method)
    }

    /// Fields of the request: HTTP headers (with `:method` and `:path`), gRPC metadata, baidu_std user fields.
    pub fn metadata(&self) -> &Metadata {
        self.look();
        self.metadata.get_or_init(|| {
            let mut metadata = Metadata::new();
            (self.protocol.fields)(&self.raw, &mut |name, value| metadata.append(name, value));
            metadata
        })
    }

    /// The decision depends on the request.
    fn look(&self) {
        self.connection.request_seen.store(true, Relaxed);
    }
}

/// Without the credential.
impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("scheme", &self.scheme)
            .field("peer", self.peer())
            .field("protocol", &self.protocol())
            .finish_non_exhaustive()
    }
}
