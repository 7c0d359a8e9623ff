//! What is counted of the calls that relays pass on, by route and cluster.
//!
//! ```text
//!  end of a call ─► Way (a route, one of its clusters) ─┬─ calls by protocol and code
//!                                                       └─ Route: durations, overhead, errors by side, refusals
//!  pages, /metrics ─► Figures: the ways that relays use now
//! ```
//!
//! A way is found when routes are made, not for each call; the end of a call adds to atomics of its own
//! shard. Routes that are made anew with the same names go on counting where those before them have.
//!
//! Limits: callers choose neither routes nor clusters, nor their number. Protocols and codes that occur have
//!         a counter each, at most [`MOST_SERIES`] of all ways; further ones are counted as [`OTHER`](polywire_metrics::OTHER).

mod metrics;

use crate::{
    failure::Reason,
    shadow::counts::{Counts, ShadowFigures},
};
use polywire_base::lock;
use polywire_call::Code;
use polywire_metrics::{Counter, Distribution, Durations, LatencyRecorder};
use std::{
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

/// Counters of calls by route, cluster, protocols and code.
const MOST_SERIES: usize = 10_000;
/// Protocols of callers that one way tells apart.
const PROTOCOLS: usize = 12;
const CODES: usize = Code::ALL.len();
/// Reasons of refusals of which there is a dry run.
const DRY: [Reason; 2] = [Reason::Policy, Reason::Limit];
/// Parts of a recorder, so that shards do not write to the same memory.
const LANES: usize = 8;

/// Whose doing it is that a call has failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The caller's: it has given up, or has asked for what cannot be.
    Client,
    /// This gateway's: by its rules and limits, or since the call has no form on the other side.
    Gateway,
    /// The servers' behind, or that of the way to them.
    Upstream,
}

impl Side {
    pub const ALL: [Side; 3] = [Side::Client, Side::Gateway, Side::Upstream];

    pub fn name(self) -> &'static str {
        match self {
            Side::Client => "client",
            Side::Gateway => "gateway",
            Side::Upstream => "upstream",
        }
    }
}

/// What relays count: see [`Figures::way`] and [`Relay::counted`](crate::Relay::counted). Clones are the
/// same.
///
/// ```
/// # mod polywire { pub use polywire_client::*; pub mod gateway { pub use polywire_gateway::*; } }
/// use polywire::gateway::{Cluster, Figures, Relay, Routes};
///
/// # fn f(stock: polywire::Channel) -> Result<(), Box<dyn std::error::Error>> {
/// let figures = Figures::new();
/// figures.expose(&polywire_metrics::process::registry());
/// let stock = Cluster::new(&stock).counted(&figures.way("shop.*", "stock", "grpc"));
/// let relay = Relay::by(Routes::new().to("shop.*".parse()?, stock)?).counted(&figures);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Figures(Arc<Shared>);

#[derive(Default)]
struct Shared {
    ways: Mutex<Vec<Weak<OfWay>>>,
    shadows: Mutex<Vec<Weak<Counts>>>,
    series: AtomicUsize,
    /// Calls that have no counter of their own.
    beyond: Counter,
    unrouted: Counter,
    attachments: Counter,
    reloads: [Counter; 2],
}

/// Where calls of one route go to one of its clusters. Clones are the same.
#[derive(Clone)]
pub struct Way(Arc<OfWay>);

struct OfWay {
    route: Arc<OfRoute>,
    cluster: Arc<str>,
    /// The protocol that its servers speak.
    to: &'static str,
    calls: [OnceLock<ByProtocol>; PROTOCOLS],
    all: Weak<Shared>,
}

/// Calls by one protocol.
struct ByProtocol {
    protocol: &'static str,
    codes: [OnceLock<Counter>; CODES],
}

struct OfRoute {
    name: Arc<str>,
    durations: Recorder,
    overhead: Recorder,
    errors: [Counter; 3],
    refused: [Counter; Reason::ALL.len()],
    /// Calls that a fault has delayed, and that one has made fail.
    injected: [Counter; 2],
    /// By a dry run, for each of [`DRY`].
    would_refuse: [Counter; DRY.len()],
}

/// Durations of which each shard has a part.
#[derive(Default)]
struct Recorder {
    whole: LatencyRecorder,
    lanes: [OnceLock<Durations>; LANES],
}

impl Recorder {
    #[inline]
    fn record(&self, lane: usize, duration: Duration) {
        self.lanes[lane % LANES].get_or_init(|| self.whole.part()).record(duration);
    }
}

