//! Sends every call to one of the channels, and to another one if that fails.

use crate::{
    call::{
        moment::Moment,
        retry::{Retry, Step},
    },
    channel::{Channel, ChannelError, NoProtocols},
    combination::{
        chosen::{Chosen, Member},
        core::{self, TIMEOUT},
        parallel::sub_call,
    },
    connection::home::sleep,
    core::{Combination, CombinedCall, Combining, SharedCore},
    servers::{self, Search},
    timeline::Timeline,
};
use arc_swap::ArcSwap;
use polywire_balance::{Endpoint, Members, NoEndpoint, Picker, Reason, Spec, SpecError};
use polywire_base::lock;
use polywire_call::{ConfigError, Origin, Status, brpc};
use polywire_engine::clock;
use polywire_wire::Outcome;
use std::{
    marker::PhantomData,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// How long a call waits for a ready channel before it looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// The default number of further attempts.
const RETRIES: u32 = 3;
const BALANCER: &str = "rr";

/// A channel that sends every call to one of several channels. As brpc's SelectiveChannel.
///
/// A channel is skipped while none of its servers can be chosen. A call that failed on one channel, after
/// that channel's retries, is tried on another one if it is safe to repeat.
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_client::*}; }
/// use polywire::{Channel, ChannelError, Selective};
///
/// # fn example(east: Channel, west: Channel) -> Result<Channel, ChannelError> {
/// let either = Selective::new().weighted(east, 3).weighted(west, 1).balancer("wr").build()?;
/// # Ok(either)
/// # }
/// ```
#[must_use]
pub struct Selective<P = NoProtocols> {
    channels: Vec<(SharedCore, Option<u32>)>,
    balancer: String,
    timeout: Option<Duration>,
    retries: u32,
    after_loss: bool,
    protocols: PhantomData<fn() -> P>,
}

impl<P> Default for Selective<P> {
    fn default() -> Self {
        Selective {
            channels: Vec::new(),
            balancer: BALANCER.to_owned(),
            timeout: Some(TIMEOUT),
            retries: RETRIES,
            after_loss: false,
            protocols: PhantomData,
        }
    }
}

impl<P> Selective<P> {
    /// A combination without channels yet.
    pub fn new() -> Self {
        Selective::default()
    }

    /// Adds a channel to choose from, with the weight 1.
    pub fn channel(mut self, channel: Channel<P>) -> Self {
        self.channels.push((channel.core().clone(), None));
        self
    }

    /// Adds a channel with a weight, for balancers that use weights. 0 counts as 1.
    pub fn weighted(mut self, channel: Channel<P>, weight: u32) -> Self {
        self.channels.push((channel.core().clone(), Some(weight)));
        self
    }

    /// The balancer that chooses the channel of each call, by the name of a server balancer (`rr`, `wr`,
    /// `p2c`, `c_murmurhash`). Default `rr`.
    pub fn balancer(mut self, spec: impl Into<String>) -> Self {
        self.balancer = spec.into();
        self
    }

    /// The time limit of a call, all tries included, in place of the channels' timeouts. Default 1 s. `None`:
    /// no limit.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// The maximum number of further channels on which a call is tried that is safe to repeat. Default 3.
    /// Each channel's own retries come on top.
    pub fn retries(mut self, most: u32) -> Self {
        self.retries = most;
        self
    }

    /// Whether a call that was lost with its connection is tried on another channel, see
    /// [`Resilience::retries_after_loss`](crate::Resilience::retries_after_loss). Default false.
    pub fn retries_after_loss(mut self, retried: bool) -> Self {
        self.after_loss = retried;
        self
    }

    /// # Errors
    /// There is no channel, their requests are not encoded alike, or the balancer is wrong.
    pub fn build(self) -> Result<Channel<P>, ChannelError> {
        self.build_changeable().map(|(channel, _)| channel)
    }

