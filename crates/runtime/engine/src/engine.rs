//! The engine: shards, the work pool and the watchdog. It is an explicit value; clones share it, and it stops
//! when the last clone is dropped.

use crate::{
    backlog::pause,
    os,
    shard::{self, Shard},
    transport::{Acceptor, Listener},
    watchdog,
};
use polywire_base::LineGate;
use std::{
    io,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicUsize, Ordering::*},
    },
    thread,
    time::Duration,
};
use tokio::{runtime, sync::oneshot};

/// Shards and work pool of a process. Clones share them.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    shards: Vec<Arc<Shard>>,
    work: runtime::Handle,
    /// The work pool's runtime; `None` if it is the caller's own.
    pool: Option<runtime::Runtime>,
    _stop: Stops,
    next: AtomicUsize,
}

/// Senders dropped with the engine, which is the signal for each shard's thread to end.
type Stops = Vec<oneshot::Sender<()>>;

/// The scheduling priority of threads that run handlers which are not quick, relative to the shards: such
/// handlers must not delay quick ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Priority {
    /// A nice value from 0 to 19; 0 gives them the priority of shards. The slowest percent of quick calls may
    /// still wait for a time slice.
    Nice(u8),
    /// Run only when a processor is otherwise idle, and yield it at once. Quick calls are not delayed, but
    /// these handlers make no progress while shards or other programs use all processors.
    Idle,
}

/// Settings of an engine. Each has a default.
#[derive(Clone, Debug)]
pub struct Builder {
    shards: Option<usize>,
    workers: Option<usize>,
    blocking: usize,
    cpus: Vec<usize>,
    spin: Duration,
    priority: Priority,
    slow_poll: Duration,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            shards: None,
            workers: None,
            blocking: 256,
            cpus: Vec::new(),
            spin: Duration::ZERO,
            priority: Priority::Nice(10),
            slow_poll: Duration::from_millis(10),
        }
    }
}

impl Builder {
    /// Threads that do I/O and run quick handlers. Default: one per core. More than that only adds context
    /// switches; fewer leave cores to other work.
    pub fn shards(mut self, shards: usize) -> Self {
        self.shards = Some(shards.max(1));
        self
    }

    /// Threads for handlers that are not quick. Default: one per core, at least 2.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers.max(1));
        self
    }

    /// Maximum number of threads for handlers declared `blocking`. Default 256. Further calls wait for a
    /// thread.
    pub fn blocking_threads(mut self, most: usize) -> Self {
        self.blocking = most.max(1);
        self
    }

    /// Pins shard `n` to processor `cpus[n % len]`. Default: the system decides.
    pub fn cpus(mut self, cpus: impl Into<Vec<usize>>) -> Self {
        self.cpus = cpus.into();
        self
    }

    /// How long an idle shard polls before it sleeps. Default zero. A longer time lowers latency where waking
    /// a thread is slow, and uses a whole core meanwhile.
    pub fn spin(mut self, patience: Duration) -> Self {
        self.spin = patience;
        self
    }

    /// Priority of the threads for work and for blocking code, relative to the shards. Default `Nice(10)`.
    pub fn work_priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// The watchdog counts and names polls that hold up their shard for longer than this. Default 10 ms.
    pub fn slow_poll(mut self, after: Duration) -> Self {
        self.slow_poll = after;
        self
    }

    /// Starts the threads.
    ///
    /// # Errors
    /// The system's error if it provides no thread or file descriptor. Also an error if the program was built
    /// with `panic = "abort"`, under which one panicking handler would end every other call.
    pub fn build(self) -> io::Result<Engine> {
        if cfg!(panic = "abort") {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "built with panic = \"abort\": one panicking handler would end the process; remove it from the profile",
            ));
        }
        let cores = thread::available_parallelism().map_or(1, |n| n.get());
        let priority = self.priority;
        // Pool threads start before the shards do. Each later thread is assigned to one of the shards in
        // turn.
        let lodgings: Arc<OnceLock<Vec<Weak<Shard>>>> = Arc::default();
        let (lodging, next) = (lodgings.clone(), AtomicUsize::new(0));
        let work = runtime::Builder::new_multi_thread()
            .worker_threads(self.workers.unwrap_or(cores.max(2)))
            .max_blocking_threads(self.blocking)
            .thread_name("polywire-work")
            .on_thread_start(move || {
                os::set_slice(Duration::ZERO); // a shard may have made this thread, and passed on its own
                match priority {
                    Priority::Nice(nice) => os::set_nice(nice.min(19).into()),
                    Priority::Idle => os::set_idle(),
                }
                let shards = lodging.wait(); // empty if the engine does not start
                let turn = next.fetch_add(1, Relaxed) % shards.len().max(1);
                shards.get(turn).cloned().into_iter().for_each(shard::assign);
            })
            .enable_all()
            .build()?;
        let started = self.start_shards(cores, work.handle());
        let _ = lodgings.set(match &started {
            Ok((shards, _)) => shards.iter().map(Arc::downgrade).collect(),
            Err(_) => Vec::new(),
        }); // set once
        let (shards, stops) = started?;
        watchdog::start(&shards, self.slow_poll)?;
        Ok(Engine::of(shards, work.handle().clone(), Some(work), stops))
    }

    fn start_shards(&self, cores: usize, work: &runtime::Handle) -> io::Result<(Vec<Arc<Shard>>, Stops)> {
        let mut shards = Vec::new();
        let mut stops = Stops::new();
        for index in 0..self.shards.unwrap_or(cores) {
            let cpu = (!self.cpus.is_empty()).then(|| self.cpus[index % self.cpus.len()]);
            let (stop, stopped) = oneshot::channel();
            let (ready, is_ready) = std::sync::mpsc::sync_channel(1);
            let (work, spin) = (work.clone(), self.spin);
            thread::Builder::new().name(format!("polywire-{index}")).spawn(move || {
                run_shard(index, cpu, spin, work, ready, stopped);
            })?;
            let shard =
                is_ready.recv().map_err(|_| io::Error::other("a shard's thread ended at start"))??;
            shards.push(shard);
            stops.push(stop);
        }
        Ok((shards, stops))
    }
}

