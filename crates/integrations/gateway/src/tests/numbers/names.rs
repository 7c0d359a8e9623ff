//! Which method a number is, and which number a method has.

use super::*;

/// The service under a short name that another one has, too; and in another order.
const TWO: &str = r#"
syntax = "proto3";
package other;
message Text { string message = 1; }
service EchoService {
  rpc List(Text) returns (Text);
  rpc Echo(Text) returns (Text);
}
"#;

#[tokio::test(start_paused = true)]
async fn a_number_that_no_method_has_is_refused_in_the_words_of_the_protocol() {
    for known in [by_schema, by_list] {
        let old = Old::new("grpc", echo_service(), known);
        for front in ["hulu_pbrpc", "public_pbrpc"] {
            let channel = old.channel(front);
            for (service, number) in [
                (ECHO_SERVICE, 2),
                (ECHO_SERVICE, i32::MAX as u32),
                (ECHO_SERVICE, u32::MAX),
                ("example.Nothing", 0),
                ("a b", 0),
                ("../x", 0),
                ("\u{e4}\n", 0),
            ] {
                let status = channel.call(Target::named(service, "x").at(number), "").await.unwrap_err();
                let text = "Fail to find method=";
                assert_eq!(status.native(), Native::Brpc(brpc::ENOMETHOD), "{front}, {service}: {status}");
                assert!(status.message().starts_with(text), "{front}, {service}: {status}");
            }
        }
        let status = old.channel("nova_pbrpc").call(Target::named("x", "x").at(2), "").await.unwrap_err();
        assert_eq!(status.native(), Native::Brpc(brpc::EEOF));
        assert!(old.behind.connections().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_method_whose_number_is_not_known_is_refused_before_anything_is_sent() {
    for back in NUMBERED {
        for (known, text) in [
            (
                by_list as fn(Cluster) -> Cluster,
                "the list of the methods of example.EchoService does not have Drop",
            ),
            (by_schema, "the schema of example.EchoService has no method Drop"),
            (|cluster| cluster, "no schema and no list has the methods of example.EchoService"),
        ] {
            let old = Old::new(back, echo_service(), known);
            let drop = Target::fixed(ECHO_SERVICE, "Drop");
            let status = old.channel("grpc").call(drop, "").await.unwrap_err();
            assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")), "{back}");
            assert!(status.message().ends_with(text), "{back}: {status}");
            assert!(old.behind.connections().is_empty(), "{back}");
        }
    }
    let old = Old::new("nova_pbrpc", echo_service(), by_list);
    let status = old.channel("grpc").call(Target::fixed("example.Other", "Echo"), "").await.unwrap_err();
    assert!(status.message().contains("one service, and that is example.EchoService"), "{status}");
}

#[tokio::test(start_paused = true)]
async fn a_number_is_a_method_of_a_cluster_that_gets_its_calls() {
    let net = Net::<Lab>::seeded(1);
    net.serve("behind:1", Server::<Lab>::new().service(echo_service()));
    let below = || net.host("relay").builder("behind:1").protocol("grpc").build().expect("a channel");
    let call = async |routes: Routes, target: Target| {
        let net = &net;
        let served = net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::by(routes)));
        let channel = net.builder("relay:1").protocol("hulu_pbrpc").build().expect("a channel");
        let reply = channel.call(target, HELLO).await.map(|reply| reply.body.to_vec());
        drop(channel);
        served.stop().await;
        reply
    };
    let routes = |texts: &[(&str, Cluster)]| {
        let add = |routes: Routes, (text, cluster): &(&str, Cluster)| {
            routes.to(text.parse().expect("names"), cluster).expect("room")
        };
        texts.iter().fold(Routes::new(), add)
    };
    let (ours, other) = (by_list(Cluster::new(&below())), Cluster::new(&below()).schemas(&schemas_of(TWO)));
    // No route leads to the other service, which has the same short name.
    assert_eq!(
        call(routes(&[("example.*", ours.clone()), ("x.*", other.clone())]), ECHO).await.unwrap(),
        HELLO
    );
    // Both are led to: which is meant?
    let both = routes(&[("example.*", ours.clone()), ("other.*", other.clone())]);
    assert_eq!(call(both.clone(), ECHO).await.unwrap_err().native(), Native::Brpc(brpc::ENOMETHOD));
    // Nor is it meant where the other one has fewer methods.
    let last = Target::fixed(ECHO_SERVICE, "Last").at(2);
    assert_eq!(call(both, last).await.unwrap_err().native(), Native::Brpc(brpc::ENOMETHOD));
    // Two that say the same are no contradiction; two that do not are.
    let same =
        routes(&[("example.*/nothing", ours.clone())].map(|_| ("example.EchoService/Echo", ours.clone())));
    assert_eq!(call(same, ECHO).await.unwrap(), HELLO);
    let again = by_schema(Cluster::new(&below()));
    let same = routes(&[("example.EchoService/Echo", ours.clone()), ("*", again)]);
    assert_eq!(call(same, ECHO).await.unwrap(), HELLO);
    let reversed = Cluster::new(&below()).methods(ECHO_SERVICE, &["List", "Echo"]).expect("names");
    let contrary = routes(&[("example.EchoService/Echo", ours.clone()), ("*", reversed)]);
    assert_eq!(call(contrary, ECHO).await.unwrap_err().native(), Native::Brpc(brpc::ENOMETHOD));
    // A route for a method that the caller's number is not.
    let routed = routes(&[("example.EchoService/List", ours)]);
    assert_eq!(call(routed, ECHO).await.unwrap_err().native(), Native::Brpc(brpc::ENOMETHOD));
}

/// Servers are told the name without its package.
#[tokio::test(start_paused = true)]
async fn a_service_is_not_taken_for_another_one_of_its_servers_with_the_same_short_name() {
    for back in ["hulu_pbrpc", "public_pbrpc"] {
        let both = |cluster: Cluster| {
            let cluster = by_list(cluster);
            cluster.methods("other.EchoService", &["Drop"]).expect("names")
        };
        let old = Old::new(back, echo_service(), both);
        for target in [ECHO, Target::fixed("other.EchoService", "Drop")] {
            let status = old.channel("grpc").call(target, HELLO).await.unwrap_err();
            assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")), "{back}");
            assert!(status.message().contains("several services are called EchoService"), "{back}: {status}");
        }
        assert!(old.behind.connections().is_empty(), "{back}");
    }
}

#[tokio::test]
async fn lists_of_methods_have_names_each_once() {
    let net = Net::<Lab>::seeded(1);
    let below = net.builder("behind:1").protocol("hulu_pbrpc").build().expect("a channel");
    for (service, methods) in [
        ("", &["Echo"][..]),
        ("a b", &["Echo"]),
        (ECHO_SERVICE, &["Echo", "Echo"]),
        (ECHO_SERVICE, &["E/cho"]),
        (ECHO_SERVICE, &[]),
    ] {
        assert!(Cluster::new(&below).methods(service, methods).is_err(), "{service:?} {methods:?}");
    }
    assert!(Cluster::new(&below).only_service("a b").is_err());
    assert!(Relay::to(&below).unnamed_service("").is_err());
}
