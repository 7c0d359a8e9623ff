//! Interceptors of a channel: before and after every call, whatever its protocol and kind.

use crate::talk::{Line, Talk, TalkClient};
use polywire::{
    CallEnd, CallStart, Channel, Code, Context, Interceptor, Origin, Reply, Running, Server, Status, Stream,
    Streaming, Target,
};
use polywire_machine_testing::Log;
use std::{
    io::{Read, Write},
    net::TcpListener,
    time::Duration,
};

struct Handler;

/// What the interceptors have added to the request.
fn stamps(cx: &Context) -> u32 {
    cx.metadata().iter().filter(|(name, _)| name.eq_ignore_ascii_case("x-stamp")).count() as u32
}

impl Talk for Handler {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        match &*request.text {
            "fail" => Err(Status::not_found("nobody says that")),
            "never" => std::future::pending().await,
            _ => Ok(Line { number: stamps(cx), ..request }.into()),
        }
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        let number = stamps(cx);
        let (sender, lines) = polywire::stream(1);
        cx.spawn(async move {
            if request.text == "refuse" {
                return Err(Status::aborted("no more"));
            }
            for _ in 0..request.number {
                sender.send(Line { number, ..Line::default() }).await?;
            }
            Ok(())
        });
        Ok(lines)
    }

    async fn sum(&self, cx: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        while incoming.next().await.transpose()?.is_some() {}
        Ok(Line { number: stamps(cx), ..Line::default() }.into())
    }

    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        Ok(incoming)
    }
}

/// Adds a field, and logs what it sees.
struct Stamp {
    name: &'static str,
    log: Log,
}

impl Interceptor for Stamp {
    fn before(&self, call: &mut CallStart<'_>) -> Result<(), Status> {
        if call.metadata().get_str("x-refuse") == Some(self.name) {
            return Err(Status::permission_denied("not that"));
        }
        self.log.add(format!("{}: {}/{}", self.name, call.service(), call.method()));
        assert_eq!(call.deadline().is_some(), call.method() == "Say");
        call.metadata_mut().append("x-stamp", self.name);
        call.set_extension(7u32);
        Ok(())
    }

    fn after(&self, call: &CallEnd<'_>) {
        assert_eq!((call.service(), call.extension()), ("talk.Talk", Some(&7u32)));
        assert!(call.elapsed() < Duration::from_secs(60));
        self.log.add(format!("{}: {} {}", self.name, call.method(), call.status().code()));
    }
}

fn serve() -> Running {
    Server::new().service(Handler.into_service()).listen("127.0.0.1:0").start().unwrap()
}

fn channel(address: String, protocol: &str, log: &Log) -> Channel {
    let channel = Channel::builder(address).protocol(protocol).timeout(Duration::from_secs(60));
    let stamp = |name| Stamp { name, log: log.clone() };
    channel.interceptor(stamp("a")).interceptor(stamp("b")).build().unwrap()
}

fn client(running: &Running, protocol: &str, log: &Log) -> TalkClient {
    TalkClient::new(channel(running.addresses()[0].to_string(), protocol, log))
}

fn line(text: &str, number: u32) -> Line {
    Line { text: text.into(), number }
}

/// What two interceptors log for a call.
fn around(method: &str, code: &str) -> [String; 4] {
    [
        format!("a: talk.Talk/{method}"),
        format!("b: talk.Talk/{method}"),
        format!("b: {method} {code}"),
        format!("a: {method} {code}"),
    ]
}

const UNARY: [&str; 8] = ["baidu_std", "sofa_pbrpc", "hulu_pbrpc", "http", "h2", "grpc", "connect", "zmtp"];

#[tokio::test]
async fn interceptors_see_awaited_calls() {
    let (running, log) = (serve(), Log::default());
    for protocol in UNARY {
        let talk = client(&running, protocol, &log);
        let reply = talk.say(line("hi", 0)).await.unwrap();
        if matches!(protocol, "baidu_std" | "http" | "h2" | "grpc" | "connect") {
            assert_eq!(reply.number, 2, "{protocol}"); // other protocols have no place for a request's fields
        }
        assert_eq!(log.take(), around("Say", "OK"), "{protocol}");
        assert!(talk.say(line("fail", 0)).await.is_err());
        assert_eq!(log.take(), around("Say", "NOT_FOUND"), "{protocol}");
    }
}

