//! What a machine finds out about pages in browsers; how servers use it is tested in crates/rpc/server.

use super::lines;
use crate::http;
use polywire_machine_testing::Side;
use polywire_wire::{Extensions, Origins, Sender, ServerSetup};
use std::sync::Arc;

/// A server that knows the names `tool.corp` and that pages of `https://app.example` may call.
fn origins(only_hosts: bool, allowed: &[&str]) -> Extensions {
    let allowed = allowed.iter().map(|&one| one.to_owned()).collect();
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Origins { allowed, hosts: vec!["tool.corp".into()], only_hosts }));
    extensions
}

fn judged(extensions: Option<&Extensions>, secure: bool, verb: &str, fields: &str) -> Sender {
    judged_by(ServerSetup { extensions, secure, ..ServerSetup::default() }, verb, fields)
}

fn judged_by(setup: ServerSetup<'_>, verb: &str, fields: &str) -> Sender {
    let mut side = Side::new(&http::PROTOCOL, setup);
    side.feed(lines(&format!("{verb} /S/M HTTP/1.1|{fields}||")));
    let sender = side.poll().expect_open().head.sender;
    assert_eq!(side.host.asked[0].head.sender, sender);
    sender
}

const OWN: &str = "Host: 10.0.0.5:8000|Origin: http://10.0.0.5:8000";

#[test]
fn a_page_is_known_by_what_its_browser_says() {
    use Sender::*;
    for (fields, sender) in [
        // Programs send no fields that name their origin, and may use any name.
        ("Host: evil.example", Allowed),
        ("Host: 10.0.0.5:8000", Allowed),
        // Pages of this origin.
        (OWN, Allowed),
        ("Host: LOCALHOST:80|Origin: http://localhost", Allowed),
        ("Host: tool.corp|Origin: http://tool.corp", Allowed),
        ("Host: shop.example|Origin: https://shop.example", Allowed),
        ("Host: shop.example|Origin: https://shop.example:443", Allowed),
        ("Host: behind.a.proxy|Origin: https://shop.example|Sec-Fetch-Site: same-origin", Allowed),
        ("Host: 10.0.0.5|Sec-Fetch-Site: none", Allowed),
        // Pages of other origins.
        ("Host: 10.0.0.5:8000|Origin: http://10.0.0.5:8001", ForeignPage),
        ("Host: 10.0.0.5:8000|Origin: http://evil.example", ForeignPage),
        ("Host: 10.0.0.5:8000|Origin: null", ForeignPage),
        ("Host: 10.0.0.5:8000|Origin: http://10.0.0.5:8000|Origin: http://evil.example", ForeignPage),
        ("Host: 10.0.0.5:8000|Origin: http://10.0.0.5:8000|Sec-Fetch-Site: cross-site", ForeignPage),
        ("Host: 10.0.0.5|Sec-Fetch-Site: cross-site", ForeignPage),
        ("Host: 10.0.0.5|Sec-Fetch-Site: same-site", ForeignPage),
        ("Host: 10.0.0.5|Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate", ForeignPage),
        // A name that its owner has pointed to this machine.
        ("Host: evil.example:8000|Origin: http://evil.example:8000", UnknownHost),
    ] {
        assert_eq!(judged(Some(&origins(false, &[])), false, "POST", fields), sender, "{fields}");
    }
    assert_eq!(judged(None, false, "POST", OWN), Allowed);
    assert_eq!(judged(None, false, "POST", "Host: x|Origin: http://y"), ForeignPage);
}

