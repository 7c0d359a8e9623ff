//! How calls end, as middleware and access logs of their server see it: each once, in virtual time.

use crate::{
    frames::{DATA, END_STREAM, Frames, RST_STREAM},
    support::line,
    talk::{Line, Talk, TalkClient},
};
use polywire::{
    AccessLog, Channel, Code, Context, Ended, Engine, LogFormat, Next, Recording, Reply, Resilience, Running,
    Server, Status, Stream, Streaming,
};
use polywire_engine::transport::duplex;
use polywire_machine_testing::{Log, Written};
use std::{io, time::Duration};

const MINUTE: Duration = Duration::from_secs(60);

/// Does what it is asked for, or never ends.
struct Ways(Log);

impl Talk for Ways {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        match &*request.text {
            "ok" => Ok(request.into()),
            "fail" => Err(Status::not_found("nobody says that")),
            "panic" => panic!("as it was asked to"),
            "slow" => {
                tokio::time::sleep(MINUTE).await;
                panic!("later");
            }
            _ => {
                self.0.add("runs");
                std::future::pending().await
            }
        }
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        self.0.add("runs");
        let (sender, lines) = polywire::stream(1);
        cx.spawn(async move {
            sender.send(request.clone()).await?;
            match &*request.text {
                "ok" => Ok(()),
                "fail" => Err(Status::not_found("no more")),
                _ => std::future::pending().await,
            }
        });
        Ok(lines)
    }

    async fn sum(&self, _: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        self.0.add("runs");
        while incoming.next().await.transpose()?.is_some() {}
        Ok(Line::default().into())
    }

    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        self.0.add("runs");
        Ok(incoming)
    }
}

struct Net {
    log: Log,
    talk: TalkClient,
}

/// A server whose middleware logs the end of each call. Fields of a request have inner middleware refuse it,
/// or lose patience with it, or panic.
fn serve(log: &Log, recording: Recording) -> Running {
    let told = log.clone();
    let outer = move |cx: Context, next: Next| {
        let told = told.clone();
        next.on_end(move |status| told.add(status.code().to_string())).run(cx)
    };
    let told = log.clone();
    let inner = move |cx: Context, next: Next| {
        let asked = |field| cx.metadata().get_str(field).is_some();
        let (refuses, tires, panics) = (asked("x-refuse"), asked("x-tire"), asked("x-panic"));
        let told = told.clone();
        async move {
            if refuses {
                return Err(Status::permission_denied("not you"));
            }
            if panics {
                let _next = next.on_end(|_| panic!("no matter"));
                panic!("as it was asked to");
            }
            if tires {
                let rest = next.on_end(move |status| told.add(format!("inner {}", status.code()))).run(cx);
                let late = |_| Status::resource_exhausted("too long for me");
                return tokio::time::timeout(MINUTE, rest).await.map_err(late);
            }
            Ok::<Ended, Status>(next.run(cx).await)
        }
    };
    let service = Ways(log.clone()).into_service();
    let server = Server::new().service(service).middleware(outer).middleware(inner).recording(recording);
    server.engine(&Engine::here()).start_without_listener().unwrap()
}

/// Such a server, and a client of it.
fn net(protocol: &str, recording: Recording) -> Net {
    let log = Log::default();
    let running = serve(&log, recording);
    let channel = Channel::builder("there")
        .protocol(protocol)
        .timeout(60 * MINUTE)
        .resilience(Resilience::default().retries(0))
        .connector(move |_| {
            let (ours, theirs) = duplex("net", 1 << 20);
            running.serve_stream(theirs);
            std::future::ready(Ok::<_, io::Error>(ours))
        });
    Net { log, talk: TalkClient::new(channel.build().unwrap()) }
}

fn run(test: impl AsyncFn(&'static str), protocols: &[&'static str]) {
    for &protocol in protocols {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(test(protocol));
    }
}

impl Net {
    /// What the server has logged once nothing more happens by itself: a client of HTTP/1 closes connections
    /// of calls that it has given up a moment later.
    async fn seen(&self) -> Vec<String> {
        tokio::time::sleep(Duration::from_secs(5)).await;
        self.log.take()
    }
}

#[test]
fn the_end_of_every_call_is_seen_once() {
    let test = async |protocol: &'static str| {
        let net = net(protocol, Recording::default());
        let talk = &net.talk;
        for (text, code) in [("ok", "OK"), ("fail", "NOT_FOUND"), ("panic", "INTERNAL"), ("slow", "INTERNAL")]
        {
            let _ = talk.say(line(text)).await;
            assert_eq!(net.seen().await, [code], "{protocol}: {text}");
        }
        if protocol != "zmtp" {
            let _ = talk.say(line("ok")).metadata("x-refuse", "1").await;
            assert_eq!(net.seen().await, ["PERMISSION_DENIED"], "{protocol}");
            let _ = talk.say(line("ok")).metadata("x-panic", "1").await;
            assert_eq!(net.seen().await, ["INTERNAL"], "{protocol}");
            let _ = talk.say(line("never")).metadata("x-tire", "1").await;
            assert_eq!(net.seen().await, ["runs", "inner CANCELLED", "RESOURCE_EXHAUSTED"], "{protocol}");
        }
        let late = talk.say(line("never")).timeout(MINUTE).await.unwrap_err();
        assert_eq!(late.code(), Code::DeadlineExceeded, "{protocol}");
        assert_eq!(net.seen().await, ["runs", "DEADLINE_EXCEEDED"], "{protocol}");
        let left = tokio::time::timeout(MINUTE, talk.say(line("never")).timeout(3 * MINUTE).into_future());
        assert!(left.await.is_err(), "{protocol}");
        match protocol {
            "baidu_std" | "zmtp" => {
                // They have no message for it: the server waits until the deadline.
                assert_eq!(net.seen().await, ["runs"], "{protocol}");
                tokio::time::sleep(3 * MINUTE).await;
                assert_eq!(net.seen().await, ["DEADLINE_EXCEEDED"], "{protocol}");
            }
            _ => assert_eq!(net.seen().await, ["runs", "CANCELLED"], "{protocol}"),
        }
        drop(net.talk);
        tokio::time::sleep(MINUTE).await;
        assert_eq!(net.log.take(), [""; 0], "{protocol}: nothing twice");
    };
    run(test, &["baidu_std", "http", "grpc", "grpc-web", "connect", "zmtp"]);
}

