//! `gateway`: calls through it, its file, and what becomes of calls when the file changes.

use crate::support::{Folder, Ran, Server, counted, polywire, run, signal};
use std::{
    fs,
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStderr, ChildStdout, Stdio},
};

const ECHO: &str = "example.EchoService/Echo";

/// A gateway that runs until it is dropped.
struct Gateway {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: Lines<BufReader<ChildStderr>>,
    address: String,
}

impl Gateway {
    /// With these arguments, which have one address.
    fn with(arguments: &[&str]) -> Gateway {
        let arguments = [&["gateway", "--shards", "1"], arguments].concat();
        let mut command = polywire(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped")).lines();
        let stderr = BufReader::new(child.stderr.take().expect("piped")).lines();
        let mut gateway = Gateway { child, stdout, stderr, address: String::new() };
        gateway.address = gateway.says().strip_prefix("listening on ").expect("an address").to_owned();
        assert!(gateway.says().starts_with("routing: "));
        gateway
    }

    /// The next line of its output.
    fn says(&mut self) -> String {
        match self.stdout.next() {
            Some(line) => line.expect("text"),
            None => panic!("it has ended: {:?}", self.stderr.next()),
        }
    }

    fn complains(&mut self) -> String {
        self.stderr.next().expect("a line").expect("text")
    }

    fn call(&self, protocol: &str, method: &str, further: &[&str]) -> Ran {
        let call = ["call", "-s", &self.address, "-p", protocol, method, "-d", r#"{"message":"x"}"#];
        run(&[&call[..], further].concat())
    }

    fn reload(&self) {
        signal(&self.child, "HUP");
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill(); // fails if it has ended already
        let _ = self.child.wait();
    }
}

/// A file with one listener, the clusters `first` and `second`, and these routes.
fn settings(listen: &str, a: &Server, b: &Server, routes: &[(&str, &str)]) -> String {
    let mut text = format!(
        "[listeners.main]\nlisten = \"{listen}\"\n\
         [clusters.first]\nprotocol = \"grpc\"\nservers = \"{}\"\n\
         [clusters.second]\nprotocol = \"baidu_std\"\nservers = \"list://{}\"\nbalancer = \"rr\"\n",
        a.address, b.address
    );
    for (calls, to) in routes {
        text += &format!("[[routes]]\nmatch = {calls}\nto = \"{to}\"\n");
    }
    text
}

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
    let gateway = Gateway::with(&["--to", &list, "--listen", "127.0.0.1:0", "--protocols", "grpc"]);
    gateway.call("grpc", ECHO, &[]).succeeds();
    gateway.call("baidu_std", ECHO, &[]).exits(1);
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
    let kept = format!("polywire: {file} has not been taken: everything stays as it was");
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
}

#[test]
fn listeners_come_and_go_with_the_file() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-listeners"));
    let on = |listen: &str| settings(listen, &a, &b, &[("\"*\"", "first")]);
    let file = folder.write("gateway.toml", &on("127.0.0.1:0"));
    let mut gateway = Gateway::with(&[&file]);
    let socket = format!("unix:{}", folder.path("socket"));
    let taken = &a.address; // where another program listens
    fs::write(&file, on(taken)).unwrap();
    gateway.reload();
    let said = gateway.complains();
    assert!(said.contains(&format!("{file}:1:12: listeners.main: ")) && said.contains(taken), "{said}");
    assert!(gateway.complains().ends_with("everything stays as it was"));
    gateway.call("grpc", ECHO, &[]).succeeds();

    fs::write(
        &file,
        on("127.0.0.1:0") + "[listeners.more]\nlisten = \"127.0.0.1:0\"\nprotocols = [\"grpc\"]\n",
    )
    .unwrap();
    gateway.reload();
    let said = gateway.complains();
    assert!(said.ends_with("127.0.0.1:0 is listened on with other settings: that needs a restart"), "{said}");
    gateway.complains();

    fs::write(&file, on(&socket)).unwrap();
    gateway.reload();
    assert_eq!(gateway.says(), format!("no longer listening on {}", gateway.address));
    assert_eq!(gateway.says(), format!("listening on {socket}"));
    assert!(gateway.says().contains(" read again: "));
    gateway.call("grpc", ECHO, &[]).exits(1);
    gateway.address = socket;
    gateway.call("grpc", ECHO, &[]).succeeds();
}

const WRONG: &str = r#"[listeners.main]
listen = "0.0.0.0:8080"
protocol = ["grpc"]

[clusters.stock]
protocol = "grpc"
servers = "list://127.0.0.1:1"
balencer = "rr"
timeout = "300"
retries = 99
health = { grpc = "", http = "/health" }

[clusters.alone]
protocol = "grpcc"
servers = "127.0.0.1:1"

[clusters.one]
protocol = "grpc"
servers = "127.0.0.1:1"
balancer = "rr"

[clusters.two]
servers = "lists://127.0.0.1:1"

[[routes]]
match = "shop.Stock/"
to = "stokc"

[[routes]]
match = "shop.*"
to = 1

[[routes]]
match = "shop.Stock"
when = { header = { ":path" = "/" } }
to = "stock"

[[routes]]
match = "shop.Stock"
to = "stock"
fallback = true
"#;

