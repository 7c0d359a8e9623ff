//! Durations of the calls and tries of this process's channels: OpenTelemetry's `rpc.client.call.duration`
//! and gRPC's own client metrics.
//!
//! Recording begins when the metrics are read for the first time, by a page, an exporter or a file. Until
//! then each call only checks one flag.
//!
//! Limits:     [`MOST_METHODS`] methods, counted for each target: the busiest ones (`busiest.rs`). The calls of
//!             further ones are counted together, by their system. Of each one recorder for each code that has
//!             occurred, at most 17.
//! Source:     OpenTelemetry's semantic conventions for RPC metrics; gRFC A66, A96.

use crate::busiest::Newcomers;
use polywire_base::lock;
use polywire_call::{Code, Status};
use polywire_exchange::Name;
use polywire_metrics::{
    Durations, Labels, Metric, Name as MetricName, Reading, Registry, Scale, Variable, process,
};
use polywire_trace::{Side, otel};
use polywire_wire::{GRPC, Protocol};
use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// The maximum number of pairs of method and target with a series each.
const MOST_METHODS: usize = 1000;
/// The `rpc.method` of methods beyond the limit. In gRPC's metrics it is `other`.
const OTHER: &str = "_OTHER";

/// Whether the call durations have ever been read.
static ARE_READ: AtomicBool = AtomicBool::new(false);
/// Whether gRPC's metrics of tries have ever been read.
static TRIES_ARE_READ: AtomicBool = AtomicBool::new(false);

static METHODS: LazyLock<Methods> = LazyLock::new(Methods::default);

/// Whether the end of a call has to be recorded.
#[inline]
pub(crate) fn are_read() -> bool {
    ARE_READ.load(Relaxed)
}

/// Whether the tries of a call by this protocol are to be told.
#[inline]
pub(crate) fn tries_are_read(protocol: &Protocol) -> bool {
    TRIES_ARE_READ.load(Relaxed) && protocol.system() == GRPC
}

/// All methods that have been called, by a hash of target, system and name.
#[derive(Default)]
struct Methods {
    hasher: RandomState,
    by_hash: RwLock<HashMap<u64, Vec<Arc<Called>>>>,
    /// The calls of methods beyond the limit, by system.
    beyond: Mutex<Vec<Arc<Called>>>,
    newcomers: Mutex<Newcomers>,
}

/// A method that has been called at a target.
pub(crate) struct Called {
    target: Arc<str>,
    system: &'static str,
    service: Box<str>,
    method: Box<str>,
    calls: ByCode,
    tries: ByCode,
    /// Tries that were begun.
    begun: AtomicU64,
    /// Bytes of the messages of a try, of calls without streams.
    sent: ByCode,
    received: ByCode,
    /// gRPC's numbers for a call; where one is zero, nothing is recorded.
    further: Mutex<[Option<Durations>; 4]>,
    /// How often it was called lately, in the sense of [`Newcomers`].
    weight: AtomicU32,
    /// What counts its calls once a busier method has its place.
    gone: OnceLock<Arc<Called>>,
}

#[derive(Default)]
struct ByCode(Mutex<Vec<(Code, Durations)>>);

impl ByCode {
    fn of(&self, code: Code) -> Durations {
        let mut all = lock(&self.0);
        match all.iter().find(|(known, _)| *known == code) {
            Some((_, durations)) => durations.clone(),
            None => {
                let durations = Durations::new();
                all.push((code, durations.clone()));
                durations
            }
        }
    }

    fn all(&self) -> Vec<(Code, Durations)> {
        lock(&self.0).clone()
    }
}

impl Methods {
    fn of(&self, target: &Arc<str>, system: &'static str, service: &str, method: &str) -> Arc<Called> {
        let hash = self.hasher.hash_one((&**target, system, service, method));
        let is_it = |one: &&Arc<Called>| {
            *one.target == **target
                && one.system == system
                && *one.service == *service
                && *one.method == *method
        };
        {
            let known = self.by_hash.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(one) = known.get(&hash).and_then(|alike| alike.iter().find(is_it)) {
                one.weight.fetch_add(1, Relaxed);
                return one.clone();
            }
            if known.len() >= MOST_METHODS {
                drop(known);
                return match self.makes_room(hash) {
                    Some(weight) => {
                        let one = Arc::new(Called::new(target.clone(), system, service, method));
                        one.weight.store(weight, Relaxed);
                        let mut known = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
                        known.entry(hash).or_default().push(one.clone());
                        one
                    }
                    None => self.beyond(system),
                };
            }
        }
        let mut known = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
        let alike = known.entry(hash).or_default();
        if let Some(one) = alike.iter().find(is_it) {
            return one.clone();
        }
        alike.push(Arc::new(Called::new(target.clone(), system, service, method)));
        alike[alike.len() - 1].clone()
    }

