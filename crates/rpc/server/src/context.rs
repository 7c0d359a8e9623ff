//! What a handler can read about its call, and do with it.

use crate::{
    auth::{Identities, Identity},
    common::Common,
    forwarded::Forwarded,
    passed_on::Trail,
    paths::DEFAULT_METHOD,
    scope::Scope,
};
use bytes::Bytes;
use polywire_base::{IoBuf, lock};
use polywire_call::{Compression, Metadata, Parent, Status, brpc};
use polywire_dump::Recorder;
use polywire_engine::{Faults, Peer, clock, memory::Memory, transport::Security};
use polywire_formats::{json::Json, rest::Rule};
use polywire_streams::{Budget, Inflating, Inflation, RawStream};
use polywire_trace::{Incoming, Span, TraceContext, Within};
use polywire_wire::{
    Compressions, Content, Extensions, Head, HttpVersion, Inflated, Outcome, Protocol, Target,
};
use std::{
    any::{Any, TypeId},
    borrow::Cow,
    collections::HashMap,
    fmt,
    future::{Future, poll_fn},
    mem,
    pin::Pin,
    sync::{Arc, Mutex, OnceLock, atomic::AtomicBool},
    task::Poll,
    time::{Duration, Instant},
};

/// One call as its handler sees it. Nothing of it is global or thread-local. When the call ends, for whatever
/// reason, its context is dropped: tasks spawned with [`Context::spawn`] are cancelled then, and
/// [`Context::cancelled`] resolves.
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_server::*}; }
/// use polywire::{Context, Status};
/// use std::time::Duration;
///
/// async fn reserve(cx: &Context, sku: &str) -> Result<String, Status> {
///     let tenant = cx.metadata().get_str("x-tenant").ok_or_else(|| Status::invalid_argument("no x-tenant"))?;
///     if cx.remaining().is_some_and(|left| left < Duration::from_millis(5)) {
///         return Err(Status::deadline_exceeded("too late to begin"));
///     }
///     cx.reply_metadata("x-shelf", "7");
///     Ok(format!("{sku} for {tenant}, asked by {}", cx.peer()))
/// }
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// # let cx = polywire::TestContext::new().metadata("x-tenant", "acme").build();
/// # assert_eq!(reserve(&cx, "lamp").await.unwrap(), format!("lamp for acme, asked by {}", cx.peer()));
/// # });
/// ```
///
/// [`TestContext`](crate::TestContext) makes one for tests of a handler alone.
pub struct Context {
    connection: Arc<Connection>,
    protocol: &'static Protocol,
    method: &'static MethodName,
    received: Instant,
    deadline: Option<Instant>,
    /// Metadata in the protocol's own form; parsed once, when first asked for.
    raw: Option<Box<[u8]>>,
    content: Content,
    compression: Compression,
    accepts: Compressions,
    /// The path by which the request has come; 0 is none of those with patterns or rules.
    way: u32,
    /// Parts that most calls do not need, kept apart so that a context is small to move.
    extra: OnceLock<Box<Extra>>,
}

/// A method's full name.
pub(crate) struct MethodName {
    pub service: &'static str,
    pub method: &'static str,
}

/// The names of a call that a catch-all answers, as they were sent.
pub(crate) struct Called {
    pub service: Box<str>,
    pub method: Box<str>,
    by_path: bool,
}

#[derive(Default)]
struct Extra {
    metadata: OnceLock<Metadata>,
    attachment: IoBuf,
    /// The caller's identity, where it may differ from the connection's.
    identity: Option<Identity>,
    /// Whether the caller was not authenticated, so that the connection's identity does not apply to it.
    unknown: bool,
    /// Values that middleware has left for further middleware and for the handler.
    extensions: Extensions,
    /// The record of the attempt, if the call is recorded.
    span: Option<Span>,
    /// Its message, if that was inflated.
    inflation: Option<Inflation>,
    scope: Arc<Scope>,
    reply: Mutex<Replying>,
}

