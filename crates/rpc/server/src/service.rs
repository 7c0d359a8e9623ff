//! Services as the server sees them: names, methods and their handlers.

use crate::{
    admission::Admission, binding, context::Context, forwarded::Inflater, limits::Concurrency, paths,
    schemas::Schemas,
};
use polywire_base::{IoBuf, nearest};
use polywire_call::{ConfigError, Native, Reply, Status};
use polywire_engine::inline::{FuturePlace, HandlerFuture, Inline};
use polywire_exchange::{Sink, Source};
use polywire_formats::{FormatError, Payload, json::Json, rest::HttpRule};
use polywire_wire::{Compression, Compressions, Content, Delivery, Longest, Outcome};
use std::{fmt, future::Future, marker::PhantomData, pin::Pin, sync::Arc, time::Duration};

/// A service, ready to be added to a server. Generated code makes it: `Echo.into_service()`.
///
/// ```
/// # mod polywire { pub use polywire_server::*; }
/// use polywire::{Method, Service};
///
/// /// What an `into_service()` is given beside its code.
/// fn configure(items: Service) -> Service {
///     items
///         .method("Search", |search| search.blocking().max_concurrency(64))
///         .restful("GET /v1/items/* => Get, POST /v1/items => Create")
/// }
/// # struct Nothing;
/// # impl polywire::Handler for Nothing {
/// #     fn start(&self, _: polywire::Call) -> polywire::Started { unimplemented!() }
/// # }
/// # let method = |name| Method::new(name, || Box::new(Nothing));
/// # let items = Service::new("shop.Items", &[]);
/// # configure(items.with(method("Search")).with(method("Get")).with(method("Create")));
/// ```
pub struct Service {
    pub(crate) name: &'static str,
    pub(crate) descriptors: &'static [u8],
    pub(crate) methods: Vec<Method>,
    /// Whether the service is built in: it is found by its full name only, and a service of the application
    /// replaces it.
    pub(crate) standard: bool,
    /// The protocol that alone can reach the service; `None`: every protocol can.
    pub(crate) bound: Option<Binding>,
    /// The first mistake in its options, with which no server starts.
    pub(crate) wrong: Option<String>,
}

/// The only requests that reach a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    /// HTTP requests of any version, by their path: pages, and a mounted `tower` service.
    Http,
    /// The targets of this protocol ([`Target::Bound`](polywire_wire::Target::Bound)).
    Protocol(&'static str),
    /// Calls of services and methods that the server does not have.
    Unknown,
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Binding::Http => "HTTP",
            Binding::Protocol(name) => name,
            Binding::Unknown => "unknown methods",
        })
    }
}

/// One method: its handler and how it is run. Options are set by name, with [`Service::method`]:
///
/// ```
/// # mod polywire { pub use polywire_server::*; }
/// # use polywire::Service;
/// # fn configure(echo: Service) -> Service {
/// echo.method("Echo", |echo| echo.max_concurrency(1000).max_message(1 << 20).path("/v1/echo"))
/// # }
/// ```
#[must_use]
pub struct Method {
    pub(crate) name: &'static str,
    pub(crate) inline: Inline,
    /// `None`: the server's default for methods.
    pub(crate) max_concurrency: Option<Concurrency>,
    pub(crate) max_memory: Option<usize>,
    /// Who is asked about its calls before their bodies are read.
    pub(crate) admissions: Arc<[Arc<dyn Admission>]>,
    pub(crate) max_message: Option<u32>,
    /// How long a call may take; `None`: as long as its caller waits.
    pub(crate) timeout: Option<Duration>,
    pub(crate) delivery: Delivery,
    pub(crate) streams: bool,
    /// The number by which protocols without method names identify the method.
    pub(crate) id: Option<u64>,
    /// A further number of a method, unless one before it has the same.
    pub(crate) alias: Option<u64>,
    pub(crate) no_side_effects: bool,
    /// Whether the method takes over the connections of its requests.
    pub(crate) upgrades: bool,
    /// Served over HTTP without a credential.
    pub(crate) open_to_all: bool,
    /// RESTful patterns that lead to the method.
    pub(crate) paths: Vec<String>,
    /// Rules of `google.api.http` that lead to the method.
    pub(crate) rules: Vec<HttpRule>,
    /// Finds its messages; `None`: it takes bytes.
    pub(crate) schemas: Option<Schemas>,
    /// Whether `/service/method` reaches it although it has paths.
    pub(crate) default_url: bool,
    /// Makes the handler of one shard, so that shards share no reference count.
    pub(crate) instance: Instance,
}

