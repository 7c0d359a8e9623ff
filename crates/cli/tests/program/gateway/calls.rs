//! `gateway`: calls through it, and what becomes of them when the file changes.

use super::{ECHO, Gateway, hand_over::by_grpc, settings};
use crate::{
    restart::Load,
    support::{Folder, Server, counted, polywire, run, signal},
};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::Stdio,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

#[test]
fn one_line_passes_all_calls_on_to_servers_of_another_protocol() {
    let behind = Server::with(&["--listen", "127.0.0.1:0", "--protocols", "baidu_std"]);
    let to = format!("baidu_std://{}", behind.address);
    let gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    for protocol in ["grpc", "connect", "grpc-web", "baidu_std"] {
        let ran = gateway.call(protocol, ECHO, &[]).succeeds();
        assert_eq!(ran.stdout, "{\"message\":\"x\"}\n", "{protocol}");
    }
    // Of what nobody can pass on, nothing is answered.
    gateway.call("http", ECHO, &[]).exits(1);
    let list = format!("baidu_std+list://{}", behind.address);
    let mut gateway = Gateway::with(&["--to", &list, "--listen", "127.0.0.1:0", "--protocols", "grpc"]);
    gateway.call("grpc", ECHO, &[]).succeeds();
    gateway.call("connect", ECHO, &[]).exits(1); // by HTTP/1
    gateway.call("baidu_std", ECHO, &[]).exits(1);
    // It has no file that could be read again, and ends with its terminal.
    gateway.reload();
    assert_eq!(gateway.child.wait().expect("it was started").code(), None);
}

#[test]
fn the_first_route_of_the_file_takes_a_call_and_without_one_it_is_refused() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-routes"));
    let when = "\"example.EchoService\"\nwhen = { header = { x-tester = \"yes\" } }";
    let routes =
        [(when, "second"), ("\"example.EchoService/Echo\"", "first"), ("\"helloworld.*\"", "second")];
    let file = folder.write("gateway.toml", &settings("127.0.0.1:0", &a, &b, &routes));
    let mut gateway = Gateway::with(&[&file]);
    for protocol in ["grpc", "baidu_std"] {
        gateway.call(protocol, ECHO, &[]).succeeds();
        gateway.call(protocol, ECHO, &["-H", "x-tester=yes"]).succeeds();
        gateway.call(protocol, ECHO, &["-H", "x-tester=no"]).succeeds();
        let refused = gateway.call(protocol, "example.StreamService/Chat", &[]).exits(1).stderr;
        assert!(refused.contains("the relay has no route for this method"), "{protocol}: {refused}");
    }
    assert_eq!([counted(&a), counted(&b)], [4, 2]);
    signal(&gateway.child, "TERM");
    assert_eq!(gateway.child.wait().expect("it was started").code(), Some(0));
}

#[test]
fn clusters_of_one_route_share_its_calls() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-shares"));
    let text = settings("127.0.0.1:0", &a, &b, &[("\"*\"", "first")]);
    let shared = |to: &str| text.replace("to = \"first\"", to);
    let file = folder.write("gateway.toml", &shared("to = { first = 1, second = 1 }\nby = \"x-user\""));
    let mut gateway = Gateway::with(&[&file]);
    for _ in 0..3 {
        gateway.call("grpc", ECHO, &["-H", "x-user=1"]).succeeds();
        gateway.call("baidu_std", ECHO, &["-H", "x-user=1"]).succeeds();
    }
    assert!([[6, 0], [0, 6]].contains(&[counted(&a), counted(&b)]));
    let before = counted(&b);
    folder.write("gateway.toml", &shared("to = { first = 0, second = 1 }"));
    gateway.reload();
    assert!(gateway.says().contains("read again"));
    for _ in 0..4 {
        gateway.call("grpc", ECHO, &[]).succeeds();
    }
    assert_eq!(counted(&b), before + 4);

    for (to, wrong) in [
        ("to = {}", "no cluster has a weight above 0"),
        ("to = { first = 0 }", "no cluster has a weight above 0"),
        ("to = { frist = 1, second = 1 }", "no cluster \"frist\"; did you mean \"first\""),
        ("to = { first = -1 }", "to.first: -1 is not a number from 0 to 4294967295"),
        ("to = { first = \"1\" }", "to.first: a number is meant here"),
        ("to = \"first\"\nby = \"x-user\"", "by: only several clusters in `to` share calls"),
        ("to = { first = 1, second = 1 }\nby = \":path\"", "by: \":path\" is not the name of a field"),
    ] {
        let file = folder.write("wrong.toml", &shared(to));
        let said = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(said.contains(wrong) && said.lines().count() == 1, "{to}: {said}");
    }
}

