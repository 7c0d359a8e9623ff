//! Streams over plain HTTP: JSON lines and server-sent events.

use crate::{
    support::{Closures, from_fn},
    talk::{Line, Talk, TalkClient},
};
use polywire::{Channel, Code, Origin, Running, Server, Status};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
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

/// A stub of `address`.
fn talk(address: &str, protocol: &str) -> TalkClient {
    TalkClient::new(Channel::builder(address).protocol(protocol).build().unwrap())
}

fn ask(text: &str, number: u32) -> Line {
    Line { text: text.into(), number }
}

#[tokio::test]
async fn streaming_calls_of_a_stub_are_refused_at_once_where_messages_do_not_stay_apart() {
    let running = serve();
    let all = &["Count", "Sum", "Chat"][..];
    for (protocol, refused) in [
        ("http", &all[1..]),
        ("http:proto", &all[1..]),
        ("h2", &all[1..]),
        ("h2:json", &all[1..]),
        ("sofa_pbrpc", all),
        ("hulu_pbrpc", all),
        ("zmtp", all),
    ] {
        let channel =
            Channel::builder(running.addresses()[0].to_string()).protocol(protocol).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        for method in refused {
            let status = match *method {
                "Count" => talk.count(Line::default()).await.err(),
                "Sum" => talk.sum().await.err(),
                _ => talk.chat().await.err(),
            };
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

const OVER_HTTP: [&str; 6] = ["http", "http:proto", "http:proto-json", "h2", "h2:json", "h2:proto-text"];

#[tokio::test]
async fn a_stub_reads_the_lines_of_a_streamed_answer() {
    let running = serve();
    let address = running.addresses()[0].to_string();
    for protocol in OVER_HTTP {
        let talk = talk(&address, protocol);
        for accept in [None, Some("application/x-ndjson"), Some("text/event-stream")] {
            for number in [0, 1, 300] {
                let call = talk.count(ask("", number));
                let call = if let Some(accept) = accept { call.metadata("accept", accept) } else { call };
                let mut lines = call.await.unwrap();
                assert_eq!(lines.metadata().get_str("x-counting"), Some("yes"));
                let content_type = accept.unwrap_or("application/jsonl");
                assert_eq!(lines.metadata().get_str("content-type"), Some(content_type), "{protocol}");
                for n in 1..=number {
                    assert_eq!(lines.next().await, Some(Ok(ask("a \"line\"\n", n))), "{protocol}");
                }
                assert_eq!(lines.next().await, None);
                assert_eq!(lines.next().await, None);
            }
        }
    }
}

/// The head and the first message of an answer come from another thread than the one that sends them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_message_of_an_answer_is_never_left_out() {
    let running = serve();
    let address = running.addresses()[0].to_string();
    for protocol in ["http", "h2", "grpc"] {
        let calls = (0..16).map(|_| {
            let talk = talk(&address, protocol);
            tokio::spawn(async move {
                for _ in 0..60 {
                    let mut messages = talk.count(ask("", 3)).await.unwrap();
                    for n in 1..=3 {
                        assert_eq!(messages.next().await, Some(Ok(ask("a \"line\"\n", n))), "{protocol}");
                    }
                }
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_stub_is_told_why_lines_broke_off() {
    let running = serve();
    let address = running.addresses()[0].to_string();
    for protocol in OVER_HTTP {
        for accept in ["application/jsonl", "text/event-stream"] {
            let talk = talk(&address, protocol);
            let mut lines = talk.count(ask("fail", 1)).metadata("accept", accept).await.unwrap();
            assert_eq!(lines.next().await, Some(Ok(ask("a \"line\"\n", 1))));
            let status = lines.next().await.expect("an end").unwrap_err();
            assert_eq!(
                (status.code(), status.message(), status.origin()),
                (Code::NotFound, "no \"more\"\n", Origin::Remote),
                "{protocol}"
            );
            assert_eq!(lines.next().await, None);
            let status = talk.count(ask("refuse", 1)).await.err().expect("refused");
            assert_eq!(status.code(), Code::NotFound, "{protocol}: {status}");
            assert!(status.message().contains("nobody counts that"), "{status}");
        }
    }
}

/// A foreign server: answers one request with these bytes. It closes the connection then, or waits for the
/// client to do so.
fn answer_with(bytes: String, closes: bool) -> (String, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = tokio::task::spawn_blocking(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let (mut request, mut piece) = (Vec::new(), [0; 1024]);
        while !request.ends_with(b"{}") {
            let n = socket.read(&mut piece).unwrap();
            request.extend_from_slice(&piece[..n]);
        }
        socket.write_all(bytes.as_bytes()).unwrap();
        if !closes {
            let _ = socket.read_to_end(&mut Vec::new());
        }
    });
    (address, serving)
}

#[tokio::test]
async fn answers_in_which_messages_do_not_stay_apart_are_refused_at_once() {
    for head in [
        "Content-Type: application/json\r\n",
        "Content-Type: application/jsonlines\r\n",
        "Content-Type: application/jsonl\r\nContent-Encoding: gzip\r\n",
        "",
    ] {
        let bytes = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n{head}\r\n2\r\n{{}}\r\n");
        let (address, serving) = answer_with(bytes, false);
        let status = talk(&address, "http").count(Line::default()).await.err().expect("refused");
        assert_eq!((status.code(), status.origin()), (Code::Unimplemented, Origin::Remote), "{status}");
        assert!(status.message().starts_with("talk.Talk/Count was answered with "), "{status}");
        serving.await.unwrap();
    }
}

#[tokio::test]
async fn lines_of_other_servers_are_read() {
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: ";
    let both = [Ok(ask("", 1)), Ok(ask("", 2))];
    for (body, good) in [
        ("application/x-ndjson; charset=utf-8\r\n\r\n{\"number\":1}\r\n\r\n{\"number\":2}", true),
        (
            "text/event-stream\r\n\r\n: hi\ndata: {\ndata: \"number\":1}\n\nid: 7\ndata: {\"number\":2}\n\n",
            true,
        ),
        ("application/jsonl\r\n\r\n{\"number\":1}\n{\"number\":\"x\"}\n{\"number\":2}\n", false),
    ] {
        let (address, serving) = answer_with(format!("{head}{body}"), true);
        let mut lines = talk(&address, "http").count(Line::default()).await.unwrap();
        assert_eq!(lines.next().await.as_ref(), Some(&both[0]));
        let second = lines.next().await.expect("a second");
        assert!(if good { second == both[1] } else { second.is_err() }, "{second:?}");
        assert_eq!(lines.next().await, None);
        serving.await.unwrap();
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
