//! Channels that share connections, and what must never be shared.

use super::{
    authority::Authority,
    support::{WHO, server, start, tls},
};
use polywire::{
    AnyChannel, Caller, Channel, ChannelBuilder, ClientTls, Connections, Credentials, Fleet, Identity,
    Limits, Pooling, Resilience, Running, ServerOptions, ServerTls, SharedConnections, Standard, Status,
    Token,
};
use std::{future::Future, sync::Arc, time::Duration};

const NEVER: Duration = Duration::from_secs(60);
type Builder = ChannelBuilder<Standard>;

fn run<F: Future>(test: F) -> F::Output {
    super::support::run(test)
}

fn to(running: &Running) -> Builder {
    // As a name, so that certificates can be for it.
    let port = running.addresses()[0].to_string();
    let port = port.rsplit(':').next().unwrap();
    Channel::builder(format!("localhost:{port}"))
        .timeout(NEVER)
        .connect_timeout(NEVER)
        .resilience(Resilience::default().retries(0))
}

async fn who(channel: &AnyChannel<Standard>) -> Result<String, Status> {
    let reply = channel.call(WHO, Vec::new()).await?.into_message();
    let text = String::from_utf8(reply.body.to_vec()).unwrap();
    Ok(text.split(' ').nth(4).unwrap().to_owned())
}

/// Accepts every credential as the name of its caller; without one nobody is let in.
fn named() -> Arc<Running> {
    start(server().authenticate(|caller: Caller| async move {
        match caller.credential_str() {
            Some(name) if !name.is_empty() => Ok(Identity::named(name)),
            _ => Err(Status::unauthenticated("who are you?")),
        }
    }))
}

#[test]
fn equal_channels_use_the_same_connections_until_the_last_has_ended() {
    run(async {
        let running = start(server());
        let shared = SharedConnections::default();
        let address = to(&running).build().unwrap().address().to_owned();
        let list = || {
            let builder = Channel::builder(format!("list://{address}")).timeout(NEVER).connect_timeout(NEVER);
            builder.pooling(Pooling::default().share(&shared)).build().unwrap()
        };
        let mut channels: Vec<_> = (0..20)
            .map(|_| to(&running).pooling(Pooling::default().share(&shared)).build().unwrap())
            .collect();
        channels.extend((0..20).map(|_| list()));
        for channel in &channels {
            who(channel).await.unwrap();
        }
        assert_eq!(running.connections().len(), 1);
        let last = channels.pop().unwrap();
        drop(channels);
        who(&last).await.unwrap();
        assert_eq!(running.connections().len(), 1, "it is still in use");
        drop(last);
        polywire_machine_testing::until("the end of the connection", || running.connections().is_empty())
            .await;
        who(&to(&running).pooling(Pooling::default().share(&shared)).build().unwrap()).await.unwrap();
    });
}

#[test]
fn blocking_callers_share_as_well() {
    let running = start(server());
    let shared = SharedConnections::default();
    let channels: Vec<_> =
        (0..10).map(|_| to(&running).pooling(Pooling::default().share(&shared)).build().unwrap()).collect();
    for channel in &channels {
        channel.call(WHO, Vec::new()).blocking().unwrap();
    }
    assert_eq!(running.connections().len(), 1);
}