#[test]
fn a_route_says_how_long_its_calls_may_take_and_how_often_they_are_tried() {
    let slow = Server::with(&["--listen", "127.0.0.1:0", "--sleep-ms", "60000"]);
    let folder = Folder::new("gateway-tries");
    let text = |more: &str| {
        let routes = format!("\"helloworld.*\"\n{more}");
        settings("127.0.0.1:0", &slow, &slow, &[(&routes, "first")])
    };
    let tries = "timeout = \"200ms\"\nretries = 2\nidempotent = [\"helloworld.Greeter/SayHello\"]";
    let file = folder.write("gateway.toml", &text(tries));
    let gateway = Gateway::with(&[&file]);
    for protocol in ["grpc", "baidu_std"] {
        let call = ["call", "-s", &gateway.address, "-p", protocol, "helloworld.Greeter/SayHello"];
        let late = run(&[&call[..], &["--timeout-ms", "50000"]].concat()).exits(1).stderr;
        assert!(late.contains("the server did not answer the relay in time"), "{protocol}: {late}");
    }
    let explained = run(&["gateway", "explain", &file, "helloworld.Greeter/SayHello"]).succeeds().stdout;
    let words =
        "  at most 200ms; 2 further tries; may run twice: tried again after its connection broke, too\n";
    assert!(explained.contains(words), "{explained}");
    let explained = run(&["gateway", "explain", &file, "helloworld.Greeter/SayBye"]).succeeds().stdout;
    assert!(explained.contains("  at most 200ms; 2 further tries\n"), "{explained}");

    for (wrong, said) in [
        ("timeout = \"0s\"", "routes[0].timeout: no call has the time for an answer"),
        ("timeout = 300", "routes[0].timeout: a text in quotes is meant here"),
        ("retries = 11", "routes[0].retries: 11 is not a number from 0 to 10"),
        (
            "idempotent = [\"helloworld.Greeter\"]",
            "routes[0].idempotent: \"helloworld.Greeter\": a call may run",
        ),
        (
            "idempotent = [\"shop.Stock/Get\"]",
            "routes[0].idempotent: \"shop.Stock/Get\" is not among the calls",
        ),
        ("retry = 1", "routes[0].retry: there is no such key"),
    ] {
        let file = folder.write("wrong.toml", &text(wrong));
        let all = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(all.contains(said) && all.lines().count() == 1, "{wrong}: {all}");
    }
}

