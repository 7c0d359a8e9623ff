//! What every connection to a server is made from: the address, the protocol, and what the peer is told.

use crate::connection::{backoff::Backoff, connector::Connector, error, keepalive::Keepalive};
use polywire_call::Status;
use polywire_engine::{Config, Fault, transport::Broken};
use polywire_wire::{ClientSetup, Protocol};
use std::{io, sync::Arc, time::Duration};

/// Is told whether connections to a server can be made.
pub(crate) trait Observer: Send + Sync {
    /// A connection was made.
    fn connected(&self);
    /// A connection could not be made.
    fn failed(&self, why: &io::Error);
}

/// What the connections to a server have in common. It holds no connection, so a connection may hold it.
pub(crate) struct ConnectSpec {
    /// `host:port`, `[v6]:port` or `unix:path`; with a custom connector whatever that understands. Requests name it as
    /// their authority.
    pub address: Arc<str>,
    pub protocol: &'static Protocol,
    /// What followed the colon in the name of the protocol (`http:proto`).
    pub parameter: Arc<str>,
    /// What the first request of each connection, or each request, carries to be let in. Never empty.
    pub credential: Option<Arc<[u8]>>,
    /// Each connection serves a single call ([`Connections::Short`](polywire_wire::Connections::Short)).
    pub once: bool,
    pub connector: Arc<Connector>,
    /// Time to make the byte stream, and once more the same for the handshake of TLS.
    pub connect_timeout: Duration,
    /// Busy connections of multi-thread runtimes move to a shard.
    pub dedicated_threads: bool,
    /// Limits, timeouts and the counters of faults.
    pub config: Arc<Config>,
    pub keepalive: Arc<Keepalive>,
    pub backoff: Backoff,
    /// Where the channel has several servers.
    pub observer: Option<Box<dyn Observer>>,
}

impl ConnectSpec {
    /// The same for another server of the channel.
    pub fn to(&self, address: Arc<str>, observer: Box<dyn Observer>) -> ConnectSpec {
        ConnectSpec { observer: Some(observer), ..self.named(address) }
    }

    /// The same for another address or name.
    pub fn named(&self, address: Arc<str>) -> ConnectSpec {
        ConnectSpec {
            address,
            protocol: self.protocol,
            parameter: self.parameter.clone(),
            credential: self.credential.clone(),
            once: self.once,
            connector: self.connector.clone(),
            connect_timeout: self.connect_timeout,
            dedicated_threads: self.dedicated_threads,
            config: self.config.clone(),
            keepalive: Arc::default(),
            backoff: Backoff::default(),
            observer: None,
        }
    }

    /// That of a channel without connections, which is made of others: it has the protocol of this one, and counts faults of its own.
    pub fn of_combination(&self, name: String) -> ConnectSpec {
        let config = Arc::new(Config::new(self.config.registry.clone()));
        ConnectSpec { credential: None, config, ..self.named(name.into()) }
    }

    /// What a new connection's machine is told. `secure`: the bytes pass through TLS.
    pub fn setup(&self, secure: bool) -> ClientSetup<'_> {
        ClientSetup {
            limits: self.keepalive.limits(self.config.limits),
            credential: self.credential.as_deref(),
            authority: &self.address,
            secure,
            parameter: &self.parameter,
            once: self.once,
            ..ClientSetup::default()
        }
    }

    /// Counts a failure to connect and begins the pause after it. Returns the status with which calls end that waited
    /// for this connection.
    pub fn failed(&self, error: &io::Error) -> Status {
        let fault = Broken::fault_of(error);
        if fault != Fault::Reset {
            self.config.faults.add(fault);
        }
        tracing::info!(address = &*self.address, %error, "cannot connect: tries again after a pause");
        self.backoff.failed(error.to_string());
        if let Some(observer) = &self.observer {
            observer.failed(error);
        }
        error::connect_failed(&self.address, error)
    }

    /// Ends the pause after failures to connect.
    pub fn succeeded(&self) {
        tracing::debug!(address = &*self.address, protocol = self.protocol.name, "connected");
        self.backoff.succeeded();
        if let Some(observer) = &self.observer {
            observer.connected();
        }
    }

    /// Why there is no connection: the last failure to connect, if there was one.
    #[cold]
    pub fn why_not_connected(&self) -> String {
        match self.backoff.why() {
            Some(why) => format!("{}{why}", error::CANNOT_CONNECT),
            None => "not connected yet".into(),
        }
    }
}
