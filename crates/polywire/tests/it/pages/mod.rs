//! Pages at a server's port: who gets them, in which forms, and what a stranger can do with them: nothing.

mod commands;
mod flags;
mod login;
mod support;

use polywire::{
    Engine, Origins, Pages, Running, Server,
    console::{Access, Action, Page, View, Who},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};
use support::*;

#[test]
fn a_page_of_the_application_has_text_and_json_of_one_snapshot() {
    let (running, _) = start(Server::new());
    for path in ["/stock/a%20b", "/-/stock/a%20b"] {
        let text = get(&running, path);
        assert!(text.contains("\r\n\r\n# Stock\n# a b\nitems: 12\n# shelves: 1 of 1 shown\n"), "{text}");
        assert!(text.contains("<script>alert(1)</script>\"'&\\u{1b}[2J\\u{202e}"), "{text}");
        let json = get(&running, &format!("{path}?json"));
        assert!(json.contains("Content-Type: application/json"), "{json}");
        assert!(json.contains(r#""val":{"facts":{"items":12}},"units":{"facts":{"items":"n"}},"tab":{"shelves":{"cols":["shelf","age"],"units":["","s"],"rows":[["a",0,"\u003cscript>"#), "{json}");
    }
    assert!(get(&running, "/").contains("/stock      what is on the shelves\n"));
    assert!(get(&running, "/-/").contains("/stock      what is on the shelves\n"));
    assert_eq!(exchange(&running, "GET /stock/none", "", "").0, 404);
    assert_eq!(exchange(&running, "GET /-/nothing", "", "").0, 404);
}

#[test]
fn texts_of_brpcs_pages_stay_as_they_are() {
    let (running, _) = start_with(Server::new(), Pages::default().version("1.2"));
    assert!(get(&running, "/health").ends_with("\r\n\r\nOK"));
    assert!(get(&running, "/version").ends_with("\r\n\r\n1.2"));
    assert!(get(&running, "/status").contains("\r\n\r\nversion: 1.2\nuptime_s: "));
    let vars = get(&running, "/vars/rpc_server_*_test_missing;process_*")
        .split_once("\r\n\r\n")
        .expect("a body")
        .1
        .to_owned();
    assert!(!vars.is_empty() && vars.split_terminator("\r\n").all(|line| line.contains(" : ")), "{vars}");
}

#[test]
fn every_answer_forbids_scripts_frames_and_other_origins() {
    let (running, _) = start(Server::new().origins(Origins::default().allow("https://other.example")));
    for path in ["/", "/stock", "/status", "/stock?json", "/stock/none", "/-/nothing", "/health"] {
        let (_, answer) = exchange(&running, &format!("GET {path}"), "", "");
        for header in [
            "content-security-policy: default-src 'none'; ",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "cross-origin-opener-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(answer.contains(header), "{path} {header}: {answer}");
        }
        assert!(!answer.contains("access-control-allow"), "{answer}");
    }
}

#[test]
fn other_names_proxies_and_other_origins_get_no_page() {
    let (running, _) = start(Server::new().origins(Origins::default().allow("https://other.example")));
    for (status, fields) in [
        (421, "Host: evil.example"),
        (403, "Host: localhost|X-Forwarded-For: 10.0.0.1"),
        (403, "Host: localhost|Forwarded: for=10.0.0.1"),
        (403, "Host: localhost|Via: 1.1 proxy"),
        (403, "Host: localhost|X-Real-IP: 10.0.0.1"),
        (403, "Host: localhost|Sec-Fetch-Site: cross-site"),
        (403, "Host: localhost|Sec-Fetch-Site: same-site|Sec-Fetch-Mode: no-cors"),
        (403, "Host: localhost|Origin: http://evil.example"),
        (403, "Host: localhost|Origin: https://other.example"),
        (403, "Host: localhost|Origin: null"),
        (200, "Host: localhost|Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate"),
        (200, "Host: localhost|Sec-Fetch-Site: same-origin"),
        (200, "Host: localhost:80|Origin: http://localhost:80"),
        (200, "Host: 127.0.0.1:8000"),
    ] {
        for path in ["/stock", "/token", "/status", "/-/status", "/metrics"] {
            let (answered, answer) = exchange(&running, &format!("GET {path}"), fields, "");
            assert_eq!(answered, status, "{path} {fields}: {answer}");
            assert!(status == 200 || !answer.contains("items"), "{answer}");
        }
    }
    // it tells nothing, and probes come under any name
    assert_eq!(exchange(&running, "GET /health", "Host: evil.example|Via: 1.1 proxy", "").0, 200);
}

#[test]
fn only_a_post_with_the_token_changes_something() {
    let (running, changes) = start(Server::new());
    let token = token(&running);
    const FORM: &str = "Host: localhost|Content-Type: application/x-www-form-urlencoded";
    let long = format!("token={token}&shelf={}", "x".repeat(70 << 10));
    let other = start(Server::new()).0;
    let foreign = format!("token={}", self::token(&other));
    let valid = format!("token={token}&shelf=a%3C7");
    for (status, line, fields, body) in [
        (403, "POST /stock", FORM.to_owned(), "shelf=a"),
        (403, "POST /stock", FORM.to_owned(), "token=&shelf=a"),
        (403, "POST /stock", FORM.to_owned(), &foreign),
        (403, "POST /stock", format!("{FORM}|X-Polywire-Token: {}", &token[..31]), &valid),
        (403, "POST /stock", format!("{FORM}|Origin: http://evil.example"), &valid),
        (403, "POST /stock", format!("{FORM}|Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate"), &valid),
        (403, "POST /-/stock", format!("{FORM}|X-Forwarded-For: 1.1.1.1"), &valid),
        (421, "POST /stock", FORM.replace("localhost", "evil.example"), &valid),
        (415, "POST /stock", FORM.replace("application/x-www-form-urlencoded", "text/plain"), &valid),
        (415, "POST /stock", "Host: localhost".to_owned(), &valid),
        (
            400,
            "POST /stock",
            format!("Host: localhost|Content-Type: application/json|X-Polywire-Token: {token}"),
            "{\"shelf\":[",
        ),
        (413, "POST /stock", FORM.to_owned(), &long),
        (405, "POST /status", FORM.to_owned(), &valid),
        (200, "GET /stock?shelf=a", format!("Host: localhost|X-Polywire-Token: {token}"), ""),
        (200, "HEAD /stock", "Host: localhost".to_owned(), ""),
    ] {
        let (answered, answer) = exchange(&running, line, &fields, body);
        assert_eq!(answered, status, "{line} {fields}: {answer}");
    }
    assert_eq!(changes.load(Relaxed), 0);

    let (status, answer) = exchange(&running, "POST /stock", FORM, &valid);
    assert!(status == 200 && answer.contains("cleared a<7"), "{answer}");
    let fields = format!("Host: localhost|Content-Type: application/json|X-Polywire-Token: {token}");
    let (status, answer) = exchange(&running, "POST /-/stock?json", &fields, "{\"shelf\":\"b\"}");
    assert!(status == 200 && answer.contains("application/json"), "{answer}");
    assert_eq!(changes.load(Relaxed), 2);
}

#[test]
fn a_page_that_cannot_be_reached_keeps_the_server_from_starting() {
    let page = |path| Page::new(path, "nothing", |_| Ok(View::new("Nothing")));
    for path in ["", "-", "a/b", "a b", "status", "stock"] {
        let server =
            Server::new().pages(Pages::default().page(page("stock")).page(page(path))).listen("127.0.0.1:0");
        let error = server.start().err().expect(path).to_string();
        assert!(error.starts_with(&format!("pages.page({path:?}): ")), "{error}");
    }
}

#[test]
fn a_browser_gets_a_page_whose_only_scripts_have_the_nonce_of_the_answer() {
    let (running, _) = start(Server::new());
    let mut nonces = Vec::new();
    for (path, link) in [
        ("/", "href=\"status\""),
        ("/status", "href=\"vars\""),
        ("/connections?sort=-owed&q=%3Cscript%3E", "href=\"status\""),
        ("/vars?q=%3Cscript%3Ealert(1)", "href=\"status\""),
        ("/rpcz", "href=\"status\""),
        ("/limits", "href=\"flags\""),
        ("/flags", "href=\"limits\""),
        ("/stock/a/%3Cscript%3E", "href=\"../../status\""),
        ("/-/stock/a", "href=\"../status\""),
    ] {
        let (status, answer) = exchange(&running, &format!("GET {path}"), BROWSER, "");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(status == 200 && head.contains("Content-Type: text/html"), "{answer}");
        let nonce = head.split_once("script-src 'nonce-").expect("a nonce").1[..32].to_owned();
        assert_eq!(
            body.matches(&format!("nonce=\"{nonce}\"")).count(),
            2,
            "{path}: a style sheet and a script"
        );
        assert_eq!(body.matches("<script").count(), 1, "{path}: {body}");
        assert!(body.contains(link) && !body.contains('\x1b') && !body.contains(" style="), "{path}: {body}");
        assert!(body.len() < 30_000, "{path}: {} bytes", body.len());
        nonces.push(nonce);
    }
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), 9, "each answer has its own");
    // curl and scripts get text, unless they ask
    assert!(get(&running, "/status").contains("text/plain"));
    assert!(get(&running, "/status?console=0").contains("text/html"));
    assert!(exchange(&running, "GET /status?console=1", BROWSER, "").1.contains("text/plain"));
}