/// A page whose name was pointed to this machine can send GETs that do not say where they come from.
#[test]
fn on_a_loopback_address_a_browser_needs_a_name_that_is_known() {
    let (known, all) = (origins(false, &[]), origins(false, &["*"]));
    let local = ServerSetup { loopback: true, extensions: Some(&known), ..ServerSetup::default() };
    let browser = "Host: evil.example:8000|Accept-Language: en-US";
    for (setup, fields, sender) in [
        (local, browser, Sender::UnknownHost),
        (ServerSetup { extensions: None, ..local }, browser, Sender::UnknownHost),
        (local, "Host: evil.example|accept-language: ", Sender::UnknownHost),
        // A page can make the field look like a program's, with
        // `fetch(path, {headers: {"Accept-Language": "*"}})`.
        (local, "Host: evil.example:8000|Accept-Language: *", Sender::UnknownHost),
        // Node's `fetch` sends the same value, and uses known names.
        (local, "Host: localhost:8000|Accept-Language: *|Sec-Fetch-Mode: cors", Sender::Allowed),
        (local, "Host: 127.0.0.1:8000|Accept-Language: *|Sec-Fetch-Mode: cors", Sender::Allowed),
        (local, "Host: [::1]:8000|Accept-Language: *|Sec-Fetch-Mode: cors", Sender::Allowed),
        (ServerSetup { extensions: None, ..local }, "Host: [::1]:8000|Accept-Language: *", Sender::Allowed),
        (local, "Host: tool.corp|Accept-Language: *", Sender::Allowed),
        (local, "Host: localhost:8000|Accept-Language: en", Sender::Allowed),
        (local, "Host: 127.0.0.1:8000|Accept-Language: en", Sender::Allowed),
        (local, "Host: tool.corp|Accept-Language: en", Sender::Allowed),
        // Programs may use any name, also behind proxies on the same machine.
        (local, "Host: anything.example", Sender::Allowed),
        // A request that a proxy passes on, which has TLS towards browsers.
        (local, "Host: shop.example|Accept-Language: en|Sec-Fetch-Site: same-origin", Sender::Allowed),
        (ServerSetup { extensions: Some(&all), ..local }, browser, Sender::Allowed),
        (ServerSetup { secure: true, ..local }, browser, Sender::Allowed),
        (ServerSetup { loopback: false, ..local }, browser, Sender::Allowed),
    ] {
        for verb in ["GET", "HEAD", "POST"] {
            assert_eq!(judged_by(setup, verb, fields), sender, "{verb} {fields}");
        }
    }
}

#[test]
fn a_link_from_elsewhere_may_be_followed_and_nothing_else_loaded() {
    for (verb, mode, sender) in [
        ("GET", "navigate", Sender::Allowed),
        ("HEAD", "navigate", Sender::Allowed),
        ("GET", "no-cors", Sender::ForeignPage),
        ("DELETE", "navigate", Sender::ForeignPage),
    ] {
        let fields = format!("Host: 10.0.0.5|Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: {mode}");
        assert_eq!(judged(None, false, verb, &fields), sender, "{verb} {mode}");
    }
}

#[test]
fn over_tls_a_page_without_it_is_another() {
    let origins = origins(false, &[]);
    for (fields, sender) in [
        ("Host: tool.corp|Origin: https://tool.corp", Sender::Allowed),
        ("Host: tool.corp|Origin: http://tool.corp", Sender::ForeignPage),
    ] {
        assert_eq!(judged(Some(&origins), true, "POST", fields), sender, "{fields}");
    }
}

#[test]
fn origins_that_are_named_may_call() {
    let page = "Host: 10.0.0.5|Origin: https://app.example|Sec-Fetch-Site: cross-site";
    let image = "Host: 10.0.0.5|Sec-Fetch-Site: cross-site";
    for (allowed, fields, sender) in [
        (&["https://app.example"][..], page, Sender::Allowed),
        (&["https://other.example", "https://app.example"], page, Sender::Allowed),
        (&["https://other.example"], page, Sender::ForeignPage),
        (&["https://app.example"], image, Sender::ForeignPage),
        (&["*"], page, Sender::Allowed),
        (&["*"], image, Sender::Allowed),
    ] {
        assert_eq!(
            judged(Some(&origins(false, allowed)), false, "POST", fields),
            sender,
            "{allowed:?} {fields}"
        );
    }
}

#[test]
fn if_names_are_configured_only_they_are_accepted() {
    for (fields, sender) in [
        ("Host: tool.corp:8000", Sender::Allowed),
        ("Host: 10.0.0.5:8000", Sender::Allowed),
        ("Host: evil.example", Sender::UnknownHost),
        ("Host: evil.example|Sec-Fetch-Site: same-origin", Sender::UnknownHost),
        ("Host: evil.example|Origin: https://app.example", Sender::UnknownHost),
    ] {
        assert_eq!(judged(Some(&origins(true, &["*"])), false, "GET", fields), sender, "{fields}");
    }
}

#[test]
fn options_reach_no_method_and_are_answered() {
    let said = |text: &str| {
        let mut side = Side::server(&http::PROTOCOL);
        let refusal = polywire_call::Status::invalid_argument("no").with_metadata("allow", "GET, POST");
        side.host.refuse(refusal.with_native(polywire_call::Native::Http(405)));
        assert!(side.feed(lines(text)).events().is_empty());
        String::from_utf8(side.written()).unwrap().replace("\r\n", "|")
    };
    assert_eq!(
        said("OPTIONS * HTTP/1.1|Host: x||"),
        "HTTP/1.1 204 No Content|Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS||"
    );
    assert_eq!(said("OPTIONS /S/M HTTP/1.1|Host: x||"), "HTTP/1.1 204 No Content|Allow: GET, POST||");
    let refused = said("DELETE /S/M HTTP/1.1|Host: x||");
    assert!(
        refused.starts_with("HTTP/1.1 405 Method Not Allowed|") && refused.contains("|Allow: GET, POST|"),
        "{refused}"
    );
}
