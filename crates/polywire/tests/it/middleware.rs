//! Middleware of a server: around every call, whatever its protocol and kind.

use crate::{
    support::Never,
    talk::{Line, Talk, TalkClient},
};
use polywire::{
    Channel, Code, Context, Ended, IoBuf, Next, Reply, Resilience, Running, Server, Status, Stream,
    Streaming,
    mongo::{self, Command, Document, MongoService},
    nshead,
    redis::{self, Client, Store},
    thrift,
    websocket::{self, Calls, Connect, JSON, WebSocket},
};
use polywire_machine_testing::{Log, until};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

/// A value that middleware leaves for the handler.
struct RequestId(u32);

struct Handler(Log);

impl Handler {
    fn heard(&self, cx: &Context) -> u32 {
        let id = cx.extension::<RequestId>().map_or(0, |id| id.0);
        self.0.add(format!("handler {id}"));
        id
    }
}

impl Talk for Handler {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        let number = self.heard(cx);
        if request.text == "fail" {
            return Err(Status::not_found("nobody says that"));
        }
        Ok(Line { number, ..request }.into())
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        self.heard(cx);
        let (sender, lines) = polywire::stream(1);
        cx.spawn(async move {
            for _ in 0..request.number {
                sender.send(request.clone()).await?;
            }
            Ok(())
        });
        Ok(lines)
    }

    async fn sum(&self, cx: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        self.heard(cx);
        let mut sum = Line::default();
        while let Some(line) = incoming.next().await.transpose()? {
            sum.number += line.number;
        }
        Ok(sum.into())
    }

    async fn chat(
        &self,
        cx: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        self.heard(cx);
        Ok(incoming)
    }
}

/// A server with two layers that log what they see; the first leaves a number for the handler.
fn serve(log: &Log) -> Running {
    let (outer, inner) = (log.clone(), log.clone());
    let outer = move |mut cx: Context, next: Next| {
        let log = outer.clone();
        async move {
            let (method, peer) = (cx.method(), cx.peer().clone());
            log.add(format!("outer: {}/{method}", cx.service()));
            cx.set_extension(RequestId(7));
            cx.reply_metadata("x-head", "yes");
            let ended = next.run(cx).await;
            assert!(peer.is_local());
            log.add(format!("outer: {}", ended.status().code()));
            ended.metadata("x-end", "yes")
        }
    };
    let inner = move |cx: Context, next: Next| {
        let log = inner.clone();
        async move {
            if cx.metadata().get_str("x-refuse").is_some() {
                log.add("refused");
                return Err(Status::permission_denied("not you"));
            }
            log.add(format!("inner: {}", cx.extension::<RequestId>().is_some()));
            let ended = next.run(cx).await;
            log.add("inner: end");
            Ok::<Ended, Status>(ended)
        }
    };
    let server =
        Server::new().service(Handler(log.clone()).into_service()).service(redis::service(Store::default()));
    server.middleware(outer).middleware(inner).listen("127.0.0.1:0").start().unwrap()
}

fn client(running: &Running, protocol: &str) -> TalkClient {
    let channel = Channel::builder(running.addresses()[0].to_string()).protocol(protocol);
    TalkClient::new(
        channel
            .timeout(Duration::from_secs(60))
            .resilience(Resilience::default().retries(0))
            .build()
            .unwrap(),
    )
}

fn line(text: &str, number: u32) -> Line {
    Line { text: text.into(), number }
}

const UNARY: [&str; 10] = [
    "baidu_std",
    "sofa_pbrpc",
    "hulu_pbrpc",
    "http",
    "http:proto",
    "h2",
    "grpc",
    "grpc-web",
    "connect",
    "zmtp",
];

fn around(method: &str, end: &str) -> Vec<String> {
    let first = format!("outer: talk.Talk/{method}");
    let last = format!("outer: {end}");
    [&*first, "inner: true", "handler 7", "inner: end", &last].map(str::to_owned).to_vec()
}

