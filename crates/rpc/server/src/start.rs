//! The options of a server, and how it is made of them and starts.

#[cfg(feature = "__tls")]
use crate::tls::ServerTls;
use crate::{
    about::{About, AboutService},
    admission::Admission,
    auth::{AnyAuthenticator, Guard},
    catch_all::CatchAll,
    checks,
    common::Common,
    door::{Door, Takes},
    error::ServerError,
    facts::{Facts, LiveServer},
    group::Group,
    handover::Next,
    health::Health,
    limits::Limiter,
    metric_files::ServerFiles,
    middleware::{self, Middleware},
    networks::Networks,
    options::{Bounds, Lifecycle, Recording},
    pages::{MadePages, ServerPages},
    running::{Core, Running, stop_signal},
    service::Service,
    stats::Stats,
    systemd,
    table::{self, Defaults, Shared, Table},
    timeout,
};
use polywire_call::ConfigError;
use polywire_dump::{Recorder, SpanFiles};
use polywire_engine::{
    Authenticate, Config, Engine, Timeouts,
    backlog::Backlog,
    clock,
    transport::{self, Listener},
};
use polywire_flags::FlagError;
use polywire_formats::json::Json;
use polywire_hub::Reception;
use polywire_wire::{Extensions, Limits, Origins, ProtocolSet, Upgrades};
use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicU64, AtomicUsize},
    },
};

/// The services that every server of a preset has, see [`Preset::services`](crate::Preset::services).
type Standard = fn(&About) -> Vec<Service>;

/// All options of a server.
pub(crate) struct Options {
    pub protocols: ProtocolSet,
    pub services: Vec<Service>,
    pub middleware: Vec<Arc<dyn Middleware>>,
    pub admissions: Vec<Arc<dyn Admission>>,
    pub addresses: Vec<String>,
    #[cfg(feature = "__tls")]
    pub tls: Option<ServerTls>,
    pub engine: Option<Engine>,
    pub limits: Limits,
    pub timeouts: Timeouts,
    pub bounds: Bounds,
    pub authenticator: Option<Arc<dyn AnyAuthenticator>>,
    pub origins: Origins,
    /// `None`: everybody may connect.
    pub networks: Option<Networks>,
    pub guards: Vec<(&'static str, Guard)>,
    pub catch_all: Option<Arc<dyn CatchAll>>,
    /// The first wrong option, which keeps the server from starting.
    pub wrong: Option<ConfigError>,
    pub enabled: Option<Vec<String>>,
    pub pages: Box<dyn ServerPages>,
    /// Whether it has pages, and built-in services.
    pub shows_pages: bool,
    pub metrics: polywire_metrics::Registry,
    pub health: Health,
    pub extensions: Extensions,
    pub receptions: Vec<Arc<dyn Reception>>,
    pub recording: Recording,
    pub lifecycle: Lifecycle,
    pub group: Option<Group>,
    /// `None`: brpc's, and protobuf's own for requests by rules.
    pub json: Option<Json>,
}

impl Options {
    pub fn new(protocols: ProtocolSet, pages: Box<dyn ServerPages>) -> Options {
        Options {
            protocols,
            services: Vec::new(),
            middleware: Vec::new(),
            admissions: Vec::new(),
            addresses: Vec::new(),
            #[cfg(feature = "__tls")]
            tls: None,
            engine: None,
            limits: Limits::default(),
            timeouts: Timeouts::default(),
            bounds: Bounds::default(),
            authenticator: None,
            origins: Origins::default(),
            networks: None,
            guards: Vec::new(),
            catch_all: None,
            wrong: None,
            enabled: None,
            pages,
            shows_pages: true,
            metrics: polywire_metrics::Registry::new(),
            health: Health::default(),
            extensions: Extensions::default(),
            receptions: Vec::new(),
            recording: Recording::default(),
            lifecycle: Lifecycle::default(),
            group: None,
            json: None,
        }
    }

