//! `gateway`: one process takes the listening sockets over from another.

use super::{ECHO, Gateway};
use crate::{
    restart::{Load, by_hand},
    support::{Folder, Server, run, signal},
};
use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::net::UnixStream,
    sync::{Arc, atomic::Ordering::Relaxed},
};

const RESTARTS: usize = 5;

/// Two listeners, one at a port that the system chooses, and pages.
fn file(folder: &Folder, behind: &Server, further: &str) -> String {
    let text = format!(
        "hand_over = \"{}\"\n\
         [listeners.main]\nlisten = \"127.0.0.1:0\"\n\
         [listeners.local]\nlisten = \"unix:{}\"\nprotocols = [\"grpc\"]\n\
         [admin]\nlisten = \"127.0.0.1:0\"\n\
         [clusters.a]\nprotocol = \"grpc\"\nservers = \"{}\"\nschemas = \"reflection\"\ntimeout = \"10s\"\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n{further}",
        folder.path("handover"),
        folder.path("calls"),
        behind.address
    );
    folder.write("gateway.toml", &text)
}

/// The address of its pages, which it says after the schemas.
fn pages(gateway: &mut Gateway) -> String {
    assert!(gateway.says().starts_with("schemas of a: by reflection"));
    let line = gateway.says();
    let url = line.strip_prefix("pages: http://").expect("where its pages are");
    url.strip_suffix("/gateway").expect("a page").to_owned()
}

fn healthy(address: &str) -> Result<(), String> {
    let mut stream = TcpStream::connect(address).map_err(|error| format!("connect: {error}"))?;
    let request = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).map_err(|error| format!("write: {error}"))?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).map_err(|error| format!("read: {error}"))?;
    if reply.starts_with("HTTP/1.1 200 ") { Ok(()) } else { Err(format!("reply: {reply:?}")) }
}

pub fn by_grpc(address: &str) -> Result<(), String> {
    let ran = run(&["call", "-s", address, "-p", "grpc", ECHO, "-d", r#"{"message":"x"}"#]);
    if ran.code == Some(0) { Ok(()) } else { Err(ran.stderr) }
}

#[test]
fn five_gateways_one_after_the_other_refuse_no_connection_and_lose_no_call() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-handover"));
    let file = file(&folder, &behind, "");
    let mut gateway = Gateway::with(&[&file]);
    let (address, admin) = (gateway.address.clone(), pages(&mut gateway));
    let unix = format!("unix:{}", folder.path("calls"));
    assert_eq!(gateway.others, std::slice::from_ref(&unix));
    let load = Arc::new(Load::default());
    let calls = |call: fn(&str) -> Result<(), String>, address: &str| {
        let address = address.to_owned();
        load.run(move || call(&address))
    };
    let callers = [
        calls(by_hand, &address),
        calls(by_hand, &address),
        calls(by_grpc, &address),
        calls(by_grpc, &unix),
        calls(healthy, &admin),
    ];
    for _ in 0..RESTARTS {
        load.go_on(50);
        let mut next = Gateway::with(&[&file]);
        assert_eq!(pages(&mut next), admin, "they have the same sockets");
        assert_eq!((&next.address, &next.others), (&address, &vec![unix.clone()]));
        assert_eq!(gateway.ended(), (Some(0), Vec::new()), "the one before stops by itself");
        gateway = next;
    }
    load.go_on(50);
    load.stop.store(true, Relaxed);
    callers.into_iter().for_each(|caller| caller.join().expect("no panic"));
    let (well, lost) = (load.well.load(Relaxed), load.lost.load(Relaxed));
    println!("{well} calls, {lost} lost");
    assert_eq!(lost, 0, "of {well} calls");
    signal(&gateway.child, "TERM");
    assert_eq!(gateway.ended(), (Some(0), Vec::new()));
    for file in ["calls", "handover"] {
        assert!(!fs::exists(folder.path(file)).expect("a folder"), "the last one removes {file}");
    }
}

#[test]
fn a_next_gateway_that_cannot_start_changes_nothing() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-handover-fails"));
    let right = file(&folder, &behind, "");
    let mut gateway = Gateway::with(&[&right]);
    let (admin, unix) = (pages(&mut gateway), format!("unix:{}", folder.path("calls")));
    let serves = |address: &str| {
        by_hand(address).expect("it serves");
        by_grpc(&unix).expect("it serves");
        healthy(&admin).expect("it shows pages");
    };
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy = taken.local_addr().expect("bound").to_string();
    let further = format!("[listeners.more]\nlisten = \"{busy}\"\n");
    let text = fs::read_to_string(&right).expect("the file");
    let another_page =
        text.replace("[admin]\nlisten = \"127.0.0.1:0\"", &format!("[admin]\nlisten = \"{busy}\""));
    for (text, code, why) in [
        (text.replace("to = \"a\"", "to = \"b\""), 2, "no cluster \"b\""),
        (format!("{text}{further}"), 1, &*busy),
        (another_page, 1, &*busy),
    ] {
        let wrong = folder.write("wrong.toml", &text);
        let ran = run(&["gateway", "--shards", "1", &wrong]).exits(code);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert_eq!(ran.stdout, "");
        for _ in 0..5 {
            serves(&gateway.address);
        }
    }
    // Who says nothing, or nonsense, is no next process.
    for words in ["", "Ready\n"] {
        let mut peer = UnixStream::connect(folder.path("handover")).expect("it waits for the next one");
        peer.write_all(words.as_bytes()).expect("it reads");
    }
    // What a reload adds goes over, too; and what it takes away is free.
    let more = format!("unix:{}", folder.path("more"));
    let with_more = text.replace(
        "[admin]",
        &format!("[listeners.more]\nlisten = \"{more}\"\nprotocols = [\"grpc\"]\n[admin]"),
    );
    let with_more = with_more.replace(&unix, &format!("unix:{}", folder.path("other")));
    folder.write("gateway.toml", &with_more);
    gateway.reload();
    while !gateway.says().contains("read again") {}
    by_grpc(&more).expect("it serves");
    folder.write("gateway.toml", &with_more.replace(&format!("unix:{}", folder.path("other")), &unix));
    let mut next = Gateway::with(&[&right]);
    assert_eq!(pages(&mut next), admin);
    assert_eq!(next.others, [unix.clone(), more.clone()]);
    assert_eq!(gateway.ended().0, Some(0));
    serves(&next.address);
    by_grpc(&more).expect("it serves");
}

#[test]
fn another_path_of_the_hand_over_needs_a_restart_and_one_that_is_too_long_is_a_mistake() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-handover-path"));
    let right = file(&folder, &behind, "");
    let mut gateway = Gateway::with(&[&right]);
    pages(&mut gateway);
    let text = fs::read_to_string(&right).expect("the file");
    folder.write("gateway.toml", &text.replace("handover", "another"));
    gateway.reload();
    assert!(gateway.complains().contains("hand_over: another path needs a restart"));
    let long = folder.write("long.toml", &text.replace("/handover", &format!("/{}", "x".repeat(100))));
    let ran = run(&["gateway", "check", &long]).exits(2);
    assert!(ran.stderr.contains("long.toml:1:13: hand_over: write the path of a socket"), "{}", ran.stderr);
}
