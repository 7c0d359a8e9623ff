//! The head of a request for a page.

use crate::asked::Form;
use polywire_console::Query;
use polywire_server::{Call, facts::visit_fields};

/// The parts of a request's head that are read here. Repeated fields that decide about safety are refused.
#[derive(Default)]
pub(crate) struct Head {
    pub post: bool,
    pub target: String,
    pub authorization: String,
    pub cookies: Vec<String>,
    /// Whether the browser came over TLS: to us, or to a proxy that says so.
    pub over_tls: bool,
    pub host: Option<String>,
    pub origin: Option<String>,
    pub site: Option<String>,
    pub navigates: bool,
    pub accept: String,
    agent: String,
    pub content_type: String,
    pub token: String,
    pub forwarded: bool,
    pub repeated: bool,
}

impl Head {
    pub fn of(call: &Call) -> Head {
        let mut head = Head::default();
        visit_fields(&call.cx, |name, value| {
            let text = || String::from_utf8_lossy(value).into_owned();
            match &*name.to_ascii_lowercase() {
                ":method" => head.post = !matches!(value, b"GET" | b"HEAD"),
                ":path" => head.target = text(),
                "host" | ":authority" => {
                    let before = head.host.replace(text());
                    head.repeated |= before.is_some_and(|before| Some(before) != head.host);
                }
                "origin" => head.repeated |= head.origin.replace(text()).is_some(),
                "sec-fetch-site" => head.repeated |= head.site.replace(text()).is_some(),
                "sec-fetch-mode" => head.navigates = value == b"navigate",
                "accept" => head.accept = text(),
                "user-agent" => head.agent = text(),
                "content-type" => head.content_type = text().to_ascii_lowercase(),
                "x-polywire-token" => head.token = text(),
                "authorization" => head.authorization = text(),
                "cookie" => head.cookies.push(text()),
                "forwarded" | "via" | "x-real-ip" => head.forwarded = true,
                name if name.starts_with("x-forwarded") => {
                    head.forwarded = true;
                    head.over_tls |= name == "x-forwarded-proto" && value == b"https";
                }
                _ => {}
            }
        });
        head.over_tls |= call.cx.security().is_some();
        head
    }

    /// HTML for browsers, JSON for scripts that say so, otherwise text. "`?console=1` forces text,
    /// `?console=0` forces HTML".
    pub fn form(&self, query: &Query) -> Form {
        match query.get("console") {
            Some("0") => Form::Html,
            Some("1") => Form::Text,
            _ if query.has("json") => Form::Json,
            _ if self.is_browser() => Form::Html,
            _ if self.accept.contains("application/json") => Form::Json,
            _ => Form::Text,
        }
    }

    fn is_browser(&self) -> bool {
        self.accept.contains("text/html") && !self.agent.contains("curl/")
    }

    /// Whether a browser asks for a page to show it.
    pub fn wants_html(&self) -> bool {
        let query = Query::parse(self.target.split_once('?').map_or("", |(_, query)| query));
        self.is_browser() && self.form(&query) == Form::Html
    }

    /// Whether a page of this server sent it: its origin, if there is one, has the host's name and port.
    pub fn is_own(&self) -> bool {
        let host = self.host.as_deref().unwrap_or("");
        self.origin.as_deref().is_none_or(|origin| {
            let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            name.is_some_and(|name| name.eq_ignore_ascii_case(host))
        })
    }
}
