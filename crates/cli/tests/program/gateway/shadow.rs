//! `gateway`: copies of calls to another cluster, and requests that are recorded.

use super::{ECHO, Gateway as Refusing, of_listener, pages::Gateway};
use crate::support::{Folder, Server, counted, run, signal};
use std::{collections::BTreeSet, fs};

fn settings(old: &str, new: &str, shadow: &str, more: &str) -> String {
    let cluster = |name: &str, servers: &str| {
        format!("[clusters.{name}]\nprotocol = \"grpc\"\nservers = \"{servers}\"\nschemas = \"reflection\"\n")
    };
    format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\n{more}[admin]\nlisten = \"127.0.0.1:0\"\n{}{}\
         [[routes]]\nmatch = \"example.*\"\nto = \"old\"\nshadow = {{ {shadow} }}\n",
        cluster("old", old),
        cluster("new", new)
    )
}

/// Waits until a page has this text.
fn until(gateway: &Gateway, page: &str, text: &str) -> String {
    for _ in 0..10_000 {
        let shown = gateway.page(page).succeeds().stdout;
        if shown.contains(text) {
            return shown;
        }
    }
    panic!("{text}: {}", gateway.page(page).stdout);
}

const SENT: &str = r#"polywire_gateway_shadow_total{route="example.*",result="sent"}"#;
const METHODS: &str = "methods = [\"example.EchoService/Echo\"]";

#[test]
fn copies_are_compared_and_go_on_being_counted_when_the_file_is_read_again() {
    let (old, new, folder) = (Server::start(), Server::start(), Folder::new("gateway-shadow"));
    let text = |shadow: &str| settings(&old.address, &new.address, shadow, "");
    let file = folder.write("gateway.toml", &text(&format!("to = \"new\", {METHODS}, baseline = \"old\"")));
    let mut gateway = Gateway::with(&[&file]);
    for protocol in ["grpc", "baidu_std", "connect"] {
        let said = gateway.calls(0, protocol, ECHO).succeeds().stdout;
        assert!(said.contains("\"x\""), "{said}");
    }
    let metrics = until(&gateway, "/metrics", r#"{route="example.*",result="same"} 3"#);
    let alerts = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/prometheus/alerts.yml");
    let alerts = fs::read_to_string(alerts).expect("alerts");
    let words = alerts.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_'));
    let named: BTreeSet<_> = words.filter(|word| word.starts_with("polywire_gateway_")).collect();
    assert!(named.len() > 5, "{named:?}");
    for name in named {
        assert!(metrics.lines().any(|line| line.starts_with(&format!("{name}{{"))), "{name}\n{metrics}");
    }
    for rule in alerts.split("polywire_finding{rule=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(metrics.contains(&format!("polywire_finding{{rule=\"{rule}\"")), "{rule}\n{metrics}");
    }
    assert_eq!((counted(&old), counted(&new)), (6, 3));
    assert!(!gateway.page("/index").succeeds().stdout.contains("the shadow of route"));

    fs::write(&file, text(&format!("to = \"new\", share = \"100%\", {METHODS}"))).expect("a file");
    signal(&gateway.child, "HUP");
    assert!(gateway.says().contains("read again"));
    gateway.calls(0, "grpc", ECHO).succeeds();
    until(&gateway, "/metrics", &format!("{SENT} 4"));
}

#[test]
fn a_shadow_that_differs_is_a_finding_and_shows_values_only_if_they_are_asked_for() {
    let (old, folder) = (Server::start(), Folder::new("gateway-shadow-differs"));
    let refuses = of_listener("listen = \"127.0.0.1:0\"").replace("\"*\"", "\"none.*\"");
    let refusing = Refusing::with(&[&folder.write("refuses.toml", &refuses)]);
    for (values, shown) in [("", false), (", show_values = true", true)] {
        let shadow = format!("to = \"new\", compare = true, {METHODS}{values}");
        let text = settings(&old.address, &refusing.address, &shadow, "");
        let file = folder.write("gateway.toml", &text.replacen("schemas = \"reflection\"\n[[", "[[", 1));
        let gateway = Gateway::with(&[&file]);
        gateway.calls(0, "grpc", ECHO).succeeds();
        let page = until(&gateway, "/gateway", "status 1");
        assert!(page.contains("1 of 1 answers of new, the shadow of route example.*, differ"), "{page}");
        assert_eq!(page.contains("the relay has no route for this method"), shown, "{page}");
        assert!(gateway.page("/index").succeeds().stdout.contains("the shadow of route example.*"));
    }
}