#[tokio::test]
async fn middleware_runs_around_calls_in_the_order_in_which_it_was_added() {
    let log = Log::default();
    let running = serve(&log);
    for protocol in UNARY {
        let reply = client(&running, protocol).say(line("hi", 0)).await.unwrap();
        assert_eq!(*reply, line("hi", 7), "{protocol}");
        // gRPC and Connect distinguish fields before the message from those after it.
        let head = reply.headers().get_str("x-head").or(reply.metadata().get_str("x-head"));
        assert_eq!((head, reply.metadata().get_str("x-end")), (Some("yes"), Some("yes")), "{protocol}");
        assert_eq!(log.take(), around("Say", "OK"), "{protocol}");
    }
}

#[tokio::test]
async fn middleware_sees_how_a_call_failed() {
    let log = Log::default();
    let running = serve(&log);
    for protocol in UNARY {
        let failed = client(&running, protocol).say(line("fail", 0)).await.unwrap_err();
        assert_eq!(failed.code(), Code::NotFound, "{protocol}");
        assert_eq!(failed.metadata().get_str("x-end"), Some("yes"), "{protocol}: {failed:?}");
        assert_eq!(log.take(), around("Say", "NOT_FOUND"), "{protocol}");
    }
}

#[tokio::test]
async fn what_middleware_refuses_reaches_no_handler() {
    let log = Log::default();
    let running = serve(&log);
    for protocol in ["baidu_std", "http", "h2", "grpc", "connect"] {
        let refused =
            client(&running, protocol).say(line("hi", 0)).metadata("x-refuse", "1").await.unwrap_err();
        assert_eq!((refused.code(), refused.message()), (Code::PermissionDenied, "not you"), "{protocol}");
        assert_eq!(log.take(), ["outer: talk.Talk/Say", "refused", "outer: PERMISSION_DENIED"], "{protocol}");
    }
}

#[tokio::test]
async fn middleware_lasts_as_long_as_a_stream() {
    let log = Log::default();
    let running = serve(&log);
    for protocol in ["grpc", "connect", "baidu_std", "http"] {
        let talk = client(&running, protocol);
        let mut lines = talk.count(line("x", 3)).await.unwrap();
        assert_eq!(lines.metadata().get_str("x-head"), Some("yes"), "{protocol}");
        for _ in 0..3 {
            assert_eq!(lines.next().await, Some(Ok(line("x", 3))), "{protocol}");
        }
        assert_eq!(lines.next().await, None);
        ended(&log, "Count").await;
        if protocol == "http" || protocol == "connect" {
            continue; // HTTP/1.1 has no streams of requests
        }
        let mut sum = talk.sum().await.unwrap();
        sum.send(line("", 2)).await.unwrap();
        sum.send(line("", 3)).await.unwrap();
        assert_eq!(sum.finish().await.unwrap().number, 5);
        assert_eq!(log.take(), around("Sum", "OK"), "{protocol}");
        let mut chat = talk.chat().await.unwrap();
        chat.send(line("a", 1)).await.unwrap();
        assert_eq!(chat.next().await, Some(Ok(line("a", 1))));
        chat.finish();
        assert_eq!(chat.next().await, None);
        ended(&log, "Chat").await;
    }
}

/// As the log of docs/middleware.md does it.
#[tokio::test]
async fn what_middleware_drops_tells_of_calls_that_are_given_up() {
    struct Told(Log, Option<Code>);
    impl Drop for Told {
        fn drop(&mut self) {
            self.0.add(self.1.map_or("given up".to_owned(), |code| code.to_string()));
        }
    }
    let log = Log::default();
    let lines = log.clone();
    let layer = move |cx: Context, next: Next| {
        let lines = lines.clone();
        async move {
            let mut told = Told(lines, None);
            let ended = next.run(cx).await;
            told.1 = Some(ended.status().code());
            ended
        }
    };
    let server = Server::new().service(Never.into_service()).middleware(layer);
    let running = server.listen("127.0.0.1:0").start().unwrap();
    for protocol in ["baidu_std", "http", "grpc"] {
        let talk = client(&running, protocol);
        talk.say(line("hi", 0)).await.unwrap();
        until("a line of a call that ends", || log.ends_with("OK")).await;
        let late = talk.say(line("never", 0)).timeout(Duration::from_millis(50)).await.unwrap_err();
        assert_eq!(late.code(), Code::DeadlineExceeded, "{protocol}");
        until("a line of a call whose deadline passes", || log.ends_with("given up")).await;
        assert_eq!(log.take(), ["OK", "given up"], "{protocol}");
        // baidu_std has no word for it: there the call ends at its deadline.
        let call = talk.say(line("never", 0)).timeout(Duration::from_secs(2));
        let left = tokio::time::timeout(Duration::from_millis(50), call.into_future());
        assert!(left.await.is_err(), "{protocol}");
        until("a line of a call whose caller leaves", || log.ends_with("given up")).await;
        assert_eq!(log.take(), ["given up"], "{protocol}");
    }
}