/// `/metrics` is for a Prometheus on another machine, or behind a proxy, under whatever name it knows the
/// server.
#[test]
fn an_opened_page_is_read_from_everywhere_and_no_other_page_is() {
    let (running, _) = start_with(Server::new(), Pages::default().open("metrics").open("index"));
    for fields in [
        "Host: shop-1.example:8000",
        "Host: shop-1.example|X-Forwarded-For: 10.0.0.1",
        "Host: localhost|Forwarded: for=10.0.0.1",
        "Host: shop-1.example|Via: 1.1 proxy|X-Real-IP: 10.0.0.1",
    ] {
        for (path, open) in [
            ("/metrics", true),
            ("/-/metrics", true),
            ("/", true),
            ("/index", true),
            ("/status", false),
            ("/vars", false),
            ("/-/vars", false),
            ("/token", false),
            ("/stock", false),
        ] {
            let (status, answer) = exchange(&running, &format!("GET {path}"), fields, "");
            assert_eq!(status == 200, open, "{path} {fields}: {answer}");
            assert!(!answer.contains("access-control-allow"), "{answer}");
        }
        let (_, text) = exchange(&running, "GET /metrics", fields, "");
        assert!(text.contains("\npolywire_server_connections "), "{text}");
        let form = format!("{fields}|Content-Type: application/x-www-form-urlencoded");
        let (status, answer) =
            exchange(&running, "POST /metrics", &form, &format!("token={}", token(&running)));
        assert_eq!(status, 405, "{answer}");
    }
}

