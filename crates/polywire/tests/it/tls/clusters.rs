//! TLS of clusters that a router tells of.

use super::{
    authority::{Authority, Identity},
    reload::Files,
    support::{ask, dial, run, server, start, tls},
};
use polywire::{
    Channel, ChannelBuilder, ClientTls, Connections, Fleet, Pooling, Resilience, Running, Standard, Status,
    UseClusterTls,
    naming::Server,
    routing::{
        CertificateNames, Cluster, ClusterTls, NameKind, NameMatch, NameTest, PathMatch, Pattern, Route,
        RouteTable, TableUpdates, router_fn,
    },
};
use polywire_engine::Fault;
use rcgen::SanType;
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::sync::watch;

const NEVER: Duration = Duration::from_secs(60);

/// A server, and what a test counts of it.
struct Bench {
    running: Arc<Running>,
    dialled: Arc<AtomicUsize>,
}

impl Bench {
    fn new(tls: Option<polywire::ServerTls>) -> Bench {
        let server = match tls {
            Some(tls) => server().tls(tls),
            None => server(),
        };
        Bench { running: start(server), dialled: Arc::default() }
    }

    /// A channel to one cluster, whose only server is this one; every call makes a connection.
    fn builder(&self, cluster: Cluster) -> ChannelBuilder<Standard> {
        let table = RouteTable::new([Route::new(PathMatch::any(), "c")], [("c", cluster)]).unwrap();
        let (running, dialled) = (self.running.clone(), self.dialled.clone());
        let builder = Channel::builder("clusters")
            .protocol("baidu_std")
            .pooling(Pooling::default().kind(Connections::Short));
        let builder = builder
            .timeout(NEVER)
            .connect_timeout(NEVER)
            .resilience(Resilience::default().retries(0))
            .router(table);
        builder.connector(move |_| {
            dialled.fetch_add(1, Relaxed);
            std::future::ready(Ok(dial(&running)))
        })
    }

    async fn who(&self, cluster: Cluster) -> Result<String, Status> {
        ask(&self.builder(cluster).build().unwrap()).await
    }

    fn dialled(&self) -> usize {
        self.dialled.load(Relaxed)
    }
}

fn cluster() -> Cluster {
    Cluster::of([Server::new("10.0.0.1:443")])
}

/// Believes the issuer in `ca.pem`.
fn believes(files: &Files) -> ClusterTls {
    ClusterTls::new().ca_file(files.path("ca.pem")).names(CertificateNames::Unchecked)
}

