//! `gateway`: callers and servers of ubrpc and nshead_mcpack.

use super::{ECHO, Gateway};
use crate::support::{Folder, Server, counted, run};

/// A file with one listener of both protocols, and one cluster.
fn settings(listener: &str, cluster: &str) -> String {
    format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\nprotocols = [\"grpc\", \"ubrpc_mcpack2\", \"nshead_mcpack\"]\n\
         {listener}\n[clusters.a]\n{cluster}\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n"
    )
}

#[test]
fn old_callers_reach_new_servers_and_new_callers_old_ones() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-mcpack"));
    let method = format!("method = \"{ECHO}\"");
    for (back, further) in
        [("grpc", ""), ("baidu_std", ""), ("ubrpc_compack", ""), ("nshead_mcpack", &*method)]
    {
        let cluster = format!(
            "protocol = \"{back}\"\nservers = \"{}\"\nschemas = \"reflection\"\n{further}",
            behind.address
        );
        // Whom the program asks what a method is.
        let reflecting = format!(
            "[clusters.known]\nprotocol = \"grpc\"\nservers = \"{}\"\n[[routes]]\nmatch = \"grpc.*\"\nto = \"known\"\n",
            behind.address
        );
        let text = settings(&method, &cluster).replacen("[[routes]]", &format!("{reflecting}[[routes]]"), 1);
        let file = folder.write("gateway.toml", &text);
        let mut gateway = Gateway::with(&[&file]);
        assert!(gateway.says().starts_with("schemas of a: by reflection, "));
        for protocol in ["ubrpc_mcpack2", "nshead_mcpack", "grpc"] {
            let ran = gateway.call(protocol, ECHO, &[]).succeeds();
            assert_eq!(ran.stdout, "{\"message\":\"x\"}\n", "{protocol} to {back}");
        }
    }
    assert_eq!(counted(&behind), 12);
}

#[test]
fn a_method_has_names_of_its_own_where_the_file_says_them() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-mcpack-idl"));
    let proto = folder.write("stock.proto", PROTO);
    let of = |idl: &str, schemas: &str| {
        let cluster = format!(
            "protocol = \"grpc\"\nservers = \"{}\"\nschemas = \"{schemas}\"\nidl = {idl}",
            behind.address
        );
        folder.write("gateway.toml", &settings(&format!("method = \"{ECHO}\""), &cluster))
    };
    let own = "{ request = \"x\", response = \"y\", methods = { Echo = { response = \"answer\" } } }";
    let mut gateway = Gateway::with(&[&of(own, "reflection")]);
    assert!(gateway.says().starts_with("schemas of a: by reflection, "));
    gateway.call("ubrpc_mcpack2", ECHO, &["-H", "x-bd-idl-response=answer"]).succeeds();
    let said = gateway.call("ubrpc_mcpack2", ECHO, &[]).exits(1).stderr;
    assert!(said.contains("no `res`"), "{said}");

    for (idl, at, said) in [
        (
            "{ methods = { Gte = {} } }",
            "9:21",
            "idl.methods: no method \"Gte\" in `schemas`; did you mean \"Get\"?",
        ),
        (
            "{ methods = { \"Stock/Get\" = {} } }",
            "9:21",
            "idl.methods: \"Stock/Get\" is no method: write Echo",
        ),
        ("{ methods = { Get = { name = \"x\" } } }", "9:29", "idl.methods.Get.name: there is no such key"),
        ("{ methods = { Get = \"x\" } }", "9:21", "a table is meant here"),
    ] {
        let found = run(&["gateway", "check", &of(idl, &proto)]).exits(2).stderr;
        assert!(found.contains(&format!("{at}: clusters.a.")) && found.contains(said), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    run(&["gateway", "check", &of("{ methods = { Get = { request = \"item\" } } }", &proto)]).succeeds();
}

const PROTO: &str = "syntax = \"proto2\"; package shop; message Item { optional string name = 1; }\n\
    service Stock { rpc Get(Item) returns (Item); }\n";

#[test]
fn check_and_explain_say_what_is_translated_and_what_is_missing() {
    let folder = Folder::new("gateway-mcpack-check");
    let proto = folder.write("stock.proto", PROTO);
    let (grpc, old) = (
        "protocol = \"grpc\"\nservers = \"127.0.0.1:1\"",
        "protocol = \"nshead_mcpack\"\nservers = \"127.0.0.1:1\"",
    );
    let method = "method = \"shop.Stock/Get\"";
    for (listener, cluster, at, said) in [
        (
            "",
            grpc.to_owned(),
            "1:12: listeners.main: ",
            "`method` is missing: calls over nshead_mcpack name no method",
        ),
        (
            "method = \"shop.Stock\"",
            grpc.to_owned(),
            "4:10: listeners.main.method: ",
            "write shop.Stock/Reserve",
        ),
        (
            method,
            old.to_owned(),
            "5:11: clusters.a: ",
            "`method` is missing: calls over nshead_mcpack name no method",
        ),
    ] {
        let file = folder.write("gateway.toml", &settings(listener, &cluster));
        let found = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(found.starts_with(&format!("polywire: {file}:{at}")) && found.contains(said), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    let tokens = folder.write("tokens", "");
    let file = folder.write("gateway.toml", &settings(&format!("{method}\ntokens = \"{tokens}\""), grpc));
    let found = run(&["gateway", "check", &file]).exits(2).stderr;
    assert!(found.contains("ubrpc_mcpack2 has no place for a token"), "{found}");

    let file = folder.write("gateway.toml", &settings(method, grpc));
    let warned = run(&["gateway", "check", &file]).succeeds().stderr;
    assert!(
        warned.contains("routes[0].to: a has no `schemas`: calls over ubrpc_mcpack2 are refused"),
        "{warned}"
    );
    let explained = run(&["gateway", "explain", &file, "shop.Stock/Get"]).succeeds().stdout;
    for part in [
        "calls that name no method are of shop.Stock/Get\n",
        "| grpc          | all four kinds       | unread             | none        |\n",
        "| ubrpc_mcpack2 | one message each way | refused: no schema | none        |\n",
    ] {
        assert!(explained.contains(part), "{part:?} is missing in\n{explained}");
    }
    let known = format!("{grpc}\nschemas = \"{proto}\"");
    let file = folder.write("gateway.toml", &settings(method, &known));
    assert_eq!(run(&["gateway", "check", &file]).succeeds().stderr, "");
    // Callers of ubrpc do not name the package.
    for called in ["shop.Stock/Get", "Stock/Get"] {
        let explained = run(&["gateway", "explain", &file, called]).succeeds().stdout;
        let row = "| ubrpc_mcpack2 | one message each way | translated | none        |\n";
        assert!(explained.contains(row), "{explained}");
    }
    let file = folder.write("gateway.toml", &settings(method, &format!("{old}\n{method}")));
    let explained = run(&["gateway", "explain", &file, "shop.Stock/Put"]).succeeds().stdout;
    assert!(
        explained.contains("refused: servers of nshead_mcpack have one method, and that is shop.Stock/Get\n"),
        "{explained}"
    );
    for to in ["nshead_mcpack://127.0.0.1:1", "nova_pbrpc://127.0.0.1:1"] {
        run(&["gateway", "--to", to]).exits(2);
    }
}
