//! A call with one message each way, before it is sent: its request and its options.

use crate::{
    call::{
        hedge::Hedge,
        policy::{self, Policy},
        reply::Raw,
        retry::Retry,
        rule::ByRule,
        target::Target,
        timeout::{self, earlier},
    },
    core::{CombinedCall, SharedCore},
    interceptor::Watch,
    retry_policy::{CallPolicy, RetryPolicy},
    servers::Search,
    service_config::{Attempts, HedgingPolicy},
    tries::{PartOf, Tally},
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Parent, Status};
use polywire_engine::clock;
use polywire_exchange::Draft;
use polywire_formats::{compression, rest::Rule};
use polywire_wire::Protocol;
use std::{
    marker::PhantomData,
    sync::Arc,
    time::{Duration, Instant},
};

/// A call that has not been sent. Awaiting it sends; dropping it sends nothing. Methods of generated clients
/// return it.
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_client::*}; }
/// use polywire::{Call, Compression, Reply, Status};
/// use std::time::Duration;
///
/// # trait Echo { fn echo(&self, request: String) -> Call<polywire::Raw>; }
/// # async fn example(echo: impl Echo, request: String) -> Result<Reply<polywire::Raw>, Status> {
/// let reply = echo
///     .echo(request)
///     .timeout(Duration::from_millis(50))
///     .metadata("x-user", "42")
///     .compress(Compression::GZIP)
///     .retries(1)
///     .await?;
/// # Ok(reply)
/// # }
/// ```
#[must_use = "a call is sent when it is awaited"]
pub struct Call<R> {
    core: SharedCore,
    /// The request is at its final address, so that moving a call moves only a few words.
    draft: Draft,
    /// The call's timeout; `None`: the channel's.
    timeout: Option<Duration>,
    retries: u32,
    idempotent: Option<bool>,
    /// The options that few calls have, so that a call is small without them.
    extra: Option<Box<Extra>>,
    answer: PhantomData<fn() -> R>,
}

/// A call that is ready to be sent.
pub(super) struct Ready {
    pub core: SharedCore,
    pub draft: Draft,
    pub retry: Retry,
    pub search: Search,
    /// The hedge that may send the call a second time while the first request is under way.
    pub hedge: Option<Box<Hedge>>,
    /// The policy by which copies of the call are sent, if its method has a hedging policy.
    pub copies: Option<HedgingPolicy>,
    /// The interceptors' state, if the channel has any.
    pub watch: Option<Box<Watch>>,
    /// The HTTP rule by which the reply is read, if the call is made by a rule.
    pub rule: Option<&'static Rule<'static>>,
}

/// The rarely used options of a call.
#[derive(Default)]
struct Extra {
    attachment: IoBuf,
    compression: Compression,
    /// The body is compressed already.
    compressed: bool,
    /// The error of encoding the request, if encoding failed.
    failed: Option<Status>,
    /// See [`Call::wait_for_ready`].
    wait_for_ready: Option<bool>,
    by_rule: Option<ByRule>,
    key: Option<u64>,
    no_hedge: bool,
    retry_policy: Option<Arc<RetryPolicy>>,
    /// Whether the call is part of a call on a combination, which has its own time limit.
    of_combination: bool,
    part_of: Option<PartOf>,
}

impl<R> Call<R> {
    /// A part of a call through a combination, on one of its channels.
    pub(super) fn of_combination(core: SharedCore, call: CombinedCall, timeout: Option<Duration>) -> Self {
        let CombinedCall { mut request, key, retries, wait_for_ready, idempotent, within } = call;
        let wait_for_ready = wait_for_ready.then_some(true);
        let attachment_len = std::mem::take(&mut request.attachment) as usize;
        let message = request.body.cut(request.body.len().saturating_sub(attachment_len));
        let attachment = std::mem::replace(&mut request.body, message);
        let compression = std::mem::replace(&mut request.compression, Compression::NONE);
        let extra = Extra {
            attachment,
            compression,
            wait_for_ready,
            key,
            of_combination: true,
            part_of: within.map(|within| PartOf { within: Some(within), tally: None }),
            ..Extra::default()
        };
        let retries = retries.unwrap_or(core.defaults.retries);
        let draft = Draft::new(request);
        let extra = Some(Box::new(extra));
        Call { core, draft, timeout, retries, idempotent, extra, answer: PhantomData }
    }

    #[inline]
    pub(crate) fn new(core: SharedCore, target: Target, body: Result<IoBuf, Status>) -> Self {
        let retries = core.defaults.retries;
        let (body, extra) = match body {
            Ok(body) => (body, None),
            Err(failed) => (IoBuf::new(), Some(Box::new(Extra { failed: Some(failed), ..Extra::default() }))),
        };
        let idempotent = target.idempotent;
        let draft = Draft::new(target.request(body, core.content));
        Call { core, draft, timeout: None, retries, idempotent, extra, answer: PhantomData }
    }

