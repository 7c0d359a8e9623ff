//! The exporter that sends spans to a collector.

use super::{
    encode,
    queue::{Figures, Queue},
};
use crate::{
    Options, fields,
    request::{groups, may_succeed, send},
};
use polywire_base::LineGate;
use polywire_client::{Channel, Target};
use polywire_trace::{Record, Sink};
use std::{
    future::Future,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

const EXPORT: Target = Target::fixed("opentelemetry.proto.collector.trace.v1.TraceService", "Export");
/// Pauses between attempts with a batch: from the first, doubled, to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);
/// Attempts with a batch.
const ATTEMPTS: u32 = 6;
/// How long [`Exporter::finish`] waits for the queue.
const FINISH: Duration = Duration::from_secs(10);

/// Takes spans from a tracer ([`Tracer::set_sink`](polywire_trace::Tracer::set_sink)). Clones are the same.
#[derive(Clone)]
pub struct Exporter {
    queue: Arc<Queue>,
    ended: watch::Receiver<()>,
}

/// An exporter over a channel to a collector, and its work, which a runtime has to run: it ends after
/// [`Exporter::finish`], or when it is dropped. The channel's protocol is gRPC.
///
/// Spans are sent for traces that are recorded elsewhere and for those that begin here, but not for those
/// whose callers declared that they do not record them.
pub fn exporter<P: 'static>(
    channel: &Channel<P>,
    options: Options,
) -> (Exporter, impl Future<Output = ()> + Send + 'static)
where
    Channel<P>: Clone + Send + Sync,
{
    let queue = Arc::new(Queue::new(options.queue));
    let (ending, ended) = watch::channel(());
    let (channel, own) = (channel.clone(), queue.clone());
    let work = async move {
        let _ending = ending; // dropped at the end
        loop {
            own.filled().await;
            let _ = timeout(options.delay, own.filled_to(options.batch)).await; // whichever comes first
            let batch = own.take(options.batch);
            if batch.is_empty() && own.is_finished() {
                return;
            }
            let spans = batch.iter().map(|record| encode::span(record)).collect();
            for group in groups(spans) {
                send_spans(&channel, &options, &own, &group).await;
            }
        }
    };
    (Exporter { queue, ended }, work)
}

/// Sends a group of encoded spans, again after a pause where that may help.
async fn send_spans<P>(channel: &Channel<P>, options: &Options, queue: &Queue, spans: &[Vec<u8>]) {
    let (count, counts) = (spans.len() as u64, &queue.counts);
    let body = fields::request(&options.resource, spans);
    let mut pause = FIRST_PAUSE;
    for attempt in 1..=ATTEMPTS {
        match send(channel, EXPORT, options, body.clone()).await {
            Ok(rejected) => {
                let rejected = rejected.min(count);
                counts.rejected.fetch_add(rejected, Relaxed);
                counts.sent.fetch_add(count - rejected, Relaxed);
                return;
            }
            Err(status) if attempt < ATTEMPTS && may_succeed(&status) && !queue.is_finished() => {
                counts.retries.fetch_add(1, Relaxed);
                sleep(pause.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
                pause = (pause * 2).min(LAST_PAUSE);
            }
            Err(status) => {
                counts.failed.fetch_add(count, Relaxed);
                static GATE: LineGate = LineGate::one_in(60);
                if let Some(left_out) = GATE.pass() {
                    tracing::warn!(
                        spans = count,
                        left_out,
                        "not sent to the collector: {}",
                        status.message()
                    );
                }
                return;
            }
        }
    }
}

impl Exporter {
    pub fn figures(&self) -> Figures {
        self.queue.figures()
    }

    /// Stops accepting spans, and waits until the queued ones are sent, for ten seconds at most. Spans that
    /// fail then are not sent again.
    pub async fn finish(&self) {
        self.queue.finish();
        let mut ended = self.ended.clone();
        let _ = timeout(FINISH, async move { while ended.changed().await.is_ok() {} }).await; // what is left is given up
    }
}

impl Sink for Exporter {
    fn kept(&self, record: &Arc<Record>) {
        if record.is_shared || record.parent.0 == 0 {
            self.queue.push(record);
        }
    }
}
