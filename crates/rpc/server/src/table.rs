//! All methods of a server, as one shard holds them, and how the method of a request is found.

use crate::{
    AccessLog,
    auth::{AnyAuthenticator, Guard},
    catch_all::{self, CatchAll},
    common::Common,
    context,
    facts::HttpWay,
    limits::{Concurrency, Limiter},
    paths::{DEFAULT_METHOD, Owner, Paths},
    service::{Binding, Handler, Method, Service},
    stats::Stats,
    verbs::Verbs,
};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use polywire_base::Sort;
use polywire_dump::{Recorder, SpanFiles};
use polywire_engine::{
    Faults, MethodName,
    backlog::Backlog,
    clock,
    inline::{Gauge, Inline},
    memory::Memory,
};
use polywire_hub::Reception;
use polywire_trace::{Slowest, Tracer};
use polywire_wire::{Delivery, Head, Protocol, Route, Target};
use std::{
    borrow::Cow,
    hash::{BuildHasher, Hasher},
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Release},
    },
    time::Duration,
};

/// The state that all shards of a server share.
pub(crate) struct Shared {
    pub stopping: AtomicBool,
    /// What calls read of it, and who waits for its stop.
    pub common: Arc<Common>,
    pub limiter: Arc<Limiter>,
    /// The calls that wait for a worker; `None`: they wait in the pool, however many.
    pub backlog: Arc<Backlog>,
    /// The budget of memory of its connections.
    pub memory: Option<Arc<Memory>>,
    pub authenticator: Option<Arc<dyn AnyAuthenticator>>,
    pub authentication: Asking,
    /// Guards, each with the protocol whose peers it decides about.
    pub guards: Vec<(&'static str, Guard)>,
    /// What answers the calls that no method does.
    pub catch_all: Option<Arc<dyn CatchAll>>,
    pub stats: Arc<Stats>,
    pub faults: Arc<Faults>,
    /// Records calls, while it is on.
    pub tracer: Tracer,
    pub methods: Methods,
    /// Receptions, which assign peers to sockets.
    pub receptions: Vec<Arc<dyn Reception>>,
    /// The application's access logs, for requests that reach no method.
    pub access_logs: Vec<AccessLog>,
    /// Records requests, if the server is configured to.
    pub dump: Option<Arc<Recorder>>,
    /// The files to which kept spans are written in addition.
    pub span_files: Option<SpanFiles>,
}

/// How the authenticator is called.
pub(crate) struct Asking {
    /// Measures how quick the authenticator is.
    pub gauge: Arc<Gauge>,
    /// The time limit of the authenticator.
    pub limit: Option<Duration>,
}

/// The methods of a server. The index of a method never changes, and everything else refers to it.
pub(crate) struct Methods {
    /// All methods: those that names, paths and numbers reach come first, the bound ones after them.
    all: Vec<SharedMethod>,
    open: usize,
}

impl Methods {
    /// Methods that can be found by name, position and number over every protocol.
    #[inline]
    pub fn open(&self) -> &[SharedMethod] {
        &self.all[..self.open]
    }

    /// The methods of bound services, each with its binding.
    fn bound(&self) -> impl Iterator<Item = (u32, Binding, &SharedMethod)> {
        let bound = self.all.iter().enumerate().skip(self.open);
        bound.filter_map(|(k, method)| Some((k as u32, method.bound?, method)))
    }

    /// Methods of services that are bound to a protocol, with its name.
    fn of_protocols(&self) -> impl Iterator<Item = (u32, &'static str, &SharedMethod)> {
        self.bound().filter_map(|(k, binding, method)| match binding {
            Binding::Protocol(name) => Some((k, name, method)),
            Binding::Http | Binding::Unknown => None,
        })
    }

    /// The protocols that services are bound to.
    pub fn bound_protocols(&self) -> impl Iterator<Item = &'static str> {
        self.of_protocols().map(|(_, protocol, _)| protocol)
    }
}

impl Deref for Methods {
    type Target = [SharedMethod];