/// A page for everyone may have a form, which only those of this machine can send.
#[test]
fn a_form_has_the_token_for_those_only_who_may_send_it() {
    let page = Page::new("box", "a form", |_| Ok(View::new("Box").action(Action::new("box", "Open"))))
        .change(|_| Ok(View::new("Box").note("opened")))
        .who(Who::Everyone);
    let (running, _) = start_with(Server::new(), Pages::default().page(page));
    let token = token(&running);
    let shown = |path: &str, fields: &str| {
        let (status, page) =
            exchange(&running, &format!("GET {path}"), &format!("{fields}|Accept: text/html"), "");
        assert!(status == 200 && page.contains("<html") && page.contains("name=token"), "{fields}: {page}");
        page.contains(&token)
    };
    for path in ["/box", "/-/box"] {
        assert!(shown(path, "Host: localhost"), "the form of who may send it has the token");
        for fields in [
            "Host: shop-1.example",
            "Host: localhost|X-Forwarded-For: 1.1.1.1",
            "Host: localhost|Forwarded: for=1.1.1.1",
            "Host: localhost|Via: 1.1 proxy",
        ] {
            assert!(!shown(path, fields), "{path} {fields}");
        }
    }
    let form = "Content-Type: application/x-www-form-urlencoded|X-Forwarded-For: 1.1.1.1";
    let body = format!("token={token}");
    assert_eq!(exchange(&running, "POST /box", &format!("Host: localhost|{form}"), &body).0, 403);
}

