//! Durations of calls by method, system and status: OpenTelemetry's `rpc.server.call.duration`, and gRPC's
//! own server metrics.
//!
//! A recorder is made when the first call of a method ends with a system and status, so that methods without
//! calls take no memory and no series. The recorders of successful calls are parts of the method's latency in
//! `/vars`, so that nothing is recorded twice.
//!
//! Limits:     per method and system one recorder for each code that has occurred, at most 17. Requests for
//!             methods that the server does not have share those of [`OTHER`]. Callers choose none of the
//!             labels' values.
//! Source:     OpenTelemetry's semantic conventions for RPC metrics; gRFC A66.

use crate::trouble::code_of;
use polywire_base::lock;
use polywire_call::{Code, Status};
use polywire_metrics::{Durations, Labels, Reading, Scale, Variable};
use polywire_trace::{Side, otel};
use polywire_wire::{CONNECT, GRPC};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// `rpc.method` of requests for methods that the server does not have.
pub(crate) const OTHER: &str = "_OTHER";
/// The name of unknown methods in gRPC's metrics.
const GRPC_OTHER: &str = "other";

/// The system that a call used, and its status.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    pub system: &'static str,
    pub code: Code,
}

impl Way {
    /// The system of a call, and its status as its caller sees it.
    #[inline]
    pub fn new(system: &'static str, status: &Status) -> Way {
        match status.is_ok() {
            true => Way { system, code: Code::Ok },
            false => Way::failed(system, status),
        }
    }

    #[cold]
    fn failed(system: &'static str, status: &Status) -> Way {
        let has_own_rule = system == GRPC || system == CONNECT; // of requests that cannot be decoded: INTERNAL
        Way { system, code: if has_own_rule { status.code() } else { code_of(status) } }
    }
}

/// The durations of a method's calls, by how they ended.
#[derive(Default)]
pub(crate) struct Endings(Mutex<Vec<Ending>>);

#[derive(Clone)]
struct Ending {
    way: Way,
    durations: Durations,
    /// With gRPC and if the server has gRPC's own metrics: the bytes of messages received and sent.
    sizes: Option<(Durations, Durations)>,
}

impl Endings {
    /// The recorder for calls that end this way. `make`: makes it, if the call is the first one.
    pub fn of(&self, way: Way, make: impl FnOnce() -> Durations) -> Durations {
        let mut all = lock(&self.0);
        if let Some(known) = all.iter().find(|ending| ending.way == way) {
            return known.durations.clone();
        }
        let durations = make();
        all.push(Ending { way, durations: durations.clone(), sizes: None });
        durations
    }

    /// Records the bytes of the messages of a call that has ended so.
    #[cold]
    pub fn add_sizes(&self, way: Way, received: u64, sent: u64) {
        let mut all = lock(&self.0);
        if let Some(ending) = all.iter_mut().find(|ending| ending.way == way) {
            let sizes = ending.sizes.get_or_insert_with(Default::default);
            sizes.0.record_number(received);
            sizes.1.record_number(sent);
        }
    }

    pub fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    fn all(&self) -> Vec<Ending> {
        lock(&self.0).clone()
    }
}

/// The recorders of all methods of a server, and the methods' names.
#[derive(Clone)]
pub(crate) struct Methods {
    endings: Arc<[Endings]>,
    /// `package.Service/Method`; `None`: it is not shown.
    names: Arc<[Option<String>]>,
}

impl Methods {
    pub fn new(endings: Arc<[Endings]>, names: Arc<[Option<String>]>) -> Self {
        Methods { endings, names }
    }

    fn each(&self) -> impl Iterator<Item = (&str, &Endings)> {
        let named = self.names.iter().zip(&self.endings[..]);
        named.filter_map(|(name, endings)| Some((name.as_deref()?, endings)))
    }
}

/// The metric `rpc.server.call.duration`.
pub(crate) struct RpcDurations(pub Methods);

impl Variable for RpcDurations {
    fn read(&self) -> Reading {
        let of_method = |(method, endings): (&str, &Endings)| -> Vec<_> {
            let series =
                |ending: &Ending| (rpc_labels(method, ending.way), ending.durations.reading(&Scale::LATENCY));
            endings.all().iter().map(series).collect()
        };
        Reading::Labelled(self.0.each().flat_map(of_method).collect())
    }

    fn example(&self) -> Reading {
        let way = Way { system: GRPC, code: Code::Internal };
        Reading::Labelled(vec![(rpc_labels("", way), empty(&Scale::LATENCY))])
    }
}

/// A histogram of gRPC's metrics: the label `grpc.method`, and `grpc.status`.
pub(crate) struct GrpcHistogram {
    pub methods: Methods,
    pub scale: &'static Scale,
    pub of: fn(&GrpcEnding<'_>) -> Option<Reading>,
}

/// The gRPC calls of one method with one status.
pub(crate) struct GrpcEnding<'e>(&'e Ending);

impl GrpcEnding<'_> {
    pub fn duration(&self) -> Option<Reading> {
        Some(self.0.durations.reading(&Scale::GRPC_LATENCY))
    }
    pub fn received(&self) -> Option<Reading> {
        Some(self.0.sizes.as_ref()?.0.reading(&Scale::GRPC_SIZE))
    }
    pub fn sent(&self) -> Option<Reading> {
        Some(self.0.sizes.as_ref()?.1.reading(&Scale::GRPC_SIZE))
    }
}

impl Variable for GrpcHistogram {
    fn read(&self) -> Reading {
        let mut series = Vec::new();
        for (method, endings) in self.methods.each() {
            for ending in endings.all().iter().filter(|ending| ending.way.system == GRPC) {
                let reading = (self.of)(&GrpcEnding(ending));
                series.extend(reading.map(|reading| (grpc_labels(method, ending.way.code.name()), reading)));
            }
        }
        Reading::Labelled(series)
    }