    /// The call is made by a rule of `google.api.http`.
    pub(crate) fn by_rule(mut self, by_rule: ByRule) -> Self {
        self.extra.get_or_insert_default().by_rule = Some(by_rule);
        self
    }

    /// The time limit from the first poll to the end, all tries included. Default: the channel's.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// A deadline to inherit: the call ends by then, even if its timeout is longer. Default: `None`.
    pub fn deadline(mut self, deadline: impl Into<Option<Instant>>) -> Self {
        self.draft.deadline = deadline.into();
        self
    }

    /// Makes the call a part of the handled call `parent`: it ends by the same deadline, and belongs to the
    /// same trace. Cancellation needs no setting, since the future is dropped with the handler that awaits
    /// it.
    pub fn within(mut self, parent: &impl Parent) -> Self {
        if let Some(within) = parent.trace() {
            self.part_of().within = Some(within);
        }
        let deadline = earlier(self.draft.deadline, parent.deadline());
        self.deadline(deadline)
    }

    fn part_of(&mut self) -> &mut PartOf {
        self.extra.get_or_insert_default().part_of.get_or_insert_default()
    }

    /// Notes here the tries of the call: how many, and where the last one went. Not those of channels that a
    /// combination has.
    pub fn tally(mut self, tally: &Arc<Tally>) -> Self {
        self.part_of().tally = Some(tally.clone());
        self
    }

    /// Raw bytes that are sent beside the message; never compressed.
    pub fn attachment(mut self, attachment: impl Into<IoBuf>) -> Self {
        self.extra.get_or_insert_default().attachment = attachment.into();
        self
    }

