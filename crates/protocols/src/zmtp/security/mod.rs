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
//! A server that has an authenticator and speaks NULL asks it about every peer, with nothing to show.
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

/// What a command led to.
pub(super) enum Progress {
    /// Nothing yet; more is to come.
    Goes,
    /// The verdict is wanted before anything else.
    Asks(Shown),
    /// Both sides are through.
    Done(Done),
}

/// What the peer proves by the mechanism.
#[derive(Default)]
pub(super) struct Shown {
    pub scheme: &'static str,
    pub user: Option<Vec<u8>>,
    pub credential: Option<Vec<u8>>,
}

/// The end of a handshake.
pub(super) struct Done {
    pub peer: Properties,
    /// CURVE: what seals and opens messages from now on.
    pub session: Option<Box<Session>>,
}

/// Who we are, for the properties we send.
pub(super) struct Us<'s> {
    pub settings: &'s Settings,
    /// An authenticator is to be asked.
    pub authenticate: bool,
}

impl Us<'_> {
    /// What we are towards this peer.
    fn kind_for(&self, peer: &Properties) -> Result<Kind, Fault> {
        self.settings.socket_for(peer.kind).map(|socket| socket.kind).ok_or(Fault::SocketType)
    }

    /// What we are, for those who have to say so first.
    fn only_kind(&self) -> Result<Kind, Fault> {
        self.settings.only_kind().ok_or(Fault::SocketType)
    }
}

impl Handshake {
    /// Begins: writes what this side says first.
    pub fn begin(us: &Us<'_>, out: &mut BytesMut) -> Result<Self, Fault> {
        Ok(match &us.settings.security {
            Security::Null => Handshake::Null(null::Null::begin(us, out)),
            Security::PlainClient { user, password } => {
                Handshake::PlainClient(plain::Client::begin(user, password, out)?)
            }
            Security::PlainServer => Handshake::PlainServer(plain::Server::begin()),
            #[cfg(feature = "curve")]
            Security::CurveClient { server, secret } => {
                Handshake::CurveClient(Box::new(curve::Client::begin(us, *server, secret, out)?))
            }
            #[cfg(feature = "curve")]
            Security::CurveServer { secret } => {
                Handshake::CurveServer(Box::new(curve::Server::begin(secret)))
            }
        })
    }

    /// A command of the peer; never ERROR.
    pub fn command(
        &mut self,
        us: &Us<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        match self {
            Handshake::Null(null) => null.command(us, command, out),
            Handshake::PlainClient(client) => client.command(us, command, out),
            Handshake::PlainServer(server) => server.command(us, command, out),
            #[cfg(feature = "curve")]
            Handshake::CurveClient(client) => client.command(us, command, out),
            #[cfg(feature = "curve")]
            Handshake::CurveServer(server) => server.command(us, command, out),
        }
    }

    /// The peer may come in.
    pub fn accepted(&mut self, us: &Us<'_>, out: &mut BytesMut) -> Result<Progress, Fault> {
        match self {
            Handshake::Null(null) => null.accepted(us, out),
            Handshake::PlainServer(server) => {
                server.accepted(out);
                Ok(Progress::Goes)
            }
            #[cfg(feature = "curve")]
            Handshake::CurveServer(server) => server.accepted(us, out),
            Handshake::PlainClient(_) => Err(Fault::Order), // clients ask for no verdict
            #[cfg(feature = "curve")]
            Handshake::CurveClient(_) => Err(Fault::Order),
        }
    }
}
