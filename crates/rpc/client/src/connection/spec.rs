//! The data from which every connection to a server is made: the address, the protocol, and the settings of
//! its machine.

use crate::{
    connection::credentials::{Credentials, Held},
    connection::{
        backoff::{Backoff, Patience},
        connector::Connector,
        error,
        home::HomeId,
        keepalive::Keepalive,
        server_options::ServerOptions,
        tally::Ledger,
    },
    subchannel_metrics::Subchannels,
};
use polywire_base::{LineGate, lock};
use polywire_call::{Metadata, Status};
use polywire_engine::{Config, Fault, Transport, memory::Memory, transport::Broken};
use polywire_wire::{ClientSetup, CredentialPer, Protocol};
use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

/// The field of requests that shows who calls.
const AUTHORIZATION: &str = "authorization";

/// Notified whether connections to a server can be made.
pub(crate) trait Observer: Send + Sync {
    /// Whether the observer still wants to be notified.
    fn is_wanted(&self) -> bool;
    /// A connection was made.
    fn connected(&self);
    /// A connection could not be made.
    fn failed(&self, why: &io::Error);
    /// Called when a connection has ended, or takes no further calls, against this side's will. `has_served`:
    /// a call has ended on it before.
    fn lost(&self, why: &io::Error, has_served: bool);
}

/// The observers of a connection: one for each channel with several servers that uses it.
#[derive(Default)]
pub(crate) struct Observers(Mutex<Vec<Box<dyn Observer>>>);

impl Observers {
    fn of(observer: Box<dyn Observer>) -> Self {
        Observers(Mutex::new(vec![observer]))
    }

    /// Adds `others` to the observers.
    pub fn join(&self, others: Observers) {
        let others = std::mem::take(&mut *lock(&others.0));
        let mut all = lock(&self.0);
        all.retain(|observer| observer.is_wanted());
        all.extend(others);
    }

    fn each(&self, tell: impl Fn(&dyn Observer)) {
        lock(&self.0).iter().for_each(|observer| tell(&**observer));
    }
}

/// The settings that connections to a server share. It holds no connection, so a connection may hold it.
pub(crate) struct ConnectSpec {
    /// `host:port`, `[v6]:port` or `unix:path`; with a custom connector whatever that understands. Requests
    /// name it as their authority, unless `own` or `authority` has another one.
    pub address: Arc<str>,
    /// The authority of requests, in place of the address.
    pub authority: Option<Arc<str>>,
    pub protocol: &'static Protocol,
    /// The part of the protocol's name after the colon (`http:proto`).
    pub parameter: Arc<str>,
    /// The credential in the first request of each connection, or in each request. Never empty.
    pub credential: Option<Arc<[u8]>>,
    /// A credential that is fetched and renewed, in place of the fixed one.
    pub credentials: Option<Credentials>,
    /// Each connection serves a single call ([`Connections::Short`](polywire_wire::Connections::Short)).
    pub once: bool,
    pub connector: Arc<Connector>,
    /// The options of this server of the channel; its credential is in `credential`.
    pub own: ServerOptions,
    /// The time limit for making the byte stream, and separately for the TLS handshake.
    pub connect_timeout: Duration,
    /// The maximum age of a connection.
    pub max_age: Option<Duration>,
    /// The time after which a connection without calls ends.
    pub idle: Option<Duration>,
    /// Busy connections of multi-thread runtimes move to a shard.
    pub dedicated_threads: bool,
    /// Limits, timeouts and the counters of faults.
    pub config: Arc<Config>,
    /// The budget that replies are charged to.
    pub memory: Option<Arc<Memory>>,
    pub keepalive: Arc<Keepalive>,
    pub backoff: Backoff,
    pub observers: Observers,
    /// The connections that are made from this spec.
    pub ledger: Arc<Ledger>,
    /// The counters of the channel's target, for gRPC's metrics.
    pub subchannels: Option<Arc<Subchannels>>,
}

impl ConnectSpec {
    /// The settings for another server of the channel.
    pub fn to(&self, address: Arc<str>, own: ServerOptions, observer: Box<dyn Observer>) -> ConnectSpec {
        let credential = match &own.credential {
            None => self.credential.clone(),
            Some(credential) => {
                Some(Arc::from(&**credential)).filter(|credential: &Arc<[u8]>| !credential.is_empty())
            }
        };
        // A server with a credential of its own is shown no token.
        let credentials = self.credentials.clone().filter(|_| own.credential.is_none());
        let observers = Observers::of(observer);
        ConnectSpec { observers, credential, credentials, own, ..self.named(address) }
    }

