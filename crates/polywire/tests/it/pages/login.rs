//! Who sees pages beside an authenticator of calls, and with a token of their own: from where, in a browser,
//! and against strangers.

use super::support::*;
use polywire::{Caller, Identity, Origins, Pages, Server, Status, console::Access};
use polywire_engine::Fault;
use std::sync::atomic::Ordering::Relaxed;

const TOKEN: &str = "operators-0123456789";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

fn guarded() -> Server {
    Server::new().authenticate(|caller: Caller| async move {
        match caller.bearer() {
            Some("a-clerk") => Ok(Identity::named("clerk")),
            _ => Err(Status::unauthenticated("a bearer token is needed")),
        }
    })
}

/// The value of a field of an answer's head.
fn field<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split_once("\r\n\r\n")?.0;
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The cookie of a session, as the browser sends it back.
fn log_in(running: &polywire::Running) -> String {
    let body = format!("pages_token={TOKEN}");
    let (status, answer) = exchange(running, "POST /login", &format!("{BROWSER}|{FORM}"), &body);
    assert_eq!(status, 303, "{answer}");
    field(&answer, "set-cookie").expect("a cookie").split(';').next().expect("a pair").to_owned()
}

#[test]
fn an_authenticator_of_calls_does_not_close_the_pages_to_this_machine() {
    let (running, changes) = start(guarded());
    for path in ["/", "/status", "/stock", "/-/status", "/metrics", "/rpcz", "/index?json"] {
        assert_eq!(exchange(&running, &format!("GET {path}"), BROWSER, "").0, 200, "{path}");
        for credential in ["a-clerk", "nobody"] {
            let fields = format!("Host: localhost|Authorization: Bearer {credential}");
            assert_eq!(exchange(&running, &format!("GET {path}"), &fields, "").0, 200, "{path}");
        }
        let elsewhere = "Host: localhost|X-Forwarded-For: 10.0.0.1|Authorization: Bearer a-clerk";
        assert_eq!(exchange(&running, &format!("GET {path}"), elsewhere, "").0, 403, "{path}");
    }
    // who is on this machine may look; a change needs who may make it
    let own = Server::new();
    let token = token(&start(own).0);
    assert_eq!(exchange(&running, "GET /token", "", "").0, 403);
    for fields in [FORM.to_owned(), format!("{FORM}|Authorization: Bearer a-clerk")] {
        let (status, answer) = exchange(
            &running,
            "POST /stock",
            &format!("Host: localhost|{fields}"),
            &format!("token={token}"),
        );
        assert!(status == 403 && answer.contains("change nothing"), "{answer}");
    }
    assert_eq!(changes.load(Relaxed), 0);
    let (running, changes) = start_with(guarded(), Pages::default().auth(|_| Access::Act));
    assert_eq!(change(&running, "/stock", "").0, 200);
    assert_eq!(changes.load(Relaxed), 1);
    let (running, _) = start_with(guarded(), Pages::default().auth(|_| Access::None));
    assert_eq!(exchange(&running, "GET /status", "Host: localhost|Authorization: Bearer a-clerk", "").0, 403);
}

