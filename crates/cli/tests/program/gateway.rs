//! `gateway`: calls through it, its file, and what becomes of calls when the file changes.

use crate::support::{Folder, Ran, Server, counted, polywire, run, signal};
use std::{
    fs,
    io::{BufRead, BufReader, Lines, Read, Write},
    net::{TcpListener, TcpStream},
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
fn a_policy_says_who_may_call_and_a_broken_one_changes_nothing() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-policy"));
    let rules = |request: &str| {
        format!(r#"{{"name": "p", "allow_rules": [{{"name": "some", "request": {{{request}}}}}]}}"#)
    };
    let echo = r#""paths": ["/example.EchoService/*"]"#;
    let ada = format!(r#"{echo}, "headers": [{{"key": "x-user", "values": ["ada"]}}]"#);
    let policy = folder.write("policy.json", &rules(&ada));
    let replace = |text: &str| fs::rename(folder.write("next.json", text), &policy).unwrap();
    let listener = format!("127.0.0.1:0\"\npolicy = \"{policy}");
    let file = folder.write("gateway.toml", &settings(&listener, &a, &b, &[("\"*\"", "second")]));
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    assert!(
        explained.contains(&format!(":1:12: listener main: {policy} says who may call it\n")),
        "{explained}"
    );

    let mut gateway = Gateway::with(&[&file]);
    let refused = |gateway: &Gateway, protocol| {
        let said = gateway.call(protocol, ECHO, &["-H", "x-user=eve"]).exits(1).stderr;
        let is_refused =
            said.contains(": PERMISSION_DENIED") && said.contains(": unauthorized RPC request rejected");
        assert!(is_refused, "{said}");
    };
    for protocol in ["grpc", "baidu_std", "connect"] {
        gateway.call(protocol, ECHO, &["-H", "x-user=ada"]).succeeds();
        refused(&gateway, protocol);
    }
    assert_eq!(counted(&b), 3, "refused calls are not sent");

    replace(&rules(echo).replace("paths", "pahts"));
    let wrong = gateway.complains();
    assert!(wrong.contains("WARN") && wrong.contains(&policy) && wrong.contains("pahts"), "{wrong}");
    refused(&gateway, "grpc");
    gateway.reload();
    assert!(
        gateway.complains().starts_with(&format!("polywire: {file}:3:10: listeners.main.policy: {policy}: "))
    );
    assert!(gateway.complains().ends_with("everything stays as it was"));
    refused(&gateway, "grpc");

    replace(&rules(echo));
    assert_eq!(gateway.says(), format!("{policy} read again"));
    gateway.call("grpc", ECHO, &["-H", "x-user=eve"]).succeeds();
}

/// A key, a token by it, and one that has expired: made with PyJWT 2.15.1.
const JWKS: &str = r#"{"keys":[{"kty":"EC","crv":"P-256","x":"a4krM8gkLS41tFjahWkHCMpX2_4mk2PKviIviYkcr3s","y":"aAK51qYhXswz_fCygXwVUo50xdbnLs5fACppa-9tDKQ","kid":"one"}]}"#;
const TOKEN: &str = "eyJhbGciOiJFUzI1NiIsImtpZCI6Im9uZSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJzaG9wIiwic3ViIjoiYWRhIiwiZXhwIjozMjUwMzY4MDAwMH0.14JH0upGE9trDL-3XQ0tLeSjhJRFW104uxDY3u3ptEraTlDcSaCIVWxeQ0uHVMi72jKzb-zy_weMwdfo3DynvQ";
const EXPIRED: &str = "eyJhbGciOiJFUzI1NiIsImtpZCI6Im9uZSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJzaG9wIiwic3ViIjoiYWRhIiwiZXhwIjoxMDAwMDAwMDAwfQ.D9211VLdBHHJYPmoPRO63uIyu4gIsABjjPtFpLUHAHVzFYPr2vrwKbrPUXncSVkf16xd5ZrYc0pBX1jzuOXX0w";
/// Of the token `token`.
const LISTED: &str = "ops 3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0 operator\n";

#[test]
fn callers_show_a_token_of_an_issuer_or_of_a_list_and_the_policy_knows_them() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-callers"));
    let (keys, tokens) = (folder.write("keys.json", JWKS), folder.write("tokens", LISTED));
    let rules =
        r#"{"name": "p", "allow_rules": [{"name": "some", "source": {"identities": ["ada", "ops"]}}]}"#;
    let policy = folder.write("policy.json", rules);
    let listener = format!(
        "127.0.0.1:0\"\npolicy = \"{policy}\"\ntokens = \"{tokens}\"\n\
         jwt = {{ issuer = \"https://id.example\", audiences = [\"shop\"], keys = \"{keys}\" }}\n#\""
    );
    let text = settings("LISTEN", &a, &b, &[("\"*\"", "second")]).replace("LISTEN\"", &listener);
    let file = folder.write("gateway.toml", &text);
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    for words in [
        format!("listener main: callers show tokens of https://id.example for shop, by the keys in {keys}\n"),
        format!("listener main: callers show tokens in {tokens}\n"),
    ] {
        assert!(explained.contains(&words), "{explained}");
    }
    let gateway = Gateway::with(&[&file]);
    let bearer = |token: &str| format!("authorization=Bearer {token}");
    for protocol in ["grpc", "connect"] {
        for token in [TOKEN, "token"] {
            gateway.call(protocol, ECHO, &["-H", &bearer(token)]).succeeds();
        }
        for token in [EXPIRED, "tokem", &TOKEN[1..], ""] {
            let said = gateway.call(protocol, ECHO, &["-H", &bearer(token)]).exits(1).stderr;
            assert!(said.contains("UNAUTHENTICATED"), "{protocol} {token}: {said}");
        }
        gateway.call(protocol, ECHO, &[]).exits(1);
    }
    // A protocol with a place for a token, but not in its fields.
    gateway.call("baidu_std", ECHO, &["-H", &bearer(TOKEN)]).exits(1);
    assert_eq!([counted(&a), counted(&b)], [0, 4], "refused calls are not sent");
}

#[test]
fn a_caller_that_calls_too_often_is_refused_at_its_listener_or_by_its_route() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-rates"));
    let by_route =
        settings("127.0.0.1:0", &a, &b, &[("\"example.*\"", "second")]) + "rate = { limit = \"2/h\" }\n";
    // `polywire call` asks servers of gRPC for their schemas, by two names: no route is for that, but the
    // listener counts it.
    let at_listener = by_route
        .replace("[clusters.first]", "rate = { limit = \"4/h\", by = \"address\" }\n[clusters.first]")
        .replace("2/h\" }", "1000/s\" }");
    let mut before = 0;
    for (text, rate, explains) in [
        (by_route, "2/h", "taken\n  2/h: further calls are refused\n"),
        (at_listener, "4/h", "listener main: 4/h by address: further calls are refused\n"),
    ] {
        let file = folder.write("gateway.toml", &text);
        let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
        assert!(explained.contains(explains), "{explained}");
        let mut gateway = Gateway::with(&[&file]);
        for protocol in ["grpc", "baidu_std"] {
            gateway.call(protocol, ECHO, &[]).succeeds();
        }
        for protocol in ["grpc", "connect", "baidu_std"] {
            let said = gateway.call(protocol, ECHO, &[]).exits(1).stderr;
            assert!(said.contains(&format!("more than {rate} calls")), "{protocol}: {said}");
        }
        // What was counted stays, when the file is read again.
        gateway.reload();
        assert!(gateway.says().contains("read again"));
        gateway.call("grpc", ECHO, &[]).exits(1);
        assert_eq!(counted(&b), before + 2);
        before += 2;
    }
    let dry = settings("127.0.0.1:0", &a, &b, &[("\"*\"", "second")])
        + "rate = { limit = \"1/h\", dry_run = true }\n";
    let mut gateway = Gateway::with(&[&folder.write("gateway.toml", &dry)]);
    for _ in 0..3 {
        gateway.call("grpc", ECHO, &[]).succeeds();
    }
    let said = gateway.complains();
    assert!(
        said.contains("WARN") && said.contains("calls too often") && said.contains("dry_run=true"),
        "{said}"
    );
}

