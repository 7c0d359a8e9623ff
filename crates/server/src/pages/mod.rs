//! Pages about the server at its own port, as plain text. The full console is a crate of its own.
//!
//! Pages answer peers on the same machine, see [`Context::is_from_here`](crate::Context::is_from_here).
//! `/health` answers every peer, since load balancers ask from other machines.
//!
//! Source: docs/behaviour in brpc's terms: `/health`, `/version`, `/status`, `/vars`, `/index`.

mod index;
mod metrics;
mod rpcz;
mod status;
mod vars;

use crate::{
    health::{Health, Serving},
    limits::Limiter,
    router::DEFAULT_METHOD,
    service::{Binding, Call, Handler, Method, STANDARD_MESSAGE, Service, Started},
    stats::Stats,
    table::SharedMethod,
};
use polywire_base::IoBuf;
use polywire_call::{ConfigError, Metadata, Status, brpc};
use polywire_engine::{ConnectionStats, Peer, inline::Inline};
use polywire_wire::{Content, Outcome};
use std::{
    sync::{Arc, OnceLock, Weak},
    time::Instant,
};

/// The data that pages show. Filled in once the server is built.
#[derive(Default)]
pub(crate) struct Facts {
    server: OnceLock<ServerFacts>,
}

pub(crate) struct ServerFacts {
    pub version: String,
    pub stats: Arc<Stats>,
    pub tracer: polywire_trace::Tracer,
    pub methods: Weak<dyn Methods>,
    pub since: Instant,
    pub limiter: Arc<Limiter>,
    pub health: Health,
}

/// What pages can ask a running server.
pub(crate) trait Methods: Send + Sync {
    fn methods(&self) -> &[SharedMethod];
    fn connections(&self) -> Vec<Arc<ConnectionStats>>;
    fn listeners(&self) -> Vec<Peer>;
}

impl Facts {
    pub fn set(&self, facts: ServerFacts) {
        let _ = self.server.set(facts); // called once, by the server that owns the pages
    }

    /// The server; `None` once it has stopped.
    pub fn server(&self) -> Option<Arc<dyn Methods>> {
        self.server.get()?.methods.upgrade()
    }

    /// Number of calls that have succeeded, and that have failed.
    pub fn ended(&self) -> (u64, u64) {
        let methods = self.server.get().map_or(&[][..], |facts| &facts.stats.methods);
        let well = methods.iter().map(|method| method.latency.count()).sum();
        (well, methods.iter().map(|method| method.errors.total()).sum())
    }
}

/// A page: its path, who may see it, and its text.
struct Page {
    path: &'static str,
    help: &'static str,
    open: bool,
    text: fn(&ServerFacts, &Request<'_>) -> Result<Text, Status>,
}

/// What a page shows.
struct Text {
    content_type: &'static str,
    text: String,
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text { content_type: "text/plain; charset=utf-8", text }
    }
}

/// The parts of a request that pages read.
struct Request<'r> {
    /// The header `accept`; empty if there is none.
    accept: &'r str,
    /// The path with the query.
    target: &'r str,
    is_post: bool,
    /// The path after the page's own, without slashes at its ends.
    rest: &'r str,
}

static PAGES: &[Page] = &[
    Page { path: "index", help: "this list", open: false, text: index::text },
    Page { path: "health", help: "OK while the server takes requests", open: true, text: health },
    Page {
        path: "version",
        help: "what runs here",
        open: false,
        text: |facts, _| Ok(facts.version.clone().into()),
    },
    Page { path: "status", help: "services and methods with their figures", open: false, text: status::text },
    Page {
        path: "vars",
        help: "all variables; /vars/NAME;NAME with * and $ as wildcards",
        open: false,
        text: vars::text,
    },
    Page {
        path: "rpcz",
        help: "recent calls; ?trace=HEX for one; POST /rpcz/enable, /rpcz/disable",
        open: false,
        text: rpcz::text,
    },
    Page { path: "metrics", help: "all variables for Prometheus", open: false, text: metrics::text },
];

fn health(facts: &ServerFacts, _: &Request<'_>) -> Result<Text, Status> {
    match facts.health.get("") {
        Some(Serving::Yes) => Ok("OK".to_owned().into()),
        _ => Err(Status::unavailable("not serving")),
    }
}

/// Whether a method is a page.
pub(crate) fn is_page(method: &SharedMethod) -> bool {
    method.bound == Some(Binding::Http) && method.method.name() == DEFAULT_METHOD
}

/// The pages as services. `open`: pages that need no credential, beside `/health`.
///
/// # Errors
/// A name in `open` that no page has.
pub(crate) fn services(facts: &Arc<Facts>, open: &[String]) -> Result<Vec<Service>, ConfigError> {
    if let Some(unknown) = open.iter().find(|name| PAGES.iter().all(|page| page.path != **name)) {
        let all: Vec<_> = PAGES.iter().map(|page| page.path).collect();
        let text = format!("open_page({unknown:?}): there is no such page; there are {}", all.join(", "));
        return Err(ConfigError::new("open_page", text).with_value(unknown));
    }
    let service = |page: &'static Page| {
        let facts = facts.clone();
        let mut method =
            Method::new(DEFAULT_METHOD, move || Box::new(PageHandler { page, facts: facts.clone() }));
        method.inline(Inline::Adaptive).no_side_effects(true).max_message(STANDARD_MESSAGE);
        method.open_to_all = page.path == "health" || open.iter().any(|name| name == page.path);
        Service::new(page.path, &[]).bound_to(Binding::Http).with(method)
    };
    Ok(PAGES.iter().map(service).collect())
}

struct PageHandler {
    page: &'static Page,
    facts: Arc<Facts>,
}

impl Handler for PageHandler {
    fn start(&self, call: Call) -> Started {
        let answered = self.answer(&call);
        Started::Ready(match answered {
            Ok(Text { content_type, text }) => {
                let trailers: Metadata = [("content-type", content_type)].into_iter().collect();
                let body = IoBuf::from(text);
                Outcome {
                    body,
                    content: Content::RAW,
                    reply: true,
                    trailers: Some(Box::new(trailers)),
                    ..Outcome::default()
                }
            }
            Err(status) => Outcome { status, ..Outcome::default() },
        })
    }
}

impl PageHandler {
    fn answer(&self, call: &Call) -> Result<Text, Status> {
        if !self.page.open && !call.cx.is_from_here() {
            let text = "this page answers peers on its own machine only, by an address, localhost or a name of the server";
            return Err(brpc::status(brpc::EPERM, text));
        }
        let facts = self.facts.server.get();
        let facts = facts.ok_or_else(|| Status::unavailable("the server is starting"))?;
        let rest = call.cx.unresolved_path();
        let field = |name| call.cx.metadata().get_str(name).unwrap_or("");
        let (accept, target, is_post) = (field("accept"), field(":path"), field(":method") == "POST");
        (self.page.text)(facts, &Request { accept, target, is_post, rest: &rest })
    }
}
