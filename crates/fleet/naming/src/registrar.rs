//! Registers a server in a registry while it runs.

use crate::{Server, SourceError, Watching};
use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};
use tokio::{
    sync::{oneshot, watch},
    time::{Instant, sleep, timeout},
};

/// The time limit for removing a server that stops from a registry.
const WITHDRAW_LIMIT: Duration = Duration::from_secs(3);
/// The pause after the first failure to register, and the maximum pause. They are short, because a server
/// that its registry has lost gets no calls.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The future of [`Registrar::keep`].
pub type Keeping<'a> = Pin<Box<dyn Future<Output = SourceError> + Send + 'a>>;

/// A registry in which servers are announced, so that channels which watch it find them: the counterpart of
/// [`Source`](crate::Source).
pub trait Registrar: Send + Sync + 'static {
    /// The name in messages: the url that it was made from, without secrets.
    fn name(&self) -> String;

    /// Registers `server`, reports that ([`Accepted::set`]), and keeps the entry alive until the future is
    /// dropped. It ends with the reason when the entry is lost or the registry fails; it is then called
    /// again, after a pause that grows with each failure. An existing entry of the same server is replaced.
    fn keep<'a>(&'a self, server: &'a Server, accepted: &'a Accepted) -> Keeping<'a>;

    /// Removes the entry of `server`. It is called once, after the future of [`Registrar::keep`] has been
    /// dropped, whether or not that had succeeded.
    fn withdraw<'a>(&'a self, server: &'a Server) -> Watching<'a>;
}

/// A server that is to be announced, and where.
pub struct Registration {
    registrar: Box<dyn Registrar>,
    server: Server,
}

impl Registration {
    /// Announces a server at the address on which it listens.
    pub fn new(registrar: impl Registrar) -> Self {
        Registration::boxed(Box::new(registrar))
    }

    /// Like [`Registration::new`], with a boxed registrar.
    pub fn boxed(registrar: Box<dyn Registrar>) -> Self {
        Registration { registrar, server: Server::default() }
    }

    /// The name of the registry in messages.
    pub fn name(&self) -> String {
        self.registrar.name()
    }

    /// The server as it will be announced. Its address is empty if none was set.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The address that clients connect to, if it is not the one on which the server listens. A server that
    /// listens on all addresses of its machine (`0.0.0.0`) needs one.
    #[must_use]
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.server.address = address.into();
        self
    }

    /// Free text: a weight, a partition, or any text for filters.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.server = self.server.tag(tag);
        self
    }

    /// The server's share of the calls under weighted balancers.
    #[must_use]
    pub fn weight(mut self, weight: u32) -> Self {
        self.server = self.server.weight(weight);
        self
    }

    /// Sets the server's zone, for channels that prefer servers nearby.
    #[must_use]
    pub fn zone(mut self, zone: impl Into<String>) -> Self {
        self.server = self.server.zone(zone);
        self
    }

    /// Adds an attribute of the server.
    #[must_use]
    pub fn metadata(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.server = self.server.metadata(name, value);
        self
    }

    /// Announces the server until [`Registered::withdraw`]. The future does the work: spawn it. It ends once
    /// the server is withdrawn.
    pub fn start(self) -> (Registered, impl Future<Output = ()> + Send + 'static) {
        let (stop, stopped) = oneshot::channel();
        let (done, withdrawn) = oneshot::channel();
        let (sender, state) = watch::channel(State::Waiting);
        let name: Arc<str> = self.registrar.name().into();
        let accepted = Accepted { state: sender, name: name.clone() };
        let work = async move {
            let Registration { registrar, server } = self;
            tokio::select! {
                never = run(&*registrar, &server, &accepted) => match never {},
                _ = stopped => {} // asked to, or the handle was dropped
            }
            match timeout(WITHDRAW_LIMIT, registrar.withdraw(&server)).await {
                Ok(Ok(())) => {
                    tracing::info!(registry = &*accepted.name, server = server.address, "withdrawn")
                }
                Ok(Err(why)) => tracing::warn!(registry = &*accepted.name, "not withdrawn: {why}"),
                Err(_) => {
                    tracing::warn!(registry = &*accepted.name, "not withdrawn within {WITHDRAW_LIMIT:?}")
                }
            }
            accepted.state.send_replace(State::Withdrawn);
            let _ = done.send(());
        };
        (Registered { stop, withdrawn, state, name }, work)
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").field("registrar", &self.name()).field("server", &self.server).finish()
    }
}

/// The state of a registration.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum State {
    /// The registry has not answered yet.
    Waiting,
    /// The registry has the server.
    Accepted,
    /// The registry does not have the server, or may lose it, for this reason. Registration is retried.
    Failed(SourceError),
    /// The server has stopped.
    Withdrawn,
}

/// The handle with which a registrar reports that the registry has accepted its server.
pub struct Accepted {
    state: watch::Sender<State>,
    name: Arc<str>,
}

impl Accepted {
    /// The registry has the server.
    pub fn set(&self) {
        let was = self.state.send_replace(State::Accepted);
        if was != State::Accepted {
            tracing::info!(registry = &*self.name, "registered");
        }
    }
}

/// A server that is announced. Dropping this withdraws the server, too, if the spawned future still runs.
#[derive(Debug)]
pub struct Registered {
    stop: oneshot::Sender<()>,
    withdrawn: oneshot::Receiver<()>,
    state: watch::Receiver<State>,
    name: Arc<str>,
}

impl Registered {
    /// The name of the registry in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The state of the registration.
    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Waits until the registry has the server.
    pub async fn accepted(&mut self) {
        if self.state.wait_for(|state| *state == State::Accepted).await.is_err() {
            std::future::pending::<()>().await; // the work was dropped
        }
    }

    /// Removes the server from the registry, and returns once that is done, or given up after 3 s.
    pub async fn withdraw(self) {
        let _ = self.stop.send(());
        let _ = self.withdrawn.await;
    }
}

/// Registers a server, and again each time its entry is lost.
async fn run(registrar: &dyn Registrar, server: &Server, accepted: &Accepted) -> std::convert::Infallible {
    let mut pause = FIRST_PAUSE;
    loop {
        let begun = Instant::now();
        let why = registrar.keep(server, accepted).await;
        let was = accepted.state.send_replace(State::Failed(why.clone()));
        if !matches!(was, State::Failed(before) if before == why) {
            tracing::warn!(registry = &*accepted.name, server = server.address, "not registered: {why}");
        }
        if begun.elapsed() > LONGEST_PAUSE {
            pause = FIRST_PAUSE; // it worked for a while
        }
        sleep(pause.mul_f64(0.8 + 0.4 * fastrand::f64())).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
