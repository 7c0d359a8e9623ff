//! Tests the way from the listener to the table, with resources as a control plane would send them.

use super::*;
use crate::{
    depend::MOST_ENDPOINTS,
    messages::envoy::{
        config::{
            cluster::v3::{self as cds, cluster::ClusterDiscoveryType, cluster::DiscoveryType},
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
                pick_first::v3::PickFirst, random_subsetting::v3::RandomSubsetting,
                wrr_locality::v3::WrrLocality,
            },
        },
    },
    servers::Assigned,
    table,
};
use polywire_call::Metadata;
use polywire_formats::{
    Message,
    wkt::{Any, UInt32Value},
};
use polywire_naming::Source as _;
use polywire_routing::{Head, RouteTable};
use std::collections::BTreeSet;

/// A target `echo`, and a control plane that has these resources.
struct Bench {
    core: Core,
    resources: BTreeMap<Kind, BTreeMap<String, Any>>,
    version: u32,
    now: Duration,
    sources: table::Sources,
    /// The written requests: a kind and its names.
    asked: Vec<(Kind, Vec<String>)>,
}

impl Bench {
    fn new() -> Bench {
        let bootstrap = Bootstrap::parse(
            r#"{"xds_servers":[{"server_uri":"plane:1","channel_creds":[{"type":"insecure"}]}],
                "node":{"id":"n1","locality":{"zone":"z"},"metadata":{"a":[1,true,null,{"b":"c"}]}},
                "certificate_providers":{
                "p":{"plugin_name":"file_watcher","config":{"ca_certificate_file":"p.pem"}},
                "q":{"plugin_name":"file_watcher","config":{"ca_certificate_file":"q.pem"}}}}"#,
        );
        let core = Core::new(Arc::new(bootstrap.unwrap()), "echo".to_owned(), "echo".to_owned());
        let (now, sources) = (Duration::ZERO, table::Sources::new());
        let mut bench =
            Bench { core, resources: BTreeMap::new(), version: 0, now, sources, asked: Vec::new() };
        bench.open();
        bench
    }

    fn open(&mut self) {
        let plane = self.core.opens(self.now).expect("a stream is wanted");
        self.core.opened(plane, self.now);
    }

    fn has(&mut self, name: &str, resource: Any) -> &mut Self {
        let kind = Kind::of(&resource.type_url).unwrap();
        self.resources.entry(kind).or_default().insert(name.to_owned(), resource);
        self
    }

    /// Answers requests until there are none.
    fn settle(&mut self) -> Option<Result<RouteTable, String>> {
        self.version += 1;
        let mut sent = BTreeSet::new();
        while let Some(request) = self.core.request(0, self.now) {
            let kind = Kind::of(&request.type_url).unwrap();
            self.asked.push((kind, request.resource_names.clone()));
            self.answer(kind, &request.resource_names, &mut sent);
        }
        self.news()
    }

    /// The next version of all kinds.
    fn push(&mut self) -> Option<Result<RouteTable, String>> {
        self.version += 1;
        let mut sent = BTreeSet::new();
        for kind in Kind::ALL {
            let names: Vec<String> = self.core.needs.names[kind as usize].iter().cloned().collect();
            self.answer(kind, &names, &mut sent);
        }
        let news = self.news();
        self.settle().or(news)
    }

    fn answer(&mut self, kind: Kind, names: &[String], sent: &mut BTreeSet<(Kind, Vec<String>)>) {
        if !sent.insert((kind, names.to_vec())) || names.is_empty() {
            return;
        }
        let of = self.resources.entry(kind).or_default();
        let resources: Vec<_> = names.iter().filter_map(|name| of.get(name).cloned()).collect();
        if resources.is_empty() && !kind.is_whole() {
            return;
        }
        let (version_info, nonce) = (self.version.to_string(), sent.len().to_string());
        let type_url = kind.type_url().to_owned();
        let refused =
            self.core.received(0, DiscoveryResponse { version_info, nonce, resources, type_url }, self.now);
        assert_eq!(refused, None);
    }

    fn news(&mut self) -> Option<Result<RouteTable, String>> {
        let news = self.core.news()?;
        Some(
            news.as_ref()
                .map(|made| table::table(made, "xds:///echo", &mut self.sources).unwrap())
                .map_err(Clone::clone),
        )
    }

    fn after(&mut self, seconds: u64) -> Option<Result<RouteTable, String>> {
        self.now += Duration::from_secs(seconds);
        self.core.tick(self.now);
        self.news()
    }

    /// The servers of a cluster: `address@priority`.
    fn servers(&self, cluster: &str) -> Vec<String> {
        let shown = |server: &polywire_naming::Server| format!("{}@{}", server.address, server.priority);
        self.sources[cluster].now().iter().map(shown).collect()
    }
}

