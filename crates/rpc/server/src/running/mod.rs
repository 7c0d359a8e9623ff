//! A running server: its listeners; `host.rs` has its connections, `stopping.rs` its end.

mod host;
mod stopping;

pub(crate) use host::{Core, overload_of};
pub use stopping::{AbortedConnection, stop_signal};

use crate::{
    AccessLog,
    door::Takes,
    error::ServerError,
    handover::{HandOver, Member, Next, Place, reached},
    health::Health,
    limits::{Concurrency, Limiter, OverloadReport},
    metrics::Metrics,
    registration,
};
use polywire_dump::Recorder;
use polywire_engine::{
    ConnectionStats, Faults, Peer,
    backlog::Shedding,
    spawn_on,
    transport::{Listener, Transport},
};
use polywire_metrics::process::{EventKind, event};
use polywire_naming::{Registered, Registration};
use std::{
    future::Future,
    io,
    sync::{Arc, atomic::Ordering::*},
};
use tokio::{runtime, task::JoinHandle};

/// A running server. Dropping it closes its listeners and connections, but does not wait until they are
/// closed; [`Running::stop`] drains the connections, and its ports are free when it returns.
pub struct Running {
    pub(crate) core: Arc<Core>,
    addresses: Vec<Peer>,
    accept: Option<runtime::Runtime>,
    /// The accepting tasks, one per listener, which own the listeners.
    accepting: Vec<JoinHandle<()>>,
    /// The registries to which the server is announced.
    registered: Vec<Registered>,
    /// How the listeners go to the next process.
    next: Option<Next>,
    /// Its part in that, as long as it accepts.
    member: Option<Member>,
}

/// A step of [`Lifecycle::before_ready`](crate::Lifecycle::before_ready).
pub(crate) type BeforeReady = Box<dyn FnOnce(&Running) -> io::Result<()> + Send>;

impl Running {
    /// Starts a server that accepts connections of these listeners.
    pub(crate) fn accept(
        core: Arc<Core>,
        listeners: Vec<(String, Listener, Takes)>,
        registrations: Vec<Registration>,
        (next, instead): (Option<Next>, Vec<Place>),
        before_ready: Vec<BeforeReady>,
    ) -> Result<Running, ServerError> {
        let (mut addresses, mut pages, mut handles) = (Vec::new(), Vec::new(), Vec::new());
        for (configured, listener, takes) in &listeners {
            let address = listener.local()?;
            if *takes == Takes::Pages {
                pages.push(address.clone());
            }
            addresses.push(address);
            if next.is_some() {
                handles.push((configured.clone(), listener.handle()?));
            }
        }
        let registrations = registration::addressed(registrations, addresses.first())?;
        // Accepting has a thread of its own, so that no handler on a shard delays it.
        let accept = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("polywire-accept")
            .enable_all()
            .build()?;
        let on = accept.handle().clone();
        // the core is new, so this is the first time
        let _ = (core.addresses.set(addresses.clone()), core.pages_addresses.set(pages));
        let member = next.as_ref().map(|next| next.hand_over.join(handles, &instead)).transpose()?;
        let accept = Some(accept);
        let (accepting, registered) = (Vec::new(), Vec::new());
        // If one of the next steps fails, its drop ends the runtime, which may not be dropped inside another.
        let mut running = Running { core, addresses, accept, accepting, registered, next, member };
        before_ready.into_iter().try_for_each(|step| step(&running))?;
        let alone = running.next.as_ref().filter(|next| next.is_alone).map(|next| next.hand_over.clone());
        let inside = on.enter();
        alone.iter().try_for_each(HandOver::begin)?;
        // The process before stops: nothing may fail from here on.
        if let Some(first) = running.addresses.first() {
            reopen_at_hangup(&running.core.shared.access_logs, &on);
            running.core.attend(&on, &prefix(first));
        }
        for ((_, listener, takes), address) in listeners.into_iter().zip(&running.addresses) {
            tracing::info!(%address, "listening");
            event(EventKind::Start, format!("listening at {address}"));
            let core = running.core.clone();
            let opened = running.next.as_ref().map(|next| next.hand_over.opened());
            running.accepting.push(spawn_on(&on, async move {
                if let Some(opened) = opened
                    && !opened.await
                {
                    return;
                }
                let host = core.clone();
                let result =
                    core.engine.accept(listener, move |shard, attach| host.host(shard, attach, takes)).await;
                if let Err(error) = result {
                    tracing::error!(%error, "a listener has ended: it accepts no further connections");
                }
            }));
        }
        running.registered = registration::announce(registrations, &on);
        alone.iter().for_each(HandOver::take_path);
        drop(inside);
        Ok(running)
    }

    /// Starts a server without listeners.
    pub(crate) fn without_listener(
        core: Arc<Core>,
        registrations: Vec<Registration>,
        before_ready: Vec<BeforeReady>,
    ) -> Result<Running, ServerError> {
        let registrations = registration::addressed(registrations, None)?;
        let mut running = Running {
            core,
            addresses: Vec::new(),
            accept: None,
            accepting: Vec::new(),
            registered: Vec::new(),
            next: None,
            member: None,
        };
        before_ready.into_iter().try_for_each(|step| step(&running))?;
        let shard = running.core.engine.least_busy();
        running.core.attend(shard.handle(), UNNUMBERED);
        running.registered = registration::announce(registrations, shard.handle());
        Ok(running)
    }

