//! The exporter that sends metrics to a collector.

use super::encode::{metrics, nanos};
use crate::{
    Options, fields,
    request::{groups, send},
};
use polywire_base::{LineGate, caught};
use polywire_client::{Channel, Target};
use polywire_metrics::{Family, Value};
use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, SystemTime},
};
use tokio::{
    sync::{Notify, watch},
    time::{Instant, MissedTickBehavior, interval_at, timeout},
};

const EXPORT: Target = Target::fixed("opentelemetry.proto.collector.metrics.v1.MetricsService", "Export");
/// How long [`MetricsExporter::finish`] waits for the last export.
const FINISH: Duration = Duration::from_secs(10);

/// The number of exports by result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MetricsFigures {
    /// Requests that the collector took.
    pub sent: u64,
    /// The number of failed requests. Their values are not lost: all of them count from the start and are in
    /// the next export.
    pub failed: u64,
    /// Points that the collector did not want.
    pub rejected: u64,
}

#[derive(Default)]
struct Shared {
    sent: AtomicU64,
    failed: AtomicU64,
    rejected: AtomicU64,
    finish: Notify,
}

impl Shared {
    fn failed(&self, why: &str) {
        static GATE: LineGate = LineGate::one_in(60);
        self.failed.fetch_add(1, Relaxed);
        if let Some(left_out) = GATE.pass() {
            tracing::warn!(left_out, "metrics were not sent to the collector: {why}");
        }
    }
}

/// Reports the results of exports, and ends them. Clones are the same.
#[derive(Clone)]
pub struct MetricsExporter {
    shared: Arc<Shared>,
    ended: watch::Receiver<()>,
}

/// Sends the result of `read` over a channel to a collector, first after [`Options::interval`] and at each
/// interval from then on. Returns the exporter, and its work, which a runtime has to run; the work ends after
/// [`MetricsExporter::finish`], or when it is dropped. The channel's protocol is gRPC. `read` is called once
/// for each export, and once now, since channels begin to measure their calls when their metrics are first
/// read. It must not wait. If it panics later, that export has failed.
pub fn metrics_exporter<P: 'static>(
    channel: &Channel<P>,
    options: Options,
    mut read: impl FnMut() -> Vec<Family> + Send + 'static,
) -> (MetricsExporter, impl Future<Output = ()> + Send + 'static)
where
    Channel<P>: Clone + Send + Sync,
{
    drop(read());
    let (shared, start) = (Arc::<Shared>::default(), nanos(SystemTime::now()));
    let (ending, ended) = watch::channel(());
    let (channel, own) = (channel.clone(), shared.clone());
    let work = async move {
        let _ending = ending; // dropped at the end
        let mut turns = interval_at(Instant::now() + options.interval, options.interval);
        turns.set_missed_tick_behavior(MissedTickBehavior::Skip); // a collector that hangs is not asked more often afterwards
        let mut is_last = false;
        while !is_last {
            tokio::select! {
                _ = turns.tick() => {}
                () = own.finish.notified() => is_last = true,
            }
            match caught(&mut read) {
                Ok(families) => export(&channel, &options, &own, &families, start).await,
                Err(text) => own.failed(&format!("their function has panicked: {text}")),
            }
        }
    };
    (MetricsExporter { shared, ended }, work)
}

async fn export<P>(
    channel: &Channel<P>,
    options: &Options,
    shared: &Shared,
    families: &[Family],
    start: u64,
) {
    let times = (process_start(families).unwrap_or(start), nanos(SystemTime::now()));
    let messages = families.iter().flat_map(|family| metrics(family, times)).collect();
    for group in groups(messages) {
        match send(channel, EXPORT, options, fields::request(&options.resource, &group)).await {
            Ok(rejected) => {
                shared.sent.fetch_add(1, Relaxed);
                shared.rejected.fetch_add(rejected, Relaxed);
            }
            Err(status) => {
                shared.failed(status.message());
                return; // what is left would fail as well, and is in the next export
            }
        }
    }
}

/// Nanoseconds since 1970. Source: OpenTelemetry's "Prometheus and OpenMetrics Compatibility", "Start Time".
fn process_start(families: &[Family]) -> Option<u64> {
    let family = families.iter().find(|family| family.name == "process_start_time_seconds")?;
    match family.series.first()?.value {
        Value::Gauge(seconds) => Some((seconds * 1e9) as u64),
        _ => None,
    }
}

impl MetricsExporter {
    pub fn figures(&self) -> MetricsFigures {
        let Shared { sent, failed, rejected, .. } = &*self.shared;
        let [sent, failed, rejected] = [sent, failed, rejected].map(|count| count.load(Relaxed));
        MetricsFigures { sent, failed, rejected }
    }

    /// Sends the metrics once more, and ends; waits for that, for ten seconds at most.
    pub async fn finish(&self) {
        self.shared.finish.notify_one();
        let mut ended = self.ended.clone();
        let _ = timeout(FINISH, async move { while ended.changed().await.is_ok() {} }).await; // what is left is given up
    }
}
