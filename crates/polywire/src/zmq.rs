//! ZeroMQ: its sockets (crate `polywire-zmq`), and having them on a server's port.
//!
//! ```no_run
//! # async fn example() -> polywire::Result<()> {
//! use polywire::{Server, zmq, zmq::Inhabit};
//!
//! let news = zmq::Pub::new();
//! let jobs = zmq::Pull::new();
//! let port = zmq::Port::new().socket(&news).socket(&jobs).rep(|request| async move { request });
//! let running = Server::new().zmq(port).listen("0.0.0.0:8000").start()?;
//! news.send(["weather", "rain"]).await?;
//! # Ok(())
//! # }
//! ```

pub use polywire_zmq::*;

use crate::{Server, Service};
use polywire_base::Output;
use polywire_protocols::zmtp::PROTOCOL;
use polywire_server::{Call, Handler as MethodHandler, Method, Started};
use polywire_wire::{Content, Outcome};
use std::sync::Arc;

/// A server that ZeroMQ's sockets live on.
pub trait Inhabit {
    /// Peers of these sockets, and those who ask, may come to this server's port. A server has one such port: with a
    /// second it does not start.
    #[must_use]
    fn zmq(self, port: Port) -> Self;
}

impl Inhabit for Server {
    fn zmq(self, port: Port) -> Self {
        let server = match port.handler().cloned() {
            Some(handler) => self.service(replies(handler)),
            None => self,
        };
        let server = port.verifiers().cloned().fold(server, |server, verify| {
            server.guard(PROTOCOL.name, move |claim, peer| verify(claim, peer))
        });
        server.extension(port.settings()).reception(Arc::new(port))
    }
}

/// The method that takes requests as they are.
fn replies(handler: Handler) -> Service {
    Service::bound(PROTOCOL.name).with(Method::new("Rep", move || Box::new(Replies(handler.clone()))))
}

struct Replies(Handler);

impl MethodHandler for Replies {
    fn start(&self, call: Call) -> Started {
        let reply = (self.0)(Message::of_wire(call.body));
        Started::Future(Box::pin(async move {
            let mut out = Output::default();
            reply.await.write(&mut out);
            Outcome { body: out.take(), reply: true, content: Content::RAW, ..Outcome::default() }
        }))
    }
}
