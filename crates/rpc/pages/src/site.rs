//! The pages of a server as its services: each request is checked, answered by the page's function, and
//! written in the form that was asked for.

#[cfg(feature = "console")]
use crate::secrets;
use crate::{
    asked::Form,
    built_in::built_in,
    facts::{Known, ServerFacts},
    guard::{self, Passed},
    login::{self, Tried},
    logins::{LOGIN, Logins},
    page::{Kind, Make, Page, Who},
};
use polywire_base::IoBuf;
use polywire_call::{ConfigError, Metadata, Native, Status};
use polywire_console::{View, escape};
use polywire_server::{Call, Handler, Service, Started};
use polywire_wire::{Content, Outcome};
use std::sync::Arc;

/// The service under which every page is found, whatever the application has at the short path: `/-/status`.
const ROOT: &str = "-";

/// The pages as services. `open`: pages that everybody may read, beside `/health`; `own`: pages of the
/// application; `login`: whether pages have a token; `has_fallback`: whether the application has one.
///
/// # Errors
/// A name in `open` that no page has, or of a page that is not for everybody: one that changes something, and
/// that with the token; a page of the application whose path is taken or is no part of a path.
pub(crate) fn services(
    facts: &Arc<Known>,
    open: &[String],
    own: Vec<Page>,
    login: bool,
    has_fallback: bool,
) -> Result<Vec<Service>, ConfigError> {
    let mut pages = built_in();
    if login {
        let page = Page::of_server(LOGIN, "log in with the token of these pages, and out", login::view);
        // The change itself is `Site::log_in`, which sees the head of the request.
        pages.push(page.changes(login::view).who(Who::Everyone).kind(Kind::Login));
    }
    for page in own {
        pages.retain(|known| !(known.yields && known.path == page.path));
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
            Some(page) if page.kind == Kind::Token => "who has the token may change something".to_owned(),
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
        pages.iter().flat_map(|page| page.rules).copied().collect(),
        pages.iter().filter_map(|page| page.says.clone()).collect(),
        pages.iter().filter_map(|page| page.says_of_method.clone()).collect(),
    );
    let site = Arc::new(Site { pages: pages.into(), facts: facts.clone() });
    let service = |name: &'static str, page: Option<usize>| {
        let site = site.clone();
        let instance = move || -> Box<dyn Handler> { Box::new(PageHandler { page, site: site.clone() }) };
        polywire_server::facts::page(name, instance)
    };
    let short = site.pages.iter().enumerate().filter(|(_, page)| !(page.yields && has_fallback));
    let mut services: Vec<_> = short.map(|(at, page)| service(page.path, Some(at))).collect();
    services.push(service(ROOT, None));
    Ok(services)
}

/// What all pages of a server share.
struct Site {
    pages: Arc<[Page]>,
    facts: Arc<Known>,
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
                let is_meant = |page: &Page| page.path == name || name.is_empty() && page.is_overview();
                (site.pages.iter().position(is_meant), rest.to_owned())
            }
        };
        let Some(page) = page else {
            let text = "there is no such page; /-/index has all";
            return Started::Ready(refusal(Status::not_found(text)));
        };
        if site.pages[page].kind == Kind::Probe {
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
        let (page, facts) = (&self.pages[page], self.facts.facts()?);
        let passed = guard::check(page, call, rest, facts)?;
        match &page.view {
            Make::Server(make) => self.rendered(page, facts, &passed, &make(facts, &passed.asked)?),
            _ => Err(Status::internal("a page that has to wait")),
        }
    }

    async fn answer(&self, page: usize, call: &Call, rest: &str) -> Result<Outcome, Status> {
        let (page, facts) = (&self.pages[page], self.facts.facts()?);
        let passed = guard::check(page, call, rest, facts)?;
        let asked = &passed.asked;
        if let (Some(logins), Kind::Login, true) = (&facts.logins, page.kind, passed.head.post) {
            return self.log_in(page, facts, logins, &passed);
        }
        let change = page.change.as_ref().filter(|_| passed.head.post);
        let view = match change.unwrap_or(&page.view) {
            Make::Overview(make) => make(&self.pages, facts, asked),
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
        if asked.form == Form::Html && !is_json && matches!(page.kind, Kind::Usual | Kind::Login) {
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
        use crate::page::Group;
        use polywire_base::Sort;
        use polywire_console::html;
        use polywire_server::Serving;
        let shown = self.pages.iter().filter(|page| page.group != Group::More);
        let title = |page: &Page| if page.title.is_empty() { page.path } else { page.title };
        let mut bar: Vec<_> =
            shown.map(|page| (page.group, html::Bar { path: page.path, title: title(page) })).collect();
        bar.order_by_key(|(group, _)| *group);
        let bar: Vec<_> = bar.into_iter().map(|(_, one)| one).collect();
        let listeners = facts.live.upgrade().map(|server| server.listeners()).unwrap_or_default();
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