fn files(test: &str, authority: &Authority) -> Files {
    let files = Files::new(test);
    files.put("ca.pem", &authority.pem);
    files
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn a_certificate_is_believed_by_its_names() {
    run(async {
        let authority = Authority::new("ca");
        let files = files("cluster-names", &authority);
        let identity = authority.of(vec![
            SanType::DnsName("*.echo.internal".try_into().unwrap()),
            SanType::URI("spiffe://shop/carts".try_into().unwrap()),
            SanType::Rfc822Name("carts@shop.example".try_into().unwrap()),
            SanType::IpAddress("2001:db8::1".parse().unwrap()),
        ]);
        let bench = Bench::new(Some(tls(&identity)));
        use NameTest::{Contains, Exact, Prefix, Suffix};
        for (test, expected) in [
            (NameMatch::new(Exact(text("a.echo.internal"))), true),
            (NameMatch::new(Exact(text("a.b.echo.internal"))), false),
            (NameMatch::new(Exact(text("spiffe://shop/carts"))), true),
            (NameMatch::new(Exact(text("spiffe://shop/carts"))).kind(NameKind::Uri), true),
            (NameMatch::new(Exact(text("spiffe://shop/carts"))).kind(NameKind::Dns), false),
            (NameMatch::new(Exact(text("spiffe://shop/users"))), false),
            (NameMatch::new(Exact(text("SPIFFE://shop/carts"))), false),
            (NameMatch::new(Exact(text("SPIFFE://shop/carts"))).ignore_case(true), true),
            (NameMatch::new(Prefix(text("spiffe://shop/"))), true),
            (NameMatch::new(Prefix(text("shop"))), false),
            (NameMatch::new(Suffix(text("@shop.example"))), true),
            (NameMatch::new(Suffix(text("@shop.exampl"))), false),
            (NameMatch::new(Contains(text("db8"))), true),
            (NameMatch::new(Contains(text("db9"))), false),
            (NameMatch::new(Exact(text("2001:db8::1"))).kind(NameKind::Ip), true),
            (NameMatch::new(NameTest::Pattern(Pattern::new("spiffe://[a-z]+/carts").unwrap())), true),
            (NameMatch::new(NameTest::Pattern(Pattern::new("spiffe://[a-z]+").unwrap())), false),
        ] {
            let told = believes(&files).names(CertificateNames::AnyOf(vec![test.clone()]));
            match bench.who(cluster().tls(told)).await {
                Ok(seen) => assert!(expected && seen.contains("TLS"), "{test:?}: {seen}"),
                Err(status) => {
                    assert!(!expected, "{test:?}: {status}");
                    let why = "none of the names in the server's certificate is one that is wanted: \
                               Dns \"*.echo.internal\", Uri \"spiffe://shop/carts\"";
                    assert!(status.message().contains(why), "{status}");
                }
            }
        }
        // One of several suffices; without any no server is believed.
        let tests = ["a", "spiffe://shop/carts"].map(|name| NameMatch::new(Exact(text(name))));
        let told = believes(&files).names(CertificateNames::AnyOf(tests.to_vec()));
        bench.who(cluster().tls(told)).await.unwrap();
        let told = believes(&files).names(CertificateNames::AnyOf(Vec::new()));
        assert!(bench.who(cluster().tls(told)).await.is_err());
        // By the host, as channels do it.
        let host = believes(&files).names(CertificateNames::Host);
        assert!(bench.who(cluster().tls(host.clone())).await.is_err());
        bench.who(cluster().tls(host.server_name("a.echo.internal"))).await.unwrap();
    });
}

#[test]
fn a_name_does_not_help_without_an_issuer_that_is_believed() {
    run(async {
        let (authority, other) = (Authority::new("ca"), Authority::new("other"));
        let files = files("cluster-issuer", &other);
        let bench = Bench::new(Some(tls(&authority.server(&["echo.internal"]))));
        let wanted = NameMatch::new(NameTest::Exact(text("echo.internal")));
        for names in [CertificateNames::AnyOf(vec![wanted]), CertificateNames::Unchecked] {
            let channel = bench.builder(cluster().tls(believes(&files).names(names))).build().unwrap();
            let status = ask(&channel).await.unwrap_err();
            assert!(status.message().contains("issuer is none of those that are trusted"), "{status}");
            assert_eq!(channel.faults().count(Fault::TlsCertificate), 1);
        }
        let late = authority.expired(&["echo.internal"]);
        let bench = Bench::new(Some(tls(&late)));
        files.put("ca.pem", &authority.pem);
        let status = bench.who(cluster().tls(believes(&files))).await.unwrap_err();
        assert!(status.message().contains("expired"), "{status}");
    });
}

fn show(files: &Files, identity: &Identity) {
    files.put_identity(identity);
}

#[test]
fn servers_are_shown_the_newest_certificate_that_can_be_used() {
    run(async {
        let authority = Authority::new("ca");
        let files = files("cluster-rotation", &authority);
        let asks = tls(&authority.server(&["echo.internal"])).client_ca_pem(authority.pem.as_str());
        let bench = Bench::new(Some(asks));
        assert!(bench.who(cluster().tls(believes(&files))).await.is_err(), "it asks who we are");
        show(&files, &authority.client("first", ""));
        let told = believes(&files).certificate_files(files.path("cert.pem"), files.path("key.pem"));
        let always = bench.builder(cluster().tls(told.clone().refresh(Duration::ZERO))).build().unwrap();
        let seldom = bench.builder(cluster().tls(told.refresh(Duration::from_secs(3600)))).build().unwrap();
        for channel in [&always, &seldom] {
            assert!(ask(channel).await.unwrap().ends_with("first"));
        }
        show(&files, &authority.client("second", ""));
        assert!(ask(&always).await.unwrap().ends_with("second"));
        assert!(ask(&seldom).await.unwrap().contains("first"), "it is not time yet");
        // A certificate without its key yet, half a file, none at all: the last good one stays, and each is
        // told once.
        files.put("cert.pem", &authority.client("third", "").certificate);
        for _ in 0..3 {
            assert!(ask(&always).await.unwrap().contains("second"));
        }
        assert_eq!(always.faults().count(Fault::TlsReload), 1);
        files.put("cert.pem", "-----BEGIN CERTIFICATE-----\nMII");
        assert!(ask(&always).await.unwrap().contains("second"));
        fs::remove_file(files.path("ca.pem")).unwrap();
        assert!(ask(&always).await.unwrap().contains("second"));
        assert_eq!(always.faults().count(Fault::TlsReload), 3);
        show(&files, &authority.client("fourth", ""));
        files.put("ca.pem", &authority.pem);
        assert!(ask(&always).await.unwrap().contains("fourth"));
        // Whom we believe changes, too.
        files.put("ca.pem", &Authority::new("other").pem);
        assert!(
            ask(&always).await.unwrap_err().message().contains("issuer is none of those that are trusted")
        );
        assert_eq!(always.faults().count(Fault::TlsReload), 3);
    });
}

#[test]
fn channels_read_their_own_files_again_if_asked() {
    run(async {
        let authority = Authority::new("ca");
        let files = files("channel-rotation", &authority);
        let asks = tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        let running = start(server().tls(asks));
        show(&files, &authority.client("first", ""));
        let tls = ClientTls::new().ca_file(files.path("ca.pem")).server_name("localhost");
        let tls = tls.certificate_files(files.path("cert.pem"), files.path("key.pem"));
        let serving = running.clone();
        let channel = |tls| {
            let serving = serving.clone();
            let builder =
                Channel::builder("memory").pooling(Pooling::default().kind(Connections::Short)).tls(tls);
            builder.connector(move |_| std::future::ready(Ok(dial(&serving)))).build().unwrap()
        };
        let (once, again) = (channel(tls.clone()), channel(tls.clone().reload_every(Duration::ZERO)));
        show(&files, &authority.client("second", ""));
        assert!(ask(&once).await.unwrap().contains("first"));
        assert!(ask(&again).await.unwrap().contains("second"));
        fs::remove_file(files.path("key.pem")).unwrap();
        assert!(ask(&again).await.unwrap().contains("second"));
        assert_eq!(again.faults().count(Fault::TlsReload), 1);
        let built = Channel::builder("h:1").tls(tls.reload_every(Duration::ZERO)).build();
        assert!(
            built.err().unwrap().to_string().contains("key.pem"),
            "what is wrong at first is told when it is built"
        );
    });
}

#[test]
fn without_its_files_no_server_of_a_cluster_is_dialled_and_the_error_names_them() {
    run(async {
        let authority = Authority::new("ca");
        let files = Files::new("cluster-missing");
        let bench = Bench::new(Some(tls(&authority.server(&["echo.internal"]))));
        let channel = bench.builder(cluster().tls(believes(&files))).build().unwrap();
        let status = ask(&channel).await.unwrap_err();
        assert!(status.message().contains("ca.pem"), "{status}");
        assert_eq!(bench.dialled(), 0);
        assert!(channel.why().servers[0].last_error.as_ref().unwrap().contains("ca.pem"));
        // It is connected to as soon as they are there.
        files.put("ca.pem", &authority.pem);
        assert!(channel.call(super::support::WHO, Vec::new()).wait_for_ready(true).await.is_ok());
    });
}

#[test]
fn whose_tls_is_used_is_for_the_channel_to_say_and_none_is_never_in_place_of_one() {
    run(async {
        let (authority, own) = (Authority::new("ca"), Authority::new("own"));
        let files = files("cluster-use", &authority);
        let of_cluster = Bench::new(Some(tls(&authority.server(&["10.0.0.1"]))));
        let of_channel = Bench::new(Some(tls(&own.server(&["10.0.0.1"]))));
        let plain = Bench::new(None);
        let cluster_tls = || cluster().tls(believes(&files));
        let own_tls = || ClientTls::new().ca_pem(own.pem.as_str());
        use UseClusterTls::{Ignored, Preferred, Required, WithoutOwn};
        // What is used; whether the cluster and the channel have TLS; which server is reached by it.
        for (used, has, channel_has, reached) in [
            (WithoutOwn, true, false, Some(&of_cluster)),
            (WithoutOwn, true, true, Some(&of_channel)),
            (WithoutOwn, false, true, Some(&of_channel)),
            (WithoutOwn, false, false, Some(&plain)),
            (Preferred, true, false, Some(&of_cluster)),
            (Preferred, true, true, Some(&of_cluster)),
            (Preferred, false, true, Some(&of_channel)),
            (Preferred, false, false, Some(&plain)),
            (Required, true, false, Some(&of_cluster)),
            (Required, true, true, Some(&of_cluster)),
            (Required, false, true, None),
            (Required, false, false, None),
            (Ignored, true, false, Some(&plain)),
            (Ignored, true, true, Some(&of_channel)),
        ] {
            for bench in [&of_cluster, &of_channel, &plain] {
                let mut builder = bench
                    .builder(if has { cluster_tls() } else { cluster() })
                    .fleet(Fleet::default().cluster_tls(used));
                if channel_has {
                    builder = builder.tls(own_tls());
                }
                let before = bench.dialled();
                let answer = ask(&builder.build().unwrap()).await;
                let case = format!("{used:?}, cluster {has}, channel {channel_has}");
                let expected = reached.is_some_and(|reached| std::ptr::eq(reached, bench));
                assert_eq!(answer.is_ok(), expected, "{case}: {answer:?}");
                if reached.is_none() {
                    assert_eq!(bench.dialled(), before, "{case}");
                    let why = answer.unwrap_err().to_string();
                    assert!(why.contains("the channel requires one of each cluster"), "{why}");
                }
            }
        }
        // Plain text came to it where neither had TLS, twice, and where that of the cluster was ignored.
        assert_eq!(of_cluster.running.faults().count(Fault::NotTls), 3);
        let wrong = Channel::builder("h:1").fleet(Fleet::default().cluster_tls(Required)).build();
        assert!(wrong.err().unwrap().to_string().contains("cluster_tls is for channels with a router"));
    });
}

#[test]
fn parts_of_a_cluster_are_connected_to_each_in_its_own_way() {
    run(async {
        let authority = Authority::new("ca");
        let files = files("cluster-parts", &authority);
        let bench = Bench::new(Some(tls(&authority.server(&["a.internal"]))));
        let of = |part: &str| Cluster::of([Server::new("10.0.0.1:443").part(part)]);
        let told = |cluster: Cluster| cluster.part("a", believes(&files)).part("b", None);
        bench.who(told(of("a"))).await.unwrap();
        let dialled = bench.dialled();
        let status = bench.who(told(of("other"))).await.unwrap_err();
        assert!(status.message().contains("no part \"other\""), "{status}");
        assert_eq!(bench.dialled(), dialled);
        assert!(bench.who(told(of("b"))).await.is_err());
        assert_eq!(
            Bench::new(None).who(told(of("b"))).await.unwrap(),
            "plain 0 nobody".replace("plain", "baidu_std plain -")
        );
    });
}

/// A router that a test gives tables.
fn tables() -> (watch::Sender<RouteTable>, impl polywire::routing::Router) {
    let (tell, told) = watch::channel(RouteTable::failing("nothing yet"));
    let router = router_fn("told", move |updates: TableUpdates| {
        let mut told = told.clone();
        async move {
            loop {
                updates.table(told.borrow_and_update().clone());
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        }
    });
    (tell, router)
}

#[test]
fn a_cluster_that_gets_tls_makes_new_connections() {
    run(async {
        let authority = Authority::new("ca");
        let files = files("cluster-change", &authority);
        let both = tls(&authority.server(&["a.internal"]));
        let running = start(server().tls(both.plain_beside(true)));
        let (tell, router) = tables();
        let serving = running.clone();
        let builder = Channel::builder("told").router(router).timeout(NEVER);
        let channel = builder.connector(move |_| std::future::ready(Ok(dial(&serving)))).build().unwrap();
        let table = |cluster| RouteTable::new([Route::new(PathMatch::any(), "c")], [("c", cluster)]).unwrap();
        tell.send_replace(table(cluster()));
        // A call that fails at once does not wait, and the router's task is to run.
        let seen = || async {
            tokio::task::yield_now().await;
            ask(&channel).await.unwrap_or_default()
        };
        while !seen().await.contains("plain") {} // it ends, or the test hangs
        tell.send_replace(table(cluster().tls(believes(&files))));
        while !seen().await.contains("TLS") {}
    });
}

#[test]
fn a_credential_goes_to_clusters_with_tls_only() {
    run(async {
        let authority = Authority::new("ca");
        let files = files("cluster-credential", &authority);
        let secret = Bench::new(Some(tls(&authority.server(&["a.internal"]))));
        let plain = Bench::new(None);
        let token =
            || polywire::Credentials::new("test", || async { Ok::<_, String>(polywire::Token::new("t")) });
        let with = |builder: ChannelBuilder<Standard>, renewed| match renewed {
            true => builder.credentials(token()),
            false => builder.credential("t"),
        };
        for renewed in [false, true] {
            let channel = with(secret.builder(cluster().tls(believes(&files))), renewed).build().unwrap();
            ask(&channel).await.unwrap();
            let before = plain.dialled();
            let status = ask(&with(plain.builder(cluster()), renewed).build().unwrap()).await.unwrap_err();
            assert!(status.message().contains("credentials_without_tls"), "{status}");
            assert_eq!(plain.dialled(), before);
            let allowed =
                with(plain.builder(cluster()), renewed).fleet(Fleet::default().credentials_without_tls(true));
            ask(&allowed.build().unwrap()).await.unwrap();
        }
        ask(&plain.builder(cluster()).credential("").build().unwrap()).await.unwrap();
    });
}