#[test]
fn check_finds_mistakes_about_callers_and_rates() {
    let folder = Folder::new("gateway-callers-check");
    let (keys, tokens) = (folder.write("keys.json", JWKS), folder.write("tokens", "ops secret\n"));
    let jwt = |rest: &str| {
        format!("listen = \"127.0.0.1:1\"\njwt = {{ issuer = \"i\", audiences = [\"a\"], {rest} }}")
    };
    let keyed = |rest: &str| jwt(&format!("keys = \"{keys}\"{rest}"));
    for (listener, at, said) in [
        (keyed(", algorithms = [\"RS256\", \"HS256\"]"), "main.jwt.algorithms: ", "\"HS256\" proves nothing"),
        (keyed(", algorithms = [\"none\"]"), "main.jwt.algorithms: ", "proves nothing"),
        (keyed(", algorithms = [\"ES265\"]"), "main.jwt.algorithms: ", "did you mean \"ES256\"?"),
        (keyed(", algorithms = []"), "main.jwt.algorithms: ", "an empty list"),
        (keyed(", audience = \"b\""), "main.jwt.audience: ", "did you mean `audiences`?"),
        (jwt("keys = \"/none.json\""), "main.jwt.keys: ", "/none.json: No such file"),
        (jwt("keys = \"/dev/null\""), "main.jwt.keys: ", "no JWKS"),
        (jwt("keys = \"http://id.example/keys\""), "main.jwt.keys: ", "write https://"),
        (jwt("roles = \"scope\""), "listeners.main.jwt: ", "`keys` is missing"),
        (format!("{}\nprotocols = [\"sofa_pbrpc\"]", keyed("")), "main.protocols: ", "no place for a token"),
        (
            format!(
                "listen = \"127.0.0.1:1\"\njwt = [{0}, {0}]",
                format_args!("{{ issuer = \"i\", audiences = [\"a\"], keys = \"{keys}\" }}")
            ),
            "main.jwt[1].issuer: ",
            "is there twice",
        ),
        (
            format!("listen = \"127.0.0.1:1\"\ntokens = \"{tokens}\""),
            "main.tokens: ",
            "line 1: the second word",
        ),
        ("listen = \"127.0.0.1:1\"\nrate = { limit = \"5\" }".to_owned(), "main.rate.limit: ", "write 100/s"),
        ("listen = \"127.0.0.1:1\"\nrate = \"5/s\"".to_owned(), "main.rate: ", "a table is meant here"),
        (
            "listen = \"127.0.0.1:1\"\nrate = { by = \"caller\" }".to_owned(),
            "main.rate: ",
            "`limit` is missing",
        ),
        (
            "listen = \"127.0.0.1:1\"\nrate = { limit = \"5/s\", by = \"x-user\" }".to_owned(),
            "main.rate.by: ",
            "\"field NAME\"",
        ),
        (
            "listen = \"127.0.0.1:1\"\nrate = { limit = \"5/s\", by = \"field :path\" }".to_owned(),
            "main.rate.by: ",
            "\"field NAME\"",
        ),
    ] {
        let text = format!(
            "[listeners.main]\n{listener}\n[clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n\
             [[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        let file = folder.write("gateway.toml", &text);
        let said_all = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(said_all.contains(at) && said_all.contains(said), "{text}\n{said_all}");
        assert!(!said_all.contains("secret"), "{said_all}");
        assert_eq!(said_all.lines().count(), 1, "{said_all}");
    }
    // Whoever is asked for a token may come from other machines.
    let open = keyed("").replace("127.0.0.1:1", "0.0.0.0:1");
    let text = format!(
        "[listeners.main]\n{open}\n[clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n"
    );
    run(&["gateway", "check", &folder.write("gateway.toml", &text)]).succeeds();
}

#[test]
fn pages_of_the_origins_in_the_file_may_call() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-origins"));
    let listener = "127.0.0.1:0\"\norigins = \"https://app.example";
    let file = folder.write("gateway.toml", &settings(listener, &a, &b, &[("\"*\"", "first")]));
    let gateway = Gateway::with(&[&file]);
    let call = |origin: &str| gateway.call("connect", ECHO, &["-H", &format!("origin={origin}")]);
    call("https://app.example").succeeds();
    let said = call("https://app.example.evil").exits(1).stderr;
    assert!(said.contains("PERMISSION_DENIED"), "{said}");
    assert_eq!(counted(&a), 1);
}

