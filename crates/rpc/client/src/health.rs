//! Health checks of the servers of a channel: the kind of check, its interval, and its effect.

use polywire_call::ConfigError;
use polywire_exchange::Request;
use std::{sync::Arc, time::Duration};

/// Health checks for channels with several servers: each server is checked at intervals, in addition to what
/// the channel learns from its calls. A server that fails its checks gets no calls until they succeed again.
///
/// ```
/// use polywire_client::HealthCheck;
/// use std::time::Duration;
///
/// let check = HealthCheck::grpc("example.EchoService").interval(Duration::from_secs(5)).unhealthy(2);
/// # let _ = check;
/// ```
///
/// - The first check of a server decides. From then on [`unhealthy`](HealthCheck::unhealthy) failures in a
///   row take it out, and [`healthy`](HealthCheck::healthy) good checks in a row bring it back. A negative
///   answer (`NOT_SERVING`, an HTTP status other than 2xx) takes it out at once.
/// - The servers of the first set get calls before they are checked. A server that joins later, or that could
///   not be reached and is connected again, gets calls after its first good check, or when no other server
///   can be chosen.
/// - Checks are sent on the connections of the channel, with its TLS and its credential.
#[derive(Clone)]
#[must_use]
pub struct HealthCheck {
    pub(crate) kind: Kind,
    pub(crate) interval: Duration,
    pub(crate) timeout: Duration,
    pub(crate) healthy: u32,
    pub(crate) unhealthy: u32,
    pub(crate) jitter: f64,
    pub(crate) at_once: usize,
}

/// The kinds of health checks.
#[derive(Clone)]
pub(crate) enum Kind {
    /// Opens a connection and closes it.
    Connect,
    /// `grpc.health.v1.Health/Check` of a service, or `Watch`.
    Grpc { service: Arc<str>, watches: bool },
    /// A GET of a path.
    Http { path: Arc<str> },
    /// A call, which is well if it succeeds.
    Call(Box<Request>),
}

impl HealthCheck {
    fn new(kind: Kind) -> Self {
        HealthCheck {
            kind,
            interval: Duration::from_secs(3),
            timeout: Duration::from_millis(500),
            healthy: 2,
            unhealthy: 3,
            jitter: 0.2,
            at_once: 64,
        }
    }

    /// A server is healthy if a connection to it can be made, including the TLS handshake.
    pub fn connect() -> Self {
        HealthCheck::new(Kind::Connect)
    }

    /// Calls `grpc.health.v1.Health/Check` for this service; the empty name means the server as a whole. A
    /// server without the health service (UNIMPLEMENTED) is healthy, as for gRPC's own clients. For every
    /// protocol that can call any service.
    pub fn grpc(service: impl Into<String>) -> Self {
        HealthCheck::new(Kind::Grpc { service: service.into().into(), watches: false })
    }

    /// Like [`HealthCheck::grpc`], but with the method `Watch`: a stream to each server stays open, on which
    /// the server reports changes of its health, as with gRPC's own clients. The interval is then the pause
    /// before a stream that ended is opened again. For gRPC and Connect.
    pub fn grpc_watch(service: impl Into<String>) -> Self {
        HealthCheck::new(Kind::Grpc { service: service.into().into(), watches: true })
    }

    /// Gets this path by HTTP at the same port; a status of 2xx means healthy. Channels of other protocols
    /// use separate connections for that, as brpc does with `health_check_path`, and do not send their
    /// credential there.
    pub fn http(path: impl Into<String>) -> Self {
        HealthCheck::new(Kind::Http { path: path.into().into() })
    }

    pub(crate) fn request(request: Request) -> Self {
        HealthCheck::new(Kind::Call(Box::new(request)))
    }

    /// The time from the end of a check of a server to the next one. Default 3 s, brpc's
    /// `health_check_interval`. A shorter interval detects failures sooner, but each server has to answer
    /// more checks, from every client.
    pub fn interval(mut self, interval: Duration) -> Self {
        self.interval = interval;
        self
    }

    /// The time limit of a check, including connecting. Default 500 ms, brpc's `health_check_timeout_ms`.
    /// With a short limit, a busy server counts as failed.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The number of successful checks in a row after which a server that was taken out gets calls again.
    /// Default 2.
    pub fn healthy(mut self, checks: u32) -> Self {
        self.healthy = checks;
        self
    }

    /// The number of failed checks in a row after which a server is taken out. Default 3, so that one lost
    /// packet or one long pause does not suffice.
    pub fn unhealthy(mut self, checks: u32) -> Self {
        self.unhealthy = checks;
        self
    }

    /// The jitter: the fraction by which an interval is made longer or shorter at random, from 0 to 1, so
    /// that clients that started together do not check at the same times. Default 0.2.
    pub fn jitter(mut self, part: f64) -> Self {
        self.jitter = part;
        self
    }

    /// The greatest number of concurrent checks of the channel; others wait. Default 64.
    pub fn at_once(mut self, most: usize) -> Self {
        self.at_once = most;
        self
    }

    /// # Errors
    /// A value that is out of its range.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let wrong = |text: &str, value: String| {
            Err(ConfigError::new("health_check", format!("health_check: {text}")).with_value(value))
        };
        if self.interval.is_zero() || self.timeout.is_zero() {
            return wrong("interval and timeout are not zero", "0".to_owned());
        }
        if self.healthy == 0 || self.unhealthy == 0 || self.at_once == 0 {
            return wrong("healthy, unhealthy and at_once are at least 1", "0".to_owned());
        }
        if !(0.0..=1.0).contains(&self.jitter) {
            return wrong("jitter is from 0 to 1", self.jitter.to_string());
        }
        match &self.kind {
            Kind::Http { path }
                if !path.starts_with('/') || !path.bytes().all(|byte| byte.is_ascii_graphic()) =>
            {
                wrong("a path begins with / and has no spaces", path.to_string())
            }
            _ => Ok(()),
        }
    }
}