    /// Adds a field that is sent beside the message.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.draft.metadata.append(name, value);
        self
    }

    /// Compresses the message with this codec.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.extra.get_or_insert_default().compression = compression;
        self
    }

    /// The number of further tries of this call, if they are safe ([`Call::idempotent`]). Default: the
    /// channel's. If a service config has a retry policy for the method, this number applies only to requests
    /// that no server has processed.
    pub fn retries(mut self, most: u32) -> Self {
        self.retries = most;
        self
    }

    /// Whether the call may be executed twice. `true`: it is also retried after its connection broke before
    /// the reply, when a server may have executed it. `false`: it is retried only if no server has processed
    /// it, whatever a policy allows, and it is not hedged. Default: the method's `idempotency_level` in the
    /// `.proto` file, and if it has none,
    /// [`Resilience::retries_after_loss`](crate::Resilience::retries_after_loss).
    pub fn idempotent(mut self, is: bool) -> Self {
        self.idempotent = Some(is);
        self
    }

    /// Which failures are retried, in place of the channel's policy
    /// ([`Resilience::retry_policy`](crate::Resilience)). This policy takes precedence over the service
    /// config's policy for the method.
    pub fn retry_policy(mut self, policy: RetryPolicy) -> Self {
        self.extra.get_or_insert_default().retry_policy = Some(Arc::new(policy));
        self
    }

    /// Whether the call waits, up to its deadline, while no server can be reached, instead of failing at
    /// once. Failures meanwhile do not count against its retries. Default: the channel's
    /// ([`Builder::wait_for_ready`](crate::Builder)).
    pub fn wait_for_ready(mut self, wait: bool) -> Self {
        self.extra.get_or_insert_default().wait_for_ready = Some(wait);
        self
    }

    /// The key by which a consistent-hash balancer chooses the server: calls with equal keys go to the same
    /// one (`c_murmurhash`, `ring_hash` and similar; brpc calls it the request code, and uses its low 32
    /// bits).
    pub fn key(mut self, key: u64) -> Self {
        self.extra.get_or_insert_default().key = Some(key);
        self
    }

    /// Whether the call is hedged if the channel hedges its calls
    /// ([`Resilience::hedge`](crate::Resilience::hedge)). Default: true. With false, the call is never
    /// executed twice for that.
    pub fn hedge(mut self, hedge: bool) -> Self {
        self.extra.get_or_insert_default().no_hedge = !hedge;
        self
    }

    /// Whether the call may be sent a second time while its first request is under way.
    pub(super) fn may_hedge(&self) -> bool {
        let hedges = || {
            let attempts = self.core.attempts(&self.draft.service, &self.draft.method);
            self.core.hedging.is_some()
                || attempts.is_some_and(|attempts| attempts.method().hedging.is_some())
        };
        self.idempotent != Some(false) && !self.extra.as_ref().is_some_and(|extra| extra.no_hedge) && hedges()
    }

    pub(super) fn is_combined(&self) -> bool {
        self.core.combination.is_some()
    }

    pub(super) fn protocol(&self) -> &'static Protocol {
        self.core.protocol()
    }

    /// Turns the options into the request and its rules for retries, and passes these to `then`: returned
    /// they would be copied on their way.
    ///
    /// # Errors
    /// The call cannot be made, or an error of `then`.
    #[inline]
    pub(super) fn complete<T>(self, then: impl FnOnce(Ready) -> Result<T, Status>) -> Result<T, Status> {
        let attempts = self.core.attempts(&self.draft.service, &self.draft.method);
        self.complete_as(attempts, then)
    }

    /// Like [`Call::complete`], with these attempts of a service config.
    #[inline]
    pub(super) fn complete_as<T>(
        mut self,
        attempts: Option<Attempts>,
        then: impl FnOnce(Ready) -> Result<T, Status>,
    ) -> Result<T, Status> {
        if let Some(attempts) = &attempts {
            self.add_config(attempts);
        }
        let mut wait_for_ready = self.core.defaults.wait_for_ready;
        let (mut by_rule, mut search, mut part_of) = (None, Search::default(), None);
        let mut hedges = self.idempotent != Some(false);
        let mut own = None;
        let mut timeout = self.core.defaults.timeout;
        if let Some(mut extra) = self.extra.take() {
            part_of = extra.part_of.take();
            search = Search::new(extra.key);
            hedges &= !extra.no_hedge;
            own = extra.retry_policy.clone();
            if extra.of_combination {
                timeout = None;
            }
            wait_for_ready = extra.wait_for_ready.unwrap_or(wait_for_ready);
            by_rule = self.add(*extra)?;
        }
        let timeout = self.timeout.or(timeout);
        let (timeout, mut begun) = timeout::begin(timeout, &mut self.draft).unzip();
        let mut retry = Retry::new(self.retries, timeout, wait_for_ready)
            .idempotent(self.idempotent, self.core.defaults.retries_after_loss)
            .among(self.core.servers.are_many());
        if own.is_none() && !attempts.as_ref().is_some_and(Attempts::may_repeat) {
            own.clone_from(&self.core.retry_policy);
        }
        if let Some(policy) = own {
            retry.add_own(CallPolicy { policy, deadline: self.draft.deadline });
        }
        let copies = attempts.as_ref().and_then(|attempts| attempts.method().hedging).filter(|_| hedges);
        if let Some(attempts) = attempts {
            self.set_policy(&mut retry, attempts)?;
        }
        let watch = self.core.watch(&mut self.draft)?;
        let rule = by_rule.map(|by_rule| by_rule.apply(&mut self.draft));
        if let Some(budget) = &self.core.retry_budget {
            budget.called(*begun.get_or_insert_with(clock::now));
        }
        search.set_begun(begun);
        search.tries = self.core.tries(part_of);
        let hedging = self.core.hedging.as_ref().filter(|_| hedges && copies.is_none());
        let hedge = hedging.map(|hedging| Hedge::new(hedging, &self.draft));
        then(Ready { core: self.core, draft: self.draft, retry, search, hedge, copies, watch, rule })
    }

    /// Uses the service config where the call sets nothing, and the shorter of two timeouts.
    #[cold]
    fn add_config(&mut self, attempts: &Attempts) {
        let method = attempts.method();
        if let Some(timeout) = method.timeout {
            self.timeout = Some(timeout::within(self.timeout, timeout));
        }
        if let Some(wait) = method.wait_for_ready {
            self.extra.get_or_insert_default().wait_for_ready.get_or_insert(wait);
        }
    }

    #[cold]
    fn set_policy(&self, retry: &mut Retry, attempts: Attempts) -> Result<(), Status> {
        policy::check_request(attempts.method(), self.draft.body.len())?;
        retry.add_policy(Policy::new(attempts, self.draft.deadline, self.core.longest));
        Ok(())
    }

    #[cold]
    fn add(&mut self, extra: Extra) -> Result<Option<ByRule>, Status> {
        if let Some(failed) = extra.failed {
            return Err(self.core.not_sent(failed));
        }
        if extra.by_rule.is_some() && !extra.attachment.is_empty() {
            let text = "a call by an HTTP rule carries no attachment beside its message";
            return Err(self.core.not_sent(Status::invalid_argument(text)));
        }
        let request = &mut *self.draft;
        let body = std::mem::take(&mut request.body);
        // In plain HTTP an empty body is none: compressed it would be a body, which GET has not.
        let has_no_body = body.is_empty() && self.core.is_plain_http();
        let compression = if has_no_body { Compression::NONE } else { extra.compression };
        let is_combined = self.core.combination.is_some();
        request.body = match compression {
            _ if is_combined || extra.compressed => body,
            compression => compression::compress(compression, body).map_err(|error| error.request())?,
        };
        request.compression = compression;
        request.attachment = extra.attachment.len() as u32;
        request.body.append(extra.attachment);
        Ok(extra.by_rule)
    }
}

impl Call<Raw> {
    /// The encoding of the body, where it differs from the channel's.
    pub fn content(mut self, content: Content) -> Self {
        self.draft.content = content;
        self
    }

    /// Declares that the body is already compressed with `compression`, such as a body that was received, and
    /// is sent unchanged. Not for calls on combinations.
    pub fn compressed(mut self, compression: Compression) -> Self {
        if compression != Compression::NONE {
            let extra = self.extra.get_or_insert_default();
            (extra.compression, extra.compressed) = (compression, true);
        }
        self
    }
}
