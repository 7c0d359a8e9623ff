//! A client: the servers that it knows, and the picker that chooses among them.

use crate::{retry::Budget, setup::Setup, slab::Id};
use fastrand::Rng;
use polywire_balance::{Endpoint, Members, Picker, Reason, Spec, Time, mark_joined};
use std::sync::Arc;

#[derive(Debug)]
pub struct Client {
    pub number: usize,
    pub zone: u32,
    pub picker: Picker,
    spec: Spec,
    pub budget: Budget,
    /// Attempts to connect since it was last connected, by server.
    pub attempts: Vec<u8>,
    /// Calls that found no server ready.
    pub waiting: Vec<Id>,
}

/// The name of a server, from which its number can be read again.
fn address(server: usize) -> String {
    format!("{server:06}")
}

/// The number of the server that an endpoint stands for.
pub fn number(endpoint: &Endpoint) -> usize {
    endpoint.address().parse().expect("addresses here are numbers")
}

impl Client {
    pub fn new(setup: &Setup, spec: Spec, number: usize, random: &mut Rng) -> Self {
        let endpoints = (0..setup.servers.len()).map(|i| Arc::new(Endpoint::new(&address(i), "")));
        let endpoints = subset(setup, number, endpoints.collect());
        if !setup.connecting.at_begin {
            endpoints.iter().for_each(|endpoint| endpoint.state().hold(Reason::Unconnected));
        }
        Client {
            number,
            zone: number as u32 % setup.client_zones,
            picker: spec.picker(members(setup, endpoints), random),
            spec,
            budget: Budget::default(),
            attempts: vec![0; setup.servers.len()],
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

    /// Naming has said which servers there are. An empty set is not taken, as in production. Returns the servers that are new
    /// and to which the client has to connect.
    pub fn take_set(&mut self, setup: &Setup, servers: &[usize], now: Time, random: &mut Rng) -> Vec<usize> {
        if servers.is_empty() {
            return Vec::new();
        }
        let old = self.picker.members().to_vec();
        let mut new = Vec::new();
        let mut endpoint = |server: usize| match self.endpoint(server) {
            Some(known) => known.clone(),
            None => {
                new.push(server);
                let endpoint = Endpoint::new(&address(server), "");
                endpoint.state().hold(Reason::Unconnected);
                Arc::new(endpoint)
            }
        };
        let endpoints: Vec<Arc<Endpoint>> = servers.iter().map(|server| endpoint(*server)).collect();
        let endpoints = subset(setup, self.number, endpoints);
        mark_joined(&old, &endpoints, now);
        new.retain(|server| endpoints.iter().any(|endpoint| number(endpoint) == *server));
        self.picker = self.spec.picker(members(setup, endpoints), random);
        new
    }

    /// Servers have reported how much they can do.
    pub fn take_weights(&mut self, setup: &Setup, weights: &[u32], random: &mut Rng) {
        let weighted =
            self.picker.members().iter().map(|member| {
                Arc::new(Endpoint::new(member.address(), "").weighted(weights[number(member)]))
            });
        self.picker = self.spec.picker(members(setup, weighted.collect()), random);
    }
}

fn subset(setup: &Setup, client: usize, endpoints: Vec<Arc<Endpoint>>) -> Vec<Arc<Endpoint>> {
    match setup.balancer.subset {
        Some(subset) => subset.of_client(client).of(endpoints),
        None => endpoints,
    }
}

fn members(setup: &Setup, endpoints: Vec<Arc<Endpoint>>) -> Members {
    let members = Members::new(endpoints);
    match setup.balancer.slow_start {
        Some(slow_start) => members.slow_start(slow_start),
        None => members,
    }
}
