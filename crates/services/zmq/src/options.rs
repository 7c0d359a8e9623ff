//! Options of a socket. Everything has a default; the names that libzmq uses are in parentheses.

use crate::{Context, Error};
use bytes::Bytes;
use polywire_call::Status;
use polywire_engine::Peer;
use polywire_protocols::zmtp::{Kind, Security};
#[cfg(feature = "curve")]
use polywire_protocols::zmtp::{PublicKey, SecretKey};
use polywire_wire::Claim;
use std::{fmt, sync::Arc, time::Duration};
use zeroize::Zeroizing;

/// The handling of a message for which there is no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WhenFull {
    /// The sender waits. A PUB waits for its slowest subscriber (ZMQ_XPUB_NODROP).
    Wait,
    /// The message is dropped and counted ([`crate::Socket::dropped`]).
    Drop,
}

/// Decides about a peer that connects: PLAIN has a user and a password, CURVE the client's public key of 32
/// bytes, NULL nothing. This function takes the place of ZAP.
pub type Authenticate = Arc<dyn Fn(&Claim<'_>, &Peer) -> Result<(), Status> + Send + Sync>;

/// The options of a new socket.
#[derive(Clone)]
pub struct Options {
    pub(crate) context: Context,
    pub(crate) identity: Bytes,
    pub(crate) properties: Vec<(String, Bytes)>,
    pub(crate) send_high_water: u32,
    pub(crate) receive_high_water: u32,
    pub(crate) max_message: u32,
    pub(crate) when_full: Option<WhenFull>,
    pub(crate) send_timeout: Option<Duration>,
    pub(crate) receive_timeout: Option<Duration>,
    pub(crate) linger: Duration,
    pub(crate) reconnect: Duration,
    pub(crate) reconnect_max: Duration,
    pub(crate) connect_timeout: Duration,
    pub(crate) handshake: Duration,
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) heartbeat_timeout: Option<Duration>,
    pub(crate) heartbeat_ttl: Duration,
    pub(crate) immediate: bool,
    pub(crate) mandatory: bool,
    pub(crate) handover: bool,
    pub(crate) relaxed: bool,
    pub(crate) verbose: bool,
    pub(crate) backlog: u32,
    pub(crate) left_bytes: usize,
    pub(crate) topics: u32,
    pub(crate) topic_bytes: usize,
    pub(crate) topic_memory: usize,
    pub(crate) security: Security,
    /// The verifier of [`Options::plain_server`].
    plain: Option<Authenticate>,
    authenticate: Option<Authenticate>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            context: Context::new(),
            identity: Bytes::new(),
            properties: Vec::new(),
            send_high_water: 1000,
            receive_high_water: 1000,
            max_message: 64 << 20,
            when_full: None,
            send_timeout: None,
            receive_timeout: None,
            linger: Duration::from_secs(1),
            reconnect: Duration::from_millis(100),
            reconnect_max: Duration::ZERO,
            connect_timeout: Duration::from_secs(10),
            handshake: Duration::from_secs(30),
            heartbeat: None,
            heartbeat_timeout: None,
            heartbeat_ttl: Duration::ZERO,
            immediate: false,
            mandatory: false,
            handover: false,
            relaxed: false,
            verbose: false,
            backlog: 1024,
            left_bytes: HUB.left_bytes,
            topics: HUB.topics,
            topic_bytes: HUB.topic_bytes,
            topic_memory: HUB.topic_memory,
            security: Security::Null,
            plain: None,
            authenticate: None,
        }
    }
}

/// Defaults of the limits that the hub applies.
const HUB: polywire_hub::Options = polywire_hub::Options::DEFAULT;

macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => { $(
        $(#[$doc])*
        pub fn $name(mut self, $name: $type) -> Self {
            self.$name = $name;
            self
        }
    )* };
}

impl Options {
    pub fn new() -> Self {
        Options::default()
    }

