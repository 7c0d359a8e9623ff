//! `gateway`: callers and servers of rest_rpc, in both formats.

use super::Gateway;
use crate::support::{Folder, Ran, Server, run};

const FORMATS: [&str; 3] = ["rest_rpc:a", "rest_rpc:b", "rest_rpc:cross"];
/// Of `add` and `nobody`.
const ADD: &str = "887912700";

fn call(gateway: &Gateway, form: &str, function: &str) -> Ran {
    run(&["call", "-s", &gateway.address, "-p", form, function, "-d", "[40, 2]"])
}

#[test]
fn one_line_leads_callers_to_servers_of_their_format_whatever_they_call() {
    let behind = Server::start();
    for form in FORMATS {
        let to = format!("{form}://{}", behind.address);
        let gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
        assert_eq!(call(&gateway, form, "add").succeeds().stdout, "42\n", "{form}");
        let said = call(&gateway, form, "nobody").exits(1).stderr;
        assert!(said.contains("unknown function: "), "{form}: {said}");
    }
    let gateway =
        Gateway::with(&["--to", &format!("rest_rpc:a://{}", behind.address), "--listen", "127.0.0.1:0"]);
    let said = call(&gateway, "rest_rpc:b", "add").exits(1).stderr;
    assert!(said.contains("messages in struct_pack are not relayed to servers of msgpack"), "{said}");
}

#[test]
fn a_file_lists_the_functions_and_says_what_goes_nowhere() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-rest_rpc"));
    let settings = |protocols: &str, cluster: &str, matched: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\nprotocols = [{protocols}]\n[clusters.a]\n\
             servers = \"{}\"\n{cluster}\n[[routes]]\nmatch = \"{matched}\"\nto = \"a\"\n",
            behind.address
        );
        folder.write("gateway.toml", &text)
    };
    let some =
        "protocol = \"rest_rpc:a\"\nmethods = { rest_rpc = [\"add\", \"echo\"], \"shop.stock\" = [\"get\"] }";
    let file = settings("\"rest_rpc\"", some, "rest_rpc/a*");
    let gateway = Gateway::with(&[&file]);
    assert_eq!(call(&gateway, "rest_rpc:a", "add").succeeds().stdout, "42\n");
    for other in ["echo", "publish", "nobody"] {
        let said = call(&gateway, "rest_rpc:a", other).exits(1).stderr;
        assert!(said.contains("unknown function: "), "{other}: {said}");
    }
    let said = run(&["gateway", "explain", &file, "rest_rpc/add"]).succeeds().stdout;
    for words in
        [format!("its servers are told number {ADD}"), "unread, of callers in the same format".to_owned()]
    {
        assert!(said.contains(&words), "{words}: {said}");
    }
    let said = run(&["gateway", "explain", &file, "rest_rpc/alter"]).succeeds().stdout;
    assert!(said.contains("refused: the lists of its methods do not have rest_rpc/alter"), "{said}");
    let numbers = "protocol = \"rest_rpc\"\nmethods = { rest_rpc = [\"add\", \"887912700\"] }";
    for (protocols, cluster, code, expected) in [
        ("\"rest_rpc\"", some, 0, ""),
        ("\"rest_rpc\"", "protocol = \"rest_rpc\"", 2, "say a hash of a function's name"),
        ("\"rest_rpc\"", numbers, 2, "rest_rpc/add and rest_rpc/887912700 have the same number, 887912700"),
        (
            "\"rest_rpc\"",
            "protocol = \"rest_rpc\"\nmethods = { rest_rpc = [\"space::mul\"] }",
            2,
            "is no method",
        ),
        ("\"rest_rpc\"", "protocol = \"rest_rpc:c\"", 2, "rest_rpc has no parameter"),
        ("\"rest_rpc\"", "protocol = \"grpc\"", 0, "no caller of these listeners reaches it"),
        ("\"thrift\"", some, 0, "no caller of these listeners reaches it"),
        ("\"grpc\"", some, 0, "no caller of these listeners reaches it"),
    ] {
        let file = settings(protocols, cluster, "*");
        let said = run(&["gateway", "check", &file]).exits(code).stderr;
        assert!(said.contains(expected) && said.is_empty() == expected.is_empty(), "{cluster}: {said}");
    }
    let tokens = folder.write("tokens", "");
    let guarded =
        settings(&format!("\"rest_rpc\"]\ntokens = \"{tokens}\"\nfrom = [\"127.0.0.1\""), some, "*");
    let said = run(&["gateway", "check", &guarded]).exits(2).stderr;
    assert!(said.contains("rest_rpc"), "{said}");
}
