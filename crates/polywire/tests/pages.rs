//! Pages at a server's port: who gets them, in which forms, and what a stranger can do with them: nothing.

use polywire::{
    Channel, Engine, Handler, Method, Running, Server, Service, Started, Status, Target,
    console::{Access, Action, Column, Page, Table, Value, View, Who},
    flags::{Flag, Flags, Origin, Registered},
    handler::Call,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

const HOSTILE: &str = "<script>alert(1)</script>\"'&\x1b[2J\u{202e}";

/// A server with a page that shows hostile text and counts its changes.
fn start(server: Server) -> (Running, Arc<AtomicU32>) {
    let changes = Arc::new(AtomicU32::new(0));
    let counted = changes.clone();
    let stock = Page::new("stock", "what is on the shelves", |asked| {
        if asked.rest == "none" {
            return Err(Status::not_found(format!("no shelf {}", asked.rest)));
        }
        let table = Table::new("shelves", [Column::new("shelf"), Column::new("age")])
            .row("a", [HOSTILE.into(), Value::Seconds(2.5)]);
        Ok(View::new("Stock")
            .note(asked.rest.clone())
            .fact("items", 12_u64)
            .table(table)
            .action(Action::new("stock", "Clear")))
    })
    .change(move |asked| {
        counted.fetch_add(1, Relaxed);
        Ok(View::new("Stock").note(format!("cleared {}", asked.fields.get("shelf").unwrap_or("all"))))
    });
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let running = server.engine(&engine).page(stock).listen("127.0.0.1:0").start().expect("it starts");
    (running, changes)
}

/// The status and all of the answer to a request with these fields, which `|` separates.
fn exchange(running: &Running, line: &str, fields: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let fields = if fields.is_empty() { "Host: localhost".into() } else { fields.to_owned() };
    let head = format!("{line} HTTP/1.1|{fields}|Connection: close|Content-Length: {}||", body.len());
    stream.write_all((head.replace('|', "\r\n") + body).as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer); // a refusal may reset what was not read
    let answer = String::from_utf8(answer).expect("text");
    (answer.get(9..12).unwrap_or("0").parse().expect("a status"), answer)
}

fn get(running: &Running, path: &str) -> String {
    let (status, answer) = exchange(running, &format!("GET {path}"), "", "");
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

fn token(running: &Running) -> String {
    get(running, "/token").split_once("\r\n\r\n").expect("a body").1.to_owned()
}

#[test]
fn a_page_of_the_application_has_text_and_json_of_one_snapshot() {
    let (running, _) = start(Server::new());
    for path in ["/stock/a%20b", "/-/stock/a%20b"] {
        let text = get(&running, path);
        assert!(text.contains("\r\n\r\n# Stock\n# a b\nitems: 12\n# shelves: 1 of 1 shown\n"), "{text}");
        assert!(text.contains("<script>alert(1)</script>\"'&\\u{1b}[2J\\u{202e}"), "{text}");
        let json = get(&running, &format!("{path}?json"));
        assert!(json.contains("Content-Type: application/json"), "{json}");
        assert!(json.contains(r#""val":{"facts":{"items":12}},"tab":{"shelves":{"cols":["shelf","age"],"rows":[["a",0,"\u003cscript>"#), "{json}");
    }
    assert!(get(&running, "/").contains("/stock      what is on the shelves\n"));
    assert!(get(&running, "/-/").contains("/stock      what is on the shelves\n"));
    assert_eq!(exchange(&running, "GET /stock/none", "", "").0, 404);
    assert_eq!(exchange(&running, "GET /-/nothing", "", "").0, 404);
}

#[test]
fn texts_of_brpcs_pages_stay_as_they_are() {
    let (running, _) = start(Server::new().version("1.2"));
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
    let (running, _) = start(Server::new().cross_origin("https://other.example"));
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
    let (running, _) = start(Server::new().cross_origin("https://other.example"));
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
        let server = Server::new().page(page("stock")).page(page(path)).listen("127.0.0.1:0");
        let error = server.start().err().expect(path).to_string();
        assert!(error.starts_with(&format!("page({path:?}): ")), "{error}");
    }
}

#[test]
fn a_browser_gets_a_page_whose_only_scripts_have_the_nonce_of_the_answer() {
    let (running, _) = start(Server::new());
    const BROWSER: &str = "Host: localhost|Accept: text/html,*/*;q=0.8|User-Agent: Mozilla/5.0";
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

/// `/metrics` is for a Prometheus on another machine, or behind a proxy, under whatever name it knows the server.
#[test]
fn an_opened_page_is_read_from_everywhere_and_no_other_page_is() {
    let (running, _) = start(Server::new().open_page("metrics").open_page("index"));
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
        assert!(text.contains("\npolywire_server_call_duration_seconds_count{"), "{text}");
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
    let (running, _) = start(Server::new().page(page));
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
    let (running, changes) = start(Server::new().host("shop.example").pages_auth(move |cx| {
        counted.fetch_add(1, Relaxed);
        match cx.metadata().get_str("authorization") {
            Some("act") => Access::Act,
            Some("read") => Access::Read,
            _ => Access::None,
        }
    }));
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
    let (running, changes) = start(Server::new().open_page("version").pages_on("127.0.0.1:0"));
    // the server of these tests listens first at the address of its pages, then at that of its services
    let addresses: Vec<String> = running.addresses().iter().map(ToString::to_string).collect();
    assert_eq!(addresses.len(), 2);
    let (pages, services) = (0, 1);
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
    let server = Server::new().engine(&engine).open_page("metrics").listen(format!("{}:0", own.ip()));
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
        let server = Server::new().page(page()).open_page(name).listen("127.0.0.1:0");
        let error = server.start().err().expect(name).to_string();
        assert!(error.starts_with(&format!("open_page({name:?}): ")), "{error}");
    }
    // the application may make a page for everyone; its changes stay here
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let server = Server::new().engine(&engine).page(page().who(Who::Everyone));
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

const BROWSER: &str = "Host: localhost|Accept: text/html,*/*;q=0.8|User-Agent: Mozilla/5.0";

/// Never answers.
struct Hold;
impl Handler for Hold {
    fn start(&self, _: Call) -> Started {
        Started::Future(Box::pin(std::future::pending()))
    }
}

/// A method of which one call may be under way, and one whose name is none for a flag.
fn holding() -> Service {
    let mut hold = Method::new("Hold", || Box::new(Hold));
    hold.max_concurrency(1);
    Service::new("test.Holding", &[]).with(hold).with(Method::new("<script>\x1b[2J", || Box::new(Hold)))
}

/// A flag of an application whose value is any text.
struct Motto(std::sync::Mutex<String>);
impl Registered for Motto {
    fn name(&self) -> &str {
        "motto"
    }
    fn help(&self) -> &str {
        "what is said"
    }
    fn allowed(&self) -> String {
        "a text".into()
    }
    fn default(&self) -> String {
        String::new()
    }
    fn value(&self) -> String {
        self.0.lock().expect("no panic").clone()
    }
    fn is_fixed(&self) -> bool {
        false
    }
    fn check(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn store(&self, text: &str) -> Result<(), String> {
        *self.0.lock().expect("no panic") = text.to_owned();
        Ok(())
    }
    fn tell(&self) {}
}

/// A server with the flags `batch` and `motto` beside its own.
fn with_flags() -> (Running, Flags, Flag<u64>) {
    let batch = Flag::new("batch", 64u64, "Rows that are written at once").range(1..=1000);
    let flags = Flags::new();
    flags.register(&batch).expect("the first of this name");
    flags.add(Motto(Default::default())).expect("the first of this name");
    (start(Server::new().service(holding()).flags(&flags)).0, flags, batch)
}

/// The status and answer to a form with these fields and the token.
fn change(running: &Running, path: &str, fields: &str) -> (u16, String) {
    let form = format!(
        "Host: localhost|Content-Type: application/x-www-form-urlencoded|X-Polywire-Token: {}",
        token(running)
    );
    exchange(running, &format!("POST {path}"), &form, fields)
}

#[test]
fn flags_are_listed_by_name_in_three_forms() {
    let (running, flags, _) = with_flags();
    let head = "Name | Value | Description | Defined At\n---------------------------------------\n";
    let batch =
        "batch (R) | 64 | Rows that are written at once | a whole number (u64), at least 1, at most 1000\n";
    for path in ["/flags/batch", "/-/flags/b*", "/flags/ba$ch;none", "/flags/batch,"] {
        assert!(get(&running, path).ends_with(&format!("\r\n\r\n{head}{batch}")), "{}", get(&running, path));
    }
    let all = get(&running, "/flags");
    assert!(all.ends_with(&flags.table("")), "{all}");
    // those of the server, of its methods but not of its pages, and of names that can be those of flags
    for name in ["max_concurrency", "max_concurrency/test.Holding/Hold", "drain_limit", "immutable_flags"] {
        assert!(all.contains(&format!("\n{name} (R) | ")), "{name}: {all}");
    }
    assert_eq!(all.matches("\nmax_concurrency").count(), 2, "{all}");
    let one = get(&running, "/flags/max_concurrency/test.Holding/Hold?json");
    assert!(
        one.contains(
            r#""rows":[["max_concurrency/test.Holding/Hold",0,"max_concurrency/test.Holding/Hold","1","1","#
        ),
        "{one}"
    );
    let html = exchange(&running, "GET /flags", BROWSER, "").1;
    assert!(html.contains("href=\"flags/max_concurrency/test.Holding/Hold\""), "{html}");

    assert_eq!(change(&running, "/flags", "name=batch&value=128&for=600").0, 200);
    let json = get(&running, "/flags/batch?json");
    assert!(json.contains(r#"["batch",0,"batch","128","64","Rows that are written at once","#), "{json}");
    assert!(json.contains("\"console from 127.0.0.1:"), "{json}");
    assert!(get(&running, "/flags/batch").contains("batch (R) | 128 (default:64) | "));
    // nothing, and words that say so
    assert!(get(&running, "/flags/x*").ends_with(head));
    assert!(get(&start(Server::new()).0, "/flags").contains("Server::flags(..)"));
}

#[test]
fn get_never_sets_a_flag_and_post_only_with_the_token() {
    let (running, flags, batch) = with_flags();
    let (own, other) = (token(&running), token(&start(Server::new()).0));
    const FORM: &str = "Host: localhost|Content-Type: application/x-www-form-urlencoded";
    let with = |token: &str| format!("{FORM}|X-Polywire-Token: {token}");
    let set = "name=batch&value=128";
    for (status, line, fields, body) in [
        (405, "GET /flags/batch?setvalue=128", with(&own), ""),
        (405, "GET /-/flags/batch?setvalue=128&withform", with(&own), ""),
        (405, "HEAD /flags/batch?setvalue=128", with(&own), ""),
        (200, "GET /flags?name=batch&value=128", with(&own), ""),
        (200, "GET /flags/batch?value=128", with(&own), ""),
        (200, "GET /flags", with(&own), set),
        (403, "POST /flags", FORM.to_owned(), set),
        (403, "POST /flags", with(&other), set),
        (403, "POST /flags", with(""), set),
        (403, "POST /flags/batch?setvalue=128", FORM.to_owned(), set),
        (403, "POST /flags", format!("{}|Origin: http://evil.example", with(&own)), set),
        (403, "POST /flags", format!("{}|X-Forwarded-For: 10.0.0.1", with(&own)), set),
        (421, "POST /flags", with(&own).replace("localhost", "evil.example"), set),
    ] {
        let (answered, answer) = exchange(&running, line, &fields, body);
        assert_eq!(answered, status, "{line} {fields}: {answer}");
    }
    assert_eq!((batch.get(), flags.changes().len()), (64, 0));

    let (status, answer) = change(&running, "/flags", set);
    assert!(status == 200 && answer.contains("# batch: 64 → 128\n"), "{answer}");
    let fields = format!("Host: localhost|Content-Type: application/json|X-Polywire-Token: {own}");
    let json = r#"{"name":"batch","value":256,"for":600}"#;
    let (status, answer) = exchange(&running, "POST /-/flags?json", &fields, json);
    assert!(
        status == 200
            && answer.contains(r#""facts":{"flag":"batch","old":"128","value":"256","goes_back_in":"#),
        "{answer}"
    );
    assert_eq!((batch.get(), flags.changes().len()), (256, 2));
    assert!(flags.goes_back_in("batch").is_some_and(|time| time.as_secs() > 590));
    let by = flags.last_change("batch").expect("two changes").origin;
    assert!(by.who == "console" && by.from.starts_with("127.0.0.1:"), "{by:?}");
}

#[test]
fn a_wrong_change_of_a_flag_is_refused_in_the_words_of_its_validator() {
    // Each server takes ten changes a second.
    let (running, flags, batch) = with_flags();
    let refused_by = |running: &Running, fields: &str, status: u16, words: &str| {
        let (answered, answer) = change(running, "/flags", fields);
        assert!(answered == status && answer.contains(words), "{fields}: {answer}");
    };
    let refused = |fields: &str, status, words: &str| refused_by(&running, fields, status, words);
    refused("name=batch&value=0", 400, "cannot set batch to \"0\": it has to be at least 1, at most 1000");
    refused("name=batch&value=many", 400, "it has to be a whole number (u64)");
    refused(&format!("name=batch&value={}", "1".repeat(1025)), 400, "more than 1024 bytes");
    refused("name=max_concurrency&value=automatic", 400, "write a number, unlimited, auto");
    refused("name=bacth&value=1", 404, "did you mean batch?");
    refused("value=1", 400, "the field name");
    refused("name=batch", 400, "the field value");
    let (timed, _, _) = with_flags();
    for time in ["0", "-1", "1.5", "31536001", "99999999999999999999", "ten"] {
        let fields = format!("name=batch&value=1&for={time}");
        refused_by(&timed, &fields, 400, "for has to be a number of seconds");
    }
    assert_eq!((batch.get(), flags.changes().len()), (64, 0));
    let origin = Origin::new("the test", "here");
    flags.set("immutable_flags", "true", &origin).expect("it can be set once");
    refused("name=batch&value=1", 403, "immutable_flags is on");
    refused("name=immutable_flags&value=false", 403, "immutable_flags is on");
    assert_eq!(batch.get(), 64);
    for (path, words) in [("/flags/bacth", "did you mean batch?"), ("/flags/%00", "no flag is called")] {
        let (status, answer) = exchange(&running, &format!("GET {path}"), "", "");
        assert!(status == 404 && answer.contains(words), "{answer}");
    }
}

#[test]
fn hostile_names_and_values_of_flags_are_shown_and_obeyed_by_nobody() {
    let (running, flags, _) = with_flags();
    let hostile = "%3Cscript%3Ealert(1)%3C%2Fscript%3E%22'%26%1b%5B2J%E2%80%AE%0A";
    let is_harmless = |answer: &str, what: &str| {
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(!body.contains('\x1b') && !body.contains('\u{202e}'), "{what}: {body}");
        if head.contains("text/html") {
            assert!(body.matches("<script").count() <= 1 && !body.contains("<script>"), "{what}: {body}");
        }
        if head.contains("json") {
            assert!(!body.contains('<'), "{what}: {body}");
        }
    };
    let (status, answer) = change(&running, "/flags", &format!("name=motto&value={hostile}"));
    assert_eq!(status, 200, "{answer}");
    is_harmless(&answer, "the answer as text");
    assert_eq!(flags.find("motto").expect("it").value(), HOSTILE.to_owned() + "\n", "it is kept as it is");
    let token = token(&running);
    for (path, fields) in
        [("/flags", "Host: localhost"), ("/flags?json", "Host: localhost"), ("/flags", BROWSER)]
    {
        for path in [path.to_owned(), path.replace("/flags", "/flags/motto")] {
            let (status, answer) = exchange(&running, &format!("GET {path}"), fields, "");
            assert!(status == 200 && answer.contains("alert(1)"), "{path}: {answer}");
            is_harmless(&answer, &path);
        }
        // as a name: in the address and in the form
        let (status, answer) = exchange(
            &running,
            &format!("GET {}", path.replace("/flags", &format!("/flags/{hostile}"))),
            fields,
            "",
        );
        assert_eq!(status, 404, "{answer}");
        is_harmless(&answer, path);
        let form =
            format!("{fields}|Content-Type: application/x-www-form-urlencoded|X-Polywire-Token: {token}");
        for (expected, body) in [
            (404, format!("name={hostile}&value=1")),
            (400, format!("name=batch&value={hostile}")),
            (400, format!("name=batch&value=1&for={hostile}")),
        ] {
            let (status, answer) = exchange(&running, &format!("POST {path}"), &form, &body);
            assert_eq!(status, expected, "{answer}");
            is_harmless(&answer, path);
        }
    }
    // a pattern that costs much with every flag
    let long = "*a".repeat(600);
    assert_eq!(exchange(&running, &format!("GET /flags/{long}"), "", "").0, 400);
    assert_eq!(exchange(&running, &format!("GET /flags/{}", &long[..1024]), "", "").0, 200);
}

#[test]
fn a_set_of_flags_has_the_limits_of_one_server() {
    let (_running, flags, _) = with_flags();
    let error = Server::new().flags(&flags).listen("127.0.0.1:0").start().err().expect("they are taken");
    assert!(error.to_string().contains("there are two flags \"max_concurrency\""), "{error}");
}

#[test]
fn limits_say_what_they_have_refused_and_change_by_their_flags() {
    let (running, _, _) = with_flags();
    let quiet = get(&running, "/limits");
    assert!(quiet.contains("\n# Nothing was refused since the start.\n"), "{quiet}");
    let call = |line: &str| {
        let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
        let head =
            format!("{line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        stream
    };
    let row = |now: u32, refused: u32| {
        format!(r#"["max_concurrency/test.Holding/Hold",1,"test.Holding/Hold","1",{now},1,1,{refused},null]"#)
    };
    let _held = call("POST /test.Holding/Hold");
    let shown = |expected: &str| {
        let arrived = (0..1000).any(|_| get(&running, "/limits?json").contains(expected));
        assert!(arrived, "{expected}: {}", get(&running, "/limits?json"));
    };
    shown(&row(1, 0));
    let (status, _) = exchange(&running, "POST /test.Holding/Hold", "", "");
    assert_eq!(status, 503);
    shown(&row(1, 1));
    let json = get(&running, "/limits?json");
    assert!(
        json.contains(r#"["concurrency test.Holding/Hold",0,"concurrency","test.Holding/Hold",1]"#),
        "{json}"
    );
    // a peer whose bytes are no request
    let mut garbage = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    garbage.write_all(&[0xff; 64]).expect("it reads");
    let _ = garbage.read_to_end(&mut Vec::new());
    shown(r#"["fault_malformed",0,"fault_malformed",1]"#);

    let html = exchange(&running, "GET /limits", BROWSER, "").1;
    assert!(html.contains("href=\"flags/max_concurrency/test.Holding/Hold\""), "{html}");
    assert!(!html.contains("<script>") && !html.contains('\x1b'), "{html}");
    assert!(!get(&running, "/limits").contains('\x1b'));
    let (status, answer) = change(&running, "/flags", "name=max_concurrency/test.Holding/Hold&value=2");
    assert_eq!(status, 200, "{answer}");
    shown(r#""test.Holding/Hold","2",1,2,1,1,null]"#);
}

/// The facts of every channel of the process, whoever made it: here one of which no server answers, and one that answers.
#[test]
fn why_tells_of_all_channels_of_the_process_and_of_one() {
    let (running, _) = start(Server::new().page(polywire::console::why()));
    let closed = || std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let (one, other) = (closed(), closed());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let own = running.addresses()[0].to_string();
    let gone = format!("list://{one},{other}");
    let (dead, alive) = runtime.block_on(async {
        let dead = Channel::builder(&gone).protocol("baidu_std").balancer("rr").build().expect("a channel");
        let alive = Channel::builder(&own).protocol("baidu_std").build().expect("a channel");
        let failed = dead.call(Target::fixed("shop.Orders", "Pla\u{202e}ce").at(0), Vec::new()).await;
        assert!(failed.is_err());
        let _ = alive.call(Target::fixed("shop.Orders", "Place").at(0), Vec::new()).await; // no such service
        (dead, alive)
    });

    let text = get(&running, "/why");
    let finding = format!("# ■ Channel {gone} can choose none of its 2 servers: 127.0.0.1:");
    assert!(text.contains(&finding), "{text}");
    assert!(!text.contains(&format!("Channel {own} ")), "what is well is no finding: {text}");
    let line = |text: &str, parts: &[&str]| {
        text.lines().any(|line| parts.iter().all(|part| line.split_whitespace().any(|word| word == *part)))
    };
    assert!(line(&text, &["■", &gone, "baidu_std", "rr"]), "{text}");
    assert!(line(&text, &[&own, "baidu_std"]), "{text}");
    assert!(line(&text, &["▲", &one.to_string()]) && line(&text, &["▲", &other.to_string()]), "{text}");
    assert!(line(&text, &["shop.Orders/Pla\\u{202e}ce"]), "its tries: {text}");

    // the number that leads to one channel
    let json = get(&running, "/why?json");
    let row = json.split("[\"").find(|row| row.contains(&format!("\"{gone}\","))).expect(&json);
    let id = row.split('"').next().expect("a key");
    let page = get(&running, &format!("/why/{id}?console=0"));
    assert!(page.contains("<table data-t=\"servers\"") && page.contains("href=\"../why/"), "{page}");
    assert!(page.contains(&one.to_string()), "{page}");
    let leads = |to: &str| page.matches(&format!("href=\"../why/{to}")).count();
    assert!(leads("") == leads(&format!("{id}\"")), "to no other channel: {page}");
    assert!(page.contains("Pla\\u{202e}ce") && !page.contains('\u{202e}'), "{page}");
    for none in ["/why/999999", "/why/x", "/why/-1", &format!("/why/{id}/x")] {
        assert_eq!(exchange(&running, &format!("GET {none}"), "", "").0, 404, "{none}");
    }
    assert_eq!(exchange(&running, "GET /why", "Host: localhost|Via: 1.1 proxy", "").0, 403);

    // a channel that is gone is not told of
    drop((dead, alive, runtime));
    let text = get(&running, "/why");
    assert!(!text.contains(&gone), "{text}");
}

#[test]
fn events_tell_what_has_changed_newest_first() {
    let (running, ..) = with_flags();
    let address = running.addresses()[0].to_string();
    assert_eq!(change(&running, "/flags", "name=batch&value=128").0, 200);
    assert_eq!(change(&running, "/flags", "name=motto&value=%3Cscript%3E%1b[2J").0, 200);
    assert_eq!(change(&running, "/flags", "name=batch&value=9999").0, 400);
    let text = get(&running, "/events");
    let line = |what: &str| text.lines().position(|line| line.contains(what));
    let (started, batch) = (line(&format!("listening at {address}")), line("batch: 64 → 128"));
    let motto = line("motto:  → <script>\\u{1b}[2J");
    assert!(motto < batch && batch < started && started.is_some() && motto.is_some(), "{text}");
    assert!(!text.contains("9999") && text.contains("console from 127.0.0.1:"), "{text}");
    // the newest are on the first page, and harmless there
    let html = exchange(&running, "GET /", BROWSER, "").1;
    assert!(html.contains("batch: 64 → 128") && !html.contains("<script>\\u"), "{html}");
    assert!(html.contains("motto:  → &lt;script&gt;"), "{html}");
    assert!(html.len() < 30_000, "{} bytes", html.len());
    drop(running);
    // of all servers of the process
    let (other, _) = start(Server::new());
    assert!(get(&other, &format!("/events?q={address}")).contains("listening at"), "{address}");
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
