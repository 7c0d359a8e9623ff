//! What pages in browsers can do to a server that the browser can reach: nothing, unless the server allows
//! it.

use polywire::{
    Content, Engine, Handler, IoBuf, Method, Origins, Running, Server, Service, Started,
    handler::{Call, Outcome},
};
use polywire_engine::Fault;
use polywire_wire::Date;
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, SystemTime},
};

/// Reports that it ran.
struct Ran;

impl Handler for Ran {
    fn start(&self, _: Call) -> Started {
        let outcome =
            Outcome { body: IoBuf::from("ran"), content: Content::RAW, reply: true, ..Outcome::default() };
        Started::Ready(outcome)
    }
}

fn method(name: &'static str) -> Method {
    Method::new(name, || Box::new(Ran))
}

/// `Set` changes something, `Get` does not, `Put` has a path of its own.
fn service() -> Service {
    let service = Service::new("shop.Items", &[]).with(method("Set")).with(method("Get")).with(method("Put"));
    let service = service.method("Get", |get| get.no_side_effects(true));
    service.restful("PUT|DELETE /items/* => Put")
}

fn start(server: Server) -> Running {
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    server.service(service()).engine(&engine).listen("127.0.0.1:0").start().expect("it starts")
}

/// The status and the body of the reply to a request with these fields.
fn exchange(running: &Running, line: &str, fields: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let length = if line.starts_with("POST") || line.starts_with("PUT") { "Content-Length: 2|" } else { "" };
    let body = if length.is_empty() { "" } else { "{}" };
    let fields = if fields.is_empty() { String::new() } else { format!("{fields}|") };
    let head = format!("{line} HTTP/1.1|{fields}Connection: close|{length}|").replace('|', "\r\n");
    stream.write_all((head + body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    (answer[9..12].parse().expect("a status"), answer)
}

fn status(running: &Running, line: &str, fields: &str) -> u16 {
    exchange(running, line, fields).0
}

fn count(running: &Running, fault: Fault) -> u64 {
    running.faults().count(fault)
}

const EVIL: &str = "Host: 127.0.0.1|Origin: http://evil.example";
const REBOUND: &str = "Host: evil.example:8000|Origin: http://evil.example:8000";

/// Requests that a browser sends without a preflight, and the preflight for the others.
#[test]
fn pages_of_other_origins_reach_no_method() {
    let running = start(Server::new());
    for (n, fields) in [
        "",
        "|Content-Type: text/plain",
        "|Content-Type: application/x-www-form-urlencoded",
        "|Content-Type: application/json",
        "|Content-Type: application/grpc-web+proto",
        "|Connect-Protocol-Version: 1|Content-Type: application/json",
        "|Sec-Fetch-Site: cross-site",
    ]
    .into_iter()
    .enumerate()
    {
        let (status, answer) = exchange(&running, "POST /shop.Items/Set", &format!("{EVIL}{fields}"));
        let text = "pages of this origin may not call: say Origins::allow(..)";
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        if fields.contains("grpc-web") {
            assert!(status == 200 && head.contains("\r\ngrpc-status: 7\r\n"), "{answer}");
            assert!(head.contains(&format!("\r\ngrpc-message: {text}")) && body.is_empty(), "{answer}");
        } else if fields.contains("Connect") {
            assert_eq!(body, format!("{{\"code\":\"permission_denied\",\"message\":\"{text}\"}}"));
            assert_eq!(status, 403, "{fields}: {answer}");
        } else {
            assert_eq!((status, body), (403, text), "{fields}: {answer}");
        }
        assert_eq!(count(&running, Fault::ForeignPage), n as u64 + 1, "{fields}");
    }
    let preflight = format!("{EVIL}|Access-Control-Request-Method: POST");
    let (status_of, answer) = exchange(&running, "OPTIONS /shop.Items/Set", &preflight);
    assert_eq!(status_of, 403, "{answer}");
    assert!(!answer.contains("access-control-allow-origin"), "{answer}");
    // An image on another page sends no origin.
    assert_eq!(status(&running, "GET /shop.Items/Get", "Host: 127.0.0.1|Sec-Fetch-Site: cross-site"), 403);
    assert_eq!(status(&running, "GET /no/such/path", EVIL), 403, "nobody is told what is there");
    assert_eq!(count(&running, Fault::UnknownHost), 0);
}

#[test]
fn programs_and_pages_of_the_own_origin_do() {
    let running = start(Server::new());
    for fields in [
        "Host: anything.example",
        "Host: 127.0.0.1:8000|Content-Type: application/x-www-form-urlencoded", // curl -d
        "Host: 127.0.0.1:8000|Origin: http://127.0.0.1:8000",
        "Host: shop.example|Origin: https://shop.example|Sec-Fetch-Site: same-origin",
    ] {
        assert_eq!(status(&running, "POST /shop.Items/Set", fields), 200, "{fields}");
    }
}

#[test]
fn only_post_reaches_a_method_that_changes_something() {
    let running = start(Server::new());
    let host = "Host: 127.0.0.1";
    for (line, expected) in [
        ("POST /shop.Items/Set", 200),
        ("GET /shop.Items/Set", 405),
        ("HEAD /shop.Items/Set", 405),
        ("DELETE /shop.Items/Set", 405),
        ("OPTIONS /shop.Items/Set", 204),
        ("OPTIONS *", 204),
        ("GET /shop.Items/Get", 200),
        ("HEAD /shop.Items/Get", 200),
        ("POST /shop.Items/Get", 200),
        ("PATCH /shop.Items/Get", 405),
        ("QUERY /shop.Items/Get", 501),
        ("get /shop.Items/Get", 501),
        ("PUT /items/1", 200),
        ("DELETE /items/1", 200),
        ("POST /items/1", 405),
        ("OPTIONS /items/1", 204),
        ("GET /health", 200),
        ("PUT /health", 405),
        ("GET /health/", 200),
    ] {
        let (status, answer) = exchange(&running, line, host);
        assert_eq!(status, expected, "{line}: {answer}");
        assert_eq!(answer.contains("\r\nAllow: "), expected != 200, "{line}: {answer}");
    }
    let (_, answer) = exchange(&running, "GET /items/1", host);
    assert!(answer.contains("\r\nAllow: PUT, DELETE\r\n"), "{answer}");
}

/// A proxy before the server that allows or forbids some paths compares them literally.
#[test]
fn a_path_with_an_empty_part_leads_nowhere() {
    let running = start(Server::new());
    for line in
        ["GET //health", "POST //shop.Items/Set", "POST /shop.Items//Set", "PUT //items/1", "PUT /items//1"]
    {
        assert_eq!(status(&running, line, "Host: 127.0.0.1"), 404, "{line}");
    }
}

/// The owner of a name has pointed it to this machine: for a browser, calls of its pages are same-origin.
#[test]
fn a_name_that_was_pointed_here_opens_nothing() {
    let running = start(Server::new());
    assert_eq!(status(&running, "POST /shop.Items/Set", REBOUND), 403);
    assert_eq!(count(&running, Fault::UnknownHost), 1);
    assert_eq!(status(&running, "GET /version", "Host: evil.example:8000"), 421);
    for host in ["Host: localhost:8000", "Host: 127.0.0.1:8000", "Host: [::1]"] {
        assert_eq!(status(&running, "GET /version", host), 200, "{host}");
    }
    assert_eq!(status(&running, "GET /health", "Host: evil.example"), 200, "everybody may know that");
    // Its GETs contain no origin, but a browser sends the language of its user.
    let get = |host| status(&running, "GET /shop.Items/Get", host);
    assert_eq!(get("Host: evil.example:8000|Accept-Language: en"), 403);
    assert_eq!(get("Host: evil.example:8000|Accept-Language: *"), 403, "a page can say so, too");
    assert_eq!(count(&running, Fault::UnknownHost), 3);
    assert_eq!(get("Host: localhost:8000|Accept-Language: en"), 200);
    assert_eq!(get("Host: [::1]:8000|Accept-Language: *"), 200);
    assert_eq!(get("Host: evil.example:8000"), 200, "a program");

    let running = start(Server::new().origins(Origins::default().host("shop.example")));
    let named = "Host: shop.example:8000|Origin: http://shop.example:8000";
    assert_eq!(status(&running, "POST /shop.Items/Set", named), 200);
    assert_eq!(status(&running, "GET /version", "Host: shop.example"), 200);
    assert_eq!(status(&running, "GET /shop.Items/Get", "Host: shop.example"), 200);
    assert_eq!(status(&running, "GET /shop.Items/Get", "Host: evil.example"), 403);
    assert_eq!(status(&running, "POST /shop.Items/Set", "Host: evil.example"), 403);
    assert_eq!(count(&running, Fault::UnknownHost), 2);
}

#[test]
fn origins_that_are_named_may_call() {
    let running = start(Server::new().origins(Origins::default().allow("http://evil.example")));
    let (answered, answer) = exchange(&running, "POST /shop.Items/Set", EVIL);
    assert_eq!(answered, 200);
    assert!(answer.contains("access-control-allow-origin: http://evil.example\r\n"), "{answer}");
    let preflight = format!("{EVIL}|Access-Control-Request-Method: POST");
    assert_eq!(status(&running, "OPTIONS /shop.Items/Set", &preflight), 204);
    assert_eq!(status(&running, "POST /shop.Items/Set", "Host: 127.0.0.1|Origin: http://other.example"), 403);
}

/// Caches of browsers use it (RFC 9111 4.2.3).
#[test]
fn replies_and_refusals_have_the_date_of_the_servers_clock() {
    let running = start(Server::new());
    for (line, expected) in
        [("POST /shop.Items/Get", 200), ("GET /health", 200), ("GET /nothing", 404), ("GET bad", 400)]
    {
        let before = SystemTime::now();
        let (status, answer) = exchange(&running, line, "Host: localhost");
        let after = SystemTime::now();
        assert_eq!(status, expected, "{answer}");
        let mut possible = (0..).map(|seconds| before + Duration::from_secs(seconds));
        let last = Date::of(after);
        let found = loop {
            let date = Date::of(possible.next().expect("without end"));
            let text = std::str::from_utf8(date.as_bytes()).expect("ASCII");
            if answer.contains(&format!("\r\nDate: {text}\r\n")) {
                break true;
            }
            if date == last {
                break false;
            }
        };
        assert!(found, "{before:?} to {after:?}: {answer}");
    }
}
