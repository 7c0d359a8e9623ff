//! The handshake after the greeting: one small machine per mechanism and role, driven by the peer's commands.
//!
//! ```text
//! NULL     both: READY                                         each as soon as it knows its own kind
//! PLAIN    client: HELLO            INITIATE                   server: WELCOME            READY
//! CURVE    client: HELLO            INITIATE                   server: WELCOME            READY
//!                    `-- PLAIN: Authenticate      `-- CURVE: Authenticate
//! ```
//!
//! | file | mechanism |
//! | --- | --- |
//! | `null.rs`, `plain.rs`, `curve.rs` | NULL, PLAIN, CURVE |
//! | `no_curve.rs` | in place of CURVE, where its feature is off |
//!
//! A server that has an authenticator and speaks NULL calls it for every peer, with an empty credential.
//!
//! Source: docs/wire/zmtp.md, section 3; ZeroMQ RFC 37 (NULL), 24 (PLAIN), 25 and 26 (CURVE)

#[cfg(feature = "curve")]
mod curve;
#[cfg(not(feature = "curve"))]
#[path = "no_curve.rs"]
mod curve;
mod null;
mod plain;

pub(super) use curve::Session;

use super::{
    Kind, Security, Settings,
    command::{Command, Properties},
    error::Fault,
};
use bytes::BytesMut;

/// One side of a handshake.
pub(super) enum Handshake {
    Null(null::Null),
    PlainClient(plain::Client),
    PlainServer(plain::Server),
    #[cfg(feature = "curve")]
    CurveClient(Box<curve::Client>),
    #[cfg(feature = "curve")]
    CurveServer(Box<curve::Server>),
}

/// The result of a command.
pub(super) enum Progress {
    /// The handshake continues.
    Goes,
    /// The host has to decide before the handshake continues.
    Asks(Shown),
    /// The handshake is complete.
    Done(Done),
}

/// The credential that the peer shows by the mechanism.
#[derive(Default)]
pub(super) struct Shown {
    pub scheme: &'static str,
    pub user: Option<Vec<u8>>,
    pub credential: Option<Vec<u8>>,
}

/// The result of a handshake.
pub(super) struct Done {
    pub peer: Properties,
    /// CURVE: seals and opens messages after the handshake.
    pub session: Option<Box<Session>>,
}

/// This side's properties, for the commands that it sends.
pub(super) struct LocalSide<'s> {
    pub settings: &'s Settings,
    /// Whether the authenticator has to be called.
    pub authenticate: bool,
}

impl LocalSide<'_> {
    /// The kind of this side's socket for this peer.
    fn kind_for(&self, peer: &Properties) -> Result<Kind, Fault> {
        self.settings.socket_for(peer.kind).map(|socket| socket.kind).ok_or(Fault::SocketType)
    }

    /// The kind of this side's socket, for mechanisms in which it has to be sent before the peer's is known.
    fn only_kind(&self) -> Result<Kind, Fault> {
        self.settings.only_kind().ok_or(Fault::SocketType)
    }
}

impl Handshake {
    /// Begins: writes the first command of this side.
    pub fn begin(local: &LocalSide<'_>, out: &mut BytesMut) -> Result<Self, Fault> {
        Ok(match &local.settings.security {
            Security::Null => Handshake::Null(null::Null::begin(local, out)),
            Security::PlainClient { user, password } => {
                Handshake::PlainClient(plain::Client::begin(user, password, out)?)
            }
            Security::PlainServer => Handshake::PlainServer(plain::Server::begin()),
            #[cfg(feature = "curve")]
            Security::CurveClient { server, secret } => {
                Handshake::CurveClient(Box::new(curve::Client::begin(local, *server, secret, out)?))
            }
            #[cfg(feature = "curve")]
            Security::CurveServer { secret } => {
                Handshake::CurveServer(Box::new(curve::Server::begin(secret)))
            }
        })
    }

    /// Handles a command of the peer, which is never ERROR.
    pub fn command(
        &mut self,
        local: &LocalSide<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        match self {
            Handshake::Null(null) => null.command(local, command, out),
            Handshake::PlainClient(client) => client.command(local, command, out),
            Handshake::PlainServer(server) => server.command(local, command, out),
            #[cfg(feature = "curve")]
            Handshake::CurveClient(client) => client.command(local, command, out),
            #[cfg(feature = "curve")]
            Handshake::CurveServer(server) => server.command(local, command, out),
        }
    }

    /// Continues after the peer was accepted.
    pub fn accepted(&mut self, local: &LocalSide<'_>, out: &mut BytesMut) -> Result<Progress, Fault> {
        match self {
            Handshake::Null(null) => null.accepted(local, out),
            Handshake::PlainServer(server) => {
                server.accepted(out);
                Ok(Progress::Goes)
            }
            #[cfg(feature = "curve")]
            Handshake::CurveServer(server) => server.accepted(local, out),
            Handshake::PlainClient(_) => Err(Fault::Order), // clients ask for no verdict
            #[cfg(feature = "curve")]
            Handshake::CurveClient(_) => Err(Fault::Order),
        }
    }
}
