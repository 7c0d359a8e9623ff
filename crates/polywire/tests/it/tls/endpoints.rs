//! Servers of one channel with names and credentials of their own.

use super::{
    authority::Authority,
    support::{WHO, dial, run, server, start, tls},
};
use polywire::{Caller, Channel, ClientTls, Identity, Resilience, ServerOptions, Status, naming};
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::sync::watch;

const NEVER: Duration = Duration::from_secs(60);

type Set = Vec<naming::Server>;

/// A source that says what a test sends it.
fn told(set: Set) -> (watch::Sender<Set>, impl naming::Source) {
    let (tell, told) = watch::channel(set);
    let source = naming::source_fn("told", move |updates| {
        let mut told = told.clone();
        async move {
            loop {
                updates.set(told.borrow_and_update().clone());
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        }
    });
    (tell, source)
}

fn one(name: &str) -> naming::Server {
    naming::Server::new(format!("{name}:443")).metadata("name", format!("{name}.example"))
}

/// The name in metadata; the credential is the address.
fn own(server: &naming::Server) -> ServerOptions {
    let options = ServerOptions::default().credential(server.address.as_bytes());
    match server.metadata.get("name") {
        Some(name) => options.server_name(name),
        None => options,
    }
}

/// Servers by address with what they were shown, and a channel to them.
struct Fleet {
    authority: Authority,
    shown: Arc<Mutex<HashMap<String, BTreeSet<String>>>>,
    running: HashMap<String, Arc<polywire::Running>>,
}

impl Fleet {
    fn new(names: &[&str]) -> Fleet {
        let (authority, shown) = (Authority::new("ca"), Arc::<Mutex<HashMap<_, BTreeSet<_>>>>::default());
        let running = names.iter().map(|name| {
            let address = format!("{name}:443");
            let identity = authority.server(&[&format!("{name}.example")]);
            let (shown, own) = (shown.clone(), address.clone());
            let authenticator = move |caller: Caller| {
                let credential = caller.credential_str().unwrap_or_default().to_owned();
                shown.lock().unwrap().entry(own.clone()).or_default().insert(credential.clone());
                async move { Ok::<_, Status>(Identity::named(&credential)) }
            };
            (address, start(server().tls(tls(&identity)).authenticate(authenticator)))
        });
        Fleet { running: running.collect(), authority, shown }
    }

    fn builder(&self, protocol: &str) -> polywire::ChannelBuilder<polywire::Standard> {
        let running = self.running.clone();
        let builder = Channel::builder("fleet").protocol(protocol).timeout(NEVER).connect_timeout(NEVER);
        let tls = ClientTls::new().ca_pem(self.authority.pem.as_str());
        let builder =
            builder.tls(tls).resilience(Resilience::default().balancer("rr")).credential("everybody's");
        builder.connector(move |address| std::future::ready(Ok(dial(&running[address]))))
    }
}

async fn calls(channel: &Channel) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    for _ in 0..12 {
        let reply = channel.call(WHO, Vec::new()).await.unwrap().into_message();
        let text = String::from_utf8(reply.body.to_vec()).unwrap();
        seen.insert(text.rsplit(' ').next().unwrap().to_owned());
    }
    seen
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(ToString::to_string).collect()
}

#[test]
fn each_server_is_asked_for_its_own_name_and_shown_its_own_credential() {
    run(async {
        for protocol in ["baidu_std", "http", "grpc"] {
            let fleet = Fleet::new(&["a", "b"]);
            let (_tell, source) = told(vec![one("a"), one("b")]);
            let channel = fleet
                .builder(protocol)
                .servers(source)
                .fleet(polywire::Fleet::default().per_server(own))
                .build()
                .unwrap();
            // The second server gets calls as soon as it is connected, too.
            let mut seen = calls(&channel).await;
            while seen.len() < 2 {
                seen.extend(calls(&channel).await);
            }
            let shown = fleet.shown.lock().unwrap();
            assert_eq!(shown["a:443"], set(&["a:443"]), "{protocol}");
            assert_eq!(shown["b:443"], set(&["b:443"]), "{protocol}");
        }
    });
}

/// A source that lies about where a server is does not get what was meant for that server.
#[test]
fn a_server_with_another_certificate_is_refused_and_shown_nothing() {
    run(async {
        let fleet = Fleet::new(&["a", "evil"]);
        let lie = one("evil").metadata("name", "a.example");
        let (_tell, source) = told(vec![one("a"), lie]);
        let channel = fleet
            .builder("baidu_std")
            .servers(source)
            .fleet(polywire::Fleet::default().per_server(own))
            .build()
            .unwrap();
        let refused = loop {
            assert_eq!(calls(&channel).await, set(&["a:443"]));
            let why = channel.why();
            let evil = why.servers.iter().find(|one| one.address == "evil:443").unwrap();
            assert!(!evil.is_ready, "{why}");
            if let Some(error) = &evil.last_error {
                break error.clone();
            }
        };
        assert!(refused.contains("not valid for name"), "{refused}");
        assert!(!fleet.shown.lock().unwrap().contains_key("evil:443"));
    });
}