#[test]
fn a_file_that_is_read_again_holds_from_the_next_call_on() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-reload"));
    let to = |cluster| settings("127.0.0.1:0", &a, &b, &[("\"*\"", cluster)]);
    let file = folder.write("gateway.toml", &to("first"));
    let mut gateway = Gateway::with(&[&file]);
    gateway.call("grpc", ECHO, &[]).succeeds();

    let chat = ["call", "-s", &gateway.address, "-p", "grpc", "example.StreamService/Chat", "-d", "-"];
    let mut command = polywire(&chat);
    let mut stream = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut answers = BufReader::new(stream.stdout.take().expect("piped")).lines();
    let mut chat = |message: &str| {
        let line = format!("{{\"message\":\"{message}\"}}\n");
        stream.stdin.as_mut().expect("piped").write_all(line.as_bytes()).expect("it reads");
        answers.next().expect("an answer").expect("text")
    };
    let first = chat("one");

    fs::write(&file, to("secnod")).unwrap();
    gateway.reload();
    let wrong = r#"12:6: routes[0].to: no cluster "secnod"; did you mean "second" (line 6)?"#;
    assert_eq!(gateway.complains(), format!("polywire: {file}:{wrong}"));
    let kept = format!("polywire: {file} is not used: everything stays as it was");
    assert_eq!(gateway.complains(), kept);
    gateway.call("grpc", ECHO, &[]).succeeds();
    assert_eq!([counted(&a), counted(&b)], [2, 0]);

    fs::write(&file, to("second")).unwrap();
    gateway.reload();
    assert_eq!(gateway.says(), format!("{file} read again: 1 listener, 2 clusters, 1 route"));
    gateway.call("grpc", ECHO, &[]).succeeds();
    assert_eq!([counted(&a), counted(&b)], [2, 1]);

    // A cluster that speaks baidu_std takes no streams: the call under way goes on where it began.
    assert_eq!(chat("two"), first.replace("one", "two"));
    drop(stream.stdin.take());
    assert!(stream.wait().expect("it was started").success());
    gateway.call("grpc", "example.StreamService/Chat", &[]).exits(1);
}

#[test]
fn a_watched_file_is_read_again_when_it_has_changed() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-watch"));
    let to = |cluster| settings("127.0.0.1:0", &a, &b, &[("\"*\"", cluster)]);
    let file = folder.write("gateway.toml", &to("first"));
    let mut gateway = Gateway::with(&[&file, "--watch"]);
    fs::write(&file, "listeners = 1\n").unwrap();
    let wrong = "1:13: listeners: a table is meant here, this is of type integer";
    assert_eq!(gateway.complains(), format!("polywire: {file}:{wrong}"));
    assert!(gateway.complains().ends_with("everything stays as it was"));
    // As editors do it: another file takes its name.
    fs::rename(folder.write("next.toml", &to("second")), &file).unwrap();
    assert_eq!(gateway.says(), format!("{file} read again: 1 listener, 2 clusters, 1 route"));
    gateway.call("grpc", ECHO, &[]).succeeds();
    assert_eq!([counted(&a), counted(&b)], [0, 1]);

    fs::remove_file(&file).unwrap();
    assert_eq!(gateway.complains(), format!("polywire: {file}: No such file or directory (os error 2)"));
    assert!(gateway.complains().ends_with("everything stays as it was"));
    // As volumes of Kubernetes do it: a link to another file.
    std::os::unix::fs::symlink(folder.write("first.toml", &to("first")), &file).unwrap();
    assert_eq!(gateway.says(), format!("{file} read again: 1 listener, 2 clusters, 1 route"));
    gateway.call("grpc", ECHO, &[]).succeeds();
    assert_eq!([counted(&a), counted(&b)], [1, 1]);
}

#[test]
fn listeners_come_and_go_with_the_file() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-listeners"));
    let on = |listen: &str| settings(listen, &a, &b, &[("\"*\"", "first")]);
    let file = folder.write("gateway.toml", &on("127.0.0.1:0"));
    let mut gateway = Gateway::with(&[&file]);
    let socket = format!("unix:{}", folder.path("socket"));
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = &*other.local_addr().expect("bound").to_string();
    fs::write(&file, on(taken)).unwrap();
    gateway.reload();
    let said = gateway.complains();
    assert!(said.contains(&format!("{file}:1:12: listeners.main: ")) && said.contains(taken), "{said}");
    assert!(gateway.complains().ends_with("everything stays as it was"));
    gateway.call("grpc", ECHO, &[]).succeeds();

    let more = |on: &str| format!("[listeners.more]\nlisten = \"{on}\"\nprotocols = [\"grpc\"]\n");
    fs::write(&file, on(&socket) + &more("127.0.0.1:0")).unwrap();
    gateway.reload();
    assert_eq!(gateway.says(), format!("no longer listening on {}", gateway.address));
    assert_eq!(gateway.says(), format!("listening on {socket}"));
    let address = gateway.says().strip_prefix("listening on ").expect("an address").to_owned();
    assert!(gateway.says().contains(" read again: 2 listeners, "));
    gateway.call("grpc", ECHO, &[]).exits(1);
    for address in [socket.clone(), address] {
        gateway.address = address;
        gateway.call("grpc", ECHO, &[]).succeeds();
    }

    fs::write(&file, on("127.0.0.1:0") + &more(&socket)).unwrap();
    gateway.reload();
    for _ in 0..2 {
        assert!(gateway.says().starts_with("no longer listening on "));
    }
    let main = gateway.says().strip_prefix("listening on ").expect("an address").to_owned();
    assert_eq!(gateway.says(), format!("listening on {socket}"));
    for address in [main, socket] {
        gateway.address = address;
        gateway.call("grpc", ECHO, &[]).succeeds();
    }
}

