//! The policy by which an endpoint of a cluster is chosen: `load_balancing_policy` (gRFC A52), else
//! `lb_policy`.

use super::{duration, message};
use crate::messages::envoy::{
    config::cluster::v3::{
        self as wire, LoadBalancingPolicy,
        cluster::{LbConfig, LbPolicy, ring_hash_lb_config::HashFunction},
    },
    extensions::load_balancing_policies::{
        client_side_weighted_round_robin::v3::ClientSideWeightedRoundRobin, least_request::v3::LeastRequest,
        pick_first::v3::PickFirst, random_subsetting::v3::RandomSubsetting, ring_hash::v3 as ring,
        wrr_locality::v3::WrrLocality,
    },
};
use std::time::Duration;

/// A policy with its parameters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Policy {
    /// Calls are shared out to localities by their weights first, and `choice` is made in one.
    pub by_locality: bool,
    /// The maximum number of endpoints of each priority that are used. gRFC A68.
    pub most: Option<u32>,
    /// The maximum number of endpoints of each locality that are used.
    pub most_of_locality: Option<u32>,
    pub choice: Choice,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Choice {
    RoundRobin,
    /// The first endpoint that can be reached.
    First {
        shuffled: bool,
    },
    LeastRequest {
        choices: u32,
    },
    RingHash {
        least: u64,
        most: u64,
    },
    WeightedRoundRobin(Reports),
}

/// The load reports by which servers are weighted. gRFC A58.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reports {
    pub blackout: Duration,
    pub expiration: Duration,
    pub update: Duration,
    pub error_penalty: f32,
}

/// The maximum nesting of policies.
const DEEPEST: usize = 16;
const LARGEST_RING: u64 = 8_388_608;

impl Policy {
    pub fn check(wire: &wire::Cluster) -> Result<Policy, String> {
        if let Some(policy) = wire.load_balancing_policy.as_option() {
            return listed(policy, 0).map_err(|why| format!("load_balancing_policy: {why}"));
        }
        match wire.lb_policy.as_known() {
            Some(LbPolicy::ROUND_ROBIN) => Ok(Policy { by_locality: true, ..Choice::RoundRobin.into() }),
            Some(LbPolicy::LEAST_REQUEST) => {
                let count = match &wire.lb_config {
                    Some(LbConfig::LeastRequestLbConfig(config)) => config.choice_count.as_option(),
                    _ => None,
                };
                Ok(least_request(count.map(|count| count.value))?.into())
            }
            Some(LbPolicy::RING_HASH) => {
                let (mut least, mut most) = (None, None);
                if let Some(LbConfig::RingHashLbConfig(config)) = &wire.lb_config {
                    if config.hash_function.as_known() != Some(HashFunction::XX_HASH) {
                        return Err("ring_hash_lb_config.hash_function is not XX_HASH".to_owned());
                    }
                    least = config.minimum_ring_size.as_option().map(|size| size.value);
                    most = config.maximum_ring_size.as_option().map(|size| size.value);
                }
                Ok(ring_hash(least, most)?.into())
            }
            _ => Err(format!("lb_policy {} is not supported", wire.lb_policy.to_i32())),
        }
    }
}

impl From<Choice> for Policy {
    fn from(choice: Choice) -> Policy {
        Policy { by_locality: false, most: None, most_of_locality: None, choice }
    }
}

