//! Tests of each rule of refusal, beside a resource that is accepted.

use super::{cluster::Discovery, listener::RoutesOf, policy::Choice, route::To, *};
use crate::messages::envoy::{
    config::{
        cluster::v3::{
            self as cds, cluster::ClusterDiscoveryType, cluster::DiscoveryType, cluster::LbPolicy,
        },
        core::v3 as core,
        endpoint::v3 as eds,
        listener::v3 as lds,
        route::v3::{self as rds, route_action::ClusterSpecifier, route_match::PathSpecifier},
    },
    extensions::{
        clusters::aggregate::v3::ClusterConfig,
        filters::network::http_connection_manager::v3::{
            self as hcm, http_connection_manager::RouteSpecifier,
        },
        load_balancing_policies::{
            random_subsetting::v3::RandomSubsetting, ring_hash::v3::RingHash, wrr_locality::v3::WrrLocality,
        },
        transport_sockets::tls::v3 as tls,
    },
    r#type::{matcher::v3 as matcher, v3 as kinds},
};
use polywire_formats::wkt::{BoolValue, UInt32Value, UInt64Value};

fn ads() -> core::ConfigSource {
    core::ConfigSource {
        config_source_specifier: Some(core::config_source::ConfigSourceSpecifier::Ads(Box::default())),
    }
}

fn any<M: Message>(message: &M) -> Any {
    Any::pack(message).unwrap()
}

fn number(value: u32) -> polywire_formats::MessageField<UInt32Value> {
    UInt32Value { value }.into()
}

/// The result of `check` after each change of a valid resource: `""` where it is accepted.
fn each<W: Default + Clone, T: std::fmt::Debug>(
    good: &W,
    check: impl Fn(&W) -> Result<T, String>,
    changes: &[(&str, &dyn Fn(&mut W))],
) {
    check(good).unwrap();
    for (n, (expected, change)) in changes.iter().enumerate() {
        let mut wire = good.clone();
        change(&mut wire);
        match check(&wire) {
            Ok(_) => assert_eq!(*expected, "", "change {n} is taken"),
            Err(why) => assert!(!expected.is_empty() && why.contains(expected), "change {n}: {why}"),
        }
    }
}

fn filter(name: &str, kind: &str) -> hcm::HttpFilter {
    let config = Any { type_url: format!("type.googleapis.com/{kind}"), ..Any::default() };
    hcm::HttpFilter { name: name.to_owned(), typed_config: config.into(), ..Default::default() }
}

const ROUTER: &str = "envoy.extensions.filters.http.router.v3.Router";

#[test]
fn listeners() {
    let rds = hcm::Rds { config_source: ads().into(), route_config_name: "r".to_owned() };
    let good = hcm::HttpConnectionManager {
        route_specifier: Some(RouteSpecifier::Rds(Box::new(rds))),
        http_filters: vec![filter("router", ROUTER)],
        ..Default::default()
    };
    let listener = |api: &hcm::HttpConnectionManager| {
        let api = lds::ApiListener { api_listener: any(api).into() };
        Listener::check(&lds::Listener { name: "l".to_owned(), api_listener: api.into() })
    };
    assert_eq!(listener(&good).unwrap().api.unwrap().routes, RoutesOf::Named("r".to_owned()));
    each(
        &good,
        listener,
        &[
            ("xff_num_trusted_hops", &|api| api.xff_num_trusted_hops = 1),
            ("original_ip_detection", &|api| api.original_ip_detection_extensions.push(Default::default())),
            ("scoped_routes", &|api| {
                api.route_specifier = Some(RouteSpecifier::ScopedRoutes(Box::default()))
            }),
            ("neither rds nor", &|api| api.route_specifier = None),
            ("neither ads nor self", &|api| {
                let rds = hcm::Rds { route_config_name: "r".to_owned(), ..Default::default() };
                api.route_specifier = Some(RouteSpecifier::Rds(Box::new(rds)));
            }),
            ("route_config_name is empty", &|api| {
                let rds = hcm::Rds { config_source: ads().into(), ..Default::default() };
                api.route_specifier = Some(RouteSpecifier::Rds(Box::new(rds)));
            }),
            ("the last filter is not the router", &|api| api.http_filters.clear()),
            ("its type is not supported", &|api| api.http_filters.insert(0, filter("x", "x.Y"))),
            ("", &|api| {
                api.http_filters.insert(0, hcm::HttpFilter { is_optional: true, ..filter("x", "x.Y") })
            }),
            ("it follows the router", &|api| api.http_filters.push(filter("again", ROUTER))),
            ("two filters are called \"router\"", &|api| api.http_filters.push(filter("router", ROUTER))),
            ("a filter has no name", &|api| api.http_filters[0].name.clear()),
            ("no typed_config", &|api| api.http_filters[0].typed_config = None.into()),
            ("", &|api| api.http_filters.insert(0, filter("f", filter::FAULT))),
            ("more than 16 filters for faults", &|api| {
                let faults = (0..17).map(|n| filter(&format!("f{n}"), filter::FAULT));
                api.http_filters.splice(0..0, faults).for_each(drop);
            }),
        ],
    );
    let server = Listener::check(&lds::Listener { name: "l".to_owned(), ..Default::default() });
    assert_eq!(server.unwrap().api, None);
    let api = lds::ApiListener { api_listener: any(&cds::Cluster::default()).into() };
    let wrong = Listener::check(&lds::Listener { name: "l".to_owned(), api_listener: api.into() });
    assert!(wrong.unwrap_err().contains("not an HttpConnectionManager"));
}

