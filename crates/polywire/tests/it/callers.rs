//! Several callers on one connection.

use polywire::{
    Authenticator, Caller, Channel, Code, Content, Handler, Identity, Method, Origin, Pages, Server, Service,
    Started, Status, Target,
    handler::{Call, Outcome},
    redis,
};
use polywire_engine::Engine;
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    time::Duration,
};

struct Believes;
impl Authenticator for Believes {
    async fn verify(&self, caller: Caller) -> Result<Identity, Status> {
        Ok(Identity::named(caller.credential_str().unwrap_or_default()))
    }
}

/// Accepts every name as a credential, and remembers callers.
struct Remembers;
impl Authenticator for Remembers {
    async fn verify(&self, caller: Caller) -> Result<Identity, Status> {
        if caller.credential().is_none_or(<[u8]>::is_empty) {
            return Err(Status::unauthenticated("who?"));
        }
        Believes.verify(caller).await
    }
    fn remembers(&self) -> bool {
        true
    }
}

struct Who;
impl Handler for Who {
    fn start(&self, call: Call) -> Started {
        let name = call.cx.identity().map_or("nobody", |identity| &identity.name);
        let body = name.as_bytes().to_vec().into();
        Started::Ready(Outcome { body, content: Content::RAW, reply: true, ..Outcome::default() })
    }
}

/// Runs against a server that replies with the caller's identity.
fn with_server<F: Future<Output = ()>>(authenticator: impl Authenticator, test: impl FnOnce(String) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let tells = Service::new("test.Tells", &[]).with(Method::new("Who", || Box::new(Who)));
        let engine = Engine::builder().shards(1).workers(1).build().unwrap();
        let server = Server::new().service(tells).service(redis::service(redis::Store::default()));
        let server = server.engine(&engine).authenticate(authenticator);
        let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        test(running.addresses()[0].to_string()).await;
    });
}

fn channel(address: &str, protocol: &str) -> Channel {
    Channel::builder(address).protocol(protocol).timeout(Duration::from_secs(60)).build().unwrap()
}

/// The server's identity for this name; `None` shows no credential.
async fn ask(channel: &Channel, name: Option<&str>) -> Result<String, Status> {
    let call = channel.call(Target::fixed("test.Tells", "Who"), Vec::new());
    let call = match name {
        Some(name) => call.metadata("authorization", name),
        None => call,
    };
    Ok(String::from_utf8(call.await?.into_message().body.to_vec()).unwrap())
}

#[test]
fn each_call_has_the_identity_of_its_own_credential() {
    with_server(Believes, |address| async move {
        for protocol in ["http", "h2"] {
            let channel = channel(&address, protocol);
            for name in ["alice", "bob", "bob", "alice"] {
                assert_eq!(ask(&channel, Some(name)).await.unwrap(), name, "{protocol}");
            }
            assert_eq!(ask(&channel, None).await.unwrap(), "", "{protocol}: nobody is remembered");
        }
    });
}

#[test]
fn an_authenticator_may_remember_who_a_connection_was_let_in_for() {
    with_server(Remembers, |address| async move {
        for protocol in ["http", "h2"] {
            let channel = channel(&address, protocol);
            for (name, who) in [
                (Some("alice"), "alice"),
                (None, "alice"),
                (None, "alice"),
                (Some("bob"), "bob"),
                (None, "bob"),
                (Some("alice"), "alice"),
                (None, "alice"),
            ] {
                assert_eq!(ask(&channel, name).await.unwrap(), who, "{protocol}");
            }
            assert_eq!(channel.connections_made(), 1);
        }
    });
}

#[test]
fn a_connection_that_was_never_let_in_is_nobodys_to_remember() {
    with_server(Remembers, |address| async move {
        for protocol in ["http", "h2"] {
            let status = ask(&channel(&address, protocol), None).await.unwrap_err();
            assert_eq!(status.code(), Code::Unauthenticated, "{protocol}");
        }
    });
}