pub(crate) type Instance = Box<dyn Fn() -> Box<dyn Handler> + Send + Sync>;

impl Method {
    /// A method with the handlers that `instance` makes. It is called once per shard.
    pub fn new(name: &'static str, instance: impl Fn() -> Box<dyn Handler> + Send + Sync + 'static) -> Self {
        Method {
            name,
            inline: Inline::Adaptive,
            max_concurrency: None,
            max_memory: None,
            admissions: Arc::default(),
            max_message: None,
            timeout: None,
            delivery: Delivery::Whole,
            streams: false,
            id: None,
            alias: None,
            no_side_effects: false,
            upgrades: false,
            open_to_all: false,
            paths: Vec::new(),
            rules: Vec::new(),
            schemas: None,
            default_url: false,
            instance: Box::new(instance),
        }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The RESTful patterns that lead to the method.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Where the handler is polled. Default: on the shard, as long as its polls are quick.
    pub fn inline(mut self, inline: Inline) -> Self {
        self.inline = inline;
        self
    }

    /// Declares that the handler blocks its thread: each call gets a thread of a growing, bounded pool.
    pub fn blocking(self) -> Self {
        self.inline(Inline::Blocking)
    }

    /// Maximum number of calls in flight: a number, or a limit that adapts to measurements
    /// ([`Auto`](crate::Auto), [`Timeout`](crate::Timeout)). Further ones are refused with ELIMIT. Default:
    /// [`Bounds::method_concurrency`](crate::Bounds::method_concurrency). `None`: no limit.
    pub fn max_concurrency(mut self, most: impl Into<Concurrency>) -> Self {
        self.max_concurrency = Some(most.into());
        self
    }

    /// Maximum total size in bytes of this method's requests in flight, as they arrived; further ones are
    /// refused with ELIMIT. A request whose length is announced is refused before its body is read. Default:
    /// no limit.
    pub fn max_memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.max_memory = bytes.into();
        self
    }

    /// Longest request in bytes. Default: the server's limit.
    pub fn max_message(mut self, bytes: u32) -> Self {
        self.max_message = Some(bytes);
        self
    }

    /// How long a call may take from the arrival of its request on, also where its caller gave no deadline or
    /// a later one: then it ends with DEADLINE_EXCEEDED, and its handler is dropped where it waits. A stream
    /// has ended by then, too, and so has a connection that the method [took over](Method::upgrades).
    /// [`Context::deadline`] is the earlier of the two. Default: no limit but the caller's.
    pub fn timeout(mut self, most: impl Into<Option<Duration>>) -> Self {
        self.timeout = most.into();
        self
    }

    /// The number by which protocols without method names (fb_rpc) identify the method; its upper half is the
    /// number of the service. Generated code sets it.
    pub fn id(mut self, id: u64) -> Self {
        self.id = Some(id);
        self
    }

    /// An additional number for the method, for clients that identify it in another way: those that leave the
    /// name of a service out, or that follow an older version of a protocol. If several methods have the same
    /// number, the first one is called.
    pub fn alias(mut self, id: u64) -> Self {
        self.alias = Some(id);
        self
    }

    /// Adds a RESTful path that reaches this method, in place of `/service/method`: `/v1/items/{id}`,
    /// `/v1/*/start`, `*.data`. It is reached by POST, and by GET if the method has
    /// [`Method::no_side_effects`]. Other HTTP methods are written before the path: `GET /v1/echo`,
    /// `PUT|PATCH /v1/*`, or `ANY /v1/*` for all but OPTIONS. A method that GET reaches can be called by any
    /// page that a browser shows, whatever its origin.
    ///
    /// A name in braces is the field that this part of the path fills, see [`Method::http`]. With a path that
    /// has no star, the body is the message; GET, HEAD and DELETE fill fields from the query, too.
    pub fn path(mut self, pattern: &str) -> Self {
        self.paths.push(pattern.to_owned());
        self
    }

