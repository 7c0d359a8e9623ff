//! All checks of a request for a page, in one place, before any page function runs.
//!
//! | check | answer |
//! | --- | --- |
//! | pages have an address of their own (`Pages::on`): the request has come there | 403 |
//! | who asks: see [`access`] | 403; 401, or the form of `/login` |
//! | `host` is an address, `localhost` or a name of the server: names can be pointed here by others | 421 |
//! | no page of another origin: `sec-fetch-site`, `origin`. A link may be followed by GET | 403 |
//! | POST only to a page that changes something | 405 |
//! | POST: a form or JSON, of at most 64 KiB | 415, 413 |
//! | POST: the token of `/token`, in the field `token` or `x-polywire-token`, compared in constant time | 403 |
//! | POST: at most ten a second | 429 |
//! | POST, and `/token`: who may act, not only read | 403 |
//!
//! A page for everyone ([`Who::Everyone`]), `/health` or one that was opened (`Pages::open`), is read without
//! the first four. They hold for what it changes, and its forms have a token for those only who may act.
//! `/login` goes without the second.
//!
//! Every answer has the headers of [`headers`], and none of CORS. The policy allows a browser the style sheet
//! and the script with the nonce of this very answer, and nothing else.
//!
//! Source: w3c.github.io/webappsec-fetch-metadata, w3.org/TR/CSP3; docs/console.md, "Who sees what".

use crate::{
    asked::{Access, Asked},
    facts::ServerFacts,
    head::Head,
    json::flat_object,
    login,
    logins::Shown,
    page::{Kind, Page, Who},
};
use polywire_call::{Native, Status, brpc};
use polywire_console::Query;
use polywire_engine::clock;
use polywire_server::{Call, facts::knows_host};

/// What passed: the request, and whether it is a POST.
pub(crate) struct Passed {
    pub asked: Asked,
    pub head: Head,
    /// The way from the page to the root of all pages: `../` for each slash behind the first.
    #[cfg_attr(not(feature = "console"), allow(dead_code, reason = "links are in HTML alone"))]
    pub root: String,
}

/// Checks a request for `page`. `rest` is the path behind the page's.
pub(crate) fn check(page: &Page, call: &Call, rest: &str, facts: &ServerFacts) -> Result<Passed, Status> {
    let head = Head::of(call);
    let (path, query) = head.target.split_once('?').unwrap_or((&head.target, ""));
    // Below `/-/` the root is that.
    let slashes =
        path.strip_prefix("/-/").or_else(|| path.strip_prefix('/')).unwrap_or(path).matches('/').count();
    let root = if path == "/-" { "-/".to_owned() } else { "../".repeat(slashes.min(32)) };
    let is_open = page.who == Who::Everyone && !(head.post && page.change.is_some());
    // Probes are answered without any of this.
    let access = match is_open && page.kind == Kind::Probe {
        true => Ok(Access::Read),
        false => of_peer(&head, call, facts, &root),
    };
    let may_act = matches!(access, Ok(Access::Act));
    if page.kind == Kind::Login {
        is_own_address(call, facts)?;
        is_own_name(&head, call)?;
    } else if !is_open {
        access?;
        if !may_act && (head.post && page.change.is_some() || page.kind == Kind::Token) {
            let text = "who asks may read pages, and change nothing";
            return Err(brpc::status(brpc::EPERM, text));
        }
    }
    let query_text = query.split('#').next().unwrap_or("").to_owned();
    let query = Query::parse(&query_text);
    let form = head.form(&query);
    let mut fields = Query::default();
    if head.post {
        fields = of_change(page, &head, call, facts)?;
    }
    let rest = polywire_console::escape::unpercent(rest, false);
    let (peer, accept) = (call.cx.peer().clone(), head.accept.clone());
    let from_browser = head.origin.is_some() || head.site.is_some();
    let asked = Asked { rest, query, query_text, fields, form, peer, accept, from_browser, may_act };
    Ok(Passed { asked, head, root })
}

/// What who asks may do with pages that are not for everyone. An error: nothing, and why.
fn of_peer(head: &Head, call: &Call, facts: &ServerFacts, root: &str) -> Result<Access, Status> {
    let own = is_own_address(call, facts)?;
    let access = access(head, call, facts, own, root)?;
    is_own_name(head, call)?;
    Ok(access)
}

fn refused(text: &str) -> Status {
    brpc::status(brpc::EPERM, text)
}

/// Whether the request came to an address of the pages' own; an error if it had to.
fn is_own_address(call: &Call, facts: &ServerFacts) -> Result<bool, Status> {
    match facts.live.upgrade().and_then(|server| server.is_pages_address(call.cx.local())) {
        Some(false) => Err(refused("this server has its pages at another address")),
        own => Ok(own == Some(true)),
    }
}

