//! A line for each call, over all protocols.
//!
//! ```text
//!  call ends -> Record -> queue (bounded; full: dropped and counted) -> thread: format, batch, write
//! ```
//!
//! The thread of a call neither formats nor writes. A disk that is full or a pipe that nobody reads holds up
//! the writing thread alone: records are dropped, and their number is a field of [`AccessLog`], a metric, and
//! a line of the log once it goes on. A file that is a pipe is never waited for longer than a second, whether
//! to be opened or to be written.
//!
//! | file | what it is |
//! | --- | --- |
//! | `record.rs` | what is known of a call |
//! | `format.rs` | common, combined and JSON lines; escaping |
//! | `file.rs` | files, and pipes with a name |
//! | `writer.rs` | the queue and the thread |
//!
//! Limits: 4096 records wait, [`AccessLog::queue`]; each text of a peer is cut at 256 characters.
//! Not here: requests that are refused at limits or at a stop, which are counted; the bytes of streams.

mod file;
mod format;
mod record;
mod writer;

pub use format::LogFormat;

use crate::{
    context::Context,
    middleware::{self, Ended, Middleware, Next},
    passed_on::{PassedOn, Trail},
    trouble::code_of,
};
use polywire_call::{Code, Native, Status};
use polywire_engine::Peer;
use polywire_wire::{Head, Protocol, Target};
use record::{Record, shown};
use std::{
    future::Future,
    io,
    path::Path,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};
use writer::{Output, Queue};

/// An access log: see [`Recording::access_log`](crate::Recording::access_log). Clones write to the same
/// place.
#[derive(Clone)]
pub struct AccessLog {
    queue: Arc<Queue>,
}

/// What is known of a request that no handler gets: there is no such method, or its caller is not let in.
pub(crate) struct Unhandled(Record);

impl Unhandled {
    /// `None`: it has a number, which names nothing.
    #[cold]
    pub fn of(peer: &Peer, protocol: &'static Protocol, head: &Head<'_>) -> Option<Unhandled> {
        let (verb, path) = match head.target {
            Target::Path { verb, path } => (shown(verb), shown(path)),
            Target::Method { service, method } => (String::new(), shown(&format!("/{service}/{method}"))),
            Target::Bound { protocol: name, number } if protocol.hash.is_some() => {
                (String::new(), format!("/{name}/{number}"))
            }
            _ => return None,
        };
        let (mut referer, mut agent) = (String::new(), String::new());
        (protocol.fields)(head.raw, &mut |name, value| match name {
            _ if name.eq_ignore_ascii_case("referer") => referer = shown(&String::from_utf8_lossy(value)),
            _ if name.eq_ignore_ascii_case("user-agent") => agent = shown(&String::from_utf8_lossy(value)),
            _ => {}
        });
        Some(Unhandled(Record {
            at: SystemTime::now(),
            peer: peer.clone(),
            identity: String::new(),
            protocol: protocol.name,
            service: "".into(),
            method: "".into(),
            verb,
            path,
            referer,
            agent,
            code: Code::Ok,
            status: None,
            bytes_in: None,
            bytes_out: None,
            took: Duration::ZERO,
            passed_on: None,
        }))
    }

    /// It would have been passed on.
    pub fn not_passed_on(mut self, (service, method): (&str, &str), reason: &'static str) -> Unhandled {
        (self.0.service, self.0.method) = (shown(service).into(), shown(method).into());
        self.0.passed_on = Some(Box::new(PassedOn { reason, ..PassedOn::default() }));
        self
    }

    /// Writes a line to each log.
    #[cold]
    pub fn log(mut self, logs: &[AccessLog], status: &Status) {
        self.0.code = code_of(status);
        self.0.status = match (status.native(), self.0.code) {
            (Native::Http(number), _) => Some(number),
            (_, Code::Unimplemented | Code::NotFound) => Some(404),
            _ => None,
        };
        logs.iter().for_each(|log| log.queue.push(self.0.clone()));
    }
}

/// How an [`AccessLog`] is made.
#[must_use = "an access log begins by `file` or `writer`"]
pub struct AccessLogBuilder {
    format: LogFormat,
    queue: usize,
}

impl AccessLog {
    /// A log in this format.
    pub fn builder(format: LogFormat) -> AccessLogBuilder {
        AccessLogBuilder { format, queue: 4096 }
    }

    /// Number of calls that have no line, because the queue was full or the line could not be written.
    pub fn dropped(&self) -> u64 {
        self.queue.dropped()
    }

