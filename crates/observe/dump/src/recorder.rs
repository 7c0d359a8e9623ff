//! The queue to the one thread that writes.
//!
//! ```text
//!  shards: wants() -> take(..) --try_send--> queue (bounded by number and bytes) --> thread: Files
//!                                  `--full: dropped, counted
//! ```
//!
//! Shutdown: when the last [`Recorder`] is dropped, the queue closes; the thread writes the queued requests
//! and ends. The drop waits for that, a second at most: a disk that hangs must not hang the program.

use crate::{CallRecord, DumpOptions, Files, Meta, Settled, rate::Rate, request};
use polywire_base::{IoBuf, LineGate, lock};
use polywire_call::Content;
use polywire_wire::{Head, Protocol, Target};
use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

/// How long a dropped recorder waits for its thread.
const PATIENCE: Duration = Duration::from_secs(1);

/// Records requests of a server.
pub struct Recorder {
    options: DumpOptions,
    enabled: AtomicBool,
    rate: Rate,
    /// `None` only while it is dropped.
    queue: Option<SyncSender<Item>>,
    counts: Arc<Counts>,
    /// Disconnected when the thread has ended. Only the drop reads it.
    ended: Mutex<Receiver<()>>,
}

enum Item {
    /// Boxed, so that the queue is small while it is empty.
    Request(Box<(Meta, IoBuf)>),
    /// Write the waiting requests, and confirm it.
    Flush(mpsc::Sender<()>),
}

/// Counts of records. All shards and the writing thread change them; pages show them.
#[derive(Default)]
struct Counts {
    taken: AtomicU64,
    dropped: AtomicU64,
    written: AtomicU64,
    failed: AtomicU64,
    /// Bytes of payloads in the queue.
    queued: AtomicUsize,
}

/// Numbers of requests since the server began.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DumpStats {
    /// Chosen to be recorded.
    pub taken: u64,
    /// Requests that were chosen and then dropped: the queue was full, or they were too long.
    pub dropped: u64,
    /// The number of requests that are in a file, or will be soon.
    pub written: u64,
    /// Lost because a file could not be written.
    pub failed: u64,
}

impl Recorder {
    /// Prepares the folder and starts the thread.
    ///
    /// # Errors
    /// The folder cannot be created or read, or no thread can be started.
    pub fn start(options: DumpOptions) -> io::Result<Recorder> {
        let files = Files::new(options.clone())?;
        let (queue, items) = mpsc::sync_channel(options.queue.max(1) as usize);
        let (ends, ended) = mpsc::channel();
        let counts = Arc::new(Counts::default());
        let mut writer =
            Writer { files, items, counts: counts.clone(), gate: LineGate::one_in(10), _ends: ends };
        thread::Builder::new().name("polywire-dump".into()).spawn(move || writer.run())?;
        let rate = Rate::new(options.per_second, Instant::now());
        let enabled = AtomicBool::new(options.enabled);
        Ok(Recorder { options, enabled, rate, queue: Some(queue), counts, ended: Mutex::new(ended) })
    }

    /// Begins or stops recording.
    pub fn set_enabled(&self, enabled: bool) {
        self.enabled.store(enabled, Relaxed);
    }

    /// Whether requests are being recorded.
    pub fn is_enabled(&self) -> bool {
        self.enabled.load(Relaxed)
    }

    /// The number of requests so far, by what happened to them.
    pub fn stats(&self) -> DumpStats {
        let of = |count: &AtomicU64| count.load(Relaxed);
        let Counts { taken, dropped, written, failed, .. } = &*self.counts;
        DumpStats { taken: of(taken), dropped: of(dropped), written: of(written), failed: of(failed) }
    }

    /// Whether the request that has just arrived is to be recorded.
    #[inline]
    pub fn wants(&self, now: Instant) -> bool {
        self.is_enabled() && self.rate.take(now)
    }

    /// Records a request, in the form of its protocol. `service` and `method` are its names at the server;
    /// `streams`: the method takes or answers with a stream, and `finished`: no more of the request follows.
    #[cold]
    pub fn take(
        &self,
        protocol: &Protocol,
        head: &Head<'_>,
        (service, method): (&str, &str),
        body: &IoBuf,
        streams: Option<bool>,
    ) {
        if body.len() > self.options.max_request {
            return self.drop_one();
        }
        let time = SystemTime::now();
        if let Some((meta, payload)) =
            request::record(&self.options, protocol, head, (service, method), body, streams, time)
        {
            self.send(meta, payload);
        }
    }

