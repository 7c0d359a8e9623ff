//! Methods that answer with streams, called by stubs over plain HTTP: by rule, as gateways answer.

use super::{
    channel,
    library::{LibraryClient, WatchBookRequest},
    noting, start,
};
use polywire::{Channel, Code, Server, Status, Streaming, StreamingCall};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

type Watched = StreamingCall<Streaming<super::library::Book>>;

fn watch(count: i32) -> WatchBookRequest {
    WatchBookRequest { name: "shelves/1/books/2".into(), count }
}

/// The titles that come, and how the stream ends.
async fn titles(call: Watched) -> (Vec<String>, Result<(), Status>) {
    let mut books = match call.await {
        Ok(books) => books,
        Err(status) => return (Vec::new(), Err(status)),
    };
    let mut titles = Vec::new();
    while let Some(book) = books.next().await {
        match book {
            Ok(book) => titles.push(book.title),
            Err(status) => return (titles, Err(status)),
        }
    }
    (titles, Ok(()))
}

#[tokio::test]
async fn a_stub_calls_by_the_rule_of_its_method() {
    let (running, log) = noting();
    for protocol in ["http", "h2"] {
        let library = LibraryClient::new(channel(&running, protocol).await);
        let (found, ended) = titles(library.watch_book(watch(2))).await;
        ended.unwrap();
        assert_eq!(found, ["shelves/1/books/2 0", "shelves/1/books/2 1"]);
        assert_eq!(log.take(), ["GET /v1/shelves/1/books/2:watch?count=2"]);
        let torn = WatchBookRequest { name: "shelves/1/books/torn".into(), count: 1 };
        let (found, ended) = titles(library.watch_book(torn)).await;
        assert_eq!((found.len(), ended.unwrap_err().message()), (1, "a page is missing"));
        let status = titles(library.watch_book(watch(-1))).await.1.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::OutOfRange, "less than none"));
        log.take();
        let nameless = WatchBookRequest { name: "pens/1".into(), count: 1 };
        let status = titles(library.watch_book(nameless)).await.1.unwrap_err();
        let text = format!("{protocol}: field name is \"pens/1\", which does not fit");
        assert!(status.message().starts_with(&text), "{status}");
        assert!(log.take().is_empty(), "nothing was sent");
    }
    running.stop().await;
}

#[tokio::test]
async fn other_channels_call_by_name() {
    let (running, log) = noting();
    let address = running.addresses()[0].to_string();
    let by_name = Channel::builder(address).protocol("http").http_rules(false).build().unwrap();
    for channel in [by_name, channel(&running, "grpc").await] {
        let (found, ended) = titles(LibraryClient::new(channel).watch_book(watch(1))).await;
        assert_eq!((found.len(), ended.is_ok()), (1, true));
        assert_eq!(log.take(), ["POST /library.v1.Library/WatchBook"]);
    }
    running.stop().await;
}

/// What a stub reads from a server that answers with this content type and this body, after this status line.
async fn read(status: &str, content_type: &str, body: &str) -> (Vec<String>, Result<(), Status>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let library = LibraryClient::new(Channel::builder(address).protocol("http").build().unwrap());
    let serve = async {
        let (mut peer, _) = listener.accept().await.unwrap();
        let mut sent = Vec::new();
        while !sent.windows(4).any(|end| end == b"\r\n\r\n") {
            assert!(peer.read_buf(&mut sent).await.unwrap() > 0, "the head ends");
        }
        let sent = String::from_utf8(sent).unwrap().to_ascii_lowercase();
        assert!(sent.contains("accept: application/jsonl"), "{sent}");
        let head = format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked");
        let answer = format!("{head}\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        peer.write_all(answer.as_bytes()).await.unwrap();
        peer // open until the call has ended
    };
    tokio::join!(serve, titles(library.watch_book(watch(2)))).1
}

#[tokio::test]
async fn what_gateways_answer_is_read() {
    // The rule says that the reply is the field `title`.
    let grpc_gateway = "{\"result\":\"a\"}\n{\"result\":\"b\"}\n";
    for (content_type, body) in [
        ("application/json", grpc_gateway),
        ("application/json; charset=utf-8", "[\"a\",\n\"b\"]"),
        ("application/x-ndjson", "\"a\"\n\"b\"\n"),
        ("text/event-stream", "data: \"a\"\n\ndata: \"b\"\n\n"),
    ] {
        let (found, ended) = read("200 OK", content_type, body).await;
        ended.unwrap_or_else(|status| panic!("{content_type}: {status}"));
        assert_eq!(found, ["a", "b"], "{content_type}");
    }
}

#[tokio::test]
async fn the_failures_of_gateways_are_read() {
    let error = "{\"error\":{\"code\":15,\"message\":\"a page is missing\",\"details\":[]}}\n";
    let after_a_message = format!("{{\"result\":\"a\"}}\n{error}");
    for (status, body, messages) in
        [("200 OK", &*after_a_message, 1), ("500 Internal Server Error", error, 0)]
    {
        let (found, ended) = read(status, "application/json", body).await;
        let failed = ended.expect_err(status);
        assert_eq!((failed.code(), failed.message()), (Code::DataLoss, "a page is missing"), "{status}");
        assert_eq!(found.len(), messages, "{status}");
    }
    let (found, ended) = read("200 OK", "application/json", "{\"result\":7}\n").await;
    assert!(found.is_empty());
    assert!(ended.unwrap_err().message().contains("title"), "a reply that is none");
    let (_, ended) = read("200 OK", "text/html", "<p>").await;
    let text = ended.unwrap_err().message().to_owned();
    let begin = "GET /v1/shelves/1/books/2:watch?count=2 was answered with text/html, ";
    assert!(text.starts_with(begin), "{text}");
}

#[tokio::test]
async fn a_request_that_fails_before_its_stream_begins_is_answered_as_others() {
    let running = start(Server::new());
    let channel = channel(&running, "http").await;
    let asked = super::ask(&channel, "GET", "/v1/shelves/1/books/2:watch?count=-1", "").await;
    assert_eq!(asked.unwrap_err(), r#"{"code":11,"message":"less than none","details":[]}"#);
    running.stop().await;
}