fn any<M: Message>(message: &M) -> Any {
    Any::pack(message).unwrap()
}

fn ads() -> wire::ConfigSource {
    wire::ConfigSource {
        config_source_specifier: Some(wire::config_source::ConfigSourceSpecifier::Ads(Box::default())),
    }
}

pub(crate) fn listener(routes: &str) -> Any {
    let rds = hcm::Rds { config_source: ads().into(), route_config_name: routes.to_owned() };
    let config = Any {
        type_url: "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router".to_owned(),
        ..Any::default()
    };
    let router =
        hcm::HttpFilter { name: "router".to_owned(), typed_config: config.into(), ..Default::default() };
    let manager = hcm::HttpConnectionManager {
        route_specifier: Some(RouteSpecifier::Rds(Box::new(rds))),
        http_filters: vec![router],
        ..Default::default()
    };
    let api = lds::ApiListener { api_listener: any(&manager).into() };
    any(&lds::Listener { name: "echo".to_owned(), api_listener: api.into() })
}

/// A prefix and a cluster for each route.
pub(crate) fn routes(name: &str, domain: &str, routes: &[(&str, &str)]) -> Any {
    let route = |(prefix, cluster): &(&str, &str)| {
        let path = Some(PathSpecifier::Prefix((*prefix).to_owned()));
        let matches = rds::RouteMatch { path_specifier: path, ..Default::default() };
        let to = Some(ClusterSpecifier::Cluster((*cluster).to_owned()));
        let action = rds::RouteAction { cluster_specifier: to, ..Default::default() };
        rds::Route {
            r#match: matches.into(),
            action: Some(rds::route::Action::Route(Box::new(action))),
            ..Default::default()
        }
    };
    let host = rds::VirtualHost {
        domains: vec![domain.to_owned()],
        routes: routes.iter().map(route).collect(),
        ..Default::default()
    };
    any(&rds::RouteConfiguration { name: name.to_owned(), virtual_hosts: vec![host], ..Default::default() })
}

pub(crate) fn cluster(name: &str) -> Any {
    let config = cds::cluster::EdsClusterConfig { eds_config: ads().into(), ..Default::default() };
    any(&cds::Cluster {
        name: name.to_owned(),
        cluster_discovery_type: Some(ClusterDiscoveryType::Type(DiscoveryType::EDS.into())),
        eds_cluster_config: config.into(),
        ..Default::default()
    })
}

fn aggregate(name: &str, children: &[&str]) -> Any {
    let config = ClusterConfig { clusters: children.iter().map(|child| (*child).to_owned()).collect() };
    let kind = cds::cluster::CustomClusterType {
        name: "envoy.clusters.aggregate".to_owned(),
        typed_config: any(&config).into(),
    };
    any(&cds::Cluster {
        name: name.to_owned(),
        cluster_discovery_type: Some(ClusterDiscoveryType::ClusterType(Box::new(kind))),
        ..Default::default()
    })
}

fn address(host: &str, port: u32) -> wire::Address {
    let socket = wire::SocketAddress {
        address: host.to_owned(),
        port_specifier: Some(wire::socket_address::PortSpecifier::PortValue(port)),
        ..Default::default()
    };
    wire::Address { address: Some(wire::address::Address::SocketAddress(Box::new(socket))) }
}

fn locality(priority: u32, host: &str, ports: &[u32]) -> eds::LocalityLbEndpoints {
    let endpoint = |port: &u32| {
        let endpoint = eds::Endpoint { address: address(host, *port).into(), ..Default::default() };
        let host_identifier = Some(eds::lb_endpoint::HostIdentifier::Endpoint(Box::new(endpoint)));
        eds::LbEndpoint { host_identifier, ..Default::default() }
    };
    eds::LocalityLbEndpoints {
        locality: wire::Locality { zone: format!("z{priority}"), ..Default::default() }.into(),
        lb_endpoints: ports.iter().map(endpoint).collect(),
        load_balancing_weight: UInt32Value { value: 1 }.into(),
        priority,
    }
}

