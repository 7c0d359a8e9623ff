//! A control plane on a network in memory, in virtual time.

use super::*;
use crate::{
    core::tests::{cluster, endpoints, listener, routes, secured},
    messages::envoy::service::discovery::v3::{self as messages, DiscoveryRequest, DiscoveryResponse},
};
use polywire_call::Status;
use polywire_formats::wkt::Any;
use polywire_naming::Naming;
use polywire_protocols::Builtin;
use polywire_routing::{Routing, WatchedTable, watch_router};
use polywire_server::{BidiStreaming, Context, Preset, Server, Service};
use polywire_streams::{Stream as Messages, Streaming, stream};
use polywire_testkit::{Net, Served};
use polywire_wire::{ProtocolSet, Protocols};
use std::sync::Mutex;

struct Plane;
impl Protocols for Plane {
    fn protocol_set() -> ProtocolSet {
        Builtin::protocol_set()
    }
}
impl Preset for Plane {
    type Pages = ();
}
impl Naming for Plane {}
impl Routing for Plane {}

/// Answers each first request of a type on a stream with its resources of that type.
#[derive(Default)]
struct Snapshots {
    resources: Mutex<Vec<Any>>,
    streams: Mutex<u32>,
}

impl Snapshots {
    fn has(&self, resources: Vec<Any>) {
        *self.resources.lock().unwrap() = resources;
    }

    fn serve(self: &Arc<Self>, net: &Net<Plane>) -> Served {
        let name = "envoy.service.discovery.v3.AggregatedDiscoveryService";
        let service = Service::new(name, messages::DESCRIPTOR_SET).bidi_streaming::<Aggregated>(self);
        net.serve("plane:1", Server::<Plane>::new().service(service))
    }
}

struct Aggregated;
impl BidiStreaming for Aggregated {
    type Service = Snapshots;
    type Request = DiscoveryRequest;
    type Response = DiscoveryResponse;
    const NAME: &'static str = "StreamAggregatedResources";
    async fn call(
        plane: &Snapshots,
        cx: &Context,
        mut requests: Streaming<DiscoveryRequest>,
    ) -> Result<impl Messages<Item = Result<DiscoveryResponse, Status>> + Send, Status> {
        let (sender, answers) = stream(4);
        let resources = plane.resources.lock().unwrap().clone();
        *plane.streams.lock().unwrap() += 1;
        cx.spawn(async move {
            while let Some(request) = requests.next().await.transpose()? {
                if !request.response_nonce.is_empty() {
                    continue;
                }
                let of = |any: &&Any| any.type_url == request.type_url;
                let resources = resources.iter().filter(of).cloned().collect();
                let (version_info, nonce) = ("1".to_owned(), "n".to_owned());
                sender
                    .send(DiscoveryResponse { version_info, nonce, resources, type_url: request.type_url })
                    .await?;
            }
            Ok(())
        });
        Ok(answers)
    }
}

fn whole(port: u32) -> Vec<Any> {
    vec![listener("r"), routes("r", "*", &[("", "c")]), cluster("c"), endpoints("c", &[&[port]])]
}

/// Watches `xds:///echo`.
fn watch(net: &Net<Plane>) -> WatchedTable {
    watch_as(net, "/echo")
}

/// Watches `xds:///name`, whose listener is `echo`.
fn watch_as(net: &Net<Plane>, name: &str) -> WatchedTable {
    let bootstrap = r#"{"xds_servers":[{"server_uri":"dns:///plane:1","channel_creds":[{"type":"insecure"}]}],
        "client_default_listener_resource_name_template":"echo"}"#;
    let mut xds = Xds::open(Bootstrap::parse(bootstrap).unwrap(), name).unwrap();
    let host = net.host("client");
    xds.dial = Open(Arc::new(move |builder| host.connecting(builder)));
    let (watched, work) = watch_router(Arc::new(xds));
    tokio::spawn(work);
    watched
}

