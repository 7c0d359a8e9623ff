//! A panic ends its call and nothing else. Only the panic hook gets its text, never a caller.

use crate::talk::{Line, Talk, TalkClient};
use polywire::{
    Channel, Code, Content, Context, Handler, Method, Origin, Reply, Resilience, Running, Server, Service,
    Started, Status, Stream, Streaming, Target,
    handler::{Call, Outcome},
    redis::{self, Execution, RedisService, ReplyBuf, Version},
    rest_rpc,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    panic,
    sync::{Mutex, Once},
    time::Duration,
};

const PANICKED: &str = "the handler panicked";

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// How often the panic hook has received this text; each test has its own text.
fn logged(text: &str) -> usize {
    LOG.lock().unwrap().iter().filter(|line| line.contains(text)).count()
}

/// Makes the panic hook record what it receives.
fn listen_to_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            LOG.lock().unwrap().push(info.to_string());
            before(info);
        }));
    });
}

fn start(server: Server) -> Running {
    listen_to_panics();
    server.listen("127.0.0.1:0").start().unwrap()
}

fn channel(running: &Running, protocol: &str) -> Channel {
    let channel = Channel::builder(running.addresses()[0].to_string()).protocol(protocol);
    channel.timeout(Duration::from_secs(60)).resilience(Resilience::default().retries(0)).build().unwrap()
}

/// Checks for INTERNAL from the server, with the text that all callers get.
#[track_caller]
fn is_of_a_panic(status: &Status, what: &str) {
    assert_eq!((status.code(), status.message()), (Code::Internal, PANICKED), "{what}: {status:?}");
    assert_eq!((status.origin(), status.is_retryable()), (Origin::Remote, false), "{what}: {status:?}");
    assert_eq!(status.details(), b"", "{what}");
    let fields = status.metadata().iter().map(|(name, value)| (name, String::from_utf8_lossy(value)));
    let ours = fields.filter(|(name, _)| {
        !["content-type", "x-bd-error-code", "date"].contains(&&*name.to_ascii_lowercase())
    });
    assert_eq!(ours.collect::<Vec<_>>(), [], "{what}: fields that say more");
}

mod of_redis {
    use super::*;

    const SECRET: &str = "the password of another caller";

    struct Fragile;
    impl RedisService for Fragile {
        fn execute(&self, _: &Context, command: &[u8], out: &mut ReplyBuf, version: Version) -> Execution {
            redis::Writer::limited(out, version, usize::MAX).value(&redis::Value::from("half"));
            if command.windows(4).any(|word| word == b"FAIL") {
                panic!("{SECRET}");
            }
            Execution::Done
        }
    }

    #[test]
    fn a_command_that_panics_leaves_nothing_of_its_reply_to_the_next() {
        let _alone = crate::alone();
        let server = start(Server::new().service(redis::service(Fragile)));
        let mut socket = TcpStream::connect(server.addresses()[0].to_string()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        socket.write_all(b"FAIL\r\nNEXT\r\nQUIT\r\n").unwrap();
        let mut said = String::new();
        socket.read_to_string(&mut said).unwrap();
        assert_eq!(said, "-ERR the handler panicked\r\n$4\r\nhalf\r\n+OK\r\n");
        assert_eq!(logged(SECRET), 1);
    }
}

#[tokio::test]
async fn a_function_of_rest_rpc_that_panics_keeps_its_text_to_itself() {
    let _alone = crate::ALONE.lock().await;
    const SECRET: &str = "an argument of another caller";
    let functions = rest_rpc::Functions::new()
        .function("fail", |_: i32| -> i32 { panic!("{SECRET}") })
        .function("add", |a: i32, b: i32| a + b);
    let server = start(Server::new().service(functions));
    let client = rest_rpc::Client::new(channel(&server, "rest_rpc"));
    let failed: Result<i32, _> = client.call("fail", (1,)).await;
    let status = failed.unwrap_err();
    assert_eq!(
        (status.code(), status.message(), status.origin()),
        (Code::Internal, "unknown exception occur when call fail", Origin::Remote)
    );
    assert_eq!(logged(SECRET), 1);
    assert_eq!(client.call::<_, i32>("add", (1, 2)).await.unwrap(), 3, "it still answers");
}

mod of_a_handler {
    use super::*;

