//! Pages about the server at its own port.
//!
//! ```text
//!  request --> guard: who, by which name, from where, POST with token --> page function --> View --> HTML, text or JSON
//! ```
//!
//! A page is a value ([`Page`]), of the server or of an application. Its function makes a view and writes
//! nothing; crate `console` has the forms. `/health` alone is answered in its shard's turn, all else on the
//! work pool.
//!
//! Source: brpc's `/health`, `/version`, `/status`, `/vars`, `/index`, whose text is theirs; `guard.rs` has
//!         who may see what.

mod asking;
mod certificates;
mod changed;
mod connections;
mod events;
mod flags;
mod guard;
#[cfg(feature = "profile")]
mod hotspots;
#[cfg(feature = "console")]
mod inward;
mod json;
mod limits;
mod login;
mod memory;
mod method;
mod metrics;
mod overview;
mod page;
#[cfg(feature = "profile")]
mod pprof;
mod protocols;
mod rpcz;
#[cfg(feature = "console")]
mod schema;
mod secrets;
mod senders;
mod shards;
mod sockets;
mod status;
mod tasks;
mod threads;
#[cfg(feature = "console")]
mod try_it;
mod vars;
mod vlog;

use crate::{
    context::Context,
    findings::Watch,
    health::{Health, Serving},
    ledger::Ledger,
    limits::{Limiter, OverloadReport},
    paths::DEFAULT_METHOD,
    service::{Binding, Call, Handler, Method, STANDARD_MESSAGE, Service, Started},
    stats::Stats,
    table::SharedMethod,
};
use polywire_base::IoBuf;
use polywire_call::{ConfigError, Metadata, Native, Status};
use polywire_console::{Moment, View, escape};
#[cfg(feature = "console")]
use polywire_engine::transport::Transport;
use polywire_engine::{ClosedConnections, ConnectionStats, Engine, Faults, Peer, inline::Inline};
use polywire_flags::Flags;
use polywire_wire::{Content, Outcome};
use std::{
    sync::{Arc, OnceLock, Weak},
    time::{Instant, SystemTime},
};

pub(crate) use self::asking::Askers;
#[cfg(feature = "__tls")]
pub(crate) use self::certificates::ServedCertificate;
pub(crate) use self::certificates::{Served, seconds_now};
use self::guard::Passed;
pub(crate) use self::login::{Logins, SHORTEST};
pub use self::page::{Access, Asked, Elsewhere, Form, Group, Page, Who};
#[cfg(feature = "console")]
pub(crate) use self::schema::Schemas;
use self::{
    login::{LOGIN, Tried},
    page::Make,
    secrets::Secrets,
    senders::Senders,
};

/// The data that pages show. Filled in once the server is built.
#[derive(Default)]
pub(crate) struct Facts {
    server: OnceLock<ServerFacts>,
    /// The findings, which pages of the application add to.
    pub watch: Arc<Watch>,
}

pub(crate) struct ServerFacts {
    pub version: String,
    pub stats: Arc<Stats>,
    pub tracer: polywire_trace::Tracer,
    pub methods: Weak<dyn Methods>,
    pub since: Instant,
    pub limiter: Arc<Limiter>,
    /// What its operators may change.
    pub flags: Option<Flags>,
    pub health: Health,
    pub secrets: Secrets,
    /// Who asks all connections.
    pub askers: Askers,
    /// What its clients have sent, from look to look.
    pub senders: Senders,
    pub watch: Arc<Watch>,
    #[cfg(feature = "console")]
    pub schemas: Schemas,
    /// Decides who may do what; `None`: by the address.
    pub pages_auth: Option<PagesAuth>,
    /// The token of pages, if they have one.
    pub logins: Option<Logins>,
    /// Whether calls need a credential.
    pub has_authenticator: bool,
    /// Identifies this run of the server.
    pub boot: u64,
}

/// Decides what the caller of a page may do.
pub(crate) type PagesAuth = Arc<dyn Fn(&Context) -> Access + Send + Sync>;

/// What pages can ask a running server.
pub(crate) trait Methods: Send + Sync {
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
    #[cfg(feature = "console")]
    fn serve(self: Arc<Self>, transport: Box<dyn Transport>);
    /// Whether connections to this address are those of pages; `None` if pages have no address of their own.
    fn is_pages_address(&self, local: &Peer) -> Option<bool>;
    fn closed(&self) -> &ClosedConnections;
}

