//! The server that `call` and `press` talk to, and how they connect.

use crate::{failure::Failure, tls::PeerTls, units};
use polywire::{Channel, Connections, Hedge, Pooling, Resilience};
use std::{fmt, str::FromStr, time::Duration};

/// Default time limit of a call in milliseconds.
const TIMEOUT_MS: u64 = 1000;
/// Default time limit of connecting in milliseconds.
const CONNECT_TIMEOUT_MS: u64 = 500;

/// A server, and the way to it.
#[derive(clap::Args, Clone)]
pub struct PeerArguments {
    /// host:port, [v6]:port or unix:path; or the url of a naming source, for several servers:
    /// list://10.0.0.1:8000,10.0.0.2:8000 or file:///etc/echo.servers
    #[arg(long, short = 's', value_name = "ADDRESS", default_value = "127.0.0.1:8000")]
    pub server: String,
    /// Wire protocol; a parameter may follow a colon. `websocket` and `websocket:h2` call methods as pages of
    /// browsers do
    #[arg(long, short = 'p', value_name = "NAME", default_value = "baidu_std")]
    pub protocol: String,
    /// From the start of a call to its end; 0: no limit [default: 1000, for calls that stream no limit]
    #[arg(long, value_name = "MILLISECONDS")]
    pub timeout_ms: Option<u64>,
    /// For connecting alone
    #[arg(long, value_name = "MILLISECONDS", default_value_t = CONNECT_TIMEOUT_MS)]
    pub connect_timeout_ms: u64,
    /// How calls share connections: single (all share one), pooled (one each, kept), short (one each, closed)
    /// [default: the protocol's first choice]
    #[arg(long, value_name = "KIND")]
    pub connection_type: Option<ConnectionType>,
    /// How the server of each call is chosen, with a naming url: p2c, rr, la, c_ketama:replicas=200 [default:
    /// p2c]
    #[arg(long, value_name = "SPEC")]
    pub balancer: Option<String>,
    /// Further tries of a call that failed on the way or was refused, on another server if there are several
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Sends a call a second time when it takes longer than this, to another server if there are several, and
    /// takes the first answer: 20ms; auto: longer than 95 % of its method's calls
    #[arg(long, value_name = "TIME")]
    pub hedge: Option<HedgeAfter>,
    /// What the first request of a connection carries to be let in
    #[arg(long, value_name = "TEXT")]
    pub credential: Option<String>,
    #[command(flatten)]
    pub tls: PeerTls,
}

/// The time after which a call is sent a second time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HedgeAfter {
    Auto,
    Time(Duration),
}

/// Writes the form that is parsed.
impl fmt::Display for HedgeAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HedgeAfter::Auto => f.write_str("auto"),
            HedgeAfter::Time(time) => write!(f, "{time:?}"),
        }
    }
}

impl FromStr for HedgeAfter {
    type Err = String;

    fn from_str(text: &str) -> Result<HedgeAfter, String> {
        match text {
            "auto" => Ok(HedgeAfter::Auto),
            _ => units::duration(text).map(HedgeAfter::Time).map_err(|wrong| format!("{wrong}; or `auto`")),
        }
    }
}

impl From<HedgeAfter> for Hedge {
    fn from(after: HedgeAfter) -> Hedge {
        match after {
            HedgeAfter::Auto => Hedge::auto(),
            HedgeAfter::Time(time) => Hedge::after(time),
        }
    }
}

fn limit(ms: u64) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms))
}

/// [`Connections`] as command-line values.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionType {
    Single,
    Pooled,
    Short,
}

impl From<ConnectionType> for Connections {
    fn from(kind: ConnectionType) -> Self {
        match kind {
            ConnectionType::Single => Connections::Single,
            ConnectionType::Pooled => Connections::Pooled,
            ConnectionType::Short => Connections::Short,
        }
    }
}

impl PeerArguments {
    /// A server with one of its protocols, and all defaults.
    pub fn new(server: String, protocol: &str) -> Self {
        PeerArguments {
            server,
            protocol: protocol.to_owned(),
            timeout_ms: None,
            connect_timeout_ms: CONNECT_TIMEOUT_MS,
            connection_type: None,
            balancer: None,
            retries: 0,
            hedge: None,
            credential: None,
            tls: PeerTls::default(),
        }
    }

    /// A new channel, not connected yet. Time limits belong to each call: see [`PeerArguments::timeout`].
    ///
    /// # Errors
    /// An unknown protocol, an invalid address, a kind of connection that the protocol does not have.
    pub fn channel(&self) -> Result<Channel, Failure> {
        let hedge = self.hedge.map(Hedge::from);
        let mut resilience = Resilience::default().retries(self.retries).hedge(hedge);
        if let Some(balancer) = &self.balancer {
            resilience = resilience.balancer(balancer);
        }
        let mut builder = Channel::builder(&self.server)
            .protocol(&self.protocol)
            .timeout(None)
            .connect_timeout(Duration::from_millis(self.connect_timeout_ms))
            .pooling(Pooling::default().kind(self.connection_type.map(Connections::from)))
            .resilience(resilience);
        if let Some(credential) = &self.credential {
            builder = builder.credential(credential.as_bytes());
        }
        if let Some(tls) = self.tls.connect() {
            builder = builder.tls(tls);
        }
        builder.build().map_err(|error| self.with_websocket(error.into()))
    }

    /// The error, with the WebSocket protocols that are not in the set added to the list of known ones.
    fn with_websocket(&self, wrong: Failure) -> Failure {
        match wrong {
            Failure::Usage(_) if self.protocol.starts_with("websocket:") => Failure::Usage(format!(
                "unknown protocol {:?}: write \"websocket\" or \"websocket:h2\"",
                self.protocol
            )),
            Failure::Usage(text) if text.contains("known are ") && text.contains("unknown protocol") => {
                Failure::Usage(format!("{text}, websocket, websocket:h2"))
            }
            other => other,
        }
    }

    /// Time limit of a call with one message each way.
    pub fn timeout(&self) -> Option<Duration> {
        limit(self.timeout_ms.unwrap_or(TIMEOUT_MS))
    }

    /// Time limit of a streaming call.
    pub fn stream_timeout(&self) -> Option<Duration> {
        limit(self.timeout_ms?)
    }

    /// How calls share connections: as requested, or the first kind that the protocol lists.
    pub fn kind(&self) -> Connections {
        let protocol = polywire_protocols::builtin().find(&self.protocol);
        let first = protocol.and_then(|protocol| protocol.connections.first().copied());
        self.connection_type.map(Connections::from).or(first).unwrap_or(Connections::Single)
    }

    /// Connects once and disconnects, to find out whether the server can be reached.
    ///
    /// # Errors
    /// The schema cannot be found or read.
    pub async fn probe(&self) -> Result<(), Failure> {
        Ok(self.channel()?.probe().await?)
    }
}