/// Answers of a server that says who may do what by a field.
#[test]
fn a_function_decides_who_reads_and_who_changes() {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = asked.clone();
    let (running, changes) = start_with(
        Server::new().origins(Origins::default().host("shop.example")),
        Pages::default().auth(move |cx| {
            counted.fetch_add(1, Relaxed);
            match cx.metadata().get_str("authorization") {
                Some("act") => Access::Act,
                Some("read") => Access::Read,
                _ => Access::None,
            }
        }),
    );
    let of = |line: &str, fields: &str, body: &str| exchange(&running, line, fields, body);
    let (status, answer) = of("GET /token", "Host: localhost|Authorization: act", "");
    assert_eq!(status, 200, "{answer}");
    let token = answer.split_once("\r\n\r\n").expect("a body").1.to_owned();
    let form = "Content-Type: application/x-www-form-urlencoded";
    let body = format!("token={token}");
    for who in [
        "",
        "|Authorization: nobody",
        "|Authorization: acta",
        "|X-Authorization: act",
        "|Cookie: authorization=act",
    ] {
        for path in ["/stock", "/token", "/status", "/-/status", "/-/", "/flags", "/rpcz", "/metrics"] {
            let (status, answer) = of(&format!("GET {path}"), &format!("Host: localhost{who}"), "");
            assert!(status == 403 && !answer.contains(&token), "{path} {who}: {answer}");
        }
        assert_eq!(of("POST /stock", &format!("Host: localhost{who}|{form}"), &body).0, 403, "{who}");
    }
    for host in ["localhost", "shop.example", "127.0.0.1:8000"] {
        // behind a proxy, too: the function has the proxy's fields to decide by
        for proxy in ["", "|X-Forwarded-For: 10.0.0.1|Via: 1.1 proxy"] {
            let reader = format!("Host: {host}|Authorization: read{proxy}");
            assert_eq!(of("GET /status", &reader, "").0, 200, "{reader}");
            assert_eq!(of("GET /token", &reader, "").0, 403, "{reader}");
            let (_, page) = of("GET /stock", &format!("{reader}|Accept: text/html"), "");
            assert!(page.contains("name=token") && !page.contains(&token), "{page}");
            assert_eq!(of("POST /stock", &format!("{reader}|{form}"), &body).0, 403, "{reader}");
        }
    }
    assert_eq!(changes.load(Relaxed), 0);
    for fields in ["Host: evil.example|Authorization: act", "Host: shop.example.evil|Authorization: act"] {
        assert_eq!(of("GET /stock", fields, "").0, 403, "{fields}");
        assert_eq!(of("POST /stock", &format!("{fields}|{form}"), &body).0, 403, "{fields}");
    }
    let foreign = format!("Host: localhost|Authorization: act|Origin: http://evil.example|{form}");
    assert_eq!(of("POST /stock", &foreign, &body).0, 403);
    assert_eq!(of("POST /stock", &format!("Host: localhost|Authorization: act|{form}"), "token=").0, 403);
    assert_eq!(changes.load(Relaxed), 0);
    let (status, answer) = of("POST /stock", &format!("Host: localhost|Authorization: act|{form}"), &body);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(changes.load(Relaxed), 1);
    // each request anew, and probes never
    let before = asked.load(Relaxed);
    assert_eq!(of("GET /health", "Host: localhost|Via: 1.1 proxy", "").0, 200);
    assert_eq!(asked.load(Relaxed), before);
    assert_eq!(of("GET /status", "Host: localhost", "").0, 403);
    assert_eq!(asked.load(Relaxed), before + 1);
}

