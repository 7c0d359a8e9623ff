//! `gateway`: callers and servers of hulu_pbrpc, nova_pbrpc and public_pbrpc, whose calls say a method's
//! number, and of sofa_pbrpc.

use super::{ECHO, Gateway};
use crate::support::{Folder, Server, counted, run};

const PROTOCOLS: [&str; 4] = ["hulu_pbrpc", "public_pbrpc", "nova_pbrpc", "sofa_pbrpc"];

/// A file with one listener of these protocols and gRPC, and one cluster.
fn settings(listener: &str, cluster: &str) -> String {
    format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\n\
         protocols = [\"grpc\", \"hulu_pbrpc\", \"public_pbrpc\", \"nova_pbrpc\", \"sofa_pbrpc\"]\n{listener}\n\
         [clusters.a]\nservers = \"127.0.0.1:1\"\n{cluster}\n[[routes]]\nmatch = \"shop.*\"\nto = \"a\"\n"
    )
}

#[test]
fn callers_of_each_reach_servers_of_each() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-numbers"));
    let mut calls = 0;
    for back in PROTOCOLS.into_iter().chain(["grpc"]) {
        let service = if back == "nova_pbrpc" { "service = \"example.EchoService\"" } else { "" };
        let address = &behind.address;
        // Whom the program asks what a method is.
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\nservice = \"example.EchoService\"\n\
             protocols = [\"grpc\", \"hulu_pbrpc\", \"public_pbrpc\", \"nova_pbrpc\", \"sofa_pbrpc\"]\n\
             [clusters.a]\nprotocol = \"{back}\"\nservers = \"{address}\"\nschemas = \"reflection\"\n{service}\n\
             [clusters.known]\nprotocol = \"grpc\"\nservers = \"{address}\"\n\
             [[routes]]\nmatch = \"grpc.*\"\nto = \"known\"\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        let file = folder.write("gateway.toml", &text);
        assert_eq!(
            run(&["gateway", "check", &file]).succeeds().stderr.lines().count(),
            1,
            "of the other cluster"
        );
        let mut gateway = Gateway::with(&[&file]);
        assert!(gateway.says().starts_with("schemas of a: by reflection, "));
        for front in PROTOCOLS.into_iter().chain(["grpc"]) {
            let ran = gateway.call(front, ECHO, &[]).succeeds();
            assert_eq!(ran.stdout, "{\"message\":\"x\"}\n", "{front} to {back}");
            calls += 1;
        }
    }
    assert_eq!(counted(&behind), calls);
}

const PROTO: &str = "syntax = \"proto3\"; package shop; message Item { string name = 1; }\n\
    service Stock { rpc Get(Item) returns (Item); rpc List(Item) returns (Item); }\n";