impl Extra {
    fn accept_streams(&self) -> Vec<RawStream> {
        let mut reply = lock(&self.reply);
        reply.accepts_streams |= !reply.offered.is_empty();
        mem::take(&mut reply.offered)
    }
}

/// What all calls of a connection share.
pub(crate) struct Connection {
    pub peer: Peer,
    pub local: Peer,
    /// The identity of the first caller; see [`Identities`](crate::auth::Identities).
    pub identity: OnceLock<Identity>,
    /// Its callers, where there is an authenticator or TLS.
    pub identities: OnceLock<Arc<Identities>>,
    /// Whether the authenticator has read the request that it currently decides about.
    pub request_seen: AtomicBool,
    pub security: OnceLock<Arc<Security>>,
    /// What it knows of its server.
    pub common: Arc<Common>,
    /// The value of the type that was asked for first, on most connections the only one. It is found without
    /// a lock.
    first: OnceLock<Arc<dyn Any + Send + Sync>>,
    session: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    /// What compressed messages become; made for the first of them.
    inflating: OnceLock<Arc<Inflating>>,
}

/// What a handler adds to its reply before and after the messages.
#[derive(Default)]
struct Replying {
    metadata: Metadata,
    trailers: Metadata,
    compression: Compression,
    /// Streams that the caller offers inside this call and the handler has not taken yet.
    offered: Vec<RawStream>,
    accepts_streams: bool,
}

/// The earlier one of a deadline and of the end of a limit that begins now.
pub(crate) fn sooner(deadline: Option<Instant>, now: Instant, most: Duration) -> Option<Instant> {
    deadline.into_iter().chain(now.checked_add(most)).min()
}

impl Connection {
    pub fn new(peer: Peer, local: Peer, common: Arc<Common>) -> Arc<Self> {
        let (identity, identities, security) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (first, session) = (OnceLock::new(), Mutex::default());
        let request_seen = AtomicBool::new(false);
        let inflating = OnceLock::new();
        Arc::new(Connection {
            peer,
            local,
            identity,
            identities,
            request_seen,
            security,
            common,
            first,
            session,
            inflating,
        })
    }
}

impl Connection {
    /// The identities of the callers that share the connection.
    pub fn identities(&self) -> &Arc<Identities> {
        self.identities.get_or_init(Arc::default)
    }

    /// The identity of the first caller. Another one is handed back.
    pub fn set_identity(&self, identity: Identity) -> Result<(), Identity> {
        self.identity.set(identity)?;
        self.identity.get().into_iter().for_each(|identity| self.identities().set_first(identity));
        Ok(())
    }

    pub fn inflating(&self) -> &Arc<Inflating> {
        self.inflating.get_or_init(|| {
            let budget =
                self.common.memory.clone().map(|memory| Box::new(Charged(memory)) as Box<dyn Budget>);
            Inflating::new(self.common.inflated, budget)
        })
    }

    /// Inflated bytes of requests in flight. They are charged to the budget of memory as they are inflated.
    pub fn inflated(&self) -> usize {
        self.inflating.get().map_or(0, |inflating| inflating.held())
    }
}

/// The server's budget of memory.
struct Charged(Arc<Memory>);

impl Budget for Charged {
    fn take(&self, bytes: usize) -> bool {
        self.0.take(bytes)
    }

    fn give_back(&self, bytes: usize) {
        self.0.recharge(bytes, 0);
    }

    fn charge(&self, bytes: usize) {
        self.0.recharge(0, bytes);
    }
}

/// What a handler keeps of messages of a protocol of its own that have not come whole. It counts in the
/// budgets of memory of its connection and its server, until this is dropped.
pub struct Kept {
    connection: Arc<Connection>,
    /// `None`: it has not kept much yet.
    inflation: Option<Inflation>,
}

impl Kept {
    /// Changes by fewer bytes are left out.
    const STEP: usize = 4 << 10;

    /// So many bytes are kept now.
    #[inline]
    pub fn set(&mut self, bytes: usize) {
        let before = self.inflation.as_ref().map_or(0, Inflation::bytes);
        if bytes.abs_diff(before) >= Self::STEP {
            self.change(bytes);
        }
    }