    /// Counts a call of a method that has no place. Returns its weight if it is busier than one that has,
    /// which then has left.
    #[cold]
    fn makes_room(&self, hash: u64) -> Option<u32> {
        let mut newcomers = lock(&self.newcomers);
        let weight = newcomers.called(hash)?;
        let mut known = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
        if newcomers.ages() {
            let all = known.values().flatten();
            all.for_each(|one| one.weight.store(one.weight.load(Relaxed) / 2, Relaxed));
        }
        let weight_of = |alike: &Vec<Arc<Called>>| alike.iter().map(|one| one.weight.load(Relaxed)).max();
        let (least, quietest) =
            known.iter().filter_map(|(hash, alike)| Some((weight_of(alike)?, *hash))).min()?;
        if !newcomers.displaces(hash, weight, least) {
            return None;
        }
        let left = known.remove(&quietest).unwrap_or_default();
        drop((known, newcomers));
        for one in left {
            let beyond = self.beyond(one.system);
            // First, so that calls under way count there.
            if one.gone.set(beyond.clone()).is_ok() {
                beyond.absorb(&one);
            }
        }
        Some(weight)
    }

    #[cold]
    fn beyond(&self, system: &'static str) -> Arc<Called> {
        let mut beyond = lock(&self.beyond);
        if let Some(known) = beyond.iter().find(|one| one.system == system) {
            return known.clone();
        }
        beyond.push(Arc::new(Called::new("".into(), system, "", OTHER)));
        beyond[beyond.len() - 1].clone()
    }

    fn all(&self) -> Vec<Arc<Called>> {
        let known = self.by_hash.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = known.values().flatten().cloned().collect();
        drop(known);
        all.extend(lock(&self.beyond).iter().cloned());
        all
    }
}

/// The recorder for a call of this method on a channel to `target`.
pub(crate) fn called(target: &Arc<str>, system: &'static str, service: &Name, method: &Name) -> Arc<Called> {
    METHODS.of(target, system, service, method)
}

impl Called {
    fn new(target: Arc<str>, system: &'static str, service: &str, method: &str) -> Called {
        Called {
            target,
            system,
            service: service.into(),
            method: method.into(),
            calls: ByCode::default(),
            tries: ByCode::default(),
            begun: AtomicU64::new(0),
            sent: ByCode::default(),
            received: ByCode::default(),
            further: Mutex::default(),
            weight: AtomicU32::new(1),
            gone: OnceLock::new(),
        }
    }

    /// Adds the figures of a method that has lost its place.
    fn absorb(&self, other: &Called) {
        for (own, other) in [
            (&self.calls, &other.calls),
            (&self.tries, &other.tries),
            (&self.sent, &other.sent),
            (&self.received, &other.received),
        ] {
            other.all().iter().for_each(|(code, durations)| own.of(*code).absorb(durations));
        }
        self.begun.fetch_add(other.begun.load(Relaxed), Relaxed);
        let mut further = lock(&self.further);
        for (own, other) in further.iter_mut().zip(&*lock(&other.further)) {
            if let Some(other) = other {
                own.get_or_insert_default().absorb(other);
            }
        }
    }

    /// What counts now: this, or what has taken its place.
    fn counting(&self) -> &Called {
        self.gone.get().map_or(self, |other| &**other)
    }

    /// A call has ended.
    pub fn ended(&self, status: &Status, took: Duration) {
        self.counting().calls.of(status.code()).record(took);
    }

    pub fn try_began(&self) {
        self.counting().begun.fetch_add(1, Relaxed);
    }

    /// Records that a try has ended. `bytes`: sent and received, if it was unary.
    pub fn try_ended(&self, status: &Status, took: Duration, bytes: Option<(usize, usize)>) {
        let counting = self.counting();
        counting.tries.of(status.code()).record(took);
        if let Some((sent, received)) = bytes {
            counting.sent.of(status.code()).record_number(sent as u64);
            counting.received.of(status.code()).record_number(received as u64);
        }
    }

