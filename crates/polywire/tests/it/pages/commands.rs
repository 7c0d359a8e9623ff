//! Commands that pages print do what they say.

use super::support::*;
use polywire::{Running, Server};
use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Command,
    sync::atomic::Ordering::Relaxed,
};

/// The commands on a page, as they stand there but for the host.
fn commands(running: &Running, page: &str) -> Vec<String> {
    let (_, text) = exchange(running, &format!("GET {page}"), "", "");
    let host = running.addresses()[0].to_string();
    let printed =
        text.lines().filter_map(|line| Some(line.strip_prefix("# ")?.trim().split_once(": curl ")?.1));
    printed.map(|command| format!("curl {}", command.replace("HOST", &host))).collect()
}

/// Runs it in a shell: the status of HTTP.
fn run(command: &str) -> String {
    let all = format!("{command} -sS -o /dev/null -w '%{{http_code}}'");
    let output = Command::new("sh").args(["-c", &all]).output().expect("a shell");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A call that does not end by itself.
fn held(running: &Running) -> TcpStream {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let request = "POST /test.Holding/Hold HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
    stream.write_all(request.as_bytes()).expect("it reads");
    stream
}

#[test]
fn a_command_that_a_page_prints_does_what_it_says() {
    if Command::new("curl").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no curl");
    }
    let (running, changes) = start(Server::new().service(holding()));
    let [clear] = &commands(&running, "/stock")[..] else { panic!("one command") };
    assert_eq!((run(clear), changes.load(Relaxed)), ("200".into(), 1), "{clear}");

    let [record] = &commands(&running, "/rpcz")[..] else { panic!("one command") };
    assert_eq!(run(record), "200", "{record}");
    assert!(get(&running, "/rpcz/stats").contains("rpcz_enabled: 1"), "{record}");

    let mut call = held(&running);
    let task = loop {
        // The list has places of calls above the calls.
        let (_, text) = exchange(&running, "GET /tasks", "", "");
        let rows = text.split("# tasks:").nth(1).unwrap_or_default();
        if let Some(row) = rows.lines().find(|line| line.contains("test.Holding/Hold")) {
            break row
                .split_whitespace()
                .find(|cell| cell.matches('-').count() == 2)
                .expect("an id")
                .to_owned();
        }
    };
    let [cancel] = &commands(&running, &format!("/tasks/{task}"))[..] else { panic!("one command") };
    assert_eq!(run(cancel), "200", "{cancel}");
    let mut answer = [0; 12];
    call.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 500", "{cancel}");

    let local = call.local_addr().expect("connected").to_string();
    let (_, list) = exchange(&running, "GET /connections?json", "", "");
    let before = list.split(&local).next().expect("a row");
    let id = before.rsplit("[\"").next().expect("a key").split('"').next().expect("its end").to_owned();
    let [close] = &commands(&running, &format!("/sockets/{id}"))[..] else {
        panic!("one command at {id}: {list}")
    };
    assert_eq!(run(close), "200", "{close}");
    let mut rest = Vec::new();
    let _ = call.read_to_end(&mut rest); // ends, or is reset
}

#[test]
fn a_command_that_a_page_of_brpc_prints_does_what_it_says() {
    if Command::new("curl").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no curl");
    }
    let (running, _) = start(Server::new().service(holding()));
    let [enable] = &commands(&running, "/-/rpcz")[..] else { panic!("one command") };
    assert!(enable.contains("/rpcz/enable") && get(&running, "/rpcz/stats").contains("rpcz_enabled: 0"));
    assert_eq!(run(enable), "200", "{enable}");
    assert!(get(&running, "/rpcz/stats").contains("rpcz_enabled: 1"), "{enable}");
}
