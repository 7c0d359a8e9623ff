//! The servers of a name: the newest set, and the choice among them.

use crate::{
    connection::{
        backoff::Patience,
        error::{self, deadline_exceeded},
        home::{HomeId, sleep},
        spec::ConnectSpec,
    },
    pool::{Attempted, Bounds, Pool},
    servers::{
        current::{Current, Newest},
        keeper,
        lease::Lease,
        nearby,
        options::FleetOptions,
        picked::Picked,
        probes, query,
        route::Route,
        server::{self, Server, Template},
        trace::{Method, Trace},
        unposted::{NotPosted, Unposted, Waiting},
    },
    why::{MOST_SERVERS, Why},
};
use polywire_balance::{Capacity, Endpoint, NoEndpoint, mark_joined};
use polywire_base::lock;
use polywire_call::{Status, brpc};
use polywire_engine::clock;
use polywire_exchange::{Caller, Draft, Request, Sink, Source};
use polywire_naming::{self as naming, Watched};
use polywire_wire::Connections;
use std::{
    collections::{HashMap, HashSet},
    ops::Deref,
    sync::{
        Arc, Mutex,
        atomic::{
            AtomicBool, AtomicU32, AtomicUsize,
            Ordering::{AcqRel, Acquire, Relaxed},
        },
    },
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How often a call looks for another server when the one that was chosen did not take it.
const POST_TRIES: usize = 3;
/// How long a call waits for a server before it looks again: servers come back by themselves when a time is over.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// The most servers that an error tells of.
const TOLD: usize = 3;

/// The servers of a channel whose address is a name.
pub(crate) struct Fleet {
    options: FleetOptions,
    template: Template,
    pub(super) current: Arc<Current>,
    /// Held while a new set is made.
    applying: Mutex<Option<Watched>>,
    /// Whether there is a task that keeps the set up to date.
    kept: AtomicBool,
    /// Connections made to servers that are gone.
    made_before: AtomicUsize,
    /// Probes in flight.
    pub(super) probing: Arc<AtomicU32>,
}

impl Fleet {
    pub fn new(spec: ConnectSpec, kind: Connections, bounds: Bounds, options: FleetOptions) -> Arc<Self> {
        let nobody = nearby::picker(&options, Vec::new());
        let newest = Newest { picker: nobody, known: false, error: None };
        let fleet = Arc::new(Fleet {
            template: Template { spec: Arc::new(spec), kind, bounds, breaker: options.breaker },
            options,
            current: Arc::new(Current::new(newest)),
            applying: Mutex::default(),
            kept: AtomicBool::new(true),
            made_before: AtomicUsize::new(0),
            probing: Arc::default(),
        });
        keeper::start(&fleet);
        fleet
    }

    /// What the connections to all servers have in common; its address is the name.
    pub fn spec(&self) -> &Arc<ConnectSpec> {
        &self.template.spec
    }

    /// What messages call it.
    fn name(&self) -> &str {
        &self.template.spec.address
    }

    pub fn made(&self) -> usize {
        let newest = self.current.newest.load();
        let made = newest.picker.members().iter().map(|endpoint| Server::of(endpoint).pool.made());
        self.made_before.load(Relaxed) + made.sum::<usize>()
    }

    pub fn source(&self) -> Box<dyn naming::Source> {
        Box::new(self.options.source.clone())
    }

    pub(super) fn is_kept(&self) -> &AtomicBool {
        &self.kept
    }

    /// Ends when the channel is dropped.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.current.changes()
    }

    pub(super) fn sweep_interval(&self) -> Option<Duration> {
        Some(self.options.outliers.as_ref()?.interval)
    }

    /// Takes out servers that are outliers, and brings back those whose time is over.
    pub(super) fn sweep(&self) {
        if let Some(outliers) = &self.options.outliers {
            let newest = self.current.newest.load();
            query::random(|random| outliers.sweep(newest.picker.members(), self.current.now(), random));
            self.current.changed();
        }
    }

    /// Takes over what naming knows now. Servers that stay keep their connections and what is known of them.
    pub(super) fn apply(&self, watched: &Watched) {
        let mut applying = lock(&self.applying);
        *applying = Some(watched.clone());
        let error = watched.error().map(|error| error.to_string());
        let Some(set) = watched.set() else {
            // The first set is yet to come; an older one, of a runtime that has ended, stays in use.
            let newest = self.current.newest.load_full();
            if !newest.known {
                let nobody = nearby::picker(&self.options, Vec::new());
                self.current.newest.store(Arc::new(Newest { picker: nobody, known: false, error }));
                self.current.changed();
            }
            return;
        };
        let newest = self.current.newest.load_full();
        let old = newest.picker.members();
        let known: HashMap<(&str, &str), &Arc<Endpoint>> =
            old.iter().map(|endpoint| ((endpoint.address(), endpoint.tag()), endpoint)).collect();
        let wanted =
            |server: &&naming::Server| self.options.filter.as_ref().is_none_or(|filter| filter(server));
        let endpoint = |server: &naming::Server| match known.get(&(&*server.address, &*server.tag)) {
            Some(endpoint)
                if endpoint.weight() == Server::weight(server)
                    && (self.options.zone.is_none()
                        || endpoint.zone() == server.zone.as_deref().unwrap_or_default()) =>
            {
                (*endpoint).clone()
            }
            _ => Server::endpoint(server, &self.template, &self.current),
        };
        let mut endpoints: Vec<_> = set.iter().filter(wanted).map(endpoint).collect();
        if let Some(subset) = self.options.subset {
            endpoints = subset.of(endpoints);
        }
        mark_joined(old, &endpoints, self.current.now());
        let kept: HashSet<*const Endpoint> = endpoints.iter().map(Arc::as_ptr).collect();
        let gone = old.iter().filter(|old| !kept.contains(&Arc::as_ptr(old)));
        let made: usize = gone.map(|endpoint| Server::of(endpoint).pool.made()).sum();
        self.made_before.fetch_add(made, Relaxed);
        let picker = nearby::picker(&self.options, endpoints).continuing(&newest.picker);
        self.current.newest.store(Arc::new(Newest { picker, known: true, error }));
        self.current.changed();
    }

    /// Chooses a server.
    ///
    /// # Errors
    /// There is none, or none that is ready.
    #[inline]
    fn pick(
        self: &Arc<Self>,
        request: &Request,
        patience: Patience,
        route: &mut Route,
    ) -> Result<Picked, Unposted> {
        if !self.kept.load(Acquire) {
            self.keep_again();
        }
        let now = clock::now();
        let at = self.current.at(now);
        let newest = self.current.newest.load();
        let endpoint = match query::ask(at, route, |query| newest.picker.pick(query).cloned()) {
            Ok(endpoint) => endpoint,
            Err(why) => return Err(self.no_server(&newest, why, patience)),
        };
        let timeout = request.deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(now));
        let method = Method::of(request);
        let is_traced = route.trace.is_some() || route.tried().is_empty() && query::is_sampled();
        let traced = is_traced.then(|| {
            let begin = || Trace::begin(&self.current.record, &method, route.key, at);
            route.trace.get_or_insert_with(begin).attempt(&endpoint, newest.picker.members(), at)
        });
        Ok(Picked::new(self.current.clone(), endpoint, at, timeout, method, traced))
    }

    /// The task that kept the set up to date has ended with its runtime.
    #[cold]
    fn keep_again(self: &Arc<Self>) {
        if !self.kept.swap(true, AcqRel) {
            keeper::start(self);
        }
    }

    #[cold]
    fn no_server(&self, newest: &Newest, why: NoEndpoint, patience: Patience) -> Unposted {
        let is_patient = patience == Patience::Pause;
        let waits = match why {
            NoEndpoint::Empty => is_patient || !newest.known && newest.error.is_none(),
            NoEndpoint::NoKey | NoEndpoint::Recovering => false,
            _ => is_patient,
        };
        if why != NoEndpoint::NoKey
            && let Some(watched) = &*lock(&self.applying)
        {
            watched.want();
        }
        Unposted { status: self.status(newest, why), waits }
    }

    /// The status of calls that find no server.
    fn status(&self, newest: &Newest, why: NoEndpoint) -> Status {
        if why == NoEndpoint::NoKey {
            let text = format!("{}: {why}: say Call::key(..)", self.name());
            return Status::failed_precondition(text);
        }
        if why == NoEndpoint::Recovering {
            let text = format!("{}: {why}", self.name());
            return brpc::status(brpc::EREJECT, text).with_origin(polywire_call::Origin::Transport);
        }
        let text = format!("{}: {}", self.name(), self.why_none(newest));
        brpc::status(brpc::EHOSTDOWN, text).with_origin(polywire_call::Origin::Transport).unprocessed()
    }

    /// Why there is no server to choose.
    fn why_none(&self, newest: &Newest) -> String {
        let members = newest.picker.members();
        let of_source = newest.error.as_ref().map_or_else(String::new, |error| format!(" ({error})"));
        if members.is_empty() {
            let what = if newest.known { "the set of servers is empty" } else { "no servers are known yet" };
            return format!("{what}{of_source}");
        }
        let mut text = format!("none of {} servers is ready{of_source}", members.len());
        for (n, endpoint) in members.iter().take(TOLD).enumerate() {
            let why =
                Server::of(endpoint).error().unwrap_or_else(|| server::state(endpoint, self.current.now()));
            text += if n == 0 { ": " } else { ", " };
            text += &format!("{} ({why})", endpoint.address());
        }
        if members.len() > TOLD {
            text += ", ..";
        }
        text
    }

    /// How one of the servers is connected to; the first set is waited for.
    ///
    /// # Errors
    /// There is none that is ready within the limit.
    pub async fn any(self: &Arc<Self>, limit: Option<Duration>) -> Result<Arc<ConnectSpec>, Status> {
        let deadline = limit.and_then(|limit| clock::now().checked_add(limit));
        loop {
            let newest = self.current.newest.load_full();
            let now = self.current.now();
            let mut members = newest.picker.members().iter();
            if let Some(ready) = members.find(|endpoint| endpoint.state().is_ready(now)) {
                return Ok(Server::of(ready).pool.spec().clone());
            }
            let Unposted { status, waits } = self.no_server(&newest, NoEndpoint::Empty, Patience::None);
            if !waits {
                return Err(status);
            }
            if let Some(over) = self.ready(deadline).await {
                return Err(over);
            }
        }
    }

    /// What is known of the servers, and where the last calls went.
    pub fn why(&self) -> Why {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        let members = newest.picker.members();
        Why {
            channel: self.name().to_owned(),
            protocol: self.spec().protocol.name,
            balancer: self.options.balancer_text.clone(),
            is_known: newest.known,
            source_error: newest.error.clone(),
            servers: members.iter().take(MOST_SERVERS).map(|one| Server::why(one, now)).collect(),
            server_count: members.len(),
            calls: self.current.record.calls(now),
        }
    }

    pub fn post(
        self: &Arc<Self>,
        draft: Draft,
        patience: Patience,
        route: &mut Route,
    ) -> Result<(Caller, Lease), NotPosted> {
        let posted = self.on_a_server(draft, patience, route, HomeId::current, |pool, draft| {
            pool.post(draft, Patience::None).map_err(|back| (back.draft, back.status))
        });
        match posted {
            Ok(((caller, exclusive), picked)) => Ok((caller, Lease::new(exclusive, Some(picked)))),
            Err((draft, why)) => Err(NotPosted { draft, why }),
        }
    }

    pub fn post_stream(
        self: &Arc<Self>,
        request: &Request,
        patience: Patience,
        route: &mut Route,
    ) -> Result<(Source, Sink, Lease), Unposted> {
        let posted = self.on_a_server(request, patience, route, HomeId::current, |pool, request| {
            pool.post_stream(request, Patience::None).map_err(|status| (request, status))
        });
        match posted {
            Ok(((source, sink, exclusive), picked)) => {
                Ok((source, sink, Lease::new(exclusive, Some(picked))))
            }
            Err((_, why)) => Err(why),
        }
    }

    pub fn post_offering(
        self: &Arc<Self>,
        draft: Draft,
        streams: usize,
        patience: Patience,
        route: &mut Route,
    ) -> Result<(Caller, Lease, Vec<(Source, Sink)>), NotPosted> {
        let posted = self.on_a_server(draft, patience, route, HomeId::current, |pool, draft| {
            pool.post_offering(draft, streams, Patience::None).map_err(|back| (back.draft, back.status))
        });
        match posted {
            Ok((((caller, exclusive), ends), picked)) => {
                Ok((caller, Lease::new(exclusive, Some(picked)), ends))
            }
            Err((draft, why)) => Err(NotPosted { draft, why }),
        }
    }

    pub fn call_blocking(
        self: &Arc<Self>,
        draft: Draft,
        patience: Patience,
        route: &mut Route,
    ) -> Result<Attempted, NotPosted> {
        let attempted = self.on_a_server(draft, patience, route, HomeId::of_waiting, |pool, draft| {
            pool.call_blocking(draft, Patience::None).map_err(|back| (back.draft, back.status))
        });
        match attempted {
            Ok((attempted, mut picked)) => {
                let status = &attempted.outcome.status;
                picked.end(status);
                if !status.is_ok() {
                    picked.avoid(route);
                }
                Ok(attempted)
            }
            Err((draft, why)) => Err(NotPosted { draft, why }),
        }
    }

    /// Offers a request to servers until one takes it, to no more than [`POST_TRIES`].
    ///
    /// # Errors
    /// None has taken it; it comes back.
    #[inline]
    fn on_a_server<R: Deref<Target = Request>, T>(
        self: &Arc<Self>,
        mut request: R,
        patience: Patience,
        route: &mut Route,
        home: fn() -> HomeId,
        mut offer: impl FnMut(&Arc<Pool>, R) -> Result<T, (R, Status)>,
    ) -> Result<(T, Picked), (R, Unposted)> {
        let mut last = None;
        for _ in 0..POST_TRIES {
            let picked = match self.pick(&request, patience, route) {
                Ok(picked) => picked,
                Err(why) => return Err((request, why.after(last))),
            };
            if self.options.balancer.asks_for_probes() {
                probes::send(self, route, home());
            }
            match offer(picked.pool(), request) {
                Ok(taken) => return Ok((taken, picked)),
                Err((back, status)) => {
                    request = back;
                    last = Some(picked.refused(route, status));
                }
            }
        }
        Err((request, Unposted::failed(last.unwrap_or_else(error::ended))))
    }

    /// The sum of the weights of its servers, 1 where there is none: of those that can be chosen, and of all.
    pub fn capacity(&self) -> Capacity {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        let mut capacity = Capacity::default();
        for endpoint in newest.picker.members() {
            let weight = u64::from(endpoint.weight().unwrap_or(1));
            capacity.all += weight;
            capacity.ready += if endpoint.state().is_ready(now) { weight } else { 0 };
        }
        capacity
    }

    /// Whether one of the servers can be chosen.
    pub fn is_ready(&self) -> bool {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        newest.picker.members().iter().any(|endpoint| endpoint.state().is_ready(now))
    }

    pub fn ready(self: &Arc<Self>, deadline: Option<Instant>) -> Waiting {
        let mut changes = self.changes();
        let fleet = self.clone();
        let left = deadline.map_or(LOOK_AGAIN, |deadline| deadline.saturating_duration_since(clock::now()));
        let pause = sleep(left.min(LOOK_AGAIN));
        Box::pin(async move {
            if fleet.is_ready() {
                return None;
            }
            tokio::select! {
                _ = changes.changed() => return None,
                () = pause => {}
            }
            let is_over = deadline.is_some_and(|deadline| deadline <= clock::now());
            is_over.then(|| deadline_exceeded(fleet.name(), &fleet.why_none(&fleet.current.newest.load())))
        })
    }
}
