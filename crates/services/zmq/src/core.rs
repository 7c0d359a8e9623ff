//! The state that all handles and connections of a socket share: its hub, its settings, the tasks that bind
//! and connect.

use crate::{
    Error, Options,
    connection::{Dispatch, NoCalls},
    context::Accept,
    endpoint::Endpoint,
    monitor::{Event as News, Events},
};
use polywire_base::{IoBuf, lock};
use polywire_engine::{
    Config, Connection, ConnectionStats, Engine, Peer, Timeouts, Transport,
    transport::{self, Listener},
};
use polywire_hub::{Hub, PeerId};
use polywire_protocols::zmtp::{self, Delivery, Kind, Settings};
use polywire_wire::{ClientSetup, Keepalive, Limits, ProtocolSet};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{runtime::Handle, task::AbortHandle};

static ZMTP: &[&polywire_wire::Protocol] = &[&zmtp::PROTOCOL];

pub(crate) struct Core {
    pub kind: Kind,
    pub options: Options,
    pub hub: Arc<Hub>,
    pub config: Arc<Config>,
    pub events: Events,
    /// The runtime of the socket's connections.
    home: Handle,
    /// Listeners, by the address that was asked for and by the actual one.
    bound: Mutex<HashMap<String, Bound>>,
    connecting: Mutex<Vec<(String, PeerId, AbortHandle)>>,
    connections: Mutex<Vec<Held>>,
}

/// A connection that exists.
struct Held {
    connection_stats: Arc<ConnectionStats>,
    /// The task of an accepted connection. A connection that this side opened is driven by the task that
    /// connects.
    task: Option<AbortHandle>,
}

enum Bound {
    Listening(AbortHandle),
    Inproc(String),
}

/// The shard or runtime of the calling thread; on threads without one, a shard of the default engine.
fn home() -> Handle {
    let shard = polywire_engine::home().map(|shard| shard.handle().clone());
    shard
        .or_else(|| Handle::try_current().ok())
        .unwrap_or_else(|| Engine::default_engine().least_busy().handle().clone())
}

impl Core {
    pub fn new(kind: Kind, options: &Options) -> Arc<Core> {
        let every = options.heartbeat.filter(|every| !every.is_zero());
        let keepalive = Keepalive::DEFAULT
            .every(every)
            .within(options.heartbeat_timeout.or(every).unwrap_or(Keepalive::DEFAULT.within));
        let mark = |mark: u32| if mark == 0 { u32::MAX } else { mark };
        let limits = Limits::DEFAULT
            .max_message(options.max_message)
            .high_water(mark(options.receive_high_water))
            .window(WINDOW)
            .keepalive(keepalive);
        let settings = Core::settings([zmtp::Socket { kind, delivery: Delivery::Messages }], options);
        let mut config = Config::new(ProtocolSet::new(ZMTP));
        config.limits = limits;
        config.authenticate = match options.verifiers().next() {
            Some(_) => polywire_engine::Authenticate::All,
            None => polywire_engine::Authenticate::None,
        };
        // A peer that does not read for long is not dead: its application is busy. Dead peers are found by
        // heartbeats.
        config.timeouts = Timeouts::NONE.first_bytes(options.handshake);
        config.at_once = true; // a greeting is sent before one is read
        config.extensions.insert(Arc::new(settings));
        let tell = topic_message as fn(bool, &[u8]) -> IoBuf;
        let limits = polywire_hub::Options::default()
            .send_high_water(options.send_high_water)
            .peers(if kind == Kind::Pair { 1 } else { u32::MAX })
            .handover(options.handover)
            .tell((kind == Kind::XPub).then_some(tell))
            .tell_all(options.verbose)
            .left_bytes(options.left_bytes)
            .topics(options.topics)
            .topic_bytes(options.topic_bytes)
            .topic_memory(options.topic_memory);
        let hub = Hub::new(limits);
        Arc::new(Core {
            kind,
            options: options.clone(),
            hub,
            config: Arc::new(config),
            events: Events::new(),
            home: home(),
            bound: Mutex::default(),
            connecting: Mutex::default(),
            connections: Mutex::default(),
        })
    }

