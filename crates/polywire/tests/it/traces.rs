//! Spans of servers and channels, over real sockets and several protocols.

use crate::talk::{Line, Talk, TalkClient};
use polywire::{
    Backoff, Channel, Code, Context, Parent, Recording, Reply, Resilience, RetryPolicy, Running, Server,
    Status, Stream, Streaming,
    trace::{Kept, Options, Phase, Query, Record, Side, TraceId, Tracer, rpcz, tracer, tree},
};
use polywire_machine_testing::until;
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{Arc, Mutex},
    time::Duration,
};

/// Passes what it is told on to the next server, and says which fields of a trace it has received.
#[derive(Clone, Default)]
struct Handler {
    next: Option<TalkClient>,
    fields: Arc<Mutex<Vec<String>>>,
}

impl Handler {
    fn saw(&self, cx: &Context) {
        let mut fields = self.fields.lock().unwrap();
        for (name, value) in cx.metadata().iter() {
            if name.starts_with("trace") || name.starts_with("x-bd") {
                fields.push(format!("{name}: {}", String::from_utf8_lossy(value)));
            }
        }
    }
}

impl Talk for Handler {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        self.saw(cx);
        cx.annotate(format_args!("saying {:?}", request.text));
        match (&self.next, &*request.text) {
            (_, "fail") => Err(Status::not_found("nobody says that")),
            (Some(next), _) => Ok(next.say(request).within(cx).await?.into_message().into()),
            (None, _) => Ok(request.into()),
        }
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        self.saw(cx);
        let (sender, lines) = polywire::stream(1);
        let next = self.next.clone();
        let within = match &next {
            Some(next) => Some(next.count(request.clone()).within(cx).await?),
            None => None,
        };
        cx.spawn(async move {
            match within {
                Some(mut lines) => {
                    while let Some(line) = lines.next().await {
                        sender.send(line?).await?;
                    }
                    Ok(())
                }
                None => sender.send(request).await,
            }
        });
        Ok(lines)
    }

    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("no sums here"))
    }

    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        Ok(incoming)
    }
}

fn on(options: Options) -> Tracer {
    let tracer = tracer(options);
    tracer.set_on(true);
    tracer
}

/// Records nothing by chance.
fn only_wanted() -> Tracer {
    on(Options { sampled_per_second: 0, ..Options::default() })
}

fn serve(handler: &Handler, tracer: &Tracer) -> Running {
    Server::new()
        .service(handler.clone().into_service())
        .recording(Recording::default().tracer(tracer))
        .listen("127.0.0.1:0")
        .start()
        .unwrap()
}

fn client(server: &Running, protocol: &'static str, tracer: Option<&Tracer>) -> TalkClient {
    let builder = Channel::builder(server.addresses()[0].to_string()).protocol(protocol);
    let builder = tracer.into_iter().fold(builder, |builder, tracer| builder.tracer(tracer));
    TalkClient::new(builder.build().unwrap())
}

fn line(text: &str) -> Line {
    Line { text: text.to_owned(), ..Line::default() }
}

