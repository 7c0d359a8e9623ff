//! Which peers a server's ZeroMQ port lets in: the port's options and the server's authenticator decide.

use polywire::{Authenticator, Caller, Identity, Running, Server, ServerError, Status, zmq};
use std::time::Duration;
use zmq::{Event, Options, curve_keypair};

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future).await.expect("it takes too long")
}

/// So soon a socket connects again.
const ONCE_MORE: Duration = Duration::from_millis(1);

fn start(server: Server, port: zmq::Port) -> Running {
    server.service(port).listen("127.0.0.1:0").start().unwrap()
}

/// Whether a peer with these options is let in, and if so answered.
async fn is_let_in(running: &Running, options: &Options) -> bool {
    let req = zmq::Req::with(options);
    let mut news = req.monitor();
    req.connect(&format!("tcp://{}", running.addresses()[0])).unwrap();
    let sent = async {
        req.send("ask").await.unwrap();
        assert_eq!(req.recv().await.unwrap(), "ask");
    };
    let refused = async {
        // With NULL the ends do not wait for one another: the refusal may follow what the peer takes for
        // success.
        let failed =
            |event: &Event| matches!(event, Event::HandshakeFailed { .. } | Event::Disconnected { .. });
        while !news.next().await.as_ref().is_some_and(failed) {}
    };
    tokio::select! {
        () = soon(sent) => true,
        () = soon(refused) => false,
    }
}

/// Whether the next handshake succeeds.
async fn handshake(news: &mut zmq::Monitor) -> bool {
    loop {
        match soon(news.next()).await {
            Some(Event::HandshakeFailed { .. }) => return false,
            Some(Event::HandshakeSucceeded { .. }) => return true,
            _ => {}
        }
    }
}

fn echo(options: &Options) -> zmq::Port {
    zmq::Port::with(options).rep(|request| async move { request })
}

#[tokio::test]
async fn the_options_of_a_port_are_asked_without_an_authenticator() {
    let plain = Options::new().plain_server(|user, password| (user, password) == ("user", "pass"));
    let running = start(Server::new(), echo(&plain));
    assert!(is_let_in(&running, &Options::new().plain("user", "pass")).await);
    assert!(!is_let_in(&running, &Options::new().plain("user", "guess")).await);
    assert!(!is_let_in(&running, &Options::new()).await);

    let (server_public, server_secret) = curve_keypair().unwrap();
    let (known, secret) = curve_keypair().unwrap();
    let curve = Options::new().curve_server(server_secret).authenticate(move |claim, _| {
        let known = claim.scheme == "CURVE" && claim.credential == Some(&known.0);
        if known { Ok(()) } else { Err(Status::unauthenticated("unknown key")) }
    });
    let running = start(Server::new(), echo(&curve));
    assert!(is_let_in(&running, &Options::new().curve(server_public, secret)).await);
    let stranger = Options::new().curve(server_public, curve_keypair().unwrap().1);
    assert!(!is_let_in(&running, &stranger).await);

    let nobody = Options::new().authenticate(|_, _| Err(Status::unauthenticated("nobody")));
    assert!(!is_let_in(&start(Server::new(), echo(&nobody)), &Options::new()).await);
}

#[tokio::test]
async fn a_port_asks_all_that_its_options_name() {
    for may in [true, false] {
        let checks = |user: &str, password: &str| (user, password) == ("user", "pass");
        let both = Options::new().plain_server(checks).authenticate(move |_, _| match may {
            true => Ok(()),
            false => Err(Status::unauthenticated("not from there")),
        });
        let running = start(Server::new(), echo(&both));
        assert_eq!(is_let_in(&running, &Options::new().plain("user", "pass")).await, may);
        assert!(!is_let_in(&running, &Options::new().plain("user", "guess")).await);
    }
}