/// The ports of each priority.
pub(crate) fn endpoints(name: &str, priorities: &[&[u32]]) -> Any {
    let endpoints =
        (0..).zip(priorities).map(|(priority, ports)| locality(priority, "10.0.0.1", ports)).collect();
    any(&eds::ClusterLoadAssignment { cluster_name: name.to_owned(), endpoints, ..Default::default() })
}

fn dns(name: &str, host: &str) -> Any {
    let assignment =
        eds::ClusterLoadAssignment { endpoints: vec![locality(0, host, &[80])], ..Default::default() };
    any(&cds::Cluster {
        name: name.to_owned(),
        cluster_discovery_type: Some(ClusterDiscoveryType::Type(DiscoveryType::LOGICAL_DNS.into())),
        load_assignment: assignment.into(),
        ..Default::default()
    })
}

/// The cluster of a path.
fn goes(table: &RouteTable, path: &str) -> String {
    let found = table.find(&Head { path, metadata: &Metadata::new() }, &mut fastrand::Rng::with_seed(1));
    found.map_or_else(|none| none.to_string(), |found| found.target.cluster.clone())
}

fn failure(table: &RouteTable, cluster: &str) -> String {
    let mut clusters = table.clusters();
    clusters.find(|(name, _)| &***name == cluster).unwrap().1.failure.clone().unwrap_or_default()
}

/// Two routes to two clusters.
fn whole() -> Bench {
    let mut bench = Bench::new();
    bench.has("echo", listener("r")).has("r", routes("r", "*", &[("/a", "a"), ("", "b")]));
    bench.has("a", cluster("a")).has("a", endpoints("a", &[&[1, 2], &[3]]));
    bench.has("b", cluster("b")).has("b", endpoints("b", &[&[4]]));
    bench
}

#[test]
fn everything_is_asked_for_in_turn_and_one_table_comes_of_it() {
    let mut bench = whole();
    let table = bench.settle().unwrap().unwrap();
    assert_eq!((goes(&table, "/a/x"), goes(&table, "/x")), ("a".into(), "b".into()));
    assert_eq!(bench.servers("a"), ["10.0.0.1:1@0", "10.0.0.1:2@0", "10.0.0.1:3@1"]);
    let kinds: Vec<_> = bench.asked.iter().map(|(kind, _)| *kind).collect();
    use Kind::*;
    assert_eq!(kinds, [Listener, Listener, Routes, Routes, Cluster, Cluster, Endpoints, Endpoints]);
    assert_eq!(bench.asked.last().unwrap().1, ["a", "b"]);
    assert!(bench.push().is_none(), "a new version of the same is no news");
}

#[test]
fn the_node_is_in_the_first_request_of_each_stream() {
    let mut bench = Bench::new();
    let request = bench.core.request(0, Duration::ZERO).unwrap();
    let node = request.node.into_option().unwrap();
    assert_eq!((node.id.as_str(), node.locality.zone.as_str()), ("n1", "z"));
    assert!(node.metadata.fields.contains_key("a") && node.client_features.len() == 2);
    bench.core.ended(0, "broken", Duration::ZERO, 0.5);
    bench.now = Duration::from_secs(1);
    bench.open();
    assert!(bench.core.request(0, bench.now).unwrap().node.is_set());
}

#[test]
fn new_routes_are_used_once_their_clusters_have_come() {
    let mut bench = whole();
    bench.settle();
    bench.has("r", routes("r", "*", &[("", "c")]));
    assert!(bench.push().is_none(), "the cluster c has not come");
    bench.has("c", cluster("c"));
    assert!(bench.push().is_none(), "its endpoints have not");
    bench.has("c", endpoints("c", &[&[9]]));
    let table = bench.push().unwrap().unwrap();
    assert_eq!((goes(&table, "/a"), bench.servers("c")), ("c".into(), vec!["10.0.0.1:9@0".to_owned()]));
    assert!(!bench.sources.contains_key("a"));
}

