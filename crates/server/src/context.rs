//! What a handler can see of its call, and do with it.

use crate::{auth::Identity, router::DEFAULT_METHOD, table::Shared};
use polywire_base::IoBuf;
use polywire_call::Metadata;
use polywire_engine::Peer;
use polywire_wire::{Content, Protocol};
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    future::{Future, poll_fn},
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    task::{Poll, Waker},
    time::{Duration, Instant},
};
use tokio::task::{AbortHandle, JoinHandle};

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
    scope: Arc<Mutex<Scope>>,
}

/// What all calls of a connection share.
pub(crate) struct Connection {
    pub peer: Peer,
    pub local: Peer,
    pub identity: OnceLock<Identity>,
    shared: Arc<Shared>,
    /// The value of the type that was asked for first, of most connections the only one: found without a lock.
    first: OnceLock<Arc<dyn Any + Send + Sync>>,
    session: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

/// What ends with the call.
#[derive(Default)]
struct Scope {
    over: bool,
    children: Vec<AbortHandle>,
    waiting: Vec<Waker>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Connection {
    pub fn new(peer: Peer, local: Peer, shared: Arc<Shared>) -> Arc<Self> {
        let (identity, first, session) = (OnceLock::new(), OnceLock::new(), Mutex::default());
        Arc::new(Connection { peer, local, identity, shared, first, session })
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
}

impl Context {
    #[inline]
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { connection, protocol, method, received, deadline, raw, content } = parts;
        Context { connection, protocol, method, received, deadline, raw, content, extra: OnceLock::new() }
    }

    pub(crate) fn set_attachment(&mut self, attachment: IoBuf) {
        let _ = self.extra.set(Box::new(Extra { attachment, ..Extra::default() })); // before anybody could look
    }

    fn extra(&self) -> &Extra {
        self.extra.get_or_init(Box::default)
    }

    /// Address of the caller.
    pub fn peer(&self) -> &Peer {
        &self.connection.peer
    }
    /// Address the caller reached.
    pub fn local(&self) -> &Peer {
        &self.connection.local
    }
    /// Name of the protocol that carries the call.
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
        self.deadline.map(|at| at.saturating_duration_since(Instant::now()))
    }
    /// Form of the request's body.
    pub fn content(&self) -> Content {
        self.content
    }
    /// Raw bytes beside the message.
    pub fn attachment(&self) -> &IoBuf {
        static NONE: IoBuf = IoBuf::new();
        self.extra.get().map_or(&NONE, |extra| &extra.attachment)
    }
    /// Who the authenticator found the caller to be.
    pub fn identity(&self) -> Option<&Identity> {
        self.connection.identity.get()
    }

    /// Fields of the request: HTTP headers (with `:method` and `:path`), gRPC metadata, baidu_std user fields.
    pub fn metadata(&self) -> &Metadata {
        self.extra().metadata.get_or_init(|| {
            let mut metadata = Metadata::new();
            if let Some(raw) = &self.raw {
                (self.protocol.fields)(raw, &mut |name, value| metadata.append(name, value));
            }
            metadata
        })
    }

    /// Of an HTTP request: what of its path lies behind the method, or what the star of its RESTful pattern stood for.
    pub fn unresolved_path(&self) -> String {
        let path = self.metadata().get_str(":path").unwrap_or("");
        let path = path.split(['?', '#']).next().unwrap_or("");
        if let Some(found) = self.connection.shared.paths.find(path) {
            return found.unresolved;
        }
        let named = if self.method.method == DEFAULT_METHOD { 1 } else { 2 };
        let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).skip(named).collect();
        parts.join("/")
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

    fn scope(&self) -> &Arc<Mutex<Scope>> {
        &self.extra().scope
    }

    /// Resolves when the call is over: answered, cancelled by its caller, or past its deadline. Of use in what was
    /// spawned; the handler itself is dropped.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        let scope = self.scope().clone();
        poll_fn(move |cx| {
            let mut scope = lock(&scope);
            if scope.over {
                return Poll::Ready(());
            }
            if !scope.waiting.iter().any(|w| w.will_wake(cx.waker())) {
                scope.waiting.push(cx.waker().clone());
            }
            Poll::Pending
        })
    }

    /// Runs `work` beside the handler, on the work pool; it ends with the call.
    pub fn spawn<F>(&self, work: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let task = tokio::spawn(work);
        let mut scope = lock(self.scope());
        scope.children.retain(|child| !child.is_finished());
        scope.children.push(task.abort_handle());
        task
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(extra) = self.extra.get() {
            let mut scope = lock(&extra.scope);
            scope.over = true;
            let (children, waiting) =
                (std::mem::take(&mut scope.children), std::mem::take(&mut scope.waiting));
            drop(scope);
            children.iter().for_each(AbortHandle::abort);
            waiting.into_iter().for_each(Waker::wake);
        }
    }
}
