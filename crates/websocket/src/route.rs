//! Paths of a server.

use crate::{Close, Options, WebSocket, code, ends::Ends, line::Half, socket::drain};
use polywire_call::{Metadata, Status};
use polywire_protocols::http::websocket::handshake;
use polywire_server::{Call, Context, Handler, Method, Preset, Servable, Server, Service, Started};
use polywire_wire::{Answer, Outcome};
use std::{
    future::{Future, poll_fn},
    sync::Arc,
};

/// A path of a server at which sockets are opened. The handler gets each of them; what it returns closes it: `Ok` with 1000, a status
/// with 1011 and its text.
pub fn route<F, Fut>(path: &str, handler: F) -> Route<F>
where
    F: Fn(Context, WebSocket) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<(), Status>> + Send + 'static,
{
    Route { path: path.to_owned(), handler, protocols: Vec::new(), options: Options::default() }
}

/// See [`route`].
#[must_use]
pub struct Route<F> {
    path: String,
    handler: F,
    protocols: Vec<String>,
    options: Options,
}

impl<F> Route<F> {
    /// Subprotocols, the preferred one first. The first that the client offers, too, is chosen. A client that offers none of them gets a
    /// socket without a subprotocol.
    pub fn subprotocols<'p>(mut self, names: impl IntoIterator<Item = &'p str>) -> Self {
        self.protocols = names.into_iter().map(str::to_owned).collect();
        self
    }

    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }
}

impl<F, Fut> Servable for Route<F>
where
    F: Fn(Context, WebSocket) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<(), Status>> + Send + 'static,
{
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        // Leaked once per path of a program, as the names of methods are.
        let name: &'static str = Box::leak(format!("websocket:{}", self.path).into_boxed_str());
        let path = format!("GET {}", self.path);
        let opened = Arc::new(self);
        let instance = move || -> Box<dyn Handler> { Box::new(Opened { route: opened.clone() }) };
        let mut method = Method::new("open", instance);
        method.upgrades().path(&path);
        server.service(Service::new(name, &[]).with(method))
    }
}

struct Opened<F> {
    route: Arc<Route<F>>,
}

impl<F, Fut> Handler for Opened<F>
where
    F: Fn(Context, WebSocket) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<(), Status>> + Send + 'static,
{
    fn start(&self, mut call: Call) -> Started {
        let route = self.route.clone();
        Started::Future(Box::pin(async move {
            let Some((source, mut sink)) = call.stream.take() else {
                return Status::internal("a socket without a stream").into();
            };
            let fields = call.cx.metadata();
            if fields.get(":protocol").is_none() && fields.get("upgrade").is_none() {
                sink.answer(Answer { status: 101, ..Answer::default() }); // answered with 426: nothing was asked for
                return Outcome::default();
            }
            let subprotocol = chosen(&route.protocols, fields);
            let metadata = subprotocol.as_ref().map(|name| {
                Box::new([(handshake::PROTOCOL, name.as_str())].into_iter().collect::<Metadata>())
            });
            sink.answer(Answer { status: 101, metadata, ..Answer::default() });
            let ends = Ends::Server { source, sink: Some(sink) };
            let socket = WebSocket::new(ends, &route.options, subprotocol);
            let line = socket.line();
            let close = match (route.handler)(call.cx, socket).await {
                Ok(()) => Close::new(code::NORMAL, ""),
                Err(status) => Close::new(code::INTERNAL, status.message()),
            };
            line.lock().close(close);
            // The peer has to be told before the connection ends, and has to be listened to, or its system discards what it was told.
            let _ = poll_fn(|cx| line.poll_control(Half::Sender, cx)).await;
            drain(&line).await;
            line.lock().finish();
            Outcome::default()
        }))
    }
}

/// The first of our subprotocols that the client offers.
fn chosen(ours: &[String], fields: &Metadata) -> Option<String> {
    let values = fields.iter().filter(|(name, _)| name.eq_ignore_ascii_case(handshake::PROTOCOL));
    let offered: Vec<&str> = values.flat_map(|(_, value)| handshake::protocols(value)).collect();
    ours.iter().find(|name| offered.contains(&name.as_str())).cloned()
}