    #[inline]
    fn deref(&self) -> &[SharedMethod] {
        &self.all
    }
}

/// The part of a method that all shards share.
pub struct SharedMethod {
    pub service: &'static str,
    /// The protocol that alone can reach the service; `None`: every protocol can.
    pub(crate) bound: Option<Binding>,
    pub method: Method,
    /// Position within the service, from 0.
    pub(crate) index: u32,
    pub(crate) name: &'static context::MethodName,
    /// `service/method`, for the watchdog.
    pub watched: MethodName,
    pub(crate) route: Route,
    pub limiter: Arc<Limiter>,
    /// The budget of requests in flight.
    pub memory: Option<Arc<Memory>>,
    /// Whether there is a budget of memory, or somebody to be asked before a body is read: both are rare, and
    /// cost other calls one question together.
    pub(crate) bounded: bool,
    /// Whether the method is built in and thus exempt from limits, so that operators reach it while the
    /// server refuses calls.
    pub exempt: bool,
    /// Measures how quick the method is, once for all shards, because each slow poll that the measurement
    /// needs holds up a shard. Read per call, written only when a poll is slow.
    pub(crate) gauge: Arc<Gauge>,
    /// Whether one direction may have more than one message.
    pub streaming: bool,
    /// Whether its calls are opened apart from those of the common kind: it streams, or is one for unknown
    /// names.
    pub apart: bool,
    /// Whether `/Service/Method` leads to it: "A method that has a restful URL is not reachable by
    /// /Service/Method unless `allow_default_url` is set." Paths are cut at slashes, so names have none.
    default_url: bool,
    /// The longest time of its calls lately, for the choice of spans.
    pub(crate) slowest: Slowest,
    /// Whether the service is built in.
    pub standard: bool,
}

impl SharedMethod {
    /// Whether `/service/method` leads to it over HTTP.
    pub fn has_default_url(&self) -> bool {
        self.default_url
    }

    /// Whether requests by HTTP need no credential.
    pub fn is_open_to_all(&self) -> bool {
        self.method.open_to_all
    }
}

/// Default of the CPU time that one poll may take and still count as quick.
pub(crate) const INLINE_BUDGET: Duration = Duration::from_micros(100);

impl Shared {
    /// The shared part of a server with these methods and all other options at their default: every caller is
    /// let in, and nothing is limited but what `common` limits.
    pub fn new(methods: Methods, common: Common, stats: Arc<Stats>, inline_budget: Duration) -> Shared {
        Shared {
            stopping: AtomicBool::new(false),
            limiter: Limiter::of_workers(Concurrency::Unlimited, 1, clock::now()),
            backlog: Backlog::new(None, 1, polywire_engine::clock::now()),
            memory: common.memory.clone(),
            authenticator: None,
            authentication: Asking { gauge: Gauge::new(Inline::Adaptive, inline_budget), limit: None },
            guards: Vec::new(),
            catch_all: None,
            stats,
            faults: common.faults.clone(),
            tracer: polywire_engine::tracer(polywire_trace::Options::default()),
            methods,
            common: Arc::new(common),
            receptions: Vec::new(),
            access_logs: Vec::new(),
            dump: None,
            span_files: None,
        }
    }

    /// The paths of HTTP that lead to methods.
    pub fn http_ways(&self) -> Vec<HttpWay<'_>> {
        let ways = self.common.paths.described();
        ways.map(|(method, verbs, rule)| HttpWay { method: method as usize, verbs, rule }).collect()
    }

    /// The server begins to stop.
    pub fn begin_stop(&self) {
        self.stopping.store(true, Release);
        self.common.stop.send_replace(true);
    }

    /// The guards that decide about peers of this protocol, in addition to the authenticator.
    pub fn guards_of(&self, protocol: &Protocol) -> impl Iterator<Item = &Guard> {
        let name = protocol.name;
        self.guards.iter().filter(move |(guarded, _)| *guarded == name).map(|(_, guard)| guard)
    }

    /// Whether `/Service/Method` leads to the method.
    pub fn has_default_url(&self, k: u32) -> bool {
        self.methods[k as usize].default_url
    }

    /// Whether a request with this verb reaches the method by `/Service/Method`.
    #[inline]
    pub fn by_default_url(&self, k: u32, verb: &str) -> bool {
        self.has_default_url(k) && (verb == "POST" || self.default_verbs(k).have(verb))
    }

    /// The verbs that reach the method by `/Service/Method`.
    pub fn default_verbs(&self, k: u32) -> Verbs {
        Verbs::Usual { safe: self.methods[k as usize].method.no_side_effects }
    }
}

