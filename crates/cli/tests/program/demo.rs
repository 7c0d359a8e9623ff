use crate::support::{polywire, run, signal};
use polywire_cli::protocols::SAMPLES;
use std::{
    io::{BufRead, BufReader, Read},
    process::Stdio,
};

#[test]
fn check_drives_every_protocol_without_an_error() {
    let ran = run(&["demo", "--check", "--json", "--duration", "8"]).succeeds();
    let json = ran.json();
    assert_eq!(json["ok"], true, "{json}");
    assert!(json["address"].as_str().unwrap().starts_with("127.0.0.1:"));
    let protocols = json["protocols"].as_array().unwrap();
    let names: Vec<_> = protocols.iter().map(|protocol| protocol["name"].as_str().unwrap()).collect();
    let shown = SAMPLES.iter().filter(|sample| sample.callers > 0);
    assert_eq!(names, shown.map(|sample| sample.protocol).collect::<Vec<_>>());
    for protocol in protocols {
        for name in ["callers", "connections", "calls", "calls_per_s", "p50_us", "p99_us"] {
            assert!(protocol[name].as_f64().unwrap() > 0.0, "{name} in {protocol}");
        }
        assert_eq!(protocol["errors"], 0, "{protocol}");
    }
    for pattern in ["PUSH/PULL", "PUB/SUB", "stream", "find"] {
        assert!(json["patterns"][pattern]["messages_per_s"].as_f64().unwrap() > 0.0, "{pattern} in {json}");
    }
}

#[test]
fn demo_stays_up_for_the_lines_it_prints_until_ctrl_c() {
    let mut child = polywire(&["demo", "--duration", "300ms"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("serving until Ctrl-C") {
        assert_ne!(stdout.read_line(&mut text).unwrap(), 0, "{text}");
    }
    for part in [
        "curl -d",
        "redis-cli -h",
        " -p zmtp -m SUB -i demo &\n",
        " -p zmtp -m PUSH -i \"demo of today\"\n",
        "insert_one({\"n\": 1}); print(c.find_one())",
        "grpcurl -plaintext",
        "ghz --insecure",
        " call --server",
        "baidu_std |",
        "calls/s",
        "zmtp, PUSH/PULL, 1 socket: ",
        "websocket, stream, 10 sockets: ",
        "mongo, find, 10 sockets: ",
        " messages/s",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let address = text.lines().next().unwrap().strip_prefix("listening on ").unwrap();
    run(&["call", "--server", address, "example.EchoService/Echo"]).succeeds();
    signal(&child, "INT");
    stdout.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
