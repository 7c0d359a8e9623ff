//! Paths of a server.

use crate::{
    Close, Options, WebSocket, code,
    ends::Ends,
    line::{Half, Line},
    socket::{CLOSING, drain, within},
};
use polywire_call::{Metadata, Status};
use polywire_protocols::http::websocket::{deflate, handshake};
use polywire_server::{Call, Context, Handler, Method, Preset, Servable, Server, Service, Started};
use polywire_wire::{Answer, Outcome};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};
use tokio::{runtime::Handle, task::JoinSet, time::sleep};

/// How long a handler that does not read its messages, or always has another one to read, may continue when
/// the server stops.
const LEAVING: Duration = Duration::from_secs(1);

/// A path of a server at which sockets are opened. The handler gets each socket; its result closes it: `Ok`
/// with 1000, a status with 1011 and its text. When the server stops, sockets are closed with 1001.
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
    /// Subprotocols, the preferred one first. The first one that the client also offers is chosen. A client
    /// that offers none of them gets a socket without a subprotocol.
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
        let method = Method::new("open", instance).upgrades().path(&path);
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
            let extension = route.options.deflate.and_then(|ours| {
                let offers =
                    fields.iter().filter(|(name, _)| name.eq_ignore_ascii_case(handshake::EXTENSIONS));
                deflate::accept(offers.map(|(_, value)| value), ours.takeover)
            });
            let (agreed, extension) = extension.unzip();
            let said = [(handshake::PROTOCOL, &subprotocol), (handshake::EXTENSIONS, &extension)];
            let said: Metadata =
                said.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect();
            let metadata = (!said.is_empty()).then(|| Box::new(said));
            sink.answer(Answer { status: 101, metadata, ..Answer::default() });
            let ends = Ends::Server { source, sink: Some(sink) };
            let (faults, kept) = (call.cx.faults().clone(), call.cx.kept());
            let line = Line::new(ends, &route.options, agreed, faults, Some(kept));
            let socket = WebSocket::new(line.clone(), &route.options, subprotocol);
            let mut leaving = JoinSet::new(); // ends with the call
            if Handle::try_current().is_ok() {
                leaving.spawn(leave(line.clone(), call.cx.stopping()));
            }
            let mut stopping = pin!(call.cx.stopping());
            let handled = (route.handler)(call.cx, socket).await;
            let close = match handled {
                Ok(()) if poll_fn(|cx| Poll::Ready(stopping.as_mut().poll(cx).is_ready())).await => {
                    Close::new(code::AWAY, "")
                }
                Ok(()) => Close::new(code::NORMAL, ""),
                Err(status) => Close::new(code::INTERNAL, status.message()),
            };
            line.lock().close(close);
            // The peer has to be told before the connection ends, and has to be listened to, or its system
            // discards what it was told.
            let _ = within(CLOSING, poll_fn(|cx| line.poll_waiting(Half::Sender, cx))).await;
            drain(&line).await;
            line.lock().finish();
            Outcome::default()
        }))
    }
}

/// Closes the socket with 1001 when the server stops: received messages are answered first, within a limited
/// time.
async fn leave(line: Arc<Line>, stopping: impl Future<Output = ()>) {
    stopping.await;
    line.leave(false);
    sleep(LEAVING).await;
    line.leave(true);
    let _ = within(CLOSING, poll_fn(|cx| line.poll_waiting(Half::Leaving, cx))).await;
    sleep(CLOSING).await;
    line.abandon();
}

/// The first of our subprotocols that the client offers.
fn chosen(ours: &[String], fields: &Metadata) -> Option<String> {
    let values = fields.iter().filter(|(name, _)| name.eq_ignore_ascii_case(handshake::PROTOCOL));
    let offered: Vec<&str> = values.flat_map(|(_, value)| handshake::protocols(value)).collect();
    ours.iter().find(|name| offered.contains(&name.as_str())).cloned()
}
