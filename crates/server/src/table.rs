//! All methods of a server, as one shard holds them, and how a request finds its own.

use crate::{
    auth::Authenticator,
    context,
    limit::Limiter,
    paths::Paths,
    service::{Handler, Method, Service},
    stats::Stats,
};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use polywire_engine::{Faults, MethodName, inline::Gauge};
use polywire_hub::Reception;
use polywire_wire::{Delivery, Route};
use std::{
    hash::{BuildHasher, Hasher},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// What all shards of a server share.
pub(crate) struct Shared {
    pub stopping: AtomicBool,
    pub limiter: Option<Arc<Limiter>>,
    pub authenticator: Option<Arc<dyn Authenticator>>,
    pub stats: Arc<Stats>,
    pub faults: Arc<Faults>,
    pub methods: Vec<SharedMethod>,
    pub paths: Paths,
    /// Seats for peers of sockets.
    pub receptions: Vec<Arc<dyn Reception>>,
}

/// What all shards share of a method.
pub(crate) struct SharedMethod {
    pub service: &'static str,
    pub method: Method,
    /// Place in the service, from 0.
    pub index: u32,
    pub name: &'static context::MethodName,
    /// `service/method`, for the watchdog.
    pub watched: MethodName,
    pub route: Route,
    pub limiter: Option<Arc<Limiter>>,
    /// How quick it is, learnt once for all shards: each slow poll that teaches it holds up a shard. Read per call,
    /// written only when something is slow.
    pub gauge: Arc<Gauge>,
    /// More than one message in some direction.
    pub streaming: bool,
    /// Of a service that comes with the server.
    pub standard: bool,
}

impl Shared {
    /// "A method that has a restful URL is not reachable by /Service/Method unless `allow_default_url` is set."
    pub fn by_default_url(&self, k: u32) -> bool {
        let method = &self.methods[k as usize].method;
        method.paths.is_empty() || method.default_url
    }
}

impl SharedMethod {
    /// `key`: place among all methods; `index`: place in the service.
    fn new(service: &'static str, method: Method, key: u32, index: u32, defaults: Defaults) -> Self {
        // Leaked once per method of a process: the watchdog may look at it while the server goes.
        let full: &'static str = Box::leak(format!("{service}/{}", method.name).into_boxed_str());
        SharedMethod {
            service,
            name: Box::leak(Box::new(context::MethodName { service, method: method.name })),
            watched: Box::leak(Box::new(full)),
            route: Route {
                method: key,
                max_message: method.max_message.unwrap_or(defaults.max_message),
                delivery: method.delivery,
                streamed: method.streams,
                no_side_effects: method.no_side_effects,
            },
            limiter: Limiter::new(method.max_concurrency),
            gauge: Gauge::new(method.inline, defaults.inline_budget),
            streaming: method.streams || method.delivery != Delivery::Whole,
            standard: false,
            index,
            method,
        }
    }
}

/// One shard's view: handlers of its own.
pub(crate) struct Table {
    pub shared: Arc<Shared>,
    pub entries: Vec<Entry>,
    names: HashTable<u32>,
    /// Methods by their numbers, in order.
    ids: Vec<(u64, u32)>,
    /// The first service of the application's own.
    first: Option<&'static str>,
    /// The method that takes every command (Redis).
    pub commands: Option<u32>,
    /// The method that takes every request over HTTP that no other does.
    pub fallback: Option<u32>,
}

pub(crate) struct Entry {
    pub handler: Box<dyn Handler>,
    pub gauge: Arc<Gauge>,
}

/// The service of this name takes commands of protocols that have no services (Redis): its only method gets them all.
pub(crate) const COMMANDS: &str = "*";

/// The service of this name takes frames of nshead as they are.
const NSHEAD: &str = "nshead";

/// The service of this name has functions without a place in any definition (rest_rpc).
const FUNCTIONS: &str = "rest_rpc";

/// Protocols that a server answers only with this service: there is nowhere else for what they bring.
pub(crate) const NEEDED: [(&str, &str); 2] = [("redis", COMMANDS), ("nshead", NSHEAD)];

/// Service and method that get the requests over HTTP that no other does.
pub(crate) const FALLBACK: (&str, &str) = ("http", "fallback");

fn hash(service: &str, method: &str) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    hasher.write(service.as_bytes());
    hasher.write(method.as_bytes());
    hasher.finish()
}

