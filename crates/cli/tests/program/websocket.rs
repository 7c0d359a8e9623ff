//! Calls over WebSocket, as pages of browsers make them.

use crate::support::{Server, polywire, run};
use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

const CHAT: &str = "example.StreamService/Chat";

#[test]
fn methods_of_all_kinds_are_called_over_both_versions_of_http() {
    let server = Server::start();
    let one = r#"{"message":"one"}"#;
    for protocol in ["websocket", "websocket:h2"] {
        let call = |method: &str, data: &str| {
            run(&["call", "-s", &server.address, "-p", protocol, method, "-d", data])
        };
        let both = format!("{one} {{\"message\":\"two\"}}");
        assert_eq!(call(CHAT, &both).succeeds().stdout, format!("{one}\n{{\"message\":\"two\"}}\n"));
        assert_eq!(call("example.EchoService.Echo", one).succeeds().stdout, format!("{one}\n"));
        let repeat = call("example.StreamService/Repeat", r#"{"message":"one","count":3}"#).succeeds();
        assert_eq!(repeat.stdout, format!("{one}\n").repeat(3));
        let collect = call("example.StreamService/Collect", &both).succeeds();
        assert_eq!(collect.stdout, "{\"messages\":\"2\",\"bytes\":\"6\"}\n");
        let failed = call("no.Such/Method", "{}").exits(1);
        assert!(failed.stderr.contains("UNIMPLEMENTED: "), "{}", failed.stderr);
        let noted = call(CHAT, r#"{"message":"one","mesage":1}"#).succeeds();
        assert_eq!(noted.stderr, "polywire: example.Line has no field \"mesage\"; it was left out\n");
        let wrong = call(CHAT, r#"{"message":{}}"#).exits(1);
        assert!(wrong.stderr.contains("INVALID_ARGUMENT: "), "{}", wrong.stderr);
    }
    let late = ["call", "-s", &server.address, "-p", "websocket", "--timeout-ms", "50"];
    let slow = ["example.StreamService/Repeat", "-d", r#"{"count":2,"interval_ms":60000}"#];
    let late = run(&[&late[..], &slow].concat()).exits(1);
    assert!(late.stderr.contains("DEADLINE_EXCEEDED"), "{}", late.stderr);
}

#[test]
fn standard_input_is_sent_while_answers_come() {
    let server = Server::start();
    let mut child = polywire(&["call", "-s", &server.address, "-p", "websocket", CHAT, "-d", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for n in 0..3 {
        let message = format!("{{\"message\":\"{n}\"}}\n");
        input.write_all(message.as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, message);
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn press_keeps_a_stream_on_each_socket() {
    let server = Server::start();
    let press = ["press", "-s", &server.address, "-p", "websocket", "--json", "--duration", "200ms"];
    let json = run(&[&press[..], &["--concurrency", "3"]].concat()).succeeds().json();
    assert_eq!((&json["method"], &json["protocol"]), (&CHAT.into(), &"websocket".into()));
    assert_eq!(json["sockets"], 3);
    assert!(json["messages"].as_u64().unwrap() > 0, "{json}");
    // A method that answers once has no stream to keep.
    let ended =
        run(&[&press[..], &["-m", "example.EchoService/Echo", "-i", r#"{"message":"one"}"#]].concat())
            .exits(1);
    assert!(ended.stderr.contains("has ended after 1 messages"), "{}", ended.stderr);
    let wrong = run(&[&press[..], &["--qps", "10"]].concat()).exits(2);
    assert!(
        wrong.stderr.contains("--qps: for calls, and example.StreamService/Chat makes none"),
        "{}",
        wrong.stderr
    );
}
