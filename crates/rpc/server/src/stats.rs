//! Statistics of each method, counted without contention.
//!
//! A shard's thread has its own cells for every method of every server that has called there. The hot path
//! finds them through a thread-local and writes to cache lines that no other core writes.

use crate::{
    AccessLog,
    call_metrics::{Endings, GrpcHistogram, GrpcStarted, Methods, OTHER, RpcDurations, Way},
    sampling::Activity,
    table::SharedMethod,
    trouble::Trouble,
};
use polywire_call::Code;
use polywire_dump::{Recorder, SpanFileStats, SpanFiles};
use polywire_engine::{Fault, Faults};
use polywire_hub::{Hub, Reception};
use polywire_metrics::{
    Computed, Counter, Distribution, Durations, Gauge, LatencyRecorder, LocalCounter, LocalGauge,
    LocalLatency, Metric, Name, Passive, Reading, Registry, Scale, Show,
};
use polywire_wire::GRPC;
use std::{
    cell::RefCell,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// Statistics of one method, over all shards.
pub struct MethodStats {
    /// Latency, count and rate of successful calls only, as in brpc.
    pub latency: LatencyRecorder,
    pub errors: Counter,
    /// Calls that did not finish in their first turn. Inline calls begin and end within one.
    pub concurrency: Gauge,
    /// The gRPC calls among those in flight; created by the first one if the server has gRPC's own metrics.
    by_grpc: Arc<OnceLock<Gauge>>,
    /// The failures of the method's calls; created by the first one.
    pub trouble: OnceLock<Box<Trouble>>,
    /// The method's name in `/vars` without the suffixes of its figures; empty before it is exposed.
    pub name: OnceLock<String>,
}

/// Statistics of a server.
pub struct Stats {
    pub registry: Registry,
    pub methods: Vec<MethodStats>,
    /// The results of the calls of each method; the last entry is for methods that the server does not have.
    endings: Arc<[Endings]>,
    /// Whether gRPC's own metrics are shown; set before the server starts.
    grpc: AtomicBool,
    /// Requests refused before a method was found (brpc's `non_service_error`).
    pub refused: Counter,
    pub(crate) activity: Arc<Activity>,
}

/// Calls of a method a second, over the last ten.
#[derive(Clone, Copy, Default)]
pub struct CallRates {
    pub succeeded: f64,
    /// The rate of failed calls, whether the fault is the caller's or the server's.
    pub failed: f64,
    /// The rate of calls that failed by the server's fault.
    pub ours: f64,
    /// The rate of calls whose result was too late for the caller.
    pub late: f64,
    pub refused: f64,
}

impl MethodStats {
    /// Whether the method has not been called lately and no call has ever failed, so that there is nothing to
    /// report.
    pub fn is_quiet(&self) -> bool {
        self.latency.is_quiet() && self.trouble.get().is_none()
    }

    /// The rates of the method's calls. `window`: the recent part of [`MethodStats::latency`].
    pub fn rates(&self, window: &Distribution) -> CallRates {
        let trouble = self.trouble.get();
        let of = |count: fn(&Trouble) -> &Counter| trouble.map_or(0.0, |trouble| count(trouble).rate());
        CallRates {
            succeeded: window.per_second(),
            failed: self.errors.rate(),
            ours: of(|trouble| &trouble.ours),
            late: of(|trouble| &trouble.late),
            refused: of(|trouble| &trouble.refused),
        }
    }
}

impl CallRates {
    pub fn add(&mut self, other: &CallRates) {
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.ours += other.ours;
        self.late += other.late;
        self.refused += other.refused;
    }

    /// Calls a second that ended.
    pub fn ended(&self) -> f64 {
        self.succeeded + self.failed
    }

    /// The part of the ended calls that failed by the server's fault: 0 to 1.
    pub fn failed_share(&self) -> f64 {
        // The rates have windows of their own, of which one may begin earlier.
        self.ours / self.ended().max(self.ours).max(f64::MIN_POSITIVE)
    }

    /// Calls a second that failed by their callers' fault.
    pub fn by_callers(&self) -> f64 {
        (self.failed - self.ours).max(0.0)
    }
}

impl Drop for Stats {
    fn drop(&mut self) {
        self.activity.end();
    }
}

impl Stats {
    /// `registry` may have variables of the application.
    pub(crate) fn new(methods: &[SharedMethod], registry: Registry) -> Arc<Stats> {
        let endings = (0..=methods.len()).map(|_| Endings::default()).collect();
        let methods = methods.iter().map(|_| MethodStats {
            latency: LatencyRecorder::new(),
            errors: Counter::new(),
            concurrency: Gauge::new(),
            by_grpc: Arc::default(),
            trouble: OnceLock::new(),
            name: OnceLock::new(),
        });
        Arc::new(Stats {
            registry,
            methods: methods.collect(),
            endings,
            grpc: AtomicBool::new(false),
            refused: Counter::new(),
            activity: Arc::default(),
        })
    }

    /// Shows gRPC's own metrics, too. Before the variables are exposed.
    pub(crate) fn show_grpc(&self) {
        self.grpc.store(true, Relaxed);
    }

    /// Exposes all variables under `prefix` (`rpc_server_8000`). If a name is taken already, that variable
    /// stays.
    pub(crate) fn expose(&self, prefix: &str, methods: &[SharedMethod], faults: &Arc<Faults>) {
        let registry = &self.registry;
        let _ = polywire_metrics::process::expose(registry);
        registry.include(polywire_metrics::process::registry());
        let refused = Metric::new(
            "polywire_server_refused_requests",
            "Requests that were refused before a handler saw them: no such method, stopping, or too many at once.",
        );
        let _ = registry.expose(Name::new("error").prefix(prefix).metric(refused), self.refused.clone());
        self.expose_eps(prefix, &self.refused);
        for fault in Fault::ALL {
            let faults = faults.clone();
            let count = Passive::new(move || Reading::Count(faults.count(fault)));
            let cause = fault.cause();
            let help = "Connections and requests that ended badly, by cause.";
            let metric = Metric::new("polywire_server_faults", help).label("cause", cause);
            let _ = registry.expose(Name::new(fault.name()).prefix(prefix).metric(metric), count);
        }
        for (method, stats) in methods.iter().zip(&self.methods) {
            let name = format!("{prefix}_{}_{}", method.service, method.method.name);
            let _ = stats.name.set(polywire_metrics::normalised(&name)); // a server is exposed once
            let of = |what: &str| Name::new(what).prefix(&name).show(Show::Vars);
            let _ = registry.expose(of("latency"), stats.latency.clone());
            let _ = registry.expose(of("error"), stats.errors.clone());
            self.expose_eps(&name, &stats.errors);
            let _ = registry.expose(of("concurrency"), stats.concurrency.clone());
        }
        self.expose_calls(methods);
    }

    /// Exposes the calls of the application's methods and of built-in services, under the names of
    /// OpenTelemetry, and of gRPC. A method has no series before its first call.
    fn expose_calls(&self, methods: &[SharedMethod]) {
        // Whoever adds up calls would count those who look at pages.
        let shown = |method: &SharedMethod| {
            (!method.is_page()).then(|| format!("{}/{}", method.service, method.method.name))
        };
        let names: Arc<[_]> = methods.iter().map(shown).chain([Some(OTHER.to_owned())]).collect();
        let calls = Methods::new(self.endings.clone(), names.clone());
        let help = "Time from the start of a request's dispatch to the end of its call, by how it ended.";
        let name = Name::of_metric(Metric::new("rpc.server.call.duration", help));
        let _ = self.registry.expose(name, RpcDurations(calls.clone()));
        let levels: Vec<_> = self.methods.iter().map(|stats| stats.concurrency.clone()).collect();
        let endings = self.endings.clone();
        let in_progress = move || {
            let all = names.iter().zip(&levels).zip(&endings[..]);
            let called = all.filter_map(|((name, level), endings)| {
                let level = level.level();
                let is_called = level != 0 || !endings.is_empty();
                Some((vec![name.clone().filter(|_| is_called)?], Reading::Level(level)))
            });
            called.collect()
        };
        let metric = Metric::new(
            "polywire_server_calls_in_progress",
            "Calls under way whose handler did not answer in its first poll.",
        );
        let in_progress = Computed::new(["rpc.method"], Reading::Level(0), in_progress);
        let _ = self.registry.expose(Name::of_metric(metric), in_progress);
        if self.grpc.load(Relaxed) {
            self.expose_grpc(calls);
        }
    }

    /// Exposes gRPC's own metrics, including those of the process's channels.
    fn expose_grpc(&self, methods: Methods) {
        self.registry.include(polywire_metrics::process::grpc_registry());
        let by_grpc: Vec<_> = self.methods.iter().map(|stats| stats.by_grpc.clone()).collect();
        let level = move |k: usize| by_grpc.get(k).and_then(|level| level.get()).map_or(0, Gauge::level);
        let started = GrpcStarted {
            methods: methods.clone(),
            under_way: Box::new(level),
            shown: self.endings.iter().map(|_| AtomicU64::new(0)).collect(),
        };
        let metric =
            Metric::new("grpc.server.call.started", "Calls by gRPC that have started.").unit("{call}");
        let _ = self.registry.expose(Name::of_metric(metric), started);
        let duration =
            GrpcHistogram { methods: methods.clone(), scale: &Scale::GRPC_LATENCY, of: |one| one.duration() };
        let received =
            GrpcHistogram { methods: methods.clone(), scale: &Scale::GRPC_SIZE, of: |one| one.received() };
        let sent = GrpcHistogram { methods, scale: &Scale::GRPC_SIZE, of: |one| one.sent() };
        for (metric, help, histogram) in [
            ("grpc.server.call.duration", "Time that calls by gRPC took.", duration),
            (
                "grpc.server.call.rcvd_total_compressed_message_size",
                "Bytes of the messages that a call by gRPC has received.",
                received,
            ),
            (
                "grpc.server.call.sent_total_compressed_message_size",
                "Bytes of the messages that a call by gRPC has sent.",
                sent,
            ),
        ] {
            let _ = self.registry.expose(Name::of_metric(Metric::new(metric, help)), histogram);
        }
    }

    /// Exposes brpc's "errors per second". Prometheus computes the rate from the count.
    fn expose_eps(&self, prefix: &str, errors: &Counter) {
        let errors = errors.clone();
        let eps = Passive::new(move || Reading::Level(errors.rate().round() as i64));
        let _ = self.registry.expose(Name::new("eps").prefix(prefix).show(Show::Vars), eps);
    }

    /// Exposes how many connections are open.
    pub(crate) fn expose_connections(&self, prefix: &str, open: impl Fn() -> usize + Send + Sync + 'static) {
        let metric = Metric::new("polywire_server_connections", "Connections that are open.");
        let count = Passive::new(move || Reading::Level(open() as i64));
        let _ = self.registry.expose(Name::new("connection_count").prefix(prefix).metric(metric), count);
    }

    /// Exposes the numbers of sockets' peers, and of messages that were dropped for them.
    pub(crate) fn expose_hubs(&self, prefix: &str, receptions: &[Arc<dyn Reception>]) {
        type Figure = (&'static str, &'static str, &'static str, fn(&Hub) -> Reading);
        const FIGURES: [Figure; 6] = [
            ("connected", "polywire_socket_peers", "Peers that are connected.", |hub| {
                Reading::Level(hub.connected() as i64)
            }),
            ("unsent", "polywire_socket_unsent_messages", "Messages that wait for peers.", |hub| {
                Reading::Level(hub.unsent() as i64)
            }),
            (
                "dropped",
                "polywire_socket_dropped_messages",
                "Messages that found no room or no peer.",
                |hub| Reading::Count(hub.dropped()),
            ),
            (
                "lost",
                "polywire_socket_lost_messages",
                "Messages that waited for a peer when it went.",
                |hub| Reading::Count(hub.lost()),
            ),
            (
                "discarded",
                "polywire_socket_discarded_messages",
                "Messages of disconnected peers that were never received.",
                |hub| Reading::Count(hub.discarded()),
            ),
            ("refused", "polywire_socket_refused_peers", "Peers closed for too many topics.", |hub| {
                Reading::Count(hub.refused())
            }),
        ];
        for (socket, hub) in receptions.iter().flat_map(|reception| reception.hubs()) {
            for (figure, metric, help, read) in FIGURES {
                let hub = hub.clone();
                let metric = Metric::new(metric, help).label("socket", &*socket);
                let name = Name::new(figure).prefix(&format!("{prefix}_{socket}")).metric(metric);
                let _ = self.registry.expose(name, Passive::new(move || read(&hub)));
            }
        }
    }

    /// Exposes the counters of recorded requests.
    pub(crate) fn expose_dump(&self, prefix: &str, dump: &Arc<Recorder>) {
        type Figure = (&'static str, &'static str, &'static str, fn(&Recorder) -> u64);
        const FIGURES: [Figure; 3] = [
            ("dump_written", "polywire_server_dump_written", "Requests that were recorded.", |dump| {
                dump.stats().written
            }),
            (
                "dump_dropped",
                "polywire_server_dump_dropped",
                "Requests that were chosen to be recorded and found no room, or were too long.",
                |dump| dump.stats().dropped,
            ),
            (
                "dump_failed",
                "polywire_server_dump_failed",
                "Requests that were lost because a dump file could not be written.",
                |dump| dump.stats().failed,
            ),
        ];
        for (figure, metric, help, read) in FIGURES {
            let dump = Arc::downgrade(dump);
            let count = Passive::new(move || Reading::Count(dump.upgrade().map_or(0, |dump| read(&dump))));
            let name = Name::new(figure).prefix(prefix).metric(Metric::new(metric, help));
            let _ = self.registry.expose(name, count);
        }
    }

    /// Exposes the counters of spans that are written to files.
    pub(crate) fn expose_span_files(&self, prefix: &str, files: &SpanFiles) {
        type Figure = (&'static str, &'static str, &'static str, fn(SpanFileStats) -> u64);
        const FIGURES: [Figure; 3] = [
            (
                "spans_written",
                "polywire_server_spans_written",
                "Spans that were written to a file.",
                |stats| stats.written,
            ),
            (
                "spans_dropped",
                "polywire_server_spans_dropped",
                "Spans that were kept and found no room in the queue to their file.",
                |stats| stats.dropped,
            ),
            (
                "spans_failed",
                "polywire_server_spans_failed",
                "Spans that were lost because their file could not be written.",
                |stats| stats.failed,
            ),
        ];
        for (figure, metric, help, read) in FIGURES {
            let files = files.clone();
            let count = Passive::new(move || Reading::Count(read(files.stats())));
            let name = Name::new(figure).prefix(prefix).metric(Metric::new(metric, help));
            let _ = self.registry.expose(name, count);
        }
    }

    /// Exposes how many calls have no line in the access logs.
    pub(crate) fn expose_access_logs(&self, prefix: &str, logs: &[AccessLog]) {
        let dropped: Vec<_> = logs.iter().map(AccessLog::dropped_later).collect();
        let count = Passive::new(move || Reading::Count(dropped.iter().map(|dropped| dropped()).sum()));
        let help =
            "Calls that have no line in the access log, for want of room or since it cannot be written.";
        let metric = Metric::new("polywire_server_access_log_dropped", help);
        let _ = self.registry.expose(Name::new("access_log_dropped").prefix(prefix).metric(metric), count);
    }

    /// Records a call of method `k` that has ended. Whether it counts as failed depends on its code.
    #[inline]
    pub(crate) fn ended(self: &Arc<Self>, k: u32, way: Way, took: Duration) {
        self.with(k, |cells| {
            match cells.ended.iter().find(|(known, _)| known.is(way)) {
                Some((_, durations)) => durations.record(took),
                None => self.first(k, cells, way).record(took),
            }
            if way.code != Code::Ok {
                cells.errors.add(1);
            }
        });
    }

    /// A call of method `k` ends so on this thread for the first time.
    #[cold]
    fn first<'c>(&self, k: u32, cells: &'c mut Cells, way: Way) -> &'c LocalLatency {
        cells.ended.push((way, self.durations(k, way).local()));
        &cells.ended[cells.ended.len() - 1].1
    }

    /// The recorder for calls of method `k` that end this way. Successful ones count as its latency in
    /// `/vars`.
    pub(crate) fn durations(&self, k: u32, way: Way) -> Durations {
        let make = || match (way.code, self.methods.get(k as usize)) {
            (Code::Ok, Some(method)) => method.latency.part(),
            _ => Durations::new(),
        };
        self.endings[k as usize].of(way, make)
    }

    /// Records a request that was refused before its handler was called. `method`: `None` if the server does
    /// not have it. brpc does not count these as failed calls.
    #[cold]
    pub(crate) fn turned_away(&self, method: Option<u32>, way: Way) {
        let k = method.unwrap_or(self.methods.len() as u32);
        self.durations(k, way).record(Duration::ZERO);
    }

    /// Whether a metric counts the bytes of calls by this system.
    #[inline]
    pub(crate) fn wants_sizes(&self, system: &'static str) -> bool {
        self.grpc.load(Relaxed) && system == GRPC
    }

    /// Records the bytes of the messages of a call that has ended so.
    #[cold]
    pub(crate) fn add_sizes(&self, k: u32, way: Way, received: u64, sent: u64) {
        self.endings[k as usize].add_sizes(way, received, sent);
    }

    /// A call of method `k` is parked, or a parked one has ended: 1 or -1.
    pub(crate) fn parked(self: &Arc<Self>, k: u32, system: &'static str, more: i64) {
        self.with(k, |cells| cells.concurrency.add(more));
        if self.wants_sizes(system) {
            self.methods[k as usize].by_grpc.get_or_init(Gauge::new).add(more);
        }
    }

    /// The calling thread's cells of method `k`.
    #[inline]
    fn with<R>(self: &Arc<Self>, k: u32, write: impl FnOnce(&mut Cells) -> R) -> R {
        NEAR.with_borrow_mut(|near| {
            let at = Arc::as_ptr(self);
            let known = near.iter().position(|(stats, _)| std::ptr::eq(stats.as_ptr(), at));
            let index = known.unwrap_or_else(|| self.settle(near));
            write(&mut near[index].1[k as usize])
        })
    }

    /// The failures of the calls of method `k`.
    #[cold]
    pub(crate) fn trouble(&self, k: u32) -> &Trouble {
        self.methods[k as usize].trouble.get_or_init(|| Box::new(Trouble::new(&self.registry)))
    }

    #[cold]
    fn settle(self: &Arc<Self>, near: &mut Vec<Near>) -> usize {
        near.retain(|(stats, _)| stats.strong_count() > 0);
        let cells = self.methods.iter().map(|method| Cells {
            ended: Vec::new(),
            errors: method.errors.local(),
            concurrency: method.concurrency.local(),
        });
        near.push((Arc::downgrade(self), cells.collect()));
        near.len() - 1
    }
}

/// One thread's part of a method's statistics.
struct Cells {
    /// The recorders by how calls ended; each is made when the first call ends that way.
    ended: Vec<(Way, LocalLatency)>,
    errors: LocalCounter,
    concurrency: LocalGauge,
}

impl Way {
    /// Whether the two are certainly equal. Equal names at two addresses count as different: they get a
    /// recorder each on a thread, and are shown as one.
    #[inline]
    fn is(self, other: Way) -> bool {
        self.code == other.code && std::ptr::eq(self.system, other.system)
    }
}

type Near = (Weak<Stats>, Box<[Cells]>);

thread_local! {
    static NEAR: RefCell<Vec<Near>> = const { RefCell::new(Vec::new()) };
}
