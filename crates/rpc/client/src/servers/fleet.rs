//! The servers of a name: the newest set, and the choice among them.

#[cfg(feature = "channelz")]
use crate::{connection::tally::Counts, pool::Pool, servers::server::connectivity::Connectivity};
use crate::{
    connection::{
        backoff::Patience,
        error::{self, deadline_exceeded},
        home::HomeId,
        spec::ConnectSpec,
        tally::Ledger,
        waiting::{self, LOOK_AGAIN, Waiting, When},
    },
    pool::{self, Bounds, Post},
    servers::{
        attempt::{
            self, AttemptError,
            in_flight::InFlightGuard,
            post_error::{PostError, Undelivered},
            search::Search,
            server_guard::ServerGuard,
            trace::{Method, Trace},
        },
        health::{self, Asked},
        options::FleetOptions,
        past::Past,
        pick::{nearby, probes, query},
        server::{self, Server, Template},
        watch::{
            current::{Current, Newest, may_be_chosen},
            keeper,
        },
    },
    why::{CallWhy, MOST_SERVERS, Why},
};
use arc_swap::ArcSwapOption;
use polywire_balance::{Capacity, Endpoint, NoEndpoint, Time, mark_joined};
use polywire_base::{Sort, lock};
use polywire_call::{Status, brpc};
use polywire_engine::clock;
use polywire_exchange::Request;
use polywire_naming::{self as naming, Watched};
use polywire_wire::Connections;
use std::{
    collections::{HashMap, HashSet},
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

/// How often a call looks for another server after the chosen one did not take it.
const POST_TRIES: usize = 3;
/// The least time between two sweeps for outliers.
const LEAST_SWEEP_INTERVAL: Duration = Duration::from_millis(10);
/// The maximum number of servers listed in an error.
const TOLD: usize = 3;

/// The servers of a channel whose address is a name.
pub(crate) struct Fleet {
    options: FleetOptions,
    template: Template,
    pub(super) current: Arc<Current>,
    /// The set that was taken over from naming; held while a new one is made.
    applied: Mutex<Option<naming::Set>>,
    /// The watched source; it is notified of each set that is in use.
    watched: ArcSwapOption<Watched>,
    /// The receivers of this sender end when the channel is dropped.
    alive: watch::Sender<()>,
    /// Whether there is a task that keeps the set up to date.
    kept: AtomicBool,
    /// The number of connections made to servers that have left.
    made_before: AtomicUsize,
    past: Arc<Past>,
    /// The number of load probes in flight.
    pub(super) probing: Arc<AtomicU32>,
}

impl Fleet {
    pub fn new(spec: ConnectSpec, kind: Connections, bounds: Bounds, options: FleetOptions) -> Arc<Self> {
        Fleet::with_past(spec, kind, bounds, options, Arc::default())
    }

    /// `past`: receives the counters of servers that leave.
    pub(super) fn with_past(
        spec: ConnectSpec,
        kind: Connections,
        bounds: Bounds,
        options: FleetOptions,
        past: Arc<Past>,
    ) -> Arc<Self> {
        let nobody = nearby::picker(&options, Vec::new());
        let newest = Newest { picker: nobody, known: false };
        let current = Arc::new(Current::new(newest, &spec.address));
        let fleet = Arc::new(Fleet {
            template: Template {
                spec: Arc::new(spec),
                kind,
                bounds,
                breaker: options.breaker,
                asked: options.asked.clone(),
                per_server: options.per_server.clone(),
                shared: options.shared.clone(),
                parts: options.parts.clone(),
                zone: options
                    .zone
                    .as_ref()
                    .filter(|zone| !zone.spill.sends_surplus())
                    .map(|zone| zone.own.clone()),
            },
            options,
            current,
            applied: Mutex::default(),
            watched: ArcSwapOption::default(),
            alive: watch::Sender::new(()),
            kept: AtomicBool::new(true),
            made_before: AtomicUsize::new(0),
            past,
            probing: Arc::default(),
        });
        keeper::start(&fleet);
        fleet
    }

    /// The settings that connections to all servers share; the address in them is the channel's name.
    pub fn spec(&self) -> &Arc<ConnectSpec> {
        &self.template.spec
    }

    /// The channel's name in messages.
    fn name(&self) -> &str {
        &self.template.spec.address
    }

    pub fn made(&self) -> usize {
        let newest = self.current.newest.load();
        let made = newest.picker.members().iter().map(|endpoint| Server::of(endpoint).pool.made());
        self.made_before.load(Relaxed) + made.sum::<usize>()
    }

    /// The ledgers of the servers in the newest set.
    pub(super) fn ledgers(&self) -> Vec<Arc<Ledger>> {
        let newest = self.current.newest.load();
        newest.picker.members().iter().map(|one| Server::of(one).pool.spec().ledger.clone()).collect()
    }

    /// The connections to each server, and whether calls may go there.
    #[cfg(feature = "channelz")]
    pub fn pools(&self) -> Vec<(Arc<Pool>, Connectivity)> {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        let pool = |one: &Arc<Endpoint>| (Server::of(one).pool.clone(), Connectivity::of_endpoint(one, now));
        newest.picker.members().iter().map(pool).collect()
    }

    /// The counts of all tries so far.
    #[cfg(feature = "channelz")]
    pub fn counts(&self) -> Counts {
        self.past.counts_with(&self.ledgers())
    }

    pub fn watch(&self) -> (Watched, naming::Work) {
        naming::watch_with(Box::new(self.options.source.clone()), self.options.watch.clone())
    }

    /// The health check of the servers.
    pub(super) fn asked(&self) -> Option<Arc<Asked>> {
        self.options.asked.clone()
    }

    pub(super) fn is_kept(&self) -> &AtomicBool {
        &self.kept
    }

    /// Ends when the channel is dropped.
    pub(super) fn alive(&self) -> watch::Receiver<()> {
        self.alive.subscribe()
    }

    pub(super) fn sweep_interval(&self) -> Option<Duration> {
        // A router may say any time, and a timer has none of zero.
        Some(self.options.outliers.as_ref()?.interval.max(LEAST_SWEEP_INTERVAL))
    }

    /// Ejects outliers, and brings back servers whose ejection is over.
    pub(super) fn sweep(&self) {
        if let Some(outliers) = &self.options.outliers {
            let newest = self.current.newest.load();
            let members = newest.picker.members();
            let swept = query::random(|random| outliers.sweep(members, self.current.now(), random));
            self.spec().subchannels.iter().for_each(|subchannels| subchannels.judged(&swept.ejections));
            for (endpoints, what) in
                [(&swept.ejected, "ejected as an outlier"), (&swept.returned, "taken back")]
            {
                for endpoint in endpoints {
                    self.current.tell(format_args!("{} was {what}", endpoint.address()));
                }
            }
            if !swept.ejected.is_empty() {
                self.current.spill();
            }
            swept.returned.iter().for_each(|endpoint| self.current.has_improved(endpoint));
        }
    }

    /// Applies the latest set from naming. Remaining servers keep their connections and their statistics.
    pub(super) fn apply(&self, watched: &Watched) {
        let mut applied = lock(&self.applied);
        let mut shown = watched.clone();
        shown.mark_shown();
        self.current.set_source_error(shown.error().map(|error| error.to_string()));
        // Until the first set comes, an older one, of a runtime that has ended, stays in use.
        if let Some(set) = shown.set().filter(|set| applied.as_ref() != Some(set)) {
            self.apply_set(&set);
            *applied = Some(set);
        }
        self.watched.store(Some(Arc::new(shown)));
        self.current.applied();
    }

    /// Makes these the servers of the channel.
    fn apply_set(&self, set: &naming::Set) {
        let newest = self.current.newest.load_full();
        let old = newest.picker.members();
        let known: HashMap<(&str, &str), &Arc<Endpoint>> =
            old.iter().map(|endpoint| ((endpoint.address(), endpoint.tag()), endpoint)).collect();
        let wanted =
            |server: &&naming::Server| self.options.filter.as_ref().is_none_or(|filter| filter(server));
        let endpoint = |server: &naming::Server| match known.get(&(&*server.address, &*server.tag)) {
            Some(endpoint)
                if (self.options.zone.is_none() && server.zone_weight.is_none()
                    || endpoint.zone() == server.zone.as_deref().unwrap_or_default())
                    && self.template.is_as_before(endpoint, server) =>
            {
                Server::told(endpoint, server);
                (*endpoint).clone()
            }
            _ => Server::endpoint(server, &self.template, &self.current),
        };
        let mut endpoints: Vec<_> = set.iter().filter(wanted).map(endpoint).collect();
        if let Some(subset) = self.options.subset {
            endpoints = nearby::subset(subset, endpoints);
        }
        if self.options.asked.is_some() {
            health::hold_newcomers(old, &endpoints, self.current.now());
        }
        mark_joined(old, &endpoints, self.current.now());
        note_changes(&self.current, old, &endpoints, newest.known);
        let kept: HashSet<*const Endpoint> = endpoints.iter().map(Arc::as_ptr).collect();
        let gone = old.iter().filter(|old| !kept.contains(&Arc::as_ptr(old))).map(|gone| {
            let pool = &Server::of(gone).pool;
            self.made_before.fetch_add(pool.made(), Relaxed);
            pool.spec().ledger.clone()
        });
        self.past.leave(gone.collect());
        let picker = nearby::picker(&self.options, endpoints).continuing(&newest.picker);
        self.current.newest.store(Arc::new(Newest { picker, known: true }));
        if self.current.dials.caller().is_some() {
            self.current.dial_joined();
        }
    }

    /// Chooses a server.
    ///
    /// # Errors
    /// There is no server, or none that is ready.
    #[inline]
    fn pick(
        self: &Arc<Self>,
        request: &Request,
        patience: Patience,
        search: &mut Search,
        home: fn() -> HomeId,
    ) -> Result<ServerGuard, PostError> {
        if !self.kept.load(Acquire) {
            self.keep_again();
        }
        let now = search.take_begun().unwrap_or_else(clock::now);
        let at = self.current.at(now);
        let newest = self.current.newest.load();
        let mut picked = query::ask(at, search, |query| newest.picker.pick(query).cloned());
        if picked.is_err() && self.uses_unchecked(&newest) {
            picked = query::ask(at, search, |query| newest.picker.pick(query).cloned());
        }
        let endpoint = match picked {
            Ok(endpoint) => endpoint,
            Err(why) => {
                let why = self.no_server(&newest, why, patience, search, home);
                let is_sampled = search.trace.is_none() && search.tried().is_empty() && query::is_sampled();
                let trace = self.trace(request, search, at, is_sampled);
                if !why.waits {
                    trace.nobody(newest.picker.members(), at, &why.status);
                }
                return Err(why);
            }
        };
        let timeout = request.deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(now));
        let is_traced = search.trace.is_some() || search.tried().is_empty() && query::is_sampled();
        let traced = is_traced
            .then(|| self.trace(request, search, at, true).attempt(&endpoint, newest.picker.members(), at));
        let method = Method::of(request, search);
        Ok(ServerGuard::new(self.current.clone(), endpoint, at, timeout, method, traced))
    }

    /// The record of a call, begun now if there was none. `is_sampled`: the call is one of those that are
    /// recorded from their start.
    #[cold]
    fn trace(&self, request: &Request, search: &mut Search, now: Time, is_sampled: bool) -> Arc<Trace> {
        let method = Method::of(request, search);
        let begin = || Trace::begin(&self.current.record, &method, search.key, now, is_sampled);
        search.trace.get_or_insert_with(begin).clone()
    }

    /// For each key the number of the server that a call with it would go to now, in the newest set.
    pub fn of_keys(&self, keys: &[u64]) -> Vec<Option<usize>> {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        let place =
            |key: &u64| query::ask(now, &Search::new(Some(*key)), |query| newest.picker.place(query)).ok();
        keys.iter().map(place).collect()
    }

    /// Handles that no server can be chosen: from now on servers are used that no health check has found
    /// unhealthy. Returns whether there are any.
    #[cold]
    fn uses_unchecked(&self, newest: &Newest) -> bool {
        self.options.asked.is_some() && health::use_unchecked(newest.picker.members(), self.current.now())
    }

    /// The task that kept the set up to date has ended with its runtime.
    #[cold]
    fn keep_again(self: &Arc<Self>) {
        if !self.kept.swap(true, AcqRel) {
            keeper::start(self);
        }
    }

    #[cold]
    fn no_server(
        &self,
        newest: &Newest,
        why: NoEndpoint,
        patience: Patience,
        search: &mut Search,
        home: fn() -> HomeId,
    ) -> PostError {
        if why == NoEndpoint::NoKey {
            return PostError::failed(self.status(newest, why));
        }
        let id = home();
        let is_bare = id == HomeId::Nowhere && self.spec().is_bare();
        if self.current.dials.wanted(id, is_bare) {
            self.current.dial_joined();
        }
        search.saw_dials_over(self.current.dials.over());
        if matches!(why, NoEndpoint::Awaited(_)) {
            return PostError::waits();
        }
        // Asked twice: another call may have begun to dial what was not left to dial further.
        let dials = &self.current.dials;
        if why == NoEndpoint::NoneReady
            && (dials.are_pending() || self.current.dial_further() || dials.are_pending())
        {
            if let Some(credentials) = &self.spec().credentials {
                let _ = credentials.renewal().token(Patience::None, home); // it is fetched meanwhile
            }
            return PostError::waits();
        }
        if why == NoEndpoint::NoneReady {
            self.current.found_nobody();
        }
        if why == NoEndpoint::NoneReady
            && newest.picker.members().iter().any(|one| one.state().is_ready(self.current.now()))
        {
            return PostError::waits(); // it has become ready just now, and is not waited for
        }
        // A set may be on its way that has servers.
        let is_old = self.watched.load().as_ref().is_some_and(|watched| watched.want());
        let waits = match why {
            NoEndpoint::Recovering => false,
            _ if patience == Patience::Pause => true,
            NoEndpoint::Empty if !newest.known && self.current.source_error().is_none() => true,
            _ => is_old && search.waits_for_newer_set(),
        };
        if waits { PostError::waits() } else { PostError::failed(self.status(newest, why)) }
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

    /// The reason why there is no server to choose.
    fn why_none(&self, newest: &Newest) -> String {
        let members = newest.picker.members();
        let of_source = self.current.source_error().map_or_else(String::new, |error| format!(" ({error})"));
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

    /// A connector to one of the servers; waits for the first set.
    ///
    /// # Errors
    /// No server becomes ready within the limit.
    pub async fn any(self: &Arc<Self>, limit: Option<Duration>) -> Result<Arc<ConnectSpec>, Status> {
        let deadline = limit.and_then(|limit| clock::now().checked_add(limit));
        let mut search = Search::default();
        loop {
            if !self.kept.load(Acquire) {
                self.keep_again();
            }
            let newest = self.current.newest.load_full();
            let now = self.current.now();
            let mut members = newest.picker.members().iter();
            if let Some(ready) = members.find(|endpoint| can_be_reached(endpoint, now)) {
                return Ok(Server::of(ready).pool.spec().clone());
            }
            let PostError { status, waits, .. } =
                self.no_server(&newest, NoEndpoint::Empty, Patience::None, &mut search, HomeId::current);
            if !waits {
                return Err(status);
            }
            if let Some(over) = self.ready(deadline, &search).await {
                return Err(over);
            }
        }
    }

    /// The latest recorded calls.
    pub fn last_calls(&self) -> Vec<CallWhy> {
        self.current.record.calls(self.current.now())
    }

    /// The state without the last calls.
    pub fn state(&self) -> Why {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        let members = newest.picker.members();
        Why {
            channel: self.name().to_owned(),
            protocol: self.spec().protocol.name,
            balancer: self.options.balancer_text.clone(),
            is_known: newest.known,
            source_error: self.current.source_error(),
            servers: members.iter().take(MOST_SERVERS).map(|one| Server::why(one, now)).collect(),
            server_count: members.len(),
            ..Why::default()
        }
    }

    /// Offers a request to servers until one takes it, to no more than [`POST_TRIES`].
    ///
    /// # Errors
    /// No server has taken the call; it is returned.
    #[inline]
    pub fn post<P: Post>(
        self: &Arc<Self>,
        mut request: P,
        patience: Patience,
        search: &mut Search,
    ) -> Result<(P::Posted, InFlightGuard), Undelivered<P>> {
        let mut last = None;
        for _ in 0..POST_TRIES {
            let picked = match self.pick(&request, patience, search, P::HOME) {
                Ok(picked) => picked,
                Err(why) => return Err(Undelivered { request, why: why.after(last) }),
            };
            if self.options.balancer.asks_for_probes() {
                probes::send(self, search, P::HOME());
            }
            match attempt::offer(picked.pool(), request, patience, Patience::None, search, |posted, guard| {
                (posted, guard)
            }) {
                Ok((posted, lease)) => return Ok((posted, lease.at(picked))),
                Err(pool::Undelivered { request, why: AttemptError::Unoffered(why) }) => {
                    return Err(Undelivered { request, why });
                }
                Err(pool::Undelivered { request: back, why: AttemptError::Refused(status) }) => {
                    request = back;
                    last = Some(picked.refused(search, status));
                }
            }
        }
        let why = PostError::failed(last.unwrap_or_else(error::ended));
        Err(Undelivered { request, why })
    }

    /// The sum of the servers' weights, a server without one counting 1: of those that can be chosen, and of
    /// all.
    pub fn capacity(&self) -> Capacity {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        let mut capacity = Capacity::default();
        for endpoint in newest.picker.members() {
            let weight = u64::from(endpoint.weight().unwrap_or(1));
            capacity.all += weight;
            capacity.ready += if can_be_reached(endpoint, now) { weight } else { 0 };
        }
        capacity
    }

    /// Whether one of the servers can be chosen, now or once it is connected.
    pub fn is_ready(&self) -> bool {
        let (newest, now) = (self.current.newest.load(), self.current.now());
        newest.picker.members().iter().any(|endpoint| can_be_reached(endpoint, now))
    }

    /// Waits until a call may find a server; or for as long as `search` waits for a newer set, if it does.
    pub fn ready(self: &Arc<Self>, deadline: Option<Instant>, search: &Search) -> Waiting {
        let changes = self.current.changes();
        // Once that time is over the call waits for something else: the first set of a cluster that has come
        // in place of another.
        let newer_set_until = search.newer_set_until().filter(|until| *until > clock::now());
        let (fleet, waits) = (self.clone(), self.clone());
        let keyed = search.key.filter(|_| self.options.balancer.needs_key()).map(|_| search.clone());
        let (key, trace) = (keyed.clone(), search.trace.clone());
        let late = move || {
            let newest = waits.current.newest.load();
            let why = match waits.awaited(key.as_ref()) {
                Some(_) => "the server of its key is still being connected to".to_owned(),
                None => waits.why_none(&newest),
            };
            let status = deadline_exceeded(waits.name(), &why);
            if let Some(trace) = trace {
                trace.nobody(newest.picker.members(), waits.current.now(), &status);
            }
            status
        };
        let dials_over = search.dials_over();
        let when = move || match (fleet.when_ready(keyed.as_ref()), newer_set_until) {
            _ if fleet.current.dials.over() != dials_over => When::Now,
            (When::Now, _) => When::Now,
            (When::At(at), Some(until)) => When::At(at.min(until)),
            (When::AfterChange, Some(until)) => When::At(until),
            (when, None) => when,
        };
        waiting::wait(changes, deadline, when, late)
    }

    /// The time until which a call with a key waits for its server; `None`: it does not wait.
    fn awaited(&self, keyed: Option<&Search>) -> Option<Time> {
        let newest = self.current.newest.load();
        match query::ask(self.current.now(), keyed?, |query| newest.picker.place(query)) {
            Err(NoEndpoint::Awaited(until)) => Some(until),
            _ => None,
        }
    }

    /// When a server may become available if no event occurs before. `keyed`: the route of a call that goes
    /// by its key.
    fn when_ready(&self, keyed: Option<&Search>) -> When {
        if !self.kept.load(Acquire) {
            return When::Now; // the call starts the task that keeps the set up to date
        }
        let (newest, now) = (self.current.newest.load(), self.current.now());
        if let Some(until) = self.awaited(keyed) {
            return When::At(self.current.instant(until));
        }
        let mut soonest = None;
        for endpoint in newest.picker.members().iter().filter(|endpoint| may_be_chosen(endpoint)) {
            match endpoint.state().isolated_until(now) {
                None => return When::Now,
                Some(until) => soonest = Some(soonest.map_or(until, |at: Time| at.min(until))),
            }
        }
        if self.options.panic_threshold.is_some() {
            // The balancer counts ready servers at intervals of its own, and says to nobody what follows.
            return When::At(clock::now() + LOOK_AGAIN);
        }
        soonest.map_or(When::AfterChange, |until| When::At(self.current.instant(until)))
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.past.leave(self.ledgers());
    }
}

/// Whether calls go to a server now, or once it is connected.
fn can_be_reached(endpoint: &Endpoint, now: Time) -> bool {
    endpoint.state().is_ready(now) || endpoint.state().is_connecting()
}

/// Records which servers joined and left: for the first set, and for large changes, the number and the first
/// few.
fn note_changes(current: &Current, old: &[Arc<Endpoint>], new: &[Arc<Endpoint>], was_known: bool) {
    const MOST: usize = 8;
    let addresses =
        |of: &[Arc<Endpoint>]| of.iter().map(|one| one.address().to_owned()).collect::<HashSet<_>>();
    let (old, new) = (addresses(old), addresses(new));
    for (changed, what) in [(new.difference(&old), "came"), (old.difference(&new), "went")] {
        let mut changed: Vec<&str> = changed.map(String::as_str).collect();
        changed.order();
        let more = if changed.len() > MOST { ", .." } else { "" };
        match changed.len() {
            0 => {}
            1..=MOST if was_known => {
                changed.iter().for_each(|one| current.tell(format_args!("{one} {what}")))
            }
            1 => current.tell(format_args!("its server {} {what}", changed[0])),
            many => {
                let first = changed[..many.min(MOST)].join(", ");
                current.tell(format_args!("{many} servers {what}: {first}{more}"));
            }
        }
    }
}
