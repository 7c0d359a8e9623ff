//! `traced COLLECTOR`: a server of gRPC's test service that records its calls and sends their spans, and its
//! metrics each second, to the collector at this address, until it is told to stop.

use crate::{grpc::testing::TestService, testing::Testing};
use polywire::{
    Channel, Recording, Server,
    otlp::{Options, exporter, metrics_exporter},
    standard::load::LoadReports,
    trace::tracer,
};
use std::time::Duration;

#[tokio::main]
pub async fn main() -> polywire::Result<()> {
    let collector = std::env::args().nth(1).ok_or("traced: which collector?")?;
    let channel = Channel::builder(collector).protocol("grpc").build()?;
    let options = Options::new("traced").attribute("service.version", "7").delay(Duration::from_millis(100));
    let (exporter, work) = exporter(&channel, options.clone());
    tokio::spawn(work);
    let tracer = tracer(Default::default());
    tracer.set_sink(exporter.clone());
    tracer.set_on(true);
    let service = Testing(LoadReports::new()).into_service();
    let running = Server::new()
        .service(service)
        .recording(Recording::default().tracer(&tracer).grpc_metrics(true))
        .listen("127.0.0.1:0")
        .start()?;
    let metrics = running.metrics();
    let (metrics, work) =
        metrics_exporter(&channel, options.interval(Duration::from_secs(1)), move || metrics.families());
    tokio::spawn(work);
    for address in running.addresses() {
        println!("listening on {address}");
    }
    polywire::stop_signal()?.await;
    running.stop().await;
    exporter.finish().await;
    metrics.finish().await;
    Ok(())
}