    /// A call by tries has ended.
    pub fn tried(&self, progress: &Progress) {
        let numbers = [progress.retries, progress.transparent, progress.hedges];
        let numbers = numbers.map(u64::from).into_iter().chain([progress.delay.as_nanos() as u64]);
        let mut further = lock(&self.counting().further);
        for (number, durations) in numbers.zip(&mut *further).filter(|(number, _)| *number > 0) {
            durations.get_or_insert_default().record_number(number);
        }
    }

    fn name(&self) -> String {
        match &*self.service {
            "" => self.method.to_string(),
            service => format!("{service}/{}", self.method),
        }
    }

    fn rpc_labels(&self, code: Code) -> Labels {
        let mut labels = Labels::new();
        let mut add = |key: &'static str, value: &str| labels.push((key.to_owned(), value.to_owned()));
        let has_failed = otel::is_error(Side::Client, code as u8);
        otel::call(self.system, &self.name(), code.name(), has_failed, &mut add);
        let (host, port) = otel::host_and_port(&self.target);
        if !host.is_empty() {
            add("server.address", host);
        }
        if let Some(port) = port {
            add("server.port", &port.to_string());
        }
        labels
    }

    fn grpc_labels(&self, code: Option<Code>) -> Labels {
        let name = if *self.method == *OTHER { "other".to_owned() } else { self.name() };
        let target = grpc_target(&self.target);
        let mut labels = vec![("grpc.method".to_owned(), name), ("grpc.target".to_owned(), target)];
        labels.retain(|(_, value)| !value.is_empty()); // methods beyond the limit have no target
        labels.extend(code.map(|code| ("grpc.status".to_owned(), code.name().to_owned())));
        labels
    }
}

/// `grpc.target`: the canonical form of the address that the channel was built with.
pub(crate) fn grpc_target(target: &str) -> String {
    match target {
        target if target.is_empty() || target.contains("://") || target.starts_with("unix:") => {
            target.to_owned()
        }
        target => format!("dns:///{target}"),
    }
}

/// The tries of one call so far, for gRPC's metrics of retries.
#[derive(Default)]
pub(crate) struct Progress {
    retries: u32,
    /// The number of tries that were repeated since no server had processed them.
    transparent: u32,
    hedges: u32,
    /// Time without a try under way, between the first one and the last.
    delay: Duration,
    under_way: u32,
    /// When the last try under way ended, and whether a server may have processed it.
    idle: Option<(std::time::Instant, bool)>,
}

impl Progress {
    /// Records that a try has begun. `is_hedge`: another try is under way.
    pub fn began(&mut self, is_first: bool, is_hedge: bool, now: std::time::Instant) {
        let idle = self.idle.take();
        if let Some((since, _)) = idle {
            self.delay += now.saturating_duration_since(since);
        }
        match idle {
            _ if is_hedge => self.hedges += 1,
            _ if is_first => {}
            Some((_, false)) => self.transparent += 1,
            _ => self.retries += 1,
        }
        self.under_way += 1;
    }

    pub fn ended(&mut self, status: &Status, now: std::time::Instant) {
        self.under_way = self.under_way.saturating_sub(1);
        if self.under_way == 0 {
            self.idle = Some((now, !status.is_unprocessed()));
        }
    }
}

/// One metric that is read for every method.
struct Figure {
    is_read: &'static AtomicBool,
    example: fn() -> Reading,
    /// gRPC's metrics have only calls by gRPC.
    of_grpc: bool,
    read: fn(&Called, &mut Vec<(Labels, Reading)>),
}

impl Variable for Figure {
    fn read(&self) -> Reading {
        self.is_read.store(true, Relaxed);
        let mut series = Vec::new();
        for one in METHODS.all().iter().filter(|one| !self.of_grpc || one.system == GRPC) {
            (self.read)(one, &mut series);
        }
        Reading::Labelled(series)
    }

    fn example(&self) -> Reading {
        let called = Called::new("host:1".into(), GRPC, "", "method");
        let labels = match self.of_grpc {
            true => called.grpc_labels(Some(Code::Internal)),
            false => called.rpc_labels(Code::Internal),
        };
        Reading::Labelled(vec![(labels, (self.example)())])
    }
}

/// The scales of [`Called::further`].
const FURTHER: [Scale; 4] =
    [Scale::GRPC_RETRIES, Scale::GRPC_TRANSPARENT_RETRIES, Scale::GRPC_RETRIES, Scale::GRPC_LATENCY];

