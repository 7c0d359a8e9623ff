//! The parameters with which a machine is made: as a server's end of a connection, or as a client's.
//!
//! Settings that belong to a single protocol are in [`Extensions`]: which pages of browsers may call over
//! HTTP ([`Origins`](crate::Origins)), the sockets of a ZeroMQ port, the formats of rest_rpc.

use crate::{Extensions, Limits, Role};

/// The end of a connection that a machine is for, and the parameters of that end.
#[derive(Clone, Copy)]
pub enum Setup<'s> {
    Server(ServerSetup<'s>),
    Client(ClientSetup<'s>),
}

/// The parameters of a server's end. `Default` is a server with default limits that lets every peer in.
#[derive(Clone, Copy, Default)]
pub struct ServerSetup<'s> {
    pub limits: Limits,
    /// Whether to raise `Authenticate` before anything is dispatched.
    pub authenticate: bool,
    /// Whether the bytes pass through TLS.
    pub secure: bool,
    /// Whether the peer connected to a loopback address, so that it is on this machine, or a proxy on this
    /// machine.
    pub loopback: bool,
    /// A random value per connection, so that connections do not all do the same at the same time. 0 is the
    /// middle.
    pub random: i64,
    pub extensions: Option<&'s Extensions>,
}

/// The parameters of a client's end. `Default` is a client with default limits and no credential.
#[derive(Clone, Copy, Default)]
pub struct ClientSetup<'s> {
    pub limits: Limits,
    /// The credential in the first frame or in each request; never empty. Redis: `password` or
    /// `user:password`. A protocol without a field for it refuses calls
    /// ([`Refusal::Credential`](crate::Refusal::Credential)).
    pub credential: Option<&'s [u8]>,
    /// The peer's name as the user wrote it, for `Host` and `:authority`.
    pub authority: &'s str,
    /// Whether the bytes pass through TLS: `https` where the protocol names a scheme.
    pub secure: bool,
    /// The part of the protocol's name after the colon (`http:proto`), empty if there is none.
    pub parameter: &'s str,
    /// Whether the connection is closed after its first call
    /// ([`Connections::Short`](crate::Connections::Short)); a protocol that can announce this does.
    pub once: bool,
    pub extensions: Option<&'s Extensions>,
}

impl<'s> Setup<'s> {
    /// The setup of either end, with these limits and otherwise defaults.
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

    /// Whether the peer has to authenticate first. Always false at a client.
    pub fn authenticate(&self) -> bool {
        match self {
            Setup::Server(setup) => setup.authenticate,
            Setup::Client(_) => false,
        }
    }

    /// The credential that a client shows when it connects; `None` at a server, and where there is none.
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