#[test]
fn a_listener_gets_other_settings_and_no_connection_is_refused() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-other-settings"));
    let unix = format!("unix:{}", folder.path("calls"));
    let settings = |main: &str, local: &str| {
        format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\n{main}\n\
             [listeners.local]\nlisten = \"{unix}\"\n{local}\n\
             [admin]\nlisten = \"127.0.0.1:0\"\n\
             [clusters.a]\nprotocol = \"grpc\"\nservers = \"{}\"\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n",
            behind.address
        )
    };
    let file = folder.write("gateway.toml", &settings("", ""));
    let mut gateway = Gateway::with(&[&file]);
    assert!(gateway.says().starts_with("pages: "));
    let load = Arc::new(Load::default());
    let callers = [gateway.address.clone(), unix.clone()].map(|address| load.run(move || by_grpc(&address)));
    let mut change = |main: u32, local: &str, changed: usize| {
        fs::write(&file, settings(&format!("max_connections = {main}"), local)).unwrap();
        gateway.reload();
        for _ in 0..changed {
            assert!(gateway.says().starts_with("no longer listening on "));
        }
        assert_eq!(gateway.says(), format!("listening on {}", gateway.address), "the port stays");
        (changed == 2).then(|| assert_eq!(gateway.says(), format!("listening on {unix}")));
        assert!(gateway.says().contains(" read again: 2 listeners, "));
    };
    for (main, changed) in [(100, 2), (200, 1), (300, 1)] {
        load.go_on(20);
        change(main, "max_concurrency = \"auto\"", changed);
    }
    load.go_on(20);
    load.stop.store(true, Relaxed);
    callers.into_iter().for_each(|caller| caller.join().expect("no panic"));
    assert_eq!(load.lost.load(Relaxed), 0, "of {} calls", load.well.load(Relaxed));
    change(400, "protocols = [\"baidu_std\"]", 2);
    gateway.address = unix;
    gateway.call("grpc", ECHO, &[]).exits(1);
    gateway.call("baidu_std", ECHO, &[]).succeeds();
    signal(&gateway.child, "TERM");
    assert_eq!(gateway.ended(), (Some(0), Vec::new()));
    assert!(!fs::exists(folder.path("calls")).expect("a folder"), "the last listener removes the file");
}

#[test]
fn limits_of_a_listener_hold() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-bounds"));
    let text = format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\nmax_connections = 2\nmax_message = \"1KiB\"\n\
         [clusters.a]\nprotocol = \"grpc\"\nservers = \"{}\"\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n",
        behind.address
    );
    let file = folder.write("gateway.toml", &text);
    let full = Gateway::with(&[&file]);
    let connect = || TcpStream::connect(&full.address).expect("it listens");
    let (_first, _second, mut third) = (connect(), connect(), connect());
    third.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
    assert_eq!(third.read(&mut [0]).expect("it is closed at once"), 0);
    let gateway = Gateway::with(&[&file]);
    let long = format!("{{\"message\":\"{}\"}}", "x".repeat(2000));
    for protocol in ["grpc", "baidu_std"] {
        gateway.call(protocol, ECHO, &[]).succeeds();
        let said = run(&["call", "-s", &gateway.address, "-p", protocol, ECHO, "-d", &long]).exits(1).stderr;
        assert!(said.contains("1024") || said.contains("RESOURCE_EXHAUSTED"), "{said}");
    }
}

