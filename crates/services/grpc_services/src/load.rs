//! Reports the load of a server, for clients that choose servers by load.
//!
//! ```text
//!  calls ──► LoadReports, middleware: in flight, latencies, how many ended and failed
//!                 │
//!                 ├── polywire.load.v1.Load/Probe            for `prequal`, over every protocol that names services
//!                 ├── trailer endpoint-load-metrics-bin      for `weighted_round_robin`, over gRPC, if asked for
//!                 └── xds.service.orca.v3.OpenRcaService     the same without calls, as a stream
//! ```
//!
//! nova_pbrpc numbers the methods of one service and has no place for a probe.
//!
//! Source: Prequal (NSDI 2024); gRFC A51 for ORCA. Rates and the share of the processor are those of the last
//!         second or more.

pub use super::generated::{
    load::{Load, LoadClient, ProbeRequest, ProbeResponse},
    xds::{
        data::orca::v3::OrcaLoadReport,
        service::orca::v3::{OpenRcaClient, OpenRcaService, OrcaLoadReportRequest},
    },
};

use polywire_balance::{Begun, SharedMeter, Time};
use polywire_call::{Reply, Status};
use polywire_metrics::process::Usage;
use polywire_server::{Context, Ended, Middleware, Next, Service};
use polywire_streams::Stream;
use std::{
    future::Future,
    mem,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};
use tokio::time::Instant;

/// The trailer of a call that holds an [`OrcaLoadReport`].
pub const TRAILER: &str = "endpoint-load-metrics-bin";

/// Measures the load of a server, as its middleware, and reports it by [`LoadReports::services`].
///
/// ```
/// use polywire_grpc_services::load::LoadReports;
/// # use polywire_server::{Server, Service};
/// # fn with<P: polywire_server::Preset>(server: Server<P>) -> Server<P> {
/// let load = LoadReports::new().in_trailers(true);
/// load.services().into_iter().fold(server, |server, service| server.service(service)).middleware(load)
/// # }
/// ```
///
/// A call then takes an addition to a number that all threads share, and one of 250 µs a lock. Calls of these
/// services are not counted.
#[derive(Clone, Debug)]
pub struct LoadReports {
    counts: Arc<Counts>,
    in_trailers: bool,
    least_interval: Duration,
}

#[derive(Debug)]
struct Counts {
    meter: SharedMeter,
    origin: Instant,
    succeeded: AtomicU64,
    failed: AtomicU64,
    /// The report of the application itself.
    application: Mutex<OrcaLoadReport>,
    rates: Mutex<Rates>,
}

/// Rates between two moments that are a second apart at least.
#[derive(Debug)]
struct Rates {
    at: Instant,
    succeeded: u64,
    failed: u64,
    /// The processor time in seconds.
    processor: f64,
    report: OrcaLoadReport,
}

/// A call in flight. If it is dropped it was cancelled, or its deadline has passed.
struct InFlight {
    counts: Arc<Counts>,
    call: Option<Begun>,
}

/// Rates are computed no more often.
const LEAST_SPAN: Duration = Duration::from_secs(1);
/// The default interval between two reports of a stream, unless the server sets another one: grpc-go's.
const LEAST_INTERVAL: Duration = Duration::from_secs(30);
/// The maximum interval: longer ones are useless, and a timer may not support them.
const LONGEST_INTERVAL: Duration = Duration::from_secs(24 * 3600);

impl Default for LoadReports {
    fn default() -> Self {
        LoadReports::new()
    }
}

impl LoadReports {
    pub fn new() -> Self {
        let now = Instant::now();
        let rates = Rates {
            at: now,
            succeeded: 0,
            failed: 0,
            processor: processor_seconds(),
            report: OrcaLoadReport::default(),
        };
        let counts = Counts {
            meter: SharedMeter::default(),
            origin: now,
            succeeded: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            application: Mutex::default(),
            rates: Mutex::new(rates),
        };
        LoadReports { counts: Arc::new(counts), in_trailers: false, least_interval: LEAST_INTERVAL }
    }