    pub fn started(mut self, standard: Standard) -> Result<Running, ServerError> {
        if self.addresses.is_empty() {
            return Err(ConfigError::new("listen", "no address: say .listen(\"host:port\")").into());
        }
        let addresses = self.all_addresses();
        addresses.iter().try_for_each(|(address, _)| checks::address(address))?;
        self.origins.hosts.extend(addresses.iter().filter_map(|(address, _)| host_of(address)));
        let next = self.lifecycle.hand_over.take().map(Next::of).transpose()?;
        let (mut listeners, mut before) = (Vec::new(), Vec::new());
        let instead = std::mem::take(&mut self.lifecycle.in_place_of);
        for server in &instead {
            before.extend(server.listeners()?);
        }
        for (address, takes) in addresses {
            let own = before.extract_if(.., |(of, _)| *of == address).map(|(_, own)| own);
            let mut own = own.collect::<Vec<_>>();
            if let (Some(name), true) = (address.strip_prefix(checks::SYSTEMD), own.is_empty()) {
                own = transport::from_systemd(name)?;
            } else if own.is_empty() {
                let taken = next.as_ref().map(|next| next.hand_over.listener(&address)).transpose()?;
                own.push(match taken.flatten() {
                    Some(listener) => listener,
                    None => transport::bind_shared(&address, BACKLOG, self.lifecycle.share)?,
                });
            }
            listeners.extend(own.into_iter().map(|listener| (address.clone(), listener, takes)));
        }
        let (registrations, before_ready) = self.lifecycle.steps();
        Running::accept(self.core(standard)?, listeners, registrations, (next, instead), before_ready)
    }

    /// All addresses to listen on, with the kinds of connections that each accepts.
    fn all_addresses(&self) -> Vec<(String, Takes)> {
        let mut all = Vec::new();
        let mut add = |addresses: &[String], takes| {
            all.extend(addresses.iter().map(|address| (address.clone(), takes)));
        };
        add(&self.addresses, Takes::Default);
        #[cfg(feature = "__tls")]
        self.tls.iter().for_each(|tls| add(&tls.plain_on, Takes::Plain));
        add(self.pages.addresses(), Takes::Pages);
        all
    }

    pub fn serving(
        mut self,
        listener: std::net::TcpListener,
        standard: Standard,
    ) -> Result<Running, ServerError> {
        let others = self.all_addresses().into_iter().find(|(_, takes)| *takes != Takes::Default);
        if let Some((address, takes)) = others {
            // Otherwise what is for it alone would be at the one listener, for whoever reaches that.
            let option = if takes == Takes::Pages { "pages.on" } else { "tls.plain_on" };
            let text = format!("{option}({address:?}): serve(..) has one listener; say .listen(..).start()");
            return Err(ConfigError::new(option, text).with_value(address).into());
        }
        listener.set_nonblocking(true)?;
        let listeners = vec![(String::new(), Listener::Tcp(listener), Takes::Default)];
        let (registrations, before_ready) = self.lifecycle.steps();
        let alone = (None, Vec::new());
        Running::accept(self.core(standard)?, listeners, registrations, alone, before_ready)
    }

    pub fn without_listener(mut self, standard: Standard) -> Result<Running, ServerError> {
        match self.all_addresses().first() {
            Some((address, _)) => {
                let text = format!("listen({address:?}): such a server has no port of its own");
                Err(ConfigError::new("listen", text).with_value(address).into())
            }
            None => {
                let (registrations, before_ready) = self.lifecycle.steps();
                Running::without_listener(self.core(standard)?, registrations, before_ready)
            }
        }
    }

    /// [`Server::run`](crate::Server::run), behind a pointer, which keeps it out of the program that awaits
    /// it.
    #[inline(never)]
    pub fn running(
        self,
        standard: Standard,
    ) -> Pin<Box<dyn Future<Output = Result<(), ServerError>> + Send>> {
        Box::pin(self.until_stopped(standard))
    }

    async fn until_stopped(self, standard: Standard) -> Result<(), ServerError> {
        let stopping = stop_signal()?;
        let running = self.started(standard)?;
        systemd::ready();
        tokio::select! {
            () = stopping => systemd::stopping(),
            () = running.handed_over() => systemd::handed_over(),
        }
        running.stop().await;
        Ok(())
    }