impl ServerFacts {
    /// The server.
    ///
    /// # Errors
    /// It has stopped.
    pub fn server(&self) -> Result<Arc<dyn Methods>, Status> {
        self.methods.upgrade().ok_or_else(|| Status::unavailable("the server is stopping"))
    }
}

impl Facts {
    pub fn set(&self, facts: ServerFacts) {
        let _ = self.server.set(facts); // called once, by the server that owns the pages
    }

    /// What is known of the server, once it is built.
    pub fn get(&self) -> Option<&ServerFacts> {
        self.server.get()
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

/// All pages of a server, in the order of the bar.
pub(crate) type Pages = Arc<[Page]>;

/// The pages of every server.
fn built_in() -> Vec<Page> {
    vec![
        // its view needs the list of pages, see `PageHandler::view`
        Page::of_server("index", "what needs you, and how much is going on; as text this list", |_, _| {
            Err(Status::internal("an overview without pages"))
        })
        .title("Overview")
        .group(Group::Bar),
        Page::of_server("health", "OK while the server takes requests", health).who(Who::Everyone),
        Page::of_server("version", "what runs here", |facts, _| {
            Ok(View::new("Version").fact("version", facts.version.clone()).plain(facts.version.clone()))
        }),
        Page::of_server(
            "status",
            "services and methods with their figures; /status/SERVICE/METHOD for one",
            status::view,
        )
        .title("Methods")
        .group(Group::Bar),
        Page::of_shards(
            "connections",
            "open connections, busiest first; ?by=client for their clients, ?state=closed for those that have ended",
            connections::view,
        )
        .title("Connections")
        .group(Group::Bar),
        Page::of_shards("sockets", "/sockets/ID: one connection; POST there closes it", sockets::view)
            .changes_later(sockets::change),
        Page::of_server(
            "vars",
            "all variables; /vars/NAME;NAME with * and $ as wildcards; /vars/NAME?series for its past",
            vars::view,
        )
        .title("Vars")
        .group(Group::Bar),
        Page::of_server(
            "rpcz",
            "recent calls; ?trace=HEX for one; POST /rpcz/enable, /rpcz/disable",
            rpcz::view,
        )
        .changes(rpcz::change)
        .title("Traces")
        .group(Group::Bar),
        Page::of_server(
            "limits",
            "what limits calls, memory and connections, and what was refused",
            limits::view,
        )
        .title("Limits")
        .group(Group::Bar),
        Page::of_shards(
            "tasks",
            "calls in flight, oldest first; /tasks/ID for one; POST /tasks/ID cancels it",
            tasks::view,
        )
        .changes_later(tasks::change)
        .title("Tasks")
        .group(Group::Bar),
        Page::of_shards("memory", "who holds how much, beside the budgets", memory::view)
            .title("Memory")
            .group(Group::Bar),
        Page::of_shards("shards", "the engine's threads, and what has held them up", shards::view)
            .title("Shards")
            .group(Group::Bar),
        Page::of_shards("threads", "the threads of the process, busiest first", threads::view),
        #[cfg(feature = "profile")]
        hotspots::page(),
        #[cfg(feature = "profile")]
        pprof::page(),
        Page::of_server(
            "events",
            "what has changed: starts, stops, flags, certificates, servers of channels",
            events::view,
        )
        .title("Events")
        .group(Group::Bar),
        Page::of_server(
            "flags",
            "options; /flags/NAME,NAME with * and $; POST name, value, for",
            flags::view,
        )
        .changes(flags::change)
        .title("Flags")
        .group(Group::Bar),
        Page::of_server(
            "protocols",
            "which protocols were spoken, by how many and when last; /protocols/NAME by whom",
            protocols::view,
        )
        .title("Protocols")
        .group(Group::Bar),
        Page::of_server(
            "certificates",
            "certificates: names, end, issuer, and whether changed files are in use",
            certificates::view,
        )
        .title("Certificates")
        .group(Group::Bar),
        #[cfg(feature = "console")]
        Page::of_server("try", "calls a method by a form: /try/SERVICE/METHOD", try_it::view)
            .changes_later(try_it::change)
            .title("Try-it")
            .group(Group::Bar),
        #[cfg(feature = "console")]
        Page::of_server("list", "services and methods as JSON", schema::list),
        #[cfg(feature = "console")]
        Page::of_server("protobufs", "messages; /protobufs/NAME for one definition", schema::protobufs),
        Page::of_server("vlog", "the level of what is logged", vlog::view),
        Page::of_shards("bthreads", "another name of /tasks", tasks::view).changes_later(tasks::change),
        Page::of_shards("ids", "another name of /tasks", tasks::view).changes_later(tasks::change),
        Page::of_server("metrics", "all variables for Prometheus", metrics::view),
        Page::of_server("brpc_metrics", "the same by brpc's names, for its dashboards", metrics::brpc),
        Page::of_server(
            TOKEN,
            "what a change needs, as x-polywire-token or as the field token",
            |facts, _| Ok(View::new("Token").plain(facts.secrets.token()?)),
        ),
    ]
}

fn health(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    match facts.health.get("") {
        Some(Serving::Yes) => Ok(View::new("Health").fact("health", "OK").plain("OK".to_owned())),
        _ => Err(Status::unavailable("not serving")),
    }
}

/// Whether a method is a page.
pub(crate) fn is_page(method: &SharedMethod) -> bool {
    method.bound == Some(Binding::Http) && method.method.name() == DEFAULT_METHOD
}

/// The service under which every page is found, whatever the application has at the short path: `/-/status`.
const ROOT: &str = "-";

/// The page that has the token.
const TOKEN: &str = "token";

/// The pages as services. `open`: pages that everybody may read, beside `/health`; `own`: pages of the
/// application; `login`: whether pages have a token.
///
/// # Errors
/// A name in `open` that no page has, or of a page that is not for everybody: one that changes something, and
/// that with the token; a page of the application whose path is taken or is no part of a path.
pub(crate) fn services(
    facts: &Arc<Facts>,
    open: &[String],
    own: Vec<Page>,
    login: bool,
) -> Result<Vec<Service>, ConfigError> {
    let mut pages = built_in();
    if login {
        let page = Page::of_server(LOGIN, "log in with the token of these pages, and out", login::view);
        // The change itself is `Site::log_in`, which sees the head of the request.
        pages.push(page.changes(login::view).who(Who::Everyone));
    }
    for page in own {
        let is_part = |path: &str| {
            !path.is_empty()
                && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let why = match &page {
            page if !is_part(page.path) || page.path == ROOT => "is no part of a path",
            page if pages.iter().any(|known| known.path == page.path) => "is there already",
            _ => {
                pages.push(page);
                continue;
            }
        };
        let text = format!("pages.page({:?}): such a page {why}", page.path);
        return Err(ConfigError::new("pages.page", text).with_value(page.path));
    }
    for name in open {
        let why = match pages.iter_mut().find(|page| page.path == *name) {
            Some(page) if page.change.is_some() => "this page changes something".to_owned(),
            Some(page) if page.path == TOKEN => "who has the token may change something".to_owned(),
            Some(page) => {
                page.who = Who::Everyone;
                continue;
            }
            None => {
                let all: Vec<_> = pages.iter().map(|page| page.path).collect();
                format!("there is no such page; there are {}", all.join(", "))
            }
        };
        let text = format!("pages.open({name:?}): {why}");
        return Err(ConfigError::new("pages.open", text).with_value(name));
    }
    facts.watch.set_pages(
        pages.iter().filter_map(|page| page.says.clone()).collect(),
        pages.iter().filter_map(|page| page.says_of_method.clone()).collect(),
    );
    let site = Arc::new(Site { pages: pages.into(), facts: facts.clone() });
    let service = |name: &'static str, page: Option<usize>| {
        let site = site.clone();
        let instance = move || -> Box<dyn Handler> { Box::new(PageHandler { page, site: site.clone() }) };
        let method = Method::new(DEFAULT_METHOD, instance).inline(Inline::Never);
        let mut method = method.no_side_effects(true).max_message(STANDARD_MESSAGE);
        method.open_to_all = true; // who sees pages is `guard.rs`, not the authenticator of calls
        Service::new(name, &[]).bound_to(Binding::Http).with(method)
    };
    let mut services: Vec<_> =
        site.pages.iter().enumerate().map(|(at, page)| service(page.path, Some(at))).collect();
    services.push(service(ROOT, None));
    Ok(services)
}

/// What all pages of a server share.
struct Site {
    pages: Pages,
    facts: Arc<Facts>,
}

/// Answers for one page, or for all below [`ROOT`].
struct PageHandler {
    page: Option<usize>,
    site: Arc<Site>,
}

impl Handler for PageHandler {
    fn start(&self, call: Call) -> Started {
        let site = self.site.clone();
        let path = call.cx.unresolved_path();
        let (page, rest) = match self.page {
            Some(page) => (Some(page), path),
            None => {
                let (name, rest) = path.split_once('/').unwrap_or((&path, ""));
                let name = if name.is_empty() { "index" } else { name };
                (site.pages.iter().position(|page| page.path == name), rest.to_owned())
            }
        };
        let Some(page) = page else {
            let text = "there is no such page; /-/index has all";
            return Started::Ready(refusal(Status::not_found(text)));
        };
        // Probes have to be answered when the pool is full: nothing of theirs waits or computes.
        if site.pages[page].path == "health" {
            let answer = site.answer_now(page, &call, &rest);
            return Started::Ready(answer.unwrap_or_else(refusal));
        }
        Started::Future(Box::pin(async move {
            let answer = site.answer(page, &call, &rest).await;
            answer.unwrap_or_else(refusal)
        }))
    }
}

impl Site {
    fn answer_now(&self, page: usize, call: &Call, rest: &str) -> Result<Outcome, Status> {
        let (page, facts) = (&self.pages[page], self.facts()?);
        let passed = guard::check(page, call, rest, facts)?;
        match &page.view {
            Make::Server(make) => self.rendered(page, facts, &passed, &make(facts, &passed.asked)?),
            _ => Err(Status::internal("a page that has to wait")),
        }
    }

    async fn answer(&self, page: usize, call: &Call, rest: &str) -> Result<Outcome, Status> {
        let (page, facts) = (&self.pages[page], self.facts()?);
        let passed = guard::check(page, call, rest, facts)?;
        let asked = &passed.asked;
        if let (Some(logins), LOGIN, true) = (&facts.logins, page.path, passed.head.post) {
            return self.log_in(page, facts, logins, &passed);
        }
        let change = page.change.as_ref().filter(|_| passed.head.post);
        let view = match change.unwrap_or(&page.view) {
            Make::Server(_) if page.path == "index" => overview::view(&self.pages, facts, asked),
            Make::Server(make) => make(facts, asked),
            Make::ServerLater(make) => make(facts, asked).await,
            Make::Now(make) => make(asked),
            Make::Later(make) => make(asked.clone()).await,
        };
        if change.is_some() {
            let (failed, rest) = (view.is_err(), escape::shown(&asked.rest));
            tracing::info!(page = page.path, %rest, by = %asked.peer, failed, "a change by a page");
        }
        self.rendered(page, facts, &passed, &view?)
    }

    fn log_in(
        &self,
        page: &Page,
        facts: &ServerFacts,
        logins: &Logins,
        passed: &Passed,
    ) -> Result<Outcome, Status> {
        let is_page = |path: &str| self.pages.iter().any(|page| page.path == path);
        match login::log_in(facts, logins, &passed.asked, &passed.head, is_page)? {
            Tried::In { to, cookie } => {
                let mut answer =
                    outcome(Status::OK.with_native(Native::Http(303)), "text/plain", IoBuf::new(), None);
                let fields = answer.trailers.get_or_insert_default();
                fields.append("location", format!("{}{to}", passed.root));
                fields.append("set-cookie", cookie);
                Ok(answer)
            }
            Tried::Again(status, _) if passed.asked.form != Form::Html => Err(status),
            Tried::Again(status, view) => {
                let native = status.native();
                let answer = self.rendered(page, facts, passed, &view)?;
                Ok(Outcome { status: Status::OK.with_native(native), ..answer })
            }
        }
    }

    fn facts(&self) -> Result<&ServerFacts, Status> {
        self.facts.server.get().ok_or_else(|| Status::unavailable("the server is starting"))
    }

    /// The view in the form that was asked for. A page with a text of its own has that as its text.
    fn rendered(
        &self,
        page: &Page,
        facts: &ServerFacts,
        passed: &Passed,
        view: &View,
    ) -> Result<Outcome, Status> {
        let asked = &passed.asked;
        if let Some((content_type, bytes)) = &view.file {
            return Ok(outcome(Status::OK, content_type, IoBuf::from(bytes.clone()), None));
        }
        #[cfg(feature = "console")]
        // A page that is JSON and nothing else is that in browsers, too.
        let is_json = view.sections.is_empty() && matches!(view.plain, Some(("application/json", _)));
        #[cfg(feature = "console")]
        if asked.form == Form::Html && !is_json && !matches!(page.path, "health" | TOKEN | "metrics") {
            return self.html(page, facts, passed, view);
        }
        let _ = page;
        let moment = facts.moment();
        let (content_type, text) = match (asked.form, &view.plain) {
            (Form::Json, Some((content_type @ "application/json", text))) => (*content_type, text.clone()),
            (Form::Json, _) => {
                ("application/json; charset=utf-8", polywire_console::json(view, &asked.query, &moment))
            }
            (_, Some((content_type, text))) => (*content_type, text.clone()),
            (_, None) => ("text/plain; charset=utf-8", polywire_console::text(view, &asked.query)),
        };
        Ok(outcome(Status::OK, content_type, IoBuf::from(text), None))
    }

    #[cfg(feature = "console")]
    fn html(
        &self,
        page: &Page,
        facts: &ServerFacts,
        passed: &Passed,
        view: &View,
    ) -> Result<Outcome, Status> {
        use polywire_base::Sort;
        use polywire_console::html;
        let shown = self.pages.iter().filter(|page| page.group != Group::More);
        let title = |page: &Page| if page.title.is_empty() { page.path } else { page.title };
        let mut bar: Vec<_> =
            shown.map(|page| (page.group, html::Bar { path: page.path, title: title(page) })).collect();
        bar.order_by_key(|(group, _)| *group);
        let bar: Vec<_> = bar.into_iter().map(|(_, one)| one).collect();
        let listeners = facts.methods.upgrade().map(|server| server.listeners()).unwrap_or_default();
        let address = listeners.first().map_or_else(String::new, |listener| listener.to_string());
        let nonce = secrets::random()?;
        let token = if passed.asked.may_act { facts.secrets.token()? } else { String::new() };
        let layout = html::Layout {
            server: &short(&facts.version),
            address: &address,
            state: if facts.health.get("") == Some(Serving::Yes) { "serving" } else { "not serving" },
            bar: &bar,
            here: page.path,
            root: &passed.root,
            nonce: &nonce,
            token: &token,
            moment: facts.moment(),
        };
        let text = html::page(view, &passed.asked.query, &layout);
        Ok(outcome(Status::OK, "text/html; charset=utf-8", IoBuf::from(text), Some(&nonce)))
    }
}

/// A version for headings: the default one, the names of all services, may be long.
#[cfg(feature = "console")]
fn short(version: &str) -> std::borrow::Cow<'_, str> {
    match version.split_once('+') {
        Some((first, more)) if version.len() > 40 => {
            format!("{first} and {} more", more.matches('+').count() + 1).into()
        }
        _ => version.into(),
    }
}

/// Identifies a run of the server: milliseconds since 1970 at its start.
pub(crate) fn boot() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.as_millis() as u64 // enough for 584 million years
}

impl ServerFacts {
    fn moment(&self) -> Moment {
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let uptime = self.since.elapsed().as_secs_f64();
        Moment { at: at.as_secs_f64(), uptime, boot: self.boot }
    }
}

fn outcome(status: Status, content_type: &str, body: IoBuf, nonce: Option<&str>) -> Outcome {
    let mut trailers: Metadata = [("content-type", content_type)].into_iter().collect();
    guard::headers(nonce).iter().for_each(|(name, value)| trailers.append(name, value));
    Outcome {
        status,
        body,
        content: Content::RAW,
        reply: true,
        trailers: Some(Box::new(trailers)),
        ..Outcome::default()
    }
}

/// The answer to a request that a page does not answer. The server writes its text.
fn refusal(status: Status) -> Outcome {
    let text = escape::whole(status.message()).into_owned();
    let status = guard::headers(None)
        .iter()
        .fold(status.with_message(text), |status, (name, value)| status.with_metadata(name, value));
    Outcome::from(status)
}
