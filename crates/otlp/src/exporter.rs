//! What sends spans to a collector.

use crate::{
    encode,
    queue::{Figures, Queue},
};
use polywire_call::{Code, Status};
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
/// How long [`Exporter::finish`] waits.
const FINISH: Duration = Duration::from_secs(10);

/// How spans are sent.
#[derive(Clone, Debug)]
pub struct Options {
    resource: Vec<(String, String)>,
    queue: usize,
    batch: usize,
    delay: Duration,
    timeout: Duration,
}

impl Options {
    /// `service`: the name of the program, `service.name`.
    pub fn new(service: impl Into<String>) -> Self {
        Options {
            resource: vec![("service.name".to_owned(), service.into())],
            queue: 2048,
            batch: 512,
            delay: Duration::from_secs(1),
            timeout: Duration::from_secs(10),
        }
    }

    /// A further attribute of the program, such as `service.version` or `host.name`.
    pub fn attribute(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.resource.push((key.into(), value.into()));
        self
    }

    /// Spans that wait at most; further ones are dropped and counted. Default 2048.
    pub fn queue(mut self, most: usize) -> Self {
        self.queue = most.max(1);
        self
    }

    /// Spans in a request at most. Default 512.
    pub fn batch(mut self, most: usize) -> Self {
        self.batch = most.max(1);
        self
    }

    /// How long spans wait for others to fill a batch. Default 1 s.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// How long a request may take. Default 10 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

/// Takes spans from a tracer ([`Tracer::set_sink`](polywire_trace::Tracer::set_sink)). Clones are the same.
#[derive(Clone)]
pub struct Exporter {
    queue: Arc<Queue>,
    ended: watch::Receiver<()>,
}

/// An exporter over a channel to a collector, and its work, which a runtime has to run: it ends after [`Exporter::finish`], or when it is
/// dropped. The channel's protocol is gRPC.
///
/// Sent are spans of traces that are recorded elsewhere, too, and those that begin here; not those whose callers said that they do
/// not record them.
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
            send(&channel, &options, &own, &batch).await;
        }
    };
    (Exporter { queue, ended }, work)
}

/// Sends a batch, again after a pause where that may help.
async fn send<P>(channel: &Channel<P>, options: &Options, queue: &Queue, batch: &[Arc<Record>]) {
    let (count, counts) = (batch.len() as u64, &queue.counts);
    let body = encode::request(&options.resource, batch);
    let mut pause = FIRST_PAUSE;
    for attempt in 1..=ATTEMPTS {
        match channel.call(EXPORT, body.clone()).timeout(options.timeout).await {
            Ok(reply) => {
                let rejected = encode::rejected(&reply.into_message().body.to_vec()).min(count);
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
                tracing::warn!(spans = count, "not sent to the collector: {}", status.message());
                return;
            }
        }
    }
}

/// Source: OpenTelemetry protocol specification 1.x, "Failures" of OTLP/gRPC: the retryable codes.
fn may_succeed(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Cancelled
            | Code::DeadlineExceeded
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unavailable
            | Code::DataLoss
            | Code::ResourceExhausted
    )
}

impl Exporter {
    pub fn figures(&self) -> Figures {
        self.queue.figures()
    }

    /// Takes nothing more, and waits until what it has is sent, for ten seconds at most. What fails then is not sent again.
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
