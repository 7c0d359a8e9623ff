//! Streams over plain HTTP: JSON lines and server-sent events.

use crate::{
    support::{Closures, from_fn},
    talk::{Line, Talk, TalkClient},
};
use polywire::{Channel, Code, Origin, Running, Server, Status};
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

fn serve() -> Running {
    let service = Closures::default().count(|cx, request: Line| {
        if request.text == "refuse" {
            return Err(Status::not_found("nobody counts that"));
        }
        cx.reply_metadata("x-counting", "yes");
        let (mut n, fails) = (0, request.text == "fail");
        Ok(from_fn(move || {
            n += 1;
            match n {
                _ if n <= request.number => Some(Ok(Line { text: "a \"line\"\n".into(), number: n })),
                _ if fails => Some(Err(Status::not_found("no \"more\"\n"))),
                _ => None,
            }
        }))
    });
    Server::new().service(service.into_service()).listen("127.0.0.1:0").start().unwrap()
}

#[tokio::test]
async fn streaming_calls_of_a_stub_are_refused_at_once_where_messages_do_not_stay_apart() {
    let running = serve();
    for protocol in ["http", "http:proto", "h2", "h2:json", "sofa_pbrpc", "hulu_pbrpc", "zmtp"] {
        let channel =
            Channel::builder(running.addresses()[0].to_string()).protocol(protocol).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        for (method, status) in [
            ("Count", talk.count(Line::default()).await.err()),
            ("Sum", talk.sum().await.err()),
            ("Chat", talk.chat().await.err()),
        ] {
            let status = status.expect("refused");
            assert_eq!((status.code(), status.origin()), (Code::Unimplemented, Origin::Local), "{protocol}");
            let name = channel.protocol();
            let text = format!("{name} cannot carry the streaming method talk.Talk/{method}; these can: ");
            assert!(status.message().starts_with(&text), "{status}");
            assert!(status.message().contains("grpc"), "{status}");
        }
        assert_eq!(channel.connections_made(), 0);
    }
}

/// Head and body of the answer, and whether the body came to its end.
fn post(running: &Running, path: &str, fields: &str, body: &str) -> (String, String, bool) {
    let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let n = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {n}\r\n{fields}\r\n{body}"
    );
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let (head, mut rest) = answer.split_once("\r\n\r\n").unwrap();
    if !head.contains("chunked") {
        return (head.to_owned(), rest.to_owned(), true);
    }
    let mut body = String::new();
    while let Some((size, chunk)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        body.push_str(&chunk[..size]);
        if size == 0 {
            return (head.to_owned(), body, true);
        }
        rest = &chunk[size + 2..];
    }
    (head.to_owned(), body, false)
}

const COUNT: &str = "/talk.Talk/Count";

#[test]
fn a_stream_is_json_lines() {
    let running = serve();
    for (accept, content_type) in [
        ("", "application/jsonl"),
        ("Accept: */*\r\n", "application/jsonl"),
        ("Accept: text/html, application/x-ndjson;q=0.5\r\n", "application/x-ndjson"),
        ("Accept: application/jsonl\r\n", "application/jsonl"),
    ] {
        let (head, body, whole) = post(&running, COUNT, accept, r#"{"number":2}"#);
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(head.to_lowercase().contains(&format!("content-type: {content_type}\r\n")), "{head}");
        assert!(head.to_lowercase().contains("x-counting: yes"), "{head}");
        let lines =
            "{\"text\":\"a \\\"line\\\"\\n\",\"number\":1}\n{\"text\":\"a \\\"line\\\"\\n\",\"number\":2}\n";
        assert_eq!((&body[..], whole), (lines, true));
    }
}

#[test]
fn a_stream_is_server_sent_events_if_asked() {
    let running = serve();
    let (head, body, whole) = post(&running, COUNT, "Accept: text/event-stream\r\n", r#"{"number":1}"#);
    let head = head.to_lowercase();
    assert!(
        head.contains("content-type: text/event-stream") && head.contains("cache-control: no-cache"),
        "{head}"
    );
    assert_eq!((&body[..], whole), ("data: {\"text\":\"a \\\"line\\\"\\n\",\"number\":1}\n\n", true));
}

#[test]
fn a_stream_that_fails_says_so_in_its_last_line_and_breaks_off() {
    let running = serve();
    let body = r#"{"text":"fail"}"#;
    let (_, lines, whole) = post(&running, COUNT, "", body);
    let error = r#"{"code":"NOT_FOUND","message":"no \"more\"\u000a"}"#;
    assert_eq!((lines, whole), (format!("{{\"error\":{error}}}\n"), false));
    let (_, events, whole) = post(&running, COUNT, "Accept: text/event-stream\r\n", body);
    assert_eq!((events, whole), (format!("event: error\ndata: {error}\n\n"), false));
}

#[test]
fn a_handler_that_refuses_at_once_is_an_ordinary_failure() {
    let (head, body, whole) = post(&serve(), COUNT, "", r#"{"text":"refuse"}"#);
    assert!(head.starts_with("HTTP/1.1 404 ") && whole, "{head}");
    assert!(body.contains("nobody counts that"), "{body}");
}

#[test]
fn methods_that_take_a_stream_are_refused() {
    let running = serve();
    for (path, method) in [("/talk.Talk/Sum", "talk.Talk/Sum"), ("/talk.Talk/Chat", "talk.Talk/Chat")] {
        let (head, body, _) = post(&running, path, "", "{}");
        assert!(!head.starts_with("HTTP/1.1 200"), "{head}");
        assert_eq!(body, format!("{method} takes a stream of messages, which plain HTTP cannot carry"));
    }
}
