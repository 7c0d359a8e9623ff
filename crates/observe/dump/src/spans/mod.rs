//! Spans that a tracer keeps, in files: one line of JSON for each, written by a separate thread.
//!
//! ```text
//!  call ends -> Tracer -> SpanFiles: queue, bounded by number and bytes -> one thread: line, batch -> spans.20261123_120000_000000.jsonl
//!                             `--full: dropped, counted                                                 (rotated by bytes, so many files)
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `line.rs` | a span as a line: `TracesData` in OTLP's JSON |
//! | `folder.rs` | the files: names, rotation, which go first |
//! | `writer.rs` | the queue, and the thread that writes |
//!
//! Limits: [`SpanFileOptions`]. The page `/rpcz` shows what is in memory; the files are what is left after
//!         the process.

mod folder;
mod line;
mod writer;

pub use writer::{SpanFileStats, SpanFiles};

use std::{path::PathBuf, time::Duration};

/// The files that spans are written to, and their limits.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SpanFileOptions {
    /// The folder, which is created if it is missing. Files of earlier runs stay until there are too many:
    /// files named `spans.*.jsonl` count.
    pub folder: PathBuf,
    /// `service.name` of OpenTelemetry. Default: the program's file name.
    pub service: String,
    /// Whether spans are written from the start; [`SpanFiles::set_enabled`] changes it. Default: yes.
    pub enabled: bool,
    /// Bytes after which another file begins. Default 64 MiB; a file may be longer by one batch of 64 KiB.
    pub file_bytes: u64,
    /// Maximum number of files; the oldest is removed first. Default 8, at least 1.
    pub files: u32,
    /// Maximum number of spans that wait to be written; further ones are dropped and counted. Default 4096.
    pub queue: u32,
    /// Maximum memory of waiting spans in bytes; beyond it, spans are dropped and counted. Default 8 MiB.
    pub queue_bytes: usize,
    /// Time after which spans are written that wait for others. Default 1 s.
    pub flush_after: Duration,
}

impl SpanFileOptions {
    /// The defaults, with this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let program = std::env::current_exe().ok();
        let name = program.as_deref().and_then(|path| path.file_stem()).and_then(|name| name.to_str());
        SpanFileOptions {
            folder: folder.into(),
            service: name.unwrap_or("unknown_service").to_owned(),
            enabled: true,
            file_bytes: 64 << 20,
            files: 8,
            queue: 4096,
            queue_bytes: 8 << 20,
            flush_after: Duration::from_secs(1),
        }
    }

    /// Sets the attribute `service.name` of the resource, by which collectors group spans.
    #[must_use]
    pub fn service(mut self, name: impl Into<String>) -> Self {
        self.service = name.into();
        self
    }
}

polywire_base::setters! {
    SpanFileOptions {
        enabled: bool,
        file_bytes: u64,
        files: u32,
        queue: u32,
        queue_bytes: usize,
        flush_after: Duration,
    }
}