#[test]
fn mistakes_of_a_shadow_and_of_records_are_found_with_their_places() {
    let folder = Folder::new("gateway-shadow-check");
    for (shadow, at, said) in [
        (METHODS, "shadow", "`to` is missing"),
        ("to = \"new\"", "shadow", "`methods` is missing: a copy is executed"),
        ("to = \"new\", methods = []", "shadow", "`methods` is missing: a copy is executed"),
        ("to = \"new\", methods = [\"*\"]", "shadow.methods", "a copy is executed"),
        ("to = \"new\", methods = [\"example.EchoService\"]", "shadow.methods", "a copy is executed"),
        (
            "to = \"new\", methods = [\"shop.Stock/Get\"]",
            "shadow.methods",
            "is not among the calls of the route",
        ),
        (&format!("to = \"nwe\", {METHODS}"), "shadow.to", "did you mean \"new\" (line 9)?"),
        (&format!("to = \"new\", baseline = \"odl\", {METHODS}"), "shadow.baseline", "did you mean \"old\""),
        (&format!("to = \"new\", share = \"10\", {METHODS}"), "shadow.share", "such as \"10%\""),
        (&format!("to = \"new\", timeout = \"0s\", {METHODS}"), "shadow.timeout", "at most 60s"),
        (&format!("to = \"new\", show_values = true, {METHODS}"), "shadow.show_values", "add compare = true"),
        (&format!("to = \"new\", shares = \"10%\", {METHODS}"), "shadow.shares", "did you mean `share`?"),
        (
            &format!("to = \"new\", record = {{ folder = \"f\" }}, {METHODS}"),
            "shadow.record",
            "add compare = true",
        ),
        (
            &format!("to = \"new\", compare = true, record = {{ folders = \"f\" }}, {METHODS}"),
            "shadow.record.folders",
            "did you mean `folder`?",
        ),
    ] {
        let text = settings("127.0.0.1:1", "127.0.0.1:1", shadow, "");
        let file = folder.write("gateway.toml", &text);
        let all = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(all.contains(&format!("routes[0].{at}")) && all.contains(said), "{shadow}: {all}");
        assert_eq!(all.lines().count(), 1, "{all}");
    }
    let shadow = format!("to = \"new\", {METHODS}");
    let requests = folder.path("requests");
    for (record, at, said) in [
        ("record = {}", "main.record", "`folder` is missing"),
        ("record = { folder = \"f\", max_bytes = \"1\" }", "main.record.max_bytes", "KiB, MiB or GiB"),
        ("record = { folder = \"f\", max_bytes = \"1KiB\" }", "main.record.max_bytes", "at least 4MiB"),
        ("record = { folder = \"f\", max_age = \"1ms\" }", "main.record.max_age", "at least 1s"),
        (
            "record = { folder = \"f\" }\n[listeners.more]\nlisten = \"127.0.0.1:0\"\nrecord = { folder = \"f\" }",
            "more.record",
            "is that of another `record`",
        ),
    ] {
        let text = settings("127.0.0.1:1", "127.0.0.1:1", &shadow, &format!("{record}\n"));
        let file = folder.write("gateway.toml", &text);
        let all = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(all.contains(&format!("listeners.{at}")) && all.contains(said), "{record}: {all}");
    }
    let record = format!("record = {{ folder = \"{requests}\" }}\n");
    let file = folder.write("gateway.toml", &settings("127.0.0.1:1", "127.0.0.1:1", &shadow, &record));
    run(&["gateway", "check", &file]).succeeds();
    assert!(!fs::exists(&requests).expect("it can be seen"), "a check makes no files");
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    assert!(explained.contains("shadow new: 100% of the calls are copied there\n"), "{explained}");
    let streams = settings("127.0.0.1:1", "127.0.0.1:1", &format!("{shadow}, streams = true"), "");
    let explained =
        run(&["gateway", "explain", &folder.write("streams.toml", &streams), ECHO]).succeeds().stdout;
    assert!(explained.contains("of the calls are copied there, streams too\n"), "{explained}");
    let other = run(&["gateway", "explain", &file, "example.EchoService/Other"]).succeeds().stdout;
    assert!(other.contains("shadow new: not copied"), "{other}");
}

