//! What a machine is told when it is made: as a server's end of a connection, or as a client's.
//!
//! Settings that one protocol has and no other are in [`Extensions`]: which pages of browsers may call over HTTP
//! ([`Origins`](crate::Origins)), the sockets of a ZeroMQ port, the formats of rest_rpc.

use crate::{Extensions, Limits, Role};

/// Which end of a connection a machine is, and what that end is told.
#[derive(Clone, Copy)]
pub enum Setup<'s> {
    Server(ServerSetup<'s>),
    Client(ClientSetup<'s>),
}

/// What the server's end is told. `Default` is a server with default limits that lets everybody in.
#[derive(Clone, Copy, Default)]
pub struct ServerSetup<'s> {
    pub limits: Limits,
    /// Raise `Authenticate` before anything is dispatched.
    pub authenticate: bool,
    /// The bytes pass through TLS.
    pub secure: bool,
    /// It was reached at a loopback address, so that the peer is on this machine, or passes on what others sent.
    pub loopback: bool,
    /// Differs from connection to connection, so that they do not all do the same at the same time. 0 is the middle.
    pub random: i64,
    pub extensions: Option<&'s Extensions>,
}

/// What the client's end is told. `Default` is a client with default limits that shows no credential.
#[derive(Clone, Copy, Default)]
pub struct ClientSetup<'s> {
    pub limits: Limits,
    /// What the first frame, or each request, carries to be let in; never empty. Redis: `password` or `user:password`.
    /// A protocol that has no field for it refuses calls ([`Refusal::Credential`](crate::Refusal::Credential)).
    pub credential: Option<&'s [u8]>,
    /// Name of the peer as the user wrote it, for `Host` and `:authority`.
    pub authority: &'s str,
    /// The bytes pass through TLS: `https` where the protocol names a scheme.
    pub secure: bool,
    /// What followed the colon in the protocol's name (`http:proto`), empty if nothing did.
    pub parameter: &'s str,
    /// The connection is closed after its first call ([`Connections::Short`](crate::Connections::Short)); a protocol that
    /// can tell the peer so does.
    pub once: bool,
    pub extensions: Option<&'s Extensions>,
}

impl<'s> Setup<'s> {
    /// Either end, with these limits and defaults else.
    pub fn with_limits(role: Role, limits: Limits) -> Self {
        match role {
            Role::Server => ServerSetup { limits, ..ServerSetup::default() }.into(),
            Role::Client => ClientSetup { limits, ..ClientSetup::default() }.into(),
        }
    }

    pub fn role(&self) -> Role {
        match self {
            Setup::Server(_) => Role::Server,
            Setup::Client(_) => Role::Client,
        }
    }

    pub fn limits(&self) -> Limits {
        match self {
            Setup::Server(setup) => setup.limits,
            Setup::Client(setup) => setup.limits,
        }
    }

    pub fn extensions(&self) -> Option<&'s Extensions> {
        match self {
            Setup::Server(setup) => setup.extensions,
            Setup::Client(setup) => setup.extensions,
        }
    }

    /// The peer has to be let in first: of a server that asks who its peers are.
    pub fn authenticate(&self) -> bool {
        match self {
            Setup::Server(setup) => setup.authenticate,
            Setup::Client(_) => false,
        }
    }

    /// What a client shows.
    pub fn credential(&self) -> Option<&'s [u8]> {
        match self {
            Setup::Server(_) => None,
            Setup::Client(setup) => setup.credential,
        }
    }
}

impl<'s> From<ServerSetup<'s>> for Setup<'s> {
    fn from(setup: ServerSetup<'s>) -> Self {
        Setup::Server(setup)
    }
}

impl<'s> From<ClientSetup<'s>> for Setup<'s> {
    fn from(setup: ClientSetup<'s>) -> Self {
        Setup::Client(setup)
    }
}