#[test]
fn a_mistake_is_one_line_whatever_the_file_holds() {
    let folder = Folder::new("gateway-lines");
    let file = folder.write("gateway.toml", "\"x\\npolywire: gateway.toml read again\" = 1\n");
    let said = run(&["gateway", "check", &file]).exits(2).stderr;
    assert!(said.contains("x\\npolywire: gateway.toml read again: there is no such key"), "{said}");
    assert_eq!(said.lines().count(), 2, "a key that is missing, and one too many: {said}");
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
    let said = gateway.complains();
    assert!(said.ends_with("socket is listened on with other settings: that needs a restart"), "{said}");
    gateway.complains();
    gateway.call("grpc", ECHO, &[]).succeeds();
}

const WRONG: &str = r#"[listeners.main]
listen = ["0.0.0.0:8080", "http://0.0.0.0:8081"]
protocol = ["grpc"]

[listeners.more]
listen = "127.0.0.1:1"
protocols = ["grcp", "h2", "hulu_pbrpc", "sofa_pbrpc"]
tls = { cert = "/none.pem", key = "/none.key" }

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

[clusters.redis]
protocol = "redis"
servers = "127.0.0.1:1"

[clusters.sofa]
protocol = "sofa_pbrpc"
servers = "127.0.0.1:1"

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
match = "cart.*"
when = { header = {} }
to = "stock"

