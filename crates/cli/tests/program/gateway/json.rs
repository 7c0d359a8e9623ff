//! `gateway`: JSON for servers of protobuf, by their schemas.

use super::{ECHO, Gateway, settings};
use crate::support::{Folder, Server, counted, run};
use std::{fs, io::Read, io::Write, net::TcpStream};

const ECHOED: &str = "{\"message\":\"x\"}";

/// What a client of HTTP gets that asks so, with these further fields: status and body.
fn ask(address: &str, request: &str, fields: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = format!("{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{fields}\r\n");
    stream.write_all(&[head.as_bytes(), body].concat()).expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("text");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no status in {head}")), body.to_owned())
}

/// The same of one that posts this body. The fields are those of `curl -d`.
fn post(address: &str, path: &str, body: &[u8]) -> (u16, String) {
    let fields = format!(
        "User-Agent: curl/8.5.0\r\nAccept: */*\r\nContent-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n",
        body.len()
    );
    ask(address, &format!("POST {path}"), &fields, body)
}

#[test]
fn one_line_lets_clients_of_http_call_a_server_of_grpc_in_json() {
    let behind = Server::start();
    let to = format!("grpc://{}", behind.address);
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    assert!(gateway.says().starts_with("schemas of to: by reflection, "));
    let post = |path: &str, body: &str| post(&gateway.address, path, body.as_bytes());
    assert_eq!(post("/example.EchoService/Echo", ECHOED), (200, ECHOED.to_owned()));
    gateway.call("http", ECHO, &[]).succeeds();
    for protocol in ["grpc", "connect", "grpc-web", "baidu_std"] {
        gateway.call(protocol, ECHO, &[]).succeeds();
    }
    for (path, body, status, said) in [
        (
            "/example.EchoService/Echo",
            r#"{"message":1}"#,
            400,
            "is no example.EchoRequest: JSON at byte 12: message: not a string",
        ),
        ("/example.EchoService/Echo", r#"{"message":"#, 400, "is no example.EchoRequest: JSON at byte"),
        ("/example.EchoService/Echo", "message=x", 415, "neither JSON nor"),
        ("/example.EchoService/Ehco", "{}", 404, "the schema of example.EchoService has no method Ehco"),
        ("/example.Other/Echo", "{}", 404, "schema of example.Other is not known"),
    ] {
        let (found, text) = post(path, body);
        let text: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}"));
        let message = text["message"].as_str().unwrap_or_default();
        assert!(found == status && message.contains(said), "{path} {body}: {found} {text}");
    }
    // What is no path of a call is none here either.
    for path in ["/example.EchoService/Echo/", "/example.EchoService/%45cho", "//Echo", "/Echo"] {
        assert_eq!(post(path, "{}").0, 404, "{path}");
    }
    assert_eq!(counted(&behind), 6);
    drop(behind);
    let (status, text) = post("/example.EchoService/Echo", ECHOED);
    assert!(status == 503 && text.starts_with("{\"code\":14,"), "{status} {text}");
}

#[test]
fn a_stream_of_replies_is_json_by_lines() {
    let behind = Server::start();
    let to = format!("grpc://{}", behind.address);
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    gateway.says();
    let request = br#"{"message":"x","count":3}"#;
    let (status, body) = post(&gateway.address, "/example.StreamService/Repeat", request);
    assert_eq!((status, body.matches("{\"message\":\"x\"}\n").count()), (200, 3), "{body}");
    let (status, text) = post(&gateway.address, "/example.StreamService/Chat", b"{}");
    assert!(status == 404 && text.contains("plain HTTP cannot carry"), "{status} {text}");
}

const PROTO: &str = "syntax = \"proto3\"; package example;\n\
    message EchoRequest { string message = 1; }\nmessage EchoResponse { string message = 1; }\n\
    service EchoService { rpc Echo(EchoRequest) returns (EchoResponse); }\n";

