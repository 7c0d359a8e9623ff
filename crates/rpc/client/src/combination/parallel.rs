//! Sends every call to all channels, and merges their replies.

use crate::{
    call::future::InFlight,
    channel::{Channel, ChannelError, NoProtocols},
    combination::{
        core::{self, TIMEOUT},
        fan_out::FanOut,
        part::{Mapper, Mapping, Part, guarded},
        reply::{self, BranchReply, Merger, Merging},
        verdict::{Limits, too_many},
    },
    core::{Combination, CombinedCall, Combining, SharedCore},
};
use polywire_call::{Status, brpc};
use polywire_wire::Outcome;
use std::{future::poll_fn, marker::PhantomData, sync::Arc, time::Duration};

/// A channel that sends every call to several channels at once and merges their replies into one. Like brpc's
/// ParallelChannel.
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_client::*}; }
/// use polywire::{Channel, ChannelError, Parallel};
///
/// # fn example(east: Channel, west: Channel) -> Result<Channel, ChannelError> {
/// let both = Parallel::new().channel(east).channel(west).fail_limit(1).build()?;
/// # Ok(both)
/// # }
/// ```
#[must_use]
pub struct Parallel<P = NoProtocols> {
    branches: Vec<Branched>,
    limits: Limits,
    timeout: Option<Duration>,
    merger: Option<Arc<dyn Merger>>,
    protocols: PhantomData<fn() -> P>,
}

/// One channel of a [`Parallel`], with the mapper that makes its request.
#[must_use]
pub struct Branch<P = NoProtocols> {
    branched: Branched,
    protocols: PhantomData<fn() -> P>,
}

#[derive(Clone)]
struct Branched {
    core: SharedCore,
    mapper: Option<Arc<dyn Mapper>>,
    timeout: Option<Duration>,
}

impl<P> From<Channel<P>> for Branch<P> {
    fn from(channel: Channel<P>) -> Self {
        Branch::new(channel)
    }
}

impl<P> Branch<P> {
    /// The channel is sent the whole call.
    pub fn new(channel: Channel<P>) -> Self {
        let branched = Branched { core: channel.core().clone(), mapper: None, timeout: None };
        Branch { branched, protocols: PhantomData }
    }

    /// Sets the mapper that turns the call into this channel's request. A mapper that fails or panics fails
    /// the call.
    pub fn mapper(mut self, mapper: impl Mapper) -> Self {
        self.branched.mapper = Some(Arc::new(mapper));
        self
    }

    /// The time limit of this channel's part. Default: that of the call. A part that exceeds it has failed;
    /// the call goes on.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.branched.timeout = Some(timeout);
        self
    }
}

impl<P> Default for Parallel<P> {
    fn default() -> Self {
        Parallel {
            branches: Vec::new(),
            limits: Limits::default(),
            timeout: Some(TIMEOUT),
            merger: None,
            protocols: PhantomData,
        }
    }
}

impl<P> Parallel<P> {
    /// A combination without channels yet.
    pub fn new() -> Self {
        Parallel::default()
    }

    /// Adds a channel, or a [`Branch`]. A channel may be added more than once.
    pub fn channel(mut self, branch: impl Into<Branch<P>>) -> Self {
        self.branches.push(branch.into().branched);
        self
    }

    /// The number of failed parts that fails the call at once. Default: the number of parts, so that the call
    /// fails only if all fail, and the successful replies are merged.
    pub fn fail_limit(mut self, failures: usize) -> Self {
        self.limits.fail = Some(failures);
        self
    }

    /// The number of successful parts that suffices: the other parts are cancelled. Ignored with a
    /// [`Parallel::fail_limit`]. Default: the call waits for all parts.
    pub fn success_limit(mut self, successes: usize) -> Self {
        self.limits.success = Some(successes);
        self
    }

    /// How the replies are merged. Default: protobuf messages are merged by protobuf's own rules, in the
    /// order of the channels.
    pub fn merger(mut self, merger: impl Merger) -> Self {
        self.merger = Some(Arc::new(merger));
        self
    }

    /// The time limit of a call, in place of the channels' timeouts. Default 1 s. `None`: no limit.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// # Errors
    /// There is no channel, or their requests are not encoded alike.
    pub fn build(self) -> Result<Channel<P>, ChannelError> {
        let Parallel { branches, limits, timeout, merger, .. } = self;
        let channels: Vec<_> = branches.iter().map(|branch| branch.core.clone()).collect();
        let calls = Calls { name: "parallel", branches: branches.into(), limits, merger };
        core::channel_without_retries("parallel", &channels, timeout, Arc::new(calls))
    }
}