    const SECRET: &str = "a row of somebody else's table";

    /// Panics where the request says; otherwise it replies.
    struct Fragile(&'static str);
    impl Handler for Fragile {
        fn start(&self, _: Call) -> Started {
            let place = self.0;
            assert!(place != "Start", "{SECRET}");
            Started::Future(Box::pin(async move {
                assert!(place != "First", "{SECRET}");
                tokio::task::yield_now().await;
                assert!(place != "Later", "{SECRET}");
                Outcome { content: Content::PROTOBUF, reply: true, ..Outcome::default() }
            }))
        }
    }

    const PLACES: [&str; 3] = ["Start", "First", "Later"];

    fn server() -> Running {
        let service = ["Start", "First", "Later", "Never"]
            .into_iter()
            .fold(Service::new("test.Fragile", &[]), |service, place| {
                service.with(Method::new(place, move || Box::new(Fragile(place))))
            });
        start(Server::new().service(service))
    }

    /// One test for both kinds of calls, since they count in the same log.
    #[tokio::test]
    async fn it_is_internal_wherever_the_handler_panics_and_its_text_is_in_the_log_alone() {
        let _alone = crate::ALONE.lock().await;
        let running = server();
        let mut panics = 0;
        let protocols = [
            "baidu_std",
            "http",
            "http:proto",
            "h2",
            "grpc",
            "grpc-web",
            "connect",
            "streaming_rpc",
            "sofa_pbrpc",
            "zmtp",
        ];
        for protocol in protocols {
            let channel = channel(&running, protocol);
            for place in PLACES {
                let call = channel.call(Target::fixed("test.Fragile", place), Vec::new());
                let status = call.await.expect_err(place);
                is_of_a_panic(&status, &format!("{protocol} {place}"));
                panics += 1;
                assert_eq!(logged(SECRET), panics, "{protocol} {place}");
            }
            channel.call(Target::fixed("test.Fragile", "Never"), Vec::new()).await.expect(protocol);
            assert_eq!(channel.connections_made(), 1, "{protocol}: the connection lives on");
        }
        // HTTP as a foreign client sees it.
        for place in PLACES {
            let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
            socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            let request =
                format!("POST /test.Fragile/{place} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
            let last = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            socket.write_all((request + last).as_bytes()).unwrap();
            let mut said = String::new();
            socket.read_to_string(&mut said).unwrap();
            assert!(said.starts_with("HTTP/1.1 500 Internal Server Error\r\n"), "{place}: {said}");
            assert!(said.contains("\r\n\r\nthe handler panickedHTTP/1.1 200 OK\r\n"), "{place}: {said}");
            assert!(!said.contains(SECRET), "{place}: {said}");
            panics += 1;
            assert_eq!(logged(SECRET), panics, "{place}");
        }
    }
}

mod of_a_stream {
    use super::*;

    const SECRET: &str = "a message of another stream";

    /// Panics after it has sent or received something.
    struct Fragile;
    impl Talk for Fragile {
        async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
            match &*request.text {
                "take" => {
                    let mut stream = cx.accept_stream()?;
                    stream.send("taken").await?;
                    panic!("{SECRET}")
                }
                "refuse" => panic!("{SECRET}"),
                _ => Ok(request.into()),
            }
        }
        async fn count(
            &self,
            cx: &Context,
            request: Line,
        ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
            assert!(request.text != "at once", "{SECRET}");
            let (sender, lines) = polywire::stream(1);
            if request.text == "spawned" {
                cx.spawn(async move {
                    sender.send(Line::default()).await?;
                    panic!("{SECRET}")
                });
                return Ok(Lines { lines, panics: false });
            }
            sender.send(Line::default()).await?;
            Ok(Lines { lines, panics: true })
        }
        async fn sum(&self, _: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
            incoming.next().await.transpose()?;
            panic!("{SECRET}")
        }
        async fn chat(
            &self,
            _: &Context,
            incoming: Streaming<Line>,
        ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
            Ok(Lines { lines: incoming, panics: true })
        }
    }

    /// Passes on one message; then it panics, or continues.
    struct Lines<S> {
        lines: S,
        panics: bool,
    }
    impl<S: Stream<Item = Result<Line, Status>> + Unpin> Stream for Lines<S> {
        type Item = Result<Line, Status>;
        fn poll_next(
            mut self: std::pin::Pin<&mut Self>,
            cx: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Self::Item>> {
            match std::pin::Pin::new(&mut self.lines).poll_next(cx) {
                std::task::Poll::Ready(None) if self.panics => panic!("{SECRET}"),
                polled => polled,
            }
        }
    }

    fn line(text: &str) -> Line {
        Line { text: text.into(), ..Line::default() }
    }

    #[tokio::test]
    async fn it_ends_as_internal_behind_what_it_sent_and_the_text_is_in_the_log_alone() {
        let _alone = crate::ALONE.lock().await;
        let running = start(Server::new().service(Fragile.into_service()));
        let mut panics = 0;
        for protocol in ["streaming_rpc", "grpc"] {
            let mut panicked = |status: &Status, what: &str| {
                is_of_a_panic(status, &format!("{protocol}: {what}"));
                panics += 1;
                assert_eq!(logged(SECRET), panics, "{protocol}: {what}");
            };
            let channel = channel(&running, protocol);
            let talk = TalkClient::new(channel.clone());

            let status = match talk.count(line("at once")).await {
                Ok(mut lines) => lines.next().await.unwrap().unwrap_err(),
                Err(status) => status,
            };
            panicked(&status, "before the stream of answers");
            let mut lines = talk.count(line("")).await.unwrap();
            lines.next().await.unwrap().unwrap();
            panicked(&lines.next().await.unwrap().unwrap_err(), "in the stream of answers");
            let mut upload = talk.sum().await.unwrap();
            upload.send(line("")).await.unwrap();
            panicked(&upload.finish().await.unwrap_err(), "while it reads");
            let mut chat = talk.chat().await.unwrap();
            chat.send(line("")).await.unwrap();
            chat.next().await.unwrap().unwrap();
            chat.finish();
            panicked(&chat.next().await.unwrap().unwrap_err(), "in a chat");

            let mut lines = talk.count(line("spawned")).await.unwrap();
            lines.next().await.unwrap().unwrap();
            let status = lines.next().await.unwrap().unwrap_err();
            let text = "what the handler spawned has panicked";
            assert_eq!((status.code(), status.message()), (Code::Internal, text), "{protocol}");
            panics += 1;
            assert_eq!(logged(SECRET), panics, "{protocol}");

            assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi", "{protocol}");
            assert_eq!(channel.connections_made(), 1, "{protocol}: the connection lives on");
        }
        // Streams that are offered within a call: the call fails, and they end with it.
        let channel = channel(&running, "streaming_rpc");
        let talk = TalkClient::new(channel.clone());
        for text in ["refuse", "take"] {
            let status = talk.say(line(text)).with_stream().await.err().expect(text);
            is_of_a_panic(&status, text);
            panics += 1;
            assert_eq!(logged(SECRET), panics, "{text}");
        }
        assert_eq!(talk.say(line("hi")).await.unwrap().text, "hi");
        assert_eq!(channel.connections_made(), 1, "the connection lives on");

        // Over plain HTTP the head has left: the body ends without its last chunk.
        let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        socket
            .write_all(b"POST /talk.Talk/Count HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
            .unwrap();
        let mut said = String::new();
        socket.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{said}");
        assert!(said.contains("\r\nTransfer-Encoding: chunked\r\n"), "{said}");
        assert!(said.ends_with("\r\n\r\n3\r\n{}\n\r\n"), "cut off: {said}");
        panics += 1;
        assert_eq!(logged(SECRET), panics);
    }
}
