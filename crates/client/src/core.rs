//! What a channel and its calls share: the servers, and the defaults of calls.

use crate::{
    connection::error::{is_connect_failure, is_moved},
    hedging::Hedging,
    interceptor::{Interceptors, Watch},
    retry_budget::RetryBudget,
    servers::Servers,
    service_config::{Attempts, ServiceConfig},
};
use polywire_call::Status;
use polywire_exchange::Request;
use polywire_wire::{Content, Protocol, Streams};
use std::time::Duration;

/// One channel. Its handles and its calls hold it; connections do not.
pub(crate) struct Core {
    pub servers: Servers,
    /// The form of request bodies.
    pub content: Content,
    pub defaults: Defaults,
    /// The longest reply, in bytes.
    pub max_message: usize,
    pub service_config: Option<Box<ServiceConfig>>,
    /// Where calls are hedged.
    pub hedging: Option<Hedging>,
    /// Bounds the retries of all calls together.
    pub retry_budget: Option<RetryBudget>,
    /// What the user runs before and after each call.
    pub interceptors: Interceptors,
}

/// What a call does that does not say otherwise.
pub(crate) struct Defaults {
    /// From the start of a call to its end, attempts included. Calls with streams have none.
    pub timeout: Option<Duration>,
    /// Further attempts after the first.
    pub retries: u32,
    /// Whether calls wait, up to their deadlines, while no connection can be made.
    pub wait_for_ready: bool,
    /// Whether stubs make calls by rules of `google.api.http` where the protocol is HTTP by itself.
    pub http_rules: bool,
    /// The bytes of a client stream that are kept so that it can be sent again.
    pub replay_bytes: usize,
}

impl Core {
    pub fn protocol(&self) -> &'static Protocol {
        self.servers.spec().protocol
    }

    /// Asks the interceptors about a call. `None`: there are none.
    ///
    /// # Errors
    /// One has refused it.
    #[inline]
    pub fn watch(&self, request: &mut Request) -> Result<Option<Box<Watch>>, Status> {
        Watch::begin(&self.interceptors, self.servers.spec(), request)
    }

    /// The attempts of a call, if there is a service config that says something of its method.
    #[inline]
    pub fn attempts(&self, service: &str, method: &str) -> Option<Attempts> {
        self.service_config.as_ref()?.attempts(service, method, self.protocol().attempts_field)
    }

    /// Whether a message is the body of a request of HTTP, without a frame around it.
    pub fn is_plain_http(&self) -> bool {
        let protocol = self.protocol();
        protocol.http.is_some() && protocol.streams == Streams::Bytes
    }

    /// Whether the budget of retries allows another attempt after one that ended with this status.
    #[cold]
    pub fn may_retry(&self, failed: &Status) -> bool {
        // What no server has seen is no load on any.
        let costs_nothing = is_moved(failed) || is_connect_failure(failed);
        costs_nothing || self.retry_budget.as_ref().is_none_or(RetryBudget::take)
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