/// The end of one call.
pub(crate) struct End {
    pub from: &'static str,
    pub code: Code,
    pub side: Option<Side>,
    /// Why it was refused, before anything of it was executed.
    pub refused: Option<Reason>,
    pub took: Duration,
    /// How long it was with the servers; `None`: it was not.
    pub upstream: Option<Duration>,
}

impl Figures {
    pub fn new() -> Figures {
        Figures::default()
    }

    /// What counts the calls of a route to one of its clusters, whose servers speak the protocol `to`. If
    /// there is one of these names, it is that. It is forgotten when no relay and no call uses it.
    pub fn way(&self, route: &str, cluster: &str, to: &'static str) -> Way {
        let mut ways = lock(&self.0.ways);
        ways.retain(|way| way.strong_count() > 0);
        let mut known = ways.iter().filter_map(Weak::upgrade).filter(|way| *way.route.name == *route);
        let mut of_route = None;
        if let Some(way) = known.find(|way| {
            of_route = Some(way.route.clone());
            *way.cluster == *cluster && way.to == to
        }) {
            return Way(way);
        }
        let way = Arc::new(OfWay {
            route: of_route.unwrap_or_else(|| Arc::new(OfRoute::new(route))),
            cluster: cluster.into(),
            to,
            calls: Default::default(),
            all: Arc::downgrade(&self.0),
        });
        ways.push(Arc::downgrade(&way));
        Way(way)
    }

    /// Other settings were read, and are in use or not.
    pub fn reloaded(&self, is_used: bool) {
        self.0.reloads[usize::from(is_used)].add(1);
    }

    /// The routes that relays use now, in the order in which they were made.
    pub fn routes(&self) -> Vec<RouteFigures> {
        let mut routes: Vec<RouteFigures> = Vec::new();
        for way in self.0.all() {
            match routes.iter_mut().find(|route| route.name == way.route.name) {
                Some(route) => route.clusters.push(way.cluster.clone()),
                None => routes.push(RouteFigures::of(&way)),
            }
        }
        routes
    }

    /// What counts the copies of a route's calls to a cluster. If there is one of these names, it is that.
    pub(crate) fn shadow(&self, route: &str, to: &str) -> Arc<Counts> {
        let mut shadows = lock(&self.0.shadows);
        shadows.retain(|shadow| shadow.strong_count() > 0);
        let mut known = shadows.iter().filter_map(Weak::upgrade);
        known.find(|known| *known.route == *route && *known.to == *to).unwrap_or_else(|| {
            let counts = Arc::new(Counts::new(route, to));
            shadows.push(Arc::downgrade(&counts));
            counts
        })
    }

    /// The shadows that routes have now, in the order in which they were made.
    pub fn shadows(&self) -> Vec<ShadowFigures> {
        self.0.all_shadows().iter().map(|shadow| shadow.figures()).collect()
    }

    /// Calls that no route has taken.
    pub fn unrouted(&self) -> u64 {
        self.0.unrouted.total()
    }

    /// Calls that failed because their attachment has no place on the other side.
    pub fn lost_attachments(&self) -> u64 {
        self.0.attachments.total()
    }

    pub(crate) fn has_no_route(&self) {
        self.0.unrouted.add(1);
    }
}

/// The figures of one route.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RouteFigures {
    pub name: Arc<str>,
    pub clusters: Vec<Arc<str>>,
    /// Since the start.
    pub calls: u64,
    /// Durations of the calls of the last ten seconds.
    pub lately: Distribution,
    /// The mean time of these in which they were not with a server.
    pub overhead: Option<Duration>,
    /// Failures since the start, by [`Side::ALL`].
    pub errors: [u64; 3],
    /// Failures of the last ten seconds, a second.
    pub error_rates: [f64; 3],
    /// Calls since the start of which no server has executed anything.
    pub refused: u64,
    /// Calls since the start that a fault of the route has delayed, and that one has made fail.
    pub injected: [u64; 2],
    /// Calls since the start that a policy or a rate would have refused but for its dry run.
    pub would_refuse: u64,
}