/// A channel to `xds:///echo`; `ca`: the file of the provider `p`.
fn channel(net: &Net<Plane>, ca: &std::path::Path) -> polywire_client::Channel<Plane> {
    let bootstrap = format!(
        r#"{{"xds_servers":[{{"server_uri":"plane:1","channel_creds":[{{"type":"insecure"}}]}}],"certificate_providers":
        {{"p":{{"plugin_name":"file_watcher","config":{{"ca_certificate_file":{ca:?},"refresh_interval":"30s"}}}}}}}}"#
    );
    let mut xds = Xds::open(Bootstrap::parse(&bootstrap).unwrap(), "/echo").unwrap();
    let host = net.host("client");
    xds.dial = Open(Arc::new(move |builder| host.connecting(builder)));
    net.builder("xds").protocol(polywire_protocols::http::GRPC.name).router(xds).build().unwrap()
}

/// Asks a server of the channel for the xDS state of this process.
async fn asked(channel: &polywire_client::Channel<Plane>) -> Result<(), Status> {
    use crate::messages::envoy::service::status::v3::{ClientStatusRequest, ClientStatusResponse};
    let service = "envoy.service.status.v3.ClientStatusDiscoveryService";
    let method = polywire_client::Target::fixed(service, "FetchClientStatus");
    let request = ClientStatusRequest { exclude_resource_contents: true, ..Default::default() };
    polywire_client::stub::unary::<_, _, ClientStatusResponse>(channel, method, request).await.map(drop)
}