#[test]
fn a_route_takes_the_calls_of_its_listeners_alone() {
    let (a, folder) = (Server::start(), Folder::new("gateway-own-routes"));
    let file = format!(
        "[listeners.inside]\nlisten = \"127.0.0.1:0\"\n[listeners.outside]\nlisten = \"127.0.0.1:0\"\n\
         [clusters.a]\nprotocol = \"grpc\"\nservers = \"{}\"\n\
         [[routes]]\nmatch = \"{ECHO}\"\nlisteners = [\"inside\"]\nto = \"a\"\n",
        a.address
    );
    let file = folder.write("gateway.toml", &file);
    let said = run(&["gateway", "check", &file]).succeeds();
    assert!(
        said.stderr.contains("listeners.outside.listen: no route is of this listener"),
        "{}",
        said.stderr
    );
    let said = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    for line in ["taken from inside", "no route from outside: refused"] {
        assert!(said.contains(line), "{said}");
    }
    let mut gateway = Gateway::with(&[&file]);
    gateway.call("grpc", ECHO, &[]).succeeds();
    gateway.address = gateway.others[0].clone();
    let said = gateway.call("grpc", ECHO, &[]).exits(1).stderr;
    assert!(said.contains("UNIMPLEMENTED"), "{said}");
    // The other one gets the route, and the first keeps its connections.
    fs::write(&file, fs::read_to_string(&file).unwrap().replace("[\"inside\"]", "\"outside\"")).unwrap();
    gateway.reload();
    assert!(gateway.says().contains(" read again: 2 listeners, "));
    gateway.call("grpc", ECHO, &[]).succeeds();
}

/// The text of callers names no server; standard error does.
#[test]
fn servers_that_cannot_be_reached_are_named_once_on_standard_error() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").to_string();
    for (scheme, method) in [("grpc", ECHO), ("baidu_std", ECHO)] {
        let mut gateway =
            Gateway::with(&["--to", &format!("{scheme}://{closed}"), "--listen", "127.0.0.1:0"]);
        let asked = gateway.complains();
        assert!(asked.contains("reflection failed") && !asked.contains("/protobufs"), "{asked}");
        assert!(asked.contains(&closed), "{asked}");
        for _ in 0..3 {
            let failed = gateway.call("grpc", method, &[]).exits(1).stderr;
            assert!(failed.contains("the relay has no connection to a server"), "{failed}");
        }
        let line = gateway.complains();
        assert!(line.contains("WARN") && line.contains(&closed), "{line}");
        assert!(line.contains("Connection refused"), "{line}");
        gateway.child.kill().expect("it runs");
        assert_eq!(gateway.stderr.next().map(|line| line.expect("text")), None, "a line a minute");
    }
}

/// A server of HTTP/2 answers a request of HTTP/1 with a frame.
#[test]
fn an_answer_in_another_protocol_is_the_relays_own_failure() {
    let behind = TcpListener::bind("127.0.0.1:0").expect("a port");
    let to = format!("http+list://{}", behind.local_addr().expect("bound"));
    std::thread::spawn(move || {
        for stream in behind.incoming() {
            let mut stream = stream.expect("a connection");
            let mut request = [0; 1024];
            let _ = stream.read(&mut request); // whatever it is
            let _ = stream.write_all(b"\0\0\0\x04\0\0\0\0\0"); // SETTINGS
        }
    });
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    let failed = gateway.call("grpc", ECHO, &[]).exits(1).stderr;
    assert!(failed.contains("INTERNAL: the relay got no whole reply"), "{failed}");
    let line = gateway.complains();
    assert!(line.contains("WARN") && line.contains("bad status line"), "{line}");
}
