//! `envoy.config.cluster.v3.Cluster`. Source: gRFC A27, A32 (circuit breakers), A37 (aggregates, DNS), A50
//! (outliers).

use super::{Known, duration, endpoints::socket_address, message, policy::Policy, shortened, tls};
use crate::{
    bootstrap::canonical,
    messages::envoy::{
        config::cluster::v3::{
            self as wire,
            circuit_breakers::thresholds::RoutingPriority,
            cluster::{ClusterDiscoveryType, DiscoveryType},
        },
        extensions::clusters::aggregate::v3::ClusterConfig,
    },
};
use polywire_balance::{FailurePercentage, Outliers, SuccessRate};
use polywire_formats::wkt::UInt32Value;
use polywire_routing::ClusterTls;
use std::time::Duration;

/// A set of endpoints, with the policy for choosing one and the way of connecting to it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Cluster {
    pub name: String,
    pub discovery: Discovery,
    pub policy: Policy,
    /// Calls at the same time.
    pub max_requests: u32,
    pub outliers: Option<Outliers>,
    pub tls: Option<ClusterTls>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Discovery {
    /// The name of the endpoints.
    Eds(String),
    /// A host name, as `host:port`.
    Dns(String),
    Aggregate(Vec<String>),
}

const AGGREGATE: &str = "envoy.clusters.aggregate";

impl Cluster {
    pub fn check(wire: &wire::Cluster, known: &Known) -> Result<Cluster, String> {
        let discovery = discovery(wire)?;
        let policy = Policy::check(wire)?;
        if let Some(source) = wire.lrs_server.as_option() {
            use crate::messages::envoy::config::core::v3::config_source::ConfigSourceSpecifier::Self_;
            if !matches!(source.config_source_specifier, Some(Self_(_))) {
                return Err("lrs_server is not self".to_owned());
            }
        }
        if !wire.transport_socket_matches.is_empty() {
            return Err("transport_socket_matches is not supported".to_owned());
        }
        let breakers = wire.circuit_breakers.as_option();
        let threshold = breakers.and_then(|breakers| {
            breakers.thresholds.iter().find(|one| one.priority.as_known() == Some(RoutingPriority::DEFAULT))
        });
        let max_requests =
            threshold.and_then(|one| one.max_requests.as_option()).map_or(1024, |most| most.value);
        let detection = wire.outlier_detection.as_option().map(outliers).transpose();
        let tls = wire.transport_socket.as_option().map(|socket| tls::check(socket, known)).transpose();
        Ok(Cluster {
            name: canonical(&wire.name),
            discovery,
            policy,
            max_requests,
            outliers: detection.map_err(|why| format!("outlier_detection: {why}"))?,
            tls: tls.map_err(|why| format!("transport_socket: {why}"))?,
        })
    }
}

fn discovery(wire: &wire::Cluster) -> Result<Discovery, String> {
    match &wire.cluster_discovery_type {
        Some(ClusterDiscoveryType::Type(kind)) => match kind.as_known() {
            Some(DiscoveryType::EDS) => {
                let eds = wire.eds_cluster_config.as_option().ok_or("eds_cluster_config is missing")?;
                let source = eds.eds_config.as_option();
                if source.is_none_or(|source| source.config_source_specifier.is_none()) {
                    return Err("eds_config is neither ads nor self".to_owned());
                }
                match eds.service_name.is_empty() {
                    true if wire.name.starts_with("xdstp:") => {
                        Err("service_name is missing, which a cluster with an xdstp name has".to_owned())
                    }
                    true => Ok(Discovery::Eds(canonical(&wire.name))),
                    false => Ok(Discovery::Eds(canonical(&eds.service_name))),
                }
            }
            Some(DiscoveryType::LOGICAL_DNS) => dns(wire).map(Discovery::Dns),
            _ => Err("its type is neither EDS nor LOGICAL_DNS nor an aggregate".to_owned()),
        },
        Some(ClusterDiscoveryType::ClusterType(custom)) if custom.name == AGGREGATE => {
            let any = custom.typed_config.as_option().ok_or("the aggregate has no typed_config")?;
            if any.message_name() != "envoy.extensions.clusters.aggregate.v3.ClusterConfig" {
                return Err(format!("the aggregate is configured by {:?}", shortened(&any.type_url)));
            }
            let config: ClusterConfig = message(any)?;
            match config.clusters.is_empty() {
                true => Err("the aggregate has no clusters".to_owned()),
                false => {
                    Ok(Discovery::Aggregate(config.clusters.iter().map(|name| canonical(name)).collect()))
                }
            }
        }
        Some(ClusterDiscoveryType::ClusterType(custom)) => {
            Err(format!("the cluster_type {:?} is not supported", shortened(&custom.name)))
        }
        None => Err("its type is STATIC, which is not supported".to_owned()),
    }
}