/// The handler's task ends after the last message that it passed on, which the caller may see earlier.
async fn ended(log: &Log, method: &str) {
    until("the stream's middleware ends", || log.ends_with("outer: OK")).await;
    assert_eq!(log.take(), around(method, "OK"));
}

#[tokio::test]
async fn commands_of_redis_are_calls_too() {
    let log = Log::default();
    let running = serve(&log);
    let channel = Channel::builder(running.addresses()[0].to_string()).protocol("redis").build().unwrap();
    assert_eq!(Client::new(channel).ping().await.unwrap(), "PONG");
    assert_eq!(log.take().first().map(|line| line.starts_with("outer: redis/")), Some(true));
}

#[test]
fn what_reaches_no_method_of_the_application_passes_by() {
    let log = Log::default();
    let running = serve(&log);
    for path in ["/health", "/status", "/talk.Talk/Nope", "/nobody"] {
        let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    }
    assert_eq!(log.take(), [""; 0]);
}

/// A server with one layer, which logs what it sees and refuses everything once it is told to.
fn watched(server: Server, log: &Log) -> (Running, Arc<AtomicBool>) {
    let refuses = Arc::new(AtomicBool::new(false));
    let (log, refuse) = (log.clone(), refuses.clone());
    let layer = move |cx: Context, next: Next| {
        let (log, refuse) = (log.clone(), refuse.load(Relaxed));
        async move {
            log.add(format!("{} {}/{}", cx.protocol(), cx.service(), cx.method()));
            if refuse {
                return Err(Status::permission_denied("not you"));
            }
            let ended = next.run(cx).await;
            log.add(ended.status().code().to_string());
            Ok::<Ended, Status>(ended)
        }
    };
    (server.middleware(layer).listen("127.0.0.1:0").start().unwrap(), refuses)
}

fn channel(running: &Running, protocol: &str) -> Channel {
    let channel = Channel::builder(running.addresses()[0].to_string()).protocol(protocol);
    channel.timeout(Duration::from_secs(60)).resilience(Resilience::default().retries(0)).build().unwrap()
}

struct Touch(Log);

/// A method of Thrift without arguments and result.
impl thrift::Method for Touch {
    const NAME: &'static str = "touch";
    type Args = thrift::Nothing;
    type Result = thrift::Nothing;
    type Success = ();
    type Failure = Status;
    fn into_result(outcome: Result<(), Status>) -> Result<thrift::Nothing, Status> {
        outcome.map(|()| thrift::Nothing)
    }
    fn from_result(_: thrift::Nothing) -> Result<(), Status> {
        Ok(())
    }
}

impl thrift::Served<Touch> for Touch {
    async fn call(service: &Touch, _: &Context, _: thrift::Nothing) -> Result<(), Status> {
        service.0.add("handler");
        Ok(())
    }
}

#[tokio::test]
async fn functions_of_thrift_are_calls_too() {
    let log = Log::default();
    let service = thrift::Service::new("Shelf").with::<Touch, _>(&Arc::new(Touch(log.clone())));
    let (running, refuses) = watched(Server::new().service(service), &log);
    let client = thrift::Client::new(channel(&running, "thrift"));
    client.call::<Touch>(&thrift::Nothing).await.unwrap();
    assert_eq!(log.take(), ["thrift Shelf/touch", "handler", "OK"]);
    refuses.store(true, Relaxed);
    let refused = client.call::<Touch>(&thrift::Nothing).await.unwrap_err();
    assert!(refused.message().contains("not you"), "{refused:?}");
    assert_eq!(log.take(), ["thrift Shelf/touch"]);
}