/// What `/metrics` answers to this `accept`.
fn metrics(server: &Running, accept: &str) -> String {
    let mut connection = TcpStream::connect(server.addresses()[0].to_string()).unwrap();
    let request =
        format!("GET /metrics HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\nconnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test]
async fn latencies_lead_to_the_traces_of_calls_that_are_kept() {
    let tracer = on(Options { sampled_per_second: 1000, ..Options::default() });
    let server = serve(&Handler::default(), &tracer);
    let client = client(&server, "baidu_std", None);
    client.say(line("hi")).await.unwrap();
    assert_eq!(client.say(line("fail")).await.unwrap_err().code(), Code::NotFound);
    let records = kept(&tracer, 2).await;
    let (well, badly) = (
        records.iter().find(|record| record.end.is_ok()).unwrap(),
        records.iter().find(|record| !record.end.is_ok()).unwrap(),
    );
    let open = metrics(&server, "application/openmetrics-text");
    let examples: Vec<_> = open.lines().filter(|line| line.contains(" # {")).collect();
    let id = |record: &Record| format!("{{trace_id=\"{:032x}\"}}", record.trace.0);
    assert!(matches!(&examples[..], [one] if one.contains(&id(well)) && one.contains("/Say\"")), "{open}");
    assert!(!open.contains(&id(badly)), "its latency is not counted");
    assert!(!metrics(&server, "text/plain").contains(" # {"), "the older format has no exemplars");
    let bucket = server.metrics().openmetrics();
    assert!(bucket.contains(&id(well)), "{bucket}");
}

/// All that is kept, once there is so much; in the order in which spans began.
async fn kept(tracer: &Tracer, count: usize) -> Vec<Arc<Record>> {
    let all = || tracer.find(&Query { most_scanned: 10_000, ..Query::default() });
    until("the spans are kept", || all().len() >= count).await;
    let mut all = all();
    assert_eq!(all.len(), count, "{}", rpcz::list(&all, rpcz::LogIds::Decimal));
    all.reverse();
    all
}

/// A chain of three servers, each with a protocol and a tracer of its own.
struct Chain {
    _servers: [Running; 3],
    first: TalkClient,
    handlers: [Handler; 3],
}

fn chain(protocols: [&'static str; 3], tracers: [&Tracer; 4]) -> Chain {
    let last = Handler::default();
    let third = serve(&last, tracers[3]);
    let middle = Handler { next: Some(client(&third, protocols[2], None)), ..Handler::default() };
    let second = serve(&middle, tracers[2]);
    let begin = Handler { next: Some(client(&second, protocols[1], None)), ..Handler::default() };
    let first = serve(&begin, tracers[1]);
    let channel = client(&first, protocols[0], Some(tracers[0]));
    Chain { _servers: [first, second, third], first: channel, handlers: [begin, middle, last] }
}

/// Side, protocol and depth of each span in the order of the tree.
fn shape(records: &[Arc<Record>]) -> Vec<(Side, &'static str, usize)> {
    tree::nodes(records).iter().map(|node| (node.record.side, node.record.protocol, node.depth)).collect()
}

#[tokio::test]
async fn three_servers_of_three_protocols_are_one_tree() {
    let tracer = on(Options::default());
    let chain = chain(["grpc", "baidu_std", "http"], [&tracer; 4]);
    chain.first.say(line("hello")).await.unwrap();
    let records = kept(&tracer, 6).await;
    let trace = records[0].trace;
    assert!(records.iter().all(|record| record.trace == trace && record.end.is_ok()));
    use Side::{Client, Server};
    let tree = [
        (Client, "grpc", 0),
        (Server, "h2", 1),
        (Client, "baidu_std", 2),
        (Server, "baidu_std", 3),
        (Client, "http", 4),
        (Server, "http", 5),
    ];
    assert_eq!(shape(&tracer.trace(trace)), tree);
    let server = records.iter().find(|record| record.side == Server).unwrap();
    assert_eq!(&*server.method, "talk.Talk.Say");
    assert_eq!(&*server.annotations[0].text, "saying \"hello\"");
    let (enter, leave) = (server.phase(Phase::Enter).unwrap(), server.phase(Phase::Leave).unwrap());
    assert!(
        enter <= server.annotations[0].at && server.annotations[0].at <= leave && leave <= server.latency
    );
    assert!(records.iter().all(|record| record.request_bytes > 0 && record.reply_bytes > 0));
}

/// Ids of 64 bits, of 128 bits and states pass through every chain of protocols, also where nobody records.
#[tokio::test]
async fn each_protocol_carries_the_context() {
    let off = tracer(Options::default());
    for protocol in ["grpc", "grpc-web", "connect", "http", "h2", "baidu_std", "hulu_pbrpc"] {
        for recorded in [true, false] {
            let between = if recorded { only_wanted() } else { off.clone() };
            let chain = chain(["http", protocol, protocol], [&off, &between, &between, &between]);
            let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
            let call =
                chain.first.say(line("x")).metadata("traceparent", parent).metadata("tracestate", "a=1,b=2");
            call.await.unwrap();
            let fields = chain.handlers[2].fields.lock().unwrap().join("\n");
            if protocol == "hulu_pbrpc" {
                assert!(fields.contains("x-bd-trace-id: 11803532876627986230"), "{protocol}: {fields}");
            } else {
                assert!(
                    fields.contains("traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-"),
                    "{protocol}: {fields}"
                );
                assert!(fields.contains("tracestate: a=1,b=2"), "{protocol}: {fields}");
            }
            assert_eq!(
                fields.contains("00f067aa0ba902b7") || fields.contains("67667974448284343"),
                !recorded
            );
            if recorded {
                let records = kept(&between, 5).await;
                assert!(records.iter().all(|record| record.kept == Kept::Forced), "{protocol}");
                assert_eq!(
                    tree::nodes(&between.trace(records[0].trace)).last().unwrap().depth,
                    4,
                    "{protocol}"
                );
            }
        }
    }
}

#[tokio::test]
async fn streams_are_recorded_to_their_end() {
    let tracer = on(Options::default());
    let chain = chain(["grpc", "streaming_rpc", "connect"], [&tracer; 4]);
    let mut lines = chain.first.count(line("x")).await.unwrap();
    while let Some(line) = lines.next().await {
        line.unwrap();
    }
    drop(lines);
    let records = kept(&tracer, 6).await;
    assert_eq!(tree::nodes(&records).last().unwrap().depth, 5, "{}", tree::text(&records));
    assert!(records.iter().all(|record| record.end.is_ok()), "{}", tree::text(&records));
}

#[tokio::test]
async fn what_fails_is_kept_though_chance_did_not_choose_it() {
    let tracer = only_wanted();
    let server = serve(&Handler::default(), &tracer);
    let client = client(&server, "baidu_std", None);
    for text in ["well", "fail"] {
        let _ = client.say(line(text)).await;
    }
    let records = kept(&tracer, 2).await;
    let [slowest, failed] = &records[..] else { unreachable!() };
    assert_eq!(
        (slowest.kept, failed.kept),
        (Kept::Slowest, Kept::Failed),
        "the first call was the slowest so far"
    );
    assert_eq!((failed.end.code, &*failed.end.message), ("NOT_FOUND", "nobody says that"));
    let text = rpcz::list(&records[1..], rpcz::LogIds::Decimal);
    assert!(text.ends_with(" talk.Talk.Say(6)=0 [nobody says that]\n"), "{text}");
}

#[tokio::test]
async fn each_try_is_a_span() {
    let tracer = on(Options::default());
    let server = serve(&Handler::default(), &tracer);
    let policy = RetryPolicy::new().on(Code::NotFound, Backoff::none());
    let builder = Channel::builder(server.addresses()[0].to_string())
        .tracer(&tracer)
        .resilience(Resilience::default().retries(2).retry_policy(policy));
    let client = TalkClient::new(builder.build().unwrap());
    let _ = client.say(line("fail")).await.unwrap_err();
    let records = kept(&tracer, 6).await;
    let tries: Vec<_> = records.iter().filter(|record| record.side == Side::Client).collect();
    assert_eq!(
        tries.iter().map(|one| (one.number, one.try_kind)).collect::<Vec<_>>(),
        [(1, ""), (2, "retry"), (3, "retry")]
    );
    assert!(records.iter().all(|record| record.trace == tries[0].trace));
}

#[tokio::test]
async fn a_call_that_is_given_up_ends_its_spans() {
    #[derive(Clone)]
    struct Never;
    impl polywire::Middleware for Never {
        fn call(
            &self,
            cx: Context,
            _: polywire::Next,
        ) -> std::pin::Pin<Box<dyn Future<Output = polywire::Ended> + Send>> {
            Box::pin(async move {
                cx.annotate("waiting");
                std::future::pending().await
            })
        }
    }
    let tracer = on(Options::default());
    let server = Server::new()
        .service(Handler::default().into_service())
        .middleware(Never)
        .recording(Recording::default().tracer(&tracer));
    let server = server.listen("127.0.0.1:0").start().unwrap();
    let client = client(&server, "baidu_std", Some(&tracer));
    let _ = client.say(line("x")).timeout(Duration::from_millis(50)).await.unwrap_err();
    let records = kept(&tracer, 2).await;
    for record in &records {
        assert_eq!(record.end.code, "DEADLINE_EXCEEDED", "{record:?}");
    }
    let server = records.iter().find(|record| record.side == Side::Server).unwrap();
    assert_eq!(server.annotations.len(), 1);
    assert_eq!(server.phase(Phase::Leave), None, "the handler was dropped");
}

#[tokio::test]
async fn nothing_is_recorded_while_it_is_off_and_pages_never() {
    let tracer = tracer(Options::default());
    let server = serve(&Handler::default(), &tracer);
    let client = client(&server, "http", Some(&tracer));
    client
        .say(line("x"))
        .metadata("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        .await
        .unwrap();
    tracer.set_on(true);
    get(&server, "/status", "");
    assert!(tracer.find(&Query::default()).is_empty());
    client.say(line("x")).await.unwrap();
    kept(&tracer, 2).await;
}

/// The answer to a GET with these header lines.
fn get(server: &Running, path: &str, fields: &str) -> String {
    let mut stream = TcpStream::connect(server.addresses()[0].to_string()).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{fields}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The answer to a request with this first line; a POST has the token that changes need.
fn ask(server: &Running, line: &str) -> String {
    let mut fields = String::new();
    if line.starts_with("POST ") {
        let answer = ask(server, "GET /token");
        let token = answer.split_once("\r\n\r\n").unwrap().1;
        fields = format!("content-type: application/x-www-form-urlencoded\r\nx-polywire-token: {token}\r\n");
    }
    let mut stream = TcpStream::connect(server.addresses()[0].to_string()).unwrap();
    write!(
        stream,
        "{line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{fields}content-length: 0\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test]
async fn the_page_shows_spans_and_is_switched_by_post() {
    let server =
        Server::new().service(Handler::default().into_service()).listen("127.0.0.1:0").start().unwrap();
    let client = client(&server, "grpc", None);
    assert!(ask(&server, "GET /rpcz").contains("\r\n\r\nrpcz is not enabled yet."));
    assert!(ask(&server, "GET /rpcz/enable").starts_with("HTTP/1.1 405 "));
    client.say(line("unseen")).await.unwrap();
    assert!(ask(&server, "POST /rpcz/enable").ends_with("rpcz is enabled"));
    client.say(line("seen")).await.unwrap();
    let list = ask(&server, "GET /rpcz?min_latency=0&max_scan=10");
    let row = list.lines().last().unwrap();
    assert!(row.contains(" S trace=") && row.ends_with(" log_id=0 talk.Talk.Say(6)=6 [OK]"), "{list}");
    let trace = row.split("trace=").nth(1).unwrap().split(' ').next().unwrap();
    let detail = ask(&server, &format!("GET /rpcz?trace={trace}"));
    for part in [
        " Received request(6) from ",
        " Enter talk.Talk.Say\n",
        " saying \"seen\"\n",
        " Responded(6)\n",
        "# tree: trace ",
    ] {
        assert!(detail.contains(part), "{part}: {detail}");
    }
    let json = ask(&server, &format!("GET /rpcz?trace={trace}&json"));
    assert!(json.to_ascii_lowercase().contains("content-type: application/json"), "{json}");
    assert!(ask(&server, "GET /rpcz?time=noon").starts_with("HTTP/1.1 400 "));
    assert!(ask(&server, "GET /rpcz/nothing").starts_with("HTTP/1.1 404 "));
    assert!(ask(&server, "POST /rpcz/disable").ends_with("rpcz is disabled"));
    client.say(line("unseen")).await.unwrap();
    assert!(ask(&server, "GET /rpcz/stats").contains("\nspans_recorded: 1\n"));
}

/// A peer's fields are wrong in every way, and the call is served as if they were not there.
#[tokio::test]
async fn wrong_fields_do_no_harm() {
    let tracer = only_wanted();
    let server = serve(&Handler::default(), &tracer);
    let client = client(&server, "http", None);
    client.say(line("the slowest")).await.unwrap();
    let before = tracer.find(&Query::default()).len();
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let huge = format!("a={}", "x".repeat(20 << 10));
    for (name, value) in [
        ("traceparent", "00-00000000000000000000000000000000-0000000000000000-01"),
        ("traceparent", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("x-bd-trace-id", "0"),
        ("x-bd-trace-id", "99999999999999999999999"),
        ("tracestate", &huge),
    ] {
        client.say(line("x")).metadata(name, value).await.unwrap();
        let forced = tracer.find(&Query::default()).iter().filter(|one| one.kept == Kept::Forced).count();
        assert_eq!(forced, 0, "{name}: {value:.80}");
    }
    client.say(line("x")).metadata("traceparent", parent).metadata("tracestate", &huge).await.unwrap();
    let records = tracer.trace(TraceId::parse("4bf92f3577b34da6a3ce929d0e0e4736").unwrap());
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].state, None, "a state that is too long is not kept");
    assert!(before >= 1);
}

#[test]
fn a_context_is_a_parent_with_a_trace() {
    let cx = polywire::TestContext::new().build();
    assert!(cx.trace().is_none() && cx.span().is_none() && cx.trace_context().is_none());
    cx.annotate("nobody hears it");
}
