//! How often each caller may call.

use super::{
    buckets::{Buckets, Pace},
    client_of,
};
use crate::{
    admission::{self, Admission, Arrival},
    auth::Identity,
    context::Context,
};
use polywire_base::LineGate;
use polywire_call::{ConfigError, Status};
use polywire_engine::{Peer, clock};
use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// How often each caller may call: as many calls at once as the burst, then the rate. A further call is
/// refused with RESOURCE_EXHAUSTED, before its body is read. For
/// [`Server::admission`](crate::Server::admission):
///
/// ```
/// # fn f<P: polywire_server::Preset>() -> Result<polywire_server::Server<P>, polywire_server::ConfigError> {
/// use polywire_server::{RateBy, Rates, Server};
///
/// let rates = Rates::per_second(100).burst(20);
/// assert_eq!(rates.to_string(), "100/s burst 20".parse::<Rates>()?.to_string());
/// Ok(Server::new().admission(rates))
/// # }
/// ```
///
/// A caller is an identity; without one, its address, of which the first 64 bits count for IPv6.
/// 65 536 callers are known at once. Each process counts by itself. Clones count together.
#[derive(Clone)]
pub struct Rates {
    calls: u32,
    period: Duration,
    burst: u32,
    by: RateBy,
    dry_run: bool,
    state: Arc<State>,
}

/// Whose calls are counted together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum RateBy {
    /// Those of an identity; without one, of an address.
    #[default]
    Caller,
    /// Those of an address, of which the first 64 bits count for IPv6.
    Address,
    /// Those with the same value in this field; those without it, of a caller. Whoever can choose the value
    /// has a new bucket for each, so that only a proxy in front should set it.
    Field(Box<str>),
    /// All.
    All,
}

/// What rates have decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RatesReport {
    pub admitted: u64,
    /// Calls that were refused; in a dry run, those that would have been.
    pub refused: u64,
    /// Callers that are known now.
    pub callers: usize,
}

struct State {
    buckets: Buckets,
    seed: RandomState,
    began: Instant,
    admitted: AtomicU64,
    refused: AtomicU64,
    gate: LineGate,
}

impl Rates {
    /// So many calls a second, as many at once. 0 is 1.
    pub fn per_second(calls: u32) -> Rates {
        Rates::per(calls, Duration::from_secs(1))
    }

    /// So many calls in a period of at least a millisecond, as many at once. 0 calls are 1.
    pub fn per(calls: u32, period: Duration) -> Rates {
        let calls = calls.max(1);
        Rates {
            calls,
            period: period.clamp(Duration::from_millis(1), Duration::from_secs(86_400)),
            burst: calls,
            by: RateBy::Caller,
            dry_run: false,
            state: Arc::new(State {
                buckets: Buckets::new(),
                seed: RandomState::new(),
                began: clock::now(),
                admitted: AtomicU64::new(0),
                refused: AtomicU64::new(0),
                gate: LineGate::one_in(60),
            }),
        }
    }

    /// Calls that may come at once, by a caller who has not called for long. At least 1. Default: the calls
    /// of a period.
    #[must_use]
    pub fn burst(self, calls: u32) -> Rates {
        Rates { burst: calls.max(1), ..self }
    }

    /// Whose calls are counted together. Default: those of a [caller](RateBy::Caller).
    #[must_use]
    pub fn by(self, by: RateBy) -> Rates {
        Rates { by, ..self }
    }

    /// Counts and logs, and refuses nothing: to see whom a rate would hit. Default: off.
    #[must_use]
    pub fn dry_run(self, on: bool) -> Rates {
        Rates { dry_run: on, ..self }
    }

    pub fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    pub fn report(&self) -> RatesReport {
        let State { buckets, admitted, refused, .. } = &*self.state;
        RatesReport {
            admitted: admitted.load(Relaxed),
            refused: refused.load(Relaxed),
            callers: buckets.len(),
        }
    }

    /// Takes a call that has begun: for middleware and handlers that limit some calls only.
    ///
    /// # Errors
    /// The status with which it is to be refused.
    pub fn check(&self, cx: &Context) -> Result<(), Status> {
        self.exceeded(cx).filter(|_| !self.dry_run).map_or(Ok(()), Err)
    }