fn prefix(prefix: &str) -> rds::RouteMatch {
    rds::RouteMatch { path_specifier: Some(PathSpecifier::Prefix(prefix.to_owned())), ..Default::default() }
}

fn to(cluster: &str) -> rds::RouteAction {
    rds::RouteAction {
        cluster_specifier: Some(ClusterSpecifier::Cluster(cluster.to_owned())),
        ..Default::default()
    }
}

fn route(action: rds::RouteAction) -> rds::Route {
    rds::Route {
        r#match: prefix("").into(),
        action: Some(rds::route::Action::Route(Box::new(action))),
        ..Default::default()
    }
}

fn host(domains: &[&str], route: rds::Route) -> rds::VirtualHost {
    let domains = domains.iter().map(|domain| (*domain).to_owned()).collect();
    rds::VirtualHost { name: "h".to_owned(), domains, routes: vec![route], ..Default::default() }
}

fn weighted(weights: &[u32]) -> rds::RouteAction {
    let weight = |weight: &u32| rds::weighted_cluster::ClusterWeight {
        name: format!("c{weight}"),
        weight: number(*weight),
        ..Default::default()
    };
    let clusters = rds::WeightedCluster { clusters: weights.iter().map(weight).collect() };
    rds::RouteAction {
        cluster_specifier: Some(ClusterSpecifier::WeightedClusters(Box::new(clusters))),
        ..Default::default()
    }
}