/// The attacker's side: who has no credential, or another one, must not be let in by that of a neighbour.
#[test]
fn no_caller_is_taken_for_its_neighbour() {
    run(async {
        for protocol in ["baidu_std", "http", "grpc"] {
            let running = named();
            let shared = SharedConnections::default();
            let builder = || to(&running).protocol(protocol).pooling(Pooling::default().share(&shared));
            let alice = builder().credential("alice").build().unwrap();
            assert_eq!(who(&alice).await.unwrap(), "alice", "{protocol}");
            let nobody = builder().build().unwrap();
            assert!(who(&nobody).await.is_err(), "{protocol}");
            let bob = builder().credential("bob").build().unwrap();
            assert_eq!(who(&bob).await.unwrap(), "bob", "{protocol}");
            let address = alice.address();
            let list = || {
                let list = format!("list://{address}");
                Channel::builder(list)
                    .timeout(NEVER)
                    .connect_timeout(NEVER)
                    .protocol(protocol)
                    .pooling(Pooling::default().share(&shared))
            };
            let own = list()
                .credential("alice")
                .fleet(Fleet::default().per_server(|_| ServerOptions::default().credential("carol")));
            assert_eq!(who(&own.build().unwrap()).await.unwrap(), "carol", "{protocol}");
            let none = list()
                .credential("alice")
                .fleet(Fleet::default().per_server(|_| ServerOptions::default().credential("")));
            assert!(who(&none.build().unwrap()).await.is_err(), "{protocol}");
            assert_eq!(who(&alice).await.unwrap(), "alice", "{protocol}");
            let renewed = |name: &'static str| {
                Credentials::new(name, move || async move { Ok::<_, Status>(Token::new(name)) })
            };
            let dave = renewed("dave");
            for (credentials, name) in [(dave.clone(), "dave"), (renewed("erin"), "erin"), (dave, "dave")] {
                let channel = builder().credentials(credentials).build().unwrap();
                assert_eq!(who(&channel).await.unwrap(), name, "{protocol}");
            }
        }
    });
}

#[test]
fn nobody_rides_on_the_trust_or_the_certificate_of_another_channel() {
    run(async {
        let (authority, other) = (Authority::new("ca"), Authority::new("other"));
        let identity = authority.server(&["localhost", "elsewhere"]);
        let running = start(server().tls(demanding(&authority, &identity)));
        let shared = SharedConnections::default();
        let open = |tls: ClientTls| {
            to(&running).tls(tls).pooling(Pooling::default().share(&shared)).build().unwrap()
        };
        let (alice, bob) = (authority.client("alice", ""), authority.client("bob", ""));
        let believes = || ClientTls::new().ca_pem(authority.pem.as_str());
        let with = |tls: ClientTls, one: &super::authority::Identity| {
            tls.certificate_pem(one.certificate.as_str(), one.key.as_str())
        };
        let first = open(with(believes(), &alice));
        assert_eq!(who(&first).await.unwrap(), "alice");
        let made = || running.connections().len();
        assert_eq!(made(), 1);
        assert_eq!(who(&open(with(believes(), &alice))).await.unwrap(), "alice");
        assert_eq!(made(), 1, "the same contents are shared");
        assert_eq!(who(&open(with(believes(), &bob))).await.unwrap(), "bob");
        let stranger = open(with(ClientTls::new().ca_pem(other.pem.as_str()), &alice));
        let why = who(&stranger).await.unwrap_err();
        assert!(why.message().contains("issuer is none of those that are trusted"), "{why}");
        let misled = open(with(believes(), &alice).server_name("nobody.example"));
        let why = who(&misled).await.unwrap_err();
        assert!(why.message().contains("not valid for name"), "{why}");
        assert!(who(&open(believes())).await.is_err(), "without a certificate");
        assert!(
            who(&to(&running).pooling(Pooling::default().share(&shared)).build().unwrap()).await.is_err(),
            "in plain text"
        );
        // Equal in what they show and believe, unequal in how.
        drop((stranger, misled));
        for (tls, what) in [
            (with(believes(), &alice).server_name("elsewhere"), "the name"),
            (with(believes(), &alice).alpn(["mine"]), "ALPN"),
            (with(believes(), &alice).newest_only(), "the version"),
            (with(believes(), &alice).resumption(false), "resumption"),
            (with(ClientTls::new().dangerous().no_verification(), &alice), "no verification"),
            (with(believes().ca_pem(other.pem.as_str()), &alice), "another root"),
        ] {
            let before = running.connections();
            let channel = open(tls);
            let outcome = who(&channel).await;
            let after = running.connections();
            let is_new = after.iter().any(|one| !before.iter().any(|known| Arc::ptr_eq(known, one)));
            assert!(outcome.is_err() || is_new, "{what} makes a difference");
        }
    });
}

fn demanding(authority: &Authority, identity: &super::authority::Identity) -> ServerTls {
    tls(identity).client_ca_pem(authority.pem.as_str())
}