fn further<const K: usize>(one: &Called, to: &mut Vec<(Labels, Reading)>) {
    let durations = lock(&one.further)[K].clone();
    to.extend(durations.map(|durations| (one.grpc_labels(None), durations.reading(&FURTHER[K]))));
}

/// Exposes the variables, with the first channel of the process.
pub(crate) fn expose() {
    let figure = |example, read| Figure { is_read: &TRIES_ARE_READ, example, of_grpc: true, read };
    let calls = Figure {
        is_read: &ARE_READ,
        example: || Durations::new().reading(&Scale::LATENCY),
        of_grpc: false,
        read: |one, to| {
            let calls = one.calls.all().into_iter();
            to.extend(calls.map(|(code, took)| (one.rpc_labels(code), took.reading(&Scale::LATENCY))));
        },
    };
    let latency = || Durations::new().reading(&Scale::GRPC_LATENCY);
    let size = || Durations::new().reading(&Scale::GRPC_SIZE);
    let number = || Durations::new().reading(&Scale::GRPC_RETRIES);
    let of_process = |metric, variable| show(&process::registry(), metric, variable);
    let of_grpc = |metric, variable| show(&process::grpc_registry(), metric, variable);
    of_process(
        Metric::new(
            "rpc.client.call.duration",
            "Time from the start of a channel's call to its end, tries and pauses included, by how it ended.",
        ),
        calls,
    );
    of_grpc(
        Metric::new("grpc.client.call.duration", "Time that calls by gRPC took, tries and pauses included."),
        Figure {
            is_read: &ARE_READ,
            ..figure(latency, |one, to| by_code(one, &one.calls, &Scale::GRPC_LATENCY, to))
        },
    );
    of_grpc(
        Metric::new("grpc.client.attempt.started", "Tries of calls by gRPC that have started.")
            .unit("{attempt}"),
        figure(
            || Reading::Count(0),
            |one, to| match one.begun.load(Relaxed) {
                0 => {}
                begun => to.push((one.grpc_labels(None), Reading::Count(begun))),
            },
        ),
    );
    of_grpc(
        Metric::new("grpc.client.attempt.duration", "Time that tries of calls by gRPC took."),
        figure(latency, |one, to| by_code(one, &one.tries, &Scale::GRPC_LATENCY, to)),
    );
    of_grpc(
        Metric::new(
            "grpc.client.attempt.sent_total_compressed_message_size",
            "Bytes of the message that a try of a call by gRPC has sent; not of calls with streams.",
        ),
        figure(size, |one, to| by_code(one, &one.sent, &Scale::GRPC_SIZE, to)),
    );
    of_grpc(
        Metric::new(
            "grpc.client.attempt.rcvd_total_compressed_message_size",
            "Bytes of the message that a try of a call by gRPC has received; not of calls with streams.",
        ),
        figure(size, |one, to| by_code(one, &one.received, &Scale::GRPC_SIZE, to)),
    );
    of_grpc(
        Metric::new("grpc.client.call.retries", "Retries of a call by gRPC that had some.").unit("{retry}"),
        figure(number, further::<0>),
    );
    of_grpc(
        Metric::new(
            "grpc.client.call.transparent_retries",
            "Retries of what no server had looked at, of a call by gRPC that had some.",
        )
        .unit("{transparent_retry}"),
        figure(number, further::<1>),
    );
    of_grpc(
        Metric::new("grpc.client.call.hedges", "Hedged tries of a call by gRPC that had some.")
            .unit("{hedge}"),
        figure(number, further::<2>),
    );
    of_grpc(
        Metric::new(
            "grpc.client.call.retry_delay",
            "Time of a call by gRPC without a try under way, where there was some.",
        ),
        figure(latency, further::<3>),
    );
}

fn by_code(one: &Called, of: &ByCode, scale: &'static Scale, to: &mut Vec<(Labels, Reading)>) {
    let all = of.all().into_iter();
    to.extend(all.map(|(code, durations)| (one.grpc_labels(Some(code)), durations.reading(scale))));
}