/// Where the server's services answer REQ peers, the options of the port apply to them, too.
#[tokio::test]
async fn services_are_behind_the_options_of_the_port() {
    let plain = Options::new().plain_server(|user, password| (user, password) == ("user", "pass"));
    let running = start(Server::new(), zmq::Port::with(&plain));
    for (password, may) in [("pass", true), ("guess", false)] {
        let req = zmq::Req::with(&Options::new().plain("user", password).reconnect(ONCE_MORE));
        let mut news = req.monitor();
        req.connect(&format!("tcp://{}", running.addresses()[0])).unwrap();
        assert_eq!(handshake(&mut news).await, may, "{password}");
        let asked = async {
            req.send(["grpc.health.v1.Health/Check", "{}", "json"]).await.unwrap();
            req.recv().await.unwrap()
        };
        if may {
            assert_eq!(soon(asked).await, zmq::Message::of(["0", "{\"status\":\"SERVING\"}"]));
            continue;
        }
        // It is refused again and again, and its request stays where it is.
        let refused = async {
            for _ in 0..3 {
                assert!(!handshake(&mut news).await);
            }
        };
        tokio::select! {
            reply = asked => panic!("a stranger was answered: {reply:?}"),
            () = refused => {}
        }
    }
}

struct OnlyAda;
impl Authenticator for OnlyAda {
    async fn verify(&self, caller: Caller) -> Result<Identity, Status> {
        assert_eq!(caller.scheme(), "PLAIN");
        match (caller.user(), caller.credential()) {
            (Some(b"ada"), Some(b"pass")) => Ok(Identity::named("ada")),
            _ => Err(Status::unauthenticated("only ada")),
        }
    }
}

#[tokio::test]
async fn a_peer_needs_the_consent_of_the_port_and_of_the_authenticator() {
    let plain = Options::new().plain_server(|user, password| user != "eve" && password == "pass");
    let running = start(Server::new().authenticate(OnlyAda), echo(&plain));
    assert!(is_let_in(&running, &Options::new().plain("ada", "pass")).await);
    assert!(!is_let_in(&running, &Options::new().plain("bob", "pass")).await, "the authenticator's no");
    let lenient = Options::new().plain_server(|user, _| user == "bob");
    let running = start(Server::new().authenticate(OnlyAda), echo(&lenient));
    assert!(!is_let_in(&running, &Options::new().plain("ada", "pass")).await, "the port's no");
}

/// A socket that asks for a name and a password asks those, too, that it connects to.
#[tokio::test]
async fn whoever_connects_as_the_server_of_a_mechanism_asks_all_the_same() {
    for (password, may) in [("pass", true), ("guess", false)] {
        let peer = zmq::Rep::with(&Options::new().plain("user", password));
        let address = peer.bind("tcp://127.0.0.1:*").unwrap();
        let asks = zmq::Req::with(&Options::new().plain_server(|_, password| password == "pass"));
        let mut news = asks.monitor();
        asks.connect(&address).unwrap();
        assert_eq!(handshake(&mut news).await, may, "{password}");
    }
}

#[test]
fn options_that_would_guard_nothing_end_the_start() {
    let refusal = |server: Server| match server.listen("127.0.0.1:0").start() {
        Err(ServerError::Config(wrong)) => wrong.to_string(),
        other => panic!("{:?}", other.map(drop)),
    };
    let client = Options::new().plain("user", "pass");
    assert!(refusal(Server::new().service(zmq::Port::with(&client))).contains("client of PLAIN"));
    let (public, secret) = curve_keypair().unwrap();
    let client = Options::new().curve(public, secret);
    assert!(refusal(Server::new().service(zmq::Port::with(&client))).contains("client of CURVE"));
    let guarded = zmq::Pull::with(&Options::new().plain_server(|_, _| false));
    assert!(refusal(Server::new().service(zmq::Port::new().socket(&guarded))).contains("PULL"));
    // The port asks, but not what the socket's options say.
    let (_, secret) = curve_keypair().unwrap();
    for port in [
        Options::new().curve_server(secret),
        Options::new().plain_server(|_, _| true),
        Options::new().authenticate(|_, _| Ok(())),
    ] {
        let text = refusal(Server::new().service(zmq::Port::with(&port).socket(&guarded)));
        assert!(text.contains("PULL") && text.contains("Port::with"), "{text}");
    }
    let (_, secret) = curve_keypair().unwrap();
    let curve = Options::new().curve_server(secret);
    let text = refusal(Server::new().service(zmq::Port::new().socket(zmq::Pull::with(&curve))));
    assert!(text.contains("CURVE"), "{text}");
    let same = Options::new().plain_server(|_, _| false);
    let socket = zmq::Pull::with(&same);
    drop(start(Server::new(), zmq::Port::with(&same).socket(&socket)));
    let twice = Server::new().service(zmq::Port::new()).service(zmq::Port::new());
    assert!(refusal(twice).contains("twice"));
}
