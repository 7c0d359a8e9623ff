//! Options of sending spans and metrics.

use std::time::Duration;

/// Options of sending spans and metrics.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) resource: Vec<(String, String)>,
    pub(crate) queue: usize,
    pub(crate) batch: usize,
    pub(crate) delay: Duration,
    pub(crate) timeout: Duration,
    pub(crate) interval: Duration,
}

impl Options {
    /// `service`: the name of the program, `service.name`.
    pub fn new(service: impl Into<String>) -> Self {
        Options {
            resource: vec![("service.name".to_owned(), service.into())],
            queue: 2048,
            batch: 512,
            delay: Duration::from_secs(1),
            timeout: Duration::from_secs(10),
            interval: Duration::from_secs(60),
        }
    }

    /// A further attribute of the program, such as `service.version` or `host.name`.
    pub fn attribute(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.resource.push((key.into(), value.into()));
        self
    }

    /// The maximum number of waiting spans; further ones are dropped and counted. Default 2048.
    pub fn queue(mut self, most: usize) -> Self {
        self.queue = most.max(1);
        self
    }

    /// Maximum number of spans in a request. Default 512. A request is sent with fewer when they exceed 2
    /// MiB: collectors refuse requests of more than 4 MiB.
    pub fn batch(mut self, most: usize) -> Self {
        self.batch = most.max(1);
        self
    }

    /// How long spans wait for others to fill a batch. Default 1 s.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The time limit of a request. Default 10 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Time between the beginnings of two exports of metrics, at least a second. Default 60 s.
    pub fn interval(mut self, interval: Duration) -> Self {
        self.interval = interval.max(Duration::from_secs(1));
        self
    }
}