    /// Settings for the protocol machines.
    pub fn settings(sockets: impl Into<Vec<zmtp::Socket>>, options: &Options) -> Settings {
        Settings {
            identity: options.identity.clone(),
            properties: options.properties.clone(),
            security: options.security.clone(),
            authenticate: options.verifiers().next().is_some(),
            heartbeat_ttl: options.heartbeat_ttl,
            handshake: options.handshake,
            burst: BURST,
            random: |bytes| getrandom::fill(bytes).is_ok(),
            ..Settings::new(sockets)
        }
    }

    /// Binds, and returns the actual address.
    pub fn bind(self: &Arc<Self>, address: &str) -> Result<String, Error> {
        self.options.check()?;
        let (actual, bound) = match Endpoint::parse(address, true)? {
            Endpoint::Inproc(name) => {
                let socket: Weak<Core> = Arc::downgrade(self);
                self.options.context.bind(&name, socket)?;
                (address.to_owned(), Bound::Inproc(name))
            }
            Endpoint::Socket(place) => {
                let _entered = self.home.enter();
                let listener = transport::bind(&place, self.options.backlog)?;
                let actual = match listener.local()? {
                    Peer::Ip(ip) => format!("tcp://{ip}"),
                    _ => address.to_owned(),
                };
                (actual, Bound::Listening(self.home.spawn(listen(self.clone(), listener)).abort_handle()))
            }
        };
        lock(&self.bound).insert(actual.clone(), bound);
        self.events.tell(|| News::Listening { endpoint: actual.as_str().into() });
        Ok(actual)
    }

    pub fn unbind(&self, address: &str) -> Result<(), Error> {
        match lock(&self.bound).remove(address) {
            Some(Bound::Listening(task)) => task.abort(),
            Some(Bound::Inproc(name)) => self.options.context.unbind(&name, self),
            None => return Err(Error::Address(format!("{address}: not bound here"))),
        }
        Ok(())
    }

    pub fn connect(self: &Arc<Self>, address: &str) -> Result<(), Error> {
        self.options.check()?;
        let endpoint = Endpoint::parse(address, false)?;
        let peer = self.hub.expect(!self.options.immediate);
        let task = self.home.spawn(connect(self.clone(), address.into(), endpoint, peer));
        lock(&self.connecting).push((address.to_owned(), peer, task.abort_handle()));
        Ok(())
    }

    pub fn disconnect(&self, address: &str) -> Result<(), Error> {
        let mut connecting = lock(&self.connecting);
        let place = connecting.iter().position(|(other, _, _)| other == address);
        let place = place.ok_or_else(|| Error::Address(format!("{address}: not connected to")))?;
        let (_, peer, _) = connecting.swap_remove(place);
        self.hub.forget(peer); // its task ends with its connection
        Ok(())
    }

    fn hold(&self, held: Held) {
        let mut connections = lock(&self.connections);
        if connections.len() == connections.capacity() {
            connections.retain(|held| !held.connection_stats.is_over());
        }
        connections.push(held);
    }

    /// Counters of the connections that exist.
    pub fn connection_stats(&self) -> Vec<Arc<ConnectionStats>> {
        let connections = lock(&self.connections);
        connections
            .iter()
            .map(|held| held.connection_stats.clone())
            .filter(|connection_stats| !connection_stats.is_over())
            .collect()
    }

    /// Closes the socket: (1) it accepts no new connections, (2) waiting tasks get an error, (3) connections
    /// send their waiting messages and then close, (4) messages that remain after `linger` are dropped.
    pub fn close(self: &Arc<Self>) -> tokio::task::JoinHandle<()> {
        let first = !self.hub.is_closed();
        for (_, bound) in lock(&self.bound).drain() {
            match bound {
                Bound::Listening(task) => task.abort(),
                Bound::Inproc(name) => self.options.context.unbind(&name, &**self),
            }
        }
        self.hub.close();
        if first {
            self.events.tell(|| News::Closed);
        }
        let core = self.clone();
        self.home.spawn(async move {
            let left = async {
                while core.hub.unsent() > 0 || core.hub.connected() > 0 {
                    tokio::time::sleep(CLOSING_TICK).await;
                }
            };
            let _ = tokio::time::timeout(core.options.linger, left).await; // the rest is dropped below
            lock(&core.connecting).drain(..).for_each(|(_, _, task)| task.abort());
            lock(&core.connections).drain(..).filter_map(|held| held.task).for_each(|task| task.abort());
        })
    }
}