[[routes]]
match = "cart.*"
when = { header = { authorization = "Bearer S3CRET" } }
to = "stock"

[[routes]]
match = "cart.*"
when = { header = { authorization = "Bearer S3CRET" } }
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
        r#"2:11: listeners.main.listen: "0.0.0.0:8080" can be reached from other machines: `tls.client_ca` lets in those with a certificate, `jwt` or `tokens` those with a token, `open = true` everybody"#,
        r#"2:27: listeners.main.listen: listen("http://0.0.0.0:8081"): write "0.0.0.0:8081", without http://: a port takes all protocols"#,
        "3:1: listeners.main.protocol: there is no such key; did you mean `protocols`?",
        r#"7:14: listeners.more.protocols: no calls over "grcp" are passed on; did you mean "grpc"?"#,
        r#"7:22: listeners.more.protocols: no calls over "h2" are passed on, only those over baidu_std, sofa_pbrpc, grpc, grpc-web, connect"#,
        r#"7:28: listeners.more.protocols: no calls over "hulu_pbrpc" are passed on, only those over baidu_std, sofa_pbrpc, grpc, grpc-web, connect"#,
        "8:7: listeners.more.tls: /none.pem: No such file or directory (os error 2)",
        "13:1: clusters.stock.balencer: there is no such key; did you mean `balancer`?",
        r#"14:11: clusters.stock.timeout: "300" has no unit: us, ms, s, m or h"#,
        "15:11: clusters.stock.retries: 99 is not a number from 0 to 10",
        r#"16:10: clusters.stock.health: say one of grpc = "SERVICE", http = "/PATH" and connect = true"#,
        r#"19:12: clusters.alone.protocol: unknown protocol "grpcc": write "grpc""#,
        r#"25:12: clusters.one.balancer: resilience.balancer is for channels with several servers, and "127.0.0.1:1" is one: write a naming url, such as list://127.0.0.1:1"#,
        "28:12: clusters.redis.protocol: calls are not relayed over redis, whose calls have no service with messages in protobuf",
        "32:12: clusters.sofa.protocol: calls are not relayed over sofa_pbrpc, whose requests have no fields",
        r#"35:11: clusters.two: `protocol` is missing: what its servers speak: "grpc", "baidu_std""#,
        r#"39:9: routes[0].match: "shop.Stock/" has no method: write shop.Stock/Reserve, shop.Stock, shop.* or *"#,
        r#"40:6: routes[0].to: no cluster "stokc"; did you mean "stock" (line 10)?"#,
        "44:6: routes[1].to: a text in quotes or a table of numbers is meant here, this is of type integer",
        r#"48:21: routes[2].when.header: ":path" is not the name of a field: letters, digits, `-`, `_` and `.`"#,
        r#"53:19: routes[3].when.header: no condition is here, which would be all calls: write { NAME = "VALUE" }"#,
        "62:9: routes[5].match: cart.* is never reached: line 56 takes its calls",
        "67:9: routes[6].match: shop.Stock is never reached: line 42 takes its calls",
        "69:1: routes[6].fallback: there is no such key; known are to, by, match, when, rate",
    ];
    assert_eq!(said, expected);
    let half = folder.write("half.toml", "[listeners.main]\nlisten = \n[clusters\n");
    let said = run(&["gateway", "check", &half]).exits(2).stderr;
    assert!(said.contains(&format!("{half}:2:")) && said.contains(&format!("{half}:3:")), "{said}");
    let missing = run(&["gateway", "check", &folder.path("none.toml")]).exits(2).stderr;
    assert!(missing.contains("none.toml: No such file"), "{missing}");
}

