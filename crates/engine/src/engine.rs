//! The engine: shards, the work pool, the watchdog. An explicit value; cloning shares it, and it ends with its last
//! handle.

use crate::{
    os,
    shard::{self, Shard},
    transport::{Acceptor, Listener},
    watchdog,
};
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

/// Shards and work pool. Clones share them.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    shards: Vec<Arc<Shard>>,
    work: runtime::Handle,
    /// Whose runtime that is; `None`: the caller's.
    pool: Option<runtime::Runtime>,
    _stop: Stops,
    next: AtomicUsize,
}

/// Dropped with the engine: each shard's thread ends then.
type Stops = Vec<oneshot::Sender<()>>;

/// How threads that run handlers which are not quick stand to the shards: such handlers must not delay the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// Nice value, 0 to 19; 0 treats them alike. The quick calls' slowest percent may still wait for a time slice.
    Nice(u8),
    /// Run only when a processor has nothing else to do, and leave it at once. Quick calls notice nothing, but where
    /// shards or other programs leave no time, these handlers do not go on.
    Idle,
}

/// What an engine is made of. Everything has a default.
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
    /// Threads that move bytes and run quick handlers. Default: one per core. More than cores only adds switches;
    /// fewer leaves cores to other work.
    pub fn shards(mut self, shards: usize) -> Self {
        self.shards = Some(shards.max(1));
        self
    }

    /// Threads for handlers that are not quick. Default: one per core, at least 2.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers.max(1));
        self
    }

    /// Most threads for handlers declared `blocking`. Default 256. More calls than that wait for a thread.
    pub fn blocking_threads(mut self, most: usize) -> Self {
        self.blocking = most.max(1);
        self
    }

    /// Shard `n` runs on processor `cpus[n % len]` only. Default: wherever the system puts it.
    pub fn cpus(mut self, cpus: impl Into<Vec<usize>>) -> Self {
        self.cpus = cpus.into();
        self
    }

    /// How long a shard polls before it sleeps. Default zero. Lowers latency where waking a thread is slow, and costs a
    /// core while it lasts.
    pub fn spin(mut self, patience: Duration) -> Self {
        self.spin = patience;
        self
    }

    /// How work-pool and blocking threads stand to the shards. Default `Nice(10)`.
    pub fn work_priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// From how long on the watchdog counts and names a poll that holds up its shard. Default 10 ms.
    pub fn slow_poll(mut self, after: Duration) -> Self {
        self.slow_poll = after;
        self
    }

    /// Starts the threads.
    ///
    /// # Errors
    /// What the system says when it gives no thread or descriptor; and when the program was built with
    /// `panic = "abort"`, under which one panicking handler would end every other call.
    pub fn build(self) -> io::Result<Engine> {
        if cfg!(panic = "abort") {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "built with panic = \"abort\": one panicking handler would end the process; remove it from the profile",
            ));
        }
        let cores = thread::available_parallelism().map_or(1, |n| n.get());
        let priority = self.priority;
        // Pool threads start before the shards do; those that come later lodge with one of them in turn.
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
                let shards = lodging.wait(); // none if the engine does not start
                let turn = next.fetch_add(1, Relaxed) % shards.len().max(1);
                shards.get(turn).cloned().into_iter().for_each(shard::lodge);
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

/// A shard that wakes on a processor where a handler computes is to run at once: docs/design/slow-neighbours.md.
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
    builder.enable_all();
    if !spin.is_zero() {
        builder.event_interval(8);
    }
    let runtime = match builder.build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = ready.send(Err(error)); // the builder waits for it, or is gone
            return;
        }
    };
    let shard = Shard::new(index, runtime.handle().clone(), work);
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

    /// An engine without threads of its own: its only shard, and its work pool, are the runtime this is called in, which
    /// has to be a `current_thread` one. It ends with that runtime. For tests: where that runtime's clock is paused, time is
    /// virtual for servers and channels alike, and what happens is the same at each run.
    ///
    /// # Panics
    /// Outside a runtime.
    pub fn here() -> Engine {
        let runtime = runtime::Handle::current();
        let shard = Shard::new(0, runtime.clone(), runtime.clone());
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

    /// The engine for those who do not care: one shard per core, made at first use, never ended. The one named
    /// exception to "no hidden globals".
    ///
    /// # Panics
    /// If the system gives no threads.
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

    /// The shard with the fewest connections, so that two clients never share a core while another idles.
    pub fn least_busy(&self) -> &Arc<Shard> {
        let start = self.inner.next.fetch_add(1, Relaxed);
        let n = self.inner.shards.len();
        let shards = (0..n).map(|k| &self.inner.shards[(start + k) % n]);
        shards.min_by_key(|shard| shard.connections()).expect("at least one shard")
    }

    /// Accepts until the future is dropped; each socket goes to the shard with the fewest connections, and `host` makes
    /// a connection of it there. Runs on the runtime it is polled on, never behind a shard's handlers.
    ///
    /// # Errors
    /// If the listener cannot be registered. Errors of single accepts (out of descriptors) are waited out.
    pub async fn accept<F>(&self, listener: Listener, host: F) -> io::Result<()>
    where
        F: Fn(&Arc<Shard>, shard::Attach),
    {
        listener.accept(|attach| host(self.least_busy(), attach)).await
    }
}

impl Listener {
    /// As [`Engine::accept`], without an engine: what is accepted is for whoever `host` gives it to.
    ///
    /// # Errors
    /// As there.
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
                    tracing::warn!(%error, ?pause, "no connection can be accepted: tries again after a pause");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(1));
                }
            }
        }
    }
}

/// The peer went away between its handshake and our accept: no reason to pause.
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