    /// Like [`Selective::build`], but also returns a handle that adds and removes channels later.
    ///
    /// # Errors
    /// The errors of [`Selective::build`].
    pub fn build_changeable(self) -> Result<(Channel<P>, Selection<P>), ChannelError> {
        let balancer: Spec = self.balancer.parse().map_err(|wrong: SpecError| {
            ConfigError::new("balancer", wrong.to_string()).with_value(&*self.balancer)
        })?;
        let cores: Vec<_> = self.channels.iter().map(|(core, _)| core.clone()).collect();
        let nobody = servers::random(|random| balancer.picker(Members::new(Vec::new()), random));
        let calls = Arc::new(Calls {
            balancer,
            retries: self.retries,
            after_loss: self.after_loss,
            picker: ArcSwap::from_pointee(nobody),
            changing: Mutex::new(0),
            timeline: Timeline::new(),
        });
        let channel = core::channel("selective", &cores, self.timeout, self.retries, calls.clone())?;
        let first = cores[0].clone();
        for (core, weight) in self.channels {
            calls.add(core, weight);
        }
        Ok((channel, Selection { calls, first, protocols: PhantomData }))
    }
}

/// Adds channels to a selective combination, and removes them, while calls are made.
pub struct Selection<P = NoProtocols> {
    calls: Arc<Calls>,
    first: SharedCore,
    protocols: PhantomData<fn() -> P>,
}

impl<P> Selection<P> {
    /// Adds a channel, with a weight for balancers that use weights. Returns its number. The channels that
    /// the combination was built with are numbered from 0.
    ///
    /// # Errors
    /// The channel encodes requests differently from the others.
    pub fn add(&self, channel: &Channel<P>, weight: Option<u32>) -> Result<u64, ChannelError> {
        core::check_alike("selective", &self.first, std::slice::from_ref(channel.core()))?;
        Ok(self.calls.add(channel.core().clone(), weight))
    }

    /// Removes the channel of this number; calls on it continue. `false`: there is none.
    pub fn remove(&self, number: u64) -> bool {
        self.calls.remove(number)
    }
}

/// The calls of a selective channel.
struct Calls {
    balancer: Spec,
    retries: u32,
    after_loss: bool,
    picker: ArcSwap<Picker>,
    /// The number of the next channel. Held while the picker is replaced.
    changing: Mutex<u64>,
    timeline: Timeline,
}

impl Combination for Calls {
    fn call(self: Arc<Self>, call: CombinedCall) -> Combining {
        Box::pin(async move { self.run(call).await })
    }

    fn streaming(&self, key: Option<u64>) -> Result<SharedCore, Status> {
        let chosen = self.choose(&Search::new(key)).map_err(|why| self.none(why))?;
        Ok(chosen.core().clone())
    }

    fn channels(&self) -> Vec<SharedCore> {
        self.picker.load().members().iter().map(|endpoint| Member::of(endpoint).core.clone()).collect()
    }

    fn is_ready(&self) -> bool {
        self.picker.load().members().iter().any(|endpoint| Member::of(endpoint).core.is_ready())
    }
}

impl Calls {
    fn add(&self, core: SharedCore, weight: Option<u32>) -> u64 {
        let mut next = lock(&self.changing);
        let number = *next;
        *next += 1;
        let endpoint = Endpoint::new(&core.servers.spec().address, &format!("#{number}"));
        let endpoint = weight.into_iter().fold(endpoint, Endpoint::weighted).attach(Member { number, core });
        let mut endpoints = self.picker.load().members().to_vec();
        endpoints.push(Arc::new(endpoint));
        self.replace(endpoints);
        number
    }

    fn remove(&self, number: u64) -> bool {
        let _changing = lock(&self.changing);
        let mut endpoints = self.picker.load().members().to_vec();
        let before = endpoints.len();
        endpoints.retain(|endpoint| Member::of(endpoint).number != number);
        let is_gone = endpoints.len() < before;
        if is_gone {
            self.replace(endpoints);
        }
        is_gone
    }