    /// Makes a byte stream.
    ///
    /// # Errors
    /// The errors of [`Connector::connect`]; or the options of the server are wrong.
    pub async fn connect(&self) -> io::Result<Box<dyn Transport>> {
        if let Some(wrong) = self.own.wrong(self.connector.has_tls()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, wrong));
        }
        self.connector.connect(&self.address, self.own.server_name.as_deref(), self.connect_timeout).await
    }

    /// Whether plain threads can make and drive its connections without a runtime: they are bare sockets.
    pub fn is_bare(&self) -> bool {
        self.connector.is_bare() && self.own.wrong(false).is_none()
    }

    /// The settings for another address or name.
    pub fn named(&self, address: Arc<str>) -> ConnectSpec {
        ConnectSpec {
            address,
            authority: self.authority.clone(),
            protocol: self.protocol,
            parameter: self.parameter.clone(),
            credential: self.credential.clone(),
            credentials: self.credentials.clone(),
            once: self.once,
            connector: self.connector.clone(),
            own: ServerOptions::default(),
            connect_timeout: self.connect_timeout,
            max_age: self.max_age,
            idle: self.idle,
            dedicated_threads: self.dedicated_threads,
            config: self.config.clone(),
            memory: self.memory.clone(),
            keepalive: Arc::default(),
            backoff: Backoff::default(),
            observers: Observers::default(),
            ledger: Arc::default(),
            subchannels: self.subchannels.clone(),
        }
    }

    /// The settings of a combination, which has no connections of its own: the protocol is that of this
    /// channel, and faults are counted separately.
    pub fn of_combination(&self, name: String) -> ConnectSpec {
        let config = Arc::new(Config::new(self.config.protocols.clone()));
        ConnectSpec { credential: None, credentials: None, config, ..self.named(name.into()) }
    }

    /// Puts a token into a request, where the protocol shows one with each; a field that the call has itself
    /// stays.
    #[cold]
    pub fn show(&self, token: &Held, metadata: &mut Metadata) {
        if self.protocol.credential == CredentialPer::Request && metadata.get(AUTHORIZATION).is_none() {
            metadata.append(AUTHORIZATION, token.value());
        }
    }

    /// Puts the newest token into a request that is not a call of the channel's user, if there is a token.
    pub fn show_newest(&self, metadata: &mut Metadata) {
        if let Some(credentials) = &self.credentials
            && let Ok(token) = credentials.renewal().token(Patience::None, HomeId::current)
        {
            self.show(&token, metadata);
        }
    }

    /// The token that a new connection shows, where the protocol shows one with each.
    pub fn token(&self) -> Option<Arc<Held>> {
        let credentials = self.credentials.as_ref()?;
        let token = credentials.renewal().newest();
        token.filter(|_| self.protocol.credential == CredentialPer::Connection)
    }

    /// Whether a new connection needs a token, and the channel has none now.
    pub fn lacks_token(&self) -> bool {
        self.protocol.credential == CredentialPer::Connection
            && self.credentials.as_ref().is_some_and(|credentials| !credentials.renewal().has_token())
    }

    /// The setup of a new connection's machine. `secure`: the bytes pass through TLS. `token`: from
    /// [`ConnectSpec::token`].
    pub fn setup<'s>(&'s self, secure: bool, token: Option<&'s Held>) -> ClientSetup<'s> {
        ClientSetup {
            limits: self.keepalive.limits(self.config.limits),
            credential: token.map(Held::value).or(self.credential.as_deref()),
            authority: self.own.authority.as_deref().or(self.authority.as_deref()).unwrap_or(&self.address),
            secure,
            parameter: &self.parameter,
            once: self.once,
            ..ClientSetup::default()
        }
    }

    /// Counts a failure to connect and begins the pause after it. Returns the status of the calls that waited
    /// for this connection.
    pub fn failed(&self, error: &io::Error) -> Status {
        let fault = Broken::fault_of(error);
        if fault != Fault::Reset {
            self.config.faults.add(fault);
        }
        static GATE: LineGate = LineGate::new(10, 10);
        if let Some(left_out) = GATE.pass() {
            let address = &*self.address;
            tracing::info!(address, %error, left_out, "cannot connect: tries again after a pause");
        }
        self.subchannels.iter().for_each(|subchannels| subchannels.failed());
        self.backoff.failed(error.to_string());
        self.observers.each(|observer| observer.failed(error));
        error::connect_failed(&self.address, error)
    }

    /// Ends the pause after failures to connect. A peer that announces its limits before it takes calls
    /// counts as reached once it has announced them: [`ConnectSpec::reached`].
    pub fn succeeded(&self) {
        static GATE: LineGate = LineGate::new(10, 1);
        if tracing::enabled!(tracing::Level::DEBUG)
            && let Some(left_out) = GATE.pass()
        {
            tracing::debug!(address = &*self.address, protocol = self.protocol.name, left_out, "connected");
        }
        self.subchannels.iter().for_each(|subchannels| subchannels.made());
        self.backoff.succeeded();
        if !self.protocol.peer_limits_calls {
            self.reached();
        }
    }

    /// The server takes calls.
    #[cold]
    pub fn reached(&self) {
        self.observers.each(|observer| observer.connected());
    }

    /// Called when a connection has ended, or takes no further calls, against this side's will.
    /// `was_reached`: the server has taken calls on it; `has_served`: one of them has ended before.
    #[cold]
    pub fn lost(&self, why: &str, was_reached: bool, has_served: bool) {
        let why = io::Error::other(why);
        self.observers.each(|observer| match was_reached {
            true => observer.lost(&why, has_served),
            false => observer.failed(&why),
        });
    }

    /// The error of the last failure to connect, as the reason why there is no connection.
    #[cold]
    pub fn why_not_connected(&self) -> String {
        match self.backoff.why() {
            Some(why) => format!("{}{why}", error::CANNOT_CONNECT),
            None => "not connected yet".into(),
        }
    }
}