/// The first supported policy of a list.
fn listed(list: &LoadBalancingPolicy, depth: usize) -> Result<Policy, String> {
    if depth >= DEEPEST {
        return Err(format!("policies are nested deeper than {DEEPEST}"));
    }
    for policy in &list.policies {
        let Some(any) =
            policy.typed_extension_config.as_option().and_then(|config| config.typed_config.as_option())
        else {
            continue;
        };
        let name = any.message_name().strip_prefix("envoy.extensions.load_balancing_policies.").unwrap_or("");
        let choice = match name {
            "wrr_locality.v3.WrrLocality" => {
                let config: WrrLocality = message(any)?;
                let inner = config
                    .endpoint_picking_policy
                    .as_option()
                    .ok_or("WrrLocality has no policy within it")?;
                let inner = listed(inner, depth + 1)?;
                if inner.by_locality {
                    return Err("WrrLocality within WrrLocality is not supported".to_owned());
                }
                return Ok(Policy { by_locality: true, most: None, most_of_locality: inner.most, ..inner });
            }
            "random_subsetting.v3.RandomSubsetting" => {
                let config: RandomSubsetting = message(any)?;
                let size = config.subset_size.as_option().map_or(0, |size| size.value);
                if size == 0 {
                    return Err("RandomSubsetting.subset_size is 0".to_owned());
                }
                let inner = config.child_policy.as_option().ok_or("RandomSubsetting has no child_policy")?;
                let inner = listed(inner, depth + 1)?;
                // A random subset of a random subset is one of the smaller size.
                return Ok(Policy { most: Some(inner.most.unwrap_or(size).min(size)), ..inner });
            }
            "round_robin.v3.RoundRobin" => Choice::RoundRobin,
            "pick_first.v3.PickFirst" => {
                Choice::First { shuffled: message::<PickFirst>(any)?.shuffle_address_list }
            }
            "least_request.v3.LeastRequest" => {
                let config: LeastRequest = message(any)?;
                least_request(config.choice_count.as_option().map(|count| count.value))?
            }
            "ring_hash.v3.RingHash" => {
                let config: ring::RingHash = message(any)?;
                if config
                    .hash_function
                    .as_known()
                    .is_none_or(|hash| hash == ring::ring_hash::HashFunction::MURMUR_HASH_2)
                {
                    return Err("RingHash.hash_function is not XX_HASH".to_owned());
                }
                let size = |size: Option<&polywire_formats::wkt::UInt64Value>| size.map(|size| size.value);
                ring_hash(
                    size(config.minimum_ring_size.as_option()),
                    size(config.maximum_ring_size.as_option()),
                )?
            }
            "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin" => {
                Choice::WeightedRoundRobin(Reports::check(&message(any)?)?)
            }
            _ => continue, // one that other clients have
        };
        return Ok(choice.into());
    }
    Err("none of its policies is supported".to_owned())
}

fn least_request(choices: Option<u32>) -> Result<Choice, String> {
    match choices.unwrap_or(2) {
        choices @ (0 | 1) => Err(format!("choice_count is {choices}, below 2")),
        choices => Ok(Choice::LeastRequest { choices: choices.min(10) }),
    }
}

fn ring_hash(least: Option<u64>, most: Option<u64>) -> Result<Choice, String> {
    let (least, most) = (least.unwrap_or(1024), most.unwrap_or(LARGEST_RING));
    if least > LARGEST_RING || most > LARGEST_RING {
        return Err(format!("a ring size is above {LARGEST_RING}"));
    }
    if least > most {
        return Err(format!("minimum_ring_size {least} is above maximum_ring_size {most}"));
    }
    // gRFC A42: rings are capped at 4096.
    Ok(Choice::RingHash { least: least.clamp(1, 4096), most: most.clamp(1, 4096) })
}

impl Reports {
    fn check(wire: &ClientSideWeightedRoundRobin) -> Result<Reports, String> {
        let time = |name: &str, field, default| duration(name, field).map(|time| time.unwrap_or(default));
        let seconds = Duration::from_secs;
        let error_penalty = wire.error_utilization_penalty.as_option().map_or(1.0, |penalty| penalty.value);
        if error_penalty.is_nan() || error_penalty < 0.0 {
            return Err(format!("error_utilization_penalty is {error_penalty}"));
        }
        Ok(Reports {
            blackout: time("blackout_period", wire.blackout_period.as_option(), seconds(10))?,
            expiration: time(
                "weight_expiration_period",
                wire.weight_expiration_period.as_option(),
                seconds(180),
            )?,
            update: time("weight_update_period", wire.weight_update_period.as_option(), seconds(1))?
                .max(Duration::from_millis(100)),
            error_penalty,
        })
    }
}
