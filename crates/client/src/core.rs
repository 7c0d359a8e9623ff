//! What a channel and its calls share: how a call finds a connection.

use crate::{
    builder::Options,
    call::attempt::Tries,
    call::deadline::{not_connected, overdue},
    call::unary::earlier,
    connection::backoff::{Backoff, Patience},
    connection::blocking::{self, Plain},
    connection::connector::Connector,
    connection::dispatch::Dispatch,
    connection::handle::{self, Link},
    connection::home::{Home, HomeId},
    connection::keepalive::Calm,
    lock::lock,
    pool::exclusive::{Lease, is_clean},
    pool::homes::{Bounds, For, Pool},
    pool::overflow::Overflow,
    pool::thread_cache,
    service_config::ServiceConfig,
};
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{Caller, Config, Draft, Fault, Request, Sink, Source, clock, transport::Broken};
use polywire_wire::{Connections, Content, Outcome, Protocol};
use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

/// How often a call looks for another connection when the one it was posted to ended just then.
const POST_TRIES: usize = 3;

pub(crate) struct Shared {
    id: u64,
    pub address: Arc<str>,
    pub authority: String,
    pub parameter: String,
    pub protocol: &'static Protocol,
    pub kind: Connections,
    pub content: Content,
    pub options: Options,
    pub connector: Connector,
    pub service_config: Option<Box<ServiceConfig>>,
    pub config: Arc<Config>,
    pub calm: Arc<Calm>,
    bounds: Bounds,
    pool: Pool,
    /// Connections that plain threads drive: the shared one first; pooled ones while they are idle.
    plain: Mutex<Vec<Arc<Plain>>>,
    pub backoff: Backoff,
    made: AtomicUsize,
}

/// A call that offers streams: its caller, its lease, and our ends of the streams.
pub(crate) type Offering = (Caller, Option<Lease>, Vec<(Source, Sink)>);

impl Shared {
    pub fn new(
        address: String,
        parameter: String,
        protocol: &'static Protocol,
        kind: Connections,
        content: Content,
        options: Options,
        connector: Connector,
        service_config: Option<Box<ServiceConfig>>,
        config: Config,
    ) -> Arc<Self> {
        // Other protocols say no limit, or rely on the order of calls on a connection.
        let is_http2 = (protocol.alpn)(&parameter).contains(&"h2") && kind == Connections::Single;
        let bounds = Bounds {
            homes: options.homes,
            links: options.connections,
            most: if is_http2 {
                options.max_connections.max(options.connections)
            } else {
                options.connections
            },
            idle: options.pool,
        };
        static IDS: AtomicU64 = AtomicU64::new(1);
        Arc::new(Shared {
            id: IDS.fetch_add(1, Relaxed),
            authority: address.clone(),
            address: address.into(),
            parameter,
            protocol,
            kind,
            content,
            bounds,
            options,
            connector,
            service_config,
            config: Arc::new(config),
            calm: Arc::default(),
            pool: Pool::default(),
            plain: Mutex::default(),
            backoff: Backoff::default(),
            made: AtomicUsize::new(0),
        })
    }

    /// Connections made so far.
    pub fn made(&self) -> usize {
        self.made.load(Relaxed)
    }

    /// Posts a call to the connection for the calling thread; a lease if the connection is this call's alone.
    #[inline]
    pub fn post(
        self: &Arc<Self>,
        draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Lease>), Status> {
        self.post_from(HomeId::current(), draft, patience)
    }

    #[inline]
    fn post_from(
        self: &Arc<Self>,
        home: HomeId,
        draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Lease>), Status> {
        if self.kind != Connections::Single {
            return self.post_far(home, draft, patience);
        }
        match thread_cache::post(self.id, home, draft) {
            Ok(caller) => Ok((caller, None)),
            Err(draft) => self.post_far(home, draft, patience),
        }
    }

    /// As [`Shared::post`] where this thread knows no live connection, or calls share none.
    #[cold]
    fn post_far(
        self: &Arc<Self>,
        home: HomeId,
        mut draft: Draft,
        patience: Patience,
    ) -> Result<(Caller, Option<Lease>), Status> {
        for _ in 0..POST_TRIES {
            let (link, lease) = self.find(home, patience, For::Call)?;
            match link.post(draft) {
                Ok(caller) => return Ok((caller, lease)),
                Err(back) => draft = back, // it ended between the two
            }
        }
        Err(ended())
    }

    /// Opens a stream.
    pub fn post_stream(
        self: &Arc<Self>,
        request: Request,
        patience: Patience,
    ) -> Result<((Source, Sink), Option<Lease>), Status> {
        for _ in 0..POST_TRIES {
            let (link, lease) = self.find(HomeId::current(), patience, For::Stream)?;
            if let Some(both) = link.post_stream(request.clone(), &self.config.limits) {
                return Ok((both, lease)); // else it ended between the two
            }
        }
        Err(ended())
    }

    /// Posts a call that offers streams.
    pub fn post_offering(
        self: &Arc<Self>,
        mut draft: Draft,
        streams: usize,
        patience: Patience,
    ) -> Result<Offering, Status> {
        for _ in 0..POST_TRIES {
            let (link, lease) = self.find(HomeId::current(), patience, For::Call)?;
            let (offers, ends): (Vec<_>, _) = (0..streams).map(|_| link.offer(&self.config.limits)).unzip();
            draft.offers = offers.into();
            match link.post(draft) {
                Ok(caller) => return Ok((caller, lease, ends)),
                Err(back) => draft = back,
            }
        }
        Err(ended())
    }