/// Time slice of a shard's thread. It is short so that a shard which wakes on a processor where a handler
/// computes runs at once: docs/design/slow-neighbours.md.
const SLICE: Duration = Duration::from_micros(100);

fn run_shard(
    index: usize,
    cpu: Option<usize>,
    spin: Duration,
    work: runtime::Handle,
    ready: std::sync::mpsc::SyncSender<io::Result<Arc<Shard>>>,
    stopped: oneshot::Receiver<()>,
) {
    cpu.into_iter().for_each(os::pin_thread);
    os::set_slice(SLICE);
    let mut builder = runtime::Builder::new_current_thread();
    builder.enable_all().on_thread_park(pause::before_waiting);
    pause::begin();
    if !spin.is_zero() {
        builder.event_interval(8);
    }
    let runtime = match builder.build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = ready.send(Err(error)); // ignored if the builder no longer waits
            return;
        }
    };
    let shard = Shard::new(index, runtime.handle().clone(), work, !spin.is_zero());
    shard::enter(shard.clone());
    if ready.send(Ok(shard)).is_err() {
        return;
    }
    runtime.block_on(async {
        if !spin.is_zero() {
            tokio::spawn(shard::spin(spin));
        }
        let _ = stopped.await; // an error is the signal: the sender was dropped
    });
}

impl Engine {
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// An engine without threads of its own: its only shard and its work pool are the runtime of the caller,
    /// which has to be a `current_thread` runtime. The engine ends with that runtime. For tests: where that
    /// runtime's clock is paused, time is virtual for servers and channels alike, and each run does the same.
    ///
    /// # Panics
    /// Outside a runtime.
    pub fn here() -> Engine {
        let runtime = runtime::Handle::current();
        let shard = Shard::new(0, runtime.clone(), runtime.clone(), false);
        Engine::of(vec![shard], runtime, None, Stops::new())
    }

    fn of(
        shards: Vec<Arc<Shard>>,
        work: runtime::Handle,
        pool: Option<runtime::Runtime>,
        _stop: Stops,
    ) -> Engine {
        Engine { inner: Arc::new(Inner { shards, work, pool, _stop, next: AtomicUsize::new(0) }) }
    }

    /// The engine for programs that need no particular one: one shard per core, started at first use, never
    /// stopped. It is the only global of the library.
    ///
    /// # Panics
    /// If the system provides no threads.
    pub fn default_engine() -> &'static Engine {
        static ENGINE: OnceLock<Engine> = OnceLock::new();
        ENGINE.get_or_init(|| Engine::builder().build().expect("the default engine starts"))
    }

    pub fn shards(&self) -> &[Arc<Shard>] {
        &self.inner.shards
    }

    /// The runtime for handlers that are not quick.
    pub fn work(&self) -> &runtime::Handle {
        &self.inner.work
    }

    /// The shard with the fewest connections, so that two clients never share a core while another is idle.
    pub fn least_busy(&self) -> &Arc<Shard> {
        let start = self.inner.next.fetch_add(1, Relaxed);
        let n = self.inner.shards.len();
        let shards = (0..n).map(|k| &self.inner.shards[(start + k) % n]);
        shards.min_by_key(|shard| shard.connections()).expect("at least one shard")
    }

    /// Accepts connections until the future is dropped. Each socket goes to the shard with the fewest
    /// connections, where `host` turns it into a connection. Runs on the runtime that polls it, so that no
    /// shard's handlers delay it.
    ///
    /// # Errors
    /// If the listener cannot be registered. Errors of single accepts (out of descriptors) are retried after
    /// a pause.
    pub async fn accept<F>(&self, listener: Listener, host: F) -> io::Result<()>
    where
        F: Fn(&Arc<Shard>, shard::Attach),
    {
        listener.accept(|attach| host(self.least_busy(), attach)).await
    }
}

impl Listener {
    /// Accepts connections without an engine and passes each to `host`; otherwise as [`Engine::accept`].
    ///
    /// # Errors
    /// The errors of [`Engine::accept`].
    pub async fn accept(self, mut host: impl FnMut(shard::Attach)) -> io::Result<()> {
        let acceptor: Acceptor = self.attach()?;
        let mut pause = Duration::from_millis(5);
        loop {
            match acceptor.accept().await {
                Ok(accepted) => {
                    pause = Duration::from_millis(5);
                    host(Box::new(move || accepted.attach()));
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    static GATE: LineGate = LineGate::one_in(60);
                    if let Some(left_out) = GATE.pass() {
                        tracing::warn!(%error, ?pause, left_out, "no connection can be accepted: tries again after a pause");
                    }
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(1));
                }
            }
        }
    }
}

/// Sleeps by the timers of the calling thread's runtime or, if it has none, by those of a shard of the
/// default engine.
pub fn sleep(pause: Duration) -> tokio::time::Sleep {
    let none = runtime::Handle::try_current().is_err();
    let _inside = none.then(|| Engine::default_engine().least_busy().handle().enter());
    tokio::time::sleep(pause)
}

/// Whether the error concerns one connection only: the peer closed it between its handshake and our accept.
/// It is no reason to pause.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.take() {
            pool.shutdown_background(); // dropping a runtime waits, which a task must not
        }
    }
}