impl SharedMethod {
    /// How long a call may take whose caller `waits` this long: no longer than its method allows.
    pub fn time(&self, waits: Option<Duration>) -> Option<Duration> {
        waits.into_iter().chain(self.method.timeout).min()
    }

    /// Whether it answers calls of methods that the server does not have.
    pub fn is_catch_all(&self) -> bool {
        self.bound == Some(Binding::Unknown)
    }

    /// Whether it is a page.
    pub fn is_page(&self) -> bool {
        self.bound == Some(Binding::Http) && self.method.name == DEFAULT_METHOD
    }

    /// `key`: index among all methods; `index`: position within the service.
    fn new(service: &'static str, method: Method, key: u32, index: u32, defaults: Defaults) -> Self {
        // Leaked once per method of a process: the watchdog may read it after the server has ended.
        let full: &'static str = Box::leak(format!("{service}/{}", method.name).into_boxed_str());
        SharedMethod {
            service,
            bound: None,
            name: Box::leak(Box::new(context::MethodName { service, method: method.name })),
            watched: Box::leak(Box::new(full)),
            route: Route {
                method: key,
                max_message: method.max_message.unwrap_or(defaults.max_message),
                caller: 0,
                way: 0,
                delivery: method.delivery,
                streamed: method.streams,
                no_side_effects: method.no_side_effects,
                upgrades: method.upgrades,
            },
            limiter: Limiter::of_workers(
                method.max_concurrency.unwrap_or(defaults.max_concurrency),
                defaults.workers,
                clock::now(),
            ),
            memory: method.max_memory.map(|bytes| Arc::new(Memory::new(bytes, usize::MAX))),
            bounded: method.max_memory.is_some() || !method.admissions.is_empty(),
            exempt: false,
            gauge: Gauge::new(method.inline, defaults.inline_budget),
            streaming: method.streams || method.delivery != Delivery::Whole,
            apart: false, // `add` sets it
            default_url: (method.paths.is_empty() || method.default_url) && full.matches('/').count() == 1,
            slowest: Slowest::default(),
            standard: false,
            index,
            method,
        }
    }

    /// The number by which its protocol identifies a bound method: its own number, or else its position.
    fn number(&self) -> u64 {
        self.method.id.unwrap_or(self.index.into())
    }
}

/// One shard's view of the methods, with handlers of its own.
pub(crate) struct Table {
    pub shared: Arc<Shared>,
    pub entries: Vec<Entry>,
    names: HashTable<u32>,
    /// Methods with numbers, sorted by number.
    ids: Vec<(u64, u32)>,
    /// Methods of bound services, sorted by number and protocol.
    bound: Vec<(u64, &'static str, u32)>,
    /// Pages by the first segment of their path.
    pages: Vec<(&'static str, u32)>,
    /// The first service of the application.
    first: Option<&'static str>,
    /// The method that handles every HTTP request that no other method does.
    pub fallback: Option<u32>,
    /// The methods that answer calls of unknown names.
    pub catch_all: Option<catch_all::Rows>,
}

pub(crate) struct Entry {
    pub handler: Box<dyn Handler>,
    pub gauge: Arc<Gauge>,
}

/// Name of the method that handles the HTTP requests that no other method does.
pub(crate) const FALLBACK: &str = "fallback";

/// Whether a service answers the requests over HTTP that no other does.
pub(crate) fn is_fallback(service: &Service) -> bool {
    service.bound == Some(Binding::Http) && service.methods.iter().any(|method| method.name == FALLBACK)
}

fn hash(service: &str, method: &str) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    hasher.write(service.as_bytes());
    hasher.write(method.as_bytes());
    hasher.finish()
}

impl Table {
    /// The names of service and method by which a request calls this method.
    #[cold]
    pub fn called<'h>(&self, method: &SharedMethod, head: &Head<'h>) -> (Cow<'h, str>, Cow<'h, str>) {
        let caught = self.catch_all.as_ref().filter(|_| method.is_catch_all());
        let named = match (head.target, caught) {
            (Target::Method { service, method }, Some(_)) => Some((service.into(), method.into())),
            (Target::Path { verb, path }, Some(rows)) => {
                rows.called(verb, path).map(|(service, method, _)| (service, method))
            }
            (Target::Index { service, method }, Some(rows)) => {
                rows.at(service, method).map(|(service, method)| (service.into(), method.into()))
            }
            (Target::Bound { protocol, number }, Some(rows)) => {
                rows.hashed(protocol, number).map(|(service, method)| (service.into(), method.into()))
            }
            _ => None,
        };
        named.unwrap_or_else(|| (method.service.into(), method.method.name.into()))
    }

