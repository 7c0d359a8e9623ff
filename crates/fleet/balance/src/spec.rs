//! Policies by their names.

use crate::{
    Locality, Members, Picker, Recovery, Spill, Tiers,
    policies::{
        ConsistentHash, Cost, LocalityAware, Policy, PowerOfChoices, Prequal, Random, RingKind, RoundRobin,
        TAU, Weighted, WeightedRoundRobin, WeightedRoundRobinSettings,
    },
};
use std::{fmt, str::FromStr, sync::Arc, time::Duration};

/// A policy and its parameters, read from text: `name` or `name:key=value key=value`, as brpc writes them.
///
/// ```
/// use polywire_balance::{Endpoint, Members, Spec};
/// let spec: Spec = "p2c:choices=3 tau_ms=5000".parse().unwrap();
/// let servers = ["10.0.0.1:8000", "10.0.0.2:8000"].map(|address| Endpoint::new(address, "").into());
/// let picker = spec.picker(Members::new(servers.into()), &mut fastrand::Rng::with_seed(7));
/// assert_eq!(picker.members().len(), 2);
/// assert!("p2c:choices=1".parse::<Spec>().unwrap_err().to_string().contains("from 2 to 64"));
/// ```
///
/// | name | parameters and their defaults |
/// | --- | --- |
/// | `rr`, `random` | `min_working_instances` (1 to 1000000) and `hold_seconds` (1 to 86400): see [`Recovery`]; neither: no recovery |
/// | `wrr`, `wr`, `la` | |
/// | `weighted_round_robin` | `blackout_ms=10000` (0 to 86400000), `expiration_ms=180000` (1 to 86400000), `update_ms=1000` (100 to 86400000), `error_penalty_percent=100` (0 to 100000) |
/// | `p2c` | `choices=2` (2 to 64), `tau_ms=10000` |
/// | `least_request` | `choices=2` (2 to 64) |
/// | `prequal` | `probes_percent=200` (10 to 1000; of the calls), `quantile_percent=60` (0 to 100; servers that count as cold) |
/// | `c_murmurhash`, `c_md5`, `c_ketama` | `replicas=100` (1 to 10000; a multiple of 4 for `c_ketama`) |
/// | `ring_hash` | `min_ring_size=1024`, `max_ring_size=4096` (1 to 8388608) |
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    kind: Kind,
    /// Number of servers and time, see [`Recovery::new`].
    recovery: Option<(u32, Duration)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    RoundRobin,
    Random,
    WeightedInTurns,
    WeightedAtRandom,
    ByReports {
        blackout: Duration,
        expiration: Duration,
        update: Duration,
        /// The penalty of an error in hundredths.
        error_penalty: u64,
    },
    LocalityAware,
    PowerOfChoices {
        choices: usize,
        cost: Cost,
    },
    /// All numbers are in hundredths.
    Prequal {
        probes: u64,
        quantile: u64,
    },
    ConsistentHash(RingKind),
    Own(Own),
}

/// A policy of the user.
#[derive(Clone)]
struct Own {
    name: &'static str,
    make: Arc<dyn Fn(&Members) -> Box<dyn Policy> + Send + Sync>,
}

impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}
impl Eq for Own {}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The error for a text that names no policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    spec: String,
    why: String,
}

impl Spec {
    /// The names of all policies. None needs parameters.
    pub const NAMES: [&'static str; 13] = [
        "rr",
        "wrr",
        "random",
        "wr",
        "weighted_round_robin",
        "la",
        "p2c",
        "least_request",
        "prequal",
        "c_murmurhash",
        "c_md5",
        "c_ketama",
        "ring_hash",
    ];

    /// A policy of your own, under this name on pages and in [`SpecError`]s: `make` makes one for each set of
    /// servers, and, in a channel with zones or priorities, for each part of the set.
    ///
    /// ```
    /// use polywire_balance::{Members, NoEndpoint, Query, Spec, policies::Policy};
    ///
    /// /// The first server that is ready.
    /// #[derive(Debug)]
    /// struct First;
    ///
    /// impl Policy for First {
    ///     fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
    ///         let ready = members.iter().position(|server| server.state().is_ready(query.now));
    ///         ready.ok_or(NoEndpoint::NoneReady)
    ///     }
    /// }
    ///
    /// let first = Spec::own("first", |_| Box::new(First));
    /// # let _ = first;
    /// ```
    pub fn own(
        name: &'static str,
        make: impl Fn(&Members) -> Box<dyn Policy> + Send + Sync + 'static,
    ) -> Spec {
        Spec { kind: Kind::Own(Own { name, make: Arc::new(make) }), recovery: None }
    }