/// Whether the request is for a name of the server, and no other's page sends it.
fn is_own_name(head: &Head, call: &Call) -> Result<(), Status> {
    if head.repeated {
        return Err(refused("a field that pages are protected by is there twice"));
    }
    if !knows_host(&call.cx) {
        let text =
            "this page answers to an address, to localhost or to a name of the server: say Origins::host(..)";
        return Err(Status::permission_denied(text).with_native(Native::Http(421)));
    }
    let follows_link = !head.post && head.navigates && head.origin.is_none();
    let foreign = head.site.as_deref().is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if foreign && !follows_link || !head.is_own() {
        return Err(refused("pages of other origins may not read this page"));
    }
    Ok(())
}

/// Who asks, and what he may do. The first that applies decides:
///
/// | | |
/// | --- | --- |
/// | the token of `Pages::token`, or a session of `/login` | reads and changes |
/// | `Pages::auth` | what it says |
/// | there is such a token | nothing |
/// | a peer of this machine, and not behind a proxy (`forwarded`, `x-forwarded-*`, `x-real-ip`, `via`) | reads; changes, if the server has no authenticator |
/// | somebody else at the pages' own address | reads |
///
/// # Errors
/// Nothing, and why.
fn access(head: &Head, call: &Call, facts: &ServerFacts, own: bool, root: &str) -> Result<Access, Status> {
    let is_here = call.cx.peer().is_local() && !head.forwarded;
    let shown = facts.logins.as_ref().map(|logins| logins.shown(head, call.cx.peer(), clock::now()));
    let access = match (&facts.pages_auth, shown) {
        (_, Some(Shown::Token | Shown::Session)) => Access::Act,
        (Some(decides), _) => decides(&call.cx),
        (None, Some(_)) => Access::None,
        (None, None) if is_here && facts.has_authenticator => Access::Read,
        (None, None) if is_here => Access::Act,
        (None, None) if own => Access::Read,
        (None, None) => {
            return Err(refused("this page answers peers on its own machine only, and no proxies"));
        }
    };
    match (access, shown) {
        (Access::None, Some(shown)) => {
            login::count(facts, shown, call.cx.peer());
            Err(login::refusal(shown, head, root))
        }
        (Access::None, None) => Err(refused("this server's pages are not for who asks")),
        (access, _) => Ok(access),
    }
}

fn of_change(page: &Page, head: &Head, call: &Call, facts: &ServerFacts) -> Result<Query, Status> {
    let native = |number, text: &str| Status::invalid_argument(text).with_native(Native::Http(number));
    if page.change.is_none() {
        return Err(native(405, "this page changes nothing: send GET").with_metadata("allow", "GET, HEAD"));
    }
    let body = call.body.to_vec();
    let kind = head.content_type.split(';').next().unwrap_or("").trim();
    let fields = match kind {
        "application/x-www-form-urlencoded" => Query::parse(&String::from_utf8_lossy(&body)),
        "application/json" => flat_object(&body).map_err(|text| native(400, text))?,
        _ => return Err(native(415, "send application/x-www-form-urlencoded or application/json")),
    };
    if page.kind == Kind::Login {
        return Ok(fields); // what it takes is the token of the pages
    }
    let given = if head.token.is_empty() { fields.get("token").unwrap_or("") } else { &head.token };
    if !facts.secrets.is_token(given) {
        let text = "a change needs the token of /token, in the field token or the header x-polywire-token";
        return Err(brpc::status(brpc::EPERM, text));
    }
    if !facts.secrets.may_change() {
        let text = "more than ten changes a second";
        return Err(Status::resource_exhausted(text).with_native(Native::Http(429)));
    }
    Ok(fields)
}

/// The headers of every answer of a page. `nonce`: that of an answer in HTML.
pub(crate) fn headers(nonce: Option<&str>) -> Vec<(&'static str, String)> {
    let policy = match nonce {
        Some(nonce) => format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; connect-src 'self'; \
             form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        None => "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'".to_owned(),
    };
    vec![
        ("content-security-policy", policy),
        ("x-content-type-options", "nosniff".to_owned()),
        // Not `no-referrer`: with that a browser sends `Origin: null` with a form, which is no origin of
        // ours.
        ("referrer-policy", "same-origin".to_owned()),
        ("cross-origin-resource-policy", "same-origin".to_owned()),
        ("cross-origin-opener-policy", "same-origin".to_owned()),
        ("cache-control", "no-store".to_owned()),
    ]
}
