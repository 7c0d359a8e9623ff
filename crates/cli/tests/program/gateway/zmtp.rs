//! `gateway`: calls of ZeroMQ's REQ sockets by polywire's convention.

use super::Gateway;
use crate::support::{Folder, Server, run};

#[test]
fn requests_reach_servers_of_all_protocols_and_all_callers_reach_its_servers() {
    let behind = Server::start();
    for (to, protocols) in
        [("grpc", "zmtp"), ("baidu_std", "zmtp,grpc"), ("zmtp", "zmtp,grpc"), ("zmtp", "grpc")]
    {
        let url = format!("{to}://{}", behind.address);
        let gateway = Gateway::with(&["--to", &url, "--protocols", protocols, "--listen", "127.0.0.1:0"]);
        for protocol in protocols.split(',') {
            let call = ["-p", protocol, "example.EchoService/Echo", "-d", r#"{"message": "hi"}"#];
            let said = run(&[&["call", "-s", &gateway.address][..], &call].concat()).succeeds().stdout;
            assert!(said.contains("hi"), "{protocol} to {to}: {said}");
        }
    }
}

#[test]
fn a_file_has_it_as_a_listener_and_as_a_cluster() {
    let folder = Folder::new("gateway-zmtp");
    let settings = |protocols: &str, cluster: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\nprotocols = [{protocols}]\n[clusters.a]\n\
             servers = \"127.0.0.1:1\"\n{cluster}\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n",
        );
        folder.write("gateway.toml", &text)
    };
    for (protocols, cluster, code, expected) in [
        ("\"zmtp\"", "protocol = \"grpc\"", 0, ""),
        ("\"zmtp\", \"grpc\"", "protocol = \"zmtp\"", 0, ""),
        ("\"zmtp\"", "protocol = \"zmtp:x\"", 2, "zmtp has no parameter"),
        ("\"zmtp\"", "protocol = \"thrift\"", 0, "no caller of these listeners reaches it"),
        ("\"zeromq\"", "protocol = \"grpc\"", 2, "no calls over \"zeromq\" are passed on"),
    ] {
        let file = settings(protocols, cluster);
        let said = run(&["gateway", "check", &file]).exits(code).stderr;
        assert!(
            said.contains(expected) && said.is_empty() == expected.is_empty(),
            "{protocols} {cluster}: {said}"
        );
    }
    let file = settings("\"zmtp\"", "protocol = \"zmtp\"");
    let said = run(&["gateway", "explain", &file, "shop.Stock/Get"]).succeeds().stdout;
    assert!(said.contains("Requests over zmtp have no place for fields."), "{said}");
}