impl Table {
    pub fn new(shared: &Arc<Shared>) -> Arc<Table> {
        let not_own = [COMMANDS, NSHEAD, FUNCTIONS, FALLBACK.0];
        let mut own = shared.methods.iter().filter(|m| !m.standard && !not_own.contains(&m.service));
        let mut table = Table {
            shared: shared.clone(),
            entries: Vec::new(),
            names: HashTable::new(),
            ids: ids(&shared.methods),
            first: own.next().map(|m| m.service),
            commands: None,
            fallback: None,
        };
        for (index, shared_method) in shared.methods.iter().enumerate() {
            let SharedMethod { service, method, .. } = shared_method;
            table.entries.push(Entry { handler: (method.instance)(), gauge: shared_method.gauge.clone() });
            table.names.insert_unique(hash(service, method.name), index as u32, |&k| rehash(shared, k));
            if *service == COMMANDS {
                table.commands = Some(index as u32);
            }
            if (*service, method.name) == FALLBACK {
                table.fallback = Some(index as u32);
            }
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
        let known = self.shared.methods.get(k as usize); // none in a server without services
        known.is_some_and(|known| known.method.name == method && known.service == service)
    }

    /// The method at a place in a service, which is given by either of its names, or by none: the first one.
    pub fn find_at(&self, service: &str, index: u32) -> Option<u32> {
        (0..self.shared.methods.len() as u32).find(|&k| self.is_at(k, service, index))
    }

    /// Whether method `k` stands at this place.
    #[inline]
    pub fn is_at(&self, k: u32, service: &str, index: u32) -> bool {
        let Some(known) = self.shared.methods.get(k as usize) else { return false };
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
        self.shared.methods.get(k as usize).is_some_and(|known| known.method.id == Some(id))
    }

    /// The full name of a service given by its short name (`EchoService`), or as it is.
    pub fn full_name<'s>(&'s self, name: &'s str) -> &'s str {
        if name.contains('.') {
            return name;
        }
        let full = self.shared.methods.iter().filter(|m| !m.standard).map(|m| m.service);
        full.into_iter().find(|full| short_name(full) == name).unwrap_or(name)
    }

    pub fn has_service(&self, service: &str) -> bool {
        self.shared.methods.iter().any(|m| m.service == service)
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
    ids.sort_unstable();
    ids
}

/// The RESTful patterns of all methods.
pub(crate) fn paths(methods: &[SharedMethod]) -> Result<Paths, String> {
    let mut paths = Paths::default();
    for (index, method) in methods.iter().enumerate() {
        for pattern in &method.method.paths {
            paths.add(pattern, index as u32)?;
        }
    }
    Ok(paths)
}

/// Whether a method's number is its own, and that of its service, too: two names may have one hash.
fn check_id(known: &[SharedMethod], service: &str, method: &str, id: u64) -> Result<(), String> {
    for other in known {
        let Some(taken) = other.method.id else { continue };
        if taken == id || taken >> 32 == id >> 32 && other.service != service {
            let other = other.watched;
            return Err(format!(
                "methods {other} and {service}/{method} cannot be told apart by their numbers"
            ));
        }
    }
    Ok(())
}

/// What holds for methods that say nothing else.
#[derive(Clone, Copy)]
pub(crate) struct Defaults {
    /// Longest request, bytes.
    pub max_message: u32,
    /// CPU time of a poll that still counts as quick.
    pub inline_budget: Duration,
}

/// Flattens services into methods; refuses what could not be told apart.
pub(crate) fn methods(services: Vec<Service>, defaults: Defaults) -> Result<Vec<SharedMethod>, String> {
    let mut methods: Vec<SharedMethod> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for service in services {
        let short = short_name(service.name);
        if service.methods.is_empty() {
            return Err(format!("service {} has no methods", service.name));
        }
        if service.standard && names.contains(&service.name) {
            continue;
        }
        let other = names.iter().find(|n| short_name(n) == short);
        if let Some(other) = other.filter(|_| !service.standard) {
            return Err(format!("services {other} and {} have the same short name", service.name));
        }
        names.push(service.name);
        for (index, method) in service.methods.into_iter().enumerate() {
            let twice = methods.iter().any(|m| m.service == service.name && m.method.name == method.name);
            if twice {
                return Err(format!("method {}/{} is there twice", service.name, method.name));
            }
            if let Some(id) = method.id {
                check_id(&methods, service.name, method.name, id)?;
            }
            let key = methods.len() as u32;
            let shared = SharedMethod::new(service.name, method, key, index as u32, defaults);
            methods.push(SharedMethod { standard: service.standard, ..shared });
        }
    }
    Ok(methods)
}