    /// The name of a policy of the user.
    pub fn own_name(&self) -> Option<&'static str> {
        match &self.kind {
            Kind::Own(own) => Some(own.name),
            _ => None,
        }
    }

    /// A picker for these servers. Previous members keep their statistics.
    pub fn picker(&self, members: Members, random: &mut fastrand::Rng) -> Picker {
        let members = match self.recovery {
            Some((min_working, hold)) => members.recovery(Recovery::new(min_working, hold)),
            None => members,
        };
        let policy = self.policy(&members, random);
        Picker::new(members, policy)
    }

    /// A picker over tiers of localities with their weights, the most preferred tier first; each locality has
    /// a policy of its own.
    pub fn tiers(&self, tiers: Vec<Vec<(u32, Members)>>, spill: Spill, random: &mut fastrand::Rng) -> Picker {
        let mut place = |(weight, members): (u32, Members)| {
            let policy = self.policy(&members, random);
            Locality::new(weight, members, policy)
        };
        let tiers = tiers.into_iter().map(|tier| tier.into_iter().map(&mut place).collect()).collect();
        let picker = Tiers::picker(tiers, spill);
        match self.recovery {
            Some((min_working, hold)) => picker.recovering(Recovery::new(min_working, hold)),
            None => picker,
        }
    }

    /// Whether the policy's pickers request [probes](Picker::probes): only those of `prequal` do.
    pub fn asks_for_probes(&self) -> bool {
        matches!(self.kind, Kind::Prequal { .. })
    }

    /// Whether the policy's pickers choose by the [key](crate::Query::key) of a call, and find no server for
    /// a call without one.
    pub fn needs_key(&self) -> bool {
        matches!(self.kind, Kind::ConsistentHash(_))
    }

    /// The policy alone, for these members; [`Tiers`] consist of such policies.
    pub fn policy(&self, members: &Members, random: &mut fastrand::Rng) -> Box<dyn Policy> {
        match self.kind.clone() {
            _ if members.is_empty() => Box::new(Random), // it is never asked
            Kind::RoundRobin => Box::new(RoundRobin::new(random)),
            Kind::Random => Box::new(Random),
            Kind::WeightedInTurns => Box::new(Weighted::in_turns(members, random)),
            Kind::WeightedAtRandom => Box::new(Weighted::at_random(members)),
            Kind::ByReports { blackout, expiration, update, error_penalty } => {
                let settings =
                    WeightedRoundRobinSettings::default().blackout(blackout).expiration(expiration);
                let settings = settings.update(update).error_penalty(error_penalty as f64 / 100.0);
                Box::new(WeightedRoundRobin::new(members, settings, random))
            }
            Kind::LocalityAware => Box::new(LocalityAware::new(members)),
            Kind::PowerOfChoices { choices, cost } => Box::new(PowerOfChoices::new(choices, cost)),
            Kind::Prequal { probes, quantile } => {
                Box::new(Prequal::new(members, probes as f64 / 100.0, quantile as f64 / 100.0))
            }
            Kind::ConsistentHash(kind) => Box::new(ConsistentHash::new(members, kind)),
            Kind::Own(own) => (own.make)(members),
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let wrong = |why: String| SpecError { spec: text.to_owned(), why };
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let mut parameters = Parameters::read(parameters).map_err(wrong)?;
        let kind = kind(name.trim(), &mut parameters).map_err(wrong)?;
        let recovery = match kind {
            Kind::RoundRobin | Kind::Random => recovery(&mut parameters).map_err(wrong)?,
            _ => None,
        };
        parameters.none_left().map_err(wrong)?;
        Ok(Spec { kind, recovery })
    }
}

fn kind(name: &str, parameters: &mut Parameters<'_>) -> Result<Kind, String> {
    Ok(match name {
        "rr" => Kind::RoundRobin,
        "random" => Kind::Random,
        "wrr" => Kind::WeightedInTurns,
        "wr" => Kind::WeightedAtRandom,
        "weighted_round_robin" => {
            let mut millis = |key, least, default| {
                parameters.take(key, least, 86_400_000, default).map(Duration::from_millis)
            };
            Kind::ByReports {
                blackout: millis("blackout_ms", 0, 10_000)?,
                expiration: millis("expiration_ms", 1, 180_000)?,
                update: millis("update_ms", 100, 1000)?,
                error_penalty: parameters.take("error_penalty_percent", 0, 100_000, 100)?,
            }
        }
        "la" => Kind::LocalityAware,
        "p2c" => {
            let choices = parameters.take("choices", 2, 64, 2)? as usize;
            let tau = parameters.take("tau_ms", 1, 86_400_000, TAU.as_millis() as u64)?;
            Kind::PowerOfChoices { choices, cost: Cost::Latency { tau: Duration::from_millis(tau) } }
        }
        "least_request" => {
            let choices = parameters.take("choices", 2, 64, 2)? as usize;
            Kind::PowerOfChoices { choices, cost: Cost::InFlight }
        }
        "prequal" => Kind::Prequal {
            probes: parameters.take("probes_percent", 10, 1000, 200)?,
            quantile: parameters.take("quantile_percent", 0, 100, 60)?,
        },
        "c_murmurhash" => Kind::ConsistentHash(RingKind::Murmur { replicas: replicas(parameters)? }),
        "c_md5" => Kind::ConsistentHash(RingKind::Md5 { replicas: replicas(parameters)? }),
        "c_ketama" => match replicas(parameters)? {
            replicas if replicas % 4 == 0 => Kind::ConsistentHash(RingKind::Ketama { replicas }),
            replicas => return Err(format!("replicas={replicas} is not a multiple of 4")),
        },
        "ring_hash" => {
            let least = parameters.take("min_ring_size", 1, 8_388_608, 1024)?;
            let most = parameters.take("max_ring_size", 1, 8_388_608, 4096)?;
            if least > most {
                return Err(format!("min_ring_size={least} is above max_ring_size={most}"));
            }
            Kind::ConsistentHash(RingKind::RingHash { least, most })
        }
        _ => return Err(format!("no such balancer; there are {}", Spec::NAMES.join(", "))),
    })
}

