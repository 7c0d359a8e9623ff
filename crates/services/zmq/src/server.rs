//! Adds a port of sockets to a server.

use crate::{Message, Port, port::Handler};
use polywire_base::Output;
use polywire_call::Content;
use polywire_protocols::zmtp::PROTOCOL;
use polywire_server::{Call, Handler as MethodHandler, Method, Preset, Servable, Server, Service, Started};
use polywire_wire::Outcome;
use std::sync::Arc;

impl Servable for Port {
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        let server = match self.handler() {
            Some(handler) => server.service(requests(handler.clone())),
            None => server,
        };
        let server = self.verifiers().cloned().fold(server, |server, verify| {
            server.guard(PROTOCOL.name, move |claim, peer| verify(claim, peer))
        });
        server.extension(self.settings()).reception(Arc::new(self))
    }
}

/// The service that passes requests to the port's handler unchanged.
fn requests(handler: Handler) -> Service {
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