    fn replace(&self, endpoints: Vec<Arc<Endpoint>>) {
        let picker = servers::random(|random| self.balancer.picker(Members::new(endpoints), random));
        self.picker.store(Arc::new(picker));
    }

    async fn run(&self, call: CombinedCall) -> Outcome {
        let retries = call.retries.unwrap_or(self.retries);
        let retry = Retry::new(retries, None, false).idempotent(call.idempotent, self.after_loss);
        let mut retry = retry.among(true);
        let mut search = Search::new(call.key);
        let mut before = None;
        loop {
            let chosen = match self.choose(&search) {
                Ok(chosen) => chosen,
                Err(why) if !call.wait_for_ready || why == NoEndpoint::NoKey => {
                    return before.unwrap_or_else(|| self.none(why).into());
                }
                Err(why) => match wait(call.request.deadline, &self.none(why)).await {
                    Some(over) => return over.into(),
                    None => continue,
                },
            };
            let left = call.request.deadline.map_or(Duration::MAX, left_until);
            let attempt = CombinedCall { retries: None, wait_for_ready: false, ..call.clone() };
            let outcome = sub_call(chosen.core().clone(), attempt, None).await;
            let endpoint = chosen.endpoint.clone();
            chosen.end(&outcome.status, left);
            if outcome.status.is_ok() {
                return outcome;
            }
            if call.wait_for_ready && is_unreached(&outcome.status) {
                if !self.is_ready()
                    && let Some(over) = wait(call.request.deadline, &outcome.status).await
                {
                    return over.into();
                }
                continue;
            }
            if retry.after(&outcome, Moment::now()) == Step::End {
                return outcome;
            }
            search.avoid(&endpoint);
            before = Some(outcome);
        }
    }

    /// Chooses a channel among the ready ones; if none is ready, among all, so that the error is that of a
    /// channel.
    fn choose(&self, search: &Search) -> Result<Chosen, NoEndpoint> {
        let picker = self.picker.load_full();
        let at = self.timeline.now();
        let members = picker.members();
        let is_any_ready = members.iter().any(|endpoint| Member::of(endpoint).core.is_ready());
        for endpoint in members {
            let is_out = is_any_ready && !Member::of(endpoint).core.is_ready();
            match (is_out, endpoint.state().holds(Reason::Unconnected)) {
                (true, false) => endpoint.state().hold(Reason::Unconnected),
                (false, true) => endpoint.state().release(Reason::Unconnected, at),
                _ => {}
            }
        }
        let endpoint = servers::ask(at, search, |query| picker.pick(query).cloned())?;
        Ok(Chosen::new(picker, endpoint, at, self.timeline))
    }

    #[cold]
    fn none(&self, why: NoEndpoint) -> Status {
        if why == NoEndpoint::NoKey {
            return Status::failed_precondition(format!("selective: {why}: say Call::key(..)"));
        }
        let text = match why {
            NoEndpoint::Empty => "selective: it has no channels".to_owned(),
            why => format!("selective: {why}"),
        };
        brpc::status(brpc::EHOSTDOWN, text).with_origin(Origin::Transport).unprocessed()
    }
}

/// Waits for a channel that is ready. Returns the outcome of the call if its deadline passes before; `why`:
/// the reason that no channel is ready.
pub(super) async fn wait(deadline: Option<Instant>, why: &Status) -> Option<Status> {
    sleep(deadline.map_or(LOOK_AGAIN, left_until).min(LOOK_AGAIN)).await;
    let is_over = deadline.is_some_and(|deadline| deadline <= clock::now());
    is_over.then(|| brpc::status(brpc::ERPCTIMEDOUT, format!("deadline exceeded: {}", why.message())))
}

/// Whether the status means that no server of the channel could be reached.
fn is_unreached(status: &Status) -> bool {
    status.is_unprocessed() && status.origin() == Origin::Transport
}

fn left_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(clock::now())
}
