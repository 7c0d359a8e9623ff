//! Every page of a server, found by its own list and its own links, in every form and with whatever a
//! stranger sends: always an answer, bounded, with nothing of his as markup, and nothing is changed by GET.
//!
//! A page that is new is found without a change here: by the list of pages, and by links.

use polywire::{
    Engine, Handler, Method, Pages, Running, Server, Service, Started, Status,
    console::{Action, Column, Page, Table, View},
    flags::{Flag, Flags},
    handler::Call,
};
use std::{
    collections::{BTreeSet, VecDeque},
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// What a stranger would like a page to obey.
const EVIL: &str =
    "</title></script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u{1b}[2J\u{202e}";
/// The same as a part of an address.
const EVIL_ENCODED: &str = "%3C%2Ftitle%3E%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%27%3E%3Cimg%20src%3Dx%20onerror%3Dalert(2)%3E%1B%5B2J%E2%80%AE";
/// The same as a field of a request can carry it: without what ends a field.
const EVIL_FIELD: &str = "</title></script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
/// Addresses that are followed; more are no test of pages but of tables with many rows.
const MOST: usize = 400;
const LONGEST_ANSWER: usize = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(20);

const HTML: &str = "Accept: text/html|User-Agent: Mozilla/5.0";
const JSON: &str = "Accept: application/json";
const TEXT: &str = "User-Agent: curl/8.0";

/// Fails with a text of a peer.
struct Fails;
impl Handler for Fails {
    fn start(&self, _: Call) -> Started {
        Started::Ready(Status::internal(EVIL).into())
    }
}

/// A server with all that it can have, to which strangers have said what they could.
struct Target {
    running: Running,
    flags: Flags,
    changes: Arc<AtomicU32>,
}

impl Target {
    fn start() -> Target {
        let changes = Arc::new(AtomicU32::new(0));
        let counted = changes.clone();
        let stock = Page::new("stock", "what is on the shelves", |asked| {
            let table = Table::new("shelves", [Column::new("shelf").to("stock/")]).row(EVIL, [EVIL.into()]);
            let action = Action::new("stock", EVIL).field(EVIL, EVIL).lines("l", EVIL, 3);
            Ok(View::new(EVIL).note(asked.rest.clone()).fact(EVIL, EVIL).table(table).action(action))
        })
        .change(move |_| {
            counted.fetch_add(1, Relaxed);
            Ok(View::new("changed"))
        });
        let flags = Flags::new();
        flags.register(&Flag::new("batch", 64u64, "Rows at once")).expect("the first of this name");
        let engine = Engine::builder().shards(1).workers(2).build().expect("an engine");
        let service = Service::new("test.Shop", &[]).with(Method::new("Fail", || Box::new(Fails)));
        let server = Server::new()
            .engine(&engine)
            .service(service)
            .pages(Pages::default().flags(&flags).page(stock).page(polywire::console::why()));
        let server = server.listen("127.0.0.1:0");
        let target = Target { running: server.start().expect("it starts"), flags, changes };
        target.post("/rpcz/enable");
        for path in
            ["/test.Shop/Fail".to_owned(), format!("/test.Shop/{EVIL_ENCODED}"), format!("/{EVIL_ENCODED}")]
        {
            let fields = format!("User-Agent: {EVIL_FIELD}|X-Evil: {EVIL_FIELD}|Traceparent: {EVIL_FIELD}");
            target.send(&format!("POST {path}"), "localhost", &fields, EVIL);
        }
        target
    }

    /// A change, as its operator makes it.
    fn post(&self, path: &str) {
        let token = self.ask("GET /token", "localhost", TEXT, "").2;
        let fields = format!("X-Polywire-Token: {token}|Content-Type: application/x-www-form-urlencoded");
        let (status, ..) = self.ask(&format!("POST {path}"), "localhost", &fields, "");
        assert_eq!(status, 200, "{path}");
    }

    /// What is answered to a request with these fields, which `|` separates.
    fn send(&self, line: &str, host: &str, fields: &str, body: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.running.addresses()[0].to_string()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        let length = body.len();
        let fields = if fields.is_empty() { String::new() } else { fields.replace('|', "\r\n") + "\r\n" };
        let head = format!(
            "{line} HTTP/1.1\r\nHost: {host}\r\n{fields}Connection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all((head + body).as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer); // a refusal may reset what was not read
        answer
    }

    /// Status, head and body of the answer to a request. There always is one, soon, and it is bounded and
    /// harmless.
    fn ask(&self, line: &str, host: &str, fields: &str, body: &str) -> (u16, String, String) {
        let begun = Instant::now();
        let answer = self.send(line, host, fields, body);
        let what = format!("{line} {host} {fields}");
        assert!(begun.elapsed() < PATIENCE, "{what}: no end of the answer");
        assert!(answer.len() < LONGEST_ANSWER, "{what}: {} bytes", answer.len());
        let answer = String::from_utf8(answer).unwrap_or_else(|_| panic!("{what}: no text"));
        let (head, body) =
            answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{what}: no answer: {answer:?}"));
        let status = head.get(9..12).and_then(|number| number.parse().ok()).expect("a status");
        assert!((200..500).contains(&status), "{what}: {answer}");
        is_harmless(head, body, &what);
        (status, head.to_owned(), body.to_owned())
    }

    /// All that a stranger could have changed.
    fn state(&self) -> (usize, String, u32, bool) {
        let (_, _, flags) = self.ask("GET /flags", "localhost", TEXT, "");
        let (_, _, rpcz) = self.ask("GET /rpcz/stats", "localhost", TEXT, "");
        (self.flags.changes().len(), flags, self.changes.load(Relaxed), rpcz.contains("rpcz_enabled: 1"))
    }

    /// The paths of all pages, as the server lists them.
    fn pages(&self) -> Vec<String> {
        let (_, _, list) = self.ask("GET /-/index", "localhost", TEXT, "");
        let pages: Vec<_> = list
            .lines()
            .filter_map(|line| line.strip_prefix('/')?.split_whitespace().next().map(str::to_owned))
            .collect();
        assert!(pages.len() >= 10 && pages.iter().any(|page| page == "stock"), "{list}");
        pages
    }
}

/// No text of a stranger is markup, and no terminal obeys it.
fn is_harmless(head: &str, body: &str, what: &str) {
    let header = |name: &str| {
        head.lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
    };
    let kind = header("content-type").map_or("", |(_, value)| value);
    // What is refused before it is a request for a page is plain text.
    let is_page = kind.starts_with("text/html") || head.contains(" 200 ");
    assert!(
        !is_page
            || header("content-security-policy")
                .is_some_and(|(_, value)| value.starts_with("default-src 'none'")),
        "{what}: {head}"
    );
    assert!(!body.contains('\u{1b}') && !body.contains('\u{202e}'), "{what}: {body}");
    if kind.starts_with("text/html") {
        assert!(body.matches("<script").count() == 1 && !body.contains("<script>"), "{what}: {body}");
        assert!(!body.contains("<img") && body.matches("</title>").count() == 1, "{what}: {body}");
    } else if kind.starts_with("application/json") {
        assert!(!body.contains('<'), "{what}: {body}");
    } else {
        assert!(body.is_empty() || kind.starts_with("text/"), "{what}: {head}");
    }
}

/// The addresses that a page links to, from the root.
fn links(body: &str, path: &str) -> Vec<String> {
    let unescaped = |text: &str| text.replace("&amp;", "&").replace("&#39;", "'").replace("&quot;", "\"");
    body.split("<a")
        .skip(1)
        .filter_map(|tag| tag.split('>').next()?.split("href=\"").nth(1)?.split('"').next().map(unescaped))
        .filter(|link| !link.starts_with('#'))
        .map(|link| resolved(path, &link))
        .collect()
}

/// A link as a browser follows it.
fn resolved(from: &str, link: &str) -> String {
    let path = from.split('?').next().unwrap_or("");
    if link.starts_with('?') {
        return format!("{path}{link}");
    }
    let (link, query) =
        link.split_once('?').map_or((link, String::new()), |(link, query)| (link, format!("?{query}")));
    let mut parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => _ = parts.pop(),
            "." => {}
            part => parts.push(part),
        }
    }
    format!("/{}{query}", parts.join("/"))
}