    /// Adds a rule of `google.api.http` that reaches this method, besides those of its `.proto` file and
    /// `/service/method`. With an invalid rule, [`Server::start`](crate::Server::start) fails with an error
    /// that quotes it.
    pub fn http(mut self, rule: HttpRule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Sets the rules of `google.api.http` that reach this method, in place of those of its `.proto` file.
    pub fn http_rules(mut self, rules: &[HttpRule]) -> Self {
        self.rules = rules.to_vec();
        self
    }

    /// Keeps `/service/method` as a path of the method although it has RESTful paths.
    pub fn allow_default_url(mut self) -> Self {
        self.default_url = true;
        self
    }

    /// Declares that the method changes nothing: it may be called by GET, by HTTP and Connect clients. GET
    /// needs no preflight in a browser and may be cached. Default: as `option idempotency_level =
    /// NO_SIDE_EFFECTS` in the `.proto` file.
    pub fn no_side_effects(mut self, nothing: bool) -> Self {
        self.no_side_effects = nothing;
        self
    }

    /// HTTP requests (gRPC and Connect included) reach the method without a credential, although the server
    /// has an authenticator: for checks of load balancers. Its handler never sees a [`Context::identity`].
    /// Protocols that show a credential once, in a connection's first frame, still require it. Default: only
    /// `/health` and gRPC's health service are such methods.
    pub fn open_to_all(mut self) -> Self {
        self.open_to_all = true;
        self
    }

    /// Lets the method take over the connection of an HTTP/1 request with `upgrade: websocket`, or the stream
    /// of the same request in HTTP/2 (RFC 8441), by answering it with status 101; after that both bodies are
    /// bytes of the other protocol. Requests without an upgrade reach the method as well; if it answers them
    /// with 101, they get 426. Requests from pages of other origins are refused.
    pub fn upgrades(mut self) -> Self {
        self.upgrades = true;
        self.streaming(Delivery::Pieces, true)
    }

    /// Sets how the request is delivered to the handler, and whether the reply is a stream.
    pub fn streaming(mut self, delivery: Delivery, answers: bool) -> Self {
        self.delivery = delivery;
        self.streams = answers;
        self
    }
}

impl Service {
    /// Number of the method of a bound service that gets the requests of its protocol for which there is no
    /// other.
    pub const ANY: u64 = u64::MAX;

    /// A service without methods. `name` is its full name, `package.Service`. `descriptors` is a
    /// `FileDescriptorSet` for reflection and may be empty.
    pub fn new(name: &'static str, descriptors: &'static [u8]) -> Self {
        Service { name, descriptors, methods: Vec::new(), standard: false, bound: None, wrong: None }
    }

    /// A service that only this protocol reaches, by the numbers of its methods ([`Method::id`], or else
    /// their positions): Redis commands, frames of nshead. Requests of other protocols cannot reach it by any
    /// name, path or number, and its handlers see only bytes that this protocol has checked.
    pub fn bound(protocol: &'static str) -> Self {
        Service::new(protocol, &[]).bound_to(Binding::Protocol(protocol))
    }

    /// A service for one protocol, under a name of its own, for a protocol with several services.
    pub fn bound_as(name: &'static str, protocol: &'static str) -> Self {
        Service::new(name, &[]).bound_to(Binding::Protocol(protocol))
    }

    pub(crate) fn bound_to(mut self, binding: Binding) -> Self {
        self.bound = Some(binding);
        self
    }

    /// Adds a method; the server does not start with two of one name.
    pub fn with(mut self, method: Method) -> Self {
        self.methods.push(method);
        self
    }

    /// Adds a method that takes one message and answers with one.
    pub fn unary<U: Unary>(self, service: &Arc<U::Service>) -> Self {
        let service = service.clone();
        let mut method = Method::new(U::NAME, move || {
            Box::new(UnaryHandler::<U> { service: Arc::new(service.clone()), method: PhantomData })
        });
        method.no_side_effects = U::NO_SIDE_EFFECTS;
        method.schemas = Some(Schemas::of::<U::Request, U::Response>());
        method.rules = U::HTTP_RULES.to_vec();
        self.with(method)
    }

    /// Sets options of a method. A server does not start with a service that has no method of this name.
    pub fn method(mut self, name: &str, configure: impl FnOnce(Method) -> Method) -> Self {
        let Some(at) = self.methods.iter().position(|method| method.name == name) else {
            self.wrong.get_or_insert_with(|| no_method(self.name, &self.methods, name));
            return self;
        };
        let method = configure(self.methods.remove(at));
        self.methods.insert(at, method);
        self
    }

    /// Sets options of all methods, each with its position in the service.
    pub fn each_method(mut self, mut configure: impl FnMut(usize, Method) -> Method) -> Self {
        let methods = self.methods.into_iter().enumerate();
        self.methods = methods.map(|(position, method)| configure(position, method)).collect();
        self
    }

    /// Adds RESTful paths in brpc's notation: `/v1/echo => Echo, GET /v1/*/state => State`, see
    /// [`Method::path`].
    ///
    /// A server does not start with a service that lacks a method which the text names.
    ///
    /// # Panics
    /// If the text is not in that notation.
    pub fn restful(self, text: &str) -> Self {
        let mappings = paths::mappings(text).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        mappings
            .into_iter()
            .fold(self, |service, (path, method)| service.method(&method, |method| method.path(&path)))
    }