/// A cluster whose servers' certificates are checked against the issuers of a provider.
pub(crate) fn secured(name: &str, provider: &str) -> Any {
    use crate::messages::envoy::extensions::transport_sockets::tls::v3 as tls;
    let instance =
        tls::CertificateProviderPluginInstance { instance_name: provider.to_owned(), ..Default::default() };
    let validation = tls::CertificateValidationContext {
        ca_certificate_provider_instance: instance.into(),
        ..Default::default()
    };
    let context = tls::common_tls_context::ValidationContextType::ValidationContext(Box::new(validation));
    let common = tls::CommonTlsContext { validation_context_type: Some(context), ..Default::default() };
    let upstream = tls::UpstreamTlsContext { common_tls_context: common.into(), ..Default::default() };
    let socket = wire::TransportSocket {
        name: "envoy.transport_sockets.tls".to_owned(),
        typed_config: any(&upstream).into(),
    };
    let plain = cds::Cluster::from_wire(&cluster(name).value).unwrap();
    any(&cds::Cluster { transport_socket: socket.into(), ..plain })
}

/// The TLS of a cluster: its file of issuers; and of its parts.
fn protected(table: &RouteTable, cluster: &str) -> String {
    let mut clusters = table.clusters();
    let (_, cluster) = clusters.find(|(name, _)| &***name == cluster).unwrap();
    let shown = |tls: &Option<polywire_routing::ClusterTls>| {
        tls.as_ref().map_or("-".to_owned(), |tls| tls.ca_files[0].display().to_string())
    };
    let parts = cluster.parts.iter().map(|(name, tls)| format!(" {name}:{}", shown(tls)));
    format!("{}{}", shown(&cluster.tls), parts.collect::<String>())
}

#[test]
fn servers_of_a_cluster_that_gets_tls_are_told_to_nobody_who_connects_without() {
    let mut bench = whole();
    let table = bench.settle().unwrap().unwrap();
    assert_eq!(protected(&table, "a"), "-");
    let before = bench.sources["a"].clone();
    bench.has("a", secured("a", "p")).has("a", endpoints("a", &[&[7]]));
    let table = bench.push().unwrap().unwrap();
    assert_eq!((protected(&table, "a"), bench.servers("a")), ("p.pem".into(), vec!["10.0.0.1:7@0".into()]));
    assert!(before.now().iter().all(|server| server.address != "10.0.0.1:7"), "{:?}", before.now());
    // Endpoints alone change under the same source, and a cluster that is gone for a while stays as it was.
    let before = bench.sources["a"].clone();
    bench.has("a", endpoints("a", &[&[8]]));
    bench.push().unwrap().unwrap();
    assert!(Arc::ptr_eq(&before, &bench.sources["a"]));
    bench.resources.get_mut(&Kind::Cluster).unwrap().remove("a");
    let table = bench.push().unwrap().unwrap();
    assert!(failure(&table, "a").contains("does not have it"));
    assert_eq!(protected(&table, "a"), "p.pem");
}

#[test]
fn clusters_of_an_aggregate_keep_their_own_tls() {
    let mut bench = whole();
    bench.has("a", aggregate("a", &["x", "y"]));
    bench.has("x", secured("x", "p")).has("x", endpoints("x", &[&[1]]));
    bench.has("y", secured("y", "p")).has("y", endpoints("y", &[&[2]]));
    let table = bench.settle().unwrap().unwrap();
    assert_eq!(protected(&table, "a"), "p.pem", "all alike");
    bench.has("y", cluster("y"));
    let table = bench.push().unwrap().unwrap();
    assert_eq!(protected(&table, "a"), "- x:p.pem y:-");
    let parts: Vec<_> = bench.sources["a"].now().into_iter().map(|server| server.part).collect();
    assert_eq!(parts, [Some("x".to_owned()), Some("y".to_owned())]);
    bench.has("y", secured("y", "q"));
    assert_eq!(protected(&bench.push().unwrap().unwrap(), "a"), "- x:p.pem y:q.pem");
}

#[test]
fn endpoints_change_under_the_same_source() {
    let mut bench = whole();
    bench.settle();
    let before: Arc<Assigned> = bench.sources["a"].clone();
    bench.has("a", endpoints("a", &[&[2]]));
    assert!(bench.push().is_some());
    assert!(Arc::ptr_eq(&before, &bench.sources["a"]));
    assert_eq!(bench.servers("a"), ["10.0.0.1:2@0"]);
}

