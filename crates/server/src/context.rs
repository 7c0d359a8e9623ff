//! What a handler can see of its call, and do with it.

use crate::{auth::Identity, router::DEFAULT_METHOD, scope::Scope, table::Shared};
use bytes::Bytes;
use polywire_base::IoBuf;
use polywire_call::{Compression, Metadata, Parent, Status, brpc};
use polywire_engine::{Peer, clock, transport::Security};
use polywire_formats::json::Json;
use polywire_streams::RawStream;
use polywire_wire::{Compressions, Content, Extensions, HttpVersion, Outcome, Protocol};
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    future::{Future, poll_fn},
    mem,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, OnceLock, atomic::AtomicBool},
    task::Poll,
    time::{Duration, Instant},
};

/// One call as its handler sees it. Nothing of it is global or thread-local. When the call ends, however it ends, its
/// context is dropped: what was spawned with [`Context::spawn`] ends then, and [`Context::cancelled`] resolves.
pub struct Context {
    connection: Arc<Connection>,
    protocol: &'static Protocol,
    method: &'static MethodName,
    received: Instant,
    deadline: Option<Instant>,
    /// In the protocol's own form; read once, when first asked for.
    raw: Option<Box<[u8]>>,
    content: Content,
    compression: Compression,
    accepts: Compressions,
    /// What most calls do without, so that a context stays small to move.
    extra: OnceLock<Box<Extra>>,
}

/// A method's full name.
pub(crate) struct MethodName {
    pub service: &'static str,
    pub method: &'static str,
}

#[derive(Default)]
struct Extra {
    metadata: OnceLock<Metadata>,
    attachment: IoBuf,
    /// The caller, where it may be another than the connection's.
    identity: Option<Identity>,
    /// Nobody was asked who the caller is: the connection's is not its.
    unknown: bool,
    /// What middleware has left for what comes behind it.
    extensions: Extensions,
    scope: Arc<Scope>,
    reply: Mutex<Replying>,
}

/// What all calls of a connection share.
pub(crate) struct Connection {
    pub peer: Peer,
    pub local: Peer,
    /// The first caller's; see [`Identities`](crate::auth::Identities).
    pub identity: OnceLock<Identity>,
    /// The authenticator has looked at the request that it is asked about.
    pub request_seen: AtomicBool,
    pub security: OnceLock<Arc<Security>>,
    shared: Arc<Shared>,
    /// The value of the type that was asked for first, of most connections the only one: found without a lock.
    first: OnceLock<Arc<dyn Any + Send + Sync>>,
    session: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

/// What a handler says of its answer before and behind the messages.
#[derive(Default)]
struct Replying {
    metadata: Metadata,
    trailers: Metadata,
    compression: Compression,
    /// Streams that the caller offers inside this call, until they are taken.
    offered: Vec<RawStream>,
    accepts_streams: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Connection {
    pub fn new(peer: Peer, local: Peer, shared: Arc<Shared>) -> Arc<Self> {
        let (identity, security) = (OnceLock::new(), OnceLock::new());
        let (first, session) = (OnceLock::new(), Mutex::default());
        let request_seen = AtomicBool::new(false);
        Arc::new(Connection { peer, local, identity, request_seen, security, shared, first, session })
    }
}

/// What a context is made of.
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
}

impl Context {
    #[inline]
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { connection, protocol, method, received, deadline, raw, content, compression, accepts } =
            parts;
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
            extra,
        }
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