#[test]
fn a_token_that_is_typed_once_opens_the_pages_to_a_browser() {
    let (running, changes) =
        start_with(guarded().origins(Origins::default().host("ops.example")), Pages::default().token(TOKEN));
    for (path, location) in [
        ("/status?sort=-p99", "login?to=status%3Fsort%3D-p99"),
        ("/stock/a%20b", "../login?to=stock%2Fa%2520b"),
        ("/-/status", "login?to=status"),
        ("/", "login?to="),
    ] {
        let (status, answer) = exchange(&running, &format!("GET {path}"), BROWSER, "");
        assert_eq!((status, field(&answer, "location")), (303, Some(location)), "{answer}");
    }
    let (status, page) = exchange(&running, "GET /login?to=stock%2Fa%2520b", BROWSER, "");
    assert!(
        status == 200 && page.contains("type=password") && page.contains("value=\"stock/a%20b\""),
        "{page}"
    );
    assert!(!page.contains("Log out"), "{page}");

    // behind a proxy that ends TLS and passes the name on
    let proxied =
        BROWSER.replace("localhost", "ops.example") + "|X-Forwarded-For: 10.1.1.1|X-Forwarded-Proto: https";
    let origin = "Origin: https://ops.example|Sec-Fetch-Site: same-origin";
    for (browser, secure) in [(BROWSER.to_owned(), false), (format!("{proxied}|{origin}"), true)] {
        let body = format!("token=&pages_token={TOKEN}&to=stock%2Fa%2520b%3Fn%3D1");
        let (status, answer) = exchange(&running, "POST /login", &format!("{browser}|{FORM}"), &body);
        assert_eq!((status, field(&answer, "location")), (303, Some("stock/a%20b?n=1")), "{answer}");
        let cookie = field(&answer, "set-cookie").expect("a cookie").to_owned();
        let (pair, attributes) = cookie.split_once("; ").expect("attributes");
        assert_eq!(attributes.split("; ").any(|one| one == "Secure"), secure, "{cookie}");
        assert!(attributes.starts_with("Max-Age=43200; HttpOnly; SameSite=Strict"), "{cookie}");
        assert!(!cookie.contains("Domain") && !cookie.contains(TOKEN) && !answer.contains(TOKEN), "{answer}");

        let with = format!("{browser}|Cookie: theme=dark; {pair}");
        for path in ["/", "/status", "/stock/a", "/-/status", "/status?json", "/metrics"] {
            assert_eq!(exchange(&running, &format!("GET {path}"), &with, "").0, 200, "{path}");
        }
        // a change needs the token of forms beside the cookie, and comes from no other's page
        let before = changes.load(Relaxed);
        let (_, answer) = exchange(&running, "GET /token", &with, "");
        let form = answer.split_once("\r\n\r\n").expect("a body").1.to_owned();
        let post =
            |fields: &str, body: &str| exchange(&running, "POST /stock", &format!("{fields}|{FORM}"), body).0;
        assert_eq!(post(&with, "shelf=a"), 403);
        assert_eq!(post(&with, &format!("token={TOKEN}")), 403);
        let evil = with.replace("https://ops.example", "https://evil.example");
        let evil = if secure { evil } else { format!("{with}|Origin: https://evil.example") };
        assert_eq!(post(&evil, &format!("token={form}")), 403);
        let other_site = with.replace("|Sec-Fetch-Site: same-origin", "") + "|Sec-Fetch-Site: cross-site";
        assert_eq!(post(&other_site, &format!("token={form}")), 403);
        assert_eq!(post(&browser, &format!("token={form}")), 401, "without the cookie");
        assert_eq!(changes.load(Relaxed), before);
        assert_eq!(post(&with, &format!("token={form}")), 200);
        assert_eq!(changes.load(Relaxed), before + 1);

        let (_, page) = exchange(&running, "GET /login", &with, "");
        assert!(page.contains("Log out"), "{page}");
        let (status, answer) = exchange(&running, "POST /login", &format!("{with}|{FORM}"), "out=1");
        assert!(status == 303 && field(&answer, "set-cookie").unwrap().contains("Max-Age=0"), "{answer}");
        assert_eq!(exchange(&running, "GET /status", &with, "").0, 303, "the session is over");
    }
    let bearer = format!("Host: localhost|Authorization: Bearer {TOKEN}");
    assert_eq!(exchange(&running, "GET /status", &bearer, "").0, 200);
    assert_eq!(exchange(&running, "GET /health", "Host: ops.example|Via: 1.1 proxy", "").0, 200);
}