fn show(registry: &Registry, metric: Metric, variable: Figure) {
    let _ = registry.expose(MetricName::of_metric(metric), variable); // fails if the application has taken the name
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn methods_beyond_the_limit_are_counted_together() {
        let methods = Methods::default();
        let target: Arc<str> = "host:1".into();
        for k in 0..MOST_METHODS + 50 {
            methods.of(&target, GRPC, "a.B", &format!("M{k}")).ended(&Status::OK, Duration::ZERO);
        }
        methods.of(&target, GRPC, "a.B", "M7").ended(&Status::OK, Duration::ZERO);
        let all = methods.all();
        assert_eq!(all.len(), MOST_METHODS + 1);
        let beyond = all.iter().find(|one| *one.method == *OTHER).expect("there were more");
        assert_eq!(beyond.calls.of(Code::Ok).total().count(), 50);
        let of = |labels: Labels| {
            labels.into_iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(
            of(beyond.rpc_labels(Code::Ok)),
            ["rpc.system.name=grpc", "rpc.method=_OTHER", "rpc.status_code=OK"]
        );
        assert_eq!(of(beyond.grpc_labels(None)), ["grpc.method=other"]);
        let known = methods.of(&target, GRPC, "a.B", "M7");
        assert_eq!(known.calls.of(Code::Ok).total().count(), 2);
        assert_eq!(
            of(known.rpc_labels(Code::NotFound)),
            [
                "rpc.system.name=grpc",
                "rpc.method=a.B/M7",
                "rpc.status_code=NOT_FOUND",
                "error.type=NOT_FOUND",
                "server.address=host",
                "server.port=1"
            ]
        );
        assert_eq!(
            of(known.grpc_labels(Some(Code::Ok))),
            ["grpc.method=a.B/M7", "grpc.target=dns:///host:1", "grpc.status=OK"]
        );
    }

    /// Calls a method so many times.
    fn call(methods: &Methods, name: &str, times: usize) {
        let target: Arc<str> = "host:1".into();
        (0..times).for_each(|_| methods.of(&target, GRPC, "a.B", name).ended(&Status::OK, Duration::ZERO));
    }

    fn shown(methods: &Methods, name: &str) -> Option<u64> {
        let one = methods.all().into_iter().find(|one| *one.method == *name)?;
        Some(one.calls.of(Code::Ok).total().count())
    }

    #[test]
    fn who_invents_names_takes_no_place_of_a_method_that_is_called() {
        let methods = Methods::default();
        // All places, before anybody else comes.
        (0..MOST_METHODS).for_each(|k| call(&methods, &format!("Invented{k}"), 1));
        call(&methods, "Place", 3);
        assert_eq!(shown(&methods, "Place"), Some(2), "its first call did not tell it from the others");
        call(&methods, "Get", 5);
        // And then without end, a name for each call, while the methods are called now and then.
        for k in 0..200_000 {
            call(&methods, &format!("Other{k}"), 1);
            if k % 1000 == 0 {
                call(&methods, "Place", 1);
                call(&methods, "Get", 1);
            }
        }
        assert_eq!((shown(&methods, "Place"), shown(&methods, "Get")), (Some(202), Some(204)));
        let all = methods.all();
        assert_eq!(all.len(), MOST_METHODS + 1);
        let calls: u64 = all.iter().map(|one| one.calls.of(Code::Ok).total().count()).sum();
        assert_eq!(calls, MOST_METHODS as u64 + 8 + 200_000 + 400, "every call is counted once");
    }

    #[test]
    fn a_call_that_ends_after_its_method_has_lost_its_place_is_counted_with_the_others() {
        let (methods, target): (_, Arc<str>) = (Methods::default(), "host:1".into());
        let under_way = methods.of(&target, GRPC, "a.B", "Rare");
        (0..MOST_METHODS - 1).for_each(|k| call(&methods, &format!("M{k}"), 2));
        call(&methods, "Busy", 2);
        assert_eq!((shown(&methods, "Rare"), shown(&methods, "Busy")), (None, Some(1)));
        under_way.ended(&Status::OK, Duration::ZERO);
        assert_eq!(shown(&methods, OTHER), Some(2));
    }

    #[test]
    fn pauses_between_tries_are_the_delay_and_what_nobody_saw_is_transparent() {
        let (mut progress, start) = (Progress::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        progress.began(true, false, at(0));
        progress.ended(&Status::unavailable("moved").unprocessed(), at(1));
        progress.began(false, false, at(1));
        progress.ended(&Status::unavailable("busy"), at(2));
        progress.began(false, false, at(12));
        progress.began(false, true, at(20));
        progress.ended(&Status::OK, at(21));
        progress.ended(&Status::cancelled("the other one"), at(21));
        assert_eq!((progress.retries, progress.transparent, progress.hedges), (1, 1, 1));
        assert_eq!(progress.delay, Duration::from_millis(10));
    }
}