    /// The addresses on which the server listens, in the order of the `listen` calls, with the ports that the
    /// kernel chose.
    pub fn addresses(&self) -> &[Peer] {
        &self.addresses
    }

    /// Addresses and counters of the connections that are open now.
    pub fn connections(&self) -> Vec<Arc<ConnectionStats>> {
        self.core.live_connections()
    }

    /// Counters of the faults of connections, by cause.
    pub fn faults(&self) -> &Arc<Faults> {
        &self.core.shared.faults
    }

    /// The server's variables, for an exporter. Remains valid after the server has stopped.
    pub fn metrics(&self) -> Metrics {
        Metrics::new(self.core.shared.stats.clone())
    }

    /// The recorder of requests, if the server has one ([`Recording::dump`](crate::Recording::dump)).
    pub fn dump(&self) -> Option<&Arc<Recorder>> {
        self.core.shared.dump.as_ref()
    }

    /// The server's health, which can be set from anywhere.
    pub fn health(&self) -> &Health {
        &self.core.health
    }

    /// Replaces the server's limit of calls in flight.
    pub fn set_max_concurrency(&self, most: impl Into<Concurrency>) {
        self.core.shared.limiter.set(most);
    }

    /// Replaces the rules by which waiting calls are shed; `None`: all of them wait. See
    /// [`Bounds::shedding`](crate::Bounds::shedding).
    pub fn set_shedding(&self, shedding: impl Into<Option<Shedding>>) {
        self.core.shared.backlog.set(shedding);
    }

    /// Sets the maximum number of open connections; connections beyond a lower maximum stay open.
    pub fn set_max_connections(&self, most: usize) {
        self.core.most_connections.store(most, Relaxed);
    }

    /// The limit of calls in flight of a method, which can be changed; `None`: there is no such method.
    ///
    /// ```no_run
    /// # mod polywire { pub use polywire_server::*; }
    /// # fn change(running: polywire::Running) {
    /// if let Some(limiter) = running.method_limiter("shop.Orders", "Search") {
    ///     limiter.set("auto".parse::<polywire::Concurrency>().expect("a setting"));
    /// }
    /// # }
    /// ```
    pub fn method_limiter(&self, service: &str, method: &str) -> Option<Arc<Limiter>> {
        let mut methods = self.core.shared.methods.iter();
        let found = methods.find(|m| m.service == service && m.method.name() == method);
        found.map(|method| method.limiter.clone())
    }

    /// The decisions of the server's limits so far.
    pub fn overload(&self) -> OverloadReport {
        self.core.overload()
    }

    /// Checks the files of certificates and keys now, in addition to the check every second. True if they
    /// have changed; new connections then use the new contents.
    ///
    /// # Errors
    /// The fault in the files. The previous contents stay in use.
    #[cfg(feature = "__tls")]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "tls", feature = "tls-aws-lc"))))]
    pub fn reload_tls(&self) -> Result<bool, ServerError> {
        let live = self.core.door.tls.as_ref();
        live.map_or(Ok(false), |live| live.reload().map_err(|wrong| wrong.within("TLS").into()))
    }

    /// Serves a byte stream that was accepted elsewhere, or one in memory.
    pub fn serve_stream(&self, transport: impl Transport) {
        let transport: Box<dyn Transport> = Box::new(transport);
        self.core.host(self.core.engine.least_busy(), move || Ok(transport), Takes::Default);
    }

    /// Waits until another process has taken its listening sockets over
    /// ([`Lifecycle::hand_over`](crate::Lifecycle::hand_over)) and accepts connections. It is time to
    /// [stop](Running::stop) then.
    pub fn handed_over(&self) -> impl Future<Output = ()> + Send + use<> {
        let handed_over = self.next.as_ref().map(|next| next.hand_over.watch());
        async move {
            match handed_over {
                Some(handed_over) => reached(handed_over).await,
                None => std::future::pending().await,
            }
        }
    }

    /// What a server takes over that takes its place.
    pub(crate) fn place_of_listeners(&self) -> Option<Place> {
        self.member.as_ref().map(Member::place)
    }

    /// The registries to which the server is announced, with the state of each announcement.
    pub fn registrations(&self) -> &[Registered] {
        &self.registered
    }
}

/// Reopens the files of access logs at SIGHUP, which no longer ends the process then.
fn reopen_at_hangup(logs: &[AccessLog], on: &runtime::Handle) {
    use tokio::signal::unix::{SignalKind, signal};
    if logs.is_empty() {
        return;
    }
    let logs = logs.to_vec();
    let _inside = on.enter();
    match signal(SignalKind::hangup()) {
        Ok(mut hangup) => drop(spawn_on(on, async move {
            while hangup.recv().await.is_some() {
                logs.iter().for_each(AccessLog::reopen);
            }
        })),
        Err(error) => tracing::warn!(%error, "access logs are not opened anew at SIGHUP"),
    }
}

/// The prefix of a server's variables: brpc's `rpc_server_<port>`.
fn prefix(address: &Peer) -> String {
    match address {
        Peer::Ip(address) => format!("rpc_server_{}", address.port()),
        _ => UNNUMBERED.to_owned(), // it has no port
    }
}

const UNNUMBERED: &str = "rpc_server";
