//! What is known of methods: their messages, by which a relay translates. It can change while calls are made.

use crate::{order::Named, rules::Rules};
use arc_swap::ArcSwap;
use polywire_call::{ConfigError, Status};
use polywire_formats::{
    foreign::is_mcpack,
    schema::{Idempotency, MethodSchema, Pool},
};
use polywire_server::Directions;
use polywire_wire::Content;
use std::{
    collections::HashMap,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Instant,
};

/// The longest text of why schemas are not there, in bytes.
const LONGEST_WHY: usize = 200;

/// The schemas of methods, by which a relay translates messages. Clones are the same: with
/// [`replace`](Schemas::replace) all of them know the others.
///
/// A set has at most 16 MiB, 10 000 files, 100 000 fields and as many other declarations, 1000 extensions and
/// 64 levels of messages in messages; its names are identifiers.
#[derive(Clone)]
pub struct Schemas(Arc<Shared>);

struct Shared {
    known: ArcSwap<Known>,
    /// Whether a call was made that does not fit what is known.
    missed: AtomicBool,
    /// Whether some method says that it may be executed twice.
    has_idempotent: AtomicBool,
}

struct Known {
    pool: Arc<Pool>,
    short: Arc<Short>,
    services: Arc<Services>,
    rules: Arc<Rules>,
    /// Whether names for mcpack and rules for HTTP are not among them.
    is_guessed: bool,
    /// When they were read; `None`: there were never any.
    since: Option<Instant>,
    /// Why better ones could not be had, and since when.
    lacking: Option<(Instant, Box<str>)>,
}

/// Services by their names without the package; `None`: several have that.
pub(crate) type Short = HashMap<Box<str>, Option<Box<str>>>;

/// The places of a service's methods in the pool, in the order of its definition. Of several definitions the
/// first one counts.
type Services = HashMap<Box<str>, Range<usize>>;

impl Schemas {
    /// No schemas yet; [`replace`](Schemas::replace) brings some.
    pub fn new() -> Schemas {
        let pool = Arc::new(Pool::from_descriptor_set(&[]).expect("nothing refers to nothing"));
        Schemas(Arc::new(Shared {
            known: ArcSwap::from_pointee(Known {
                pool,
                short: Arc::default(),
                services: Arc::default(),
                rules: Arc::default(),
                is_guessed: false,
                since: None,
                lacking: None,
            }),
            missed: AtomicBool::new(false),
            has_idempotent: AtomicBool::new(false),
        }))
    }

    /// The methods of an encoded `google.protobuf.FileDescriptorSet` with all imports, as `protoc
    /// --include_imports --descriptor_set_out` and `buf build` write it. Of `.proto` files the crate
    /// `polywire-proto` makes one, and generated code has one: `POOL.descriptor_set()`.
    ///
    /// # Errors
    /// The bytes are none, lack an import, or are beyond a limit.
    pub fn from_descriptor_set(set: &[u8]) -> Result<Schemas, ConfigError> {
        let schemas = Schemas::new();
        schemas.replace(set)?;
        Ok(schemas)
    }

    /// Knows these methods and no others from the next call on.
    ///
    /// # Errors
    /// As for [`from_descriptor_set`](Schemas::from_descriptor_set); then nothing changes.
    pub fn replace(&self, set: &[u8]) -> Result<(), ConfigError> {
        self.know(set, false)
    }

    /// The same, of schemas that were guessed, such as those of the page `/protobufs`: options are not among
    /// them. So nothing is translated from or to mcpack by them, whose names options may say.
    ///
    /// # Errors
    /// As for [`replace`](Schemas::replace).
    pub fn replace_guessed(&self, set: &[u8]) -> Result<(), ConfigError> {
        self.know(set, true)
    }

    fn know(&self, set: &[u8], is_guessed: bool) -> Result<(), ConfigError> {
        let pool = Pool::from_foreign_set(set);
        let pool = pool.map_err(|wrong| ConfigError::new("schemas", wrong.to_string()))?;
        let (rules, since) = (Arc::new(Rules::of(&pool)), Some(Instant::now()));
        let services = Arc::new(services(&pool));
        let short = Arc::new(short_names(services.keys().map(|service| &**service)));
        let has_idempotent = pool.methods().any(|method| method.idempotency != Idempotency::Unknown);
        let pool = Arc::new(pool);
        let lacking = None;
        self.0.has_idempotent.store(has_idempotent, Relaxed);
        self.0.known.store(Arc::new(Known { pool, short, services, rules, is_guessed, since, lacking }));
        Ok(())
    }

