use crate::support::{Server, polywire, run};
use polywire::Pages;
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

const HELLO: &str = "{\"message\":\"hello\"}\n";

#[test]
fn methods_of_all_kinds_are_called_by_every_protocol_that_streams() {
    let server = Server::start();
    let call = |protocol: &str, method: &str, data: &str| {
        let method = format!("example.StreamService/{method}");
        run(&["call", "-s", &server.address, "-p", protocol, &method, "-d", data]).succeeds().stdout
    };
    let two = "{\"message\":\"a\"}\n{\"message\":\"bcd\"}\n";
    for protocol in ["grpc", "grpc:json", "connect:h2", "streaming_rpc", "baidu_std"] {
        assert_eq!(
            call(protocol, "Repeat", "{\"message\":\"hello\",\"count\":3}"),
            HELLO.repeat(3),
            "{protocol}"
        );
        assert_eq!(call(protocol, "Collect", two), "{\"messages\":\"2\",\"bytes\":\"4\"}\n", "{protocol}");
        assert_eq!(call(protocol, "Chat", two), two, "{protocol}");
    }
    for protocol in ["connect", "grpc-web", "grpc-web:text"] {
        assert_eq!(
            call(protocol, "Repeat", "{\"message\":\"hello\",\"count\":3}"),
            HELLO.repeat(3),
            "{protocol}"
        );
    }
}

#[test]
fn a_chat_answers_while_standard_input_is_open() {
    let server = Server::start();
    let args = ["call", "-s", &server.address, "-p", "grpc", "example.StreamService/Chat", "-d", "-"];
    let mut chat = polywire(&args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (chat.stdin.take().unwrap(), BufReader::new(chat.stdout.take().unwrap()));
    for text in ["one", "two"] {
        stdin.write_all(format!("{{\"message\":\n\"{text}\"}}").as_bytes()).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{{\"message\":\"{text}\"}}\n"));
    }
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!((&rest[..], chat.wait().unwrap().code()), ("", Some(0)));
}

#[test]
fn what_is_not_built_in_is_learnt_from_the_server_whatever_the_protocol() {
    let server = Server::start();
    for protocol in ["grpc", "baidu_std", "http"] {
        let args = ["call", "-s", &server.address, "-p", protocol, "grpc.health.v1.Health.Check"];
        assert_eq!(run(&args).succeeds().stdout, "{\"status\":\"SERVING\"}\n", "{protocol}");
    }
    let ran = run(&["call", "-s", &server.address, "-p", "grpc", "no.Service/Method"]).exits(2);
    assert!(
        ran.stderr.contains("unknown method \"no.Service/Method\": reflection of ")
            && !ran.stderr.contains("example."),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("NOT_FOUND: no symbol no.Service"), "{}", ran.stderr);
}

#[test]
fn a_stream_that_ends_badly_shows_what_came_before() {
    let server = Server::start();
    let data = "{\"message\":\"hello\",\"count\":2,\"intervalMs\":60000}";
    let method = "example.StreamService/Repeat";
    let args = ["call", "-s", &server.address, "-p", "grpc", method, "-d", data, "--timeout-ms", "300"];
    let ran = run(&args).exits(1);
    assert_eq!(ran.stdout, HELLO);
    assert!(ran.stderr.contains("DEADLINE_EXCEEDED") && ran.stderr.lines().count() == 1, "{}", ran.stderr);

    let method = "example.StreamService/Repeat";
    let ran = run(&["call", "-s", &server.address, "-p", "hulu_pbrpc", method]).exits(1);
    assert!(ran.stderr.contains("UNIMPLEMENTED"), "hulu_pbrpc has no streams: {}", ran.stderr);
    let args =
        ["call", "-s", &server.address, "-p", "grpc", "example.StreamService/Chat", "-d", "{\"message\":1}"];
    assert!(run(&args).exits(2).stderr.contains("the request"), "before anything is sent");
}

#[test]
fn fields_of_both_ends_are_told() {
    let server = Server::start();
    let args =
        ["call", "-v", "-s", &server.address, "-p", "grpc", "example.StreamService/Repeat", "-H", "a=b"];
    let ran = run(&args).succeeds();
    assert_eq!(ran.stdout, HELLO.repeat(3));
    assert!(ran.stderr.contains("example.StreamService/Repeat in "), "{}", ran.stderr);
}

#[test]
fn a_press_over_streaming_rpc_talks() {
    let server = Server::start();
    let args =
        ["press", "-s", &server.address, "-p", "streaming_rpc", "--count", "20", "--messages", "5", "--json"];
    let summary: serde_json::Value = serde_json::from_str(&run(&args).succeeds().stdout).unwrap();
    assert_eq!((&summary["calls"], &summary["errors"]), (&20.into(), &0.into()), "{summary}");
}

#[test]
fn a_field_that_lets_calls_in_lets_in_the_question_for_their_schema() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let _entered = runtime.enter();
    let authenticator = |caller: polywire::Caller| async move {
        match caller.bearer() {
            Some("secret") => Ok(polywire::Identity::named("ada")),
            _ => Err(polywire::Status::unauthenticated("a token is needed")),
        }
    };
    let server = polywire::Server::new()
        .pages(Pages::default().open_reflection(true))
        .authenticate(authenticator)
        .listen("127.0.0.1:0")
        .start()
        .unwrap();
    let address = server.addresses()[0].to_string();
    let args = [
        "call",
        "-s",
        &address,
        "-p",
        "grpc",
        "grpc.health.v1.Health/Check",
        "-H",
        "authorization=Bearer secret",
    ];
    assert_eq!(run(&args).succeeds().stdout, "{\"status\":\"SERVING\"}\n");
    assert!(run(&args[..6]).exits(2).stderr.contains("UNAUTHENTICATED"));
}