#[test]
fn a_cluster_that_is_not_there_fails_its_own_calls_alone() {
    let mut bench = whole();
    bench.resources.get_mut(&Kind::Cluster).unwrap().remove("b");
    assert!(bench.settle().is_none());
    assert!(bench.after(14).is_none());
    let table = bench.after(1).unwrap().unwrap();
    assert_eq!(failure(&table, "a"), "");
    assert_eq!(failure(&table, "b"), "xDS cluster \"b\": the control plane does not have it");
    bench.has("b", cluster("b"));
    assert_eq!(failure(&bench.push().unwrap().unwrap(), "b"), "");
    bench.resources.get_mut(&Kind::Cluster).unwrap().remove("b");
    assert_ne!(failure(&bench.push().unwrap().unwrap(), "b"), "", "deleted");
}

#[test]
fn a_cluster_without_endpoints_says_why() {
    let mut bench = whole();
    bench.has("b", endpoints("b", &[]));
    bench.resources.get_mut(&Kind::Endpoints).unwrap().remove("a");
    assert!(bench.settle().is_none());
    let table = bench.after(15).unwrap().unwrap();
    assert_eq!(failure(&table, "b"), "xDS cluster \"b\": it has no healthy endpoints");
    assert!(
        failure(&table, "a").contains("the endpoints \"a\" are missing: the control plane does not have it")
    );
}

#[test]
fn without_a_listener_or_a_virtual_host_all_calls_fail_and_then_go_on() {
    let mut bench = whole();
    bench.settle();
    let kept = bench.resources.remove(&Kind::Listener).unwrap();
    let why = bench.push().unwrap().unwrap_err();
    assert_eq!(why, "xDS listener \"echo\": the control plane does not have it [xDS node id: n1]");
    assert_eq!(bench.asked.last(), Some(&(Kind::Endpoints, vec![])));
    bench.resources.insert(Kind::Listener, kept);
    assert!(bench.push().unwrap().is_ok());
    bench.has("r", routes("r", "other", &[("", "a")]));
    assert!(bench.push().unwrap().unwrap_err().contains("no virtual host is for \"echo\""));
}

#[test]
fn a_control_plane_that_is_not_there_is_an_error_at_once_and_one_that_is_lost_is_none() {
    let mut bench = whole();
    bench.core.ended(0, "refused", bench.now, 0.5);
    assert!(bench.news().unwrap().unwrap_err().contains("plane:1 cannot be reached: refused"));
    bench.now = Duration::from_secs(1);
    bench.open();
    assert!(bench.settle().unwrap().is_ok());
    for n in 0..3 {
        bench.core.ended(0, "refused", bench.now, 0.5);
        assert!(bench.news().is_none(), "{n}");
        bench.now += Duration::from_secs(3);
        bench.open();
    }
}

#[test]
fn an_aggregate_has_the_endpoints_of_its_clusters_one_behind_the_other() {
    let mut bench = whole();
    bench.has("r", routes("r", "*", &[("", "all")]));
    bench.has("all", aggregate("all", &["a", "inner", "name"])).has("inner", aggregate("inner", &["b", "a"]));
    bench.has("name", dns("name", "host.example"));
    assert!(bench.settle().is_none());
    assert_eq!(bench.core.hosts().collect::<Vec<_>>(), ["host.example:80"]);
    bench.core.resolved("host.example:80", Ok(vec!["10.9.9.9:80".parse().unwrap()]));
    assert!(bench.news().unwrap().is_ok());
    let ports = ["10.0.0.1:1@0", "10.0.0.1:2@0", "10.0.0.1:3@1", "10.0.0.1:4@2", "10.9.9.9:80@3"];
    assert_eq!(bench.servers("all"), ports);
    bench.core.resolved("host.example:80", Err("no answer".to_owned()));
    assert!(bench.news().is_none(), "the last addresses stay");
    bench.has("inner", aggregate("inner", &["all"]));
    let table = bench.push().unwrap().unwrap();
    assert!(failure(&table, "all").contains("nested deeper than 16"));
}

