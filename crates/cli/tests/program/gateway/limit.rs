//! `gateway`: how many calls of a route may be under way.

use super::{ECHO, of_listener, pages::Gateway};
use crate::support::{Folder, Server, counted, polywire, run, signal};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::Stdio,
    time::Duration,
};

fn settings(behind: &str, limit: &str) -> String {
    format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n\
         [clusters.a]\nprotocol = \"grpc\"\nservers = \"{behind}\"\n\
         [[routes]]\nmatch = \"example.*\"\nmax_concurrency = {limit}\nto = \"a\"\n"
    )
}

#[test]
fn a_silent_connection_is_closed_and_makes_room() {
    let folder = Folder::new("gateway-idle");
    let listener = "max_connections = 1\nidle = \"300ms\"";
    let text = settings("127.0.0.1:9", "1").replacen("[admin]", &format!("{listener}\n[admin]"), 1);
    let gateway = Gateway::with(&[&folder.write("gateway.toml", &text)]);
    let mut silent = TcpStream::connect(gateway.listener(0)).expect("it listens");
    silent.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
    assert_eq!(silent.read(&mut [0]).expect("its end"), 0);
}

#[test]
fn servers_that_need_a_connection_for_each_call_get_a_bounded_number() {
    let folder = Folder::new("gateway-limit-pooled");
    for (protocol, limit, said) in
        [("thrift", "", "512"), ("thrift:ttheader", "", "512"), ("thrift", "max_requests = 900", "900")]
    {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\nprotocols = [\"thrift\"]\n\
             [clusters.a]\nprotocol = \"{protocol}\"\nservers = \"127.0.0.1:9\"\n{limit}\n\
             [[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        let file = folder.write("gateway.toml", &text);
        let explained = run(&["gateway", "explain", &file, "Calculator/add"]).exits(0).stdout;
        assert!(explained.contains(&format!("{said} call")), "{protocol}: {explained}");
    }
}

#[test]
fn a_route_has_as_many_calls_at_a_time_as_it_says_also_when_the_file_is_read_again() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-limit"));
    let file = folder.write("gateway.toml", &settings(&behind.address, "1"));
    let mut gateway = Gateway::with(&[&file]);
    let chat = ["call", "-s", gateway.listener(0), "-p", "grpc", "example.StreamService/Chat", "-d", "-"];
    let mut stream = polywire(&chat).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    stream.stdin.as_mut().expect("piped").write_all(b"{\"message\":\"x\"}\n").expect("it reads");
    BufReader::new(stream.stdout.take().expect("piped")).lines().next().expect("an answer").expect("text");

    let is_refused = |gateway: &Gateway| {
        for (protocol, code) in
            [("grpc", "RESOURCE_EXHAUSTED"), ("baidu_std", "122"), ("connect", "RESOURCE_EXHAUSTED")]
        {
            let said = gateway.calls(0, protocol, ECHO).exits(1).stderr;
            assert!(said.contains("as many calls under way as this route may"), "{said}");
            assert!(said.contains(code), "{protocol}: {said}");
        }
    };
    is_refused(&gateway);
    // The call under way is still counted.
    signal(&gateway.child, "HUP");
    while !gateway.says().contains("read again") {}
    is_refused(&gateway);
    assert_eq!(counted(&behind), 0);
    let metrics = gateway.page("/metrics").succeeds().stdout;
    let refused = "polywire_gateway_refused_total{route=\"example.*\",reason=\"limit\"} 6\n";
    assert!(metrics.contains(refused), "{metrics}");
    let shown = gateway.page("/gateway").succeeds().stdout;
    for part in ["under_way", "most"] {
        assert!(shown.contains(part), "{shown}");
    }

    fs::write(&file, settings(&behind.address, "2")).expect("it is written");
    signal(&gateway.child, "HUP");
    while !gateway.says().contains("read again") {}
    gateway.calls(0, "grpc", ECHO).succeeds();
    drop(stream.stdin.take());
    stream.wait().expect("it was started");
}

#[test]
fn explain_says_how_many_and_check_what_is_no_number() {
    let folder = Folder::new("gateway-limit-check");
    for (limit, words) in [
        ("7", "at most 7 calls at a time\n"),
        ("\"auto\"", "auto: as many calls at a time as its servers answer without getting slower\n"),
        ("\"timeout:50:9\"", "answered before their callers give up, at most 9 at a time\n"),
    ] {
        let file = folder.write("gateway.toml", &settings("127.0.0.1:9", limit));
        let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
        assert!(explained.contains(words), "{explained}");
    }
    let file = folder.write("none.toml", &settings("127.0.0.1:9", "0"));
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    assert!(!explained.contains("at a time"), "{explained}");
    for (wrong, said) in [
        ("\"often\"", "max_concurrency \"often\": write a number, unlimited, auto"),
        ("-1", "-1 is not a number from 0"),
        ("true", "a text in quotes"),
    ] {
        let text = of_listener("listen = \"127.0.0.1:0\"") + &format!("max_concurrency = {wrong}\n");
        let all = run(&["gateway", "check", &folder.write("wrong.toml", &text)]).exits(2).stderr;
        assert!(all.contains("9:19: routes[0].max_concurrency: ") && all.contains(said), "{all}");
        assert_eq!(all.lines().count(), 1, "{all}");
    }
}
