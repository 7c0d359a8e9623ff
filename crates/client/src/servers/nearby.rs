//! The picker of a set: over all servers, or over those of the own zone first.

use crate::servers::{
    options::{FleetOptions, Zone},
    query,
};
use polywire_balance::{Endpoint, Members, Panic, Picker, by_zone};
use std::sync::Arc;

/// A picker for these servers.
pub(super) fn picker(options: &FleetOptions, endpoints: Vec<Arc<Endpoint>>) -> Picker {
    let members = |endpoints| {
        let mut members = Members::new(endpoints);
        if let Some(slow_start) = options.slow_start {
            members = members.slow_start(slow_start);
        }
        if let Some(percent) = options.panic_threshold {
            members = members.panic(Panic::new(percent));
        }
        members
    };
    query::random(|random| match &options.zone {
        None => options.balancer.picker(members(endpoints), random),
        Some(Zone { own, spill }) => {
            let zones = |tier: Vec<(String, u32, Vec<Arc<Endpoint>>)>| {
                tier.into_iter().map(|(_, weight, endpoints)| (weight, members(endpoints))).collect()
            };
            let tiers = by_zone(endpoints, own).into_iter().map(zones).collect();
            options.balancer.tiers(tiers, *spill, random)
        }
    })
}
