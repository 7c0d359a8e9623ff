//! The picker of a set: over all servers, over those of the channel's own zone first, or by the priorities
//! from naming.

use crate::servers::{
    options::{FleetOptions, Zone},
    pick::query,
    server::Server,
};
use polywire_balance::{Endpoint, Members, Panic, Picker, Subset, by_zone};
use polywire_base::SortedMap;
use std::sync::Arc;

/// A picker for these servers.
pub(in crate::servers) fn picker(options: &FleetOptions, endpoints: Vec<Arc<Endpoint>>) -> Picker {
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
    let is_ranked = |endpoint: &Arc<Endpoint>| {
        let server = Server::of(endpoint);
        server.priority() > 0 || server.zone_weight().is_some()
    };
    if endpoints.iter().any(is_ranked) {
        let tiers = by_priority(endpoints).into_values().map(|zones| {
            zones.into_values().map(|(weight, endpoints)| (weight, members(endpoints))).collect()
        });
        let tiers = tiers.collect();
        return query::random(|random| options.balancer.tiers(tiers, options.priorities, random));
    }
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

/// Takes a subset of the servers of each priority: a subset over all priorities might contain none of the
/// first.
pub(in crate::servers) fn subset(subset: Subset, endpoints: Vec<Arc<Endpoint>>) -> Vec<Arc<Endpoint>> {
    let mut priorities: SortedMap<u32, Vec<Arc<Endpoint>>> = SortedMap::new();
    for endpoint in endpoints {
        priorities.get_or_insert_with(Server::of(&endpoint).priority(), Vec::new).push(endpoint);
    }
    priorities.into_values().flat_map(|endpoints| subset.of(endpoints)).collect()
}

/// The servers of each zone with its weight.
type Zones = SortedMap<Option<String>, (u32, Vec<Arc<Endpoint>>)>;

/// The servers by priority, and in a priority by zone. Servers whose zones have no weight are together.
fn by_priority(endpoints: Vec<Arc<Endpoint>>) -> SortedMap<u32, Zones> {
    let mut priorities: SortedMap<u32, Zones> = SortedMap::new();
    for endpoint in endpoints {
        let server = Server::of(&endpoint);
        let (priority, weight) = (server.priority(), server.zone_weight());
        let zone = weight.map(|_| endpoint.zone().to_owned());
        let zones = priorities.get_or_insert_with(priority, Zones::new);
        zones.get_or_insert_with(zone, || (weight.unwrap_or(1), Vec::new())).1.push(endpoint);
    }
    priorities
}
