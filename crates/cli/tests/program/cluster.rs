//! `demo --cluster`.

use crate::support::{Server, polywire, run, signal};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{ChildStdout, Stdio},
};

#[test]
fn no_call_is_lost_while_servers_come_and_go() {
    let ran = run(&["demo", "--cluster", "4", "--check", "--json", "--duration", "4"]).succeeds();
    let json = ran.json();
    assert_eq!((&json["ok"], &json["servers"]), (&true.into(), &4.into()), "{json}");
    let happened: Vec<_> =
        json["events"].as_array().unwrap().iter().map(|event| event["what"].as_str().unwrap()).collect();
    for what in ["killed", "stopped", "slow", "fast again", "started again"] {
        assert!(happened.contains(&what), "{what} in {json}");
    }
    let balancers = json["balancers"].as_array().unwrap();
    let names: Vec<_> = balancers.iter().map(|balancer| balancer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["rr", "la", "p2c"]);
    for balancer in balancers {
        assert_eq!((&balancer["failed"], &balancer["lost"]), (&0.into(), &0.into()), "{json}");
        let shares = balancer["shares"].as_object().unwrap().values().map(|share| share.as_u64().unwrap());
        assert_eq!(shares.sum::<u64>(), balancer["calls"].as_u64().unwrap(), "{json}");
    }
    assert_eq!(balancers[0]["shares"].as_object().unwrap().len(), 4, "rr calls all: {json}");
}

#[test]
fn a_demo_that_is_killed_leaves_no_server_behind() {
    let mut demo =
        polywire(&["demo", "--cluster", "2", "--duration", "1h"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(demo.stdout.take().unwrap());
    let file = file_named_in(&mut stdout);
    let servers = std::fs::read_to_string(&file).unwrap();
    demo.kill().unwrap();
    demo.wait().unwrap();
    ended(&servers);
    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
}

#[test]
fn a_running_demo_is_asked_where_its_calls_went() {
    let mut demo =
        polywire(&["demo", "--cluster", "2", "--duration", "1h"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(demo.stdout.take().unwrap());
    let file = file_named_in(&mut stdout);
    let servers = std::fs::read_to_string(&file).unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let address = line.trim_end().rsplit(' ').next().unwrap();
    let mut ends = String::new();
    stdout.read_line(&mut ends).unwrap();
    assert_eq!(ends, "calls end after 3600s, or what --seconds says\n");

    let json = loop {
        let json = run(&["why", address, "--json"]).succeeds().json();
        let recorded = |channel: &serde_json::Value| !channel["calls"].as_array().unwrap().is_empty();
        if json["channels"].as_array().unwrap().iter().all(recorded) {
            break json;
        }
    };
    let channels = json["channels"].as_array().unwrap();
    let balancers: Vec<_> = channels.iter().map(|channel| channel["balancer"].as_str().unwrap()).collect();
    assert_eq!(balancers, ["rr", "la", "p2c"], "{json}");
    for channel in channels {
        assert_eq!(channel["channel"], format!("file://{}", file.display()), "{json}");
        assert_eq!(channel["calls"][0]["method"], "example.EchoService/Echo", "{json}");
        let tried = channel["calls"][0]["tries"][0]["server"].as_str().unwrap();
        assert!(servers.contains(tried), "{tried} of {servers}");
    }
    let text = run(&["why", address]).succeeds().stdout;
    assert_eq!(text.matches("(baidu_std), balancer ").count(), 3, "{text}");
    assert!(text.contains("ago: example.EchoService/Echo\n"), "{text}");
    signal(&demo, "INT");
    stdout.read_to_string(&mut line).unwrap();
    demo.wait().unwrap();
    ended(&servers);
}

#[test]
fn a_demo_is_asked_after_its_calls_and_serves_until_ctrl_c() {
    let mut demo =
        polywire(&["demo", "--cluster", "2", "--duration", "200ms"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(demo.stdout.take().unwrap());
    let file = file_named_in(&mut stdout);
    let mut text = String::new();
    stdout.read_line(&mut text).unwrap();
    let address = text.trim_end().rsplit(' ').next().unwrap().to_owned();
    while !text.contains("serving until Ctrl-C") {
        assert_ne!(stdout.read_line(&mut text).unwrap(), 0, "{text}");
    }
    let why = run(&["why", &address]).succeeds().stdout;
    assert!(why.contains("ago: example.EchoService/Echo\n"), "{why}");
    assert!(file.exists(), "servers can still be called by the file");
    signal(&demo, "INT");
    assert_eq!(demo.wait().unwrap().code(), Some(0));
    assert!(!file.exists());
}

#[test]
fn a_server_that_is_no_demo_is_named() {
    let server = Server::start();
    for json in [&[][..], &["--json"]] {
        let ran = run(&[&["why", &server.address], json].concat()).exits(1);
        let said = format!("polywire: {} has no page /why: ", server.address);
        assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn a_demo_that_is_interrupted_ends_its_servers_and_takes_its_file_away() {
    let mut demo =
        polywire(&["demo", "--cluster", "2", "--duration", "1h"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(demo.stdout.take().unwrap());
    let file = file_named_in(&mut stdout);
    let servers = std::fs::read_to_string(&file).unwrap();
    signal(&demo, "INT");
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(demo.wait().unwrap().code(), Some(0), "{rest}");
    assert!(rest.contains("p2c"), "the table is shown: {rest}");
    assert!(!file.exists());
    ended(&servers);
}

#[test]
fn a_server_of_the_demo_ends_with_its_standard_input() {
    let mut member =
        polywire(&["demo", "--member", "7"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(member.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("listening on ").unwrap();
    let mut commands = member.stdin.take().unwrap();
    writeln!(commands, "delay 1").unwrap();
    let call = ["call", "-s", address, "example.EchoService/Echo", "-d", "{\"message\":\"hi\"}"];
    assert_eq!(run(&call).succeeds().stdout, "{\"message\":\"7 hi\"}\n");
    drop(commands);
    assert_eq!(member.wait().unwrap().code(), Some(0));
}

/// The file of the servers, from the first line of the demo.
fn file_named_in(stdout: &mut BufReader<ChildStdout>) -> std::path::PathBuf {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    line.trim_end().split("file://").nth(1).unwrap_or_else(|| panic!("no file in {line:?}")).into()
}

/// Waits until no server listens at these addresses; the test hangs if one goes on.
fn ended(servers: &str) {
    assert_eq!(servers.lines().count(), 2, "{servers}");
    for address in servers.lines() {
        while std::net::TcpStream::connect(address).is_ok() {
            std::thread::yield_now();
        }
    }
}