#[test]
fn the_end_of_every_stream_is_seen_once() {
    let test = async |protocol: &'static str| {
        let net = net(protocol, Recording::default());
        let talk = &net.talk;
        for (text, code) in [("ok", "OK"), ("fail", "NOT_FOUND")] {
            let mut lines = talk.count(line(text)).await.unwrap();
            while let Some(Ok(_)) = lines.next().await {}
            assert_eq!(net.seen().await, ["runs", code], "{protocol}: {text}");
        }
        let mut lines = talk.count(line("never")).timeout(MINUTE).await.unwrap();
        while let Some(Ok(_)) = lines.next().await {}
        assert_eq!(net.seen().await, ["runs", "DEADLINE_EXCEEDED"], "{protocol}");
        let mut lines = talk.count(line("never")).await.unwrap();
        lines.next().await.unwrap().unwrap();
        drop(lines);
        assert_eq!(net.seen().await, ["runs", "CANCELLED"], "{protocol}");
        if protocol == "connect" {
            return; // no streams of requests over HTTP/1.1
        }
        let sum = talk.sum().timeout(MINUTE).await.unwrap();
        tokio::time::sleep(MINUTE).await;
        drop(sum);
        assert_eq!(net.seen().await, ["runs", "DEADLINE_EXCEEDED"], "{protocol}");
        let mut chat = talk.chat().await.unwrap();
        chat.send(line("x")).await.unwrap();
        chat.next().await.unwrap().unwrap();
        drop(chat);
        assert_eq!(net.seen().await, ["runs", "CANCELLED"], "{protocol}");
    };
    run(test, &["grpc", "connect", "streaming_rpc"]);
}

#[test]
fn resets_closed_connections_and_stops_cancel_calls() {
    let test = async |_: &'static str| {
        let log = Log::default();
        let seen = async || {
            tokio::time::sleep(Duration::from_millis(10)).await;
            log.take()
        };
        let running = serve(&log, Recording::default());
        let peer = async || {
            let (ours, theirs) = duplex("by hand", 1 << 20);
            running.serve_stream(theirs);
            let mut peer = Frames::new(ours).await;
            for stream in [1, 3] {
                peer.post(stream, "/talk.Talk/Say", "application/json").await;
                peer.send(DATA, END_STREAM, stream, b"{\"text\":\"never\"}").await;
            }
            peer
        };
        let mut first = peer().await;
        let _second = peer().await;
        assert_eq!(seen().await, ["runs"; 4]);
        first.send(RST_STREAM, 0, 3, &8u32.to_be_bytes()).await;
        assert_eq!(seen().await, ["CANCELLED"]);
        drop(first);
        assert_eq!(seen().await, ["CANCELLED"]);
        running.stop().await;
        assert_eq!(seen().await, ["CANCELLED"; 2]);
    };
    run(test, &["h2"]);
}

#[test]
fn access_logs_tell_deadlines_from_callers_that_leave() {
    let test = async |protocol: &'static str| {
        let written = Written::default();
        let log = AccessLog::builder(LogFormat::Json).writer(written.clone()).unwrap();
        let net = net(protocol, Recording::default().access_log(&log));
        let late = net.talk.say(line("never")).timeout(MINUTE).await.unwrap_err();
        assert_eq!(late.code(), Code::DeadlineExceeded);
        net.seen().await;
        let never = net.talk.say(line("never")).timeout(3 * MINUTE).into_future();
        assert!(tokio::time::timeout(MINUTE, never).await.is_err());
        net.seen().await;
        let _ = net.talk.say(line("panic")).await;
        net.seen().await;
        // The log's thread lives in real time.
        tokio::time::resume();
        assert!(log.flushed(MINUTE).await);
        let text = written.text();
        let codes: Vec<_> = text.lines().map(|line| line.split("\"code\":").nth(1).unwrap()).collect();
        let begin = |at: usize, with: &str| assert!(codes[at].starts_with(with), "{protocol}: {codes:?}");
        assert_eq!(codes.len(), 3, "{protocol}: {text}");
        begin(0, "\"DEADLINE_EXCEEDED\",\"status\":504,");
        begin(1, "\"CANCELLED\",\"status\":499,");
        begin(2, "\"INTERNAL\",\"status\":500,");
    };
    run(test, &["grpc", "connect"]);
}