#[test]
fn interceptors_see_blocking_calls() {
    let (running, log) = (serve(), Log::default());
    for protocol in UNARY {
        let talk = client(&running, protocol, &log);
        talk.say(line("hi", 0)).blocking().unwrap();
        assert_eq!(log.take(), around("Say", "OK"), "{protocol}");
        assert!(talk.say(line("fail", 0)).blocking().is_err());
        assert_eq!(log.take(), around("Say", "NOT_FOUND"), "{protocol}");
    }
}

#[tokio::test]
async fn interceptors_see_streams_to_their_ends() {
    let (running, log) = (serve(), Log::default());
    for protocol in ["grpc", "baidu_std", "connect", "http", "h2"] {
        let talk = client(&running, protocol, &log);
        let mut lines = talk.count(line("", 2)).await.unwrap();
        for _ in 0..2 {
            assert_eq!(lines.next().await, Some(Ok(line("", 2))), "{protocol}");
        }
        assert_eq!(log.take(), around("Count", "OK")[..2], "{protocol}: it has not ended");
        assert_eq!(lines.next().await, None);
        assert_eq!(log.take(), around("Count", "OK")[2..], "{protocol}");
        let mut lines = talk.count(line("refuse", 2)).await.unwrap();
        let failed = lines.next().await.unwrap().unwrap_err();
        drop(lines);
        assert_eq!(log.take(), around("Count", failed.code().name()), "{protocol}");
        if !matches!(protocol, "grpc" | "baidu_std") {
            continue;
        }
        let mut sum = talk.sum().await.unwrap();
        sum.send(line("", 1)).await.unwrap();
        assert_eq!(sum.finish().await.unwrap().number, 2);
        assert_eq!(log.take(), around("Sum", "OK"), "{protocol}");
        let mut chat = talk.chat().await.unwrap();
        chat.send(line("", 1)).await.unwrap();
        assert_eq!(chat.next().await, Some(Ok(line("", 1))));
        chat.finish();
        assert_eq!(chat.next().await, None);
        assert_eq!(log.take(), around("Chat", "OK"), "{protocol}");
    }
}

#[tokio::test]
async fn interceptors_see_calls_that_are_given_up() {
    let (running, log) = (serve(), Log::default());
    let talk = client(&running, "grpc", &log);
    let limited = tokio::time::timeout(Duration::from_millis(1), talk.say(line("never", 0)));
    assert!(limited.await.is_err());
    assert_eq!(log.take(), around("Say", "CANCELLED"));
    drop(talk.chat().await.unwrap());
    assert_eq!(log.take(), around("Chat", "CANCELLED"));
    drop(talk.sum().await.unwrap());
    assert_eq!(log.take(), around("Sum", "CANCELLED"));
    let raw = channel(running.addresses()[0].to_string(), "grpc", &log);
    drop(raw.stream(Target::fixed("talk.Talk", "Chat")).await.unwrap());
    assert_eq!(log.take(), around("Chat", "CANCELLED"));
    drop(talk.say(line("hi", 0)));
    assert_eq!(log.take(), [""; 0], "it was never sent");
}

#[tokio::test]
async fn a_call_that_is_refused_is_not_sent() {
    let (running, log) = (serve(), Log::default());
    let talk = client(&running, "baidu_std", &log);
    let refused = talk.say(line("hi", 0)).metadata("x-refuse", "b").await.unwrap_err();
    assert_eq!((refused.code(), refused.message()), (Code::PermissionDenied, "not that"));
    assert_eq!(log.take(), ["a: talk.Talk/Say", "a: Say PERMISSION_DENIED"]);
    let refused = talk.say(line("hi", 0)).metadata("x-refuse", "a").await.unwrap_err();
    assert_eq!((refused.code(), log.take()), (Code::PermissionDenied, Vec::new()));
    let refused = talk.count(line("hi", 0)).metadata("x-refuse", "b").await.err().unwrap();
    assert_eq!(refused.code(), Code::PermissionDenied);
    assert_eq!(log.take(), ["a: talk.Talk/Count", "a: Count PERMISSION_DENIED"]);
}