#[test]
fn nobody_else_gets_in_and_guesses_are_few() {
    let (running, changes) = start_with(Server::new(), Pages::default().token(TOKEN));
    let (other, _) = start_with(Server::new(), Pages::default().token(TOKEN));
    let (own, foreign) = (log_in(&running), log_in(&other));
    let (name, value) = own.split_once('=').expect("a pair");
    let foreign_value = foreign.split_once('=').expect("a pair").1;
    for (status, fields) in [
        (200, format!("Cookie: {own}")),
        (200, format!("Cookie: a=b; {own}; c=d")),
        (401, String::new()),
        (401, format!("Cookie: {foreign}")),
        (401, format!("Cookie: {name}={foreign_value}")),
        (401, format!("Cookie: {name}={}0", &value[..31])),
        (401, format!("Cookie: {name}={value}0")),
        (401, format!("Cookie: {name}={TOKEN}")),
        (401, format!("X-Cookie: {own}")),
        (401, "Authorization: Basic b3BlcmF0b3JzOm8=".to_owned()),
        (403, format!("Cookie: {own}|Sec-Fetch-Site: cross-site")),
        (403, format!("Cookie: {own}|Origin: null")),
        (400, format!("Authorization: Bearer {TOKEN}|Authorization: Bearer {TOKEN}")),
    ] {
        for path in ["/status", "/-/stock", "/token", "/metrics"] {
            // Value and tampered value may be the same by chance.
            if fields.ends_with(&format!("{name}={value}")) {
                continue;
            }
            let (answered, answer) =
                exchange(&running, &format!("GET {path}"), &format!("Host: localhost|{fields}"), "");
            assert!(
                answered == status || status == 200 && fields.ends_with("c=d"),
                "{path} {fields}: {answer}"
            );
            assert_eq!(status == 401, field(&answer, "www-authenticate") == Some("Bearer"), "{answer}");
        }
    }
    // names that may be pointed here by others, and their pages, do not even get to guess
    for (status, fields) in [
        (421, "Host: evil.example".to_owned()),
        (403, "Host: localhost|Origin: http://evil.example".to_owned()),
        (403, "Host: localhost|Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate".to_owned()),
    ] {
        let (answered, answer) =
            exchange(&running, "POST /login", &format!("{fields}|{FORM}"), &format!("pages_token={TOKEN}"));
        assert_eq!((answered, field(&answer, "set-cookie")), (status, None), "{answer}");
    }
    for to in ["//evil.example", "https:%2F%2Fevil.example", "%2F%5Cevil.example", "javascript:alert(1)"] {
        let body = format!("pages_token={TOKEN}&to={to}");
        let (_, answer) = exchange(&running, "POST /login", &format!("{BROWSER}|{FORM}"), &body);
        assert_eq!(field(&answer, "location"), Some("index"), "{answer}");
    }
    let form = format!("{BROWSER}|{FORM}");
    for n in 0..10 {
        let (status, answer) = exchange(&running, "POST /login", &form, &format!("pages_token=wrong-{n}"));
        assert!(status == 401 && answer.contains("type=password"), "{n}: {answer}");
        assert_eq!(field(&answer, "set-cookie"), None, "{answer}");
    }
    let right = format!("pages_token={TOKEN}");
    let (status, answer) = exchange(&running, "POST /login", &form, &right);
    assert!(status == 429 && field(&answer, "set-cookie").is_none(), "{answer}");
    let bearer = format!("Host: localhost|Authorization: Bearer {TOKEN}");
    assert_eq!(exchange(&running, "GET /status", &bearer, "").0, 429);
    assert_eq!(exchange(&running, "GET /status", &format!("Host: localhost|Cookie: {own}"), "").0, 200);
    assert_eq!(running.faults().count(Fault::Unauthenticated), 12);
    assert_eq!(changes.load(Relaxed), 0);
}

#[test]
fn beside_the_token_a_function_decides_about_the_others() {
    let (running, _) = start_with(
        Server::new(),
        Pages::default().token(TOKEN).auth(|cx| match cx.metadata().get_str("authorization") {
            Some("Bearer of-a-reader") => Access::Read,
            _ => Access::None,
        }),
    );
    let by = |path: &str, token: &str| {
        exchange(
            &running,
            &format!("GET {path}"),
            &format!("Host: localhost|Authorization: Bearer {token}"),
            "",
        )
        .0
    };
    for _ in 0..20 {
        assert_eq!(by("/status", "of-a-reader"), 200, "it is no wrong token");
    }
    assert_eq!((by("/token", "of-a-reader"), by("/token", TOKEN)), (403, 200));
    for _ in 0..10 {
        assert_eq!(by("/status", "a-guess"), 401);
    }
    assert_eq!(
        (by("/status", "a-guess"), by("/status", TOKEN), by("/status", "of-a-reader")),
        (429, 429, 200)
    );
}

#[test]
fn a_token_that_can_be_guessed_keeps_the_server_from_starting() {
    for (token, why) in [("secret", "at least 16"), ("a secret of some words", "no spaces")] {
        let error = Server::new()
            .pages(Pages::default().token(token))
            .listen("127.0.0.1:0")
            .start()
            .err()
            .expect("it fails");
        assert!(error.to_string().contains(why) && !error.to_string().contains(token), "{error}");
    }
}
