//! Spans and a collector, in virtual time.

use super::{Figures, exporter};
use crate::{
    Options,
    testing::{Collector, Received},
};
use polywire_call::Status;
use polywire_client::Resilience;
use polywire_testkit::Net;
use polywire_trace::{End, Lane, Side, Sink, Start, Tracer};
use std::{sync::Arc, time::Duration};
use tokio::time::sleep;

fn net(received: &Received) -> (Net<Collector>, impl Sized) {
    crate::testing::net(received, "opentelemetry.proto.collector.trace.v1.TraceService")
}

fn tracer() -> Tracer {
    let options = polywire_trace::Options { sampled_per_second: 100_000, ..Default::default() };
    let tracer = Tracer::new(options, std::time::Instant::now(), Duration::from_secs(1_700_000_000), 7);
    tracer.set_on(true);
    tracer
}

fn calls(tracer: &Tracer, count: usize) {
    for _ in 0..count {
        let at = std::time::Instant::now();
        let start = Start {
            side: Side::Server,
            service: "shop.Orders".into(),
            method: "Place".into(),
            protocol: "grpc",
            system: "grpc",
            target: String::new(),
            peer: "10.0.0.1:7".to_owned(),
            at,
            request_bytes: 5,
            log_id: 0,
            number: 0,
            try_kind: "",
        };
        tracer.begin(&mut Lane::default(), None, at, || start).unwrap().end(at, End::ok(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn batches_are_sent_when_full_or_old_enough() {
    let received = Received::default();
    let (net, _served) = net(&received);
    let channel = net.builder("collector:4317").protocol("grpc").build().unwrap();
    let (exporter, work) = exporter(&channel, Options::new("shop").batch(10));
    let work = tokio::spawn(work);
    let tracer = tracer();
    assert!(tracer.set_sink(exporter.clone()));
    calls(&tracer, 25);
    sleep(Duration::from_millis(500)).await;
    assert_eq!(exporter.figures(), Figures { sent: 20, waiting: 5, ..Figures::default() });
    sleep(Duration::from_secs(1)).await;
    assert_eq!(exporter.figures(), Figures { sent: 25, ..Figures::default() });
    calls(&tracer, 3);
    exporter.finish().await;
    assert_eq!(exporter.figures().sent, 28);
    work.await.unwrap();
    calls(&tracer, 1);
    assert_eq!(exporter.figures().dropped, 1, "nothing is taken any more");
}

#[tokio::test(start_paused = true)]
async fn a_collector_that_fails_is_asked_again_ever_more_seldom() {
    let received = Received::default();
    *received.failures.lock().unwrap() = vec![Status::unavailable("busy"); 3];
    let (net, _served) = net(&received);
    let channel = net
        .builder("collector:4317")
        .protocol("grpc")
        .resilience(Resilience::default().retries(0))
        .build()
        .unwrap();
    let (exporter, work) = exporter(&channel, Options::new("shop"));
    tokio::spawn(work);
    let tracer = tracer();
    tracer.set_sink(exporter.clone());
    calls(&tracer, 2);
    sleep(Duration::from_secs(60)).await;
    assert_eq!(exporter.figures(), Figures { sent: 2, retries: 3, ..Figures::default() });
    let pauses = received.pauses();
    for (pause, most) in pauses.iter().zip([1.0, 2.0, 4.0]) {
        assert!((most / 2.0 - 0.1..most + 0.1).contains(pause), "{pauses:?}");
    }
    *received.failures.lock().unwrap() = vec![Status::invalid_argument("no")];
    calls(&tracer, 2);
    sleep(Duration::from_secs(60)).await;
    assert_eq!(
        exporter.figures(),
        Figures { sent: 2, failed: 2, retries: 3, ..Figures::default() },
        "not sent again"
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_collector_the_queue_is_bounded() {
    let net = Net::<Collector>::seeded(1);
    let channel = net.builder("nobody:4317").protocol("grpc").build().unwrap();
    let (exporter, work) = exporter(&channel, Options::new("shop").queue(100).batch(10));
    let work = tokio::spawn(work);
    let tracer = tracer();
    tracer.set_sink(exporter.clone());
    calls(&tracer, 5000);
    let figures = exporter.figures();
    assert_eq!((figures.waiting, figures.dropped), (100, 4900));
    exporter.finish().await;
    work.abort();
    assert_eq!(exporter.figures().sent, 0);
}

#[tokio::test(start_paused = true)]
async fn what_callers_do_not_record_is_not_sent() {
    let net = Net::<Collector>::seeded(1);
    let channel = net.builder("nobody:4317").protocol("grpc").build().unwrap();
    let (exporter, _work) = exporter(&channel, Options::new("shop"));
    let tracer = tracer();
    calls(&tracer, 1);
    let record = (*tracer.find(&Default::default())[0]).clone();
    let with = |is_shared, parent| {
        Arc::new(polywire_trace::Record {
            is_shared,
            parent: polywire_trace::SpanId(parent),
            ..record.clone()
        })
    };
    [with(false, 1), with(false, 0), with(true, 1)].iter().for_each(|record| exporter.kept(record));
    assert_eq!(exporter.figures().waiting, 2);
}