#[test]
fn every_link_of_every_page_is_answered_in_every_form_and_changes_nothing() {
    let _alone = crate::alone();
    let target = Target::start();
    let before = target.state();
    let pages = target.pages();
    let mut queue: VecDeque<String> =
        pages.iter().flat_map(|page| [format!("/{page}"), format!("/-/{page}")]).collect();
    let mut seen: BTreeSet<String> = queue.iter().cloned().collect();
    let mut asked = 0;
    while let Some(path) = queue.pop_front() {
        asked += 1;
        if asked > MOST {
            break;
        }
        for fields in [TEXT, JSON] {
            let (status, head, _) = target.ask(&format!("GET {path}"), "localhost", fields, "");
            assert_eq!(status, 200, "{path} {fields}: {head}");
        }
        let (status, _, body) = target.ask(&format!("GET {path}"), "localhost", HTML, "");
        assert_eq!(status, 200, "{path}: {body}");
        for link in links(&body, &path) {
            if seen.insert(link.clone()) {
                queue.push_back(link);
            }
        }
    }
    assert!(asked > pages.len() * 2, "links were followed: {asked}");
    // a row whose key a stranger has chosen
    assert!(seen.iter().any(|path| path.starts_with("/stock/%3C/title%3E")), "{seen:?}");
    assert_eq!(target.state(), before);
}

