//! Metrics and a collector, in virtual time. That others can read the messages is shown by
//! `interop/opentelemetry`.

use super::{MetricsFigures, metrics_exporter};
use crate::{
    Options,
    testing::{Received, net},
};
use polywire_call::Status;
use polywire_client::Resilience;
use polywire_metrics::{Counter, Labelled, Registry};
use std::time::Duration;
use tokio::time::sleep;

const SERVICE: &str = "opentelemetry.proto.collector.metrics.v1.MetricsService";

#[tokio::test(start_paused = true)]
async fn metrics_are_sent_at_intervals_and_at_the_end() {
    let received = Received::default();
    let (net, _served) = net(&received, SERVICE);
    let channel = net
        .builder("collector:4317")
        .protocol("grpc")
        .resilience(Resilience::default().retries(0))
        .build()
        .unwrap();
    let registry = Registry::new();
    registry.expose("calls", Counter::new()).unwrap();
    let read = move || registry.families();
    let options = Options::new("shop").interval(Duration::from_secs(10));
    let (exporter, work) = metrics_exporter(&channel, options, read);
    let work = tokio::spawn(work);
    sleep(Duration::from_secs(35)).await;
    assert_eq!(exporter.figures(), MetricsFigures { sent: 3, ..MetricsFigures::default() });
    assert!(received.pauses().iter().all(|pause| (9.9..10.1).contains(pause)), "{:?}", received.pauses());
    *received.failures.lock().unwrap() = vec![Status::unavailable("busy")];
    sleep(Duration::from_secs(10)).await;
    assert_eq!(
        exporter.figures(),
        MetricsFigures { sent: 3, failed: 1, rejected: 0 },
        "sent once, and not again"
    );
    exporter.finish().await;
    assert_eq!(exporter.figures(), MetricsFigures { sent: 4, failed: 1, rejected: 0 });
    work.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_function_that_panics_fails_one_export_and_no_later_one() {
    let received = Received::default();
    let (net, _served) = net(&received, SERVICE);
    let channel = net.builder("collector:4317").protocol("grpc").build().unwrap();
    let registry = Registry::new();
    registry.expose("calls", Counter::new()).unwrap();
    let mut reads = 0;
    let read = move || {
        reads += 1;
        assert_ne!(reads, 2, "the first is made before there is an exporter");
        registry.families()
    };
    let options = Options::new("shop").interval(Duration::from_secs(10));
    let (exporter, work) = metrics_exporter(&channel, options, read);
    tokio::spawn(work);
    sleep(Duration::from_secs(25)).await;
    assert_eq!(exporter.figures(), MetricsFigures { sent: 1, failed: 1, rejected: 0 });
}

#[tokio::test(start_paused = true)]
async fn many_series_are_several_requests() {
    let received = Received::default();
    let (net, _served) = net(&received, SERVICE);
    let channel = net.builder("collector:4317").protocol("grpc").build().unwrap();
    let (registry, calls) = (Registry::new(), Labelled::limit(["customer"], Counter::new, 10_000));
    registry.expose("calls", calls.clone()).unwrap();
    for customer in 0..9_000 {
        calls.with([&*format!("{customer:0>250}")]).add(1);
    }
    let (exporter, work) = metrics_exporter(&channel, Options::new("shop"), move || registry.families());
    tokio::spawn(work);
    sleep(Duration::from_secs(61)).await;
    assert_eq!(exporter.figures(), MetricsFigures { sent: 2, ..MetricsFigures::default() });
    let requests = received.requests.lock().unwrap();
    assert!(requests.iter().all(|(_, body)| body.len() < 4 << 20));
    assert!(requests.iter().map(|(_, body)| body.len()).sum::<usize>() > 9_000 * 250);
}