/// Status and answer of a request to the listener with this index.
fn at(running: &Running, listener: usize, line: &str, fields: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(running.addresses()[listener].to_string()).expect("it listens");
    let head = format!("{line} HTTP/1.1|{fields}|Connection: close|Content-Length: {}||", body.len());
    stream.write_all((head.replace('|', "\r\n") + body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer); // a refusal may reset what was not read
    (answer.get(9..12).unwrap_or("0").parse().expect("a status"), answer)
}

#[test]
fn pages_with_an_address_of_their_own_are_nowhere_else() {
    let (running, changes) = start_with(Server::new(), Pages::default().open("version").on("127.0.0.1:0"));
    // the server of these tests listens first at the address of its services, then at that of its pages
    let addresses: Vec<String> = running.addresses().iter().map(ToString::to_string).collect();
    assert_eq!(addresses.len(), 2);
    let (services, pages) = (0, 1);
    let (status, answer) = at(&running, pages, "GET /token", "Host: localhost", "");
    assert_eq!(status, 200, "{answer}");
    let token = answer.split_once("\r\n\r\n").expect("a body").1.to_owned();
    let form = "Host: localhost|Content-Type: application/x-www-form-urlencoded";
    for path in ["/status", "/stock", "/token", "/metrics", "/-/status", "/-/", "/"] {
        assert_eq!(at(&running, pages, &format!("GET {path}"), "Host: localhost", "").0, 200, "{path}");
        // whatever the request says of where it goes
        for fields in [
            "Host: localhost".to_owned(),
            format!("Host: {}", addresses[pages]),
            format!("Host: localhost|X-Forwarded-Host: {}|X-Forwarded-Port: 1", addresses[pages]),
            format!("Host: localhost|X-Polywire-Token: {token}"),
        ] {
            let (status, answer) = at(&running, services, &format!("GET {path}"), &fields, "");
            assert!(status == 403 && !answer.contains(&token), "{path} {fields}: {answer}");
        }
        let absolute = format!("GET http://{}{path}", addresses[pages]);
        let fields = format!("Host: {}", addresses[pages]);
        assert_eq!(at(&running, services, &absolute, &fields, "").0, 403, "{absolute}");
    }
    for path in ["/health", "/version"] {
        assert_eq!(at(&running, services, &format!("GET {path}"), "Host: localhost", "").0, 200, "{path}");
    }
    let body = format!("token={token}");
    assert_eq!(at(&running, services, "POST /stock", form, &body).0, 403);
    assert_eq!(changes.load(Relaxed), 0);
    // who comes there by a proxy reads, and changes nothing
    for proxy in
        ["X-Forwarded-For: 10.0.0.1", "Forwarded: for=10.0.0.1", "Via: 1.1 proxy", "X-Real-IP: 10.0.0.1"]
    {
        assert_eq!(
            at(&running, pages, "GET /status", &format!("Host: localhost|{proxy}"), "").0,
            200,
            "{proxy}"
        );
        assert_eq!(
            at(&running, pages, "GET /token", &format!("Host: localhost|{proxy}"), "").0,
            403,
            "{proxy}"
        );
        let fields = format!("Host: localhost|{proxy}|Accept: text/html");
        let (_, page) = at(&running, pages, "GET /stock", &fields, "");
        assert!(page.contains("name=token") && !page.contains(&token), "{proxy}: {page}");
        assert_eq!(at(&running, pages, "POST /stock", &format!("{form}|{proxy}"), &body).0, 403, "{proxy}");
        assert_eq!(
            at(&running, pages, "GET /status", &format!("Host: evil.example|{proxy}"), "").0,
            421,
            "{proxy}"
        );
    }
    assert_eq!(changes.load(Relaxed), 0);
    assert_eq!(at(&running, pages, "POST /stock", form, &body).0, 200);
    assert_eq!(changes.load(Relaxed), 1);
}

/// As before, from an address of this machine that is not loopback; a machine may have none.
#[test]
fn an_opened_page_is_read_by_a_peer_that_is_not_on_loopback() {
    let probe = std::net::UdpSocket::bind("0.0.0.0:0").expect("a socket");
    // nothing is sent: the system chooses the address from which it would send
    let own = probe.connect("192.0.2.1:9").and_then(|()| probe.local_addr());
    let Some(own) = own.ok().filter(|own| !own.ip().is_loopback()) else {
        return eprintln!("skipped: this machine has no address but loopback");
    };
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let server = Server::new()
        .engine(&engine)
        .pages(Pages::default().open("metrics"))
        .listen(format!("{}:0", own.ip()));
    let running = server.start().expect("it starts");
    assert_eq!(exchange(&running, "GET /metrics", "Host: shop-1.example", "").0, 200);
    assert_eq!(exchange(&running, "GET /vars", "Host: shop-1.example", "").0, 403);
    assert_eq!(exchange(&running, "GET /vars", "", "").0, 403);
}

#[test]
fn a_page_that_changes_something_is_not_opened_and_changes_nothing_for_strangers() {
    let page = || {
        Page::new("stock", "shelves", |_| Ok(View::new("Stock")))
            .change(|_| Ok(View::new("Stock").note("changed")))
    };
    for name in ["rpcz", "flags", "token", "stock"] {
        let server = Server::new().pages(Pages::default().page(page()).open(name)).listen("127.0.0.1:0");
        let error = server.start().err().expect(name).to_string();
        assert!(error.starts_with(&format!("pages.open({name:?}): ")), "{error}");
    }
    // the application may make a page for everyone; its changes stay here
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let server = Server::new().engine(&engine).pages(Pages::default().page(page().who(Who::Everyone)));
    let running = server.listen("127.0.0.1:0").start().expect("it starts");
    let fields = "Content-Type: application/x-www-form-urlencoded";
    let body = format!("token={}", token(&running));
    let remote = format!("Host: localhost|X-Forwarded-For: 10.0.0.1|{fields}");
    assert_eq!(exchange(&running, "GET /stock", "Host: shop.example|Via: 1.1 proxy", "").0, 200);
    assert_eq!(exchange(&running, "POST /stock", &remote, &body).0, 403);
    assert_eq!(exchange(&running, "POST /stock", &format!("Host: evil.example|{fields}"), &body).0, 421);
    let (status, answer) = exchange(&running, "POST /stock", &format!("Host: localhost|{fields}"), &body);
    assert!(status == 200 && answer.contains("changed"), "{answer}");
}
#[test]
fn protocols_tell_which_were_spoken_by_whom_and_which_were_not() {
    let (running, _) = start(Server::new().protocols(["http", "baidu_std", "nova_pbrpc"]));
    for _ in 0..3 {
        get(&running, "/version");
    }
    let row = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name));
        line.unwrap_or_else(|| panic!("{name}: {text}"))
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    // Who asks is one of them; the one before may still be ending.
    let looks = (4..200).map(|connections| (connections.to_string(), get(&running, "/protocols")));
    let mut looks = looks.inspect(|_| std::thread::sleep(std::time::Duration::from_millis(10)));
    let (_, text) =
        looks.find(|(expected, text)| row(text, "http")[2] == *expected).expect("all were counted");
    let http = row(&text, "http");
    assert_eq!((&*http[4], http.last().map(|last| &**last)), ("1", Some("127.0.0.1")), "{text}");
    assert_eq!(row(&text, "nova_pbrpc")[1..5], ["0", "0", "0", "0"], "{text}");
    assert!(text.contains("and no others: Server::protocols([\"http\"])"), "{text}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("hulu_pbrpc")), "switched off: {text}");
    let clients = get(&running, "/protocols/http");
    assert!(clients.lines().any(|line| line.trim_start().starts_with("127.0.0.1 ")), "{clients}");
    assert_eq!(exchange(&running, "GET /protocols/%3Cscript%3E", "", "").0, 404);
    // Without TLS, the page says so.
    assert!(get(&running, "/certificates").contains("This server has no TLS"));
}
