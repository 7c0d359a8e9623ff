//! What is known of a server once it is built, for what shows it: its pages, which are a crate of their own.

use crate::{
    context::Context,
    health::Health,
    limits::{Limiter, OverloadReport},
    paths::DEFAULT_METHOD,
    service::{Binding, Handler, Method, STANDARD_MESSAGE, Service},
};
use polywire_engine::{
    ClosedConnections, ConnectionStats, Engine, Faults, Peer, inline::Inline, memory::Memory,
    transport::Transport,
};
use polywire_formats::{json::Json, rest::Rule};
use polywire_trace::Tracer;
use std::{
    sync::{Arc, Weak, atomic::AtomicU64},
    time::Instant,
};

pub use crate::{
    certificates::{Served, ServedCertificate, seconds_now},
    ledger::{Ledger, Spoken},
    stats::{CallRates, MethodStats, Stats},
    table::SharedMethod,
    tasks::{Answers, Found, MOST, PATIENCE, Place, Task, TaskId, Wanted, What},
    trouble::{Trouble, is_ours},
};

/// What does not change while a server lives.
#[derive(Clone)]
pub struct Facts {
    pub since: Instant,
    pub stats: Arc<Stats>,
    pub tracer: Tracer,
    /// The limit of all calls.
    pub limiter: Arc<Limiter>,
    pub health: Health,
    /// Whether calls need a credential.
    pub has_authenticator: bool,
    /// Whether a guard is asked of every request over HTTP, also one that needs no credential.
    pub guards_http: bool,
    /// Whether nobody gets a connection without a certificate.
    pub needs_certificates: bool,
    pub faults: Arc<Faults>,
    /// The budget of memory of its connections.
    pub memory: Option<Arc<Memory>>,
    /// Connections that were closed because there were as many as there may be.
    pub turned_away: Arc<AtomicU64>,
    /// The server, until it has stopped.
    pub live: Weak<dyn LiveServer>,
}

/// What can be asked of a server while it runs.
pub trait LiveServer: Send + Sync {
    fn methods(&self) -> &[SharedMethod];
    fn connections(&self) -> Vec<Arc<ConnectionStats>>;
    fn listeners(&self) -> Vec<Peer>;
    fn overload(&self) -> OverloadReport;
    fn faults(&self) -> &Faults;
    /// Which protocols were spoken.
    fn ledger(&self) -> &Ledger;
    /// The names under which it sees the protocols of connections that it answers.
    fn protocols(&self) -> Vec<&'static str>;
    /// `None`: it has no TLS.
    fn certificates(&self) -> Option<Served>;
    fn engine(&self) -> &Engine;
    /// Serves a connection in memory.
    fn serve(self: Arc<Self>, transport: Box<dyn Transport>);
    /// Whether connections to this address are those of pages; `None` if pages have no address of their own.
    fn is_pages_address(&self, local: &Peer) -> Option<bool>;
    fn closed(&self) -> &ClosedConnections;
    /// The paths of HTTP with a template that lead to its methods, in the order of these.
    fn http_ways(&self) -> Vec<HttpWay<'_>>;
    /// The mapping of JSON where `/service/method` and paths lead to methods, and where rules do.
    fn json(&self) -> (Json, Json);
}

/// A path of HTTP that leads to a method: by a rule of `google.api.http`, or by a path without a star.
pub struct HttpWay<'s> {
    /// The method's place in [`LiveServer::methods`].
    pub method: usize,
    /// The methods of HTTP; `*` is any.
    pub verbs: Vec<&'s str>,
    /// What of a request is which field.
    pub rule: &'s Rule<'static>,
}

/// A page as a service: for requests by HTTP to `/NAME` and what lies below, of at most 64 KiB, from callers
/// without a credential, too. The handlers decide who may see it.
pub fn page(name: &'static str, instance: impl Fn() -> Box<dyn Handler> + Send + Sync + 'static) -> Service {
    let method = Method::new(DEFAULT_METHOD, instance).inline(Inline::Never).open_to_all();
    let method = method.no_side_effects(true).max_message(STANDARD_MESSAGE);
    Service::new(name, &[]).bound_to(Binding::Http).with(method)
}

/// Visits the fields of [`Context::metadata`] without copying them.
pub fn visit_fields(cx: &Context, visit: impl FnMut(&str, &[u8])) {
    cx.visit_fields(visit);
}

/// Whether a request by HTTP names an address, `localhost` or a name of the server as its host.
pub fn knows_host(cx: &Context) -> bool {
    cx.knows_host()
}