    /// Says why there are no better ones, such as "reflection failed": callers of methods that are not known
    /// read it, and how long ago that was. Those that are known stay. The text is cut at 200 bytes.
    pub fn lacking(&self, why: &str) {
        let lacking = Some((Instant::now(), polywire_call::bounded(why, LONGEST_WHY).into()));
        let known = self.0.known.load();
        let Known { pool, short, services, rules, is_guessed, since, .. } = &**known;
        let (pool, short, services) = (pool.clone(), short.clone(), services.clone());
        let (rules, is_guessed, since) = (rules.clone(), *is_guessed, *since);
        self.0.known.store(Arc::new(Known { pool, short, services, rules, is_guessed, since, lacking }));
    }

    /// Whether a call was made that does not fit what is known, since this was asked the last time: its
    /// method is not known, or its messages are others.
    pub fn take_missed(&self) -> bool {
        self.0.missed.swap(false, Relaxed)
    }

    /// The methods that are known, services in the order of their files.
    pub fn visit(&self, each: impl FnMut(MethodSchema<'_>)) {
        self.0.known.load().pool.methods().for_each(each);
    }

    /// What they were read from.
    pub fn descriptor_set(&self) -> Vec<u8> {
        self.0.known.load().pool.descriptor_set().to_vec()
    }

    /// The number of services, and of their methods.
    pub fn count(&self) -> (usize, usize) {
        let known = self.0.known.load();
        (known.pool.service_count(), known.pool.methods().count())
    }

    /// The number of rules of `google.api.http` in use, and of those that are not: they are wrong, an earlier
    /// one takes their requests, or there are more than 10 000.
    pub fn count_rules(&self) -> (usize, usize) {
        self.0.known.load().rules.count()
    }

    /// The first 20 rules that are not in use, each with the reason. Names in it are those of the schemas.
    pub fn left_out_rules(&self) -> Vec<String> {
        self.0.known.load().rules.left_out().iter().map(|text| text.to_string()).collect()
    }

    /// Whether they were [guessed](Schemas::replace_guessed).
    pub fn is_guessed(&self) -> bool {
        self.0.known.load().is_guessed
    }

    /// Whether both are clones of one.
    pub(crate) fn is_same(&self, other: &Schemas) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// When they were read last, and why better ones could not be had since.
    pub fn state(&self) -> (Option<Instant>, Option<String>) {
        let known = self.0.known.load();
        (known.since, known.lacking.as_ref().map(|(_, why)| why.to_string()))
    }

    /// The method that a rule binds a request of plain HTTP to, and which of its rules that is.
    pub(crate) fn by_rule(&self, verb: &str, path: &str) -> Option<(Found, usize)> {
        let known = self.0.known.load();
        let way = known.rules.find(verb, path)?;
        Some((self.found(&known, way.method), way.rule))
    }

    /// The verbs of the rules whose path this is, of methods that `counts`.
    pub(crate) fn verbs(&self, path: &str, counts: impl Fn(MethodSchema<'_>) -> bool) -> Vec<String> {
        let known = self.0.known.load();
        let ways = known.rules.of_path(path).into_iter();
        let ways = ways.filter(|way| counts(known.pool.method_at(way.method)));
        ways.map(|way| way.verb.to_string()).collect()
    }

    /// Whether this first segment of a path belongs to rules and is no service.
    pub(crate) fn begins_rules(&self, segment: &str) -> bool {
        let known = self.0.known.load();
        known.rules.begin_with(segment) && !known.pool.has_service(segment)
    }

    /// Whether a method is known.
    pub fn knows(&self, service: &str, method: &str) -> bool {
        self.with(service, method, |_| ()).is_some()
    }

    /// The same, where callers may name a service without its package.
    pub fn knows_short(&self, service: &str, method: &str) -> bool {
        self.find_short((service, method)).is_ok()
    }

    /// The directions of a method that are known to stream.
    pub(crate) fn streams(&self, service: &str, method: &str) -> Directions {
        self.with(service, method, directions).unwrap_or_default()
    }

    /// Whether the option `idempotency_level` of a method, which does not stream, says that a call may be
    /// executed twice.
    pub fn may_run_twice(&self, (service, method): (&str, &str)) -> bool {
        self.may_any_run_twice() && {
            let known = self.0.known.load();
            let place = known.pool.place_of(service, method);
            place
                .map(|place| known.pool.method_at(place))
                .is_some_and(|method| method.idempotency != Idempotency::Unknown && !directions(method).any())
        }
    }

    /// Whether some method says so.
    pub fn may_any_run_twice(&self) -> bool {
        self.0.has_idempotent.load(Relaxed)
    }

    /// Whether a method is known, and whether its calls only read.
    pub(crate) fn reads(&self, service: &str, method: &str) -> Option<bool> {
        self.with(service, method, |method| method.idempotency == Idempotency::NoSideEffects)
    }

    fn with<T>(&self, service: &str, method: &str, of: impl FnOnce(MethodSchema<'_>) -> T) -> Option<T> {
        let known = self.0.known.load();
        let Some(place) = known.pool.place_of(service, method) else {
            self.missed();
            return None;
        };
        Some(of(known.pool.method_at(place)))
    }

    #[cold]
    pub(crate) fn missed(&self) {
        self.0.missed.store(true, Relaxed);
    }

    /// # Errors
    /// UNIMPLEMENTED: the method is not known.
    pub(crate) fn find(&self, (service, method): (&str, &str)) -> Result<Found, Status> {
        let known = self.0.known.load();
        match known.pool.place_of(service, method) {
            Some(place) => Ok(self.found(&known, place)),
            None => Err(self.unknown(&known, service, method)),
        }
    }

    /// The same, where callers name a service without its package.
    ///
    /// # Errors
    /// UNIMPLEMENTED: the method is not known, or several services have this name.
    pub(crate) fn find_short(&self, (service, method): (&str, &str)) -> Result<Found, Status> {
        let known = self.0.known.load();
        let full = match known.short.get(service).filter(|_| !known.pool.has_service(service)) {
            Some(Some(full)) => &**full,
            Some(None) => {
                let text = format!("several services are called {service}: name it with its package");
                return Err(Status::unimplemented(text));
            }
            None => service,
        };
        match known.pool.place_of(full, method) {
            Some(place) => Ok(self.found(&known, place)),
            None => Err(self.unknown(&known, full, method)),
        }
    }

    fn found(&self, known: &Known, place: usize) -> Found {
        Found { schemas: self.clone(), pool: known.pool.clone(), is_guessed: known.is_guessed, place }
    }

    /// The position of a method in the definition of its service, where callers may name that without its
    /// package.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn position(&self, called: (&str, &str)) -> Result<u32, String> {
        let found = self.find_short(called).map_err(|status| status.message().to_owned())?;
        let method = found.method();
        let is_first = |of: &Range<usize>| of.contains(&found.place);
        match self.0.known.load().services.get(method.service).is_none_or(is_first) {
            true => Ok(method.index),
            false => Err(format!("the schemas define {} twice, with other methods", method.service)),
        }
    }

    /// What a name of a service stands for.
    pub(crate) fn named(&self, service: &str) -> Named {
        let known = self.0.known.load();
        Named::of(service, known.services.contains_key(service), &known.short)
    }

    /// The method at a position of the service of this full name.
    pub(crate) fn at(&self, full_name: &str, position: u32) -> Option<String> {
        let known = self.0.known.load();
        let place = known.services.get(full_name)?.clone().nth(position as usize);
        match place {
            Some(place) => Some(known.pool.method_at(place).method.to_owned()),
            None => {
                self.missed();
                None
            }
        }
    }

    #[cold]
    fn unknown(&self, known: &Known, service: &str, method: &str) -> Status {
        self.missed();
        let why = match &known.lacking {
            _ if known.pool.has_service(service) => {
                return Status::unimplemented(format!("the schema of {service} has no method {method}"));
            }
            Some((since, why)) => format!("{why} {} s ago", since.elapsed().as_secs()),
            None => "it is not among those that the relay has".to_owned(),
        };
        Status::unimplemented(format!("schema of {service} is not known: {why}"))
    }
}

fn directions(method: MethodSchema<'_>) -> Directions {
    Directions { requests: method.client_streaming, replies: method.server_streaming }
}

fn services(pool: &Pool) -> Services {
    let mut services = Services::new();
    for (place, method) in pool.methods().enumerate() {
        let places = services.entry(method.service.into()).or_insert(place..place);
        if places.end == place && method.index as usize == places.len() {
            places.end += 1;
        }
    }
    services
}

/// The names of services without their packages.
pub(crate) fn short_names<'s>(services: impl Iterator<Item = &'s str>) -> Short {
    let mut short = Short::new();
    for service in services {
        let Some((_, name)) = service.rsplit_once('.') else { continue };
        let full = short.entry(name.into()).or_insert_with(|| Some(service.into()));
        if full.as_deref().is_some_and(|full| full != service) {
            *full = None;
        }
    }
    short
}

impl Default for Schemas {
    fn default() -> Schemas {
        Schemas::new()
    }
}

/// A method that is known; it stays, whatever replaces the schemas meanwhile.
#[derive(Clone)]
pub(crate) struct Found {
    schemas: Schemas,
    pool: Arc<Pool>,
    is_guessed: bool,
    place: usize,
}

impl Found {
    pub fn method(&self) -> MethodSchema<'_> {
        self.pool.method_at(self.place)
    }

    /// Whether it is the method of these names.
    pub fn is(&self, called: (&str, &str)) -> bool {
        let method = self.method();
        (method.service, method.method) == called
    }

    /// Whether messages in one of these forms cannot be translated by it: see [`Schemas::replace_guessed`].
    pub fn lacks_names(&self, forms: [Content; 2]) -> bool {
        self.is_guessed && forms.into_iter().any(is_mcpack)
    }

    /// A message did not fit: the servers may have others by now.
    pub fn misfit(&self) {
        self.schemas.missed();
    }
}