/// The servers of the only cluster.
async fn servers(table: &WatchedTable) -> Vec<String> {
    let table = table.table().expect("a table has come");
    let (_, cluster) = table.clusters().next().expect("it has a cluster");
    let (mut watched, work) = polywire_naming::watch(Box::new(cluster.servers.clone()));
    tokio::spawn(work);
    watched.changed().await;
    watched.set().unwrap().iter().map(|server| server.address.clone()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_table_comes_of_what_the_control_plane_sends() {
    let (net, plane) = (Net::seeded(3), Arc::new(Snapshots::default()));
    plane.has(whole(7));
    plane.serve(&net);
    let mut watched = watch(&net);
    watched.changed().await;
    assert_eq!(servers(&watched).await, ["10.0.0.1:7"]);
}

#[tokio::test(start_paused = true)]
async fn the_table_outlives_the_control_plane_and_changes_when_it_is_back() {
    let (net, plane) = (Net::seeded(3), Arc::new(Snapshots::default()));
    plane.has(whole(7));
    let served = plane.serve(&net);
    let mut watched = watch(&net);
    watched.changed().await;
    served.crash();
    sleep(Duration::from_secs(600)).await;
    assert!(watched.error().is_none());
    assert_eq!(servers(&watched).await, ["10.0.0.1:7"]);
    plane.has(whole(8));
    plane.serve(&net);
    sleep(Duration::from_secs(150)).await;
    assert_eq!(servers(&watched).await, ["10.0.0.1:8"]);
    assert_eq!(*plane.streams.lock().unwrap(), 2);
}

#[tokio::test(start_paused = true)]
async fn without_a_control_plane_there_is_no_table_but_the_reason() {
    let net = Net::<Plane>::seeded(3);
    let mut watched = watch(&net);
    watched.changed().await;
    assert!(watched.table().is_none());
    let why = watched.error().unwrap().to_string();
    assert!(why.contains("the control plane dns:///plane:1 cannot be reached: "), "{why}");
    let plane = Arc::new(Snapshots::default());
    plane.has(whole(7));
    plane.serve(&net);
    watched.changed().await;
    assert!(watched.table().is_some() && watched.error().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_control_plane_that_has_nothing_is_believed_after_15_s() {
    let (net, plane) = (Net::seeded(3), Arc::new(Snapshots::default()));
    plane.serve(&net);
    let (mut watched, began) = (watch(&net), Instant::now());
    watched.changed().await;
    let why = watched.error().unwrap().to_string();
    assert!(why.contains("listener \"echo\": the control plane does not have it"), "{why}");
    assert_eq!(began.elapsed().as_secs(), 15);
}

#[test]
fn targets_that_are_none_are_refused() {
    let bootstrap = r#"{"xds_servers":[{"server_uri":"a:1","channel_creds":[{"type":"insecure"}]}]}"#;
    let bootstrap = Bootstrap::parse(bootstrap).unwrap();
    for (rest, why) in
        [("echo", "write xds:///NAME"), ("/", "the name is missing"), ("a/echo", "no authority \"a\"")]
    {
        let error = Xds::open(bootstrap.clone(), rest).unwrap_err().to_string();
        assert!(error.contains(why), "{rest}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_says_what_its_clients_know() {
    use crate::messages::envoy::{
        admin::v3::ClientResourceStatus as Known,
        service::status::v3::{ClientStatusRequest, ClientStatusResponse},
    };
    use polywire_client::stub;
    let (net, plane) = (Net::seeded(3), Arc::new(Snapshots::default()));
    let bad = Any { value: Vec::new().into(), ..cluster("c") };
    let bad = Any { value: [&[0x0a, 1, b'c'][..], &bad.value].concat().into(), ..bad };
    let mut resources = whole(7);
    resources[2] = bad;
    plane.has(resources);
    plane.serve(&net);
    let mut watched = watch_as(&net, "/asked");
    watched.changed().await;
    for contents in [true, false] {
        // Clients of tests that run beside this one answer, too.
        let response = crate::csds::known(contents).await;
        let config =
            response.config.into_iter().find(|config| config.client_scope == "xds:///asked").unwrap();
        let shown: Vec<_> =
            config.generic_xds_configs.iter().map(|one| one.client_status.as_known().unwrap()).collect();
        assert_eq!(shown, [Known::ACKED, Known::ACKED, Known::NACKED]);
        let [listener, _, cluster] = &config.generic_xds_configs[..] else { panic!("{config:?}") };
        assert_eq!((listener.version_info.as_str(), listener.xds_config.is_set()), ("1", contents));
        assert!(listener.last_updated.is_set() && listener.error_state.is_unset());
        assert_eq!((cluster.version_info.as_str(), cluster.error_state.version_info.as_str()), ("", "1"));
        assert_eq!(cluster.error_state.details, "its type is STATIC, which is not supported");
    }
    let bound = Server::<Plane>::new().service(crate::csds::service());
    net.serve("admin:1", bound);
    let channel = net.builder("admin:1").protocol(polywire_protocols::http::GRPC.name).build().unwrap();
    let method = polywire_client::Target::fixed(
        "envoy.service.status.v3.ClientStatusDiscoveryService",
        "FetchClientStatus",
    );
    let mut request = ClientStatusRequest { node_matchers: vec![Default::default()], ..Default::default() };
    let ask = |request| stub::unary::<_, _, ClientStatusResponse>(&channel, method.clone(), request);
    assert_eq!(ask(request.clone()).await.unwrap_err().code(), polywire_call::Code::InvalidArgument);
    request.node_matchers.clear();
    let answer = ask(request).await.unwrap().into_message();
    assert!(answer.config.iter().any(|config| config.client_scope == "xds:///asked"));
}

#[tokio::test(start_paused = true)]
async fn servers_of_a_cluster_with_tls_are_reached_by_it_or_not_at_all() {
    use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
    let key = KeyPair::generate().unwrap();
    let mut parameters = CertificateParams::new(Vec::new()).unwrap();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer_pem = parameters.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(parameters, key);
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec!["a.internal".to_owned()])
        .unwrap()
        .signed_by(&key, &issuer)
        .unwrap()
        .pem();
    let ca = std::env::temp_dir().join(format!("polywire-xds-{}.pem", std::process::id()));

    let (net, plane) = (Net::seeded(3), Arc::new(Snapshots::default()));
    let mut resources = whole(7);
    resources[2] = secured("c", "p");
    plane.has(resources);
    plane.serve(&net);
    let tls = polywire_server::ServerTls::pem(certificate, key.serialize_pem());
    let answers = || Server::<Plane>::new().service(crate::csds::service());
    let served = net.serve("10.0.0.1:7", answers().tls(tls));
    let channel = channel(&net, &ca);
    let status = asked(&channel).await.unwrap_err();
    assert!(status.message().contains(&format!("{}: ", ca.display())), "{status}");
    std::fs::write(&ca, issuer_pem).unwrap();
    sleep(Duration::from_secs(5)).await;
    asked(&channel).await.unwrap();
    // In its place one that speaks no TLS: it is not spoken to.
    served.crash();
    net.serve("10.0.0.1:7", answers());
    sleep(Duration::from_secs(5)).await;
    let status = asked(&channel).await.unwrap_err();
    assert!(status.message().contains("cannot connect to 10.0.0.1:7: TLS: "), "{status}");
    std::fs::remove_file(&ca).unwrap();
}