    setters! {
        /// Messages that may wait for each peer (SNDHWM); 0: no limit. Default 1000.
        send_high_water: u32;
        /// Messages of each peer that may wait for the application before its connection is no longer read
        /// (RCVHWM). Default 1000.
        receive_high_water: u32;
        /// Longest message in bytes; a longer one ends its connection (MAXMSGSIZE, by default unlimited in
        /// libzmq). Default 64 MiB.
        max_message: u32;
        /// How long closing waits for messages that were not sent yet (LINGER). Default 1 s; libzmq waits
        /// without limit.
        linger: Duration;
        /// Time between attempts to connect (RECONNECT_IVL), plus a random time of up to the same length.
        /// Default 100 ms.
        reconnect: Duration;
        /// The interval doubles up to this value (RECONNECT_IVL_MAX). Default zero: it does not double.
        reconnect_max: Duration;
        /// Time limit of one attempt to connect (CONNECT_TIMEOUT). Default 10 s.
        connect_timeout: Duration;
        /// Time limit of greeting and handshake (HANDSHAKE_IVL). Default 30 s.
        handshake: Duration;
        /// The time to live that our PING announces: after it, the peer may regard us as dead
        /// (HEARTBEAT_TTL), in steps of 0.1 s. Default zero: none is announced.
        heartbeat_ttl: Duration;
        /// Sends only to connected peers, not to those that are still connecting (IMMEDIATE). Default false.
        immediate: bool;
        /// ROUTER: a message to an unknown peer is an error, and one to a peer without room waits
        /// (ROUTER_MANDATORY). Default false: both are dropped.
        mandatory: bool;
        /// ROUTER: a peer with a name that is taken replaces the earlier peer (ROUTER_HANDOVER). Default
        /// false: it is refused.
        handover: bool;
        /// REQ: may send again without a reply, and ignores replies to earlier requests (REQ_RELAXED with
        /// REQ_CORRELATE). Default false.
        relaxed: bool;
        /// XPUB: reports each subscription, not only the first one to a topic (XPUB_VERBOSER). Default false.
        verbose: bool;
        /// Connections that the system keeps before they are accepted (BACKLOG). Default 1024.
        backlog: u32;
        /// Bytes of unreceived messages from peers whose connections have ended, over all such peers, plus
        /// about 128 for each message and 512 for each peer. Beyond it the oldest messages are discarded and
        /// counted ([`crate::Socket::discarded`]); libzmq keeps them without a limit. Default 64 MiB.
        left_bytes: usize;
        /// PUB, XPUB: maximum number of topics of one subscriber. A subscriber with more is disconnected.
        /// Default 10 000.
        topics: u32;
        /// PUB, XPUB: bytes of these topics together. A subscriber that exceeds them is disconnected. Default
        /// 1 MiB.
        topic_bytes: usize;
        /// PUB, XPUB: bytes of memory for the topics of all subscribers: the topics, plus about 200 bytes for
        /// each topic and 50 for each subscription. A subscriber that exceeds it is disconnected. Default 64
        /// MiB.
        topic_memory: usize;
    }

    /// Announces a property to peers (METADATA): `Resource`, or a name of the application's, which gets the
    /// prefix `X-` if it has none. They see it in [`crate::Event::HandshakeSucceeded`]. Names of more than
    /// 255 bytes are not sent.
    pub fn property(mut self, name: &str, value: impl Into<Bytes>) -> Self {
        let known = name == "Resource" || name.starts_with("X-");
        self.properties.push((if known { name.into() } else { format!("X-{name}") }, value.into()));
        self
    }

    /// Names within this process (`inproc://`) are shared by sockets of one context. Default: each socket has
    /// its own context.
    pub fn context(mut self, context: &Context) -> Self {
        self.context = context.clone();
        self
    }

    /// Our name for ROUTER peers (ROUTING_ID): up to 255 bytes, the first one not zero.
    pub fn identity(mut self, identity: impl Into<Bytes>) -> Self {
        self.identity = identity.into();
        self
    }

    /// The handling of a message for which there is no room. Default: PUB, XPUB, XSUB and ROUTER drop it, the
    /// others wait. Replies of a REP are always dropped.
    pub fn when_full(mut self, policy: WhenFull) -> Self {
        self.when_full = Some(policy);
        self
    }

    /// How long `send` waits for room (SNDTIMEO). Default: without limit.
    pub fn send_timeout(mut self, timeout: Duration) -> Self {
        self.send_timeout = Some(timeout);
        self
    }

    /// How long `recv` waits for a message (RCVTIMEO). Default: without limit.
    pub fn receive_timeout(mut self, timeout: Duration) -> Self {
        self.receive_timeout = Some(timeout);
        self
    }

