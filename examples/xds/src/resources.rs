//! What a control plane says to a client of `xds:///echo`, in Envoy's messages.

use crate::envoy::{
    config::{
        cluster::v3::{
            Cluster,
            cluster::{ClusterDiscoveryType, DiscoveryType, EdsClusterConfig},
        },
        core::v3::{
            Address, ConfigSource, Locality, SocketAddress, address, config_source::ConfigSourceSpecifier,
            socket_address::PortSpecifier,
        },
        endpoint::v3::{ClusterLoadAssignment, Endpoint, LbEndpoint, LocalityLbEndpoints, lb_endpoint},
        listener::v3::{ApiListener, Listener},
        route::v3::{
            Route, RouteAction, RouteConfiguration, RouteMatch, VirtualHost, WeightedCluster, route,
            route_action::ClusterSpecifier, route_match::PathSpecifier, weighted_cluster::ClusterWeight,
        },
    },
    extensions::filters::network::http_connection_manager::v3::{
        HttpConnectionManager, HttpFilter, http_connection_manager::RouteSpecifier,
    },
};
use polywire::{Status, wkt::Any};

/// The name of the target without `xds:///`.
pub const LISTENER: &str = "echo";

/// All resources: a cluster with one server each, by name, port and weight. One of weight 0 is there and gets
/// no calls: a cluster is to be known before routes lead to it, and until after they did.
pub fn all(clusters: &[(&str, u32, u32)]) -> Result<Vec<Any>, Status> {
    let mut resources = vec![listener(clusters)?];
    for (name, port, _) in clusters {
        resources.push(pack(&cluster(name))?);
        resources.push(pack(&endpoints(name, *port))?);
    }
    Ok(resources)
}

fn pack(message: &impl polywire::Message) -> Result<Any, Status> {
    Any::pack(message).map_err(|wrong| Status::internal(wrong.to_string()))
}

fn listener(clusters: &[(&str, u32, u32)]) -> Result<Any, Status> {
    let router = Any {
        type_url: "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router".into(),
        ..Default::default()
    };
    let manager = HttpConnectionManager {
        route_specifier: Some(RouteSpecifier::RouteConfig(Box::new(routes(clusters)))),
        http_filters: vec![HttpFilter {
            name: "router".into(),
            typed_config: router.into(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let api = ApiListener { api_listener: pack(&manager)?.into() };
    pack(&Listener { name: LISTENER.into(), api_listener: api.into() })
}

/// Every call goes to one of the clusters, by their weights.
fn routes(clusters: &[(&str, u32, u32)]) -> RouteConfiguration {
    let weight = |(name, _, weight): &(&str, u32, u32)| ClusterWeight {
        name: (*name).into(),
        weight: (*weight).into(),
        ..Default::default()
    };
    let clusters = clusters.iter().filter(|(.., weight)| *weight > 0);
    let split = WeightedCluster { clusters: clusters.map(weight).collect() };
    let split = ClusterSpecifier::WeightedClusters(Box::new(split));
    let any_path =
        RouteMatch { path_specifier: Some(PathSpecifier::Prefix("".into())), ..Default::default() };
    let action = RouteAction { cluster_specifier: Some(split), ..Default::default() };
    let route = Route {
        r#match: any_path.into(),
        action: Some(route::Action::Route(Box::new(action))),
        ..Default::default()
    };
    let host = VirtualHost { domains: vec!["*".into()], routes: vec![route], ..Default::default() };
    RouteConfiguration { name: "routes".into(), virtual_hosts: vec![host], ..Default::default() }
}

/// A cluster whose servers come from the same stream.
fn cluster(name: &str) -> Cluster {
    let here = ConfigSource { config_source_specifier: Some(ConfigSourceSpecifier::Ads(Box::default())) };
    Cluster {
        name: name.into(),
        cluster_discovery_type: Some(ClusterDiscoveryType::Type(DiscoveryType::EDS.into())),
        eds_cluster_config: EdsClusterConfig { eds_config: here.into(), ..Default::default() }.into(),
        ..Default::default()
    }
}

fn endpoints(cluster: &str, port: u32) -> ClusterLoadAssignment {
    let socket = SocketAddress {
        address: "127.0.0.1".into(),
        port_specifier: Some(PortSpecifier::PortValue(port)),
        ..Default::default()
    };
    let address = Address { address: Some(address::Address::SocketAddress(Box::new(socket))) };
    let endpoint = Endpoint { address: address.into(), ..Default::default() };
    let endpoint = LbEndpoint {
        host_identifier: Some(lb_endpoint::HostIdentifier::Endpoint(Box::new(endpoint))),
        ..Default::default()
    };
    let locality = LocalityLbEndpoints {
        locality: Locality { zone: "a".into(), ..Default::default() }.into(),
        lb_endpoints: vec![endpoint],
        load_balancing_weight: 1.into(),
        ..Default::default()
    };
    ClusterLoadAssignment { cluster_name: cluster.into(), endpoints: vec![locality], ..Default::default() }
}