/// A cluster of many endpoints, and very many aggregates that name it: each has servers of its own, which are
/// counted before they are created.
#[test]
fn aggregates_of_one_large_cluster_do_not_multiply_its_endpoints_without_bound() {
    let (endpoints_each, aggregates) = (2000, 500);
    let ports: Vec<u32> = (1..=endpoints_each).collect();
    let names: Vec<String> = (0..aggregates).map(|n| format!("all-{n:03}")).collect();
    let mut bench = Bench::new();
    let prefixes: Vec<String> = names.iter().map(|name| format!("/{name}")).collect();
    let rows: Vec<(&str, &str)> =
        prefixes.iter().map(String::as_str).zip(names.iter().map(String::as_str)).collect();
    bench.has("echo", listener("r")).has("r", routes("r", "*", &rows));
    names.iter().for_each(|name| _ = bench.has(name, aggregate(name, &["a"])));
    bench.has("a", cluster("a")).has("a", endpoints("a", &[&ports]));
    let table = bench.settle().unwrap().unwrap();
    let made: usize = bench.sources.values().map(|source| source.now().len()).sum();
    assert_eq!(
        made,
        MOST_ENDPOINTS / (ports.len() + 1) * ports.len(),
        "each cluster counts with its locality"
    );
    assert!(made < names.len() * ports.len() / 4, "so many were named: {}", names.len() * ports.len());
    assert_eq!(failure(&table, &names[0]), "");
    let text = "the clusters of the target have more than 200000 endpoints";
    assert!(failure(&table, &names[499]).contains(text), "{}", failure(&table, &names[499]));
    // A large one that does not fit takes nothing from those behind it.
    bench.has("a", endpoints("a", &[&ports[..300]]));
    let table = bench.push().unwrap().unwrap();
    assert_eq!(failure(&table, &names[499]), "");
}

#[test]
fn names_in_errors_are_shortened() {
    let long = "n".repeat(1 << 20);
    let mut bench = whole();
    bench.has("r", routes("r", "*", &[("/a", "a"), ("", &long)]));
    let mut wire: cds::Cluster = cluster("a").unpack().unwrap().expect("a cluster");
    let config = cds::cluster::EdsClusterConfig { eds_config: ads().into(), service_name: long.clone() };
    wire.eds_cluster_config = config.into();
    bench.has("a", any(&wire));
    assert!(bench.settle().is_none());
    let table = bench.after(15).unwrap().unwrap();
    for cluster in ["a", &long] {
        let why = failure(&table, cluster);
        assert!(why.contains("nnn") && why.len() < 1000, "{} bytes", why.len());
        assert!(bench.sources[cluster].name().len() < 1000);
    }
    bench.has("echo", listener(&long));
    let _ = bench.push();
    let why = bench.after(15).unwrap().unwrap_err();
    assert!(why.contains("nnn") && why.len() < 1000, "{} bytes", why.len());
}

fn policy(config: Any) -> cds::LoadBalancingPolicy {
    let config = wire::TypedExtensionConfig { typed_config: config.into(), ..Default::default() };
    let policy = cds::load_balancing_policy::Policy { typed_extension_config: config.into() };
    cds::LoadBalancingPolicy { policies: vec![policy] }
}

fn some_of(size: u32, child: cds::LoadBalancingPolicy) -> cds::LoadBalancingPolicy {
    let subset_size = UInt32Value { value: size }.into();
    policy(any(&RandomSubsetting { subset_size, child_policy: child.into() }))
}

fn round_robin() -> cds::LoadBalancingPolicy {
    let type_url =
        "type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin".to_owned();
    policy(Any { type_url, ..Any::default() })
}

/// The cluster `a` of [`whole`] with another policy, and these ports in each priority.
fn chosen_by(bench: &mut Bench, with: cds::LoadBalancingPolicy, ports: &[&[u32]]) {
    let mut wire: cds::Cluster = cluster("a").unpack().unwrap().expect("a cluster");
    wire.load_balancing_policy = with.into();
    bench.has("a", any(&wire)).has("a", endpoints("a", ports));
}