fn recovery(parameters: &mut Parameters<'_>) -> Result<Option<(u32, Duration)>, String> {
    let min_working = parameters.take("min_working_instances", 1, 1_000_000, 0)?;
    let hold = parameters.take("hold_seconds", 1, 86_400, 0)?;
    match (min_working, hold) {
        (0, 0) => Ok(None),
        (0, _) | (_, 0) => Err("min_working_instances and hold_seconds go together".to_owned()),
        _ => Ok(Some((min_working as u32, Duration::from_secs(hold)))),
    }
}

fn replicas(parameters: &mut Parameters<'_>) -> Result<u32, String> {
    Ok(parameters.take("replicas", 1, 10_000, 100)? as u32)
}

/// `key=value` pairs, each of which is used once, and the keys that were requested.
struct Parameters<'a>(Vec<(&'a str, &'a str)>, Vec<&'static str>);

impl<'a> Parameters<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let pair = |part: &'a str| part.split_once('=').ok_or_else(|| format!("{part:?} is not KEY=VALUE"));
        Ok(Parameters(text.split_ascii_whitespace().map(pair).collect::<Result<_, _>>()?, Vec::new()))
    }

    /// The number that `key` has, between `least` and `most`.
    fn take(&mut self, key: &'static str, least: u64, most: u64, default: u64) -> Result<u64, String> {
        self.1.push(key);
        let Some(i) = self.0.iter().position(|(name, _)| *name == key) else { return Ok(default) };
        let (_, value) = self.0.remove(i);
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("{key}={value} is not a whole number from {least} to {most}"))
    }

    fn none_left(&self) -> Result<(), String> {
        match self.0.first() {
            None => Ok(()),
            Some((key, _)) if self.1.contains(key) => Err(format!("it has the parameter {key:?} twice")),
            Some((key, _)) if self.1.is_empty() => Err(format!("it has no parameter {key:?}, and no others")),
            Some((key, _)) => {
                let known = self.1.join(", ");
                Err(format!("it has no parameter {key:?}; there are {known}"))
            }
        }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "balancer {:?}: {}", self.spec, self.why)
    }
}
impl std::error::Error for SpecError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_no_policy_is_refused_with_the_reason() {
        for (text, why) in [
            ("", "no such balancer; there are rr,"),
            ("p3c", "no such balancer"),
            ("rr:choices=2", "no parameter \"choices\""),
            ("p2c:choice=3", "no parameter \"choice\"; there are choices, tau_ms"),
            ("wrr:choices=2", "no parameter \"choices\", and no others"),
            ("rr:hold_seconds=2", "go together"),
            ("random:min_working_instances=2", "go together"),
            ("rr:min_working_instances=0 hold_seconds=2", "from 1 to 1000000"),
            ("wrr:min_working_instances=1 hold_seconds=2", "no parameter"),
            ("p2c:choices", "is not KEY=VALUE"),
            ("p2c:choices=2 choices=3", "twice"),
            ("p2c:choices=65", "choices=65 is not a whole number from 2 to 64"),
            ("p2c:tau_ms=0", "from 1 to"),
            ("c_ketama:replicas=6", "not a multiple of 4"),
            ("c_md5:replicas=1000000000", "from 1 to 10000"),
            ("ring_hash:min_ring_size=5000", "is above max_ring_size=4096"),
            ("ring_hash:max_ring_size=99999999", "from 1 to 8388608"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn every_policy_does_without_parameters() {
        Spec::NAMES.iter().for_each(|name| assert!(name.parse::<Spec>().is_ok(), "{name}"));
    }

    #[test]
    fn parameters_come_in_any_order() {
        let spec: Spec = "p2c: tau_ms=7  choices=5".parse().unwrap();
        let cost = Cost::Latency { tau: Duration::from_millis(7) };
        assert_eq!(spec, Spec { kind: Kind::PowerOfChoices { choices: 5, cost }, recovery: None });
    }
}
