//! `gateway`: what an operator sees of it.

use crate::support::{Folder, Ran, Server, polywire, run, signal};
use std::{
    fs,
    io::{BufRead, BufReader, Lines},
    process::{Child, ChildStdout, Stdio},
};

const ECHO: &str = "example.EchoService/Echo";

/// A gateway with two listeners and pages, which runs until it is dropped.
pub(super) struct Gateway {
    pub child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    listeners: Vec<String>,
    pages: String,
}

impl Gateway {
    pub fn with(arguments: &[&str]) -> Gateway {
        let arguments = [&["gateway", "--shards", "1"], arguments].concat();
        let mut child =
            polywire(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut gateway = Gateway { child, stdout, listeners: Vec::new(), pages: String::new() };
        while gateway.pages.is_empty() {
            let line = gateway.says();
            if let Some(address) = line.strip_prefix("listening on ") {
                gateway.listeners.push(address.to_owned());
            } else if let Some(url) = line.strip_prefix("pages: http://") {
                gateway.pages = url.strip_suffix("/gateway").expect("the page").to_owned();
            }
        }
        gateway
    }

    pub fn says(&mut self) -> String {
        self.stdout.next().expect("it runs").expect("text")
    }

    pub fn listener(&self, number: usize) -> &str {
        &self.listeners[number]
    }

    pub fn page(&self, path: &str) -> Ran {
        run(&["call", "-s", &self.pages, "-p", "http", &format!("GET {path}")])
    }

    pub fn calls(&self, listener: usize, protocol: &str, method: &str) -> Ran {
        self.calls_with(listener, protocol, method, &[])
    }

    pub fn calls_with(&self, listener: usize, protocol: &str, method: &str, further: &[&str]) -> Ran {
        let call =
            ["call", "-s", &self.listeners[listener], "-p", protocol, method, "-d", r#"{"message":"x"}"#];
        run(&[&call[..], further].concat())
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill(); // fails if it has ended already
        let _ = self.child.wait();
    }
}

fn settings(behind: &Server, log: &str, match_: &str) -> String {
    format!(
        "[listeners.one]\nlisten = \"127.0.0.1:0\"\n[listeners.two]\nlisten = \"127.0.0.1:0\"\n\
         [admin]\nlisten = \"127.0.0.1:0\"\n[access_log]\nfile = \"{log}\"\n\
         [clusters.stock]\nprotocol = \"baidu_std\"\nservers = \"{}\"\n\
         [[routes]]\nmatch = \"{match_}\"\nto = \"stock\"\n",
        behind.address
    )
}

#[test]
fn all_listeners_are_shown_as_one_server_and_the_page_of_the_gateway_has_its_routes() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-pages"));
    let log = folder.path("access.log");
    let file = folder.write("gateway.toml", &settings(&behind, &log, "example.*"));
    let mut gateway = Gateway::with(&[&file]);
    gateway.calls(0, "grpc", ECHO).succeeds();
    gateway.calls(1, "baidu_std", ECHO).succeeds();
    gateway.calls(1, "baidu_std", "other.Service/Get").exits(2); // nobody says what it is
    let metrics = gateway.page("/metrics").succeeds().stdout;
    for (line, number) in [
        (r#"calls_total{route="example.*",cluster="stock",from="h2",to="baidu_std",code="OK"}"#, 1),
        (r#"calls_total{route="example.*",cluster="stock",from="baidu_std",to="baidu_std",code="OK"}"#, 1),
        (r#"duration_seconds_count{route="example.*"}"#, 2),
    ] {
        let line = format!("polywire_gateway_{line} {number}");
        assert!(metrics.lines().any(|shown| shown == line), "{line}\n{metrics}");
    }
    for rule in ["gateway_reload", "gateway_no_server", "gateway_lost", "channel_ready"] {
        let line = format!("polywire_finding{{rule=\"{rule}\",level=\"bad\"}} 0");
        assert!(metrics.lines().any(|shown| shown == line), "{line}\n{metrics}");
    }
    let status = gateway.page("/status").succeeds().stdout;
    assert!(status.contains("[catch_all]"), "{status}");
    let protocols = gateway.page("/protocols").succeeds().stdout;
    assert!(protocols.contains("  h2 ") && protocols.contains("  baidu_std "), "{protocols}");
    assert_eq!(gateway.page("/health").succeeds().stdout.trim(), "OK");

    let page = gateway.page("/gateway").succeeds().stdout;
    assert!(page.contains("version: 1  # 2 listeners, 1 cluster, 1 route\nhash: "), "{page}");
    let explained = gateway.page("/gateway?explain=example.EchoService/Echo").succeeds().stdout;
    assert!(explained.contains("example.*: taken"), "{explained}");
    gateway.page("/gateway?explain=example").exits(1);

    // Callers see none of it.
    run(&["call", "-s", &gateway.listeners[0], "-p", "http", "GET /gateway"]).exits(1);
    run(&["call", "-s", &gateway.listeners[0], "-p", "http", "GET /status"]).exits(1);
    // And nothing is passed on where the pages are.
    run(&["call", "-s", &gateway.pages, "-p", "grpc", ECHO, "-d", r#"{"message":"x"}"#]).exits(1);

    fs::write(&file, "listeners = 1").unwrap();
    signal(&gateway.child, "HUP");
    let is_found = || gateway.page("/index").succeeds().stdout.contains("is not used: ");
    while !is_found() {
        std::thread::yield_now();
    }
    fs::write(&file, settings(&behind, &log, "*")).unwrap();
    signal(&gateway.child, "HUP");
    assert!(gateway.says().contains("read again"));
    let page = gateway.page("/gateway").succeeds().stdout;
    assert!(
        page.contains("version: 2") && page.contains("by SIGHUP") && !page.contains("not_used"),
        "{page}"
    );
    let metrics = gateway.page("/metrics").succeeds().stdout;
    for line in ["reload_total{result=\"failed\"} 1", "reload_total{result=\"ok\"} 1"] {
        assert!(metrics.contains(&format!("polywire_gateway_{line}")), "{metrics}");
    }
    assert!(!metrics.contains("route=\"example.*\""), "a route that is gone has no series");

    signal(&gateway.child, "TERM");
    assert_eq!(gateway.child.wait().expect("it was started").code(), Some(0));
    let log = fs::read_to_string(&log).expect("a log");
    let lines: Vec<_> = log.lines().filter(|line| line.contains(r#""route":"example.*""#)).collect();
    assert_eq!(lines.len(), 2, "{log}");
    let to = format!(r#""to":"baidu_std","server":"{}","attempts":1,"upstream_us":"#, behind.address);
    assert!(lines.iter().all(|line| line.contains(&to)), "{log}");
}

#[test]
fn pages_that_other_machines_reach_need_a_token_or_certificates() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-admin"));
    let text = settings(&behind, &folder.path("log"), "*");
    let with = |admin: &str| text.replace("[admin]\nlisten = \"127.0.0.1:0\"", &format!("[admin]\n{admin}"));
    let (token, short) = (folder.write("token", "0123456789abcdef\n"), folder.write("short", "0123456789"));
    for (admin, wrong) in [
        ("listen = \"0.0.0.0:9900\"", "can be reached from other machines: `token` or `tls.client_ca`"),
        ("", "admin: `listen` is missing"),
        ("listen = \"127.0.0.1:9900\"\nport = 1", "admin.port: there is no such key"),
        (&format!("listen = \"127.0.0.1:9900\"\ntoken = \"{short}\""), "at least 16 characters"),
        ("listen = \"127.0.0.1:9900\"\ntoken = \"/none\"", "admin.token: /none: No such file"),
    ] {
        let file = folder.write("wrong.toml", &with(admin));
        let said = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(said.contains(wrong) && said.lines().count() == 1, "{admin}: {said}");
    }
    let file = folder.write("token.toml", &with(&format!("listen = \"0.0.0.0:0\"\ntoken = \"{token}\"")));
    run(&["gateway", "check", &file]).succeeds();
    let file = folder.write("here.toml", &with(&format!("listen = \"127.0.0.1:0\"\ntoken = \"{token}\"")));
    let gateway = Gateway::with(&[&file]);
    gateway.page("/gateway").exits(1);
    gateway.page("/health").succeeds();
    let shown = ["-H", "authorization=Bearer 0123456789abcdef"];
    let get = ["call", "-s", &gateway.pages, "-p", "http", "GET /gateway"];
    run(&[&get[..], &shown].concat()).succeeds();
}

#[test]
fn one_line_has_pages_and_a_log_too() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-admin-line"));
    let (to, log) = (format!("grpc://{}", behind.address), folder.path("log"));
    let arguments = ["--to", &to, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--access-log", &log];
    let gateway = Gateway::with(&arguments);
    gateway.calls(0, "baidu_std", ECHO).succeeds();
    let page = gateway.page("/gateway").succeeds().stdout;
    assert!(page.contains("reflection") && page.contains("  *  "), "{page}");
    assert!(!page.contains("hash"), "there is no file: {page}");
    let refused = run(&["gateway", "--to", &to, "--admin", "0.0.0.0:0"]).exits(2).stderr;
    assert!(refused.contains("--admin 0.0.0.0:0: other machines reach it"), "{refused}");
}