    /// Takes a call that has begun: the status with which it is to be refused, or would be but for the dry
    /// run. `None`: its caller may call as often.
    pub fn exceeded(&self, cx: &Context) -> Option<Status> {
        let key = self.key(cx.identity(), cx.peer(), |visit| cx.visit_fields(visit));
        let after = self.take(key, || cx.peer().to_string()).err()?;
        Some(admission::try_again(self.refusal(), after, is_grpc(cx)))
    }

    fn refusal(&self) -> Status {
        let whose = match &self.by {
            RateBy::Caller => "of a caller",
            RateBy::Address => "of an address",
            RateBy::Field(_) => "of one kind",
            RateBy::All => "in all",
        };
        Status::resource_exhausted(format!("more than {} calls {whose}", self.rate()))
    }

    /// # Errors
    /// The time until there is a call again.
    fn take(&self, key: u64, who: impl Fn() -> String) -> Result<(), Duration> {
        let State { buckets, began, admitted, refused, gate, .. } = &*self.state;
        let now = clock::now().saturating_duration_since(*began).as_nanos() as u64;
        let Err(after) = buckets.take(key, now, self.pace()) else {
            admitted.fetch_add(1, Relaxed);
            return Ok(());
        };
        refused.fetch_add(1, Relaxed);
        if let Some(left_out) = gate.pass() {
            let (rate, dry_run, peer) = (self.rate(), self.dry_run, who());
            tracing::warn!(peer, rate, dry_run, left_out, "a caller calls too often");
        }
        Err(after)
    }

    fn pace(&self) -> Pace {
        let interval = (self.period.as_nanos() as u64 / u64::from(self.calls)).max(1);
        Pace { interval, tolerance: interval.saturating_mul(u64::from(self.burst - 1)) }
    }

    /// The key of a caller: a hash that nobody can compute, so that it needs no bytes of what it is made of.
    fn key(
        &self,
        identity: Option<&Identity>,
        peer: &Peer,
        fields: impl FnOnce(&mut dyn FnMut(&str, &[u8])),
    ) -> u64 {
        let seed = &self.state.seed;
        if let RateBy::Field(name) = &self.by {
            let (mut key, mut times) = (0, 0);
            fields(&mut |field, value| {
                if field.eq_ignore_ascii_case(name) {
                    (key, times) = (seed.hash_one(("field", value)), times + 1);
                }
            });
            // Of several values, one may be of whoever is on the way, and the others of the caller.
            if times == 1 {
                return key;
            }
        }
        match (&self.by, identity, peer) {
            (RateBy::All, ..) => 0,
            (RateBy::Caller | RateBy::Field(_), Some(identity), _) => {
                seed.hash_one(("identity", &*identity.name))
            }
            // Programs on this machine, which have no addresses.
            (_, _, Peer::Unix(_)) => seed.hash_one("unix"),
            (_, _, peer) => seed.hash_one(("client", client_of(peer))),
        }
    }

    fn rate(&self) -> String {
        match self.period.as_secs_f64() {
            1.0 => format!("{}/s", self.calls),
            60.0 => format!("{}/min", self.calls),
            3600.0 => format!("{}/h", self.calls),
            _ => format!("{} in {:?}", self.calls, self.period),
        }
    }
}

impl Admission for Rates {
    fn admit(&self, call: &Arrival<'_>) -> Result<(), Status> {
        let key = self.key(call.identity(), call.peer(), |visit| call.visit_fields(visit));
        match self.take(key, || call.peer().to_string()) {
            Err(after) if !self.dry_run => Err(call.try_again(self.refusal(), after)),
            _ => Ok(()),
        }
    }
}

fn is_grpc(cx: &Context) -> bool {
    let mut is_grpc = false;
    cx.visit_fields(|name, value| {
        is_grpc |= name == "content-type" && value.starts_with(b"application/grpc")
    });
    is_grpc && cx.http().is_some()
}

/// Two rates are equal if they allow the same, whatever they have counted.
impl PartialEq for Rates {
    fn eq(&self, other: &Self) -> bool {
        (self.calls, self.period, self.burst, &self.by, self.dry_run)
            == (other.calls, other.period, other.burst, &other.by, other.dry_run)
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rate())?;
        if self.burst != self.calls {
            write!(f, " burst {}", self.burst)?;
        }
        match &self.by {
            RateBy::Caller => Ok(()),
            RateBy::Address => f.write_str(" by address"),
            RateBy::Field(name) => write!(f, " by field {name}"),
            RateBy::All => f.write_str(" in all"),
        }
    }
}