/// A server of gRPC that answers the first request on one connection with these frames, whatever it is.
fn answer_with(frames: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket.read_exact(&mut [0; 24]).unwrap(); // the preface
        socket.write_all(&frame(SETTINGS, 0, 0, b"")).unwrap();
        loop {
            let mut head = [0; 9];
            socket.read_exact(&mut head).unwrap();
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            socket.read_exact(&mut vec![0; length as usize]).unwrap();
            if head[3] == HEADERS {
                break;
            }
        }
        socket.write_all(&frames).unwrap();
        while socket.read(&mut [0; 4096]).is_ok_and(|n| n > 0) {}
    });
    address
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0, 0, payload.len() as u8, kind, flags, 0, 0, 0, stream];
    frame.extend_from_slice(payload);
    frame
}

/// Status 200, and these fields as literals.
fn head(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = vec![0x88];
    for (name, value) in fields {
        for text in [name, value] {
            if text == name {
                block.push(0);
            }
            block.push(text.len() as u8);
            block.extend_from_slice(text.as_bytes());
        }
    }
    block
}

#[tokio::test]
async fn an_empty_stream_that_ends_with_its_head_has_ended_well() {
    let log = Log::default();
    let fields = head(&[("content-type", "application/grpc"), ("grpc-status", "0")]);
    let address = answer_with(frame(HEADERS, END_STREAM | END_HEADERS, 1, &fields));
    let mut lines = TalkClient::new(channel(address, "grpc", &log)).count(line("", 0)).await.unwrap();
    assert_eq!(lines.next().await, None);
    assert_eq!(log.take(), around("Count", "OK"));
}

#[tokio::test]
async fn a_stream_whose_message_cannot_be_read_has_failed() {
    let log = Log::default();
    let mut frames = frame(HEADERS, END_HEADERS, 1, &head(&[("content-type", "application/grpc")]));
    frames.extend(frame(DATA, 0, 1, &[0, 0, 0, 0, 1, 0xff]));
    let mut lines =
        TalkClient::new(channel(answer_with(frames), "grpc", &log)).count(line("", 0)).await.unwrap();
    let failed = lines.next().await.unwrap().unwrap_err();
    assert_eq!(log.take(), around("Count", failed.code().name()));
    assert_eq!(lines.next().await, None);
    drop(lines);
    assert_eq!(log.take(), [""; 0]);
}

#[tokio::test]
async fn an_upload_that_is_dropped_after_it_failed_was_not_given_up() {
    let log = Log::default();
    let fields = head(&[("content-type", "application/grpc"), ("grpc-status", "5")]);
    let address = answer_with(frame(HEADERS, END_STREAM | END_HEADERS, 1, &fields));
    let mut sum = TalkClient::new(channel(address, "grpc", &log)).sum().await.unwrap();
    let failed = loop {
        if let Err(failed) = sum.send(line("", 1)).await {
            break failed;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(failed.code(), Code::NotFound, "{failed:?}");
    drop(sum);
    assert_eq!(log.take(), around("Sum", "NOT_FOUND"));
}

#[tokio::test]
async fn interceptors_see_calls_that_reach_nobody() {
    let log = Log::default();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for protocol in ["baidu_std", "grpc"] {
        let talk = TalkClient::new(channel(free.to_string(), protocol, &log));
        let failed = talk.say(line("hi", 0)).await.unwrap_err();
        assert_eq!(failed.origin(), Origin::Transport, "{failed:?}");
        assert_eq!(log.take(), around("Say", failed.code().name()), "{protocol}");
        // The second call fails without an attempt, during the backoff after a failure to connect.
        assert!(talk.say(line("hi", 0)).await.is_err());
        assert_eq!(log.take(), around("Say", failed.code().name()), "{protocol}");
        let failed = talk.count(line("hi", 0)).await.err().unwrap();
        assert_eq!(log.take(), around("Count", failed.code().name()), "{protocol}");
    }
}
