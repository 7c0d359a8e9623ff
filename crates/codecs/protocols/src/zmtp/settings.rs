//! Settings of a ZMTP machine besides its limits: the available sockets, this side's identity, and the
//! authentication of peers.

use super::Kind;
#[cfg(feature = "curve")]
use super::{PublicKey, SecretKey};
use bytes::Bytes;
use std::{fmt, time::Duration};
use zeroize::Zeroizing;

/// Settings of a connection; see [`polywire_wire::ServerSetup::extensions`], which has them as
/// `Arc<Settings>`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The sockets of this side. A peer gets the usual partner of its kind, else the first socket that its
    /// kind talks to. If there is only one socket, its kind is sent at once, else after the peer has sent its
    /// own.
    pub sockets: Vec<Socket>,
    /// The identity of this side for ROUTER peers: up to 255 bytes, not beginning with zero. If it is empty,
    /// they choose one.
    pub identity: Bytes,
    /// Further properties: `Resource`, and those of applications, whose names begin with `X-`. A property
    /// with a name of more than 255 bytes is not sent.
    pub properties: Vec<(String, Bytes)>,
    pub security: Security,
    /// Peers are verified by the code that made these settings, even if the server has no authenticator of
    /// its own, and also on connections that this side made, if it is the server of the mechanism there.
    pub authenticate: bool,
    /// The time to live in each PING, in tenths of a second: how long the peer waits for the next bytes of
    /// this side. Default zero: without a limit.
    pub heartbeat_ttl: Duration,
    /// The time from the start to the end of the handshake. Default 30 s (HANDSHAKE_IVL).
    pub handshake: Duration,
    /// Most frames of one message. Default 1024.
    pub max_frames: u32,
    /// Longest topic in bytes. Default 1 KiB.
    pub max_topic: u32,
    /// Maximum number of messages in one part, if they have arrived. Default 1.
    pub burst: u32,
    /// Fills a buffer with random bytes, or returns false; CURVE draws keys and nonces from it.
    pub random: fn(&mut [u8]) -> bool,
}

/// One of the sockets behind a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Socket {
    pub kind: Kind,
    pub delivery: Delivery,
}

/// How messages are delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// Parts on [`polywire_wire::Exchange::CONNECTION`], for a socket with many peers.
    Messages,
    /// REP and DEALER: a request is a call of the method that its first frame names (`mod.rs`, "Calls").
    Calls,
    /// REP: every request is a call of [`super::HANDLER`], with unchanged frames.
    Handler,
}

/// How peers authenticate.
#[derive(Clone, Default)]
pub enum Security {
    /// Peers are not authenticated.
    #[default]
    Null,
    /// A client with a name and a password, which are sent unencrypted.
    PlainClient { user: String, password: Zeroizing<String> },
    /// The authenticator is called with the user and the password.
    PlainServer,
    /// CURVE, client: encryption with the server's public key, which is known, and a key of this side.
    /// Requires the feature `curve`.
    #[cfg(feature = "curve")]
    CurveClient { server: PublicKey, secret: SecretKey },
    /// The authenticator is called with the client's public key, 32 bytes.
    #[cfg(feature = "curve")]
    CurveServer { secret: SecretKey },
}

impl Security {
    /// Whether messages are encrypted.
    pub const fn seals(&self) -> bool {
        match self {
            Security::Null | Security::PlainClient { .. } | Security::PlainServer => false,
            #[cfg(feature = "curve")]
            Security::CurveClient { .. } | Security::CurveServer { .. } => true,
        }
    }

    /// Whether the peer has to prove who it is, to us.
    pub const fn is_server(&self) -> bool {
        match self {
            Security::PlainServer => true,
            #[cfg(feature = "curve")]
            Security::CurveServer { .. } => true,
            _ => false,
        }
    }

    /// Whether this side proves its identity, and needs no verdict about the peer.
    pub const fn is_client(&self) -> bool {
        match self {
            Security::PlainClient { .. } => true,
            #[cfg(feature = "curve")]
            Security::CurveClient { .. } => true,
            _ => false,
        }
    }

    /// The name of the mechanism on the wire.
    pub const fn mechanism(&self) -> &'static str {
        match self {
            Security::Null => "NULL",
            Security::PlainClient { .. } | Security::PlainServer => "PLAIN",
            #[cfg(feature = "curve")]
            Security::CurveClient { .. } | Security::CurveServer { .. } => "CURVE",
        }
    }
}

/// Shows no secrets.
impl fmt::Debug for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mechanism())
    }
}

impl Settings {
    /// Settings with these sockets and the defaults of the other fields.
    pub fn new(sockets: impl Into<Vec<Socket>>) -> Self {
        Settings {
            sockets: sockets.into(),
            identity: Bytes::new(),
            properties: Vec::new(),
            security: Security::Null,
            authenticate: false,
            heartbeat_ttl: Duration::ZERO,
            handshake: Duration::from_secs(30),
            max_frames: 1024,
            max_topic: 1 << 10,
            burst: 1,
            random: |_| false,
        }
    }

    /// The socket that a peer of this kind is connected to.
    pub fn socket_for(&self, peer: Kind) -> Option<Socket> {
        let mut fitting = self.sockets.iter().copied().filter(|socket| socket.kind.talks_to(peer));
        let first = fitting.clone().next();
        fitting.find(|socket| socket.kind == peer.partner()).or(first)
    }

    /// Our kind, if it does not depend on the peer.
    pub(super) fn only_kind(&self) -> Option<Kind> {
        match self.sockets[..] {
            [only] => Some(only.kind),
            _ => None,
        }
    }
}