    pub fn new(shared: &Arc<Shared>) -> Arc<Table> {
        let methods = &shared.methods;
        let mut own = methods.open().iter().filter(|m| !m.standard);
        let mut table = Table {
            shared: shared.clone(),
            entries: Vec::new(),
            names: HashTable::new(),
            ids: ids(methods.open()),
            bound: bound(methods),
            pages: of_http(methods, DEFAULT_METHOD).collect(),
            first: own.next().map(|m| m.service),
            fallback: of_http(methods, FALLBACK).next().map(|(_, k)| k),
            catch_all: catch_all::Rows::of(
                methods.bound().filter(|(_, _, m)| m.is_catch_all()).map(|(k, _, m)| (k, m.method.name)),
                shared.catch_all.as_ref(),
            ),
        };
        for SharedMethod { method, gauge, .. } in methods.iter() {
            table.entries.push(Entry { handler: (method.instance)(), gauge: gauge.clone() });
        }
        for (index, SharedMethod { service, method, .. }) in methods.open().iter().enumerate() {
            table.names.insert_unique(hash(service, method.name), index as u32, |&k| rehash(shared, k));
        }
        Arc::new(table)
    }

    /// The method of a full service name.
    #[inline]
    pub fn find(&self, service: &str, method: &str) -> Option<u32> {
        self.names.find(hash(service, method), |&k| self.is(k, service, method)).copied()
    }

    /// Whether method `k` is this one.
    #[inline]
    pub fn is(&self, k: u32, service: &str, method: &str) -> bool {
        let known = self.shared.methods.open().get(k as usize);
        known.is_some_and(|known| known.method.name == method && known.service == service)
    }