#[test]
fn requests_of_a_listener_are_recorded_and_replayed() {
    let (old, new, folder) = (Server::start(), Server::start(), Folder::new("gateway-record"));
    let requests = folder.path("requests");
    let record = format!("record = {{ folder = \"{requests}\", per_second = 1000, max_bytes = \"8MiB\" }}\n");
    let shadow = format!("to = \"new\", {METHODS}");
    let file = folder.write("gateway.toml", &settings(&old.address, &new.address, &shadow, &record));
    let mut gateway = Gateway::with(&[&file]);
    for protocol in ["grpc", "baidu_std", "connect"] {
        gateway.calls(0, protocol, ECHO).succeeds();
    }
    until(&gateway, "/metrics", r#"polywire_gateway_recorded_total{of="listener main",result="written"} 3"#);
    until(&gateway, "/gateway", "listener main");
    signal(&gateway.child, "TERM");
    assert_eq!(gateway.child.wait().expect("it was started").code(), Some(0));
    let replayed =
        run(&["replay", &requests, "-s", &old.address, "--compare", &new.address]).succeeds().stdout;
    assert!(replayed.contains("3 requests: 3 answered alike, 0 not"), "{replayed}");
}

#[test]
fn requests_whose_answers_differ_are_recorded_and_replayed() {
    let (old, folder) = (Server::start(), Folder::new("gateway-differing"));
    let refuses = of_listener("listen = \"127.0.0.1:0\"").replace("\"*\"", "\"none.*\"");
    let refusing = Refusing::with(&[&folder.write("refuses.toml", &refuses)]);
    let (same, differing) = (folder.path("same"), folder.path("differing"));
    for (new, requests, counted) in [
        (&old.address, &same, "result=\"same\"} 2"),
        (&refusing.address, &differing, "result=\"different\"} 2"),
    ] {
        let record = format!("record = {{ folder = \"{requests}\", max_bytes = \"8MiB\" }}");
        let shadow = format!("to = \"new\", compare = true, {record}, {METHODS}");
        let text = settings(&old.address, new, &shadow, "").replacen("schemas = \"reflection\"\n[[", "[[", 1);
        let file = folder.write("gateway.toml", &text);
        run(&["gateway", "check", &file]).succeeds();
        assert!(!fs::exists(requests).expect("it can be seen"), "a check makes no files");
        let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
        assert!(
            explained.contains(&format!("; requests are recorded in {requests} if they differ")),
            "{explained}"
        );
        let mut gateway = Gateway::with(&[&file]);
        gateway.calls(0, "grpc", ECHO).succeeds();
        // What was recorded before the file is read again stays.
        signal(&gateway.child, "HUP");
        assert!(gateway.says().contains("read again"));
        gateway.calls(0, "baidu_std", ECHO).succeeds();
        until(&gateway, "/metrics", counted);
        let written = if requests == &same { 0 } else { 2 };
        let recorded = format!(
            r#"polywire_gateway_recorded_total{{of="shadow of example.*",result="written"}} {written}"#
        );
        until(&gateway, "/metrics", &recorded);
        fs::write(&file, text.replace("8MiB", "9MiB")).expect("a file");
        signal(&gateway.child, "HUP");
        until(&gateway, "/index", "it has records of other settings: that needs a restart");
        signal(&gateway.child, "TERM");
        assert_eq!(gateway.child.wait().expect("it was started").code(), Some(0));
    }
    run(&["replay", &same, "-s", &old.address]).exits(1); // nothing is there
    let compared = ["replay", &differing, "-s", &old.address, "--compare", &refusing.address];
    let said = run(&compared).exits(1).stdout;
    assert!(
        said.contains("2 requests: 0 answered alike, 2 not") && said.contains("differ in status"),
        "{said}"
    );
}