    /// Records a request that its machine reports as head and rest.
    #[cold]
    pub fn take_received(&self, protocol: &Protocol, head: &[u8], rest: &IoBuf) {
        let unnamed = Head::new(Target::Bound { protocol: protocol.name, number: 0 }, Content::RAW);
        let number = (protocol.dumped)(&unnamed).number;
        if rest.len() > self.options.max_request {
            return self.drop_one();
        }
        let (meta, payload) = request::received(number, head, rest);
        self.send(meta, payload);
    }

    /// Records a call that was sent, if the limit of requests per second allows.
    #[cold]
    pub fn put(&self, call: CallRecord, now: Instant) {
        if !self.wants(now) {
            return;
        }
        let CallRecord { mut meta, payload } = call;
        if payload.len() > self.options.max_request {
            return self.drop_one();
        }
        meta.own.fields.retain(|(name, _)| !self.options.is_secret(name));
        self.send(meta, request::kept(&payload));
    }

    /// Writes all that was recorded up to now, for the end of a server: other threads may keep the recorder
    /// for a while. It blocks, a second at most.
    pub fn flush(&self) {
        let Some(queue) = &self.queue else { return };
        let until = Instant::now() + PATIENCE;
        let (done, is_done) = mpsc::channel();
        let mut flush = Item::Flush(done);
        while let Err(error) = queue.try_send(flush) {
            flush = match error {
                TrySendError::Full(flush) if Instant::now() < until => flush,
                _ => return,
            };
            thread::sleep(Duration::from_millis(2));
        }
        let _ = is_done.recv_timeout(until.saturating_duration_since(Instant::now())); // disconnected: it is done
    }

    fn drop_one(&self) {
        self.counts.taken.fetch_add(1, Relaxed);
        self.counts.dropped.fetch_add(1, Relaxed);
    }

    fn send(&self, meta: Meta, payload: IoBuf) {
        self.counts.taken.fetch_add(1, Relaxed);
        let bytes = payload.len();
        let before = self.counts.queued.fetch_add(bytes, Relaxed);
        // One payload always has room, so that a bound below the longest payload does not keep out all of
        // those.
        let has_room = before == 0 || before + bytes <= self.options.queue_bytes;
        let item = Item::Request(Box::new((meta, payload)));
        let sent = match &self.queue {
            Some(queue) if has_room => queue.try_send(item),
            _ => Err(TrySendError::Disconnected(item)),
        };
        if sent.is_err() {
            self.counts.queued.fetch_sub(bytes, Relaxed);
            self.counts.dropped.fetch_add(1, Relaxed);
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.queue = None;
        let _ = lock(&self.ended).recv_timeout(PATIENCE);
    }
}

/// The thread that writes.
struct Writer {
    files: Files,
    items: Receiver<Item>,
    counts: Arc<Counts>,
    /// Limits the lines of the log about records that could not be written.
    gate: LineGate,
    /// Dropped when the thread ends, which notifies [`Recorder`].
    _ends: mpsc::Sender<()>,
}

impl Writer {
    fn run(&mut self) {
        loop {
            let item = match self.files.due() {
                None => self.items.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => self.items.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let done = match item {
                Ok(Item::Request(request)) => self.add(&request.0, &request.1),
                Ok(Item::Flush(done)) => {
                    let flushed = self.files.flush(Instant::now(), SystemTime::now());
                    self.note(flushed);
                    drop(done); // who waits for it sees the counts
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => self.files.flush(Instant::now(), SystemTime::now()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            self.note(done);
        }
        let done = self.files.flush(Instant::now(), SystemTime::now());
        self.note(done);
    }

    fn add(&mut self, meta: &Meta, payload: &IoBuf) -> io::Result<()> {
        self.counts.queued.fetch_sub(payload.len(), Relaxed);
        self.files.add(meta, payload, Instant::now(), SystemTime::now())
    }

    fn note(&mut self, done: io::Result<()>) {
        let Settled { written, lost } = self.files.settled();
        self.counts.written.fetch_add(written, Relaxed);
        self.counts.failed.fetch_add(lost, Relaxed);
        let Err(error) = done else { return };
        if let Some(left_out) = self.gate.pass() {
            tracing::warn!(%error, left_out, "requests could not be written to a dump file, and are lost");
        }
    }
}