#[test]
fn a_server_whose_name_changes_is_connected_to_anew() {
    run(async {
        let fleet = Fleet::new(&["a"]);
        let (tell, source) = told(vec![one("a")]);
        let channel = fleet
            .builder("baidu_std")
            .servers(source)
            .fleet(polywire::Fleet::default().per_server(own))
            .resilience(Resilience::default().retries(0))
            .build()
            .unwrap();
        assert_eq!(calls(&channel).await, set(&["a:443"]));
        tell.send(vec![one("a").metadata("name", "b.example")]).unwrap();
        // The connection under the old name must not serve any more.
        while channel.call(WHO, Vec::new()).await.is_ok() {
            tokio::task::yield_now().await;
        }
        tell.send(vec![one("a")]).unwrap();
        while channel.call(WHO, Vec::new()).await.is_err() {
            tokio::task::yield_now().await;
        }
        assert_eq!(fleet.shown.lock().unwrap()["a:443"], set(&["a:443"]));
    });
}

#[test]
fn a_name_or_authority_that_cannot_be_used_makes_no_connection() {
    run(async {
        let fleet = Fleet::new(&["a"]);
        let bad: [(fn() -> ServerOptions, &str); 3] = [
            (|| ServerOptions::default().server_name("not a host"), "is not the name of a host"),
            (
                || ServerOptions::default().server_name("a.example").authority("a\r\nx: y"),
                "is not an authority",
            ),
            (|| ServerOptions::default().server_name("a.example").authority(""), "is not an authority"),
        ];
        for (options, why) in bad {
            let (_tell, source) = told(vec![one("a")]);
            let builder = fleet
                .builder("http")
                .servers(source)
                .fleet(polywire::Fleet::default().per_server(move |_| options()));
            let status = builder.build().unwrap().call(WHO, Vec::new()).await.unwrap_err();
            assert!(status.message().contains(why), "{status}");
        }
        assert!(fleet.shown.lock().unwrap().is_empty());
    });
}

/// Whoever names a server wants TLS: nothing is sent in plain text, by callers of all kinds.
#[test]
fn a_name_without_tls_sends_nothing() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let list = format!("list://{}", listener.local_addr().unwrap());
    let named = || ServerOptions::default().server_name("a.example").credential("secret");
    let channel = Channel::builder(list)
        .fleet(polywire::Fleet::default().per_server(move |_| named()))
        .resilience(Resilience::default().retries(0))
        .build()
        .unwrap();
    let blocking = channel.call(WHO, Vec::new()).blocking().unwrap_err();
    let awaited = run(async { channel.call(WHO, Vec::new()).await.unwrap_err() });
    for status in [blocking, awaited] {
        assert!(status.message().contains("the channel no TLS"), "{status}");
    }
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "nobody has connected");
}

#[test]
fn unix_sockets_stand_in_sets_and_have_names_there() {
    let folder = std::env::temp_dir().join(format!("polywire-endpoints-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let authority = Authority::new("ca");
    let path = |name: &str| format!("unix:{}", folder.join(name).display());
    let running = ["a", "b"].map(|name| {
        let identity = authority.server(&[&format!("{name}.example")]);
        server().tls(tls(&identity)).listen(path(name)).start().unwrap()
    });
    let options = |server: &naming::Server| {
        let name = server.address.rsplit('/').next().unwrap_or_default();
        ServerOptions::default().server_name(format!("{name}.example"))
    };
    let list = format!("list://{},{}", path("a"), path("b"));
    let builder = || {
        let tls = ClientTls::new().ca_pem(authority.pem.as_str());
        Channel::builder(&list)
            .tls(tls)
            .resilience(Resilience::default().balancer("rr"))
            .timeout(NEVER)
            .connect_timeout(NEVER)
    };
    let channel = builder().fleet(polywire::Fleet::default().per_server(options)).build().unwrap();
    run(async { assert!(!calls(&channel).await.is_empty()) });
    for _ in 0..4 {
        channel.call(WHO, Vec::new()).blocking().unwrap();
    }
    let why = channel.why();
    assert!(why.servers.iter().all(|one| one.is_ready && one.calls >= 2), "{why}");
    let unnamed = builder().build().unwrap().call(WHO, Vec::new()).blocking().unwrap_err();
    assert!(unnamed.message().contains("server_name"), "{unnamed}");
    drop(running);
    let _ = std::fs::remove_dir_all(folder);
}