    /// Sends a PING this often (HEARTBEAT_IVL). Default: never.
    pub fn heartbeat(mut self, every: Duration) -> Self {
        self.heartbeat = Some(every);
        self
    }

    /// How long a peer may take to answer a PING by any traffic (HEARTBEAT_TIMEOUT). Default: the interval.
    pub fn heartbeat_timeout(mut self, within: Duration) -> Self {
        self.heartbeat_timeout = Some(within);
        self
    }

    /// Sends a name and a password, in clear text (PLAIN_USERNAME, PLAIN_PASSWORD).
    pub fn plain(mut self, user: &str, password: &str) -> Self {
        self.security =
            Security::PlainClient { user: user.to_owned(), password: Zeroizing::new(password.to_owned()) };
        self
    }

    /// Requires a name and a password from peers (PLAIN_SERVER). `verify` decides about them, and after it
    /// the function of [`Options::authenticate`], if there is one.
    pub fn plain_server(mut self, verify: impl Fn(&str, &str) -> bool + Send + Sync + 'static) -> Self {
        self.security = Security::PlainServer;
        self.plain = Some(Arc::new(move |claim: &Claim<'_>, _: &Peer| {
            let text = |bytes: Option<_>| bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
            match (text(claim.user), text(claim.credential)) {
                (Some(user), Some(password)) if verify(user, password) => Ok(()),
                _ => Err(Status::unauthenticated("name or password")),
            }
        }));
        self
    }

    /// Encrypts as a client: for the server with this public key, authenticated by our own key
    /// (CURVE_SERVERKEY, CURVE_SECRETKEY).
    #[cfg(feature = "curve")]
    pub fn curve(mut self, server: PublicKey, secret: SecretKey) -> Self {
        self.security = Security::CurveClient { server, secret };
        self
    }

    /// Encrypts as the server with this key (CURVE_SERVER, CURVE_SECRETKEY). Any client is accepted, unless
    /// [`Options::authenticate`] decides otherwise.
    #[cfg(feature = "curve")]
    pub fn curve_server(mut self, secret: SecretKey) -> Self {
        self.security = Security::CurveServer { secret };
        self
    }

    /// Decides about peers that connect, and about peers that we connect to as the server of PLAIN or CURVE,
    /// by their credential ([`Claim::scheme`] is `NULL`, `PLAIN` or `CURVE`) and their address. This function
    /// takes the place of ZAP. It must not block. On a PLAIN server, a peer needs the consent of
    /// [`Options::plain_server`] as well, whichever is set first.
    pub fn authenticate(
        mut self,
        verify: impl Fn(&Claim<'_>, &Peer) -> Result<(), Status> + Send + Sync + 'static,
    ) -> Self {
        self.authenticate = Some(Arc::new(verify));
        self
    }

    /// The functions that decide about peers; all of them have to agree.
    pub(crate) fn verifiers(&self) -> impl Iterator<Item = &Authenticate> {
        let plain = self.plain.as_ref().filter(|_| matches!(self.security, Security::PlainServer));
        plain.into_iter().chain(&self.authenticate)
    }

    /// Checks the options.
    ///
    /// # Errors
    /// A function that decides about peers is set on the side of a mechanism that never calls it.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.authenticate.is_none() || !self.security.is_client() {
            return Ok(());
        }
        let mechanism = self.security.mechanism();
        Err(Error::Options(format!(
            "authenticate(..) of a client of {mechanism} is never asked: its peer proves who it is by the mechanism alone"
        )))
    }

    pub(crate) fn when_full_of(&self, kind: Kind) -> WhenFull {
        self.when_full.unwrap_or(match kind {
            Kind::Pub | Kind::XPub | Kind::XSub | Kind::Sub => WhenFull::Drop,
            Kind::Router if !self.mandatory => WhenFull::Drop,
            _ => WhenFull::Wait,
        })
    }
}

/// Leaves out the secrets.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("identity", &self.identity)
            .field("security", &self.security)
            .finish_non_exhaustive()
    }
}

/// Generates a pair of keys for CURVE.
///
/// # Errors
/// If the system provides no random bytes.
#[cfg(feature = "curve")]
pub fn curve_keypair() -> std::io::Result<(PublicKey, SecretKey)> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(&mut bytes[..]).map_err(|error| std::io::Error::other(error.to_string()))?;
    let secret = SecretKey::from_random(&bytes);
    Ok((secret.public(), secret))
}
