//! `gateway`: schemas of the page `/protobufs`, as servers of brpc have it.

use super::{ECHO, Gateway, settings};
use crate::support::{Folder, Server, run};
use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    thread,
};

/// What protobuf itself prints: see the folder.
const PAGE: &str = include_str!("../../../../codecs/formats/src/schema/debug_string/golden/page.txt");

/// The answer of a page to the rest of its path, with status and body.
type Answer = fn(&str) -> (u16, String);

/// As a server of brpc shows it.
fn of_brpc(name: &str) -> (u16, String) {
    let mut all = PAGE.split("=== ").skip(1).map(|one| one.split_once('\n').expect("a line"));
    match name {
        "" => (200, all.map(|(name, _)| format!("{name}\n")).collect()),
        name => all
            .find(|(known, _)| *known == name)
            .map_or((404, String::new()), |(_, text)| (200, text.to_owned())),
    }
}

/// A server that has this page and nothing else; it hangs up on what is not HTTP/1.1. It is there until the
/// tests end.
fn page(answer: Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answered(stream, answer));
        }
    });
    address
}

fn answered(mut stream: TcpStream, answer: Answer) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    loop {
        let line = lines.next()?.ok()?;
        let path = line.strip_prefix("GET ")?.strip_suffix(" HTTP/1.1")?;
        while !lines.next()?.ok()?.is_empty() {}
        let path = path.split('?').next()?.strip_prefix("/protobufs").unwrap_or("/none");
        let (status, body) = answer(path.trim_start_matches('/'));
        let length = body.len();
        let reply =
            format!("HTTP/1.1 {status} x\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\n\r\n");
        stream.write_all(reply.as_bytes()).ok()?;
        stream.write_all(body.as_bytes()).ok()?;
    }
}

fn to(address: &str) -> Gateway {
    Gateway::with(&["--to", &format!("baidu_std://{address}"), "--listen", "127.0.0.1:0"])
}

#[test]
fn one_line_lets_clients_of_http_call_a_server_of_brpc_in_json() {
    let behind = Server::with(&["--listen", "127.0.0.1:0", "--protocols", "baidu_std,http"]);
    let mut gateway = to(&behind.address);
    let said = gateway.says();
    assert!(said.starts_with("schemas of to: guessed from the page /protobufs, "), "{said}");
    gateway.call("http", ECHO, &[]).succeeds();
    gateway.call("connect", ECHO, &[]).succeeds();
    // Reflection is better where it is offered.
    let behind = Server::start();
    let said = to(&behind.address).says();
    assert!(said.starts_with("schemas of to: by reflection, "), "{said}");
}

#[test]
fn the_page_of_protobuf_itself_is_read_and_what_is_none_is_told_why() {
    let said = to(&page(of_brpc)).says();
    assert_eq!(said, "schemas of to: guessed from the page /protobufs, 2 services, 6 methods");
    let cases: [(Answer, &str); 8] = [
        (
            |_| (404, String::new()),
            "the servers have no page /protobufs, so that messages in JSON are refused",
        ),
        (|_| (403, "no".to_owned()), "the page /protobufs of the servers: PERMISSION_DENIED"),
        (|_| (200, "<html></html>".to_owned()), "it is no list of names"),
        (|_| (200, String::new()), "no service is on it"),
        (|_| (200, "a.B\n".repeat(10_001)), "it has more than 10000 names"),
        (
            |name| (200, if name.is_empty() { "a.B".to_owned() } else { "message C { }".to_owned() }),
            "definition of a.B",
        ),
        (|name| if name.is_empty() { (200, "a.B".to_owned()) } else { (404, String::new()) }, "a.B: "),
        (|_| (200, "x".repeat(5 << 20)), "the page /protobufs of the servers: "),
    ];
    for (answer, why) in cases {
        let said = to(&page(answer)).complains();
        assert!(
            said.starts_with("polywire: schemas of to: reflection failed: ") && said.contains(why),
            "{said}"
        );
    }
}

/// The server does not speak the protocol of the calls, so that one whose method is known fails later.
#[test]
fn call_asks_the_page_too() {
    let server = page(of_brpc);
    let call = |method: &str| run(&["call", "-s", &server, method, "-d", r#"{"sku":"a"}"#]);
    let known = call("shop.v1.Stock/Get").exits(1).stderr;
    assert!(!known.contains("unknown method"), "{known}");
    assert!(call("shop.v1.Stock/Sell").exits(2).stderr.contains("unknown method"));
}

/// Each may be short: together they are not.
#[test]
fn a_page_is_read_up_to_its_limits() {
    let long: Answer = |name| match name {
        "" => (200, (0..8).map(|k| format!("a.M{k}\n")).collect()),
        name => (200, format!("message {} {{ {} }}", &name[2..], " ".repeat(3 << 20))),
    };
    let said = to(&page(long)).complains();
    assert!(said.contains("its definitions are too long"), "{said}");
    let many: Answer = |name| match name {
        "" => (200, "a.M".to_owned()),
        _ => (200, format!("message M {{ {} }}", "int32 a=1;".repeat(100_001))),
    };
    let said = to(&page(many)).complains();
    assert!(said.contains("more than 100000 fields"), "{said}");
}

#[test]
fn the_file_says_how_servers_are_asked_and_mcpack_is_not_translated_by_a_guess() {
    let behind = Server::with(&["--listen", "127.0.0.1:0", "--protocols", "baidu_std,http"]);
    let folder = Folder::new("gateway-protobufs");
    let with = |schemas: &str| {
        let text = settings("127.0.0.1:0", &behind, &behind, &[("\"*\"", "second")]);
        text.replace("balancer = \"rr\"\n", &format!("balancer = \"rr\"\nschemas = {schemas}\n"))
    };
    for schemas in ["\"protobufs\"", "[\"reflection\", \"protobufs\"]"] {
        let file = folder.write("gateway.toml", &with(schemas));
        let mut gateway = Gateway::with(&[&file]);
        let said = gateway.says();
        assert!(said.starts_with("schemas of second: guessed from the page /protobufs, "), "{said}");
        gateway.call("http", ECHO, &[]).succeeds();
        // Another way of asking is taken with the next file, and forgets nothing.
        folder.write("gateway.toml", &with("\"reflection\""));
        gateway.reload();
        assert!(gateway.says().contains("read again"));
        assert!(gateway.complains().contains("schemas of second: reflection failed"));
        gateway.call("http", ECHO, &[]).succeeds();
    }
    let mcpack = |schemas: &str| {
        let text = with(schemas)
            .replace("listen = \"127.0.0.1:0\"", "listen = \"127.0.0.1:0\"\nprotocols = [\"ubrpc_mcpack2\"]");
        run(&["gateway", "explain", &folder.write("mcpack.toml", &text), ECHO]).succeeds().stdout
    };
    assert!(mcpack("\"protobufs\"").contains("refused: no schema"));
    assert!(!mcpack("\"reflection\"").contains("refused: no schema"));
    let wrong = folder.write("wrong.toml", &with("[\"protobufs\", \"/none.proto\"]"));
    let said = run(&["gateway", "check", &wrong]).exits(2).stderr;
    assert!(said.contains("\"protobufs\" asks the servers: files are not beside it"), "{said}");
}