/// gRFC A68: each client draws once, for each priority.
#[test]
fn a_client_uses_a_subset_which_stays_while_its_servers_do() {
    fastrand::seed(68);
    let ports: Vec<u32> = (1..=12).collect();
    let mut bench = whole();
    chosen_by(&mut bench, some_of(4, round_robin()), &[&ports, &[90, 91, 92]]);
    bench.settle().unwrap().unwrap();
    let mut before = bench.servers("a");
    let second = ["10.0.0.1:90@1", "10.0.0.1:91@1", "10.0.0.1:92@1"];
    assert_eq!((before.len(), &before[4..]), (7, &second.map(str::to_owned)[..]));
    assert!(before[..4].iter().all(|server| server.ends_with("@0")), "{before:?}");
    for gone in ports.clone() {
        let rest: Vec<u32> = ports.iter().copied().filter(|port| *port != gone).collect();
        bench.has("a", endpoints("a", &[&rest, &[90, 91, 92]]));
        bench.push();
        let after = bench.servers("a");
        let lost: Vec<_> = before.iter().filter(|server| !after.contains(server)).cloned().collect();
        let was_used = format!("10.0.0.1:{gone}@0");
        let expected: Vec<_> = before.iter().filter(|server| **server == was_used).cloned().collect();
        assert_eq!((lost, after.len()), (expected, 7), "without {gone}");
        bench.has("a", endpoints("a", &[&ports, &[90, 91, 92]]));
        bench.push();
        before.sort();
        let mut again = bench.servers("a");
        again.sort();
        assert_eq!(again, before, "it is back");
    }
}

#[test]
fn each_client_draws_a_subset_of_its_own_and_servers_have_as_many_clients_as_chance_gives() {
    fastrand::seed(6);
    let (clients, ports) = (400, (1..=8).collect::<Vec<u32>>());
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut firsts: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..clients {
        let mut bench = whole();
        chosen_by(&mut bench, some_of(2, policy(any(&PickFirst::default()))), &[&ports]);
        bench.settle().unwrap().unwrap();
        let servers = bench.servers("a");
        assert!(servers[0].ends_with("@0") && servers[1].ends_with("@1"), "one after the other: {servers:?}");
        *firsts.entry(servers[0].clone()).or_default() += 1;
        let name = |server: &String| server.split('@').next().unwrap().to_owned();
        servers.iter().for_each(|server| *counts.entry(name(server)).or_default() += 1);
    }
    let near = |count: &u32, share: f64| {
        let (mean, variance) = (f64::from(clients) * share, f64::from(clients) * share * (1.0 - share));
        (f64::from(*count) - mean).abs() < 5.0 * variance.sqrt()
    };
    assert!(counts.len() == 8 && counts.values().all(|count| near(count, 0.25)), "{counts:?}");
    assert!(firsts.len() == 8 && firsts.values().all(|count| near(count, 0.125)), "{firsts:?}");
}

#[test]
fn a_subset_of_each_locality_is_of_the_subset_of_their_priority() {
    let mut bench = whole();
    let inner = policy(any(&WrrLocality { endpoint_picking_policy: some_of(2, round_robin()).into() }));
    chosen_by(&mut bench, some_of(9, inner), &[]);
    let ports: Vec<u32> = (1..=6).collect();
    let mut near = locality(0, "10.0.0.1", &ports);
    near.locality = wire::Locality { zone: "near".to_owned(), ..Default::default() }.into();
    let far = locality(0, "10.0.0.2", &ports);
    bench.has(
        "a",
        any(&eds::ClusterLoadAssignment {
            cluster_name: "a".to_owned(),
            endpoints: vec![near, far],
            ..Default::default()
        }),
    );
    bench.settle().unwrap().unwrap();
    let servers = bench.servers("a");
    let of = |host: &str| servers.iter().filter(|server| server.starts_with(host)).count();
    assert_eq!((of("10.0.0.1:"), of("10.0.0.2:")), (2, 2), "{servers:?}");
}

#[test]
fn a_table_that_is_refused_leaves_no_sources_behind() {
    let mut bench = whole();
    bench.settle().unwrap().unwrap();
    let Some(Ok(mut snapshot)) = bench.core.outcome.clone() else { panic!("it has settled") };
    snapshot.clusters.remove("b"); // though a route names it
    snapshot.clusters.insert("c".to_owned(), Err("gone".to_owned()));
    table::table(&snapshot, "xds:///echo", &mut bench.sources).unwrap_err();
    assert!(bench.sources.keys().eq(["a", "b"]), "those of the table before: {:?}", bench.sources);
}