#[test]
fn routes() {
    use rds::header_matcher::HeaderMatchSpecifier as Header;
    let good =
        rds::RouteConfiguration { virtual_hosts: vec![host(&["*"], route(to("c")))], ..Default::default() };
    fn first(wire: &mut rds::RouteConfiguration) -> &mut rds::Route {
        &mut wire.virtual_hosts[0].routes[0]
    }
    fn action(wire: &mut rds::RouteConfiguration, action: rds::RouteAction) {
        first(wire).action = Some(rds::route::Action::Route(Box::new(action)));
    }
    fn header(wire: &mut rds::RouteConfiguration, matches: Header) {
        let header = rds::HeaderMatcher {
            name: "h".to_owned(),
            header_match_specifier: Some(matches),
            ..Default::default()
        };
        first(wire).r#match.get_or_insert_default().headers.push(header);
    }
    fn regex(regex: &str) -> Box<matcher::RegexMatcher> {
        Box::new(matcher::RegexMatcher { regex: regex.to_owned() })
    }
    fn retry(wire: &mut rds::RouteConfiguration, retries: u32, pauses: Option<(u64, u64)>) {
        let pauses = pauses.map(|(base, most)| rds::retry_policy::RetryBackOff {
            base_interval: polywire_formats::wkt::Duration::from(Duration::from_millis(base)).into(),
            max_interval: polywire_formats::wkt::Duration::from(Duration::from_millis(most)).into(),
        });
        let retry_on = "unavailable, Cancelled,5xx".to_owned();
        let policy =
            rds::RetryPolicy { retry_on, num_retries: number(retries), retry_back_off: pauses.into() };
        action(wire, rds::RouteAction { retry_policy: policy.into(), ..to("c") });
    }
    each(
        &good,
        Routes::check,
        &[
            ("it has no match", &|wire| first(wire).r#match = None.into()),
            ("neither prefix nor path", &|wire| first(wire).r#match = rds::RouteMatch::default().into()),
            ("", &|wire| {
                first(wire).r#match.get_or_insert_default().path_specifier =
                    Some(PathSpecifier::SafeRegex(regex("/a.*")));
            }),
            ("pattern \"(\"", &|wire| {
                first(wire).r#match.get_or_insert_default().path_specifier =
                    Some(PathSpecifier::SafeRegex(regex("(")));
            }),
            ("it is empty", &|wire| header(wire, Header::PrefixMatch(String::new()))),
            ("it is empty", &|wire| header(wire, Header::SuffixMatch(String::new()))),
            ("it is empty", &|wire| header(wire, Header::ContainsMatch(String::new()))),
            ("", &|wire| header(wire, Header::ExactMatch(String::new()))),
            ("the header \"h\": ", &|wire| header(wire, Header::SafeRegexMatch(regex("[")))),
            ("does not say what must match", &|wire| {
                header(wire, Header::PresentMatch(true));
                first(wire).r#match.get_or_insert_default().headers[0].header_match_specifier = None;
            }),
            ("cluster is empty", &|wire| action(wire, to(""))),
            ("no cluster with a weight", &|wire| action(wire, weighted(&[0, 0]))),
            ("", &|wire| action(wire, weighted(&[u32::MAX, 0]))),
            ("above 4294967295", &|wire| action(wire, weighted(&[u32::MAX, 1]))),
            ("the cluster specifier plugin \"p\" is not declared", &|wire| {
                let to = Some(ClusterSpecifier::ClusterSpecifierPlugin("p".to_owned()));
                action(wire, rds::RouteAction { cluster_specifier: to, ..Default::default() });
            }),
            ("the cluster specifier plugin \"\" is not supported", &|wire| {
                wire.cluster_specifier_plugins.push(Default::default());
            }),
            ("num_retries is 0", &|wire| retry(wire, 0, None)),
            ("", &|wire| retry(wire, 9, Some((10, 10)))),
            ("base_interval is not above 0", &|wire| retry(wire, 1, Some((0, 10)))),
            ("max_interval is not above 0", &|wire| retry(wire, 1, Some((10, 0)))),
            ("max_interval is below base_interval", &|wire| retry(wire, 1, Some((10, 9)))),
            ("the domain \"\"", &|wire| wire.virtual_hosts[0].domains.push(String::new())),
            ("the domain \"a*b\"", &|wire| wire.virtual_hosts[0].domains.push("a*b".to_owned())),
            ("the domain \"*a*\"", &|wire| wire.virtual_hosts[0].domains.push("*a*".to_owned())),
            ("is not supported", &|wire| {
                let other = Any { type_url: "t/x.Y".to_owned(), ..Any::default() };
                first(wire).typed_per_filter_config.insert("f".to_owned(), other);
            }),
            ("", &|wire| {
                let other = Any { type_url: "t/x.Y".to_owned(), ..Any::default() };
                let optional = rds::FilterConfig { config: other.into(), is_optional: true, disabled: false };
                first(wire).typed_per_filter_config.insert("f".to_owned(), any(&optional));
            }),
        ],
    );
    let mut wire = good.clone();
    retry(&mut wire, 9, None);
    let routes = Routes::check(&wire).unwrap();
    let route::Action::Forward(forward) = &routes.hosts[0].routes[0].action else { panic!("{routes:?}") };
    let retry = forward.retry.clone().unwrap();
    assert_eq!(retry.codes, [polywire_call::Code::Cancelled, polywire_call::Code::Unavailable]);
    assert_eq!((retry.attempts, retry.initial.as_millis(), retry.most.as_millis()), (5, 25, 250));
}

#[test]
fn routes_have_a_bounded_number_of_regular_expressions() {
    let regex = || Box::new(matcher::RegexMatcher { regex: "a".to_owned() });
    let matches = || rds::RouteMatch {
        path_specifier: Some(PathSpecifier::SafeRegex(regex())),
        headers: vec![rds::HeaderMatcher {
            name: "h".to_owned(),
            header_match_specifier: Some(rds::header_matcher::HeaderMatchSpecifier::SafeRegexMatch(regex())),
            ..Default::default()
        }],
        ..Default::default()
    };
    let with = |routes: usize| {
        let one = rds::Route { r#match: matches().into(), ..route(to("c")) };
        let mut host = host(&["*"], one.clone());
        host.routes = vec![one; routes];
        Routes::check(&rds::RouteConfiguration { virtual_hosts: vec![host], ..Default::default() })
    };
    assert_eq!(with(500).unwrap().hosts[0].routes.len(), 500);
    assert_eq!(with(501).unwrap_err(), "there are more than 1000 regular expressions");
}

#[test]
fn routes_that_ask_for_what_is_not_there_are_skipped_and_those_with_other_actions_fail() {
    let header = Some(ClusterSpecifier::ClusterHeader("h".to_owned()));
    let by_header = route(rds::RouteAction { cluster_specifier: header, ..Default::default() });
    let mut by_query = route(to("c"));
    by_query.r#match.get_or_insert_default().query_parameters.push(Default::default());
    let redirect =
        rds::Route { action: Some(rds::route::Action::Redirect(Box::default())), ..route(to("c")) };
    let mut all = host(&["*"], by_header);
    all.routes.extend([by_query, redirect, route(weighted(&[0, 7]))]);
    let routes =
        Routes::check(&rds::RouteConfiguration { virtual_hosts: vec![all], ..Default::default() }).unwrap();
    let [unusable, last] = &routes.hosts[0].routes[..] else { panic!("{routes:?}") };
    assert_eq!(unusable.action, route::Action::Unusable("redirect"));
    assert_eq!(last.clusters().collect::<Vec<_>>(), ["c7"]);
    let route::Action::Forward(forward) = &last.action else { panic!("{last:?}") };
    assert!(matches!(&forward.to, To::Weighted(weights) if weights.len() == 1));
}

#[test]
fn the_virtual_host_of_a_domain_is_the_one_whose_pattern_fits_best() {
    let domains = ["a.b.c", "*.b.c", "*.c", "a.*", "a.b.*", "*"];
    let hosts = domains.map(|domain| host(&[domain], route(to("c"))));
    let config = rds::RouteConfiguration { virtual_hosts: hosts.to_vec(), ..Default::default() };
    let routes = Routes::check(&config).unwrap();
    for (domain, expected) in [
        ("a.b.c", Some("a.b.c")),
        ("A.B.C", Some("a.b.c")),
        ("x.b.c", Some("*.b.c")),
        (".b.c", Some("*.c")),
        ("a.b.x", Some("a.b.*")),
        ("a.x", Some("a.*")),
        ("a.", Some("*")),
        ("", Some("*")),
    ] {
        assert_eq!(routes.host(domain).map(|host| &*host.domains[0]), expected, "{domain}");
    }
    let none = Routes::check(&rds::RouteConfiguration::default()).unwrap();
    assert!(none.host("a").is_none());
}

fn good_cluster() -> cds::Cluster {
    let eds = cds::cluster::EdsClusterConfig { eds_config: ads().into(), ..Default::default() };
    cds::Cluster {
        name: "c".to_owned(),
        cluster_discovery_type: Some(ClusterDiscoveryType::Type(DiscoveryType::EDS.into())),
        eds_cluster_config: eds.into(),
        ..Default::default()
    }
}

fn ring(least: u64, most: u64) -> cds::LoadBalancingPolicy {
    let size = |value| UInt64Value { value }.into();
    listed(&any(&RingHash {
        minimum_ring_size: size(least),
        maximum_ring_size: size(most),
        ..Default::default()
    }))
}

fn listed(config: &Any) -> cds::LoadBalancingPolicy {
    let config = core::TypedExtensionConfig { name: "p".to_owned(), typed_config: config.clone().into() };
    let policy = cds::load_balancing_policy::Policy { typed_extension_config: config.into() };
    cds::LoadBalancingPolicy { policies: vec![policy] }
}

fn nested(depth: usize) -> cds::LoadBalancingPolicy {
    let inner = if depth == 0 { ring(1, 2) } else { nested(depth - 1) };
    listed(&any(&WrrLocality { endpoint_picking_policy: inner.into() }))
}

fn by_locality(inner: cds::LoadBalancingPolicy) -> cds::LoadBalancingPolicy {
    listed(&any(&WrrLocality { endpoint_picking_policy: inner.into() }))
}

fn some_of(size: u32, inner: cds::LoadBalancingPolicy) -> cds::LoadBalancingPolicy {
    listed(&any(&RandomSubsetting { subset_size: number(size), child_policy: inner.into() }))
}

/// Subsets by gRFC A68.
#[test]
fn subsets_are_of_a_priority_or_of_a_locality() {
    let sizes = |policy: cds::LoadBalancingPolicy| {
        let wire = cds::Cluster { load_balancing_policy: policy.into(), ..good_cluster() };
        Cluster::check(&wire, &Known::default())
            .map(|checked| (checked.policy.most, checked.policy.most_of_locality, checked.policy.by_locality))
    };
    let ring = || ring(1, 2);
    for (policy, expected) in [
        (ring(), (None, None, false)),
        (some_of(20, ring()), (Some(20), None, false)),
        (some_of(20, some_of(9, ring())), (Some(9), None, false)),
        (some_of(9, some_of(20, ring())), (Some(9), None, false)),
        (by_locality(some_of(5, ring())), (None, Some(5), true)),
        (some_of(20, by_locality(ring())), (Some(20), None, true)),
        (some_of(20, by_locality(some_of(5, ring()))), (Some(20), Some(5), true)),
    ] {
        assert_eq!(sizes(policy), Ok(expected));
    }
    let childless = listed(&any(&RandomSubsetting { subset_size: number(1), ..Default::default() }));
    for (policy, why) in [
        (some_of(0, ring()), "RandomSubsetting.subset_size is 0"),
        (childless, "RandomSubsetting has no child_policy"),
        (some_of(1, listed(&any(&ClusterConfig::default()))), "none of its policies is supported"),
        (by_locality(some_of(1, by_locality(ring()))), "WrrLocality within WrrLocality"),
    ] {
        assert!(sizes(policy.clone()).is_err_and(|error| error.contains(why)), "{why}: {:?}", sizes(policy));
    }
}

fn aggregate(names: &[&str]) -> Option<ClusterDiscoveryType> {
    let config = ClusterConfig { clusters: names.iter().map(|name| (*name).to_owned()).collect() };
    let name = "envoy.clusters.aggregate".to_owned();
    let custom = cds::cluster::CustomClusterType { name, typed_config: any(&config).into() };
    Some(ClusterDiscoveryType::ClusterType(Box::new(custom)))
}

#[test]
fn clusters() {
    let check = |wire: &cds::Cluster| Cluster::check(wire, &Known::default());
    assert_eq!(check(&good_cluster()).unwrap().discovery, Discovery::Eds("c".to_owned()));
    fn dns(wire: &mut cds::Cluster, endpoints: Vec<Vec<eds::LbEndpoint>>) {
        wire.cluster_discovery_type = Some(ClusterDiscoveryType::Type(DiscoveryType::LOGICAL_DNS.into()));
        let localities = endpoints
            .into_iter()
            .map(|lb_endpoints| eds::LocalityLbEndpoints { lb_endpoints, ..Default::default() });
        wire.load_assignment =
            eds::ClusterLoadAssignment { endpoints: localities.collect(), ..Default::default() }.into();
    }
    each(
        &good_cluster(),
        check,
        &[
            ("its type is STATIC", &|wire| wire.cluster_discovery_type = None),
            ("neither EDS nor", &|wire| {
                wire.cluster_discovery_type =
                    Some(ClusterDiscoveryType::Type(DiscoveryType::STRICT_DNS.into()));
            }),
            ("eds_config is neither", &|wire| {
                wire.eds_cluster_config = cds::cluster::EdsClusterConfig::default().into()
            }),
            ("service_name is missing", &|wire| wire.name = "xdstp://a/t/c".to_owned()),
            ("", &|wire| dns(wire, vec![vec![endpoint("host.example", 80)]])),
            ("exactly one locality", &|wire| dns(wire, vec![])),
            ("exactly one endpoint", &|wire| dns(wire, vec![vec![]])),
            ("no port_value", &|wire| dns(wire, vec![vec![endpoint("host.example", 0)]])),
            ("", &|wire| wire.cluster_discovery_type = aggregate(&["x"])),
            ("the aggregate has no clusters", &|wire| wire.cluster_discovery_type = aggregate(&[])),
            ("lb_policy 5 is not supported", &|wire| wire.lb_policy = LbPolicy::MAGLEV.into()),
            ("", &|wire| {
                wire.lb_policy = LbPolicy::LOAD_BALANCING_POLICY_CONFIG.into();
                wire.load_balancing_policy = nested(0).into();
            }),
            ("none of its policies", &|wire| {
                wire.load_balancing_policy = listed(&any(&ClusterConfig::default())).into()
            }),
            ("WrrLocality within WrrLocality", &|wire| wire.load_balancing_policy = nested(1).into()),
            ("nested deeper", &|wire| wire.load_balancing_policy = nested(20).into()),
            ("above 8388608", &|wire| wire.load_balancing_policy = ring(1, 8_388_609).into()),
            ("is above maximum_ring_size", &|wire| wire.load_balancing_policy = ring(3, 2).into()),
            ("choice_count is 1", &|wire| {
                wire.lb_policy = LbPolicy::LEAST_REQUEST.into();
                let config = cds::cluster::LeastRequestLbConfig { choice_count: number(1) };
                wire.lb_config = Some(cds::cluster::LbConfig::LeastRequestLbConfig(Box::new(config)));
            }),
            ("lrs_server is not self", &|wire| wire.lrs_server = ads().into()),
            ("transport_socket_matches", &|wire| wire.transport_socket_matches.push(Default::default())),
            ("max_ejection_percent is 101", &|wire| {
                wire.outlier_detection =
                    cds::OutlierDetection { max_ejection_percent: number(101), ..Default::default() }.into();
            }),
            ("interval is not a duration", &|wire| {
                let interval = polywire_formats::wkt::Duration { seconds: -1, nanos: 0 };
                wire.outlier_detection =
                    cds::OutlierDetection { interval: interval.into(), ..Default::default() }.into();
            }),
        ],
    );
    let ring = cds::Cluster { load_balancing_policy: ring(0, 8_388_608).into(), ..good_cluster() };
    assert_eq!(check(&ring).unwrap().policy.choice, Choice::RingHash { least: 1, most: 4096 });
    let detection = cds::OutlierDetection { enforcing_success_rate: number(0), ..Default::default() };
    let outliers = cds::Cluster { outlier_detection: detection.into(), ..good_cluster() };
    let outliers = check(&outliers).unwrap().outliers.unwrap();
    assert_eq!((outliers.success_rate, outliers.failure_percentage), (None, None));
}

#[test]
fn tls_of_clusters() {
    let provider = |roots: Option<&str>, identity: Option<(&str, &str)>, seconds| {
        let identity = identity.map(|(chain, key)| (chain.into(), key.into()));
        let refresh = Duration::from_secs(seconds);
        crate::bootstrap::Certificates::Files(crate::bootstrap::TlsFiles {
            roots: roots.map(Into::into),
            identity,
            refresh,
        })
    };
    let providers = [
        ("p", provider(Some("ca.pem"), Some(("c.pem", "c.key")), 600)),
        ("identity", provider(None, Some(("i.pem", "i.key")), 30)),
        ("roots", provider(Some("r.pem"), None, 60)),
    ];
    let providers = providers.map(|(name, provider)| (name.to_owned(), provider));
    let known = Known { providers: providers.into() };
    let instance = |name: &str| tls::CertificateProviderPluginInstance {
        instance_name: name.to_owned(),
        certificate_name: String::new(),
    };
    let validation = |name: &str| tls::CertificateValidationContext {
        ca_certificate_provider_instance: instance(name).into(),
        ..Default::default()
    };
    use matcher::string_matcher::MatchPattern;
    use tls::{
        common_tls_context::ValidationContextType::ValidationContext, subject_alt_name_matcher::SanType,
    };
    let text = |pattern| matcher::StringMatcher { match_pattern: Some(pattern), ..Default::default() };
    let typed = |kind: SanType, exact: &str| tls::SubjectAltNameMatcher {
        san_type: kind.into(),
        matcher: text(MatchPattern::Exact(exact.to_owned())).into(),
    };
    let context = |validation| Some(ValidationContext(Box::new(validation)));
    let good =
        tls::CommonTlsContext { validation_context_type: context(validation("p")), ..Default::default() };
    let check = |common: &tls::CommonTlsContext| {
        let upstream =
            tls::UpstreamTlsContext { common_tls_context: common.clone().into(), ..Default::default() };
        let socket = core::TransportSocket {
            name: "envoy.transport_sockets.tls".to_owned(),
            typed_config: any(&upstream).into(),
        };
        Cluster::check(&cds::Cluster { transport_socket: socket.into(), ..good_cluster() }, &known)
    };
    each(
        &good,
        check,
        &[
            ("no certificate provider \"q\"", &|wire| {
                wire.validation_context_type = context(validation("q"))
            }),
            ("validation_context is missing", &|wire| wire.validation_context_type = None),
            ("match_subject_alt_names has more than 100", &|wire| {
                let names = vec![matcher::StringMatcher::default(); 101];
                let many =
                    tls::CertificateValidationContext { match_subject_alt_names: names, ..validation("p") };
                wire.validation_context_type = context(many);
            }),
            ("neither ca_certificate", &|wire| wire.validation_context_type = context(Default::default())),
            ("", &|wire| {
                let system = tls::CertificateValidationContext {
                    system_root_certs: tls::Present::default().into(),
                    ..Default::default()
                };
                wire.validation_context_type = context(system);
            }),
            ("tls_params", &|wire| wire.tls_params = tls::Present::default().into()),
            ("custom_handshaker", &|wire| wire.custom_handshaker = tls::Present::default().into()),
            ("tls_certificates is", &|wire| wire.tls_certificates.push(tls::Present::default())),
            ("", &|wire| {
                wire.tls_certificates.push(tls::Present::default());
                wire.tls_certificate_provider_instance = instance("p").into();
            }),
            ("crl", &|wire| {
                let crl = tls::CertificateValidationContext {
                    crl: tls::Present::default().into(),
                    ..validation("p")
                };
                wire.validation_context_type = context(crl);
            }),
            ("require_signed", &|wire| {
                let required = BoolValue { value: true }.into();
                let signed = tls::CertificateValidationContext {
                    require_signed_certificate_timestamp: required,
                    ..validation("p")
                };
                wire.validation_context_type = context(signed);
            }),
            ("provider \"identity\" has no ca_certificate_file", &|wire| {
                wire.validation_context_type = context(validation("identity"));
            }),
            ("provider \"roots\" has no certificate_file", &|wire| {
                wire.tls_certificate_provider_instance = instance("roots").into();
            }),
            ("no certificate provider \"q\"", &|wire| {
                wire.tls_certificate_provider_instance = instance("q").into();
            }),
            ("a part to match is empty", &|wire| {
                wire.validation_context_type = context(tls::CertificateValidationContext {
                    match_subject_alt_names: vec![text(MatchPattern::Prefix(String::new()))],
                    ..validation("p")
                });
            }),
            ("unclosed group", &|wire| {
                let regex =
                    MatchPattern::SafeRegex(Box::new(matcher::RegexMatcher { regex: "(".to_owned() }));
                wire.validation_context_type = context(tls::CertificateValidationContext {
                    match_subject_alt_names: vec![text(regex)],
                    ..validation("p")
                });
            }),
            ("the san_type", &|wire| {
                wire.validation_context_type = context(tls::CertificateValidationContext {
                    match_typed_subject_alt_names: vec![typed(SanType::OTHER_NAME, "a")],
                    ..validation("p")
                });
            }),
            ("the san_type", &|wire| {
                wire.validation_context_type = context(tls::CertificateValidationContext {
                    match_typed_subject_alt_names: vec![typed(SanType::SAN_TYPE_UNSPECIFIED, "a")],
                    ..validation("p")
                });
            }),
        ],
    );
    use polywire_routing::{CertificateNames, ClusterTls, NameKind, NameMatch, NameTest};
    let made = |common: tls::CommonTlsContext| check(&common).unwrap().tls.unwrap();
    let unchecked = CertificateNames::Unchecked;
    assert_eq!(made(good.clone()), ClusterTls::new().ca_file("ca.pem").names(unchecked.clone()));
    // The time of the provider that is read more often holds for both.
    let both = tls::CommonTlsContext {
        tls_certificate_provider_instance: instance("identity").into(),
        validation_context_type: context(validation("roots")),
        ..Default::default()
    };
    let files = ClusterTls::new().ca_file("r.pem").certificate_files("i.pem", "i.key");
    assert_eq!(made(both), files.refresh(Duration::from_secs(30)).names(unchecked));
    let all = tls::CertificateValidationContext {
        match_subject_alt_names: vec![matcher::StringMatcher {
            ignore_case: true,
            ..text(MatchPattern::Contains("shop".to_owned()))
        }],
        match_typed_subject_alt_names: vec![
            typed(SanType::DNS, "a"),
            typed(SanType::URI, "b"),
            typed(SanType::EMAIL, "c"),
            typed(SanType::IP_ADDRESS, "d"),
        ],
        ..validation("p")
    };
    let exact = |kind, text: &str| NameMatch::new(NameTest::Exact(text.to_owned())).kind(kind);
    let names = |validation| {
        made(tls::CommonTlsContext { validation_context_type: context(validation), ..Default::default() })
            .names
    };
    let typed = [
        exact(NameKind::Dns, "a"),
        exact(NameKind::Uri, "b"),
        exact(NameKind::Email, "c"),
        exact(NameKind::Ip, "d"),
    ];
    // With types there, the tests without are ignored: not every name with "shop" in it is believed.
    assert_eq!(names(all.clone()), CertificateNames::AnyOf(typed.into()));
    let untyped = NameMatch::new(NameTest::Contains("shop".to_owned())).ignore_case(true);
    let without =
        tls::CertificateValidationContext { match_typed_subject_alt_names: Vec::new(), ..all.clone() };
    assert_eq!(names(without), CertificateNames::AnyOf(vec![untyped]));
    let socket_of = |upstream: tls::UpstreamTlsContext| {
        let name = "envoy.transport_sockets.tls".to_owned();
        let socket = core::TransportSocket { name, typed_config: any(&upstream).into() };
        cds::Cluster { transport_socket: socket.into(), ..good_cluster() }
    };
    let context_of = |sni: &str| tls::UpstreamTlsContext {
        common_tls_context: good.clone().into(),
        sni: sni.to_owned(),
        ..Default::default()
    };
    let upstream = |sni: &str| socket_of(context_of(sni));
    let named = Cluster::check(&upstream("a.example"), &known).unwrap().tls.unwrap();
    assert_eq!(named.server_name.as_deref(), Some("a.example"));
    assert_eq!(named.names, CertificateNames::Unchecked);
    // The name that is asked for is tested in place of all other names.
    let validated = |sni: &str| {
        let all = tls::CommonTlsContext { validation_context_type: context(all.clone()), ..good.clone() };
        let auto_sni_san_validation = true;
        tls::UpstreamTlsContext { common_tls_context: all.into(), auto_sni_san_validation, ..context_of(sni) }
    };
    let tested = Cluster::check(&socket_of(validated("a.example")), &known).unwrap().tls.unwrap();
    let asked_for = NameMatch::new(NameTest::Exact("a.example".to_owned()));
    assert_eq!(tested.names, CertificateNames::AnyOf(vec![asked_for]));
    for untested in [validated(""), tls::UpstreamTlsContext { auto_host_sni: true, ..validated("a.example") }]
    {
        let why = Cluster::check(&socket_of(untested), &known).unwrap_err();
        assert!(why.contains("auto_sni_san_validation is supported with sni"), "{why}");
    }
    let mut other = upstream("");
    other.transport_socket.get_or_insert_default().name = "envoy.transport_sockets.raw_buffer".to_owned();
    let why = Cluster::check(&other, &known).unwrap_err();
    assert!(why.contains("\"envoy.transport_sockets.raw_buffer\" is not supported"), "{why}");
}

fn endpoint(address: &str, port: u32) -> eds::LbEndpoint {
    use core::socket_address::PortSpecifier;
    let port_specifier = (port > 0).then_some(PortSpecifier::PortValue(port));
    let socket = core::SocketAddress { address: address.to_owned(), port_specifier, ..Default::default() };
    let address = core::Address { address: Some(core::address::Address::SocketAddress(Box::new(socket))) };
    let endpoint = eds::Endpoint { address: address.into(), ..Default::default() };
    eds::LbEndpoint {
        host_identifier: Some(eds::lb_endpoint::HostIdentifier::Endpoint(Box::new(endpoint))),
        ..Default::default()
    }
}

fn locality(
    zone: &str,
    priority: u32,
    weight: u32,
    endpoints: &[eds::LbEndpoint],
) -> eds::LocalityLbEndpoints {
    eds::LocalityLbEndpoints {
        locality: core::Locality { zone: zone.to_owned(), ..Default::default() }.into(),
        lb_endpoints: endpoints.to_vec(),
        load_balancing_weight: number(weight),
        priority,
    }
}

#[test]
fn assignments_of_endpoints() {
    let of = |endpoints: Vec<eds::LocalityLbEndpoints>| eds::ClusterLoadAssignment {
        cluster_name: "c".to_owned(),
        endpoints,
        ..Default::default()
    };
    let good = of(vec![
        locality("a", 0, 1, &[endpoint("10.0.0.1", 80)]),
        locality("b", 0, 2, &[endpoint("10.0.0.2", 80)]),
        locality("a", 1, 1, &[endpoint("::1", 80)]),
    ]);
    fn drop_share(wire: &mut eds::ClusterLoadAssignment, category: &str, denominator: i32) {
        let drop = eds::cluster_load_assignment::policy::DropOverload {
            category: category.to_owned(),
            drop_percentage: kinds::FractionalPercent { numerator: 200, denominator: denominator.into() }
                .into(),
        };
        wire.policy = eds::cluster_load_assignment::Policy { drop_overloads: vec![drop] }.into();
    }
    each(
        &good,
        Endpoints::check,
        &[
            ("", &|wire| wire.endpoints.clear()),
            ("no locality", &|wire| wire.endpoints[0].locality = None.into()),
            ("priority 0 is missing", &|wire| drop(wire.endpoints.drain(..2))),
            ("priority 1 is missing", &|wire| wire.endpoints[2].priority = 2),
            ("", &|wire| wire.endpoints[2] = locality("a", 7, 0, &[])),
            ("a locality is there twice in priority 0", &|wire| wire.endpoints[2].priority = 0),
            ("the localities of priority 0", &|wire| {
                wire.endpoints[0].load_balancing_weight = number(u32::MAX)
            }),
            ("", &|wire| wire.endpoints[0].load_balancing_weight = number(u32::MAX - 2)),
            ("10.0.0.1:80 is there twice", &|wire| {
                wire.endpoints[2].lb_endpoints = vec![endpoint("10.0.0.1", 80)]
            }),
            ("is not that of an endpoint", &|wire| {
                wire.endpoints[2].lb_endpoints = vec![endpoint("host", 80)]
            }),
            ("an address is empty", &|wire| wire.endpoints[2].lb_endpoints = vec![endpoint("", 80)]),
            ("the port 65536", &|wire| wire.endpoints[2].lb_endpoints = vec![endpoint("10.0.0.3", 65536)]),
            ("the weight of an endpoint is 0", &|wire| {
                wire.endpoints[0].lb_endpoints[0].load_balancing_weight = number(0)
            }),
            ("an endpoint has no address", &|wire| wire.endpoints[0].lb_endpoints[0].host_identifier = None),
            ("come to 4294967296", &|wire| {
                wire.endpoints[0].lb_endpoints[0].load_balancing_weight = number(u32::MAX);
                wire.endpoints[0].lb_endpoints.push(endpoint("10.0.0.9", 80));
            }),
            ("", &|wire| drop_share(wire, "all", 0)),
            ("a category", &|wire| drop_share(wire, "", 0)),
            ("a denominator", &|wire| drop_share(wire, "all", 9)),
            ("more than 100000 addresses", &|wire| {
                let address = |n: u32| std::net::Ipv4Addr::from(n).to_string();
                let many = (0..=100_000).map(|n| endpoint(&address(n), 80));
                wire.endpoints[0].lb_endpoints = many.collect();
            }),
        ],
    );
    let mut wire = good.clone();
    drop_share(&mut wire, "all", 0);
    wire.endpoints[0].lb_endpoints[0].health_status = 3;
    let endpoints = Endpoints::check(&wire).unwrap();
    assert_eq!(endpoints.drops, [("all".to_owned(), 1_000_000)]);
    assert_eq!(endpoints.priorities[0][0].endpoints, [], "one that drains");
    assert_eq!((endpoints.priorities.len(), endpoints.priorities[0][1].weight), (2, 2));
}
