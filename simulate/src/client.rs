//! A client: the servers that it knows, and the picker that chooses among them.

use crate::{retry::Tries, run::Checked, setup::Setup, slab::Id};
use fastrand::Rng;
use polywire_balance::{
    Breaker, BreakerSettings, Endpoint, Members, Picker, Reason, Spec, Time, by_zone, mark_joined,
};
use std::{collections::BTreeMap, sync::Arc};

#[derive(Debug)]
pub struct Client {
    pub number: usize,
    pub zone: u32,
    pub picker: Picker,
    spec: Spec,
    pub tries: Tries,
    /// By server, if there are any.
    pub breakers: Vec<Breaker>,
    /// Attempts to connect since it was last connected, by server.
    pub attempts: Vec<u8>,
    /// What its checks have found, by server.
    pub checked: BTreeMap<u32, Checked>,
    /// Calls that found no server ready.
    pub waiting: Vec<Id>,
}

/// A server; its number can be read from its address.
fn endpoint(setup: &Setup, server: usize) -> Endpoint {
    Endpoint::new(&format!("{server:06}"), "").zoned(&setup.servers[server].zone.to_string())
}

/// The number of the server that an endpoint stands for.
pub fn number(endpoint: &Endpoint) -> usize {
    endpoint.address().parse().expect("addresses here are numbers")
}

impl Client {
    pub fn new(setup: &Setup, spec: Spec, number: usize, random: &mut Rng) -> Self {
        let zone = number as u32 % setup.client_zones;
        let endpoints = (0..setup.servers.len()).map(|i| Arc::new(endpoint(setup, i)));
        let endpoints = subset(setup, number, endpoints.collect());
        let breakers =
            |settings: &BreakerSettings| vec![*settings; setup.servers.len()].into_iter().map(Breaker::new);
        if !setup.connecting.at_begin {
            endpoints.iter().for_each(|endpoint| endpoint.state().hold(Reason::Unconnected));
        }
        Client {
            number,
            zone,
            picker: picker(setup, &spec, endpoints, zone, random),
            spec,
            tries: Tries::new(setup.retry, setup.hedge),
            breakers: setup.balancer.breaker.iter().flat_map(breakers).collect(),
            attempts: vec![0; setup.servers.len()],
            checked: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    /// The endpoint of a server, if the client uses it.
    pub fn endpoint(&self, server: usize) -> Option<&Arc<Endpoint>> {
        let members = self.picker.members();
        let found = members.binary_search_by(|member| number(member).cmp(&server));
        found.ok().map(|i| &members[i])
    }

    /// The numbers of the servers that the client uses.
    pub fn servers(&self) -> impl Iterator<Item = u32> {
        self.picker.members().iter().map(|member| number(member) as u32)
    }

    /// Naming has said which servers there are. An empty set is not taken, as in production. Returns the
    /// servers that are new and to which the client has to connect.
    pub fn take_set(&mut self, setup: &Setup, servers: &[usize], now: Time, random: &mut Rng) -> Vec<usize> {
        if servers.is_empty() {
            return Vec::new();
        }
        let old = self.picker.members().to_vec();
        let mut new = Vec::new();
        let mut known_or_new = |server: usize| match self.endpoint(server) {
            Some(known) => known.clone(),
            None => {
                new.push(server);
                let endpoint = endpoint(setup, server);
                endpoint.state().hold(Reason::Unconnected);
                Arc::new(endpoint)
            }
        };
        let endpoints: Vec<Arc<Endpoint>> = servers.iter().map(|server| known_or_new(*server)).collect();
        let endpoints = subset(setup, self.number, endpoints);
        mark_joined(&old, &endpoints, now);
        new.retain(|server| endpoints.iter().any(|endpoint| number(endpoint) == *server));
        self.picker = picker(setup, &self.spec, endpoints, self.zone, random).continuing(&self.picker);
        new
    }
}

fn subset(setup: &Setup, client: usize, endpoints: Vec<Arc<Endpoint>>) -> Vec<Arc<Endpoint>> {
    match setup.balancer.subset {
        Some(subset) => subset.of_client(client).of(endpoints),
        None => endpoints,
    }
}

fn picker(setup: &Setup, spec: &Spec, endpoints: Vec<Arc<Endpoint>>, zone: u32, random: &mut Rng) -> Picker {
    let members = |endpoints: Vec<Arc<Endpoint>>| {
        let members = Members::new(endpoints);
        match setup.balancer.slow_start {
            Some(slow_start) => members.slow_start(slow_start),
            None => members,
        }
    };
    let Some(spill) = setup.balancer.zones else { return spec.picker(members(endpoints), random) };
    let tiers = by_zone(endpoints, &zone.to_string()).into_iter();
    let tiers = tiers.map(|tier| tier.into_iter().map(|(_, weight, them)| (weight, members(them))).collect());
    spec.tiers(tiers.collect(), spill, random)
}