    /// # Errors
    /// A method has a limit of zero, and would answer nothing.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let zero = |method: &Method| match () {
            () if method.max_concurrency.is_some_and(Concurrency::is_zero) => Some("max_concurrency"),
            () if method.timeout.is_some_and(|timeout| timeout.is_zero()) => Some("timeout"),
            () => None,
        };
        let found = self.methods.iter().find_map(|method| Some((method.name, zero(method)?)));
        let Some((method, option)) = found else { return Ok(()) };
        let text = format!("{option}(0) of {}/{method} leaves nothing: None is no limit", self.name);
        Err(ConfigError::new(option, text).with_value("0"))
    }

    /// Marks a built-in service. Its requests are names and numbers, so a long request can only be an attempt
    /// to use up memory.
    pub(crate) fn into_standard(mut self) -> Self {
        self.standard = true;
        for method in &mut self.methods {
            method.max_message.get_or_insert(STANDARD_MESSAGE);
        }
        self
    }

    pub fn name(&self) -> &'static str {
        self.name
    }
    pub fn descriptors(&self) -> &'static [u8] {
        self.descriptors
    }
}

/// The method that was probably meant, or all that there are.
#[cold]
fn no_method(service: &str, methods: &[Method], wrong: &str) -> String {
    let names = || methods.iter().map(|method| method.name);
    let advice = match nearest(wrong, names()) {
        Some(name) => format!("did you mean {name}?"),
        None => format!("it has {}", names().collect::<Vec<_>>().join(", ")),
    };
    format!("service {service} has no method {wrong}; {advice}")
}

/// Longest request to a built-in service, in bytes.
pub(crate) const STANDARD_MESSAGE: u32 = 64 << 10;

/// A method that takes one message and answers with one. Generated code implements it on a type without
/// fields.
pub trait Unary: 'static {
    type Service: Send + Sync + 'static;
    type Request: Payload;
    type Response: Payload;
    const NAME: &'static str;
    /// See [`Method::no_side_effects`].
    const NO_SIDE_EFFECTS: bool = false;
    /// See [`Method::http`].
    const HTTP_RULES: &'static [HttpRule] = &[];

    fn call(
        service: &Self::Service,
        cx: &Context,
        request: Self::Request,
    ) -> impl Future<Output = Result<Reply<Self::Response>, Status>> + Send;
}

/// A request that is passed to its handler.
pub struct Call {
    pub cx: Context,
    /// Message and attachment, as they arrived.
    pub body: IoBuf,
    /// The number of bytes at the end of `body` that are its attachment.
    pub attachment: u32,
    pub content: Content,
    pub compression: Compression,
    /// Longest body in bytes, compressed or not.
    pub max_message: u32,
    /// Both directions of a streaming method.
    pub stream: Option<(Source, Sink)>,
}

/// The code that runs when a method is called. There is one per shard and method.
pub trait Handler: Send + Sync {
    fn start(&self, call: Call) -> Started;
}

/// A handler that was started.
pub enum Started {
    /// The handler has finished without waiting.
    Ready(Outcome),
    Future(HandlerFuture),
}

struct UnaryHandler<U: Unary> {
    /// The outer count belongs to this shard alone: calls clone and drop it without touching a cache line
    /// that other shards write.
    #[allow(clippy::redundant_allocation)] // the outer `Arc` exists for its count
    service: Arc<Arc<U::Service>>,
    method: PhantomData<fn() -> U>,
}

impl<U: Unary> Handler for UnaryHandler<U> {
    fn start(&self, mut call: Call) -> Started {
        let service = self.service.clone();
        // The call stays where it is captured: moved to a variable of the future, it would be there twice.
        Started::Future(FuturePlace::take().fill(async move {
            if call.compression != Compression::NONE {
                call.room_to_inflate().await;
            }
            let request = match call.take_request::<U::Request>() {
                Ok(request) => request,
                Err(status) => return binding::failed(status, &call.cx),
            };
            let replied = U::call(&service, &call.cx, request).await;
            outcome(replied, &call)
        }))
    }
}

