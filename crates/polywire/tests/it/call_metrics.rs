//! What metrics say of calls: by method, system and status, at servers and at channels.

use crate::talk::{Line, Talk, TalkClient};
use polywire::{
    Backoff, Channel, Code, Context, Recording, Reply, Resilience, RetryPolicy, Running, Server, Status,
    Stream, Streaming, Target,
    metrics::{Family, Value, process},
};
use polywire_machine_testing::until;
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::SeqCst},
};

/// Answers, fails as it is told, or does not end.
#[derive(Clone, Default)]
struct Handler {
    /// How many calls fail first.
    busy: Arc<AtomicU32>,
}

impl Talk for Handler {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        if self.busy.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok() {
            return Err(Status::unavailable("busy"));
        }
        match &*request.text {
            "for ever" => std::future::pending().await,
            "nothing" => Err(Status::not_found("nobody says that")),
            "broken" => Err(Status::internal("a bug")),
            _ => Ok(request.into()),
        }
    }

    async fn count(
        &self,
        _: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        let (sender, lines) = polywire::stream(1);
        tokio::spawn(async move { sender.send(request).await });
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

fn serve(server: Server, handler: &Handler) -> Running {
    server.service(handler.clone().into_service()).listen("127.0.0.1:0").start().unwrap()
}

fn channel(server: &Running, protocol: &'static str) -> Channel {
    Channel::builder(server.addresses()[0].to_string()).protocol(protocol).build().unwrap()
}

fn line(text: &str) -> Line {
    Line { text: text.to_owned(), ..Line::default() }
}

/// Labels, as `key=value`, and how many there are, of what this family counts.
fn series(families: &[Family], name: &str) -> Vec<(String, u64)> {
    let named = families.iter().filter(|family| family.otel == name);
    let mut all: Vec<_> = named
        .flat_map(|family| &family.series)
        .map(|one| {
            let labels: Vec<_> = one.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            let count = match &one.value {
                Value::Histogram { counts, .. } => counts.count(),
                Value::Counter(count) => *count,
                other => panic!("{other:?}"),
            };
            (labels.join(" "), count)
        })
        .collect();
    all.sort();
    all
}

/// Those of a channel to this server, without what names the server.
fn of_target(families: &[Family], name: &str, server: &Running) -> Vec<(String, u64)> {
    let address = server.addresses()[0].to_string();
    let port = format!(" server.address=127.0.0.1 server.port={}", address.rsplit(':').next().unwrap());
    let target = format!(" grpc.target=dns:///{address}");
    let own = series(families, name)
        .into_iter()
        .filter(|(labels, _)| labels.contains(&port) || labels.contains(&target));
    own.map(|(labels, count)| (labels.replace(&port, "").replace(&target, ""), count)).collect()
}

fn told(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    let mut all: Vec<_> = expected.iter().map(|(labels, count)| ((*labels).to_owned(), *count)).collect();
    all.sort();
    all
}

const DURATION: &str = "rpc.server.call.duration";
const SAY: &str = "rpc.method=talk.Talk/Say";

#[tokio::test]
async fn a_server_counts_calls_by_method_system_and_status() {
    let server = serve(Server::new(), &Handler::default());
    let metrics = server.metrics();
    assert_eq!(series(&metrics.families(), DURATION), [], "nothing of what was not called");
    assert!(!metrics.prometheus().contains("polywire_server_calls_in_progress{"), "of no metric");
    let [grpc, connect, http, baidu] =
        ["grpc", "connect", "http", "baidu_std"].map(|protocol| TalkClient::new(channel(&server, protocol)));
    for client in [&grpc, &connect, &http, &baidu] {
        client.say(line("hi")).await.unwrap();
        assert_eq!(client.say(line("nothing")).await.unwrap_err().code(), Code::NotFound);
    }
    for client in [&grpc, &connect, &baidu] {
        assert_eq!(client.say(line("broken")).await.unwrap_err().code(), Code::Internal);
    }
    let web = TalkClient::new(channel(&server, "grpc-web"));
    web.say(line("hi")).await.unwrap();
    let expected = [
        ("grpc", " rpc.status_code=OK", 2),
        ("grpc", " rpc.status_code=NOT_FOUND", 1),
        ("grpc", " rpc.status_code=INTERNAL error.type=INTERNAL", 1),
        ("connectrpc", "", 1),
        ("connectrpc", " rpc.status_code=not_found", 1),
        ("connectrpc", " rpc.status_code=internal error.type=internal", 1),
        ("http", " rpc.status_code=OK", 1),
        ("http", " rpc.status_code=NOT_FOUND", 1),
        ("baidu_std", " rpc.status_code=OK", 1),
        ("baidu_std", " rpc.status_code=NOT_FOUND", 1),
        ("baidu_std", " rpc.status_code=INTERNAL error.type=INTERNAL", 1),
    ];
    let expected =
        expected.map(|(system, rest, count)| (format!("rpc.system.name={system} {SAY}{rest}"), count));
    let expected: Vec<_> = expected.iter().map(|(labels, count)| (&**labels, *count)).collect();
    assert_eq!(series(&metrics.families(), DURATION), told(&expected));
    assert!(!metrics.prometheus().contains("grpc_server_"), "gRPC's own are not asked for");
}

#[tokio::test]
async fn methods_that_a_server_does_not_have_are_one_series() {
    let server = serve(Server::new().recording(Recording::default().grpc_metrics(true)), &Handler::default());
    for protocol in ["grpc", "connect"] {
        let channel = channel(&server, protocol);
        for k in 0..20 {
            let target = Target::named(format!("a.S{k}"), format!("M{k}"));
            assert_eq!(channel.call(target, Vec::new()).await.unwrap_err().code(), Code::Unimplemented);
        }
    }
    let families = server.metrics().families();
    assert_eq!(
        series(&families, DURATION),
        told(&[
            (
                "rpc.system.name=grpc rpc.method=_OTHER rpc.status_code=UNIMPLEMENTED error.type=UNIMPLEMENTED",
                20
            ),
            (
                "rpc.system.name=connectrpc rpc.method=_OTHER rpc.status_code=unimplemented error.type=unimplemented",
                20
            ),
        ])
    );
    let other = told(&[("grpc.method=other grpc.status=UNIMPLEMENTED", 20)]);
    assert_eq!(series(&families, "grpc.server.call.duration"), other);
}

#[tokio::test]
async fn a_call_that_its_caller_gives_up_is_cancelled_and_no_error() {
    let server = serve(Server::new().recording(Recording::default().grpc_metrics(true)), &Handler::default());
    let metrics = server.metrics();
    let is_under_way = || {
        metrics.prometheus().contains("polywire_server_calls_in_progress{rpc_method=\"talk.Talk/Say\"} 1\n")
    };
    for protocol in ["grpc", "baidu_std"] {
        let client = TalkClient::new(channel(&server, protocol));
        let call = client.say(line("for ever")).start();
        until("the call is under way", is_under_way).await;
        let started = series(&metrics.families(), "grpc.server.call.started");
        assert_eq!(started, told(&[("grpc.method=talk.Talk/Say", 1)]), "with {protocol}");
        drop(call);
        drop(client); // a protocol without a message for that sees the connection end
        let labels = format!("rpc.system.name={protocol} {SAY} rpc.status_code=CANCELLED");
        until("it is counted", || series(&metrics.families(), DURATION).contains(&(labels.clone(), 1))).await;
    }
}

#[tokio::test]
async fn grpcs_own_metrics_have_its_names_and_only_calls_by_grpc() {
    let server = serve(Server::new().recording(Recording::default().grpc_metrics(true)), &Handler::default());
    let [grpc, baidu] = ["grpc", "baidu_std"].map(|protocol| TalkClient::new(channel(&server, protocol)));
    grpc.say(line("hi")).await.unwrap();
    baidu.say(line("hi")).await.unwrap();
    assert!(grpc.say(line("nothing")).await.is_err());
    let mut lines = grpc.count(line("one")).await.unwrap();
    assert_eq!(lines.next().await.unwrap().unwrap().text, "one");
    assert!(lines.next().await.is_none());
    let ended = [
        ("grpc.method=talk.Talk/Say grpc.status=OK", 1),
        ("grpc.method=talk.Talk/Say grpc.status=NOT_FOUND", 1),
        ("grpc.method=talk.Talk/Count grpc.status=OK", 1),
    ];
    let families = || server.metrics().families();
    until("the stream is counted", || series(&families(), "grpc.server.call.duration") == told(&ended)).await;
    let families = families();
    let started = told(&[("grpc.method=talk.Talk/Say", 2), ("grpc.method=talk.Talk/Count", 1)]);
    assert_eq!(series(&families, "grpc.server.call.started"), started);
    for direction in ["rcvd", "sent"] {
        let name = format!("grpc.server.call.{direction}_total_compressed_message_size");
        assert_eq!(series(&families, &name), told(&ended), "{name}");
    }
    // `{text: "hi"}` has four bytes, `{text: "one"}` five.
    let sums = |direction: &str, method: &str, status: &str| {
        let text = server.metrics().prometheus();
        let name = format!("grpc_server_call_{direction}_total_compressed_message_size_bytes_sum");
        let of = format!("{name}{{grpc_method=\"talk.Talk/{method}\",grpc_status=\"{status}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&*of)?.parse::<u64>().ok()).expect(&of)
    };
    assert_eq!((sums("rcvd", "Say", "OK"), sums("sent", "Say", "OK")), (4, 4));
    assert_eq!((sums("rcvd", "Say", "NOT_FOUND"), sums("sent", "Say", "NOT_FOUND")), (9, 0));
    assert_eq!((sums("rcvd", "Count", "OK"), sums("sent", "Count", "OK")), (5, 5));
}

#[tokio::test]
async fn a_call_that_is_retried_is_one_call_and_two_tries() {
    let handler = Handler::default();
    let server = serve(Server::new(), &handler);
    // Who reads for the first time begins the measuring.
    let read = || [process::registry().families(), process::grpc_registry().families()].concat();
    let policy = RetryPolicy::new().on(Code::Unavailable, Backoff::none());
    let address = server.addresses()[0].to_string();
    let client = |protocol: &'static str| {
        let builder = Channel::builder(&*address)
            .protocol(protocol)
            .resilience(Resilience::default().retries(2).retry_policy(policy.clone()));
        TalkClient::new(builder.build().unwrap())
    };
    let grpc = client("grpc");
    drop(read());
    handler.busy.store(1, SeqCst);
    grpc.say(line("hi")).await.unwrap();
    client("baidu_std").say(line("hi")).await.unwrap();
    let families = read();
    assert_eq!(
        of_target(&families, "rpc.client.call.duration", &server),
        told(&[
            (&format!("rpc.system.name=grpc {SAY} rpc.status_code=OK"), 1),
            (&format!("rpc.system.name=baidu_std {SAY} rpc.status_code=OK"), 1),
        ])
    );
    let say = "grpc.method=talk.Talk/Say";
    let ok = told(&[(&format!("{say} grpc.status=OK"), 1)]);
    assert_eq!(of_target(&families, "grpc.client.call.duration", &server), ok);
    let tries =
        told(&[(&format!("{say} grpc.status=UNAVAILABLE"), 1), (&format!("{say} grpc.status=OK"), 1)]);
    assert_eq!(of_target(&families, "grpc.client.attempt.duration", &server), tries);
    assert_eq!(
        of_target(&families, "grpc.client.attempt.sent_total_compressed_message_size", &server),
        tries
    );
    assert_eq!(of_target(&families, "grpc.client.attempt.started", &server), told(&[(say, 2)]));
    assert_eq!(of_target(&families, "grpc.client.call.retries", &server), told(&[(say, 1)]));
    assert_eq!(of_target(&families, "grpc.client.call.hedges", &server), []);
}
