//! Sockets on the port of a server, beside all other protocols: the kind of the peer decides which of them it meets.

use crate::{Authenticate, Message, Options, Socket, core::Core};
use polywire_hub::{Hub, Reception, Seat, Welcome};
use polywire_protocols::zmtp::{self, Kind, Security, Settings, Speaks};
use polywire_wire::Limits;
use std::{future::Future, pin::Pin, sync::Arc};

/// What answers a request of a REQ or DEALER peer.
pub(crate) type Handler = Arc<dyn Fn(Message) -> Pin<Box<dyn Future<Output = Message> + Send>> + Send + Sync>;

/// Sockets that a server is to have on its port: REQ peers get the handler or the services, DEALER our ROUTER, SUB our PUB,
/// PUSH our PULL. The sockets stay their owner's, and may be bound elsewhere as well; who is closed has no peers any more.
/// A server has one such port: with a second it does not start.
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

    /// With the security, the identity and the handshake of these options. One port has one mechanism. Whom it lets in is
    /// asked of these options ([`Options::plain_server`], [`Options::authenticate`]), and then of the server's authenticator
    /// if it has one: a peer needs the consent of both. A server does not start with options that make it the client of a
    /// mechanism, which would show its secrets to whoever comes.
    pub fn with(options: &Options) -> Self {
        Port { options: options.clone(), ..Port::default() }
    }

    /// Peers of this socket may come to the port. Of several of a kind the first counts.
    pub fn socket(mut self, socket: impl AsRef<Socket>) -> Self {
        self.sockets.push(socket.as_ref().core().clone());
        self
    }

    /// Answers requests, message by message, in place of the server's services.
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

    /// Who decides about its peers, as its options say; all of them have to agree.
    pub(crate) fn verifiers(&self) -> impl Iterator<Item = &Authenticate> {
        self.options.verifiers()
    }

    /// What the server's machines are told.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        let speaks = if self.handler.is_some() { Speaks::Handler } else { Speaks::Calls };
        let sockets =
            self.sockets.iter().map(|core| zmtp::Socket { kind: core.kind, speaks: Speaks::Messages });
        let rep = zmtp::Socket { kind: Kind::Rep, speaks };
        Arc::new(Core::settings(sockets.chain([rep]).collect::<Vec<_>>(), &self.options))
    }
}

impl Reception for Port {
    fn check(&self) -> Result<(), String> {
        let security = &self.options.security;
        if matches!(security, Security::PlainClient { .. } | Security::CurveClient { .. }) {
            return Err(format!(
                "a ZeroMQ port with the secrets of a client of {security:?}: whoever connects would be shown them; say \
                 plain_server(..) or curve_server(..)"
            ));
        }
        // On a port the options of the port hold: those of a socket that let in fewer peers would silently not count.
        let is_ignored = |core: &&Arc<Core>| {
            let own = &core.options.security;
            let other_mechanism = !matches!(own, Security::Null) && own.mechanism() != security.mechanism();
            let is_asked = |verify| self.verifiers().any(|asked| Arc::ptr_eq(asked, verify));
            other_mechanism || !core.options.verifiers().all(is_asked)
        };
        match self.sockets.iter().find(is_ignored) {
            Some(core) => Err(format!(
                "the options of a {} socket say by {} who may come to it, those of the port it is given to ({}) would let in \
                 others; say Port::with(..) of these options",
                core.kind.name(),
                core.options.security.mechanism(),
                security.mechanism(),
            )),
            None => Ok(()),
        }
    }

    fn receive(&self, kind: &str, name: &[u8], limits: &Limits) -> Option<Welcome> {
        let peer = Kind::of(kind.as_bytes())?;
        let Some(ours) = self.settings().socket_for(peer) else { return Some(Welcome::Away) };
        if ours.speaks != Speaks::Messages {
            return Some(Welcome::Caller);
        }
        let core = self.sockets.iter().find(|core| core.kind == ours.kind);
        Some(match core.and_then(|core| Seat::new(&core.hub, name, limits)) {
            Some(seat) => Welcome::Seat(Box::new(seat)),
            None => Welcome::Away,
        })
    }

    fn hubs(&self) -> Vec<(String, Arc<Hub>)> {
        let named =
            |core: &Arc<Core>| (format!("zmtp_{}", core.kind.name().to_lowercase()), core.hub.clone());
        self.sockets.iter().map(named).collect()
    }
}