impl RouteFigures {
    fn of(way: &OfWay) -> RouteFigures {
        let route = &way.route;
        let overhead = route.overhead.whole.window();
        RouteFigures {
            name: route.name.clone(),
            clusters: vec![way.cluster.clone()],
            calls: route.durations.whole.count(),
            lately: route.durations.whole.window(),
            overhead: (overhead.count() > 0).then(|| overhead.mean()),
            errors: [0, 1, 2].map(|side| route.errors[side].total()),
            error_rates: [0, 1, 2].map(|side| route.errors[side].rate()),
            refused: route.refused.iter().map(Counter::total).sum(),
            injected: [0, 1].map(|kind| route.injected[kind].total()),
            would_refuse: route.would_refuse.iter().map(Counter::total).sum(),
        }
    }
}

impl Shared {
    fn all(&self) -> Vec<Arc<OfWay>> {
        lock(&self.ways).iter().filter_map(Weak::upgrade).collect()
    }

    fn all_shadows(&self) -> Vec<Arc<Counts>> {
        lock(&self.shadows).iter().filter_map(Weak::upgrade).collect()
    }

    fn of_each_route(&self) -> Vec<Arc<OfRoute>> {
        let mut routes: Vec<Arc<OfRoute>> = Vec::new();
        for way in self.all() {
            if !routes.iter().any(|route| Arc::ptr_eq(route, &way.route)) {
                routes.push(way.route.clone());
            }
        }
        routes
    }
}

impl OfRoute {
    fn new(name: &str) -> OfRoute {
        OfRoute {
            name: name.into(),
            durations: Recorder::default(),
            overhead: Recorder::default(),
            errors: Default::default(),
            refused: Default::default(),
            injected: Default::default(),
            would_refuse: Default::default(),
        }
    }
}

impl Way {
    pub(crate) fn route(&self) -> &Arc<str> {
        &self.0.route.name
    }

    pub(crate) fn cluster(&self) -> &Arc<str> {
        &self.0.cluster
    }

    /// Hot: once for each call.
    #[inline]
    pub(crate) fn ended(&self, lane: usize, end: &End) {
        let route = &self.0.route;
        route.durations.record(lane, end.took);
        if let Some(upstream) = end.upstream {
            route.overhead.record(lane, end.took.saturating_sub(upstream));
        }
        let from = self.0.calls.iter().map_while(OnceLock::get).find(|from| from.protocol == end.from);
        match from.and_then(|from| from.codes[end.code as usize].get()) {
            Some(counter) => counter.add(1),
            None => self.0.first_of(end).add(1),
        }
        if end.code != Code::Ok {
            self.failed(end);
        }
    }

    #[cold]
    fn failed(&self, end: &End) {
        if let Some(side) = end.side {
            self.0.route.errors[side as usize].add(1);
        }
        if let Some(reason) = end.refused {
            self.0.route.refused[reason as usize].add(1);
        }
    }

    /// Whether a fault delays a call, and whether it makes it fail.
    #[cold]
    pub(crate) fn injected(&self, kinds: [bool; 2]) {
        let injected = self.0.route.injected.iter().zip(kinds);
        injected.filter(|(_, is)| *is).for_each(|(counter, _)| counter.add(1));
    }

    #[cold]
    pub(crate) fn passed_by_dry_run(&self, reason: Reason) {
        let mut counters = DRY.into_iter().zip(&self.0.route.would_refuse);
        counters.find(|(dry, _)| *dry == reason).iter().for_each(|(_, counter)| counter.add(1));
    }

    #[cold]
    pub(crate) fn lost_attachment(&self) {
        if let Some(all) = self.0.all.upgrade() {
            all.attachments.add(1);
        }
    }
}

impl OfWay {
    /// The counter for calls that end so, of which this is the first.
    #[cold]
    fn first_of(&self, end: &End) -> Counter {
        let make = || ByProtocol { protocol: end.from, codes: Default::default() };
        let from =
            self.calls.iter().map(|place| place.get_or_init(make)).find(|from| from.protocol == end.from);
        let Some(all) = self.all.upgrade() else { return Counter::new() };
        let Some(place) = from.map(|from| &from.codes[end.code as usize]) else { return all.beyond.clone() };
        if place.get().is_none() && all.series.load(Relaxed) >= MOST_SERIES {
            return all.beyond.clone();
        }
        let made = || {
            all.series.fetch_add(1, Relaxed);
            Counter::new()
        };
        place.get_or_init(made).clone()
    }
}

/// Its counters make room for others.
impl Drop for OfWay {
    fn drop(&mut self) {
        let codes = self.calls.iter().filter_map(OnceLock::get).flat_map(|from| &from.codes);
        let series = codes.filter(|code| code.get().is_some()).count();
        if let Some(all) = self.all.upgrade() {
            all.series.fetch_sub(series, Relaxed);
        }
    }
}