    #[cold]
    fn change(&mut self, bytes: usize) {
        self.inflation.get_or_insert_with(|| self.connection.inflating().nothing()).set(bytes);
    }
}

/// Who writes the request down.
struct RecordedBy(Arc<Recorder>);

/// The parts of which a context is made.
pub(crate) struct Parts {
    pub connection: Arc<Connection>,
    pub protocol: &'static Protocol,
    pub method: &'static MethodName,
    pub received: Instant,
    pub deadline: Option<Instant>,
    pub raw: Option<Box<[u8]>>,
    pub content: Content,
    pub compression: Compression,
    pub accepts: Compressions,
    pub way: u32,
}

impl Context {
    #[inline]
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { connection, protocol, method, received, deadline, raw, .. } = parts;
        let Parts { content, compression, accepts, way, .. } = parts;
        let extra = OnceLock::new();
        Context {
            connection,
            protocol,
            method,
            received,
            deadline,
            raw,
            content,
            compression,
            accepts,
            way,
            extra,
        }
    }

    /// The call ends after this time at the latest.
    pub(crate) fn shorten(&mut self, most: Duration) {
        self.deadline = sooner(self.deadline, self.received, most);
    }

    pub(crate) fn set_called(&mut self, (service, method): (Cow<'_, str>, Cow<'_, str>), by_path: bool) {
        self.set_extension(Called { service: service.into(), method: method.into(), by_path });
    }

    pub(crate) fn set_attachment(&mut self, attachment: IoBuf) {
        self.extra_mut().attachment = attachment;
    }

    pub(crate) fn set_offers(&mut self, streams: Vec<RawStream>) {
        lock(&self.extra_mut().reply).offered = streams;
    }

    pub(crate) fn set_identity(&mut self, identity: Identity) {
        self.extra_mut().identity = Some(identity);
    }

    pub(crate) fn set_span(&mut self, span: Span) {
        self.extra_mut().span = Some(span);
    }

    pub(crate) fn inflating(&self) -> &Arc<Inflating> {
        self.connection.inflating()
    }

    /// The maximum size of decompressed messages.
    #[inline]
    pub(crate) fn inflated(&self) -> Inflated {
        self.connection.common.inflated
    }

    pub(crate) fn set_inflation(&mut self, inflation: Inflation) {
        self.extra_mut().inflation = Some(inflation);
    }

    pub(crate) fn set_unknown_caller(&mut self) {
        self.extra_mut().unknown = true;
    }

    fn extra_mut(&mut self) -> &mut Extra {
        self.extra();
        self.extra.get_mut().expect("made above")
    }

    fn extra(&self) -> &Extra {
        self.extra.get_or_init(Box::default)
    }

    /// The address from which the caller has connected; behind a proxy this is the proxy's.
    pub fn peer(&self) -> &Peer {
        &self.connection.peer
    }
    /// Whether the caller is on this machine and is not a foreign page in a local browser. Such pages reach a
    /// server under a host name that their owner has pointed to it ([`Origins::host`](crate::Origins::host)).
    pub fn is_from_here(&self) -> bool {
        self.knows_host() && self.connection.peer.is_local()
    }

    /// Whether a request by HTTP names an address, `localhost` or a name of the server as its host.
    pub(crate) fn knows_host(&self) -> bool {
        let mut known = true;
        if let (Peer::Ip(_), Some(_)) = (&self.connection.peer, self.http()) {
            self.visit_fields(|name, value| {
                known &= !name.eq_ignore_ascii_case("host") || self.connection.common.origins.is_known(value);
            });
        }
        known
    }
    /// The local address that the caller connected to.
    pub fn local(&self) -> &Peer {
        &self.connection.local
    }
    /// Name of the protocol of the connection that carries the call: `h2` for gRPC.
    pub fn protocol(&self) -> &'static str {
        self.protocol.name
    }
    /// Whether the call came in a request of HTTP, of whichever system over it.
    pub fn is_over_http(&self) -> bool {
        self.protocol.http.is_some()
    }
    /// Whether calls over that protocol have attachments.
    pub fn has_attachments(&self) -> bool {
        self.protocol.attachments
    }
    /// Full name of the service, `package.Service`.
    pub fn service(&self) -> &'static str {
        self.method.service
    }
    pub fn method(&self) -> &'static str {
        self.method.method
    }
    /// Service and method as the caller names them: for a call that a [`CatchAll`](crate::CatchAll) answers,
    /// those that the server does not have; for other calls [`Context::service`] and [`Context::method`].
    pub fn called(&self) -> (&str, &str) {
        self.unknown_names().unwrap_or_else(|| (self.service(), self.method()))
    }
    /// Whether a catch-all answers the call, and it came by path of plain HTTP.
    pub(crate) fn is_by_path(&self) -> bool {
        self.extension::<Called>().is_some_and(|called| called.by_path)
    }
    /// The names that were sent, of a call that a catch-all answers.
    pub(crate) fn unknown_names(&self) -> Option<(&str, &str)> {
        self.extension::<Called>().map(|called| (&*called.service, &*called.method))
    }
    /// The same, to be kept.
    pub(crate) fn called_names(&self) -> Option<Arc<Called>> {
        self.extra.get()?.extensions.get()
    }
    /// Where a [`CatchAll`](crate::CatchAll) says where it has sent the call, for the [access
    /// log](crate::AccessLog). `None`: nobody wants to know it.
    pub fn trail(&self) -> Option<Trail> {
        self.extension::<Trail>().cloned()
    }
    /// The same, which is there afterwards. One that was there before is that of a log further out.
    pub(crate) fn begin_trail(&mut self) -> Trail {
        self.trail().unwrap_or_else(|| {
            let trail = Trail::default();
            self.set_extension(trail.clone());
            trail
        })
    }
    /// Another one than the dispatcher writes the request down.
    pub(crate) fn record_by(&mut self, recorder: Arc<Recorder>) {
        self.set_extension(RecordedBy(recorder));
    }
    /// Whether the call may stream, for all that is known, and is one of those that are
    /// [recorded](crate::Recording::dump): then a [`CatchAll`](crate::CatchAll) says by [`Context::record`]
    /// what its only message was.
    pub fn is_recorded(&self) -> bool {
        self.extension::<RecordedBy>().is_some()
    }
    /// Records the call with the only message that it has. Without [`Context::is_recorded`] nothing happens.
    #[cold]
    pub fn record(&self, message: &IoBuf, compression: Compression) {
        let Some(RecordedBy(recorder)) = self.extension() else { return };
        let (service, method) = self.called();
        let mut head = Head::new(Target::Method { service, method }, self.content);
        (head.compression, head.raw) = (compression, self.raw.as_deref().unwrap_or_default());
        recorder.take(self.protocol, &head, (service, method), message, None);
    }
    /// When the request was taken from its connection. Use it in place of a further clock reading.
    pub fn received(&self) -> Instant {
        self.received
    }
    /// The deadline of the call: after it the caller no longer waits, or the [limit of its
    /// method](crate::Method::timeout) has passed. `None` if it has none.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
    /// Time left until the deadline; `None` if the call has none.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|at| at.saturating_duration_since(clock::now()))
    }
    /// The content type of the request's body.
    pub fn content(&self) -> Content {
        self.content
    }
    /// The compression of the request's message as it arrived.
    pub fn compression(&self) -> Compression {
        self.compression
    }
    /// The compressions that the caller can read. A reply in any other compression is sent uncompressed.
    pub fn accepts(&self) -> Compressions {
        self.accepts
    }
    /// The request's attachment: raw bytes next to the message.
    pub fn attachment(&self) -> &IoBuf {
        static NONE: IoBuf = IoBuf::new();
        self.extra.get().map_or(&NONE, |extra| &extra.attachment)
    }
    /// The result of the TLS handshake; `None` if the call came over plain bytes.
    pub fn security(&self) -> Option<&Security> {
        self.connection.security.get().map(|security| &**security)
    }
    /// The caller's verified certificates in DER, its own first. Empty if it showed none.
    pub fn peer_certificates(&self) -> &[Bytes] {
        self.security().map_or(&[], |security| &security.peer_certificates)
    }
    /// The caller's identity, as the authenticator found it. Without an authenticator it is taken from the
    /// caller's certificate: the first URI in it, or else the first DNS name.
    pub fn identity(&self) -> Option<&Identity> {
        if self.extra.get().is_some_and(|extra| extra.unknown) {
            return None;
        }
        let own = self.extra.get().and_then(|extra| extra.identity.as_ref());
        own.or_else(|| self.connection.identity.get())
    }

    /// Fields of the request: HTTP headers (with `:method` and `:path`), gRPC metadata, baidu_std user
    /// fields.
    pub fn metadata(&self) -> &Metadata {
        self.extra().metadata.get_or_init(|| {
            // About as long as in the protocol's form, and four bytes more for each of 16 fields: one
            // allocation, where growing takes five.
            let bytes = self.raw.as_ref().map_or(0, |raw| raw.len() + 64);
            let mut metadata = Metadata::with_capacity(bytes);
            self.visit_fields(|name, value| metadata.append(name, value));
            metadata
        })
    }

    /// The JSON mapping of the server. Messages in protobuf do not need it.
    #[inline]
    pub(crate) fn json(&self, content: Content) -> Json {
        if content == Content::PROTOBUF { Json::DEFAULT } else { self.connection.common.json_of(self.way) }
    }

    /// The path by which the request has come, if patterns or rules have it; else 0.
    #[inline]
    pub(crate) fn way(&self) -> u32 {
        self.way
    }

    /// What binds the request to fields.
    pub(crate) fn rule(&self) -> Option<&Rule<'static>> {
        self.connection.common.paths.rule(self.way)
    }

    /// Of a request over HTTP: its verb, and its path with the query. Others have neither.
    pub fn request_line(&self) -> (String, String) {
        let (mut verb, mut target) = (String::new(), String::new());
        self.visit_fields(|name, value| match name {
            ":method" => verb = String::from_utf8_lossy(value).into_owned(),
            ":path" => target = String::from_utf8_lossy(value).into_owned(),
            _ => {}
        });
        (verb, target)
    }

    /// The version of HTTP that carries the call; `None` if another protocol does, even if the call has
    /// fields with names of HTTP.
    pub(crate) fn http(&self) -> Option<HttpVersion> {
        self.protocol.http
    }

    /// Visits the fields of [`Context::metadata`] without copying them.
    pub fn visit_fields(&self, mut visit: impl FnMut(&str, &[u8])) {
        if let Some(raw) = &self.raw {
            (self.protocol.fields)(raw, &mut visit);
        }
    }

    /// For an HTTP request, the part of its path after the method, or what the star of its RESTful pattern
    /// matched. For other requests it is empty.
    pub fn unresolved_path(&self) -> String {
        if self.http().is_none() {
            return String::new();
        }
        let field = |name| self.metadata().get_str(name).unwrap_or("");
        let path = field(":path").split(['?', '#']).next().unwrap_or("");
        if let Some(found) = self.connection.common.paths.find(field(":method"), path) {
            return found.unresolved;
        }
        let named = if self.method.method == DEFAULT_METHOD { 1 } else { 2 };
        let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).skip(named).collect();
        parts.join("/")
    }

    /// Stores a value for inner middleware and for the handler, such as the caller's identity, a request id
    /// or a span. It replaces a value of the same type.
    pub fn set_extension<T: Any + Send + Sync>(&mut self, value: T) {
        self.extra_mut().extensions.insert(Arc::new(value));
    }

    /// The value of this type that [`Context::set_extension`] stored.
    pub fn extension<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.extra.get()?.extensions.get_ref()
    }

    /// Takes the stream that the caller offers inside this call (streaming_rpc). It begins with the reply,
    /// outlives the call, and ends when it is dropped here or closed by the caller. If several are offered,
    /// the others are closed.
    ///
    /// # Errors
    /// EREQUEST if the caller offers none, or if it was taken before.
    pub fn accept_stream(&self) -> Result<RawStream, Status> {
        let first = self.accept_streams().into_iter().next();
        first.ok_or_else(|| brpc::status(brpc::EREQUEST, "the caller offers no stream inside this call"))
    }

    /// Takes all streams that the caller offers inside this call, in the caller's order; see
    /// [`Context::accept_stream`].
    #[inline]
    pub fn accept_streams(&self) -> Vec<RawStream> {
        self.extra.get().map_or_else(Vec::new, |extra| extra.accept_streams())
    }

    /// The connection's value of type `T`: a session that outlives calls. `make` creates it when it is first
    /// asked for.
    pub fn session<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut make = Some(make);
        let mut made = || Arc::new((make.take().expect("called once"))());
        let first = self.connection.first.get_or_init(|| made());
        if let Ok(value) = first.clone().downcast() {
            return value;
        }
        let mut session = lock(&self.connection.session);
        let value = session.entry(TypeId::of::<T>()).or_insert_with(|| made()).clone();
        value.downcast().expect("stored under its own type")
    }

    /// As [`Context::session`], without changing the reference count. `None` unless `T` is the type that was
    /// asked for first on this connection.
    #[inline]
    pub fn first_session<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.connection.first.get()?.downcast_ref()
    }

    fn scope(&self) -> &Arc<Scope> {
        &self.extra().scope
    }

    /// Resolves when the call is over: answered, cancelled by its caller, or past its deadline. Useful in
    /// spawned tasks; the handler itself is dropped.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        let scope = self.scope().clone();
        poll_fn(move |cx| scope.poll_over(cx))
    }

    /// Resolves when the server begins to stop ([`Running::stop`](crate::Running::stop)): a handler of a long
    /// stream can end it in its own way then, instead of being cut at the drain limit. It outlives the call.
    pub fn stopping(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stop = self.connection.common.stop.subscribe();
        async move {
            let _ = stop.wait_for(|&stops| stops).await; // an error: the server is gone, too
        }
    }

    /// Counts in budgets of memory what a handler that speaks a protocol of its own keeps of unfinished
    /// messages.
    pub fn kept(&self) -> Kept {
        Kept { connection: self.connection.clone(), inflation: None }
    }

    /// Counts in budgets of memory what a handler passes on to another peer, in one direction of a stream.
    pub fn forwarded(&self) -> Forwarded {
        Forwarded::new(&self.connection)
    }

    /// What went wrong with the server's connections. A handler that speaks a protocol of its own counts what
    /// its peers do wrong in it here; it is shown beside the faults that the server itself finds.
    pub fn faults(&self) -> &Arc<Faults> {
        &self.connection.common.faults
    }

    /// Runs `work` on the work pool, concurrently with the handler. It is cancelled when the call ends.
    ///
    /// If `work` fails, a streaming call ends with its status, after the messages that are ready by then. A
    /// unary handler is not affected: it learns only what its tasks send it.
    pub fn spawn(&self, work: impl Future<Output = Result<(), Status>> + Send + 'static) {
        self.scope().spawn(work);
    }

    /// The output of `work`, unless `work` is pending when a spawned task has failed.
    pub(crate) async fn unless_failed<F: Future>(&self, mut work: Pin<&mut F>) -> Result<F::Output, Status> {
        poll_fn(|cx| {
            loop {
                // Polled before `work`, so that messages sent to it before the failure are seen first.
                let scope = self.extra.get().map(|extra| &extra.scope);
                let failed = scope.map_or(Poll::Pending, |scope| scope.poll_failed(cx));
                if let Poll::Ready(output) = work.as_mut().poll(cx) {
                    return Poll::Ready(Ok(output));
                }
                if scope.is_some() || self.extra.get().is_none() {
                    return failed.map(Err);
                } // otherwise it has only now spawned something
            }
        })
        .await
    }

    /// Returns the error of a spawned task that has failed by now.
    pub(crate) async fn settled(&self) -> Result<(), Status> {
        match self.extra.get() {
            Some(extra) => poll_fn(|cx| extra.scope.poll_settled(cx)).await,
            None => Ok(()),
        }
    }

    /// The span of the call; `None` if it is not recorded.
    pub fn span(&self) -> Option<&Span> {
        self.extra.get()?.span.as_ref()
    }

    /// Notes a text with the time in the call's span. Costs next to nothing if the call is not recorded: then
    /// `text` is not even formatted.
    ///
    /// ```
    /// # fn f(cx: &polywire_server::Context, shelf: u32) {
    /// cx.annotate(format_args!("shelf {shelf} is locked"));
    /// # }
    /// ```
    pub fn annotate(&self, text: impl fmt::Display) {
        if let Some(span) = self.span() {
            span.annotate(clock::now(), text);
        }
    }

    /// The trace that the call belongs to: that of its span, or else what the caller says, if it says
    /// anything.
    pub fn trace_context(&self) -> Option<TraceContext> {
        match self.span() {
            Some(span) => Some(span.context().clone()),
            None => self.caller_trace(),
        }
    }

    fn caller_trace(&self) -> Option<TraceContext> {
        self.raw.as_ref()?;
        let mut incoming = Incoming::default();
        self.visit_fields(|name, value| incoming.field(name, value));
        incoming.context()
    }

    /// Adds a field to the head of the reply: gRPC's initial metadata, an HTTP header field. Has an effect
    /// until the handler has returned.
    pub fn reply_metadata(&self, name: &str, value: impl AsRef<[u8]>) {
        lock(&self.extra().reply).metadata.append(name, value);
    }

    /// The fields that the handler has set so far with [`Context::reply_metadata`] and
    /// [`Context::reply_trailer`] and that have not been sent. For [tests](crate::TestContext).
    pub fn reply_fields(&self) -> Metadata {
        let mut fields = Metadata::new();
        if let Some(extra) = self.extra.get() {
            let reply = lock(&extra.reply);
            let said = reply.metadata.iter().chain(reply.trailers.iter());
            said.for_each(|(name, value)| fields.append(name, value));
        }
        fields
    }

    /// Adds a field after the last message: gRPC's trailing metadata. Has an effect until the reply has
    /// ended.
    pub fn reply_trailer(&self, name: &str, value: impl AsRef<[u8]>) {
        lock(&self.extra().reply).trailers.append(name, value);
    }

    /// Compresses the messages of a streamed reply, where the protocol marks each message. Has an effect
    /// until the handler has returned its stream. For a unary reply use
    /// [`Reply::compress`](polywire_call::Reply::compress).
    pub fn reply_compression(&self, compression: Compression) {
        lock(&self.extra().reply).compression = compression;
    }

    /// The head of a streamed reply: metadata and compression that the handler has set.
    pub(crate) fn take_head(&self) -> (Metadata, Compression) {
        let Some(extra) = self.extra.get() else { return Default::default() };
        let mut reply = lock(&extra.reply);
        let compression = Some(reply.compression).filter(|wanted| self.accepts.contains(*wanted));
        (mem::take(&mut reply.metadata), compression.unwrap_or_default())
    }

    /// Adds the fields that the handler has set on its context to the outcome. For a
    /// [`Handler`](crate::Handler) that makes its outcome itself.
    #[inline]
    pub fn complete(&self, outcome: &mut Outcome) {
        let Some(extra) = self.extra.get() else { return };
        let mut reply = lock(&extra.reply);
        outcome.accept = reply.accepts_streams;
        for (said, place) in [
            (mem::take(&mut reply.metadata), &mut outcome.headers),
            (mem::take(&mut reply.trailers), &mut outcome.trailers),
        ] {
            if !said.is_empty() {
                let place = place.get_or_insert_default();
                said.iter().for_each(|(name, value)| place.append(name, value));
            }
        }
    }
}

impl Parent for Context {
    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn trace(&self) -> Option<Within> {
        match self.span() {
            Some(span) => Some(Within::Span(span.clone())),
            None => self.caller_trace().map(Within::Context),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(extra) = self.extra.get() {
            extra.scope.end();
        }
    }
}
