//! `gateway`: clusters whose servers fail or are slow.

use super::{ECHO, Gateway};
use crate::support::{Folder, Server, run};
use std::time::{Duration, Instant};

const HELLO: &str = "helloworld.Greeter/SayHello";

#[test]
fn a_slow_call_is_sent_a_second_time_if_its_route_says_that_it_may_run_twice() {
    let slow = Server::with(&["--listen", "127.0.0.1:0", "--sleep-ms", "5000"]);
    let (quick, folder) = (Server::start(), Folder::new("gateway-hedge"));
    for (idempotent, all_succeed) in [("helloworld.Greeter/Say*", true), ("helloworld.Greeter/Other", false)]
    {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\n\
             [clusters.a]\nprotocol = \"grpc\"\nservers = \"list://{},{}\"\nbalancer = \"rr\"\nhedge = \"50ms\"\n\
             [[routes]]\nmatch = \"helloworld.*\"\nto = \"a\"\nidempotent = \"{idempotent}\"\n",
            slow.address, quick.address
        );
        let file = folder.write("gateway.toml", &text);
        let gateway = Gateway::with(&[&file]);
        let hello = || {
            let call = ["call", "-s", &gateway.address, "-p", "grpc", HELLO, "-d", r#"{"name":"x"}"#];
            run(&[&call[..], &["--timeout-ms", "2000"]].concat()).code == Some(0)
        };
        let good = (0..4).filter(|_| hello()).count();
        assert_eq!(good == 4, all_succeed, "{idempotent}: {good} of 4");
    }
}

#[test]
fn a_server_that_fails_its_calls_is_left_out() {
    let (good, folder) = (Server::start(), Folder::new("gateway-outliers"));
    // A gateway whose servers are not there fails each call.
    let bad = Gateway::with(&["--to", "baidu_std://127.0.0.1:1", "--listen", "127.0.0.1:0"]);
    let text = format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n\
         [clusters.a]\nprotocol = \"grpc\"\nservers = \"list://{},{}\"\nbalancer = \"rr\"\n\
         [clusters.a.outliers]\ninterval = \"500ms\"\nmax_percent = 50\n\
         failure_percentage = {{ threshold = 50, minimum_hosts = 2, request_volume = 1 }}\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n",
        good.address, bad.address
    );
    let mut gateway = Gateway::with(&[&folder.write("gateway.toml", &text)]);
    let pages = gateway.says();
    let pages = pages.strip_prefix("pages: http://").and_then(|url| url.strip_suffix("/gateway"));
    let pages = pages.expect("where they are").to_owned();
    let until = Instant::now() + Duration::from_secs(30);
    let why = || run(&["call", "-s", &pages, "-p", "http", "GET /why"]).stdout;
    while !why().contains("ejected") {
        gateway.call("grpc", ECHO, &[]);
        assert!(Instant::now() < until, "{}", why());
    }
    for _ in 0..4 {
        gateway.call("grpc", ECHO, &[]).succeeds();
    }
}

#[test]
fn what_cannot_be_meant_of_failing_servers_is_a_mistake() {
    let folder = Folder::new("gateway-failing");
    let file = |cluster: &str, route: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\n\
             [clusters.a]\nprotocol = \"grpc\"\nservers = \"list://127.0.0.1:1,127.0.0.1:2\"\n{cluster}\n\
             [[routes]]\nmatch = \"shop.Stock\"\nto = \"a\"\n{route}\n"
        );
        folder.write("gateway.toml", &text)
    };
    for (line, says) in [
        ("outliers = {}", "outliers.failure_percentage: no rule is here"),
        ("outliers = { failure_percentage = { treshold = 3 } }", "did you mean `threshold`?"),
        ("outliers = { success_rate = {}, interval = \"1ms\" }", "outliers.interval: at least 100ms"),
        ("outliers = { success_rate = {}, max_percent = 101 }", "is not a number from 0 to 100"),
        ("hedge = \"0ms\"", "clusters.a.hedge: every call would be made twice"),
        ("hedge = \"50\"", "clusters.a.hedge: \"50\": has no unit"),
        ("hedge = \"soon\"", "or `auto`"),
        ("breaker = 1", "true or false is meant here"),
    ] {
        let ran = run(&["gateway", "check", &file(line, "")]).exits(2);
        assert!(ran.stderr.contains(says), "{line}: {}", ran.stderr);
    }
    let one = file("", "");
    let text = std::fs::read_to_string(&one).expect("the file").replace("list://127.0.0.1:1,", "");
    let one = folder.write("one.toml", &text.replace("\n[[routes]]", "\nbreaker = true\n[[routes]]"));
    let ran = run(&["gateway", "check", &one]).exits(2);
    assert!(ran.stderr.contains("clusters.a.breaker"), "{}", ran.stderr);
    // What is right, but does nothing.
    let ran = run(&["gateway", "check", &file("hedge = \"auto\"", "")]).exits(0);
    assert!(ran.stderr.contains("clusters.a.hedge: nothing is sent a second time"), "{}", ran.stderr);
    let all = "outliers = { failure_percentage = { threshold = 40 } }\nbreaker = true\nhedge = \"20ms\"";
    let right = file(all, "idempotent = \"shop.Stock/Get\"");
    assert_eq!(run(&["gateway", "check", &right]).exits(0).stderr, "");
    let said = run(&["gateway", "explain", &right, "shop.Stock/Get"]).exits(0).stdout;
    for words in [
        "more than 40 % failed calls in 10s",
        "circuit breaker, by which at most 50 %",
        "sent a second time after 20ms",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = run(&["gateway", "explain", &right, "shop.Stock/Put"]).exits(0).stdout;
    assert!(said.contains("never sent a second time"), "{said}");
}

#[test]
fn codes_after_which_calls_are_tried_again_are_those_of_failures_and_need_methods() {
    let folder = Folder::new("gateway-retry-on");
    let file = |route: &str| {
        let text = super::of_listener("listen = \"127.0.0.1:0\"").replace("\"*\"", "\"shop.Stock\"");
        folder.write("gateway.toml", &format!("{text}{route}\n"))
    };
    let get = "idempotent = \"shop.Stock/Get\"\n";
    for (route, says) in [
        ("retry_on = \"UNAVAILABLE\"".to_owned(), "only methods in `idempotent`, and those whose schema"),
        (format!("{get}retry_on = \"UNAVAILBLE\""), "did you mean \"UNAVAILABLE\"?"),
        (format!("{get}retry_on = \"OK\""), "no failure \"OK\""),
        (format!("{get}retry_on = [\"aborted\", \"ABORTED\"]"), "is there twice"),
    ] {
        let ran = run(&["gateway", "check", &file(&route)]).exits(2);
        assert!(ran.stderr.contains(says), "{route}: {}", ran.stderr);
    }
    let right = file(&format!("{get}retry_on = [\"unavailable\", \"ABORTED\"]"));
    let said = run(&["gateway", "explain", &right, "shop.Stock/Get"]).exits(0).stdout;
    assert!(said.contains("tried again after UNAVAILABLE, ABORTED"), "{said}");
    let said = run(&["gateway", "explain", &right, "shop.Stock/Put"]).exits(0).stdout;
    assert!(!said.contains("tried again after"), "{said}");
}