    fn example(&self) -> Reading {
        Reading::Labelled(vec![(grpc_labels("", "OK"), empty(self.scale))])
    }
}

/// `grpc.server.call.started`: gRPC calls that have ended, and those under way. Nothing is counted at their
/// start.
pub(crate) struct GrpcStarted {
    pub methods: Methods,
    /// Calls by gRPC that are under way, of each method.
    pub under_way: Box<dyn Fn(usize) -> i64 + Send + Sync>,
    /// The counts that were last shown. A call that ends during a reading may be missing from it; the counts
    /// keep the metric from falling.
    pub shown: Box<[AtomicU64]>,
}

impl Variable for GrpcStarted {
    fn read(&self) -> Reading {
        let mut series = Vec::new();
        for (k, (name, endings)) in self.methods.names.iter().zip(&self.methods.endings[..]).enumerate() {
            let Some(name) = name else { continue };
            let by_grpc = endings.all().into_iter().filter(|ending| ending.way.system == GRPC);
            let ended: u64 = by_grpc.map(|ending| ending.durations.total().count()).sum();
            let started = ended + (self.under_way)(k).max(0) as u64;
            let started = started.max(self.shown[k].fetch_max(started, Relaxed));
            if started > 0 {
                series.push((vec![grpc_method(name)], Reading::Count(started)));
            }
        }
        Reading::Labelled(series)
    }

    fn example(&self) -> Reading {
        Reading::Labelled(vec![(vec![grpc_method("")], Reading::Count(0))])
    }
}

fn empty(scale: &'static Scale) -> Reading {
    Reading::Histogram { total: Box::default(), scale, exemplars: Vec::new() }
}

/// OpenTelemetry's attributes of a call.
fn rpc_labels(method: &str, Way { system, code }: Way) -> Labels {
    let mut labels = Labels::new();
    let has_failed = otel::is_error(Side::Server, code as u8);
    otel::call(system, method, code.name(), has_failed, &mut |key, text| {
        labels.push((key.to_owned(), text.to_owned()));
    });
    labels
}

fn grpc_labels(method: &str, status: &str) -> Labels {
    vec![grpc_method(method), ("grpc.status".to_owned(), status.to_owned())]
}

fn grpc_method(method: &str) -> (String, String) {
    let method = if method == OTHER { GRPC_OTHER } else { method };
    ("grpc.method".to_owned(), method.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_metrics::{Metric, Name, Registry};
    use std::time::Duration;

    fn methods() -> Methods {
        let endings: Arc<[Endings]> = Arc::new([Endings::default(), Endings::default(), Endings::default()]);
        for (k, system, code) in [
            (0, GRPC, Code::Ok),
            (0, CONNECT, Code::Ok),
            (0, CONNECT, Code::DeadlineExceeded),
            (0, GRPC, Code::Cancelled),
            (1, "http", Code::Ok),
            (2, GRPC, Code::Unimplemented),
        ] {
            endings[k].of(Way { system, code }, Durations::new).record(Duration::from_millis(3));
        }
        let names = [Some("a.B/C".to_owned()), None, Some(OTHER.to_owned())];
        Methods::new(endings, Arc::new(names))
    }

    #[test]
    fn calls_are_told_apart_by_system_and_status_and_only_failures_have_a_type() {
        let registry = Registry::new();
        let name = Name::of_metric(Metric::new("rpc.server.call.duration", "Durations."));
        registry.expose(name, RpcDurations(methods())).expect("free");
        let text = registry.prometheus();
        let counts: Vec<_> = text.lines().filter(|line| line.contains("_count")).collect();
        let of = |labels: &str| format!("rpc_server_call_duration_seconds_count{{{labels}}} 1");
        assert_eq!(
            counts,
            [
                of(r#"rpc_system_name="grpc",rpc_method="a.B/C",rpc_status_code="OK""#),
                of(r#"rpc_system_name="connectrpc",rpc_method="a.B/C""#),
                of(
                    r#"rpc_system_name="connectrpc",rpc_method="a.B/C",rpc_status_code="deadline_exceeded",error_type="deadline_exceeded""#
                ),
                of(r#"rpc_system_name="grpc",rpc_method="a.B/C",rpc_status_code="CANCELLED""#),
                of(
                    r#"rpc_system_name="grpc",rpc_method="_OTHER",rpc_status_code="UNIMPLEMENTED",error_type="UNIMPLEMENTED""#
                ),
            ]
        );
        let family = &registry.families()[0];
        assert_eq!(
            (&*family.name, &*family.otel),
            ("rpc_server_call_duration_seconds", "rpc.server.call.duration")
        );
        assert_eq!(family.series[0].labels[0].0, "rpc.system.name");
    }

    #[test]
    fn what_has_started_does_not_fall() {
        let methods = methods();
        let under_way = Arc::new(AtomicU64::new(2));
        let now = under_way.clone();
        let started = GrpcStarted {
            methods: methods.clone(),
            under_way: Box::new(move |k| if k == 0 { now.load(Relaxed) as i64 } else { 0 }),
            shown: methods.names.iter().map(|_| AtomicU64::new(0)).collect(),
        };
        let counts = || {
            let Reading::Labelled(series) = started.read() else { panic!("labelled") };
            series.into_iter().map(|(labels, count)| (labels[0].1.clone(), count)).collect::<Vec<_>>()
        };
        let before = counts();
        assert_eq!(
            before,
            [("a.B/C".to_owned(), Reading::Count(4)), ("other".to_owned(), Reading::Count(1))]
        );
        under_way.store(1, Relaxed); // one has ended that is not recorded yet
        assert_eq!(counts(), before);
    }
}
