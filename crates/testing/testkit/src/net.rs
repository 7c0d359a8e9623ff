//! The network: its servers, its clients, its clock.

use crate::{
    clock,
    link::Link,
    log::{Event, EventKind},
    rules::{Direction, Key},
    served::Served,
    state::Shared,
    stream::{NetStream, ends},
};
use polywire_client::{Builder, Channel};
use polywire_engine::Engine;
use polywire_naming::Naming;
use polywire_routing::Routing;
use polywire_server::{ConfigError, Preset, Running, Server, ServerError};
use polywire_wire::Protocols;
use std::{
    io,
    marker::PhantomData,
    sync::Arc,
    time::{Duration, SystemTime},
};
use tokio::{runtime::Handle, time::Instant};

/// The name of the clients that a test does not name.
const CLIENT: &str = "client";
/// The time of day at which each test begins, after 1970.
const YEAR_2000: Duration = Duration::from_secs(946_684_800);

/// Servers and channels on a network in memory, in virtual time. Clones refer to the same network; when the
/// last one is dropped, its servers end.
///
/// ```
/// use polywire::{Server, redis::{self, Store}, testkit::Net};
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), polywire::Status> { // a test: #[tokio::test]
/// let net = Net::seeded(7);
/// let server = net.serve("cache:1", Server::new().service(redis::service(Store::default())));
/// let client = redis::Client::new(net.builder("cache:1").protocol("redis").build().unwrap());
/// net.link("cache:1").delay(Duration::from_millis(30));
/// client.set("key", "value").await?;
///
/// server.crash();
/// assert!(client.set("key", "value").await.is_err());
/// # Ok(()) }
/// ```
///
/// # Time
///
/// The clock of the test's runtime is paused ([`tokio::time::pause`]), if the test has not done so itself:
/// when no task can continue, it jumps to the next timer. Delays, deadlines and pauses are exact to the
/// millisecond and take no real time.
///
/// # What is the same in each run
///
/// Everything runs on one thread, and random choices of the network follow from the seed. Other random
/// choices are not part of the network: the pauses of retries by a service config, and choices of handlers.
/// Calls made with `blocking()` do not work: the waiting thread is the only one that could serve them.
pub struct Net<P> {
    owner: Arc<Owner>,
    protocols: PhantomData<fn() -> P>,
}

/// Stops the servers when the last handle to the network is dropped; channels and connections may outlive it.
struct Owner {
    shared: Arc<Shared>,
    engine: Engine,
    seed: u64,
}

impl Drop for Owner {
    fn drop(&mut self) {
        let servers = std::mem::take(&mut self.shared.lock().servers);
        drop(servers); // without the lock, because this runs code of their services
    }
}

impl<P> Clone for Net<P> {
    fn clone(&self) -> Self {
        Net { owner: self.owner.clone(), protocols: PhantomData }
    }
}

impl<P: Protocols + Naming + Routing> Net<P> {
    /// An empty network. Networks with the same seed make the same random choices.
    ///
    /// # Panics
    /// Outside a tokio runtime, and in one with several threads.
    #[track_caller]
    pub fn seeded(seed: u64) -> Self {
        let runtime = clock::pause();
        polywire_engine::clock::begin_calendar(SystemTime::UNIX_EPOCH + YEAR_2000);
        let shared = Arc::new(Shared::new(seed, runtime.id()));
        let owner = Owner { shared, engine: Engine::here(), seed };
        Net { owner: Arc::new(owner), protocols: PhantomData }
    }

    /// The seed with which the network was made.
    pub fn seed(&self) -> u64 {
        self.owner.seed
    }

    /// Starts a server under this name. It needs no address to listen on; the network sets its engine.
    ///
    /// # Panics
    /// If the server does not start, with the reason; and if the name is taken.
    #[track_caller]
    pub fn serve<S: Preset>(&self, name: &str, server: Server<S>) -> Served {
        match self.try_serve(name, server) {
            Ok(served) => served,
            Err(why) => panic!("the server {name:?} does not start: {why}"),
        }
    }

    /// Like [`Net::serve`], for tests of servers that do not start.
    ///
    /// # Errors
    /// The errors of [`Server::start_without_listener`]. Also if the name is taken.
    pub fn try_serve<S: Preset>(&self, name: &str, server: Server<S>) -> Result<Served, ServerError> {
        let shared = &self.owner.shared;
        if shared.lock().servers.contains_key(name) {
            let text = format!("there is a server {name:?} already: stop it first");
            return Err(ConfigError::new("try_serve", text).with_value(name).into());
        }
        let running = Arc::new(server.engine(&self.owner.engine).start_without_listener()?);
        let name: Arc<str> = name.into();
        let served = Served::new(shared, &name, &running);
        let mut state = shared.lock();
        state.note(&Key { from: None, to: name.clone() }, 0, EventKind::Served);
        state.servers.insert(name, running);
        drop(state);
        Ok(served)
    }

    /// A channel to the server of this name, with all defaults. It connects when it is first used; the server
    /// may be started later.
    pub fn channel(&self, to: &str) -> Channel<P> {
        self.host(CLIENT).channel(to)
    }

    /// A builder for a channel to the server of this name, to set protocol, time limits and retries.
    pub fn builder(&self, to: &str) -> Builder<P> {
        self.host(CLIENT).builder(to)
    }

    /// A program on this network with a name as a client: a server that calls others, or one of several
    /// clients. Links and partitions can refer to it. Channels of the network itself have the name `client`.
    pub fn host(&self, name: &str) -> Host<P> {
        Host { shared: self.owner.shared.clone(), name: name.into(), protocols: PhantomData }
    }

    /// The link between this server and all its clients.
    pub fn link(&self, to: &str) -> Link {
        Link::new(&self.owner.shared, None, to)
    }

    /// The link between this client and this server.
    pub fn link_between(&self, from: &str, to: &str) -> Link {
        Link::new(&self.owner.shared, Some(from), to)
    }

    /// Interrupts the link between these two, in either role; see [`Link::partition`].
    pub fn partition(&self, one: &str, other: &str) {
        self.link_between(one, other).partition();
        self.link_between(other, one).partition();
    }

    /// Ends a [`Net::partition`] of the same two.
    pub fn heal(&self, one: &str, other: &str) {
        self.link_between(one, other).heal();
        self.link_between(other, one).heal();
    }

    /// The events of the network, oldest first; the last 65,536 are kept. Two runs of a deterministic test
    /// have the same log.
    pub fn log(&self) -> Vec<Event> {
        self.owner.shared.lock().log()
    }
}

/// A program on the network that has channels, see [`Net::host`].
pub struct Host<P> {
    shared: Arc<Shared>,
    name: Arc<str>,
    protocols: PhantomData<fn() -> P>,
}

impl<P> Clone for Host<P> {
    fn clone(&self) -> Self {
        Host { shared: self.shared.clone(), name: self.name.clone(), protocols: PhantomData }
    }
}

impl<P: Protocols + Naming + Routing> Host<P> {
    /// Like [`Net::channel`], with connections that come from this host.
    pub fn channel(&self, to: &str) -> Channel<P> {
        self.builder(to).build().expect("the defaults are right")
    }

    /// Like [`Net::builder`], with connections that come from this host.
    pub fn builder(&self, to: &str) -> Builder<P> {
        self.connecting(Channel::builder(to))
    }

    /// Changes an existing builder: its connections go through the network, from this host.
    pub fn connecting<Q>(&self, builder: Builder<Q>) -> Builder<Q> {
        let (shared, from) = (self.shared.clone(), self.name.clone());
        builder.connector(move |to| connect(shared.clone(), from.clone(), to.into()))
    }

    /// A connection to the server of this name, for tests that write and read its bytes themselves.
    ///
    /// # Errors
    /// The connection is refused.
    pub async fn connect(&self, to: &str) -> io::Result<NetStream> {
        connect(self.shared.clone(), self.name.clone(), to.into()).await
    }
}

/// Connects: one way for the request, one way for the consent. As long as the link is interrupted, it waits.
async fn connect(shared: Arc<Shared>, from: Arc<str>, to: Arc<str>) -> io::Result<NetStream> {
    if Handle::try_current().map(|runtime| runtime.id()).ok() != Some(shared.runtime) {
        return Err(io::Error::other(
            "a channel of testkit::Net works in the runtime of its network only: no blocking()",
        ));
    }
    pass(&shared, &from, &to, Direction::ToServer).await;
    let mut refusal = None;
    let accepted = {
        let mut state = shared.lock();
        let server = match state.rules.between(&from, &to).refuses {
            Some(true) => None,
            _ => state.servers.get(&to).cloned(),
        };
        match server {
            Some(server) => Some((server, state.connect(&from, &to))),
            None => {
                state.note(&Key { from: Some(from.clone()), to: to.clone() }, 0, EventKind::Refused);
                refusal = Some(refusal_of(&to, state.servers.keys()));
                None
            }
        }
    };
    let accepted = accepted.map(|(server, id)| accept(&server, ends(&shared, id, &from, &to)));
    pass(&shared, &from, &to, Direction::ToClient).await;
    accepted.ok_or_else(|| io::Error::new(io::ErrorKind::ConnectionRefused, refusal.unwrap_or_default()))
}

/// The reason why a connection is refused: the name may be misspelt, so the text lists the existing names.
fn refusal_of<'n>(to: &Arc<str>, servers: impl Iterator<Item = &'n Arc<str>>) -> String {
    let names: Vec<_> = servers.collect();
    if names.contains(&to) {
        return format!("{to} of testkit::Net refuses connections");
    }
    let names: Vec<_> = names.into_iter().map(|name| format!("{name:?}")).collect();
    let there =
        if names.is_empty() { "there is none".to_owned() } else { format!("there are {}", names.join(", ")) };
    format!("testkit::Net has no server {to:?} now; {there}")
}

fn accept(server: &Running, (client, theirs): (NetStream, NetStream)) -> NetStream {
    server.serve_stream(theirs);
    client
}

/// Waits for as long as a packet takes.
async fn pass(shared: &Shared, from: &Arc<str>, to: &Arc<str>, direction: Direction) {
    loop {
        let mut healed = std::pin::pin!(shared.healed.notified());
        healed.as_mut().enable();
        let delay = {
            let mut state = shared.lock();
            let interrupted = state.rules.between(from, to).direction(direction).partition.is_some();
            (!interrupted).then(|| state.delay(from, to, direction))
        };
        match delay {
            None => healed.await,
            Some(Duration::ZERO) => return,
            Some(delay) => return tokio::time::sleep_until(clock::timer(Instant::now() + delay)).await,
        }
    }
}