impl fmt::Debug for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rates({self}, dry_run: {})", self.dry_run)
    }
}

impl FromStr for Rates {
    type Err = ConfigError;

    /// Reads `100/s`, `100/min` or `100/h`, then `burst 20`, if there is one.
    fn from_str(text: &str) -> Result<Rates, ConfigError> {
        let wrong = || {
            ConfigError::new("rate", format!("{text:?}: write 100/s, 100/min or 100/h, also with `burst 20`"))
                .with_value(text)
        };
        let words: Vec<_> = text.split_whitespace().collect();
        let (rate, burst) = match words[..] {
            [rate] => (rate, None),
            [rate, "burst", burst] => (rate, Some(burst)),
            _ => return Err(wrong()),
        };
        let (calls, unit) = rate.split_once('/').ok_or_else(wrong)?;
        let seconds = match unit {
            "s" => 1,
            "min" => 60,
            "h" => 3600,
            _ => return Err(wrong()),
        };
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(wrong);
        let rates = Rates::per(number(calls)?, Duration::from_secs(seconds));
        Ok(match burst {
            Some(burst) => rates.burst(number(burst)?),
            None => rates,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_they_are_written() {
        for text in ["1/s", "100/s burst 20", "60/min", "4294967295/h"] {
            assert_eq!(text.parse::<Rates>().expect("a rate").to_string(), text);
        }
        let most: Rates = "1/h burst 4294967295".parse().expect("a rate");
        assert_eq!(most.pace().tolerance, u64::MAX, "more than the life of a program");
        assert_eq!("5/s burst 5".parse::<Rates>().expect("a rate").to_string(), "5/s");
        for text in [
            "",
            "5",
            "0/s",
            "5/d",
            "-1/s",
            "5/s 6",
            "5/s burst",
            "5/s burst 0",
            "5/s burst 1 x",
            "1e3/s",
            "4294967296/s",
        ] {
            assert!(text.parse::<Rates>().is_err(), "{text}");
        }
    }

    #[test]
    fn callers_are_told_by_identity_then_address_and_a_network_of_ipv6_is_one() {
        let key = |rates: &Rates, identity: Option<&str>, peer: &str, field: Option<&str>| {
            let identity = identity.map(Identity::named);
            let peer = Peer::Ip(peer.parse().expect("an address"));
            rates.key(identity.as_ref(), &peer, |visit| {
                field.into_iter().for_each(|value| visit("X-Tenant", value.as_bytes()));
            })
        };
        let rates = Rates::per_second(1);
        let (a, b) = ("192.0.2.1:1", "192.0.2.2:1");
        assert_eq!(key(&rates, Some("ada"), a, None), key(&rates, Some("ada"), b, None));
        assert_ne!(key(&rates, Some("ada"), a, None), key(&rates, Some("bob"), a, None));
        assert_ne!(key(&rates, Some("192.0.2.1"), a, None), key(&rates, None, a, None));
        assert_eq!(key(&rates, None, a, None), key(&rates, None, "192.0.2.1:2", None));
        assert_eq!(key(&rates, None, a, None), key(&rates, None, "[::ffff:192.0.2.1]:2", None));
        assert_eq!(
            key(&rates, None, "[2001:db8::1]:1", None),
            key(&rates, None, "[2001:db8::ffff:0:1]:1", None)
        );
        assert_ne!(
            key(&rates, None, "[2001:db8::1]:1", None),
            key(&rates, None, "[2001:db8:0:1::1]:1", None)
        );
        let by_address = rates.clone().by(RateBy::Address);
        assert_eq!(key(&by_address, Some("ada"), a, None), key(&by_address, Some("bob"), a, None));
        let by_field = rates.clone().by(RateBy::Field("x-tenant".into()));
        assert_eq!(key(&by_field, Some("ada"), a, Some("t")), key(&by_field, Some("bob"), b, Some("t")));
        assert_ne!(key(&by_field, None, a, Some("t")), key(&by_field, None, a, Some("u")));
        assert_eq!(key(&by_field, Some("ada"), a, None), key(&by_field, Some("ada"), b, None));
        let all = rates.by(RateBy::All);
        assert_eq!(key(&all, Some("ada"), a, None), key(&all, None, b, None));
    }
}
