//! A server does not start with options under which it could answer no client; the error names them.

use crate::talk::TalkClient;
use polywire::{
    Channel, Code, IoBuf, Limits, Origin, Origins, Pages, Resilience, Running, Server, ServerError, Target,
    Timeouts, brpc, protocol, redis, wire::Protocol,
};
use polywire_engine::Fault;
use std::time::Duration;

fn refusal(server: Server) -> String {
    match server.listen("127.0.0.1:0").start() {
        Err(ServerError::Config(wrong)) => wrong.to_string(),
        other => panic!("{:?}", other.map(drop)),
    }
}

struct Echo;

impl polywire::Handler for Echo {
    fn start(&self, call: polywire::handler::Call) -> polywire::Started {
        polywire::Started::Ready(polywire::wire::Outcome {
            body: call.body,
            reply: true,
            ..Default::default()
        })
    }
}

#[test]
fn a_wrong_option_is_named_for_programs_too() {
    for (server, option, value) in [
        (Server::new().protocols(["htpp"]), "protocols", Some("htpp")),
        (Server::new().pages(Pages::default().open("metric")), "pages.open", Some("metric")),
        (Server::new().limits(Limits::default().exchanges(0)), "limits", Some("exchanges")),
        (Server::new().origins(Origins::default().allow("shop.example")), "origins", Some("shop.example")),
    ] {
        match server.listen("127.0.0.1:0").start() {
            Err(ServerError::Config(wrong)) => assert_eq!((wrong.option(), wrong.value()), (option, value)),
            other => panic!("{option}: {:?}", other.map(drop)),
        }
    }
    match Server::new().start() {
        Err(ServerError::Config(wrong)) => assert_eq!((wrong.option(), wrong.value()), ("listen", None)),
        other => panic!("{:?}", other.map(drop)),
    }
}

/// `fn main() -> polywire::Result<()>` prints `Error: ` and this.
#[test]
fn what_main_prints_of_an_error_is_its_text() {
    let of = |error: polywire::Error| format!("{error:?}");
    let wrong = Server::new().start().map(drop).unwrap_err();
    assert!(of(wrong.into()).starts_with("no address: "), "of a server");
    let wrong = Channel::builder("127.0.0.1:1").protocol("gprc").build().map(drop).unwrap_err();
    let text = wrong.to_string();
    assert_eq!(of(wrong.into()), text, "of a channel");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let held = std::net::TcpListener::bind(taken).unwrap();
    let error = Server::new().listen(taken.to_string()).start().map(drop).unwrap_err();
    assert_eq!(
        of(error.into()),
        Server::new().listen(taken.to_string()).start().map(drop).unwrap_err().to_string()
    );
    drop(held);
}

/// The protocol of a channel by its address, and what is said of addresses that name none.
#[test]
fn the_scheme_of_an_address_names_the_protocol() {
    let built = |builder: polywire::ChannelBuilder<polywire::Standard>| match builder.build() {
        Ok(channel) => format!("{} {}", channel.protocol(), channel.address()),
        Err(error) => error.to_string(),
    };
    let to = |address: &str| built(Channel::builder(address));
    assert_eq!(to("grpc://127.0.0.1:1"), "grpc 127.0.0.1:1");
    assert_eq!(to("redis://[::1]:1/"), "redis [::1]:1");
    assert_eq!(to("http://127.0.0.1:1"), "baidu_std 127.0.0.1:1", "it says only that there is no TLS");
    assert_eq!(built(Channel::builder("grpc://h:1").protocol(protocol::GRPC)), "grpc h:1");
    let two = built(Channel::builder("grpc://h:1").protocol("h2"));
    assert_eq!(two, "address \"grpc://h:1\" names the protocol grpc, and protocol(\"h2\")");
    assert!(to("gprc://h:1").ends_with("did you mean grpc://?"), "{}", to("gprc://h:1"));
    assert!(to("mongo://h:1").contains("unknown scheme"), "only servers speak it: {}", to("mongo://h:1"));
    assert!(to("grpc://h").contains("has no host and port"), "{}", to("grpc://h"));
    for known in protocol::ALL {
        let channel = built(Channel::builder("127.0.0.1:1").protocol(*known));
        assert_eq!(channel, format!("{} 127.0.0.1:1", known.name));
    }
}