#[test]
fn whatever_is_sent_to_a_page_is_answered_and_changes_nothing() {
    let _alone = crate::alone();
    let target = Target::start();
    let before = target.state();
    let long = "a=%41&".repeat(2000);
    let queries = [
        format!("?{EVIL_ENCODED}"),
        format!("?q={EVIL_ENCODED}&sort=-{EVIL_ENCODED}&after={EVIL_ENCODED}&n={EVIL_ENCODED}"),
        "?n=99999999999999999999&sort=&after=&q=%00%ff%zz&json&console=1".to_owned(),
        "?n=500&sort=-value&setvalue=1&enable=1&token=0&method=cancel&name=batch&value=1".to_owned(),
        format!("?{long}"),
        format!("/{EVIL_ENCODED}/{EVIL_ENCODED}"),
        "/../../..//%2e%2e/%00".to_owned(),
        "/enable".to_owned(),
        "/*;*$*".to_owned(),
    ];
    for page in target.pages() {
        for query in &queries {
            for form in [HTML, JSON, TEXT] {
                target.ask(&format!("GET /{page}{query}"), "localhost", form, "");
            }
        }
        for fields in [
            format!(
                "Accept: {EVIL_FIELD}|User-Agent: {EVIL_FIELD}|Referer: {EVIL_FIELD}|Cookie: {EVIL_FIELD}"
            ),
            format!("Accept: text/html|Origin: {EVIL_FIELD}"),
            format!(
                "Accept: text/html|X-Forwarded-For: {EVIL_FIELD}|Forwarded: {EVIL_FIELD}|Via: {EVIL_FIELD}"
            ),
            format!("Accept: text/html|Sec-Fetch-Site: {EVIL_FIELD}|Content-Type: {EVIL_FIELD}"),
            format!(
                "Accept: text/html|X-Polywire-Token: {EVIL_FIELD}|X-HTTP-Method-Override: POST|X-Method-Override: POST"
            ),
        ] {
            target.ask(&format!("GET /{page}"), "localhost", &fields, "");
            target.ask(&format!("GET /-/{page}"), "localhost", &fields, EVIL);
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:1:2", "[::1"]
        {
            let (status, ..) = target.ask(&format!("GET /{page}"), host, HTML, "");
            // that of a broken name may be wrong to the parser already
            let open = page == "health";
            assert!(
                if open { status < 500 } else { status == 421 || status == 400 },
                "{page} {host}: {status}"
            );
        }
        for (kind, body) in [
            ("application/x-www-form-urlencoded", "token=0&name=batch&value=1"),
            ("application/x-www-form-urlencoded", "%00=%ff&&&===&token"),
            ("application/json", "{\"token\":\"0\",\"name\":\"batch\",\"value\":\"1\"}"),
            ("application/json", "[[[[[[[[[[[["),
            ("text/plain", "token=0"),
            ("multipart/form-data; boundary=x", "--x--"),
        ] {
            for verb in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "EVIL"] {
                let line = format!("{verb} /{page}");
                let answer = target.send(&line, "localhost", &format!("Content-Type: {kind}"), body);
                assert!(
                    answer.starts_with(b"HTTP/1.1 "),
                    "{line} {kind}: {:?}",
                    String::from_utf8_lossy(&answer)
                );
            }
        }
    }
    assert_eq!(target.state(), before);
}