    /// Address of the caller.
    pub fn peer(&self) -> &Peer {
        &self.connection.peer
    }
    /// The caller is on this machine, and it is no page of somebody else's in a browser here: those reach a server by a name
    /// that their owner has pointed to it ([`Server::host`](crate::Server::host)).
    pub fn is_from_here(&self) -> bool {
        let mut known = true;
        if let (Peer::Ip(_), Some(_)) = (&self.connection.peer, self.http()) {
            self.visit_fields(|name, value| {
                known &= !name.eq_ignore_ascii_case("host") || self.connection.shared.origins.is_known(value);
            });
        }
        known && self.connection.peer.is_local()
    }
    /// Address the caller reached.
    pub fn local(&self) -> &Peer {
        &self.connection.local
    }
    /// Name of the protocol of the connection that carries the call: `h2` for gRPC.
    pub fn protocol(&self) -> &'static str {
        self.protocol.name
    }
    /// Full name of the service, `package.Service`.
    pub fn service(&self) -> &'static str {
        self.method.service
    }
    pub fn method(&self) -> &'static str {
        self.method.method
    }
    /// When the request was taken off its connection: a clock reading that need not be made again.
    pub fn received(&self) -> Instant {
        self.received
    }
    /// When the caller stops waiting.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
    /// What is left until then.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|at| at.saturating_duration_since(clock::now()))
    }
    /// Form of the request's body.
    pub fn content(&self) -> Content {
        self.content
    }
    /// Compression of the request's message as it arrived.
    pub fn compression(&self) -> Compression {
        self.compression
    }
    /// What the caller reads: a reply in another compression goes without any.
    pub fn accepts(&self) -> Compressions {
        self.accepts
    }
    /// Raw bytes beside the message.
    pub fn attachment(&self) -> &IoBuf {
        static NONE: IoBuf = IoBuf::new();
        self.extra.get().map_or(&NONE, |extra| &extra.attachment)
    }
    /// What TLS settled with the peer; `None`: the call came over plain bytes.
    pub fn security(&self) -> Option<&Security> {
        self.connection.security.get().map(|security| &**security)
    }
    /// The caller's certificates, DER, its own first; they were verified. Empty: it showed none.
    pub fn peer_certificates(&self) -> &[Bytes] {
        self.security().map_or(&[], |security| &security.peer_certificates)
    }
    /// Who the authenticator found the caller to be. Without an authenticator: who its certificate says it is, by the
    /// first URI in it, else the first DNS name.
    pub fn identity(&self) -> Option<&Identity> {
        if self.extra.get().is_some_and(|extra| extra.unknown) {
            return None;
        }
        let own = self.extra.get().and_then(|extra| extra.identity.as_ref());
        own.or_else(|| self.connection.identity.get())
    }

    /// Fields of the request: HTTP headers (with `:method` and `:path`), gRPC metadata, baidu_std user fields.
    pub fn metadata(&self) -> &Metadata {
        self.extra().metadata.get_or_init(|| {
            let mut metadata = Metadata::new();
            self.visit_fields(|name, value| metadata.append(name, value));
            metadata
        })
    }

    /// What JSON means to the server; protobuf does not ask.
    #[inline]
    pub(crate) fn json(&self, content: Content) -> Json {
        if content == Content::PROTOBUF { Json::DEFAULT } else { self.connection.shared.json }
    }

    /// The version of HTTP that carries the call; `None`: another protocol does, whatever fields the call has.
    pub(crate) fn http(&self) -> Option<HttpVersion> {
        self.protocol.http
    }

    /// [`Context::metadata`] without a copy.
    pub(crate) fn visit_fields(&self, mut visit: impl FnMut(&str, &[u8])) {
        if let Some(raw) = &self.raw {
            (self.protocol.fields)(raw, &mut visit);
        }
    }

    /// Of an HTTP request: what of its path lies behind the method, or what the star of its RESTful pattern stood for. Of
    /// others it is empty.
    pub fn unresolved_path(&self) -> String {
        if self.http().is_none() {
            return String::new();
        }
        let field = |name| self.metadata().get_str(name).unwrap_or("");
        let path = field(":path").split(['?', '#']).next().unwrap_or("");
        if let Some(found) = self.connection.shared.paths.find(field(":method"), path) {
            return found.unresolved;
        }
        let named = if self.method.method == DEFAULT_METHOD { 1 } else { 2 };
        let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).skip(named).collect();
        parts.join("/")
    }

    /// Leaves a value for middleware further in and for the handler, in place of one of the same type: who the caller is, a
    /// request's id, a span.
    pub fn set_extension<T: Any + Send + Sync>(&mut self, value: T) {
        self.extra_mut().extensions.insert(Arc::new(value));
    }

    /// What [`Context::set_extension`] was given of this type.
    pub fn extension<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.extra.get()?.extensions.get_ref()
    }

    /// Takes the stream that the caller offers inside this call (streaming_rpc). It begins with the reply, outlives the call,
    /// and ends when it is dropped here or closed there. Of several the others are closed.
    ///
    /// # Errors
    /// EREQUEST: the caller offers none, or it was taken before.
    pub fn accept_stream(&self) -> Result<RawStream, Status> {
        let first = self.accept_streams().into_iter().next();
        first.ok_or_else(|| brpc::status(brpc::EREQUEST, "the caller offers no stream inside this call"))
    }

    /// Takes all streams that the caller offers inside this call, in its order; see [`Context::accept_stream`].
    pub fn accept_streams(&self) -> Vec<RawStream> {
        let Some(extra) = self.extra.get() else { return Vec::new() };
        let mut reply = lock(&extra.reply);
        reply.accepts_streams |= !reply.offered.is_empty();
        mem::take(&mut reply.offered)
    }

    /// The connection's value of type `T`, made when first asked for: a session that outlives calls.
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

    /// The same without touching its count, if `T` is the type that was asked for first on this connection.
    #[inline]
    pub fn first_session<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.connection.first.get()?.downcast_ref()
    }

    fn scope(&self) -> &Arc<Scope> {
        &self.extra().scope
    }

    /// Resolves when the call is over: answered, cancelled by its caller, or past its deadline. Of use in what was
    /// spawned; the handler itself is dropped.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        let scope = self.scope().clone();
        poll_fn(move |cx| scope.poll_over(cx))
    }

    /// Runs `work` beside the handler, on the work pool; it ends with the call.
    ///
    /// If it fails, a streaming call ends with its status, behind the messages that are ready by then. A unary handler is
    /// not disturbed: it hears of its tasks what they tell it.
    pub fn spawn(&self, work: impl Future<Output = Result<(), Status>> + Send + 'static) {
        self.scope().spawn(work);
    }

    /// What `work` comes to, unless it has nothing when something spawned has failed.
    pub(crate) async fn unless_failed<F: Future>(&self, work: F) -> Result<F::Output, Status> {
        let mut work = pin!(work);
        poll_fn(|cx| {
            loop {
                // Looked at before `work`: what was sent to it before the failure is seen.
                let scope = self.extra.get().map(|extra| &extra.scope);
                let failed = scope.map_or(Poll::Pending, |scope| scope.poll_failed(cx));
                if let Poll::Ready(output) = work.as_mut().poll(cx) {
                    return Poll::Ready(Ok(output));
                }
                if scope.is_some() || self.extra.get().is_none() {
                    return failed.map(Err);
                } // else it has spawned something just now
            }
        })
        .await
    }

    /// Whether something spawned has failed by now.
    pub(crate) async fn settled(&self) -> Result<(), Status> {
        match self.extra.get() {
            Some(extra) => poll_fn(|cx| extra.scope.poll_settled(cx)).await,
            None => Ok(()),
        }
    }

    /// Adds a field to the head of the answer: gRPC's initial metadata, an HTTP header field. Counts until the handler has
    /// returned.
    pub fn reply_metadata(&self, name: &str, value: impl AsRef<[u8]>) {
        lock(&self.extra().reply).metadata.append(name, value);
    }

    /// What the handler has said so far with [`Context::reply_metadata`] and [`Context::reply_trailer`], and was not sent: for
    /// [tests](crate::TestContext).
    pub fn reply_fields(&self) -> Metadata {
        let mut fields = Metadata::new();
        if let Some(extra) = self.extra.get() {
            let reply = lock(&extra.reply);
            let said = reply.metadata.iter().chain(reply.trailers.iter());
            said.for_each(|(name, value)| fields.append(name, value));
        }
        fields
    }

    /// Adds a field behind the last message: gRPC's trailing metadata. Counts until the answer has ended.
    pub fn reply_trailer(&self, name: &str, value: impl AsRef<[u8]>) {
        lock(&self.extra().reply).trailers.append(name, value);
    }

    /// Compresses the messages of a streamed answer, where the protocol says so of each. Counts until the handler has
    /// returned its stream. A unary answer has [`Reply::compress`](polywire_call::Reply::compress).
    pub fn reply_compression(&self, compression: Compression) {
        lock(&self.extra().reply).compression = compression;
    }

    /// Head of a streamed answer as the handler wants it.
    pub(crate) fn take_head(&self) -> (Metadata, Compression) {
        let Some(extra) = self.extra.get() else { return Default::default() };
        let mut reply = lock(&extra.reply);
        let compression = Some(reply.compression).filter(|wanted| self.accepts.contains(*wanted));
        (mem::take(&mut reply.metadata), compression.unwrap_or_default())
    }

    /// Adds to last words what the handler said by its context.
    #[inline]
    pub(crate) fn complete(&self, outcome: &mut Outcome) {
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
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(extra) = self.extra.get() {
            extra.scope.end();
        }
    }
}