    /// Opens the file anew before the next line, as after it was renamed; if that fails, before each further
    /// one. A server does this by itself at SIGHUP. Does nothing for other places.
    pub fn reopen(&self) {
        self.queue.reopen();
    }

    /// Reads [`AccessLog::dropped`] without keeping the log open.
    pub(crate) fn dropped_later(&self) -> impl Fn() -> u64 + Send + Sync + use<> {
        self.queue.dropped_later()
    }

    /// Waits until everything is written that was logged before, but not longer than `limit`. True if it is.
    pub async fn flushed(&self, limit: Duration) -> bool {
        let Some(written) = self.queue.mark() else { return false };
        tokio::time::timeout(limit, written).await.is_ok_and(|written| written.is_ok())
    }
}

impl AccessLogBuilder {
    /// How many records wait to be written, at most; further ones are dropped. Default 4096, about 1 KB each.
    pub fn queue(mut self, records: usize) -> Self {
        self.queue = records.max(1);
        self
    }

    /// Appends to a file, which is made if it is not there. It may be a pipe with a name (FIFO): while nobody
    /// has it open to read, lines are dropped.
    ///
    /// # Errors
    /// The system's error, of the file or of the thread.
    pub fn file(self, path: impl AsRef<Path>) -> io::Result<AccessLog> {
        let path = path.as_ref().to_owned();
        let opened = file::open(&path);
        let is_open = opened.is_ok();
        let output = opened.or_else(|error| file::unread(&path, error))?;
        let log = self.start(output, Some(Box::new(move || file::open(&path))))?;
        if !is_open {
            log.reopen();
        }
        Ok(log)
    }

    /// Writes to something else, such as standard output.
    ///
    /// # Errors
    /// The system's error of the thread.
    pub fn writer(self, writer: impl io::Write + Send + 'static) -> io::Result<AccessLog> {
        self.start(Box::new(writer), None)
    }

    fn start(self, output: Output, open: Option<writer::Open>) -> io::Result<AccessLog> {
        let queue = Queue::start(self.queue, self.format, output, open)?;
        Ok(AccessLog { queue: Arc::new(queue) })
    }
}

impl Middleware for AccessLog {
    fn call(&self, cx: Context, next: Next) -> Pin<Box<dyn Future<Output = Ended> + Send>> {
        let mut cx = cx;
        let record = Some(begin(&cx, &next));
        let trail = cx.unknown_names().is_some().then(|| cx.begin_trail());
        let mut call = Logged { queue: self.queue.clone(), record, trail, began: Instant::now() };
        Box::pin(async move {
            let ended = next.run(cx).await;
            let streamed = call.record.as_ref().is_some_and(|record| record.bytes_in.is_none());
            call.end(ended.status(), (!streamed).then(|| ended.reply_len() as u64));
            ended
        })
    }
}

/// What is known when a call begins.
fn begin(cx: &Context, next: &Next) -> Record {
    let metadata = cx.metadata();
    let field = |name: &str| metadata.get_str(name).map(shown).unwrap_or_default();
    let (service, method) = match cx.unknown_names() {
        Some((service, method)) => (shown(service).into(), shown(method).into()),
        None => (cx.service().into(), cx.method().into()),
    };
    Record {
        at: SystemTime::now(),
        peer: cx.peer().clone(),
        identity: cx.identity().map(|identity| shown(&identity.name)).unwrap_or_default(),
        protocol: cx.protocol(),
        service,
        method,
        verb: field(":method"),
        path: field(":path"),
        referer: field("referer"),
        agent: field("user-agent"),
        code: Code::Ok,
        status: None,
        bytes_in: next.is_unary().then(|| next.request_len() as u64),
        bytes_out: None,
        took: Duration::ZERO,
        passed_on: None,
    }
}

/// A call that has a line in any case: when it is dropped, its deadline has passed, its caller has given it
/// up, or its handler has panicked.
struct Logged {
    queue: Arc<Queue>,
    record: Option<Record>,
    /// Where a call is passed on to, if a catch-all answers it.
    trail: Option<Trail>,
    began: Instant,
}

impl Logged {
    fn end(&mut self, status: &Status, bytes_out: Option<u64>) {
        if let Some(mut record) = self.record.take() {
            (record.code, record.bytes_out, record.took) = (code_of(status), bytes_out, self.began.elapsed());
            record.passed_on = self.trail.as_ref().and_then(Trail::get);
            self.queue.push(record);
        }
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        if self.record.is_some() {
            let why = middleware::why_dropped().unwrap_or_else(|| Status::cancelled(""));
            self.end(&why, None);
        }
    }
}