/// An empty password is a credential: after RESET it is the next caller's, and does not mean "as before".
#[test]
fn only_http_leaves_credentials_out() {
    with_server(Remembers, |address| async move {
        let mut socket = TcpStream::connect(&address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut say = |command: &str, reply: &str| {
            socket.write_all(format!("{command}\r\n").as_bytes()).unwrap();
            let mut got = vec![0; reply.len()];
            socket.read_exact(&mut got).unwrap();
            assert_eq!(String::from_utf8_lossy(&got), reply, "{command}");
        };
        say("AUTH bob", "+OK\r\n");
        say("SET key value", "+OK\r\n");
        say("RESET", "+RESET\r\n");
        say("AUTH \"\"", "-WRONGPASS");
    });
}

/// Accepts only the credential "secret".
struct Strict;
impl Authenticator for Strict {
    async fn verify(&self, caller: Caller) -> Result<Identity, Status> {
        match caller.credential() {
            Some(b"secret") => Ok(Identity::named("ada")),
            _ => Err(Status::unauthenticated("who?")),
        }
    }
}

#[test]
fn health_is_told_to_everybody_over_http_and_nothing_else_is() {
    with_server(Strict, |address| async move {
        for protocol in ["http", "h2", "grpc", "grpc-web", "connect"] {
            let channel = channel(&address, protocol);
            let refused = |status: Status, when: &str| {
                let said = (status.code(), status.message(), status.origin());
                // brpc's words, where its clients may see them
                let text = if protocol == "http" || protocol == "h2" {
                    "[1004]Fail to authenticate, who?"
                } else {
                    "who?"
                };
                assert_eq!(said, (Code::Unauthenticated, text, Origin::Remote), "{protocol} {when}");
            };
            let health = || channel.call(Target::fixed("grpc.health.v1.Health", "Check"), Vec::new());
            health().await.expect(protocol);
            refused(ask(&channel, None).await.unwrap_err(), "behind a request that was let in");
            assert_eq!(ask(&channel, Some("secret")).await.unwrap(), "ada", "{protocol}");
            health().await.expect(protocol);
            refused(ask(&channel, Some("guess")).await.unwrap_err(), "with a guess");
        }
        // These two show their credential first.
        let health = |protocol| {
            let channel = channel(&address, protocol);
            async move { channel.call(Target::fixed("grpc.health.v1.Health", "Check"), Vec::new()).await }
        };
        let status = health("baidu_std").await.unwrap_err();
        assert_eq!(
            (status.code(), status.message(), status.origin()),
            (Code::Unauthenticated, "Fail to authenticate: who?", Origin::Remote)
        );
        let status = health("zmtp").await.unwrap_err();
        let text = format!("{address} (zmtp): the peer refused the connection: 400");
        assert_eq!(
            (status.code(), status.message(), status.origin()),
            (Code::Unauthenticated, &*text, Origin::Remote)
        );
        assert!(
            !status.is_retryable() && !status.is_unprocessed(),
            "another try would be refused, too: {status:?}"
        );
        for (path, answer, body) in [
            ("/health", "HTTP/1.1 200 OK\r\n", "\r\n\r\nOK"),
            ("/health/", "HTTP/1.1 200 OK\r\n", "\r\n\r\nOK"),
            ("/test.Nothing/At", "HTTP/1.1 403 Forbidden\r\n", "\r\n\r\n[1004]Fail to authenticate, who?"),
        ] {
            let mut socket = TcpStream::connect(&address).unwrap();
            let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            socket.write_all(request.as_bytes()).unwrap();
            let mut said = String::new();
            socket.read_to_string(&mut said).unwrap();
            assert!(said.starts_with(answer) && said.trim_end().ends_with(body), "{path}: {said}");
        }
    });
}

#[test]
fn a_method_that_is_open_to_all_knows_nobody() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let tells = Service::new("test.Tells", &[]).with(Method::new("Who", || Box::new(Who)));
        let open = Service::new("test.Open", &[]).with(Method::new("Who", || Box::new(Who)));
        let open = open.method("Who", |method| method.open_to_all());
        let server = Server::new().service(tells).service(open).authenticate(Strict);
        let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        for protocol in ["http", "h2"] {
            let channel = channel(&running.addresses()[0].to_string(), protocol);
            let open = async || {
                let reply = channel.call(Target::fixed("test.Open", "Who"), Vec::new()).await.unwrap();
                assert_eq!(reply.into_message().body, b"nobody"[..], "{protocol}");
            };
            open().await; // on a connection without an accepted caller
            assert_eq!(ask(&channel, None).await.unwrap_err().code(), Code::Unauthenticated, "{protocol}");
            assert_eq!(ask(&channel, Some("secret")).await.unwrap(), "ada");
            // Another caller on a proxy's connection does not get ada's identity.
            let before = channel.connections_made();
            open().await;
            assert_eq!(channel.connections_made(), before, "{protocol}: on ada's connection");
        }
    });
}

#[test]
fn a_page_that_is_open_is_shown_to_everybody_and_no_other_page_is() {
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    let server = || Server::new().engine(&engine).authenticate(Remembers);
    let running = server()
        .pages(Pages::default().open("metrics"))
        .serve(TcpListener::bind("127.0.0.1:0").unwrap())
        .unwrap();
    let status = |page: &str, fields: &str| {
        let mut stream = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        write!(stream, "GET /{page} HTTP/1.1\r\nHost: localhost\r\n{fields}Connection: close\r\n\r\n")
            .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply[..12].to_owned()
    };
    for (page, expected) in
        [("metrics", 200), ("health", 200), ("vars", 403), ("status", 403), ("index", 403)]
    {
        // From this machine all are: the authenticator is about calls.
        assert_eq!(status(page, ""), "HTTP/1.1 200", "/{page}");
        assert_eq!(status(page, "Via: 1.1 proxy\r\n"), format!("HTTP/1.1 {expected}"), "/{page}");
    }
    let start =
        |server: Server| server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).err().unwrap().to_string();
    let none = start(server().pages(Pages::default().open("metric")));
    assert!(
        none.starts_with("pages.open(\"metric\"): there is no such page; there are index, health, "),
        "{none}"
    );
    assert!(none.ends_with(", metrics, brpc_metrics, token"), "{none}");
    // Pages that would be at every address, although somebody wanted them at one.
    let text = "pages.on(\"127.0.0.1:0\"): serve(..) has one listener; say .listen(..).start()";
    assert_eq!(start(server().pages(Pages::default().on("127.0.0.1:0"))), text);
}
