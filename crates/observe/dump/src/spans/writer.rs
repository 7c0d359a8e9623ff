//! The queue of spans, and the one thread that writes.
//!
//! Shutdown: when the last [`SpanFiles`] is dropped, with the tracer that has it, the queue closes; the
//! thread writes the queued spans and ends. [`SpanFiles::flush`] waits for all earlier spans, a second at
//! most: a disk that hangs must not hang the program.

use super::{SpanFileOptions, folder::Folder, line::Frame};
use polywire_base::{LineGate, later};
use polywire_trace::{Record, Sink};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Bytes of lines that are gathered before a write.
const BATCH: usize = 64 << 10;
/// How long [`SpanFiles::flush`] waits for the writing thread.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes the spans that a tracer keeps to files: a [`Sink`]. Clones are the same.
#[derive(Clone, Debug)]
pub struct SpanFiles {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    queue: SyncSender<Item>,
    queue_bytes: usize,
    counts: Arc<Counts>,
}

enum Item {
    Span(Arc<Record>),
    /// Write the waiting spans, and confirm it by dropping the sender.
    Flush(mpsc::Sender<()>),
}

/// Counters that the threads of calls and the writing thread update.
#[derive(Default, Debug)]
struct Counts {
    enabled: AtomicBool,
    written: AtomicU64,
    dropped: AtomicU64,
    failed: AtomicU64,
    /// Bytes of memory of the spans in the queue.
    queued: AtomicUsize,
}

/// The number of spans since the start, by what happened to them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SpanFileStats {
    /// The number of spans in a file.
    pub written: u64,
    /// Dropped, because the queue was full.
    pub dropped: u64,
    /// Lost, because a file could not be written.
    pub failed: u64,
}

impl SpanFiles {
    /// Prepares the folder and starts the thread. The files contain the spans that a tracer keeps after
    /// [`Tracer::set_sink`](polywire_trace::Tracer::set_sink).
    ///
    /// # Errors
    /// The folder cannot be created or read, or no thread can be started.
    pub fn start(options: SpanFileOptions) -> io::Result<SpanFiles> {
        let folder = Folder::new(options.folder, options.file_bytes, options.files)?;
        let (queue, items) = mpsc::sync_channel(options.queue.max(1) as usize);
        let counts = Arc::new(Counts { enabled: AtomicBool::new(options.enabled), ..Counts::default() });
        let writer = Writer {
            folder,
            frame: Frame::new(&options.service),
            flush_after: options.flush_after,
            counts: counts.clone(),
            lines: String::new(),
            spans: 0,
            since: None,
        };
        thread::Builder::new().name("polywire-spans".into()).spawn(move || writer.run(&items))?;
        Ok(SpanFiles { inner: Arc::new(Inner { queue, queue_bytes: options.queue_bytes, counts }) })
    }

    /// Begins or stops writing.
    pub fn set_enabled(&self, enabled: bool) {
        self.inner.counts.enabled.store(enabled, Relaxed);
    }

    /// Whether spans are being written.
    pub fn is_enabled(&self) -> bool {
        self.inner.counts.enabled.load(Relaxed)
    }

    pub fn stats(&self) -> SpanFileStats {
        let Counts { written, dropped, failed, .. } = &*self.inner.counts;
        let [written, dropped, failed] = [written, dropped, failed].map(|count| count.load(Relaxed));
        SpanFileStats { written, dropped, failed }
    }

    /// Writes the spans kept up to now. It blocks, a second at most; returns whether they are written.
    pub fn flush(&self) -> bool {
        let until = Instant::now() + PATIENCE;
        let (done, is_done) = mpsc::channel();
        let mut flush = Item::Flush(done);
        while let Err(error) = self.inner.queue.try_send(flush) {
            flush = match error {
                TrySendError::Full(flush) if Instant::now() < until => flush,
                _ => return false,
            };
            thread::sleep(Duration::from_millis(2));
        }
        let left = until.saturating_duration_since(Instant::now());
        matches!(is_done.recv_timeout(left), Err(RecvTimeoutError::Disconnected))
    }
}

impl Sink for SpanFiles {
    /// Receives a kept span. Never blocks.
    fn kept(&self, record: &Arc<Record>) {
        let Inner { queue, queue_bytes, counts } = &*self.inner;
        if !counts.enabled.load(Relaxed) {
            return;
        }
        let bytes = record.byte_len();
        let before = counts.queued.fetch_add(bytes, Relaxed);
        let has_room = before + bytes <= *queue_bytes;
        if !has_room || queue.try_send(Item::Span(record.clone())).is_err() {
            counts.queued.fetch_sub(bytes, Relaxed);
            counts.dropped.fetch_add(1, Relaxed);
        }
    }
}

/// The thread that writes.
struct Writer {
    folder: Folder,
    frame: Frame,
    flush_after: Duration,
    counts: Arc<Counts>,
    /// Lines that are not written yet; `spans` is the number of spans in them.
    lines: String,
    spans: u64,
    /// When the first of the waiting spans arrived.
    since: Option<Instant>,
}

impl Writer {
    fn run(mut self, items: &Receiver<Item>) {
        loop {
            let item = match self.since {
                None => items.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(since) => items
                    .recv_timeout(later(since, self.flush_after).saturating_duration_since(Instant::now())),
            };
            match item {
                Ok(Item::Span(record)) => {
                    self.frame.put(&mut self.lines, &record);
                    self.counts.queued.fetch_sub(record.byte_len(), Relaxed);
                    self.spans += 1;
                    let since = *self.since.get_or_insert_with(Instant::now);
                    if self.lines.len() >= BATCH || since.elapsed() >= self.flush_after {
                        self.write();
                    }
                }
                Ok(Item::Flush(done)) => {
                    self.write();
                    drop(done);
                }
                Err(RecvTimeoutError::Timeout) => self.write(),
                Err(RecvTimeoutError::Disconnected) => return self.write(),
            }
        }
    }

    fn write(&mut self) {
        self.since = None;
        if self.lines.is_empty() {
            return;
        }
        let count = match self.folder.write(self.lines.as_bytes(), SystemTime::now()) {
            Ok(()) => &self.counts.written,
            Err(error) => {
                static GATE: LineGate = LineGate::one_in(60);
                if let Some(left_out) = GATE.pass() {
                    tracing::warn!(%error, left_out, "spans could not be written to a file, and are lost");
                }
                &self.counts.failed
            }
        };
        count.fetch_add(self.spans, Relaxed);
        self.spans = 0;
        self.lines.clear();
        self.lines.shrink_to(2 * BATCH);
    }
}
