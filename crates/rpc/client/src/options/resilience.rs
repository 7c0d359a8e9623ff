//! Options for failures of servers and calls.

use crate::{Hedge, health::HealthCheck, retry_budget::Retries, retry_policy::RetryPolicy};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spec, SpecError};

/// How a channel handles failures of servers and calls: the balancer, retries, hedging, and the rules by
/// which a server gets no calls for a while. All but retries and hedging only apply to channels with several
/// servers.
///
/// ```
/// # mod polywire { pub use polywire_client::*; }
/// use polywire::{Hedge, Resilience};
///
/// let resilience = Resilience::default().balancer("p2c").retries(2).hedge(Hedge::auto());
/// // Channel::builder(..).resilience(resilience)
/// # let _ = resilience;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Resilience {
    pub(crate) balancer: Option<Balancer>,
    pub(crate) retries: u32,
    pub(crate) retries_after_loss: bool,
    pub(crate) retry_policy: Option<RetryPolicy>,
    pub(crate) retry_budget: Option<Retries>,
    /// The bytes of a client stream that are kept so that it can be sent again.
    pub(crate) replay_bytes: usize,
    pub(crate) hedge: Option<Hedge>,
    pub(crate) outliers: Option<Outliers>,
    pub(crate) breaker: Option<BreakerSettings>,
    pub(crate) health_check: Option<HealthCheck>,
    pub(crate) slow_start: Option<SlowStart>,
    pub(crate) panic_threshold: Option<u32>,
}

/// The argument of [`Resilience::balancer`]: a name with parameters, or a [`Spec`].
#[derive(Clone, Debug)]
pub struct Balancer {
    pub(super) text: String,
    /// `None`: the text specifies the balancer.
    spec: Option<Spec>,
}

impl From<&str> for Balancer {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}
impl From<&String> for Balancer {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}
impl From<String> for Balancer {
    fn from(text: String) -> Self {
        Balancer { text, spec: None }
    }
}
impl From<Spec> for Balancer {
    fn from(spec: Spec) -> Self {
        let text = spec.own_name().map_or_else(|| format!("{spec:?}"), str::to_owned);
        Balancer { text, spec: Some(spec) }
    }
}

impl Balancer {
    /// # Errors
    /// The text names no balancer.
    pub(super) fn spec(&self) -> Result<Spec, SpecError> {
        self.spec.clone().map_or_else(|| self.text.parse(), Ok)
    }
}

impl Default for Resilience {
    fn default() -> Self {
        Resilience {
            balancer: None,
            retries: 3,
            retries_after_loss: false,
            retry_policy: None,
            retry_budget: None,
            replay_bytes: 1 << 20,
            hedge: None,
            outliers: None,
            breaker: None,
            health_check: None,
            slow_start: None,
            panic_threshold: None,
        }
    }
}

impl Resilience {
    /// The balancer that chooses the server of each call, by name and parameters: `p2c`, `rr`,
    /// `c_murmurhash:replicas=200`; [`Spec`], which is `polywire::balance::Spec`, lists them. Or one of your
    /// own, by [`Spec::own`]. Only for channels with several servers. Default `p2c`.
    pub fn balancer(mut self, balancer: impl Into<Balancer>) -> Self {
        self.balancer = Some(balancer.into());
        self
    }

    /// The number of further tries of a call that no server has executed: it was not sent, or the server
    /// refused it. Default 3, as brpc's `max_retry`. A call whose connection broke before its reply may have
    /// been executed, and is tried again only if it may run twice: if it is
    /// [idempotent](crate::Call::idempotent), as its method's `idempotency_level` in the `.proto` file says,
    /// or by [`Resilience::retries_after_loss`].
    pub fn retries(mut self, most: u32) -> Self {
        self.retries = most.min(1000);
        self
    }

    /// Whether calls that were lost with their connection are tried again, too, although they may have been
    /// executed. Default false. True is brpc's way: only for servers whose methods may all run twice.
    pub fn retries_after_loss(mut self, retried: bool) -> Self {
        self.retries_after_loss = retried;
        self
    }

    /// Which failures are retried, by code or by a function, within [`Resilience::retries`]. Default: tries
    /// that no server has executed. For methods with a retry policy in a service config, the config's policy
    /// is used instead.
    pub fn retry_policy(mut self, policy: impl Into<Option<RetryPolicy>>) -> Self {
        self.retry_policy = policy.into();
        self
    }

    /// Limits the retries of all calls of the channel together. Default: [`Retries::default`] for channels
    /// with several servers, no limit for others.
    pub fn retry_budget(mut self, retries: Retries) -> Self {
        self.retry_budget = Some(retries);
        self
    }

    /// The number of sent bytes that each client stream keeps for retries, including 56 for each message, if
    /// a service config has a retry policy for its method. Default 1 MiB. A stream that has sent more is not
    /// retried.
    pub fn replay_bytes(mut self, bytes: usize) -> Self {
        self.replay_bytes = bytes;
        self
    }

    /// Hedging: a slow call is sent a second time, to another server if there are several, and the first
    /// answer is used. Default: never. A method may then be executed twice;
    /// [`Call::hedge`](crate::Call::hedge) is for calls where that is not allowed.
    pub fn hedge(mut self, hedge: impl Into<Option<Hedge>>) -> Self {
        self.hedge = hedge.into();
        self
    }

    /// Outlier detection: servers whose calls fail more often than those of the others are ejected for a
    /// while. Default: off. [`Outliers::default`] has neither of the two algorithms and ejects no server: add
    /// one.
    pub fn outliers(mut self, outliers: impl Into<Option<Outliers>>) -> Self {
        self.outliers = outliers.into();
        self
    }

    /// brpc's circuit breaker: a server whose calls fail too often or take too long is isolated for a while,
    /// without comparison to other servers. Default: off.
    pub fn breaker(mut self, settings: impl Into<Option<BreakerSettings>>) -> Self {
        self.breaker = settings.into();
        self
    }

    /// Health checks: each server is checked at intervals, and gets no calls while its checks fail. Default:
    /// no checks; the state of servers then comes from their connections and calls. For channels with several
    /// servers.
    pub fn health_check(mut self, check: impl Into<Option<HealthCheck>>) -> Self {
        self.health_check = check.into();
        self
    }

    /// Servers that join a set get their full share of calls only after this ramp-up time. Default: at once.
    pub fn slow_start(mut self, slow_start: impl Into<Option<SlowStart>>) -> Self {
        self.slow_start = slow_start.into();
        self
    }

    /// The panic threshold: while less than this percentage of the servers is ready, calls also go to servers
    /// that outlier detection, a circuit breaker or a health check has taken out, because that many servers
    /// rarely fail independently. With a zone it applies to each zone whose calls other zones cannot take.
    /// Default: never; Envoy's is 50.
    pub fn panic_threshold(mut self, percent: impl Into<Option<u32>>) -> Self {
        self.panic_threshold = percent.into();
        self
    }

    /// The first option that is for several servers, if one is set.
    pub(super) fn for_several(&self) -> Option<&'static str> {
        let set = [
            ("resilience.balancer", self.balancer.is_some()),
            ("resilience.slow_start", self.slow_start.is_some()),
            ("resilience.outliers", self.outliers.is_some()),
            ("resilience.breaker", self.breaker.is_some()),
            ("resilience.panic_threshold", self.panic_threshold.is_some()),
            ("resilience.health_check", self.health_check.is_some()),
        ];
        set.into_iter().find_map(|(option, is_set)| is_set.then_some(option))
    }
}
