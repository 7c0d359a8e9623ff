//! The state that a channel's handles and calls share: the servers, and the defaults of calls.

use crate::{
    call_metrics,
    connection::error::{is_connect_failure, is_moved},
    further_requests::FurtherRequests,
    hedging::Hedging,
    interceptor::{Interceptors, Watch},
    retry_budget::RetryBudget,
    retry_policy::RetryPolicy,
    servers::Servers,
    service_config::{Attempts, Method, ServiceConfig},
    tries::{PartOf, Tries, TryInterceptors},
};
use polywire_call::Status;
use polywire_engine::{clock, keep_calendar};
use polywire_exchange::Request;
use polywire_trace::{Lane, Tracer, Within};
use polywire_wire::{Content, Longest, Outcome, Protocol, Streams};
use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// One channel. Its handles and its calls hold a reference to it; its connections do not.
#[cfg_attr(not(feature = "channelz"), allow(dead_code))] // its age is for channelz
pub(crate) struct Core {
    /// How the calls share connections.
    pub kind: polywire_wire::Connections,
    /// See [`new_id`](crate::pool::new_id).
    pub id: u64,
    /// When the channel was built.
    pub since: Instant,
    pub servers: Servers,
    /// The channels of a combination, which has no servers of its own; `None` for other channels.
    pub combination: Option<Arc<dyn Combination>>,
    /// The form of request bodies.
    pub content: Content,
    pub defaults: Defaults,
    /// The maximum length of a reply.
    pub longest: Longest,
    pub service_config: Option<Arc<ServiceConfig>>,
    /// When calls are hedged; `None`: never.
    pub hedging: Option<Hedging>,
    /// The user's retry policy.
    pub retry_policy: Option<Arc<RetryPolicy>>,
    /// Limits the retries of all calls together.
    pub retry_budget: Option<RetryBudget>,
    /// Counts the further requests of its calls.
    pub further: FurtherRequests,
    /// The user's interceptors of calls.
    pub interceptors: Interceptors,
    /// The user's interceptors of tries.
    pub try_interceptors: TryInterceptors,
    /// Whether something is done at each try of every call: there are such, or credentials.
    pub watches_tries: bool,
    /// Records calls that do not belong to a traced call of a handler.
    pub tracing: Option<Tracing>,
}

/// A channel's state, for a handle of the channel and the calls that it makes. The outer count belongs to
/// that handle: calls of another one, on another core, do not write to its cache line.
#[allow(clippy::redundant_allocation)] // the outer `Arc` exists for its count
pub(crate) type SharedCore = Arc<Arc<Core>>;

/// The settings for recording a channel's calls.
pub(crate) struct Tracing {
    pub tracer: Tracer,
    lane: Mutex<Lane>,
}

impl Tracing {
    pub fn new(tracer: Tracer) -> Self {
        Tracing { tracer, lane: Mutex::default() }
    }

    /// Whether the next call is recorded. Of calls that begin at the same moment on several threads only one
    /// is considered.
    #[cold]
    fn choose(&self) -> Option<Within> {
        let now = clock::now();
        keep_calendar(&self.tracer, now);
        self.tracer.begin_call(&mut *self.lane.try_lock().ok()?, now)
    }
}

/// The defaults for calls that set no option of their own.
#[derive(Clone)]
pub(crate) struct Defaults {
    /// The time limit of a call, from its start to its end with all tries. Calls with streams have none.
    pub timeout: Option<Duration>,
    /// Further attempts after the first.
    pub retries: u32,
    /// Whether attempts that were lost with their connections are followed by others.
    pub retries_after_loss: bool,
    /// Whether calls wait, up to their deadlines, while no connection can be made.
    pub wait_for_ready: bool,
    /// Whether stubs make calls by rules of `google.api.http` where the protocol is HTTP by itself.
    pub http_rules: bool,
    /// The bytes of a client stream that are kept so that it can be sent again.
    pub replay_bytes: usize,
}

/// A channel that is made of other channels: each of its calls consists of calls on those.
pub(crate) trait Combination: Send + Sync {
    /// Makes a call. The caller polls the returned future; dropping it cancels every call that is under way.
    fn call(self: Arc<Self>, call: CombinedCall) -> Combining;

    /// The channel that takes a call with streams.
    ///
    /// # Errors
    /// The combination only supports calls with one message each way.
    fn streaming(&self, key: Option<u64>) -> Result<SharedCore, Status>;

    /// The channels that the combination is made of now.
    fn channels(&self) -> Vec<SharedCore>;