impl Accept for Core {
    fn accept(self: Arc<Self>, transport: Box<dyn Transport>) {
        self.events.tell(|| News::Accepted { peer: transport.peer().to_string().into() });
        let dispatch = Dispatch::new(&self, transport.peer().clone(), None, Arc::default());
        let connection = Connection::server(transport, self.config.clone(), dispatch, NoCalls);
        let connection_stats = connection.connection_stats().clone();
        let task = self.home.spawn(tokio::task::coop::unconstrained(connection));
        self.hold(Held { connection_stats, task: Some(task.abort_handle()) });
    }
}

/// Maximum number of messages of one peer that are taken out of the hub at a time, under one lock.
const BURST: u32 = 64;
/// Bytes of a peer that may wait for the application before its connection is no longer read.
const WINDOW: u32 = 16 << 20;
const CLOSING_TICK: Duration = Duration::from_millis(1);

/// XPUB "hands the application `01|00 + topic`".
fn topic_message(on: bool, topic: &[u8]) -> IoBuf {
    let mut out = polywire_base::Output::default();
    let frame = [&[u8::from(on)], topic].concat();
    zmtp::write_message(&mut out, [&frame.into()]);
    out.take()
}

async fn listen(core: Arc<Core>, listener: Listener) {
    let accepted = listener.accept(|attach| {
        if let Ok(transport) = attach() {
            core.clone().accept(transport);
        }
    });
    if let Err(error) = accepted.await {
        core.events.tell(|| News::HandshakeFailed { peer: "".into(), error: error.to_string().into() });
    }
}

/// Connects, and reconnects until the socket has no such peer, or is closed with nothing left to send to it.
async fn connect(core: Arc<Core>, address: Arc<str>, endpoint: Endpoint, peer: PeerId) {
    let mut interval = core.options.reconnect;
    loop {
        let met = Arc::new(AtomicBool::new(false));
        match reach(&core, &endpoint).await {
            Ok(transport) => {
                core.events.tell(|| News::Connected { endpoint: address.clone() });
                serve(&core, transport, peer, met.clone()).await;
            }
            Err(error) => core.events.tell(|| News::ConnectFailed {
                endpoint: address.clone(),
                error: error.to_string().into(),
                retry: interval,
            }),
        }
        let unsent = core.hub.has_unsent(peer);
        if unsent.is_none() || (unsent == Some(false) && core.hub.is_closed()) {
            return;
        }
        if met.load(Relaxed) {
            interval = core.options.reconnect;
        }
        tokio::time::sleep(interval + random_up_to(interval)).await;
        if interval < core.options.reconnect_max {
            interval = (interval * 2).min(core.options.reconnect_max);
        }
    }
}

async fn reach(core: &Arc<Core>, endpoint: &Endpoint) -> std::io::Result<Box<dyn Transport>> {
    match endpoint {
        Endpoint::Inproc(name) => Ok(Box::new(core.options.context.connect(name)?)),
        Endpoint::Socket(place) => {
            let reached = tokio::time::timeout(core.options.connect_timeout, transport::connect(place)).await;
            reached.map_err(|_| std::io::ErrorKind::TimedOut)?
        }
    }
}

async fn serve(core: &Arc<Core>, transport: Box<dyn Transport>, peer: PeerId, met: Arc<AtomicBool>) {
    let dispatch = Dispatch::new(core, transport.peer().clone(), Some(peer), met);
    let extensions = Some(&core.config.extensions);
    let setup = ClientSetup { limits: core.config.limits, extensions, ..ClientSetup::default() };
    let config = core.config.clone();
    let connection = Connection::client(transport, config, &zmtp::PROTOCOL, &setup, dispatch, NoCalls);
    if let Some(connection) = connection.map(Box::new) {
        core.hold(Held { connection_stats: connection.connection_stats().clone(), task: None });
        tokio::task::coop::unconstrained(connection).await;
    }
}

/// A random delay, so that many peers that lost the same server do not reconnect at once.
fn random_up_to(most: Duration) -> Duration {
    let mut byte = [0];
    let _ = getrandom::fill(&mut byte); // if it fails, there is no delay
    most * u32::from(byte[0]) / 256
}