#[test]
fn the_file_names_schemas_and_another_one_is_taken_with_the_next() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-schemas"));
    let with = |schemas: &str| {
        let text = settings("127.0.0.1:0", &a, &b, &[("\"*\"", "second")]);
        text.replace("balancer = \"rr\"\n", &format!("balancer = \"rr\"\nschemas = {schemas}\n"))
    };
    let proto = folder.write("echo.proto", &PROTO.replace("message = 1", "text = 1"));
    let file = folder.write("gateway.toml", &with(&format!("\"{}\"", folder.path("*.proto"))));
    let mut gateway = Gateway::with(&[&file]);
    assert_eq!(gateway.says(), "schemas of second: 1 service, 1 method");
    let post = |gateway: &Gateway, body: &str| post(&gateway.address, &format!("/{ECHO}"), body.as_bytes());
    assert_eq!(post(&gateway, r#"{"text":"x"}"#), (200, r#"{"text":"x"}"#.to_owned()));

    // A broken one changes nothing, and neither does one that is gone.
    fs::write(&proto, PROTO.replace("proto3", "proto4")).unwrap();
    gateway.reload();
    let said = gateway.complains();
    let place = format!("polywire: {file}:10:11: clusters.second.schemas: ");
    assert!(said.starts_with(&place) && said.contains("echo.proto"), "{said}");
    gateway.complains();
    assert_eq!(post(&gateway, r#"{"text":"x"}"#), (200, r#"{"text":"x"}"#.to_owned()));
    run(&["gateway", "check", &file]).exits(2);

    fs::write(&proto, PROTO).unwrap();
    gateway.reload();
    assert!(gateway.says().contains("read again"));
    assert_eq!(post(&gateway, ECHOED), (200, ECHOED.to_owned()));

    let broken = folder.write("broken.binpb", "\x0a");
    for (schemas, said) in [
        ("[]".to_owned(), "an empty list knows nothing"),
        ("\"/none.binpb\"".to_owned(), "/none.binpb: No such file"),
        ("\"/none/*.proto\"".to_owned(), "/none: No such file"),
        (format!("\"{}\"", folder.path("*.pb")), "*.pb: no such file"),
        (format!("\"{broken}\""), "broken.binpb: no descriptor set: "),
        ("1".to_owned(), "a text in quotes is meant here"),
    ] {
        let wrong = folder.write("wrong.toml", &with(&schemas));
        let all = run(&["gateway", "check", &wrong]).exits(2).stderr;
        assert!(all.contains(":10:11: clusters.second.schemas: ") && all.contains(said), "{schemas}: {all}");
        assert_eq!(all.lines().count(), 1, "{all}");
    }
}

#[test]
fn servers_are_asked_for_their_schemas_until_they_answer() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-reflection"));
    let to = format!("baidu_std://{}", behind.address);
    let proto = folder.write("echo.proto", PROTO);
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0", "--schemas", &proto]);
    assert_eq!(gateway.says(), "schemas of to: 1 service, 1 method");
    assert_eq!(post(&gateway.address, &format!("/{ECHO}"), ECHOED.as_bytes()), (200, ECHOED.to_owned()));
    run(&["gateway", "--to", &to, "--listen", "127.0.0.1:0", "--schemas", "/none.proto"]).exits(2);

    // Nobody listens yet, and no call waits for an answer.
    let socket = format!("unix:{}", folder.path("socket"));
    let to = format!("grpc://{socket}");
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    assert!(gateway.complains().contains("reflection failed"));
    let (status, text) = post(&gateway.address, &format!("/{ECHO}"), ECHOED.as_bytes());
    assert!(status == 404 && text.contains("reflection failed with UNAVAILABLE"), "{status} {text}");
    let _late = Server::with(&["--listen", &socket]);
    assert!(gateway.says().starts_with("schemas of to: by reflection, "));
    assert_eq!(post(&gateway.address, &format!("/{ECHO}"), ECHOED.as_bytes()), (200, ECHOED.to_owned()));
}

const READS: &str = "syntax = \"proto2\"; package example;\n\
    message EchoRequest { required string message = 1; }\n\
    message EchoResponse { required string message = 1; }\n\
    service EchoService {\n\
    rpc Echo(EchoRequest) returns (EchoResponse) { option idempotency_level = NO_SIDE_EFFECTS; }\n\
    rpc Other(EchoRequest) returns (EchoResponse);\n\
    }\n";

/// The same of a call of Connect in the address bar of a browser.
fn get(address: &str, method: &str) -> (u16, String) {
    let message = "%7B%22message%22%3A%22x%22%7D";
    ask(address, &format!("GET /{method}?connect=v1&encoding=json&message={message}"), "", b"")
}

#[test]
fn a_method_that_only_reads_by_its_schema_is_called_by_get() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-get"));
    let proto = folder.write("echo.proto", READS);
    let to = format!("grpc://{}", behind.address);
    let gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0", "--schemas", &proto]);
    assert_eq!(get(&gateway.address, ECHO), (200, ECHOED.to_owned()));
    assert_eq!(get(&gateway.address, "example.EchoService/Other").0, 405);
    assert_eq!(get(&gateway.address, "example.StreamService/Repeat").0, 405);
    assert_eq!(counted(&behind), 1);
}

#[test]
fn what_is_known_of_the_methods_is_listed_and_saved() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-schemas"));
    let proto = folder.write("echo.proto", READS);
    let cluster = |name: &str, servers: &str, schemas: &str| {
        format!("[clusters.{name}]\nprotocol = \"grpc\"\nservers = \"{servers}\"\n{schemas}\n")
    };
    let text = "[listeners.main]\nlisten = \"127.0.0.1:0\"\n".to_owned()
        + &cluster("files", "127.0.0.1:9", &format!("schemas = \"{proto}\""))
        + &cluster("asked", &behind.address, "schemas = \"reflection\"")
        + &cluster("none", "127.0.0.1:9", "")
        + "[[routes]]\nmatch = \"example.EchoService/Echo\"\nto = { files = 1, asked = 1, none = 1 }\n";
    let file = folder.write("gateway.toml", &text);
    let saved = folder.path("saved");
    let said = run(&["gateway", "schemas", &file, "--save", &saved]).succeeds().stdout;
    let rows = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let rows: Vec<_> = rows.collect();
    for row in [
        "files: 1 service, 2 methods, by files",
        "| example.EchoService/Echo | unary, no side effects | | example.EchoService/Echo |",
        "| example.EchoService/Other | unary | | none |",
        "| example.StreamService/Chat | streams both ways | | none |",
        "none: no `schemas`",
    ] {
        assert!(rows.iter().any(|line| line == row), "{row:?} is missing in\n{said}");
    }
    assert!(
        rows.iter().any(|line| line.starts_with("asked: ") && line.ends_with(" by reflection")),
        "{said}"
    );
    // What was saved is what the next file takes.
    for cluster in ["files", "asked"] {
        let text = text.replace(&proto, &format!("{saved}/{cluster}.binpb"));
        let file = folder.write("gateway.toml", &text);
        let said = run(&["gateway", "schemas", &file]).succeeds().stdout;
        assert!(said.contains("example.EchoService/Echo"), "{said}");
    }
    // Nothing is written beside the folder.
    let beside = folder.write("beside.toml", &text.replace("asked", "\"../asked\""));
    let said = run(&["gateway", "schemas", &beside, "--save", &saved]).exits(1).stderr;
    assert!(said.contains("is no name of a file"), "{said}");
    drop(behind);
    let said = run(&["gateway", "schemas", &file]).exits(1);
    assert!(said.stdout.contains("asked: not known, by reflection"), "{}", said.stdout);
}

#[test]
fn pages_call_over_websocket_where_that_is_said() {
    let behind = Server::start();
    let to = format!("grpc://{}", behind.address);
    let gateway =
        |protocols: &str| Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0", "--protocols", protocols]);
    let (with, without) = (gateway("connect,websocket"), gateway("connect"));
    let call = |gateway: &Gateway, method: &str, messages: &str| {
        run(&["call", "-s", &gateway.address, "-p", "websocket", method, "-d", messages])
    };
    let (one, two) = (r#"{"message":"one"}"#, r#"{"message":"two"}"#);
    assert_eq!(call(&with, ECHO, one).succeeds().stdout, format!("{one}\n"));
    let both = format!("{one}{two}");
    let said = call(&with, "example.StreamService/Chat", &both).succeeds().stdout;
    assert_eq!(said, format!("{one}\n{two}\n"));
    let said =
        call(&with, "example.StreamService/Repeat", r#"{"message":"one","count":2}"#).succeeds().stdout;
    assert_eq!(said, format!("{one}\n{one}\n"));
    let said = call(&with, "example.EchoService/None", one).exits(1).stderr;
    assert!(said.contains("has no method None"), "{said}");
    call(&without, ECHO, one).exits(1);
}