impl Call {
    /// Decodes the only message. Its attachment goes to the context.
    #[inline]
    pub(crate) fn take_request<M: Payload>(&mut self) -> Result<M, Status> {
        if self.cx.way() != 0 && binding::is_bound(&self.cx) {
            return binding::take_request(self);
        }
        let unnamed = self.content == Content::RAW;
        self.settle_content();
        let json = self.cx.json(self.content);
        let mut body = std::mem::take(&mut self.body);
        if self.attachment > 0 {
            let rest = body.cut(body.len() - self.attachment as usize);
            self.cx.set_attachment(std::mem::replace(&mut body, rest));
        }
        if unnamed && self.compression == Compression::NONE && !is_perhaps_json(&mut body) {
            return Err(not_ours());
        }
        if self.compression != Compression::NONE {
            body = self.inflate(body)?;
        }
        let read = M::decode(self.content, Compression::NONE, body, self.longest(), json);
        read.map_err(FormatError::request)
    }

    /// The maximum length of its messages, also of those that arrive compressed.
    #[inline]
    pub fn longest(&self) -> Longest {
        Longest { message: self.max_message as usize, inflated: self.cx.inflated() }
    }

    /// The only message, decompressed as soon as the connection may hold it. It counts in the memory budgets
    /// until the call ends. For a [`CatchAll`](crate::CatchAll), which gets messages as they were sent.
    ///
    /// # Errors
    /// It is damaged or too long, or there is no memory for it.
    pub async fn decompressed(&mut self, message: IoBuf) -> Result<IoBuf, Status> {
        if self.compression == Compression::NONE {
            return Ok(message);
        }
        self.room_to_inflate().await;
        self.inflate(message)
    }

    /// For a message that the handler passes on.
    #[cold]
    pub fn inflater(&self) -> Inflater {
        Inflater::new(self.cx.inflating().clone(), self.longest())
    }

    /// Waits while the handlers of the connection hold the maximum of decompressed messages.
    #[cold]
    pub(crate) fn room_to_inflate(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(self.cx.inflating().clone().room())
    }

    /// Decompresses a message. It counts in the memory budgets until the call ends.
    ///
    /// # Errors
    /// The message is damaged or too long, or there is no memory for it.
    #[cold]
    pub(crate) fn inflate(&mut self, body: IoBuf) -> Result<IoBuf, Status> {
        match self.cx.inflating().inflate(self.compression, body, self.longest()) {
            Ok((body, inflation)) => {
                self.cx.set_inflation(inflation);
                Ok(body)
            }
            Err(error @ (FormatError::Inflated { .. } | FormatError::TooLarge { .. }))
                if self.cx.http().is_some() =>
            {
                Err(error.request().with_native(Native::Http(413)))
            }
            Err(error) => Err(error.request()),
        }
    }

    /// "missing or anything else, server side: treated as JSON when the method's request type has fields"
    #[inline]
    pub(crate) fn settle_content(&mut self) {
        if self.content == Content::RAW {
            self.content = Content::JSON;
        }
    }
}

/// Whether a body of unknown content type may be JSON: it is empty, or begins like an object or an array.
#[cold]
pub(crate) fn is_perhaps_json(body: &mut IoBuf) -> bool {
    let first = body.contiguous().iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(first, None | Some(b'{' | b'['))
}

/// Status 415: the content type is unknown, and the body is not JSON.
#[cold]
pub(crate) fn not_ours() -> Status {
    Status::invalid_argument("the body is neither JSON nor of a content type of ours")
        .with_native(Native::Http(415))
}

/// The outcome of a call that is answered by one message.
#[inline]
pub(crate) fn outcome<M: Payload>(replied: Result<Reply<M>, Status>, call: &Call) -> Outcome {
    if call.cx.way() != 0 {
        return binding::outcome(replied, call);
    }
    let mut outcome = match replied {
        Ok(reply) => answer(reply, call.content, call.cx.accepts(), call.cx.json(call.content)),
        Err(status) => status.into(),
    };
    call.cx.complete(&mut outcome);
    outcome
}

#[inline]
pub(crate) fn answer<M: Payload>(
    reply: Reply<M>,
    content: Content,
    accepts: Compressions,
    json: Json,
) -> Outcome {
    let (message, attachment, metadata, compression) = reply.into_parts();
    let compression = if accepts.contains(compression) { compression } else { Compression::NONE };
    let mut body = match message.into_encoded(content, compression, json) {
        Ok(body) => body,
        Err(error) => return error.reply().into(),
    };
    let attached = attachment.len() as u32;
    if attached > 0 {
        body.append(attachment);
    }
    Outcome {
        status: Status::OK,
        body,
        attachment: attached,
        content,
        compression,
        reply: true,
        accept: false,
        headers: None,
        trailers: (!metadata.is_empty()).then(|| Box::new(metadata)),
    }
}