/// The calls of a parallel channel.
pub(super) struct Calls {
    name: &'static str,
    branches: Box<[Branched]>,
    limits: Limits,
    merger: Option<Arc<dyn Merger>>,
}

impl Calls {
    /// A combination of these channels with one mapper for all.
    pub fn of(
        name: &'static str,
        cores: &[SharedCore],
        mapper: Option<Arc<dyn Mapper>>,
        limits: Limits,
        merger: Option<Arc<dyn Merger>>,
    ) -> Self {
        let branch =
            |core: &SharedCore| Branched { core: core.clone(), mapper: mapper.clone(), timeout: None };
        Calls { name, branches: cores.iter().map(branch).collect(), limits, merger }
    }
}

impl Combination for Calls {
    fn call(self: Arc<Self>, call: CombinedCall) -> Combining {
        Box::pin(async move { self.run(call).await.unwrap_or_else(Outcome::from) })
    }

    fn streaming(&self, _key: Option<u64>) -> Result<SharedCore, Status> {
        let text = format!("{} channels carry no streams: call one of their channels", self.name);
        Err(Status::unimplemented(text))
    }

    fn channels(&self) -> Vec<SharedCore> {
        self.branches.iter().map(|branch| branch.core.clone()).collect()
    }

    fn is_ready(&self) -> bool {
        let ready = self.branches.iter().filter(|branch| branch.core.is_ready()).count();
        ready >= self.limits.least_ready(self.branches.len())
    }
}

impl Calls {
    async fn run(&self, call: CombinedCall) -> Result<Outcome, Status> {
        let mut calls = FanOut::new();
        let mut numbers = Vec::with_capacity(self.branches.len());
        for (index, part) in self.parts(&call)? {
            let branch = &self.branches[index];
            let call = CombinedCall {
                request: part.request,
                idempotent: part.idempotent,
                within: call.within.clone(),
                ..call
            };
            numbers.push(index);
            calls.add(sub_call(branch.core.clone(), call, branch.timeout));
        }
        let parts = numbers.len();
        if parts == 0 {
            return Err(brpc::status(brpc::ECANCELED, format!("{}: every channel was skipped", self.name)));
        }
        let (fail_limit, success_limit) = self.limits.of(parts);
        let (mut failed, mut replies) = (Vec::new(), Vec::new());
        while let Some((number, outcome)) = poll_fn(|cx| calls.poll_next(cx)).await {
            let index = numbers[number];
            match self.reply(index, outcome) {
                Ok(reply) => replies.push(reply),
                Err(status) => failed.push((index, status)),
            }
            if failed.len() >= fail_limit || replies.len() >= success_limit {
                calls.cancel();
            }
        }
        if failed.len() >= fail_limit {
            return Err(too_many(self.name, &mut failed, parts, fail_limit));
        }
        replies.sort_unstable_by_key(|reply| reply.index);
        let mut merging = Merging { replies, failed };
        let merged = reply::merge(self.merger.as_deref(), &mut merging);
        if merging.failed.len() >= fail_limit {
            return Err(too_many(self.name, &mut merging.failed, parts, fail_limit));
        }
        Ok(merged?.into_outcome())
    }

    /// The request for each channel, without the channels that are skipped.
    fn parts(&self, call: &CombinedCall) -> Result<Vec<(usize, Part)>, Status> {
        let count = self.branches.len();
        let mut parts = Vec::with_capacity(count);
        for (index, branch) in self.branches.iter().enumerate() {
            let mut part = Part::new(index, count, branch.core.longest, call);
            let mapping = match &branch.mapper {
                None => Mapping::Send,
                Some(mapper) => guarded("the mapper", || mapper.map(&mut part))
                    .and_then(|mapping| mapping)
                    .map_err(|why| say(self.name, index, why))?,
            };
            if mapping == Mapping::Send {
                parts.push((index, part));
            }
        }
        Ok(parts)
    }

    fn reply(&self, index: usize, outcome: Outcome) -> Result<BranchReply, Status> {
        if !outcome.status.is_ok() {
            return Err(outcome.into_status());
        }
        BranchReply::new(index, outcome, self.branches[index].core.longest)
    }
}

#[cold]
fn say(name: &str, index: usize, why: Status) -> Status {
    let text = format!("{name}: channel {index} cannot be sent its part: {}", why.message());
    why.with_message(text)
}

/// Runs one channel's part of a call.
pub(super) async fn sub_call(core: SharedCore, call: CombinedCall, timeout: Option<Duration>) -> Outcome {
    match InFlight::of_combination(core, call, timeout) {
        Ok(mut call) => poll_fn(|cx| call.poll_watched(cx)).await,
        Err(status) => status.into(),
    }
}