struct Frames(Log);

impl nshead::NsheadService for Frames {
    async fn frame(&self, _: &Context, frame: nshead::Frame) -> Result<Option<IoBuf>, Status> {
        self.0.add("handler");
        Ok(Some(frame.body))
    }
}

/// A frame of nshead has no field for a failure: its connection closes.
#[tokio::test]
async fn frames_of_nshead_are_calls_too() {
    let log = Log::default();
    let service = nshead::service(Frames(log.clone()));
    let (running, refuses) = watched(Server::new().service(service), &log);
    let client = nshead::Client::new(channel(&running, "nshead"));
    client.call(&nshead::Frame::default()).await.unwrap();
    assert_eq!(log.take(), ["nshead nshead/message", "handler", "OK"]);
    refuses.store(true, Relaxed);
    assert!(client.call(&nshead::Frame::default()).await.is_err());
    assert_eq!(log.take(), ["nshead nshead/message"]);
}

struct Documents(Log);

impl MongoService for Documents {
    async fn command(&self, _: &Context, command: Command) -> Result<Document, mongo::Error> {
        self.0.add(format!("handler {}", command.name()));
        Ok(Document::default())
    }
}

/// What a driver asks by itself (`hello`) is a call, too, which the service does not see.
#[test]
fn commands_of_mongodb_are_calls_too() {
    let log = Log::default();
    let service = mongo::service(Documents(log.clone()));
    let (running, refuses) = watched(Server::new().service(service), &log);
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    let mut ask = |name: &str| {
        let command = Document::builder().put(name, 1).put("$db", "db").build();
        let numbers = [21 + command.as_bytes().len() as u32, 1, 0, 2013, 0]; // OP_MSG
        let head: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        stream.write_all(&[&head[..], &[0], command.as_bytes()].concat()).unwrap();
        let mut head = [0; 21];
        stream.read_exact(&mut head).unwrap();
        let mut body = vec![0; u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize - 21];
        stream.read_exact(&mut body).unwrap();
        format!("{:?}", Document::from_bytes(body.into()).unwrap())
    };
    ask("hello");
    ask("find");
    assert_eq!(log.take(), ["mongo mongo/command", "OK", "mongo mongo/command", "handler find", "OK"]);
    refuses.store(true, Relaxed);
    let refused = ask("find");
    assert!(refused.contains("not you"), "{refused}");
    assert_eq!(log.take(), ["mongo mongo/command"]);
}

/// A socket is one call from its opening to its end, and so is a method that is called over one.
#[tokio::test]
async fn a_websocket_is_a_call() {
    let log = Log::default();
    let own = log.clone();
    let echo = move |_: Context, mut socket: WebSocket| {
        let log = own.clone();
        async move {
            log.add("handler");
            while let Some(message) = socket.next().await {
                socket.send(message?).await?;
            }
            Ok(())
        }
    };
    let server = Server::new().service(websocket::route("/echo", echo)).service(Calls);
    let (running, refuses) = watched(server.service(Handler(log.clone()).into_service()), &log);
    let channel = channel(&running, "http");
    let mut socket = Connect::new(&channel, "/echo").open().await.unwrap();
    socket.send("there?").await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), "there?".into());
    let (mut sender, mut receiver) = socket.split();
    sender.close(1000, "").await.unwrap();
    while receiver.next().await.is_some() {}
    until("the socket's middleware ends", || log.ends_with("OK")).await;
    let seen = log.take();
    assert_eq!(seen, ["http websocket:/echo/open", "handler", "OK"]);

    let called = Connect::new(&channel, "/talk.Talk/Say").subprotocol(JSON);
    let mut socket = called.open().await.unwrap();
    socket.send("{\"text\":\"hi\"}").await.unwrap();
    while let Some(Ok(_)) = socket.next().await {}
    until("the method's middleware ends", || log.ends_with("OK")).await;
    assert_eq!(log.take(), ["http talk.Talk/Say", "handler 0", "OK"]);

    refuses.store(true, Relaxed);
    let refused = Connect::new(&channel, "/echo").open().await.err().expect("it is refused");
    assert_eq!(refused.code(), Code::PermissionDenied, "{refused:?}");
}
