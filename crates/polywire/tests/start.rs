//! A server does not start with options under which it could answer no client; the error names them.

use polywire::{
    Channel, Code, IoBuf, Limits, Origin, Running, Server, ServerError, Target, Timeouts, brpc, redis,
    wire::Protocol,
};
use polywire_engine::Fault;
use std::time::Duration;

fn refusal(server: Server) -> String {
    match server.listen("127.0.0.1:0").start() {
        Err(ServerError::Config(wrong)) => wrong.to_string(),
        other => panic!("{:?}", other.map(drop)),
    }
}

#[test]
fn a_wrong_option_is_named_for_programs_too() {
    for (server, option, value) in [
        (Server::new().protocols(["htpp"]), "protocols", Some("htpp")),
        (Server::new().open_page("metric"), "open_page", Some("metric")),
        (Server::new().limits(Limits { exchanges: 0, ..Limits::default() }), "limits", Some("exchanges")),
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

#[test]
fn names_of_protocols_that_would_answer_nobody_end_the_start() {
    assert!(refusal(Server::new().protocols([])).contains("protocols([])"));
    for name in ["thrift", "mongo", "tls", "htpp", "http:proto", "redis", "nshead"] {
        let text = refusal(Server::new().protocols(["http", name]));
        assert!(text.contains(&format!("{name:?}")) && text.contains("protocols(..)"), "{text}");
    }
    let store = redis::service(redis::Store::default());
    assert!(Server::new().service(store).protocols(["redis"]).listen("127.0.0.1:0").start().is_ok());
}

/// Whether a call is answered; if it is not, the server has closed the connection without a word.
async fn is_answered(server: &Running, protocol: &str) -> bool {
    let channel = Channel::builder(server.addresses()[0].to_string()).protocol(protocol).retries(0);
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
    let text = refusal(Server::new().limits(Limits { max_message: 0, ..Limits::DEFAULT }));
    assert!(text.contains("Limits::max_message"), "{text}");
    let text = refusal(Server::new().limits(Limits { calls: 0, ..Limits::DEFAULT }));
    assert!(text.contains("Limits::calls"), "{text}");
    let zero = Some(Duration::ZERO);
    let text = refusal(Server::new().timeouts(Timeouts { idle: zero, ..Timeouts::default() }));
    assert!(text.contains("Timeouts::idle"), "{text}");
}

#[test]
fn a_protocol_of_ones_own_needs_a_name_of_its_own() {
    static TAKEN: Protocol = Protocol { name: "redis", ..Protocol::DEFAULT };
    let text = refusal(Server::new().protocol(&TAKEN));
    assert!(text.contains("protocol(redis)"), "{text}");
}