    /// Whether this is the path of method `k`, `/Service/Method`; further parts do not count. Its names have
    /// no slash.
    #[inline]
    pub fn is_at_path(&self, k: u32, path: &str) -> bool {
        let Some(known) = self.shared.methods.open().get(k as usize) else { return false };
        let path = path.strip_prefix('/').unwrap_or(path);
        let rest = path.strip_prefix(known.service).and_then(|rest| rest.strip_prefix('/'));
        let rest = rest.and_then(|rest| rest.strip_prefix(known.method.name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The method at a position in a service. The service is given by its full or short name, or by an empty
    /// one: then it is the first service.
    pub fn find_at(&self, service: &str, index: u32) -> Option<u32> {
        (0..self.shared.methods.open().len() as u32).find(|&k| self.is_at(k, service, index))
    }

    /// Whether method `k` is at this position.
    #[inline]
    pub fn is_at(&self, k: u32, service: &str, index: u32) -> bool {
        let Some(known) = self.shared.methods.open().get(k as usize) else { return false };
        known.index == index
            && match service {
                "" => self.first == Some(known.service),
                short if !short.contains('.') && !known.standard => short_name(known.service) == short,
                full => known.service == full,
            }
    }

    /// The method with this number.
    pub fn find_id(&self, id: u64) -> Option<u32> {
        let at = self.ids.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(self.ids[at].1)
    }

    /// Whether method `k` has this number.
    #[inline]
    pub fn is_id(&self, k: u32, id: u64) -> bool {
        self.shared.methods.open().get(k as usize).is_some_and(|known| known.method.id == Some(id))
    }

    /// The method with this number among those bound to a protocol.
    #[inline]
    pub fn find_bound(&self, protocol: &str, number: u64) -> Option<u32> {
        let find = |number| self.bound.binary_search_by_key(&(number, protocol), |&(n, p, _)| (n, p));
        let at = find(number).or_else(|_| find(Service::ANY)).ok()?;
        Some(self.bound[at].2)
    }

    /// Whether one of them has this number itself.
    pub fn is_bound(&self, protocol: &str, number: u64) -> bool {
        let key = |&(number, protocol, _): &(u64, &'static str, u32)| (number, protocol);
        number != Service::ANY && self.bound.binary_search_by_key(&(number, protocol), key).is_ok()
    }

    /// The page of this name.
    pub fn find_page(&self, name: &str) -> Option<u32> {
        self.pages.iter().find(|(page, _)| *page == name).map(|&(_, k)| k)
    }

    /// The full name of a service that is given by its short name (`EchoService`); any other name is returned
    /// unchanged.
    pub fn full_name<'s>(&'s self, name: &'s str) -> &'s str {
        if name.contains('.') {
            return name;
        }
        let full = self.shared.methods.open().iter().filter(|m| !m.standard).map(|m| m.service);
        full.into_iter().find(|full| short_name(full) == name).unwrap_or(name)
    }

    pub fn has_service(&self, service: &str) -> bool {
        self.shared.methods.open().iter().any(|m| m.service == service)
    }
}

/// A service's name without its package.
fn short_name(full: &str) -> &str {
    full.rsplit('.').next().unwrap_or(full)
}

fn rehash(shared: &Shared, k: u32) -> u64 {
    let known = &shared.methods[k as usize];
    hash(known.service, known.method.name)
}

fn ids(methods: &[SharedMethod]) -> Vec<(u64, u32)> {
    let numbered = methods.iter().enumerate().filter_map(|(k, m)| m.method.id.map(|id| (id, k as u32)));
    let mut ids: Vec<_> = numbered.collect();
    // A number of its own comes before an alias, and of several aliases the first.
    ids.extend(methods.iter().enumerate().filter_map(|(k, m)| Some((m.method.alias?, k as u32))));
    ids.order_by_key(|&(id, _)| id);
    ids.dedup_by_key(|&mut (id, _)| id);
    ids
}

/// Bound methods. Those without a number are found by their position in the service.
fn bound(methods: &Methods) -> Vec<(u64, &'static str, u32)> {
    let mut bound: Vec<_> =
        methods.of_protocols().map(|(k, protocol, m)| (m.number(), protocol, k)).collect();
    // A number of its own comes before an alias, and of several aliases the first.
    let aliases = methods.of_protocols().filter_map(|(k, protocol, m)| Some((m.method.alias?, protocol, k)));
    bound.extend(aliases);
    bound.order_by_key(|&(number, protocol, _)| (number, protocol));
    bound.dedup_by_key(|&mut (number, protocol, _)| (number, protocol));
    bound
}

/// Services of HTTP alone that have this method, by name.
fn of_http(methods: &Methods, method: &str) -> impl Iterator<Item = (&'static str, u32)> {
    let of_http =
        methods.bound().filter(move |(_, binding, m)| *binding == Binding::Http && m.method.name == method);
    of_http.map(|(k, _, m)| (m.service, k))
}

/// The RESTful patterns and the rules of all methods.
///
/// # Errors
/// Two that cannot be told apart.
pub(crate) fn paths(methods: &[SharedMethod]) -> Result<Paths, String> {
    let mut paths = Paths::default();
    for (index, SharedMethod { method, watched, .. }) in methods.iter().enumerate() {
        let (name, schemas) = (&**watched, method.schemas);
        let owner = Owner { method: index as u32, name, safe: method.no_side_effects, schemas };
        method.paths.iter().try_for_each(|pattern| paths.add(pattern, owner))?;
        method.rules.iter().try_for_each(|rule| paths.add_rule(rule, owner))?;
    }
    methods.iter().for_each(|method| paths.add_service(method.service));
    Ok(paths)
}

/// Defaults for methods that set no option.
#[derive(Clone, Copy)]
pub(crate) struct Defaults {
    /// Longest request in bytes.
    pub max_message: u32,
    /// CPU time that one poll may take and still count as quick.
    pub inline_budget: Duration,
    /// Calls of a method at once.
    pub max_concurrency: Concurrency,
    /// Threads that run handlers.
    pub workers: u32,
}

/// Flattens services into methods. Fails if two of them could not be distinguished.
pub(crate) fn methods(services: Vec<Service>, defaults: Defaults) -> Result<Methods, String> {
    let mut all: Vec<SharedMethod> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let (open, bound): (Vec<_>, Vec<_>) = services.into_iter().partition(|service| service.bound.is_none());
    for service in open {
        let short = short_name(service.name);
        if service.standard && names.contains(&service.name) {
            continue;
        }
        let other = names.iter().find(|n| short_name(n) == short);
        if let Some(other) = other.filter(|_| !service.standard) {
            return Err(match *other == service.name {
                true => format!("service {other} is there twice: add it once"),
                false => format!("services {other} and {} have the same short name", service.name),
            });
        }
        names.push(service.name);
        add(&mut all, service, defaults)?;
    }
    let open = all.len();
    for service in bound {
        add(&mut all, service, defaults)?;
    }
    Ok(Methods { all, open })
}

fn add(all: &mut Vec<SharedMethod>, service: Service, defaults: Defaults) -> Result<(), String> {
    let Service { name, bound, methods, standard, wrong, .. } = service;
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    if methods.is_empty() {
        return Err(format!("service {name} has no methods"));
    }
    for (index, method) in methods.into_iter().enumerate() {
        let key = all.len() as u32;
        let page = bound == Some(Binding::Http) && method.name == DEFAULT_METHOD;
        let exempt = standard || page;
        let defaults = match exempt {
            true => Defaults { max_concurrency: Concurrency::Unlimited, ..defaults },
            false => defaults,
        };
        let new = SharedMethod::new(name, method, key, index as u32, defaults);
        let apart = new.streaming || bound == Some(Binding::Unknown);
        let new = SharedMethod { bound, standard, exempt, apart, ..new };
        check(all, &new)?;
        all.push(new);
    }
    Ok(())
}

/// Checks that a method differs from all earlier ones in name, paths and number.
fn check(all: &[SharedMethod], new: &SharedMethod) -> Result<(), String> {
    let SharedMethod { service, method, bound, watched, .. } = new;
    let mut rivals = all.iter().filter(|m| m.bound == *bound);
    if let Some(protocol) = bound
        && (!method.paths.is_empty() || !method.rules.is_empty() || method.default_url)
    {
        return Err(format!("{watched} is bound to {protocol}: no path over HTTP can lead to it"));
    }
    if rivals.clone().any(|m| m.service == *service && m.method.name == method.name) {
        return Err(match bound {
            Some(protocol) => format!("method {watched} of {protocol} is there twice"),
            None => format!("method {watched} is there twice"),
        });
    }
    // Two names may have the same hash.
    let other = match (bound, method.id) {
        (Some(Binding::Http), _) | (None, None) => None,
        (Some(_), _) => rivals.find(|m| m.number() == new.number()),
        (None, Some(id)) => rivals.find(|m| {
            let same_service = |taken: u64| taken >> 32 == id >> 32 && m.service != *service;
            m.method.id.is_some_and(|taken| taken == id || same_service(taken))
        }),
    };
    other.map_or(Ok(()), |other| {
        Err(format!("methods {} and {watched} cannot be told apart by their numbers", other.watched))
    })
}