    fn core(mut self, standard: Standard) -> Result<Arc<Core>, ServerError> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong.into());
        }
        for reception in &self.receptions {
            reception.check()?;
        }
        let named: Vec<_> = self.services.iter().map(|service| service.name).collect();
        // A catch-all and a fallback are services, too; sockets of ZeroMQ are receptions.
        let serves_nothing = named.is_empty() && self.receptions.is_empty();
        self.bounds.check()?;
        self.origins.check()?;
        self.networks.iter().try_for_each(Networks::check)?;
        self.services.iter().try_for_each(Service::check)?;
        let Recording { access_logs, tracer, span_files, metric_files, dump, grpc_metrics } = self.recording;
        for log in &access_logs {
            self.middleware.insert(0, Arc::new(log.clone())); // around all others
        }
        let facts = Arc::new(OnceLock::new());
        let mut services = timeout::around(middleware::around(self.services, self.middleware));
        let admissions: Arc<[_]> = self.admissions.into();
        let methods = services.iter_mut().flat_map(|service| &mut service.methods);
        methods.for_each(|method| method.admissions = admissions.clone());
        self.health.begin(named.iter().copied());
        let about = About {
            health: self.health.clone(),
            services: services.iter().map(AboutService::of).collect(),
            has_fallback: services.iter().any(table::is_fallback),
            open_reflection: self.pages.open_reflection(),
            facts: facts.clone(),
        };
        let MadePages { services: pages, flags, shows, of_others } =
            self.pages.made(&about, self.shows_pages)?;
        services.extend(pages);
        if self.shows_pages {
            let standard = standard(&about).into_iter();
            services.extend(standard.map(Service::into_standard));
        }
        let engine = self.engine.unwrap_or_else(|| Engine::default_engine().clone());
        // Workers beyond the processors do not make more.
        let pool = engine.work().metrics().num_workers() as u32;
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get() as u32).min(pool);
        let workers = engine.work().metrics().num_workers().max(engine.shards().len()) as u32;
        let defaults = Defaults {
            max_message: self.limits.max_message,
            inline_budget: self.bounds.inline_budget,
            max_concurrency: self.bounds.method_concurrency,
            workers,
        };
        let methods = table::methods(services, defaults).map_err(of_services)?;
        let mut bound = methods.bound_protocols();
        if let Some(nowhere) = bound.find(|name| self.protocols.find(name).is_none()) {
            let why = self.protocols.left_out(nowhere);
            let text = why
                .unwrap_or_else(|| format!("a service is bound to {nowhere}, which is not a known protocol"));
            return Err(ConfigError::new("service", text).with_value(nowhere).into());
        }
        drop(bound);
        let is_http = |name: &str| self.protocols.find(name).is_some_and(|known| known.http.is_some());
        let guards_http = self.guards.iter().any(|(name, _)| is_http(name));
        let lacking = checks::lacking(&self.protocols, methods.bound_protocols(), self.catch_all.is_some());
        let named = self.enabled.as_ref().map(|names| checks::protocols(names, &self.protocols, &lacking));
        let enabled = named.transpose()?;
        let guarded = self.guards.iter().map(|(name, _)| *name);
        checks::guards(guarded, &self.protocols, &lacking, enabled.as_deref())?;
        checks::limits(&self.limits)?;
        checks::timeouts(&self.timeouts)?;
        let origins = Arc::new(std::mem::take(&mut self.origins));
        let group = self.group.as_ref().map(Group::shared);
        let common = Common {
            paths: table::paths(&methods).map_err(of_services)?,
            origins: origins.clone(),
            json: self.json.unwrap_or_default(),
            rule_json: self.json.unwrap_or(Json::CANONICAL),
            memory: match &group {
                Some(group) => group.memory(|| self.bounds.budget()),
                None => self.bounds.budget(),
            },
            inflated: self.limits.inflated,
            faults: group.as_ref().map(|group| group.faults.clone()).unwrap_or_default(),
            ..Common::default()
        };
        let stats = match &group {
            Some(group) => group.stats(&methods, self.metrics)?,
            None => Stats::new(&methods, self.metrics),
        };
        let mut shared = Shared::new(methods, common, stats, self.bounds.inline_budget);
        if grpc_metrics {
            shared.stats.show_grpc();
        }
        shared.authentication.limit = self.timeouts.authentication;
        let metric_files = metric_files.map(ServerFiles::new).transpose();
        let metric_files = metric_files.map_err(|why| {
            ConfigError::new("recording.metric_files", format!("recording.metric_files(..): {why}"))
        })?;
        let tracer = tracer.unwrap_or_else(|| shared.tracer.clone());
        let span_files = span_files.map(SpanFiles::start).transpose()?;
        if let Some(files) = &span_files
            && !tracer.set_sink(files.clone())
        {
            return Err(ConfigError::new(
                "recording.span_files",
                "recording.span_files(..): the tracer has four sinks",
            )
            .into());
        }
        let shared = Arc::new(Shared {
            limiter: Limiter::of_workers(self.bounds.concurrency, workers, clock::now()),
            backlog: Backlog::new(self.bounds.shedding, processors, clock::now()),
            authenticator: self.authenticator,
            guards: self.guards,
            catch_all: self.catch_all,
            receptions: self.receptions,
            tracer,
            span_files,
            access_logs,
            dump: dump.map(Recorder::start).transpose()?.map(Arc::new),
            ..shared
        });
        let tables = engine.shards().iter().map(|_| Table::new(&shared)).collect();
        let mut config = Config::new(self.protocols);
        config.limits = self.limits;
        config.timeouts = self.timeouts;
        config.memory = shared.memory.clone();
        config.faults = shared.faults.clone();
        config.authenticate = match &shared.authenticator {
            Some(_) => Authenticate::All,
            None => Authenticate::Over(shared.guards.iter().map(|(name, _)| *name).collect()),
        };
        self.extensions.insert(origins);
        if shared.methods.iter().any(|method| method.route.upgrades) {
            self.extensions.insert(Arc::new(Upgrades));
        }
        config.extensions = self.extensions;
        config.allowed = Box::new(move |protocol| {
            !lacking.contains(&protocol.name)
                && enabled.as_ref().is_none_or(|names| names.contains(&protocol.name))
        });
        #[cfg(feature = "__tls")]
        let needs_certificates =
            self.tls.as_ref().is_some_and(|tls| tls.requires_clients() && tls.plain_on.is_empty());
        #[cfg(not(feature = "__tls"))]
        let needs_certificates = false;
        #[cfg(feature = "__tls")]
        let door = Door::new(self.tls, &config)?;
        #[cfg(not(feature = "__tls"))]
        let door = Door::default();
        let core = Arc::new(Core {
            engine,
            door,
            networks: self.networks,
            shared,
            tables,
            config: Arc::new(config),
            most_connections: Arc::new(AtomicUsize::new(self.bounds.connections.unwrap_or(usize::MAX))),
            open: Arc::default(),
            turned_away: Arc::default(),
            reserved: Mutex::default(),
            drain: Arc::new(AtomicU64::new(
                u64::try_from(self.lifecycle.drain.as_micros()).unwrap_or(u64::MAX),
            )),
            health: self.health.clone(),
            addresses: OnceLock::new(),
            pages_addresses: OnceLock::new(),
            connections: Mutex::new(Vec::new()),
            ends: Arc::new(group.as_ref().map(|group| group.ends()).unwrap_or_default()),
            arriving: Arc::default(),
            metric_files,
            shows,
            has_pages: self.shows_pages,
            group: group.clone(),
        });
        if let Some(flags) = &flags {
            let wrong = |error: FlagError| ConfigError::new("flags", format!("flags(..): {error}"));
            core.register_flags(flags).map_err(wrong)?;
        }
        let live: Weak<dyn LiveServer> = Arc::downgrade(&(core.clone() as Arc<dyn LiveServer>));
        let known = Facts {
            since: clock::now(),
            stats: core.shared.stats.clone(),
            tracer: core.shared.tracer.clone(),
            limiter: core.shared.limiter.clone(),
            health: self.health,
            has_authenticator: core.shared.authenticator.is_some(),
            guards_http,
            needs_certificates,
            faults: core.shared.faults.clone(),
            memory: core.shared.memory.clone(),
            turned_away: core.turned_away.clone(),
            live,
        };
        if let Some(shows) = &core.shows {
            shows.clone().built(&known);
        }
        if let Some(group) = &group {
            group.join(&core, &known);
        }
        let _ = facts.set(known); // nobody else does
        if serves_nothing && !of_others {
            tracing::warn!("no services: only the server's own pages and services are answered");
        }
        Ok(core)
    }
}

/// Connections that the system keeps until they are accepted.
const BACKLOG: u32 = 1024;

/// The error for services that conflict, or that have an invalid pattern.
fn of_services(text: String) -> ConfigError {
    ConfigError::new("service", text)
}

/// The host part of an address to listen on.
fn host_of(address: &str) -> Option<String> {
    let (host, _port) = address.rsplit_once(':')?;
    (!address.starts_with("unix:")).then(|| host.to_owned())
}
