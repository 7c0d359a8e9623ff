//! `envoy.config.endpoint.v3.ClusterLoadAssignment`: addresses by priority and locality.

use super::faults::Share;
use crate::messages::envoy::config::{
    core::v3::{self as core, address::Address::SocketAddress, socket_address::PortSpecifier},
    endpoint::v3::{self as wire, lb_endpoint::HostIdentifier},
};
use polywire_formats::wkt::value::Kind;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    net::{IpAddr, SocketAddr},
};

/// Addresses of a cluster.
const MOST_ADDRESSES: usize = 100_000;

/// The endpoints of a cluster.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Endpoints {
    /// The priorities, most preferred first; each has at least one locality.
    pub priorities: Vec<Vec<Locality>>,
    /// Calls that are dropped: category, and parts of a million.
    pub drops: Vec<(String, u32)>,
    /// The number of endpoints and localities.
    pub entries: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Locality {
    /// Region, zone, and zone within it.
    pub name: [String; 3],
    /// The weight of the locality, above 0.
    pub weight: u32,
    /// The healthy endpoints.
    pub endpoints: Vec<Endpoint>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Endpoint {
    /// The first address, and further ones of the same server.
    pub address: SocketAddr,
    pub further: Vec<SocketAddr>,
    /// The weight of the endpoint, above 0.
    pub weight: u32,
    pub hostname: String,
    /// The key by which `ring_hash` places the endpoint; empty: its address. gRFC A76.
    pub hash_key: String,
}

impl Endpoints {
    pub fn check(wire: &wire::ClusterLoadAssignment) -> Result<Endpoints, String> {
        let mut priorities: BTreeMap<u32, Vec<Locality>> = BTreeMap::new();
        let mut addresses = HashSet::new();
        for locality in &wire.endpoints {
            let Some(checked) = Locality::check(locality, &mut addresses)? else { continue };
            priorities.entry(locality.priority).or_default().push(checked);
        }
        for (expected, (priority, localities)) in (0..).zip(&priorities) {
            if *priority != expected {
                return Err(format!("priority {expected} is missing, and there is priority {priority}"));
            }
            let names: BTreeSet<_> = localities.iter().map(|locality| &locality.name).collect();
            if names.len() != localities.len() {
                return Err(format!("a locality is there twice in priority {priority}"));
            }
            let sum: u64 = localities.iter().map(|locality| u64::from(locality.weight)).sum();
            if sum > u64::from(u32::MAX) {
                return Err(format!(
                    "the weights of the localities of priority {priority} come to {sum}, above 4294967295"
                ));
            }
        }
        let mut drops = Vec::new();
        for drop in wire.policy.as_option().map_or(&[][..], |policy| &policy.drop_overloads) {
            if drop.category.is_empty() {
                return Err("a category of drop_overloads is empty".to_owned());
            }
            let share = drop.drop_percentage.as_option().map(Share::check).transpose();
            let share = share.map_err(|why| format!("drop_overloads: {why}"))?;
            drops.push((drop.category.clone(), share.map_or(0, Share::millionths)));
        }
        let entries = priorities.values().flatten().map(|locality| 1 + locality.endpoints.len()).sum();
        Ok(Endpoints { priorities: priorities.into_values().collect(), drops, entries })
    }
}

impl Locality {
    /// `None`: the locality has no weight, and is left out.
    fn check(
        wire: &wire::LocalityLbEndpoints,
        addresses: &mut HashSet<SocketAddr>,
    ) -> Result<Option<Locality>, String> {
        let name = wire.locality.as_option().ok_or("endpoints have no locality")?;
        let weight = wire.load_balancing_weight.as_option().map_or(0, |weight| weight.value);
        if weight == 0 {
            return Ok(None);
        }
        let mut endpoints = Vec::new();
        let mut sum = 0u64;
        for endpoint in &wire.lb_endpoints {
            let checked = Endpoint::check(endpoint)?;
            for address in std::iter::once(checked.address).chain(checked.further.iter().copied()) {
                if !addresses.insert(address) {
                    return Err(format!("the address {address} is there twice"));
                }
                if addresses.len() > MOST_ADDRESSES {
                    return Err(format!("there are more than {MOST_ADDRESSES} addresses"));
                }
            }
            sum += u64::from(checked.weight);
            // UNKNOWN and HEALTHY
            if matches!(endpoint.health_status, 0 | 1) {
                endpoints.push(checked);
            }
        }
        if sum > u64::from(u32::MAX) {
            return Err(format!(
                "the weights of the endpoints of a locality come to {sum}, above 4294967295"
            ));
        }
        let name = [name.region.clone(), name.zone.clone(), name.sub_zone.clone()];
        Ok(Some(Locality { name, weight, endpoints }))
    }
}

impl Endpoint {
    fn check(wire: &wire::LbEndpoint) -> Result<Endpoint, String> {
        let Some(HostIdentifier::Endpoint(endpoint)) = &wire.host_identifier else {
            return Err("an endpoint has no address".to_owned());
        };
        let weight = wire.load_balancing_weight.as_option().map_or(1, |weight| weight.value);
        if weight == 0 {
            return Err("the weight of an endpoint is 0".to_owned());
        }
        let further =
            endpoint.additional_addresses.iter().map(|further| literal(further.address.as_option()));
        Ok(Endpoint {
            address: literal(endpoint.address.as_option())?,
            further: further.collect::<Result<_, _>>()?,
            weight,
            hostname: endpoint.hostname.clone(),
            hash_key: hash_key(wire.metadata.as_option()).unwrap_or_default().to_owned(),
        })
    }
}

fn hash_key(wire: Option<&core::Metadata>) -> Option<&str> {
    let value = wire?.filter_metadata.get("envoy.lb")?.fields.get("hash_key")?;
    match value.kind.as_ref()? {
        Kind::StringValue(key) => Some(key),
        _ => None,
    }
}

fn literal(wire: Option<&core::Address>) -> Result<SocketAddr, String> {
    let (host, port) = socket_address(wire)?;
    let ip: IpAddr = host
        .parse()
        .map_err(|_| format!("the address {:?} is not that of an endpoint", super::shortened(host)))?;
    Ok(SocketAddr::new(ip, port))
}

/// Parses host and port.
pub(super) fn socket_address(wire: Option<&core::Address>) -> Result<(&str, u16), String> {
    let Some(SocketAddress(socket)) = wire.and_then(|address| address.address.as_ref()) else {
        return Err("an address is not a socket_address".to_owned());
    };
    if socket.address.is_empty() {
        return Err("an address is empty".to_owned());
    }
    if !socket.resolver_name.is_empty() {
        return Err("resolver_name is not supported".to_owned());
    }
    let port = match socket.port_specifier {
        Some(PortSpecifier::PortValue(port)) => {
            u16::try_from(port).map_err(|_| format!("the port {port} is above 65535"))?
        }
        _ => return Err("an address has no port_value".to_owned()),
    };
    Ok((&socket.address, port))
}