    /// Whether each reply over gRPC has the load in its trailer. Default: no, since it makes replies longer
    /// by some 40 bytes.
    pub fn in_trailers(mut self, in_trailers: bool) -> Self {
        self.in_trailers = in_trailers;
        self
    }

    /// The least time from one report of a stream to the next, whatever clients ask for. Default: 30 s; at
    /// least 1 s.
    pub fn least_interval(mut self, interval: Duration) -> Self {
        self.least_interval = interval.clamp(LEAST_SPAN, LONGEST_INTERVAL);
        self
    }

    /// Sets the application's own report, in place of the previous one. Numbers above 0 replace measured
    /// ones; named ones are added. Invalid numbers (below 0, or for memory and named utilization above 1) are
    /// left out.
    pub fn set(&self, report: OrcaLoadReport) {
        *lock(&self.counts.application) = sensible(report);
    }

    /// The services that answer how loaded the server is.
    pub fn services(&self) -> [Service; 2] {
        [Load::into_service(self.clone()), OpenRcaService::into_service(self.clone())]
    }

    /// The calls in flight, and the expected duration of a new call.
    pub fn probe(&self) -> ProbeResponse {
        let report = self.counts.meter.report(self.counts.time(Instant::now()));
        let latency_micros = u64::try_from(report.latency.as_micros()).unwrap_or(u64::MAX);
        ProbeResponse { in_flight: report.in_flight, latency_micros }
    }

    /// The load as ORCA reports it.
    pub fn orca(&self) -> OrcaLoadReport {
        self.counts.orca(Instant::now())
    }
}

impl Counts {
    fn time(&self, now: Instant) -> Time {
        Time::default() + now.saturating_duration_since(self.origin)
    }

    fn orca(&self, now: Instant) -> OrcaLoadReport {
        let mut rates = lock(&self.rates);
        let span = now.saturating_duration_since(rates.at);
        if span >= LEAST_SPAN {
            let (succeeded, failed) = (self.succeeded.load(Relaxed), self.failed.load(Relaxed));
            let processor = processor_seconds();
            let per_second = |amount: f64| amount / span.as_secs_f64();
            let ended = (succeeded - rates.succeeded) + (failed - rates.failed);
            rates.report = OrcaLoadReport {
                cpu_utilization: per_second((processor - rates.processor).max(0.0)) / processors(),
                rps_fractional: per_second(ended as f64),
                eps: per_second((failed - rates.failed) as f64),
                ..OrcaLoadReport::default()
            };
            (rates.at, rates.succeeded, rates.failed, rates.processor) = (now, succeeded, failed, processor);
        }
        filled(lock(&self.application).clone(), &rates.report)
    }
}