#[tokio::test]
async fn a_generated_client_connects_by_itself() {
    let served = Server::new().listen("127.0.0.1:0").start().unwrap();
    let address = served.addresses()[0].to_string();
    let client = TalkClient::connect(format!("grpc://{address}")).await.unwrap();
    let why = client.say(Default::default()).await.unwrap_err();
    assert_eq!(why.code(), Code::Unimplemented, "there it is asked: {why}");
    served.stop().await;
    let why = TalkClient::connect(format!("grpc://{address}")).await.map(drop).unwrap_err();
    assert!(why.to_string().contains("cannot connect"), "{why}");
}

#[test]
fn names_of_protocols_that_would_answer_nobody_end_the_start() {
    assert!(refusal(Server::new().protocols([])).contains("protocols([])"));
    for name in ["mongo", "tls", "htpp", "http:proto", "redis", "nshead"] {
        let text = refusal(Server::new().protocols(["http", name]));
        assert!(text.contains(&format!("{name:?}")) && text.contains("protocols(..)"), "{text}");
    }
    let store = redis::service(redis::Store::default());
    assert!(Server::new().service(store).protocols(["redis"]).listen("127.0.0.1:0").start().is_ok());
}

#[test]
fn addresses_that_are_none_are_answered_with_what_to_write() {
    for (address, hint) in [
        (":8000", "\"127.0.0.1:8000\" for this machine alone"),
        ("http://127.0.0.1:8000/", "write \"127.0.0.1:8000\", without http://"),
        ("127.0.0.1:99999", "\"99999\" is not a port: write a number from 0 to 65535"),
        ("127.0.0.1:http", "\"http\" is not a port"),
        ("localhost", "write host and port: \"localhost:8000\""),
        ("[::1]", "write host and port: \"[::1]:8000\""),
        ("8000", "write host and port: \"0.0.0.0:8000\""),
    ] {
        match Server::new().listen(address).start() {
            Err(ServerError::Config(wrong)) => {
                assert_eq!((wrong.option(), wrong.value()), ("listen", Some(address)));
                let text = wrong.to_string();
                assert!(text.starts_with(&format!("listen({address:?}): ")) && text.contains(hint), "{text}");
            }
            other => panic!("{address}: {:?}", other.map(drop)),
        }
    }
    let text = Channel::builder("127.0.0.1:99999").build().map(drop).unwrap_err().to_string();
    assert!(text.contains("has a port above 65535"), "{text}");
    assert!(Server::new().listen("[::1]:0").listen("127.0.0.1:0").start().is_ok());
}

#[test]
fn a_name_that_is_nearly_a_protocol_is_answered_with_the_one_that_is_meant() {
    for (name, meant) in [
        ("zmq", "zmtp"),
        ("http2", "h2"),
        ("htpp", "http"),
        ("gprc", "grpc"),
        ("HTTP", "http"),
        ("brpc", "baidu_std"),
    ] {
        let hint = format!(": write {meant:?}; ");
        let text = refusal(Server::new().protocols([name]));
        assert!(text.contains(&hint), "{text}");
        let text = Channel::builder("host:1").protocol(name).build().map(drop).unwrap_err().to_string();
        assert!(text.contains(&hint), "{text}");
    }
    let text = refusal(Server::new().protocols(["telepathy"]));
    assert!(!text.contains("write"), "{text}");
}

#[test]
fn a_service_is_added_once() {
    let store = || redis::service(redis::Store::default());
    let standard =
        || polywire::Service::new("shop.Items", &[]).with(polywire::Method::new("Get", || Box::new(Echo)));
    let text = refusal(Server::new().service(standard()).service(standard()));
    assert_eq!(text, "service shop.Items is there twice: add it once");
    assert!(refusal(Server::new().service(store()).service(store())).contains("twice"));
}

#[test]
fn options_of_a_method_that_is_not_there_are_a_sentence() {
    let service = || {
        let method = |name| polywire::Method::new(name, || Box::new(Echo));
        polywire::Service::new("shop.Items", &[]).with(method("Get")).with(method("Reserve"))
    };
    for (name, advice) in [
        ("reserve", "did you mean Reserve?"),
        ("Resreve", "did you mean Reserve?"),
        ("List", "it has Get, Reserve"),
        ("", "it has Get, Reserve"),
    ] {
        let text = refusal(Server::new().service(service().method(name, |method| method).method("x", |x| x)));
        assert_eq!(text, format!("service shop.Items has no method {name}; {advice}"));
    }
    let text = refusal(Server::new().service(service().restful("/v1/get => Gte")));
    assert!(text.ends_with("did you mean Get?"), "{text}");
}