    /// A live connection, and a lease of it if it is to be this caller's alone.
    fn find(
        self: &Arc<Self>,
        home: HomeId,
        patience: Patience,
        what: For,
    ) -> Result<(Arc<Link>, Option<Lease>), Status> {
        if self.kind == Connections::Single {
            let connect = |further| self.connect(home, patience, further);
            let (links, link) = self.pool.links(home, &self.bounds, what, connect)?;
            thread_cache::remember(self.id, home, links, self.bounds.links);
            return Ok((link, None));
        }
        let idle = if self.kind == Connections::Pooled { self.pool.take_idle(home) } else { None };
        let link = match idle {
            Some(link) => link,
            None => self.connect(home, patience, false)?,
        };
        Ok((link.clone(), Some(Lease::new(self.clone(), link, home))))
    }

    /// A leased connection comes back. `clean`: the next call may use it.
    #[cold]
    pub fn take_back(&self, link: &Arc<Link>, home: HomeId, clean: bool) {
        match self.kind {
            Connections::Pooled if clean => self.pool.keep(home, &self.bounds, link),
            _ => link.close(),
        }
    }

    /// A new connection. In the pause after a failure it is tried when that is over, if the caller would rather wait: its
    /// deadline runs meanwhile. A further one takes calls when it is there, and ends when it is idle.
    fn connect(
        self: &Arc<Self>,
        home: HomeId,
        patience: Patience,
        further: bool,
    ) -> Result<Arc<Link>, Status> {
        let pause = self.backoff.pause(patience, &self.address)?;
        self.made.fetch_add(1, Relaxed);
        let overflow = (self.bounds.most > self.bounds.links).then(|| Overflow::new(self));
        let dispatch = Dispatch::new(self, overflow);
        let link = dispatch.link().clone();
        if further {
            link.wait();
        }
        let spare = further.then_some(self.options.spare);
        Home::of(home).spawn(handle::run(self.clone(), dispatch, pause, spare)); // a home that has ended drops it, and so ends its calls
        Ok(link)
    }

    /// Calls wait on this connection.
    pub fn relieve(self: &Arc<Self>, full: &Arc<Link>) {
        let connect = || self.connect(HomeId::current(), Patience::None, true);
        self.pool.relieve(full, &self.bounds, connect);
    }

    /// This connection has room for calls that wait on others.
    pub fn share_room(&self, open: &Arc<Link>, calls: u32) {
        self.pool.share_room(open, calls);
    }

    /// One try of a call from a plain thread.
    pub fn call_plain(
        self: &Arc<Self>,
        mut draft: Draft,
        tries: &mut Tries,
    ) -> Result<(Caller, Outcome), Status> {
        if !self.connector.is_bare() {
            return self.call_parked(draft, tries.patience());
        }
        for _ in 0..POST_TRIES {
            let connection = self.plain(draft.deadline, tries)?;
            match connection.call(draft) {
                Ok((caller, outcome)) => {
                    self.keep_plain(connection, &outcome.status);
                    return Ok((caller, outcome));
                }
                Err(back) => draft = back, // it ended between the two
            }
        }
        Err(ended())
    }

    /// As [`Shared::call_plain`] where the connection must live on a shard or runtime: parks until the call has ended.
    fn call_parked(self: &Arc<Self>, draft: Draft, patience: Patience) -> Result<(Caller, Outcome), Status> {
        let (mut caller, lease) = self.post_from(HomeId::of_waiting(), draft, patience)?;
        let outcome = blocking::park_until(|cx| caller.poll_reply(cx));
        if let Some(lease) = lease {
            lease.give_back(&outcome.status);
        }
        Ok((caller, outcome))
    }

    /// A connection that plain threads drive. Single: the one that all share. Else one that is this call's alone. A thread
    /// that would rather wait sleeps in the pause after a failure, and not past its deadline.
    fn plain(&self, deadline: Option<Instant>, tries: &mut Tries) -> Result<Arc<Plain>, Status> {
        loop {
            if deadline.is_some_and(|at| at <= clock::now()) {
                return Err(overdue(&self.address, &not_connected(self)));
            }
            let mut idle = lock(&self.plain);
            idle.retain(|plain| plain.is_alive());
            let found = match self.kind {
                Connections::Single => idle.first().cloned(),
                Connections::Pooled | Connections::Short => idle.pop(),
            };
            if let Some(connection) = found {
                return Ok(connection);
            }
            let connected = match self.backoff.pause(tries.patience(), &self.address)? {
                Some(until) => {
                    drop(idle);
                    let wakes = earlier(Some(until), deadline).unwrap_or(until);
                    thread::sleep(wakes.saturating_duration_since(clock::now()));
                    continue;
                }
                // Connecting under the lock: whoever comes meanwhile waits for this very connection.
                None if self.kind == Connections::Single => {
                    Plain::connect(self, deadline).inspect(|connection| idle.push(connection.clone()))
                }
                None => {
                    drop(idle);
                    Plain::connect(self, deadline)
                }
            };
            match connected {
                Err(status) if tries.waits && handle::is_of_connect(&status) => tries.made += 1,
                connected => return connected,
            }
        }
    }

    /// Pooled: an idle connection waits for the next call.
    fn keep_plain(&self, connection: Arc<Plain>, status: &Status) {
        if self.kind == Connections::Pooled && connection.is_alive() && is_clean(status) {
            let mut idle = lock(&self.plain);
            if idle.len() < self.bounds.idle {
                idle.push(connection);
            }
        }
    }

    pub fn connect_failed(&self, error: &io::Error) {
        let fault = Broken::fault_of(error);
        if fault != Fault::Reset {
            self.config.faults.add(fault);
        }
        self.backoff.failed(error.to_string());
    }

    pub fn connect_succeeded(&self) {
        self.backoff.succeeded();
    }
}

#[cold]
fn ended() -> Status {
    brpc::status(brpc::EEOF, "the connection ended").with_origin(Origin::Transport).unprocessed()
}
