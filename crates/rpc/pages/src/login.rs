//! `/login`: where the token of pages is typed in; see `logins.rs`.

use crate::{
    asked::Asked,
    facts::ServerFacts,
    head::Head,
    logins::{LOGIN, Logins, Shown},
};
use polywire_call::{Native, Status};
use polywire_console::{Action, Finding, Mark, Section, View, escape};
use polywire_engine::{Fault, Peer, clock};
use std::time::Duration;

/// The answer to a request that shows too little for a page: the form for a browser that shows a page, 401 or
/// 429 for others.
pub(crate) fn refusal(shown: Shown, head: &Head, root: &str) -> Status {
    if shown == Shown::TooMany {
        let text = "too many wrong tokens from this address: wait a minute";
        return Status::resource_exhausted(text)
            .with_native(Native::Http(429))
            .with_metadata("retry-after", "60");
    }
    if !head.post && head.wants_html() {
        let to = head.target.trim_start_matches("/-/").trim_start_matches('/');
        let location = format!("{root}{LOGIN}?to={}", escape::percent(to));
        return Status::unauthenticated("log in first")
            .with_native(Native::Http(303))
            .with_metadata("location", location);
    }
    let text = match shown {
        Shown::WrongToken => "this is not the token of this server's pages",
        _ => "this page needs the token of the server's pages: authorization: Bearer TOKEN",
    };
    Status::unauthenticated(text).with_native(Native::Http(401)).with_metadata("www-authenticate", "Bearer")
}

/// The form, or the end of the session.
pub(crate) fn view(_: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let to = asked.query.get("to").unwrap_or("");
    Ok(if asked.may_act { logged_in() } else { form(to, None) })
}

fn form(to: &str, wrong: Option<&str>) -> View {
    let mut view = View::new("Log in");
    if let Some(text) = wrong {
        let finding = Finding { rule: LOGIN, mark: Mark::Bad, text: text.to_owned(), links: Vec::new() };
        view = view.section(Section::Findings(vec![finding]));
    }
    view.action(Action::new(LOGIN, "Log in").secret("pages_token").hidden("to", to))
}

fn logged_in() -> View {
    View::new("Log in")
        .note("You are logged in, for at most 12 hours.")
        .action(Action::new(LOGIN, "Log out").hidden("out", "1"))
}

/// What a POST to `/login` comes to.
pub(crate) enum Tried {
    /// Go there, with this cookie.
    In { to: String, cookie: String },
    /// The form again, with this status.
    Again(Status, View),
}

/// Begins or ends a session. `is_page`: whether there is a page of this path.
pub(crate) fn log_in(
    facts: &ServerFacts,
    logins: &Logins,
    asked: &Asked,
    head: &Head,
    is_page: impl Fn(&str) -> bool,
) -> Result<Tried, Status> {
    let (now, fields) = (clock::now(), &asked.fields);
    if fields.has("out") {
        logins.end(head);
        let cookie = logins.set_cookie("", Duration::ZERO, head.over_tls);
        return Ok(Tried::In { to: LOGIN.to_owned(), cookie });
    }
    let to = fields.get("to").unwrap_or("");
    let shown = logins.look_at(fields.get("pages_token").unwrap_or("").trim(), &asked.peer, now);
    match shown {
        Shown::Token => {
            tracing::info!(by = %asked.peer, "logged in at the pages");
            let cookie = logins.begin(head.over_tls, now)?;
            Ok(Tried::In { to: address_of(to, is_page), cookie })
        }
        shown => {
            count(facts, shown, &asked.peer);
            let status = refusal(shown, head, "");
            Ok(Tried::Again(status.clone(), form(to, Some(status.message()))))
        }
    }
}

/// Counts a caller who was not let in because of what he has shown.
pub(crate) fn count(facts: &ServerFacts, shown: Shown, peer: &Peer) {
    if let (Shown::WrongToken, Some(logins)) = (shown, &facts.logins) {
        logins.count(peer, clock::now());
    }
    if let (Shown::WrongToken | Shown::TooMany, Some(server)) = (shown, facts.live.upgrade()) {
        server.faults().add(Fault::Unauthenticated);
    }
}

/// Where to go from `/login`: to a page of ours, by a relative address that begins with its name, so that no
/// text leads to another host; `index` for all else.
fn address_of(to: &str, is_page: impl Fn(&str) -> bool) -> String {
    let (path, query) = to.split_once('?').unwrap_or((to, ""));
    let name = path.split('/').next().unwrap_or("");
    if !is_page(name) || name == LOGIN {
        return "index".to_owned();
    }
    let path = escape::path(&escape::unpercent(path, false));
    match !query.is_empty() && query.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => format!("{path}?{query}"),
        false => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leads_to_another_host() {
        let is_page = |name: &str| matches!(name, "status" | "rpcz" | "login");
        for (to, address) in [
            ("status/shop.Orders/Place?sort=-p99", "status/shop.Orders/Place?sort=-p99"),
            ("rpcz?method=a%2Fb", "rpcz?method=a%2Fb"),
            ("status/a%20b", "status/a%20b"),
            ("", "index"),
            ("login", "index"),
            ("//evil.example", "index"),
            ("/\\evil.example", "index"),
            ("https://evil.example", "index"),
            ("javascript:alert(1)", "index"),
            ("\t//evil.example", "index"),
            ("status\r\nset-cookie: a=b", "index"),
            ("status/\r\nset-cookie: a=b", "status/%0D%0Aset-cookie%3A%20a%3Db"),
            ("status?a\r\nset-cookie: a=b", "status"),
        ] {
            assert_eq!(address_of(to, is_page), address, "{to:?}");
        }
    }
}