#[test]
fn check_names_all_mistakes_with_their_places() {
    let folder = Folder::new("gateway-check");
    let file = folder.write("gateway.toml", WRONG);
    let ran = run(&["gateway", "check", &file]).exits(2);
    let said = ran.stderr.replace(&format!("{file}:"), "").replace("polywire: ", "");
    let said: Vec<_> =
        said.lines().map(|line| line.split("; known are zmtp").next().unwrap_or(line)).collect();
    let expected = [
        r#"2:10: listeners.main.listen: "0.0.0.0:8080" can be reached from other machines: `tls.client_ca` lets in those with a certificate, `open = true` everybody"#,
        "3:1: listeners.main.protocol: there is no such key; did you mean `protocols`?",
        "8:1: clusters.stock.balencer: there is no such key; did you mean `balancer`?",
        r#"9:11: clusters.stock.timeout: "300" has no unit: us, ms, s, m or h"#,
        "10:11: clusters.stock.retries: 99 is not a number from 0 to 10",
        r#"11:10: clusters.stock.health: say one of grpc = "SERVICE", http = "/PATH" and connect = true"#,
        r#"14:12: clusters.alone.protocol: unknown protocol "grpcc": write "grpc""#,
        r#"20:12: clusters.one.balancer: resilience.balancer is for channels with several servers, and "127.0.0.1:1" is one: write a naming url, such as list://127.0.0.1:1"#,
        r#"22:11: clusters.two: `protocol` is missing: what its servers speak: "grpc", "baidu_std""#,
        r#"26:9: routes[0].match: "shop.Stock/" has no method: write shop.Stock/Reserve, shop.Stock, shop.* or *"#,
        r#"27:6: routes[0].to: no cluster "stokc"; did you mean "stock" (line 5)?"#,
        "31:6: routes[1].to: a text in quotes is meant here, this is of type integer",
        r#"35:21: routes[2].when.header: ":path" is not the name of a field: letters, digits, `-`, `_` and `.`"#,
        "39:9: routes[3].match: shop.Stock is never reached: line 29 takes its calls",
        "41:1: routes[3].fallback: there is no such key; known are to, match, when",
    ];
    assert_eq!(said, expected);
    let half = folder.write("half.toml", "[listeners.main]\nlisten = \n[clusters\n");
    let said = run(&["gateway", "check", &half]).exits(2).stderr;
    assert!(said.contains(&format!("{half}:2:")) && said.contains(&format!("{half}:3:")), "{said}");
    let missing = run(&["gateway", "check", &folder.path("none.toml")]).exits(2).stderr;
    assert!(missing.contains("none.toml: No such file"), "{missing}");
}

#[test]
fn check_looks_at_protocols_addresses_and_certificates() {
    let folder = Folder::new("gateway-listener");
    for (listener, at, said) in [
        ("listen = \"127.0.0.1:1\"\nprotocols = [\"grcp\"]", "1:12: listeners.main: ", "grpc"),
        (
            "listen = [\"127.0.0.1:0\", \"127.0.0.1:0\", \"[::1]:1\", \"[::1]:1\"]",
            "2:52: listeners.main.listen: ",
            "\"[::1]:1\" is taken by line 2",
        ),
        ("listen = \"localhost\"", "2:10: listeners.main.listen: ", "host:port"),
        (
            "listen = \"127.0.0.1:1\"\ntls = { cert = \"/none.pem\", key = \"/none.key\" }",
            "1:12: listeners.main: ",
            "/none.pem",
        ),
        (
            "listen = \"127.0.0.1:1\"\ntls = { cert = \"/none.pem\" }",
            "3:7: listeners.main.tls: ",
            "`key` is missing",
        ),
    ] {
        let text = format!(
            "[listeners.main]\n{listener}\n[clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        let file = folder.write("gateway.toml", &text);
        let ran = run(&["gateway", "check", &file]).exits(2);
        assert!(
            ran.stderr.starts_with(&format!("polywire: {file}:{at}")) && ran.stderr.contains(said),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn the_example_is_right_and_explained() {
    let folder = Folder::new("gateway-example");
    let example = run(&["gateway", "example"]).succeeds().stdout;
    let file = folder.write("gateway.toml", &example);
    let checked = run(&["gateway", "check", &file]).succeeds();
    assert_eq!(checked.stdout, format!("{file}: 1 listener, 2 clusters, 2 routes\n"));
    // The settings that it shows besides are known, too: all that is wrong is that their files are not there.
    let all = folder.write("all.toml", &example.replace("\n#", "\n").replace("\n ", "\n# "));
    let ran = run(&["gateway", "check", &all]).exits(2);
    assert!(ran.stderr.lines().all(|line| line.contains("No such file")), "{}", ran.stderr);

    let explained = run(&["gateway", "explain", &file, "shop.Stock/Reserve"]).succeeds().stdout;
    for part in [
        "shop.Stock/Reserve x-tester=\"yes\": not taken, the call has no field x-tester=\"yes\"\n",
        "shop.*: taken\n",
        "cluster stock: baidu_std, list://10.0.0.1:8000,10.0.0.2:8000\n",
        "| grpc      | one message each way | none        |\n",
        "| baidu_std | one message each way | both ways   |\n",
    ] {
        assert!(explained.contains(part), "{part:?} is missing in\n{explained}");
    }
    let reserve = ["gateway", "explain", &file, "shop.Stock/Reserve", "-H", "x-tester=yes"];
    let explained = run(&reserve).succeeds().stdout;
    assert!(explained.contains("cluster canary: grpc, 10.0.1.1:50051\n"), "{explained}");
    assert!(explained.contains("| grpc      | all four kinds       | none        |\n"), "{explained}");
    let refused = run(&["gateway", "explain", &file, "other.Service/Method"]).exits(1).stdout;
    assert!(
        refused.ends_with("  no route: refused with UNIMPLEMENTED and polywire-gateway: no_route\n"),
        "{refused}"
    );
}