impl InFlight {
    fn ended(mut self, received: Instant, ok: bool) {
        let counts = &self.counts;
        if ok { &counts.succeeded } else { &counts.failed }.fetch_add(1, Relaxed);
        if let Some(call) = self.call.take() {
            let now = Instant::now();
            counts.meter.ended(call, now.saturating_duration_since(received), counts.time(now));
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if let Some(call) = self.call.take() {
            self.counts.meter.given_up(call);
        }
    }
}

impl Middleware for LoadReports {
    fn call(&self, mut cx: Context, next: Next) -> Pin<Box<dyn Future<Output = Ended> + Send>> {
        if [LOAD, OPEN_RCA].contains(&cx.service()) {
            return Box::pin(next.run(cx));
        }
        let counts = self.counts.clone();
        let wants_trailer = self.in_trailers && is_grpc(&cx);
        Box::pin(async move {
            let received = cx.received().into();
            let own = Own::default();
            if wants_trailer {
                cx.set_extension(own.clone());
            }
            let call = InFlight { call: Some(counts.meter.began()), counts: counts.clone() };
            let ended = next.run(cx).await;
            call.ended(received, ended.status().is_ok());
            if wants_trailer {
                let report = filled(mem::take(&mut lock(&own.0)), &counts.orca(Instant::now()));
                ended.metadata(TRAILER, buffa::Message::encode_to_vec(&report))
            } else {
                ended
            }
        })
    }
}

/// A handler's report about its call.
#[derive(Clone, Default)]
struct Own(Arc<Mutex<OrcaLoadReport>>);

/// Sets the cost of this call, for the trailer of its reply over gRPC: `request_cost` and other numbers that
/// describe the call and not the server. Under [`LoadReports`] with trailers, the server's numbers replace
/// zeros. Other protocols than gRPC do not send it.
///
/// A call has one report: a second one takes the place of the first under `LoadReports`, and without it
/// clients ignore both.
pub fn attach(cx: &Context, report: OrcaLoadReport) {
    let report = sensible(report);
    match cx.extension::<Own>() {
        Some(own) => *lock(&own.0) = report,
        None if is_grpc(cx) => cx.reply_trailer(TRAILER, buffa::Message::encode_to_vec(&report)),
        None => {}
    }
}

/// The report without invalid numbers, which gRPC's recorders ignore as well.
fn sensible(mut report: OrcaLoadReport) -> OrcaLoadReport {
    let finite = |number: &f64| number.is_finite() && *number >= 0.0;
    let share = |number: &f64| (0.0..=1.0).contains(number);
    let or_none = |number: &mut f64, is_sensible: bool| {
        if !is_sensible {
            *number = 0.0;
        }
    };
    for number in [
        &mut report.cpu_utilization,
        &mut report.application_utilization,
        &mut report.rps_fractional,
        &mut report.eps,
    ] {
        or_none(number, finite(number));
    }
    let is_share = share(&report.mem_utilization);
    or_none(&mut report.mem_utilization, is_share);
    report.utilization.retain(|_, number| share(number));
    report
}

/// Fills zeros of one report with the numbers of another.
fn filled(mut report: OrcaLoadReport, from: &OrcaLoadReport) -> OrcaLoadReport {
    for (to, from) in [
        (&mut report.cpu_utilization, from.cpu_utilization),
        (&mut report.mem_utilization, from.mem_utilization),
        (&mut report.application_utilization, from.application_utilization),
        (&mut report.rps_fractional, from.rps_fractional),
        (&mut report.eps, from.eps),
    ] {
        if *to == 0.0 {
            *to = from;
        }
    }
    for (to, from) in [
        (&mut report.request_cost, &from.request_cost),
        (&mut report.utilization, &from.utilization),
        (&mut report.named_metrics, &from.named_metrics),
    ] {
        for (name, number) in from {
            to.entry(name.clone()).or_insert(*number);
        }
    }
    report
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

const LOAD: &str = "polywire.load.v1.Load";
const OPEN_RCA: &str = "xds.service.orca.v3.OpenRcaService";

/// Whether the call uses gRPC: other kinds of HTTP would have a field of the head in place of a trailer.
fn is_grpc(cx: &Context) -> bool {
    cx.metadata().get("content-type").is_some_and(|kind| kind.starts_with(b"application/grpc"))
}

fn processor_seconds() -> f64 {
    let usage = Usage::now();
    usage.cpu_user_seconds.unwrap_or(0.0) + usage.cpu_system_seconds.unwrap_or(0.0)
}

fn processors() -> f64 {
    thread::available_parallelism().map_or(1.0, |n| n.get() as f64)
}

impl Load for LoadReports {
    async fn probe(&self, _: &Context, _: ProbeRequest) -> Result<Reply<ProbeResponse>, Status> {
        Ok(LoadReports::probe(self).into())
    }
}

impl OpenRcaService for LoadReports {
    async fn stream_core_metrics(
        &self,
        cx: &Context,
        request: OrcaLoadReportRequest,
    ) -> Result<impl Stream<Item = Result<OrcaLoadReport, Status>>, Status> {
        let asked = request.report_interval.as_option().and_then(|asked| {
            let nanos = u32::try_from(asked.nanos).ok()?;
            Some(Duration::new(u64::try_from(asked.seconds).ok()?.min(1 << 32), nanos.min(999_999_999)))
        });
        let interval = asked.unwrap_or_default().clamp(self.least_interval, LONGEST_INTERVAL);
        let (sender, reports) = polywire_streams::stream(1);
        let load = self.clone();
        cx.spawn(async move {
            loop {
                sender.send(load.orca()).await?;
                tokio::time::sleep(interval).await;
            }
        });
        Ok(reports)
    }
}