#[test]
fn every_option_that_changes_a_connection_parts_channels() {
    run(async {
        let running = start(server());
        let shared = SharedConnections::default();
        let first = to(&running).pooling(Pooling::default().share(&shared)).build().unwrap();
        who(&first).await.unwrap();
        let options: [(fn(Builder, Pooling) -> Builder, &str); 13] = [
            (|builder, pooling| builder.protocol("grpc").pooling(pooling), "the protocol"),
            (|builder, pooling| builder.protocol("http:proto").pooling(pooling), "a parameter"),
            (|builder, pooling| builder.protocol("http").pooling(pooling), "no parameter"),
            (
                |builder, pooling| builder.limits(Limits::default().max_message(1 << 20)).pooling(pooling),
                "limits",
            ),
            (|builder, pooling| builder.pooling(pooling.max_unsent(1 << 20)), "bytes that are unsent"),
            (|builder, pooling| builder.pooling(pooling.write_stall(NEVER)), "the stall"),
            (|builder, pooling| builder.connect_timeout(NEVER / 2).pooling(pooling), "the connect timeout"),
            (|builder, pooling| builder.pooling(pooling.age(NEVER)), "the age"),
            (|builder, pooling| builder.pooling(pooling.idle(NEVER)), "the idle time"),
            (|builder, pooling| builder.pooling(pooling.threads(false)), "threads"),
            (|builder, pooling| builder.pooling(pooling.kind(Connections::Pooled)), "the kind"),
            (|builder, pooling| builder.pooling(pooling.connections(2)), "the number"),
            (
                |builder, pooling| builder.pooling(pooling.share(&SharedConnections::default())),
                "another group",
            ),
        ];
        let mut channels = Vec::new();
        for (option, what) in options {
            let before = running.connections().len();
            let channel = option(to(&running), Pooling::default().share(&shared)).build().unwrap();
            who(&channel).await.unwrap();
            assert!(running.connections().len() > before, "{what} makes a difference");
            channels.push(channel);
        }
    });
}

/// What one channel finds out of a connection, all know that use it.
#[test]
fn channels_that_share_a_server_learn_together_that_it_is_gone() {
    run(async {
        let running = start(server());
        let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let list = format!("list://{},{gone}", running.addresses()[0]);
        let shared = SharedConnections::default();
        let build = || {
            Channel::builder(&list)
                .resilience(Resilience::default().balancer("rr"))
                .pooling(Pooling::default().share(&shared))
                .build()
                .unwrap()
        };
        let (first, second, apart) = (build(), build(), Channel::builder(&list).build().unwrap());
        for _ in 0..4 {
            who(&first).await.unwrap();
        }
        let is_out = |channel: &AnyChannel<Standard>| channel.why().servers.iter().any(|one| !one.is_ready);
        assert!(is_out(&first) && is_out(&second), "{}", second.why());
        assert!(!is_out(&apart));
    });
}

/// The figures of docs/design/shared-connections.md:
/// `cargo test -p polywire --test it hundred_channels -- --nocapture`.
#[test]
fn a_hundred_channels_to_ten_servers() {
    let memory = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    run(async {
        let servers: Vec<_> = (0..10).map(|_| start(server())).collect();
        let addresses: Vec<_> =
            servers.iter().map(|running| to(running).build().unwrap().address().to_owned()).collect();
        let list = format!("list://{}", addresses.join(","));
        let mut connections = Vec::new();
        for is_shared in [true, false] {
            let shared = SharedConnections::default();
            let (memory_before, files_before) = (memory(), files());
            let channels: Vec<_> = (0..100)
                .map(|_| {
                    let builder = Channel::builder(&list)
                        .resilience(Resilience::default().balancer("rr"))
                        .timeout(NEVER)
                        .connect_timeout(NEVER);
                    if is_shared { builder.pooling(Pooling::default().share(&shared)) } else { builder }
                        .build()
                        .unwrap()
                })
                .collect();
            for channel in &channels {
                for _ in 0..20 {
                    who(channel).await.unwrap();
                }
            }
            let made: usize = servers.iter().map(|running| running.connections().len()).sum();
            println!(
                "shared: {is_shared}; connections {made}, descriptors of both sides {}, memory of both sides {} KiB",
                files().saturating_sub(files_before),
                memory().saturating_sub(memory_before),
            );
            connections.push(made);
            drop(channels);
            polywire_machine_testing::until("the end of the connections", || {
                servers.iter().all(|running| running.connections().is_empty())
            })
            .await;
        }
        assert_eq!(connections, [10, 1000]);
    });
}
