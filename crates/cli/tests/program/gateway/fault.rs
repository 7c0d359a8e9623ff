//! `gateway`: faults that a route injects.

use super::{ECHO, of_listener, pages::Gateway};
use crate::support::{Folder, Server, counted, run};

#[test]
fn a_fault_of_a_route_is_explained_shown_and_marked_as_the_gateways_own() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-fault"));
    let text = format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n\
         [access_log]\nfile = \"{}\"\n\
         [clusters.a]\nprotocol = \"baidu_std\"\nservers = \"{}\"\n\
         [[routes]]\nmatch = \"example.*\"\nto = \"a\"\n\
         fault = {{ delay = \"1ms\", abort = \"unavailable\", when = {{ header = {{ x-chaos = \"S3CRET\" }} }} }}\n",
        folder.path("log"),
        behind.address
    );
    let file = folder.write("gateway.toml", &text);
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    let words = "fault: 100% of the calls with x-chaos wait 1ms; 100% of the calls with x-chaos fail with UNAVAILABLE\n";
    assert!(explained.contains(words) && !explained.contains("S3CRET"), "{explained}");
    let gateway = Gateway::with(&[&file]);
    for protocol in ["grpc", "baidu_std", "connect"] {
        gateway.calls(0, protocol, ECHO).succeeds();
        let said = gateway.calls_with(0, protocol, ECHO, &["-H", "x-chaos=S3CRET"]).exits(1).stderr;
        assert!(said.contains(": UNAVAILABLE") && said.contains("fails this call on purpose"), "{said}");
    }
    assert_eq!(counted(&behind), 3);
    let metrics = gateway.page("/metrics").succeeds().stdout;
    for line in [
        "polywire_gateway_fault_total{route=\"example.*\",kind=\"delay\"} 3\n",
        "polywire_gateway_fault_total{route=\"example.*\",kind=\"abort\"} 3\n",
        "polywire_gateway_refused_total{route=\"example.*\",reason=\"fault\"} 3\n",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    let shown = gateway.page("/gateway").succeeds().stdout;
    assert!(shown.contains("# faults") && shown.contains("calls with x-chaos wait 1ms"), "{shown}");
    let marked = || {
        let log = std::fs::read_to_string(folder.path("log")).expect("a log");
        log.matches("\"reason\":\"fault\"").count()
    };
    // Lines are written by a thread of their own.
    assert!((0..1000).any(|_| marked() == 3 || gateway.page("/health").code != Some(0)), "{}", marked());
}

#[test]
fn mistakes_of_a_fault_are_found_with_their_places() {
    let folder = Folder::new("gateway-fault-check");
    for (fault, at, said) in [
        ("", "fault.delay: ", "nothing happens: write `delay`, `abort` or both"),
        ("delay = \"61s\"", "fault.delay: ", "at most 60s"),
        ("delay = \"0s\"", "fault.delay: ", "more than 0s"),
        ("abort = \"OK\"", "fault.abort: ", "no failure \"OK\""),
        ("abort = \"UNAVAILABEL\"", "fault.abort: ", "did you mean \"UNAVAILABLE\"?"),
        ("abort = \"ABORTED\", share = \"0%\"", "fault.share: ", "such as \"1%\""),
        ("abort = \"ABORTED\", percent = 1", "fault.percent: ", "there is no such key"),
        ("delay = \"1s\", max_active = 0", "fault.max_active: ", "no call would have a fault"),
        (
            "delay = \"1s\", when = { header = { \":path\" = \"/\" } }",
            "fault.when.header: ",
            "not the name of a field",
        ),
        ("delay = \"1s\", when = {}", "fault.when.header: ", "no condition is here"),
    ] {
        let text = of_listener("listen = \"127.0.0.1:1\"") + &format!("fault = {{ {fault} }}\n");
        let ran = run(&["gateway", "check", &folder.write("gateway.toml", &text)]).exits(2).stderr;
        assert!(ran.contains(&format!(": routes[0].{at}")) && ran.contains(said), "{fault}: {ran}");
        assert_eq!(ran.lines().count(), 1, "{ran}");
    }
}
