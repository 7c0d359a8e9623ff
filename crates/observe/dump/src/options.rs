//! Options of recording: which requests are recorded, and how many.

use std::{path::PathBuf, time::Duration};

/// Options of recording. Every field has a default, brpc's where it has one.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct DumpOptions {
    /// The folder of the files. It is made if it is missing; files named `requests.*` of an earlier run are
    /// removed from it.
    pub folder: PathBuf,
    /// Whether recording begins with the server; otherwise
    /// [`Recorder::set_enabled`](crate::Recorder::set_enabled) begins it. Default: yes.
    pub enabled: bool,
    /// Maximum number of recorded requests per second, over all connections. Default 1000; 0 records none.
    /// Higher numbers cost each shard more.
    pub per_second: u32,
    /// Maximum number of records in a file. Default 1000, at least 1.
    pub requests_in_file: u32,
    /// Maximum number of files; the oldest is removed first. Default 32, at least 1.
    pub files: u32,
    /// Maximum number of bytes of all files; files are smaller and more then, and the oldest is removed
    /// first. Default: none, at least 4 MiB.
    pub max_bytes: Option<u64>,
    /// A file is removed when its first record is older. Default: never, at least 1 s.
    pub max_age: Option<Duration>,
    /// Maximum length of a payload in bytes; longer requests are counted and not recorded. Default 1 MiB.
    pub max_request: usize,
    /// Maximum number of requests that wait for the writing thread; further ones are dropped and counted.
    /// Default 1000.
    pub queue: u32,
    /// Maximum number of bytes of waiting payloads; beyond it, requests are dropped and counted. Default 16
    /// MiB.
    pub queue_bytes: usize,
    /// Bytes after which records are written to the file. Default 1 MiB.
    pub flush_bytes: usize,
    /// Time after which records are written to the file. Default 2 s.
    pub flush_after: Duration,
    /// Whether metadata fields that are credentials ([`DumpOptions::secret`]) are recorded as well. The
    /// credential of baidu_std's meta and passwords of Redis never are.
    pub credentials: bool,
    /// Names of metadata fields that are credentials, in any case. Default: `authorization`,
    /// `proxy-authorization`, `cookie`, `x-api-key`, `x-auth-token`.
    pub secret: Vec<String>,
}

impl DumpOptions {
    /// The least that [`DumpOptions::max_bytes`] may be: less has no room for long requests.
    pub const LEAST_BYTES: u64 = 4 << 20;

    /// The defaults, with this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let secret = ["authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token"];
        DumpOptions {
            folder: folder.into(),
            enabled: true,
            per_second: 1000,
            requests_in_file: 1000,
            files: 32,
            max_bytes: None,
            max_age: None,
            max_request: 1 << 20,
            queue: 1000,
            queue_bytes: 16 << 20,
            flush_bytes: 1 << 20,
            flush_after: Duration::from_secs(2),
            credentials: false,
            secret: secret.map(str::to_owned).to_vec(),
        }
    }

    /// Adds the name of a metadata field that is a credential.
    #[must_use]
    pub fn hide(mut self, field: impl Into<String>) -> Self {
        self.secret.push(field.into());
        self
    }

    pub(crate) fn most_bytes(&self) -> Option<u64> {
        self.max_bytes.map(|bytes| bytes.max(Self::LEAST_BYTES))
    }

    pub(crate) fn longest_age(&self) -> Option<Duration> {
        self.max_age.map(|age| age.max(Duration::from_secs(1)))
    }

    /// Whether a metadata field is left out.
    pub(crate) fn is_secret(&self, name: &str) -> bool {
        !self.credentials && self.secret.iter().any(|secret| secret.eq_ignore_ascii_case(name))
    }
}

polywire_base::setters! {
    DumpOptions {
        enabled: bool,
        per_second: u32,
        requests_in_file: u32,
        files: u32,
        max_bytes: Option<u64>,
        max_age: Option<Duration>,
        max_request: usize,
        queue: u32,
        queue_bytes: usize,
        flush_bytes: usize,
        flush_after: Duration,
        credentials: bool,
    }
}
