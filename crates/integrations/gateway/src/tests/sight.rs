//! What is seen of relayed calls: figures by route, the access log, and one tree of spans.

use super::*;
use crate::{Cluster, Figures, Routes, Side};
use polywire_call::Code;
use polywire_client::{Backoff, Builder, Resilience, RetryPolicy, Target};
use polywire_metrics::Registry;
use polywire_server::{AccessLog, LogFormat, Recording};
use polywire_trace::{Options, Query, Record, Side as Of, Tracer};
use std::{
    io::Write,
    sync::{Mutex, PoisonError},
    time::Instant,
};

const PLACE: Target = Target::fixed(SERVICE, "Place");

/// A chain whose relay counts, by one route.
struct Counted {
    chain: Chain,
    figures: Figures,
}

impl Counted {
    fn route(&self) -> crate::RouteFigures {
        self.figures.routes().pop().expect("a route")
    }

    fn metrics(&self) -> String {
        let registry = Registry::new();
        self.figures.expose(&registry);
        registry.prometheus()
    }
}

fn counted_with(
    (front, back): (&'static str, &'static str),
    method: Method,
    below: impl FnOnce(Builder<Lab>) -> Builder<Lab>,
    options: impl FnOnce(Server<Lab>) -> Server<Lab>,
    behind: impl FnOnce(Server<Lab>) -> Server<Lab>,
) -> Counted {
    let net = Net::seeded(1);
    let service = Service::new(SERVICE, &[]).with(method);
    let behind = net.serve("behind:1", behind(Server::<Lab>::new().service(service)));
    let channel = below(net.host("relay").builder("behind:1").protocol(back)).build().expect("a channel");
    let figures = Figures::new();
    let cluster = Cluster::new(&channel).counted(&figures.way("shop.*", "stock", back));
    let routes = Routes::new().to("shop.*".parse().expect("names"), cluster).expect("one");
    let relay = Relay::by(routes).counted(&figures);
    net.serve("relay:1", options(Server::<Lab>::new().catch_all(relay)));
    let channel = net.builder("relay:1").protocol(front).build().expect("a channel");
    Counted { chain: Chain { net, behind, channel }, figures }
}

fn counted(front: &'static str, back: &'static str, method: Method) -> Counted {
    counted_with((front, back), method, |below| below, |relay| relay, |behind| behind)
}

/// Does what the message says.
fn as_told() -> Method {
    method("Place", |call: Call| async move {
        match &call.body.to_vec()[..] {
            b"slow" => tokio::time::sleep(ms(100)).await,
            b"none" => return Err(Status::not_found("no such lamp")),
            b"broken" => return Err(Status::internal("a shelf fell down")),
            b"never" => std::future::pending().await,
            _ => {}
        }
        Ok(ok(call.body))
    })
}