fn dns(wire: &wire::Cluster) -> Result<String, String> {
    let assignment =
        wire.load_assignment.as_option().ok_or("load_assignment is missing, which LOGICAL_DNS needs")?;
    let [locality] = &assignment.endpoints[..] else {
        return Err("load_assignment has not exactly one locality, as LOGICAL_DNS needs".to_owned());
    };
    let [endpoint] = &locality.lb_endpoints[..] else {
        return Err("load_assignment has not exactly one endpoint, as LOGICAL_DNS needs".to_owned());
    };
    use crate::messages::envoy::config::endpoint::v3::lb_endpoint::HostIdentifier::Endpoint;
    let Some(Endpoint(endpoint)) = &endpoint.host_identifier else {
        return Err("load_assignment has an endpoint without an address".to_owned());
    };
    let (host, port) = socket_address(endpoint.address.as_option())?;
    Ok(match host.contains(':') {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    })
}

fn outliers(wire: &wire::OutlierDetection) -> Result<Outliers, String> {
    let time = |name: &str, field, seconds| {
        duration(name, field).map(|time| time.unwrap_or(Duration::from_secs(seconds)))
    };
    let number = |field: Option<&UInt32Value>, default| field.map_or(default, |number| number.value);
    let percent = |name: &str, field: Option<&UInt32Value>, default| match number(field, default) {
        percent @ 0..=100 => Ok(percent),
        percent => Err(format!("{name} is {percent}, above 100")),
    };
    let successes = percent("enforcing_success_rate", wire.enforcing_success_rate.as_option(), 100)?;
    let failures = percent("enforcing_failure_percentage", wire.enforcing_failure_percentage.as_option(), 0)?;
    let threshold =
        percent("failure_percentage_threshold", wire.failure_percentage_threshold.as_option(), 85)?;
    let mut outliers = Outliers::default()
        .interval(time("interval", wire.interval.as_option(), 10)?)
        .base_ejection(time("base_ejection_time", wire.base_ejection_time.as_option(), 30)?)
        .max_ejection(time("max_ejection_time", wire.max_ejection_time.as_option(), 300)?)
        .max_percent(percent("max_ejection_percent", wire.max_ejection_percent.as_option(), 10)?);
    (outliers.success_rate, outliers.failure_percentage) = (None, None);
    if successes > 0 {
        let rate = SuccessRate::default()
            .stdev_factor(number(wire.success_rate_stdev_factor.as_option(), 1900))
            .enforcement(successes)
            .minimum_hosts(number(wire.success_rate_minimum_hosts.as_option(), 5) as usize)
            .request_volume(number(wire.success_rate_request_volume.as_option(), 100).into());
        outliers.success_rate = Some(rate);
    }
    if failures > 0 {
        let percentage = FailurePercentage::default()
            .threshold(threshold)
            .enforcement(failures)
            .minimum_hosts(number(wire.failure_percentage_minimum_hosts.as_option(), 5) as usize)
            .request_volume(number(wire.failure_percentage_request_volume.as_option(), 50).into());
        outliers.failure_percentage = Some(percentage);
    }
    Ok(outliers)
}
