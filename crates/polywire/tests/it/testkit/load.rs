//! How loaded a server is, as it reports it: probes over every protocol, and ORCA's trailers and streams.

use super::{
    line, ms, number,
    talk::{Line, Talk, TalkClient},
};
use buffa::Message;
use polywire::{
    Context, Reply, Resilience, Server, Status, Stream, Streaming,
    standard::load::{
        self, LoadClient, LoadReports, OpenRcaClient, OrcaLoadReport, OrcaLoadReportRequest, ProbeRequest,
        TRAILER,
    },
    testkit::Net,
    wkt,
};
use std::time::Duration;
use tokio::time::Instant;

/// Takes as many milliseconds as the number of a line says; fails on the text `fail`.
struct Slow;

impl Talk for Slow {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        tokio::time::sleep(ms(request.number.into())).await;
        if request.text == "costs" {
            let report = OrcaLoadReport { cpu_utilization: 0.125, eps: f64::NAN, ..Default::default() };
            load::attach(cx, report);
        }
        if request.text == "fail" { Err(Status::internal("as asked")) } else { Ok(request.into()) }
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (_, lines) = polywire::stream(1);
        Ok(lines)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

/// Answers with its name.
struct Named(&'static str);

impl Talk for Named {
    async fn say(&self, _: &Context, _: Line) -> Result<Reply<Line>, Status> {
        Ok(line(self.0).into())
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (_, lines) = polywire::stream(1);
        Ok(lines)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

fn served(load: &LoadReports) -> Net {
    let net = Net::seeded(5);
    let services = load.services().into_iter();
    let server = services.fold(Server::new().service(Slow.into_service()), Server::service);
    net.serve("slow:1", server.middleware(load.clone()));
    net
}

fn talk(net: &Net, protocol: &str) -> TalkClient {
    TalkClient::new(net.builder("slow:1").protocol(protocol).build().unwrap())
}

/// All that name the service of a call. nova_pbrpc numbers the methods of one service.
const PROTOCOLS: [&str; 11] = [
    "baidu_std",
    "streaming_rpc",
    "grpc",
    "grpc-web",
    "connect",
    "http",
    "h2",
    "http:proto",
    "sofa_pbrpc",
    "hulu_pbrpc",
    "public_pbrpc",
];

#[tokio::test]
async fn a_probe_says_what_is_in_flight_and_how_long_a_call_takes() {
    for protocol in PROTOCOLS {
        let load = LoadReports::new();
        let net = served(&load);
        let channel = net.builder("slow:1").protocol(protocol).build().unwrap();
        let (probes, talk) = (LoadClient::new(channel.clone()), TalkClient::new(channel));
        let probe = async || {
            let answer = probes.probe(ProbeRequest {}).await;
            answer.unwrap_or_else(|why| panic!("{protocol}: {why}")).into_message()
        };
        let idle = probe().await;
        assert_eq!((idle.in_flight, idle.latency_micros), (0, 0), "{protocol}");
        talk.say(number(20)).await.unwrap();
        let after = probe().await;
        assert_eq!(after.in_flight, 0, "{protocol}: neither the call that has ended nor the probe");
        assert!((20_000..30_000).contains(&after.latency_micros), "{protocol}: {after:?}");
        let calls = async { tokio::join!(talk.say(number(50)), talk.say(number(50)), talk.say(number(50))) };
        let probing = async {
            tokio::time::sleep(ms(20)).await;
            probe().await
        };
        let (_, during) = tokio::join!(calls, probing);
        assert_eq!(during.in_flight, 3, "{protocol}");
        assert!((80_000..120_000).contains(&during.latency_micros), "{protocol}: scaled: {during:?}");
    }
}

#[tokio::test]
async fn a_call_that_is_given_up_is_no_longer_in_flight() {
    let load = LoadReports::new();
    let net = served(&load);
    let talk = talk(&net, "grpc");
    let call = talk.say(number(60_000));
    assert!(tokio::time::timeout(ms(50), call).await.is_err());
    tokio::time::sleep(ms(50)).await;
    assert_eq!(load.probe().in_flight, 0);
}

#[tokio::test]
async fn replies_of_grpc_have_the_load_in_their_trailer_if_asked_for() {
    for (protocol, in_trailers, expected) in [
        ("grpc", true, true),
        ("grpc-web", true, true),
        ("grpc", false, false),
        ("http", true, false),
        ("baidu_std", true, false),
    ] {
        let load = LoadReports::new().in_trailers(in_trailers);
        let net = served(&load);
        let talk = talk(&net, protocol);
        load.set(OrcaLoadReport {
            application_utilization: 0.25,
            mem_utilization: 1.5,
            ..Default::default()
        });
        for _ in 0..9 {
            talk.say(number(100)).await.unwrap();
        }
        assert!(talk.say(Line { number: 200, ..line("fail") }).await.is_err());
        let reply = talk.say(line("last")).await.unwrap();
        let trailer = reply.metadata().get(TRAILER);
        assert_eq!(trailer.is_some(), expected, "{protocol}");
        if let Some(mut bytes) = trailer {
            let report = OrcaLoadReport::decode(&mut bytes).unwrap();
            assert_eq!(report.application_utilization, 0.25);
            assert_eq!(report.mem_utilization, 0.0, "more than the whole");
            assert!((7.0..11.0).contains(&report.rps_fractional), "{report:?}");
            assert!((0.7..1.1).contains(&report.eps), "{report:?}");
        }
    }
}

#[tokio::test]
async fn a_handler_says_what_its_call_has_cost() {
    for (protocol, measured, expected) in
        [("grpc", true, Some(0.5)), ("grpc", false, Some(0.0)), ("baidu_std", true, None)]
    {
        let load = LoadReports::new().in_trailers(true);
        load.set(OrcaLoadReport {
            application_utilization: 0.5,
            cpu_utilization: 0.75,
            ..Default::default()
        });
        let net = if measured {
            served(&load)
        } else {
            let net = Net::seeded(5);
            net.serve("slow:1", Server::new().service(Slow.into_service()));
            net
        };
        let reply = talk(&net, protocol).say(line("costs")).await.unwrap();
        let trailers: Vec<&[u8]> =
            reply.metadata().iter().filter(|(name, _)| *name == TRAILER).map(|(_, value)| value).collect();
        let reports: Vec<OrcaLoadReport> =
            trailers.into_iter().map(|mut bytes| OrcaLoadReport::decode(&mut bytes).unwrap()).collect();
        let found: Vec<_> =
            reports.iter().map(|r| (r.cpu_utilization, r.eps, r.application_utilization)).collect();
        let expected: Vec<_> = expected.map(|application| (0.125, 0.0, application)).into_iter().collect();
        assert_eq!(found, expected, "{protocol}");
    }
}

#[tokio::test]
async fn a_stream_reports_at_once_and_then_as_often_as_the_server_allows() {
    for (asked, expected) in
        [(None, 30), (Some(1), 30), (Some(45), 45), (Some(-9), 30), (Some(i64::MAX), 86_400)]
    {
        let load = LoadReports::new();
        let net = served(&load);
        let channel = net.builder("slow:1").protocol("grpc").timeout(Duration::MAX).build().unwrap();
        let report_interval = match asked {
            Some(seconds) => wkt::Duration { seconds, nanos: 0 }.into(),
            None => Default::default(),
        };
        let request = OrcaLoadReportRequest { report_interval, ..Default::default() };
        let mut reports = OpenRcaClient::new(channel).stream_core_metrics(request).await.unwrap();
        let began = Instant::now();
        reports.next().await.unwrap().unwrap();
        assert!(began.elapsed() < Duration::from_secs(1), "{asked:?}");
        load.set(OrcaLoadReport { application_utilization: 0.5, ..Default::default() });
        let report = reports.next().await.unwrap().unwrap();
        assert_eq!(report.application_utilization, 0.5);
        assert_eq!(began.elapsed().as_secs(), expected, "{asked:?}");
    }
}

/// Two servers that say what they do for how much of themselves: calls go to them in this proportion.
#[tokio::test]
async fn a_channel_chooses_by_the_loads_that_its_servers_report() {
    for (in_trailers, expected) in [(true, 200..=210), (false, 145..=155)] {
        let net = Net::seeded(5);
        for (address, application_utilization) in [("a:1", 0.25), ("b:1", 0.5)] {
            let load = LoadReports::new().in_trailers(in_trailers);
            load.set(OrcaLoadReport { rps_fractional: 100.0, application_utilization, ..Default::default() });
            let talk = Named(address).into_service();
            net.serve(address, Server::new().service(talk).middleware(load));
        }
        let policy = "weighted_round_robin:blackout_ms=0 update_ms=100";
        let channel = net
            .builder("list://a:1,b:1")
            .protocol("grpc")
            .resilience(Resilience::default().balancer(policy))
            .build()
            .unwrap();
        let talk = TalkClient::new(channel);
        let mut calls_to_a = 0;
        for call in 0..320 {
            let said = talk.say(line("")).await.unwrap();
            calls_to_a += usize::from(call >= 20 && said.text == "a:1");
            if call == 19 {
                tokio::time::sleep(ms(200)).await;
            }
        }
        assert!((expected.clone()).contains(&calls_to_a), "{calls_to_a} of 300, trailers: {in_trailers}");
    }
}

#[tokio::test]
async fn channels_with_prequal_are_told_the_loads_over_every_protocol() {
    for protocol in PROTOCOLS {
        let net = Net::seeded(5);
        for address in ["a:1", "b:1"] {
            let load = LoadReports::new();
            let server = load.services().into_iter().fold(Server::new(), Server::service);
            net.serve(address, server.service(Named(address).into_service()).middleware(load));
        }
        let builder = net.builder("list://a:1,b:1").protocol(protocol);
        let channel = builder.resilience(Resilience::default().balancer("prequal")).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        for _ in 0..20 {
            talk.say(line("")).await.unwrap();
            tokio::time::sleep(ms(5)).await;
        }
        tokio::time::sleep(ms(50)).await;
        let why = channel.why();
        let (sent, answered) =
            why.servers.iter().fold((0, 0), |sum, one| (sum.0 + one.probes, sum.1 + one.probes_answered));
        // Two for a call, fewer when all draws of a call fall on one server.
        assert!((34..=40).contains(&sent) && answered >= sent - 2, "{protocol}: {why}");
    }
}
