//! Sockets on the port of a server, next to all other protocols. The kind of the peer decides which socket it
//! is connected to.

use crate::{Authenticate, Message, Options, Socket, core::Core};
use polywire_hub::{Decision, Hub, Reception, Seat};
use polywire_protocols::zmtp::{self, Delivery, Kind, Security, Settings};
use polywire_wire::{ConfigError, Limits};
use std::{future::Future, pin::Pin, sync::Arc};

/// The function that answers a request of a REQ or DEALER peer.
pub(crate) type Handler = Arc<dyn Fn(Message) -> Pin<Box<dyn Future<Output = Message> + Send>> + Send + Sync>;

/// The sockets that a server has on its port. REQ peers are connected to the handler or the services, DEALER
/// to our ROUTER, SUB to our PUB, PUSH to our PULL. The application keeps the sockets and may bind them
/// elsewhere as well; a closed socket has no peers any more. A server has one such port: it does not start
/// with a second one.
///
/// ```no_run
/// # async fn example() -> polywire::Result<()> {
/// use polywire::{Server, zmq};
///
/// let news = zmq::Pub::new();
/// let jobs = zmq::Pull::new();
/// let port = zmq::Port::new().socket(&news).socket(&jobs).rep(|request| async move { request });
/// let running = Server::new().service(port).listen("0.0.0.0:8000").start()?;
/// news.send(["weather", "rain"]).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Port {
    options: Options,
    sockets: Vec<Arc<Core>>,
    handler: Option<Handler>,
}

impl Port {
    pub fn new() -> Self {
        Port::default()
    }

    /// A port with the security, the identity and the handshake of these options. One port has one mechanism.
    /// A peer needs the consent of these options ([`Options::plain_server`], [`Options::authenticate`]), and
    /// then of the server's authenticator if there is one. A server does not start with options that make it
    /// the client of a mechanism, since it would send its secrets to every peer.
    pub fn with(options: &Options) -> Self {
        Port { options: options.clone(), ..Port::default() }
    }

    /// Adds a socket whose peers may use the port. If there are several of one kind, the first one is used.
    pub fn socket(mut self, socket: impl AsRef<Socket>) -> Self {
        self.sockets.push(socket.as_ref().core().clone());
        self
    }

    /// Answers requests with a handler, message by message, in place of the server's services.
    pub fn rep<F, R>(mut self, handler: F) -> Self
    where
        F: Fn(Message) -> R + Send + Sync + 'static,
        R: Future<Output = Message> + Send + 'static,
    {
        self.handler = Some(Arc::new(move |message| Box::pin(handler(message))));
        self
    }

    pub(crate) fn handler(&self) -> Option<&Handler> {
        self.handler.as_ref()
    }

    /// The functions that decide about its peers, from its options; all of them have to agree.
    pub(crate) fn verifiers(&self) -> impl Iterator<Item = &Authenticate> {
        self.options.verifiers()
    }

    /// Settings for the server's protocol machines.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        let delivery = if self.handler.is_some() { Delivery::Handler } else { Delivery::Calls };
        let sockets =
            self.sockets.iter().map(|core| zmtp::Socket { kind: core.kind, delivery: Delivery::Messages });
        let rep = zmtp::Socket { kind: Kind::Rep, delivery };
        Arc::new(Core::settings(sockets.chain([rep]).collect::<Vec<_>>(), &self.options))
    }
}

impl Reception for Port {
    fn check(&self) -> Result<(), ConfigError> {
        let security = &self.options.security;
        if security.is_client() {
            let text = format!(
                "a ZeroMQ port with the secrets of a client of {security:?}: whoever connects would be shown them; say \
                 plain_server(..) or curve_server(..)"
            );
            return Err(ConfigError::new("service", text));
        }
        // On a port the options of the port apply. Stricter options of a socket would be silently ignored.
        let is_ignored = |core: &&Arc<Core>| {
            let own = &core.options.security;
            let other_mechanism = !matches!(own, Security::Null) && own.mechanism() != security.mechanism();
            let is_asked = |verify| self.verifiers().any(|asked| Arc::ptr_eq(asked, verify));
            other_mechanism || !core.options.verifiers().all(is_asked)
        };
        match self.sockets.iter().find(is_ignored) {
            Some(core) => {
                let (kind, own) = (core.kind.name(), core.options.security.mechanism());
                let text = format!(
                    "the options of a {kind} socket say by {own} who may come to it, those of the port it is given to ({}) \
                     would let in others; say Port::with(..) of these options",
                    security.mechanism(),
                );
                Err(ConfigError::new("service", text).with_value(kind))
            }
            None => Ok(()),
        }
    }

    fn receive(&self, kind: &str, name: &[u8], limits: &Limits) -> Option<Decision> {
        let peer = Kind::of(kind.as_bytes())?;
        let Some(ours) = self.settings().socket_for(peer) else { return Some(Decision::Refused) };
        if ours.delivery != Delivery::Messages {
            return Some(Decision::Caller);
        }
        let core = self.sockets.iter().find(|core| core.kind == ours.kind);
        Some(match core.and_then(|core| Seat::new(&core.hub, name, limits)) {
            Some(seat) => Decision::Seat(Box::new(seat)),
            None => Decision::Refused,
        })
    }

    fn hubs(&self) -> Vec<(String, Arc<Hub>)> {
        let named =
            |core: &Arc<Core>| (format!("zmtp_{}", core.kind.name().to_lowercase()), core.hub.clone());
        self.sockets.iter().map(named).collect()
    }
}