#[test]
fn check_looks_at_addresses_and_certificates() {
    let folder = Folder::new("gateway-listener");
    for (listener, at, said) in [
        (
            "listen = [\"127.0.0.1:0\", \"127.0.0.1:0\", \"[::1]:1\", \"[::1]:1\"]",
            "2:52: listeners.main.listen: ",
            "\"[::1]:1\" is in line 2 already",
        ),
        (
            "listen = [\"unix:/run/a:0\", \"unix:/run/a:0\"]",
            "2:28: listeners.main.listen: ",
            "is in line 2 already",
        ),
        ("listen = \"localhost\"", "2:10: listeners.main.listen: ", "write host and port"),
        ("listen = \"unix:\"", "2:10: listeners.main.listen: ", "write the path of a socket"),
        ("listen = \"systemd:calls\"", "2:10: listeners.main.listen: ", "`open = true`"),
        (
            "listen = \"127.0.0.1:1\"\ntls = { cert = \"/none.pem\" }",
            "3:7: listeners.main.tls: ",
            "`key` is missing",
        ),
        (
            "listen = \"127.0.0.1:1\"\norigins = [\"*\", \"http://[::1]:80\", \"https://a.example/\"]",
            "3:36: listeners.main.origins: ",
            "\"https://a.example/\" is no origin",
        ),
        (
            "listen = \"127.0.0.1:1\"\npolicy = \"/dev/null\"",
            "3:10: listeners.main.policy: ",
            "/dev/null: the policy cannot be read: EOF",
        ),
    ] {
        let text = format!(
            "[listeners.main]\n{listener}\n[clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n\
             [[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        let file = folder.write("gateway.toml", &text);
        let said_all = run(&["gateway", "check", &file]).exits(2).stderr;
        let is_said = said_all.starts_with(&format!("polywire: {file}:{at}")) && said_all.contains(said);
        assert!(is_said, "{said_all}");
        assert_eq!(said_all.lines().count(), 1, "{said_all}");
    }
}

#[test]
fn there_are_at_most_1000_routes() {
    let folder = Folder::new("gateway-many");
    let listener = "[listeners.main]\nlisten = \"127.0.0.1:0\"\n[clusters.a]\nprotocol = \"grpc\"\n";
    let routes = (0..20_000).map(|k| format!("[[routes]]\nmatch = \"s{k}\"\nto = \"a\"\n"));
    let text = format!("{listener}servers = \"127.0.0.1:1\"\n{}", routes.collect::<String>());
    let file = folder.write("gateway.toml", &text);
    let said = run(&["gateway", "check", &file]).exits(2).stderr;
    assert_eq!(said, format!("polywire: {file}:3006:1: routes: at most 1000 of them\n"));
}

#[test]
fn the_example_is_right_and_explained() {
    let folder = Folder::new("gateway-example");
    let example = run(&["gateway", "example"]).succeeds().stdout;
    let file = folder.write("gateway.toml", &example);
    let checked = run(&["gateway", "check", &file]).succeeds();
    assert_eq!(checked.stdout, format!("{file}: 1 listener, 2 clusters, 3 routes\n"));
    // The settings that it shows besides are known, too: all that is wrong is that their files are not there.
    let all = folder.write("all.toml", &example.replace("\n#", "\n").replace("\n ", "\n# "));
    let ran = run(&["gateway", "check", &all]).exits(2);
    assert!(ran.stderr.lines().all(|line| line.contains("No such file")), "{}", ran.stderr);
    for settings in [
        "listeners.main.policy: ",
        "listeners.main.tokens: ",
        "listeners.main.tls: ",
        "clusters.stock.tls: ",
        "clusters.stock.schemas: ",
    ] {
        assert!(ran.stderr.contains(settings), "{}", ran.stderr);
    }

    let explained = run(&["gateway", "explain", &file, "shop.Stock/Reserve"]).succeeds().stdout;
    for part in [
        "shop.Stock/Reserve: not taken, its field x-tester is not the one asked for\n",
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
    let explained = run(&["gateway", "explain", &file, "shop.Search/Find"]).succeeds().stdout;
    let shared =
        ["cluster stock: baidu_std, list://10.0.0.1:8000,10.0.0.2:8000, 95 of 100 calls\n", "5 of 100"];
    assert!(shared.iter().all(|part| explained.contains(part)), "{explained}");
    let (stock, canary) = explained.split_once("\ncanary:\n").expect("what goes on to each");
    assert!(stock.contains("\nstock:\n") && canary.contains("all four kinds"), "{explained}");
    let refused = run(&["gateway", "explain", &file, "other.Service/Method"]).exits(1).stdout;
    assert!(
        refused.ends_with("  no route: refused with UNIMPLEMENTED and polywire-gateway: no_route\n"),
        "{refused}"
    );
}

#[test]
fn explain_says_who_is_answered_and_no_secrets() {
    let folder = Folder::new("gateway-explain");
    let file = folder.write(
        "gateway.toml",
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\nprotocols = [\"connect\"]\n\
         [clusters.a]\nprotocol = \"grpc\"\nservers = \"consul://127.0.0.1:1/stock?token=S3CRET\"\n\
         [[routes]]\nmatch = \"a.*\"\nwhen = { header = { authorization = \"S3CRET\" } }\nto = \"a\"\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n",
    );
    let explained = run(&["gateway", "explain", &file, "a.B/C"]).succeeds().stdout;
    assert!(explained.contains("cluster a: grpc, consul://127.0.0.1:1/stock\n"), "{explained}");
    assert!(!explained.contains("S3CRET"), "{explained}");
    // All that is spoken over HTTP, and nothing else.
    for caller in ["grpc ", "grpc-web", "connect"] {
        assert!(explained.contains(&format!("| {caller}")), "{explained}");
    }
    assert!(!explained.contains("baidu_std"), "{explained}");
    for called in ["a.B/a%2fb", "a B/c", "a/B.c", &format!("{}/C", "a".repeat(513))] {
        run(&["gateway", "explain", &file, called]).exits(2);
    }
}

/// The text of callers names no server; standard error does.
#[test]
fn servers_that_cannot_be_reached_are_named_once_on_standard_error() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").to_string();
    for (scheme, method) in [("grpc", ECHO), ("baidu_std", ECHO)] {
        let mut gateway =
            Gateway::with(&["--to", &format!("{scheme}://{closed}"), "--listen", "127.0.0.1:0"]);
        if scheme == "grpc" {
            let asked = gateway.complains();
            assert!(asked.contains("reflection failed") && asked.contains(&closed), "{asked}");
        }
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

const ECHOED: &str = "{\"message\":\"x\"}";

/// What a client of HTTP gets that posts this body: status and body. The fields are those of `curl -d`.
fn post(address: &str, path: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\nConnection: close\r\n\
         Content-Length: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("text");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no status in {head}")), body.to_owned())
}

#[test]
fn one_line_lets_clients_of_http_call_a_server_of_grpc_in_json() {
    let behind = Server::start();
    let to = format!("grpc://{}", behind.address);
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    assert!(gateway.says().starts_with("schemas of to: by reflection, "));
    let post = |path: &str, body: &str| post(&gateway.address, path, body.as_bytes());
    assert_eq!(post("/example.EchoService/Echo", ECHOED), (200, ECHOED.to_owned()));
    gateway.call("http", ECHO, &[]).succeeds();
    for protocol in ["grpc", "connect", "grpc-web", "baidu_std"] {
        gateway.call(protocol, ECHO, &[]).succeeds();
    }
    for (path, body, status, said) in [
        (
            "/example.EchoService/Echo",
            r#"{"message":1}"#,
            400,
            "is no example.EchoRequest: JSON at byte 12: message: not a string",
        ),
        ("/example.EchoService/Echo", r#"{"message":"#, 400, "is no example.EchoRequest: JSON at byte"),
        ("/example.EchoService/Echo", "message=x", 415, "neither JSON nor"),
        ("/example.EchoService/Ehco", "{}", 404, "the schema of example.EchoService has no method Ehco"),
        ("/example.Other/Echo", "{}", 404, "schema of example.Other is not known"),
    ] {
        let (found, text) = post(path, body);
        let text: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}"));
        let message = text["message"].as_str().unwrap_or_default();
        assert!(found == status && message.contains(said), "{path} {body}: {found} {text}");
    }
    // What is no path of a call is none here either.
    for path in ["/example.EchoService/Echo/", "/example.EchoService/%45cho", "//Echo", "/Echo"] {
        assert_eq!(post(path, "{}").0, 404, "{path}");
    }
    assert_eq!(counted(&behind), 6);
    drop(behind);
    let (status, text) = post("/example.EchoService/Echo", ECHOED);
    assert!(status == 503 && text.starts_with("{\"code\":14,"), "{status} {text}");
}

#[test]
fn a_stream_of_replies_is_json_by_lines() {
    let behind = Server::start();
    let to = format!("grpc://{}", behind.address);
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    gateway.says();
    let request = br#"{"message":"x","count":3}"#;
    let (status, body) = post(&gateway.address, "/example.StreamService/Repeat", request);
    assert_eq!((status, body.matches("{\"message\":\"x\"}\n").count()), (200, 3), "{body}");
    let (status, text) = post(&gateway.address, "/example.StreamService/Chat", b"{}");
    assert!(status == 404 && text.contains("plain HTTP cannot carry"), "{status} {text}");
}

const PROTO: &str = "syntax = \"proto3\"; package example;\n\
    message EchoRequest { string message = 1; }\nmessage EchoResponse { string message = 1; }\n\
    service EchoService { rpc Echo(EchoRequest) returns (EchoResponse); }\n";

#[test]
fn the_file_names_schemas_and_another_one_is_taken_with_the_next() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-schemas"));
    let with = |schemas: &str| {
        let text = settings("127.0.0.1:0", &a, &b, &[("\"*\"", "second")]);
        text.replace("balancer = \"rr\"\n", &format!("balancer = \"rr\"\nschemas = {schemas}\n"))
    };
    let proto = folder.write("echo.proto", &PROTO.replace("message = 1", "text = 1"));
    let file = folder.write("gateway.toml", &with(&format!("\"{}\"", folder.path("*.proto"))));
    let mut gateway = Gateway::with(&[&file]);
    assert_eq!(gateway.says(), "schemas of second: 1 service, 1 method");
    let post = |gateway: &Gateway, body: &str| post(&gateway.address, &format!("/{ECHO}"), body.as_bytes());
    assert_eq!(post(&gateway, r#"{"text":"x"}"#), (200, r#"{"text":"x"}"#.to_owned()));

    // A broken one changes nothing, and neither does one that is gone.
    fs::write(&proto, PROTO.replace("proto3", "proto4")).unwrap();
    gateway.reload();
    let said = gateway.complains();
    let place = format!("polywire: {file}:10:11: clusters.second.schemas: ");
    assert!(said.starts_with(&place) && said.contains("echo.proto"), "{said}");
    gateway.complains();
    assert_eq!(post(&gateway, r#"{"text":"x"}"#), (200, r#"{"text":"x"}"#.to_owned()));
    run(&["gateway", "check", &file]).exits(2);

    fs::write(&proto, PROTO).unwrap();
    gateway.reload();
    assert!(gateway.says().contains("read again"));
    assert_eq!(post(&gateway, ECHOED), (200, ECHOED.to_owned()));

    let broken = folder.write("broken.binpb", "\x0a");
    for (schemas, said) in [
        ("[]".to_owned(), "an empty list knows nothing"),
        ("\"/none.binpb\"".to_owned(), "/none.binpb: No such file"),
        ("\"/none/*.proto\"".to_owned(), "/none: No such file"),
        (format!("\"{}\"", folder.path("*.pb")), "*.pb: no such file"),
        (format!("\"{broken}\""), "broken.binpb: no descriptor set: "),
        ("1".to_owned(), "a text in quotes is meant here"),
    ] {
        let wrong = folder.write("wrong.toml", &with(&schemas));
        let all = run(&["gateway", "check", &wrong]).exits(2).stderr;
        assert!(all.contains(":10:11: clusters.second.schemas: ") && all.contains(said), "{schemas}: {all}");
        assert_eq!(all.lines().count(), 1, "{all}");
    }
}

#[test]
fn servers_are_asked_for_their_schemas_until_they_answer() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-reflection"));
    let to = format!("baidu_std://{}", behind.address);
    let proto = folder.write("echo.proto", PROTO);
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0", "--schemas", &proto]);
    assert_eq!(gateway.says(), "schemas of to: 1 service, 1 method");
    assert_eq!(post(&gateway.address, &format!("/{ECHO}"), ECHOED.as_bytes()), (200, ECHOED.to_owned()));
    run(&["gateway", "--to", &to, "--listen", "127.0.0.1:0", "--schemas", "/none.proto"]).exits(2);

    // Nobody listens yet, and no call waits for an answer.
    let socket = format!("unix:{}", folder.path("socket"));
    let to = format!("grpc://{socket}");
    let mut gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
    assert!(gateway.complains().contains("reflection failed"));
    let (status, text) = post(&gateway.address, &format!("/{ECHO}"), ECHOED.as_bytes());
    assert!(status == 404 && text.contains("reflection failed with UNAVAILABLE"), "{status} {text}");
    let _late = Server::with(&["--listen", &socket]);
    assert!(gateway.says().starts_with("schemas of to: by reflection, "));
    assert_eq!(post(&gateway.address, &format!("/{ECHO}"), ECHOED.as_bytes()), (200, ECHOED.to_owned()));
}