#[tokio::test(start_paused = true)]
async fn calls_are_counted_by_route_protocols_and_code_and_failures_by_whose_doing_they_are() {
    let counted = counted("baidu_std", "grpc", as_told());
    let channel = &counted.chain.channel;
    for (message, code) in
        [("slow", Code::Ok), ("", Code::Ok), ("none", Code::NotFound), ("broken", Code::Internal)]
    {
        let ended = channel.call(PLACE, message).await;
        assert_eq!(ended.map_or_else(|status| status.code(), |_| Code::Ok), code);
    }
    let refused = channel.call(PLACE, "").attachment("a picture").await.unwrap_err();
    assert_eq!(refused.code(), Code::Unimplemented);
    assert!(channel.call(Target::fixed("other.Service", "Get"), "").await.is_err());
    let route = counted.route();
    assert_eq!((&*route.name, &*route.clusters, route.calls), ("shop.*", &["stock".into()][..], 5));
    assert_eq!((route.errors, route.refused), ([1, 1, 1], 1), "{:?}", Side::ALL);
    assert_eq!((counted.figures.unrouted(), counted.figures.lost_attachments()), (1, 1));

    let text = counted.metrics();
    let of = r#"route="shop.*",cluster="stock",from="baidu_std",to="grpc""#;
    for line in [
        format!("polywire_gateway_calls_total{{{of},code=\"OK\"}} 2"),
        format!("polywire_gateway_calls_total{{{of},code=\"NOT_FOUND\"}} 1"),
        format!("polywire_gateway_calls_total{{{of},code=\"INTERNAL\"}} 1"),
        r#"polywire_gateway_errors_total{route="shop.*",side="client"} 1"#.into(),
        r#"polywire_gateway_errors_total{route="shop.*",side="gateway"} 1"#.into(),
        r#"polywire_gateway_errors_total{route="shop.*",side="upstream"} 1"#.into(),
        r#"polywire_gateway_refused_total{route="shop.*",reason="translate"} 1"#.into(),
        r#"polywire_gateway_refused_total{route="",reason="no_route"} 1"#.into(),
        r#"polywire_gateway_lost_total{what="attachment"} 1"#.into(),
        r#"polywire_gateway_duration_seconds_count{route="shop.*"} 5"#.into(),
        // The time of the slow one was all with the server. The one with an attachment was not there.
        r#"polywire_gateway_duration_seconds_bucket{route="shop.*",le="0.075"} 4"#.into(),
        r#"polywire_gateway_overhead_seconds_bucket{route="shop.*",le="0.075"} 4"#.into(),
        r#"polywire_gateway_overhead_seconds_count{route="shop.*"} 4"#.into(),
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_that_no_route_takes_are_counted_whatever_their_callers_speak() {
    for front in ["grpc", "connect", "baidu_std", "http", "hulu_pbrpc"] {
        let counted = counted(front, "grpc", as_told());
        for (calls, target) in
            [(1, Target::fixed("other.Service", "Get")), (2, Target::fixed("no-name", "Get"))]
        {
            let refused = counted.chain.channel.call(target.at(7), "").await.unwrap_err();
            assert_eq!(refused.code(), Code::Unimplemented, "{front}: {refused}");
            assert_eq!(counted.figures.unrouted(), calls, "{front}");
        }
        let line = r#"polywire_gateway_refused_total{route="",reason="no_route"} 2"#;
        let text = counted.metrics();
        assert!(text.lines().any(|shown| shown == line), "{front}: {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_is_counted_once_as_its_callers() {
    for front in ["grpc", "baidu_std"] {
        let counted = counted(front, "grpc", as_told());
        let late = counted.chain.channel.call(PLACE, "never").timeout(ms(50)).await.unwrap_err();
        assert_eq!(late.code(), Code::DeadlineExceeded);
        tokio::time::sleep(ms(1000)).await;
        let route = counted.route();
        assert_eq!((route.calls, route.errors.iter().sum::<u64>()), (1, 1), "{front}: {:?}", route.errors);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_gone_is_its_own_doing_and_nothing_was_executed() {
    let counted = counted("grpc", "grpc", as_told());
    counted.chain.behind.crash();
    assert!(counted.chain.channel.call(PLACE, "").await.is_err());
    let route = counted.route();
    assert_eq!((route.errors, route.refused), ([0, 0, 1], 1));
}

#[tokio::test(start_paused = true)]
async fn a_route_of_the_same_names_goes_on_counting_and_one_that_is_gone_is_forgotten() {
    let counted = counted("grpc", "grpc", as_told());
    counted.chain.channel.call(PLACE, "").await.expect("a reply");
    let again = counted.figures.way("shop.*", "stock", "grpc");
    let other = counted.figures.way("shop.*", "canary", "grpc");
    assert_eq!((counted.figures.routes().len(), counted.route().calls), (1, 1));
    assert_eq!(counted.route().clusters.len(), 2);
    let figures = counted.figures.clone();
    drop((counted, again, other));
    tokio::time::sleep(ms(60_000)).await; // until connections have ended
    assert!(figures.routes().is_empty());
}

#[test]
fn callers_add_no_more_series_than_there_is_room_for() {
    let figures = Figures::new();
    let ways: Vec<_> = (0..1000).map(|k| figures.way(&format!("route{k}"), "stock", "grpc")).collect();
    let protocols = ["h2", "http", "baidu_std", "a", "b", "c", "d", "e", "f", "g"];
    for way in &ways {
        for (from, code) in protocols.into_iter().flat_map(|from| Code::ALL.map(|code| (from, code))) {
            let (took, upstream, side, refused) = (ms(1), None, Some(Side::Client), None);
            way.ended(0, &crate::figures::End { from, code, side, refused, took, upstream });
        }
    }
    let registry = Registry::new();
    figures.expose(&registry);
    let text = registry.prometheus();
    let calls: Vec<_> =
        text.lines().filter(|line| line.starts_with("polywire_gateway_calls_total")).collect();
    assert_eq!(calls.len(), 10_001);
    let count = |line: &&str| line.rsplit(' ').next().and_then(|n| n.parse::<u64>().ok()).expect("a number");
    assert_eq!(calls.iter().map(count).sum::<u64>(), 1000 * 10 * 17, "every call is counted");
    drop(ways);
    let way = figures.way("another", "stock", "grpc");
    let (took, upstream, side, refused) = (ms(1), None, None, None);
    way.ended(0, &crate::figures::End { from: "h2", code: Code::Ok, side, refused, took, upstream });
    let text = registry.prometheus();
    assert!(text.contains(r#"route="another",cluster="stock",from="h2",to="grpc",code="OK"} 1"#), "{text}");
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Written {
    /// Its lines, once there are so many. Another thread writes them.
    fn lines(&self, number: usize) -> Vec<String> {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).expect("text");
            let lines: Vec<_> = text.lines().map(str::to_owned).collect();
            if lines.len() >= number {
                return lines;
            }
            assert!(Instant::now() < until, "{text}");
            std::thread::yield_now();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_access_log_says_where_a_call_went_and_how_often_it_was_tried() {
    let written = Written::default();
    let log = AccessLog::builder(LogFormat::Json).writer(written.clone()).expect("a thread");
    let policy = RetryPolicy::new().on(Code::Internal, Backoff::none());
    let counted = counted_with(
        ("baidu_std", "grpc"),
        as_told(),
        |below| below.resilience(Resilience::default().retries(2).retry_policy(policy)),
        |relay| relay.recording(Recording::default().access_log(&log).access_log(&log.clone())),
        |behind| behind,
    );
    let channel = &counted.chain.channel;
    channel.call(PLACE, "slow").await.expect("a reply");
    let _ = channel.call(PLACE, "broken").await.unwrap_err();
    let _ = channel.call(PLACE, "").attachment("a picture").await.unwrap_err();
    let _ = channel.call(Target::fixed("other.Service", "Get"), "").await.unwrap_err();
    let _ = channel.call(PLACE, "never").timeout(ms(50)).await.unwrap_err();
    tokio::time::sleep(ms(1000)).await;
    let to = format!(r#""called":"{SERVICE}/Place","route":"shop.*","cluster":"stock","to":"grpc""#);
    let lines = written.lines(10);
    for (two, parts) in lines.chunks(2).zip([
        vec![r#""code":"OK""#, &to, r#""server":"behind:1","attempts":1,"upstream_us":100000}"#],
        vec![r#""code":"INTERNAL""#, &to, r#""server":"behind:1","attempts":3,"upstream_us""#],
        vec![r#""code":"UNIMPLEMENTED""#, &to, r#""reason":"translate","attempts":0}"#],
        vec![r#""called":"other.Service/Get","reason":"no_route","attempts":0}"#],
        vec![r#""code":"DEADLINE_EXCEEDED""#, &to, r#""server":"behind:1","attempts":1,"upstream_us":5"#],
    ]) {
        for line in two {
            assert!(parts.iter().all(|part| line.contains(part)), "{parts:?}\n{line}");
        }
    }
}

fn on() -> Tracer {
    let tracer = polywire_engine::tracer(Options { sampled_per_second: 1000, ..Options::default() });
    tracer.set_on(true);
    tracer
}

fn spans(tracer: &Tracer, side: Of) -> Vec<Arc<Record>> {
    tracer.find(&Query { side: Some(side), ..Query::default() })
}

#[tokio::test(start_paused = true)]
async fn spans_of_the_caller_the_relay_each_try_and_the_server_are_one_tree() {
    for (front, back) in
        [("grpc", "grpc"), ("grpc", "baidu_std"), ("baidu_std", "grpc"), ("baidu_std", "baidu_std")]
    {
        let (caller, relay, behind) = (on(), on(), on());
        let policy = RetryPolicy::new().on(Code::Internal, Backoff::none());
        let counted = counted_with(
            (front, back),
            as_told(),
            |below| below.resilience(Resilience::default().retries(1).retry_policy(policy)),
            |server| server.recording(Recording::default().tracer(&relay)),
            |server| server.recording(Recording::default().tracer(&behind)),
        );
        let net = &counted.chain.net;
        let channel = net.builder("relay:1").protocol(front).tracer(&caller).build().expect("a channel");
        let _ = channel.call(PLACE, "broken").await.unwrap_err();
        tokio::time::sleep(ms(1000)).await;

        let [sent] = &spans(&caller, Of::Client)[..] else { panic!("one try of the caller") };
        let [relayed] = &spans(&relay, Of::Server)[..] else { panic!("one call of the relay") };
        assert_eq!((relayed.trace, relayed.parent), (sent.trace, sent.span), "{front} to {back}");
        assert_eq!(*relayed.method, *format!("{SERVICE}.Place"));
        let (tries, calls) = (spans(&relay, Of::Client), spans(&behind, Of::Server));
        assert_eq!((tries.len(), calls.len()), (2, 2), "{front} to {back}");
        for attempt in &tries {
            assert_eq!((attempt.trace, attempt.parent), (sent.trace, relayed.span), "{front} to {back}");
            let is_its = |call: &&Arc<Record>| (call.trace, call.parent) == (sent.trace, attempt.span);
            assert_eq!(calls.iter().filter(is_its).count(), 1, "{front} to {back}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_trace_goes_on_whether_the_relay_records_or_not() {
    for (front, back) in [("grpc", "grpc"), ("grpc", "baidu_std"), ("baidu_std", "grpc")] {
        for tracer in [None, Some(on())] {
            let seen = method("Place", |call: Call| async move {
                Ok(ok(call.cx.metadata().get_str("traceparent").unwrap_or("none").to_owned()))
            });
            let recording = tracer.iter().fold(Recording::default(), Recording::tracer);
            let counted = counted_with(
                (front, back),
                seen,
                |below| below,
                |server| server.recording(recording),
                |behind| behind,
            );
            let (trace, span) = ("00-0af7651916cd43dd8448eb211c80319c-", "b7ad6b7169203331-01");
            let call =
                counted.chain.channel.call(PLACE, "").metadata("traceparent", format!("{trace}{span}"));
            let arrived = String::from_utf8(call.await.expect("a reply").body.to_vec()).expect("text");
            assert!(arrived.starts_with(trace), "{front} to {back}: {arrived}");
            // Where it records, the span of its own try is between.
            assert_eq!(arrived.ends_with(span), tracer.is_none(), "{front} to {back}: {arrived}");
        }
    }
}