#[tokio::test]
async fn no_path_leads_to_names_with_a_slash() {
    let service = |name, method| {
        polywire::Service::new(name, &[]).with(polywire::Method::new(method, || Box::new(Echo)))
    };
    let server = Server::new()
        .service(service("shop/Items", "Get"))
        .service(service("shop.Items", "Get/All"))
        .service(service("shop.Items2", "Get"))
        .listen("127.0.0.1:0")
        .start()
        .unwrap();
    let channel = Channel::builder(server.addresses()[0].to_string()).protocol("http").build().unwrap();
    let call = |path: &str| channel.call(Target::named("", path), IoBuf::new());
    for path in ["/shop/Items/Get", "/shop.Items/Get/All"] {
        for before in [path, "/shop.Items2/Get"] {
            let _ = call(before).await;
            let status = call(path).await.unwrap_err();
            assert!(status.message().contains("Fail to find method"), "{path} after {before}: {status}");
        }
    }
    call("/shop.Items2/Get").await.unwrap();
}

#[tokio::test]
async fn a_verb_that_does_not_reach_a_path_is_answered_with_those_that_do() {
    let server = Server::new().listen("127.0.0.1:0").start().unwrap();
    let channel = Channel::builder(server.addresses()[0].to_string()).protocol("http").build().unwrap();
    let get = |path: &str| channel.call(Target::named("", path), IoBuf::new()).metadata(":method", "PUT");
    let status = get("/grpc.health.v1.Health/Check").await.unwrap_err();
    assert_eq!(status.message(), "PUT does not reach this path: send POST");
    let status = get("/health").await.unwrap_err();
    assert_eq!(status.message(), "PUT does not reach this path: send GET, HEAD or POST");
}

/// Whether a call is answered; if it is not, the server has closed the connection without a word.
async fn is_answered(server: &Running, protocol: &str) -> bool {
    let channel = Channel::builder(server.addresses()[0].to_string())
        .protocol(protocol)
        .resilience(Resilience::default().retries(0));
    let channel = channel.timeout(Duration::from_secs(60)).build().unwrap();
    match channel.call(Target::fixed("grpc.health.v1.Health", "Check"), IoBuf::new()).await {
        Ok(_) => true,
        Err(status) => {
            assert_eq!(
                (status.code(), status.origin()),
                (Code::Unavailable, Origin::Transport),
                "{status:?}"
            );
            assert_eq!(brpc::number(&status), brpc::EEOF, "{protocol}: {status:?}");
            // One may not answer the other, so the text names both. gRPC and the others are carried by h2.
            let place = format!("{} (", server.addresses()[0]);
            assert!(status.message().starts_with(&place), "{protocol}: {status:?}");
            false
        }
    }
}

#[tokio::test]
async fn names_of_ways_to_call_over_http_allow_the_http_beneath() {
    for (name, answered) in [
        ("grpc", &["grpc", "h2"][..]),
        ("grpc-web", &["grpc", "grpc-web", "connect", "http", "h2"]),
        ("connect", &["grpc", "grpc-web", "connect", "http", "h2"]),
    ] {
        let server = Server::new().protocols([name]).listen("127.0.0.1:0").start().unwrap();
        let mut refused = 0;
        for protocol in ["grpc", "h2", "grpc-web", "connect", "http", "baidu_std"] {
            let wanted = answered.contains(&protocol);
            assert_eq!(is_answered(&server, protocol).await, wanted, "{name} {protocol}");
            refused += u64::from(!wanted);
            assert_eq!(server.faults().count(Fault::UnknownProtocol), refused, "{name} {protocol}");
        }
    }
}

#[test]
fn limits_and_timeouts_of_zero_end_the_start() {
    let text = refusal(Server::new().limits(Limits::DEFAULT.max_message(0)));
    assert!(text.contains("Limits::max_message"), "{text}");
    let text = refusal(Server::new().limits(Limits::DEFAULT.calls(0)));
    assert!(text.contains("Limits::calls"), "{text}");
    let zero = Some(Duration::ZERO);
    let text = refusal(Server::new().timeouts(Timeouts::default().idle(zero)));
    assert!(text.contains("Timeouts::idle"), "{text}");
}

#[test]
fn a_protocol_of_ones_own_needs_a_name_of_its_own() {
    static TAKEN: Protocol = Protocol { name: "redis", ..Protocol::DEFAULT };
    let text = refusal(Server::new().protocol(&TAKEN));
    assert!(text.contains("protocol(redis)"), "{text}");
}