#[test]
fn check_says_what_is_missing_and_what_is_wrong() {
    let folder = Folder::new("gateway-numbers-check");
    let proto = folder.write("stock.proto", PROTO);
    let service = "service = \"shop.Stock\"";
    let hulu = "protocol = \"hulu_pbrpc\"";
    let nova = "protocol = \"nova_pbrpc\"\nmethods = { \"shop.Stock\" = [\"Get\"] }";
    let reversed = format!("{hulu}\nmethods = {{ \"shop.Stock\" = [\"List\"] }}\nschemas = \"{proto}\"");
    for (listener, cluster, at, said) in [
        ("", hulu, "1:12: listeners.main: ", "`service` is missing: calls over nova_pbrpc name no service"),
        ("service = \"shop/Stock\"", hulu, "4:11: listeners.main.service: ", "write shop.Stock"),
        (
            service,
            hulu,
            "5:11: clusters.a: ",
            "`methods` is missing: calls over hulu_pbrpc say a method's number",
        ),
        (service, nova, "5:11: clusters.a: ", "`service` is missing: calls over nova_pbrpc name no service"),
        (service, &reversed, "8:11: clusters.a.methods: ", "List is number 0 here, and 1 in `schemas`"),
        (
            service,
            "protocol = \"hulu_pbrpc\"\nmethods = {}",
            "8:11: clusters.a.methods: ",
            "no service is here",
        ),
        (
            service,
            "protocol = \"hulu_pbrpc\"\nmethods = { Stock = [\"a b\"] }",
            "8:22: clusters.a.methods: ",
            "\"a b\" is no method",
        ),
        (
            service,
            "protocol = \"hulu_pbrpc\"\nmethods = { Stock = [\"A\", \"A\"] }",
            "8:27: clusters.a.methods: ",
            "A is there twice",
        ),
        (
            service,
            "protocol = \"hulu_pbrpc\"\nmethods = { Stock = \"A\" }",
            "8:21: clusters.a.methods.Stock: ",
            "a list of texts is meant here",
        ),
    ] {
        let file = folder.write("gateway.toml", &settings(listener, cluster));
        let found = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(
            found.lines().any(|line| line.contains(&format!("{file}:{at}")) && line.contains(said)),
            "{found}"
        );
    }
    let both = settings(service, nova).replace("\"sofa_pbrpc\"", "\"nshead_mcpack\"");
    let both = both.replace(service, "service = \"shop.Stock\"\nmethod = \"shop.Stock/Get\"");
    let found = run(&["gateway", "check", &folder.write("gateway.toml", &both)]).exits(2).stderr;
    assert!(found.contains("nova_pbrpc needs a listener of its own"), "{found}");
    let file = folder.write("gateway.toml", &settings(service, "protocol = \"grpc\""));
    let warned = run(&["gateway", "check", &file]).succeeds().stderr;
    assert!(warned.contains("a has neither `schemas` nor `methods`: calls over hulu_pbrpc"), "{warned}");
    let found = run(&["gateway", "--to", "nova_pbrpc://127.0.0.1:1"]).exits(2).stderr;
    assert!(found.contains("its calls name no service; a FILE says which it is"), "{found}");
    // These servers are not asked.
    let old = ["gateway", "--to", "connect://127.0.0.1:1", "--protocols", "hulu_pbrpc"];
    let found = run(&old).exits(2).stderr;
    assert!(found.contains("--protocols hulu_pbrpc: its calls say a method's number"), "{found}");
}

#[test]
fn explain_says_which_number_and_what_is_lost() {
    let folder = Folder::new("gateway-numbers-explain");
    let service = "service = \"shop.Stock\"";
    let cluster = "protocol = \"hulu_pbrpc\"\nmethods = { \"shop.Stock\" = [\"Get\", \"List\"] }";
    let file = folder.write("gateway.toml", &settings(service, cluster));
    let explained = run(&["gateway", "explain", &file, "shop.Stock/List"]).succeeds().stdout;
    for part in [
        "listener main: calls that name no service are of shop.Stock\n",
        "its servers are told number 1\n",
        "| hulu_pbrpc   | one message each way | unread   | both ways   |\n",
        "| nova_pbrpc   | one message each way | unread   | none        |\n",
        "Requests over hulu_pbrpc have no place for fields",
    ] {
        assert!(explained.contains(part), "{part:?} is missing in\n{explained}");
    }
    let explained = run(&["gateway", "explain", &file, "shop.Stock/Drop"]).succeeds().stdout;
    for part in [
        "refused: calls over hulu_pbrpc say a method's number, which is not known: the list of the methods of",
        "| hulu_pbrpc   | one message each way | refused: no number | both ways   |\n",
    ] {
        assert!(explained.contains(part), "{part:?} is missing in\n{explained}");
    }
}

#[test]
fn a_cluster_that_is_the_gateway_itself_is_a_mistake() {
    let folder = Folder::new("gateway-itself");
    let file = |servers: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:7000\"\n[admin]\nlisten = \"127.0.0.1:7001\"\n\
             [clusters.a]\nprotocol = \"grpc\"\nservers = \"{servers}\"\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        folder.write("gateway.toml", &text)
    };
    for servers in ["127.0.0.1:7000", "list://10.0.0.1:80,localhost:7000", "127.0.0.1:7001"] {
        let file = file(servers);
        let found = run(&["gateway", "check", &file]).exits(2).stderr;
        let at = format!("{file}:7:11: clusters.a.servers: ");
        assert!(found.contains(&at) && found.contains("is this gateway itself"), "{found}");
    }
    run(&["gateway", "check", &file("127.0.0.1:7002")]).succeeds();
}
