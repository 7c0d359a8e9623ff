//! The functions of a server.

use super::{ByteString, Format, Function, Publisher, function_id, values::Form};
use polywire_call::{Content, Status};
use polywire_formats::FormatError;
use polywire_protocols::rest_rpc::{PROTOCOL, Settings};
use polywire_server::{Call, Handler, Method, Preset, Servable, Server, Service, Started};
use polywire_wire::Outcome;
use std::{
    future::{Future, poll_fn},
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Duration,
};

/// Functions by name, for `Server::new().service(..)`. Clients of both formats can call them; clients of
/// v0.21 use the names that their compiler generates: `add`, `ns::mul`, `dummy::add`.
///
/// The protocol identifies a function by a short hash of its name. If two names have the same hash, the
/// server does not start, and the error names them.
#[must_use]
pub struct Functions {
    service: Service,
    settings: Settings,
    publisher: Option<Publisher>,
}

impl Default for Functions {
    fn default() -> Self {
        Functions::new()
    }
}

impl Functions {
    pub fn new() -> Self {
        Functions { service: Service::bound(PROTOCOL.name), settings: Settings::default(), publisher: None }
    }

    /// Adds a function.
    ///
    /// If a type does not exist in struct_pack (an enum, for example), peers of format B cannot call the
    /// function; they receive an error that names the reason.
    pub fn function<M: 'static, F: Function<M>>(mut self, name: &'static str, function: F) -> Self {
        let shared = Arc::new(Shared {
            function,
            name,
            arguments: Form::of_arguments(),
            value: Form::of_value(),
            look: PhantomData,
        });
        let instance = move || -> Box<dyn Handler> { Box::new(Called { shared: Arc::new(shared.clone()) }) };
        let method = Method::new(name, instance).id(u64::from(function_id(name)));
        self.service = self.service.with(method);
        self
    }

    /// Sets options of a function: where it runs, how many of its calls may be in flight.
    ///
    /// # Panics
    /// If there is no function with this name.
    pub fn method(mut self, name: &str, configure: impl FnOnce(Method) -> Method) -> Self {
        self.service = self.service.method(name, configure);
        self
    }

    /// Lets peers subscribe to this publisher's publications.
    pub fn publisher(mut self, publisher: &Publisher) -> Self {
        self.publisher = Some(publisher.clone());
        self
    }

    /// Lets peers publish: adds the functions `publish(key, token, data)`, which ignores the token, and
    /// `publish_by_token`, as stock servers register them. Data are delivered unchanged.
    pub fn open_publisher(self, publisher: &Publisher) -> Self {
        let (all, some) = (publisher.clone(), publisher.clone());
        self.publisher(publisher)
            .function("publish", move |key: String, _token: String, data: ByteString| {
                all.relay(&key, "", &data.0).map(drop)
            })
            .function("publish_by_token", move |key: String, token: String, data: ByteString| {
                some.relay(&key, &token, &data.0).map(drop)
            })
    }

    /// The only format that is answered. Default: the format of a connection's first frame.
    pub fn format(mut self, format: Format) -> Self {
        self.settings.format = Some(format);
        self
    }

    /// Closes connections of format A on which nothing arrives for this long while no call is in flight;
    /// heartbeats count as traffic. Stock servers do so after 15 s. Default: only the server's idle time
    /// limit applies ([`Server::timeouts`]).
    pub fn close_silent_after(mut self, idle: Duration) -> Self {
        self.settings.idle = Some(idle);
        self
    }
}

/// Lets peers call the functions, and subscribe to their publisher's topics.
impl Servable for Functions {
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        let server = server.extension(Arc::new(self.settings)).service(self.service);
        match self.publisher {
            Some(publisher) => server.reception(Arc::new(publisher)),
            None => server,
        }
    }
}

/// The part of a function that all shards share.
struct Shared<F: Function<M>, M> {
    function: F,
    name: &'static str,
    arguments: Form<F::Arguments>,
    value: Form<F::Value>,
    look: PhantomData<fn() -> M>,
}

/// One shard's reference to a function.
struct Called<F: Function<M>, M> {
    /// The outer count belongs to this shard alone: calls clone and drop it without touching a cache line
    /// that other shards write.
    #[allow(clippy::redundant_allocation)]
    shared: Arc<Arc<Shared<F, M>>>,
}

impl<F: Function<M>, M: 'static> Handler for Called<F, M> {
    fn start(&self, mut call: Call) -> Started {
        let shared = self.shared.clone();
        Started::Future(Box::pin(async move {
            let content = call.content;
            let arguments = match shared.arguments.decode(content, call.body.contiguous()) {
                Ok(arguments) => arguments,
                Err(error) => return unreadable(error, content).into(),
            };
            let called = shared.function.call(call.cx, arguments);
            let encoded = match caught(shared.name, called).await {
                Ok(value) => shared.value.encode(content, &value).map_err(FormatError::reply),
                Err(status) => Err(status),
            };
            match encoded {
                Ok(body) => Outcome { body: body.into(), content, reply: true, ..Outcome::default() },
                Err(status) => status.into(),
            }
        }))
    }
}

/// The stock server's error text. In format A it is the same for every error; in format B, details follow.
#[cold]
fn unreadable(error: FormatError, content: Content) -> Status {
    match (content, error) {
        (Content::MSGPACK, _) => Status::invalid_argument("unpack failed: Args not match!"),
        (Content::STRUCT_PACK, error) => Status::invalid_argument(format!("unpack failed: {error}")),
        (_, error) => error.request(),
    }
}

/// A panic is reported to the caller as C++ reports an exception of unknown type.
async fn caught<T>(name: &str, called: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    let mut called = pin!(called);
    poll_fn(|cx| {
        let polled = catch_unwind(AssertUnwindSafe(|| called.as_mut().poll(cx)));
        polled.unwrap_or_else(|_| {
            Poll::Ready(Err(Status::internal(format!("unknown exception occur when call {name}"))))
        })
    })
    .await
}