    /// Whether a call that is made now may find servers.
    fn is_ready(&self) -> bool;
}

/// The future of one call on a combination.
pub(crate) type Combining = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// A call through a combination. Its message is not compressed yet: each of the channels does that.
#[derive(Clone)]
pub(crate) struct CombinedCall {
    pub request: Request,
    /// See [`Call::key`](crate::Call::key).
    pub key: Option<u64>,
    /// Further attempts; `None`: as many as each channel has.
    pub retries: Option<u32>,
    pub wait_for_ready: bool,
    /// See [`Call::idempotent`](crate::Call::idempotent).
    pub idempotent: Option<bool>,
    /// The traced call that this one belongs to.
    pub within: Option<Within>,
}

impl Core {
    /// Whether a call that is made now may find a server.
    pub fn is_ready(&self) -> bool {
        match &self.combination {
            None => self.servers.is_ready(),
            Some(combination) => combination.is_ready(),
        }
    }

    /// The number of connections made so far for each home.
    pub fn made(&self) -> usize {
        match &self.combination {
            None => self.servers.made(),
            Some(combination) => combination.channels().iter().map(|channel| channel.made()).sum(),
        }
    }

    pub fn protocol(&self) -> &'static Protocol {
        self.servers.spec().protocol
    }

    /// Runs the interceptors before a call. `None`: there are none.
    ///
    /// # Errors
    /// One has refused it.
    #[inline]
    pub fn watch(&self, request: &mut Request) -> Result<Option<Box<Watch>>, Status> {
        Watch::begin(&self.interceptors, self.servers.spec(), request)
    }

    /// The state that the tries of a call share; `None` if nothing is recorded or intercepted per try.
    /// `part_of`: what this call belongs to.
    #[inline]
    pub fn tries(&self, part_of: Option<PartOf>) -> Option<Arc<Tries>> {
        let is_needed =
            self.watches_tries || part_of.is_some() || call_metrics::tries_are_read(self.protocol());
        if is_needed || self.tracing.is_some() { self.needed_tries(part_of, is_needed) } else { None }
    }

    #[cold]
    fn needed_tries(&self, part_of: Option<PartOf>, is_needed: bool) -> Option<Arc<Tries>> {
        let PartOf { within, tally } = part_of.unwrap_or_default();
        let within = match &self.tracing {
            Some(tracing) if within.is_none() && tracing.tracer.is_on() => tracing.choose(),
            _ => within,
        };
        let (is_needed, address) = (is_needed || within.is_some(), &self.servers.spec().address);
        is_needed.then(|| Tries::new(self.try_interceptors.clone(), address.clone(), within, tally))
    }

    /// The attempts of a call, if there is a service config that applies to its method.
    #[inline]
    pub fn attempts(&self, service: &str, method: &str) -> Option<Attempts> {
        self.service_config.as_ref()?.attempts(service, method, self.protocol().attempts_field)
    }

    /// The attempts of a call by the retry policy of its route.
    #[cold]
    pub fn routed_attempts(&self, service: &str, method: &str, of_route: Arc<Method>) -> Attempts {
        match (self.attempts(service, method), &of_route.retry) {
            (Some(attempts), Some(retry)) => attempts.with_retry(retry.clone()),
            _ => Attempts::new(of_route, None, self.protocol().attempts_field),
        }
    }

    /// Whether a message is the body of a request of HTTP, without a frame around it.
    pub fn is_plain_http(&self) -> bool {
        let protocol = self.protocol();
        protocol.http.is_some() && protocol.streams == Streams::Bytes
    }

    /// Whether the budget of retries allows another try after one that ended with this status. The answer
    /// `true` spends from the budget, so the try must follow.
    #[cold]
    pub fn may_retry(&self, failed: &Status) -> bool {
        // What no server has seen is no load on any.
        let costs_nothing = is_moved(failed) || is_connect_failure(failed);
        let may = costs_nothing || self.retry_budget.as_ref().is_none_or(RetryBudget::take);
        if may && !is_moved(failed) {
            self.further.retried();
        }
        may
    }

    /// Whether stubs make calls by rules of `google.api.http`: their bodies are JSON, in HTTP by itself.
    pub fn uses_rules(&self) -> bool {
        self.is_plain_http()
            && self.defaults.http_rules
            && matches!(self.content, Content::JSON | Content::PROTO_JSON)
    }

    /// The error of a request that could not be encoded for this channel.
    #[cold]
    pub fn not_sent(&self, why: Status) -> Status {
        let text = format!("{}: {}", self.protocol().name, why.message());
        why.with_message(text)
    }
}
