//! A call with streams before it is opened: its request and its options.

use crate::{
    call::{
        policy::{self, Policy},
        reply::Raw,
        retry::Retry,
        rule::ByRule,
        streaming::opening::{Opening, Shape},
        target::Target,
        timeout::{self, earlier},
    },
    core::{Core, SharedCore},
    interceptor::Watch,
    retry_policy::CallPolicy,
    servers::Search,
    service_config::Attempts,
    tries::{PartOf, Tally},
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Parent, Status};
use polywire_exchange::Request;
use polywire_formats::compression;
use polywire_streams::{Form, Streaming};
use polywire_wire::{Role, Streams};
use std::{
    future::{Future, IntoFuture},
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

/// A streaming call that has not been sent. Awaiting it opens it; dropping it sends nothing.
#[must_use = "a call is opened when it is awaited"]
pub struct StreamingCall<S> {
    core: SharedCore,
    /// The body is the only message of the client's half if the request is finished, see
    /// [`Request::finished`].
    pub(super) request: Request,
    timeout: Option<Duration>,
    compression: Compression,
    /// Further tries after the first; `None`: as many as the channel has.
    retries: Option<u32>,
    /// Whether a [`Stream`](crate::Stream) keeps what it takes to make the call again.
    pub(super) repeatable: bool,
    /// The error of encoding the request, if encoding failed.
    failed: Option<Status>,
    by_rule: Option<ByRule>,
    key: Option<u64>,
    part_of: Option<PartOf>,
    shape: PhantomData<fn() -> S>,
}

impl<S> StreamingCall<S> {
    pub(crate) fn new(core: SharedCore, target: Target, request: Option<Result<IoBuf, Status>>) -> Self {
        let finished = request.is_some();
        let (body, failed) = match request {
            None => (IoBuf::new(), None),
            Some(Ok(body)) => (body, None),
            Some(Err(failed)) => (IoBuf::new(), Some(failed)),
        };
        let request = Request { finished, ..target.request(body, core.content) };
        let compression = Compression::NONE;
        StreamingCall {
            core,
            request,
            timeout: None,
            compression,
            retries: None,
            repeatable: false,
            failed,
            by_rule: None,
            key: None,
            part_of: None,
            shape: PhantomData,
        }
    }

    /// The call is made by a rule of `google.api.http`.
    pub(crate) fn by_rule(mut self, by_rule: ByRule) -> Self {
        self.by_rule = Some(by_rule);
        self
    }

    /// The time limit from the opening to the end of both streams. Default: none; the channel's timeout only
    /// applies to calls with one message each way.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the time by which the call ends, whatever its timeout.
    pub fn deadline(mut self, deadline: impl Into<Option<Instant>>) -> Self {
        self.request.deadline = deadline.into();
        self
    }

    /// Makes the call a part of the handled call `parent`: it ends by the same deadline, and belongs to the
    /// same trace. Cancellation needs no setting, since its handle is dropped with the handler that holds it.
    pub fn within(mut self, parent: &impl Parent) -> Self {
        if let Some(within) = parent.trace() {
            self.part_of.get_or_insert_default().within = Some(within);
        }
        let deadline = earlier(self.request.deadline, parent.deadline());
        self.deadline(deadline)
    }

    /// Notes here the tries of the call: how many, and where the last one went.
    pub fn tally(mut self, tally: &Arc<Tally>) -> Self {
        self.part_of.get_or_insert_default().tally = Some(tally.clone());
        self
    }

    /// A field that travels with the opening.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.request.metadata.append(name, value);
        self
    }

    /// Compresses every message we send.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets the number of further tries after one that no server has looked at, in place of the channel's.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = Some(retries);
        self
    }

    /// The key by which a hashing balancer chooses the server, see [`Call::key`](crate::Call::key).
    pub fn key(mut self, key: u64) -> Self {
        self.key = Some(key);
        self
    }

    /// On a combination of channels, chooses the channel that takes the call.
    ///
    /// # Errors
    /// UNIMPLEMENTED: the combination takes no calls with streams.
    fn choose_channel(&mut self) -> Result<(), Status> {
        while let Some(combination) = &self.core.combination {
            self.core = combination.streaming(self.key)?;
        }
        Ok(())
    }

    /// # Errors
    /// UNIMPLEMENTED: the channel's protocol cannot carry such a call.
    fn check_protocol(&self) -> Result<(), Status>
    where
        S: Shape,
    {
        let spec = self.core.servers.spec();
        let protocol = spec.protocol;
        match protocol.streams {
            Streams::Messages => return Ok(()),
            Streams::Bytes if S::READS_LINES => return Ok(()),
            Streams::Bytes | Streams::None => {}
        }
        let protocols = &spec.config.protocols;
        let able = protocols.iter().filter(|p| p.machine.is_some() && p.streams == Streams::Messages);
        let able: Vec<_> = able.map(|p| p.name).collect();
        let Request { service, method, .. } = &self.request;
        Err(Status::unimplemented(format!(
            "{} cannot carry the streaming method {}/{}; these can: {}",
            protocol.name,
            &**service,
            &**method,
            able.join(", ")
        )))
    }

    /// Turns the options into the request.
    fn complete(mut self, streamed: bool) -> Result<(Opening, Option<Box<Watch>>), Status> {
        if let Some(failed) = self.failed {
            return Err(self.core.not_sent(failed));
        }
        let request = &mut self.request;
        // In plain HTTP an empty body is none: compressed it would be a body, which GET has not.
        if request.finished && request.body.is_empty() && self.core.is_plain_http() {
            self.compression = Compression::NONE;
        }
        if request.finished {
            let body = std::mem::take(&mut request.body);
            request.body = compression::compress(self.compression, body).map_err(|error| error.request())?;
        }
        (request.compression, request.streamed) = (self.compression, streamed);
        let attempts = self.core.attempts(&request.service, &request.method);
        let mut wait_for_ready = self.core.defaults.wait_for_ready;
        if let Some(method) = attempts.as_ref().map(Attempts::method) {
            policy::check_request(method, request.body.len())?;
            if let Some(limit) = method.timeout {
                self.timeout = Some(timeout::within(self.timeout, limit));
            }
            wait_for_ready = method.wait_for_ready.unwrap_or(wait_for_ready);
        }
        let timeout = timeout::begin(self.timeout, request).map(|(timeout, _)| timeout);
        let watch = self.core.watch(request)?;
        let rule = self.by_rule.map(|by_rule| by_rule.apply(request));
        let mut form = form(&self.core, request);
        let retries = self.retries.unwrap_or(self.core.defaults.retries);
        let mut retry = Retry::new(retries, timeout, wait_for_ready)
            .unprocessed_only()
            .among(self.core.servers.are_many());
        let is_configured = attempts.as_ref().is_some_and(Attempts::may_repeat);
        if let Some(policy) = self.core.retry_policy.clone().filter(|_| !is_configured) {
            retry.add_own(CallPolicy { policy, deadline: request.deadline });
        }
        if let Some(attempts) = attempts {
            form.max_sent = attempts.method().max_request.map_or(usize::MAX, |most| most as usize);
            let policy = Policy::new(attempts, request.deadline, self.core.longest);
            form.longest = policy.max_response();
            retry.add_policy(policy);
        }
        let mut search = Search::new(self.key);
        search.tries = self.core.tries(self.part_of);
        Ok((
            Opening {
                core: self.core,
                request: self.request,
                form,
                retry,
                rule,
                search,
                server: None,
                repeatable: self.repeatable,
            },
            watch,
        ))
    }
}

impl<S: Shape> IntoFuture for StreamingCall<S> {
    type Output = Result<S, Status>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move {
            self.choose_channel()?;
            if S::MESSAGES {
                self.check_protocol()?;
            }
            let (opening, watch) = self.complete(S::STREAMED)?;
            let opened = S::open(opening).await;
            let Some(mut watch) = watch else { return opened };
            match opened {
                Ok(opened) => Ok(opened.watched(watch)),
                Err(status) => {
                    watch.end(&status, 0);
                    Err(status)
                }
            }
        })
    }
}

impl StreamingCall<Streaming<Raw>> {
    /// The encoding of the messages, where it differs from the channel's.
    pub fn content(mut self, content: Content) -> Self {
        self.request.content = content;
        self
    }
}

/// How the protocol carries the messages of the call.
fn form(core: &Core, request: &Request) -> Form {
    Form {
        role: Role::Client,
        content: request.content,
        json: polywire_formats::json::Json::DEFAULT,
        compression: request.compression,
        longest: core.longest,
        max_sent: usize::MAX,
    }
}
